(** Merad et al., section 3.1 and 7: the smallest class probability, the probability that negatives share the anchor's
    class, and its growth with N. *)
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

(** x^{n+1} lies above its tangent at y, for x, y >= 0. *)
Lemma power_tangent x y n : 0 <= x -> 0 <= y -> y ^ n.+1 + INR n.+1 * y ^ n * (x - y) <= x ^ n.+1.
Proof.
move=> x0 y0; elim: n => [|n IH]; first by rewrite /=; lra.
have yn := pow_le y n y0; have n0 := pos_INR n.
apply: (Rle_trans _ (x * (y ^ n.+1 + INR n.+1 * y ^ n * (x - y)))); last first.
  by rewrite -[x ^ n.+2]/(x * x ^ n.+1); apply: Rmult_le_compat_l.
rewrite -!tech_pow_Rmult !S_INR in IH *.
suff: 0 <= (INR n + 1) * y ^ n * (x - y) ^ 2 by nra.
by apply: Rmult_le_pos (pow2_ge_0 _); apply: Rmult_le_pos => //; lra.
Qed.

Section Classes.
Variables (C : finType) (ρ : C -> R).
Hypothesis ρ_gt0 : forall c, 0 < ρ c.
Hypothesis ρ_sum : ∑ c, ρ c = 1.

Let law : is_law ρ.
Proof. by split=> // c; apply: Rlt_le. Qed.

Let n0 : 0 < INR #|C|.
Proof. exact: law_inhabited law. Qed.

(** p_min <= 1/N_C − (p_max − p_min)/N_C.
    [claim] merad2020.pmin  [sense] spread  [scope] any number of classes *)
Theorem pmin_spread p q : is_min p ρ -> is_max q ρ -> p <= 1 / INR #|C| - (q - p) / INR #|C|.
Proof.
move=> [p_le _] [_ [c qc]].
suff: INR #|C| * p + (q - p) <= 1.
  by move=> h; apply: (Rmult_le_reg_l (INR #|C|)) => //; field_simplify; lra.
rewrite -qc -ρ_sum -sum_const (sum_D1 (fun=> p) c) (sum_D1 ρ c).
have : ∑ (j | j != c), p <= ∑ (j | j != c), ρ j by apply: psum_le.
by lra.
Qed.

(** p_min <= 1/N_C.
    [claim] merad2020.pmin  [sense] printed  [scope] any number of classes *)
Theorem pmin_printed p : is_min p ρ -> p <= 1 / INR #|C|.
Proof.
move=> [p_le _]; apply: (Rmult_le_reg_l (INR #|C|)) => //.
have -> : INR #|C| * (1 / INR #|C|) = 1 by field; lra.
by rewrite -sum_const -ρ_sum; apply: sum_le.
Qed.

(** p_min < 1/N_C unless ρ is uniform.
    [claim] merad2020.pmin  [sense] uniform-only  [scope] any number of classes *)
Theorem pmin_uniform_only p : is_min p ρ -> (exists c, ρ c <> p) -> p < 1 / INR #|C|.
Proof.
move=> [p_le _] [c ne]; apply: (Rmult_lt_reg_l (INR #|C|)) => //.
have -> : INR #|C| * (1 / INR #|C|) = 1 by field; lra.
rewrite -sum_const -ρ_sum (sum_D1 (fun=> p) c) (sum_D1 ρ c).
have : ∑ (j | j != c), p <= ∑ (j | j != c), ρ j by apply: psum_le.
by have : p < ρ c by [have := p_le c; lra]; lra.
Qed.

(** P(c_i = c for all i <= N) = Σ ρ(c)^{N+1}.
    [claim] merad2020.fact-tau  [sense] printed  [scope] any number of classes and negatives *)
Theorem fact_tau_printed N : 𝔼 c ~ ρ, Pr (draws N ρ) (fun I => [forall i, I i == c]) = τ_N ρ N.
Proof.
rewrite /E /τ_N; apply: sum_ext => c; rewrite -[ρ c ^ N.+1]/(ρ c * ρ c ^ N); congr (_ * _).
rewrite /draws (@Pr_all _ _ (fun=> ρ) (fun=> pred1 c)) -(prod_const N (ρ c)).
by apply: eq_bigr => i _; rewrite /Pr big_pred1_eq.
Qed.

(** ... which is N_C^{−N} for uniform ρ.
    [claim] merad2020.fact-tau  [sense] uniform  [scope] any number of classes and negatives *)
Theorem fact_tau_uniform N : (forall c, ρ c = 1 / INR #|C|) -> τ_N ρ N = / INR #|C| ^ N.
Proof.
move=> u; have pn : INR #|C| ^ N <> 0 by apply: pow_nonzero; lra.
rewrite /τ_N (sum_ext (G := fun=> (/ INR #|C|) ^ N.+1)) => [|c]; last by rewrite u /Rdiv Rmult_1_l.
by rewrite sum_const -tech_pow_Rmult -Rinv_pow; [field; split; lra | lra].
Qed.

(** τ_N >= N_C^{−N}: uniform classes collide least.
    [claim] merad2020.fact-tau  [sense] least  [scope] any number of classes and negatives *)
Theorem fact_tau_least N : / INR #|C| ^ N <= τ_N ρ N.
Proof.
have n1 := n0; set n := INR #|C| in n1 *; have i0 : 0 <= / n by apply: Rlt_le; apply: Rinv_0_lt_compat.
apply: (Rle_trans _ (∑ c, ((/ n) ^ N.+1 + INR N.+1 * (/ n) ^ N * (ρ c - / n)))); last first.
  by apply: sum_le => c; apply: power_tangent => //; apply: Rlt_le.
rewrite sum_add sum_mull sum_sub !sum_const -/n ρ_sum -tech_pow_Rmult -Rinv_pow; last lra.
apply: Req_le; have -> : n * / n = 1 by field; lra.
by field; split; [apply: pow_nonzero; lra | lra].
Qed.

(** p_max^{N+1} <= τ_N <= p_max^N.
    [claim] merad2020.fact-tau  [sense] between  [scope] any number of classes and negatives *)
Theorem fact_tau_between N q : is_max q ρ -> q ^ N.+1 <= τ_N ρ N <= q ^ N.
Proof.
move=> [le [c qc]]; split.
  by rewrite -qc; apply: (sum_term_le (F := fun c => ρ c ^ N.+1)) => c'; apply: pow_le; apply: Rlt_le.
rewrite -[q ^ N]Rmult_1_l -ρ_sum -sum_mulr; apply: sum_le => c'; rewrite -tech_pow_Rmult.
apply: Rmult_le_compat_l; first exact: Rlt_le.
by apply: pow_incr; split; [apply: Rlt_le | apply: le].
Qed.

(** τ_{N+1} < τ_N for two classes and more.
    [claim] merad2020.fact-tau  [sense] decreasing  [scope] two or more classes, any number of negatives *)
Theorem fact_tau_decreasing N : (2 <= #|C|)%N -> τ_N ρ N.+1 < τ_N ρ N.
Proof.
move=> /card_gt1P [c [c' [_ _ cc']]].
have lt1 d : ρ d < 1.
  have [e de] : exists e, e != d by case: (altP (c =P d)) cc' => [<- | ne _]; [exists c'; rewrite eq_sym | exists c].
  rewrite -ρ_sum (sum_D1 _ d) (bigD1 e) //=; have := ρ_gt0 e.
  have : 0 <= ∑ (i | (i != d) && (i != e)), ρ i by apply: psum_ge0 => *; apply: Rlt_le.
  by lra.
suff: 0 < ∑ d, (ρ d ^ N.+1 - ρ d ^ N.+2) by rewrite sum_sub /τ_N; lra.
have pos d : 0 < ρ d ^ N.+1 - ρ d ^ N.+2.
  have := pow_lt _ N.+1 (ρ_gt0 d); rewrite -[ρ d ^ N.+2]/(ρ d * ρ d ^ N.+1); have := lt1 d; nra.
by apply: sum_lt0 => [d|]; [apply: Rlt_le | exists c].
Qed.
End Classes.

(** * Controls: ρ = (9, 1)/10 *)
Lemma nine_to_one_gt0 b : 0 < nine_to_one b. Proof. by case: b; rewrite /nine_to_one; lra. Qed.
Lemma nine_to_one_sum : ∑ b, nine_to_one b = 1. Proof. by rewrite sum_bool /nine_to_one; lra. Qed.
Lemma nine_to_one_min : is_min (1 / 10) nine_to_one.
Proof. by split=> [[]|]; [| | exists false]; rewrite /nine_to_one; lra. Qed.
Lemma nine_to_one_max : is_max (9 / 10) nine_to_one.
Proof. by split=> [[]|]; [| | exists true]; rewrite /nine_to_one; lra. Qed.

(** Control b: 1.1 in front of the spread. *)
Theorem pmin_spread_control : ~ (forall (C : finType) (ρ : C -> R) p q, (forall c, 0 < ρ c) -> ∑ c, ρ c = 1 ->
  is_min p ρ -> is_max q ρ -> p <= 1 / INR #|C| - 11 / 10 * ((q - p) / INR #|C|)).
Proof. by move=> /(_ _ _ _ _ nine_to_one_gt0 nine_to_one_sum nine_to_one_min nine_to_one_max); rewrite card_bool /=; lra. Qed.

(** Control a: 1/(N_C + 1), by one class. *)
Theorem pmin_printed_control : ~ (forall (C : finType) (ρ : C -> R) p, (forall c, 0 < ρ c) -> ∑ c, ρ c = 1 ->
  is_min p ρ -> p <= 1 / (INR #|C| + 1)).
Proof.
have min : is_min 1 sure by split=> [c|]; [apply: Rle_refl | exists tt].
by move=> /(_ _ _ _ (fun=> Rlt_0_1) (law_sum sure_law) min); rewrite card_unit /=; lra.
Qed.

(** The inequality is not strict for uniform ρ. *)
Theorem pmin_uniform_only_control : ~ (forall (C : finType) (ρ : C -> R) p, (forall c, 0 < ρ c) -> ∑ c, ρ c = 1 ->
  is_min p ρ -> p < 1 / INR #|C|).
Proof.
have min : is_min 1 sure by split=> [c|]; [apply: Rle_refl | exists tt].
by move=> /(_ _ _ _ (fun=> Rlt_0_1) (law_sum sure_law) min); rewrite card_unit /=; lra.
Qed.

(** Control b: the anchor is not counted. *)
Theorem fact_tau_printed_control : ~ (forall (C : finType) (ρ : C -> R) N, (forall c, 0 < ρ c) -> ∑ c, ρ c = 1 ->
  𝔼 c ~ ρ, Pr (draws N ρ) (fun I => [forall i, I i == c]) = ∑ c, ρ c ^ N).
Proof.
move=> /(_ _ _ 1%N nine_to_one_gt0 nine_to_one_sum); rewrite fact_tau_printed /τ_N; expand; rewrite /nine_to_one /=; lra.
Qed.

(** Control a: N_C^{−N} for every ρ. *)
Theorem fact_tau_uniform_control : ~ (forall (C : finType) (ρ : C -> R) N, (forall c, 0 < ρ c) -> ∑ c, ρ c = 1 ->
  τ_N ρ N = / INR #|C| ^ N).
Proof. by move=> /(_ _ _ 1%N nine_to_one_gt0 nine_to_one_sum); rewrite card_bool /τ_N sum_bool /nine_to_one /=; lra. Qed.

(** One power of N_C less. *)
Theorem fact_tau_least_control : ~ (forall (C : finType) (ρ : C -> R) N, (forall c, 0 < ρ c) -> ∑ c, ρ c = 1 ->
  INR #|C| * / INR #|C| ^ N <= τ_N ρ N).
Proof. by move=> /(_ _ _ 1%N nine_to_one_gt0 nine_to_one_sum); rewrite card_bool /τ_N sum_bool /nine_to_one /=; lra. Qed.

(** The upper bound with one power more. *)
Theorem fact_tau_between_control : ~ (forall (C : finType) (ρ : C -> R) N q, (forall c, 0 < ρ c) -> ∑ c, ρ c = 1 ->
  is_max q ρ -> τ_N ρ N <= q ^ N.+1).
Proof. by move=> /(_ _ _ 1%N _ nine_to_one_gt0 nine_to_one_sum nine_to_one_max); rewrite /τ_N sum_bool /nine_to_one /=; lra. Qed.

(** One class: no decrease. *)
Theorem fact_tau_decreasing_control : ~ (forall (C : finType) (ρ : C -> R) N, (forall c, 0 < ρ c) -> ∑ c, ρ c = 1 ->
  τ_N ρ N.+1 < τ_N ρ N).
Proof. by move=> /(_ _ _ 0%N (fun=> Rlt_0_1) (law_sum sure_law)); rewrite /τ_N !sum_unit /sure /=; lra. Qed.

(** * The factor k/(1 − τ_N) for uniform classes, τ_N = N_C^{−N} *)
Section Factor.
Variables (n N : nat) (k : R).
Hypothesis n2 : (2 <= n)%N.
Hypothesis N1 : (1 <= N)%N.
Hypothesis k0 : 0 < k.
Definition uniform_τ (n N : nat) : R := / INR n ^ N.

Let n2' : 2 <= INR n.
Proof. by apply: (le_INR 2); apply/leP. Qed.

Lemma uniform_τ_bounds m : (1 <= m)%N -> 0 < uniform_τ n m <= / INR n.
Proof.
case: m => // m _; have p : 0 < INR n ^ m by apply: pow_lt; lra.
split; first by apply: Rinv_0_lt_compat; apply: pow_lt; lra.
rewrite /uniform_τ -tech_pow_Rmult; apply: Rinv_le_contravar; first lra.
by have : 1 <= INR n ^ m by [apply: pow_R1_Rle; lra]; nra.
Qed.

Lemma half_bound : / INR n <= 1 / 2.
Proof. by have -> : 1 / 2 = / 2 by [field]; apply: Rinv_le_contravar; lra. Qed.

(** τ_N > τ_{N+1} and k/(1 − τ_N) > k/(1 − τ_{N+1}) > k; the sum Σ ρ(c)^{N+1} is τ_N by [fact_tau_uniform].
    [claim] merad2020.remark-N-factor  [sense] printed  [scope] two or more uniform classes, any number of negatives *)
Theorem remark_N_factor_printed : uniform_τ n N.+1 < uniform_τ n N /\
  k < k / (1 - uniform_τ n N.+1) < k / (1 - uniform_τ n N).
Proof.
have [t0 t1] := uniform_τ_bounds N1; have [u0 u1] := uniform_τ_bounds (m := N.+1) isT; have h := half_bound.
have dec : uniform_τ n N.+1 < uniform_τ n N.
  have -> : uniform_τ n N.+1 = / INR n * uniform_τ n N.
    by rewrite /uniform_τ -tech_pow_Rmult Rinv_mult_distr //; [lra | apply: pow_nonzero; lra].
  by nra.
split=> //; split.
  rewrite -{1}(Rmult_1_r k); apply: Rmult_lt_compat_l => //.
  by rewrite -Rinv_1; apply: Rinv_lt_contravar; lra.
by apply: Rmult_lt_compat_l => //; apply: Rinv_lt_contravar; [nra | lra].
Qed.

(** k N_C^{−N} <= k/(1 − τ_N) − k <= (N_C/(N_C − 1)) k N_C^{−N}.
    [claim] merad2020.remark-N-factor  [sense] rate  [scope] two or more uniform classes, any number of negatives *)
Theorem remark_N_factor_rate :
  k * uniform_τ n N <= k / (1 - uniform_τ n N) - k <= INR n / (INR n - 1) * (k * uniform_τ n N).
Proof.
have [t0 t1] := uniform_τ_bounds N1; have h := half_bound; set t := uniform_τ n N in t0 t1 *.
have -> : k / (1 - t) - k = k * t * / (1 - t) by field; lra.
have kt : 0 < k * t by apply: Rmult_lt_0_compat.
split.
  rewrite -{1}(Rmult_1_r (k * t)); apply: Rmult_le_compat_l; first lra.
  by rewrite -Rinv_1; apply: Rinv_le_contravar; lra.
rewrite (Rmult_comm (INR n / _)); apply: Rmult_le_compat_l; first lra.
have -> : INR n / (INR n - 1) = / (1 - / INR n) by field; lra.
by apply: Rinv_le_contravar; lra.
Qed.

(** k/(1 − τ_N) − k <= 2k N_C^{−N}, which tends to 0.
    [claim] merad2020.remark-N-factor  [sense] limit  [scope] two or more uniform classes, any number of negatives *)
Theorem remark_N_factor_limit : k / (1 - uniform_τ n N) - k <= 2 * k * uniform_τ n N.
Proof.
have [_ le] := remark_N_factor_rate; apply: (Rle_trans _ _ _ le).
have [t0 _] := uniform_τ_bounds N1; have kt : 0 < k * uniform_τ n N by apply: Rmult_lt_0_compat.
have : INR n / (INR n - 1) <= 2; last by nra.
by apply: (Rmult_le_reg_r (INR n - 1)); first lra; have -> : INR n / (INR n - 1) * (INR n - 1) = INR n by [field; lra]; lra.
Qed.
End Factor.

(** Control a: k/(1 − τ_N) <= k. *)
Theorem remark_N_factor_printed_control : ~ (forall n N k, (2 <= n)%N -> (1 <= N)%N -> 0 < k -> k / (1 - uniform_τ n N) <= k).
Proof. by move=> /(_ 2%N 1%N 1 isT isT Rlt_0_1); rewrite /uniform_τ /=; lra. Qed.

(** Control b: 0.99 in front of the upper bound. *)
Theorem remark_N_factor_rate_control : ~ (forall n N k, (2 <= n)%N -> (1 <= N)%N -> 0 < k ->
  k / (1 - uniform_τ n N) - k <= 99 / 100 * (INR n / (INR n - 1) * (k * uniform_τ n N))).
Proof. by move=> /(_ 2%N 1%N 1 isT isT Rlt_0_1); rewrite /uniform_τ /=; lra. Qed.

Theorem remark_N_factor_limit_control : ~ (forall n N k, (2 <= n)%N -> (1 <= N)%N -> 0 < k ->
  k / (1 - uniform_τ n N) - k <= 199 / 100 * k * uniform_τ n N).
Proof. by move=> /(_ 2%N 1%N 1 isT isT Rlt_0_1); rewrite /uniform_τ /=; lra. Qed.
