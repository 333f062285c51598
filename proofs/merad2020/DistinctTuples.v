(** Merad et al., section 7, proof of Proposition 1: averaging over distinct tuples.  For equally likely classes
      E[h(c⁻) | c⁻ ≠ c] = (1/k) E[Σ_{i<=k} h(c_i) | c, c_1, …, c_k distinct].
    Only the classes other than [c] have to be equally likely. *)
From mathcomp Require Import perm.
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

Lemma count_gt0 (T : finType) (P : pred T) i : P i -> 0 < ∑ (j | P j), 1.
Proof. by move=> Pi; rewrite psum_const Rmult_1_r; apply: lt_0_INR; apply/ltP/card_gt0P; exists i. Qed.

Section DistinctTuples.
Variables (C : finType) (ρ : C -> R) (c : C) (k : nat).

(** [c, c_1, …, c_k] are distinct. *)
Definition distinct (I : {ffun 'I_k -> C}) : bool := injectiveb I && [forall i, I i != c].

(** Both conditional means, as quotients of finite sums. *)
Definition mean_foreign (h : C -> R) : R := (∑ (d | d != c), ρ d * h d) / (∑ (d | d != c), ρ d).
Definition mean_distinct (h : C -> R) : R :=
  (∑ (I | distinct I), draws k ρ I * (∑ i, h (I i))) / (∑ (I | distinct I), draws k ρ I) / INR k.

(** How many distinct tuples have the class [a] at the place [i]. *)
Definition number (i : 'I_k) (a : C) : R := ∑ (I | distinct I && (I i == a)), 1.

(** Exchanging two classes other than [c] is a bijection between distinct tuples. *)
Definition exchange (a b : C) (I : {ffun 'I_k -> C}) : {ffun 'I_k -> C} := [ffun i => tperm a b (I i)].

Lemma exchangeK a b : involutive (exchange a b).
Proof. by move=> I; apply/ffunP => i; rewrite !ffunE tpermK. Qed.

Lemma distinct_exchange a b I : a != c -> b != c -> distinct (exchange a b I) = distinct I.
Proof.
move=> ac bc; congr andb.
  apply/injectiveP/injectiveP => inj i j e; apply: inj; first by rewrite !ffunE e.
  by move: e; rewrite !ffunE => /perm_inj.
by apply: eq_forallb => i; rewrite ffunE (can2_eq (tpermK a b) (tpermK a b)) tpermD.
Qed.

Lemma number_const i a b : a != c -> b != c -> number i a = number i b.
Proof.
move=> ac bc; rewrite /number [RHS](reindex_inj (inv_inj (exchangeK a b))); apply: eq_bigl => I.
by rewrite distinct_exchange // ffunE (can2_eq (tpermK a b) (tpermK a b)) tpermR.
Qed.

Lemma sum_distinct i (h : C -> R) : ∑ (I | distinct I), h (I i) = ∑ (a | a != c), h a * number i a.
Proof.
rewrite (partition_big (fun I : {ffun 'I_k -> C} => I i) (fun a => a != c)) => [|I /andP [_ /forallP]] //.
apply: eq_bigr => a _; rewrite /number -psum_mull; apply: eq_bigr => I /andP [_ /eqP ->]; ring.
Qed.
End DistinctTuples.

(** E[h(c⁻) | c⁻ ≠ c] = (1/k) E[Σ h(c_i) | c, c_1, …, c_k distinct], if the classes other than c are equally likely.
    [claim] merad2020.fact-distinct-tuples  [sense] printed  [scope] any number of classes, every 1 <= k <= N_C − 1; only the classes other than c have to be equally likely *)
Theorem fact_distinct_tuples_printed (C : finType) (ρ : C -> R) (c : C) (k : nat) (p : R) (h : C -> R) :
  0 < p -> (forall d, d != c -> ρ d = p) -> (0 < k)%N -> (k <= #|C| - 1)%N ->
  mean_foreign ρ c h = mean_distinct ρ c k h.
Proof.
move=> p0 uniform k0 kC; have kR : 0 < INR k by apply: lt_0_INR; apply/ltP.
have pk : 0 < p ^ k by apply: pow_lt.
(* every distinct tuple has the probability p^k *)
have weight I : distinct c I -> draws k ρ I = p ^ k.
  move=> /andP [_ /forallP foreign]; rewrite -(prod_const k p); apply: eq_bigr => i _; exact: uniform.
(* there is one *)
have [I0 d0] : exists I : {ffun 'I_k -> C}, distinct c I.
  pose s := rem c (enum C); have us : uniq s by apply: rem_uniq; apply: enum_uniq.
  have size_s : (k <= size s)%N by rewrite size_rem ?mem_enum // -cardE -subn1.
  exists [ffun i : 'I_k => nth c s i]; apply/andP; split.
    apply/injectiveP => i j; rewrite !ffunE => /eqP; rewrite nth_uniq // => [/eqP /val_inj //||].
      exact: leq_trans (ltn_ord i) size_s.
    exact: leq_trans (ltn_ord j) size_s.
  apply/forallP => i; rewrite ffunE; have : nth c s i \in s by apply: mem_nth; apply: leq_trans (ltn_ord i) size_s.
  by rewrite mem_rem_uniq ?enum_uniq // inE => /andP [].
pose i0 := Ordinal k0; pose a0 := I0 i0; have a0c : a0 != c by case/andP: d0 => _ /forallP /(_ i0).
pose n := ∑ (d | d != c), 1; pose total := ∑ (I | distinct (k := k) c I), 1.
have n0 : 0 < n by exact: (@count_gt0 _ (fun d => d != c) a0).
have t0 : 0 < total by exact: (@count_gt0 _ (distinct (k := k) c) I0).
(* at each place the classes other than c are equally frequent *)
have place (i : 'I_k) : ∑ (I | distinct c I), h (I i) = total / n * ∑ (d | d != c), h d.
  have count : total = n * number c i a0.
    rewrite (sum_distinct c i (fun=> 1) : total = _) /n -psum_mulr; apply: eq_bigr => a ac.
    by rewrite (number_const i ac a0c).
  rewrite sum_distinct (eq_bigr (fun a => h a * number c i a0)) => [|a ac]; last by rewrite (number_const i ac a0c).
  by rewrite psum_mulr count; field; lra.
have den : ∑ (I | distinct c I), draws k ρ I = p ^ k * total.
  by rewrite /total -psum_mull; apply: eq_bigr => I /weight ->; ring.
have num : ∑ (I | distinct c I), draws k ρ I * (∑ i, h (I i)) = p ^ k * (INR k * (total / n * ∑ (d | d != c), h d)).
  rewrite (eq_bigr (fun I : {ffun 'I_k -> C} => p ^ k * (∑ i, h (I i)))) => [|I /weight -> //].
  rewrite psum_mull exchange_big /= (eq_bigr (fun=> total / n * ∑ (d | d != c), h d)) => [|i _]; last exact: place.
  by rewrite (@psum_const _ predT) card_ord.
rewrite /mean_foreign /mean_distinct num den.
have -> : ∑ (d | d != c), ρ d * h d = p * ∑ (d | d != c), h d by rewrite -psum_mull; apply: eq_bigr => d /uniform ->.
have -> : ∑ (d | d != c), ρ d = p * n by rewrite /n -psum_mull; apply: eq_bigr => d /uniform ->; ring.
by field; lra.
Qed.

(** For k = 1 no two classes have to be equally likely.
    [claim] merad2020.fact-distinct-tuples  [sense] one  [scope] k = 1, any number of classes; any ρ that is positive on a class other than c *)
Theorem fact_distinct_tuples_one (C : finType) (ρ : C -> R) (c : C) (h : C -> R) :
  mean_foreign ρ c h = mean_distinct ρ c 1 h.
Proof.
have single : bijective (fun a : C => [ffun=> a] : {ffun 'I_1 -> C}).
  exists (fun I : {ffun 'I_1 -> C} => I ord0) => [a|I]; first by rewrite ffunE.
  by apply/ffunP => i; rewrite ffunE ord1.
have over (F : {ffun 'I_1 -> C} -> R) : ∑ (I | distinct c I), F I = ∑ (a | a != c), F [ffun=> a].
  rewrite (reindex _ (onW_bij _ single)); apply: eq_bigl => a; rewrite /distinct.
  have -> : injectiveb ([ffun=> a] : {ffun 'I_1 -> C}) by apply/injectiveP => i j _; rewrite !ord1.
  by apply/forallP/idP => [/(_ ord0)|ne i]; rewrite ffunE.
have weight a : draws 1 ρ [ffun=> a] = ρ a by rewrite /draws /independent big_ord_recl big_ord0 ffunE Rmult_1_r.
rewrite /mean_distinct !over /= /Rdiv Rinv_1 Rmult_1_r /mean_foreign /Rdiv; congr (_ * / _).
  by apply: eq_bigr => a _; rewrite weight big_ord_recl big_ord0 ffunE Rplus_0_r.
by apply: eq_bigr => a _; rewrite weight.
Qed.

(** * Controls *)
(** Control c: 1/(k + 1) in place of 1/k. *)
Theorem fact_distinct_tuples_printed_control : ~ (forall (C : finType) (ρ : C -> R) (c : C) (k : nat) (p : R) (h : C -> R),
  0 < p -> (forall d, d != c -> ρ d = p) -> (0 < k)%N -> (k <= #|C| - 1)%N ->
  mean_foreign ρ c h = mean_distinct ρ c k h * (INR k / INR k.+1)).
Proof.
move=> /(_ _ (fun=> 1) true 1%N 1 (fun=> 1) Rlt_0_1 (fun _ _ => erefl) isT); rewrite card_bool -fact_distinct_tuples_one.
by rewrite /mean_foreign !psum_bool /= => /(_ isT); lra.
Qed.

Theorem fact_distinct_tuples_one_control : ~ (forall (C : finType) (ρ : C -> R) (c : C) (h : C -> R),
  mean_foreign ρ c h = mean_distinct ρ c 1 h / 2).
Proof.
move=> /(_ _ (fun=> 1) true (fun=> 1)); rewrite -fact_distinct_tuples_one.
by rewrite /mean_foreign !psum_bool /=; lra.
Qed.
