(** Esser et al., Proposition 3: the trace Tr(W₂ᵀW₁CW₁ᵀW₂), which its losses are, against the squared norm that it prints. *)
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Tactics Contrapositive.esser2024.Proposition2.
Set Implicit Arguments. Unset Strict Implicit.

Section TraceNorm.
Variables (D H Z : finType) (C : D -> D -> R) (W1 : H -> D -> R) (W2 : H -> Z -> R).

(** W₂ᵀW₁CW₁ᵀW₂, of size z×z; M_column W₁ W₂ k is column k of W₁ᵀW₂. *)
Definition sandwich (k l : Z) : R := ∑ a, ∑ b, M_column W1 W2 k a * C a b * M_column W1 W2 l b.

Lemma trace_sandwich : trace_loss C W1 W2 = ∑ k, sandwich k k.
Proof. by []. Qed.

(** L² <= z²‖W₂ᵀW₁CW₁ᵀW₂‖₂², z the number of outputs and L the trace.
    [claim] esser2024.prop-3a  [sense] relation  [scope] any sizes, real entries, any C; for the trace that the losses are *)
Theorem prop_3a_relation r : norm_is sandwich r -> trace_loss C W1 W2 ^ 2 <= INR #|Z| ^ 2 * r ^ 2.
Proof.
move=> [r0 [bound _]]; rewrite trace_sandwich -Rpow_mult_distr -[X in X <= _]pow2_abs; apply: pow_incr; split; first exact: Rabs_pos.
have entry k : Rabs (sandwich k k) <= r.
  pose e (l : Z) : R := if l == k then 1 else 0.
  have pick (F : Z -> R) : ∑ l, F l * e l = F k.
    rewrite (sum_ext (G := fun l => if l == k then F l else 0)) => [|l]; last by rewrite /e; case: eqP => _; ring.
    by rewrite -big_mkcond big_pred1_eq.
  have := norm_at_most_form e bound; rewrite /dot !pick /apply_matrix pick /e eqxx; lra.
have between k : - r <= sandwich k k <= r by split; have := entry k; rewrite /Rabs; case: Rcase_abs; lra.
apply: Rabs_le; rewrite -!sum_const -sum_opp; split; apply: sum_le => k; have := between k; lra.
Qed.
End TraceNorm.

(** One output, with W₁ = W₂ = C = 1: half of the right side. *)
Theorem prop_3a_relation_control : ~ (forall (D H Z : finType) (C : D -> D -> R) (W1 : H -> D -> R) (W2 : H -> Z -> R) r,
  norm_is (sandwich C W1 W2) r -> trace_loss C W1 W2 ^ 2 <= INR #|Z| ^ 2 * r ^ 2 / 2).
Proof.
pose one (_ _ : unit) : R := 1.
have entry k l : sandwich one one one k l = 1 by rewrite /sandwich /M_column !sum_unit /one; ring.
have same u : apply_matrix (sandwich one one one) u tt = u tt by rewrite /apply_matrix sum_unit entry; ring.
have is1 : norm_is (sandwich one one one) 1.
  apply: (@norm_attained _ _ _ _ (fun=> 1)); [lra | | |].
  - by move=> u; rewrite (norm_ext (v := u)) => [|[]]; [lra | exact: same].
  - by rewrite /norm /dot sum_unit; apply: sqrt_lt_R0; lra.
  - by rewrite (norm_ext (v := fun=> 1)) => [|[]]; [lra | rewrite same].
move=> /(_ _ _ _ one one one 1 is1); rewrite trace_sandwich sum_unit entry card_unit /=; lra.
Qed.
