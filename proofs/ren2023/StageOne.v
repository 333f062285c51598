(** Ren and Li, Stage 1: the motion along Ẇ = −(r/τ²)∇L tends to c_K times that along Ẇ = −r∇L_nc as τ → 0, c_K = 2K/(1+K)
    (Lemma B.9), and what columns do in this limit (Corollaries B.7 and B.8, Lemmas B.11 and B.13).
    Beside the second moments of positive pairs it matters that the latent states of negatives have the mean zero. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Calculus Contrapositive.Tactics Contrapositive.ren2023.Model Contrapositive.ren2023.Gradients
  Contrapositive.ren2023.Dynamics Contrapositive.ren2023.Columns Contrapositive.ren2023.Noncontrastive Contrapositive.ren2023.Cosines.
Set Implicit Arguments. Unset Strict Implicit.

Definition c_of (K : R) : R := 2 * K / (1 + K).

(** * The bracket as a function of τ² *)
Lemma ex_derive_sum (T : finType) (F : T -> R -> R) t : (forall x, ex_derive (F x) t) -> ex_derive (fun u => ∑ x, F x u) t.
Proof. by move=> D; exists (∑ x, Derive (F x) t); apply: is_derive_sum => x; apply: Derive_correct. Qed.

Lemma ex_derive_E (T : finType) (p : T -> R) (F : T -> R -> R) t : (forall x, ex_derive (F x) t) -> ex_derive (fun u => 𝔼 x ~ p, F x u) t.
Proof. by move=> D; apply: ex_derive_sum => x; apply: ex_derive_scal. Qed.

Section Bracket.
Variables (O I J : finType) (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (K : R) (s F : I -> J -> R).
Hypothesis K_gt0 : 0 < K.
Hypothesis α_law : is_law α.
Hypothesis β_law : is_law β.

Lemma ex_derive_exp c t : ex_derive (fun u => exp (u * c)) t.
Proof. by auto_derive. Qed.

Lemma ex_derive_bracket t : ex_derive (fun u => bracket π a b α β u K s F) t.
Proof.
have mean (T : finType) (p g : T -> R) : is_law p -> ex_derive (fun u => 𝔼 x ~ p, exp (u * g x)) t /\ 0 < 𝔼 x ~ p, exp (t * g x).
  by move=> law; split; [apply: ex_derive_E => x; exact: ex_derive_exp | exact: E_exp_gt0].
have share (T : finType) (p g : T -> R) c : is_law p -> ex_derive (fun u => exp (u * c) / (exp (u * c) + K * 𝔼 x ~ p, exp (u * g x))) t.
  move=> law; have [D pos] := mean T p g law; have e0 := exp_pos (t * c).
  apply: ex_derive_div; [exact: ex_derive_exp | apply: ex_derive_plus; [exact: ex_derive_exp | exact: ex_derive_scal] |].
  by apply: Rgt_not_eq; apply: Rplus_lt_0_compat => //; apply: Rmult_lt_0_compat.
have weight (T : finType) (p g : T -> R) c : is_law p -> ex_derive (fun u => exp (u * c) / 𝔼 x ~ p, exp (u * g x)) t.
  by move=> law; have [D pos] := mean T p g law; apply: ex_derive_div; [exact: ex_derive_exp | | lra].
have SA i j : ex_derive (fun u => S_A β u K s i j) t by apply: share.
have SB i j : ex_derive (fun u => S_B α u K s i j) t by apply: (share I α (fun i' => s i' j)).
have const c : ex_derive (fun _ : R => c) t by exact: ex_derive_const.
apply: ex_derive_minus; [apply: ex_derive_minus |]; apply: ex_derive_E => o.
- by apply: ex_derive_mult => //; apply: ex_derive_minus; [apply: ex_derive_minus |].
- apply: ex_derive_mult; first exact: ex_derive_minus.
  by apply: ex_derive_E => j; apply: ex_derive_mult => //; apply: weight.
- apply: ex_derive_mult; first exact: ex_derive_minus.
  by apply: ex_derive_E => i; apply: ex_derive_mult => //; apply: (weight I α (fun i' => s i' (b o))).
Qed.

(** At τ = 0, where S = 1/(1+K) and every weight is 1. *)
Lemma bracket_at_0 : bracket π a b α β 0 K s F = c_of K * (𝔼 o ~ π, F (a o) (b o))
  - K / (1 + K) * (𝔼 o ~ π, 𝔼 j ~ β, F (a o) j) - K / (1 + K) * (𝔼 o ~ π, 𝔼 i ~ α, F i (b o)).
Proof.
have one (T : finType) (p g : T -> R) : is_law p -> 𝔼 x ~ p, exp (0 * g x) = 1.
  by move=> law; rewrite (E_ext (h := fun=> 1)) ?E_const // => x; rewrite Rmult_0_l exp_0.
have SA i j : S_A β 0 K s i j = / (1 + K) by rewrite /S_A one // Rmult_0_l exp_0; field; lra.
have SB i j : S_B α 0 K s i j = / (1 + K) by rewrite /S_B (one _ _ (fun i' => s i' j)) // Rmult_0_l exp_0; field; lra.
have wA i j : w_A β 0 s i j = 1 by rewrite /w_A one // Rmult_0_l exp_0; field.
have wB i j : w_B α 0 s i j = 1 by rewrite /w_B (one _ _ (fun i' => s i' j)) // Rmult_0_l exp_0; field.
rewrite /bracket -!E_mull; congr (_ - _ - _); apply: E_ext => o.
- by rewrite SA SB /c_of; field; lra.
- have -> : 𝔼 j ~ β, w_A β 0 s (a o) j * F (a o) j = 𝔼 j ~ β, F (a o) j by apply: E_ext => j; rewrite wA; ring.
  by rewrite SA; field; lra.
- have -> : 𝔼 i ~ α, w_B α 0 s i (b o) * F i (b o) = 𝔼 i ~ α, F i (b o) by apply: E_ext => i; rewrite wB; ring.
  by rewrite SB; field; lra.
Qed.
End Bracket.

(** * Lemma B.9 at τ = 0 *)
Section Limit.
Variables (M DA DB P NOA NOB I J O : finType).
Variables (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R).
Variables (r K : R) (WA : M -> DA -> R) (WB : M -> DB -> R).
Hypothesis r_gt0 : 0 < r.
Hypothesis K_gt0 : 0 < K.
Hypothesis α_law : is_law α.
Hypothesis β_law : is_law β.
Hypothesis posA : 0 < N_sq XA vA WA.
Hypothesis posB : 0 < N_sq XB vB WB.
Hypothesis moments : forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared r k l.
Hypothesis mean_A : forall l, 𝔼 i ~ α, yA i l = 0.
Hypothesis mean_B : forall k, 𝔼 j ~ β, yB j k = 0.
Let q τ2 := Q XA vA XB vB π a b α β yA yB r τ2 K WA WB.
Let q_0 τ2 := Q_0 XA vA XB vB π a b α β yA yB τ2 K WA WB.
Let NA := N_of XA vA WA.
Let NB := N_of XB vB WB.
Let ψ := Ψ XA vA XB vB r WA WB.

(** Q = c_K r E[y_B⁺ y_A⁺ᵀ] and Q_0 = c_K Ψ. *)
Lemma Q_at_0 k l : q 0 k l = r * (c_of K * shared r k l).
Proof.
rewrite /q /Q bracket_at_0 // moments.
have -> : 𝔼 o ~ π, 𝔼 j ~ β, yB j k * yA (a o) l = 0.
  by rewrite (E_ext (h := fun o => 0 * 0)) => [|o]; [rewrite E_mull; ring | rewrite E_mulr mean_B; ring].
have -> : 𝔼 o ~ π, 𝔼 i ~ α, yB (b o) k * yA i l = 0.
  by rewrite (E_ext (h := fun o => 0 * 0)) => [|o]; [rewrite E_mull; ring | rewrite E_mull mean_A; ring].
by ring.
Qed.

Lemma Q_0_at_0 : q_0 0 = c_of K * ψ.
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
apply: (Rmult_eq_reg_l r); last lra.
rewrite /q_0 cor_a4_companion // -/q /ψ /Ψ -/NA -/NB.
rewrite (sum_ext (G := fun l => if l is inl p then c_of K * / (NA * NB) * ∑ m, K_of XA WA m (inl p) * K_of XB WB m (inl p) else 0)) => [|l].
  rewrite (sum_signals NOA (fun p => c_of K * / (NA * NB) * ∑ m, K_of XA WA m (inl p) * K_of XB WB m (inl p))) sum_mull sum_exchange; field; lra.
rewrite (sum_ext (G := fun k => (∑ m, K_of XA WA m l * K_of XB WB m k) / (NA * NB) * (r * c_of K) * shared r k l)) => [|k].
  by rewrite (sum_shared r (fun k => (∑ m, K_of XA WA m l * K_of XB WB m k) / (NA * NB) * (r * c_of K)) l); case: l => // p; field; lra.
by rewrite -/(q 0 k l) Q_at_0; ring.
Qed.

(** The velocity of Corollary A.4 as a function of τ². *)
Definition rate_A τ2 m l : R := (∑ k, (∑ j, K_of XB WB m j * q τ2 j k) * gram_X XA k l) / (NA * NB)
  - q_0 τ2 * (∑ k, K_of XA WA m k * (r * vA k) * gram_X XA k l) / NA ^ 2.

Lemma rate_A_continuous m l : continuous (fun τ2 => rate_A τ2 m l) 0.
Proof.
apply: (ex_derive_continuous (fun τ2 => rate_A τ2 m l)); have const c : ex_derive (fun _ : R => c) 0 by exact: ex_derive_const.
apply: ex_derive_minus; apply: ex_derive_mult => //.
  apply: ex_derive_sum => k; apply: ex_derive_mult => //; apply: ex_derive_sum => j; apply: ex_derive_scal.
  by apply: ex_derive_scal; apply: ex_derive_bracket.
by apply: ex_derive_mult => //; apply: ex_derive_bracket.
Qed.

Lemma rate_A_at_0 G m l : is_gradient (loss_nc XA vA XB vB π a b yA yB WB) WA G ->
  rate_A 0 m l = c_of K * (- r * times_X XA G m l).
Proof.
move=> grad; rewrite (velocity_any r_gt0 posA posB moments m l grad) /rate_A Q_0_at_0 -/NA -/NB -/ψ.
have -> : ∑ k, (∑ j, K_of XB WB m j * q 0 j k) * gram_X XA k l = c_of K * ∑ p, K_of XB WB m (inl p) * gram_X XA (inl p) l.
  rewrite (sum_ext (G := fun k => (if k is inl p then c_of K * K_of XB WB m (inl p) else 0) * gram_X XA k l)) => [|k].
    rewrite sum_sum [X in _ + X]big1 => [|k _]; last ring.
    by rewrite Rplus_0_r -sum_mull; apply: sum_ext => p; ring.
  congr (_ * _); rewrite (sum_ext (G := fun j => K_of XB WB m j * (r * c_of K) * shared r j k)) => [|j]; last by rewrite Q_at_0; ring.
  by rewrite (sum_shared r (fun j => K_of XB WB m j * (r * c_of K)) k); case: k => // p; field; lra.
by rewrite /Rdiv; ring.
Qed.

Lemma limit_A (G : R -> M -> DA -> R) G_nc m l :
  (forall τ2, 0 < τ2 -> is_gradient (loss_A XA vA XB vB π a b α β yA yB τ2 K WB) WA (G τ2)) ->
  is_gradient (loss_nc XA vA XB vB π a b yA yB WB) WA G_nc ->
  filterlim (fun τ2 => - (r / τ2) * times_X XA (G τ2) m l) (at_right 0) (locally (c_of K * (- r * times_X XA G_nc m l))).
Proof.
move=> grad grad_nc; rewrite -(rate_A_at_0 m l grad_nc) /at_right.
apply: (filterlim_within_ext (fun u => 0 < u) (fun τ2 => rate_A τ2 m l)) => [τ2 pos|].
  by rewrite (cor_a4_any_maps_A r K_gt0 α_law β_law pos posA posB m l (grad τ2 pos)).
apply: filterlim_filter_le_1; last exact: (@rate_A_continuous m l).
exact: filter_le_within.
Qed.
End Limit.

Section BothViews.
Variables (M DA DB P NOA NOB I J O : finType).
Variables (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R).
Variables (r K : R) (WA : M -> DA -> R) (WB : M -> DB -> R).

(** F_L → c_K F_nc as τ → 0 from the right, entry by entry in both views: F_L = −(r/τ²)(∇_W L)X and F_nc = −r(∇_W L_nc)X.
    [claim] ren2023.lemma-b9  [sense] s1  [scope] any finite laws with the first and second moments of the model, any maps *)
Theorem lemma_b9_s1 (GA : R -> M -> DA -> R) (GB : R -> M -> DB -> R) (GA_nc : M -> DA -> R) (GB_nc : M -> DB -> R) :
  0 < r -> 0 < K -> is_law α -> is_law β -> 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB ->
  (forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared r k l) -> (forall l, 𝔼 i ~ α, yA i l = 0) -> (forall k, 𝔼 j ~ β, yB j k = 0) ->
  (forall τ2, 0 < τ2 -> is_gradient (fun V => latent_loss XA vA XB vB π a b α β yA yB τ2 K V WB) WA (GA τ2)) ->
  (forall τ2, 0 < τ2 -> is_gradient (latent_loss XA vA XB vB π a b α β yA yB τ2 K WA) WB (GB τ2)) ->
  is_gradient (fun V => loss_nc_of XA vA XB vB π a b yA yB V WB) WA GA_nc ->
  is_gradient (loss_nc_of XA vA XB vB π a b yA yB WA) WB GB_nc ->
  (forall m l, filterlim (fun τ2 => - (r / τ2) * times_X XA (GA τ2) m l) (at_right 0) (locally (c_of K * (- r * times_X XA GA_nc m l)))) /\
  (forall m k, filterlim (fun τ2 => - (r / τ2) * times_X XB (GB τ2) m k) (at_right 0) (locally (c_of K * (- r * times_X XB GB_nc m k)))).
Proof.
move=> r0 K0 αl βl pA pB moments zA zB gA gB ncA ncB; split=> m l.
  by apply: (limit_A r0 K0 αl βl pA pB moments zA zB gA ncA).
apply: (limit_A r0 K0 βl αl pB pA (moments_exchange moments) zB zA _ (gradient_nc_exchange ncB)) => τ2 pos.
exact: gradient_exchange (gB τ2 pos).
Qed.
End BothViews.

(** * The motion at τ = 0: c_K times that of L_nc, with orthogonal maps *)
Section Motion.
Variables (M DA DB P NOA NOB I J O : finType).
Variables (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R).
Variables (r q K : R) (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) (t : R) (σA : P + NOA -> R) (σB : P + NOB -> R).
Variables (GA : M -> DA -> R) (GB : M -> DB -> R).

(** The model with orthogonal maps; at time t the weights of both views move against c_K r times the gradients of L_nc. *)
Record cold_motion : Prop := ColdMotion {
  r_gt0 : 0 < r;
  q_gt0 : 0 < q;
  K_gt0 : 0 < K;
  posA : 0 < N_sq XA vA (WA t);
  posB : 0 < N_sq XB vB (WB t);
  moments : forall k l, 𝔼 o ~ π, yB (b o) k * yA (a o) l = shared r k l;
  signals_A : forall p, vA (inl p) = / r;
  signals_B : forall p, vB (inl p) = / r;
  noises_A : forall k, vA (inr k) = / q;
  noises_B : forall k, vB (inr k) = / q;
  orthogonal_A : forall k l, gram_X XA k l = if k == l then σA l else 0;
  orthogonal_B : forall k l, gram_X XB k l = if k == l then σB l else 0;
  gradient_A : is_gradient (fun V => loss_nc_of XA vA XB vB π a b yA yB V (WB t)) (WA t) GA;
  gradient_B : is_gradient (loss_nc_of XA vA XB vB π a b yA yB (WA t)) (WB t) GB;
  flow_A : forall m d, is_derive (fun u => WA u m d) t (- (c_of K * r) * GA m d);
  flow_B : forall m d, is_derive (fun u => WB u m d) t (- (c_of K * r) * GB m d) }.

Hypothesis motion : cold_motion.
Let r_gt0 := r_gt0 motion.
Let q_gt0 := q_gt0 motion.
Let K_gt0 := K_gt0 motion.
Let posA := posA motion.
Let posB := posB motion.
Let moments := moments motion.
Let orthogonal_A := orthogonal_A motion.
Let orthogonal_B := orthogonal_B motion.
Let gradient_A := gradient_A motion.
Let gradient_B := gradient_B motion.

(** The columns of both views as functions of time. *)
Definition column_A l u m := K_of XA (WA u) m l.
Definition column_B k u m := K_of XB (WB u) m k.
Let A p := column_A (inl p) t.
Let B p := column_B (inl p) t.
Let NA := N_of XA vA (WA t).
Let NB := N_of XB vB (WB t).
Let ψ := Ψ XA vA XB vB r (WA t) (WB t).
Let c := c_of K.

Let na : 0 < NA. Proof. exact: sqrt_lt_R0. Qed.
Let nb : 0 < NB. Proof. exact: sqrt_lt_R0. Qed.
Let c_gt0 : 0 < c. Proof. by apply: Rdiv_lt_0_compat; lra. Qed.

Lemma is_derive_column (D L : finType) (X : D -> L -> R) (W : R -> M -> D -> R) (G : M -> D -> R) m l :
  (forall m d, is_derive (fun u => W u m d) t (- (c * r) * G m d)) ->
  is_derive (fun u => K_of X (W u) m l) t (c * (- r * times_X X G m l)).
Proof. by move=> /(is_derive_K X m l); have -> : - (c * r) * times_X X G m l = c * (- r * times_X X G m l) by ring. Qed.

Lemma signal_moves_A p : moves t (column_A (inl p)) (c * σA (inl p) / (NA * NB)) (B p) (c * σA (inl p) * ψ / NA ^ 2).
Proof.
move=> m; have := is_derive_column XA m (inl p) (flow_A motion).
rewrite (eq_6_A r_gt0 posA posB moments orthogonal_A m gradient_A (signals_A motion p)) -/NA -/NB -/ψ -/(column_A (inl p) t m) -/(B p m).
set x := c * _; set y := _ - _; have -> // : x = y by rewrite /x /y /B /column_B; field; lra.
Qed.

Lemma signal_moves_B p : moves t (column_B (inl p)) (c * σB (inl p) / (NA * NB)) (A p) (c * σB (inl p) * ψ / NB ^ 2).
Proof.
move=> m; have := is_derive_column XB m (inl p) (flow_B motion).
rewrite (eq_6_A r_gt0 posB posA (moments_exchange moments) orthogonal_B m (gradient_nc_exchange gradient_B) (signals_B motion p)).
rewrite Ψ_exchange -/NA -/NB -/ψ -/(column_B (inl p) t m) -/(A p m).
set x := c * _; set y := _ - _; have -> // : x = y by rewrite /x /y /A /column_A; field; lra.
Qed.

Lemma noise_moves_A k z : moves t (column_A (inr k)) 0 z (c * σA (inr k) * (r / q) * ψ / NA ^ 2).
Proof.
move=> m; have := is_derive_column XA m (inr k) (flow_A motion).
rewrite (eq_6_noise r_gt0 posA posB moments orthogonal_A m gradient_A (noises_A motion k)) -/NA -/ψ -/(column_A (inr k) t m).
set x := c * _; set y := _ - _; have -> // : x = y by rewrite /x /y; field; lra.
Qed.

Lemma noise_moves_B k z : moves t (column_B (inr k)) 0 z (c * σB (inr k) * (r / q) * ψ / NB ^ 2).
Proof.
move=> m; have := is_derive_column XB m (inr k) (flow_B motion).
rewrite (eq_6_noise r_gt0 posB posA (moments_exchange moments) orthogonal_B m (gradient_nc_exchange gradient_B) (noises_B motion k)).
rewrite Ψ_exchange -/NB -/ψ -/(column_B (inr k) t m).
set x := c * _; set y := _ - _; have -> // : x = y by rewrite /x /y; field; lra.
Qed.

Lemma strength_ge0 (D L : finType) (X : D -> L -> R) (σ : L -> R) l : (forall k l, gram_X X k l = if k == l then σ l else 0) -> 0 <= σ l.
Proof. by move=> orth; have := orth l l; rewrite eqxx => <-; apply: sum_ge0 => d; nra. Qed.

(** * Corollary B.7: norms *)
Lemma square_moves (u : R -> M -> R) k v e : moves t u k v e ->
  is_derive (fun s => dot (u s) (u s)) t (2 * (k * dot (u t) v - e * dot (u t) (u t))).
Proof.
move=> mu; have := is_derive_dot mu mu; set x := _ + _; have -> // : x = 2 * (k * dot (u t) v - e * dot (u t) (u t)).
by rewrite /x /dot -!sum_mull -!sum_sub -sum_mull -sum_add; apply: sum_ext => m; ring.
Qed.

(** At τ = 0: d‖[K_A]_p‖²/dt = 2c_Kσ_p²(⟨[K_A]_p, [K_B]_p⟩/(N_AN_B) − Ψ‖[K_A]_p‖²/N_A²) and d‖[K_{A,ξ}]_k‖²/dt =
    −2c_Kσ_ξ²(r/q)Ψ‖[K_{A,ξ}]_k‖²/N_A², and the same for B.
    [claim] ren2023.cor-b7  [sense] zero  [scope] any finite law with the second moments of the model, orthogonal maps *)
Theorem cor_b7_zero :
  (forall p, is_derive (fun u => dot (column_A (inl p) u) (column_A (inl p) u)) t
    (2 * c * σA (inl p) * (dot (A p) (B p) / (NA * NB) - ψ * dot (A p) (A p) / NA ^ 2))) /\
  (forall p, is_derive (fun u => dot (column_B (inl p) u) (column_B (inl p) u)) t
    (2 * c * σB (inl p) * (dot (A p) (B p) / (NA * NB) - ψ * dot (B p) (B p) / NB ^ 2))) /\
  (forall k, is_derive (fun u => dot (column_A (inr k) u) (column_A (inr k) u)) t
    (- 2 * c * σA (inr k) * (r / q) * ψ * dot (column_A (inr k) t) (column_A (inr k) t) / NA ^ 2)) /\
  (forall k, is_derive (fun u => dot (column_B (inr k) u) (column_B (inr k) u)) t
    (- 2 * c * σB (inr k) * (r / q) * ψ * dot (column_B (inr k) t) (column_B (inr k) t) / NB ^ 2)).
Proof.
split=> [p|]; last split=> [p|]; last split=> k.
- have := square_moves (signal_moves_A p); set x := 2 * _; set y := _ * (_ - _); have -> // : x = y.
  by rewrite /x /y -/(A p); field; lra.
- have := square_moves (signal_moves_B p); set x := 2 * _; set y := _ * (_ - _); have -> // : x = y.
  by rewrite /x /y -/(B p) (dotC (B p) (A p)); field; lra.
- have := square_moves (noise_moves_A k (fun=> 0)); set x := 2 * _; set y := _ / _; have -> // : x = y.
  by rewrite /x /y /y; field; lra.
- have := square_moves (noise_moves_B k (fun=> 0)); set x := 2 * _; set y := _ / _; have -> // : x = y.
  by rewrite /x /y; field; lra.
Qed.

(** At τ = 0 no noise column of either view grows when Ψ >= 0.
    [claim] ren2023.cor-b7  [sense] shrink  [scope] any finite law with the second moments of the model, orthogonal maps *)
Theorem cor_b7_shrink k k' dA dB : 0 <= ψ ->
  is_derive (fun u => dot (column_A (inr k) u) (column_A (inr k) u)) t dA ->
  is_derive (fun u => dot (column_B (inr k') u) (column_B (inr k') u)) t dB -> dA <= 0 /\ dB <= 0.
Proof.
move=> ψ0 /is_derive_unique <- /is_derive_unique <-; have [_ [_ [NA' NB']]] := cor_b7_zero.
rewrite (is_derive_unique _ _ _ (NA' k)) (is_derive_unique _ _ _ (NB' k')).
have rq : 0 < r / q by exact: Rdiv_lt_0_compat.
have le (σ n N : R) : 0 <= σ -> 0 <= n -> 0 < N -> - 2 * c * σ * (r / q) * ψ * n / N ^ 2 <= 0.
  move=> σ0 n0 N0; have -> : - 2 * c * σ * (r / q) * ψ * n / N ^ 2 = - (2 * (c * (σ * ((r / q) * (ψ * (n / N ^ 2)))))) by field; lra.
  suff : 0 <= c * (σ * ((r / q) * (ψ * (n / N ^ 2)))) by lra.
  have nn : 0 <= n / N ^ 2 by apply: Rmult_le_pos => //; apply: Rlt_le; apply: Rinv_0_lt_compat; apply: pow_lt.
  by do 4 (apply: Rmult_le_pos; first lra).
by split; apply: le => //; [exact: (strength_ge0 _ orthogonal_A) | exact: dot_ge0 | exact: (strength_ge0 _ orthogonal_B) | exact: dot_ge0].
Qed.

(** * Corollary B.8: directions *)
Definition unit_vector (v : M -> R) (m : M) : R := v m / norm v.

Lemma unit_moves (u : R -> M -> R) k v e m : moves t u k v e -> 0 < norm (u t) ->
  is_derive (fun s => unit_vector (u s) m) t (k / norm (u t) * (v m - unit_vector (u t) m * dot (unit_vector (u t)) v)).
Proof.
move=> mu pos; have n0 : 0 < dot (u t) (u t) by rewrite -norm_sq; apply: pow_lt.
have := is_derive_quotient_sqrt (mu m) (square_moves mu) n0.
have d : 2 * (k * dot (u t) v - e * dot (u t) (u t)) = 2 * k * dot (u t) v - 2 * e * dot (u t) (u t) by ring.
rewrite d (direction_moves k e (u t m) (v m) (dot (u t) v) n0) -/(norm (u t)).
suff -> : dot (unit_vector (u t)) v = dot (u t) v / norm (u t) by [].
by rewrite /dot /Rdiv -sum_mulr; apply: sum_ext => i; rewrite /unit_vector /Rdiv; ring.
Qed.

Lemma noise_direction (u : R -> M -> R) e : (forall z, moves t u 0 z e) -> 0 < norm (u t) -> forall m, is_derive (fun s => unit_vector (u s) m) t 0.
Proof.
move=> mu pos m; have := unit_moves m (mu (fun=> 0)) pos; set x := _ * _; have -> // : x = 0.
by rewrite /x /Rdiv !Rmult_0_l.
Qed.

(** At τ = 0 dK̄_{A,p}/dt = (c_Kσ_p²/(N_AN_B))(‖[K_B]_p‖/‖[K_A]_p‖)(I − K̄_{A,p}K̄_{A,p}ᵀ)K̄_{B,p} and dK̄_{A,ξ,k}/dt = 0, and the
    same for B, for columns that are not zero.
    [claim] ren2023.cor-b8  [sense] zero  [scope] any finite law with the second moments of the model, orthogonal maps *)
Theorem cor_b8_zero :
  (forall p m, 0 < norm (A p) -> 0 < norm (B p) -> let e := unit_vector (A p) in let f := unit_vector (B p) in
    is_derive (fun u => unit_vector (column_A (inl p) u) m) t
      (c * σA (inl p) / (NA * NB) * (norm (B p) / norm (A p)) * (f m - e m * dot e f)) /\
    is_derive (fun u => unit_vector (column_B (inl p) u) m) t
      (c * σB (inl p) / (NA * NB) * (norm (A p) / norm (B p)) * (e m - f m * dot e f))) /\
  (forall k m, 0 < norm (column_A (inr k) t) -> is_derive (fun u => unit_vector (column_A (inr k) u) m) t 0) /\
  (forall k m, 0 < norm (column_B (inr k) t) -> is_derive (fun u => unit_vector (column_B (inr k) u) m) t 0).
Proof.
have scaled (v w : M -> R) : 0 < norm w -> dot v w = norm w * dot v (unit_vector w).
  by move=> w0; rewrite /dot -sum_mull; apply: sum_ext => m; rewrite /unit_vector; field; lra.
split; last split; last 2 first.
- by move=> k m pos; apply: (noise_direction (fun z => noise_moves_A k z)).
- by move=> k m pos; apply: (noise_direction (fun z => noise_moves_B k z)).
move=> p m a0 b0 e f; split.
  have := unit_moves m (signal_moves_A p) a0; rewrite -/(A p) -/e (scaled e (B p) b0) -/f; set x := _ * _; set y := _ * _; have -> // : x = y.
  by rewrite /x /y /f /unit_vector; field; lra.
have := unit_moves m (signal_moves_B p) b0; rewrite -/(B p) -/f (scaled f (A p) a0) -/e (dotC f e); set x := _ * _; set y := _ * _; have -> // : x = y.
by rewrite /x /y /e /unit_vector; field; lra.
Qed.

(** At τ = 0 noise directions are constant in both views.
    [claim] ren2023.cor-b8  [sense] s2  [scope] any finite law with the second moments of the model, orthogonal maps *)
Theorem cor_b8_s2 k k' m : 0 < norm (column_A (inr k) t) -> 0 < norm (column_B (inr k') t) ->
  is_derive (fun u => unit_vector (column_A (inr k) u) m) t 0 /\ is_derive (fun u => unit_vector (column_B (inr k') u) m) t 0.
Proof. by have [_ [nA nB]] := cor_b8_zero; split; [apply: nA | apply: nB]. Qed.

(** * Lemma B.13: norms in A against norms in B *)
Lemma is_derive_ln_ratio (n m : R -> R) n' m' : is_derive n t n' -> is_derive m t m' -> 0 < n t -> 0 < m t ->
  is_derive (fun u => ln (n u / m u)) t (n' / n t - m' / m t).
Proof.
move=> Dn Dm pn pm; have p : 0 < n t / m t by apply: Rdiv_lt_0_compat.
auto_derive; first by repeat split; [exists n' | exists m' | lra | move: p; rewrite /Rdiv].
by rewrite (is_derive_unique _ _ _ Dn) (is_derive_unique _ _ _ Dm); field; lra.
Qed.

Lemma sinh_half_log x y : 0 < x -> 0 < y -> sinh (ln (x ^ 2 / y ^ 2) / 2) = (x / y - y / x) / 2.
Proof.
move=> x0 y0; have p : 0 < x / y by apply: Rdiv_lt_0_compat.
have -> : ln (x ^ 2 / y ^ 2) / 2 = ln (x / y).
  have -> : x ^ 2 / y ^ 2 = x / y * (x / y) by field; lra.
  by rewrite ln_mult //; field.
by rewrite /sinh exp_Ropp exp_ln //; field; lra.
Qed.

(** u_p = log(‖[K_A]_p‖²/‖[K_B]_p‖²) and ν = log(N_A²/N_B²). *)
Definition log_ratio (u v : M -> R) : R := ln (dot u u / dot v v).
Definition ν : R := ln (NA ^ 2 / NB ^ 2).

Lemma log_ratio_norms (u v : M -> R) : log_ratio u v = ln (norm u ^ 2 / norm v ^ 2).
Proof. by rewrite /log_ratio !norm_sq. Qed.

Lemma dot_gt0 (u : M -> R) : 0 < norm u -> 0 < dot u u.
Proof. by move=> pos; rewrite -norm_sq; apply: pow_lt. Qed.

(** At τ = 0 u̇_p = (4c_Kσ_p²/(N_AN_B))(−ρ_p sinh(u_p/2) + Ψ sinh(ν/2)), and u̇_ξ = (4c_Kσ_ξ²(r/q)/(N_AN_B))Ψ sinh(ν/2) for a
    noise column of A against one of B, where the strengths are those of both views.
    [claim] ren2023.lemma-b13  [sense] printed  [scope] any finite law with the second moments of the model, orthogonal maps, columns of the same strength in both views that are not zero *)
Theorem lemma_b13_printed :
  (forall p, σA (inl p) = σB (inl p) -> 0 < norm (A p) -> 0 < norm (B p) ->
    is_derive (fun u => log_ratio (column_A (inl p) u) (column_B (inl p) u)) t
      (4 * c * σA (inl p) / (NA * NB) * (- cosine (A p) (B p) * sinh (log_ratio (A p) (B p) / 2) + ψ * sinh (ν / 2)))) /\
  (forall k k', σA (inr k) = σB (inr k') -> 0 < norm (column_A (inr k) t) -> 0 < norm (column_B (inr k') t) ->
    is_derive (fun u => log_ratio (column_A (inr k) u) (column_B (inr k') u)) t
      (4 * c * σA (inr k) * (r / q) / (NA * NB) * ψ * sinh (ν / 2))).
Proof.
have [sA [sB [nA nB]]] := cor_b7_zero; split=> [p same a0 b0|k k' same a0 b0].
  have := is_derive_ln_ratio (sA p) (sB p) (dot_gt0 a0) (dot_gt0 b0); rewrite -same -/(A p) -/(B p).
  set x := _ - _; set y := _ * (_ + _); have -> // : x = y.
  rewrite /x /y log_ratio_norms sinh_half_log // /ν sinh_half_log //.
  have -> : dot (A p) (B p) = cosine (A p) (B p) * (norm (A p) * norm (B p)) by rewrite /cosine; field; lra.
  by rewrite -!norm_sq; field; lra.
have := is_derive_ln_ratio (nA k) (nB k') (dot_gt0 a0) (dot_gt0 b0); rewrite -same.
set x := _ - _; set y := _ * sinh _; have -> // : x = y.
have := dot_gt0 a0; have := dot_gt0 b0 => d0 e0.
by rewrite /x /y /ν sinh_half_log //; field; lra.
Qed.

(** * Lemma B.11: the noise-to-signal ratio *)

(** Ψ <= 1. *)
Lemma Ψ_le1 : ψ <= 1.
Proof.
have squares (D N : finType) (X : D -> P + N -> R) (v : P + N -> R) (W : M -> D -> R) : (forall p, v (inl p) = / r) -> (forall k, v (inr k) = / q) ->
    ∑ mp : M * P, 1 * K_of X W mp.1 (inl mp.2) ^ 2 <= r * N_sq X v W.
  move=> vs vn; rewrite -(pair_bigA _ (fun m p => 1 * K_of X W m (inl p) ^ 2)) sum_exchange /N_sq sum_sum.
  have -> : ∑ p, v (inl p) * (∑ m, K_of X W m (inl p) ^ 2) = / r * ∑ p, ∑ m, 1 * K_of X W m (inl p) ^ 2.
    rewrite -sum_mull; apply: sum_ext => p; rewrite vs; congr (_ * _); apply: sum_ext => m; ring.
  have n0 : 0 <= ∑ k, v (inr k) * (∑ m, K_of X W m (inr k) ^ 2).
    apply: sum_ge0 => k; rewrite vn; apply: Rmult_le_pos; first by apply: Rlt_le; apply: Rinv_0_lt_compat.
    by apply: sum_ge0 => m; apply: pow2_ge_0.
  rewrite Rmult_plus_distr_l -Rmult_assoc (Rinv_r r); last lra.
  by have := Rmult_le_pos _ _ (Rlt_le _ _ r_gt0) n0; lra.
have cs := cauchy_schwarz (fun mp : M * P => K_of XA (WA t) mp.1 (inl mp.2)) (fun mp => K_of XB (WB t) mp.1 (inl mp.2)) (fun=> Rle_0_1).
have sa := squares _ _ XA vA (WA t) (signals_A motion) (noises_A motion); have sb := squares _ _ XB vB (WB t) (signals_B motion) (noises_B motion).
have ea : N_sq XA vA (WA t) = NA ^ 2 by rewrite /NA /N_of /= Rmult_1_r sqrt_sqrt //; lra.
have eb : N_sq XB vB (WB t) = NB ^ 2 by rewrite /NB /N_of /= Rmult_1_r sqrt_sqrt //; lra.
rewrite ea in sa; rewrite eb in sb.
have e : ∑ i, 1 * (K_of XA (WA t) i.1 (inl i.2) * K_of XB (WB t) i.1 (inl i.2)) = ψ * (r * NA * NB).
  rewrite -(pair_bigA _ (fun m p => 1 * (K_of XA (WA t) m (inl p) * K_of XB (WB t) m (inl p)))) /= /ψ /Ψ -/NA -/NB.
  rewrite (sum_ext (G := fun m => ∑ p, K_of XA (WA t) m (inl p) * K_of XB (WB t) m (inl p))) => [|m]; first by field; lra.
  by apply: sum_ext => p; ring.
rewrite e in cs; have pos : 0 < r * NA * NB by apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat.
have ge (T : finType) (F : T -> R) : 0 <= ∑ i, 1 * F i ^ 2 by apply: sum_ge0 => i; have := pow2_ge_0 (F i); lra.
have le : (ψ * (r * NA * NB)) ^ 2 <= (r * NA * NB) ^ 2.
  apply: (Rle_trans _ _ _ cs); have -> : (r * NA * NB) ^ 2 = (r * NA ^ 2) * (r * NB ^ 2) by ring.
  by apply: Rmult_le_compat => //; apply: ge.
apply: Rnot_lt_le => lt; have : r * NA * NB < ψ * (r * NA * NB) by nra.
by move=> h; have := pow2_ge_0 (ψ * (r * NA * NB) - r * NA * NB); nra.
Qed.

Section Ratio.
Variables (p : P) (k : NOA) (k' : NOB) (σ σξ N : R).
Hypothesis same_N : NA = N /\ NB = N.
Hypothesis same_signal_strength : σA (inl p) = σ /\ σB (inl p) = σ.
Hypothesis same_noise_strength : σA (inr k) = σξ /\ σB (inr k') = σξ.

(** ‖[K_A]_p + [K_B]_p‖², the squared noise norms of both views, and E_{k,p}, their quotient. *)
Definition signal_square u : R := let s := add (column_A (inl p) u) (column_B (inl p) u) in dot s s.
Definition noise_square u : R := dot (column_A (inr k) u) (column_A (inr k) u) + dot (column_B (inr k') u) (column_B (inr k') u).
Definition ratio u : R := noise_square u / signal_square u.

(** d log‖[K_{A,ξ}]_k‖²/dt = −2c_Kσ_ξ²(r/q)Ψ/N_A².
    [claim] ren2023.lemma-b11  [sense] s1  [scope] any finite law with the second moments of the model, orthogonal maps, a noise column that is not zero *)
Theorem lemma_b11_s1 : 0 < norm (column_A (inr k) t) ->
  is_derive (fun u => ln (dot (column_A (inr k) u) (column_A (inr k) u))) t (- (2 * c * σA (inr k) * (r / q) * ψ / NA ^ 2)).
Proof.
move=> pos; have d0 := dot_gt0 pos; have [_ [_ [nA _]]] := cor_b7_zero.
have := is_derive_ln (nA k) d0; set x := _ / _; set y := - _; have -> // : x = y.
by rewrite /x /y; field; lra.
Qed.

Lemma signal_square_moves : is_derive signal_square t (2 * c * σ * (1 - ψ) / N ^ 2 * signal_square t).
Proof.
have [ea eb] := same_N; have [sa sb] := same_signal_strength; have N0 : 0 < N by rewrite -ea.
pose s u := add (column_A (inl p) u) (column_B (inl p) u).
have ms : moves t s (c * σ * (1 - ψ) / N ^ 2) (s t) 0.
  move=> m; have := is_derive_plus _ _ _ _ _ (signal_moves_A p m) (signal_moves_B p m); rewrite /plus /= sa sb ea eb.
  set x := _ + _; set y := _ - _; have -> // : x = y by rewrite /x /y /s /add /A /B; field; lra.
have := square_moves ms; set x := 2 * _; set y := _ * _; have -> // : x = y.
by rewrite /x /y /signal_square -/(s t); field; lra.
Qed.

Lemma noise_square_moves : is_derive noise_square t (- (2 * c * σξ * (r / q) * ψ / N ^ 2) * noise_square t).
Proof.
have [ea eb] := same_N; have [sa sb] := same_noise_strength; have N0 : 0 < N by rewrite -ea.
have [_ [_ [nA nB]]] := cor_b7_zero; have := is_derive_plus _ _ _ _ _ (nA k) (nB k'); rewrite /plus /= sa sb ea eb.
set x := _ + _; set y := _ * noise_square t; have -> // : x = y by rewrite /x /y /noise_square; field; lra.
Qed.

(** d log‖[K_A]_p + [K_B]_p‖²/dt = 2c_Kσ_p²(1−Ψ)/N².
    [claim] ren2023.lemma-b11  [sense] s2  [scope] any finite law with the second moments of the model, orthogonal maps, N_A = N_B, a signal of the same strength in both views, not zero *)
Theorem lemma_b11_s2 : 0 < signal_square t -> is_derive (fun u => ln (signal_square u)) t (2 * c * σ * (1 - ψ) / N ^ 2).
Proof.
move=> pos; have := is_derive_ln signal_square_moves pos; set x := _ / signal_square t; set y := _ / N ^ 2; have -> // : x = y.
by have N0 : 0 < N by [rewrite -(proj1 same_N)]; rewrite /x /y; field; lra.
Qed.

(** E is at least half of (‖[K_{A,ξ}]_k‖² + ‖[K_{B,ξ}]_k‖²)/(‖[K_A]_p‖² + ‖[K_B]_p‖²).
    [claim] ren2023.lemma-b11  [sense] s3  [scope] any columns with [K_A]_p + [K_B]_p ≠ 0 *)
Theorem lemma_b11_s3 : 0 < signal_square t ->
  1 / 2 * (noise_square t / (dot (A p) (A p) + dot (B p) (B p))) <= ratio t.
Proof.
move=> pos; set S := dot (A p) (A p) + dot (B p) (B p).
have le : signal_square t <= 2 * S.
  have := dot_ge0 (sub (A p) (B p)); rewrite /signal_square /S !dotE (dotC (column_B (inl p) t)) (dotC (B p)) /A /B; lra.
have n0 : 0 <= noise_square t by apply: Rplus_le_le_0_compat; apply: dot_ge0.
have -> : 1 / 2 * (noise_square t / S) = noise_square t * / (2 * S) by field; lra.
by apply: Rmult_le_compat_l => //; apply: Rinv_le_contravar.
Qed.

(** d log E_{k,p}/dt = −(2c_K/N²)(σ_p²(1−Ψ) + σ_ξ²(r/q)Ψ).
    [claim] ren2023.lemma-b11  [sense] printed  [scope] any finite law with the second moments of the model, orthogonal maps, N_A = N_B, a signal and noises of the same strengths in both views, not zero *)
Theorem lemma_b11_printed : 0 < signal_square t -> 0 < noise_square t ->
  is_derive (fun u => ln (ratio u)) t (- (2 * c / N ^ 2) * (σ * (1 - ψ) + σξ * (r / q) * ψ)).
Proof.
move=> s0 n0; have N0 : 0 < N by rewrite -(proj1 same_N).
have := is_derive_ln_ratio noise_square_moves signal_square_moves n0 s0; set x := _ - _; set y := - _ * _; have -> // : x = y.
by rewrite /x /y; field; lra.
Qed.

(** d log E/dt <= −(2c_K/N²) min(σ_p², σ_ξ²r/q) once Ψ >= 0.
    [claim] ren2023.lemma-b11  [sense] r3  [scope] any finite law with the second moments of the model, orthogonal maps, N_A = N_B, a signal and noises of the same strengths in both views, not zero *)
Theorem lemma_b11_r3 d : 0 <= ψ -> 0 < signal_square t -> 0 < noise_square t -> is_derive (fun u => ln (ratio u)) t d ->
  d <= - (2 * c / N ^ 2) * Rmin σ (σξ * (r / q)).
Proof.
move=> ψ0 s0 n0 /is_derive_unique <-; rewrite (is_derive_unique _ _ _ (lemma_b11_printed s0 n0)).
have N0 : 0 < N by rewrite -(proj1 same_N).
have c0 : 0 <= 2 * c / N ^ 2 by apply: Rmult_le_pos; [lra | apply: Rlt_le; apply: Rinv_0_lt_compat; apply: pow_lt].
have ψ1 := Ψ_le1; have m1 := Rmin_l σ (σξ * (r / q)); have m2 := Rmin_r σ (σξ * (r / q)); set mn := Rmin _ _ in m1 m2 *.
have : mn <= σ * (1 - ψ) + σξ * (r / q) * ψ by nra.
by move=> le; have := Rmult_le_compat_l _ _ _ c0 le; lra.
Qed.

(** E is non-increasing once Ψ >= 0.
    [claim] ren2023.lemma-b11  [sense] r1  [scope] any finite law with the second moments of the model, orthogonal maps, N_A = N_B, a signal and noises of the same strengths in both views, not zero *)
Theorem lemma_b11_r1 d : 0 <= ψ -> 0 < signal_square t -> 0 < noise_square t -> is_derive (fun u => ln (ratio u)) t d -> d <= 0.
Proof.
move=> ψ0 s0 n0 D; apply: (Rle_trans _ _ _ (lemma_b11_r3 ψ0 s0 n0 D)).
have N0 : 0 < N by rewrite -(proj1 same_N).
have c0 : 0 <= 2 * c / N ^ 2 by apply: Rmult_le_pos; [lra | apply: Rlt_le; apply: Rinv_0_lt_compat; apply: pow_lt].
have rq : 0 < r / q by exact: Rdiv_lt_0_compat.
have m0 : 0 <= Rmin σ (σξ * (r / q)).
  apply: Rmin_glb; first by rewrite -(proj1 same_signal_strength); exact: (strength_ge0 _ orthogonal_A).
  by apply: Rmult_le_pos; [rewrite -(proj1 same_noise_strength); exact: (strength_ge0 _ orthogonal_A) | lra].
by have := Rmult_le_pos _ _ c0 m0; lra.
Qed.
End Ratio.
End Motion.

(** * A motion at τ = 0 with all that it is made of: the controls speak of these *)
Record cold_flow := Flow {
  M_ : finType; DA_ : finType; DB_ : finType; P_ : finType; NOA_ : finType; NOB_ : finType; I_ : finType; J_ : finType; O_ : finType;
  XA_ : DA_ -> P_ + NOA_ -> R; vA_ : P_ + NOA_ -> R; XB_ : DB_ -> P_ + NOB_ -> R; vB_ : P_ + NOB_ -> R;
  π_ : O_ -> R; a_ : O_ -> I_; b_ : O_ -> J_; yA_ : I_ -> P_ + NOA_ -> R; yB_ : J_ -> P_ + NOB_ -> R;
  r_ : R; q_ : R; K_ : R; WA_ : R -> M_ -> DA_ -> R; WB_ : R -> M_ -> DB_ -> R; now : R;
  σ_A : P_ + NOA_ -> R; σ_B : P_ + NOB_ -> R; GA_ : M_ -> DA_ -> R; GB_ : M_ -> DB_ -> R;
  moving : cold_motion XA_ vA_ XB_ vB_ π_ a_ b_ yA_ yB_ r_ q_ K_ WA_ WB_ now σ_A σ_B GA_ GB_ }.
Arguments XA_ : clear implicits. Arguments vA_ : clear implicits. Arguments XB_ : clear implicits. Arguments vB_ : clear implicits.
Arguments WA_ : clear implicits. Arguments WB_ : clear implicits. Arguments σ_A : clear implicits. Arguments σ_B : clear implicits.

(** Its columns of signals and of noises, N_A, N_B, Ψ, c_K, and c_p = c_Kσ_p²/(N_AN_B). *)
Unset Implicit Arguments.
Section OfFlow.
Variable F : cold_flow.
Definition k_A p : R -> M_ F -> R := column_A (XA_ F) (WA_ F) (inl p).
Definition k_B p : R -> M_ F -> R := column_B (XB_ F) (WB_ F) (inl p).
Definition n_A k : R -> M_ F -> R := column_A (XA_ F) (WA_ F) (inr k).
Definition N_A : R := N_of (XA_ F) (vA_ F) (WA_ F (now F)).
Definition N_B : R := N_of (XB_ F) (vB_ F) (WB_ F (now F)).
Definition Psi : R := Ψ (XA_ F) (vA_ F) (XB_ F) (vB_ F) (r_ F) (WA_ F (now F)) (WB_ F (now F)).
Definition c_K : R := c_of (K_ F).
Definition pull p : R := c_K * σ_A F (inl p) / (N_A * N_B).
End OfFlow.
Set Implicit Arguments.
Ltac opened := cbv beta iota zeta delta [k_A k_B n_A N_A N_B Psi c_K pull XA_ vA_ XB_ vB_ r_ q_ K_ WA_ WB_ now σ_A σ_B].

(** * Controls: one row, one signal and one noise of strength 4 in both views, z = 1 and ξ = 0, K = r = q = 1; the columns are
    (x, y) in view A and (x', y') in view B, with x² + y² = x'² + y'² = 1 *)
Definition map_x (d : bool) (l : unit + unit) : R := if l is inl _ then (if d then 1 else 0) else (if d then 0 else 2).
Definition weights (x y : R) (m : unit) (d : bool) : R := if d then x else y / 2.
Definition σ_x (l : unit + unit) : R := if l is inl _ then 1 else 4.

Lemma K_x x y m l : K_of map_x (weights x y) m l = if l is inl _ then x else y.
Proof. by rewrite /K_of sum_bool /map_x /weights; case: l => _; field. Qed.
Lemma N_x x y : x ^ 2 + y ^ 2 = 1 -> N_sq map_x (fun=> 1) (weights x y) = 1.
Proof. by move=> e; rewrite /N_sq sum_sum !sum_unit !K_x -[RHS]e; ring. Qed.
Lemma gram_x (k l : unit + unit) : gram_X map_x k l = if k == l then σ_x l else 0.
Proof. by rewrite /gram_X sum_bool /map_x /σ_x; case: k => -[]; case: l => -[] /=; ring. Qed.

(** −∇L_nc, and the weights that move along it. *)
Definition slope x y x' y' (m : unit) (d : bool) : R :=
  - (∑ p : unit, K_of map_x (weights x' y') m (inl p) * map_x d (inl p))
    / (1 * N_of map_x (fun=> 1) (weights x y) * N_of map_x (fun=> 1) (weights x' y'))
  + Ψ map_x (fun=> 1) map_x (fun=> 1) 1 (weights x y) (weights x' y') * normal_part map_x (fun=> 1) (weights x y) m d / N_of map_x (fun=> 1) (weights x y) ^ 2.
Definition moved x y x' y' (u : R) (m : unit) (d : bool) : R := weights x y m d + u * (- (c_of 1 * 1) * slope x y x' y' m d).

Lemma moved_0 x y x' y' : moved x y x' y' 0 = weights x y.
Proof. by do 2 (apply: FunctionalExtensionality.functional_extensionality => ?); rewrite /moved; ring. Qed.

Section Example.
Variables x y x' y' : R.
Hypothesis n1 : x ^ 2 + y ^ 2 = 1.
Hypothesis n1' : x' ^ 2 + y' ^ 2 = 1.

Lemma example : cold_motion map_x (fun=> 1) map_x (fun=> 1) sure id id y_nc y_nc 1 1 1 (moved x y x' y') (moved x' y' x y) 0 σ_x σ_x
  (slope x y x' y') (slope x' y' x y).
Proof.
have pA : 0 < N_sq map_x (fun=> 1) (weights x y) by rewrite N_x; lra.
have pB : 0 < N_sq map_x (fun=> 1) (weights x' y') by rewrite N_x; lra.
have gA := lemma_a6_A Rlt_0_1 pA pB moments_nc.
have gB := lemma_a6_A Rlt_0_1 pB pA (moments_exchange moments_nc).
by split; rewrite ?moved_0 ?Rinv_1 //; try lra; try exact: moments_nc; try exact: gram_x;
  try (by move=> m d; rewrite /moved; auto_derive => //; ring);
  try (apply: (gradient_ext _ _ gB) => [V|//]; exact: loss_nc_exchange).
Qed.

Lemma N_1 : N_of map_x (fun=> 1) (moved x y x' y' 0) = 1.
Proof. by rewrite moved_0 /N_of N_x // sqrt_1. Qed.
Lemma N_1' : N_of map_x (fun=> 1) (moved x' y' x y 0) = 1.
Proof. by rewrite moved_0 /N_of N_x // sqrt_1. Qed.
Lemma Ψ_x : Ψ map_x (fun=> 1) map_x (fun=> 1) 1 (moved x y x' y' 0) (moved x' y' x y 0) = x * x'.
Proof. by rewrite /Ψ !moved_0 /N_of !N_x // sqrt_1 !sum_unit !K_x; field. Qed.
Lemma column_x l u0 m : u0 = 0 -> column_A map_x (moved x y x' y') l u0 m = if l is inl _ then x else y.
Proof. by move=> ->; rewrite /column_A moved_0 K_x. Qed.
End Example.

Lemma c_1 : c_of 1 = 1. Proof. by rewrite /c_of; field. Qed.

(** Equal columns (3, 4)/5, where Ψ = 9/25, and the columns (3, 4)/5 and (−4, 3)/5, where Ψ = −12/25. *)
Definition equal_columns := @example (3 / 5) (4 / 5) (3 / 5) (4 / 5) ltac:(field) ltac:(field).
Definition opposed_columns := @example (3 / 5) (4 / 5) (- 4 / 5) (3 / 5) ltac:(field) ltac:(field).

Ltac values := opened; rewrite ?/signal_square ?/noise_square /dot ?sum_unit ?/unit_vector ?/norm ?/dot ?sum_unit ?/add ?/column_A ?/column_B ?/Ψ ?moved_0 ?/N_of ?N_x ?sqrt_1 ?sum_unit ?K_x ?c_1 ?/σ_x; try lra.

(** Control factor: one per cent more. *)
Theorem cor_b7_zero_control : ~ (forall (F : cold_flow) p, is_derive (fun u => dot (k_A F p u) (k_A F p u)) (now F) (101 / 100 * (2 * c_K F * σ_A F (inl p) *
    (dot (k_A F p (now F)) (k_B F p (now F)) / (N_A F * N_B F) - Psi F * dot (k_A F p (now F)) (k_A F p (now F)) / N_A F ^ 2)))).
Proof.
move=> /(_ (Flow equal_columns) tt) /is_derive_unique; opened.
by rewrite (is_derive_unique _ _ _ (proj1 (cor_b7_zero equal_columns) tt)); values.
Qed.

(** Control n3: noise columns never grow, whatever Ψ. *)
Theorem cor_b7_shrink_control : ~ (forall (F : cold_flow) k d, is_derive (fun u => dot (n_A F k u) (n_A F k u)) (now F) d -> d <= 0).
Proof.
have [_ [_ [nA _]]] := cor_b7_zero opposed_columns.
by move=> /(_ (Flow opposed_columns) tt _ (nA tt)); values.
Qed.

(** I − K̄K̄ᵀ left out. *)
Theorem cor_b8_zero_control : ~ (forall (F : cold_flow) p m, 0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) ->
    is_derive (fun u => unit_vector (k_A F p u) m) (now F)
      (c_K F * σ_A F (inl p) / (N_A F * N_B F) * (norm (k_B F p (now F)) / norm (k_A F p (now F))) * unit_vector (k_B F p (now F)) m)).
Proof.
have one z : norm (fun _ : unit => z) = Rabs z by rewrite /norm /dot sum_unit -/(Rsqr z) sqrt_Rsqr_abs.
have e := @column_x (3 / 5) (4 / 5) (3 / 5) (4 / 5).
have eA : column_A map_x (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) (inl tt) 0 = fun=> 3 / 5.
  by apply: FunctionalExtensionality.functional_extensionality => m; rewrite e.
have pos : 0 < norm (column_A map_x (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) (inl tt) 0) by rewrite eA one Rabs_pos_eq; lra.
move=> /(_ (Flow equal_columns) tt tt pos pos) /is_derive_unique; opened.
have [right _] := proj1 (cor_b8_zero equal_columns) tt tt pos pos; rewrite (is_derive_unique _ _ _ right).
by rewrite (eA : column_B map_x _ (inl tt) 0 = _) eA /unit_vector one Rabs_pos_eq; values.
Qed.

(** Noise columns themselves are not constant. *)
Theorem cor_b8_s2_control : ~ (forall (F : cold_flow) k m, 0 < norm (n_A F k (now F)) -> is_derive (fun u => n_A F k u m) (now F) 0).
Proof.
have pos : 0 < norm (column_A map_x (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) (inr tt) 0).
  by apply: sqrt_lt_R0; rewrite /dot sum_unit column_x //; lra.
move=> /(_ (Flow equal_columns) tt tt pos) /is_derive_unique; opened.
by rewrite (is_derive_unique _ _ _ (noise_moves_A equal_columns tt (fun=> 0) tt)); values.
Qed.

(** Control factor: one per cent more. *)
Theorem lemma_b13_printed_control : ~ (forall (F : cold_flow) p, σ_A F (inl p) = σ_B F (inl p) -> 0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) ->
    is_derive (fun u => log_ratio (k_A F p u) (k_B F p u)) (now F)
      (101 / 100 * (4 * c_K F * σ_A F (inl p) / (N_A F * N_B F) * (- cosine (k_A F p (now F)) (k_B F p (now F))
        * sinh (log_ratio (k_A F p (now F)) (k_B F p (now F)) / 2) + Psi F * sinh (ln (N_A F ^ 2 / N_B F ^ 2) / 2))))).
Proof.
have pA : 0 < dot (column_A map_x (moved (3 / 5) (4 / 5) (- 4 / 5) (3 / 5)) (inl tt) 0) (column_A map_x (moved (3 / 5) (4 / 5) (- 4 / 5) (3 / 5)) (inl tt) 0).
  by rewrite /dot sum_unit column_x //; lra.
have pB : 0 < dot (column_B map_x (moved (- 4 / 5) (3 / 5) (3 / 5) (4 / 5)) (inl tt) 0) (column_B map_x (moved (- 4 / 5) (3 / 5) (3 / 5) (4 / 5)) (inl tt) 0).
  by rewrite /dot sum_unit /column_B moved_0 K_x; lra.
move=> /(_ (Flow opposed_columns) tt erefl (sqrt_lt_R0 _ pA) (sqrt_lt_R0 _ pB)) /is_derive_unique; opened.
have right := proj1 (lemma_b13_printed opposed_columns) tt erefl (sqrt_lt_R0 _ pA) (sqrt_lt_R0 _ pB); rewrite (is_derive_unique _ _ _ right).
have [sA [sB _]] := cor_b7_zero opposed_columns; have D := is_derive_ln_ratio (sA tt) (sB tt) pA pB.
have := is_derive_unique _ _ _ right; rewrite (is_derive_unique _ _ _ D); cbv zeta; set y := _ * (_ + _) => value wrong.
have : y = 0 by lra.
by rewrite -value; values.
Qed.

(** The quantities of Lemma B.11 at equal columns. *)
Lemma signal_square_equal : signal_square map_x map_x (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) tt 0 = 36 / 25.
Proof. by values. Qed.
Lemma noise_square_equal : noise_square map_x map_x (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) tt tt 0 = 32 / 25.
Proof. by values. Qed.

Lemma same_N x y x' y' : x ^ 2 + y ^ 2 = 1 -> x' ^ 2 + y' ^ 2 = 1 ->
  N_of map_x (fun=> 1) (moved x y x' y' 0) = 1 /\ N_of map_x (fun=> 1) (moved x' y' x y 0) = 1.
Proof. by move=> n n'; rewrite N_1 // N_1'. Qed.

Definition same_N_equal := @same_N (3 / 5) (4 / 5) (3 / 5) (4 / 5) ltac:(field) ltac:(field).
Definition same_N_opposed := @same_N (3 / 5) (4 / 5) (- 4 / 5) (3 / 5) ltac:(field) ltac:(field).
Lemma signal_equal_gt0 : 0 < signal_square map_x map_x (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) tt 0.
Proof. by rewrite signal_square_equal; lra. Qed.
Lemma noise_equal_gt0 : 0 < noise_square map_x map_x (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) tt tt 0.
Proof. by rewrite noise_square_equal; lra. Qed.

(** d log E/dt at equal columns, −104/25. *)
Definition equal_rate := lemma_b11_printed equal_columns same_N_equal (conj erefl erefl) (conj erefl erefl) signal_equal_gt0 noise_equal_gt0.

(** One per cent more. *)
Theorem lemma_b11_s2_control : ~ (forall (F : cold_flow) p k k' σ σξ N, N_A F = N /\ N_B F = N -> σ_A F (inl p) = σ /\ σ_B F (inl p) = σ -> σ_A F (inr k) = σξ /\ σ_B F (inr k') = σξ ->
  0 < signal_square (XA_ F) (XB_ F) (WA_ F) (WB_ F) p (now F) -> 0 < noise_square (XA_ F) (XB_ F) (WA_ F) (WB_ F) k k' (now F) ->
  is_derive (fun u => ln (signal_square (XA_ F) (XB_ F) (WA_ F) (WB_ F) p u)) (now F) (101 / 100 * (2 * c_K F * σ * (1 - Psi F) / N ^ 2))).
Proof.
move=> /(_ (Flow equal_columns) tt tt tt _ _ _ same_N_equal (conj erefl erefl) (conj erefl erefl) signal_equal_gt0 noise_equal_gt0) /is_derive_unique; opened.
by rewrite (is_derive_unique _ _ _ (lemma_b11_s2 equal_columns same_N_equal (conj erefl erefl) signal_equal_gt0)); values.
Qed.

(** The whole of the plain ratio. *)
Theorem lemma_b11_s3_control : ~ (forall (M DA DB P NOA NOB : finType) (XA : DA -> P + NOA -> R) (XB : DB -> P + NOB -> R)
  (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) t p k k', 0 < signal_square XA XB WA WB p t ->
  noise_square XA XB WA WB k k' t / (dot (column_A XA WA (inl p) t) (column_A XA WA (inl p) t) + dot (column_B XB WB (inl p) t) (column_B XB WB (inl p) t))
    <= ratio XA XB WA WB p k k' t).
Proof.
by move=> /(_ _ _ _ _ _ _ _ _ _ _ _ tt tt tt signal_equal_gt0); rewrite /ratio signal_square_equal noise_square_equal; values.
Qed.

(** Control n2: without the second term. *)
Theorem lemma_b11_printed_control : ~ (forall (F : cold_flow) p k k' σ σξ N, N_A F = N /\ N_B F = N -> σ_A F (inl p) = σ /\ σ_B F (inl p) = σ -> σ_A F (inr k) = σξ /\ σ_B F (inr k') = σξ ->
  0 < signal_square (XA_ F) (XB_ F) (WA_ F) (WB_ F) p (now F) -> 0 < noise_square (XA_ F) (XB_ F) (WA_ F) (WB_ F) k k' (now F) ->
  is_derive (fun u => ln (ratio (XA_ F) (XB_ F) (WA_ F) (WB_ F) p k k' u)) (now F) (- (2 * c_K F / N ^ 2) * (σ * (1 - Psi F)))).
Proof.
move=> /(_ (Flow equal_columns) tt tt tt _ _ _ same_N_equal (conj erefl erefl) (conj erefl erefl) signal_equal_gt0 noise_equal_gt0) /is_derive_unique; opened.
by rewrite (is_derive_unique _ _ _ equal_rate); values.
Qed.

(** The larger of the two rates. *)
Theorem lemma_b11_r3_control : ~ (forall (F : cold_flow) p k k' σ σξ N, N_A F = N /\ N_B F = N -> σ_A F (inl p) = σ /\ σ_B F (inl p) = σ -> σ_A F (inr k) = σξ /\ σ_B F (inr k') = σξ ->
  0 < signal_square (XA_ F) (XB_ F) (WA_ F) (WB_ F) p (now F) -> 0 < noise_square (XA_ F) (XB_ F) (WA_ F) (WB_ F) k k' (now F) ->
  0 <= Psi F -> forall d, is_derive (fun u => ln (ratio (XA_ F) (XB_ F) (WA_ F) (WB_ F) p k k' u)) (now F) d -> d <= - (2 * c_K F / N ^ 2) * Rmax σ (σξ * (r_ F / q_ F))).
Proof.
have ψ0 : 0 <= Ψ map_x (fun=> 1) map_x (fun=> 1) 1 (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5) 0) (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5) 0) by rewrite Ψ_x; lra.
move=> /(_ (Flow equal_columns) tt tt tt _ _ _ same_N_equal (conj erefl erefl) (conj erefl erefl) signal_equal_gt0 noise_equal_gt0 ψ0 _ equal_rate); opened.
by rewrite Rmax_right; values.
Qed.

(** Control "negative": E is non-increasing for every Ψ. *)
Theorem lemma_b11_r1_control : ~ (forall (F : cold_flow) p k k' σ σξ N, N_A F = N /\ N_B F = N -> σ_A F (inl p) = σ /\ σ_B F (inl p) = σ -> σ_A F (inr k) = σξ /\ σ_B F (inr k') = σξ ->
  0 < signal_square (XA_ F) (XB_ F) (WA_ F) (WB_ F) p (now F) -> 0 < noise_square (XA_ F) (XB_ F) (WA_ F) (WB_ F) k k' (now F) ->
  forall d, is_derive (fun u => ln (ratio (XA_ F) (XB_ F) (WA_ F) (WB_ F) p k k' u)) (now F) d -> d <= 0).
Proof.
have s0 : 0 < signal_square map_x map_x (moved (3 / 5) (4 / 5) (- 4 / 5) (3 / 5)) (moved (- 4 / 5) (3 / 5) (3 / 5) (4 / 5)) tt 0 by values.
have n0 : 0 < noise_square map_x map_x (moved (3 / 5) (4 / 5) (- 4 / 5) (3 / 5)) (moved (- 4 / 5) (3 / 5) (3 / 5) (4 / 5)) tt tt 0 by values.
have rate := lemma_b11_printed opposed_columns same_N_opposed (conj erefl erefl) (conj erefl erefl) s0 n0.
by move=> /(_ (Flow opposed_columns) tt tt tt _ _ _ same_N_opposed (conj erefl erefl) (conj erefl erefl) s0 n0 _ rate); values.
Qed.
