(** Wen, equation (A.3): from a descent at every step to the average of the loss vectors. *)
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

Section Averages.
Variables (L l1 l2 : nat -> R) (κ : R) (T : nat).
(** ‖loss^{(t)}‖, from ‖l̃oss^{(t)}‖ and ‖l̂oss^{(t)}‖, and the average over the first T steps. *)
Definition loss (t : nat) : R := sqrt (l1 t ^ 2 + l2 t ^ 2).
Definition average (g : nat -> R) : R := (\big[Rplus/0]_(t < T) g t) / INR T.

Hypothesis κ0 : 0 < κ.
Hypothesis T0 : (0 < T)%N.
Hypothesis l1_ge0 : forall t, 0 <= l1 t.
Hypothesis l2_ge0 : forall t, 0 <= l2 t.
Hypothesis descent : forall t : 'I_T, L t.+1 - L t <= - κ * loss t ^ 2.
Hypothesis L_ge0 : 0 <= L T.

Let n0 : 0 < INR T.
Proof. by apply: lt_0_INR; apply/ltP. Qed.

Lemma loss_ge0 t : 0 <= loss t.
Proof. exact: sqrt_pos. Qed.

Lemma telescope n : \big[Rplus/0]_(t < n) (L t - L t.+1) = L 0 - L n.
Proof. by elim: n => [|n IH]; rewrite ?big_ord0 ?big_ord_recr /= ?IH; ring. Qed.

Lemma squares_le : κ * (\big[Rplus/0]_(t < T) loss t ^ 2) <= L 0 - L T.
Proof. by rewrite -telescope -sum_mull; apply: sum_le => t; have := descent t; lra. Qed.

(** [claim] wen2020.eq-a3  [sense] root-mean-square  [scope] any number of steps *)
Theorem eq_a3_root_mean_square : sqrt (average (fun t => loss t ^ 2)) <= sqrt ((L 0 - L T) / (κ * INR T)).
Proof.
apply: sqrt_le_1_alt; rewrite /average; apply: (Rmult_le_reg_r (κ * INR T)); first exact: Rmult_lt_0_compat.
have := squares_le; set S := \big[Rplus/0]_(t < T) _ => le.
have -> : S / INR T * (κ * INR T) = κ * S by field; lra.
by have -> : (L 0 - L T) / (κ * INR T) * (κ * INR T) = L 0 - L T by field; lra.
Qed.

Lemma average_le g h : (forall t, g t <= h t) -> average g <= average h.
Proof.
move=> le; apply: Rmult_le_compat_r; first by apply: Rlt_le; apply: Rinv_0_lt_compat.
by apply: sum_le => t; apply: le.
Qed.

(** (1/T) Σ ‖loss^{(t)}‖ <= √(L_S(0)/(κT)), and the averages of both parts are at most that of the whole.
    [claim] wen2020.eq-a3  [sense] printed  [scope] any number of steps *)
Theorem eq_a3_printed : average loss <= sqrt (L 0 / (κ * INR T)) /\ average l1 <= average loss /\ average l2 <= average loss.
Proof.
have part (a b : R) : 0 <= a -> a <= sqrt (a ^ 2 + b ^ 2).
  by move=> a0; rewrite -{1}(sqrt_pow2 a) //; apply: sqrt_le_1_alt; have := pow2_ge_0 b; lra.
split; last first.
  split; apply: average_le => t; rewrite /loss; first exact: part.
  by rewrite Rplus_comm; apply: part.
have a0 : 0 <= average loss.
  by apply: Rmult_le_pos; [apply: sum_ge0 => t; apply: loss_ge0 | apply: Rlt_le; apply: Rinv_0_lt_compat].
apply: Rle_trans (Rle_trans _ _ _ eq_a3_root_mean_square _); last first.
  apply: sqrt_le_1_alt; apply: Rmult_le_compat_r; last by lra.
  by apply: Rlt_le; apply: Rinv_0_lt_compat; apply: Rmult_lt_0_compat.
rewrite -(sqrt_pow2 _ a0); apply: sqrt_le_1_alt.
have := @cauchy_schwarz _ (fun=> 1) (fun=> 1) (fun t : 'I_T => loss t) (fun=> Rle_0_1).
have -> : ∑ i : 'I_T, 1 * (1 * loss i) = \big[Rplus/0]_(t < T) loss t by apply: sum_ext => t; ring.
have -> : ∑ i : 'I_T, 1 * 1 ^ 2 = INR T by rewrite sum_const card_ord; ring.
have -> : ∑ i : 'I_T, 1 * loss i ^ 2 = \big[Rplus/0]_(t < T) loss t ^ 2 by apply: sum_ext => t; ring.
rewrite /average; set S := \big[Rplus/0]_(t < T) loss t; set Q := \big[Rplus/0]_(t < T) loss t ^ 2 => cs.
apply: (Rmult_le_reg_r (INR T ^ 2)); first by apply: pow_lt.
have -> : (S / INR T) ^ 2 * INR T ^ 2 = S ^ 2 by field; lra.
by have -> : Q / INR T * INR T ^ 2 = INR T * Q by field; lra.
Qed.

(** [claim] wen2020.eq-a3  [sense] converse  [scope] any number of steps *)
Theorem eq_a3_converse : average loss <= average l1 + average l2.
Proof.
have -> : average l1 + average l2 = average (fun t => l1 t + l2 t) 
  by rewrite /average /Rdiv -Rmult_plus_distr_r -sum_add.
apply: average_le => t; rewrite /loss -(sqrt_pow2 (l1 t + l2 t)); last by have := l1_ge0 t; have := l2_ge0 t; lra.
by apply: sqrt_le_1_alt; have := Rmult_le_pos _ _ (l1_ge0 t) (l2_ge0 t); lra.
Qed.
End Averages.

(** * Controls *)
(** Control a of (A.3): T in place of √T, for four steps of descent 1. *)
Theorem eq_a3_printed_control : ~ (forall (L l1 l2 : nat -> R) κ T, 0 < κ -> (0 < T)%N -> (forall t, 0 <= l1 t) ->
  (forall t, 0 <= l2 t) -> (forall t : 'I_T, L t.+1 - L t <= - κ * loss l1 l2 t ^ 2) -> 0 <= L T ->
  average T (loss l1 l2) <= sqrt (L 0%N / κ) / INR T).
Proof.
have one t : loss (fun=> 1) (fun=> 0) t = 1 by rewrite /loss -[RHS]sqrt_1; congr sqrt; ring.
move=> /(_ (fun t => 4 - INR t) (fun=> 1) (fun=> 0) 1 4%N Rlt_0_1 isT (fun=> Rle_0_1) (fun=> Rle_refl 0)).
have descent (t : 'I_4) : 4 - INR t.+1 - (4 - INR t) <= - (1) * loss (fun=> 1) (fun=> 0) t ^ 2.
  by rewrite one S_INR; lra.
move=> /(_ descent ltac:(rewrite /=; lra)); apply: Rlt_not_le.
rewrite /average (eq_bigr (fun=> 1)) => [|t _]; last exact: one.
by rewrite (sum_const (ordinal_finType 4)) card_ord /= Rminus_0_r; bound.
Qed.

(** The root mean square is not at most the mean (control b). *)
Theorem eq_a3_root_mean_square_control : ~ (forall (l1 l2 : nat -> R) T, (0 < T)%N ->
  sqrt (average T (fun t => loss l1 l2 t ^ 2)) <= average T (loss l1 l2)).
Proof.
pose l (t : nat) := if t == 0%N then 1 else 0; have e t : loss l (fun=> 0) t = l t.
  by rewrite /loss /l; case: (t == 0%N); [rewrite -[RHS]sqrt_1 | rewrite -[RHS]sqrt_0]; congr sqrt; ring.
move=> /(_ l (fun=> 0) 2%N isT); apply: Rlt_not_le.
by rewrite /average !big_ord_recl !big_ord0 !e /l /=; bound.
Qed.

(** One part alone does not bound the whole. *)
Theorem eq_a3_converse_control : ~ (forall (l1 l2 : nat -> R) T, (0 < T)%N -> (forall t, 0 <= l1 t) -> (forall t, 0 <= l2 t) ->
  average T (loss l1 l2) <= average T l1).
Proof.
move=> /(_ (fun=> 0) (fun=> 1) 1%N isT (fun=> Rle_refl 0) (fun=> Rle_0_1)); apply: Rlt_not_le.
by rewrite /average !big_ord_recl !big_ord0 /loss /=; bound.
Qed.
