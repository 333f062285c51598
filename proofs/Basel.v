(** Euler's sum from below: Σ_{j <= n} 1/j² <= π²/6 for every n.

    1/sin² y = ¼(1/sin²(y/2) + 1/sin²(π/2 − y/2)).  So the sum of 1/sin² over the K = 2^n odd multiples of π/(4K) below π/2
    is 2·4^n, and 1/y² is less than 1/sin² y. *)
Require Import Contrapositive.Sums.
Set Implicit Arguments. Unset Strict Implicit.

Notation "∑ ( i < n ) , F" := (\big[Rplus/0%R]_(0 <= i < n) F%R)
  (at level 41, i at level 0, n at level 200, F at level 41, right associativity).

Definition inverse_squares (n : nat) : R := ∑ (j < n), / INR j.+1 ^ 2.
Definition odd_squares (n : nat) : R := ∑ (j < n), / INR (2 * j).+1 ^ 2.

Lemma inv_sq_ge0 n : 0 <= / INR n.+1 ^ 2.
Proof. by apply: Rlt_le; apply: Rinv_0_lt_compat; apply: pow_lt; apply: INR_gt0. Qed.

(** * Odd multiples of π/(4K) *)
Definition cosecant2 (y : R) : R := / sin y ^ 2.
Definition odd_multiple (K k : nat) : R := INR (2 * k).+1 * PI / (4 * INR K).

Lemma cosecant2_half y : 0 < y < PI -> cosecant2 y = / 4 * (cosecant2 (y / 2) + cosecant2 (PI / 2 - y / 2)).
Proof.
move=> y_in; have e : y = 2 * (y / 2) by field.
rewrite /cosecant2 {1}e sin_2a sin_shift; have sc := sin2_cos2 (y / 2); rewrite /Rsqr in sc.
have s0 : 0 < sin (y / 2) by apply: sin_gt_0; lra.
have c0 : 0 < cos (y / 2) by apply: cos_gt_0; lra.
move: (sin _) (cos _) s0 c0 sc => s c s0 c0 sc.
have -> : / (2 * s * c) ^ 2 = / 4 * ((s * s + c * c) * / (s ^ 2 * c ^ 2)) by rewrite sc; field; lra.
by field; lra.
Qed.

Lemma odd_multiple_in K k : (k < K)%N -> 0 < odd_multiple K k < PI / 2.
Proof.
move=> kK; have K0 : 0 < INR K by apply: lt_0_INR; apply/ltP; apply: leq_ltn_trans kK.
have pi0 := PI_RGT_0; have k0 := INR_gt0 (2 * k); rewrite /odd_multiple; split.
  by apply: Rdiv_lt_0_compat; nra.
have lt : INR (2 * k).+1 < 2 * INR K.
  have -> : 2 * INR K = INR (2 * K) by rewrite mult_INR.
  by apply: lt_INR; apply/ltP; rewrite !mul2n -doubleS leq_double.
apply: (Rmult_lt_reg_r (4 * INR K)); first lra.
have -> : INR (2 * k).+1 * PI / (4 * INR K) * (4 * INR K) = INR (2 * k).+1 * PI by field; lra.
by nra.
Qed.

Lemma odd_multiple_half K k : (k < K)%N -> odd_multiple K k / 2 = odd_multiple (K + K) k.
Proof.
move=> kK; have K0 : 0 < INR K by apply: lt_0_INR; apply/ltP; apply: leq_ltn_trans kK.
by rewrite /odd_multiple plus_INR; field; lra.
Qed.

Lemma odd_multiple_mirror K k : (k < K)%N -> PI / 2 - odd_multiple K k / 2 = odd_multiple (K + K) (K + K - k.+1).
Proof.
move=> kK; have K0 : 0 < INR K by apply: lt_0_INR; apply/ltP; apply: leq_ltn_trans kK.
have e : INR (K + K - k.+1) = INR K + INR K - INR k - 1.
  rewrite -minusE minus_INR; first by rewrite plus_INR S_INR; ring.
  by apply/leP; apply: leq_trans kK _; apply: leq_addr.
by rewrite /odd_multiple (S_INR (2 * k)) (S_INR (2 * (K + K - k.+1))) !mult_INR e plus_INR [INR 2]/=; field; lra.
Qed.

Lemma sum_cosecant2 n : ∑ (k < 2 ^ n), cosecant2 (odd_multiple (2 ^ n) k) = 2 * 4 ^ n.
Proof.
elim: n => [|n IH].
  rewrite big_nat1 /odd_multiple /cosecant2; have -> : INR (2 * 0).+1 * PI / (4 * INR (2 ^ 0)) = PI / 4 by rewrite /=; field.
  have s2 := sqrt_sqrt 2 ltac:(lra); have s0 : 0 < sqrt 2 by apply: sqrt_lt_R0; lra.
  rewrite sin_PI4; have -> : (1 / sqrt 2) ^ 2 = / (sqrt 2 * sqrt 2) by field; lra.
  by rewrite s2 /=; field.
have -> : (2 ^ n.+1 = 2 ^ n + 2 ^ n)%N by rewrite expnS mul2n addnn.
move: (2 ^ n)%N IH => K IH; rewrite (@big_cat_nat _ _ _ K) ?leq_addr //=.
have := @big_addn R 0 Rplus 0 (K + K) K predT (fun k => cosecant2 (odd_multiple (K + K) k)); rewrite add0n addnK => ->.
rewrite [X in _ + X]big_nat_rev -big_split /=.
rewrite (_ : 2 * (4 * 4 ^ n) = 4 * (2 * 4 ^ n)); last ring.
rewrite -{}IH big_distrr /= big_nat [RHS]big_nat; apply: eq_bigr => k /= kK.
have [y0 y1] := odd_multiple_in kK; have pi0 := PI_RGT_0.
rewrite (cosecant2_half (y := odd_multiple K k)); last lra.
rewrite -(odd_multiple_half kK) (odd_multiple_mirror kK).
have -> : (0 + K - k.+1 + K = K + K - k.+1)%N by rewrite add0n addnBAC.
by field.
Qed.

Lemma inv_sq_le_cosecant2 y : 0 < y < PI / 2 -> / y ^ 2 <= cosecant2 y.
Proof.
move=> [y0 y1]; have s0 : 0 < sin y by apply: sin_gt_0; lra.
have sy := sin_lt_x y y0; apply: Rinv_le_contravar; first exact: pow_lt.
by apply: pow_incr; lra.
Qed.

Lemma odd_squares_le_power n : odd_squares (2 ^ n) <= PI ^ 2 / 8.
Proof.
have pi0 := PI_RGT_0; have K2 : INR (2 ^ n) ^ 2 = 4 ^ n.
  elim: n => [|n IH]; first by rewrite /=; ring.
  by rewrite expnS mult_INR Rpow_mult_distr IH /=; ring.
have K0 : 0 < INR (2 ^ n) by apply: lt_0_INR; apply/ltP; rewrite expn_gt0.
have := sum_cosecant2 n; move: (2 ^ n)%N K2 K0 => K K2 K0 e.
have: ∑ (k < K), / INR (2 * k).+1 ^ 2 * (16 * 4 ^ n / PI ^ 2) <= 2 * 4 ^ n.
  rewrite -e big_nat [X in _ <= X]big_nat; apply: (big_ind2 (fun a b => a <= b)) => [|*|k /andP [_ kK]]; [lra | lra |].
  apply: Rle_trans (inv_sq_le_cosecant2 (odd_multiple_in kK)); apply: Req_le.
  by rewrite /odd_multiple -K2; have := INR_gt0 (2 * k); move: (INR _) => a a0; field; lra.
rewrite -big_distrl /= -/(odd_squares K) -K2 => le.
have k2 : 0 < INR K ^ 2 by apply: pow_lt.
apply: (Rmult_le_reg_r (16 * INR K ^ 2 / PI ^ 2)); first by apply: Rdiv_lt_0_compat; [lra | apply: pow_lt].
by apply: (Rle_trans _ _ _ le); apply: Req_le; field; lra.
Qed.

(** * All numbers *)
Lemma odd_squares_mono m n : (m <= n)%N -> odd_squares m <= odd_squares n.
Proof.
move=> mn; have e : odd_squares n = odd_squares m + \big[Rplus/0]_(m <= j < n) / INR (2 * j).+1 ^ 2 by exact: big_cat_nat.
have : 0 <= \big[Rplus/0]_(m <= j < n) / INR (2 * j).+1 ^ 2.
  by apply: (big_ind (fun a => 0 <= a)) => [|*|j _]; [lra | lra | exact: inv_sq_ge0].
by lra.
Qed.

Lemma inverse_squaresS n : inverse_squares n.+1 = inverse_squares n + / INR n.+1 ^ 2.
Proof. exact: big_nat_recr. Qed.
Lemma odd_squaresS n : odd_squares n.+1 = odd_squares n + / INR (2 * n).+1 ^ 2.
Proof. exact: big_nat_recr. Qed.

Lemma inverse_squares_double n : inverse_squares (2 * n) = odd_squares n + inverse_squares n / 4.
Proof.
elim: n => [|n IH]; first by rewrite muln0 /inverse_squares /odd_squares !big_geq //; lra.
rewrite mulnS !addSn add0n odd_squaresS !inverse_squaresS {}IH.
have -> : INR (2 * n).+2 = 2 * INR n.+1 by rewrite !S_INR mult_INR /=; ring.
by move: (INR n.+1) (INR (2 * n).+1) (INR_gt0 n) (INR_gt0 (2 * n)) => a b a0 b0; field; lra.
Qed.

Lemma inverse_squares_mono n : inverse_squares n <= inverse_squares (2 * n).
Proof.
have e : inverse_squares (2 * n) = inverse_squares n + \big[Rplus/0]_(n <= j < 2 * n) / INR j.+1 ^ 2.
  by apply: big_cat_nat; rewrite ?leq_pmull.
have : 0 <= \big[Rplus/0]_(n <= j < 2 * n) / INR j.+1 ^ 2.
  by apply: (big_ind (fun a => 0 <= a)) => [|*|j _]; [lra | lra | exact: inv_sq_ge0].
by lra.
Qed.

Theorem inverse_squares_le n : inverse_squares n <= PI ^ 2 / 6.
Proof.
have odd : odd_squares n <= PI ^ 2 / 8.
  by apply: Rle_trans (odd_squares_le_power n); apply: odd_squares_mono; apply: ltnW; apply: ltn_expl.
by have := inverse_squares_mono n; rewrite inverse_squares_double; lra.
Qed.
