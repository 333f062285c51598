(** Esser et al.: linear networks of two layers, for every size and with entries in any commutative ring.

    The network is u(x) = W₂ᵀW₁x with W₁ of size h×d and W₂ of size h×z.  C = VΛVᵀ with VVᵀ = I is the d×d matrix of the
    loss, and q = VᵀW₁ᵀW₂: row i holds the outputs at the eigenvector v_i. *)
From mathcomp Require Export all_ssreflect all_algebra.
From mathcomp Require Export ring.
Set Implicit Arguments. Unset Strict Implicit.
Export GRing.Theory.
Global Open Scope ring_scope.

(** Equality of linear combinations of matrices, entry by entry. *)
Ltac atoms := repeat match goal with |- context [@fun_of_matrix ?T ?m ?n ?A ?i ?j] => move: (@fun_of_matrix T m n A i j) => ? end.
Ltac entrywise := apply/matrixP => i j; rewrite !mxE; atoms; ring.

Lemma trmxB (F : comRingType) m n (A B : 'M[F]_(m, n)) : (A - B)^T = A^T - B^T.
Proof. exact: linearB. Qed.
Lemma trmxZ (F : comRingType) m n a (A : 'M[F]_(m, n)) : (a *: A)^T = a *: A^T.
Proof. exact: linearZ. Qed.

Section Dynamics.
Variables (F : comRingType) (d z h : nat).

(** The right side of (9): q′ = −2[2Λq − Λqqᵀq − qqᵀΛq]. *)
Definition rhs_9 (L : 'M[F]_d) (q : 'M[F]_(d, z)) : 'M[F]_(d, z) :=
  - 2%:R *: (2%:R *: (L *m q) - L *m q *m q^T *m q - q *m q^T *m L *m q).

(** With the canonical metric in place of the Euclidean one: q′ = −4(I − qqᵀ)Λq. *)
Definition rhs_canonical (L : 'M[F]_d) (q : 'M[F]_(d, z)) : 'M[F]_(d, z) :=
  - 4%:R *: ((1%:M - q *m q^T) *m L *m q).

(** The flows of the weights: W₁′ = −2(I − W₁W₁ᵀ)W₂W₂ᵀW₁C and W₂′ = −2(I − W₂W₂ᵀ)W₁CW₁ᵀW₂. *)
Definition W1' (C : 'M[F]_d) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)) : 'M[F]_(h, d) :=
  - 2%:R *: ((1%:M - W1 *m W1^T) *m (W2 *m W2^T *m W1 *m C)).
Definition W2' (C : 'M[F]_d) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)) : 'M[F]_(h, z) :=
  - 2%:R *: ((1%:M - W2 *m W2^T) *m (W1 *m C *m W1^T *m W2)).

(** The outputs at the eigenvectors, and their derivative by the product rule. *)
Definition outputs (V : 'M[F]_d) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)) : 'M[F]_(d, z) := V^T *m W1^T *m W2.
Definition outputs' (V : 'M[F]_d) (C : 'M[F]_d) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)) : 'M[F]_(d, z) :=
  V^T *m (W1' C W1 W2)^T *m W2 + V^T *m W1^T *m W2' C W1 W2.

(** ‖W‖², the sum of the squared entries. *)
Definition sq_norm (m n : nat) (W : 'M[F]_(m, n)) : F := \tr (W^T *m W).
End Dynamics.
