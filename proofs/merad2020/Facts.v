(** Merad et al., section 7: the facts on log-sum-exp, softplus and logarithm that the proofs use, for any number of
    entries. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Tactics Contrapositive.Calculus Contrapositive.merad2020.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

(** * LSE and the largest entry *)
Section Max.
Variables (I : finType) (x : I -> R).

Lemma card_gt0_INR (i : I) : 0 < INR #|I|.
Proof. by apply: lt_0_INR; apply/ltP; apply/card_gt0P; exists i. Qed.

(** max x <= LSE(x) <= max x + log n.
    [claim] merad2020.fact-lse-max  [sense] printed  [scope] real entries, any number *)
Theorem fact_lse_max_printed M : is_max M x -> M <= LSE x <= M + ln (INR #|I|).
Proof.
case=> le [i eq]; split; first by rewrite -eq; apply: LSE_ge.
have n0 := card_gt0_INR i; rewrite -{1}(ln_exp M) -ln_mult; [| exact: exp_pos | by []].
apply: ln_le; first exact: (sum_exp_gt0 x i).
by rewrite Rmult_comm -(sum_const I (exp M)); apply: sum_le => j; apply: exp_le.
Qed.

(** log(1 + (n−1)e^{m−M}) <= LSE(x) − M <= log(1 + (n−1)e^{y−M}), the other entries between m and y.
    [claim] merad2020.fact-lse-max  [sense] gaps  [scope] real entries, any number *)
Theorem fact_lse_max_gaps M m y i : x i = M -> (forall j, j != i -> m <= x j <= y) ->
  ln (1 + (INR #|I| - 1) * exp (m - M)) <= LSE x - M <= ln (1 + (INR #|I| - 1) * exp (y - M)).
Proof.
move=> eq others.
have -> : LSE x - M = ln (1 + ∑ (j | j != i), exp (x j - M)).
  have p := psum_exp_ge0 (fun j => j != i) (fun j => x j - M).
  suff -> : LSE x = M + ln (1 + ∑ (j | j != i), exp (x j - M)) by ring.
  rewrite -{1}(ln_exp M) -ln_mult; [|exact: exp_pos | lra]; congr ln.
  rewrite (sum_D1 _ i) eq Rmult_plus_distr_l Rmult_1_r -psum_mull; congr (_ + _).
  by apply: eq_bigr => j _; rewrite -exp_plus; congr exp; ring.
have n1 k : (INR #|I| - 1) * k = ∑ (j | j != i), k.
  have := sum_const I k; rewrite (sum_D1 (fun=> k) i) => h.
  by rewrite Rmult_minus_distr_r -h; ring.
have pos k : 0 <= ∑ (j | j != i), exp k by apply: psum_ge0 => *; apply: Rlt_le; apply: exp_pos.
rewrite !n1; split; apply: ln_le.
- by have := pos (m - M); lra.
- by apply: Rplus_le_compat_l; apply: psum_le => j /others; move=> h; apply: exp_le; lra.
- by have := psum_exp_ge0 (fun j => j != i) (fun j => x j - M); lra.
- by apply: Rplus_le_compat_l; apply: psum_le => j /others; move=> h; apply: exp_le; lra.
Qed.

(** LSE(x) >= 0 where max x >= 0.
    [claim] merad2020.fact-lse-nonneg  [sense] printed  [scope] real entries, any number *)
Theorem fact_lse_nonneg_printed M : is_max M x -> 0 <= M -> 0 <= LSE x.
Proof. by move=> /fact_lse_max_printed; lra. Qed.

(** LSE(x) >= mean(x) + log n.
    [claim] merad2020.fact-lse-nonneg  [sense] by-the-mean  [scope] real entries, any number *)
Theorem fact_lse_nonneg_by_the_mean : (0 < #|I|)%N -> (∑ i, x i) / INR #|I| + ln (INR #|I|) <= LSE x.
Proof.
move=> /card_gt0P [i0 _]; have n0 := card_gt0_INR i0; set n := INR #|I| in n0 *.
have S0 := sum_exp_gt0 x i0; set S := ∑ i, exp (x i) in S0.
have: ∑ i, x i <= ∑ i, (ln (S / n) + (exp (x i) - S / n) / (S / n)).
  apply: sum_le => i; rewrite -{1}(ln_exp (x i)).
  by apply: ln_tangent; [apply: Rdiv_lt_0_compat | apply: exp_pos].
rewrite sum_add sum_const.
have -> : ∑ i, (exp (x i) - S / n) / (S / n) = ∑ i, (exp (x i) * (n / S) - 1) by apply: sum_ext => i; field; lra.
rewrite sum_sub sum_mulr sum_const -/n -/S ln_div // => h.
rewrite /LSE -/S; apply: (Rmult_le_reg_l n) => //.
have -> : n * ((∑ i, x i) / n + ln n) = ∑ i, x i + n * ln n by field; lra.
have e1 : S * (n / S) = n by field; lra.
by rewrite e1 in h; lra.
Qed.
End Max.

(** * LSE over a part of the entries *)
Section Restrict.
Variables (I : finType) (x : I -> R).
Definition LSE_on (S : pred I) : R := ln (∑ (i | S i), exp (x i)).

(** [claim] merad2020.fact-lse-restrict  [sense] printed  [scope] real entries, any number *)
Theorem fact_lse_restrict_printed (S : pred I) : (exists i, S i) -> LSE_on S <= LSE x.
Proof.
case=> i Si; apply: ln_le; first exact: psum_exp_gt0 Si.
by rewrite [X in _ <= X](sum_split S); have := psum_exp_ge0 (predC S) x; rewrite /=; lra.
Qed.

(** LSE(x) = LSE(x_S) + ζ(LSE(x_{S^c}) − LSE(x_S)).
    [claim] merad2020.fact-lse-restrict  [sense] lost  [scope] real entries, any number; S and its complement not empty *)
Theorem fact_lse_restrict_lost (S : pred I) : (exists i, S i) -> (exists i, ~~ S i) ->
  LSE x = LSE_on S + ζ (LSE_on (predC S) - LSE_on S).
Proof.
case=> i Si [j Sj]; have Pi := psum_exp_gt0 x Si; have Pj := @psum_exp_gt0 _ (predC S) x j Sj.
set A := ∑ (k | S k), _ in Pi; set B := ∑ (k | predC S k), _ in Pj.
have -> : LSE x = ln (A + B) by congr ln; rewrite (sum_split S).
rewrite /ζ /LSE_on -/A -/B exp_plus exp_Ropp !exp_ln // -ln_mult //; first by congr ln; field; lra.
by have := Rdiv_lt_0_compat _ _ Pj Pi; rewrite /Rdiv; lra.
Qed.
End Restrict.

(** * LSE by pairs *)

(** LSE(x) over all entries is LSE of the LSE of the pairs, at most their maximum plus log n.
    [claim] merad2020.fact-lse-pairing  [sense] printed  [scope] real entries, any number of pairs *)
Theorem fact_lse_pairing_printed (I : finType) (x x' : I -> R) M :
  let pair i := ln (exp (x i) + exp (x' i)) in is_max M pair ->
  ln (∑ i, (exp (x i) + exp (x' i))) = LSE pair /\ LSE pair <= M + ln (INR #|I|).
Proof.
move=> pair max; split; last by case: (fact_lse_max_printed max).
congr ln; apply: sum_ext => i; rewrite /pair exp_ln //.
by have := exp_pos (x i); have := exp_pos (x' i); lra.
Qed.

(** LSE(a) <= max a + log n < max ζ(a_j) + log n.
    [claim] merad2020.fact-lse-pairing  [sense] without-zeros  [scope] real entries, any number *)
Theorem fact_lse_pairing_without_zeros (I : finType) (a : I -> R) M : is_max M a ->
  LSE a <= M + ln (INR #|I|) < ζ M + ln (INR #|I|).
Proof.
move=> max; split; first by case: (fact_lse_max_printed max).
by have := ζ_gt0 (- M); rewrite (ζ_reflection M); lra.
Qed.

(** * The sum of softpluses *)
Section SumLog.
Variables (I : finType) (a : I -> R).

(** [claim] merad2020.fact-sum-log  [sense] printed  [scope] real entries, any number *)
Theorem fact_sum_log_printed : ln (1 + ∑ i, exp (a i)) <= ∑ i, ζ (a i).
Proof. exact: (softplus_sum predT). Qed.

Let w i := exp (a i).
Let pairs (s : seq I) := ((\big[Rplus/0]_(i <- s) w i) ^ 2 - \big[Rplus/0]_(i <- s) w i ^ 2) / 2.

(** The product of the 1 + w_i, for w_i >= 0, is at least all its terms of degree up to two. *)
Lemma product_second_order (s : seq I) :
  0 <= \big[Rplus/0]_(i <- s) w i /\ 0 <= pairs s /\
  1 + \big[Rplus/0]_(i <- s) w i + pairs s <= exp (\big[Rplus/0]_(i <- s) ζ (a i)).
Proof.
rewrite /pairs; elim: s => [|i s [S0 [Q0 IH]]]; first by rewrite !big_nil exp_0; lra.
have e0 : 0 < w i := exp_pos (a i); rewrite !big_cons exp_plus.
have -> : exp (ζ (a i)) = 1 + w i by rewrite /ζ exp_ln //; rewrite /w in e0; lra.
set S := \big[Rplus/0]_(j <- s) w j in S0 Q0 IH *; set Q := \big[Rplus/0]_(j <- s) w j ^ 2 in Q0 IH *.
by split; [lra | split; nra].
Qed.

Lemma pairs_sum : ∑ i, ∑ (j | j != i), exp (a i + a j) = 2 * pairs (index_enum I).
Proof.
have -> : 2 * pairs (index_enum I) = (∑ i, w i) ^ 2 - ∑ i, w i ^ 2 by rewrite /pairs; field.
rewrite /= Rmult_1_r sum_mul -sum_sub; apply: sum_ext => i; rewrite (sum_D1 _ i).
rewrite (eq_bigr (fun j => w i * w j)) => [|j _]; first by ring.
exact: exp_plus.
Qed.

(** Σ ζ(a_i) − log(1 + Σ e^{a_i}) >= log(1 + Σ_{i<j} e^{a_i+a_j}/(1 + Σ e^{a_i})); each pair is met twice in the double sum.
    [claim] merad2020.fact-sum-log  [sense] second-order  [scope] real entries, any number *)
Theorem fact_sum_log_second_order :
  ln (1 + (∑ i, ∑ (j | j != i), exp (a i + a j)) / 2 / (1 + ∑ i, exp (a i)))
    <= ∑ i, ζ (a i) - ln (1 + ∑ i, exp (a i)).
Proof.
have [S0 [P0 le]] := product_second_order (index_enum I); rewrite pairs_sum.
set S := ∑ i, exp (a i) in S0 le *; set P := pairs _ in P0 le *.
have -> : 1 + 2 * P / 2 / (1 + S) = (1 + S + P) / (1 + S) by field; lra.
rewrite -/S ln_div; try lra.
suff: ln (1 + S + P) <= ∑ i, ζ (a i) by lra.
by rewrite -(ln_exp (∑ i, ζ (a i))); apply: ln_le; lra.
Qed.

(** [claim] merad2020.fact-sum-log  [sense] strict  [scope] real entries, two or more *)
Theorem fact_sum_log_strict : (2 <= #|I|)%N -> ln (1 + ∑ i, exp (a i)) < ∑ i, ζ (a i).
Proof.
move=> /card_gt1P [i [j [_ _ ij]]]; have := fact_sum_log_second_order.
have D0 : 0 < ∑ i, ∑ (j | j != i), exp (a i + a j).
  apply: (sum_lt0 (F := fun i => ∑ (j | j != i), exp (a i + a j))) => [k|].
    exact: (psum_exp_ge0 _ (fun j => a k + a j)).
  exists i; apply: (@psum_exp_gt0 _ (fun k => k != i) (fun k => a i + a k) j); by rewrite eq_sym.
have S0 := sum_exp_ge0 a; set D := ∑ i, ∑ (j | j != i), _ in D0 *.
suff: 0 < ln (1 + D / 2 / (1 + ∑ i, exp (a i))) by lra.
apply: ln_gt0; suff: 0 < D / 2 / (1 + ∑ i, exp (a i)) by lra.
by apply: Rdiv_lt_0_compat; lra.
Qed.
End SumLog.

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
Definition zeros (I : Type) (i : I) : R := 0.
Definition zero_and (r : R) (b : bool) : R := if b then 0 else r.

Lemma zeros_max (I : finType) (i : I) : is_max 0 (@zeros I).
Proof. by split=> [j|]; [apply: Rle_refl | exists i]. Qed.

Lemma LSE_zeros (I : finType) : LSE (@zeros I) = ln (INR #|I|).
Proof. by rewrite /LSE /zeros exp_0 sum_const Rmult_1_r. Qed.

(** Control a: log(n − 1) in place of log n. *)
Theorem fact_lse_max_printed_control : ~ (forall (I : finType) (x : I -> R) M, (2 <= #|I|)%N -> is_max M x ->
  LSE x <= M + ln (INR #|I| - 1)).
Proof.
move=> /(_ _ (@zeros bool) 0); rewrite card_bool => /(_ isT (zeros_max true)); rewrite LSE_zeros card_bool.
have -> : INR 2 - 1 = 1 by rewrite /=; ring.
by rewrite ln_1; have := @ln_gt0 (INR 2); rewrite /=; lra.
Qed.

(** The upper gap taken with the smallest of the other entries. *)
Theorem fact_lse_max_gaps_control : ~ (forall (I : finType) (x : I -> R) M m i, x i = M ->
  (exists2 j, j != i & x j = m) -> LSE x - M <= ln (1 + (INR #|I| - 1) * exp (m - M))).
Proof.
pose x (o : option bool) := if o is Some b then zero_and (-5) b else 0.
move=> /(_ _ x 0 (-5) None erefl) /(_ (ex_intro2 _ _ (Some false) isT erefl)).
apply: Rlt_not_le; rewrite card_option card_bool /LSE (bigD1 None) //= (bigD1 (Some true)) //= (bigD1 (Some false)) //=.
rewrite big_pred0 => [|[[]|] //]; rewrite /zero_and; bound.
Qed.

(** Control c: LSE(x) >= 1. *)
Theorem fact_lse_nonneg_printed_control : ~ (forall (I : finType) (x : I -> R) M, is_max M x -> 0 <= M -> 1 <= LSE x).
Proof.
move=> /(_ _ _ _ (zeros_max true) (Rle_refl 0)); apply: Rlt_not_le; rewrite LSE_zeros card_bool /=; bound.
Qed.

(** Twice log n above the mean. *)
Theorem fact_lse_nonneg_by_the_mean_control : ~ (forall (I : finType) (x : I -> R), (0 < #|I|)%N ->
  (∑ i, x i) / INR #|I| + 2 * ln (INR #|I|) <= LSE x).
Proof.
move=> /(_ _ (@zeros bool)); rewrite card_bool => /(_ isT); apply: Rlt_not_le.
rewrite LSE_zeros card_bool sum_bool /zeros /=; bound.
Qed.

(** Control b: the restriction loses ½ at least. *)
Theorem fact_lse_restrict_printed_control : ~ (forall (I : finType) (x : I -> R) (S : pred I),
  (exists i, S i) -> (exists i, ~~ S i) -> LSE_on x S + 1 / 2 <= LSE x).
Proof.
move=> /(_ _ (zero_and (-5)) id (ex_intro _ true isT) (ex_intro _ false isT)); apply: Rlt_not_le.
rewrite /LSE_on /LSE; expand; rewrite /zero_and; bound.
Qed.

(** The part and its complement exchanged inside ζ. *)
Theorem fact_lse_restrict_lost_control : ~ (forall (I : finType) (x : I -> R) (S : pred I),
  (exists i, S i) -> (exists i, ~~ S i) -> LSE x = LSE_on x S + ζ (LSE_on x S - LSE_on x (predC S))).
Proof.
move=> /(_ _ (zero_and 1) id (ex_intro _ true isT) (ex_intro _ false isT)); apply: Rgt_not_eq.
by rewrite /LSE_on /LSE /ζ; expand; rewrite /zero_and; apply: Rlt_gt; bound.
Qed.

(** Control a: log(n − 1) in place of log n. *)
Theorem fact_lse_pairing_printed_control : ~ (forall (I : finType) (x x' : I -> R) M, (2 <= #|I|)%N ->
  let pair i := ln (exp (x i) + exp (x' i)) in is_max M pair -> LSE pair <= M + ln (INR #|I| - 1)).
Proof.
move=> /(_ _ (@zeros bool) (@zeros bool) (ln 2)); rewrite card_bool => /(_ isT).
have e : ln (exp (zeros true) + exp (zeros true)) = ln 2 by rewrite /zeros exp_0.
have -> : INR 2 - 1 = 1 by rewrite /=; ring.
rewrite ln_1 /LSE => false.
suff /false : is_max (ln 2) (fun i => ln (exp (@zeros bool i) + exp (@zeros bool i))).
  by rewrite sum_bool e exp_ln; [apply: Rlt_not_le; bound | lra].
by split=> [b|]; [rewrite -e; apply: Rle_refl | exists true].
Qed.

(** Softplus has no log 2 to spare: max ζ(a_j) + log n − log 2 is too small. *)
Theorem fact_lse_pairing_without_zeros_control : ~ (forall (I : finType) (a : I -> R) M, is_max M a ->
  LSE a <= ζ M + ln (INR #|I|) - ln 2).
Proof.
move=> /(_ unit_finType (fun=> 1) 1) false; suff /false : is_max 1 (fun _ : unit => 1).
  rewrite card_unit /LSE sum_unit /ζ /= ln_1 ln_exp; apply: Rlt_not_le; bound.
by split=> [i|]; [apply: Rle_refl | exists tt].
Qed.

(** Control b: log(2 + Σ e^{a_i}). *)
Theorem fact_sum_log_printed_control : ~ (forall (I : finType) (a : I -> R), ln (2 + ∑ i, exp (a i)) <= ∑ i, ζ (a i)).
Proof. move=> /(_ _ (@zeros unit)); apply: Rlt_not_le; rewrite !sum_unit /zeros /ζ; bound. Qed.

(** Each pair counted twice. *)
Theorem fact_sum_log_second_order_control : ~ (forall (I : finType) (a : I -> R),
  ln (1 + (∑ i, ∑ (j | j != i), exp (a i + a j)) / (1 + ∑ i, exp (a i))) <= ∑ i, ζ (a i) - ln (1 + ∑ i, exp (a i))).
Proof.
move=> /(_ _ (@zeros bool)); apply: Rlt_not_le.
by expand; rewrite /zeros /ζ; bound.
Qed.

(** One entry: both sides are equal. *)
Theorem fact_sum_log_strict_control : ~ (forall (I : finType) (a : I -> R), (1 <= #|I|)%N ->
  ln (1 + ∑ i, exp (a i)) < ∑ i, ζ (a i)).
Proof. by move=> /(_ _ (@zeros unit)); rewrite card_unit !sum_unit => /(_ isT); apply: Rlt_irrefl. Qed.

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
