(** Exponentials and logarithms: tangents, Jensen's inequality, and the functions that the losses are made of:
      [ζ t] = log(1 + e^t),  [σ t] = 1/(1 + e^{−t}),  [LSE x] = log Σ e^{x_i},  [logistic y] = log(1 + Σ e^{y_i}). *)
Require Import Contrapositive.Sums.
Set Implicit Arguments. Unset Strict Implicit.

Definition ζ (t : R) : R := ln (1 + exp t).
Definition σ (t : R) : R := exp t / (1 + exp t).
Definition LSE (I : finType) (x : I -> R) : R := ln (∑ i, exp (x i)).
Definition logistic (K : finType) (y : K -> R) : R := ln (1 + ∑ k, exp (y k)).

(** [M] is the largest, [m] the smallest of the numbers [x i]. *)
Definition is_max (I : finType) (M : R) (x : I -> R) : Prop := (forall i, x i <= M) /\ (exists i, x i = M).
Definition is_min (I : finType) (m : R) (x : I -> R) : Prop := (forall i, m <= x i) /\ (exists i, x i = m).

(** * Exponential and logarithm *)
Lemma exp_tangent v u : exp v * (1 + (u - v)) <= exp u.
Proof.
have -> : exp u = exp v * exp (u - v) by rewrite -exp_plus; congr exp; ring.
apply: Rmult_le_compat_l; first exact: Rlt_le (exp_pos v).
by case: (Req_dec (u - v) 0) => [-> | ne]; [rewrite exp_0; lra | exact: Rlt_le (exp_ineq1 _ ne)].
Qed.

Lemma ln_tangent m y : 0 < m -> 0 < y -> ln y <= ln m + (y - m) / m.
Proof.
move=> m0 y0; have := exp_tangent 0 (ln y - ln m).
rewrite exp_0 exp_plus exp_Ropp !exp_ln // => h.
have -> : (y - m) / m = y * / m - 1 by field; lra.
by lra.
Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. by case=> [lt | ->]; [apply: Rlt_le; apply: exp_increasing | apply: Rle_refl]. Qed.

Lemma ln_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. by move=> x0 [lt | ->]; [apply: Rlt_le; apply: ln_increasing | apply: Rle_refl]. Qed.

Lemma ln_ge0 x : 1 <= x -> 0 <= ln x.
Proof. by move=> x1; rewrite -ln_1; apply: ln_le; lra. Qed.

Lemma ln_gt0 x : 1 < x -> 0 < ln x.
Proof. by move=> x1; rewrite -ln_1; apply: ln_increasing; lra. Qed.

Lemma ln_div x y : 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof. by move=> x0 y0; rewrite /Rdiv ln_mult ?ln_Rinv //; apply: Rinv_0_lt_compat. Qed.

(** The logarithm grows less the further right one stands. *)
Lemma ln_increment w A B : 0 <= w -> 0 < A -> A <= B -> ln (w + B) - ln B <= ln (w + A) - ln A.
Proof.
move=> w0 A0 AB; rewrite -!ln_div; try lra.
apply: ln_le; first by apply: Rdiv_lt_0_compat; lra.
apply: (Rmult_le_reg_r (A * B)); first nra.
have -> : (w + B) / B * (A * B) = (w + B) * A by field; lra.
have -> : (w + A) / A * (A * B) = (w + A) * B by field; lra.
by nra.
Qed.

(** * Softplus and sigmoid *)
Lemma ζ_gt0 t : 0 < ζ t.
Proof. by apply: ln_gt0; have := exp_pos t; lra. Qed.

Lemma ζ_0 : ζ 0 = ln 2.
Proof. by rewrite /ζ exp_0. Qed.

Lemma ζ_le s t : s <= t -> ζ s <= ζ t.
Proof. by move=> /exp_le le; have := exp_pos s; rewrite /ζ => s0; apply: ln_le; lra. Qed.

(** ζ(t) = t + ζ(−t). *)
Lemma ζ_reflection t : ζ t = t + ζ (- t).
Proof.
have e0 := exp_pos t; rewrite /ζ -{2}(ln_exp t) exp_Ropp -ln_mult; [| by [] |].
  by congr ln; field; lra.
by have := Rinv_0_lt_compat _ e0; lra.
Qed.

Lemma σ01 t : 0 < σ t < 1.
Proof.
have e0 := exp_pos t; rewrite /σ; split; first by apply: Rdiv_lt_0_compat; lra.
by apply: (Rmult_lt_reg_r (1 + exp t)); first lra; field_simplify; lra.
Qed.

Lemma ζ_tangent m y : ζ m + σ m * (y - m) <= ζ y.
Proof.
have s01 := σ01 m; rewrite /ζ; set s := σ m in s01 *.
have em := exp_pos m; have ey := exp_pos y.
suff: s * (y - m) <= ln (1 + exp y) - ln (1 + exp m) by lra.
rewrite -ln_div; try lra.
have -> : (1 + exp y) / (1 + exp m) = 1 - s + s * exp (y - m).
  by rewrite /s /σ exp_plus exp_Ropp; field; lra.
set t := y - m; rewrite -(ln_exp (s * t)); apply: ln_le; first exact: exp_pos.
have h0 := exp_tangent (s * t) 0; have h1 := exp_tangent (s * t) t; rewrite exp_0 in h0.
have : (1 - s) * (exp (s * t) * (1 + (0 - s * t))) <= (1 - s) * 1 by apply: Rmult_le_compat_l; lra.
have : s * (exp (s * t) * (1 + (t - s * t))) <= s * exp t by apply: Rmult_le_compat_l; lra.
by nra.
Qed.

(** * Jensen's inequality *)

(** ... for a function that lies above a line through its value at the mean. *)
Lemma jensen (O : finType) (w y : O -> R) (φ : R -> R) (slope : R) : is_law w ->
  (forall t, φ (E w y) + slope * (t - E w y) <= φ t) -> φ (E w y) <= 𝔼 o ~ w, φ (y o).
Proof.
move=> law tangent; set m := E w y in tangent *.
apply: (Rle_trans _ (𝔼 o ~ w, (φ m + slope * (y o - m)))); last exact: E_le.
by rewrite E_add E_mull E_sub !E_const // -/m; lra.
Qed.

Lemma jensen_ζ (O : finType) (w y : O -> R) : is_law w -> ζ (E w y) <= 𝔼 o ~ w, ζ (y o).
Proof. by move=> law; apply: (@jensen _ _ _ ζ (σ (E w y))) => // t; apply: ζ_tangent. Qed.

(** * Sums of exponentials *)
Section SumsOfExponentials.
Variable I : finType.
Implicit Types x y : I -> R.

Lemma sum_exp_ge0 x : 0 <= ∑ i, exp (x i).
Proof. by apply: sum_ge0 => i; apply: Rlt_le; apply: exp_pos. Qed.

Lemma psum_exp_ge0 (P : pred I) x : 0 <= ∑ (i | P i), exp (x i).
Proof. by apply: psum_ge0 => i _; apply: Rlt_le; apply: exp_pos. Qed.

Lemma exp_term_le x i : exp (x i) <= ∑ j, exp (x j).
Proof. by apply: sum_term_le => j; apply: Rlt_le; apply: exp_pos. Qed.

Lemma sum_exp_gt0 x (i : I) : 0 < ∑ j, exp (x j).
Proof. by have := exp_term_le x i; have := exp_pos (x i); lra. Qed.

Lemma psum_exp_gt0 (P : pred I) x i : P i -> 0 < ∑ (j | P j), exp (x j).
Proof.
move=> Pi; rewrite (bigD1 i) //=; have := exp_pos (x i).
by have := psum_exp_ge0 (fun j => P j && (j != i)) x; lra.
Qed.

Lemma LSE_ge x i : x i <= LSE x.
Proof. by rewrite -{1}(ln_exp (x i)); apply: ln_le (exp_term_le x i); apply: exp_pos. Qed.

Lemma logistic_ge0 x : 0 <= logistic x.
Proof. by apply: ln_ge0; have := sum_exp_ge0 x; lra. Qed.

(** The entry of the own class is zero: log-sum-exp over all classes, and log(1 + Σ) over the others. *)
Lemma LSE_own x c : x c = 0 -> LSE x = ln (1 + ∑ (i | i != c), exp (x i)).
Proof. by move=> xc; rewrite /LSE (sum_D1 _ c) xc exp_0. Qed.

(** The product of the 1 + e^{x_i} is at least 1 and all its terms of degree one. *)
Lemma softplus_sum (P : pred I) x : ln (1 + ∑ (i | P i), exp (x i)) <= ∑ (i | P i), ζ (x i).
Proof.
rewrite -(big_filter _ P) -[X in _ <= X](big_filter _ P); elim: (filter _ _) => [|i s IH].
  by rewrite !big_nil Rplus_0_r ln_1; lra.
rewrite !big_cons; set S := \big[Rplus/0]_(j <- s) exp (x j) in IH *.
have S0 : 0 <= S by rewrite /S; apply: (big_ind (fun t => 0 <= t)) => [|*|j _]; try lra; apply: Rlt_le (exp_pos _).
have e0 := exp_pos (x i).
suff: ln (1 + (exp (x i) + S)) <= ζ (x i) + ln (1 + S) by lra.
by rewrite /ζ -ln_mult; try lra; apply: ln_le; [lra | nra].
Qed.

Lemma logistic_tangent x y : logistic x + ∑ k, exp (x k) / (1 + ∑ j, exp (x j)) * (y k - x k) <= logistic y.
Proof.
have S0 := sum_exp_ge0 x; have T0 := sum_exp_ge0 y; rewrite /logistic.
set S := ∑ j, exp (x j) in S0 *; set T := ∑ j, exp (y j) in T0 *.
set s := ∑ k, exp (x k) / (1 + S) * (y k - x k).
suff: exp s * (1 + S) <= 1 + T.
  move=> h; rewrite -(ln_exp s) Rplus_comm -ln_mult; [| exact: exp_pos | lra].
  by apply: ln_le => //; apply: Rmult_lt_0_compat; [apply: exp_pos | lra].
have h0 := exp_tangent s 0; rewrite exp_0 in h0.
have: ∑ k, exp (x k) * (exp s * (1 + (y k - x k - s))) <= T.
  apply: sum_le => k; have -> : exp (y k) = exp (x k) * exp (y k - x k) by rewrite -exp_plus; congr exp; ring.
  by apply: Rmult_le_compat_l (exp_tangent s _); apply: Rlt_le; apply: exp_pos.
have -> : ∑ k, exp (x k) * (exp s * (1 + (y k - x k - s))) = exp s * (S * (1 - s) + (1 + S) * s).
  have -> : S * (1 - s) + (1 + S) * s = ∑ k, (exp (x k) * (1 - s) + (1 + S) * (exp (x k) / (1 + S) * (y k - x k))).
    by rewrite sum_add sum_mulr sum_mull.
  by rewrite -sum_mull; apply: sum_ext => k; field; lra.
by lra.
Qed.

Lemma jensen_logistic (O : finType) (w : O -> R) (y : O -> I -> R) : is_law w ->
  logistic (fun k => 𝔼 o ~ w, y o k) <= 𝔼 o ~ w, logistic (y o).
Proof.
move=> law; set m := fun k => 𝔼 o ~ w, y o k; set p := fun k => exp (m k) / (1 + ∑ j, exp (m j)).
apply: (Rle_trans _ (𝔼 o ~ w, (logistic m + ∑ k, p k * (y o k - m k)))); last first.
  by apply: E_le => // o; apply: logistic_tangent.
have -> : 𝔼 o ~ w, (logistic m + ∑ k, p k * (y o k - m k)) = logistic m + ∑ k, 𝔼 o ~ w, (p k * (y o k - m k)).
  rewrite E_add E_const // /E [in RHS]sum_exchange; congr (_ + _).
  by apply: sum_ext => o; rewrite -sum_mull.
have -> : ∑ k, 𝔼 o ~ w, (p k * (y o k - m k)) = ∑ k : I, 0.
  by apply: sum_ext => k; rewrite E_mull E_sub E_const // -/(m k); ring.
by rewrite sum_const; lra.
Qed.
End SumsOfExponentials.

(** −log(e^u/(e^u + Σ e^{v_i})) = log(1 + Σ e^{v_i − u}). *)
Lemma neg_log_softmax (K : finType) u (v : K -> R) :
  - ln (exp u / (exp u + ∑ i, exp (v i))) = logistic (fun i => v i - u).
Proof.
have e0 := exp_pos u; have S0 := sum_exp_ge0 v; rewrite -ln_Rinv; last by apply: Rdiv_lt_0_compat; lra.
congr ln; have -> : ∑ i, exp (v i - u) = (∑ i, exp (v i)) * / exp u.
  by rewrite -sum_mulr; apply: sum_ext => i; rewrite exp_plus exp_Ropp.
by field; lra.
Qed.
