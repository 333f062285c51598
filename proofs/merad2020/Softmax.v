(** Merad et al., section 8, proof of Lemma 5: the Jacobian of the softmax,
      ‖diag(v) − vvᵀ‖ <= max 2v_i(1 − v_i) <= ½   for probability vectors of any length;
    the paper has two outcomes. *)
Require Import Contrapositive.Sums Contrapositive.Tactics Contrapositive.Vectors.
Set Implicit Arguments. Unset Strict Implicit.

(** Schur's test: absolute row and column sums bound the operator norm. *)
Lemma schur_test (I : finType) (A : I -> I -> R) r : 0 <= r ->
  (forall i, ∑ j, Rabs (A i j) <= r) -> (forall j, ∑ i, Rabs (A i j) <= r) -> norm_at_most A r.
Proof.
move=> r0 rows columns u; apply: norm_le; first by apply: Rmult_le_pos (norm_ge0 u).
rewrite Rpow_mult_distr norm_sq /dot.
have row i : apply_matrix A u i * apply_matrix A u i <= r * ∑ j, Rabs (A i j) * u j ^ 2.
  pose sign j := if Rle_dec 0 (A i j) then 1 else -1.
  have abs j : A i j = Rabs (A i j) * sign j.
    by rewrite /sign; case: Rle_dec => h /=; [rewrite Rabs_pos_eq // | rewrite Rabs_left; last by apply: Rnot_le_lt]; ring.
  have sq j : sign j ^ 2 = 1 by rewrite /sign; case: Rle_dec => h /=; ring.
  have := cauchy_schwarz (fun=> 1) (fun j => sign j * u j) (fun j => Rabs_pos (A i j)).
  have -> : ∑ j, Rabs (A i j) * (1 * (sign j * u j)) = apply_matrix A u i.
    by apply: sum_ext => j; rewrite {2}(abs j); ring.
  have -> : ∑ j, Rabs (A i j) * 1 ^ 2 = ∑ j, Rabs (A i j) by apply: sum_ext => j; ring.
  have -> : ∑ j, Rabs (A i j) * (sign j * u j) ^ 2 = ∑ j, Rabs (A i j) * u j ^ 2.
    by apply: sum_ext => j; rewrite Rpow_mult_distr sq; ring.
  move=> cs; have S0 : 0 <= ∑ j, Rabs (A i j) * u j ^ 2.
    by apply: sum_ge0 => j; apply: Rmult_le_pos (pow2_ge_0 _); apply: Rabs_pos.
  have := Rmult_le_compat_r _ _ _ S0 (rows i); lra.
apply: (Rle_trans _ _ _ (sum_le row)); rewrite sum_mull sum_exchange.
have -> : r ^ 2 * (∑ i, u i * u i) = r * ∑ j, r * u j ^ 2.
  by rewrite sum_mull -Rmult_assoc; congr (_ * _); [ring | apply: sum_ext => j; ring].
apply: Rmult_le_compat_l => //; apply: sum_le => j; rewrite sum_mulr.
by apply: Rmult_le_compat_r (columns j); apply: pow2_ge_0.
Qed.

Section Softmax.
Variables (I : finType) (v : I -> R).

(** The matrix diag(v) − vvᵀ. *)
Definition jacobian (i j : I) : R := (if i == j then v i else 0) - v i * v j.

Hypothesis law : is_law v.

Lemma jacobian_sym i j : jacobian i j = jacobian j i.
Proof. by rewrite /jacobian eq_sym (Rmult_comm (v j)); case: (j =P i) => [->|_]. Qed.

Lemma jacobian_row i : ∑ j, Rabs (jacobian i j) = 2 * v i * (1 - v i).
Proof.
have v0 := law_ge0 law; have vi := law_le1 law i.
rewrite (sum_D1 _ i) /jacobian eqxx Rabs_pos_eq; last by have := v0 i; nra.
have rest : ∑ (j | j != i), v j = 1 - v i by have := law_sum law; rewrite (sum_D1 _ i); lra.
rewrite (eq_bigr (fun j => v i * v j)) => [|j]; first by rewrite psum_mull rest; ring.
rewrite eq_sym => /negbTE ->; rewrite Rabs_left1; first ring.
by have := Rmult_le_pos _ _ (v0 i) (v0 j); lra.
Qed.

(** [claim] merad2020.norm-softmax  [sense] row-sums  [scope] real entries, any number of outcomes *)
Theorem norm_softmax_row_sums r : 0 <= r -> (forall i, 2 * v i * (1 - v i) <= r) -> norm_at_most jacobian r.
Proof.
move=> r0 le; apply: schur_test => // i; first by rewrite jacobian_row.
by rewrite (sum_ext (G := fun j => Rabs (jacobian i j))) ?jacobian_row // => j; rewrite jacobian_sym.
Qed.

(** [claim] merad2020.norm-softmax  [sense] any-length  [scope] real entries, any number of outcomes *)
Theorem norm_softmax_any_length : norm_at_most jacobian (1 / 2).
Proof. by apply: norm_softmax_row_sums => [|i]; [lra | have := pow2_ge_0 (v i - 1 / 2); lra]. Qed.
End Softmax.

(** The paper's two outcomes.
    [claim] merad2020.norm-softmax  [sense] printed  [scope] real entries, two outcomes *)
Theorem norm_softmax_printed (v : bool -> R) : is_law v -> norm_at_most (jacobian v) (1 / 2).
Proof. exact: norm_softmax_any_length. Qed.

(** For two outcomes the norm is 2 v_1 v_2.
    [claim] merad2020.norm-softmax  [sense] closed-form  [scope] real entries, two outcomes *)
Theorem norm_softmax_closed_form (v : bool -> R) : is_law v -> norm_is (jacobian v) (2 * v true * v false).
Proof.
move=> law; have := law_sum law; rewrite sum_bool => sum1; have v0 := law_ge0 law.
have t0 := v0 true; have f0 := v0 false; have tf : 0 <= v true * v false by apply: Rmult_le_pos.
have n1 : norm (fun b : bool => if b then 1 else -1) = sqrt 2.
  by rewrite /norm /dot sum_bool; congr sqrt; ring.
have r2 : 0 < sqrt 2 by apply: sqrt_lt_R0; lra.
apply: (@norm_attained _ _ _ _ (fun b : bool => if b then 1 else -1)); rewrite ?n1 //; first by lra.
  by apply: norm_softmax_row_sums => //; [lra | case; nra].
rewrite (norm_ext (u := apply_matrix _ _) (v := scale (2 * v true * v false) (fun b : bool => if b then 1 else -1))).
  by rewrite norm_scale n1 Rabs_pos_eq; lra.
by move=> b; rewrite /apply_matrix sum_bool /jacobian /scale; case: b => /=; nra.
Qed.

(** * Controls: the fair coin *)
Lemma jacobian_coin r : norm_at_most (jacobian coin) r -> 0 <= r -> 1 / 2 <= r.
Proof.
have [_ [_ least]] := norm_softmax_closed_form coin_law.
by move=> bound r0; have := least r r0 bound; rewrite /coin; lra.
Qed.

(** Control a: ¼ in place of ½. *)
Theorem norm_softmax_printed_control : ~ (forall v : bool -> R, is_law v -> norm_at_most (jacobian v) (1 / 4)).
Proof. by move=> /(_ _ coin_law) /jacobian_coin; lra. Qed.

(** Control b: 0.499 for any number of outcomes. *)
Theorem norm_softmax_any_length_control : ~ (forall (I : finType) (v : I -> R), is_law v -> norm_at_most (jacobian v) (499 / 1000)).
Proof. by move=> /(_ _ _ coin_law) /jacobian_coin; lra. Qed.

(** Control c: max v_i(1 − v_i), without the factor 2. *)
Theorem norm_softmax_row_sums_control : ~ (forall (I : finType) (v : I -> R) r, is_law v -> 0 <= r ->
  (forall i, v i * (1 - v i) <= r) -> norm_at_most (jacobian v) r).
Proof.
move=> /(_ _ _ (1 / 4) coin_law ltac:(lra)) false.
have /false /jacobian_coin : forall b, coin b * (1 - coin b) <= 1 / 4 by move=> b; rewrite /coin; lra.
by lra.
Qed.

(** The norm v_1 v_2. *)
Theorem norm_softmax_closed_form_control : ~ (forall v : bool -> R, is_law v -> norm_is (jacobian v) (v true * v false)).
Proof. by move=> /(_ _ coin_law) [_ [/jacobian_coin + _]]; rewrite /coin; lra. Qed.
