(** Wen, Fact 2 and Appendix D.1: the loss vectors of the keys add up to zero, and sums of norms against roots of sums of squares. *)
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

(** l̂oss_i = Σ_{j≠i} (P_ji q_j − P_ij q_i), coordinate by coordinate. *)
Definition key_loss (I D : finType) (P : I -> I -> R) (q : I -> D -> R) (i : I) (a : D) : R := ∑ (j | j != i), (P j i * q j a - P i j * q i a).

(** Σ_i l̂oss_i = 0, whatever the weights P_ij.
    [claim] wen2020.fact-2  [sense] s1  [scope] any weights, real entries, any number, any dimension *)
Theorem fact_2_s1 (I D : finType) (P : I -> I -> R) (q : I -> D -> R) (a : D) : ∑ i, key_loss P q i a = 0.
Proof.
pose F i j := if j != i then P i j * q i a else 0.
have e i : key_loss P q i a = (∑ j, F j i) - ∑ j, F i j.
  rewrite -sum_sub /key_loss -(sum_if (fun j => j != i)); apply: sum_ext => j; rewrite /F (eq_sym i).
  by case: (j != i); ring.
rewrite (sum_ext e) sum_sub sum_exchange; exact: Rminus_diag_eq.
Qed.

(** Σ a_i <= √n (Σ a_i²)^{1/2}. *)
Lemma sum_le_root (I : finType) (a : I -> R) : (forall i, 0 <= a i) -> ∑ i, a i <= sqrt (INR #|I|) * sqrt (∑ i, a i ^ 2).
Proof.
move=> a0; have S0 : 0 <= ∑ i, a i by apply: sum_ge0.
rewrite -sqrt_mult; [| exact: pos_INR | by apply: sum_ge0 => i; apply: pow2_ge_0].
rewrite -{1}(sqrt_pow2 _ S0); apply: sqrt_le_1_alt.
have := cauchy_schwarz (fun=> 1) a (fun=> Rle_0_1).
have -> : ∑ i, 1 * (1 * a i) = ∑ i, a i by apply: sum_ext => i; ring.
have -> : ∑ i : I, 1 * 1 ^ 2 = INR #|I| by rewrite sum_const; ring.
by have -> : ∑ i, 1 * a i ^ 2 = ∑ i, a i ^ 2 by apply: sum_ext => i; ring.
Qed.

(** Σ_{l<=L} ‖W′_l‖_F <= √(L+1) ‖W′‖_F, with ‖W′‖_F² = Σ_l ‖W′_l‖_F²; a matrix is the vector of its entries.
    [claim] wen2020.eq-d4  [sense] s5-root  [scope] any matrices, any number of layers *)
Theorem eq_d4_s5_root L (D : 'I_L.+1 -> finType) (W : forall l, D l -> R) :
  ∑ l, norm (@W l) <= sqrt (INR L.+1) * sqrt (∑ l, norm (@W l) ^ 2).
Proof. by have := sum_le_root (fun l => norm_ge0 (@W l)); rewrite card_ord. Qed.

(** (1/n) Σ_i ‖l̃oss_i‖ <= n^{−1/2} (Σ_i ‖l̃oss_i‖²)^{1/2}.
    [claim] wen2020.eq-d4  [sense] s4  [scope] any vectors, any number n >= 1 *)
Theorem eq_d4_s4 n (D : finType) (loss : 'I_n -> D -> R) : (0 < n)%N ->
  / INR n * (∑ i, norm (loss i)) <= / sqrt (INR n) * sqrt (∑ i, norm (loss i) ^ 2).
Proof.
move=> n0; have n1 : 0 < INR n by apply: lt_0_INR; apply/ltP.
have s0 := sqrt_lt_R0 _ n1; have ss := sqrt_sqrt _ (Rlt_le _ _ n1).
have := sum_le_root (fun i => norm_ge0 (loss i)); rewrite card_ord => le.
have -> : / sqrt (INR n) = / INR n * sqrt (INR n) by rewrite -{2}ss; field; lra.
by rewrite Rmult_assoc; apply: Rmult_le_compat_l le; apply: Rlt_le; apply: Rinv_0_lt_compat.
Qed.

(** * Controls: numbers as vectors with one coordinate *)
Lemma norm_one : norm (fun _ : unit => 1) = 1.
Proof. by rewrite /norm /dot sum_unit Rmult_1_l sqrt_1. Qed.

(** Without the root: two layers of norm one. *)
Theorem eq_d4_s5_root_control : ~ (forall L (D : 'I_L.+1 -> finType) (W : forall l, D l -> R), ∑ l, norm (@W l) <= sqrt (∑ l, norm (@W l) ^ 2)).
Proof.
move=> /(_ 1%N (fun=> unit_finType) (fun _ _ => 1)); rewrite !big_ord_recl !big_ord0 norm_one; apply: Rlt_not_le; bound.
Qed.

(** n^{−1} in place of n^{−1/2}. *)
Theorem eq_d4_s4_control : ~ (forall n (D : finType) (loss : 'I_n -> D -> R), (0 < n)%N ->
  / INR n * (∑ i, norm (loss i)) <= / INR n * sqrt (∑ i, norm (loss i) ^ 2)).
Proof.
move=> /(_ 2%N unit_finType (fun _ _ => 1) isT); rewrite !big_ord_recl !big_ord0 norm_one; apply: Rlt_not_le; rewrite /=; bound.
Qed.
