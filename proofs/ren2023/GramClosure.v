(** Ren and Li, section 5.2: the motion depends on the weights only through norms and inner products of the columns of K.
    With 𝐊 = [K_A | K_{A,ξ} | K_B | K_{B,ξ}] and G = 𝐊ᵀ𝐊 it is 𝐊̇ = 𝐊 R(G), so that Ġ = RᵀG + GR, with one function R for
    all widths; along Ẇ = −(r/τ²)∇L and along Ẇ = −r∇L_nc. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Calculus Contrapositive.Tactics Contrapositive.ren2023.Model Contrapositive.ren2023.Gradients
  Contrapositive.ren2023.Dynamics Contrapositive.ren2023.Noncontrastive.
Set Implicit Arguments. Unset Strict Implicit.

Section Closure.
Variables (DA DB P NOA NOB I J O : finType).
Variables (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R).
Variables (r τ2 K : R).

(** The columns of 𝐊, of view A and of view B. *)
Definition column_of : finType := [finType of (P + NOA) + (P + NOB)].

(** * What is a function of G alone *)
Section OfGram.
Variable G : column_of -> column_of -> R.
Definition norm_A : R := sqrt (∑ l, vA l * G (inl l) (inl l)).
Definition norm_B : R := sqrt (∑ k, vB k * G (inr k) (inr k)).
Definition similarity_of (i : I) (j : J) : R := (∑ l, ∑ k, G (inl l) (inr k) * (yB j k * yA i l)) / (norm_A * norm_B).
Definition Q_of (k : P + NOB) (l : P + NOA) : R := r * bracket π a b α β τ2 K similarity_of (fun i j => yB j k * yA i l).
Definition Q_0_of : R := bracket π a b α β τ2 K similarity_of similarity_of.
Definition Ψ_of : R := (∑ p, G (inl (inl p)) (inr (inl p))) / (r * norm_A * norm_B).

(** R(G) of a motion with pulls [q] between the views and the shrinking [q_0]. *)
Definition rate_of (q : P + NOB -> P + NOA -> R) (q_0 : R) (x y : column_of) : R :=
  match x, y with
  | inl k, inl l => - q_0 * (r * vA k) * gram_X XA k l / norm_A ^ 2
  | inr k, inl l => (∑ j, q k j * gram_X XA j l) / (norm_A * norm_B)
  | inl k, inr l => (∑ j, q j k * gram_X XB j l) / (norm_A * norm_B)
  | inr k, inr l => - q_0 * (r * vB k) * gram_X XB k l / norm_B ^ 2
  end.

(** For L, and for L_nc, where Q_1 = I, the other blocks of Q are 0 and Q_0 = Ψ. *)
Definition rate : column_of -> column_of -> R := rate_of Q_of Q_0_of.
Definition same_signal (k : P + NOB) (l : P + NOA) : R :=
  match k, l with inl p, inl p' => if p == p' then 1 else 0 | _, _ => 0 end.
Definition rate_nc : column_of -> column_of -> R := rate_of same_signal Ψ_of.
End OfGram.

(** * Weights of any width *)
Section Weights.
Variables (M : finType) (WA : M -> DA -> R) (WB : M -> DB -> R).
Definition columns (m : M) (x : column_of) : R := match x with inl l => K_of XA WA m l | inr k => K_of XB WB m k end.
Definition gram (x y : column_of) : R := ∑ m, columns m x * columns m y.

(** 𝐊̇ along Ẇ = −c∇, for gradients [GA] and [GB], and Ġ = 𝐊̇ᵀ𝐊 + 𝐊ᵀ𝐊̇. *)
Definition velocity (c : R) (GA : M -> DA -> R) (GB : M -> DB -> R) (m : M) (x : column_of) : R :=
  match x with inl l => - c * times_X XA GA m l | inr k => - c * times_X XB GB m k end.
Definition gram_velocity c GA GB (x y : column_of) : R :=
  ∑ m, (velocity c GA GB m x * columns m y + columns m x * velocity c GA GB m y).

Hypothesis posA : 0 < N_sq XA vA WA.
Hypothesis posB : 0 < N_sq XB vB WB.

Lemma norm_A_gram : norm_A gram = N_of XA vA WA.
Proof. by rewrite /norm_A /norm_B /N_of /N_sq; congr sqrt; apply: sum_ext => l; congr (_ * _); apply: sum_ext => m; rewrite /=; ring. Qed.
Lemma norm_B_gram : norm_B gram = N_of XB vB WB.
Proof. by rewrite /norm_A /norm_B /N_of /N_sq; congr sqrt; apply: sum_ext => l; congr (_ * _); apply: sum_ext => m; rewrite /=; ring. Qed.

Lemma similarity_gram : similarity_of gram = sim XA vA XB vB yA yB WB WA.
Proof.
have na : 0 < N_of XA vA WA by apply: sqrt_lt_R0. have nb : 0 < N_of XB vB WB by apply: sqrt_lt_R0.
apply: FunctionalExtensionality.functional_extensionality => i; apply: FunctionalExtensionality.functional_extensionality => j.
rewrite /similarity_of norm_A_gram norm_B_gram /sim /similarity /dot.
rewrite [in RHS](sum_ext (G := fun m => ∑ l, ∑ k, K_of XA WA m l * K_of XB WB m k * (yB j k * yA i l) * / (N_of XA vA WA * N_of XB vB WB))) => [|m].
  rewrite [in RHS]sum_exchange /Rdiv -sum_mulr; apply: sum_ext => l; rewrite [in RHS]sum_exchange -sum_mulr; apply: sum_ext => k.
  by rewrite /gram /= -!sum_mulr.
rewrite /feature_B !features_apply.
have -> : (∑ l, K_of XA WA m l * yA i l) / N_of XA vA WA * ((∑ k, K_of XB WB m k * yB j k) / N_of XB vB WB)
  = (∑ l, K_of XA WA m l * yA i l) * (∑ k, K_of XB WB m k * yB j k) * / (N_of XA vA WA * N_of XB vB WB) by field; lra.
by rewrite sum_mul -sum_mulr; apply: sum_ext => l; rewrite -sum_mulr; apply: sum_ext => k; ring.
Qed.

Lemma Q_gram k l : Q_of gram k l = Q XA vA XB vB π a b α β yA yB r τ2 K WA WB k l.
Proof. by rewrite /Q_of similarity_gram. Qed.
Lemma Q_0_gram : Q_0_of gram = Q_0 XA vA XB vB π a b α β yA yB τ2 K WA WB.
Proof. by rewrite /Q_0_of similarity_gram. Qed.
Lemma Ψ_gram : Ψ_of gram = Ψ XA vA XB vB r WA WB.
Proof. by rewrite /Ψ_of norm_A_gram norm_B_gram /Ψ; congr (_ / _); rewrite sum_exchange. Qed.

(** Two sums over all columns, from one over each view. *)
Lemma sum_columns (F : column_of -> R) : ∑ x, F x = (∑ l, F (inl l)) + ∑ k, F (inr k).
Proof. exact: sum_sum. Qed.

(** The sums that 𝐊R(G) consists of: pulls from the other view, and the shrinking of the own. *)
Lemma column_rate (L L' : finType) (g : L -> L -> R) (v own : L -> R) (other : L' -> R) (q : L' -> L -> R) q_0 n N l :
  (∑ j, other j * ((∑ k, q j k * g k l) / n)) + (∑ k, own k * (- q_0 * (r * v k) * g k l / N)) =
  (∑ k, (∑ j, other j * q j k) * g k l) / n - q_0 * (∑ k, own k * (r * v k) * g k l) / N.
Proof.
rewrite /Rminus; congr (_ + _).
  rewrite (sum_ext (G := fun j => ∑ k, other j * q j k * g k l * / n)) => [|j].
    by rewrite sum_exchange /Rdiv -sum_mulr; apply: sum_ext => k; rewrite -!sum_mulr.
  by rewrite /Rdiv -sum_mulr -sum_mull; apply: sum_ext => k; ring.
rewrite (sum_ext (G := fun k => - (q_0 / N) * (own k * (r * v k) * g k l))) => [|k]; last by rewrite /Rdiv; ring.
by rewrite sum_mull /Rdiv; ring.
Qed.

(** 𝐊R(G) in view A and in view B. *)
Lemma columns_rate_A q q_0 m l : ∑ x, columns m x * rate_of gram q q_0 x (inl l) =
  (∑ k, (∑ j, K_of XB WB m j * q j k) * gram_X XA k l) / (N_of XA vA WA * N_of XB vB WB)
  - q_0 * (∑ k, K_of XA WA m k * (r * vA k) * gram_X XA k l) / N_of XA vA WA ^ 2.
Proof. by rewrite sum_columns /rate_of /columns norm_A_gram norm_B_gram Rplus_comm; exact: column_rate. Qed.

Lemma columns_rate_B q q_0 m l : ∑ x, columns m x * rate_of gram q q_0 x (inr l) =
  (∑ k, (∑ j, K_of XA WA m j * q k j) * gram_X XB k l) / (N_of XA vA WA * N_of XB vB WB)
  - q_0 * (∑ k, K_of XB WB m k * (r * vB k) * gram_X XB k l) / N_of XB vB WB ^ 2.
Proof. by rewrite sum_columns /rate_of /columns norm_A_gram norm_B_gram; exact: (column_rate (gram_X XB) vB _ _ (fun j k => q k j)). Qed.

(** 𝐊̇ = 𝐊R gives Ġ = RᵀG + GR. *)
Lemma product_rule c GA GB (R : column_of -> column_of -> Rdefinitions.R) :
  (forall m y, velocity c GA GB m y = ∑ x, columns m x * R x y) ->
  forall x y, gram_velocity c GA GB x y = (∑ z, R z x * gram z y) + ∑ z, gram x z * R z y.
Proof.
move=> e x y; rewrite /gram_velocity sum_add; congr (_ + _).
  rewrite (sum_ext (G := fun m => ∑ z, R z x * (columns m z * columns m y))) => [|m].
    by rewrite sum_exchange; apply: sum_ext => z; rewrite sum_mull.
  by rewrite e -sum_mulr; apply: sum_ext => z; ring.
rewrite (sum_ext (G := fun m => ∑ z, columns m x * columns m z * R z y)) => [|m].
  by rewrite sum_exchange; apply: sum_ext => z; rewrite -sum_mulr.
by rewrite e -sum_mull; apply: sum_ext => z; ring.
Qed.

Hypothesis K_gt0 : 0 < K.
Hypothesis α_law : is_law α.
Hypothesis β_law : is_law β.
Hypothesis τ2_gt0 : 0 < τ2.
Hypothesis r_gt0 : 0 < r.

(** 𝐊̇ = 𝐊R(G) along Ẇ = −(r/τ²)∇L. *)
Lemma closed GA GB : is_gradient (fun V => latent_loss XA vA XB vB π a b α β yA yB τ2 K V WB) WA GA ->
  is_gradient (latent_loss XA vA XB vB π a b α β yA yB τ2 K WA) WB GB ->
  forall m y, velocity (r / τ2) GA GB m y = ∑ x, columns m x * rate gram x y.
Proof.
move=> gA gB; have [A B] := cor_a4_any_maps r K_gt0 α_law β_law τ2_gt0 posA posB gA gB.
move=> m [l|l]; rewrite /velocity /rate ?columns_rate_A ?columns_rate_B ?A ?B Q_0_gram; congr (_ / _ - _);
  apply: sum_ext => k; congr (_ * _); apply: sum_ext => j; by rewrite Q_gram.
Qed.

Hypothesis moments : forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared r k l.

(** 𝐊̇ = 𝐊R(G) along Ẇ = −r∇L_nc. *)
Lemma closed_nc GA GB : is_gradient (fun V => loss_nc_of XA vA XB vB π a b yA yB V WB) WA GA ->
  is_gradient (loss_nc_of XA vA XB vB π a b yA yB WA) WB GB ->
  forall m y, velocity r GA GB m y = ∑ x, columns m x * rate_nc gram x y.
Proof.
move=> gA gB; have only (N : finType) (F H : P + N -> R) (S : P + N -> P + N -> R) l :
    (forall k, F k = if k is inl p then H (inl p) else 0) -> ∑ k, F k * S k l = ∑ p, H (inl p) * S (inl p) l.
  by move=> e; rewrite sum_sum [X in _ + X]big1 => [|k _]; [rewrite Rplus_0_r; apply: sum_ext => p; rewrite e | rewrite e; ring].
have row (F : P + NOB -> R) (l : P + NOA) : ∑ j, F j * same_signal j l = if l is inl p then F (inl p) else 0.
  rewrite sum_sum [X in _ + X]big1 => [|k _]; last by rewrite /=; ring.
  case: l => [p|k]; last by rewrite big1 => [|p _]; rewrite /=; ring.
  by rewrite -(sum_if1 (fun p => F (inl p)) p) Rplus_0_r; apply: sum_ext => p'; rewrite /= eq_sym; case: eqP => _; ring.
have col (F : P + NOA -> R) (k : P + NOB) : ∑ j, F j * same_signal k j = if k is inl p then F (inl p) else 0.
  rewrite sum_sum [X in _ + X]big1 => [|l _]; last by case: k => [p|k] /=; ring.
  case: k => [p|k]; last by rewrite big1 => [|p _]; rewrite /=; ring.
  by rewrite -(sum_if1 (fun p => F (inl p)) p) Rplus_0_r; apply: sum_ext => p' /=; case: eqP => _; ring.
move=> m [l|l]; rewrite /velocity /rate_nc ?columns_rate_A ?columns_rate_B Ψ_gram.
  rewrite (velocity_any r_gt0 posA posB moments m l gA); congr (_ / _ - _).
  by symmetry; apply: (only _ _ (fun k : P + NOA => if k is inl p then K_of XB WB m (inl p) else 0)) => k; exact: row.
rewrite (velocity_any r_gt0 posB posA (moments_exchange moments) m l (gradient_nc_exchange gB)) (Rmult_comm (N_of XB vB WB)) Ψ_exchange; congr (_ / _ - _).
by symmetry; apply: (only _ _ (fun k : P + NOB => if k is inl p then K_of XA WA m (inl p) else 0)) => k; exact: col.
Qed.

(** Ġ = RᵀG + GR with one R of G for all widths, for L and for L_nc; the printed sense has orthogonal maps.
    [claim] ren2023.gram-closure  [sense] any-maps, printed  [scope] any finite laws (for L_nc with the second moments of the model), any maps, any width *)
Theorem gram_closure_any_maps :
  (forall GA GB, is_gradient (fun V => latent_loss XA vA XB vB π a b α β yA yB τ2 K V WB) WA GA ->
    is_gradient (latent_loss XA vA XB vB π a b α β yA yB τ2 K WA) WB GB ->
    forall x y, gram_velocity (r / τ2) GA GB x y = (∑ z, rate gram z x * gram z y) + ∑ z, gram x z * rate gram z y) /\
  (forall GA GB, is_gradient (fun V => loss_nc_of XA vA XB vB π a b yA yB V WB) WA GA ->
    is_gradient (loss_nc_of XA vA XB vB π a b yA yB WA) WB GB ->
    forall x y, gram_velocity r GA GB x y = (∑ z, rate_nc gram z x * gram z y) + ∑ z, gram x z * rate_nc gram z y).
Proof. by split=> GA GB gA gB; apply: product_rule; [apply: closed | apply: closed_nc]. Qed.
End Weights.
End Closure.

(** * Control: the norms alone do not decide.  The example of Noncontrastive.v, with W_B and with −W_B *)
Definition W_opposed (m : unit) (d : bool) : R := - W_nc m d.
Lemma K_opposed m l : K_of map_nc W_opposed m l = - K_of map_nc W_nc m l.
Proof. by rewrite /K_of !sum_bool /W_opposed; ring. Qed.
Lemma N_opposed : N_sq map_nc (fun=> 1) W_opposed = 1.
Proof. by rewrite -[RHS]N_nc; apply: sum_ext => l; congr (_ * _); apply: sum_ext => m; rewrite K_opposed; ring. Qed.
Lemma pos_opposed : 0 < N_sq map_nc (fun=> 1) W_opposed. Proof. by rewrite N_opposed; lra. Qed.
Lemma Ψ_opposed : Ψ map_nc (fun=> 1) map_nc (fun=> 1) 1 W_nc W_opposed = - (9 / 25).
Proof. by rewrite /Ψ !sum_unit K_opposed !K_nc /N_of N_nc N_opposed sqrt_1; field. Qed.

Theorem gram_closure_any_maps_control : ~ (forall (M DA DB P NOA NOB I J O : finType) (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R)
  (vB : P + NOB -> R) (π : O -> R) (a : O -> I) (b : O -> J) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R) r (WA : M -> DA -> R) (WB WB' : M -> DB -> R) GA GA',
  0 < r -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB -> 0 < N_sq XB vB WB' -> (forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared r k l) ->
  is_gradient (loss_nc XA vA XB vB π a b yA yB WB) WA GA -> is_gradient (loss_nc XA vA XB vB π a b yA yB WB') WA GA' ->
  (forall k, ∑ m, K_of XB WB m k ^ 2 = ∑ m, K_of XB WB' m k ^ 2) ->
  forall l, ∑ m, K_of XA WA m l * (- r * times_X XA GA m l) = ∑ m, K_of XA WA m l * (- r * times_X XA GA' m l)).
Proof.
have g := lemma_a6_A Rlt_0_1 pos_nc pos_nc moments_nc; have g' := lemma_a6_A Rlt_0_1 pos_nc pos_opposed moments_nc.
move=> /(_ _ _ _ _ _ _ _ _ _ map_nc (fun=> 1) map_nc (fun=> 1) sure id id y_nc y_nc 1 W_nc W_nc W_opposed _ _
  Rlt_0_1 pos_nc pos_nc pos_opposed moments_nc g g') same.
have norms k : ∑ m, K_of map_nc W_nc m k ^ 2 = ∑ m, K_of map_nc W_opposed m k ^ 2 by rewrite !sum_unit K_opposed; ring.
have := same norms (inl tt); rewrite !sum_unit.
rewrite (eq_6_A Rlt_0_1 pos_nc pos_nc moments_nc gram_nc tt g) ?Rinv_1 // (eq_6_A Rlt_0_1 pos_nc pos_opposed moments_nc gram_nc tt g') ?Rinv_1 //.
by rewrite Ψ_nc Ψ_opposed K_opposed !K_nc /N_of N_nc N_opposed sqrt_1; lra.
Qed.
