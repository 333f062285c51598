(** Matrices of whole numbers, as lists of rows, whose sums and products compute: for the definitions that hold over any
    commutative ring. *)
Require Export Contrapositive.esser2024.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

Definition integers (m n : nat) (l : seq (seq int)) : 'M[int]_(m, n) := \matrix_(i, j) nth 0%:Z (nth [::] l i) j.

(** All entries written out; what is left is an equation of whole numbers. *)
Ltac entries := rewrite /integers /mxtrace; do 3 rewrite ?(mxE, big_ord_recl, big_ord0, summxE) /=; by [].
