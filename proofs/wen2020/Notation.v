(** Wen, section 3 and Definition 3.3: the inner product of matrices, ReLU layers as linear maps, and the loss as a mean over
    sets of negatives.  Each of the three is printed with a slip; what is meant holds at every size. *)
Require Import Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Vectors Contrapositive.Tactics Contrapositive.wen2020.ReluSlopes.
Set Implicit Arguments. Unset Strict Implicit.

(** * The inner product of matrices, printed as tr(AᵀB) = (Σ a_ij b_ij)^{1/2} *)
Section Matrices.
Variables (I J : finType).
Implicit Types A B : I -> J -> R.

(** AᵀB, its trace, Σ a_ij b_ij, and ‖A‖_F. *)
Definition transposed_product A B (j k : J) : R := ∑ i, A i j * B i k.
Definition trace_of (G : J -> J -> R) : R := ∑ j, G j j.
Definition entries A (p : I * J) : R := A p.1 p.2.
Definition inner A B : R := dot (entries A) (entries B).
Definition frobenius_norm A : R := norm (entries A).

Lemma inner_sums A B : inner A B = ∑ i, ∑ j, A i j * B i j.
Proof. by rewrite /inner /dot -(pair_bigA _ (fun i j => A i j * B i j)). Qed.

(** tr(AᵀB) = Σ a_ij b_ij, without the root.
    [claim] wen2020.notation  [sense] trace  [scope] real entries, any sizes *)
Theorem notation_trace A B : trace_of (transposed_product A B) = inner A B.
Proof. by rewrite inner_sums sum_exchange. Qed.

(** Without the root ⟨A + 2B, B⟩ = ⟨A, B⟩ + 2⟨B, B⟩ and |⟨A, B⟩| <= ‖A‖_F‖B‖_F.
    [claim] wen2020.notation  [sense] bilinear  [scope] real entries, any sizes *)
Theorem notation_bilinear A B : inner (fun i j => A i j + 2 * B i j) B = inner A B + 2 * inner B B /\
  Rabs (inner A B) <= frobenius_norm A * frobenius_norm B.
Proof. by split; [rewrite !inner_sums -sum_mull -sum_add; apply: sum_ext => i; rewrite -sum_mull -sum_add; apply: sum_ext => j; ring | exact: dot_le_norm]. Qed.

(** Without the root ⟨A, A⟩^{1/2} is (Σ a_ij²)^{1/2}, and ‖−3A‖_F = 3‖A‖_F.
    [claim] wen2020.notation  [sense] norm-of-trace  [scope] real entries, any sizes *)
Theorem notation_norm_of_trace A : sqrt (inner A A) = sqrt (∑ i, ∑ j, A i j ^ 2) /\ frobenius_norm (fun i j => - 3 * A i j) = 3 * frobenius_norm A.
Proof.
split; first by rewrite inner_sums; congr sqrt; apply: sum_ext => i; apply: sum_ext => j; ring.
by rewrite -[3]Rabs_pos_eq -?[Rabs 3]Rabs_Ropp ?norm_scale; [exact: (norm_scale (- 3)) | lra].
Qed.

(** The printed members differ wherever S = Σ a_ij b_ij is neither 0 nor 1: the root is larger below 1 and smaller above.
    [claim] wen2020.notation  [sense] where  [scope] real entries, any sizes, S >= 0 *)
Theorem notation_where A B : 0 <= inner A B -> let S := inner A B in
  (S <> 0 -> S < 1 -> trace_of (transposed_product A B) < sqrt S) /\ (1 < S -> sqrt S < trace_of (transposed_product A B)).
Proof.
move=> S0 S; rewrite notation_trace -/S; have r0 := sqrt_pos S; have rr : sqrt S * sqrt S = S by exact: sqrt_sqrt.
by split=> [ne lt | gt]; nra.
Qed.
End Matrices.

(** One entry. *)
Definition entry (x : R) (_ _ : unit) : R := x.
Lemma inner_entry x y : inner (entry x) (entry y) = x * y.
Proof. by rewrite inner_sums !sum_unit. Qed.

(** The printed root: a = b = 2.
    [claim] wen2020.notation  [sense] printed  [scope] refuted for one entry *)
Theorem notation_printed_refuted : ~ (forall (I J : finType) (A B : I -> J -> R), 0 <= inner A B -> trace_of (transposed_product A B) = sqrt (inner A B)).
Proof.
move=> /(_ _ _ (entry 2) (entry 2)); rewrite notation_trace inner_entry sqrt_square; last lra.
by move=> /(_ ltac:(lra)); lra.
Qed.

(** Σ a_ij b_ij >= 0: a = 1 and b = −1.
    [claim] wen2020.notation  [sense] defined  [scope] refuted for one entry *)
Theorem notation_defined_refuted : ~ (forall (I J : finType) (A B : I -> J -> R), 0 <= inner A B).
Proof. by move=> /(_ _ _ (entry 1) (entry (- 1))); rewrite inner_entry; lra. Qed.

(** With the root ‖A‖_F = ⟨A, A⟩^{1/2} would be the fourth root of Σ a_ij²: a = 4.
    [claim] wen2020.notation  [sense] norm  [scope] refuted for one entry *)
Theorem notation_norm_refuted : ~ (forall (I J : finType) (A : I -> J -> R), sqrt (sqrt (inner A A)) = sqrt (∑ i, ∑ j, A i j ^ 2)).
Proof.
move=> /(_ _ _ (entry 4)); rewrite inner_entry !sum_unit /entry; have -> : 4 ^ 2 = 4 * 4 by ring.
rewrite sqrt_square; last lra.
by have := sqrt_sqrt 4 ltac:(lra) => e h; rewrite h in e; lra.
Qed.

(** * ReLU layers: h_l = D_l W_l h_{l−1} *)
Section Layers.
Variables (M N : finType).
Implicit Types (W : M -> N -> R) (h : N -> R).

(** The hidden vector σ(W h). *)
Definition hidden W h : M -> R := fun i => relu (apply_matrix W h i).

(** With D = diag 1{W h >= 0}, as Lemma B.4 has it, h_l = D_l W_l h_{l−1}.
    [claim] wen2020.def-activation  [sense] s4  [scope] any layer, real entries, any widths *)
Theorem def_activation_s4 W h i : hidden W h i = active (apply_matrix W h i) * apply_matrix W h i.
Proof. by rewrite /hidden; case: (relu_cases (apply_matrix W h i)) => [[_ [-> ->]] | [_ [-> ->]]]; ring. Qed.
End Layers.

Lemma apply_entry x h : apply_matrix (entry x) h tt = x * h tt.
Proof. by rewrite /apply_matrix sum_unit. Qed.
Lemma relu_neg x : x < 0 -> relu x = 0 /\ active x = 0.
Proof. by move=> x0; case: (relu_cases x) => [[? _] | [_ //]]; lra. Qed.

(** D = diag 1{σ(W h) >= 0}, section 5.2, is the identity: one unit with W = −1 and h = 1.
    [claim] wen2020.def-activation  [sense] printed  [scope] refuted for one unit *)
Theorem def_activation_printed_refuted : ~ (forall (M N : finType) (W : M -> N -> R) (h : N -> R) i, (forall j, 0 <= h j) ->
  hidden W h i = active (hidden W h i) * apply_matrix W h i).
Proof.
move=> /(_ _ _ (entry (- 1)) (fun=> 1) tt (fun=> Rle_0_1)); rewrite /hidden apply_entry; have [-> _] := @relu_neg (- 1 * 1) ltac:(lra).
by rewrite /active; case: Rle_dec => [_ | ne] /=; lra.
Qed.

(** D = diag 1{W_l h_l >= 0}, Appendix B, has the sign of the wrong layer: the same unit.
    [claim] wen2020.def-activation  [sense] s2  [scope] refuted for one unit *)
Theorem def_activation_s2_refuted : ~ (forall (M : finType) (W : M -> M -> R) (h : M -> R) i, (forall j, 0 <= h j) ->
  hidden W h i = active (apply_matrix W (hidden W h) i) * apply_matrix W h i).
Proof.
move=> /(_ _ (entry (- 1)) (fun=> 1) tt (fun=> Rle_0_1)); rewrite /hidden !apply_entry; have [-> _] := @relu_neg (- 1 * 1) ltac:(lra).
by rewrite /active; case: Rle_dec => [_ | ne] /=; lra.
Qed.

(** The units that are not active in place of those that are. *)
Theorem def_activation_s4_control : ~ (forall (M N : finType) (W : M -> N -> R) (h : N -> R) i, hidden W h i = (1 - active (apply_matrix W h i)) * apply_matrix W h i).
Proof.
move=> /(_ _ _ (entry (- 1)) (fun=> 1) tt); rewrite /hidden apply_entry; have [-> ->] := @relu_neg (- 1 * 1) ltac:(lra); lra.
Qed.

(** * The loss as a mean over the sets A of k negatives *)
Section Sets.
Variables (I D : finType) (q : I -> D -> R) (z : I -> I -> D -> R) (k : nat).

(** The sets of k points other than i, a summand of the loss, and L_S. *)
Definition choices (i : I) : {set {set I}} := [set A : {set I} | (i \notin A) && (#|A| == k)].
Definition summand (i : I) (A : {set I}) : R := ln (1 + ∑ (s | s \in A), exp (dot (q i) (z i s))).
Definition L_sets : R := / INR #|I| * ∑ i, / INR 'C(#|I|.-1, k) * ∑ (A | A \in choices i), summand i A.

(** Form (ii) of Appendix D.1, (1/n) Σ_i Σ_{j≠i} C(n−1,k)^{−1} Σ_{A∋j} log(1 + Σ_{s∈A} e^{q_i·z_is}). *)
Definition form_ii : R := / INR #|I| * ∑ i, ∑ (j | j != i), / INR 'C(#|I|.-1, k) * ∑ (A | (A \in choices i) && (j \in A)), summand i A.

(** It counts every set k times.
    [claim] wen2020.def-3.3  [sense] k-times  [scope] any vectors, any number n, any k *)
Theorem def_3_3_k_times : form_ii = INR k * L_sets.
Proof.
rewrite /form_ii /L_sets -Rmult_assoc (Rmult_comm (INR k)) Rmult_assoc; congr (_ * _); rewrite -sum_mull; apply: sum_ext => i.
rewrite psum_mull -Rmult_assoc (Rmult_comm (INR k)) Rmult_assoc; congr (_ * _).
rewrite (exchange_big_dep (fun A => A \in choices i)) => [|j A _ /andP [] //]; rewrite -psum_mull; apply: eq_bigr => A Ai.
have [iA kA] : i \notin A /\ #|A| = k by move: Ai; rewrite inE => /andP [-> /eqP ->].
rewrite (eq_bigl (fun j => j \in A)) => [|j]; first by rewrite psum_const -kA.
by rewrite Ai /=; case: (boolP (j \in A)) => jA; rewrite ?andbF // andbT; apply/eqP => e; move: iA; rewrite -e jA.
Qed.
End Sets.

(** Three points, two negatives, queries zero: the loss is positive. *)
Definition origin (_ : 'I_3) (_ : unit) : R := 0.
Lemma L_sets_gt0 : 0 < L_sets origin (fun _ _ _ => 0) 2.
Proof.
have p i A : 0 <= summand origin (fun _ _ _ => 0) i A.
  by rewrite /summand -[X in X <= _]ln_1; apply: ln_le; [lra | have := @psum_ge0 _ (fun s => s \in A) (fun s => exp (dot (origin i) (fun=> 0))) (fun s _ => Rlt_le _ _ (exp_pos _)); lra].
have c0 : 0 < / INR 'C(#|[finType of 'I_3]|.-1, 2) by rewrite card_ord /=; apply: Rinv_0_lt_compat; lra.
apply: Rmult_lt_0_compat; first by rewrite card_ord; apply: Rinv_0_lt_compat; exact: INR_gt0.
apply: sum_lt0 => [i|]; first by apply: Rmult_le_pos; [exact: Rlt_le | apply: psum_ge0 => A _; exact: p].
exists ord0; apply: Rmult_lt_0_compat => //; rewrite -sum_if; apply: sum_lt0 => [A|]; first by case: ifP => _; [exact: p | lra].
exists (~: [set ord0]); rewrite !inE eqxx cardsC1 card_ord /=.
rewrite /summand /= -[X in X < _]ln_1; apply: ln_increasing; first lra.
apply: (Rle_lt_trans _ (1 + 0)); [by rewrite Rplus_0_r; exact: Rle_refl | apply: Rplus_lt_compat_l].
rewrite psum_const cardsC1 card_ord; apply: Rmult_lt_0_compat; [exact: INR_gt0 | exact: exp_pos].
Qed.

(** Form (ii) is L_S: n = 3 and k = 2.
    [claim] wen2020.def-3.3  [sense] s2  [scope] refuted for three points, two negatives *)
Theorem def_3_3_s2_refuted : ~ (forall (I D : finType) (q : I -> D -> R) (z : I -> I -> D -> R) k, form_ii q z k = L_sets q z k).
Proof.
move=> /(_ _ _ origin (fun _ _ _ => 0) 2%N); rewrite def_3_3_k_times => e; have p := L_sets_gt0.
have : INR 2 * L_sets origin (fun _ _ _ => 0) 2 = L_sets origin (fun _ _ _ => 0) 2 by exact: e.
by rewrite (_ : INR 2 = 2) //; lra.
Qed.

(** * Controls *)

(** AᵀA in place of AᵀB. *)
Theorem notation_trace_control : ~ (forall (I J : finType) (A B : I -> J -> R), trace_of (transposed_product A A) = inner A B).
Proof. by move=> /(_ _ _ (entry 1) (entry 2)); rewrite notation_trace !inner_entry; lra. Qed.

(** Half of the bound. *)
Theorem notation_bilinear_control : ~ (forall (I J : finType) (A B : I -> J -> R), Rabs (inner A B) <= frobenius_norm A * frobenius_norm B / 2).
Proof.
move=> /(_ _ _ (entry 1) (entry 1)); rewrite inner_entry /frobenius_norm /norm -/(inner _ _) inner_entry Rmult_1_l sqrt_1 Rabs_R1; lra.
Qed.

(** ‖−3A‖_F = −3‖A‖_F. *)
Theorem notation_norm_of_trace_control : ~ (forall (I J : finType) (A : I -> J -> R), frobenius_norm (fun i j => - 3 * A i j) = - 3 * frobenius_norm A).
Proof.
move=> /(_ _ _ (entry 1)); rewrite /frobenius_norm /norm -!/(inner _ _) (_ : (fun i j => - 3 * entry 1 i j) = entry (- 3 * 1)) // !inner_entry.
by rewrite (_ : - 3 * 1 * (- 3 * 1) = 3 * 3) ?sqrt_square ?Rmult_1_l ?sqrt_1; lra.
Qed.

(** The root larger above 1: S = 4. *)
Theorem notation_where_control : ~ (forall (I J : finType) (A B : I -> J -> R), 1 < inner A B -> trace_of (transposed_product A B) < sqrt (inner A B)).
Proof.
move=> /(_ _ _ (entry 2) (entry 2)); rewrite notation_trace inner_entry sqrt_square; last lra.
by move=> /(_ ltac:(lra)); lra.
Qed.

(** Every set counted k + 1 times. *)
Theorem def_3_3_k_times_control : ~ (forall (I D : finType) (q : I -> D -> R) (z : I -> I -> D -> R) k, form_ii q z k = INR k.+1 * L_sets q z k).
Proof.
move=> /(_ _ _ origin (fun _ _ _ => 0) 2%N); rewrite def_3_3_k_times => e; have p := L_sets_gt0.
have : INR 2 * L_sets origin (fun _ _ _ => 0) 2 = INR 3 * L_sets origin (fun _ _ _ => 0) 2 by exact: e.
by rewrite (_ : INR 2 = 2) // (_ : INR 3 = 3); [lra | rewrite /=; ring].
Qed.
