(** Matrices of whole numbers, as lists of rows, whose sums and products compute: for the definitions that hold over any
    commutative ring.

    A matrix is the function of its entries, and so are its sums and products; [entries] makes one function of each side
    of an equation and lets Coq compute it. *)
Require Export Contrapositive.esser2024.Definitions Contrapositive.esser2024.Trace.
Set Implicit Arguments. Unset Strict Implicit.

Definition of_entries (m n : nat) (f : nat -> nat -> int) : 'M[int]_(m, n) := \matrix_(i, j) f i j.
Definition integers (m n : nat) (l : seq (seq int)) : 'M[int]_(m, n) := of_entries m n (fun i j => nth 0%:Z (nth [::] l i) j).
Definition total (n : nat) (F : nat -> int) : int := foldr (fun k rest => F k + rest) 0 (iota 0 n).

Lemma totalE n (F : nat -> int) : \sum_(k < n) F k = total n F.
Proof. by rewrite -(big_mkord xpredT) unlock /index_iota subn0. Qed.

Section Entries.
Variables (m n p : nat) (f g : nat -> nat -> int).

Lemma entries_mul : of_entries m n f *m of_entries n p g = of_entries m p (fun i j => total n (fun k => f i k * g k j)).
Proof. by apply/matrixP => i j; rewrite !mxE -totalE; apply: eq_bigr => k _; rewrite !mxE. Qed.
Lemma entries_tr : (of_entries m n f)^T = of_entries n m (fun i j => f j i).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma entries_add : of_entries m n f + of_entries m n g = of_entries m n (fun i j => f i j + g i j).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma entries_opp : - of_entries m n f = of_entries m n (fun i j => - f i j).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma entries_scale c : c *: of_entries m n f = of_entries m n (fun i j => c * f i j).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma entries_trace : \tr (of_entries n n f) = total n (fun i => f i i).
Proof. by rewrite -totalE; apply: eq_bigr => i _; rewrite mxE. Qed.
Lemma entries_at (i : 'I_m) (j : 'I_n) : of_entries m n f i j = f i j.
Proof. by rewrite mxE. Qed.
End Entries.

(** The losses (1) and (2) as traces of products, as [C_tilde_mul] is for C̃. *)
Section Losses.
Variables (n d h z : nat) (X N P : 'M[int]_(n, d)) (W1 : 'M[int]_(h, d)) (W2 : 'M[int]_(h, z)).

Lemma L_c_mul : L_c X N P W1 W2 = \tr ((net W1 W2 X)^T *m (net W1 W2 N - net W1 W2 P)).
Proof. by rewrite -sum_of_products; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite !mxE. Qed.
Lemma L_nc_mul : L_nc X P W1 W2 = - \tr ((net W1 W2 X)^T *m net W1 W2 P).
Proof. by rewrite -sum_of_products. Qed.
End Losses.

(** What is left is an equation of whole numbers. *)
Ltac entries :=
  rewrite /integers ?L_c_mul ?L_nc_mul ?C_tilde_mul /net /rhs_9;
  rewrite ?(entries_mul, entries_tr, entries_add, entries_opp, entries_scale, entries_trace, entries_at);
  by [].
