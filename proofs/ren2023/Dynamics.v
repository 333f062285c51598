(** Ren and Li, Lemma A.3, equation (5), Corollary A.4 and Lemma A.5: how K = W_A X moves along Ẇ = −(r/τ²)∇L.
    The coordinates of the latent states are [LA] and [LB], signals and noises together: [K_B | K_{B,ξ}] Q stands for the
    blocks K_B Q_1 + K_{B,ξ} Q_{1,ξB} and K_B Q_{1,ξA} + K_{B,ξ} Q_2, and r·v is 1 for a signal and r/q for a noise.
    First view A, then both views: the equations of view B are those of view A with the views exchanged. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Calculus Contrapositive.Tactics Contrapositive.ren2023.Model Contrapositive.ren2023.Gradients.
Set Implicit Arguments. Unset Strict Implicit.

Section Dynamics.
Variables (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R).
Variables (r τ2 K : R) (WA : M -> DA -> R) (WB : M -> DB -> R).
Hypothesis K_gt0 : 0 < K.
Hypothesis α_law : is_law α.
Hypothesis β_law : is_law β.
Hypothesis τ2_gt0 : 0 < τ2.
Hypothesis posA : 0 < N_sq XA vA WA.
Hypothesis posB : 0 < N_sq XB vB WB.

(** x = X y, the features of view B, K_A, K_B, N_A and N_B. *)
Definition input (D L : finType) (X : D -> L -> R) (y : L -> R) : D -> R := apply_matrix X y.
Definition feature_B (j : J) : M -> R := feature XB vB WB (input XB (yB j)).
Let KA := K_of XA WA.
Let KB := K_of XB WB.
Let NA := N_of XA vA WA.
Let NB := N_of XB vB WB.

Definition sim : (M -> DA -> R) -> I -> J -> R := similarity XA vA (fun i => input XA (yA i)) feature_B.
Let s := sim WA.
Let br := bracket π a b α β τ2 K s.

(** The loss as a function of W_A; XᵀX; the matrix Q and the number Q_0. *)
Definition loss_A (W : M -> DA -> R) : R := L_c π a b α β τ2 K (sim W).
Definition gram_X (k l : LA) : R := ∑ d, XA d k * XA d l.
Definition Q (k : LB) (l : LA) : R := r * br (fun i j => yB j k * yA i l).
Definition Q_0 : R := br s.

(** [K_B | K_{B,ξ}] Q. *)
Definition KBQ (m : M) (l : LA) : R := ∑ k, KB m k * Q k l.

Lemma features_apply (D L : finType) (X : D -> L -> R) (v : L -> R) (W : M -> D -> R) (y : L -> R) m :
  feature X v W (input X y) m = (∑ l, K_of X W m l * y l) / N_of X v W.
Proof.
rewrite /feature /input /apply_matrix; congr (_ / _).
rewrite (sum_ext (G := fun d => ∑ l, W m d * X d l * y l)) => [|d]; last by rewrite -sum_mull; apply: sum_ext => l; ring.
by rewrite sum_exchange; apply: sum_ext => l; rewrite /K_of -sum_mulr.
Qed.

(** The gradient of one product, times X. *)
Lemma pair_times_X g y m l : times_X XA (pair_gradient XA vA g WA (input XA y)) m l =
  ∑ k, (g m * y k / NA - dot (feature XA vA WA (input XA y)) g * (vA k * KA m k) / NA ^ 2) * gram_X k l.
Proof.
have nn : NA ^ 2 = N_sq XA vA WA by rewrite /NA /N_of /= Rmult_1_r sqrt_sqrt //; lra.
rewrite nn; set t := dot _ g.
rewrite /times_X (sum_ext (G := fun d => ∑ k, (g m * y k / NA - t * (vA k * KA m k) / N_sq XA vA WA) * (XA d k * XA d l))) => [|d].
  by rewrite sum_exchange; apply: sum_ext => k; rewrite sum_mull.
rewrite /pair_gradient -/t /input /apply_matrix /normal_part /Rdiv -/NA.
rewrite Rmult_minus_distr_r -[in LHS]sum_mull -[in LHS]sum_mull -!sum_mulr -sum_sub; apply: sum_ext => k; rewrite /KA; ring.
Qed.

Lemma velocity G m l : is_gradient loss_A WA G ->
  - (r / τ2) * times_X XA G m l = r * br (fun i j => times_X XA (pair_gradient XA vA (feature_B j) WA (input XA (yA i))) m l).
Proof.
move=> grad; pose pair d i j := pair_gradient XA vA (feature_B j) WA (input XA (yA i)) m d.
have -> : br (fun i j => times_X XA (pair_gradient XA vA (feature_B j) WA (input XA (yA i))) m l) = ∑ d, XA d l * br (pair d).
  by rewrite /br -bracket_combination; apply: bracket_ext => i j; apply: sum_ext => d; rewrite /pair; ring.
have -> : times_X XA G m l = - τ2 * ∑ d, XA d l * br (pair d).
  rewrite /times_X -sum_mull; apply: sum_ext => d.
  by rewrite (gradient_unique m d grad (lemma_a2_A _ _ _ _ _ _ K_gt0 α_law β_law posA)) -/sim -/s -/br /pair; ring.
by field; lra.
Qed.

(** −(r/τ²)(∇_{W_A}L)X is r times the brackets of the statement, side by side, times XᵀX. *)
Lemma lemma_a3_any_maps_A G m l : is_gradient loss_A WA G ->
  - (r / τ2) * times_X XA G m l =
  ∑ k, r * br (fun i j => feature_B j m * yA i k / NA - s i j * (vA k * KA m k) / NA ^ 2) * gram_X k l.
Proof.
move=> grad; rewrite (velocity m l grad) /br.
rewrite (@bracket_ext _ _ _ π a b α β τ2 K s _ (fun i j => ∑ k, gram_X k l * (feature_B j m * yA i k / NA - s i j * (vA k * KA m k) / NA ^ 2))) => [|i j].
  by rewrite bracket_combination -sum_mull; apply: sum_ext => k; ring.
by rewrite pair_times_X; apply: sum_ext => k; rewrite Rmult_comm.
Qed.

(** 𝐊̇_A = 𝐊_B Q XᵀX/(N_A N_B) − Q_0 𝐊_A P XᵀX/N_A², P = diag(I, (r/q) I). *)
Lemma cor_a4_any_maps_A G m l : is_gradient loss_A WA G ->
  - (r / τ2) * times_X XA G m l =
  (∑ k, KBQ m k * gram_X k l) / (NA * NB) - Q_0 * (∑ k, KA m k * (r * vA k) * gram_X k l) / NA ^ 2.
Proof.
move=> grad; have a0 : 0 < NA by apply: sqrt_lt_R0. have b0 : 0 < NB by apply: sqrt_lt_R0.
rewrite (lemma_a3_any_maps_A m l grad) -sum_mull /Rdiv -!sum_mulr -sum_sub; apply: sum_ext => k.
pose T k' := br (fun i j => yB j k' * yA i k); pose S := ∑ k', KB m k' * T k'.
have -> : KBQ m k = r * S by rewrite /KBQ /S -sum_mull; apply: sum_ext => k'; rewrite /Q /T; ring.
have -> : br (fun i j => feature_B j m * yA i k / NA - s i j * (vA k * KA m k) / NA ^ 2) = S / (NA * NB) - vA k * KA m k / NA ^ 2 * Q_0.
  have -> : S / (NA * NB) = ∑ k', KB m k' / (NA * NB) * T k' by rewrite /S /Rdiv -sum_mulr; apply: sum_ext => k'; ring.
  rewrite /T /Q_0 /br -bracket_combination -bracket_mull -bracket_sub; apply: bracket_ext => i j.
  have -> : ∑ k', KB m k' / (NA * NB) * (yB j k' * yA i k) = feature_B j m * yA i k / NA.
    by rewrite /feature_B features_apply -/KB -/NB /Rdiv -!sum_mulr; apply: sum_ext => k'; field; lra.
  by rewrite /Rdiv; ring.
by field; lra.
Qed.

(** rQ_0 = tr(CQ), C = 𝐊_Aᵀ𝐊_B/(N_A N_B).
    [claim] ren2023.cor-a4  [sense] companion  [scope] any finite laws, any maps *)
Theorem cor_a4_companion : r * Q_0 = ∑ l, ∑ k, (∑ m, KA m l * KB m k) / (NA * NB) * Q k l.
Proof.
have a0 : 0 < NA by apply: sqrt_lt_R0. have b0 : 0 < NB by apply: sqrt_lt_R0.
rewrite /Q_0 /br (@bracket_ext _ _ _ π a b α β τ2 K s _ (fun i j => ∑ l, ∑ k, (∑ m, KA m l * KB m k) / (NA * NB) * (yB j k * yA i l))) => [|i j].
  rewrite bracket_sum -sum_mull; apply: sum_ext => l; rewrite bracket_combination -sum_mull; apply: sum_ext => k; rewrite /Q -/br; ring.
rewrite /s /sim /similarity /dot (sum_ext (G := fun m => ∑ l, ∑ k, KA m l * KB m k * / (NA * NB) * (yB j k * yA i l))) => [|m].
  rewrite sum_exchange; apply: sum_ext => l; rewrite sum_exchange; apply: sum_ext => k; by rewrite /Rdiv -!sum_mulr.
rewrite /feature_B !features_apply -/KA -/KB -/NA -/NB.
have -> : (∑ l, KA m l * yA i l) / NA * ((∑ l, KB m l * yB j l) / NB) = (∑ l, KA m l * yA i l) * (∑ l, KB m l * yB j l) * / (NA * NB) by field; lra.
by rewrite sum_mul -sum_mulr; apply: sum_ext => l; rewrite -sum_mulr; apply: sum_ext => k; ring.
Qed.

(** * With orthogonal maps, XᵀX = diag(σ²) *)
Variable σ2 : LA -> R.
Hypothesis orthogonal : forall k l, gram_X k l = if k == l then σ2 l else 0.

Lemma sum_gram F l : ∑ k, F k * gram_X k l = F l * σ2 l.
Proof.
rewrite -(sum_if1 (fun k => F k * σ2 k) l); apply: sum_ext => k; rewrite orthogonal eq_sym.
by case: eqP => [-> | _] //; ring.
Qed.

Lemma lemma_a3_A G m l : is_gradient loss_A WA G ->
  - (r / τ2) * times_X XA G m l =
  r * br (fun i j => feature_B j m * yA i l / NA - s i j * (vA l * KA m l) / NA ^ 2) * σ2 l.
Proof. by move=> grad; rewrite (lemma_a3_any_maps_A m l grad) sum_gram. Qed.

(** Equation (5): the same, for a signal, as three terms.
    [claim] ren2023.eq-5  [sense] printed  [scope] any finite laws, orthogonal maps *)
Theorem eq_5_printed G m p : is_gradient loss_A WA G -> vA p = / r ->
  let term F := F * σ2 p in let part i j := feature_B j m * yA i p / NA - s i j * KA m p / (r * NA ^ 2) in
  - (r / τ2) * times_X XA G m p =
  term (r * 𝔼 o ~ π, (2 - S_A β τ2 K s (a o) (b o) - S_B α τ2 K s (a o) (b o)) * part (a o) (b o))
  - term (r * 𝔼 o ~ π, (1 - S_A β τ2 K s (a o) (b o)) * 𝔼 j ~ β, w_A β τ2 s (a o) j * part (a o) j)
  - term (r * 𝔼 o ~ π, (1 - S_B α τ2 K s (a o) (b o)) * 𝔼 i ~ α, w_B α τ2 s i (b o) * part i (b o)).
Proof.
move=> grad vp term part; have a0 : 0 < NA by apply: sqrt_lt_R0.
rewrite (lemma_a3_A m p grad) /br (@bracket_ext _ _ _ π a b α β τ2 K s _ part) => [|i j].
  by rewrite /bracket /term; ring.
by rewrite vp /part /Rdiv Rinv_mult; ring.
Qed.

Lemma cor_a4_A G m l : is_gradient loss_A WA G ->
  - (r / τ2) * times_X XA G m l = KBQ m l * σ2 l / (NA * NB) - Q_0 * (r * vA l) * KA m l * σ2 l / NA ^ 2.
Proof. by move=> grad; rewrite (cor_a4_any_maps_A m l grad) !sum_gram /Rdiv; ring. Qed.
End Dynamics.

(** * Both views *)
Section BothViews.
Variables (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R).
Variables (r τ2 K : R) (WA : M -> DA -> R) (WB : M -> DB -> R).
Hypothesis K_gt0 : 0 < K.
Hypothesis α_law : is_law α.
Hypothesis β_law : is_law β.
Hypothesis τ2_gt0 : 0 < τ2.
Hypothesis posA : 0 < N_sq XA vA WA.
Hypothesis posB : 0 < N_sq XB vB WB.
Let KA := K_of XA WA.
Let KB := K_of XB WB.
Let NA := N_of XA vA WA.
Let NB := N_of XB vB WB.

(** The similarities, the matrix Q and the number Q_0, as in view A; the loss of both weights. *)
Let s := sim XA vA XB vB yA yB WB WA.
Let br := bracket π a b α β τ2 K s.
Let q := Q XA vA XB vB π a b α β yA yB r τ2 K WA WB.
Let q_0 := Q_0 XA vA XB vB π a b α β yA yB τ2 K WA WB.
Definition latent_loss : (M -> DA -> R) -> (M -> DB -> R) -> R :=
  loss XA vA XB vB π a b α β τ2 K (fun i => input XA (yA i)) (fun j => input XB (yB j)).

Lemma sim_exchange i j : sim XB vB XA vA yB yA WA WB j i = s i j.
Proof. exact: dotC. Qed.

Lemma Q_exchange k l : Q XB vB XA vA π b a β α yB yA r τ2 K WB WA l k = q k l.
Proof. by congr (_ * _); apply: bracket_exchange => i j; [exact: sim_exchange | ring]. Qed.

Lemma Q_0_exchange : Q_0 XB vB XA vA π b a β α yB yA τ2 K WB WA = q_0.
Proof. by apply: bracket_exchange => i j; exact: sim_exchange. Qed.

Variables (GA : M -> DA -> R) (GB : M -> DB -> R).
Hypothesis gradient_A : is_gradient (fun V => latent_loss V WB) WA GA.
Hypothesis gradient_B : is_gradient (latent_loss WA) WB GB.

Lemma gradient_exchange : is_gradient (loss_A XB vB XA vA π b a β α yB yA τ2 K WA) WB GB.
Proof. by apply: (gradient_ext _ _ gradient_B) => [V|//]; apply/esym/loss_exchange. Qed.

(** For arbitrary maps −(r/τ²)(∇_{W_A}L)X is r times the brackets of Lemma A.3, side by side, times XᵀX; in both views.
    [claim] ren2023.lemma-a3  [sense] any-maps  [scope] any finite laws, any maps *)
Theorem lemma_a3_any_maps :
  (forall m l, - (r / τ2) * times_X XA GA m l = ∑ k,
    r * br (fun i j => feature_B XB vB yB WB j m * yA i k / NA - s i j * (vA k * KA m k) / NA ^ 2) * gram_X XA k l) /\
  (forall m l, - (r / τ2) * times_X XB GB m l = ∑ k,
    r * br (fun i j => feature_B XA vA yA WA i m * yB j k / NB - s i j * (vB k * KB m k) / NB ^ 2) * gram_X XB k l).
Proof.
split=> m l; first exact: (lemma_a3_any_maps_A r K_gt0 α_law β_law τ2_gt0 posA m l gradient_A).
rewrite (lemma_a3_any_maps_A r K_gt0 β_law α_law τ2_gt0 posB m l gradient_exchange); apply: sum_ext => k.
by congr (_ * _ * _); apply: bracket_exchange => i j; rewrite sim_exchange.
Qed.

(** 𝐊̇_A = 𝐊_B Q XᵀX/(N_A N_B) − Q_0 𝐊_A P XᵀX/N_A², P = diag(I, (r/q) I), and the same for B with Qᵀ.
    [claim] ren2023.cor-a4  [sense] any-maps  [scope] any finite laws, any maps *)
Theorem cor_a4_any_maps :
  (forall m l, - (r / τ2) * times_X XA GA m l = (∑ k, (∑ j, KB m j * q j k) * gram_X XA k l) / (NA * NB)
    - q_0 * (∑ k, KA m k * (r * vA k) * gram_X XA k l) / NA ^ 2) /\
  (forall m l, - (r / τ2) * times_X XB GB m l = (∑ k, (∑ j, KA m j * q k j) * gram_X XB k l) / (NA * NB)
    - q_0 * (∑ k, KB m k * (r * vB k) * gram_X XB k l) / NB ^ 2).
Proof.
split=> m l; first exact: (cor_a4_any_maps_A r K_gt0 α_law β_law τ2_gt0 posA posB m l gradient_A).
rewrite (cor_a4_any_maps_A r K_gt0 β_law α_law τ2_gt0 posB posA m l gradient_exchange) Q_0_exchange (Rmult_comm NA).
congr (_ / _ - _); apply: sum_ext => k; congr (_ * _); apply: sum_ext => j; by rewrite Q_exchange.
Qed.

Variables (σA : LA -> R) (σB : LB -> R).
Hypothesis orthogonal_A : forall k l, gram_X XA k l = if k == l then σA l else 0.
Hypothesis orthogonal_B : forall k l, gram_X XB k l = if k == l then σB l else 0.

(** K̇_A = r[E{(2−S_A−S_B)(f_B⁺z⁺ᵀ/N_A − ⟨f_A⁺,f_B⁺⟩K_A/(rN_A²))} − …]D_σ, for the noise with σ_ξ² and 1/q, and the same with
    the views exchanged.
    [claim] ren2023.lemma-a3  [sense] printed  [scope] any finite laws, orthogonal maps; signals and noises *)
Theorem lemma_a3_printed :
  (forall m l, - (r / τ2) * times_X XA GA m l =
    r * br (fun i j => feature_B XB vB yB WB j m * yA i l / NA - s i j * (vA l * KA m l) / NA ^ 2) * σA l) /\
  (forall m l, - (r / τ2) * times_X XB GB m l =
    r * br (fun i j => feature_B XA vA yA WA i m * yB j l / NB - s i j * (vB l * KB m l) / NB ^ 2) * σB l).
Proof.
have [A B] := lemma_a3_any_maps; split=> m l; rewrite ?A ?B.
  exact: (sum_gram orthogonal_A (fun k => r * br (fun i j => feature_B XB vB yB WB j m * yA i k / NA - s i j * (vA k * KA m k) / NA ^ 2))).
exact: (sum_gram orthogonal_B (fun k => r * br (fun i j => feature_B XA vA yA WA i m * yB j k / NB - s i j * (vB k * KB m k) / NB ^ 2))).
Qed.

(** K̇_A = (K_BQ_1 + K_{B,ξ}Q_{1,ξB})D_σ/(N_AN_B) − Q_0K_AD_σ/N_A², K̇_{A,ξ} with σ_ξ² and rQ_0/q, and the same for B with Qᵀ.
    [claim] ren2023.cor-a4  [sense] printed  [scope] any finite laws, orthogonal maps; signals and noises *)
Theorem cor_a4_printed :
  (forall m l, - (r / τ2) * times_X XA GA m l =
    (∑ k, KB m k * q k l) * σA l / (NA * NB) - q_0 * (r * vA l) * KA m l * σA l / NA ^ 2) /\
  (forall m l, - (r / τ2) * times_X XB GB m l =
    (∑ k, KA m k * q l k) * σB l / (NA * NB) - q_0 * (r * vB l) * KB m l * σB l / NB ^ 2).
Proof.
have [A B] := cor_a4_any_maps; split=> m l; rewrite ?A ?B.
  rewrite (sum_gram orthogonal_A (fun k => ∑ j, KB m j * q j k)) (sum_gram orthogonal_A (fun k => KA m k * (r * vA k))).
  by rewrite /Rdiv; ring.
rewrite (sum_gram orthogonal_B (fun k => ∑ j, KA m j * q k j)) (sum_gram orthogonal_B (fun k => KB m k * (r * vB k))).
by rewrite /Rdiv; ring.
Qed.
End BothViews.

(** * Controls: X_A = 2 with v_A = 1/4, W_A = (1, 0), W_B = (0, 1): nothing is similar, XᵀX = 4 *)
Definition map_2 (d l : unit) : R := 2.
Definition v_4 (l : unit) : R := 1 / 4.
Definition y_example (j : bool) (l : unit) : R := if j then 1 else 0.

Lemma N_map_2 : N_sq map_2 v_4 (column e1) = 1.
Proof. by rewrite /N_sq /K_of !sum_unit !sum_bool !sum_unit /column /map_2 /v_4 /e1; field. Qed.
Lemma N_e2 : N_sq one_map (fun=> 1) (column e2) = 1.
Proof. by rewrite N_sq_column /e2; ring. Qed.
Lemma pos_map_2 : 0 < N_sq map_2 v_4 (column e1). Proof. by rewrite N_map_2; lra. Qed.
Lemma pos_e2 : 0 < N_sq one_map (fun=> 1) (column e2). Proof. by rewrite N_e2; lra. Qed.

Lemma feature_B_example j m : feature_B one_map (fun=> 1) y_example (column e2) j m = e2 m * y_example j tt.
Proof. by rewrite /feature_B features_apply /N_of N_e2 sqrt_1 /K_of !sum_unit /column /one_map; field. Qed.

Lemma sim_example j : sim map_2 v_4 one_map (fun=> 1) (fun _ _ : unit => 1) y_example (column e2) (column e1) tt j = 0.
Proof.
rewrite /sim /similarity dot_feature /dot sum_bool !feature_B_example /apply_matrix /input /apply_matrix !sum_unit /column /e1 /e2.
by rewrite /Rdiv; ring.
Qed.

Lemma gram_map_2 (k l : unit) : gram_X map_2 k l = if k == l then (fun=> 4) l else 0.
Proof. by rewrite /gram_X sum_unit /map_2; case: k; case: l; rewrite eqxx; ring. Qed.

Definition loss_example : (bool -> unit -> R) -> R := loss_A map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false)
  (fun _ _ => 1) y_example 1 1 (column e2).

Definition gradient_of_loss_example : is_gradient loss_example (column e1) _ :=
  @lemma_a2_A _ _ _ _ _ _ map_2 v_4 sure (fun=> tt) (fun=> true) sure (point false) 1 1
  (fun _ : unit => input map_2 (fun=> 1)) (feature_B one_map (fun=> 1) y_example (column e2)) (column e1) Rlt_0_1 sure_law (point_law false) pos_map_2.

(** At τ = 0. *)
Lemma bracket_cold (s F : unit -> bool -> R) : bracket sure (fun=> tt) (fun=> true) sure (point false) 0 1 s F = (F tt true - F tt false) / 2.
Proof. by rewrite /bracket /S_A /S_B /w_A /w_B !E_sure !E_point !Rmult_0_l exp_0; field. Qed.

(** The velocity of the entry (2, 1) of K_A is 2. *)
Lemma velocity_example G : is_gradient loss_example (column e1) G -> - (1 / 1) * times_X map_2 G false tt = 2.
Proof.
move=> grad; rewrite (lemma_a3_A 1 Rlt_0_1 sure_law (point_law false) Rlt_0_1 pos_map_2 gram_map_2 false tt grad).
rewrite bracket_example; last exact: sim_example.
by rewrite !feature_B_example !sim_example /e2 /y_example /N_of N_map_2 sqrt_1; field.
Qed.

(** The false variants have the velocity of the entry (2, 1) at 1/2 in place of 2.  XᵀX left out: *)
Theorem lemma_a3_any_maps_control : ~ (forall (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R) r τ2 K (WA : M -> DA -> R) (WB : M -> DB -> R) G m l,
  0 < K -> is_law α -> is_law β -> 0 < τ2 -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB -> is_gradient (loss_A XA vA XB vB π a b α β yA yB τ2 K WB) WA G ->
  - (r / τ2) * times_X XA G m l =
  ∑ k, if k == l then r * bracket π a b α β τ2 K (sim XA vA XB vB yA yB WB WA) (fun i j => feature_B XB vB yB WB j m * yA i k / N_of XA vA WA - (sim XA vA XB vB yA yB WB WA) i j * (vA k * K_of XA WA m k) / N_of XA vA WA ^ 2) else 0).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false) (fun _ _ => 1) y_example 1 1 1 (column e1) (column e2) _ false tt
  Rlt_0_1 sure_law (point_law false) Rlt_0_1 pos_map_2 pos_e2 gradient_of_loss_example).
rewrite (velocity_example gradient_of_loss_example) ?sum_unit bracket_example; try exact: sim_example.
by rewrite !feature_B_example !sim_example /e2 /y_example /N_of N_map_2 sqrt_1 /=; lra.
Qed.

(** Control n2: D_σ left out. *)
Theorem lemma_a3_printed_control : ~ (forall (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R) r τ2 K (WA : M -> DA -> R) (WB : M -> DB -> R) σ2 G m l,
  0 < K -> is_law α -> is_law β -> 0 < τ2 -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB -> (forall k l, gram_X XA k l = if k == l then σ2 l else 0) -> is_gradient (loss_A XA vA XB vB π a b α β yA yB τ2 K WB) WA G ->
  - (r / τ2) * times_X XA G m l =
  r * bracket π a b α β τ2 K (sim XA vA XB vB yA yB WB WA) (fun i j => feature_B XB vB yB WB j m * yA i l / N_of XA vA WA - (sim XA vA XB vB yA yB WB WA) i j * (vA l * K_of XA WA m l) / N_of XA vA WA ^ 2)).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false) (fun _ _ => 1) y_example 1 1 1 (column e1) (column e2) _ _ false tt
  Rlt_0_1 sure_law (point_law false) Rlt_0_1 pos_map_2 pos_e2 gram_map_2 gradient_of_loss_example).
rewrite (velocity_example gradient_of_loss_example) ?sum_unit bracket_example; try exact: sim_example.
by rewrite !feature_B_example !sim_example /e2 /y_example /N_of N_map_2 sqrt_1 /=; lra.
Qed.

Theorem cor_a4_any_maps_control : ~ (forall (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R) r τ2 K (WA : M -> DA -> R) (WB : M -> DB -> R) G m l,
  0 < K -> is_law α -> is_law β -> 0 < τ2 -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB -> is_gradient (loss_A XA vA XB vB π a b α β yA yB τ2 K WB) WA G ->
  - (r / τ2) * times_X XA G m l =
  KBQ XA vA XB vB π a b α β yA yB r τ2 K WA WB m l / (N_of XA vA WA * N_of XB vB WB) - Q_0 XA vA XB vB π a b α β yA yB τ2 K WA WB * (K_of XA WA m l * (r * vA l)) / N_of XA vA WA ^ 2).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false) (fun _ _ => 1) y_example 1 1 1 (column e1) (column e2) _ false tt
  Rlt_0_1 sure_law (point_law false) Rlt_0_1 pos_map_2 pos_e2 gradient_of_loss_example).
rewrite (velocity_example gradient_of_loss_example) ?sum_unit ?eqxx /KBQ /Q_0 /Q sum_unit !bracket_example; try exact: sim_example.
by rewrite !sim_example /e2 /e1 /y_example /N_of N_map_2 N_e2 sqrt_1 /K_of !sum_unit /column /one_map /map_2 /=; lra.
Qed.

Theorem cor_a4_printed_control : ~ (forall (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R) r τ2 K (WA : M -> DA -> R) (WB : M -> DB -> R) σ2 G m l,
  0 < K -> is_law α -> is_law β -> 0 < τ2 -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB -> (forall k l, gram_X XA k l = if k == l then σ2 l else 0) -> is_gradient (loss_A XA vA XB vB π a b α β yA yB τ2 K WB) WA G ->
  - (r / τ2) * times_X XA G m l =
  KBQ XA vA XB vB π a b α β yA yB r τ2 K WA WB m l / (N_of XA vA WA * N_of XB vB WB) - Q_0 XA vA XB vB π a b α β yA yB τ2 K WA WB * (r * vA l) * K_of XA WA m l / N_of XA vA WA ^ 2).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false) (fun _ _ => 1) y_example 1 1 1 (column e1) (column e2) _ _ false tt
  Rlt_0_1 sure_law (point_law false) Rlt_0_1 pos_map_2 pos_e2 gram_map_2 gradient_of_loss_example).
rewrite (velocity_example gradient_of_loss_example) ?sum_unit ?eqxx /KBQ /Q_0 /Q sum_unit !bracket_example; try exact: sim_example.
by rewrite !sim_example /e2 /e1 /y_example /N_of N_map_2 N_e2 sqrt_1 /K_of !sum_unit /column /one_map /map_2 /=; lra.
Qed.

(** Without r on the left: at τ = 0, r = 2, W_B = (1, 0). *)
Theorem cor_a4_companion_control : ~ (forall (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R) r τ2 K (WA : M -> DA -> R) (WB : M -> DB -> R),
  0 < K -> is_law α -> is_law β -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB ->
  Q_0 XA vA XB vB π a b α β yA yB τ2 K WA WB = ∑ l, ∑ k, (∑ m, K_of XA WA m l * K_of XB WB m k) / (N_of XA vA WA * N_of XB vB WB) * Q XA vA XB vB π a b α β yA yB r τ2 K WA WB k l).
Proof.
have pos : 0 < N_sq one_map (fun=> 1) (column e1) by exact: pos_example.
move=> /(_ _ _ _ _ _ _ _ _ map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false) (fun _ _ => 1) y_example 2 0 1 (column e1) (column e1) Rlt_0_1 sure_law (point_law false) pos_map_2 pos).
have s j : sim map_2 v_4 one_map (fun=> 1) (fun _ _ : unit => 1) y_example (column e1) (column e1) tt j = 2 * y_example j tt.
  rewrite /sim /similarity /dot sum_bool /feature_B !features_apply /N_of N_map_2 N_e1 sqrt_1 /K_of !sum_unit /column /e1 /map_2 /one_map; field.
rewrite /Q_0 !sum_unit sum_bool /Q !bracket_cold !s /N_of N_map_2 N_e1 sqrt_1 /K_of !sum_unit /column /e1 /map_2 /one_map /y_example; lra.
Qed.

(** Control n2: the second and the third term with a plus sign. *)
Theorem eq_5_printed_control : ~ (forall (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R) r τ2 K (WA : M -> DA -> R) (WB : M -> DB -> R) σ2 G m p,
  0 < K -> is_law α -> is_law β -> 0 < τ2 -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB -> (forall k l, gram_X XA k l = if k == l then σ2 l else 0) -> is_gradient (loss_A XA vA XB vB π a b α β yA yB τ2 K WB) WA G -> vA p = / r ->
  let s := (sim XA vA XB vB yA yB WB WA) in
  let term F := F * σ2 p in let part i j := feature_B XB vB yB WB j m * yA i p / N_of XA vA WA - s i j * K_of XA WA m p / (r * N_of XA vA WA ^ 2) in
  - (r / τ2) * times_X XA G m p =
  term (r * 𝔼 o ~ π, (2 - S_A β τ2 K s (a o) (b o) - S_B α τ2 K s (a o) (b o)) * part (a o) (b o))
  + term (r * 𝔼 o ~ π, (1 - S_A β τ2 K s (a o) (b o)) * 𝔼 j ~ β, w_A β τ2 s (a o) j * part (a o) j)
  + term (r * 𝔼 o ~ π, (1 - S_B α τ2 K s (a o) (b o)) * 𝔼 i ~ α, w_B α τ2 s i (b o) * part i (b o))).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false) (fun _ _ => 1) y_example 4 1 1 (column e1) (column e2) _ _ false tt
  Rlt_0_1 sure_law (point_law false) Rlt_0_1 pos_map_2 pos_e2 gram_map_2 gradient_of_loss_example ltac:(rewrite /v_4; field)); cbv zeta.
have grad := gradient_of_loss_example.
rewrite (lemma_a3_A 4 Rlt_0_1 sure_law (point_law false) Rlt_0_1 pos_map_2 gram_map_2 false tt grad) bracket_example; last exact: sim_example.
rewrite /S_A /S_B /w_A /w_B !E_sure !E_point !sim_example !feature_B_example !Rmult_0_r exp_0 /e2 /y_example /N_of N_map_2 sqrt_1; lra.
Qed.
