(** Esser et al., Theorem 2 (a) and what the paper says around it: the constraints are preserved, the outputs at the
    eigenvectors obey (9), whatever the width, and they give the output at every point. *)
Require Import Contrapositive.esser2024.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

Section Theorem2.
Variables (F : comRingType) (d z h : nat).
Variables (V L C : 'M[F]_d) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)).
Hypothesis V_orth : V^T *m V = 1%:M.
Hypothesis C_VLV : C = V *m L *m V^T.
Hypothesis L_sym : L^T = L.
Hypothesis W1_orth : W1^T *m W1 = 1%:M.
Hypothesis W2_orth : W2^T *m W2 = 1%:M.

Let VVT : V *m V^T = 1%:M.
Proof. exact: mulmx1C. Qed.

Let C_sym : C^T = C.
Proof. by rewrite C_VLV !trmx_mul trmxK L_sym mulmxA. Qed.

(** A direction that is projected off W keeps WᵀW = I. *)
Lemma projected (m k : nat) (W : 'M[F]_(h, m)) (G : 'M[F]_(h, k)) : W^T *m W = 1%:M ->
  W^T *m ((1%:M - W *m W^T) *m G) = 0.
Proof. by move=> orth; rewrite mulmxA mulmxBr mulmx1 mulmxA orth mul1mx subrr mul0mx. Qed.

(** W₁ᵀW₁′ = 0 and W₂ᵀW₂′ = 0.
    [claim] esser2024.thm-2a  [sense] s1  [scope] any sizes, entries in any commutative ring *)
Theorem theorem_2a_s1 : W1^T *m W1' C W1 W2 = 0 /\ W2^T *m W2' C W1 W2 = 0.
Proof. by rewrite /W1' /W2' -!scalemxAr !projected ?scaler0. Qed.

Let M := W1^T *m W2.

Lemma W1'_W2 : (W1' C W1 W2)^T *m W2 = - 2%:R *: (C *m M - C *m M *m M^T *m M).
Proof.
rewrite /W1' /M linearZ /= -scalemxAl; congr (_ *: _).
rewrite !trmx_mul !trmxK linearB /= trmx1 !trmx_mul trmxK C_sym.
by rewrite mulmxBr mulmx1 mulmxBl !mulmxA -(mulmxA (C *m W1^T *m W2)) W2_orth mulmx1.
Qed.

Lemma W1_W2' : W1^T *m W2' C W1 W2 = - 2%:R *: (C *m M - M *m M^T *m C *m M).
Proof.
rewrite /W2' /M -scalemxAr; congr (_ *: _).
rewrite mulmxBl mul1mx mulmxBr !mulmxA W1_orth mul1mx trmx_mul trmxK.
by rewrite !mulmxA.
Qed.

(** Λq = VᵀCM, qᵀq = MᵀM and qᵀΛq = MᵀCM for q = VᵀM. *)
Lemma L_outputs : L *m outputs V W1 W2 = V^T *m (C *m M).
Proof. by rewrite /outputs /M C_VLV !mulmxA V_orth mul1mx. Qed.

Lemma gram_outputs : (outputs V W1 W2)^T *m outputs V W1 W2 = M^T *m M.
Proof. by rewrite /outputs -!mulmxA -/M trmx_mul trmxK -!mulmxA (mulmxA V) VVT mul1mx. Qed.

Lemma form_outputs : (outputs V W1 W2)^T *m L *m outputs V W1 W2 = M^T *m C *m M.
Proof. by rewrite -mulmxA L_outputs /outputs -!mulmxA -/M trmx_mul trmxK -!mulmxA (mulmxA V) VVT mul1mx. Qed.

Lemma outputs_rhs_9 : outputs' V C W1 W2 = rhs_9 L (outputs V W1 W2).
Proof.
rewrite /rhs_9 -(mulmxA (L *m outputs V W1 W2)) gram_outputs -(mulmxA (outputs V W1 W2)) -(mulmxA (outputs V W1 W2)).
rewrite form_outputs L_outputs.
rewrite /outputs' /outputs -!mulmxA W1'_W2 W1_W2' -/M -!scalemxAr -scalerDr; congr (_ *: _).
rewrite !mulmxBr -!mulmxA scaler_nat mulr2n.
move: (V^T *m _) (V^T *m _) (V^T *m _) => a b c; entrywise.
Qed.

(** WᵀW′ = 0 for both, so that WᵀW = I is preserved, and the outputs obey (9).
    [claim] esser2024.thm-2a  [sense] printed  [scope] any sizes, entries in any commutative ring *)
Theorem theorem_2a_printed :
  W1^T *m W1' C W1 W2 = 0 /\ W2^T *m W2' C W1 W2 = 0 /\ outputs' V C W1 W2 = rhs_9 L (outputs V W1 W2).
Proof. by have [s1 s2] := theorem_2a_s1; split; [|split; [|exact: outputs_rhs_9]]. Qed.

(** E′ = 4(EA + AE) for E = I − qᵀq and A = qᵀΛq.
    [claim] esser2024.thm-2a  [sense] s4  [scope] any sizes, entries in any commutative ring *)
Theorem theorem_2a_s4 (q : 'M[F]_(d, z)) : let E := 1%:M - q^T *m q in let A := q^T *m L *m q in
  - ((rhs_9 L q)^T *m q + q^T *m rhs_9 L q) = 4%:R *: (E *m A + A *m E).
Proof.
move=> E A.
have e : q^T *m rhs_9 L q = - 2%:R *: (2%:R *: A - A *m (q^T *m q) - q^T *m q *m A).
  by rewrite /rhs_9 -scalemxAr !mulmxBr -scalemxAr /A !mulmxA.
have A_sym : A^T = A by rewrite /A !trmx_mul trmxK L_sym mulmxA.
have -> : (rhs_9 L q)^T *m q = (q^T *m rhs_9 L q)^T by rewrite trmx_mul trmxK.
rewrite e /E; move: A A_sym {e E} => A A_sym; rewrite trmxZ !trmxB trmxZ !trmx_mul trmxK A_sym mulmxBl mulmxBr mul1mx mulmx1.
move: (A *m (q^T *m q)) (q^T *m q *m A) => a b; entrywise.
Qed.

(** L′ = −‖W₁′‖² − ‖W₂′‖² for the loss L = Tr(W₂ᵀW₁CW₁ᵀW₂), whose gradients are 2W₂W₂ᵀW₁C and 2W₁CW₁ᵀW₂.
    [claim] esser2024.thm-2a  [sense] dissipation  [scope] any sizes, entries in any commutative ring *)
Theorem theorem_2a_dissipation :
  \tr ((2%:R *: (W2 *m W2^T *m W1 *m C))^T *m W1' C W1 W2) + \tr ((2%:R *: (W1 *m C *m W1^T *m W2))^T *m W2' C W1 W2)
    = - sq_norm (W1' C W1 W2) - sq_norm (W2' C W1 W2).
Proof.
have part (m k : nat) (W : 'M[F]_(h, m)) (G : 'M[F]_(h, k)) : W^T *m W = 1%:M ->
    \tr ((2%:R *: G)^T *m (- 2%:R *: ((1%:M - W *m W^T) *m G))) = - sq_norm (- 2%:R *: ((1%:M - W *m W^T) *m G)).
  move=> orth; rewrite /sq_norm; set H := (1%:M - W *m W^T) *m G.
  have HH : H^T *m H = G^T *m H.
    rewrite {1}/H trmx_mul linearB /= trmx1 trmx_mul trmxK -mulmxA mulmxBl mul1mx -mulmxA.
    by rewrite (projected _ orth) mulmx0 subr0.
  by rewrite !trmxZ -!scalemxAl -!scalemxAr !scalerA !mxtraceZ HH; ring.
by rewrite /W1' /W2' !part // opprD.
Qed.
End Theorem2.

(** * The width plays no part *)
Section Width.
Variables (F : comRingType) (d z h h' : nat) (V L C : 'M[F]_d).
Hypothesis V_orth : V^T *m V = 1%:M.
Hypothesis C_VLV : C = V *m L *m V^T.
Hypothesis L_sym : L^T = L.

(** Networks of the widths h and h′ with equal q have equal q′.
    [claim] esser2024.width  [sense] printed  [scope] any sizes, entries in any commutative ring *)
Theorem width_printed (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)) (U1 : 'M[F]_(h', d)) (U2 : 'M[F]_(h', z)) :
  W1^T *m W1 = 1%:M -> W2^T *m W2 = 1%:M -> U1^T *m U1 = 1%:M -> U2^T *m U2 = 1%:M ->
  outputs V W1 W2 = outputs V U1 U2 -> outputs' V C W1 W2 = outputs' V C U1 U2.
Proof.
move=> w1 w2 u1 u2 same.
by rewrite (outputs_rhs_9 V_orth C_VLV L_sym w1 w2) same -(outputs_rhs_9 V_orth C_VLV L_sym u1 u2).
Qed.
End Width.

(** * The output at a new point *)
Section NewPoint.
Variables (F : comRingType) (d z h : nat) (V : 'M[F]_d) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)).
Hypothesis V_orth : V^T *m V = 1%:M.

(** u(x̂) = Σ_i α_i u(v_i) = qᵀVᵀx̂ with α = Vᵀx̂; v_i is column i of V.
    [claim] esser2024.newpoint  [sense] printed  [scope] any sizes, entries in any commutative ring; the weights are arbitrary *)
Theorem newpoint_printed (x : 'cV[F]_d) : let u (y : 'cV[F]_d) := W2^T *m W1 *m y in let α := V^T *m x in
  u x = \sum_i α i 0 *: u (col i V) /\ u x = (outputs V W1 W2)^T *m V^T *m x.
Proof.
have VVT : V *m V^T = 1%:M by apply: mulmx1C.
move=> u α; split; last first.
  by rewrite /u /outputs !trmx_mul !trmxK -!mulmxA (mulmxA V) VVT mul1mx.
have -> : u x = \sum_i α i 0 *: u (col i V); last by [].
rewrite /u -[x in LHS]mul1mx -VVT -(mulmxA V) -/α (mulmxA _ V α); apply/matrixP => j k.
rewrite ord1 mxE summxE; apply: eq_bigr => i _; rewrite [in RHS]mxE mulrC; congr (_ * _).
by rewrite !mxE; apply: eq_bigr => l _; rewrite !mxE.
Qed.
End NewPoint.

(** * Controls: d = z = 1, h = 2, V = Λ = C = 1, W₁ = (1, 0)ᵀ and W₂ = (2, 2)ᵀ over the field of seven
    elements, where 2² + 2² = 1 *)
Definition pair (a b : 'F_7) : 'M['F_7]_(2, 1) := \matrix_(i, j) (if i == 0 then a else b).
Definition e1 := pair 1 0.
Definition tilted := pair 2%:R 2%:R.

Lemma sum2 (F : zmodType) (G : 'I_2 -> F) : \sum_i G i = G 0 + G (lift ord0 ord0).
Proof. by rewrite !big_ord_recl big_ord0 addr0. Qed.

Lemma pair_mul a b c e : (pair a b)^T *m pair c e = (a * c + b * e)%:M.
Proof. by apply/matrixP => i j; rewrite !ord1 !mxE sum2 !mxE /= mulr1n. Qed.

Lemma e1_orth : e1^T *m e1 = 1%:M.
Proof. by rewrite pair_mul; congr (_%:M). Qed.
Lemma tilted_orth : tilted^T *m tilted = 1%:M.
Proof. by rewrite pair_mul; congr (_%:M); apply/eqP. Qed.
Lemma e1_tilted : e1^T *m tilted = (2%:R)%:M.
Proof. by rewrite pair_mul; congr (_%:M); apply/eqP. Qed.

Lemma one_orth : (1%:M : 'M['F_7]_1)^T *m 1%:M = 1%:M.
Proof. by rewrite trmx1 mulmx1. Qed.
Lemma one_VLV : (1%:M : 'M['F_7]_1) = 1%:M *m 1%:M *m (1%:M)^T.
Proof. by rewrite trmx1 !mulmx1. Qed.

(** q = 2 and q′ = −4q(1 − q²) = 3. *)
Lemma tilted_outputs : outputs 1%:M e1 tilted = (2%:R)%:M.
Proof. by rewrite /outputs trmx1 mul1mx e1_tilted. Qed.

Lemma tilted_outputs' : outputs' 1%:M 1%:M e1 tilted = (3%:R)%:M.
Proof.
rewrite (outputs_rhs_9 one_orth one_VLV (trmx1 _ _) e1_orth tilted_orth) tilted_outputs /rhs_9.
rewrite !mul1mx tr_scalar_mx !mulmx1 -!scalar_mxM -!scaleN1r.
by apply/matrixP => i j; rewrite !ord1 !mxE; apply/eqP.
Qed.

(** Control b of thm-2a: Λq in place of 2Λq. *)
Theorem theorem_2a_printed_control : ~ (forall (F : comRingType) (d z h : nat) (V L C : 'M[F]_d)
    (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)), V^T *m V = 1%:M -> C = V *m L *m V^T -> L^T = L ->
  W1^T *m W1 = 1%:M -> W2^T *m W2 = 1%:M -> let q := outputs V W1 W2 in
  outputs' V C W1 W2 = - 2%:R *: (L *m q - L *m q *m q^T *m q - q *m q^T *m L *m q)).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ one_orth one_VLV (trmx1 _ _) e1_orth tilted_orth) /=.
rewrite tilted_outputs' tilted_outputs !mul1mx tr_scalar_mx !mulmx1 -!scalar_mxM.
by move/matrixP/(_ 0 0); rewrite !mxE; move/eqP.
Qed.

(** Control "free": the gradient itself, without the projection. *)
Theorem theorem_2a_s1_control : ~ (forall (F : comRingType) (d z h : nat) (C : 'M[F]_d) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)),
  W1^T *m W1 = 1%:M -> W2^T *m W2 = 1%:M -> W2^T *m (2%:R *: (W1 *m C *m W1^T *m W2)) = 0).
Proof.
move=> /(_ _ _ _ _ 1%:M _ _ e1_orth e1_orth); rewrite mulmx1 -scalemxAr -!mulmxA e1_orth mulmx1 e1_orth.
by move/matrixP/(_ 0 0); rewrite !mxE; move/eqP.
Qed.

(** E′ = 2(EA + AE), at q = 2. *)
Theorem theorem_2a_s4_control : ~ (forall (F : comRingType) (d z : nat) (L : 'M[F]_d) (q : 'M[F]_(d, z)), L^T = L ->
  let E := 1%:M - q^T *m q in let A := q^T *m L *m q in
  - ((rhs_9 L q)^T *m q + q^T *m rhs_9 L q) = 2%:R *: (E *m A + A *m E)).
Proof.
move=> /(_ int_comRing 1%N 1%N 1%:M (2%:R)%:M (trmx1 _ _)) /=.
rewrite /rhs_9 !mul1mx !tr_scalar_mx !mulmx1 -!scalar_mxM !trmxZ !trmxB !trmxZ !tr_scalar_mx.
rewrite -!scalemxAl -!scalemxAr !mulmxBl !mulmxBr -!scalemxAl -!scalemxAr !mul1mx !mulmx1 -!scalar_mxM.
by move/matrixP/(_ 0 0); rewrite !mxE; move/eqP.
Qed.

(** The loss does not grow: the sign of the dissipation. *)
Theorem theorem_2a_dissipation_control : ~ (forall (F : comRingType) (d z h : nat) (C : 'M[F]_d)
    (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)), W1^T *m W1 = 1%:M -> W2^T *m W2 = 1%:M ->
  \tr ((2%:R *: (W2 *m W2^T *m W1 *m C))^T *m W1' C W1 W2) + \tr ((2%:R *: (W1 *m C *m W1^T *m W2))^T *m W2' C W1 W2)
    = sq_norm (W1' C W1 W2) + sq_norm (W2' C W1 W2)).
Proof.
move=> /(_ _ _ _ _ 1%:M _ _ e1_orth tilted_orth); rewrite (theorem_2a_dissipation _ e1_orth tilted_orth).
have tilted_e1 : tilted^T *m e1 = (2%:R)%:M by rewrite pair_mul; congr (_%:M); apply/eqP.
have -> : W1' 1%:M e1 tilted = pair 0 6%:R.
  rewrite /W1' mulmx1 -mulmxA tilted_e1 mul_mx_scalar mulmxBl mul1mx -mulmxA -scalemxAr e1_tilted scale_scalar_mx mul_mx_scalar.
  by apply/matrixP => i j; rewrite !mxE; case: (i == 0); apply/eqP.
have -> : W2' 1%:M e1 tilted = pair 5%:R 2%:R.
  rewrite /W2' mulmx1 -mulmxA e1_tilted mul_mx_scalar mulmxBl mul1mx -mulmxA -scalemxAr tilted_e1 scale_scalar_mx mul_mx_scalar.
  by apply/matrixP => i j; rewrite !mxE; case: (i == 0); apply/eqP.
by rewrite /sq_norm !pair_mul !mxtrace_scalar; move/eqP.
Qed.

(** Equal widths and equal C do not make equal q′: the start matters. *)
Theorem width_printed_control : ~ (forall (F : comRingType) (d z h h' : nat) (V L C : 'M[F]_d) (W1 : 'M[F]_(h, d))
    (W2 : 'M[F]_(h, z)) (U1 : 'M[F]_(h', d)) (U2 : 'M[F]_(h', z)),
  V^T *m V = 1%:M -> C = V *m L *m V^T -> L^T = L ->
  W1^T *m W1 = 1%:M -> W2^T *m W2 = 1%:M -> U1^T *m U1 = 1%:M -> U2^T *m U2 = 1%:M ->
  outputs' V C W1 W2 = outputs' V C U1 U2).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ _ _ _ one_orth one_VLV (trmx1 _ _) e1_orth tilted_orth e1_orth e1_orth).
rewrite tilted_outputs' (outputs_rhs_9 one_orth one_VLV (trmx1 _ _) e1_orth e1_orth).
rewrite /rhs_9 /outputs trmx1 !mul1mx e1_orth trmx1 !mulmx1.
by move/matrixP/(_ 0 0); rewrite !mxE; move/eqP.
Qed.

(** Control a of newpoint: V in place of its transpose; V is a quarter turn, and the weights are the identity. *)
Theorem newpoint_printed_control : ~ (forall (F : comRingType) (d z h : nat) (V : 'M[F]_d) (W1 : 'M[F]_(h, d))
    (W2 : 'M[F]_(h, z)) (x : 'cV[F]_d), V^T *m V = 1%:M -> W2^T *m W1 *m x = (outputs V W1 W2)^T *m V *m x).
Proof.
pose V : 'M[int]_2 := \matrix_(i, j) (if i == j then 0 else if i == 0 then 1 else -1).
have V_orth : V^T *m V = 1%:M.
  apply/matrixP => i j; rewrite !mxE sum2 !mxE /=.
  by case: i => -[|[|i]] lti //; case: j => -[|[|j]] ltj.
move=> /(_ _ _ _ _ V 1%:M 1%:M (\col_i (i == 0)%:R) V_orth); rewrite /outputs !trmx1 !mulmx1 mul1mx trmxK.
by move/matrixP/(_ 0 0); rewrite !mxE sum2 !mxE !sum2 !mxE.
Qed.
