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

Variables (lo hi σ2_max : R).
Hypothesis c_ge0 : 0 <= c.
Hypothesis σ2_bounds : forall p, 0 <= σ2 p <= σ2_max.
Hypothesis ρ_bounds : forall p, lo <= ρ p <= hi.
Hypothesis rN2_gt0 : 0 < rN2.
Hypothesis η_ge0 : 0 <= η_of.

(** Ψ lies between (1 − η) min ρ and (1 − η) max ρ. *)
Lemma Ψ_between : (1 - η_of) * lo <= Ψ_of <= (1 - η_of) * hi.
Proof.
have -> : 1 - η_of = (∑ p, κ2 p) * / rN2 by rewrite /η_of /Rdiv; ring.
have i0 : 0 <= / rN2 by apply: Rlt_le; exact: Rinv_0_lt_compat.
rewrite /Ψ_of /Rdiv; split.
  have -> : (∑ p, κ2 p) * / rN2 * lo = (∑ p, κ2 p * lo) * / rN2 by rewrite sum_mulr; ring.
  apply: Rmult_le_compat_r => //; apply: sum_le => p; apply: Rmult_le_compat_l; first exact: Rlt_le.
  exact: (proj1 (ρ_bounds p)).
have -> : (∑ p, κ2 p) * / rN2 * hi = (∑ p, κ2 p * hi) * / rN2 by rewrite sum_mulr; ring.
apply: Rmult_le_compat_r => //; apply: sum_le => p; apply: Rmult_le_compat_l; first exact: Rlt_le.
exact: (proj2 (ρ_bounds p)).
Qed.

Lemma η_le1 : η_of <= 1.
Proof.
suff : 0 <= (∑ p, κ2 p) / rN2 by rewrite /η_of; lra.
apply: Rmult_le_pos; first by apply: sum_ge0 => p; exact: Rlt_le.
by apply: Rlt_le; exact: Rinv_0_lt_compat.
Qed.

(** a x − b y, for x, y and x − y in [−B, B] and a, b in [0, A], lies in [−AB, AB]. *)
Lemma weighted_difference A B a b x y : - B <= x <= B -> - B <= y <= B -> - B <= x - y <= B -> 0 <= a <= A -> 0 <= b <= A ->
  Rabs (a * x - b * y) <= A * B.
Proof.
have one x' y' a' b' : - B <= x' <= B -> - B <= y' <= B -> x' - y' <= B -> 0 <= a' <= A -> 0 <= b' <= A -> a' * x' - b' * y' <= A * B.
  move=> [x1 x2] [y1 y2] xy [a1 a2] [b1 b2].
  case: (Rle_dec 0 x') => hx; case: (Rle_dec 0 y') => hy.
  - by have := Rmult_le_pos _ _ b1 hy; have := Rmult_le_compat _ _ _ _ a1 hx a2 x2; lra.
  - have := Rmult_le_compat_r x' _ _ hx a2; have := Rmult_le_compat_r (- y') _ _ ltac:(lra) b2.
    by have := Rmult_le_compat_l A _ _ ltac:(lra) xy; lra.
  - have := Rmult_le_pos a' (- x') a1 ltac:(lra); have := Rmult_le_pos _ _ b1 hy.
    by have := Rmult_le_pos A B ltac:(lra) ltac:(lra); lra.
  have := Rmult_le_pos a' (- x') a1 ltac:(lra); have := Rmult_le_compat b' A (- y') B b1 ltac:(lra) b2 ltac:(lra); lra.
move=> bx be [d1 d2] ba bb; apply: Rabs_le; split; last exact: one.
by have := one y x b a be bx ltac:(lra) bb ba; lra.
Qed.

(** |d log(κ_p²/κ_s²)/dt| <= (2c_Kσ_max²/N²)((max ρ − min ρ) + η max(min ρ, −max ρ, 0)), [lo] and [hi] being bounds of all ρ. *)
Theorem lemma_b12_spread p s d :
  is_derive (fun u => ln (dot (kA p u) (kA p u)) - ln (dot (kA s u) (kA s u))) t d ->
  Rabs d <= 2 * c * σ2_max * ((hi - lo) + η_of * Rmax (Rmax lo (- hi)) 0).
Proof.
move=> /is_derive_unique <-; rewrite (is_derive_unique _ _ _ (lemma_b12_exact p s)).
set k := Rmax (Rmax lo (- hi)) 0; set B := (hi - lo) + η_of * k.
have k0 : 0 <= k by exact: Rmax_r.
have kl : lo <= k by apply: Rle_trans (Rmax_l _ _) (Rmax_l _ _).
have kh : - hi <= k by apply: Rle_trans (Rmax_r _ _) (Rmax_l _ _).
have ηk := Rmult_le_pos _ _ η_ge0 k0.
have ηl : η_of * lo <= η_of * k by exact: Rmult_le_compat_l.
have ηh : η_of * - hi <= η_of * k by exact: Rmult_le_compat_l.
have [Ψl Ψh] := Ψ_between; have apart i : - B <= ρ i - Ψ_of <= B by have := ρ_bounds i; rewrite /B; lra.
have main : Rabs (σ2 p * (ρ p - Ψ_of) - σ2 s * (ρ s - Ψ_of)) <= σ2_max * B.
  by apply: weighted_difference => //; have := ρ_bounds p; have := ρ_bounds s; rewrite /B; lra.
rewrite Rabs_mult (Rabs_pos_eq (2 * c)); last lra.
by rewrite (Rmult_assoc (2 * c)); apply: Rmult_le_compat_l main; lra.
Qed.
End ConditionNumber.
