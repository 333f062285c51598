(** Esser et al., equations (3) to (5), Lemma 1 (a), Remark 1 and Proposition 1 (a) and (b): the outputs of a model under
    gradient flow.

    A model has finitely many real parameters [P] and outputs [u j x Θ], j in [J], at the points x of any set.  A function of
    the parameters has the gradient [G] at Θ if along every differentiable curve through Θ its derivative is ⟨G, curve′⟩. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Calculus Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

Record is_gradient (P : finType) (f : (P -> R) -> R) (Θ G : P -> R) : Prop := IsGradient {
  along : forall (γ : R -> P -> R) (γ' : P -> R) (t : R), (forall p, γ t p = Θ p) ->
    (forall p, is_derive (fun r => γ r p) t (γ' p)) -> is_derive (fun r => f (γ r)) t (dot G γ') }.

(** Θ follows the gradient flow of L at the time t: Θ′ = −∇L. *)
Definition flows (P : finType) (L : (P -> R) -> R) (Θ : R -> P -> R) (t : R) : Prop :=
  exists2 G, is_gradient L (Θ t) G & forall p, is_derive (fun r => Θ r p) t (- G p).

Section Gradients.
Variable P : finType.
Implicit Types (f : (P -> R) -> R) (Θ G : P -> R).

(** The gradient is unique. *)
Lemma gradient_unique f Θ G G' : is_gradient f Θ G -> is_gradient f Θ G' -> forall p, G p = G' p.
Proof.
move=> g g' p; pose e q := if p == q then 1 else 0; pose γ (r : R) q := Θ q + r * e q.
have at0 q : γ 0 q = Θ q by rewrite /γ; ring.
have D q : is_derive (fun r => γ r q) 0 (e q) by rewrite /γ; auto_derive => //; ring.
have dot_e H : dot H e = H p.
  by rewrite /dot (sum_ext (G := fun q => if p == q then H q else 0)) ?sum_if1 // => q; rewrite /e; case: (p == q); ring.
by rewrite -(dot_e G) -(dot_e G') -(is_derive_unique _ _ _ (along g at0 D)) -(is_derive_unique _ _ _ (along g' at0 D)).
Qed.

(** The derivative along a flow. *)
Lemma along_flow f (L : (P -> R) -> R) (Θ : R -> P -> R) t G H :
  flows L Θ t -> is_gradient L (Θ t) G -> is_gradient f (Θ t) H ->
  is_derive (fun r => f (Θ r)) t (- dot H G).
Proof.
case=> G' gL' D gL gf; have same := gradient_unique gL' gL.
have -> : - dot H G = dot H (fun p => - G' p).
  by rewrite /dot -sum_opp; apply: sum_ext => p; rewrite same; ring.
exact: (along gf).
Qed.

Lemma gradient_ext f h Θ G H : (forall Θ, f Θ = h Θ) -> (forall p, G p = H p) -> is_gradient f Θ G -> is_gradient h Θ H.
Proof.
move=> fh GH g; split=> γ γ' t at0 D; apply: (is_derive_ext (fun r => f (γ r))) => [r|]; first exact: fh.
have -> : dot H γ' = dot G γ' by apply: sum_ext => p; rewrite GH.
exact: (along g).
Qed.

Lemma gradient_sum (I : finType) (f : I -> (P -> R) -> R) Θ (G : I -> P -> R) :
  (forall i, is_gradient (f i) Θ (G i)) -> is_gradient (fun Θ => ∑ i, f i Θ) Θ (fun p => ∑ i, G i p).
Proof.
move=> g; split=> γ γ' t at0 D; have -> : dot (fun p => ∑ i, G i p) γ' = ∑ i, dot (G i) γ'.
  by rewrite /dot sum_exchange; apply: sum_ext => p; rewrite sum_mulr.
by apply: is_derive_sum => i; apply: (along (g i)).
Qed.

(** Functions of the parameters see their values only. *)
Definition extensional f : Prop := forall Θ Θ', (forall p, Θ p = Θ' p) -> f Θ = f Θ'.

Lemma gradient_mul f h Θ G H : extensional f -> extensional h -> is_gradient f Θ G -> is_gradient h Θ H ->
  is_gradient (fun Θ => f Θ * h Θ) Θ (fun p => f Θ * H p + h Θ * G p).
Proof.
move=> ef eh gf gh; split=> γ γ' t at0 D.
have := is_derive_mult (fun r => f (γ r)) (fun r => h (γ r)) t _ _ (along gf at0 D) (along gh at0 D) Rmult_comm.
rewrite /plus /mult /= (ef _ _ at0) (eh _ _ at0).
suff -> : dot (fun p => f Θ * H p + h Θ * G p) γ' = dot G γ' * h Θ + f Θ * dot H γ' by [].
by rewrite /dot -sum_mulr -sum_mull -sum_add; apply: sum_ext => p; ring.
Qed.

Lemma gradient_add f h Θ G H : is_gradient f Θ G -> is_gradient h Θ H ->
  is_gradient (fun Θ => f Θ + h Θ) Θ (fun p => G p + H p).
Proof.
move=> gf gh; split=> γ γ' t at0 D.
have -> : dot (fun p => G p + H p) γ' = dot G γ' + dot H γ' by rewrite /dot -sum_add; apply: sum_ext => p; ring.
exact: (is_derive_plus (fun r => f (γ r)) _ _ _ _ (along gf at0 D) (along gh at0 D)).
Qed.

Lemma gradient_scale f Θ G k : is_gradient f Θ G -> is_gradient (fun Θ => k * f Θ) Θ (fun p => k * G p).
Proof.
move=> gf; split=> γ γ' t at0 D; have -> : dot (fun p => k * G p) γ' = k * dot G γ' by rewrite /dot -sum_mull; apply: sum_ext => p; ring.
by apply: (is_derive_scal (fun r => f (γ r))); apply: (along gf).
Qed.

Lemma gradient_const k Θ : is_gradient (fun=> k) Θ (fun=> 0).
Proof.
split=> γ γ' t _ _; have -> : dot (fun=> 0) γ' = 0 by rewrite /dot (sum_ext (G := fun=> 0)) ?sum_const => [|p]; ring.
exact: (@is_derive_const R_AbsRing R_NormedModule).
Qed.
End Gradients.

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

(** * Linear models and kernel machines, u(x) = Θψ(x) *)
Section Features.
Variables (J M : finType) (X : Type) (ψ : X -> M -> R).

Definition u_lin (j : J) (x : X) (Θ : J * M -> R) : R := ∑ m, Θ (j, m) * ψ x m.
Definition du_lin (j : J) (x : X) (Θ : J * M -> R) (p : J * M) : R := if p.1 == j then ψ x p.2 else 0.
Definition k (x x' : X) : R := dot (ψ x) (ψ x').

Lemma u_lin_ext j x : extensional (u_lin j x).
Proof. by move=> Θ Θ' e; apply: sum_ext => m; rewrite e. Qed.

Lemma sum_row (j : J) (G : J * M -> R) : ∑ p, (if p.1 == j then G p else 0) = ∑ m, G (j, m).
Proof.
transitivity (∑ i, ∑ m, (if i == j then G (i, m) else 0)); first by rewrite pair_bigA; apply: sum_ext => -[i m].
rewrite (bigD1 j) //= [X in _ + X]big1 ?Rplus_0_r; first by apply: sum_ext => m; rewrite eqxx.
by move=> i /negbTE ij; apply: big1 => m _; rewrite ij.
Qed.

(** ∇_Θ u_l(x) = e_l ψ(x)ᵀ.
    [claim] esser2024.lemma-1a  [sense] s1  [scope] finitely many features *)
Theorem lemma_1a_s1 j x Θ : is_gradient (u_lin j x) Θ (du_lin j x Θ).
Proof.
split=> γ γ' t at0 D; have -> : dot (du_lin j x Θ) γ' = ∑ m, γ' (j, m) * ψ x m.
  rewrite -(sum_row j (fun p => γ' p * ψ x p.2)); apply: sum_ext => p; rewrite /du_lin.
  by case: (p.1 == j); ring.
apply: is_derive_sum => m; have := is_derive_scal _ _ (ψ x m) _ (D (j, m)).
rewrite Rmult_comm; apply: is_derive_ext => r; exact: Rmult_comm.
Qed.

(** ⟨∇u_l(x), ∇u_j(x′)⟩ = δ_lj k(x, x′), at every Θ.
    [claim] esser2024.lemma-1a  [sense] printed  [scope] kernels with finitely many features *)
Theorem lemma_1a_printed l j x x' Θ : dot (du_lin l x Θ) (du_lin j x' Θ) = if l == j then k x x' else 0.
Proof.
rewrite /dot (sum_ext (G := fun p => if p.1 == l then (if p.1 == j then ψ x p.2 * ψ x' p.2 else 0) else 0)) => [|p].
  rewrite (sum_row l (fun p => if p.1 == j then ψ x p.2 * ψ x' p.2 else 0)) /=.
  by case: (l == j) => //; rewrite sum_const; ring.
by rewrite /du_lin; case: (p.1 == l); case: (p.1 == j); ring.
Qed.

(** The inner products do not depend on the parameters: no training changes them.
    [claim] esser2024.lemma-1a  [sense] any-parameters  [scope] kernels with finitely many features *)
Theorem lemma_1a_any_parameters l j x x' Θ Θ' :
  dot (du_lin l x Θ) (du_lin j x' Θ) = dot (du_lin l x Θ') (du_lin j x' Θ').
Proof. by rewrite !lemma_1a_printed. Qed.

Lemma sum_kernel (l : J) x x' Θ (h : J -> R) : ∑ j, dot (du_lin l x Θ) (du_lin j x' Θ) * h j = k x x' * h l.
Proof.
rewrite (sum_ext (G := fun j => if l == j then k x x' * h j else 0)) ?sum_if1 // => j.
by rewrite lemma_1a_printed; case: (l == j); ring.
Qed.

Variables (I : finType) (a pos neg : I -> X) (y : I -> J -> R) (Θ : R -> J * M -> R) (t : R).
Local Notation v l x := (u_lin l x (Θ t)).

(** Each output evolves on its own: u_l(x)′ = −Σ_i k(x, x_i)(u_l(x_i) − y_il).
    [claim] esser2024.remark-1  [sense] printed  [scope] kernels with finitely many features *)
Theorem remark_1_printed l x : flows (L_reg u_lin a y) Θ t ->
  is_derive (fun r => u_lin l x (Θ r)) t (- ∑ i, dot (du_lin l x (Θ t)) (du_lin l (a i) (Θ t)) * (v l (a i) - y i l)).
Proof.
move=> flow; have := eq_3_printed u_lin_ext lemma_1a_s1 l x flow.
suff -> : ∑ i, ∑ j, dot (du_lin l x (Θ t)) (du_lin j (a i) (Θ t)) * (u_lin j (a i) (Θ t) - y i j) =
  ∑ i, dot (du_lin l x (Θ t)) (du_lin l (a i) (Θ t)) * (v l (a i) - y i l) by [].
by apply: sum_ext => i; rewrite (sum_kernel l x (a i) (Θ t) (fun j => v j (a i) - y i j)) lemma_1a_printed eqxx.
Qed.

(** Proposition 1 (b), the non-contrastive equation.
    [claim] esser2024.prop-1b  [sense] printed, non-contrastive  [scope] kernels with finitely many features *)
Theorem prop_1b_non_contrastive l x : flows (L_nc u_lin a pos) Θ t ->
  is_derive (fun r => u_lin l x (Θ r)) t (∑ i, (k x (a i) * v l (pos i) + k x (pos i) * v l (a i))).
Proof.
move=> flow; have := eq_4_printed u_lin_ext lemma_1a_s1 l x flow.
suff -> : ∑ i, ∑ j, (dot (du_lin l x (Θ t)) (du_lin j (a i) (Θ t)) * u_lin j (pos i) (Θ t)
     + dot (du_lin l x (Θ t)) (du_lin j (pos i) (Θ t)) * u_lin j (a i) (Θ t)) =
  ∑ i, (k x (a i) * v l (pos i) + k x (pos i) * v l (a i)) by [].
apply: sum_ext => i; rewrite sum_add.
by rewrite (sum_kernel l x _ _ (fun j => v j (pos i))) (sum_kernel l x _ _ (fun j => v j (a i))).
Qed.

(** Proposition 1 (b), the contrastive equation.
    [claim] esser2024.prop-1b  [sense] printed, contrastive  [scope] kernels with finitely many features *)
Theorem prop_1b_contrastive l x : flows (L_c u_lin a pos neg) Θ t ->
  is_derive (fun r => u_lin l x (Θ r)) t
    (∑ i, (k x (a i) * (v l (pos i) - v l (neg i)) + (k x (pos i) - k x (neg i)) * v l (a i))).
Proof.
move=> flow; have := eq_5_printed u_lin_ext lemma_1a_s1 l x flow.
suff -> : ∑ i, ∑ j, (dot (du_lin l x (Θ t)) (du_lin j (a i) (Θ t)) * u_lin j (pos i) (Θ t)
     + dot (du_lin l x (Θ t)) (du_lin j (pos i) (Θ t)) * u_lin j (a i) (Θ t)
     - dot (du_lin l x (Θ t)) (du_lin j (a i) (Θ t)) * u_lin j (neg i) (Θ t)
     - dot (du_lin l x (Θ t)) (du_lin j (neg i) (Θ t)) * u_lin j (a i) (Θ t)) =
  ∑ i, (k x (a i) * (v l (pos i) - v l (neg i)) + (k x (pos i) - k x (neg i)) * v l (a i)) by [].
apply: sum_ext => i; rewrite !sum_sub sum_add.
rewrite (sum_kernel l x _ _ (fun j => v j (pos i))) !(sum_kernel l x _ _ (fun j => v j (a i))).
by rewrite (sum_kernel l x _ _ (fun j => v j (neg i))); ring.
Qed.
End Features.

(** * The linear model u(x) = Θx: the features are the coordinates *)
Section Linear.
Variables (J D I : finType).
Let ψ (x : D -> R) : D -> R := x.
Variables (a pos neg : I -> D -> R) (Θ : R -> J * D -> R) (t : R).

(** [claim] esser2024.lemma-1a  [sense] linear  [scope] any dimension *)
Theorem lemma_1a_linear (l j : J) (x x' : D -> R) (Θ0 : J * D -> R) :
  dot (du_lin ψ l x Θ0) (du_lin ψ j x' Θ0) = if l == j then dot x x' else 0.
Proof. exact: lemma_1a_printed. Qed.

(** [claim] esser2024.prop-1a  [sense] printed, non-contrastive  [scope] any dimension, any number of outputs and samples *)
Theorem prop_1a_non_contrastive (l : J) x : flows (L_nc (u_lin ψ) a pos) Θ t ->
  is_derive (fun r => u_lin ψ l x (Θ r)) t
    (∑ i, (dot x (a i) * u_lin ψ l (pos i) (Θ t) + dot x (pos i) * u_lin ψ l (a i) (Θ t))).
Proof. exact: prop_1b_non_contrastive. Qed.

(** [claim] esser2024.prop-1a  [sense] printed, contrastive  [scope] any dimension, any number of outputs and samples *)
Theorem prop_1a_contrastive (l : J) x : flows (L_c (u_lin ψ) a pos neg) Θ t ->
  is_derive (fun r => u_lin ψ l x (Θ r)) t
    (∑ i, (dot x (a i) * (u_lin ψ l (pos i) (Θ t) - u_lin ψ l (neg i) (Θ t))
           + (dot x (pos i) - dot x (neg i)) * u_lin ψ l (a i) (Θ t))).
Proof. exact: prop_1b_contrastive. Qed.
End Linear.

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

(** The model u(x) = Θx on the line, with the points c(1), c(0) and c(−1). *)
Definition c (r : R) (m : unit) : R := r.
Definition line_model : unit -> (unit -> R) -> (unit * unit -> R) -> R := u_lin (fun x : unit -> R => x).
Definition expanding (t : R) (p : unit * unit) : R := exp (2 * t).
Definition shrinking (t : R) (p : unit * unit) : R := exp (- t).

Lemma line_value x t : line_model tt (c x) (expanding t) = exp (2 * t) * x.
Proof. by rewrite /line_model /u_lin sum_unit. Qed.
Lemma line_value' x t : line_model tt (c x) (shrinking t) = exp (- t) * x.
Proof. by rewrite /line_model /u_lin sum_unit. Qed.
Lemma c_dot x y : dot (c x) (c y) = x * y.
Proof. by rewrite /dot sum_unit. Qed.

Local Definition ext := @u_lin_ext unit_finType unit_finType _ (fun x : unit -> R => x).
Local Definition grd := @lemma_1a_s1 unit_finType unit_finType _ (fun x : unit -> R => x).

Lemma nc_flows t : flows (L_nc line_model (fun _ : unit => c 1) (fun=> c 1)) expanding t.
Proof.
eexists; first exact: (grad_nc_A ext grd).
move=> [[] []]; cbv beta; rewrite !sum_unit -/line_model line_value /du_lin /expanding /c /=; auto_derive => //; ring.
Qed.

Lemma c_flows t : flows (L_c line_model (fun _ : unit => c 1) (fun=> c 0) (fun=> c (-1))) expanding t.
Proof.
eexists; first exact: (L_c_gradient ext grd).
move=> [[] []]; cbv beta; rewrite !sum_unit /d_product -/line_model !line_value /du_lin /expanding /c /=; auto_derive => //; ring.
Qed.

Lemma reg_flows t : flows (L_reg line_model (fun _ : unit => c 1) (fun _ _ => 0)) shrinking t.
Proof.
eexists; first exact: (L_reg_gradient ext grd).
move=> [[] []]; cbv beta; rewrite !sum_unit -/line_model line_value' /du_lin /shrinking /c /=; auto_derive => //; ring.
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
move=> /(_ _ _ _ _ _ _ ext grd _ _ _ _ 0 tt (c 1) (c_flows 0)) wrong.
have := is_derive_unique _ _ _ wrong; have right := prop_1b_contrastive tt (c 1) (c_flows 0).
rewrite (is_derive_unique _ _ _ right) !sum_unit !lemma_1a_printed /= /k !c_dot -/line_model !line_value !Rmult_0_r exp_0; lra.
Qed.

(** Control b of Lemma 1 (a): twice the kernel. *)
Theorem lemma_1a_printed_control : ~ (forall (J M : finType) (X : Type) (ψ : X -> M -> R) (l j : J) x x' Θ,
  dot (du_lin ψ l x Θ) (du_lin ψ j x' Θ) = if l == j then 2 * k ψ x x' else 0).
Proof.
move=> /(_ _ _ _ (fun x : unit -> R => x) tt tt (c 1) (c 1) (fun=> 0)); rewrite lemma_1a_printed /= /k c_dot; lra.
Qed.

Theorem lemma_1a_linear_control : ~ (forall (J D : finType) (l j : J) (x x' : D -> R) Θ,
  dot (du_lin (fun x => x) l x Θ) (du_lin (fun x => x) j x' Θ) = if l == j then 2 * dot x x' else 0).
Proof. by move=> /(_ _ _ tt tt (c 1) (c 1) (fun=> 0)); rewrite lemma_1a_linear /= c_dot; lra. Qed.

(** A gradient without the unit vector: all outputs share it. *)
Theorem lemma_1a_s1_control : ~ (forall (J M : finType) (X : Type) (ψ : X -> M -> R) (j : J) x Θ,
  is_gradient (u_lin ψ j x) Θ (fun p => ψ x p.2)).
Proof.
move=> /(_ bool_finType _ _ (fun x : unit -> R => x) true (c 1) (fun=> 0)) wrong.
have := gradient_unique wrong (lemma_1a_s1 (fun x : unit -> R => x) true (c 1) (fun=> 0)) (false, tt).
by rewrite /du_lin /c /=; lra.
Qed.

(** Where u is not linear in the parameters, the inner products change with them: u = Θ². *)
Theorem lemma_1a_any_parameters_control : ~ (forall (P : finType) (u : (P -> R) -> R) du,
  (forall Θ, is_gradient u Θ (du Θ)) -> forall Θ Θ', dot (du Θ) (du Θ) = dot (du Θ') (du Θ')).
Proof.
have sq Θ := gradient_mul (u1_ext tt tt) (u1_ext tt tt) (u1_du tt tt Θ) (u1_du tt tt Θ).
by move=> /(_ _ _ _ sq (fun=> 0) (fun=> 1)); rewrite /dot !sum_unit /u1 /du1; lra.
Qed.

(** The sign of Remark 1. *)
Theorem remark_1_printed_control : ~ (forall (J M I : finType) (X : Type) (ψ : X -> M -> R) (a : I -> X) (y : I -> J -> R) Θ t l x,
  flows (L_reg (u_lin ψ) a y) Θ t -> is_derive (fun r => u_lin ψ l x (Θ r)) t
    (∑ i, dot (du_lin ψ l x (Θ t)) (du_lin ψ l (a i) (Θ t)) * (u_lin ψ l (a i) (Θ t) - y i l))).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ tt (c 1) (reg_flows 0)) wrong.
have := is_derive_unique _ _ _ wrong; have right := remark_1_printed tt (c 1) (reg_flows 0).
by rewrite (is_derive_unique _ _ _ right) !sum_unit !lemma_1a_printed /= /k !c_dot -/line_model !line_value' Ropp_0 exp_0; lra.
Qed.

(** Controls b of Proposition 1: half of the sum. *)
Theorem prop_1b_non_contrastive_control : ~ (forall (J M I : finType) (X : Type) (ψ : X -> M -> R) (a pos : I -> X) Θ t (l : J) x,
  flows (L_nc (u_lin ψ) a pos) Θ t -> is_derive (fun r => u_lin ψ l x (Θ r)) t
    (1 / 2 * ∑ i, (k ψ x (a i) * u_lin ψ l (pos i) (Θ t) + k ψ x (pos i) * u_lin ψ l (a i) (Θ t)))).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ tt (c 1) (nc_flows 0)) wrong.
have := is_derive_unique _ _ _ wrong; have right := prop_1b_non_contrastive tt (c 1) (nc_flows 0).
by rewrite (is_derive_unique _ _ _ right) !sum_unit /k !c_dot -/line_model !line_value !Rmult_0_r exp_0; lra.
Qed.

Theorem prop_1b_contrastive_control : ~ (forall (J M I : finType) (X : Type) (ψ : X -> M -> R) (a pos neg : I -> X) Θ t (l : J) x,
  flows (L_c (u_lin ψ) a pos neg) Θ t -> is_derive (fun r => u_lin ψ l x (Θ r)) t
    (1 / 2 * ∑ i, (k ψ x (a i) * (u_lin ψ l (pos i) (Θ t) - u_lin ψ l (neg i) (Θ t))
                   + (k ψ x (pos i) - k ψ x (neg i)) * u_lin ψ l (a i) (Θ t)))).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ _ tt (c 1) (c_flows 0)) wrong.
have := is_derive_unique _ _ _ wrong; have right := prop_1b_contrastive tt (c 1) (c_flows 0).
by rewrite (is_derive_unique _ _ _ right) !sum_unit /k !c_dot -/line_model !line_value !Rmult_0_r exp_0; lra.
Qed.

Theorem prop_1a_non_contrastive_control : ~ (forall (J D I : finType) (a pos : I -> D -> R) Θ t (l : J) x,
  flows (L_nc (u_lin (fun x => x)) a pos) Θ t -> is_derive (fun r => u_lin (fun x => x) l x (Θ r)) t
    (2 * ∑ i, (dot x (a i) * u_lin (fun x => x) l (pos i) (Θ t) + dot x (pos i) * u_lin (fun x => x) l (a i) (Θ t)))).
Proof.
move=> /(_ _ _ _ _ _ _ _ tt (c 1) (nc_flows 0)) wrong.
have := is_derive_unique _ _ _ wrong; have right := prop_1a_non_contrastive tt (c 1) (nc_flows 0).
by rewrite (is_derive_unique _ _ _ right) !sum_unit !c_dot -/line_model !line_value !Rmult_0_r exp_0; lra.
Qed.

Theorem prop_1a_contrastive_control : ~ (forall (J D I : finType) (a pos neg : I -> D -> R) Θ t (l : J) x,
  flows (L_c (u_lin (fun x => x)) a pos neg) Θ t -> is_derive (fun r => u_lin (fun x => x) l x (Θ r)) t
    (2 * ∑ i, (dot x (a i) * (u_lin (fun x => x) l (pos i) (Θ t) - u_lin (fun x => x) l (neg i) (Θ t))
               + (dot x (pos i) - dot x (neg i)) * u_lin (fun x => x) l (a i) (Θ t)))).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ tt (c 1) (c_flows 0)) wrong.
have := is_derive_unique _ _ _ wrong; have right := prop_1a_contrastive tt (c 1) (c_flows 0).
by rewrite (is_derive_unique _ _ _ right) !sum_unit !c_dot -/line_model !line_value !Rmult_0_r exp_0; lra.
Qed.
