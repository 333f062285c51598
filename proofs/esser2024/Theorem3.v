(** Esser et al., Theorem 3 (a) in corrected form: one output and positive eigenvalues.  The printed limit q(t) → 0 for
    every start is false, as the sphere ‖q‖ = 1 is invariant; it holds for ‖q₀‖ < 1, with
      ρ/(1 − ρ) <= ρ₀/(1 − ρ₀) e^{−8 λ_1 t},   ρ = ‖q‖². *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Vectors Contrapositive.Calculus Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

Lemma is_derive_ratio (g : R -> R) r d k : is_derive g r d -> g r < 1 ->
  is_derive (fun r => - (g r / (1 - g r) * exp (k * r))) r (- (d / (1 - g r) ^ 2 + k * (g r / (1 - g r))) * exp (k * r)).
Proof.
move=> Dg lt; auto_derive; first by split; [exists d | split; [exists d | split; lra]].
by rewrite (is_derive_unique _ _ _ Dg); field; lra.
Qed.

Section Theorem3a.
Variables (D : finType) (λ : D -> R) (q : R -> D -> R).

(** ρ = qᵀq and the form qᵀΛq, Λ = diag(λ). *)
Definition sq (v : D -> R) : R := ∑ i, v i ^ 2.
Definition form (v : D -> R) : R := ∑ i, λ i * v i ^ 2.

(** (10): q′ = −2(1 − qᵀq)Λq − 2(I − qqᵀ)Λq, coordinate by coordinate. *)
Definition rhs_10 (v : D -> R) (i : D) : R := - 2 * (1 - sq v) * (λ i * v i) - 2 * (λ i * v i - v i * form v).
Definition solves_10 : Prop := forall t, 0 <= t -> forall i, is_derive (fun r => q r i) t (rhs_10 (q t) i).

Hypothesis flow : solves_10.
Let ρ t := sq (q t).

(** ρ′ = −8(1 − ρ) qᵀΛq.
    [claim] esser2024.thm-3a  [sense] s1  [scope] any dimension, any Λ *)
Theorem theorem_3a_s1 t : 0 <= t -> is_derive (fun r => sq (q r)) t (- 8 * (1 - sq (q t)) * form (q t)).
Proof.
move=> t0; have -> : - 8 * (1 - sq (q t)) * form (q t) = ∑ i, 2 * q t i * rhs_10 (q t) i.
  rewrite (sum_ext (G := fun i => (- 8 + 4 * sq (q t)) * (λ i * q t i ^ 2) + 4 * form (q t) * q t i ^ 2)) => [|i].
    by rewrite sum_add !sum_mull -/(form (q t)) -/(sq (q t)); ring.
  by rewrite /rhs_10; ring.
by apply: is_derive_sum => i; apply: is_derive_square; apply: flow.
Qed.

Variable l : R.
Hypothesis l_gt0 : 0 < l.
Hypothesis l_le : forall i, l <= λ i.

Lemma form_ge v : l * sq v <= form v.
Proof. by rewrite /sq -sum_mull; apply: sum_le => i; apply: Rmult_le_compat_r (l_le i); apply: pow2_ge_0. Qed.
Lemma sq_ge0 v : 0 <= sq v.
Proof. by apply: sum_ge0 => i; apply: pow2_ge_0. Qed.
Lemma form_ge0 v : 0 <= form v.
Proof. by have := form_ge v; have := sq_ge0 v; nra. Qed.

(** A start inside the ball stays inside: (1 − ρ)² does not fall. *)
Lemma never_one t : 0 <= t -> sq (q 0) < 1 -> sq (q t) <> 1.
Proof.
move=> t0 start e; pose g r := (1 - sq (q r)) ^ 2.
have := @increases g (fun r => 2 * (1 - sq (q r)) * (0 - (- 8 * (1 - sq (q r)) * form (q r)))) 0 t t0.
rewrite {2 3}/g e => inc; have : g 0 <= (1 - 1) ^ 2; last by rewrite /g; nra.
apply: inc => r r_in.
  apply: is_derive_square; apply: (is_derive_minus (fun=> 1)); first exact: (@is_derive_const R_AbsRing R_NormedModule).
  by apply: theorem_3a_s1; lra.
by have := form_ge0 (q r); have := pow2_ge_0 (1 - sq (q r)); nra.
Qed.

Lemma inside t : 0 <= t -> sq (q 0) < 1 -> sq (q t) < 1.
Proof.
move=> t0 start; apply: Rnot_le_lt => -[out | e]; last exact: (never_one t0 start (esym e)).
have tpos : 0 < t by case: t0 => // t_eq; rewrite -t_eq in out; lra.
have cont r : 0 <= r <= t -> continuity_pt (fun r => sq (q r) - 1) r.
  move=> r_in; apply/continuity_pt_filterlim; apply: (ex_derive_continuous (fun r => sq (q r) - 1)).
  eexists; apply: (is_derive_minus (fun r => sq (q r)) (fun=> 1)); first by apply: theorem_3a_s1; lra.
  exact: (@is_derive_const R_AbsRing R_NormedModule).
have [r [r_in e]] := Ranalysis5.IVT_interv (fun r => sq (q r) - 1) 0 t cont tpos ltac:(lra) ltac:(lra).
by apply: (@never_one r) => //; lra.
Qed.

(** For ‖q₀‖ < 1 and all eigenvalues at least λ_1 > 0: ρ/(1 − ρ) <= ρ₀/(1 − ρ₀) e^{−8λ_1 t}.
    [claim] esser2024.thm-3a  [sense] s4, corrected, the rate  [scope] any dimension, diagonal Λ *)
Theorem theorem_3a_rate t : 0 <= t -> sq (q 0) < 1 ->
  sq (q t) / (1 - sq (q t)) <= sq (q 0) / (1 - sq (q 0)) * exp (- 8 * l * t).
Proof.
move=> t0 start.
pose g r := - (sq (q r) / (1 - sq (q r)) * exp (8 * l * r)).
have := @increases g (fun r => 8 * (form (q r) - l * sq (q r)) / (1 - sq (q r)) * exp (8 * l * r)) 0 t t0.
move=> inc; have : g 0 <= g t.
  apply: inc => r [r0 rt]; have in_r := inside r0 start; last first.
    apply: Rmult_le_pos; last exact: Rlt_le (exp_pos _).
    apply: Rmult_le_pos; last by apply: Rlt_le; apply: Rinv_0_lt_compat; lra.
    by have := form_ge (q r); lra.
  have := is_derive_ratio (8 * l) (theorem_3a_s1 r0) in_r; rewrite -/(g r).
  suff -> : - (- 8 * (1 - sq (q r)) * form (q r) / (1 - sq (q r)) ^ 2 + 8 * l * (sq (q r) / (1 - sq (q r)))) =
    8 * (form (q r) - l * sq (q r)) / (1 - sq (q r)) by [].
  by field; lra.
rewrite /g Rmult_0_r exp_0 => le; have e0 := exp_pos (8 * l * t).
apply: (Rmult_le_reg_r (exp (8 * l * t))) => //.
have -> : sq (q 0) / (1 - sq (q 0)) * exp (- 8 * l * t) * exp (8 * l * t) = sq (q 0) / (1 - sq (q 0)).
  have cancel : - 8 * l * t + 8 * l * t = 0 by ring.
  by rewrite Rmult_assoc -exp_plus cancel exp_0; ring.
by lra.
Qed.

(** ... so that q → 0.
    [claim] esser2024.thm-3a  [sense] s4, corrected, the limit  [scope] any dimension, diagonal Λ *)
Theorem theorem_3a_limit : sq (q 0) < 1 -> is_lim (fun t => sq (q t)) p_infty 0.
Proof.
move=> start; pose K := sq (q 0) / (1 - sq (q 0)).
apply: (@is_lim_le_le_loc (fun=> 0) (fun t => K * exp (- 8 * l * t))); last 2 first.
- exact: is_lim_const.
- have -> : Finite 0 = Rbar_mult K 0 by rewrite /= Rmult_0_r.
  apply: is_lim_scal_l; apply: (is_lim_comp exp (fun t => - 8 * l * t) _ _ m_infty); first exact: is_lim_exp_m.
    have -> : m_infty = Rbar_mult (- 8 * l) p_infty.
      by rewrite /=; case: Rle_dec => h; [exfalso; lra |].
    by apply: is_lim_scal_l; apply: is_lim_id.
  by exists 0.
exists 0 => t t0; have in_t := inside (Rlt_le _ _ t0) start; have s0 := sq_ge0 (q t).
split=> //; apply: Rle_trans (theorem_3a_rate (Rlt_le _ _ t0) start).
have -> : sq (q t) / (1 - sq (q t)) = sq (q t) + sq (q t) ^ 2 / (1 - sq (q t)) by field; lra.
suff: 0 <= sq (q t) ^ 2 / (1 - sq (q t)) by lra.
by apply: Rmult_le_pos; [apply: pow2_ge_0 | apply: Rlt_le; apply: Rinv_0_lt_compat; lra].
Qed.
End Theorem3a.

(** * Controls: one coordinate, λ = 1 *)

(** The constant 1 solves (10), and does not tend to 0. *)
Definition rest (t : R) (i : unit) : R := 1.
Lemma rest_sq t : sq (rest t) = 1.
Proof. by rewrite /sq sum_unit /rest; ring. Qed.
Lemma rest_solves : solves_10 (fun _ : unit_finType => 1) rest.
Proof.
move=> t _ i; have -> : rhs_10 (fun _ : unit_finType => 1) (rest t) i = 0 by rewrite /rhs_10 /form !sum_unit rest_sq /rest; ring.
exact: (@is_derive_const R_AbsRing R_NormedModule).
Qed.
Lemma rest_no_limit : ~ is_lim (fun t => sq (rest t)) p_infty 0.
Proof.
move=> lim; have := is_lim_unique _ _ _ lim; have lim1 : is_lim (fun t => sq (rest t)) p_infty 1.
  by apply: (is_lim_ext (fun=> 1)) => [t|]; [rewrite rest_sq | apply: is_lim_const].
by rewrite (is_lim_unique _ _ _ lim1) => -[]; lra.
Qed.

(** The printed limit, for every start of the closed ball.
    [claim] esser2024.thm-3a  [sense] printed  [scope] refuted in one dimension *)
Theorem theorem_3a_printed_refuted : ~ (forall (D : finType) (λ : D -> R) q, solves_10 λ q -> (forall i, 0 < λ i) ->
  sq (q 0) <= 1 -> is_lim (fun t => sq (q t)) p_infty 0).
Proof. by move=> /(_ _ _ _ rest_solves (fun=> Rlt_0_1) (Req_le _ _ (rest_sq 0))) /rest_no_limit. Qed.

(** d(qᵀq)/dt < 0 always: it is 0 on the sphere.
    [claim] esser2024.thm-3a  [sense] s3  [scope] refuted in one dimension *)
Theorem theorem_3a_s3_refuted : ~ (forall (D : finType) (λ : D -> R) q t d, solves_10 λ q -> (forall i, 0 < λ i) -> sq (q t) <= 1 -> 0 <= t ->
  is_derive (fun r => sq (q r)) t d -> d < 0).
Proof.
move=> /(_ _ _ _ 0 _ rest_solves (fun=> Rlt_0_1) (Req_le _ _ (rest_sq 0)) (Rle_refl 0) (theorem_3a_s1 rest_solves (Rle_refl 0))).
by rewrite rest_sq; lra.
Qed.

(** The explicit solution with ρ/(1 − ρ) = e^{−8t}. *)
Definition sol (t : R) (i : unit) : R := sqrt (1 / (1 + exp (8 * t))).

Lemma sol_sq t : sq (sol t) = 1 / (1 + exp (8 * t)).
Proof.
have e0 := exp_pos (8 * t); rewrite /sq sum_unit /sol /= Rmult_1_r sqrt_sqrt //.
by apply: Rlt_le; apply: Rdiv_lt_0_compat; lra.
Qed.

Lemma sol_solves : solves_10 (fun _ : unit_finType => 1) sol.
Proof.
move=> t _ i; have e0 := exp_pos (8 * t); have p : 0 < 1 / (1 + exp (8 * t)) by apply: Rdiv_lt_0_compat; lra.
have s0 := sqrt_lt_R0 _ p; have ss : sqrt (1 / (1 + exp (8 * t))) * sqrt (1 / (1 + exp (8 * t))) = 1 / (1 + exp (8 * t)) by apply: sqrt_sqrt; lra.
have -> : rhs_10 (fun _ : unit_finType => 1) (sol t) i = / (2 * sol t i) * (- 8 * exp (8 * t) / (1 + exp (8 * t)) ^ 2).
  rewrite /rhs_10 /form sum_unit sol_sq; have -> : sol t tt ^ 2 = 1 / (1 + exp (8 * t)) by rewrite /= Rmult_1_r.
  have -> : / (2 * sol t i) = sol t i * (1 + exp (8 * t)) / 2.
    have -> : (1 + exp (8 * t)) = / (sol t i * sol t i) by rewrite ss; field; lra.
    by rewrite /sol; field; lra.
  by field; lra.
rewrite /sol; auto_derive; first by split; [lra | split; [exact: p |]].
by rewrite /Rdiv Rmult_1_l; field; split; [lra | move: s0; rewrite /Rdiv Rmult_1_l; lra].
Qed.

(** A faster rate than 8 λ_1 is false. *)
Theorem theorem_3a_rate_control : ~ (forall (D : finType) (λ : D -> R) q l, solves_10 λ q -> 0 < l -> (forall i, l <= λ i) ->
  forall t, 0 <= t -> sq (q 0) < 1 -> sq (q t) / (1 - sq (q t)) <= sq (q 0) / (1 - sq (q 0)) * exp (- 9 * l * t)).
Proof.
move=> /(_ _ _ _ 1 sol_solves Rlt_0_1 (fun=> Rle_refl 1) 1 Rle_0_1); rewrite !sol_sq Rmult_0_r exp_0.
by move=> /(_ ltac:(lra)); apply: Rlt_not_le; bound.
Qed.

(** The sign of the derivative of ρ. *)
Theorem theorem_3a_s1_control : ~ (forall (D : finType) (λ : D -> R) q, solves_10 λ q -> forall t, 0 <= t ->
  is_derive (fun r => sq (q r)) t (8 * (1 - sq (q t)) * form λ (q t))).
Proof.
move=> /(_ _ _ _ sol_solves 0 (Rle_refl 0)) wrong; have right := theorem_3a_s1 sol_solves (Rle_refl 0).
have := is_derive_unique _ _ _ wrong; rewrite (is_derive_unique _ _ _ right) /form sum_unit.
have -> : sol 0 tt ^ 2 = sq (sol 0) by rewrite /sq sum_unit.
by rewrite sol_sq Rmult_0_r exp_0; lra.
Qed.

(** The limit for every start of the closed ball. *)
Theorem theorem_3a_limit_control : ~ (forall (D : finType) (λ : D -> R) q l, solves_10 λ q -> 0 < l -> (forall i, l <= λ i) ->
  sq (q 0) <= 1 -> is_lim (fun t => sq (q t)) p_infty 0).
Proof. by move=> /(_ _ _ _ 1 rest_solves Rlt_0_1 (fun=> Rle_refl 1) (Req_le _ _ (rest_sq 0))) /rest_no_limit. Qed.

(** * Theorem 3 (b): the steps of its proof, e₁ a unit vector of the basis with the lowest eigenvalue λ₁ *)
Section Theorem3b.
Variables (D : finType) (λ : D -> R) (e : D).

(** d(e₁ᵀq)/dt = 2[(1−qᵀq)(−λ₁) + (qᵀΛq−λ₁)]e₁ᵀq.
    [claim] esser2024.thm-3b  [sense] s1  [scope] any dimension, diagonal Λ *)
Theorem theorem_3b_s1 q t : solves_10 λ q -> 0 <= t ->
  is_derive (fun u => q u e) t (2 * ((1 - sq (q t)) * - λ e + (form λ (q t) - λ e)) * q t e).
Proof.
move=> flow t0; have := flow t t0 e; have -> // : rhs_10 λ (q t) e = 2 * ((1 - sq (q t)) * - λ e + (form λ (q t) - λ e)) * q t e.
by rewrite /rhs_10; ring.
Qed.

Hypothesis lowest : forall i, λ e <= λ i.

Lemma form_lowest v : λ e * sq v <= form λ v.
Proof. by rewrite /sq -sum_mull; apply: sum_le => i; apply: Rmult_le_compat_r (lowest i); apply: pow2_ge_0. Qed.

(** qᵀΛq − λ₁ >= 0 for λ₁ <= 0, or on the sphere.
    [claim] esser2024.thm-3b  [sense] s2-exact  [scope] any dimension, diagonal Λ, ‖q‖ <= 1 *)
Theorem theorem_3b_s2_exact v : sq v <= 1 -> λ e <= 0 \/ sq v = 1 -> 0 <= form λ v - λ e.
Proof. by move=> v1 [l0 | e1]; have := form_lowest v; [nra | rewrite e1; lra]. Qed.

(** qᵀΛq − λ₁ >= 0.
    [claim] esser2024.thm-3b  [sense] s2  [scope] any dimension, diagonal Λ with λ₁ < 0, ‖q‖ <= 1 *)
Theorem theorem_3b_s2 v : λ e < 0 -> sq v <= 1 -> 0 <= form λ v - λ e.
Proof. by move=> l0 v1; apply: theorem_3b_s2_exact => //; left; lra. Qed.
End Theorem3b.

(** For every Λ: false at q = 0 and λ₁ = 1.
    [claim] esser2024.thm-3b  [sense] s2-any-sign  [scope] refuted in one dimension *)
Theorem theorem_3b_s2_any_sign_refuted : ~ (forall (D : finType) (λ : D -> R) (e : D) v, (forall i, λ e <= λ i) -> sq v <= 1 -> 0 <= form λ v - λ e).
Proof.
by move=> /(_ unit_finType (fun=> 1) tt (fun=> 0) (fun=> Rle_refl 1)); rewrite /sq /form !sum_unit => /(_ ltac:(lra)); lra.
Qed.

(** d(e₁ᵀq)/dt > 0 unless q = e₁: it has the sign of e₁ᵀq, and −e₁ is at rest.
    [claim] esser2024.thm-3b  [sense] s3  [scope] refuted in one dimension *)
Theorem theorem_3b_s3_refuted : ~ (forall (D : finType) (λ : D -> R) (e : D) q t d, solves_10 λ q -> λ e < 0 -> (forall i, λ e <= λ i) -> sq (q t) <= 1 -> 0 <= t ->
  ~ (forall i, q t i = if i == e then 1 else 0) -> is_derive (fun u => q u e) t d -> 0 < d).
Proof.
pose opposite (t : R) (i : unit) : R := - 1; pose λ (i : unit) : R := - 1.
have ball : sq (opposite 0) <= 1 by rewrite /sq sum_unit /opposite; lra.
have still t i : is_derive (fun u => opposite u i) t 0 by exact: (@is_derive_const R_AbsRing R_NormedModule).
have flow : solves_10 λ opposite.
  by move=> t _ i; have -> : rhs_10 λ (opposite t) i = 0; [rewrite /rhs_10 /form /sq !sum_unit /opposite /λ; ring | exact: still].
move=> /(_ unit_finType λ tt opposite 0 0 flow ltac:(rewrite /λ; lra) (fun=> Rle_refl _) ball (Rle_refl 0)).
by move=> /(_ _ (still 0 tt)) h; have := h ltac:(move=> /(_ tt); rewrite eqxx /opposite; lra); lra.
Qed.

(** 1 − qᵀq = qᵀΛq − λ₁ = 0 only at q = e₁: both vanish at −e₁.
    [claim] esser2024.thm-3b  [sense] s4  [scope] refuted in one dimension *)
Theorem theorem_3b_s4_refuted : ~ (forall (D : finType) (λ : D -> R) (e : D) v, λ e < 0 -> (forall i, λ e <= λ i) ->
  1 - sq v = 0 -> form λ v - λ e = 0 -> forall i, v i = if i == e then 1 else 0).
Proof.
move=> /(_ unit_finType (fun=> - 1) tt (fun=> - 1) ltac:(lra) (fun=> Rle_refl _)); rewrite /sq /form !sum_unit.
by move=> /(_ ltac:(lra) ltac:(lra) tt); rewrite eqxx; lra.
Qed.

(** Outside the ball. *)
Theorem theorem_3b_s2_control : ~ (forall (D : finType) (λ : D -> R) (e : D) v, (forall i, λ e <= λ i) -> λ e < 0 -> 0 <= form λ v - λ e).
Proof.
by move=> /(_ unit_finType (fun=> - 1) tt (fun=> 2) (fun=> Rle_refl _) ltac:(lra)); rewrite /form !sum_unit; lra.
Qed.

Theorem theorem_3b_s2_exact_control : ~ (forall (D : finType) (λ : D -> R) (e : D) v, (forall i, λ e <= λ i) -> λ e <= 0 \/ sq v = 1 -> 0 <= form λ v - λ e).
Proof.
by move=> false; apply: theorem_3b_s2_control => D λ e v low neg; apply: false => //; left; lra.
Qed.

(** * Theorem 3 (b): q stands still at e₂ for Λ = diag(−1, 2), on the sphere, and never sees e₁ *)

(** The entries of Λ, λ e₁ = −1 the lowest, and the start. *)
Definition saddle (i : bool) : R := if i then -1 else 2.
Definition blind (t : R) (i : bool) : R := if i then 0 else 1.

Lemma blind_sq t : sq (blind t) = 1.
Proof. by rewrite /sq sum_bool /blind; ring. Qed.
Lemma blind_solves : solves_10 saddle blind.
Proof.
move=> t _ i; have -> : rhs_10 saddle (blind t) i = 0; last exact: (@is_derive_const R_AbsRing R_NormedModule).
by rewrite /rhs_10 /form sum_bool blind_sq /saddle /blind; case: i; ring.
Qed.

Lemma constant_no_limit (f : R -> R) (a b : R) : (forall t, f t = a) -> a <> b -> ~ is_lim f p_infty b.
Proof.
move=> e ab lim; have lim_a : is_lim f p_infty a by apply: (is_lim_ext (fun=> a)) => [t|]; [rewrite e | apply: is_lim_const].
have same : Finite a = Finite b by rewrite -(is_lim_unique _ _ _ lim_a) (is_lim_unique _ _ _ lim).
by apply: ab; congruence.
Qed.

Lemma negative : saddle true < 0.
Proof. by rewrite /saddle; lra. Qed.
Lemma lowest i : saddle true <= saddle i.
Proof. by case: i; rewrite /saddle; lra. Qed.

(** The square of the distance to s e, e a unit vector of the basis. *)
Definition distance_sq (D : finType) (e : D) (s : R) (v : D -> R) : R := sq (fun i => v i - (if i == e then s else 0)).

Lemma blind_distance (s : R) t : distance_sq true s (blind t) = s ^ 2 + 1.
Proof. by rewrite /distance_sq /sq sum_bool /blind /=; ring. Qed.

(** q → e₁, the fixed vector.
    [claim] esser2024.thm-3b  [sense] R1  [scope] refuted in two dimensions *)
Theorem theorem_3b_R1_refuted : ~ (forall (D : finType) (λ : D -> R) (e : D) q, solves_10 λ q -> λ e < 0 ->
  (forall i, λ e <= λ i) -> sq (q 0) <= 1 -> is_lim (fun t => distance_sq e 1 (q t)) p_infty 0).
Proof.
move=> /(_ _ _ _ _ blind_solves negative lowest (Req_le _ _ (blind_sq 0))).
by apply: (constant_no_limit (blind_distance 1)); lra.
Qed.

(** q → e₁ or q → −e₁.
    [claim] esser2024.thm-3b  [sense] R2  [scope] refuted in two dimensions *)
Theorem theorem_3b_R2_refuted : ~ (forall (D : finType) (λ : D -> R) (e : D) q, solves_10 λ q -> λ e < 0 ->
  (forall i, λ e <= λ i) -> sq (q 0) <= 1 ->
  is_lim (fun t => distance_sq e 1 (q t)) p_infty 0 \/ is_lim (fun t => distance_sq e (-1) (q t)) p_infty 0).
Proof.
move=> /(_ _ _ _ _ blind_solves negative lowest (Req_le _ _ (blind_sq 0))) [].
  by apply: (constant_no_limit (blind_distance 1)); lra.
by apply: (constant_no_limit (blind_distance (-1))); lra.
Qed.

(** The part of q in the lowest eigenspace tends to length one.
    [claim] esser2024.thm-3b  [sense] R3  [scope] refuted in two dimensions *)
Theorem theorem_3b_R3_refuted : ~ (forall (D : finType) (λ : D -> R) (e : D) q, solves_10 λ q -> λ e < 0 ->
  (forall i, λ e <= λ i) -> sq (q 0) <= 1 ->
  is_lim (fun t => ∑ i, if Req_EM_T (λ i) (λ e) then q t i ^ 2 else 0) p_infty 1).
Proof.
move=> /(_ _ _ _ _ blind_solves negative lowest (Req_le _ _ (blind_sq 0))).
apply: (@constant_no_limit _ 0) => [t|]; last lra.
rewrite sum_bool /saddle /blind; case: (Req_EM_T 2 (-1)) => [e|ne]; first by exfalso; lra.
by case: (Req_EM_T (-1) (-1)) => e; [rewrite /=; lra | case: e].
Qed.
