(** Esser et al., Lemma 1 (a), Remark 1 and Proposition 1 (a) and (b): linear models and kernel machines with finitely many
    features under gradient flow. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Calculus Contrapositive.Tactics
  Contrapositive.esser2024.Gradients Contrapositive.esser2024.GradientFlows.
Set Implicit Arguments. Unset Strict Implicit.

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
