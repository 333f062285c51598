(** Ren and Li, Lemma A.6 and equation (6): the loss L_nc = −E⟨f_A⁺, f_B⁺⟩.  The latent coordinates are r signals [P] and the
    noises [NA_] and [NB_] of the views.  Of the law of positive pairs only second moments matter: the signals are shared,
    E z zᵀ = I/r, and the noises are uncorrelated across views and with the signals. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Calculus Contrapositive.Tactics Contrapositive.ren2023.Model Contrapositive.ren2023.Gradients
  Contrapositive.ren2023.Dynamics.
Set Implicit Arguments. Unset Strict Implicit.

Lemma sum_sum (P N : finType) (F : P + N -> R) : ∑ l, F l = (∑ p, F (inl p)) + ∑ k, F (inr k).
Proof. exact: big_sumType. Qed.

Lemma sum_signals (P : finType) (N : finType) (F : P -> R) : ∑ l : P + N, (if l is inl p then F p else 0) = ∑ p, F p.
Proof. by rewrite sum_sum [X in _ + X]big1 // Rplus_0_r. Qed.
Arguments sum_signals {P} N F.

Section Noncontrastive.
Variables (M DA DB P NOA NOB I J O : finType).
Variables (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R).
Variables (r : R) (WA : M -> DA -> R) (WB : M -> DB -> R).
Hypothesis r_gt0 : 0 < r.
Hypothesis posA : 0 < N_sq XA vA WA.
Hypothesis posB : 0 < N_sq XB vB WB.

(** E[y_B⁺ y_A⁺ᵀ]: 1/r for one signal, 0 for any other two coordinates. *)
Definition shared (k : P + NOB) (l : P + NOA) : R :=
  if k is inl p then (if l is inl p' then (if p == p' then / r else 0) else 0) else 0.
Hypothesis moments : forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared k l.

Let KA := K_of XA WA.
Let KB := K_of XB WB.
Let NA := N_of XA vA WA.
Let NB := N_of XB vB WB.
Let s := sim XA vA XB vB yA yB WB.

(** Ψ = ⟨K_A, K_B⟩/(r N_A N_B), over the signals, and L_nc as a function of W_A. *)
Definition Ψ : R := (∑ m, ∑ p, KA m (inl p) * KB m (inl p)) / (r * NA * NB).
Definition loss_nc (W : M -> DA -> R) : R := L_nc π a b (s W).

Lemma sum_shared (F : P + NOB -> R) l : ∑ k, F k * shared k l = if l is inl p then F (inl p) / r else 0.
Proof.
rewrite sum_sum [X in _ + X]big1 => [|k _]; last by rewrite /shared; ring.
rewrite Rplus_0_r; case: l => [p|k]; last by rewrite big1 // => p _; rewrite /shared; ring.
rewrite -(sum_if1 (fun p' => F (inl p') / r) p); apply: sum_ext => p'; rewrite /shared (eq_sym p').
by case: (p == p'); rewrite /Rdiv; ring.
Qed.

(** E f_B⁺ y_A⁺ᵀ: the column of K_B over r N_B. *)
Lemma E_feature_B m l : 𝔼 o ~ π, feature_B XB vB yB WB (b o) m * yA (a o) l = if l is inl p then KB m (inl p) / (r * NB) else 0.
Proof.
have nb : 0 < NB by apply: sqrt_lt_R0.
rewrite (E_ext (h := fun o => 1 * ∑ k, KB m k / NB * (yB (b o) k * yA (a o) l))) => [|o]; last first.
  by rewrite /feature_B features_apply -/KB -/NB Rmult_1_l /Rdiv -!sum_mulr; apply: sum_ext => k; ring.
rewrite E_sum (sum_ext (G := fun k => KB m k / NB * shared k l)) => [|k]; last by rewrite -moments -E_mull; apply: E_ext => o; ring.
by rewrite sum_shared; case: l => // p; field; lra.
Qed.

(** E⟨f_A⁺, f_B⁺⟩ = Ψ.
    [claim] ren2023.eq-6  [sense] s1  [scope] any finite law with the second moments of the model *)
Theorem eq_6_s1 : 𝔼 o ~ π, s WA (a o) (b o) = Ψ.
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
rewrite (E_ext (h := fun o => 1 * ∑ m, ∑ l, KA m l / NA * (feature_B XB vB yB WB (b o) m * yA (a o) l))) => [|o]; last first.
  rewrite Rmult_1_l /s /sim /similarity /dot; apply: sum_ext => m.
  rewrite features_apply -/KA -/NA /Rdiv -!sum_mulr; apply: sum_ext => l.
  by move: (feature_B XB vB yB WB (b o) m) (yA (a o) l) (KA m l) => f y k; rewrite /Rdiv; ring.
rewrite E_sum /Ψ /Rdiv -sum_mulr; apply: sum_ext => m.
rewrite E_sum (sum_ext (G := fun l => KA m l / NA * (if l is inl p then KB m (inl p) / (r * NB) else 0))) => [|l]; last first.
  by rewrite -E_feature_B -E_mull; apply: E_ext => o; move: (feature_B XB vB yB WB (b o) m) (yA (a o) l) (KA m l) => f y k; rewrite /Rdiv; ring.
rewrite sum_sum [X in _ + X]big1 => [|k _]; last ring.
by rewrite Rplus_0_r -sum_mulr; apply: sum_ext => p; field; lra.
Qed.

(** E[x_B⁺x_A⁺ᵀ] = BAᵀ/r.
    [claim] ren2023.lemma-a6  [sense] s1  [scope] any finite law with the second moments of the model *)
Theorem lemma_a6_s1 d e : 𝔼 o ~ π, input XB (yB (b o)) e * input XA (yA (a o)) d = (∑ p, XB e (inl p) * XA d (inl p)) / r.
Proof.
rewrite (E_ext (h := fun o => 1 * ∑ l, ∑ k, XA d l * XB e k * (yB (b o) k * yA (a o) l))) => [|o]; last first.
  rewrite Rmult_1_l /input /apply_matrix Rmult_comm sum_mul; apply: sum_ext => l; apply: sum_ext => k; ring.
rewrite E_sum (sum_ext (G := fun l => ∑ k, XA d l * XB e k * shared k l)) => [|l]; last first.
  by rewrite E_sum; apply: sum_ext => k; rewrite -moments -E_mull; apply: E_ext => o; ring.
rewrite (sum_ext (G := fun l => if l is inl p then XA d l * XB e (inl p) / r else 0)) => [|l]; last by rewrite sum_shared.
rewrite sum_sum [X in _ + X]big1 // Rplus_0_r /Rdiv -sum_mulr; apply: sum_ext => p; ring.
Qed.

Lemma gradient_nc : is_gradient loss_nc WA
  (fun m d => - 𝔼 o ~ π, pair_gradient XA vA (feature_B XB vB yB WB (b o)) WA (input XA (yA (a o))) m d).
Proof.
move=> H; rewrite (@inner_ext _ _ _ (fun m d => ∑ o, - π o * pair_gradient XA vA (feature_B XB vB yB WB (b o)) WA (input XA (yA (a o))) m d)) => [|m d].
  rewrite inner_sum; apply: (is_derive_ext (fun t => ∑ o, - π o * s (fun m d => WA m d + t * H m d) (a o) (b o))) => [t|].
    by rewrite /loss_nc /L_nc /E -sum_opp; apply: sum_ext => o; ring.
  apply: is_derive_sum => o; apply: (is_derive_scal (fun t => s (fun m d => WA m d + t * H m d) (a o) (b o))).
  exact: (gradient_pair (input XA (yA (a o))) (feature_B XB vB yB WB (b o)) posA H).
by rewrite /E -sum_opp; apply: sum_ext => o; ring.
Qed.

(** ∇_{W_A}L_nc = −W_BBAᵀ/(rN_AN_B) + ΨW_A(AAᵀ/r + A_ξA_ξᵀ/q)/N_A². *)
Lemma lemma_a6_A : is_gradient loss_nc WA
  (fun m d => - (∑ p, KB m (inl p) * XA d (inl p)) / (r * NA * NB) + Ψ * normal_part XA vA WA m d / NA ^ 2).
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
have nn : NA ^ 2 = N_sq XA vA WA by rewrite /NA /N_of /= Rmult_1_r sqrt_sqrt //; lra.
move=> H; rewrite (@inner_ext _ _ _ (fun m d => - 𝔼 o ~ π, pair_gradient XA vA (feature_B XB vB yB WB (b o)) WA (input XA (yA (a o))) m d)) => [|m d].
  exact: gradient_nc.
rewrite (E_ext (h := fun o => 1 * (∑ l, XA d l / NA * (feature_B XB vB yB WB (b o) m * yA (a o) l))
    - s WA (a o) (b o) * (normal_part XA vA WA m d / N_sq XA vA WA))) => [|o]; last first.
  rewrite /pair_gradient /s /sim /similarity -/NA /Rdiv; congr (_ - _); last ring.
  rewrite Rmult_1_l /input /apply_matrix Rmult_assoc Rmult_comm -!sum_mulr; apply: sum_ext => l; ring.
rewrite E_sub E_mulr eq_6_s1 E_sum nn.
rewrite (sum_ext (G := fun l => if l is inl p then XA d (inl p) / NA * (KB m (inl p) / (r * NB)) else 0)) => [|l]; last first.
  have := E_feature_B m l; case: l => [p|k] e; first by rewrite -e -E_mull; apply: E_ext => o; move: (feature_B XB vB yB WB (b o) m) => f; rewrite /Rdiv; ring.
  by rewrite -[RHS](Rmult_0_r (XA d (inr k) / NA)) -e -E_mull; apply: E_ext => o; ring.
rewrite (sum_signals NOA (fun p => XA d (inl p) / NA * (KB m (inl p) / (r * NB)))).
have -> : ∑ p, XA d (inl p) / NA * (KB m (inl p) / (r * NB)) = (∑ p, KB m (inl p) * XA d (inl p)) / (r * NA * NB).
  by rewrite /Rdiv -sum_mulr; apply: sum_ext => p; field; lra.
by rewrite /Rdiv; ring.
Qed.

(** ⟨W_A, ∇L_nc⟩ = 0.
    [claim] ren2023.lemma-a6  [sense] s2  [scope] any finite law, any maps *)
Theorem lemma_a6_s2 G : is_gradient loss_nc WA G -> inner G WA = 0.
Proof.
move=> grad; rewrite (@inner_ext _ _ _ (fun m d => ∑ o, - π o * pair_gradient XA vA (feature_B XB vB yB WB (b o)) WA (input XA (yA (a o))) m d)) => [|m d].
  by rewrite inner_sum big1 // => o _; rewrite pair_gradient_orthogonal //; ring.
by rewrite (gradient_unique m d grad gradient_nc) /E -sum_opp; apply: sum_ext => o; ring.
Qed.

(** * The dynamics along Ẇ = −r∇L_nc *)
Lemma velocity_any G m l : is_gradient loss_nc WA G -> - r * times_X XA G m l =
  (∑ p, KB m (inl p) * gram_X XA (inl p) l) / (NA * NB) - Ψ * (∑ k, KA m k * (r * vA k) * gram_X XA k l) / NA ^ 2.
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
move=> grad; rewrite /times_X (sum_ext (G := fun d => - (/ (r * NA * NB)) * (∑ p, KB m (inl p) * (XA d (inl p) * XA d l))
    + Ψ / NA ^ 2 * (∑ k, vA k * KA m k * (XA d k * XA d l)))) => [|d]; last first.
  rewrite (gradient_unique m d grad lemma_a6_A) /normal_part -/KA.
  have -> : ∑ p, KB m (inl p) * (XA d (inl p) * XA d l) = (∑ p, KB m (inl p) * XA d (inl p)) * XA d l by rewrite -sum_mulr; apply: sum_ext => p; ring.
  have -> : ∑ k, vA k * KA m k * (XA d k * XA d l) = (∑ k, vA k * KA m k * XA d k) * XA d l by rewrite -sum_mulr; apply: sum_ext => k; ring.
  by rewrite /Rdiv; ring.
rewrite sum_add !sum_mull (sum_exchange (fun d p => KB m (inl p) * (XA d (inl p) * XA d l))) (sum_exchange (fun d k => vA k * KA m k * (XA d k * XA d l))).
rewrite (sum_ext (F := fun p => ∑ d, KB m (inl p) * (XA d (inl p) * XA d l)) (G := fun p => KB m (inl p) * gram_X XA (inl p) l)) => [|p]; last by rewrite sum_mull.
have -> : ∑ k, ∑ d, vA k * KA m k * (XA d k * XA d l) = / r * ∑ k, KA m k * (r * vA k) * gram_X XA k l.
  by rewrite -sum_mull; apply: sum_ext => k; rewrite sum_mull -/(gram_X XA k l); field; lra.
by field; lra.
Qed.

(** With orthogonal maps, XᵀX = diag(σ²). *)
Variable σ2 : P + NOA -> R.
Hypothesis orthogonal : forall k l, gram_X XA k l = if k == l then σ2 l else 0.

Lemma velocity_nc G m l : is_gradient loss_nc WA G -> - r * times_X XA G m l =
  (if l is inl p then KB m (inl p) * σ2 l / (NA * NB) else 0) - Ψ * (r * vA l) * KA m l * σ2 l / NA ^ 2.
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
move=> grad; rewrite (velocity_any m l grad) (sum_gram orthogonal (fun k => KA m k * (r * vA k))).
have -> : ∑ p, KB m (inl p) * gram_X XA (inl p) l = if l is inl p then KB m (inl p) * σ2 l else 0.
  case: l => [p|k]; last by rewrite big1 // => p _; rewrite orthogonal /=; ring.
  rewrite -(sum_if1 (fun p' => KB m (inl p') * σ2 (inl p)) p); apply: sum_ext => p'.
  have -> : gram_X XA (inl p') (inl p) = if p == p' then σ2 (inl p) else 0.
    by rewrite orthogonal eq_sym; case: (p =P p') => [-> | ne]; [rewrite eqxx | case: eqP => // -[/ne]].
  by case: (p == p'); ring.
by case: l => [p|k]; field; lra.
Qed.

Lemma eq_6_A G m p : is_gradient loss_nc WA G -> vA (inl p) = / r ->
  - r * times_X XA G m (inl p) = (KB m (inl p) / (NA * NB) - Ψ * KA m (inl p) / NA ^ 2) * σ2 (inl p).
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
by move=> grad vp; rewrite (velocity_nc m (inl p) grad) vp; field; lra.
Qed.

(** K̇_{A,ξ} = −σ_ξ²(r/q)ΨK_{A,ξ}/N_A².
    [claim] ren2023.eq-6  [sense] noise  [scope] any finite law with the second moments of the model, orthogonal maps *)
Theorem eq_6_noise G m k q : is_gradient loss_nc WA G -> vA (inr k) = / q ->
  - r * times_X XA G m (inr k) = - σ2 (inr k) * (r / q) * Ψ * KA m (inr k) / NA ^ 2.
Proof. by move=> grad vk; rewrite (velocity_nc m (inr k) grad) vk /Rdiv; ring. Qed.
End Noncontrastive.

(** * Both views *)
Section BothViews.
Variables (M DA DB P NOA NOB I J O : finType).
Variables (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R).
Variables (r : R) (WA : M -> DA -> R) (WB : M -> DB -> R).
Hypothesis r_gt0 : 0 < r.
Hypothesis posA : 0 < N_sq XA vA WA.
Hypothesis posB : 0 < N_sq XB vB WB.
Hypothesis moments : forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared r k l.
Let KA := K_of XA WA.
Let KB := K_of XB WB.
Let NA := N_of XA vA WA.
Let NB := N_of XB vB WB.
Let ψ := Ψ XA vA XB vB r WA WB.

(** L_nc as a function of the weights of both views. *)
Definition loss_nc_of (VA : M -> DA -> R) (VB : M -> DB -> R) : R :=
  L_nc π a b (product XA vA XB vB (fun i => input XA (yA i)) (fun j => input XB (yB j)) VA VB).

Lemma moments_exchange l k : 𝔼 o ~ π, yA (a o) l * yB (b o) k = shared r l k.
Proof.
rewrite (E_ext (h := fun o => yB (b o) k * yA (a o) l)) => [|o]; last exact: Rmult_comm.
by rewrite moments /shared; case: k => [p|k]; case: l => [p'|l] //; rewrite eq_sym.
Qed.

Lemma Ψ_exchange : Ψ XB vB XA vA r WB WA = ψ.
Proof.
rewrite /ψ /Ψ; have -> : r * N_of XB vB WB * N_of XA vA WA = r * N_of XA vA WA * N_of XB vB WB by ring.
by congr (_ / _); apply: sum_ext => m; apply: sum_ext => p; ring.
Qed.

Lemma loss_nc_exchange VB : loss_nc XB vB XA vA π b a yB yA WA VB = loss_nc_of WA VB.
Proof. by congr (- _); apply: E_ext => o; exact: dotC. Qed.

(** In both views ∇_{W_A}L_nc = −W_BBAᵀ/(rN_AN_B) + ΨW_A(AAᵀ/r + A_ξA_ξᵀ/q)/N_A².
    [claim] ren2023.lemma-a6  [sense] printed  [scope] any finite law with the second moments of the model, any maps *)
Theorem lemma_a6_printed :
  is_gradient (fun V => loss_nc_of V WB) WA
    (fun m d => - (∑ p, KB m (inl p) * XA d (inl p)) / (r * NA * NB) + ψ * normal_part XA vA WA m d / NA ^ 2) /\
  is_gradient (loss_nc_of WA) WB
    (fun m d => - (∑ p, KA m (inl p) * XB d (inl p)) / (r * NA * NB) + ψ * normal_part XB vB WB m d / NB ^ 2).
Proof.
split; first exact: lemma_a6_A.
apply: (gradient_ext _ _ (lemma_a6_A r_gt0 posB posA moments_exchange)) => [V|m d]; first exact: loss_nc_exchange.
by rewrite Ψ_exchange; congr (_ / _ + _); rewrite -/NA -/NB; ring.
Qed.

Variables (GA : M -> DA -> R) (GB : M -> DB -> R).
Hypothesis gradient_A : is_gradient (fun V => loss_nc_of V WB) WA GA.
Hypothesis gradient_B : is_gradient (loss_nc_of WA) WB GB.

Lemma gradient_nc_exchange : is_gradient (loss_nc XB vB XA vA π b a yB yA WA) WB GB.
Proof. by apply: (gradient_ext _ _ gradient_B) => [V|//]; rewrite loss_nc_exchange. Qed.

Variables (σA : P + NOA -> R) (σB : P + NOB -> R).
Hypothesis orthogonal_A : forall k l, gram_X XA k l = if k == l then σA l else 0.
Hypothesis orthogonal_B : forall k l, gram_X XB k l = if k == l then σB l else 0.

(** K̇_A = (K_B/(N_AN_B) − ΨK_A/N_A²)D_σ and K̇_B = (K_A/(N_AN_B) − ΨK_B/N_B²)D_σ along Ẇ = −r∇L_nc.
    [claim] ren2023.eq-6  [sense] printed  [scope] any finite law with the second moments of the model, orthogonal maps *)
Theorem eq_6_printed p : vA (inl p) = / r -> vB (inl p) = / r ->
  (forall m, - r * times_X XA GA m (inl p) = (KB m (inl p) / (NA * NB) - ψ * KA m (inl p) / NA ^ 2) * σA (inl p)) /\
  (forall m, - r * times_X XB GB m (inl p) = (KA m (inl p) / (NA * NB) - ψ * KB m (inl p) / NB ^ 2) * σB (inl p)).
Proof.
move=> ap bp; split=> m; first exact: (eq_6_A r_gt0 posA posB moments orthogonal_A m gradient_A ap).
rewrite (eq_6_A r_gt0 posB posA moments_exchange orthogonal_B m gradient_nc_exchange bp) Ψ_exchange.
by rewrite (Rmult_comm (N_of XB vB WB)).
Qed.
End BothViews.

(** * Controls: one signal and one noise, W = (3/5, 4/5) in both views, z = 1 and ξ = 0 *)
Definition map_nc (d : bool) (l : unit + unit) : R := if l is inl _ then (if d then 1 else 0) else (if d then 0 else 1).
Definition W_nc (m : unit) (d : bool) : R := if d then 3 / 5 else 4 / 5.
Definition y_nc (i : unit) (l : unit + unit) : R := if l is inl _ then 1 else 0.

Lemma K_nc m l : K_of map_nc W_nc m l = if l is inl _ then 3 / 5 else 4 / 5.
Proof. by rewrite /K_of sum_bool /map_nc /W_nc; case: l => _; ring. Qed.
Lemma N_nc : N_sq map_nc (fun=> 1) W_nc = 1.
Proof. by rewrite /N_sq sum_sum !sum_unit !K_nc; field. Qed.
Lemma pos_nc : 0 < N_sq map_nc (fun=> 1) W_nc. Proof. by rewrite N_nc; lra. Qed.
Lemma moments_nc k l : 𝔼 o ~ sure, y_nc o k * y_nc o l = shared 1 k l.
Proof. by rewrite E_sure; case: k => -[]; case: l => -[]; rewrite /shared /y_nc ?eqxx; lra. Qed.
Lemma gram_nc (k l : unit + unit) : gram_X map_nc k l = if k == l then (fun=> 1) l else 0.
Proof. by rewrite /gram_X sum_bool /map_nc; case: k => -[]; case: l => -[] /=; ring. Qed.

Lemma Ψ_nc : Ψ map_nc (fun=> 1) map_nc (fun=> 1) 1 W_nc W_nc = 9 / 25.
Proof. by rewrite /Ψ !sum_unit !K_nc /N_of N_nc sqrt_1; field. Qed.

Definition gradient_nc_example := lemma_a6_A Rlt_0_1 pos_nc pos_nc moments_nc.

Lemma entry_nc m : - (∑ p, K_of map_nc W_nc m (inl p) * map_nc true (inl p)) / (1 * N_of map_nc (fun=> 1) W_nc * N_of map_nc (fun=> 1) W_nc)
  + Ψ map_nc (fun=> 1) map_nc (fun=> 1) 1 W_nc W_nc * normal_part map_nc (fun=> 1) W_nc m true / N_of map_nc (fun=> 1) W_nc ^ 2 = - (48 / 125).
Proof. by rewrite Ψ_nc /normal_part sum_sum !sum_unit !K_nc /N_of N_nc sqrt_1 /map_nc; field. Qed.

(** Control n2: the second term missing. *)
Theorem lemma_a6_printed_control : ~ (forall (M DA DB P NOA NOB I J O : finType) (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R) (r : R) (WA : M -> DA -> R) (WB : M -> DB -> R),
  0 < r -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB -> (forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared r k l) ->
  is_gradient (loss_nc XA vA XB vB π a b yA yB WB) WA (fun m d => - (∑ p, K_of XB WB m (inl p) * XA d (inl p)) / (r * N_of XA vA WA * N_of XB vB WB))).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ map_nc (fun=> 1) map_nc (fun=> 1) sure id id y_nc y_nc 1 W_nc W_nc
  Rlt_0_1 pos_nc pos_nc moments_nc) wrong.
have := gradient_unique tt true wrong gradient_nc_example; rewrite entry_nc sum_unit K_nc /N_of N_nc sqrt_1 /map_nc; lra.
Qed.

(** Control n5: ⟨W_B, ∇L_nc⟩ = 0; any other weights in fact. *)
Theorem lemma_a6_s2_control : ~ (forall (M DA DB P NOA NOB I J O : finType) (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R) (r : R) (WA : M -> DA -> R) (WB : M -> DB -> R) (W' G : M -> DA -> R),
  0 < r -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB -> (forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared r k l) ->
  is_gradient (loss_nc XA vA XB vB π a b yA yB WB) WA G -> inner G W' = 0).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ map_nc (fun=> 1) map_nc (fun=> 1) sure id id y_nc y_nc 1 W_nc W_nc (fun _ d => if d then 1 else 0) _
  Rlt_0_1 pos_nc pos_nc moments_nc gradient_nc_example).
by rewrite /inner sum_unit sum_bool entry_nc; lra.
Qed.

(** Control n1: no second term. *)
Theorem eq_6_printed_control : ~ (forall (M DA DB P NOA NOB I J O : finType) (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R) (r : R) (WA : M -> DA -> R) (WB : M -> DB -> R) σ2 G m p,
  0 < r -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB -> (forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared r k l) ->
  (forall k l, gram_X XA k l = if k == l then σ2 l else 0) -> is_gradient (loss_nc XA vA XB vB π a b yA yB WB) WA G -> vA (inl p) = / r ->
  - r * times_X XA G m (inl p) = K_of XB WB m (inl p) / (N_of XA vA WA * N_of XB vB WB) * σ2 (inl p)).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ map_nc (fun=> 1) map_nc (fun=> 1) sure id id y_nc y_nc 1 W_nc W_nc _ _ tt tt
  Rlt_0_1 pos_nc pos_nc moments_nc gram_nc gradient_nc_example ltac:(rewrite Rinv_1; ring)).
rewrite (eq_6_A Rlt_0_1 pos_nc pos_nc moments_nc gram_nc tt gradient_nc_example) ?Rinv_1 // Ψ_nc !K_nc /N_of N_nc sqrt_1; lra.
Qed.

(** Control n3: noise columns do not move. *)
Theorem eq_6_noise_control : ~ (forall (M DA DB P NOA NOB I J O : finType) (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R) (r : R) (WA : M -> DA -> R) (WB : M -> DB -> R) σ2 G m k q,
  0 < r -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB -> (forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared r k l) ->
  (forall k l, gram_X XA k l = if k == l then σ2 l else 0) -> is_gradient (loss_nc XA vA XB vB π a b yA yB WB) WA G -> vA (inr k) = / q ->
  - r * times_X XA G m (inr k) = 0).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ map_nc (fun=> 1) map_nc (fun=> 1) sure id id y_nc y_nc 1 W_nc W_nc _ _ tt tt 1
  Rlt_0_1 pos_nc pos_nc moments_nc gram_nc gradient_nc_example ltac:(rewrite Rinv_1; ring)).
rewrite (eq_6_noise Rlt_0_1 pos_nc pos_nc moments_nc gram_nc tt (q := 1) gradient_nc_example) ?Rinv_1 // Ψ_nc !K_nc /N_of N_nc sqrt_1; lra.
Qed.
