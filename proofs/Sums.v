(** Finite sums, products and expectations of real numbers, in the notation of the papers: [∑ i, F i], [∏ i, F i]
    and [𝔼 x ~ p, F x].  The index is any finite type and the terms are Coq's own reals, so that [lra], [nra],
    [field] and [interval] work on the summands. *)
From mathcomp Require Import all_ssreflect.
From Coq Require Export Reals Lra Psatz.
Export mathcomp.ssreflect.all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Global Open Scope R_scope.

Canonical Rplus_monoid := Monoid.Law (fun x y z => esym (Rplus_assoc x y z)) Rplus_0_l Rplus_0_r.
Canonical Rplus_comoid := Monoid.ComLaw Rplus_comm.
Canonical Rmult_monoid := Monoid.Law (fun x y z => esym (Rmult_assoc x y z)) Rmult_1_l Rmult_1_r.
Canonical Rmult_comoid := Monoid.ComLaw Rmult_comm.
Canonical Rmult_muloid := Monoid.MulLaw Rmult_0_l Rmult_0_r.
Canonical Rplus_addoid := Monoid.AddLaw Rmult_plus_distr_r Rmult_plus_distr_l.

Notation "∑ i , F" := (\big[Rplus/0%R]_i F%R) (at level 41, i name, F at level 41, right associativity).
Notation "∑ i : T , F" := (\big[Rplus/0%R]_(i : T) F%R)
  (at level 41, i name, T at level 200, F at level 41, right associativity, only parsing).
Notation "∑ ( i | P ) , F" := (\big[Rplus/0%R]_(i | P%B) F%R)
  (at level 41, i at level 0, P at level 200, F at level 41, right associativity).
Notation "∏ i , F" := (\big[Rmult/1%R]_i F%R) (at level 41, i name, F at level 41, right associativity).

Lemma INR_gt0 n : 0 < INR n.+1.
Proof. by apply: lt_0_INR; apply/ltP. Qed.

(** * Sums over a part of the index *)
Section Parts.
Variable I : finType.
Implicit Types (P : pred I) (F G : I -> R).

Lemma psum_ge0 P F : (forall i, P i -> 0 <= F i) -> 0 <= ∑ (i | P i), F i.
Proof. by move=> ge; apply: big_ind => // *; lra. Qed.

Lemma psum_le P F G : (forall i, P i -> F i <= G i) -> ∑ (i | P i), F i <= ∑ (i | P i), G i.
Proof. by move=> le; apply: (big_ind2 (fun x y => x <= y)) => // *; lra. Qed.

Lemma psum_mull P k F : ∑ (i | P i), (k * F i) = k * ∑ (i | P i), F i.
Proof. by rewrite big_distrr. Qed.

Lemma psum_mulr P k F : ∑ (i | P i), (F i * k) = (∑ (i | P i), F i) * k.
Proof. by rewrite big_distrl. Qed.

Lemma psum_const P k : ∑ (i | P i), k = INR #|P| * k.
Proof.
rewrite big_const; elim: #|P| => [|n IH]; first by rewrite /=; lra.
by rewrite iterS IH S_INR; lra.
Qed.
End Parts.

(** * Sums over the whole index *)
Section Sums.
Variable I : finType.
Implicit Types F G : I -> R.

Lemma sum_ext F G : (forall i, F i = G i) -> ∑ i, F i = ∑ i, G i.
Proof. by move=> e; apply: eq_bigr. Qed.

Lemma sum_le F G : (forall i, F i <= G i) -> ∑ i, F i <= ∑ i, G i.
Proof. by move=> le; apply: psum_le => i _; apply: le. Qed.

Lemma sum_ge0 F : (forall i, 0 <= F i) -> 0 <= ∑ i, F i.
Proof. by move=> ge; apply: psum_ge0 => i _; apply: ge. Qed.

Lemma sum_add F G : ∑ i, (F i + G i) = (∑ i, F i) + (∑ i, G i).
Proof. exact: big_split. Qed.

Lemma sum_mull k F : ∑ i, (k * F i) = k * (∑ i, F i).
Proof. exact: psum_mull. Qed.

Lemma sum_mulr k F : ∑ i, (F i * k) = (∑ i, F i) * k.
Proof. exact: psum_mulr. Qed.

Lemma sum_opp F : ∑ i, (- F i) = - (∑ i, F i).
Proof. by rewrite (sum_ext (G := fun i => -1 * F i)) => [|i]; [rewrite sum_mull|]; lra. Qed.

Lemma sum_sub F G : ∑ i, (F i - G i) = (∑ i, F i) - (∑ i, G i).
Proof. by rewrite sum_add sum_opp. Qed.

Lemma sum_const k : ∑ i : I, k = INR #|I| * k.
Proof. exact: psum_const. Qed.

Lemma sum_D1 F i : ∑ j, F j = F i + ∑ (j | j != i), F j.
Proof. by rewrite (bigD1 i). Qed.

Lemma sum_split (P : pred I) F : ∑ i, F i = ∑ (i | P i), F i + ∑ (i | ~~ P i), F i.
Proof. by rewrite (bigID P). Qed.

Lemma sum_if (P : pred I) F : ∑ i, (if P i then F i else 0) = ∑ (i | P i), F i.
Proof. by rewrite [RHS]big_mkcond. Qed.

Lemma sum_if1 F i : ∑ j, (if i == j then F j else 0) = F i.
Proof. by rewrite -big_mkcond (big_pred1 i) // => j; rewrite eq_sym. Qed.

Lemma sum_setT F : ∑ (i | i \in [set: I]), F i = ∑ i, F i.
Proof. by apply: eq_bigl => i; rewrite inE. Qed.

Lemma sum_term_le F i : (forall i, 0 <= F i) -> F i <= ∑ j, F j.
Proof.
move=> ge; rewrite (sum_D1 F i).
have : 0 <= ∑ (j | j != i), F j by apply: psum_ge0.
by lra.
Qed.

Lemma sum_lt0 F : (forall i, 0 <= F i) -> (exists i, 0 < F i) -> 0 < ∑ i, F i.
Proof. by move=> ge [i gt]; have := sum_term_le i ge; lra. Qed.
End Sums.

Lemma sum_exchange (I J : finType) (F : I -> J -> R) : ∑ i, ∑ j, F i j = ∑ j, ∑ i, F i j.
Proof. exact: exchange_big. Qed.

Lemma sum_mul (I J : finType) (F : I -> R) (G : J -> R) : (∑ i, F i) * (∑ j, G j) = ∑ i, ∑ j, F i * G j.
Proof. by rewrite -sum_mulr; apply: sum_ext => i; rewrite sum_mull. Qed.

(** The small index types on which the controls are refuted. *)
Lemma sum_unit (F : unit -> R) : ∑ i, F i = F tt.
Proof. by rewrite (big_pred1 tt) // => -[]. Qed.

Lemma sum_bool (F : bool -> R) : ∑ i, F i = F true + F false.
Proof. by rewrite big_bool. Qed.

Lemma sum_option (I : finType) (F : option I -> R) : ∑ o, F o = F None + ∑ i, F (Some i).
Proof.
rewrite (sum_D1 _ None) (reindex_omap Some id) => [|o no]; last by case: o no.
by congr (_ + _); apply: eq_bigl => i; rewrite eqxx.
Qed.

Lemma psum_bool (P : pred bool) (F : bool -> R) :
  ∑ (i | P i), F i = (if P true then F true else 0) + (if P false then F false else 0).
Proof. by rewrite big_mkcond sum_bool. Qed.

(** * Cauchy and Schwarz, with weights *)
Lemma cauchy_schwarz (I : finType) (w u v : I -> R) : (forall i, 0 <= w i) ->
  (∑ i, w i * (u i * v i)) ^ 2 <= (∑ i, w i * u i ^ 2) * (∑ i, w i * v i ^ 2).
Proof.
move=> w0.
have: 0 <= ∑ i, ∑ j, w i * w j * (u i * v j - u j * v i) ^ 2.
  by apply: sum_ge0 => i; apply: sum_ge0 => j; apply: Rmult_le_pos (pow2_ge_0 _); apply: Rmult_le_pos.
have -> : ∑ i, ∑ j, w i * w j * (u i * v j - u j * v i) ^ 2 =
  ∑ i, ((∑ j, w i * u i ^ 2 * (w j * v j ^ 2)) + (∑ j, w i * v i ^ 2 * (w j * u j ^ 2))
          + (-2) * (∑ j, w i * (u i * v i) * (w j * (u j * v j)))).
  by apply: sum_ext => i; rewrite -sum_mull -!sum_add; apply: sum_ext => j; ring.
have prod (a b : I -> R) : ∑ i, ∑ j, a i * b j = (∑ i, a i) * (∑ j, b j) by rewrite sum_mul.
by rewrite !sum_add (sum_mull (-2)) !prod /=; lra.
Qed.

(** * Laws and expectations *)

(** A law on a finite type: weights that are not negative and add up to one. *)
Record is_law (X : finType) (p : X -> R) : Prop := IsLaw {
  law_ge0 : forall x, 0 <= p x;
  law_sum : ∑ x, p x = 1 }.

Definition E (X : finType) (p g : X -> R) : R := ∑ x, p x * g x.
Definition Pr (X : finType) (p : X -> R) (A : pred X) : R := ∑ (x | A x), p x.
Notation "'𝔼' x ~ p , F" := (E p (fun x => F%R))
  (at level 41, x name, p at level 40, F at level 41, right associativity).

Section Expectation.
Variables (X : finType) (p : X -> R).
Implicit Types (g h : X -> R) (A B : pred X).

Lemma E_ext g h : (forall x, g x = h x) -> E p g = E p h.
Proof. by move=> e; rewrite /E; apply: sum_ext => x; rewrite e. Qed.

Lemma E_add g h : 𝔼 x ~ p, (g x + h x) = E p g + E p h.
Proof. by rewrite /E -sum_add; apply: sum_ext => x; ring. Qed.

Lemma E_mull k g : 𝔼 x ~ p, (k * g x) = k * E p g.
Proof. by rewrite /E -sum_mull; apply: sum_ext => x; ring. Qed.

Lemma E_mulr k g : 𝔼 x ~ p, (g x * k) = E p g * k.
Proof. by rewrite /E -sum_mulr; apply: sum_ext => x; ring. Qed.

Lemma E_sub g h : 𝔼 x ~ p, (g x - h x) = E p g - E p h.
Proof. by rewrite /E -sum_sub; apply: sum_ext => x; ring. Qed.

Lemma E_indicator A k : 𝔼 x ~ p, (if A x then k else 0) = Pr p A * k.
Proof.
rewrite /E /Pr -psum_mulr -(sum_if A); apply: sum_ext => x.
by case: (A x); ring.
Qed.

Hypothesis law : is_law p.

Lemma E_const k : 𝔼 x ~ p, k = k.
Proof. by rewrite /E sum_mulr (law_sum law); ring. Qed.

Lemma E_le g h : (forall x, g x <= h x) -> E p g <= E p h.
Proof. by move=> le; rewrite /E; apply: sum_le => x; apply: Rmult_le_compat_l (le x); case: law. Qed.

Lemma E_ge0 g : (forall x, 0 <= g x) -> 0 <= E p g.
Proof. by move=> ge; rewrite /E; apply: sum_ge0 => x; apply: Rmult_le_pos => //; case: law. Qed.

Lemma Pr_ge0 A : 0 <= Pr p A.
Proof. by apply: psum_ge0 => x _; case: law. Qed.

Lemma Pr_not A : Pr p (predC A) = 1 - Pr p A.
Proof. by rewrite -(law_sum law) (sum_split A) /Pr /=; lra. Qed.

Lemma Pr_le A B : (forall x, A x -> B x) -> Pr p A <= Pr p B.
Proof.
move=> AB; rewrite /Pr -(sum_if A) -(sum_if B); apply: sum_le => x.
case: (boolP (A x)) => [/AB -> | _]; first exact: Rle_refl.
by case: (B x); [case: law | exact: Rle_refl].
Qed.

Lemma law_le1 x : p x <= 1.
Proof. by rewrite -(law_sum law); apply: sum_term_le; case: law. Qed.
End Expectation.
Arguments E_ext {X p g h}.

Lemma E_exchange (X Y : finType) (p : X -> R) (q : Y -> R) (g : X -> Y -> R) :
  𝔼 x ~ p, 𝔼 y ~ q, g x y = 𝔼 y ~ q, 𝔼 x ~ p, g x y.
Proof.
rewrite /E (sum_ext (G := fun x => ∑ y, q y * (p x * g x y))).
  by rewrite sum_exchange; apply: sum_ext => y; rewrite sum_mull.
by move=> x; rewrite -sum_mull; apply: sum_ext => y; ring.
Qed.

(** A law has an outcome. *)
Lemma law_inhabited (X : finType) (p : X -> R) : is_law p -> 0 < INR #|X|.
Proof.
move=> law; apply: lt_0_INR; apply/ltP; rewrite lt0n; apply/eqP => X0.
by have := law_sum law; rewrite big_pred0 => [|x]; [lra | have := card0_eq X0 x].
Qed.

(** * Independent draws *)
Section Independent.
Variables (K X : finType) (p : K -> X -> R).

(** The joint law of independent draws, the k-th one from [p k]. *)
Definition independent (Y : {ffun K -> X}) : R := ∏ k, p k (Y k).

Hypothesis laws : forall k, is_law (p k).

Lemma independent_law : is_law independent.
Proof.
split=> [Y|].
  apply: (big_ind (fun x => 0 <= x)) => [|x y|k _]; [lra | exact: Rmult_le_pos | by case: (laws k)].
rewrite /independent -(bigA_distr_bigA p) (eq_bigr (fun=> 1)) => [|k _]; first exact: big1.
by rewrite (law_sum (laws k)).
Qed.

(** The expectation of a function of one of the draws. *)
Lemma E_one_draw k (g : X -> R) : 𝔼 Y ~ independent, g (Y k) = E (p k) g.
Proof.
pose F j x := if j == k then p j x * g x else p j x.
transitivity (∑ Y : {ffun K -> X}, ∏ j, F j (Y j)).
  rewrite /E; apply: sum_ext => Y; rewrite /independent (bigD1 k) //= [in RHS](bigD1 k) //= /F eqxx.
  by rewrite [in RHS](eq_bigr (fun j => p j (Y j))) => [|j /negbTE -> //]; ring.
rewrite -(bigA_distr_bigA F) (bigD1 k) //= [X in _ * X]big1 => [|j jk]; last first.
  by rewrite -(law_sum (laws j)); apply: sum_ext => x; rewrite /F (negbTE jk).
by rewrite Rmult_1_r /E; apply: sum_ext => x; rewrite /F eqxx.
Qed.

(** The probability that each draw lies in a set. *)
Lemma Pr_all (A : K -> pred X) : Pr independent (fun Y => [forall k, A k (Y k)]) = ∏ k, Pr (p k) (A k).
Proof.
transitivity (∑ Y : {ffun K -> X}, ∏ k, (if A k (Y k) then p k (Y k) else 0)).
  rewrite /Pr -(sum_if (fun Y : {ffun K -> X} => [forall k, A k (Y k)])); apply: sum_ext => Y; rewrite /independent.
  case: forallP => [all | /forallP]; first by apply: eq_bigr => k _; rewrite all.
  by rewrite negb_forall => /existsP [k /negbTE no]; rewrite (bigD1 k) //= no; ring.
rewrite -(bigA_distr_bigA (fun k x => if A k x then p k x else 0)).
by apply: eq_bigr => k _; rewrite /Pr sum_if.
Qed.
End Independent.

(** [N] draws from the same law. *)
Definition draws (X : finType) (N : nat) (p : X -> R) : {ffun 'I_N -> X} -> R := independent (fun=> p).
Arguments draws {X} N p _.

Lemma draws_law (X : finType) N (p : X -> R) : is_law p -> is_law (draws N p).
Proof. by move=> law; apply: independent_law. Qed.

Lemma prod_const N k : \big[Rmult/1]_(i < N) k = k ^ N.
Proof. by rewrite big_const_ord; elim: N => //= n ->. Qed.
