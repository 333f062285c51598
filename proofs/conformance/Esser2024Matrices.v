(** Esser, Mukherjee, Ghoshdastidar: the definitions over a commutative ring, at matrices of whole numbers, are the numbers that the program
    computes for the same matrices.

    Written by `RENEW_CONFORMANCE=1 cargo test --test conformance`.  A lemma with the ending [_control] refutes the next
    number. *)
Require Import Contrapositive.conformance.IntegerMatrices
  Contrapositive.esser2024.Trace.
Local Open Scope ring_scope.

(** The losses (1) and (2), and the trace of (7). *)
Module OnePoint.
Definition X : 'M[int]_(1, 1) := integers 1 1 [:: [:: 1%:Z]].
Definition P : 'M[int]_(1, 1) := integers 1 1 [:: [:: 2%:Z]].
Definition N : 'M[int]_(1, 1) := integers 1 1 [:: [:: 3%:Z]].
Definition W1 : 'M[int]_(1, 1) := integers 1 1 [:: [:: 2%:Z]].
Definition W2 : 'M[int]_(1, 1) := integers 1 1 [:: [:: - 1%:Z]].

Lemma L_c_exact : L_c X N P W1 W2 = 4%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.
Lemma L_c_exact_control : L_c X N P W1 W2 <> 5%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.

Lemma L_nc_exact : L_nc X P W1 W2 = - 8%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.
Lemma L_nc_exact_control : L_nc X P W1 W2 <> - 7%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.

Lemma trace_exact : \tr (W2^T *m W1 *m C_tilde X N P *m W1^T *m W2) = 4%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.
Lemma trace_exact_control : \tr (W2^T *m W1 *m C_tilde X N P *m W1^T *m W2) <> 5%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.
End OnePoint.

(** The losses (1) and (2), and the trace of (7). *)
Module TwoPoints.
Definition X : 'M[int]_(2, 1) := integers 2 1 [:: [:: 1%:Z]; [:: - 2%:Z]].
Definition P : 'M[int]_(2, 1) := integers 2 1 [:: [:: 2%:Z]; [:: 0%:Z]].
Definition N : 'M[int]_(2, 1) := integers 2 1 [:: [:: 3%:Z]; [:: 1%:Z]].
Definition W1 : 'M[int]_(1, 1) := integers 1 1 [:: [:: 2%:Z]].
Definition W2 : 'M[int]_(1, 1) := integers 1 1 [:: [:: 3%:Z]].

Lemma L_c_exact : L_c X N P W1 W2 = - 36%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.

Lemma L_nc_exact : L_nc X P W1 W2 = - 72%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.

Lemma trace_exact : \tr (W2^T *m W1 *m C_tilde X N P *m W1^T *m W2) = - 36%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.
End TwoPoints.

(** The losses (1) and (2), and the trace of (7). *)
Module InThePlane.
Definition X : 'M[int]_(1, 2) := integers 1 2 [:: [:: 1%:Z; 0%:Z]].
Definition P : 'M[int]_(1, 2) := integers 1 2 [:: [:: 1%:Z; - 1%:Z]].
Definition N : 'M[int]_(1, 2) := integers 1 2 [:: [:: 0%:Z; 2%:Z]].
Definition W1 : 'M[int]_(1, 2) := integers 1 2 [:: [:: 1%:Z; 2%:Z]].
Definition W2 : 'M[int]_(1, 1) := integers 1 1 [:: [:: 1%:Z]].

Lemma L_c_exact : L_c X N P W1 W2 = 5%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.

Lemma L_nc_exact : L_nc X P W1 W2 = 1%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.

Lemma trace_exact : \tr (W2^T *m W1 *m C_tilde X N P *m W1^T *m W2) = 5%:Z.
Proof. rewrite /X /P /N /W1 /W2; entries. Qed.
End InThePlane.

(** The right side of (9). *)
Module OnTheLine.
Definition Λ : 'M[int]_1 := integers 1 1 [:: [:: - 1%:Z]].
Definition q : 'M[int]_(1, 1) := integers 1 1 [:: [:: 2%:Z]].

Lemma rhs_9_exact : rhs_9 Λ q ord0 ord0 = - 24%:Z.
Proof. rewrite /Λ /q; entries. Qed.
Lemma rhs_9_exact_control : rhs_9 Λ q ord0 ord0 <> - 23%:Z.
Proof. rewrite /Λ /q; entries. Qed.
End OnTheLine.

(** The right side of (9). *)
Module OneOutput.
Definition Λ : 'M[int]_2 := integers 2 2 [:: [:: - 1%:Z; 0%:Z]; [:: 0%:Z; 2%:Z]].
Definition q : 'M[int]_(2, 1) := integers 2 1 [:: [:: 2%:Z]; [:: - 3%:Z]].

Lemma rhs_9_exact : rhs_9 Λ q ord0 ord0 = 12%:Z.
Proof. rewrite /Λ /q; entries. Qed.
End OneOutput.

(** The right side of (9). *)
Module TwoOutputs.
Definition Λ : 'M[int]_1 := integers 1 1 [:: [:: 3%:Z]].
Definition q : 'M[int]_(1, 2) := integers 1 2 [:: [:: 1%:Z; - 2%:Z]].

Lemma rhs_9_exact : rhs_9 Λ q ord0 ord0 = 48%:Z.
Proof. rewrite /Λ /q; entries. Qed.
End TwoOutputs.
