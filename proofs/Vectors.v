(** Vectors with real entries.  The coordinates are any finite type [D], so that ℝ^d is the case [D = 'I_d]. *)
Require Import Contrapositive.Sums.
Set Implicit Arguments. Unset Strict Implicit.

Section Vectors.
Variable D : finType.
Implicit Types u v w : D -> R.

Definition dot u v : R := ∑ i, u i * v i.
Definition add u v : D -> R := fun i => u i + v i.
Definition sub u v : D -> R := fun i => u i - v i.
Definition scale (t : R) u : D -> R := fun i => t * u i.
Definition norm u : R := sqrt (dot u u).

Lemma dotC u v : dot u v = dot v u.
Proof. by apply: sum_ext => i; ring. Qed.
Lemma dotDl u v w : dot (add u v) w = dot u w + dot v w.
Proof. by rewrite /dot -sum_add; apply: sum_ext => i; rewrite /add; ring. Qed.
Lemma dotBl u v w : dot (sub u v) w = dot u w - dot v w.
Proof. by rewrite /dot -sum_sub; apply: sum_ext => i; rewrite /sub; ring. Qed.
Lemma dotZl t u w : dot (scale t u) w = t * dot u w.
Proof. by rewrite /dot -sum_mull; apply: sum_ext => i; rewrite /scale; ring. Qed.
Lemma dotDr u v w : dot w (add u v) = dot w u + dot w v.
Proof. by rewrite !(dotC w) dotDl. Qed.
Lemma dotBr u v w : dot w (sub u v) = dot w u - dot w v.
Proof. by rewrite !(dotC w) dotBl. Qed.
Lemma dotZr t u w : dot w (scale t u) = t * dot w u.
Proof. by rewrite !(dotC w) dotZl. Qed.
Definition dotE := (dotDl, dotBl, dotZl, dotDr, dotBr, dotZr).

(** The inner product with a mean is the mean of the inner products. *)
Lemma dot_E (X : finType) (p : X -> R) (f : X -> D -> R) u : dot u (fun i => 𝔼 x ~ p, f x i) = 𝔼 x ~ p, dot u (f x).
Proof.
rewrite /dot /E (sum_ext (G := fun i => ∑ x, p x * (u i * f x i))).
  by rewrite sum_exchange; apply: sum_ext => x; rewrite sum_mull.
by move=> i; rewrite -sum_mull; apply: sum_ext => x; ring.
Qed.

Lemma dot_ge0 u : 0 <= dot u u.
Proof. by apply: sum_ge0 => i; nra. Qed.

Lemma dot_cauchy_schwarz u v : dot u v ^ 2 <= dot u u * dot v v.
Proof.
have := @cauchy_schwarz _ (fun=> 1) u v (fun=> Rle_0_1).
have -> : ∑ i, 1 * (u i * v i) = dot u v by apply: sum_ext => i; ring.
have -> : ∑ i, 1 * u i ^ 2 = dot u u by apply: sum_ext => i; ring.
by have -> : ∑ i, 1 * v i ^ 2 = dot v v by apply: sum_ext => i; ring.
Qed.

(** * The Euclidean norm *)
Lemma norm_ge0 u : 0 <= norm u.
Proof. exact: sqrt_pos. Qed.

Lemma norm_sq u : norm u ^ 2 = dot u u.
Proof. by rewrite /norm /= Rmult_1_r sqrt_sqrt //; apply: dot_ge0. Qed.

Lemma norm_scale t u : norm (scale t u) = Rabs t * norm u.
Proof.
rewrite /norm dotZl dotZr -Rmult_assoc sqrt_mult; [| by nra | exact: dot_ge0].
by congr (_ * _); rewrite -/(Rsqr t) sqrt_Rsqr_abs.
Qed.

Lemma norm_le u r : 0 <= r -> dot u u <= r ^ 2 -> norm u <= r.
Proof.
move=> r0 le; rewrite /norm -(sqrt_pow2 r) //; exact: sqrt_le_1_alt.
Qed.

Lemma dot_le_norm u v : Rabs (dot u v) <= norm u * norm v.
Proof.
have := dot_cauchy_schwarz u v; rewrite -!norm_sq; have := norm_ge0 u; have := norm_ge0 v.
move: (norm u) (norm v) (dot u v) => a b t b0 a0 sq.
rewrite -(Rabs_pos_eq (a * b)); last exact: Rmult_le_pos.
by apply: Rsqr_le_abs_0; rewrite /Rsqr; nra.
Qed.

Lemma dot_le_norms u v : dot u v <= norm u * norm v.
Proof. exact: Rle_trans (Rle_abs _) (dot_le_norm u v). Qed.

(** The triangle inequality. *)
Lemma norm_add u v : norm (add u v) <= norm u + norm v.
Proof.
have u0 := norm_ge0 u; have v0 := norm_ge0 v; apply: norm_le; first by lra.
rewrite !dotE (dotC v u) -!norm_sq; have := dot_le_norms u v; nra.
Qed.

Lemma norm_ext u v : (forall i, u i = v i) -> norm u = norm v.
Proof. by move=> e; rewrite /norm; congr sqrt; apply: sum_ext => i; rewrite e. Qed.
End Vectors.

(** * The operator norm *)
Section Matrices.
Variables (I J : finType).

Definition apply_matrix (A : I -> J -> R) (u : J -> R) : I -> R := fun i => ∑ j, A i j * u j.

(** ‖A‖ <= r, the operator norm of the Euclidean ones: ‖A u‖ <= r ‖u‖ for every u. *)
Definition norm_at_most (A : I -> J -> R) (r : R) : Prop := forall u, norm (apply_matrix A u) <= r * norm u.

(** ‖A‖ = r: no smaller bound holds. *)
Definition norm_is (A : I -> J -> R) (r : R) : Prop :=
  0 <= r /\ norm_at_most A r /\ forall r', 0 <= r' -> norm_at_most A r' -> r <= r'.

Lemma norm_at_most_le A r r' : r <= r' -> norm_at_most A r -> norm_at_most A r'.
Proof.
move=> le bound u; apply: (Rle_trans _ _ _ (bound u)); apply: Rmult_le_compat_r le; exact: norm_ge0.
Qed.

(** One vector that attains the bound shows that it is the norm. *)
Lemma norm_attained A r u : 0 <= r -> norm_at_most A r -> 0 < norm u -> r * norm u <= norm (apply_matrix A u) -> norm_is A r.
Proof.
move=> r0 bound u0 attained; split=> //; split=> // r' r'0 /(_ u) /(Rle_trans _ _ _ attained) le.
exact: Rmult_le_reg_r u0 le.
Qed.
End Matrices.

(** The norm of a matrix bounds that of its transpose. *)
Lemma norm_transpose (I J : finType) (A : I -> J -> R) r : 0 <= r -> norm_at_most A r -> norm_at_most (fun j i => A i j) r.
Proof.
move=> r0 bound u; set v := apply_matrix _ u; have v0 := norm_ge0 v; have u0 := norm_ge0 u.
have e : norm v ^ 2 = dot (apply_matrix A v) u.
  rewrite norm_sq /dot (sum_ext (G := fun j => ∑ i, v j * (A i j * u i))) => [|j]; last by rewrite sum_mull.
  by rewrite sum_exchange; apply: sum_ext => i; rewrite /apply_matrix -sum_mulr; apply: sum_ext => j; ring.
case: (Req_dec (norm v) 0) => [-> | ne]; first exact: Rmult_le_pos.
apply: (Rmult_le_reg_r (norm v)); first lra.
have := dot_le_norms (apply_matrix A v) u; rewrite -e; have := bound v => le.
have := Rmult_le_compat_r _ _ _ u0 le; nra.
Qed.

Lemma norm_at_most_form (I : finType) (A : I -> I -> R) r u :
  norm_at_most A r -> Rabs (dot (apply_matrix A u) u) <= r * dot u u.
Proof.
move=> /(_ u) bound; apply: (Rle_trans _ _ _ (dot_le_norm _ _)); rewrite -norm_sq.
have -> : r * norm u ^ 2 = r * norm u * norm u by ring.
by apply: Rmult_le_compat_r bound; apply: norm_ge0.
Qed.
