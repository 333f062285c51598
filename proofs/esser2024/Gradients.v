(** Gradients of functions of finitely many real parameters, and gradient flow.

    A function of the parameters [P] has the gradient [G] at Θ if along every differentiable curve through Θ its derivative
    is ⟨G, curve′⟩. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Calculus.
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
