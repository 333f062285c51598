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

(** The printed form of problem 1: L/(‖W₁‖₂²‖W₂‖₂²) with L = ‖W₂ᵀW₁CW₁ᵀW₂‖₂², at weights that are not zero. *)
Definition printed_quotient (D H Z : finType) (C : D -> D -> R) (W1 : H -> D -> R) (W2 : H -> Z -> R) (x : R) : Prop := exists r r1 r2,
  norm_is (sandwich C W1 W2) r /\ norm_is W1 r1 /\ norm_is W2 r2 /\ 0 < r1 /\ 0 < r2 /\ x = r ^ 2 / (r1 ^ 2 * r2 ^ 2).

(** * Sizes d = h = z = 1 *)
Lemma norm_is_unique (I J : finType) (A : I -> J -> R) r r' : norm_is A r -> norm_is A r' -> r = r'.
Proof. by move=> [r0 [b least]] [r'0 [b' least']]; apply: Rle_antisym; [exact: least | exact: least']. Qed.

Definition constant (t : R) (_ _ : unit) : R := t.
Lemma scalar_matrix (A : unit -> unit -> R) : A = constant (A tt tt).
Proof. by do 2 (apply: FunctionalExtensionality.functional_extensionality => -[]). Qed.

Lemma norm_is_constant t : norm_is (constant t) (Rabs t).
Proof.
have same u i : apply_matrix (constant t) u i = scale t u i by case: i; rewrite /apply_matrix sum_unit.
apply: (@norm_attained _ _ _ _ (fun=> 1)); first exact: Rabs_pos.
- by move=> u; rewrite (norm_ext (same u)) norm_scale; exact: Rle_refl.
- by rewrite /norm /dot sum_unit; apply: sqrt_lt_R0; lra.
- by rewrite (norm_ext (same _)) norm_scale; exact: Rle_refl.
Qed.

Lemma sandwich_constant c a b : sandwich (constant c) (constant a) (constant b) = constant (c * (a * b) ^ 2).
Proof. by rewrite [LHS]scalar_matrix /sandwich /M_column !sum_unit /constant; congr constant; ring. Qed.

(** At C = −1 the quotient is (w₁w₂)². *)
Lemma quotient_constant a b x : printed_quotient (constant (- 1)) (constant a) (constant b) x <-> a <> 0 /\ b <> 0 /\ x = (a * b) ^ 2.
Proof.
have value : a <> 0 -> b <> 0 -> Rabs (- 1 * (a * b) ^ 2) ^ 2 / (Rabs a ^ 2 * Rabs b ^ 2) = (a * b) ^ 2.
  by move=> a0 b0; rewrite !pow2_abs; field.
rewrite /printed_quotient sandwich_constant; split=> [[r [r1 [r2 [n [n1 [n2 [p1 [p2 ->]]]]]]]] | [a0 [b0 ->]]].
  have e := norm_is_unique n (norm_is_constant _); have e1 := norm_is_unique n1 (norm_is_constant _); have e2 := norm_is_unique n2 (norm_is_constant _).
  have a0 : a <> 0 by move=> z; move: p1; rewrite e1 z Rabs_R0; lra.
  have b0 : b <> 0 by move=> z; move: p2; rewrite e2 z Rabs_R0; lra.
  by rewrite e e1 e2 value.
exists (Rabs (- 1 * (a * b) ^ 2)), (Rabs a), (Rabs b); have pa := Rabs_pos_lt _ a0; have pb := Rabs_pos_lt _ b0.
by do 3 (split; first exact: norm_is_constant); rewrite value.
Qed.

(** L = ‖W₂ᵀW₁CW₁ᵀW₂‖₂²: with W₁ = W₂ = 1 and C = 2 the trace is 2 and the square 4.
    [claim] esser2024.prop-3a  [sense] P  [scope] refuted at d = h = z = 1, for the trace that the losses are *)
Theorem prop_3a_P_refuted : ~ (forall (D H Z : finType) (C : D -> D -> R) (W1 : H -> D -> R) (W2 : H -> Z -> R) r,
  norm_is (sandwich C W1 W2) r -> trace_loss C W1 W2 = r ^ 2).
Proof.
move=> /(_ _ _ _ (constant 2) (constant 1) (constant 1)) h; have := h (Rabs (2 * (1 * 1) ^ 2)).
rewrite trace_sandwich sum_unit sandwich_constant => /(_ (norm_is_constant _)); rewrite pow2_abs /constant; lra.
Qed.

(** Printed norm: the quotient has a least value.  At C = −1 it is (w₁w₂)² > 0, with the infimum 0.
    [claim] esser2024.prop-3b  [sense] P  [scope] refuted at d = h = z = 1, C = −1 *)
Theorem prop_3b_P_refuted : ~ (forall (D H Z : finType) (C : D -> D -> R), (exists u, form C u < 0) ->
  exists (W1 : H -> D -> R) (W2 : H -> Z -> R) x, printed_quotient C W1 W2 x /\
    forall (V1 : H -> D -> R) (V2 : H -> Z -> R) y, printed_quotient C V1 V2 y -> x <= y).
Proof.
have neg : exists u, form (constant (- 1)) u < 0 by exists (fun=> 1); rewrite /form !sum_unit /constant; lra.
move=> /(_ _ unit_finType unit_finType _ neg) [W1 [W2 [x [+ least]]]]; rewrite (scalar_matrix W1) (scalar_matrix W2).
move: (W1 tt tt) (W2 tt tt) => a b /quotient_constant [a0 [b0 e]].
have h : printed_quotient (constant (- 1)) (constant (a / 2)) (constant b) ((a / 2 * b) ^ 2) by apply/quotient_constant; split=> //; lra.
have p : 0 < (a * b) ^ 2 by rewrite -Rsqr_pow2; apply: Rsqr_pos_lt; apply: Rmult_integral_contrapositive.
by have := least _ _ _ h; rewrite e; have -> : (a / 2 * b) ^ 2 = (a * b) ^ 2 / 4 by [field]; lra.
Qed.

(** Printed norm: the quotient is invariant under W_i → s_iW_i.  It is multiplied by (s₁s₂)².
    [claim] esser2024.prop-3b  [sense] s1-P  [scope] refuted at d = h = z = 1, C = −1 *)
Theorem prop_3b_s1_P_refuted : ~ (forall (D H Z : finType) (C : D -> D -> R) (W1 : H -> D -> R) (W2 : H -> Z -> R) s1 s2 x, s1 <> 0 -> s2 <> 0 ->
  printed_quotient C W1 W2 x -> printed_quotient C (fun i d => s1 * W1 i d) (fun i k => s2 * W2 i k) x).
Proof.
move=> /(_ _ _ _ (constant (- 1)) (constant 1) (constant 1) 2 1 1 ltac:(lra) ltac:(lra)).
have one : printed_quotient (constant (- 1)) (constant 1) (constant 1) 1 by apply/quotient_constant; split; [lra | split; lra].
by move=> /(_ one) /(quotient_constant (2 * 1) (1 * 1)) [_ [_]]; lra.
Qed.

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
