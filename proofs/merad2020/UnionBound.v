(** Merad et al., section 3.1: N draws show every class with the probability p_cc(N) >= 1 − Σ_c (1 − ρ(c))^N, and with what
    this gives near the uniform law.  T_cc > N where some class is missed; each class is missed by N draws with the
    probability (1 − ρ(c))^N. *)
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

(** p_cc(N) >= 1 − Σ_c (1 − ρ(c))^N.
    [claim] merad2020.cc-regime  [sense] bounds  [scope] any classes, any N; the lower of the two bounds *)
Theorem cc_regime_union n : 1 - (∑ c, (1 - ρ c) ^ n) <= p_cc ρ n.
Proof.
have := missing_le [set: C] n; rewrite -(survival_missing law) /survival.
by rewrite (sum_ext (G := fun c => (1 - ρ c) ^ n)) => [|c]; [lra | rewrite inE].
Qed.

(** Where every ρ(c) >= (1 − r)/N_C and N >= κ N_C log N_C, p_cc(N) >= 1 − N_C^{1−κ(1−r)}.
    [claim] merad2020.cc-regime  [sense] explicit  [scope] any classes, any κ and any r <= 1; the bound without its limit *)
Theorem cc_regime_explicit r κ n : r <= 1 -> (forall c, (1 - r) / INR #|C| <= ρ c) -> κ * INR #|C| * ln (INR #|C|) <= INR n ->
  1 - Rpower (INR #|C|) (1 - κ * (1 - r)) <= p_cc ρ n.
Proof.
move=> r1 near many; apply: (Rle_trans _ _ _ _ (cc_regime_union n)).
have C0 : 0 < INR #|C| by exact: law_inhabited law.
suff : (∑ c, (1 - ρ c) ^ n) <= Rpower (INR #|C|) (1 - κ * (1 - r)) by lra.
have -> : Rpower (INR #|C|) (1 - κ * (1 - r)) = ∑ c : C, exp (- (κ * (1 - r) * ln (INR #|C|))).
  rewrite sum_const /Rminus Rpower_plus Rpower_1 // /Rpower; congr (_ * exp _); ring.
apply: sum_le => c; apply: (Rle_trans _ (exp (- ρ c) ^ n)).
  by apply: pow_incr; have := exp_tangent 0 (- ρ c); rewrite exp_0; have := ρ_le1 c; lra.
have -> : exp (- ρ c) ^ n = exp (INR n * - ρ c).
  by elim: n {many} => [|m IH]; [rewrite Rmult_0_l exp_0 | rewrite -tech_pow_Rmult IH -exp_plus S_INR; congr exp; ring].
apply: exp_le.
have share : (1 - r) / INR #|C| * (κ * INR #|C| * ln (INR #|C|)) <= ρ c * INR n.
  apply: (Rle_trans _ ((1 - r) / INR #|C| * INR n)).
    by apply: Rmult_le_compat_l many; apply: Rmult_le_pos; [lra | apply: Rlt_le; exact: Rinv_0_lt_compat].
  by apply: Rmult_le_compat_r; [exact: pos_INR | exact: near].
have e : (1 - r) / INR #|C| * (κ * INR #|C| * ln (INR #|C|)) = κ * (1 - r) * ln (INR #|C|) by field; lra.
by lra.
Qed.
End UnionBound.

(** * Controls: one class *)
Lemma one_class : is_law (fun _ : unit => 1).
Proof. by split=> [_|]; [lra | rewrite sum_unit]. Qed.
Lemma p_cc_one : p_cc (fun _ : unit => 1) 1 <= 1.
Proof. by have := missing_ge0 one_class [set: unit] 1; rewrite -(survival_missing one_class) /survival; lra. Qed.
Lemma sum_one : ∑ c : unit, (1 - (fun _ : unit => 1) c) ^ 1 = 0.
Proof. by rewrite sum_unit; ring. Qed.

(** One per cent more. *)
Theorem cc_regime_union_control : ~ (forall (C : finType) (ρ : C -> R) n, is_law ρ -> 101 / 100 - (∑ c, (1 - ρ c) ^ n) <= p_cc ρ n).
Proof. by move=> /(_ _ _ 1%N one_class); rewrite sum_one; have := p_cc_one; lra. Qed.

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
