(** Merad et al., section 3.1: the probability p_cc(N) that N draws show every class,
      1 − Σ_c (1 − ρ(c))^N <= p_cc(N) <= Π_c (1 − (1 − ρ(c))^N),
    and what this gives near the uniform law.  Each class is missed by N draws with the probability (1 − ρ(c))^N.  Below
    this is the union bound; above, to know that c is never drawn makes all other classes more likely in each draw. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions Contrapositive.merad2020.Conditional
  Contrapositive.merad2020.CouponCollector.
Set Implicit Arguments. Unset Strict Implicit.

Section UnionBound.
Variables (C : finType) (ρ : C -> R).
Hypothesis law : is_law ρ.

Lemma ρ_le1 c : ρ c <= 1.
Proof. by rewrite -(law_sum law); apply: sum_term_le => d; exact: law_ge0 law d. Qed.

(** One draw misses c with the probability 1 − ρ(c). *)
Lemma others c : ∑ d, ρ d * (if c != d then 1 else 0) = 1 - ρ c.
Proof.
have -> : ρ c = ∑ d, if d == c then ρ d else 0 by rewrite -big_mkcond big_pred1_eq.
by rewrite -[X in _ = X - _](law_sum law) -sum_sub; apply: sum_ext => d; rewrite eq_sym; case: (d == c) => /=; ring.
Qed.

(** The union bound, for the classes of J. *)
Lemma missing_le (J : {set C}) n : missing ρ J n <= ∑ c, if c \in J then (1 - ρ c) ^ n else 0.
Proof.
have pos (K : {set C}) m : 0 <= ∑ c, if c \in K then (1 - ρ c) ^ m else 0.
  by apply: sum_ge0 => c; case: ifP => _; [apply: pow_le; have := ρ_le1 c; lra | lra].
elim: n J => [|n IH] J.
  case: (set_0Vmem J) => [-> | [c cJ]]; first by rewrite missing_none; exact: pos.
  rewrite (missing_0 law); last by apply/set0Pn; exists c.
  have := @sum_term_le _ (fun c => if c \in J then (1 - ρ c) ^ 0 else 0) c.
  by rewrite cJ /=; apply=> d; case: ifP => _; lra.
rewrite missing_step; apply: (Rle_trans _ (∑ d, ρ d * ∑ c, if c \in J :\ d then (1 - ρ c) ^ n else 0)).
  by apply: sum_le => d; apply: Rmult_le_compat_l; [exact: law_ge0 law d | exact: IH].
apply: Req_le; rewrite (sum_ext (G := fun d => ∑ c, ρ d * if c \in J :\ d then (1 - ρ c) ^ n else 0)) => [|d]; last by rewrite -sum_mull.
rewrite sum_exchange; apply: sum_ext => c; case: (boolP (c \in J)) => cJ; last first.
  by apply: big1 => d _; rewrite in_setD1 (negbTE cJ) andbF; ring.
rewrite -tech_pow_Rmult -others -sum_mulr; apply: sum_ext => d.
by rewrite in_setD1 cJ andbT; case: (c != d); ring.
Qed.

(** * The upper bound *)
Lemma missing_sub (J K : {set C}) n : J \subset K -> missing ρ J n <= missing ρ K n.
Proof.
move=> /subsetP JK; apply: (Pr_le (draws_law n law)) => I; apply: contra => /forallP all.
by apply/forallP => c; apply/implyP => /JK cK; exact: (implyP (all c)).
Qed.

(** P(all of J shown, c never) >= (1 − ρ(c))^n P(all of J shown). *)
Lemma barred c (J : {set C}) n : c \notin J -> (1 - ρ c) ^ n * (1 - missing ρ J n) <= missing ρ (c |: J) n - missing ρ J n.
Proof.
elim: n J => [|n IH] J cJ.
  by rewrite (missing_0 law (J := c |: J)) /=; [lra | apply/set0Pn; exists c; rewrite setU11].
have c0 : 0 <= ρ c by exact: law_ge0 law c.
have p0 : 0 <= (1 - ρ c) ^ n by apply: pow_le; have := ρ_le1 c; lra.
pose B := ∑ (d | d != c), ρ d * (1 - missing ρ (J :\ d) n).
have sJ : J :\ c = J by apply/setP => d; rewrite in_setD1; case: eqP => // ->; rewrite (negbTE cJ).
have shown : 1 - missing ρ J n.+1 = ρ c * (1 - missing ρ J n) + B.
  rewrite missing_step -[X in X - _](law_sum law) -sum_sub (sum_D1 _ c) sJ; congr (_ + _); first ring.
  by apply: eq_bigr => d _; ring.
have bar : (1 - ρ c) ^ n * B <= missing ρ (c |: J) n.+1 - missing ρ J n.+1.
  rewrite !missing_step -sum_sub (sum_D1 _ c) sJ (setU1K cJ) Rminus_eq_0 Rplus_0_l /B -psum_mull.
  apply: psum_le => d dc; have -> : (c |: J) :\ d = c |: (J :\ d).
    by apply/setP => e; rewrite !inE; case: (e =P d) => [-> | _]; rewrite ?(negbTE dc).
  have cJd : c \notin J :\ d by rewrite in_setD1 (negbTE cJ) andbF.
  by have := Rmult_le_compat_l _ _ _ (law_ge0 law d) (IH _ cJd); lra.
have most : (1 - ρ c) * (1 - missing ρ J n) <= B.
  have -> : 1 - ρ c = ∑ (d | d != c), ρ d by rewrite -(law_sum law) (sum_D1 _ c); ring.
  rewrite /B -psum_mulr; apply: psum_le => d _; apply: Rmult_le_compat_l; first exact: law_ge0 law d.
  by have := missing_sub n (subsetDl J [set d]); lra.
have step : (1 - ρ c) * (1 - missing ρ J n.+1) <= B by rewrite shown; have := Rmult_le_compat_l _ _ _ c0 most; lra.
by rewrite -tech_pow_Rmult; have := Rmult_le_compat_l _ _ _ p0 step; lra.
Qed.

(** The classes one by one. *)
Lemma shown_le (s : seq C) n : uniq s -> 1 - missing ρ [set c in s] n <= \big[Rmult/1]_(c <- s) (1 - (1 - ρ c) ^ n).
Proof.
elim: s => [_|c s IH] /=.
  by rewrite big_nil (_ : [set c in [::]] = set0) ?missing_none; [lra | apply/setP => c; rewrite !inE].
move=> /andP [cs /IH le]; rewrite big_cons set_cons.
have c1 : 0 <= 1 - (1 - ρ c) ^ n.
  suff : (1 - ρ c) ^ n <= 1 ^ n by rewrite pow1; lra.
  by apply: pow_incr; have := ρ_le1 c; have := law_ge0 law c; lra.
have cJ : c \notin [set d in s] by rewrite inE.
by have := barred n cJ; have := Rmult_le_compat_l _ _ _ c1 le; lra.
Qed.

(** 1 − Σ_c (1 − ρ(c))^N <= p_cc(N) <= Π_c (1 − (1 − ρ(c))^N).
    [claim] merad2020.cc-regime  [sense] bounds  [scope] any classes, any N *)
Theorem cc_regime_bounds n : 1 - (∑ c, (1 - ρ c) ^ n) <= p_cc ρ n <= ∏ c, (1 - (1 - ρ c) ^ n).
Proof.
have := survival_missing law n; rewrite /survival => e; split.
  have := missing_le [set: C] n; rewrite -e.
  by rewrite (sum_ext (G := fun c => (1 - ρ c) ^ n)) => [|c]; [lra | rewrite inE].
have := shown_le n (index_enum_uniq C).
have -> : [set c in index_enum C] = [set: C] by apply/setP => c; rewrite !inE mem_index_enum.
by rewrite -e; lra.
Qed.

(** (e^x)^n = e^{nx}. *)
Lemma exp_pow x n : exp x ^ n = exp (INR n * x).
Proof.
elim: n => [|n IH]; first by rewrite Rmult_0_l exp_0.
by rewrite -tech_pow_Rmult IH -exp_plus S_INR; congr exp; ring.
Qed.

(** Where every ρ(c) >= (1 − r)/N_C and N >= κ N_C log N_C, p_cc(N) >= 1 − N_C^{1−κ(1−r)}.
    [claim] merad2020.cc-regime  [sense] explicit  [scope] any classes, any κ and any r <= 1; the bound without its limit *)
Theorem cc_regime_explicit r κ n : r <= 1 -> (forall c, (1 - r) / INR #|C| <= ρ c) -> κ * INR #|C| * ln (INR #|C|) <= INR n ->
  1 - Rpower (INR #|C|) (1 - κ * (1 - r)) <= p_cc ρ n.
Proof.
move=> r1 near many; apply: (Rle_trans _ _ _ _ (proj1 (cc_regime_bounds n))).
have C0 : 0 < INR #|C| by exact: law_inhabited law.
suff : (∑ c, (1 - ρ c) ^ n) <= Rpower (INR #|C|) (1 - κ * (1 - r)) by lra.
have -> : Rpower (INR #|C|) (1 - κ * (1 - r)) = ∑ c : C, exp (- (κ * (1 - r) * ln (INR #|C|))).
  rewrite sum_const /Rminus Rpower_plus Rpower_1 // /Rpower; congr (_ * exp _); ring.
apply: sum_le => c; apply: (Rle_trans _ (exp (- ρ c) ^ n)).
  by apply: pow_incr; have := exp_tangent 0 (- ρ c); rewrite exp_0; have := ρ_le1 c; lra.
rewrite exp_pow; apply: exp_le.
have share : (1 - r) / INR #|C| * (κ * INR #|C| * ln (INR #|C|)) <= ρ c * INR n.
  apply: (Rle_trans _ ((1 - r) / INR #|C| * INR n)).
    by apply: Rmult_le_compat_l many; apply: Rmult_le_pos; [lra | apply: Rlt_le; exact: Rinv_0_lt_compat].
  by apply: Rmult_le_compat_r; [exact: pos_INR | exact: near].
have e : (1 - r) / INR #|C| * (κ * INR #|C| * ln (INR #|C|)) = κ * (1 - r) * ln (INR #|C|) by field; lra.
by lra.
Qed.
End UnionBound.

(** * Equally likely classes *)
Section Uniform.
Variable C : finType.
Hypothesis nonempty : (0 < #|C|)%N.
Let law : is_law (fun _ : C => / INR #|C|) := uniform_law nonempty.

(** p_cc(N) <= exp(−N_C (1 − 1/N_C)^N): every factor of the product is at most exp(−(1 − 1/N_C)^N).
    [claim] merad2020.cc-regime  [sense] vanishes  [scope] any number of equally likely classes, any N; the bound without its limit *)
Theorem cc_regime_vanishes n : p_cc (fun _ : C => / INR #|C|) n <= exp (- (INR #|C| * (1 - / INR #|C|) ^ n)).
Proof.
pose x := (1 - / INR #|C|) ^ n; rewrite -/x.
apply: (Rle_trans _ (\big[Rmult/1]_(c : C) (1 - x)) _ (proj2 (cc_regime_bounds law n))).
have power (P : pred C) k : \big[Rmult/1]_(c | P c) k = k ^ #|P| by rewrite big_const; elim: #|P| => //= m ->.
have -> : \big[Rmult/1]_(c : C) (1 - x) = (1 - x) ^ #|C| by exact: power.
have -> : exp (- (INR #|C| * x)) = exp (- x) ^ #|C| by rewrite exp_pow; congr exp; ring.
apply: pow_incr; split; last by have := exp_tangent 0 (- x); rewrite exp_0; lra.
have u : / INR #|C| <= 1 by exact: law_le1 law (enum_val (Ordinal nonempty)).
have u0 : 0 < / INR #|C| by apply: Rinv_0_lt_compat; apply: lt_0_INR; apply/ltP.
suff : x <= 1 ^ n by rewrite pow1; lra.
by apply: pow_incr; lra.
Qed.
End Uniform.

(** N = ⌈κ N_C log N_C⌉ is not enough for every κ > 0: 16 equally likely classes and κ = 1/log 16, where N = 16.
    [claim] merad2020.cc-regime  [sense] every-constant  [scope] refuted at N_C = N = 16 *)
Theorem cc_regime_every_constant_refuted : ~ (forall (C : finType) κ n, (1 < #|C|)%N -> 0 < κ ->
  κ * INR #|C| * ln (INR #|C|) <= INR n < κ * INR #|C| * ln (INR #|C|) + 1 -> 1 / 100 <= p_cc (fun _ : C => / INR #|C|) n).
Proof.
have e16 : INR #|[finType of 'I_16]| = 16 by rewrite card_ord /=; ring.
have l0 : 0 < ln 16 by rewrite -ln_1; apply: ln_increasing; lra.
have n16 : INR 16 = 16 by rewrite /=; ring.
have N16 : / ln 16 * 16 * ln 16 = 16 by field; lra.
move=> /(_ [finType of 'I_16] (/ ln 16) 16%N); rewrite !e16 card_ord n16 N16 => h.
have {h} := h isT (Rinv_0_lt_compat _ l0) ltac:(lra).
have := @cc_regime_vanishes [finType of 'I_16] ltac:(by rewrite card_ord) 16; rewrite !e16 => le.
have : exp (- (16 * (1 - / 16) ^ 16)) <= exp (- (1 / 8)) ^ 40.
  by rewrite exp_pow; apply: exp_le; rewrite /=; lra.
have : exp (- (1 / 8)) ^ 40 <= (8 / 9) ^ 40.
  apply: pow_incr; split; first exact: Rlt_le (exp_pos _).
  rewrite exp_Ropp; have -> : 8 / 9 = / (9 / 8) by field.
  by apply: Rinv_le_contravar; [lra | have := exp_tangent 0 (1 / 8); rewrite exp_0; lra].
have : (8 / 9) ^ 40 < 1 / 100 by rewrite /=; lra.
by lra.
Qed.

(** * Controls: one class *)
Lemma one_class : is_law (fun _ : unit => 1).
Proof. by split=> [_|]; [lra | rewrite sum_unit]. Qed.
Lemma p_cc_one : p_cc (fun _ : unit => 1) 1 <= 1.
Proof. by have := missing_ge0 one_class [set: unit] 1; rewrite -(survival_missing one_class) /survival; lra. Qed.
Lemma sum_one : ∑ c : unit, (1 - (fun _ : unit => 1) c) ^ 1 = 0.
Proof. by rewrite sum_unit; ring. Qed.

(** One per cent less than the product, and one per cent more than the difference. *)
Theorem cc_regime_bounds_control : ~ (forall (C : finType) (ρ : C -> R) n, is_law ρ -> p_cc ρ n <= 99 / 100 * ∏ c, (1 - (1 - ρ c) ^ n)) /\
  ~ (forall (C : finType) (ρ : C -> R) n, is_law ρ -> 101 / 100 - (∑ c, (1 - ρ c) ^ n) <= p_cc ρ n).
Proof.
split=> /(_ _ _ 1%N one_class); last by rewrite sum_one; have := p_cc_one; lra.
have [+ _] := cc_regime_bounds one_class 1; rewrite sum_one (big_pred1 tt) => [|[] //]; rewrite /=; lra.
Qed.

(** Control e: twice the exponent, at two classes and three draws. *)
Theorem cc_regime_vanishes_control : ~ (forall (C : finType) n, (0 < #|C|)%N ->
  p_cc (fun _ : C => / INR #|C|) n <= exp (- (2 * (INR #|C| * (1 - / INR #|C|) ^ n)))).
Proof.
have nonempty : (0 < #|{: bool}|)%N by rewrite card_bool.
move=> /(_ bool_finType 3%N nonempty); have [+ _] := cc_regime_bounds (uniform_law nonempty) 3; rewrite sum_bool card_bool.
have -> : 2 * (INR 2 * (1 - / INR 2) ^ 3) = 1 / 2 by rewrite /=; field.
have : exp (- (1 / 2)) <= / (3 / 2).
  by rewrite exp_Ropp; apply: Rinv_le_contravar; [lra | have := exp_tangent 0 (1 / 2); rewrite exp_0; lra].
by rewrite /=; lra.
Qed.

(** Half of N_C^{1−κ(1−r)}: one class and no draw. *)
Theorem cc_regime_explicit_control : ~ (forall (C : finType) (ρ : C -> R) r κ n, is_law ρ -> r <= 1 -> (forall c, (1 - r) / INR #|C| <= ρ c) ->
  κ * INR #|C| * ln (INR #|C|) <= INR n -> 1 - Rpower (INR #|C|) (1 - κ * (1 - r)) / 2 <= p_cc ρ n).
Proof.
move=> /(_ _ _ 0 0 0%N one_class Rle_0_1); rewrite card_unit /= => h.
have {h} := h (fun _ => ltac:(lra)) ltac:(lra).
have -> : Rpower 1 (1 - 0 * (1 - 0)) = 1 by rewrite /Rpower ln_1 Rmult_0_r exp_0.
have e := missing_0 one_class (J := [set: unit]) ltac:(by apply/set0Pn; exists tt; rewrite inE).
by have := survival_missing one_class 0; rewrite e /survival; lra.
Qed.
