(** Merad et al., section 3.1, before Lemma 2: the proof of Lemma 1 for N negatives.  With the least probability of a tuple of
    classes in place of p_min it gives the factor p_min^N; but it is enough that one class is drawn, which has the probability
    1 − (1 − p_min)^N at least, and this grows with N. *)
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions Contrapositive.merad2020.PointMasses
  Contrapositive.merad2020.Lemma1 Contrapositive.merad2020.Lemma2 Contrapositive.merad2020.BestConstant.
Set Implicit Arguments. Unset Strict Implicit.

Section TupleDraws.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R).
Hypothesis M : model ρ law.
Variables (N : nat) (p : R).
Hypothesis p_min : is_min p ρ.
Hypothesis N_gt0 : (0 < N)%N.
Let ρ_law := ρ_law M.
Let logit := logit law f.

(** The loss of an anchor against negatives of the classes I, after Jensen's inequality: LSE(0, a_I). *)
Let loss c x (I : {ffun 'I_N -> C}) : R := logistic (fun i => logit c x (I i)).

(** E LSE(0, a_I), which is at most L_un^N. *)
Definition after_jensen : R := 𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 I ~ draws N ρ, loss c x I.

Let p01 : 0 < p <= 1.
Proof. exact: (p_bounds M p_min). Qed.

(** min_T P(I = T) = p_min^N.
    [claim] merad2020.tuple-draws  [sense] minimum  [scope] any number of classes and negatives *)
Theorem tuple_draws_minimum : is_min (p ^ N) (draws N ρ).
Proof.
have [p_le [k pk]] := p_min; have [p0 _] := p01; split=> [I|].
  rewrite -(prod_const N p) /draws /independent.
  apply: (proj2 (big_ind2 (fun a b => 0 <= a /\ a <= b) _ _ _)) => [|a b a' b' [a0 ab] [a0' ab']|i _]; first by lra.
    by split; [apply: Rmult_le_pos | apply: Rmult_le_compat].
  by split; [lra | apply: p_le].
exists [ffun=> k]; rewrite /draws /independent -pk -(prod_const N); apply: eq_bigr => i _; by rewrite ffunE.
Qed.

(** p_min^N <= p_min/2^{N−1} for two classes or more.
    [claim] merad2020.tuple-draws  [sense] smaller  [scope] two or more classes, any number of negatives *)
Theorem tuple_draws_smaller : (2 <= #|C|)%N -> is_min (p ^ N) (draws N ρ) /\ p ^ N <= p / 2 ^ N.-1.
Proof.
move=> n2; split; first exact: tuple_draws_minimum.
have [p0 p1] := p01; have half : p <= 1 / 2.
  have n2' : 2 <= INR #|C| by apply: (le_INR 2); apply/leP.
  have [p_le _] := p_min; have s1 := ρ_sum M.
  have : INR #|C| * p <= 1 by rewrite -sum_const -s1; apply: sum_le.
  by nra.
case: N N_gt0 => // n _; rewrite -tech_pow_Rmult [n.+1.-1]/=; apply: Rmult_le_compat_l; first lra.
rewrite Rinv_pow; last lra.
by apply: pow_incr; lra.
Qed.

(** E LSE(0, a_I) >= min_T P(I = T) · E max_T LSE(0, a_T), [top c x] being the largest loss over all tuples.
    [claim] merad2020.tuple-draws  [sense] tuple  [scope] finite laws, real entries, any number of negatives *)
Theorem tuple_draws_tuple (top : C -> X -> R) : (forall c x, is_max (top c x) (loss c x)) ->
  p ^ N * (𝔼 c ~ ρ, 𝔼 x ~ law c, top c x) <= after_jensen.
Proof.
move=> max; rewrite -E_mull; apply: (E_le ρ_law) => c; rewrite -E_mull; apply: (E_le (class_law M c)) => x.
have [_ [T e]] := max c x; have [low _] := tuple_draws_minimum.
have t0 : 0 <= top c x by rewrite -e; apply: logistic_ge0.
apply: (Rle_trans _ (draws N ρ T * loss c x T)); first by rewrite e; apply: Rmult_le_compat_r.
apply: (sum_term_le (F := fun I => draws N ρ I * loss c x I)) => I.
by apply: Rmult_le_pos; [exact: (law_ge0 (draws_law N ρ_law)) | apply: logistic_ge0].
Qed.

Let L_ge0 : 0 <= L_sup_μ ρ law f.
Proof.
apply: (E_ge0 ρ_law) => c; apply: (E_ge0 (class_law M c)) => x.
by have := LSE_ge (fun c' => dot (f x) (sub (μ law f c') (μ law f c))) c; rewrite dotBr; lra.
Qed.
Let log_ge0 : 0 <= ln (INR #|C|).
Proof. by have [_ [c _]] := p_min; apply: ln_ge0; apply: (le_INR 1); apply/leP/card_gt0P; exists c. Qed.
Let rarest : (1 - (1 - p) ^ N) * L_sup_μ ρ law f <= L_un_N ρ law f N.
Proof.
have := rarest_drawn f M N p_min; have t0 : 0 <= τ_N ρ N by apply: sum_ge0 => j; apply: pow_le; apply: Rlt_le; exact: (ρ_gt0 M j).
have l0 : 0 <= ln (INR N.+1) by apply: ln_ge0; apply: (le_INR 1); apply/leP.
by have := Rmult_le_pos _ _ t0 l0; lra.
Qed.

(** p_min^N (L_sup^μ − log N_C) <= L_un^N.
    [claim] merad2020.tuple-draws  [sense] bound  [scope] finite laws, real entries, any number of negatives *)
Theorem tuple_draws_bound : p ^ N * (L_sup_μ ρ law f - ln (INR #|C|)) <= L_un_N ρ law f N.
Proof.
have [s0 s1] := shown_bounds p01 N_gt0; have [p0 p1] := p01.
have pN : 0 <= p ^ N <= p.
  case: N N_gt0 => // n _; rewrite -tech_pow_Rmult; have := pow_le p n (Rlt_le _ _ p0); have : p ^ n <= 1 ^ n by apply: pow_incr; lra.
  by rewrite pow1; nra.
have l0 := log_ge0; have L0 := L_ge0; have r := rarest; have h := Rmult_le_pos _ _ (proj1 pN) l0.
have : p ^ N * L_sup_μ ρ law f <= (1 - (1 - p) ^ N) * L_sup_μ ρ law f by apply: Rmult_le_compat_r => //; lra.
by lra.
Qed.

(** E LSE(0, a_I) >= (1 − (1 − p_min)^N) E max_c ζ(a_c(x)), and (1 − (1 − p_min)^N)(L_sup^μ − log N_C) <= L_un^N; [hardest c x]
    is the largest softplus.
    [claim] merad2020.tuple-draws  [sense] improves  [scope] finite laws, real entries, any number of negatives *)
Theorem tuple_draws_improves (hardest : C -> X -> R) : (forall c x, is_max (hardest c x) (fun c' => ζ (logit c x c'))) ->
  (1 - (1 - p) ^ N) * (𝔼 c ~ ρ, 𝔼 x ~ law c, hardest c x) <= after_jensen /\
  (1 - (1 - p) ^ N) * (L_sup_μ ρ law f - ln (INR #|C|)) <= L_un_N ρ law f N.
Proof.
move=> max; have [s0 s1] := shown_bounds p01 N_gt0; have [p0 p1] := p01; split; last first.
  have l0 := log_ge0; have r := rarest.
  by have : 0 <= (1 - (1 - p) ^ N) * ln (INR #|C|) by [apply: Rmult_le_pos => //; lra]; lra.
rewrite -E_mull; apply: (E_le ρ_law) => c; rewrite -E_mull; apply: (E_le (class_law M c)) => x.
have [_ [k <-]] := max c x; have z0 := ζ_gt0 (logit c x k).
apply: (Rle_trans _ (Pr (draws N ρ) (fun I => k \in codom I) * ζ (logit c x k))).
  rewrite (Pr_shown M); apply: Rmult_le_compat_r; first lra.
  have [p_le _] := p_min; have : (1 - ρ k) ^ N <= (1 - p) ^ N by apply: pow_incr; have := p_le k; have := law_le1 ρ_law k; lra.
  by lra.
rewrite -E_indicator; apply: (E_le (draws_law N ρ_law)) => I; case: ifP => [/codomP [i ->] | _]; last exact: logistic_ge0.
apply: ln_le; first by have := exp_pos (logit c x (I i)); lra.
by apply: Rplus_le_compat_l; apply: (exp_term_le (fun i => logit c x (I i))).
Qed.
End TupleDraws.

(** The approach does not degrade: 1 − (1 − p_min)^N is not at most p_min.
    [claim] merad2020.tuple-draws  [sense] degrades  [scope] refuted for two equally likely classes, two negatives *)
Theorem tuple_draws_degrades_refuted : ~ (forall (C X : finType) (ρ : C -> R) (law : C -> X -> R) N p, model ρ law -> is_min p ρ -> (2 <= N)%N ->
  1 - (1 - p) ^ N <= p).
Proof.
have min : is_min (1 / 2) coin by split=> [c|]; [apply: Rle_refl | exists true].
by move=> /(_ _ _ _ _ 2%N _ coin_model min isT); rewrite /=; lra.
Qed.

(** * Controls *)
Lemma coin_min : is_min (1 / 2) coin.
Proof. by split=> [c|]; [apply: Rle_refl | exists true]. Qed.

(** Control a: p_min/N. *)
Theorem tuple_draws_minimum_control : ~ (forall (C X : finType) (ρ : C -> R) (law : C -> X -> R) N p, model ρ law -> is_min p ρ -> (0 < N)%N ->
  is_min (p / INR N) (draws N ρ)).
Proof.
move=> /(_ _ _ _ _ 3%N _ coin_model coin_min isT) [_ [T]]; rewrite /draws /independent (eq_bigr (fun=> 1 / 2)) // prod_const /=; lra.
Qed.

(** One class: no factor ½. *)
Theorem tuple_draws_smaller_control : ~ (forall (C X : finType) (ρ : C -> R) (law : C -> X -> R) N p, model ρ law -> is_min p ρ -> (0 < N)%N ->
  p ^ N <= p / 2 ^ N.-1).
Proof.
have min : is_min 1 sure by split=> [c|]; [apply: Rle_refl | exists tt].
by move=> /(_ _ _ _ _ 2%N _ sure_model min isT); rewrite /=; lra.
Qed.

(** One class of one point, where every loss is log(N + 1) = log 2, and every softplus log 2; twice is too much. *)
Lemma after_jensen_sure : after_jensen sure (@point unit_finType) (fun _ (_ : unit) => 0) 1 = ln 2.
Proof.
rewrite /after_jensen E_sure E_point (E_draws_unit _ (fun=> sure_law)) /logistic big_ord_recl big_ord0 /Definitions.logit dotBr Rminus_diag_eq //.
by rewrite exp_0; congr ln; ring.
Qed.

Theorem tuple_draws_tuple_control : ~ (forall (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R) N p (top : C -> X -> R),
  model ρ law -> is_min p ρ -> (0 < N)%N -> (forall c x, is_max (top c x) (fun I : {ffun 'I_N -> C} => logistic (fun i => logit law f c x (I i)))) ->
  2 * p ^ N * (𝔼 c ~ ρ, 𝔼 x ~ law c, top c x) <= after_jensen ρ law f N).
Proof.
have min : is_min 1 sure by split=> [c|]; [apply: Rle_refl | exists tt].
move=> /(_ _ _ unit_finType _ _ (fun _ _ => 0) 1%N 1 (fun _ _ => ln 2) sure_model min isT) false.
have e c x (I : {ffun 'I_1 -> unit}) : logistic (fun i => logit (@point unit_finType) (fun _ (_ : unit) => 0) c x (I i)) = ln 2.
  by rewrite /logistic big_ord_recl big_ord0 /Definitions.logit dotBr; case: (I ord0); case: c; rewrite Rminus_diag_eq // exp_0; congr ln; ring.
have /false : forall c x, is_max (ln 2) (fun I : {ffun 'I_1 -> unit} => logistic (fun i => logit (@point unit_finType) (fun _ (_ : unit) => 0) c x (I i))).
  by move=> c x; split=> [I|]; [rewrite e; apply: Rle_refl | exists [ffun=> tt]].
by rewrite after_jensen_sure E_sure E_point /=; have : 0 < ln 2 by [apply: ln_gt0; lra]; lra.
Qed.

(** N losses in place of one. *)
Theorem tuple_draws_bound_control : ~ (forall (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R) N p, model ρ law -> is_min p ρ ->
  (0 < N)%N -> L_un_N ρ law f N <= p ^ N * (L_sup_μ ρ law f - ln (INR #|C|))).
Proof.
have min : is_min 1 sure by split=> [c|]; [apply: Rle_refl | exists tt].
move=> /(_ _ _ unit_finType _ _ (fun _ _ => 0) 1%N 1 sure_model min isT); rewrite L_un_N_sure L_sup_μ_sure card_unit /= ln_1.
by have : 0 < ln (1 + 1) by [apply: ln_gt0; lra]; lra.
Qed.

(** Control b: p_max in place of p_min. *)
Theorem tuple_draws_improves_control : ~ (forall (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R) N p, model ρ law -> is_max p ρ ->
  (0 < N)%N -> (1 - (1 - p) ^ N) * (L_sup_μ ρ law f - ln (INR #|C|)) <= L_un_N ρ law f N).
Proof.
move=> /(_ _ _ _ _ _ (on_line one_five) 1%N (9 / 10) nine_to_one_model) false.
have /false /(_ isT) : is_max (9 / 10) nine_to_one by split=> [[]|]; [| | exists true]; rewrite /nine_to_one; lra.
rewrite (eq_6_one _ nine_to_one_model) card_bool; have := L_un_nine_to_one; have := L_sup_μ_nine_to_one.
by have : ln (INR 2) <= 7 / 10 by [rewrite /=; bound]; rewrite /=; lra.
Qed.
