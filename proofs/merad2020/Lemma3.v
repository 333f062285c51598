(** Merad et al., Lemma 3: the loss of one triplet is smooth on the product of balls B³ = {max_j ‖z_j‖ <= C},
      ‖∇²ℓ(z)‖ <= 2 + 8C²   and   (12)  ℓ(z + z') <= ℓ(z) + ⟨∇ℓ(z), z'⟩ + (L/2)‖z'‖²  with L = 2 + 8C²,
    and the constants that serve in place of 2 + 8C²:
      ‖∇²ℓ(z)‖ <= min(1/√2 + 3G/8, 1 + G/4) <= min(1/√2 + 9C²/4, 1 + 3C²/2),   G = ‖z_3 − z_2‖² + 2‖z_1‖² <= 6C².

    The Hessian is sK + s(1 − s) g gᵀ with ‖K‖ = √2 and ‖g‖² = G, so that its norm is at most √2 s + s(1 − s) G.
    Where s exceeds ½, G is not small: with a = z_1·(z_3 − z_2) one has G >= 2√2 a >= 8√2 (s − ½). *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Tactics Contrapositive.Calculus Contrapositive.merad2020.Triplets.
Set Implicit Arguments. Unset Strict Implicit.

Lemma sqrt2_sq : sqrt 2 * sqrt 2 = 2.
Proof. by apply: sqrt_sqrt; lra. Qed.
Lemma sqrt2_bounds : 1414 / 1000 < sqrt 2 < 1415 / 1000.
Proof. by have := sqrt2_sq; have := sqrt_pos 2; split; nra. Qed.

(** 2√2 v·w <= 2‖v‖² + ‖w‖². *)
Lemma dot_sqrt2 (D : finType) (v w : D -> R) : 2 * sqrt 2 * dot v w <= 2 * dot v v + dot w w.
Proof.
have := dot_ge0 (sub (scale (sqrt 2) v) w); rewrite !dotE (dotC w v).
have e : sqrt 2 * (sqrt 2 * dot v v) = 2 * dot v v by rewrite -Rmult_assoc sqrt2_sq.
by lra.
Qed.

(** σ(a) − ½ grows at most like a/4. *)
Lemma σ_slope t : 0 <= t -> 4 * (σ t - 1 / 2) <= t.
Proof.
move=> t0; have := @increases (fun r => r - 4 * σ r) (fun r => 1 - 4 * (σ r * (1 - σ r))) 0 t t0.
have -> : σ 0 = 1 / 2 by rewrite /σ exp_0; field.
move=> inc; suff: 0 - 4 * (1 / 2) <= t - 4 * σ t by lra.
apply: inc => r r_in; last by have := pow2_ge_0 (σ r - 1 / 2); lra.
apply: (is_derive_minus (fun r => r) (fun r => 4 * σ r) r 1 _); first exact: is_derive_id.
apply: is_derive_scal; have := @is_derive_σ (fun r => r) (fun=> 1) r (is_derive_id r).
by rewrite Rmult_1_r.
Qed.

Section Smooth.
Variable D : finType.
Implicit Types (z h : 'I_3 * D -> R).

(** ‖K h‖² = ‖h_3 − h_2‖² + 2‖h_1‖² <= 2‖h‖². *)
Lemma G_le h : G h <= 2 * dot h h.
Proof.
rewrite /G (dot_blocks h h); have := dot_ge0 (add (blk h p2) (blk h p3)); rewrite !dotE (dotC (blk h p3)); lra.
Qed.

Lemma norm_g_le h : norm (g h) <= sqrt 2 * norm h.
Proof.
have [r0 _] := sqrt2_bounds; apply: norm_le; first by apply: Rmult_le_pos (norm_ge0 h); lra.
by rewrite Rpow_mult_distr norm_sq g_sq /= Rmult_1_r sqrt2_sq; apply: G_le.
Qed.

Lemma norm_g_sq z : norm (g z) ^ 2 = G z.
Proof. by rewrite norm_sq g_sq. Qed.

(** ‖∇²ℓ‖ <= √2 s + s(1 − s) G. *)
Lemma hessian_triangle z : norm_at_most (hessian z) (sqrt 2 * s z + s z * (1 - s z) * G z).
Proof.
move=> h; have [s0 s1] := σ01 (a z); rewrite -/(s z) in s0 s1.
rewrite (norm_ext (v := add (scale (s z) (g h)) (scale (s z * (1 - s z) * dot (g z) h) (g z)))) => [|p]; last exact: apply_hessian.
apply: (Rle_trans _ _ _ (norm_add _ _)); rewrite !norm_scale (Rabs_pos_eq (s z)); last lra.
have ss : 0 <= s z * (1 - s z) by nra.
rewrite Rabs_mult (Rabs_pos_eq _ ss).
have first := Rmult_le_compat_l _ _ _ (Rlt_le _ _ s0) (norm_g_le h).
have gh := dot_le_norm (g z) h; have G0 := norm_ge0 (g z).
have second := Rmult_le_compat_l _ _ _ ss (Rmult_le_compat_r _ _ _ G0 gh).
have := norm_g_sq z; nra.
Qed.

(** G is at least 8√2 (s − ½). *)
Lemma G_large z : 8 * sqrt 2 * (s z - 1 / 2) <= G z.
Proof.
have r2 := sqrt2_sq; have [r0 _] := sqrt2_bounds.
case: (Rle_dec 0 (a z)) => a0; last first.
  suff: s z <= 1 / 2 by have := G_ge0 z; nra.
  rewrite /s /σ; have e1 : exp (a z) <= 1 by rewrite -exp_0; apply: exp_le; lra.
  have e0 := exp_pos (a z); apply: (Rmult_le_reg_r (1 + exp (a z))); first lra.
  by field_simplify; lra.
have slope := σ_slope a0; rewrite -/(s z) in slope.
have : 2 * sqrt 2 * a z <= G z; last by nra.
by rewrite /G /a; have := dot_sqrt2 (blk z p1) (sub (blk z p3) (blk z p2)); lra.
Qed.

(** [claim] merad2020.norm-hessian  [sense] pointwise  [scope] every z, real entries, any dimension *)
Theorem norm_hessian_pointwise z : norm_at_most (hessian z) (Rmin (1 / sqrt 2 + 3 / 8 * G z) (1 + G z / 4)).
Proof.
apply: norm_at_most_le (hessian_triangle z).
have r2 := sqrt2_sq; have [r0 r1] := sqrt2_bounds.
have [s0 s1] := σ01 (a z); rewrite -/(s z) in s0 s1.
have large := G_large z; have G0 := G_ge0 z.
have -> : 1 / sqrt 2 = sqrt 2 / 2 by field_simplify_eq; [ | lra]; rewrite /= Rmult_1_r; lra.
apply: Rmin_glb.
- have : 0 <= (s z - 1 / 2) ^ 2 * G z by apply: Rmult_le_pos => //; apply: pow2_ge_0.
  by nra.
- case: (Rle_dec (s z) (1 / 2)) => sh.
    by have : 0 <= (s z - 1 / 2) ^ 2 * G z by [apply: Rmult_le_pos => //; apply: pow2_ge_0]; nra.
  have [u e] : exists u, s z = u + 1 / 2 by exists (s z - 1 / 2); ring.
  rewrite e in s1 sh large *; have u0 : 0 < u by lra.
  have up := Rmult_le_compat_l _ _ _ (pow2_ge_0 u) large.
  have cubic : 0 <= 8 * sqrt 2 * u ^ 3 - sqrt 2 * u + (1 - sqrt 2 / 2).
    have : 0 <= (u - 1 / 5) ^ 2 * (u + 2 / 5) by apply: Rmult_le_pos; [apply: pow2_ge_0 | lra].
    by nra.
  by nra.
Qed.

(** ‖∇²ℓ‖ <= (2 + 8M²)/(2√2), M the largest of the norms.
    [claim] merad2020.norm-hessian  [sense] factor  [scope] every z, real entries, any dimension *)
Theorem norm_hessian_factor z M : in_ball M z -> norm_at_most (hessian z) ((2 + 8 * M ^ 2) / (2 * sqrt 2)).
Proof.
move=> ball; have [r0 r1] := sqrt2_bounds; have r2 := sqrt2_sq.
apply: norm_at_most_le (norm_hessian_pointwise z); apply: (Rle_trans _ _ _ (Rmin_l _ _)).
have -> : (2 + 8 * M ^ 2) / (2 * sqrt 2) = 1 / sqrt 2 + 2 * sqrt 2 * M ^ 2.
  by field_simplify_eq; [rewrite /= Rmult_1_r; nra | lra].
by have := G_ball ball; have := pow2_ge_0 M; nra.
Qed.

(** ‖∇²ℓ‖ < 2 + 8M².
    [claim] merad2020.norm-hessian  [sense] nowhere  [scope] every z, real entries, any dimension *)
Theorem norm_hessian_nowhere z M : in_ball M z -> exists2 r, 0 <= r < 2 + 8 * M ^ 2 & norm_at_most (hessian z) r.
Proof.
move=> ball; exists ((2 + 8 * M ^ 2) / (2 * sqrt 2)); last exact: norm_hessian_factor.
have [r0 r1] := sqrt2_bounds; have t0 : 0 < 2 + 8 * M ^ 2 by have := pow2_ge_0 M; lra.
have i0 : 0 < / (2 * sqrt 2) by apply: Rinv_0_lt_compat; lra.
have i1 : / (2 * sqrt 2) < 1 by rewrite -Rinv_1; apply: Rinv_lt_contravar; lra.
by rewrite /Rdiv; split; nra.
Qed.

(** The printed equality, ‖∇²ℓ‖ = 2 + 8M².
    [claim] merad2020.norm-hessian  [sense] equality  [scope] refuted at every z, in any dimension *)
Theorem norm_hessian_equality_refuted z M : in_ball M z -> ~ norm_is (hessian z) (2 + 8 * M ^ 2).
Proof. by move=> /norm_hessian_nowhere [r [r0 lt] bound] [_ [_ least]]; have := least r r0 bound; lra. Qed.

(** [claim] merad2020.norm-hessian  [sense] upper  [scope] every z, real entries, any dimension *)
Theorem norm_hessian_upper z M : in_ball M z -> norm_at_most (hessian z) (2 + 8 * M ^ 2).
Proof.
move=> ball; apply: norm_at_most_le (norm_hessian_pointwise z); apply: (Rle_trans _ _ _ (Rmin_r _ _)).
by have := G_ball ball; have := pow2_ge_0 M; lra.
Qed.

(** [claim] merad2020.lemma-3  [sense] printed  [scope] every z, real entries, any dimension *)
Theorem lemma_3_printed z C : in_ball C z -> norm_at_most (hessian z) (2 + 8 * C ^ 2).
Proof. exact: norm_hessian_upper. Qed.

(** Serves [supremum-three-halves] as well, as it holds for every z of B³.
    [claim] merad2020.lemma-3  [sense] three-halves  [scope] every z, real entries, any dimension *)
Theorem lemma_3_three_halves z C : in_ball C z ->
  norm_at_most (hessian z) (Rmin (1 / sqrt 2 + 9 / 4 * C ^ 2) (1 + 3 / 2 * C ^ 2)).
Proof.
move=> ball; have Gb := G_ball ball; apply: norm_at_most_le (norm_hessian_pointwise z).
by apply: Rmin_glb; [apply: (Rle_trans _ _ _ (Rmin_l _ _)) | apply: (Rle_trans _ _ _ (Rmin_r _ _))]; lra.
Qed.

(** [claim] merad2020.lemma-3  [sense] factor  [scope] every z, real entries, any dimension *)
Theorem lemma_3_factor z C : in_ball C z -> norm_at_most (hessian z) ((2 + 8 * C ^ 2) / (2 * sqrt 2)).
Proof. exact: norm_hessian_factor. Qed.

(** * Inequality (12) *)
Lemma ζ_lipschitz x y : ζ (x + y) <= ζ x + Rmax 0 y.
Proof.
case: (Rle_dec 0 y) => y0; last by rewrite Rmax_left; [have : ζ (x + y) <= ζ x by [apply: ζ_le; lra]; lra | lra].
rewrite Rmax_right //; have ey : 1 <= exp y by rewrite -exp_0; apply: exp_le.
rewrite -{2}(ln_exp y) -ln_mult; [| have := exp_pos x; lra | exact: exp_pos].
apply: ln_le; first by have := exp_pos (x + y); lra.
by rewrite exp_plus; have := exp_pos x; nra.
Qed.

Lemma ζ_second_order x y : ζ (x + y) <= ζ x + σ x * y + y ^ 2 / 8.
Proof.
have := @second_order (fun t => ζ (x + t * y)) (fun t => σ (x + t * y) * y)
  (fun t => σ (x + t * y) * (1 - σ (x + t * y)) * y * y) (y ^ 2 / 4).
have line t : is_derive (fun t => x + t * y) t y by auto_derive => //; ring.
rewrite Rmult_1_l Rmult_0_l Rplus_0_r => /(_ _ _ _) bound; have : ζ (x + y) <= ζ x + σ x * y + y ^ 2 / 4 / 2; last by lra.
apply: bound => t _.
- exact: (is_derive_ζ (line t)).
- apply: (is_derive_ext (fun t => y * σ (x + t * y))) => [r|]; first exact: Rmult_comm.
  have -> : σ (x + t * y) * (1 - σ (x + t * y)) * y * y = y * (σ (x + t * y) * (1 - σ (x + t * y)) * y) by ring.
  by apply: is_derive_scal; apply: (is_derive_σ (line t)).
- by have := pow2_ge_0 (σ (x + t * y) - 1 / 2); have := pow2_ge_0 y; nra.
Qed.

(** ℓ(z + z') <= ℓ(z) + ⟨∇ℓ(z), z'⟩ + ½(√2 + G(z)/4)‖z'‖² for all z and z'.
    [claim] merad2020.eq-12  [sense] pointwise  [scope] all z and z', real entries, any dimension *)
Theorem eq_12_pointwise z h : ℓ (add z h) <= ℓ z + dot (grad z) h + (sqrt 2 + G z / 4) / 2 * dot h h.
Proof.
pose q := dot (blk h p1) (sub (blk h p3) (blk h p2)).
have az : a (add z h) = a z + dot (g z) h + q.
  by rewrite /a /q dot_g !blk_add !dotE (dotC (blk z p3)) (dotC (blk z p2)); ring.
have r2 := sqrt2_sq; have [r0 _] := sqrt2_bounds.
have q_le : Rmax 0 q <= sqrt 2 / 2 * dot h h.
  apply: Rmax_lub; first by have := dot_ge0 h; nra.
  have : 2 * sqrt 2 * q <= 2 * dot h h.
    by apply: (Rle_trans _ (G h)); [have := dot_sqrt2 (blk h p1) (sub (blk h p3) (blk h p2)); rewrite /G /q; lra | exact: G_le].
  have e : sqrt 2 * (2 * sqrt 2 * q) = 4 * q by transitivity (2 * (sqrt 2 * sqrt 2) * q); [ring | rewrite r2; ring].
  by nra.
have gh := dot_cauchy_schwarz (g z) h; rewrite g_sq in gh.
have lip := ζ_lipschitz (a z + dot (g z) h) q; have taylor := ζ_second_order (a z) (dot (g z) h).
rewrite /ℓ az /grad dotZl -/(s z) in taylor *.
by lra.
Qed.

(** ... with √2 + 3C²/2 for z ∈ B³ and z' arbitrary.
    [claim] merad2020.eq-12  [sense] three-halves  [scope] z in B³, every z', real entries, any dimension *)
Theorem eq_12_three_halves z h C : in_ball C z ->
  ℓ (add z h) <= ℓ z + dot (grad z) h + (sqrt 2 + 3 / 2 * C ^ 2) / 2 * dot h h.
Proof.
move=> ball; apply: (Rle_trans _ _ _ (eq_12_pointwise z h)); apply: Rplus_le_compat_l.
by apply: Rmult_le_compat_r (dot_ge0 h) _; have := G_ball ball; lra.
Qed.

(** ... with 2 + 8C² for z ∈ B³ and z' arbitrary; the senses A and B restrict z'.
    [claim] merad2020.eq-12  [sense] C  [scope] z in B³, every z', real entries, any dimension *)
Theorem eq_12_C z h C : in_ball C z -> ℓ (add z h) <= ℓ z + dot (grad z) h + (2 + 8 * C ^ 2) / 2 * dot h h.
Proof.
move=> ball; apply: (Rle_trans _ _ _ (eq_12_three_halves h ball)); apply: Rplus_le_compat_l.
by apply: Rmult_le_compat_r (dot_ge0 h) _; have := pow2_ge_0 C; have := sqrt2_bounds; lra.
Qed.

(** [claim] merad2020.eq-12  [sense] A  [scope] z and z + z' in B³, real entries, any dimension *)
Theorem eq_12_A z h C : in_ball C z -> in_ball C (add z h) ->
  ℓ (add z h) <= ℓ z + dot (grad z) h + (2 + 8 * C ^ 2) / 2 * dot h h.
Proof. by move=> ball _; apply: eq_12_C. Qed.

(** [claim] merad2020.eq-12  [sense] B  [scope] z and z' in B³, real entries, any dimension *)
Theorem eq_12_B z h C : in_ball C z -> in_ball C h ->
  ℓ (add z h) <= ℓ z + dot (grad z) h + (2 + 8 * C ^ 2) / 2 * dot h h.
Proof. by move=> ball _; apply: eq_12_C. Qed.

(** The ball is convex. *)
Lemma ball_convex C z h t : 0 <= t <= 1 -> in_ball C z -> in_ball C (add z h) -> in_ball C (add z (scale t h)).
Proof.
move=> [t0 t1] ball0 ball1 k; have C0 := ball_ge0 ball0; apply: norm_le => //.
have b0 := ball_sq k ball0; have b1 := ball_sq k ball1; move: b0 b1; rewrite !blk_add blk_scale !dotE (dotC (blk h k)) => b0 b1.
have hh := Rmult_le_pos _ _ (Rmult_le_pos t (1 - t) t0 ltac:(lra)) (dot_ge0 (blk h k)).
have := Rmult_le_compat_l _ _ _ t0 b1; have := Rmult_le_compat_l (1 - t) _ _ ltac:(lra) b0; lra.
Qed.

(** ... with 1 + 3C²/2 for z and z + z' in B³.
    [claim] merad2020.eq-12  [sense] convex  [scope] z and z + z' in B³, real entries, any dimension *)
Theorem eq_12_convex z h C : in_ball C z -> in_ball C (add z h) ->
  ℓ (add z h) <= ℓ z + dot (grad z) h + (1 + 3 / 2 * C ^ 2) / 2 * dot h h.
Proof.
move=> ball0 ball1; pose y t := add z (scale t h).
have := @second_order (fun t => ℓ (y t)) (fun t => dot (grad (y t)) h) (fun t => dot (apply_matrix (hessian (y t)) h) h)
  ((1 + 3 / 2 * C ^ 2) * dot h h) (fun t _ => derivative_on_line z h t) (fun t _ => hessian_on_line z h t h).
have -> : ℓ (y 1) = ℓ (add z h) by rewrite /ℓ /y /a; congr ζ; apply: sum_ext => i; rewrite /blk /sub /add /scale; ring.
have -> : ℓ (y 0) = ℓ z by rewrite /ℓ /y a_line; congr ζ; ring.
have -> : dot (grad (y 0)) h = dot (grad z) h.
  by rewrite /y /grad !dotZl g_line /s a_line !Rmult_0_r !Rmult_0_l !Rplus_0_r.
move=> bound; apply: (Rle_trans _ _ _ (bound _)); last by lra.
move=> t t01; apply: (Rle_trans _ _ _ (Rle_abs _)); apply: norm_at_most_form.
by apply: norm_at_most_le (lemma_3_three_halves (ball_convex t01 ball0 ball1)); apply: Rmin_r.
Qed.
End Smooth.

(** * Controls *)

(** In ℝ²: z_1 = (r, 0) and z_3 = −z_2 = (0, r); so a = 0, s = ½ and ‖g‖² = 6r², with ⟨g, Kg⟩ = 4a = 0. *)
Definition cross (r : R) : 'I_3 * bool -> R :=
  three (fun b => if b then r else 0) (fun b => if b then 0 else - r) (fun b => if b then 0 else r).

Lemma cross_ball r : 0 <= r -> in_ball r (cross r).
Proof.
move=> r0 [[|[|[|k]]] lt] //; apply: norm_le => //; rewrite /dot sum_bool /blk /cross /three /=; lra.
Qed.

Lemma cross_curvature r L : norm_at_most (hessian (cross r)) L -> 9 * r ^ 4 <= L * (6 * r ^ 2).
Proof.
move=> /(norm_at_most_form (g (cross r))) /(Rle_trans _ _ _ (Rle_abs _)).
have a0 : a (cross r) = 0 by rewrite /a /dot sum_bool /blk /sub /cross /three /=; ring.
have s0 : s (cross r) = 1 / 2 by rewrite /s a0 /σ exp_0; field.
have gg : dot (g (cross r)) (g (cross r)) = 6 * r ^ 2.
  by rewrite g_sq /G /dot !sum_bool /blk /sub /cross /three /=; ring.
have -> : dot (apply_matrix (hessian (cross r)) (g (cross r))) (g (cross r)) =
  dot (add (scale (1 / 2) (g (g (cross r)))) (scale (1 / 4 * (6 * r ^ 2)) (g (cross r)))) (g (cross r)).
  apply: sum_ext => p; rewrite apply_hessian s0 gg /add /scale; congr (_ * _); lra.
rewrite dotDl !dotZl gg.
have -> : dot (g (g (cross r))) (g (cross r)) = 0.
  by rewrite g_g a0; ring.
by move=> h; apply: Rle_trans h; rewrite /=; lra.
Qed.

(** Control a: 2 + C² in place of 2 + 8C². *)
Theorem lemma_3_printed_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) C, in_ball C z ->
  norm_at_most (hessian z) (2 + C ^ 2)).
Proof. by move=> /(_ _ _ 3 (@cross_ball 3 ltac:(lra))) /cross_curvature; lra. Qed.

(** Control d: 7/5 in place of 3/2. *)
Theorem lemma_3_three_halves_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) C, in_ball C z ->
  norm_at_most (hessian z) (1 + 7 / 5 * C ^ 2)).
Proof. by move=> /(_ _ _ 4 (@cross_ball 4 ltac:(lra))) /cross_curvature; lra. Qed.

(** The factor of C² may not be halved. *)
Theorem lemma_3_factor_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) C, in_ball C z ->
  norm_at_most (hessian z) ((2 + 4 * C ^ 2) / (2 * sqrt 2))).
Proof.
move=> /(_ _ _ 10 (@cross_ball 10 ltac:(lra))) /cross_curvature.
have : (2 + 4 * 10 ^ 2) / (2 * sqrt 2) <= 143 by bound.
by lra.
Qed.

(** The slope 1/5 in place of 3/8 and of 1/4, at the cross of radius 4, where G = 96. *)
Theorem norm_hessian_pointwise_control : ~ (forall (D : finType) (z : 'I_3 * D -> R),
  norm_at_most (hessian z) (1 / sqrt 2 + G z / 5)).
Proof.
move=> /(_ _ (cross 4)) /cross_curvature.
have -> : G (cross 4) = 96 by rewrite /G /dot !sum_bool /blk /sub /cross /three /=; ring.
have : 1 / sqrt 2 <= 1 by bound.
by lra.
Qed.

(** Control a of norm-hessian: 1 + M²/2. *)
Theorem norm_hessian_upper_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) M, in_ball M z ->
  norm_at_most (hessian z) (1 + 1 / 2 * M ^ 2)).
Proof. by move=> /(_ _ _ 2 (@cross_ball 2 ltac:(lra))) /cross_curvature; lra. Qed.

(** Control a of norm-hessian again: the norm is not below 1 + M²/2. *)
Theorem norm_hessian_nowhere_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) M, in_ball M z ->
  exists2 r, 0 <= r < 1 + 1 / 2 * M ^ 2 & norm_at_most (hessian z) r).
Proof.
move=> wrong; apply: norm_hessian_upper_control => D z M /wrong [r [_ lt]].
by apply: norm_at_most_le; exact: Rlt_le.
Qed.

(** Half the factor of C² is too little. *)
Theorem norm_hessian_factor_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) M, in_ball M z ->
  norm_at_most (hessian z) ((2 + 4 * M ^ 2) / (2 * sqrt 2))).
Proof. exact: lemma_3_factor_control. Qed.

(** Moves from z = 0 in one dimension, z' = (3, −2, 2) r. *)
Definition move (r : R) : 'I_3 * unit -> R := three (fun=> 3 * r) (fun=> -2 * r) (fun=> 2 * r).
Definition still : 'I_3 * unit -> R := fun=> 0.

Lemma still_ball C : 0 <= C -> in_ball C still.
Proof. by move=> C0 k; apply: norm_le => //; rewrite /dot sum_unit /blk /still; nra. Qed.

Lemma move_loss r L : ℓ (add still (move r)) <= ℓ still + dot (grad still) (move r) + L / 2 * dot (move r) (move r) ->
  ζ (12 * r ^ 2) <= ln 2 + L / 2 * (17 * r ^ 2).
Proof.
have -> : dot (grad still) (move r) = 0.
  by rewrite /grad dotZl dot_g /dot !sum_unit /blk /sub /still; ring.
have -> : dot (move r) (move r) = 17 * r ^ 2.
  by rewrite dot_blocks /dot !sum_unit /blk /move /three /=; ring.
have -> : ℓ still = ln 2 by rewrite /ℓ /a /dot sum_unit /blk /sub /still -ζ_0; congr ζ; ring.
have -> : ℓ (add still (move r)) = ζ (12 * r ^ 2).
  by rewrite /ℓ /a /dot sum_unit /blk /sub /add /still /move /three /=; congr ζ; ring.
by rewrite Rplus_0_r.
Qed.

(** Control c: 1 + 3C²/2, or 1 + G/4, does not serve for arbitrary z'. *)
Theorem eq_12_three_halves_control : ~ (forall (D : finType) (z h : 'I_3 * D -> R) C, in_ball C z ->
  ℓ (add z h) <= ℓ z + dot (grad z) h + (1 + 3 / 2 * C ^ 2) / 2 * dot h h).
Proof.
move=> /(_ _ still (move 1) 0 (still_ball (Rle_refl 0))) /move_loss; apply: Rlt_not_le; rewrite /ζ; bound.
Qed.

Theorem eq_12_pointwise_control : ~ (forall (D : finType) (z h : 'I_3 * D -> R),
  ℓ (add z h) <= ℓ z + dot (grad z) h + (1 + G z / 4) / 2 * dot h h).
Proof.
move=> /(_ _ still (move 1)) /move_loss.
have -> : G still = 0 by rewrite /G /dot !sum_unit /blk /sub /still; ring.
by apply: Rlt_not_le; rewrite /ζ; bound.
Qed.

Lemma move_ball r : 0 <= r -> in_ball (3 * r) (add still (move r)).
Proof.
move=> r0 [[|[|[|k]]] lt] //; apply: norm_le; rewrite ?/dot ?sum_unit /blk /add /still /move /three /=; nra.
Qed.

(** ½ + 3C²/2 is too small already for z and z + z' in B³. *)
Theorem eq_12_convex_control : ~ (forall (D : finType) (z h : 'I_3 * D -> R) C, in_ball C z -> in_ball C (add z h) ->
  ℓ (add z h) <= ℓ z + dot (grad z) h + (1 / 2 + 3 / 2 * C ^ 2) / 2 * dot h h).
Proof.
move=> /(_ _ still (move (1 / 10)) (3 * (1 / 10)) (@still_ball (3 * (1 / 10)) ltac:(lra)) (@move_ball (1 / 10) ltac:(lra))) /move_loss.
by apply: Rlt_not_le; rewrite /ζ; bound.
Qed.

(** Control a: C²/2 in place of 2 + 8C², in all three senses. *)
Theorem eq_12_A_control : ~ (forall (D : finType) (z h : 'I_3 * D -> R) C, in_ball C z -> in_ball C (add z h) ->
  ℓ (add z h) <= ℓ z + dot (grad z) h + (1 / 2 * C ^ 2) / 2 * dot h h).
Proof.
move=> /(_ _ still (move (1 / 10)) (3 * (1 / 10)) (@still_ball (3 * (1 / 10)) ltac:(lra)) (@move_ball (1 / 10) ltac:(lra))) /move_loss.
by apply: Rlt_not_le; rewrite /ζ; bound.
Qed.

Theorem eq_12_B_control : ~ (forall (D : finType) (z h : 'I_3 * D -> R) C, in_ball C z -> in_ball C h ->
  ℓ (add z h) <= ℓ z + dot (grad z) h + (1 / 2 * C ^ 2) / 2 * dot h h).
Proof.
have ball : in_ball (3 * (1 / 10)) (move (1 / 10)).
  by move=> [[|[|[|k]]] lt] //; apply: norm_le; rewrite ?/dot ?sum_unit /blk /move /three /=; lra.
move=> /(_ _ still _ (3 * (1 / 10)) (@still_ball (3 * (1 / 10)) ltac:(lra)) ball) /move_loss.
by apply: Rlt_not_le; rewrite /ζ; bound.
Qed.

Theorem eq_12_C_control : ~ (forall (D : finType) (z h : 'I_3 * D -> R) C, in_ball C z ->
  ℓ (add z h) <= ℓ z + dot (grad z) h + (1 / 2 * C ^ 2) / 2 * dot h h).
Proof. by move=> false; apply: eq_12_A_control => D z h C ball _; apply: false. Qed.
