(** Merad et al., section 4, equation (11) and Lemma 4: the empirical objective of n triplets, and what a small gradient says
    about it.  The gradient is taken in the 3n outputs, place by place. *)
Require Import Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Vectors Contrapositive.Tactics
  Contrapositive.merad2020.Definitions Contrapositive.merad2020.Triplets Contrapositive.merad2020.Facts
  Contrapositive.merad2020.Norms.
Set Implicit Arguments. Unset Strict Implicit.

(** ζ(z_1·(z_3 − z_2)) = −log(e^{z_1·z_2}/(e^{z_1·z_2} + e^{z_1·z_3})).
    [claim] merad2020.eq-11  [sense] forms  [scope] real entries, any dimension *)
Theorem eq_11_forms (D : finType) (z : 'I_3 * D -> R) :
  ℓ z = - ln (exp (dot (blk z p1) (blk z p2)) / (exp (dot (blk z p1) (blk z p2)) + exp (dot (blk z p1) (blk z p3)))).
Proof.
have := neg_log_softmax (dot (blk z p1) (blk z p2)) (fun _ : unit => dot (blk z p1) (blk z p3)).
by rewrite sum_unit => ->; rewrite /logistic sum_unit /ℓ /ζ /a dotBr.
Qed.

Section EmpiricalObjective.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R).
Hypothesis M : model ρ law.

(** The law of a triplet: x and x⁺ from one class, x⁻ from a class of its own. *)
Definition triplet_law (o : X * X * X) : R :=
  (𝔼 c ~ ρ, law c o.1.1 * law c o.1.2) * (𝔼 cn ~ ρ, law cn o.2).

Definition outputs_of (f : X -> D -> R) (o : X * X * X) : 'I_3 * D -> R := three (f o.1.1) (f o.1.2) (f o.2).

(** L̂_un, the sum over the n triplets of the sample. *)
Definition L_hat (n : nat) (f : X -> D -> R) (sample : {ffun 'I_n -> X * X * X}) : R := ∑ i, ℓ (outputs_of f (sample i)).

Lemma E_triplet (g : X * X * X -> R) : E triplet_law g =
  𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 xp ~ law c, 𝔼 cn ~ ρ, 𝔼 xn ~ law cn, g (x, xp, xn).
Proof.
transitivity (∑ x, ∑ xp, ∑ xn, triplet_law (x, xp, xn) * g (x, xp, xn)).
  by rewrite pair_bigA pair_bigA /E; apply: sum_ext => -[[x xp] xn].
rewrite /triplet_law /E /=.
have -> : ∑ x, ∑ xp, ∑ xn, (∑ c, ρ c * (law c x * law c xp)) * (∑ cn, ρ cn * law cn xn) * g (x, xp, xn) =
  ∑ x, ∑ xp, ∑ c, ρ c * (law c x * (law c xp * ∑ xn, ∑ cn, ρ cn * (law cn xn * g (x, xp, xn)))).
  apply: sum_ext => x; apply: sum_ext => xp.
  rewrite (sum_ext (G := fun xn => (∑ c, ρ c * (law c x * law c xp)) * ∑ cn, ρ cn * (law cn xn * g (x, xp, xn)))).
    by rewrite sum_mull -sum_mulr; apply: sum_ext => c; ring.
  by move=> xn; rewrite Rmult_assoc; congr (_ * _); rewrite -sum_mulr; apply: sum_ext => cn; ring.
rewrite (sum_ext (G := fun x => ∑ c, ∑ xp, ρ c * (law c x * (law c xp * ∑ xn, ∑ cn, ρ cn * (law cn xn * g (x, xp, xn)))))) => [|x]; last exact: sum_exchange.
rewrite sum_exchange; apply: sum_ext => c; rewrite -sum_mull; apply: sum_ext => x.
rewrite sum_mull sum_mull; congr (_ * (_ * _)); apply: sum_ext => xp; congr (_ * _).
by rewrite sum_exchange; apply: sum_ext => cn; rewrite sum_mull.
Qed.

Lemma triplet_is_law : is_law triplet_law.
Proof.
have ρ0 c : 0 <= ρ c by apply: Rlt_le; exact: (ρ_gt0 M c).
have l0 c x : 0 <= law c x := law_ge0 (class_law M c) x.
split=> [o|].
  by apply: Rmult_le_pos; apply: sum_ge0 => c; apply: Rmult_le_pos => //; apply: Rmult_le_pos.
have -> : ∑ o, triplet_law o = E triplet_law (fun=> 1) by apply: sum_ext => o; ring.
have ρ_law : is_law ρ by split=> //; exact: (ρ_sum M).
have one (Z : finType) (p g : Z -> R) : is_law p -> (forall o, g o = 1) -> E p g = 1.
  by move=> lp e; rewrite (E_ext (h := fun=> 1)) // E_const.
rewrite E_triplet; apply: (one _ _ _ ρ_law) => c; apply: (one _ _ _ (class_law M c)) => x.
by apply: (one _ _ _ (class_law M c)) => xp; apply: (one _ _ _ ρ_law) => cn; apply: (one _ _ _ (class_law M cn)).
Qed.

(** E[L̂_un/n] = L_un for n independent triplets, f fixed beforehand.
    [claim] merad2020.eq-11  [sense] printed  [scope] finite laws, real entries, any number n >= 1 of triplets *)
Theorem eq_11_printed n (f : X -> D -> R) : (0 < n)%N ->
  𝔼 s ~ draws n triplet_law, (L_hat f s / INR n) = L_un ρ law f.
Proof.
move=> n0; have n1 : 0 < INR n by apply: lt_0_INR; apply/ltP.
rewrite /Rdiv E_mulr /L_hat.
have -> : 𝔼 s ~ draws n triplet_law, ∑ i, ℓ (outputs_of f (s i)) = ∑ i : 'I_n, L_un ρ law f.
  rewrite /E (sum_ext (G := fun s => ∑ i, draws n triplet_law s * ℓ (outputs_of f (s i)))) => [|s]; last by rewrite sum_mull.
  rewrite sum_exchange; apply: sum_ext => i.
  have := E_one_draw (fun=> triplet_is_law) i (fun o => ℓ (outputs_of f o)); rewrite /E => ->.
  exact: (E_triplet (fun o => ℓ (outputs_of f o))).
by rewrite sum_const card_ord; field; lra.
Qed.
End EmpiricalObjective.

(** * Lemma 4: a small gradient in the outputs *)
Section Lemma4.
Variables (D : finType) (n : nat).
(** The outputs of n triplets, and the norm of the gradient of L̂_un in all of them. *)
Variables (z : 'I_n -> 'I_3 * D -> R).
Definition objective : R := ∑ i, ℓ (z i).
Definition grad_norm : R := sqrt (∑ i, dot (grad (z i)) (grad (z i))).

Lemma grad_norm_ge i : norm (grad (z i)) <= grad_norm.
Proof. by apply: sqrt_le_1_alt; apply: (sum_term_le (F := fun i => dot (grad (z i)) (grad (z i)))) => j; apply: dot_ge0. Qed.

(** ‖∇ℓ‖ >= √2 s ‖z_1‖, from the blocks of z_2 and z_3. *)
Lemma grad_ge (y : 'I_3 * D -> R) : sqrt 2 * s y * norm (blk y p1) <= norm (grad y).
Proof.
have [s0 s1] := σ01 (a y); rewrite -/(s y) in s0 s1; have z0 := norm_ge0 (blk y p1).
have r0 := sqrt_pos 2; rewrite -(sqrt_pow2 (sqrt 2 * s y * norm (blk y p1))); last first.
  by apply: Rmult_le_pos => //; apply: Rmult_le_pos; lra.
have -> : (sqrt 2 * s y * norm (blk y p1)) ^ 2 = 2 * s y ^ 2 * dot (blk y p1) (blk y p1).
  rewrite -norm_sq; transitivity (sqrt 2 * sqrt 2 * s y ^ 2 * norm (blk y p1) ^ 2); first by ring.
  by rewrite sqrt_sqrt; lra.
apply: sqrt_le_1_alt; rewrite /grad dotZl dotZr g_sq /G.
have w0 := dot_ge0 (sub (blk y p3) (blk y p2)); have p := Rmult_le_pos _ _ (pow2_ge_0 (s y)) w0; lra.
Qed.

(** ℓ = −log(1 − s). *)
Lemma ℓ_s (y : 'I_3 * D -> R) : ℓ y = - ln (1 - s y).
Proof.
have e0 := exp_pos (a y); rewrite -ln_Rinv; last by have := σ01 (a y); rewrite /s; lra.
by rewrite /ℓ /ζ /s /σ; congr ln; field; lra.
Qed.

Variables (ε η : R).
Hypothesis η0 : 0 < η.
Hypothesis ε_le : grad_norm <= ε.
Hypothesis far : forall i, η < norm (blk (z i) p1).

Lemma s_small i : s (z i) <= ε / (sqrt 2 * η).
Proof.
have [s0 _] := σ01 (a (z i)); rewrite -/(s (z i)) in s0.
have r0 : 0 < sqrt 2 by apply: sqrt_lt_R0; lra.
apply: (Rmult_le_reg_r (sqrt 2 * η)); first exact: Rmult_lt_0_compat.
have -> : ε / (sqrt 2 * η) * (sqrt 2 * η) = ε by field; lra.
have := Rle_trans _ _ _ (grad_ge (z i)) (Rle_trans _ _ _ (grad_norm_ge i) ε_le).
have := Rmult_lt_0_compat _ _ r0 s0; have := far i; nra.
Qed.

(** ℓ(z_i) <= −log(1 − ε/(√2 η)) for ε < √2 η.
    [claim] merad2020.lemma-4  [sense] exact  [scope] real entries, any dimension, any number of triplets; places *)
Theorem lemma_4_exact i : ε < sqrt 2 * η -> ℓ (z i) <= - ln (1 - ε / (sqrt 2 * η)).
Proof.
move=> small; have r0 : 0 < sqrt 2 by apply: sqrt_lt_R0; lra.
have p : 0 < sqrt 2 * η by apply: Rmult_lt_0_compat.
have q1 : ε / (sqrt 2 * η) < 1 by apply: (Rmult_lt_reg_r (sqrt 2 * η)) => //; have -> : ε / (sqrt 2 * η) * (sqrt 2 * η) = ε by [field; lra]; lra.
by rewrite ℓ_s; apply: Ropp_le_contravar; apply: ln_le; have := s_small i; lra.
Qed.

(** ℓ(z_i) <= 2ε/η for ε < η/2.
    [claim] merad2020.lemma-4  [sense] printed  [scope] real entries, any dimension, any number of triplets; places *)
Theorem lemma_4_printed i : ε < η / 2 -> ℓ (z i) <= 2 * ε / η.
Proof.
move=> small; have r2 : sqrt 2 * sqrt 2 = 2 by apply: sqrt_sqrt; lra.
have r0 : 0 < sqrt 2 by apply: sqrt_lt_R0; lra.
have [s0 _] := σ01 (a (z i)); rewrite -/(s (z i)) in s0; have s_le := s_small i.
have e : ε / (sqrt 2 * η) <= ε / η.
  have ε0 : 0 <= ε by apply: Rle_trans ε_le; apply: sqrt_pos.
  apply: Rmult_le_compat_l => //; apply: Rinv_le_contravar => //.
  by have : 1 <= sqrt 2 by [nra]; nra.
have h : ε / η < 1 / 2.
  by apply: (Rmult_lt_reg_r η) => //; have -> : ε / η * η = ε by [field; lra]; lra.
rewrite ℓ_s; apply: (Rle_trans _ _ _ (@fact_neglog_printed (s (z i)) ltac:(lra))).
have -> : 2 * ε / η = 2 * (ε / η) by field; lra.
apply: (Rmult_le_reg_r (1 - s (z i))); first lra.
have -> : s (z i) / (1 - s (z i)) * (1 - s (z i)) = s (z i) by field; lra.
by nra.
Qed.

(** Summed over the triplets: L̂_un <= 2nε/η, what remark-critical-point should say.
    [claim] merad2020.remark-critical-point  [sense] approximate  [scope] real entries, any dimension, any number of triplets; places *)
Theorem remark_critical_point_corrected : ε < η / 2 -> objective <= 2 * INR n * ε / η.
Proof.
move=> small; have -> : 2 * INR n * ε / η = ∑ i : 'I_n, 2 * ε / η by rewrite sum_const card_ord; field; lra.
by apply: sum_le => i; apply: lemma_4_printed.
Qed.
End Lemma4.

(** ‖∇L̂_un‖ >= √2 η max_i s_i > 0: outputs with ‖z_{i,1}‖ > η are never critical.
    [claim] merad2020.remark-critical-point  [sense] no-critical-outputs  [scope] real entries, any dimension, any number of triplets *)
Theorem remark_critical_point_no_critical_outputs (D : finType) n (z : 'I_n -> 'I_3 * D -> R) η : 0 < η ->
  (forall i, η < norm (blk (z i) p1)) -> forall i, 0 < sqrt 2 * η * s (z i) <= grad_norm z.
Proof.
move=> η0 far i; have r0 : 0 < sqrt 2 by apply: sqrt_lt_R0; lra.
have [s0 _] := σ01 (a (z i)); rewrite -/(s (z i)) in s0; have p := Rmult_lt_0_compat _ _ r0 s0.
split; first by apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat.
have := grad_ge (z i); have := grad_norm_ge z i.
by have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ p) (Rlt_le _ _ (far i)); lra.
Qed.

(** * Controls *)
Section Controls.
(** One triplet on the line. *)
Definition only (y : 'I_3 * unit -> R) (i : 'I_1) : 'I_3 * unit -> R := y.

Lemma grad_norm_only y : grad_norm (only y) = norm (grad y).
Proof. by rewrite /grad_norm big_ord_recl big_ord0 Rplus_0_r. Qed.

(** Control c of equation (11): positive and negative exchanged. *)
Theorem eq_11_forms_control : ~ (forall (D : finType) (z : 'I_3 * D -> R),
  ℓ z = - ln (exp (dot (blk z p1) (blk z p3)) / (exp (dot (blk z p1) (blk z p2)) + exp (dot (blk z p1) (blk z p3))))).
Proof.
move=> /(_ _ (line 1 0 1)); rewrite /ℓ /ζ /a /dot !sum_unit /blk /sub /line /three /=.
by apply: Rgt_not_eq; apply: Rlt_gt; bound.
Qed.

(** Control b of Lemma 4: without a lower bound on the norms.  At z_1 = 0 the gradient is small and ℓ = log 2. *)
Lemma still_triplet : norm (grad (line 0 0 0)) = 0 /\ ℓ (line 0 0 0) = ln 2.
Proof.
split; last by rewrite /ℓ /a /dot sum_unit /blk /sub /line /three /= Rmult_0_l ζ_0.
rewrite /grad norm_scale; have -> : norm (g (line 0 0 0)) = 0; last by ring.
by rewrite /norm g_sq -[RHS]sqrt_0 /G /dot !sum_unit /blk /sub /line /three /=; congr sqrt; ring.
Qed.

Theorem lemma_4_printed_control : ~ (forall (D : finType) n (z : 'I_n -> 'I_3 * D -> R) ε η, 0 < η -> grad_norm z <= ε ->
  forall i, ε < η / 2 -> ℓ (z i) <= 2 * ε / η).
Proof.
have [g0 l2] := still_triplet; move=> /(_ _ _ (only (line 0 0 0)) 0 1 Rlt_0_1).
rewrite grad_norm_only g0 => /(_ (Rle_refl 0) ord0 ltac:(lra)); rewrite /only l2; apply: Rlt_not_le; bound.
Qed.

Theorem lemma_4_exact_control : ~ (forall (D : finType) n (z : 'I_n -> 'I_3 * D -> R) ε η, 0 < η -> grad_norm z <= ε ->
  forall i, ε < sqrt 2 * η -> ℓ (z i) <= - ln (1 - ε / (sqrt 2 * η))).
Proof.
have [g0 l2] := still_triplet; move=> /(_ _ _ (only (line 0 0 0)) 0 1 Rlt_0_1).
rewrite grad_norm_only g0 => /(_ (Rle_refl 0) ord0 ltac:(bound)); rewrite /only l2 /Rdiv Rmult_0_l Rminus_0_r ln_1.
by apply: Rlt_not_le; bound.
Qed.

Theorem remark_critical_point_corrected_control : ~ (forall (D : finType) n (z : 'I_n -> 'I_3 * D -> R) ε η, 0 < η ->
  grad_norm z <= ε -> ε < η / 2 -> objective z <= 2 * INR n * ε / η).
Proof.
have [g0 l2] := still_triplet; move=> /(_ _ _ (only (line 0 0 0)) 0 1 Rlt_0_1).
rewrite grad_norm_only g0 => /(_ (Rle_refl 0) ltac:(lra)); rewrite /objective big_ord_recl big_ord0 /only l2.
by apply: Rlt_not_le; bound.
Qed.

(** Without a lower bound on the norms there are critical outputs. *)
Theorem remark_critical_point_no_critical_outputs_control : ~ (forall (D : finType) n (z : 'I_n -> 'I_3 * D -> R) (i : 'I_n),
  0 < grad_norm z).
Proof.
have [g0 _] := still_triplet; move=> /(_ _ _ (only (line 0 0 0)) ord0); rewrite grad_norm_only g0; exact: Rlt_irrefl.
Qed.

(** Control a of equation (11): without the division by n. *)
Theorem eq_11_printed_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) n, model ρ law -> (0 < n)%N ->
  𝔼 s ~ draws n (triplet_law ρ law), (L_hat f s / INR n) = INR n * L_un ρ law f).
Proof.
have M : model sure (@point unit_finType) by split=> [c||c]; rewrite ?sum_unit /sure; try lra; apply: point_law.
move=> /(_ _ _ unit_finType _ _ (fun _ _ => 0) 2%N M isT); rewrite eq_11_printed // /L_un E_sure !E_point E_sure E_point.
rewrite dotBr Rminus_diag_eq // ζ_0 /=; have : 0 < ln 2 by [apply: ln_gt0; lra]; lra.
Qed.
End Controls.
