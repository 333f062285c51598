(** Wen, Assumption 2: separated inputs on the sphere. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

Section Separated.
Variables (I D : finType) (x : I -> D -> R).
Hypothesis unit_norm : forall i, norm (x i) = 1.

Lemma distance_sq i j : norm (sub (x i) (x j)) ^ 2 = 2 - 2 * dot (x i) (x j).
Proof. by rewrite norm_sq !dotE (dotC (x j)) -!norm_sq !unit_norm; ring. Qed.

(** Orthogonal inputs are √2 apart, whatever their number: one δ serves every n.
    [claim] wen2020.assumption-2  [sense] universal  [scope] orthogonal unit inputs, any number, any dimension *)
Theorem assumption_2_universal : (forall i j, i != j -> dot (x i) (x j) = 0) ->
  forall i j, i != j -> norm (sub (x i) (x j)) = sqrt 2.
Proof.
move=> orth i j /orth ij; rewrite -(sqrt_pow2 _ (norm_ge0 (sub (x i) (x j)))); congr sqrt.
by rewrite distance_sq ij; ring.
Qed.

(** δ <= 2.
    [claim] wen2020.assumption-2  [sense] diameter  [scope] real entries, any dimension *)
Theorem assumption_2_diameter i j : norm (sub (x i) (x j)) <= 2.
Proof.
apply: norm_le; first by lra.
rewrite -norm_sq distance_sq; have := dot_le_norm (x i) (x j); rewrite !unit_norm => /Rabs_le_between; lra.
Qed.

(** Σ_{i<j} ‖x_i − x_j‖² = n² − ‖Σ x_i‖²; the sum over ordered pairs is twice that.
    [claim] wen2020.assumption-2  [sense] sum  [scope] real entries, any number, any dimension *)
Theorem assumption_2_sum : let total := fun a => ∑ i, x i a in
  (∑ i, ∑ j, norm (sub (x i) (x j)) ^ 2) / 2 = INR #|I| ^ 2 - norm total ^ 2.
Proof.
move=> total; have -> : norm total ^ 2 = ∑ i, ∑ j, dot (x i) (x j).
  rewrite norm_sq /dot (sum_ext (G := fun a => ∑ i, ∑ j, x i a * x j a)) => [|a]; last by rewrite sum_mul.
  by rewrite sum_exchange; apply: sum_ext => i; rewrite sum_exchange.
rewrite (sum_ext (G := fun i => INR #|I| * 2 - 2 * ∑ j, dot (x i) (x j))) => [|i].
  by rewrite sum_sub sum_const sum_mull; field.
by rewrite -sum_const -sum_mull -sum_sub; apply: sum_ext => j; rewrite distance_sq.
Qed.

(** δ² <= 2n/(n − 1).
    [claim] wen2020.assumption-2  [sense] simplex  [scope] real entries, any number, any dimension *)
Theorem assumption_2_simplex δ : (2 <= #|I|)%N -> 0 <= δ -> (forall i j, i != j -> δ <= norm (sub (x i) (x j))) ->
  δ ^ 2 <= 2 * INR #|I| / (INR #|I| - 1).
Proof.
move=> n2 δ0 apart; have n2' : 2 <= INR #|I| by apply: (le_INR 2); apply/leP.
have := assumption_2_sum; cbv zeta; set S := ∑ i, ∑ j, _ => sum.
have low : INR #|I| * ((INR #|I| - 1) * δ ^ 2) <= S.
  rewrite -sum_const; apply: sum_le => i; rewrite (sum_D1 _ i).
  have -> : (INR #|I| - 1) * δ ^ 2 = ∑ (j | j != i), δ ^ 2.
    by have := sum_const I (δ ^ 2); rewrite (sum_D1 (fun=> δ ^ 2) i); lra.
  have : ∑ (j | j != i), δ ^ 2 <= ∑ (j | j != i), norm (sub (x i) (x j)) ^ 2.
    by apply: psum_le => j ji; apply: pow_incr; split=> //; apply: apart; rewrite eq_sym.
  by have := pow2_ge_0 (norm (sub (x i) (x i))); lra.
have := pow2_ge_0 (norm (fun a => ∑ i, x i a)) => t0.
apply: (Rmult_le_reg_l (INR #|I| - 1)); first lra.
have -> : (INR #|I| - 1) * (2 * INR #|I| / (INR #|I| - 1)) = 2 * INR #|I| by field; lra.
have S_le : S <= 2 * INR #|I| ^ 2 by lra.
by apply: (Rmult_le_reg_l (INR #|I|)); lra.
Qed.
End Separated.

(** * Controls *)
(** Two inputs: orthogonal, opposite, equal. *)
Definition axis (i j : bool) : R := if i == j then 1 else 0.
Definition opposite (i : bool) (j : unit) : R := if i then 1 else -1.

Lemma axis_norm i : norm (axis i) = 1.
Proof. by rewrite -sqrt_1 /norm /dot sum_bool; congr sqrt; case: i; rewrite /axis /=; ring. Qed.
Lemma opposite_norm i : norm (opposite i) = 1.
Proof. by rewrite -sqrt_1 /norm /dot sum_unit; congr sqrt; case: i; rewrite /opposite; ring. Qed.
Lemma opposite_apart i j : i != j -> norm (sub (opposite i) (opposite j)) = 2.
Proof.
move=> ij; rewrite -(sqrt_pow2 2) /norm /dot ?sum_unit; last lra.
by congr sqrt; case: i j ij => -[] //= _; rewrite /sub /opposite; ring.
Qed.

(** Control a: 3/2. *)
Theorem assumption_2_universal_control : ~ (forall (I D : finType) (x : I -> D -> R), (forall i, norm (x i) = 1) ->
  (forall i j, i != j -> dot (x i) (x j) = 0) -> forall i j, i != j -> 3 / 2 <= norm (sub (x i) (x j))).
Proof.
have orth i j : i != j -> dot (axis i) (axis j) = 0 by case: i j => -[] //= _; rewrite /dot sum_bool /axis /=; ring.
move=> /(_ _ _ _ axis_norm orth true false isT); rewrite (assumption_2_universal axis_norm orth) //.
by apply: Rlt_not_le; bound.
Qed.

(** Opposite inputs are 2 apart. *)
Theorem assumption_2_diameter_control : ~ (forall (I D : finType) (x : I -> D -> R), (forall i, norm (x i) = 1) ->
  forall i j, norm (sub (x i) (x j)) <= 199 / 100).
Proof. by move=> /(_ _ _ _ opposite_norm true false); rewrite opposite_apart //; lra. Qed.

(** Without ‖Σ x_i‖². *)
Theorem assumption_2_sum_control : ~ (forall (I D : finType) (x : I -> D -> R), (forall i, norm (x i) = 1) ->
  (∑ i, ∑ j, norm (sub (x i) (x j)) ^ 2) / 2 = INR #|I| ^ 2).
Proof.
pose x (i j : unit) := 1; have n1 i : norm (x i) = 1 by rewrite -[RHS]sqrt_1 /norm /dot sum_unit; congr sqrt; rewrite /x; ring.
by move=> /(_ _ _ x n1); rewrite (assumption_2_sum n1) card_unit norm_sq /dot !sum_unit /x /=; lra.
Qed.

(** Control b: 0.99 in front of 2n/(n − 1). *)
Theorem assumption_2_simplex_control : ~ (forall (I D : finType) (x : I -> D -> R) δ, (forall i, norm (x i) = 1) -> (2 <= #|I|)%N ->
  0 <= δ -> (forall i j, i != j -> δ <= norm (sub (x i) (x j))) -> δ ^ 2 <= 99 / 100 * (2 * INR #|I| / (INR #|I| - 1))).
Proof.
move=> /(_ _ _ _ 2 opposite_norm); rewrite card_bool => /(_ isT ltac:(lra)) false.
have /false : forall i j, i != j -> 2 <= norm (sub (opposite i) (opposite j)).
  by move=> i j ij; rewrite opposite_apart //; lra.
by rewrite /=; apply: Rlt_not_le; bound.
Qed.
