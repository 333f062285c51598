(** Ren and Li, Lemma A.5: the norm and the direction of a column of K_A along the flow Ẇ_A = −(r/τ²)∇_{W_A}L, and of K_B.
    [l] is any latent coordinate: for a signal r·v_l = 1 and σ²_l = σ_p², for a noise r·v_l = r/q and σ²_l = σ_ξ². *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Calculus Contrapositive.Tactics Contrapositive.ren2023.Model Contrapositive.ren2023.Gradients
  Contrapositive.ren2023.Dynamics.
Set Implicit Arguments. Unset Strict Implicit.

Lemma is_derive_quotient_sqrt (g n : R -> R) t d e : is_derive g t d -> is_derive n t e -> 0 < n t ->
  is_derive (fun u => g u / sqrt (n u)) t (d / sqrt (n t) - g t * e / (2 * n t * sqrt (n t))).
Proof.
move=> Dg Dn pos; have s0 := sqrt_lt_R0 _ pos; have ss := sqrt_sqrt _ (Rlt_le _ _ pos).
auto_derive; first by repeat split => //; [exists d | exists e | lra].
rewrite (is_derive_unique _ _ _ Dg) (is_derive_unique _ _ _ Dn).
by move: (g t) (n t) (sqrt (n t)) s0 ss => gt nt rt r0 <-; field; lra.
Qed.

(** The radial part of a velocity c V − e k drops out of the direction k/√n. *)
Lemma direction_moves c e k V kV n : 0 < n ->
  (c * V - e * k) / sqrt n - k * (2 * c * kV - 2 * e * n) / (2 * n * sqrt n) = c / sqrt n * (V - k / sqrt n * (kV / sqrt n)).
Proof.
move=> pos; have s0 := sqrt_lt_R0 _ pos; have ss := sqrt_sqrt _ (Rlt_le _ _ pos).
by move: (sqrt n) s0 ss => rt rt0 <-; field; lra.
Qed.

Section Columns.
Variables (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R).
Variables (r τ2 K : R) (W : R -> M -> DA -> R) (WB : M -> DB -> R) (t : R) (G : M -> DA -> R) (σ2 : LA -> R) (l : LA).
Hypothesis K_gt0 : 0 < K.
Hypothesis α_law : is_law α.
Hypothesis β_law : is_law β.
Hypothesis τ2_gt0 : 0 < τ2.
Hypothesis posA : 0 < N_sq XA vA (W t).
Hypothesis posB : 0 < N_sq XB vB WB.
Hypothesis orthogonal : forall k l, gram_X XA k l = if k == l then σ2 l else 0.

(** At time t the weights of view A move against the gradient. *)
Hypothesis gradient : is_gradient (loss_A XA vA XB vB π a b α β yA yB τ2 K WB) (W t) G.
Hypothesis flow : forall m d, is_derive (fun u => W u m d) t (- (r / τ2) * G m d).

Let NA := N_of XA vA (W t).
Let NB := N_of XB vB WB.
Let k m := K_of XA (W t) m l.
Let V m := KBQ XA vA XB vB π a b α β yA yB r τ2 K (W t) WB m l.
Let Q0 := Q_0 XA vA XB vB π a b α β yA yB τ2 K (W t) WB.
Let sq := ∑ m, k m ^ 2.

Lemma column_moves m : is_derive (fun u => K_of XA (W u) m l) t
  (σ2 l / (NA * NB) * V m - σ2 l * Q0 * (r * vA l) / NA ^ 2 * k m).
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
have -> : σ2 l / (NA * NB) * V m - σ2 l * Q0 * (r * vA l) / NA ^ 2 * k m = - (r / τ2) * times_X XA G m l.
  rewrite (cor_a4_A r K_gt0 α_law β_law τ2_gt0 posA posB orthogonal m l gradient).
  by rewrite -/NA -/NB -/(V m) -/(k m) -/Q0; field; lra.
exact: is_derive_K flow.
Qed.

Lemma norm_moves : is_derive (fun u => ∑ m, K_of XA (W u) m l ^ 2) t
  (2 * σ2 l / (NA * NB) * dot k V - 2 * σ2 l * (r * vA l) * Q0 / NA ^ 2 * sq).
Proof.
have -> : 2 * σ2 l / (NA * NB) * dot k V - 2 * σ2 l * (r * vA l) * Q0 / NA ^ 2 * sq
  = ∑ m, 2 * k m * (σ2 l / (NA * NB) * V m - σ2 l * Q0 * (r * vA l) / NA ^ 2 * k m).
  by rewrite /dot /sq -!sum_mull -sum_sub; apply: sum_ext => m; rewrite /Rdiv; ring.
by apply: is_derive_sum => m; apply: (is_derive_square (g := fun u => K_of XA (W u) m l)); apply: column_moves.
Qed.

Lemma direction_along_flow m : 0 < sq -> is_derive (fun u => K_of XA (W u) m l / sqrt (∑ m, K_of XA (W u) m l ^ 2)) t
  (σ2 l / (NA * NB * sqrt sq) * (V m - k m / sqrt sq * (dot k V / sqrt sq))).
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
move=> pos; have s0 := sqrt_lt_R0 _ pos.
have -> : σ2 l / (NA * NB * sqrt sq) = σ2 l / (NA * NB) / sqrt sq by field; lra.
rewrite -(direction_moves _ (σ2 l * Q0 * (r * vA l) / NA ^ 2)) //.
have -> : 2 * (σ2 l / (NA * NB)) * dot k V - 2 * (σ2 l * Q0 * (r * vA l) / NA ^ 2) * sq
  = 2 * σ2 l / (NA * NB) * dot k V - 2 * σ2 l * (r * vA l) * Q0 / NA ^ 2 * sq by field; lra.
exact: is_derive_quotient_sqrt (column_moves m) norm_moves pos.
Qed.

(** A signal column. *)
Lemma lemma_a5_A : vA l = / r -> r <> 0 -> 0 < sq ->
  is_derive (fun u => ∑ m, K_of XA (W u) m l ^ 2) t (2 * σ2 l / (NA * NB) * dot k V - 2 * σ2 l * Q0 / NA ^ 2 * sq) /\
  forall m, is_derive (fun u => K_of XA (W u) m l / sqrt (∑ m, K_of XA (W u) m l ^ 2)) t
    (σ2 l / (NA * NB * sqrt sq) * (V m - k m / sqrt sq * (dot k V / sqrt sq))).
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
move=> vl r0 pos; split=> [|m].
  by have := norm_moves; rewrite vl; have -> : 2 * σ2 l * (r * / r) * Q0 = 2 * σ2 l * Q0 by field.
exact: direction_along_flow.
Qed.

(** A noise column, with σ_ξ² and Q_0 r/q. *)
Lemma lemma_a5_noise_A q : vA l = / q -> 0 < sq ->
  is_derive (fun u => ∑ m, K_of XA (W u) m l ^ 2) t (2 * σ2 l / (NA * NB) * dot k V - 2 * σ2 l * (Q0 * r / q) / NA ^ 2 * sq) /\
  forall m, is_derive (fun u => K_of XA (W u) m l / sqrt (∑ m, K_of XA (W u) m l ^ 2)) t
    (σ2 l / (NA * NB * sqrt sq) * (V m - k m / sqrt sq * (dot k V / sqrt sq))).
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
move=> vl pos; split=> [|m].
  by have := norm_moves; rewrite vl; have -> // : 2 * σ2 l * (r * / q) * Q0 = 2 * σ2 l * (Q0 * r / q) by rewrite /Rdiv; ring.
exact: direction_along_flow.
Qed.
End Columns.

(** * Both views *)

(** At time t, for the column k = [K]_l and its square sq = ‖k‖²: d sq/dt = 2c⟨k, V⟩ − 2e sq, and the direction k̄ = k/‖k‖ has
    dk̄/dt = (c/‖k‖)(I − k̄k̄ᵀ)V. *)
Definition radial_and_tangential (M D L : finType) (X : D -> L -> R) (W : R -> M -> D -> R) (t : R) (l : L) (c e : R) (V : M -> R) : Prop :=
  let k m := K_of X (W t) m l in let sq := ∑ m, k m ^ 2 in
  is_derive (fun u => ∑ m, K_of X (W u) m l ^ 2) t (2 * c * dot k V - 2 * e * sq) /\
  forall m, is_derive (fun u => K_of X (W u) m l / sqrt (∑ m, K_of X (W u) m l ^ 2)) t
    (c / sqrt sq * (V m - k m / sqrt sq * (dot k V / sqrt sq))).

Section BothViews.
Variables (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R).
Variables (r τ2 K : R) (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) (t : R) (σA : LA -> R) (σB : LB -> R).
Hypothesis K_gt0 : 0 < K.
Hypothesis α_law : is_law α.
Hypothesis β_law : is_law β.
Hypothesis τ2_gt0 : 0 < τ2.
Hypothesis posA : 0 < N_sq XA vA (WA t).
Hypothesis posB : 0 < N_sq XB vB (WB t).
Hypothesis orthogonal_A : forall k l, gram_X XA k l = if k == l then σA l else 0.
Hypothesis orthogonal_B : forall k l, gram_X XB k l = if k == l then σB l else 0.
Let L : (M -> DA -> R) -> (M -> DB -> R) -> R := latent_loss XA vA XB vB π a b α β yA yB τ2 K.
Variables (GA : M -> DA -> R) (GB : M -> DB -> R).
Hypothesis gradient_A : is_gradient (fun V => L V (WB t)) (WA t) GA.
Hypothesis gradient_B : is_gradient (L (WA t)) (WB t) GB.
Hypothesis flow_A : forall m d, is_derive (fun u => WA u m d) t (- (r / τ2) * GA m d).
Hypothesis flow_B : forall m d, is_derive (fun u => WB u m d) t (- (r / τ2) * GB m d).
Let KA := K_of XA (WA t).
Let KB := K_of XB (WB t).
Let NA := N_of XA vA (WA t).
Let NB := N_of XB vB (WB t).
Let q := Q XA vA XB vB π a b α β yA yB r τ2 K (WA t) (WB t).
Let q_0 := Q_0 XA vA XB vB π a b α β yA yB τ2 K (WA t) (WB t).

(** v_p and y_k: columns of [K_B | K_{B,ξ}]Q and of [K_A | K_{A,ξ}]Qᵀ. *)
Let pull_A l m := ∑ k, KB m k * q k l.
Let pull_B l m := ∑ k, KA m k * q l k.

Lemma columns_both :
  (forall l, 0 < ∑ m, KA m l ^ 2 -> radial_and_tangential XA WA t l (σA l / (NA * NB)) (σA l * q_0 * (r * vA l) / NA ^ 2) (pull_A l)) /\
  (forall l, 0 < ∑ m, KB m l ^ 2 -> radial_and_tangential XB WB t l (σB l / (NA * NB)) (σB l * q_0 * (r * vB l) / NB ^ 2) (pull_B l)).
Proof.
have na : 0 < NA by apply: sqrt_lt_R0. have nb : 0 < NB by apply: sqrt_lt_R0.
have eq_derive (f : R -> R) (d d' : R) : is_derive f t d -> d = d' -> is_derive f t d' by move=> D <-.
split=> l pos; have s0 := sqrt_lt_R0 _ pos; split=> [|m].
- have D : is_derive _ t (2 * σA l / (NA * NB) * dot (KA^~ l) (pull_A l) - 2 * σA l * (r * vA l) * q_0 / NA ^ 2 * ∑ m, KA m l ^ 2)
    := norm_moves l K_gt0 α_law β_law τ2_gt0 posA posB orthogonal_A gradient_A flow_A.
  by apply: (eq_derive _ _ _ D); rewrite -/KA /Rdiv; ring.
- have D : is_derive _ t (σA l / (NA * NB * sqrt (∑ m, KA m l ^ 2)) * (pull_A l m - KA m l / sqrt (∑ m, KA m l ^ 2) * (dot (KA^~ l) (pull_A l) / sqrt (∑ m, KA m l ^ 2))))
    := direction_along_flow K_gt0 α_law β_law τ2_gt0 posA posB orthogonal_A gradient_A flow_A m pos.
  by apply: (eq_derive _ _ _ D); rewrite -/KA; congr (_ * _); field; lra.
all: have grad := gradient_exchange gradient_B.
all: have e : (fun m => KBQ XB vB XA vA π b a β α yB yA r τ2 K (WB t) (WA t) m l) = pull_B l
       by apply: FunctionalExtensionality.functional_extensionality => n; apply: sum_ext => k; rewrite Q_exchange.
- have := norm_moves l K_gt0 β_law α_law τ2_gt0 posB posA orthogonal_B grad flow_B; rewrite Q_0_exchange -/q_0 e => D.
  by apply: (eq_derive _ _ _ D); rewrite -/NA -/NB -/KB; field; lra.
- have := direction_along_flow K_gt0 β_law α_law τ2_gt0 posB posA orthogonal_B grad flow_B m pos; have em := congr1 (@^~ m) e.
  rewrite /= in em; rewrite em e => D.
  by apply: (eq_derive _ _ _ D); rewrite -/NA -/NB -/KB; congr (_ * _); field; lra.
Qed.

(** For signals, v_l = 1/r:
      d/dt‖[K_A]_p‖² = (2σ_p²/(N_AN_B))⟨[K_A]_p, v_p⟩ − (2σ_p²Q_0/N_A²)‖[K_A]_p‖²  and
      d/dt K̄_{A,p} = (σ_p²/(N_AN_B‖[K_A]_p‖))(I − K̄K̄ᵀ)v_p,
    and the same for B with Qᵀ.
    [claim] ren2023.lemma-a5  [sense] printed  [scope] any finite laws, orthogonal maps *)
Theorem lemma_a5_printed : r <> 0 ->
  (forall p, vA p = / r -> 0 < ∑ m, KA m p ^ 2 ->
    radial_and_tangential XA WA t p (σA p / (NA * NB)) (σA p * q_0 / NA ^ 2) (pull_A p)) /\
  (forall p, vB p = / r -> 0 < ∑ m, KB m p ^ 2 ->
    radial_and_tangential XB WB t p (σB p / (NA * NB)) (σB p * q_0 / NB ^ 2) (pull_B p)).
Proof.
move=> r0; have [A B] := columns_both.
have e v : v = / r -> r * v = 1 by move=> ->; rewrite Rinv_r.
by split=> p /e v1 pos; [have := A p pos | have := B p pos]; rewrite v1 Rmult_1_r.
Qed.

(** The same for noise columns, v_l = 1/q, with σ_ξ², y_k and Q_0 r/q.
    [claim] ren2023.lemma-a5  [sense] noise  [scope] any finite laws, orthogonal maps *)
Theorem lemma_a5_noise n :
  (forall k, vA k = / n -> 0 < ∑ m, KA m k ^ 2 ->
    radial_and_tangential XA WA t k (σA k / (NA * NB)) (σA k * (q_0 * r / n) / NA ^ 2) (pull_A k)) /\
  (forall k, vB k = / n -> 0 < ∑ m, KB m k ^ 2 ->
    radial_and_tangential XB WB t k (σB k / (NA * NB)) (σB k * (q_0 * r / n) / NB ^ 2) (pull_B k)).
Proof.
have [A B] := columns_both.
by split=> k v1 pos; [have := A k pos | have := B k pos]; rewrite v1 -/(Rdiv r n) /Rdiv -!Rmult_assoc.
Qed.
End BothViews.

(** * Controls: the example of the dynamics, moved along a line; ‖K‖² = 4 in place of ‖K‖ = 2 *)
Definition G_example := fun m d => - 1 * bracket sure (fun=> tt) (fun=> true) sure (point false) 1 1
  (similarity map_2 v_4 (fun _ : unit => input map_2 (fun=> 1)) (feature_B one_map (fun=> 1) y_example (column e2)) (column e1))
  (fun i j => pair_gradient map_2 v_4 (feature_B one_map (fun=> 1) y_example (column e2) j) (column e1) (input map_2 (fun=> 1)) m d).
Definition line (r u : R) (m : bool) (d : unit) : R := e1 m + u * (- (r / 1) * G_example m d).

Lemma line_0 r : line r 0 = column e1.
Proof. by apply: FunctionalExtensionality.functional_extensionality => m; apply: FunctionalExtensionality.functional_extensionality => d; rewrite /line /column; ring. Qed.
Lemma pos_line r : 0 < N_sq map_2 v_4 (line r 0). Proof. rewrite line_0; exact: pos_map_2. Qed.
Lemma gradient_line r : is_gradient loss_example (line r 0) G_example. Proof. rewrite line_0; exact: gradient_of_loss_example. Qed.
Lemma line_moves r m d : is_derive (fun u => line r u m d) 0 (- (r / 1) * G_example m d).
Proof. by rewrite /line; auto_derive => //; ring. Qed.
Lemma sq_line r : ∑ m, K_of map_2 (line r 0) m tt ^ 2 = 4.
Proof. by rewrite line_0 sum_bool /K_of !sum_unit /column /map_2 /e1; ring. Qed.
Lemma N_line r : N_of map_2 v_4 (line r 0) = 1.
Proof. by rewrite line_0 /N_of N_map_2 sqrt_1. Qed.
Lemma K_line_false r : K_of map_2 (line r 0) false tt = 0.
Proof. by rewrite line_0 /K_of sum_unit /column /e1; ring. Qed.
Lemma sim_line r j : sim map_2 v_4 one_map (fun=> 1) (fun _ _ : unit => 1) y_example (column e2) (line r 0) tt j = 0.
Proof. by rewrite line_0; exact: sim_example. Qed.
Lemma sqrt_4 : sqrt 4 = 2.
Proof. by rewrite (_ : 4 = 2 ^ 2) ?sqrt_pow2 /=; lra. Qed.

Theorem lemma_a5_printed_control : ~ (forall (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R) r τ2 K (W : R -> M -> DA -> R) (WB : M -> DB -> R) t G σ2 l,
  0 < K -> is_law α -> is_law β -> 0 < τ2 -> 0 < N_sq XA vA (W t) -> 0 < N_sq XB vB WB ->
  (forall k l, gram_X XA k l = if k == l then σ2 l else 0) ->
  is_gradient (loss_A XA vA XB vB π a b α β yA yB τ2 K WB) (W t) G -> (forall m d, is_derive (fun u => W u m d) t (- (r / τ2) * G m d)) -> vA l = / r -> r <> 0 ->
  let k m := K_of XA (W t) m l in let V m := KBQ XA vA XB vB π a b α β yA yB r τ2 K (W t) WB m l in let sq := ∑ m, k m ^ 2 in
  0 < sq -> forall m, is_derive (fun u => K_of XA (W u) m l / sqrt (∑ m, K_of XA (W u) m l ^ 2)) t
    (σ2 l / (N_of XA vA (W t) * N_of XB vB WB * sq) * (V m - k m / sqrt sq * (dot k V / sqrt sq)))).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false) (fun _ _ => 1) y_example
  4 1 1 (line 4) (column e2) 0 _ _ tt Rlt_0_1 sure_law (point_law false) Rlt_0_1 (pos_line 4) pos_e2 gram_map_2 (gradient_line 4) (line_moves 4)
  ltac:(rewrite /v_4; field) ltac:(lra)); rewrite /= sq_line => /(_ ltac:(lra) false) /is_derive_unique.
have [|_ /(_ false) /is_derive_unique ->] := @lemma_a5_A _ _ _ _ _ _ _ _ map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false) (fun _ _ => 1) y_example
  4 1 1 (line 4) (column e2) 0 _ _ tt Rlt_0_1 sure_law (point_law false) Rlt_0_1 (pos_line 4) pos_e2 gram_map_2 (gradient_line 4) (line_moves 4) ltac:(rewrite /v_4; field) ltac:(lra); first by rewrite sq_line; lra.
rewrite sq_line !K_line_false /Rdiv !Rmult_0_l !Rminus_0_r /KBQ /Q sum_unit bracket_example => [|j]; last exact: sim_line.
by rewrite N_line /N_of N_e2 sqrt_1 sqrt_4 /K_of sum_unit /e2 /column /one_map /y_example; lra.
Qed.

Theorem lemma_a5_noise_control : ~ (forall (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (yA : I -> LA -> R) (yB : J -> LB -> R) r τ2 K (W : R -> M -> DA -> R) (WB : M -> DB -> R) t G σ2 l q,
  0 < K -> is_law α -> is_law β -> 0 < τ2 -> 0 < N_sq XA vA (W t) -> 0 < N_sq XB vB WB ->
  (forall k l, gram_X XA k l = if k == l then σ2 l else 0) ->
  is_gradient (loss_A XA vA XB vB π a b α β yA yB τ2 K WB) (W t) G -> (forall m d, is_derive (fun u => W u m d) t (- (r / τ2) * G m d)) -> vA l = / q ->
  let k m := K_of XA (W t) m l in let V m := KBQ XA vA XB vB π a b α β yA yB r τ2 K (W t) WB m l in let sq := ∑ m, k m ^ 2 in
  0 < sq -> forall m, is_derive (fun u => K_of XA (W u) m l / sqrt (∑ m, K_of XA (W u) m l ^ 2)) t
    (σ2 l / (N_of XA vA (W t) * N_of XB vB WB * sq) * (V m - k m / sqrt sq * (dot k V / sqrt sq)))).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false) (fun _ _ => 1) y_example
  1 1 1 (line 1) (column e2) 0 _ _ tt 4 Rlt_0_1 sure_law (point_law false) Rlt_0_1 (pos_line 1) pos_e2 gram_map_2 (gradient_line 1) (line_moves 1)
  ltac:(rewrite /v_4; field)); rewrite /= sq_line => /(_ ltac:(lra) false) /is_derive_unique.
have [|_ /(_ false) /is_derive_unique ->] := @lemma_a5_noise_A _ _ _ _ _ _ _ _ map_2 v_4 one_map (fun=> 1) sure (fun _ : unit => tt) (fun=> true) sure (point false) (fun _ _ => 1) y_example
  1 1 1 (line 1) (column e2) 0 _ _ tt Rlt_0_1 sure_law (point_law false) Rlt_0_1 (pos_line 1) pos_e2 gram_map_2 (gradient_line 1) (line_moves 1) 4 ltac:(rewrite /v_4; field); first by rewrite sq_line; lra.
rewrite sq_line !K_line_false /Rdiv !Rmult_0_l !Rminus_0_r /KBQ /Q sum_unit bracket_example => [|j]; last exact: sim_line.
by rewrite N_line /N_of N_e2 sqrt_1 sqrt_4 /K_of sum_unit /e2 /column /one_map /y_example; lra.
Qed.
