(** Ren and Li, Lemma B.12: the growth of κ_p²/κ_s² at τ = 0, for equal norms of the views.  A signal column moves as
    k̇_A = c σ_p²(k_B − Ψ k_A) with c = c_K/N², and Ψ = Σκ_p²ρ_p/(rN²). *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Calculus Contrapositive.Tactics Contrapositive.ren2023.Cosines.
Set Implicit Arguments. Unset Strict Implicit.

Section ConditionNumber.
Variables (M P : finType) (t c rN2 : R) (kA kB : P -> R -> M -> R) (σ2 : P -> R).
Let κ2 p := dot (kA p t) (kA p t).
Let ρ p := dot (kA p t) (kB p t) / κ2 p.
Definition Ψ_of : R := (∑ p, κ2 p * ρ p) / rN2.

(** The share of the noise in N². *)
Definition η_of : R := 1 - (∑ p, κ2 p) / rN2.

Hypothesis moving : forall p, moves t (kA p) (c * σ2 p) (kB p t) (c * σ2 p * Ψ_of).
Hypothesis κ2_gt0 : forall p, 0 < κ2 p.

(** d log(κ_p²/κ_s²)/dt = (2c_K/N²)[σ_p²(ρ_p−Ψ) − σ_s²(ρ_s−Ψ)]. *)
Theorem lemma_b12_exact p s : is_derive (fun u => ln (dot (kA p u) (kA p u)) - ln (dot (kA s u) (kA s u))) t
  (2 * c * (σ2 p * (ρ p - Ψ_of) - σ2 s * (ρ s - Ψ_of))).
Proof.
have one i : is_derive (fun u => ln (dot (kA i u) (kA i u))) t (2 * c * σ2 i * (ρ i - Ψ_of)).
  have := is_derive_ln (is_derive_dot (moving i) (moving i)) (κ2_gt0 i); set d := _ / _.
  have -> // : d = 2 * c * σ2 i * (ρ i - Ψ_of); rewrite /d (dotC (kA i t) (fun m => _ - _)).
  have -> : dot (fun m => c * σ2 i * kB i t m - c * σ2 i * Ψ_of * kA i t m) (kA i t)
    = c * σ2 i * dot (kA i t) (kB i t) - c * σ2 i * Ψ_of * κ2 i.
    by rewrite (dotC (kA i t) (kB i t)) /κ2 /dot -!sum_mull -sum_sub; apply: sum_ext => m; ring.
  by have k0 := κ2_gt0 i; rewrite /ρ -/(κ2 i); field; lra.
have := is_derive_minus _ _ _ _ _ (one p) (one s); rewrite /minus /plus /opp /=.
by have -> : 2 * c * σ2 p * (ρ p - Ψ_of) + - (2 * c * σ2 s * (ρ s - Ψ_of)) = 2 * c * (σ2 p * (ρ p - Ψ_of) - σ2 s * (ρ s - Ψ_of)) by ring.
Qed.

Variable m σ2_max : R.
Hypothesis c_ge0 : 0 <= c.
Hypothesis σ2_bounds : forall p, 0 <= σ2 p <= σ2_max.
Hypothesis ρ_bounds : forall p, m <= ρ p <= 1.
Hypothesis m_ge : - 1 <= m.
Hypothesis rN2_gt0 : 0 < rN2.
Hypothesis η_ge0 : 0 <= η_of.

(** |d log(κ_p²/κ_s²)/dt| <= (2c_Kσ_max²/N²)((1 − min ρ) + η), m being min ρ or less. *)
Theorem lemma_b12_printed p s d :
  is_derive (fun u => ln (dot (kA p u) (kA p u)) - ln (dot (kA s u) (kA s u))) t d ->
  Rabs d <= 2 * c * σ2_max * ((1 - m) + η_of).
Proof.
move=> /is_derive_unique <-; rewrite (is_derive_unique _ _ _ (lemma_b12_exact p s)).
set W := (∑ p, κ2 p) / rN2; have W0 : 0 <= W by apply: Rmult_le_pos; [apply: sum_ge0 => i; apply: Rlt_le | apply: Rlt_le; apply: Rinv_0_lt_compat].
have W1 : W <= 1 by have := η_ge0; rewrite /η_of -/W; lra.
have lo : m * W <= Ψ_of.
  rewrite /W /Ψ_of /Rdiv -Rmult_assoc; apply: Rmult_le_compat_r; first by apply: Rlt_le; apply: Rinv_0_lt_compat.
  by rewrite -sum_mull; apply: sum_le => i; have := κ2_gt0 i; have := ρ_bounds i; nra.
have hi : Ψ_of <= W.
  rewrite /W /Ψ_of; apply: Rmult_le_compat_r; first by apply: Rlt_le; apply: Rinv_0_lt_compat.
  by apply: sum_le => i; have := κ2_gt0 i; have := ρ_bounds i; nra.
have [mp p1] := ρ_bounds p; have [ms s1] := ρ_bounds s; have [up vp] := σ2_bounds p; have [us vs] := σ2_bounds s.
have top : 1 - Ψ_of <= (1 - m) + η_of by rewrite /η_of -/W; nra.
have bottom : Ψ_of - m <= (1 - m) + η_of by have := η_ge0; lra.
set B := (1 - m) + η_of in top bottom *; have B0 : 0 <= B by have := η_ge0; rewrite /B; lra.
have spread : 1 - m <= B by have := η_ge0; rewrite /B; lra.
have one_side x y a b : - B <= x <= B -> - B <= y <= B -> x - y <= B -> 0 <= a <= σ2_max -> 0 <= b <= σ2_max -> a * x - b * y <= σ2_max * B.
  move=> [x1 x2] [y1 y2] xy [a1 a2] [b1 b2]; case: (Rle_dec 0 x) => hx; case: (Rle_dec 0 y) => hy; nra.
have main : Rabs (σ2 p * (ρ p - Ψ_of) - σ2 s * (ρ s - Ψ_of)) <= σ2_max * B.
  by apply: Rabs_le; split; [suff : σ2 s * (ρ s - Ψ_of) - σ2 p * (ρ p - Ψ_of) <= σ2_max * B by lra |]; apply: one_side; lra.
rewrite Rabs_mult (Rabs_pos_eq (2 * c)); last lra.
have -> : 2 * c * σ2_max * B = 2 * c * (σ2_max * B) by ring.
by apply: Rmult_le_compat_l main; lra.
Qed.
End ConditionNumber.

(** * Controls: two signals of length one, the first aligned and the other not; c = 1, N² = 1, no noise: Ψ = 1/2 *)
Definition col_A (p : bool) (s : R) (m : bool) : R := if p then (if m then 1 + s / 2 else 0) else (if m then 1 - s / 2 else s).
Definition col_B (p : bool) (s : R) (m : bool) : R := if p then (if m then 1 else 0) else (if m then 0 else 1).

Lemma κ2_col p : dot (col_A p 0) (col_A p 0) = 1.
Proof. by rewrite /dot sum_bool /col_A; case: p; field. Qed.
Lemma ρ_col p : dot (col_A p 0) (col_B p 0) / dot (col_A p 0) (col_A p 0) = if p then 1 else 0.
Proof. by rewrite κ2_col /dot sum_bool /col_A /col_B; case: p; field. Qed.
Lemma Ψ_col : Ψ_of 0 2 col_A col_B = 1 / 2.
Proof. by rewrite /Ψ_of sum_bool !ρ_col !κ2_col; field. Qed.
Lemma η_col : η_of 0 2 col_A = 0.
Proof. by rewrite /η_of sum_bool !κ2_col; field. Qed.
Lemma moves_col p : moves 0 (col_A p) (1 * 1) (col_B p 0) (1 * 1 * Ψ_of 0 2 col_A col_B).
Proof. by rewrite Ψ_col => m; rewrite /col_A /col_B; case: p; case: m; auto_derive => //; field. Qed.
Lemma κ2_col_gt0 p : 0 < dot (col_A p 0) (col_A p 0). Proof. by rewrite κ2_col; lra. Qed.
Lemma ρ_col_bounds p : 0 <= dot (col_A p 0) (col_B p 0) / dot (col_A p 0) (col_A p 0) <= 1.
Proof. by rewrite ρ_col; case: p; lra. Qed.

Definition exact_col := lemma_b12_exact moves_col κ2_col_gt0 true false.

(** One per cent more. *)
Theorem lemma_b12_exact_control : ~ (forall (M P : finType) t c rN2 (kA kB : P -> R -> M -> R) (σ2 : P -> R),
  (forall p, moves t (kA p) (c * σ2 p) (kB p t) (c * σ2 p * Ψ_of t rN2 kA kB)) -> (forall p, 0 < dot (kA p t) (kA p t)) ->
  let ρ p := dot (kA p t) (kB p t) / dot (kA p t) (kA p t) in
  forall p s, is_derive (fun u => ln (dot (kA p u) (kA p u)) - ln (dot (kA s u) (kA s u))) t
    (101 / 100 * (2 * c * (σ2 p * (ρ p - Ψ_of t rN2 kA kB) - σ2 s * (ρ s - Ψ_of t rN2 kA kB))))).
Proof.
move=> /(_ _ _ 0 1 2 col_A col_B (fun=> 1) moves_col κ2_col_gt0 true false) /is_derive_unique.
by rewrite (is_derive_unique _ _ _ exact_col) !ρ_col Ψ_col; lra.
Qed.

(** Control n2: half the constant. *)
Theorem lemma_b12_printed_control : ~ (forall (M P : finType) t c rN2 (kA kB : P -> R -> M -> R) (σ2 : P -> R) m σ2_max,
  (forall p, moves t (kA p) (c * σ2 p) (kB p t) (c * σ2 p * Ψ_of t rN2 kA kB)) -> (forall p, 0 < dot (kA p t) (kA p t)) ->
  0 <= c -> (forall p, 0 <= σ2 p <= σ2_max) -> (forall p, m <= dot (kA p t) (kB p t) / dot (kA p t) (kA p t) <= 1) ->
  - 1 <= m -> 0 < rN2 -> 0 <= η_of t rN2 kA ->
  forall p s d, is_derive (fun u => ln (dot (kA p u) (kA p u)) - ln (dot (kA s u) (kA s u))) t d ->
  Rabs d <= c * σ2_max * ((1 - m) + η_of t rN2 kA)).
Proof.
have b (p : bool) : 0 <= 1 <= 1 by lra.
move=> /(_ _ _ 0 1 2 col_A col_B (fun=> 1) 0 1 moves_col κ2_col_gt0 Rle_0_1 b ρ_col_bounds ltac:(lra) ltac:(lra) ltac:(rewrite η_col; lra) true false _ exact_col).
by rewrite !ρ_col Ψ_col η_col Rabs_pos_eq; lra.
Qed.
