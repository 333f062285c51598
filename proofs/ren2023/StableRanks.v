(** Ren and Li, Definition 4.2: balance.  The three meanings of the stable rank as functions of the eigenvalues of Σ_A,
      R1 = ‖Σ‖_F²/‖Σ‖₂² = Σλ²/λ_1²,   R2 = tr Σ/‖Σ‖₂ = Σλ/λ_1,   R3 = (tr Σ)²/‖Σ‖_F² = (Σλ)²/Σλ²,
    and what λ_1/λ_r = 1 + δ says about each.  [A] are the indices of the r largest eigenvalues. *)
Require Import Contrapositive.Sums Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

Section StableRanks.
Variables (I : finType) (λ : I -> R) (A : pred I) (λ1 λr δ : R) (i1 : I).
Let r := INR #|A|.
Hypothesis λ_ge0 : forall i, 0 <= λ i.
Hypothesis largest : forall i, λ i <= λ1.
Hypothesis attained : λ i1 = λ1.
Hypothesis i1_A : A i1.
Hypothesis in_A : forall i, A i -> λr <= λ i.
Hypothesis λr_gt0 : 0 < λr.
Hypothesis ratio : λ1 = (1 + δ) * λr.

Definition R1 : R := (∑ i, λ i ^ 2) / λ1 ^ 2.
Definition R2 : R := (∑ i, λ i) / λ1.
Definition R3 : R := (∑ i, λ i) ^ 2 / (∑ i, λ i ^ 2).

Lemma λ1_gt0 : 0 < λ1.
Proof. by have := in_A i1_A; rewrite attained; lra. Qed.
Lemma δ_gt : 0 < 1 + δ.
Proof. by have := λ1_gt0; rewrite ratio => h; apply: (Rmult_lt_reg_r λr); lra. Qed.

(** A sum over all eigenvalues is at least that over the r largest, the first of which is λ_1. *)
Lemma sum_first (F : I -> R) c : (forall i, 0 <= F i) -> (forall i, A i -> c <= F i) -> F i1 + (r - 1) * c <= ∑ i, F i.
Proof.
move=> F0 Fc; rewrite (sum_split A) (bigD1 i1) //=.
have a : ∑ (i | A i && (i != i1)), c <= ∑ (i | A i && (i != i1)), F i by apply: psum_le => i /andP [/Fc].
have b : 0 <= ∑ (i | ~~ A i), F i by apply: psum_ge0.
have e : r * c = c + ∑ (i | A i && (i != i1)), c by rewrite /r -psum_const (bigD1 i1).
by lra.
Qed.

(** tr Σ/‖Σ‖₂ >= 1 + (r−1)/(1+δ) and ‖Σ‖_F²/‖Σ‖₂² >= 1 + (r−1)/(1+δ)².
    [claim] ren2023.def-4.2  [sense] c3-best  [scope] any eigenvalues; the two bounds, not that they are attained *)
Theorem def_4_2_c3_best : 1 + (r - 1) / (1 + δ) <= R2 /\ 1 + (r - 1) / (1 + δ) ^ 2 <= R1.
Proof.
have l0 := λ1_gt0; have d0 := δ_gt; split.
  have := sum_first λ_ge0 in_A; rewrite attained => le; apply: (Rmult_le_reg_r λ1) => //.
  have -> : R2 * λ1 = ∑ i, λ i by rewrite /R2; field; lra.
  by have -> : (1 + (r - 1) / (1 + δ)) * λ1 = λ1 + (r - 1) * λr by rewrite ratio; field; lra.
have sq i : A i -> λr ^ 2 <= λ i ^ 2 by move=> /in_A le; apply: pow_incr; lra.
have := @sum_first (fun i => λ i ^ 2) _ (fun i => pow2_ge_0 _) sq; rewrite attained => le.
apply: (Rmult_le_reg_r (λ1 ^ 2)); first exact: pow_lt.
have -> : R1 * λ1 ^ 2 = ∑ i, λ i ^ 2 by rewrite /R1; field; lra.
by have -> : (1 + (r - 1) / (1 + δ) ^ 2) * λ1 ^ 2 = λ1 ^ 2 + (r - 1) * λr ^ 2 by rewrite ratio; field; lra.
Qed.

(** λ_1/λ_r = 1 + δ gives tr Σ/‖Σ‖₂ >= r/(1+δ).
    [claim] ren2023.def-4.2  [sense] c3-R2  [scope] any eigenvalues *)
Theorem def_4_2_c3_R2 : r / (1 + δ) <= R2.
Proof.
have l0 := λ1_gt0; have d0 := δ_gt; have := sum_first λ_ge0 in_A; rewrite attained => le; apply: (Rmult_le_reg_r λ1) => //.
have -> : R2 * λ1 = ∑ i, λ i by rewrite /R2; field; lra.
have -> : r / (1 + δ) * λ1 = r * λr by rewrite ratio; field; lra.
by have := in_A i1_A; rewrite attained; lra.
Qed.

(** λ_1/λ_r = 1 + δ gives ‖Σ‖_F²/‖Σ‖₂² >= r/(1+δ)².
    [claim] ren2023.def-4.2  [sense] c3-R1  [scope] any eigenvalues *)
Theorem def_4_2_c3_R1 : r / (1 + δ) ^ 2 <= R1.
Proof.
have l0 := λ1_gt0; have d0 := δ_gt; have [_ best] := def_4_2_c3_best; apply: Rle_trans best.
have d1 : 1 <= (1 + δ) ^ 2.
  have : 1 <= 1 + δ by apply: (Rmult_le_reg_r λr) => //; have := in_A i1_A; rewrite attained ratio; lra.
  by nra.
have i := Rinv_le_contravar _ _ Rlt_0_1 d1; rewrite Rinv_1 in i.
by rewrite /Rdiv; lra.
Qed.

(** λ_1/λ_r = 1 + δ gives (tr Σ)²/‖Σ‖_F² >= 4r(1+δ)/(2+δ)²: the inequality of Kantorovich; the other eigenvalues only help.
    [claim] ren2023.def-4.2  [sense] c3-R3  [scope] any eigenvalues, those outside of the r largest at most λ_r *)
Theorem def_4_2_c3_R3 : (forall i, ~~ A i -> λ i <= λr) -> 4 * r * (1 + δ) / (2 + δ) ^ 2 <= R3.
Proof.
move=> out; have l0 := λ1_gt0; have d0 := δ_gt; set X := ∑ i, λ i; set Q := ∑ i, λ i ^ 2.
have Q0 : 0 < Q.
  have := @sum_term_le _ (fun i => λ i ^ 2) i1 (fun i => pow2_ge_0 _); rewrite -/Q attained => le.
  by have := pow_lt _ 2 l0; lra.
have chord : Q + r * (λr * λ1) <= (λr + λ1) * X.
  have e : r * (λr * λ1) = ∑ i, (if A i then λr * λ1 else 0) by rewrite sum_if /r -psum_const.
  rewrite e /Q /X -sum_add -sum_mull; apply: sum_le => i; have g := λ_ge0 i; have t := largest i.
  case: (boolP (A i)) => [/in_A | /out] h; nra.
have main : 4 * r * (λr * λ1) * Q <= ((λr + λ1) * X) ^ 2.
  have r0 : 0 <= r by exact: pos_INR.
  have c0 : 0 <= r * (λr * λ1) by apply: Rmult_le_pos => //; apply: Rmult_le_pos; lra.
  have := pow2_ge_0 ((λr + λ1) * X - 2 * (r * (λr * λ1))); nra.
apply: (Rmult_le_reg_r ((λr + λ1) ^ 2 * Q)); first by apply: Rmult_lt_0_compat => //; apply: pow_lt; lra.
have -> : R3 * ((λr + λ1) ^ 2 * Q) = ((λr + λ1) * X) ^ 2 by rewrite /R3 -/X -/Q; field; lra.
have -> : 4 * r * (1 + δ) / (2 + δ) ^ 2 * ((λr + λ1) ^ 2 * Q) = 4 * r * (λr * λ1) * Q by rewrite ratio; field; lra.
exact: main.
Qed.
End StableRanks.

(** * Controls: the eigenvalues 3/2, 1, 1 *)
Definition λ_3 (i : option bool) : R := if i is Some _ then 1 else 3 / 2.
Lemma λ_3_ge0 i : 0 <= λ_3 i. Proof. by case: i => [i|]; rewrite /λ_3; lra. Qed.
Lemma λ_3_le i : λ_3 i <= 3 / 2. Proof. by case: i => [i|]; rewrite /λ_3; lra. Qed.
Lemma λ_3_ge (i : option bool) : predT i -> 1 <= λ_3 i. Proof. by case: i => [i|]; rewrite /λ_3; lra. Qed.
Lemma card_3 : INR #|(predT : pred (option bool))| = 3.
Proof. by rewrite -[LHS]Rmult_1_r -psum_const sum_option sum_bool; lra. Qed.

(** The bound of R2 for R1. *)
Theorem def_4_2_c3_best_control : ~ (forall (I : finType) (λ : I -> R) (A : pred I) (λ1 λr δ : R) (i1 : I),
  (forall i, 0 <= λ i) -> (forall i, λ i <= λ1) -> λ i1 = λ1 -> A i1 -> (forall i, A i -> λr <= λ i) -> 0 < λr -> λ1 = (1 + δ) * λr ->
  (forall i, ~~ A i -> λ i <= λr) ->
  1 + (INR #|A| - 1) / (1 + δ) <= R1 λ λ1).
Proof.
move=> /(_ _ λ_3 predT (3 / 2) 1 (1 / 2) None λ_3_ge0 λ_3_le erefl isT λ_3_ge ltac:(lra) ltac:(lra) (fun i (no : ~~ true) => False_ind _ (notF no))).
by rewrite card_3 /R1 /R2 /R3 !sum_option !sum_bool /λ_3; lra.
Qed.

(** Control n1: ρ_B >= r always. *)
Theorem def_4_2_c3_R2_control : ~ (forall (I : finType) (λ : I -> R) (A : pred I) (λ1 λr δ : R) (i1 : I),
  (forall i, 0 <= λ i) -> (forall i, λ i <= λ1) -> λ i1 = λ1 -> A i1 -> (forall i, A i -> λr <= λ i) -> 0 < λr -> λ1 = (1 + δ) * λr ->
  (forall i, ~~ A i -> λ i <= λr) ->
  INR #|A| <= R2 λ λ1).
Proof.
move=> /(_ _ λ_3 predT (3 / 2) 1 (1 / 2) None λ_3_ge0 λ_3_le erefl isT λ_3_ge ltac:(lra) ltac:(lra) (fun i (no : ~~ true) => False_ind _ (notF no))).
by rewrite card_3 /R1 /R2 /R3 !sum_option !sum_bool /λ_3; lra.
Qed.

(** Control n4: r/(1+δ) for R1 too. *)
Theorem def_4_2_c3_R1_control : ~ (forall (I : finType) (λ : I -> R) (A : pred I) (λ1 λr δ : R) (i1 : I),
  (forall i, 0 <= λ i) -> (forall i, λ i <= λ1) -> λ i1 = λ1 -> A i1 -> (forall i, A i -> λr <= λ i) -> 0 < λr -> λ1 = (1 + δ) * λr ->
  (forall i, ~~ A i -> λ i <= λr) ->
  INR #|A| / (1 + δ) <= R1 λ λ1).
Proof.
move=> /(_ _ λ_3 predT (3 / 2) 1 (1 / 2) None λ_3_ge0 λ_3_le erefl isT λ_3_ge ltac:(lra) ltac:(lra) (fun i (no : ~~ true) => False_ind _ (notF no))).
by rewrite card_3 /R1 /R2 /R3 !sum_option !sum_bool /λ_3; lra.
Qed.

(** ρ_B >= r, for R3. *)
Theorem def_4_2_c3_R3_control : ~ (forall (I : finType) (λ : I -> R) (A : pred I) (λ1 λr δ : R) (i1 : I),
  (forall i, 0 <= λ i) -> (forall i, λ i <= λ1) -> λ i1 = λ1 -> A i1 -> (forall i, A i -> λr <= λ i) -> 0 < λr -> λ1 = (1 + δ) * λr ->
  (forall i, ~~ A i -> λ i <= λr) ->
  INR #|A| <= R3 λ).
Proof.
move=> /(_ _ λ_3 predT (3 / 2) 1 (1 / 2) None λ_3_ge0 λ_3_le erefl isT λ_3_ge ltac:(lra) ltac:(lra) (fun i (no : ~~ true) => False_ind _ (notF no))).
by rewrite card_3 /R1 /R2 /R3 !sum_option !sum_bool /λ_3; lra.
Qed.
