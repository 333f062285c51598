(** Esser et al., after Theorem 2: the equation for P = qqᵀ, and the dynamics (10) with one output. *)
Require Import Contrapositive.esser2024.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

Section Riccati.
Variables (F : comRingType) (d z : nat) (q : 'M[F]_(d, z)) (L : 'M[F]_d).
Hypothesis L_sym : L^T = L.
Let P := q *m q^T.

Lemma P_sym : P^T = P.
Proof. by rewrite /P trmx_mul trmxK. Qed.

Lemma rhs_9_q : rhs_9 L q *m q^T = - 4%:R *: (L *m P) + 2%:R *: (L *m P *m P) + 2%:R *: (P *m L *m P).
Proof.
rewrite /rhs_9 /P -scalemxAl !mulmxBl -!scalemxAl !mulmxA.
move: (L *m q *m q^T) (L *m q *m q^T *m q *m q^T) (q *m q^T *m L *m q *m q^T) => A B C; entrywise.
Qed.

(** P′ = −4(ΛP + PΛ) + 2(ΛP² + P²Λ) + 4PΛP; the text says that (9) gives such an equation and does not print it.
    [claim] esser2024.riccati  [sense] printed  [scope] any sizes, entries in any commutative ring, any symmetric Λ *)
Theorem riccati_printed : rhs_9 L q *m q^T + q *m (rhs_9 L q)^T =
  - 4%:R *: (L *m P + P *m L) + 2%:R *: (L *m P *m P + P *m P *m L) + 4%:R *: (P *m L *m P).
Proof.
have -> : q *m (rhs_9 L q)^T = (rhs_9 L q *m q^T)^T by rewrite trmx_mul trmxK.
rewrite rhs_9_q !linearD /= !linearZ /= !trmx_mul !trmxK -/P L_sym !mulmxA.
move: (L *m P) (P *m L) (L *m P *m P) (P *m P *m L) (P *m L *m P) => A B C D E; entrywise.
Qed.

(** Where P is a projector: P′ = −2(ΛP + PΛ) + 4PΛP.
    [claim] esser2024.riccati  [sense] projector  [scope] any sizes, entries in any commutative ring, any symmetric Λ; P² = P *)
Theorem riccati_projector : P *m P = P ->
  rhs_9 L q *m q^T + q *m (rhs_9 L q)^T = - 2%:R *: (L *m P + P *m L) + 4%:R *: (P *m L *m P).
Proof.
move=> PP; rewrite riccati_printed -(mulmxA L P P) !PP.
move: (L *m P) (P *m L) (P *m L *m P) => A B C; entrywise.
Qed.

(** With the canonical metric: P′ = −4(ΛP + PΛ) + 8PΛP.
    [claim] esser2024.riccati  [sense] canonical  [scope] any sizes, entries in any commutative ring, any symmetric Λ *)
Theorem riccati_canonical : rhs_canonical L q *m q^T + q *m (rhs_canonical L q)^T =
  - 4%:R *: (L *m P + P *m L) + 8%:R *: (P *m L *m P).
Proof.
have e : rhs_canonical L q *m q^T = - 4%:R *: (L *m P) + 4%:R *: (P *m L *m P).
  rewrite /rhs_canonical /P -scalemxAl !mulmxBl mul1mx !mulmxA.
  move: (L *m q *m q^T) (q *m q^T *m L *m q *m q^T) => A B; entrywise.
have -> : q *m (rhs_canonical L q)^T = (rhs_canonical L q *m q^T)^T by rewrite trmx_mul trmxK.
rewrite e !linearD /= !linearZ /= !trmx_mul !trmxK -/P L_sym !mulmxA.
move: (L *m P) (P *m L) (P *m L *m P) => A B C; entrywise.
Qed.
End Riccati.

Section OneOutput.
Variables (F : comRingType) (d : nat) (q : 'cV[F]_d) (L : 'M[F]_d).
Let n := (q^T *m q) 0 0.
Let a := (q^T *m L *m q) 0 0.

Lemma scalar_right (m : nat) (A : 'M[F]_(m, 1)) (b : 'M[F]_1) : A *m b = b 0 0 *: A.
Proof. by rewrite [b in LHS]mx11_scalar mul_mx_scalar. Qed.

(** q′ = −2[(1 − qᵀq)Λq + (I − qqᵀ)Λq] for one output, twice what the paper prints for q′/2.
    [claim] esser2024.eq-10  [sense] printed  [scope] any dimension, entries in any commutative ring *)
Theorem eq_10_printed : rhs_9 L q = - 2%:R *: ((1 - n) *: (L *m q) + (1%:M - q *m q^T) *m L *m q).
Proof.
rewrite /rhs_9 !mulmxBl mul1mx -!mulmxA (mulmxA L q) (scalar_right (L *m q)) -/n.
move: (L *m q) (q *m (q^T *m (L *m q))) => A B; entrywise.
Qed.

(** q′ = −2(2 − qᵀq)Λq + 2(qᵀΛq)q.
    [claim] esser2024.eq-10  [sense] direction  [scope] any dimension, entries in any commutative ring *)
Theorem eq_10_direction : rhs_9 L q = - 2%:R *: ((2%:R - n) *: (L *m q)) + 2%:R *: (a *: q).
Proof.
rewrite eq_10_printed !mulmxBl mul1mx -!mulmxA (mulmxA q^T) (scalar_right q) -/a.
move: (L *m q) => A; entrywise.
Qed.

(** (qᵀq)′ = 2qᵀq′ = −8(1 − qᵀq) qᵀΛq.
    [claim] esser2024.eq-10  [sense] s1  [scope] any dimension, entries in any commutative ring *)
Theorem eq_10_s1 : 2%:R *: (q^T *m rhs_9 L q) = (- 8%:R * ((1 - n) * a))%:M.
Proof.
rewrite eq_10_direction mulmxDr -!scalemxAr mulmxA.
rewrite [q^T *m L *m q]mx11_scalar [q^T *m q]mx11_scalar -/a -/n.
by apply/matrixP => i j; rewrite !ord1 !mxE eqxx; ring.
Qed.
End OneOutput.

(** * Controls: one coordinate and one output, q = 2 and Λ = 1, integers; where q′ = 24 *)
Lemma at_two (a b : int) : a%:M = b%:M :> 'M_1 -> a = b.
Proof. by move/matrixP/(_ 0 0); rewrite !mxE. Qed.

Ltac numbers := rewrite /rhs_9 /rhs_canonical ?tr_scalar_mx ?trmxZ ?trmxB ?trmxZ ?mul1mx ?mulmx1;
  move/matrixP/(_ 0 0); rewrite ?(mxE, big_ord_recl, big_ord0) /=; try done.

(** Control b: 2PΛP in place of 4PΛP. *)
Theorem riccati_printed_control : ~ (forall (F : comRingType) (d z : nat) (q : 'M[F]_(d, z)) (L : 'M[F]_d), L^T = L ->
  let P := q *m q^T in rhs_9 L q *m q^T + q *m (rhs_9 L q)^T =
    - 4%:R *: (L *m P + P *m L) + 2%:R *: (L *m P *m P + P *m P *m L) + 2%:R *: (P *m L *m P)).
Proof. by move=> /(_ int_comRing 1%N 1%N (2%:R)%:M 1%:M (trmx1 _ _)) /=; numbers. Qed.

(** Without P² = P. *)
Theorem riccati_projector_control : ~ (forall (F : comRingType) (d z : nat) (q : 'M[F]_(d, z)) (L : 'M[F]_d), L^T = L ->
  let P := q *m q^T in rhs_9 L q *m q^T + q *m (rhs_9 L q)^T = - 2%:R *: (L *m P + P *m L) + 4%:R *: (P *m L *m P)).
Proof. by move=> /(_ int_comRing 1%N 1%N (2%:R)%:M 1%:M (trmx1 _ _)) /=; numbers. Qed.

(** With the terms of the Euclidean metric. *)
Theorem riccati_canonical_control : ~ (forall (F : comRingType) (d z : nat) (q : 'M[F]_(d, z)) (L : 'M[F]_d), L^T = L ->
  let P := q *m q^T in rhs_canonical L q *m q^T + q *m (rhs_canonical L q)^T =
    - 4%:R *: (L *m P + P *m L) + 4%:R *: (P *m L *m P)).
Proof. by move=> /(_ int_comRing 1%N 1%N (2%:R)%:M 1%:M (trmx1 _ _)) /=; numbers. Qed.

(** Control b of (10): q′ in place of q′/2. *)
Theorem eq_10_printed_control : ~ (forall (F : comRingType) (d : nat) (q : 'cV[F]_d) (L : 'M[F]_d), let n := (q^T *m q) 0 0 in
  rhs_9 L q = - 1 *: ((1 - n) *: (L *m q) + (1%:M - q *m q^T) *m L *m q)).
Proof. by move=> /(_ int_comRing 1%N (2%:R)%:M 1%:M) /=; numbers. Qed.

(** 1 − qᵀq in place of 2 − qᵀq. *)
Theorem eq_10_direction_control : ~ (forall (F : comRingType) (d : nat) (q : 'cV[F]_d) (L : 'M[F]_d),
  let n := (q^T *m q) 0 0 in let a := (q^T *m L *m q) 0 0 in
  rhs_9 L q = - 2%:R *: ((1 - n) *: (L *m q)) + 2%:R *: (a *: q)).
Proof. by move=> /(_ int_comRing 1%N (2%:R)%:M 1%:M) /=; numbers. Qed.

(** −4 in place of −8. *)
Theorem eq_10_s1_control : ~ (forall (F : comRingType) (d : nat) (q : 'cV[F]_d) (L : 'M[F]_d),
  let n := (q^T *m q) 0 0 in let a := (q^T *m L *m q) 0 0 in
  2%:R *: (q^T *m rhs_9 L q) = (- 4%:R * ((1 - n) * a))%:M).
Proof. by move=> /(_ int_comRing 1%N (2%:R)%:M 1%:M) /=; numbers. Qed.
