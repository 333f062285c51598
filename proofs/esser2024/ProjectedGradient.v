(** Esser et al., proof of Theorem 2, first paragraph: is the printed flow the gradient flow of L = Tr(MᵀCM) under the
    constraints W₁ᵀW₁ = I and W₂ᵀW₂ = I?  In W₂ it is; in W₁ the term W₁(MMᵀC − CMMᵀ) is missing. *)
Require Import Contrapositive.esser2024.Definitions Contrapositive.esser2024.Theorem2.
Set Implicit Arguments. Unset Strict Implicit.

(** The gradient 2G projected on the tangent space {Z : WᵀZ + ZᵀW = 0} at W: 2G − W(WᵀG + GᵀW). *)
Definition projection (F : comRingType) (h k : nat) (W G : 'M[F]_(h, k)) : 'M[F]_(h, k) :=
  2%:R *: G - W *m (W^T *m G + G^T *m W).

Section Gradient.
Variables (F : comRingType) (d z h : nat).
Variables (V L C : 'M[F]_d) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)).
Hypothesis V_orth : V^T *m V = 1%:M.
Hypothesis C_VLV : C = V *m L *m V^T.
Hypothesis L_sym : L^T = L.
Hypothesis W1_orth : W1^T *m W1 = 1%:M.
Hypothesis W2_orth : W2^T *m W2 = 1%:M.

Let C_sym : C^T = C.
Proof. by rewrite C_VLV !trmx_mul trmxK L_sym mulmxA. Qed.

Lemma trmxD (m n : nat) (A B : 'M[F]_(m, n)) : (A + B)^T = A^T + B^T.
Proof. exact: linearD. Qed.

(** The projection is tangent. *)
Lemma projection_tangent (k : nat) (W G : 'M[F]_(h, k)) : W^T *m W = 1%:M ->
  W^T *m projection W G + (projection W G)^T *m W = 0.
Proof.
move=> orth; rewrite /projection mulmxBr mulmxA orth mul1mx -scalemxAr trmxB trmxZ trmx_mul trmxD !trmx_mul !trmxK.
rewrite mulmxBl -scalemxAl -mulmxA orth mulmx1.
by move: (W^T *m G) (G^T *m W) => a b; entrywise.
Qed.

(** Half of the gradients of L: ∇L = 2W₂W₂ᵀW₁C in W₁ and 2W₁CW₁ᵀW₂ in W₂. *)
Definition half_gradient_1 : 'M[F]_(h, d) := W2 *m W2^T *m W1 *m C.
Definition half_gradient_2 : 'M[F]_(h, z) := W1 *m C *m W1^T *m W2.
Let M := W1^T *m W2.
Definition commutator : 'M[F]_d := W1^T *m W2 *m (W1^T *m W2)^T *m C - C *m (W1^T *m W2) *m (W1^T *m W2)^T.

(** −(I − W₂W₂ᵀ)∇L is minus the projected gradient in W₂.
    [claim] esser2024.thm-2b  [sense] W2  [scope] any sizes, entries in any commutative ring *)
Theorem theorem_2b_W2 : W2' C W1 W2 = - projection W2 half_gradient_2.
Proof.
rewrite /W2' /projection -/half_gradient_2.
have -> : half_gradient_2^T *m W2 = W2^T *m half_gradient_2 by rewrite /half_gradient_2 !trmx_mul trmxK C_sym !mulmxA.
rewrite mulmxBl mul1mx mulmxDr -mulmxA.
by move: half_gradient_2 (W2 *m (W2^T *m half_gradient_2)) => a b; entrywise.
Qed.

(** The projected gradient in W₁ is (I − W₁W₁ᵀ)∇L + W₁(MMᵀC − CMMᵀ).
    [claim] esser2024.thm-2b  [sense] W1-gradient  [scope] any sizes, entries in any commutative ring *)
Theorem theorem_2b_W1_gradient :
  projection W1 half_gradient_1 = (1%:M - W1 *m W1^T) *m (2%:R *: half_gradient_1) + W1 *m commutator.
Proof.
rewrite /projection /commutator.
have -> : W1^T *m half_gradient_1 = W1^T *m W2 *m (W1^T *m W2)^T *m C by rewrite /half_gradient_1 trmx_mul trmxK !mulmxA.
have -> : half_gradient_1^T *m W1 = C *m (W1^T *m W2) *m (W1^T *m W2)^T.
  by rewrite /half_gradient_1 !trmx_mul !trmxK C_sym !mulmxA.
rewrite mulmxDr mulmxBr mulmxBl mul1mx -scalemxAr -(mulmxA W1 W1^T).
have -> : W1^T *m half_gradient_1 = W1^T *m W2 *m (W1^T *m W2)^T *m C by rewrite /half_gradient_1 trmx_mul trmxK !mulmxA.
by move: half_gradient_1 (W1 *m (_ *m C)) (W1 *m (C *m _ *m _)) => a b c; entrywise.
Qed.

(** The gradient flow has q′ = −4Λq + Λqqᵀq + 3qqᵀΛq.
    [claim] esser2024.thm-2b  [sense] gradient-flow  [scope] any sizes, entries in any commutative ring *)
Theorem theorem_2b_gradient_flow : let q := outputs V W1 W2 in
  V^T *m (- projection W1 half_gradient_1)^T *m W2 + V^T *m W1^T *m (- projection W2 half_gradient_2)
    = - 4%:R *: (L *m q) + L *m q *m q^T *m q + 3%:R *: (q *m q^T *m L *m q).
Proof.
move=> q; have VVT : V *m V^T = 1%:M by apply: mulmx1C.
have e1 : - projection W1 half_gradient_1 = W1' C W1 W2 - W1 *m commutator.
  by rewrite theorem_2b_W1_gradient /W1' -/half_gradient_1 -scalemxAr opprD scaleNr.
have K_anti : commutator^T = - commutator.
  by rewrite /commutator trmxB !trmx_mul !trmxK C_sym opprB !mulmxA.
have qV : q = V^T *m M by rewrite /q /outputs mulmxA.
have e2 : V^T *m (W1 *m commutator)^T *m W2 = L *m q *m q^T *m q - q *m q^T *m L *m q.
  rewrite trmx_mul K_anti mulNmx mulmxN mulNmx -!mulmxA -/M /commutator -/M mulmxBl mulmxBr opprB qV C_VLV.
  rewrite !trmx_mul !trmxK; congr (_ - _); rewrite !mulmxA //.
  by rewrite V_orth mul1mx -!mulmxA (mulmxA V V^T) VVT mul1mx.
rewrite -theorem_2b_W2 e1 trmxB mulmxBr mulmxBl e2 addrAC.
have -> : V^T *m (W1' C W1 W2)^T *m W2 + V^T *m W1^T *m W2' C W1 W2 = rhs_9 L q.
  exact: (outputs_rhs_9 V_orth C_VLV L_sym W1_orth W2_orth).
rewrite /rhs_9; move: (L *m q) (L *m q *m q^T *m q) (q *m q^T *m L *m q) => a b c; entrywise.
Qed.
End Gradient.

(** * The first part fails: W₁ = I, W₂ = (1, 0)ᵀ and C exchanges the coordinates; the printed flow stands still in W₁ *)
Definition one2 : 'M[int]_2 := 1%:M.
Definition column : 'M[int]_(2, 1) := \matrix_(i, j) (i == 0)%:R.
Definition swap : 'M[int]_2 := \matrix_(i, j) (i != j)%:R.

Lemma one2_orth : one2^T *m one2 = 1%:M.
Proof. by rewrite /one2 trmx1 mulmx1. Qed.
Lemma column_orth : column^T *m column = 1%:M.
Proof. by apply/matrixP => i j; rewrite !ord1 !mxE sum2 !mxE. Qed.
Lemma swap_sym : swap^T = swap.
Proof. by apply/matrixP => i j; rewrite !mxE eq_sym. Qed.
Lemma swap_VLV : swap = one2 *m swap *m one2^T.
Proof. by rewrite /one2 trmx1 mulmx1 mul1mx. Qed.

(** Tables of 2 × 2 entries. *)
Definition table (a b c e : int) : 'M[int]_2 := \matrix_(i, j) (if i == 0 then if j == 0 then a else b else if j == 0 then c else e).
Lemma table_mul a b c e a' b' c' e' :
  table a b c e *m table a' b' c' e' = table (a * a' + b * c') (a * b' + b * e') (c * a' + e * c') (c * b' + e * e').
Proof. by apply/matrixP => i j; rewrite !mxE sum2 !mxE /=; case: (i == 0); case: (j == 0). Qed.

Lemma swap_table : swap = table 0 1 1 0.
Proof. by apply/matrixP => -[[|[|i]] lti] -[[|[|j]] ltj] //; rewrite !mxE. Qed.
Lemma column_table : column *m column^T = table 1 0 0 0.
Proof. by apply/matrixP => -[[|[|i]] lti] -[[|[|j]] ltj] //; rewrite !mxE big_ord_recl big_ord0 !mxE. Qed.

Lemma commutator_swap : commutator swap one2 column = table 0 1 (-1) 0.
Proof.
rewrite /commutator /one2 !trmx1 !mul1mx -(mulmxA swap) column_table swap_table !table_mul.
by apply/matrixP => i j; rewrite !mxE; case: (i == 0); case: (j == 0).
Qed.

(** [claim] esser2024.thm-2b  [sense] W1  [scope] refuted for h = d = 2, z = 1 *)
Theorem theorem_2b_W1_refuted : ~ (forall (d z h : nat) (C : 'M[int]_d) (W1 : 'M[int]_(h, d)) (W2 : 'M[int]_(h, z)),
  C^T = C -> W1^T *m W1 = 1%:M -> W2^T *m W2 = 1%:M -> W1' C W1 W2 = - projection W1 (half_gradient_1 C W1 W2)).
Proof.
move=> /(_ _ _ _ _ _ _ swap_sym one2_orth column_orth).
rewrite (theorem_2b_W1_gradient one2 column swap_VLV swap_sym) commutator_swap /W1' /one2 trmx1 mulmx1 subrr !mul0mx scaler0 add0r mul1mx.
by move/matrixP/(_ 0 (lift ord0 ord0)); rewrite !mxE.
Qed.

(** * Controls, at the same point *)

(** The missing term with the other sign. *)
Theorem theorem_2b_W1_gradient_control : ~ (forall (d z h : nat) (C : 'M[int]_d) (W1 : 'M[int]_(h, d)) (W2 : 'M[int]_(h, z)),
  C^T = C -> W1^T *m W1 = 1%:M -> W2^T *m W2 = 1%:M -> projection W1 (half_gradient_1 C W1 W2) =
    (1%:M - W1 *m W1^T) *m (2%:R *: half_gradient_1 C W1 W2) - W1 *m commutator C W1 W2).
Proof.
move=> /(_ _ _ _ _ _ _ swap_sym one2_orth column_orth).
rewrite (theorem_2b_W1_gradient one2 column swap_VLV swap_sym) commutator_swap => /addrI; rewrite /one2 !mul1mx.
by move/matrixP/(_ 0 (lift ord0 ord0)); rewrite !mxE.
Qed.

(** Control b: ∇L itself, without the projection, in W₂. *)
Theorem theorem_2b_W2_control : ~ (forall (d z h : nat) (C : 'M[int]_d) (W1 : 'M[int]_(h, d)) (W2 : 'M[int]_(h, z)),
  C^T = C -> W1^T *m W1 = 1%:M -> W2^T *m W2 = 1%:M -> W2' C W1 W2 = - (2%:R *: half_gradient_2 C W1 W2)).
Proof.
move=> /(_ _ _ _ _ _ _ (trmx1 _ _) one2_orth column_orth).
rewrite /W2' /half_gradient_2 /one2 !trmx1 !mulmx1 !mul1mx mulmxBl mul1mx -mulmxA column_orth mulmx1 subrr scaler0.
by move/matrixP/(_ 0 0); rewrite !mxE.
Qed.

(** The printed (9): q′ = −4Λq + 2Λqqᵀq + 2qqᵀΛq. *)
Theorem theorem_2b_gradient_flow_control : ~ (forall (d z h : nat) (V L C : 'M[int]_d) (W1 : 'M[int]_(h, d)) (W2 : 'M[int]_(h, z)),
  V^T *m V = 1%:M -> C = V *m L *m V^T -> L^T = L -> W1^T *m W1 = 1%:M -> W2^T *m W2 = 1%:M ->
  V^T *m (- projection W1 (half_gradient_1 C W1 W2))^T *m W2 + V^T *m W1^T *m (- projection W2 (half_gradient_2 C W1 W2))
    = rhs_9 L (outputs V W1 W2)).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ one2_orth swap_VLV swap_sym one2_orth column_orth).
have := theorem_2b_gradient_flow one2_orth swap_VLV swap_sym one2_orth column_orth; rewrite /= => ->.
have -> : outputs one2 one2 column = column by rewrite /outputs /one2 !trmx1 !mul1mx.
rewrite /rhs_9 -!(mulmxA _ column^T) column_orth mulmx1 => /matrixP/(_ (lift ord0 ord0) 0).
have sc : swap *m column = \matrix_(i, j) (i != 0)%:R.
  by apply/matrixP => -[[|[|i]] lti] j //; rewrite !mxE sum2 !mxE.
have cs : column^T *m (swap *m column) = 0.
  by rewrite sc; apply/matrixP => i j; rewrite !mxE sum2 !mxE.
by rewrite -?mulmxA ?cs ?column_orth ?mulmx1 ?mulmx0 sc !mxE.
Qed.

(** * Theorem 2 for the gradient flow of (8): its W₁′ has a term more, and (9) does not follow *)

(** [claim] esser2024.thm-2a  [sense] gradient  [scope] refuted for h = d = 2, z = 1 *)
Theorem theorem_2a_gradient_refuted : ~ (forall (d z h : nat) (V L C : 'M[int]_d) (W1 : 'M[int]_(h, d)) (W2 : 'M[int]_(h, z)),
  V^T *m V = 1%:M -> C = V *m L *m V^T -> L^T = L -> W1^T *m W1 = 1%:M -> W2^T *m W2 = 1%:M ->
  V^T *m (- projection W1 (half_gradient_1 C W1 W2))^T *m W2 + V^T *m W1^T *m (- projection W2 (half_gradient_2 C W1 W2))
    = rhs_9 L (outputs V W1 W2)).
Proof. exact: theorem_2b_gradient_flow_control. Qed.
