(** Esser et al., equations (3) to (5): the outputs of any differentiable model under gradient flow.

    A model has finitely many real parameters [P] and outputs [u j x Θ], j in [J], at the points x of any set. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Calculus Contrapositive.Tactics
  Contrapositive.esser2024.Gradients.
Set Implicit Arguments. Unset Strict Implicit.

(** * Losses and flows of any differentiable model *)
Section Model.
Variables (P I J : finType) (X : Type).
(** The outputs and their gradients in the parameters; [du j x Θ] is ∇_Θ u_j(x). *)
Variables (u : J -> X -> (P -> R) -> R) (du : J -> X -> (P -> R) -> P -> R).
Hypothesis u_ext : forall j x, extensional (u j x).
Hypothesis u_du : forall j x Θ, is_gradient (u j x) Θ (du j x Θ).

(** The data: anchors, positives, negatives, and labels for regression. *)
Variables (a pos neg : I -> X) (y : I -> J -> R).

Definition L_nc (Θ : P -> R) : R := - ∑ i, ∑ j, u j (a i) Θ * u j (pos i) Θ.
Definition L_c (Θ : P -> R) : R := ∑ i, ∑ j, u j (a i) Θ * (u j (neg i) Θ - u j (pos i) Θ).
Definition L_reg (Θ : P -> R) : R := 1 / 2 * ∑ i, ∑ j, (u j (a i) Θ - y i j) ^ 2.

(** The gradient of u_j(x) u_j(x′). *)
Definition d_product j x x' Θ p : R := u j x Θ * du j x' Θ p + u j x' Θ * du j x Θ p.
Lemma product_gradient j x x' Θ : is_gradient (fun Θ => u j x Θ * u j x' Θ) Θ (d_product j x x' Θ).
Proof. exact: gradient_mul. Qed.

(** [claim] esser2024.grad-nc  [sense] A  [scope] any differentiable model with finitely many parameters *)
Theorem grad_nc_A Θ : is_gradient L_nc Θ
  (fun p => - ∑ i, ∑ j, (u j (a i) Θ * du j (pos i) Θ p + u j (pos i) Θ * du j (a i) Θ p)).
Proof.
apply: (@gradient_ext _ (fun Θ => -1 * ∑ i, ∑ j, u j (a i) Θ * u j (pos i) Θ) _ _
  (fun p => -1 * ∑ i, ∑ j, d_product j (a i) (pos i) Θ p)) => [Θ'|p|]; rewrite /L_nc /d_product; try ring.
apply: gradient_scale; apply: (gradient_sum (f := fun i Θ => ∑ j, u j (a i) Θ * u j (pos i) Θ)) => i.
by apply: (gradient_sum (f := fun j Θ => u j (a i) Θ * u j (pos i) Θ)) => j; apply: product_gradient.
Qed.

Lemma L_c_gradient Θ : is_gradient L_c Θ
  (fun p => ∑ i, ∑ j, (d_product j (a i) (neg i) Θ p - d_product j (a i) (pos i) Θ p)).
Proof.
apply: (gradient_sum (f := fun i Θ => ∑ j, u j (a i) Θ * (u j (neg i) Θ - u j (pos i) Θ))) => i.
apply: (gradient_sum (f := fun j Θ => u j (a i) Θ * (u j (neg i) Θ - u j (pos i) Θ))) => j.
apply: (gradient_ext _ _ (gradient_add (product_gradient j (a i) (neg i) Θ) (gradient_scale (-1) (product_gradient j (a i) (pos i) Θ))))
  => [Θ'|p]; ring.
Qed.

Lemma L_reg_gradient Θ : is_gradient L_reg Θ (fun p => ∑ i, ∑ j, (u j (a i) Θ - y i j) * du j (a i) Θ p).
Proof.
apply: (@gradient_ext _ (fun Θ => 1 / 2 * ∑ i, ∑ j, (u j (a i) Θ - y i j) ^ 2) _ _
  (fun p => 1 / 2 * ∑ i, ∑ j, (2 * ((u j (a i) Θ - y i j) * du j (a i) Θ p)))) => [//|p|].
  by rewrite -sum_mull; apply: sum_ext => i; rewrite -sum_mull; apply: sum_ext => j; field.
apply: gradient_scale; apply: (gradient_sum (f := fun i Θ => ∑ j, (u j (a i) Θ - y i j) ^ 2)) => i.
apply: (gradient_sum (f := fun j Θ => (u j (a i) Θ - y i j) ^ 2)) => j.
have shifted : is_gradient (fun Θ => u j (a i) Θ - y i j) Θ (fun p => du j (a i) Θ p + 0).
  exact: (gradient_add (u_du j (a i) Θ) (gradient_const (- y i j) Θ)).
have ext : extensional (fun Θ => u j (a i) Θ - y i j) by move=> Θ1 Θ2 e; rewrite (u_ext j (a i) e).
by apply: (gradient_ext _ _ (gradient_mul ext ext shifted shifted)) => [Θ'|p]; ring.
Qed.

Section Flow.
Variables (Θ : R -> P -> R) (t : R).
Local Notation v j x := (u j x (Θ t)).
Local Notation K l x j x' := (dot (du l x (Θ t)) (du j x' (Θ t))).

Lemma dot_d_product l x j x1 x2 : dot (du l x (Θ t)) (d_product j x1 x2 (Θ t)) = v j x1 * K l x j x2 + v j x2 * K l x j x1.
Proof. by rewrite /dot /d_product -!sum_mull -sum_add; apply: sum_ext => p; ring. Qed.

Lemma dot_double l x (G : I -> J -> P -> R) :
  dot (du l x (Θ t)) (fun p => ∑ i, ∑ j, G i j p) = ∑ i, ∑ j, dot (du l x (Θ t)) (G i j).
Proof.
rewrite /dot (sum_ext (G := fun p => ∑ i, ∑ j, du l x (Θ t) p * G i j p)) => [|p].
  by rewrite sum_exchange; apply: sum_ext => i; rewrite sum_exchange.
by rewrite -sum_mull; apply: sum_ext => i; rewrite sum_mull.
Qed.

(** u_l(x)′ = −Σ_iΣ_j ⟨∇u_l(x), ∇u_j(x_i)⟩(u_j(x_i) − y_ij) under the flow of ½ Σ ‖u(x_i) − y_i‖².
    [claim] esser2024.eq-3  [sense] printed  [scope] any differentiable model with finitely many parameters *)
Theorem eq_3_printed l x : flows L_reg Θ t ->
  is_derive (fun r => u l x (Θ r)) t (- ∑ i, ∑ j, K l x j (a i) * (v j (a i) - y i j)).
Proof.
move=> flow; have := along_flow flow (L_reg_gradient _) (u_du l x _).
rewrite dot_double; suff -> : ∑ i, ∑ j, dot (du l x (Θ t)) (fun p => (u j (a i) (Θ t) - y i j) * du j (a i) (Θ t) p) =
  ∑ i, ∑ j, K l x j (a i) * (v j (a i) - y i j) by [].
apply: sum_ext => i; apply: sum_ext => j; rewrite /dot -sum_mulr; apply: sum_ext => p; ring.
Qed.

(** u_l(x)′ = Σ_iΣ_j ⟨∇u_l(x), ∇u_j(x_i)⟩u_j(x_i⁺) + ⟨∇u_l(x), ∇u_j(x_i⁺)⟩u_j(x_i) under the non-contrastive flow.
    [claim] esser2024.eq-4  [sense] printed  [scope] any differentiable model with finitely many parameters *)
Theorem eq_4_printed l x : flows L_nc Θ t -> is_derive (fun r => u l x (Θ r)) t
  (∑ i, ∑ j, (K l x j (a i) * v j (pos i) + K l x j (pos i) * v j (a i))).
Proof.
move=> flow; have := along_flow flow (grad_nc_A _) (u_du l x _).
have -> : dot (du l x (Θ t)) (fun p => - ∑ i, ∑ j, d_product j (a i) (pos i) (Θ t) p) =
  - dot (du l x (Θ t)) (fun p => ∑ i, ∑ j, d_product j (a i) (pos i) (Θ t) p).
  by rewrite /dot -sum_opp; apply: sum_ext => p; ring.
rewrite Ropp_involutive dot_double.
suff -> : ∑ i, ∑ j, dot (du l x (Θ t)) (d_product j (a i) (pos i) (Θ t)) =
  ∑ i, ∑ j, (K l x j (a i) * v j (pos i) + K l x j (pos i) * v j (a i)) by [].
by apply: sum_ext => i; apply: sum_ext => j; rewrite dot_d_product; ring.
Qed.

(** The same under the contrastive flow, with the negatives subtracted.
    [claim] esser2024.eq-5  [sense] printed  [scope] any differentiable model with finitely many parameters *)
Theorem eq_5_printed l x : flows L_c Θ t -> is_derive (fun r => u l x (Θ r)) t
  (∑ i, ∑ j, (K l x j (a i) * v j (pos i) + K l x j (pos i) * v j (a i)
              - K l x j (a i) * v j (neg i) - K l x j (neg i) * v j (a i))).
Proof.
move=> flow; have := along_flow flow (L_c_gradient _) (u_du l x _); rewrite dot_double -sum_opp.
suff -> : ∑ i, - (∑ j, dot (du l x (Θ t)) (fun p => d_product j (a i) (neg i) (Θ t) p - d_product j (a i) (pos i) (Θ t) p)) =
  ∑ i, ∑ j, (K l x j (a i) * v j (pos i) + K l x j (pos i) * v j (a i)
              - K l x j (a i) * v j (neg i) - K l x j (neg i) * v j (a i)) by [].
apply: sum_ext => i; rewrite -sum_opp; apply: sum_ext => j.
have -> : dot (du l x (Θ t)) (fun p => d_product j (a i) (neg i) (Θ t) p - d_product j (a i) (pos i) (Θ t) p) =
  dot (du l x (Θ t)) (d_product j (a i) (neg i) (Θ t)) - dot (du l x (Θ t)) (d_product j (a i) (pos i) (Θ t)).
  by rewrite /dot -sum_sub; apply: sum_ext => p; ring.
by rewrite !dot_d_product; ring.
Qed.
End Flow.
End Model.

(** * Controls *)

(** One parameter Θ and the constant model u(x) = Θ, with one sample. *)
Definition u1 (j : unit) (x : unit) (Θ : unit -> R) : R := Θ tt.
Definition du1 (j : unit) (x : unit) (Θ : unit -> R) (p : unit) : R := 1.

Lemma u1_ext j x : extensional (u1 j x).
Proof. by move=> Θ Θ' e; apply: e. Qed.

Lemma u1_du j x Θ : is_gradient (u1 j x) Θ (du1 j x Θ).
Proof.
split=> γ γ' t at0 D; have -> : dot (du1 j x Θ) γ' = γ' tt by rewrite /dot sum_unit /du1; ring.
exact: D.
Qed.

Lemma du1_dot j x Θ : dot (du1 j x Θ) (du1 j x Θ) = 1.
Proof. by rewrite /dot sum_unit /du1; ring. Qed.

(** The flow of −Θ² through 1 at the time 0: Θ(t) = e^{2t}; and that of ½(Θ − y)²: y + e^{−t}. *)
Definition growing (t : R) (p : unit) : R := exp (2 * t).
Lemma growing_flows t : flows (L_nc (I := unit_finType) u1 id id) growing t.
Proof.
have := grad_nc_A u1_ext u1_du (I := unit_finType) id id (growing t) => g.
eexists; first exact: g.
move=> p; cbv beta; rewrite !sum_unit /u1 /du1 /growing; auto_derive => //; ring.
Qed.

Definition decaying (y : R) (t : R) (p : unit) : R := y + exp (- t).
Lemma decaying_flows y t : flows (L_reg (I := unit_finType) u1 id (fun _ _ => y)) (decaying y) t.
Proof.
have g := L_reg_gradient u1_ext u1_du (I := unit_finType) id (fun _ _ => y) (decaying y t).
eexists; first exact: g.
move=> p; cbv beta; rewrite !sum_unit /u1 /du1 /decaying; auto_derive => //; ring.
Qed.

(** Control b: half of the gradient. *)
Theorem grad_nc_A_control : ~ (forall (P I J : finType) (X : Type) (u : J -> X -> (P -> R) -> R) du,
  (forall j x, extensional (u j x)) -> (forall j x Θ, is_gradient (u j x) Θ (du j x Θ)) -> forall (a pos : I -> X) Θ,
  is_gradient (L_nc u a pos) Θ (fun p => - (1 / 2 * ∑ i, ∑ j, (u j (a i) Θ * du j (pos i) Θ p + u j (pos i) Θ * du j (a i) Θ p)))).
Proof.
move=> /(_ _ unit_finType _ _ _ _ u1_ext u1_du id id (fun=> 1)) half.
have := gradient_unique half (grad_nc_A u1_ext u1_du id id (fun=> 1)) tt.
by rewrite !sum_unit /u1 /du1; lra.
Qed.

(** Control b of (3): the sign. *)
Theorem eq_3_printed_control : ~ (forall (P I J : finType) (X : Type) (u : J -> X -> (P -> R) -> R) du,
  (forall j x, extensional (u j x)) -> (forall j x Θ, is_gradient (u j x) Θ (du j x Θ)) -> forall (a : I -> X) y Θ t l x,
  flows (L_reg u a y) Θ t -> is_derive (fun r => u l x (Θ r)) t
    (∑ i, ∑ j, dot (du l x (Θ t)) (du j (a i) (Θ t)) * (u j (a i) (Θ t) - y i j))).
Proof.
move=> /(_ _ _ _ _ _ _ u1_ext u1_du _ _ _ _ tt tt (decaying_flows 0 0)) wrong.
have := is_derive_unique _ _ _ wrong; have right := eq_3_printed u1_ext u1_du tt tt (decaying_flows 0 0).
rewrite (is_derive_unique _ _ _ right) !sum_unit du1_dot /u1 /decaying Ropp_0 exp_0; lra.
Qed.

(** Control b of (4): the sign. *)
Theorem eq_4_printed_control : ~ (forall (P I J : finType) (X : Type) (u : J -> X -> (P -> R) -> R) du,
  (forall j x, extensional (u j x)) -> (forall j x Θ, is_gradient (u j x) Θ (du j x Θ)) -> forall (a pos : I -> X) Θ t l x,
  flows (L_nc u a pos) Θ t -> is_derive (fun r => u l x (Θ r)) t
    (- ∑ i, ∑ j, (dot (du l x (Θ t)) (du j (a i) (Θ t)) * u j (pos i) (Θ t)
                  + dot (du l x (Θ t)) (du j (pos i) (Θ t)) * u j (a i) (Θ t)))).
Proof.
move=> /(_ _ _ _ _ _ _ u1_ext u1_du _ _ _ _ tt tt (growing_flows 0)) wrong.
have := is_derive_unique _ _ _ wrong; have right := eq_4_printed u1_ext u1_du tt tt (growing_flows 0).
rewrite (is_derive_unique _ _ _ right) !sum_unit du1_dot /u1 /growing Rmult_0_r exp_0; lra.
Qed.

(** The contrastive loss of a model that is the same at all points is 0, and nothing moves. *)
Definition still (t : R) (p : unit) : R := 1.
Lemma still_flows t : flows (L_c (I := unit_finType) u1 id id id) still t.
Proof.
have g := L_c_gradient u1_ext u1_du (I := unit_finType) id id id (still t).
eexists; first exact: g.
move=> p; cbv beta; rewrite !sum_unit /d_product /u1 /du1 /still; auto_derive => //; ring.
Qed.

(** Control a of (5): the sign of the third term. *)
Theorem eq_5_printed_control : ~ (forall (P I J : finType) (X : Type) (u : J -> X -> (P -> R) -> R) du,
  (forall j x, extensional (u j x)) -> (forall j x Θ, is_gradient (u j x) Θ (du j x Θ)) -> forall (a pos neg : I -> X) Θ t l x,
  flows (L_c u a pos neg) Θ t -> is_derive (fun r => u l x (Θ r)) t
    (∑ i, ∑ j, (dot (du l x (Θ t)) (du j (a i) (Θ t)) * u j (pos i) (Θ t)
                + dot (du l x (Θ t)) (du j (pos i) (Θ t)) * u j (a i) (Θ t)
                + dot (du l x (Θ t)) (du j (a i) (Θ t)) * u j (neg i) (Θ t)
                - dot (du l x (Θ t)) (du j (neg i) (Θ t)) * u j (a i) (Θ t)))).
Proof.
move=> /(_ _ _ _ _ _ _ u1_ext u1_du id id id still 0 tt tt (still_flows 0)) wrong.
have := is_derive_unique _ _ _ wrong; rewrite !sum_unit !du1_dot /u1 /still /= Derive_const; lra.
Qed.
