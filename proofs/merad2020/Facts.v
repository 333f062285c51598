(** Merad et al., section 7: the facts on softplus and on the negative logarithm that the proofs use. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Tactics Contrapositive.Calculus Contrapositive.merad2020.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

(** * Softplus far out *)

(** ln(1 + u) between u − u²/2 and u. *)
Lemma ln_1_plus u : 0 <= u -> u - u ^ 2 / 2 <= ln (1 + u) <= u.
Proof.
move=> u0; split; last by have := @ln_tangent 1 (1 + u) Rlt_0_1; rewrite ln_1 => /(_ ltac:(lra)); lra.
have := @increases (fun t => ln (1 + t) - (t - t ^ 2 / 2)) (fun t => t ^ 2 / (1 + t)) 0 u u0.
rewrite Rplus_0_r ln_1 => inc.
suff: 0 - (0 - 0 ^ 2 / 2) <= ln (1 + u) - (u - u ^ 2 / 2) by lra.
apply: inc => t t_in; first by auto_derive; [lra | field; lra].
by apply: Rmult_le_pos; [apply: pow2_ge_0 | apply: Rlt_le; apply: Rinv_0_lt_compat; lra].
Qed.

(** 0 <= ζ(x)/x − 1 <= e^{−x}/x for x > 0.
    [claim] merad2020.fact-softplus  [sense] right  [scope] every x > 0 *)
Theorem fact_softplus_right x : 0 < x -> 0 <= ζ x / x - 1 <= exp (- x) / x.
Proof.
move=> x0; have -> : ζ x / x - 1 = ζ (- x) / x by rewrite ζ_reflection; field; lra.
have [_ up] := ln_1_plus (Rlt_le _ _ (exp_pos (- x))); have low := ζ_gt0 (- x).
have i0 := Rinv_0_lt_compat _ x0.
by split; [apply: Rmult_le_pos; lra | apply: Rmult_le_compat_r => //; lra].
Qed.

(** 0 <= ζ(−x) <= e^{−x}, for every x.
    [claim] merad2020.fact-softplus  [sense] left  [scope] every real x *)
Theorem fact_softplus_left x : 0 <= ζ (- x) <= exp (- x).
Proof. by split; [exact: Rlt_le (ζ_gt0 _) | case: (ln_1_plus (Rlt_le _ _ (exp_pos (- x))))]. Qed.

(** The limits of the headline: ζ(x)/x → 1 as x → +∞ and ζ(x) → 0 as x → −∞.
    [claim] merad2020.fact-softplus  [sense] headline  [scope] the limits *)
Theorem fact_softplus_limits : is_lim (fun x => ζ x / x) p_infty 1 /\ is_lim ζ m_infty 0.
Proof.
split; last first.
  apply: (@is_lim_le_le_loc (fun=> 0) exp) => //; last exact: is_lim_exp_m; last exact: is_lim_const.
  exists 0 => x _; have := fact_softplus_left (- x); by rewrite Ropp_involutive.
apply: (@is_lim_le_le_loc (fun=> 1) (fun x => 1 + / x)) => //; last 1 first.
- have -> : Finite 1 = Rbar_plus 1 0 by rewrite /= Rplus_0_r.
  apply: is_lim_plus'; first exact: is_lim_const.
  have -> : Finite 0 = Rbar_inv p_infty by [].
  by apply: is_lim_inv; [apply: is_lim_id | ].
- exists 0 => x x0; have [l u] := fact_softplus_right x0.
  have e1 : exp (- x) <= 1 by rewrite -exp_0; apply: exp_le; lra.
  have : exp (- x) / x <= 1 / x by apply: Rmult_le_compat_r; [apply: Rlt_le; apply: Rinv_0_lt_compat | ].
  by rewrite /Rdiv Rmult_1_l; rewrite /Rdiv in l u; lra.
- exact: is_lim_const.
Qed.

(** e^{−x}(1 − e^{−x}/2) <= ζ(−x) <= e^{−x}.
    [claim] merad2020.fact-softplus  [sense] rate  [scope] every real x *)
Theorem fact_softplus_rate x : exp (- x) * (1 - exp (- x) / 2) <= ζ (- x) <= exp (- x).
Proof.
have [l u] := ln_1_plus (Rlt_le _ _ (exp_pos (- x))); split => //.
by move: l; rewrite /ζ; set e := exp (- x); lra.
Qed.

(** [claim] merad2020.fact-softplus  [sense] reflection  [scope] every real x *)
Theorem fact_softplus_reflection x : ζ x - x = ζ (- x).
Proof. by rewrite (ζ_reflection x); ring. Qed.

(** * The negative logarithm *)

(** −log(1−x) <= x/(1−x) for every x < 1, negative ones included.
    [claim] merad2020.fact-neglog  [sense] printed  [scope] every x < 1 *)
Theorem fact_neglog_printed x : x < 1 -> - ln (1 - x) <= x / (1 - x).
Proof.
move=> x1; have := @ln_tangent (1 - x) 1 ltac:(lra) Rlt_0_1; rewrite ln_1.
have -> : 1 - (1 - x) = x by ring.
by lra.
Qed.

(** −log(1−x) <= (2 log 2) x for 0 <= x <= ½: the chord.
    [claim] merad2020.fact-neglog  [sense] chord  [scope] 0 <= x <= 1/2 *)
Theorem fact_neglog_chord x : 0 <= x <= 1 / 2 -> - ln (1 - x) <= 2 * ln 2 * x.
Proof.
move=> x_in; have m0 : 0 < 1 - x by lra.
have t1 := @ln_tangent (1 - x) 1 m0 Rlt_0_1; have t2 := @ln_tangent (1 - x) (1 / 2) m0 ltac:(lra).
rewrite ln_1 in t1; rewrite ln_div ?ln_1 in t2; try lra.
have : 2 * x * ((1 / 2 - (1 - x)) / (1 - x)) + (1 - 2 * x) * ((1 - (1 - x)) / (1 - x)) = 0 by field; lra.
by nra.
Qed.

(** 2 log u <= u − 1/u for u >= 1. *)
Lemma two_ln_le u : 1 <= u -> 2 * ln u <= u - / u.
Proof.
move=> u1; have := @increases (fun t => t - / t - 2 * ln t) (fun t => (1 - / t) ^ 2) 1 u u1.
rewrite ln_1 Rinv_1 => inc.
suff: 1 - 1 - 2 * 0 <= u - / u - 2 * ln u by lra.
by apply: inc => t t_in; [auto_derive; [lra | field; lra] | apply: pow2_ge_0].
Qed.

(** −log(1−x) <= x/√(1−x) <= x/(1−x) for 0 <= x < 1.
    [claim] merad2020.fact-neglog  [sense] mean  [scope] 0 <= x < 1 *)
Theorem fact_neglog_mean x : 0 <= x < 1 -> - ln (1 - x) <= x / sqrt (1 - x) <= x / (1 - x).
Proof.
move=> x_in; have s0 : 0 < sqrt (1 - x) by apply: sqrt_lt_R0; lra.
have ss : sqrt (1 - x) * sqrt (1 - x) = 1 - x by apply: sqrt_sqrt; lra.
move: (sqrt (1 - x)) s0 ss => s s0 ss; have s1 : s <= 1 by nra.
have -> : x = 1 - s * s by lra.
split.
- have -> : 1 - (1 - s * s) = s * s by ring.
  have u1 : 1 <= / s by rewrite -Rinv_1; apply: Rinv_le_contravar.
  have := two_ln_le u1; rewrite Rinv_involutive ?ln_Rinv ?ln_mult; try lra => //.
  have -> : (1 - s * s) / s = / s - s by field; lra.
  by lra.
- have -> : 1 - (1 - s * s) = s * s by ring.
  apply: Rmult_le_compat_l; first nra.
  by apply: Rinv_le_contravar; nra.
Qed.

(** * Controls *)

(** Control d: 0.9 in front of e^{−x}/x. *)
Theorem fact_softplus_right_control : ~ (forall x, 0 < x -> ζ x / x - 1 <= 9 / 10 * exp (- x) / x).
Proof. move=> /(_ 3 ltac:(lra)); apply: Rlt_not_le; rewrite /ζ; bound. Qed.

(** Control c: ½ in front of e^{−x}. *)
Theorem fact_softplus_left_control : ~ (forall x, ζ (- x) <= 1 / 2 * exp (- x)).
Proof. move=> /(_ 1); apply: Rlt_not_le; rewrite /ζ; bound. Qed.

(** The correction e^{−x}/2 cannot be dropped. *)
Theorem fact_softplus_rate_control : ~ (forall x, exp (- x) <= ζ (- x)).
Proof. move=> /(_ 1); apply: Rlt_not_le; rewrite /ζ; bound. Qed.

(** The reflection needs the term x. *)
Theorem fact_softplus_reflection_control : ~ (forall x, ζ x = ζ (- x)).
Proof. move=> /(_ 1); apply: Rgt_not_eq; apply: Rlt_gt; rewrite /ζ; bound. Qed.

(** The limit 0 on the other side. *)
Theorem fact_softplus_limits_control : ~ is_lim (fun x => ζ x / x) p_infty 0.
Proof.
move=> h; have := is_lim_unique _ _ _ h; have [h1 _] := fact_softplus_limits.
by rewrite (is_lim_unique _ _ _ h1) => -[]; lra.
Qed.

(** Control a: −log(1−x) <= x. *)
Theorem fact_neglog_printed_control : ~ (forall x, x < 1 -> - ln (1 - x) <= x).
Proof. move=> /(_ (1 / 2) ltac:(lra)); apply: Rlt_not_le; bound. Qed.

(** Control c: 1.38 in place of 2 log 2. *)
Theorem fact_neglog_chord_control : ~ (forall x, 0 <= x <= 1 / 2 -> - ln (1 - x) <= 138 / 100 * x).
Proof. move=> /(_ (1 / 2) ltac:(lra)); apply: Rlt_not_le; bound. Qed.

(** Control b: x/√(1−x) for negative x too. *)
Theorem fact_neglog_mean_control : ~ (forall x, x < 1 -> - ln (1 - x) <= x / sqrt (1 - x)).
Proof. move=> /(_ (-3) ltac:(lra)); apply: Rlt_not_le; bound. Qed.
