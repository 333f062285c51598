(** Esser et al., Proposition 1: the linear model u(x) = Θx under the gradient flow of L = Tr(ΘCΘᵀ), for diagonal C.
    Every diagonal C is the data matrix of both losses: x_i = e_i, x_i⁺ = −λ_i e_i, x_i⁻ = 0. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

Section Flow.
Variables (Z D : finType) (λ : D -> R) (Θ : R -> Z -> D -> R).

(** Θ′ = −2ΘC with C = diag(λ), entry by entry. *)
Definition flows : Prop := forall t l i, is_derive (fun r => Θ r l i) t (- 2 * (λ i * Θ t l i)).

(** The limit of row l, where there is one. *)
Definition row_limit (l : Z) (a : D -> R) : Prop := forall i, is_lim (fun t => Θ t l i) p_infty (a i).
End Flow.

(** A matrix of rank at most one is a column times a row. *)
Definition rank_at_most_one (Z D : finType) (A : Z -> D -> R) : Prop := exists u v, forall l i, A l i = u l * v i.

(** The Frobenius norm. *)
Definition frobenius (Z D : finType) (A : Z -> D -> R) : R := sqrt (∑ l, ∑ i, A l i ^ 2).

(** * Two rows and two columns *)
(** The identity matrix times e^{−2λt}, the solution for C = λI. *)
Definition unit_matrix (l i : bool) : R := if l == i then 1 else 0.
Definition scaled_unit (λ : R) (t : R) (l i : bool) : R := exp (- 2 * λ * t) * unit_matrix l i.

Lemma scaled_unit_flows λ : flows (fun _ : bool_finType => λ) (scaled_unit λ).
Proof. by move=> t l i; rewrite /scaled_unit; auto_derive => //; ring. Qed.

Lemma unit_matrix_rank c : c <> 0 -> ~ rank_at_most_one (fun l i => c * unit_matrix l i).
Proof.
move=> c0 [u [v e]]; have := e true true; have := e true false; have := e false true; have := e false false.
rewrite /unit_matrix /= !Rmult_1_r !Rmult_0_r => e1 e2 e3 e4.
have : c * c = 0 by rewrite {1}e4 e1; transitivity (u true * v false * (u false * v true)); [ring | rewrite -e3; ring].
by move/Rmult_integral => [].
Qed.

Lemma scaled_unit_frobenius λ t : frobenius (scaled_unit λ t) = exp (- 2 * λ * t) * sqrt 2.
Proof.
have e0 := exp_pos (- 2 * λ * t); rewrite /frobenius !sum_bool /scaled_unit /unit_matrix /=.
set e := exp _ in e0 *; have -> : e * 1 * (e * 1 * 1) + e * 0 * (e * 0 * 1) + (e * 0 * (e * 0 * 1) + e * 1 * (e * 1 * 1)) = e ^ 2 * 2 by ring.
by rewrite sqrt_mult_alt ?sqrt_pow2; [| lra | nra].
Qed.

Lemma direction_constant λ t l i : scaled_unit λ t l i / frobenius (scaled_unit λ t) = / sqrt 2 * unit_matrix l i.
Proof.
have e0 := exp_pos (- 2 * λ * t); have s0 : 0 < sqrt 2 by apply: sqrt_lt_R0; lra.
by rewrite scaled_unit_frobenius /scaled_unit; field; lra.
Qed.

(** * First sentence: identical fixed points, as what the components converge to *)

(** C = 0: two rows stand still at different places.
    [claim] esser2024.prop-1c  [sense] R2  [scope] refuted for d = z = 2 *)
Theorem prop_1c_R2_refuted : ~ (forall (Z D : finType) (λ : D -> R) (Θ : R -> Z -> D -> R), flows λ Θ ->
  forall l m a b, row_limit Θ l a -> row_limit Θ m b -> forall i, a i = b i).
Proof.
move=> /(_ _ _ _ _ (scaled_unit_flows 0)) same.
have still l : row_limit (scaled_unit 0) l (unit_matrix l).
  move=> i; apply: (is_lim_ext (fun=> unit_matrix l i)) => [t|]; last exact: is_lim_const.
  by rewrite /scaled_unit Rmult_0_r Rmult_0_l exp_0 Rmult_1_l.
by have := same _ _ _ _ (still true) (still false) true; rewrite /unit_matrix /=; lra.
Qed.

(** * Second sentence: collapse to one dimension at convergence *)

(** C = 0: the limit is the start, of rank two.
    [claim] esser2024.prop-1d  [sense] R1  [scope] refuted for d = z = 2 *)
Theorem prop_1d_R1_refuted : ~ (forall (Z D : finType) (λ : D -> R) (Θ : R -> Z -> D -> R) (A : Z -> D -> R), flows λ Θ ->
  (forall l, row_limit Θ l (A l)) -> rank_at_most_one A).
Proof.
move=> /(_ _ _ _ _ (fun l i => 1 * unit_matrix l i) (scaled_unit_flows 0)) collapse.
apply: (unit_matrix_rank (c := 1)); first lra.
apply: collapse => l i; apply: (is_lim_ext (fun=> 1 * unit_matrix l i)) => [t|]; last exact: is_lim_const.
by rewrite /scaled_unit Rmult_0_r Rmult_0_l exp_0.
Qed.

(** The direction Θ(t)/‖Θ(t)‖ tends to A. *)
Definition direction_limit (Z D : finType) (Θ : R -> Z -> D -> R) (A : Z -> D -> R) : Prop :=
  forall l i, is_lim (fun t => Θ t l i / frobenius (Θ t)) p_infty (A l i).

Lemma direction_unit λ : direction_limit (scaled_unit λ) (fun l i => / sqrt 2 * unit_matrix l i).
Proof.
move=> l i; apply: (is_lim_ext (fun=> / sqrt 2 * unit_matrix l i)) => [t|]; last exact: is_lim_const.
by rewrite direction_constant.
Qed.

Lemma direction_rank : ~ rank_at_most_one (fun l i => / sqrt 2 * unit_matrix l i).
Proof. by apply: unit_matrix_rank; apply: Rinv_neq_0_compat; apply: Rgt_not_eq; apply: sqrt_lt_R0; lra. Qed.

(** C = I: the outputs vanish, and their direction stays.
    [claim] esser2024.prop-1d  [sense] R2  [scope] refuted for d = z = 2 *)
Theorem prop_1d_R2_refuted : ~ (forall (Z D : finType) (λ : D -> R) (Θ : R -> Z -> D -> R) (A : Z -> D -> R), flows λ Θ ->
  direction_limit Θ A -> rank_at_most_one A).
Proof. by move=> /(_ _ _ _ _ _ (scaled_unit_flows 1) (direction_unit 1)); apply: direction_rank. Qed.

(** C = −I: the outputs diverge, and their direction stays.
    [claim] esser2024.prop-1d  [sense] R2-moving  [scope] refuted for d = z = 2 *)
Theorem prop_1d_R2_moving_refuted : ~ (forall (Z D : finType) (λ : D -> R) (Θ : R -> Z -> D -> R) (A : Z -> D -> R) (e : D),
  flows λ Θ -> λ e < 0 -> (forall i, λ e <= λ i) -> (exists l, Θ 0 l e <> 0) -> direction_limit Θ A -> rank_at_most_one A).
Proof.
move=> /(_ _ _ _ _ _ true (scaled_unit_flows (-1)) _ _ _ (direction_unit (-1))) collapse; apply: direction_rank; apply: collapse.
- by lra.
- by move=> i; lra.
exists true; rewrite /scaled_unit /unit_matrix /= Rmult_0_r exp_0; lra.
Qed.
