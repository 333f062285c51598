(** Merad et al., sections 4 and 8: the loss of one triplet and its derivatives.

    A vector [z] of ℝ^{3d} has the coordinates ['I_3 * D]; its blocks [blk z p1], [blk z p2], [blk z p3] are the outputs
    f(x), f(x⁺), f(x⁻) of one triplet. *)
From Coquelicot Require Import Coquelicot.
Require Export Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Vectors.
Set Implicit Arguments. Unset Strict Implicit.

Definition p1 : 'I_3 := Ordinal (isT : (0 < 3)%N).
Definition p2 : 'I_3 := Ordinal (isT : (1 < 3)%N).
Definition p3 : 'I_3 := Ordinal (isT : (2 < 3)%N).

Lemma sum_places (F : 'I_3 -> R) : ∑ k, F k = F p1 + F p2 + F p3.
Proof.
rewrite !big_ord_recl big_ord0 Rplus_0_r -Rplus_assoc.
by congr (F _ + F _ + F _); apply: val_inj.
Qed.

Section Triplets.
Variable D : finType.
Implicit Types (z h : 'I_3 * D -> R) (u v w : D -> R).

Definition blk z (k : 'I_3) : D -> R := fun a => z (k, a).
Definition three u v w : 'I_3 * D -> R :=
  fun p => match val p.1 with 0 => u p.2 | 1 => v p.2 | _ => w p.2 end%N.

(** ℓ(z) = log(1 + e^{z_1·(z_3 − z_2)}), with a(z) = z_1·(z_3 − z_2) and s(z) = σ(a(z)). *)
Definition a z : R := dot (blk z p1) (sub (blk z p3) (blk z p2)).
Definition s z : R := σ (a z).
Definition ℓ z : R := ζ (a z).

(** g = (z_3 − z_2, −z_1, z_1), the gradient of a; ∇ℓ = s g. *)
Definition g z : 'I_3 * D -> R := three (sub (blk z p3) (blk z p2)) (scale (-1) (blk z p1)) (blk z p1).
Definition grad z : 'I_3 * D -> R := scale (s z) (g z).

(** A_j puts a vector of ℝ^d into the j-th block; ∂²cos_ij = A_i A_jᵀ + A_j A_iᵀ and ∂cos_ij = ∂²cos_ij z. *)
Definition A (j : 'I_3) (p : 'I_3 * D) (b : D) : R := if (p.1 == j) && (p.2 == b) then 1 else 0.
Definition d2cos (i j : 'I_3) (p q : 'I_3 * D) : R := (∑ b, A i p b * A j q b) + (∑ b, A j p b * A i q b).
Definition dcos (i j : 'I_3) z : 'I_3 * D -> R := apply_matrix (d2cos i j) z.

(** ∇²ℓ = s(∂²cos_13 − ∂²cos_12) + s(1 − s) g gᵀ. *)
Definition rank_term z (p q : 'I_3 * D) : R := s z * (1 - s z) * (g z p * g z q).
Definition hessian z (p q : 'I_3 * D) : R := s z * (d2cos p1 p3 p q - d2cos p1 p2 p q) + rank_term z p q.

(** The outputs lie in the ball of radius C, z ∈ B³. *)
Definition in_ball (C : R) z : Prop := forall k, norm (blk z k) <= C.

(** * Blocks *)
Lemma dot_blocks z h : dot z h = dot (blk z p1) (blk h p1) + dot (blk z p2) (blk h p2) + dot (blk z p3) (blk h p3).
Proof.
rewrite -(sum_places (fun k => dot (blk z k) (blk h k))) /dot pair_bigA.
by apply: sum_ext => -[k b].
Qed.

Lemma blk_add z h k : blk (add z h) k = add (blk z k) (blk h k).
Proof. by []. Qed.
Lemma blk_scale t z k : blk (scale t z) k = scale t (blk z k).
Proof. by []. Qed.

Lemma dot_g z h : dot (g z) h = dot (sub (blk z p3) (blk z p2)) (blk h p1) + dot (blk z p1) (sub (blk h p3) (blk h p2)).
Proof.
rewrite dot_blocks dotBr.
have -> : blk (g z) p1 = sub (blk z p3) (blk z p2) by [].
have -> : blk (g z) p2 = scale (-1) (blk z p1) by [].
have -> : blk (g z) p3 = blk z p1 by [].
by rewrite dotZl; ring.
Qed.

(** ⟨g, K g⟩ = 4a. *)
Lemma g_g z : dot (g (g z)) (g z) = 4 * a z.
Proof.
rewrite dot_g.
have -> : blk (g z) p1 = sub (blk z p3) (blk z p2) by [].
have -> : blk (g z) p2 = scale (-1) (blk z p1) by [].
have -> : blk (g z) p3 = blk z p1 by [].
by rewrite /a !dotE (dotC (blk z p3)) (dotC (blk z p2)); ring.
Qed.

(** ‖g‖² = ‖z_3 − z_2‖² + 2‖z_1‖². *)
Definition G z : R := dot (sub (blk z p3) (blk z p2)) (sub (blk z p3) (blk z p2)) + 2 * dot (blk z p1) (blk z p1).
Lemma g_sq z : dot (g z) (g z) = G z.
Proof.
rewrite dot_blocks /G.
have -> : blk (g z) p1 = sub (blk z p3) (blk z p2) by [].
have -> : blk (g z) p2 = scale (-1) (blk z p1) by [].
have -> : blk (g z) p3 = blk z p1 by [].
by rewrite dotZl dotZr; ring.
Qed.

Lemma G_ge0 z : 0 <= G z.
Proof. by rewrite -g_sq; apply: dot_ge0. Qed.

Lemma ball_sq C z k : in_ball C z -> dot (blk z k) (blk z k) <= C ^ 2.
Proof.
move=> ball; rewrite -norm_sq; apply: pow_incr; split; [exact: norm_ge0 | exact: ball].
Qed.

Lemma G_ball C z : in_ball C z -> G z <= 6 * C ^ 2.
Proof.
move=> ball; have b1 := ball_sq p1 ball; have b2 := ball_sq p2 ball; have b3 := ball_sq p3 ball.
rewrite /G; have := dot_ge0 (add (blk z p2) (blk z p3)); rewrite !dotE (dotC (blk z p3) (blk z p2)); lra.
Qed.

Lemma ball_ge0 C z : in_ball C z -> 0 <= C.
Proof. by move=> /(_ p1); apply: Rle_trans (norm_ge0 _). Qed.

(** * Along a line, a is a polynomial of degree two *)
Lemma a_line z h t : a (add z (scale t h)) =
  a z + dot (g z) h * t + dot (blk h p1) (sub (blk h p3) (blk h p2)) * (t * t).
Proof.
by rewrite /a dot_g !blk_add !blk_scale !dotE (dotC (blk z p3)) (dotC (blk z p2)); ring.
Qed.

Lemma g_line z h t (u : 'I_3 * D -> R) : dot (g (add z (scale t h))) u = dot (g z) u + t * dot (g h) u.
Proof. by rewrite !dot_g !blk_add !blk_scale !dotE; ring. Qed.

Lemma is_derive_ζ (q q' : R -> R) t : is_derive q t (q' t) -> is_derive (fun t => ζ (q t)) t (σ (q t) * q' t).
Proof.
move=> D1; have e0 := exp_pos (q t); rewrite /ζ /σ.
auto_derive; first by split; [exists (q' t) | split; lra].
by rewrite (is_derive_unique _ _ _ D1); field; lra.
Qed.

Lemma is_derive_σ (q q' : R -> R) t : is_derive q t (q' t) -> is_derive (fun t => σ (q t)) t (σ (q t) * (1 - σ (q t)) * q' t).
Proof.
move=> D1; have e0 := exp_pos (q t); rewrite /σ.
auto_derive; first by split; [exists (q' t) | split; [exists (q' t) | split; lra]].
by rewrite (is_derive_unique _ _ _ D1); field; lra.
Qed.

(** [grad] is the gradient of ℓ, and [hessian] its matrix of second derivatives. *)
Lemma derivative_on_line z h t :
  is_derive (fun t => ℓ (add z (scale t h))) t (dot (grad (add z (scale t h))) h).
Proof.
pose y t := a z + dot (g z) h * t + dot (blk h p1) (sub (blk h p3) (blk h p2)) * (t * t).
pose y' t := dot (g z) h + 2 * t * dot (blk h p1) (sub (blk h p3) (blk h p2)).
apply: (is_derive_ext (fun t => ζ (y t))) => [u|]; first by rewrite /ℓ a_line.
have -> : dot (grad (add z (scale t h))) h = σ (y t) * y' t.
  rewrite /grad dotZl /s a_line g_line (dot_g h) (dotC (sub (blk h p3) (blk h p2)) (blk h p1)) /y /y'; ring.
by apply: is_derive_ζ; rewrite /y /y'; auto_derive => //; ring.
Qed.

Lemma gradient_is_derivative z h : is_derive (fun t => ℓ (add z (scale t h))) 0 (dot (grad z) h).
Proof.
have := derivative_on_line z h 0; rewrite /grad !dotZl /s a_line g_line.
by rewrite !Rmult_0_r !Rmult_0_l !Rplus_0_r.
Qed.

(** * The matrices applied to a vector *)
Lemma apply_d2cos i j h p : apply_matrix (d2cos i j) h p =
  (if p.1 == i then blk h j p.2 else 0) + (if p.1 == j then blk h i p.2 else 0).
Proof.
have part k l : ∑ q, (∑ b, A k p b * A l q b) * h q = if p.1 == k then blk h l p.2 else 0.
  rewrite (sum_ext (G := fun q => if (l, p.2) == q then (if p.1 == k then h q else 0) else 0)); last first.
    move=> [m c]; rewrite (sum_ext (G := fun b => if p.2 == b then (if (p.1 == k) && ((l, b) == (m, c)) then 1 else 0) else 0)).
      rewrite sum_if1; case: (p.1 == k) => /=; last by case: ((l, _) == _); ring.
      by case: ((l, _) == _); ring.
    move=> b; rewrite /A; case: (p.1 == k) => /=; last by case: (p.2 == b); ring.
    by case: (p.2 == b) => /=; rewrite ?xpair_eqE 1?(eq_sym l) 1?(eq_sym b); case: (_ && _); ring.
  by rewrite sum_if1.
rewrite -(part i j) -(part j i) -sum_add; apply: sum_ext => q; rewrite /d2cos; ring.
Qed.

Lemma apply_hessian z h p : apply_matrix (hessian z) h p =
  s z * g h p + s z * (1 - s z) * (dot (g z) h) * g z p.
Proof.
have -> : apply_matrix (hessian z) h p = s z * (apply_matrix (d2cos p1 p3) h p - apply_matrix (d2cos p1 p2) h p)
   + apply_matrix (rank_term z) h p.
  rewrite /apply_matrix -sum_sub -sum_mull -sum_add; apply: sum_ext => q; rewrite /hessian; ring.
congr (_ * _ + _).
  rewrite !apply_d2cos /g /three /scale /sub; case: p => -[[|[|[|k]]] lt] b //=; rewrite /blk; ring.
by rewrite /apply_matrix /rank_term /dot -sum_mull -sum_mulr; apply: sum_ext => q; ring.
Qed.

Lemma hessian_on_line z h t (u : 'I_3 * D -> R) :
  is_derive (fun t => dot (grad (add z (scale t h))) u) t (dot (apply_matrix (hessian (add z (scale t h))) h) u).
Proof.
pose y t := a z + dot (g z) h * t + dot (blk h p1) (sub (blk h p3) (blk h p2)) * (t * t).
pose y' t := dot (g z) h + 2 * t * dot (blk h p1) (sub (blk h p3) (blk h p2)).
have ya r : a (add z (scale r h)) = y r by rewrite a_line.
have yg r : dot (g (add z (scale r h))) h = y' r.
  by rewrite g_line (dot_g h) (dotC (sub (blk h p3) (blk h p2)) (blk h p1)) /y'; ring.
apply: (is_derive_ext (fun t => σ (y t) * (dot (g z) u + t * dot (g h) u))) => [r|].
  by rewrite /grad dotZl g_line /s ya.
have Dy : is_derive y t (y' t) by rewrite /y /y'; auto_derive => //; ring.
have D2 : is_derive (fun t => dot (g z) u + t * dot (g h) u) t (dot (g h) u) by auto_derive => //; ring.
have := is_derive_mult _ _ _ _ _ (is_derive_σ Dy) D2 Rmult_comm; rewrite /plus /mult /=.
set z' := add z (scale t h); rewrite -g_line -/z' -yg -/z' -ya -/z' -/(s z').
have -> : dot (apply_matrix (hessian z') h) u = dot (add (scale (s z') (g h)) (scale (s z' * (1 - s z') * dot (g z') h) (g z'))) u.
  by apply: sum_ext => p; rewrite apply_hessian.
rewrite dotDl !dotZl.
by have -> : forall a b c e : R, a * b + c * e = c * e + a * b by move=> *; ring.
Qed.

Lemma hessian_is_derivative z h (u : 'I_3 * D -> R) :
  is_derive (fun t => dot (grad (add z (scale t h))) u) 0 (dot (apply_matrix (hessian z) h) u).
Proof.
have := hessian_on_line z h 0 u.
suff -> : dot (apply_matrix (hessian (add z (scale 0 h))) h) u = dot (apply_matrix (hessian z) h) u by [].
apply: sum_ext => p; rewrite !apply_hessian g_line /s a_line.
have -> : g (add z (scale 0 h)) p = g z p.
  by case: p => -[[|[|[|k]]] lt] b //=; rewrite /g /three /= /sub /scale /blk /add; ring.
by rewrite !Rmult_0_r !Rmult_0_l !Rplus_0_r.
Qed.
End Triplets.
