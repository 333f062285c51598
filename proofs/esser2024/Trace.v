(** Esser et al., equation (7): the contrastive loss of the two-layer linear network is a trace.  The printed sum runs
    from i = n to n; here it runs from 1 to n, as is meant. *)
Require Import Contrapositive.esser2024.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

Section Trace.
Variables (F : comRingType) (n d h z : nat).
(** The rows of X, N and P are the samples x_i, x_i⁻ and x_i⁺. *)
Variables (X N P : 'M[F]_(n, d)) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)).

(** u(x) = W₂ᵀW₁x for each row, and L_c = Σ_i u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺)). *)
Definition net (Y : 'M[F]_(n, d)) : 'M[F]_(n, z) := Y *m (W2^T *m W1)^T.
Definition L_c : F := \sum_i \sum_j net X i j * (net N i j - net P i j).

(** C̃ = Σ_i x_i(x_i⁻ − x_i⁺)ᵀ. *)
Definition C_tilde : 'M[F]_d := \sum_i (row i X)^T *m (row i N - row i P).

Lemma C_tilde_mul : C_tilde = X^T *m (N - P).
Proof.
apply/matrixP => a b; rewrite summxE !mxE; apply: eq_bigr => i _.
by rewrite !mxE big_ord_recl big_ord0 addr0 !mxE.
Qed.

Lemma sum_of_products (m k : nat) (A B : 'M[F]_(m, k)) : \sum_i \sum_j A i j * B i j = \tr (A^T *m B).
Proof.
rewrite /mxtrace exchange_big; apply: eq_bigr => j _; rewrite mxE; apply: eq_bigr => i _.
by rewrite !mxE.
Qed.

(** L_c = Tr(W₂ᵀW₁C̃W₁ᵀW₂), and twice that is Tr(W₂ᵀW₁(C̃ + C̃ᵀ)W₁ᵀW₂).
    [claim] esser2024.eq-7  [sense] printed  [scope] any sizes, entries in any commutative ring *)
Theorem eq_7_printed : L_c = \tr (W2^T *m W1 *m C_tilde *m W1^T *m W2) /\
  \tr (W2^T *m W1 *m C_tilde *m W1^T *m W2) *+ 2 = \tr (W2^T *m W1 *m (C_tilde + C_tilde^T) *m W1^T *m W2).
Proof.
split.
  have -> : L_c = \sum_i \sum_j net X i j * net (N - P) i j.
    by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite /net mulmxBl !mxE.
  by rewrite sum_of_products /net C_tilde_mul !trmx_mul !trmxK !mulmxA.
rewrite mulmxDr !mulmxDl mxtraceD mulr2n; congr (_ + _).
by rewrite -[LHS]mxtrace_tr !trmx_mul !trmxK !mulmxA.
Qed.

(** L_c = Σ_{i=1}^n Tr(W₂ᵀW₁x_i(x_i⁻ − x_i⁺)ᵀW₁ᵀW₂), as the misprinted display is meant.
    [claim] esser2024.eq-7  [sense] sum  [scope] any sizes, entries in any commutative ring *)
Theorem eq_7_sum : L_c = \sum_i \tr (W2^T *m W1 *m ((row i X)^T *m (row i N - row i P)) *m W1^T *m W2).
Proof.
rewrite (proj1 eq_7_printed) /C_tilde mulmx_sumr !mulmx_suml.
exact: (big_morph _ (@mxtraceD _ _) (@mxtrace0 _ _)).
Qed.

(** * The non-contrastive loss: no negatives, and the other sign of C̃ *)

(** L_nc = −Σ_i u(x_i)ᵀu(x_i⁺), and Σ_i x_i(x_i⁺)ᵀ. *)
Definition L_nc : F := - \sum_i \sum_j net X i j * net P i j.
Definition C_positive : 'M[F]_d := \sum_i (row i X)^T *m row i P.
End Trace.

Section NonContrastive.
Variables (F : comRingType) (n d h z : nat).
Variables (X P : 'M[F]_(n, d)) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)).
Let trace (C : 'M[F]_d) : F := \tr (W2^T *m W1 *m C *m W1^T *m W2).

Lemma L_nc_no_negatives : L_nc X P W1 W2 = L_c X 0 P W1 W2.
Proof.
have none : net W1 W2 (0 : 'M[F]_(n, d)) = 0 by rewrite /net mul0mx.
rewrite /L_nc /L_c -sumrN; apply: eq_bigr => i _; rewrite -sumrN; apply: eq_bigr => j _.
by rewrite none [(0 : 'M[F]_(n, z)) i j]mxE sub0r mulrN.
Qed.

Lemma C_tilde_no_negatives : C_tilde X 0 P = - C_positive X P.
Proof.
rewrite /C_tilde /C_positive -sumrN; apply: eq_bigr => i _.
by rewrite -mulmxN; congr (_ *m _); apply/matrixP => a b; rewrite !mxE sub0r.
Qed.

(** L_nc = Tr(W₂ᵀW₁CW₁ᵀW₂) with C̃ = −Σ x_i(x_i⁺)ᵀ, and twice that with C̃ + C̃ᵀ.
    [claim] esser2024.eq-7nc  [sense] corrected  [scope] any sizes, entries in any commutative ring *)
Theorem eq_7nc_corrected : let C := - C_positive X P in
  L_nc X P W1 W2 = \tr (W2^T *m W1 *m C *m W1^T *m W2) /\
  \tr (W2^T *m W1 *m C *m W1^T *m W2) *+ 2 = \tr (W2^T *m W1 *m (C + C^T) *m W1^T *m W2).
Proof. by rewrite L_nc_no_negatives -C_tilde_no_negatives; apply: eq_7_printed. Qed.

(** With C̃ = Σ x_i(x_i⁺)ᵀ, as printed, the trace is −L_nc: it is L_nc exactly where L_nc = 0.
    [claim] esser2024.eq-7nc  [sense] opposite  [scope] any sizes, entries in any commutative ring where 2a = 0 for a = 0 only *)
Theorem eq_7nc_opposite : (forall a : F, a *+ 2 = 0 -> a = 0) -> let C := C_positive X P in
  \tr (W2^T *m W1 *m C *m W1^T *m W2) = - L_nc X P W1 W2 /\
  \tr (W2^T *m W1 *m (C + C^T) *m W1^T *m W2) = (- L_nc X P W1 W2) *+ 2 /\
  (L_nc X P W1 W2 = \tr (W2^T *m W1 *m C *m W1^T *m W2) <-> L_nc X P W1 W2 = 0).
Proof.
move=> two C; have [e1 e2] := eq_7nc_corrected.
have neg (A : 'M[F]_d) : \tr (W2^T *m W1 *m (- A) *m W1^T *m W2) = - \tr (W2^T *m W1 *m A *m W1^T *m W2).
  by rewrite mulmxN !mulNmx linearN.
have t : \tr (W2^T *m W1 *m C *m W1^T *m W2) = - L_nc X P W1 W2 by rewrite e1 neg opprK.
split=> //; split; last first.
  rewrite t; split=> [/eqP | ->]; last by rewrite oppr0.
  by rewrite -addr_eq0 -mulr2n => /eqP /two.
rewrite -t -[RHS]opprK -mulNrn -neg e2 -neg; congr (\tr (_ *m _ *m _ *m _)).
by rewrite opprD opprK linearN /= opprK.
Qed.
End NonContrastive.


(** * Controls: n = 2 and d = h = z = 1, over the integers; the second sample is 0 *)
Definition first : 'M[int]_(2, 1) := \matrix_(i, j) (i == 0)%:R.

Lemma net_one (Y : 'M[int]_(2, 1)) : net 1%:M 1%:M Y = Y.
Proof. by rewrite /net trmx1 mulmx1 trmx1 mulmx1. Qed.
Lemma L_c_one (X N P : 'M[int]_(2, 1)) : L_c X N P 1%:M 1%:M = X 0 0 * (N 0 0 - P 0 0) + X (lift ord0 ord0) 0 * (N (lift ord0 ord0) 0 - P (lift ord0 ord0) 0).
Proof. by rewrite /L_c !net_one !big_ord_recl !big_ord0 !addr0 (_ : ord0 = 0). Qed.
Lemma L_c_first : L_c first first 0 1%:M 1%:M = 1.
Proof. by rewrite L_c_one !mxE. Qed.

(** The printed range, i = n alone.
    [claim] esser2024.eq-7  [sense] range  [scope] refuted at n = 2 and d = 1 *)
Theorem eq_7_range_refuted : ~ (forall (F : comRingType) (n d h z : nat) (X N P : 'M[F]_(n.+1, d)) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)),
  L_c X N P W1 W2 = \tr (W2^T *m W1 *m ((row ord_max X)^T *m (row ord_max N - row ord_max P)) *m W1^T *m W2)).
Proof.
move=> /(_ _ _ _ _ _ first first 0 1%:M 1%:M); rewrite L_c_first.
have -> : row ord_max first = 0 by apply/matrixP => i j; rewrite !mxE.
by rewrite trmx0 mul0mx mulmx0 !mul0mx mxtrace0.
Qed.

(** C̃ in place of its symmetric part, counted once. *)
Theorem eq_7_printed_control : ~ (forall (F : comRingType) (n d h z : nat) (X N P : 'M[F]_(n, d)) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)),
  L_c X N P W1 W2 = \tr (W2^T *m W1 *m (C_tilde X N P + (C_tilde X N P)^T) *m W1^T *m W2)).
Proof.
move=> /(_ _ _ _ _ _ first first 0 1%:M 1%:M).
by rewrite -(proj2 (eq_7_printed _ _ _ _ _)) -(proj1 (eq_7_printed _ _ _ _ _)) L_c_first.
Qed.

(** Positive and negative exchanged. *)
Theorem eq_7_sum_control : ~ (forall (F : comRingType) (n d h z : nat) (X N P : 'M[F]_(n, d)) (W1 : 'M[F]_(h, d)) (W2 : 'M[F]_(h, z)),
  L_c X N P W1 W2 = \sum_i \tr (W2^T *m W1 *m ((row i X)^T *m (row i P - row i N)) *m W1^T *m W2)).
Proof.
move=> /(_ _ _ _ _ _ first first 0 1%:M 1%:M); rewrite L_c_first -(eq_7_sum first 0 first 1%:M 1%:M).
by rewrite L_c_one !mxE.
Qed.

(** n = d = h = z = 1 and all entries 1, where L_nc = −1 and the trace is 1. *)
Lemma L_nc_one : L_nc (1%:M : 'M[int]_1) 1%:M (1%:M : 'M[int]_1) (1%:M : 'M[int]_1) = -1.
Proof. by rewrite /L_nc /net !trmx1 !mulmx1 trmx1 mulmx1 ?(mxE, big_ord_recl, big_ord0). Qed.

Lemma C_positive_one : C_positive (1%:M : 'M[int]_1) 1%:M = 1%:M.
Proof. by apply/matrixP => i j; rewrite !ord1 /C_positive ?(mxE, big_ord_recl, big_ord0). Qed.

(** The printed sign: L_nc = Tr(W₂ᵀW₁CW₁ᵀW₂) with C̃ = Σ x_i(x_i⁺)ᵀ and C = (C̃ + C̃ᵀ)/2; both sides are taken twice.
    [claim] esser2024.eq-7nc  [sense] printed  [scope] refuted at n = d = h = z = 1 *)
Theorem eq_7nc_printed_refuted : ~ (forall (n d h z : nat) (X P : 'M[int]_(n, d)) (W1 : 'M[int]_(h, d)) (W2 : 'M[int]_(h, z)),
  L_nc X P W1 W2 *+ 2 = \tr (W2^T *m W1 *m (C_positive X P + (C_positive X P)^T) *m W1^T *m W2)).
Proof.
move=> /(_ 1%N 1%N 1%N 1%N 1%:M 1%:M 1%:M 1%:M); rewrite L_nc_one C_positive_one !trmx1 !mulmx1 !mul1mx.
by rewrite mxtraceD !mxtrace1.
Qed.

(** The printed sign in the corrected form. *)
Theorem eq_7nc_corrected_control : ~ (forall (n d h z : nat) (X P : 'M[int]_(n, d)) (W1 : 'M[int]_(h, d)) (W2 : 'M[int]_(h, z)),
  L_nc X P W1 W2 = \tr (W2^T *m W1 *m C_positive X P *m W1^T *m W2)).
Proof. by move=> /(_ 1%N 1%N 1%N 1%N 1%:M 1%:M 1%:M 1%:M); rewrite L_nc_one C_positive_one !trmx1 !mulmx1 mxtrace1. Qed.

(** Without the sign, at the same point. *)
Theorem eq_7nc_opposite_control : ~ (forall (n d h z : nat) (X P : 'M[int]_(n, d)) (W1 : 'M[int]_(h, d)) (W2 : 'M[int]_(h, z)),
  \tr (W2^T *m W1 *m C_positive X P *m W1^T *m W2) = L_nc X P W1 W2).
Proof. by move=> /(_ 1%N 1%N 1%N 1%N 1%:M 1%:M 1%:M 1%:M); rewrite L_nc_one C_positive_one !trmx1 !mulmx1 mxtrace1. Qed.
