(** Esser et al., Definition 1: the loss under W₁ᵀW₁ = I_d and W₂ᵀW₂ = I_z, W₁ of size h×d and W₂ of size h×z.
    Such weights exist if and only if h >= max(d, z): the least ‖W₁ᵀW₁ − I‖² + ‖W₂ᵀW₂ − I‖² is (d − h)₊ + (z − h)₊.
    The reason is one identity, ‖WᵀW − I_d‖² = ‖WWᵀ − I_h‖² + d − h. *)
Require Import Contrapositive.Vectors Contrapositive.Tactics.
Require Import Contrapositive.Sums.
Set Implicit Arguments. Unset Strict Implicit.

(** The entries of the unit matrix. *)
Definition unit_matrix (T : finType) (j k : T) : R := if j == k then 1 else 0.

Lemma sum_unit_matrix (T : finType) (j : T) (F : T -> R) : ∑ k, unit_matrix j k * F k = F j.
Proof. by rewrite -(sum_if1 F j); apply: sum_ext => k; rewrite /unit_matrix; case: eqP => _; ring. Qed.

Section Gap.
Variables (H D : finType).
Implicit Type W : H -> D -> R.

(** WᵀW and ‖WᵀW − I‖². *)
Definition gram W (j k : D) : R := ∑ i, W i j * W i k.
Definition gap W : R := ∑ j, ∑ k, (gram W j k - unit_matrix j k) ^ 2.

Lemma gap_ge0 W : 0 <= gap W.
Proof. by apply: sum_ge0 => j; apply: sum_ge0 => k; apply: pow2_ge_0. Qed.

Lemma gap_expand W : gap W = (∑ j, ∑ k, gram W j k ^ 2) - 2 * (∑ j, gram W j j) + INR #|D|.
Proof.
rewrite -[INR #|D|]Rmult_1_r -sum_const -sum_mull -sum_sub -sum_add; apply: sum_ext => j.
have -> : (∑ k, gram W j k ^ 2) - 2 * gram W j j + 1 = (∑ k, gram W j k ^ 2) - (2 * gram W j j - 1) by ring.
rewrite -(sum_unit_matrix j (fun k => 2 * gram W j k - 1)) -sum_sub.
by apply: sum_ext => k; rewrite /unit_matrix; case: eqP => _; ring.
Qed.

Lemma gram_sq W : ∑ j, ∑ k, gram W j k ^ 2 = ∑ i, ∑ l, (∑ j, W i j * W l j) ^ 2.
Proof.
transitivity (∑ j, ∑ k, ∑ i, ∑ l, (W i j * W i k) * (W l j * W l k)).
  by apply: sum_ext => j; apply: sum_ext => k; rewrite -sum_mul /gram; ring.
have -> : ∑ i, ∑ l, (∑ j, W i j * W l j) ^ 2 = ∑ i, ∑ l, ∑ j, ∑ k, (W i j * W l j) * (W i k * W l k).
  by apply: sum_ext => i; apply: sum_ext => l; rewrite -sum_mul; ring.
transitivity (∑ j, ∑ i, ∑ k, ∑ l, (W i j * W i k) * (W l j * W l k)).
  by apply: sum_ext => j; apply: sum_exchange.
rewrite sum_exchange; apply: sum_ext => i.
transitivity (∑ j, ∑ l, ∑ k, (W i j * W i k) * (W l j * W l k)).
  by apply: sum_ext => j; apply: sum_exchange.
rewrite sum_exchange; apply: sum_ext => l; apply: sum_ext => j; apply: sum_ext => k; ring.
Qed.
End Gap.

(** ‖WᵀW − I_d‖² + h = ‖WWᵀ − I_h‖² + d. *)
Lemma gap_transpose (H D : finType) (W : H -> D -> R) : gap W + INR #|H| = gap (fun j i => W i j) + INR #|D|.
Proof.
rewrite !gap_expand gram_sq [in RHS]/gram [in LHS]/gram (sum_exchange (fun j i => W i j * W i j)); ring.
Qed.

Lemma gap_lower (H D : finType) (W : H -> D -> R) : Rmax 0 (INR #|D| - INR #|H|) <= gap W.
Proof.
by apply: Rmax_lub; [exact: gap_ge0 | have := gap_transpose W; have := gap_ge0 (fun j i => W i j); lra].
Qed.

(** The h×d matrix [I 0]. *)
Definition identity_block (h d : nat) (i : 'I_h) (j : 'I_d) : R := if val i == val j then 1 else 0.

Lemma gap_tall h d : (d <= h)%N -> gap (@identity_block h d) = 0.
Proof.
move=> le; rewrite /gap big1 // => j _; rewrite big1 // => k _.
suff -> : gram (@identity_block h d) j k = unit_matrix j k by ring.
rewrite -[unit_matrix j k](sum_unit_matrix (widen_ord le j) (fun i => identity_block i k)).
by apply: sum_ext => i; rewrite /identity_block /unit_matrix -val_eqE /= eq_sym.
Qed.

Lemma gap_block h d : gap (@identity_block h d) = Rmax 0 (INR d - INR h).
Proof.
case: (leqP d h) => [le | /ltnW le]; first by rewrite gap_tall // Rmax_left //; have := le_INR _ _ (elimT leP le); lra.
have := gap_transpose (@identity_block h d); rewrite !card_ord.
have -> : gap (fun j i => @identity_block h d i j) = gap (@identity_block d h).
  by apply: sum_ext => j; apply: sum_ext => k; congr ((_ - _) ^ 2); apply: sum_ext => i; rewrite /identity_block !(eq_sym (val i)).
by rewrite (gap_tall le) Rmax_right; have := le_INR _ _ (elimT leP le); lra.
Qed.

(** The least ‖W₁ᵀW₁ − I‖² + ‖W₂ᵀW₂ − I‖² is (d − h)₊ + (z − h)₊.
    [claim] esser2024.def-1  [sense] s1  [scope] all sizes, real entries *)
Theorem def_1_s1 (h d z : nat) : let least := Rmax 0 (INR d - INR h) + Rmax 0 (INR z - INR h) in
  (forall (W1 : 'I_h -> 'I_d -> R) (W2 : 'I_h -> 'I_z -> R), least <= gap W1 + gap W2) /\
  (exists (W1 : 'I_h -> 'I_d -> R) (W2 : 'I_h -> 'I_z -> R), gap W1 + gap W2 = least).
Proof.
split=> [W1 W2|]; first by have := gap_lower W1; have := gap_lower W2; rewrite !card_ord; lra.
by exists (@identity_block h d), (@identity_block h z); rewrite !gap_block.
Qed.

(** Control: the larger excess alone, with h = 1 and d = z = 2. *)
Theorem def_1_s1_control : ~ (forall (h d z : nat), let least := Rmax (Rmax 0 (INR d - INR h)) (Rmax 0 (INR z - INR h)) in
  exists (W1 : 'I_h -> 'I_d -> R) (W2 : 'I_h -> 'I_z -> R), gap W1 + gap W2 = least).
Proof.
move=> /(_ 1%N 2%N 2%N) [W1 [W2]]; have := gap_lower W1; have := gap_lower W2; rewrite !card_ord /=.
by rewrite (Rmax_right 0); [rewrite Rmax_left; lra | lra].
Qed.
