(** Merad et al., section 7, proof of Proposition 1, part (2): given that some negative is of a foreign class, N negatives are at
    least as hard as one,
      E[log(1 + Σ_{i<=N} e^{a_{c_i}}) | some c_i ≠ c] >= E[log(1 + e^{a_{c⁻}}) | c⁻ ≠ c],
    for every ρ: uniformity is not used.  Both sides are multiplied by the probabilities of what is given. *)
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

Lemma E_D1 (X : finType) (p g : X -> R) x : E p g = p x * g x + ∑ (y | y != x), p y * g y.
Proof. by rewrite /E (sum_D1 _ x). Qed.

(** The first of N + 1 draws, and the others. *)
Section FirstDraw.
Variables (C : finType) (N : nat).
Definition cons_draw (p : C * {ffun 'I_N -> C}) : {ffun 'I_N.+1 -> C} :=
  [ffun i => if unlift ord0 i is Some j then p.2 j else p.1].
Definition uncons_draw (I : {ffun 'I_N.+1 -> C}) : C * {ffun 'I_N -> C} := (I ord0, [ffun j => I (lift ord0 j)]).

Lemma cons_draw0 p : cons_draw p ord0 = p.1.
Proof. by rewrite ffunE unlift_none. Qed.
Lemma cons_drawS p j : cons_draw p (lift ord0 j) = p.2 j.
Proof. by rewrite ffunE liftK. Qed.

Lemma cons_draw_bij : bijective cons_draw.
Proof.
exists uncons_draw => [[c I]|I].
  by rewrite /uncons_draw cons_draw0; congr (_, _); apply/ffunP => j; rewrite ffunE cons_drawS.
by apply/ffunP => i; case: (unliftP ord0 i) => [j ->|->]; rewrite ?cons_drawS ?cons_draw0 ?ffunE.
Qed.

Lemma E_first_draw (ρ : C -> R) (h : {ffun 'I_N.+1 -> C} -> R) :
  E (draws N.+1 ρ) h = 𝔼 c ~ ρ, 𝔼 I ~ draws N ρ, h (cons_draw (c, I)).
Proof.
rewrite /E (reindex _ (onW_bij _ cons_draw_bij)) /=.
transitivity (∑ c, ∑ I, draws N.+1 ρ (cons_draw (c, I)) * h (cons_draw (c, I))).
  by rewrite pair_bigA; apply: sum_ext => -[c I].
apply: sum_ext => c; rewrite -sum_mull; apply: sum_ext => I.
rewrite /draws /independent big_ord_recl cons_draw0 (eq_bigr (fun j => ρ (I j))) => [|j _]; last by rewrite cons_drawS.
by rewrite /=; ring.
Qed.
End FirstDraw.

Section Conditional.
Variables (C : finType) (ρ : C -> R) (c : C) (w : C -> R).
Hypothesis ρ_law : is_law ρ.
Hypothesis w0 : forall j, 0 < w j.

(** 1 where some draw is foreign. *)
Definition foreign N (I : {ffun 'I_N -> C}) : bool := [exists i, I i != c].
Definition logs N (B : R) (I : {ffun 'I_N -> C}) : R := if foreign I then ln (B + ∑ i, w (I i)) else 0.
Definition one_log (B : R) : R := ∑ (j | j != c), ρ j * ln (B + w j).

Lemma foreign_cons N d (I : {ffun 'I_N -> C}) : foreign (cons_draw (d, I)) = (d != c) || foreign I.
Proof.
apply/existsP/orP => [[i]|[dc | /existsP [j jc]]].
- by case: (unliftP ord0 i) => [j ->|->]; rewrite ?cons_drawS ?cons_draw0 /= => ne; [right; apply/existsP; exists j | left].
- by exists ord0; rewrite cons_draw0.
- by exists (lift ord0 j); rewrite cons_drawS.
Qed.

Lemma sum_cons N d (I : {ffun 'I_N -> C}) : ∑ i, w (cons_draw (d, I) i) = w d + ∑ i, w (I i).
Proof. by rewrite big_ord_recl cons_draw0; congr (_ + _); apply: eq_bigr => j _; rewrite cons_drawS. Qed.

Lemma one_log_le B B' : 0 < B -> B <= B' -> one_log B <= one_log B'.
Proof.
move=> B0 le; apply: psum_le => j _; apply: Rmult_le_compat_l; first exact: law_ge0 ρ_law j.
by have := w0 j => wj; apply: ln_le; lra.
Qed.

(** The conditional inequality times (1 − ρ(c)): by the first draw. *)
Lemma conditional N B : 0 < B -> (1 - ρ c ^ N) * one_log B <= (1 - ρ c) * E (draws N ρ) (logs B).
Proof.
elim: N B => [|N IH] B B0.
  rewrite /= Rminus_diag_eq // Rmult_0_l; apply: Rmult_le_pos; first by have := law_le1 ρ_law c; lra.
  by rewrite /E; apply: Req_le; symmetry; apply: big1 => I _; rewrite /logs /foreign; case: existsP => [[[]] //|_]; ring.
have r0 := law_ge0 ρ_law c; have r1 := law_le1 ρ_law c.
have step : ρ c * E (draws N ρ) (logs (B + w c)) + one_log B <= E (draws N.+1 ρ) (logs B).
  rewrite E_first_draw (E_D1 ρ _ c); apply: Rplus_le_compat.
    apply: Rmult_le_compat_l => //; apply: Req_le; apply: E_ext => I.
    by rewrite /logs foreign_cons eqxx sum_cons /= Rplus_assoc.
  apply: psum_le => j jc; apply: Rmult_le_compat_l; first exact: law_ge0 ρ_law j.
  rewrite -[X in X <= _](E_const (draws_law N ρ_law)); apply: (E_le (draws_law N ρ_law)) => I.
  rewrite /logs foreign_cons jc sum_cons /=; have := w0 j => wj.
  have S0 : 0 <= ∑ i, w (I i) by apply: sum_ge0 => i; apply: Rlt_le.
  apply: ln_le; first by lra.
  by rewrite -Rplus_assoc -[X in X <= _]Rplus_0_r; exact: Rplus_le_compat_l S0.
have wc := w0 c; have mono := @one_log_le B (B + w c) B0 ltac:(lra).
have ih := IH (B + w c) ltac:(lra).
have q0 : 0 <= 1 - ρ c ^ N by have := pow_incr (ρ c) 1 N (conj r0 r1); rewrite pow1; lra.
rewrite -tech_pow_Rmult; have := Rmult_le_compat_l _ _ _ q0 mono => h1.
have h2 := Rmult_le_compat_l _ _ _ r0 (Rle_trans _ _ _ h1 ih).
have := Rmult_le_compat_l (1 - ρ c) _ _ ltac:(lra) step; nra.
Qed.
End Conditional.

(** E[log(1+Σ e^{a_{c_i}}); some c_i ≠ c]/(1 − ρ(c)^N) >= E[log(1+e^{a_{c⁻}}); c⁻ ≠ c]/(1 − ρ(c)).
    [claim] merad2020.fact-conditional  [sense] every-rho  [scope] any number of classes and negatives, every ρ *)
Theorem fact_conditional_every_rho (C : finType) (ρ : C -> R) (c : C) (a : C -> R) N : is_law ρ -> ρ c < 1 -> (0 < N)%N ->
  (𝔼 d ~ ρ, (if d != c then ζ (a d) else 0)) / (1 - ρ c) <=
  (𝔼 I ~ draws N ρ, (if [exists i, I i != c] then ln (1 + ∑ i, exp (a (I i))) else 0)) / (1 - ρ c ^ N).
Proof.
move=> law r1 N0; have r0 := law_ge0 law c.
have q0 : 0 < 1 - ρ c ^ N.
  case: N N0 => // N _; rewrite -tech_pow_Rmult; have := pow_incr (ρ c) 1 N (conj r0 (Rlt_le _ _ r1)); rewrite pow1.
  by have := pow_le (ρ c) N r0; nra.
have := @conditional C ρ c (fun d => exp (a d)) law (fun d => exp_pos (a d)) N 1 Rlt_0_1.
have -> : one_log ρ c (fun d => exp (a d)) 1 = 𝔼 d ~ ρ, (if d != c then ζ (a d) else 0).
  by rewrite /one_log /E -sum_if; apply: sum_ext => d; case: (d != c); rewrite /ζ; ring.
rewrite -/(logs _ _ _); set L := 𝔼 d ~ ρ, _; set Q := E (draws N ρ) _ => h.
apply: (Rmult_le_reg_r ((1 - ρ c) * (1 - ρ c ^ N))); first by apply: Rmult_lt_0_compat; lra.
have -> : L / (1 - ρ c) * ((1 - ρ c) * (1 - ρ c ^ N)) = (1 - ρ c ^ N) * L by field; lra.
by have -> : Q / (1 - ρ c ^ N) * ((1 - ρ c) * (1 - ρ c ^ N)) = (1 - ρ c) * Q by field; lra.
Qed.

(** The uniform case, as the paper has it.
    [claim] merad2020.fact-conditional  [sense] printed  [scope] any number of classes and negatives, uniform ρ *)
Theorem fact_conditional_printed (C : finType) (c : C) (a : C -> R) N : (2 <= #|C|)%N -> (0 < N)%N ->
  let ρ := fun=> / INR #|C| in
  (𝔼 d ~ ρ, (if d != c then ζ (a d) else 0)) / (1 - ρ c) <=
  (𝔼 I ~ draws N ρ, (if [exists i, I i != c] then ln (1 + ∑ i, exp (a (I i))) else 0)) / (1 - ρ c ^ N).
Proof.
move=> n2 N0 ρ; have n2' : 2 <= INR #|C| by apply: (le_INR 2); apply/leP.
apply: fact_conditional_every_rho => //; last by rewrite /ρ -Rinv_1; apply: Rinv_lt_contravar; lra.
split=> [d|]; first by apply: Rlt_le; apply: Rinv_0_lt_compat; lra.
by rewrite sum_const; field; lra.
Qed.

(** * Control *)
(** Control b: without the condition on the left.  Two classes, one negative, a = (0, 5) and c the first: the left side is
    ½ log 2 + ½ log(1 + e⁵), the right side log(1 + e⁵). *)
Definition zero_five (b : bool) : R := if b then 0 else 5.

Lemma one_draw (p : bool -> R) : is_law p ->
  𝔼 I ~ draws 1 p, logistic (fun i => zero_five (I i)) = 𝔼 b ~ p, ζ (zero_five b).
Proof.
move=> law; rewrite E_first_draw; apply: E_ext => b.
rewrite (E_ext (h := fun=> ζ (zero_five b))) => [|I]; first by rewrite E_const //; apply: draws_law.
by rewrite /logistic /ζ big_ord_recl big_ord0 cons_draw0 Rplus_0_r.
Qed.

Theorem fact_conditional_every_rho_control : ~ (forall (C : finType) (ρ : C -> R) (c : C) (a : C -> R) N, is_law ρ -> ρ c < 1 -> (0 < N)%N ->
  a c = 0 -> (𝔼 d ~ ρ, (if d != c then ζ (a d) else 0)) / (1 - ρ c) <= 𝔼 I ~ draws N ρ, logistic (fun i => a (I i))).
Proof.
move=> /(_ _ _ true zero_five 1%N coin_law ltac:(rewrite /coin; lra) isT erefl); apply: Rlt_not_le.
rewrite (one_draw coin_law) !E_coin /zero_five /coin /= /ζ; bound.
Qed.

Theorem fact_conditional_printed_control : ~ (forall (C : finType) (c : C) (a : C -> R) N, (2 <= #|C|)%N -> (0 < N)%N ->
  a c = 0 -> let ρ := fun=> / INR #|C| in
  (𝔼 d ~ ρ, (if d != c then ζ (a d) else 0)) / (1 - ρ c) <= 𝔼 I ~ draws N ρ, logistic (fun i => a (I i))).
Proof.
move=> /(_ _ true zero_five 1%N); rewrite card_bool => /(_ isT isT erefl); cbv zeta; apply: Rlt_not_le.
have law : is_law (fun _ : bool => / INR 2) by split=> [b|]; rewrite ?sum_bool /=; lra.
rewrite (one_draw law) /E !sum_bool /zero_five /= /ζ; bound.
Qed.
