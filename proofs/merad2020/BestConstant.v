(** Merad et al., the remark after Lemma 2: the best constant in L_sup^μ <= κ L_un^N is κ* = 1/(1 − (1 − p_min)^N).
    It is never worse than the constants 1/p_cc(N) and 1/p_min of Lemmas 2 and 1, and no smaller one will do: point masses on
    a line, at v for a rarest class and at 1 for all others, come as close as one likes. *)
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions Contrapositive.merad2020.PointMasses
  Contrapositive.merad2020.Lemma1 Contrapositive.merad2020.Lemma2.
Set Implicit Arguments. Unset Strict Implicit.

(** κ* for the smallest probability p and N negatives. *)
Definition κ (p : R) (N : nat) : R := / (1 - (1 - p) ^ N).

Section BestConstant.
Variables (C X : finType) (ρ : C -> R) (law : C -> X -> R).
Hypothesis M : model ρ law.
Variables (N : nat) (p : R).
Hypothesis N_gt0 : (0 < N)%N.
Hypothesis p_min : is_min p ρ.

Let ρ_law := ρ_law M.

Lemma p_bounds : 0 < p <= 1.
Proof. by case: p_min => _ [c <-]; split; [apply: (ρ_gt0 M) | apply: law_le1 ρ_law c]. Qed.

(** κ* <= 1/p_cc(N), which is infinite if the classes cannot all be shown, and κ* <= 1/p_min.
    [claim] merad2020.remark-lemma-2  [sense] never-worse  [scope] finite laws, real entries, any number of negatives *)
Theorem remark_lemma_2_never_worse : (0 < p_cc ρ N -> κ p N <= / p_cc ρ N) /\ κ p N <= / p.
Proof.
have [p0 p1] := p_bounds; have [le _] := shown_bounds p_bounds N_gt0.
split=> [all|]; last exact: Rinv_le_contravar.
apply: Rinv_le_contravar => //; case: p_min => _ [k <-]; rewrite -(Pr_shown M N k).
by apply: (Pr_le (draws_law N ρ_law)) => I /forallP; apply.
Qed.
End BestConstant.

Section Approached.
Variables (C : finType) (ρ : C -> R) (k : C) (v : R) (N : nat).
Hypothesis M : model ρ (@point C).
Hypothesis rarest : is_min (ρ k) ρ.
Hypothesis v_gt1 : 1 < v.
Hypothesis N_gt0 : (0 < N)%N.

(** The embedding: v for the class k, 1 for all others. *)
Definition spike : C -> unit -> R := on_line (fun c => if c == k then v else 1).
Let ρ_law := ρ_law M.

(** Loss of an anchor of class c against negatives of the classes I. *)
Let loss c (I : {ffun 'I_N -> C}) := logistic (fun i => dot (spike c) (sub (spike (I i)) (spike c))).

Lemma L_un_N_point : L_un_N ρ (@point C) spike N = 𝔼 c ~ ρ, 𝔼 I ~ draws N ρ, loss c I.
Proof.
rewrite (eq_6_printed _ _ _); apply: E_ext => c; rewrite !E_point; apply: E_ext => I.
have laws i : is_law (point (I i)) by apply: point_law.
rewrite -[RHS](E_const (independent_law laws)) /E; apply: sum_ext => xn.
case: (Req_dec (independent (fun i => point (I i)) xn) 0) => [-> | ne]; first by ring.
congr (_ * _); suff e i : xn i = I i by rewrite /loss /logistic; congr (ln (1 + _)); apply: sum_ext => i; rewrite e.
case: (xn i =P I i) => // no; case: ne; rewrite /independent (bigD1 i) //= /point.
by case: eqP => // _; ring.
Qed.

(** log(N + 1), and v − 1 more if the anchor is at 1 and the class k is drawn. *)
Lemma loss_le c I : loss c I <= ln (INR N.+1) + (if (c != k) && (k \in codom I) then v - 1 else 0).
Proof.
set b := if _ then _ else _; have b0 : 0 <= b by rewrite /b; case: ifP => _; lra.
have N0 : 0 < INR N.+1 by apply: lt_0_INR; apply/ltP.
rewrite -[X in _ + X]ln_exp -ln_mult //; last exact: exp_pos.
have term i : exp (dot (spike c) (sub (spike (I i)) (spike c))) <= exp b.
  apply: exp_le; rewrite dot_on_line /b; case: (c =P k) => _ /=.
    by case: eqP => _; nra.
  case: (I i =P k) => [e | _]; first by rewrite (_ : k \in codom I) -?e ?codom_f //; lra.
  by case: ifP => _; lra.
have e1 : 1 <= exp b by rewrite -exp_0; apply: exp_le.
apply: ln_le; first by have := sum_exp_ge0 (fun i => dot (spike c) (sub (spike (I i)) (spike c))); lra.
rewrite S_INR; apply: (Rle_trans _ (1 + ∑ i : 'I_N, exp b)).
  by apply: Rplus_le_compat_l; apply: sum_le.
by rewrite sum_const card_ord; nra.
Qed.

Let others : ∑ (c | c != k), ρ c = 1 - ρ k.
Proof. by have := ρ_sum M; rewrite (sum_D1 ρ k); lra. Qed.

Lemma L_un_spike : L_un_N ρ (@point C) spike N <= ln (INR N.+1) + (1 - ρ k) * (v - 1) * (1 - (1 - ρ k) ^ N).
Proof.
rewrite L_un_N_point; apply: (Rle_trans _ (𝔼 c ~ ρ, (ln (INR N.+1) + (if c != k then (v - 1) * (1 - (1 - ρ k) ^ N) else 0)))).
  apply: (E_le ρ_law) => c; rewrite -(Pr_shown M N k).
  apply: (Rle_trans _ (𝔼 I ~ draws N ρ, (ln (INR N.+1) + (if (c != k) && (k \in codom I) then v - 1 else 0)))).
    by apply: (E_le (draws_law N ρ_law)) => I; apply: loss_le.
  rewrite E_add E_const ?E_indicator; last exact: (draws_law N ρ_law).
  by case: (c != k) => /=; [rewrite Rmult_comm; apply: Rle_refl | rewrite /Pr big_pred0 //; lra].
rewrite E_add E_const // (E_indicator ρ (fun c => c != k)) /Pr others; lra.
Qed.

Lemma L_sup_spike : (1 - ρ k) * (v - 1) <= L_sup_μ ρ (@point C) spike.
Proof.
rewrite L_sup_μ_point; apply: (Rle_trans _ (𝔼 c ~ ρ, (if c != k then v - 1 else 0))).
  by rewrite (E_indicator ρ (fun c => c != k)) /Pr others; apply: Rle_refl.
apply: (E_le ρ_law) => c; have := LSE_ge (fun c' => dot (spike c) (sub (spike c') (spike c))) k.
have := LSE_ge (fun c' => dot (spike c) (sub (spike c') (spike c))) c; rewrite !dot_on_line eqxx.
by case: (c =P k) => _ /=; lra.
Qed.

(** κ*(L_un^N − log(N + 1)) <= L_sup^μ <= κ* L_un^N for d = 1, f = v > 1 on one rarest class and f = 1 on all others.
    [claim] merad2020.remark-lemma-2  [sense] approached  [scope] any number of classes and negatives *)
Theorem remark_lemma_2_approached :
  κ (ρ k) N * (L_un_N ρ (@point C) spike N - ln (INR N.+1)) <= L_sup_μ ρ (@point C) spike /\
  L_sup_μ ρ (@point C) spike <= κ (ρ k) N * L_un_N ρ (@point C) spike N.
Proof.
have [s0 s1] := shown_bounds (p_bounds M rarest) N_gt0; have [p0 _] := p_bounds M rarest.
split; last by rewrite Rmult_comm; apply: remark_lemma_2_corrected.
apply: (Rle_trans _ _ _ _ L_sup_spike); rewrite /κ; set s := 1 - _ ^ N in s0 s1 *.
apply: (Rmult_le_reg_l s); first lra.
rewrite -Rmult_assoc Rinv_r ?Rmult_1_l; last lra.
by have := L_un_spike; rewrite -/s; lra.
Qed.
End Approached.

(** κ* is the best constant, for every law of two classes or more: a smaller one fails if v is large.
    [claim] merad2020.remark-lemma-2  [sense] closed-form, the best constant  [scope] any number of classes and negatives *)
Theorem remark_lemma_2_best (C : finType) (ρ : C -> R) k N r : model ρ (@point C) -> is_min (ρ k) ρ -> (0 < N)%N ->
  (exists c, c != k) -> r < κ (ρ k) N ->
  exists v, 1 < v /\ r * L_un_N ρ (@point C) (spike k v) N < L_sup_μ ρ (@point C) (spike k v).
Proof.
move=> M min N0 [c ck] small; have [s0 s1] := shown_bounds (p_bounds M min) N0; have [p0 _] := p_bounds M min.
have q0 : 0 < 1 - ρ k.
  have := ρ_sum M; rewrite (sum_D1 ρ k) (bigD1 c) //=; have := ρ_gt0 M c.
  have : 0 <= ∑ (j | (j != k) && (j != c)), ρ j by apply: psum_ge0 => j _; apply: Rlt_le; apply: (ρ_gt0 M).
  lra.
have κ0 : 0 < κ (ρ k) N by apply: Rinv_0_lt_compat; lra.
have l0 : 0 <= ln (INR N.+1) by apply: ln_ge0; apply: (le_INR 1); apply/leP.
move: (κ _ _) κ0 small (fun v v1 => @remark_lemma_2_approached C ρ k v N M min v1 N0) => κ κ0 small approached.
set b := κ * ln (INR N.+1) / (κ - r).
have b0 : 0 <= b by apply: Rmult_le_pos; [nra | apply: Rlt_le; apply: Rinv_0_lt_compat; lra].
exists (1 + κ * (b + 1) / (1 - ρ k)); set v := 1 + _.
have v1 : 1 < v by rewrite /v; have : 0 < κ * (b + 1) / (1 - ρ k) by [apply: Rdiv_lt_0_compat; nra]; lra.
split=> //; have [low up] := approached v v1; have := @L_sup_spike C ρ k v M => large.
have e1 : (1 - ρ k) * (v - 1) = κ * (b + 1) by rewrite /v; field; lra.
rewrite {}e1 in large; move: (L_un_N _ _ _ _) (L_sup_μ _ _ _) low up large => U S low up large.
have Ub : b + 1 <= U by apply: (Rmult_le_reg_l κ) => //; lra.
have e : b * (κ - r) = κ * ln (INR N.+1) by rewrite /b; field; lra.
by nra.
Qed.

(** * Controls *)

(** Control: 1/p_min is not the smaller one. *)
Theorem remark_lemma_2_never_worse_control : ~ (forall (C : finType) (ρ : C -> R) N p, model ρ (@point C) ->
  (0 < N)%N -> is_min p ρ -> / p <= κ p N).
Proof.
have min : is_min (1 / 2) coin by split=> [c|]; [apply: Rle_refl | exists true].
move=> /(_ _ _ 2%N _ coin_model isT min); rewrite /κ => wrong.
have : / (1 - (1 - 1 / 2) ^ 2) = 4 / 3 by field.
lra.
Qed.

(** The log(N + 1) cannot be dropped: one class, where L_sup^μ = 0 and L_un^N = log(N + 1). *)
Theorem remark_lemma_2_approached_control : ~ (forall (C : finType) (ρ : C -> R) k v N, model ρ (@point C) ->
  is_min (ρ k) ρ -> 1 < v -> (0 < N)%N ->
  κ (ρ k) N * L_un_N ρ (@point C) (spike k v) N <= L_sup_μ ρ (@point C) (spike k v)).
Proof.
have min : is_min (sure tt) sure by split=> [c|]; [apply: Rle_refl | exists tt].
move=> /(_ _ sure tt 2 1%N sure_model min ltac:(lra) isT).
have -> : κ (sure tt) 1 = 1 by rewrite /κ /sure; field.
rewrite L_un_N_point L_sup_μ_point !E_sure (E_draws_unit _ (fun=> sure_law)).
rewrite /LSE /logistic big_ord_recl big_ord0 sum_unit !dot_on_line /= !Rminus_diag_eq // Rmult_0_r exp_0 ln_1.
by apply: Rlt_not_le; bound.
Qed.

(** A larger constant is not exceeded. *)
Theorem remark_lemma_2_best_control : ~ (forall (C : finType) (ρ : C -> R) k N r, model ρ (@point C) ->
  is_min (ρ k) ρ -> (0 < N)%N -> (exists c, c != k) -> r < 2 * κ (ρ k) N ->
  exists v, 1 < v /\ r * L_un_N ρ (@point C) (spike k v) N < L_sup_μ ρ (@point C) (spike k v)).
Proof.
have min : is_min (coin true) coin by split=> [c|]; [apply: Rle_refl | exists true].
have e : κ (coin true) 1 = 2 by rewrite /κ /coin; field.
move=> /(_ _ coin true 1%N 2 coin_model min isT (ex_intro _ false isT)); rewrite e => /(_ ltac:(lra)) [v [_]].
have := remark_lemma_2_corrected (spike true v) coin_model min (N := 1) isT.
have -> : 1 - (1 - coin true) ^ 1 = / 2 by rewrite /coin; field.
by rewrite /Rdiv Rinv_involutive; lra.
Qed.
