(** Merad et al., equation (6) and Lemma 2: many negatives,
      L_sup^μ(f) <= L_un^N(f)/p_cc(N),
    p_cc(N) the probability that N draws show every class.  One class fewer has to be collected (own-class-free), and in
    fact it is enough that the rarest one is drawn:
      (1 − (1 − p_min)^N) L_sup^μ <= L_un^N − τ_N log(N + 1)   for every N. *)
Require Import Contrapositive.Tactics Contrapositive.Entries Contrapositive.merad2020.Definitions Contrapositive.merad2020.PointMasses
  Contrapositive.merad2020.Lemma1.
Set Implicit Arguments. Unset Strict Implicit.

(** The probability that one of N draws shows a class of probability p. *)
Lemma shown_bounds p N : 0 < p <= 1 -> (0 < N)%N -> p <= 1 - (1 - p) ^ N <= 1.
Proof.
case: N => // N [p0 p1] _; have q0 : 0 <= 1 - p by lra.
rewrite -tech_pow_Rmult; have := pow_le _ N q0; have : (1 - p) ^ N <= 1 ^ N by apply: pow_incr; lra.
by rewrite pow1; nra.
Qed.

Section ManyNegatives.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R).

(** [claim] merad2020.eq-6  [sense] printed  [scope] finite laws, real entries, any number of negatives *)
Theorem eq_6_printed N : L_un_N ρ law f N =
  𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 xp ~ law c, 𝔼 I ~ draws N ρ, 𝔼 xn ~ independent (fun i => law (I i)),
    logistic (fun i => dot (f x) (sub (f (xn i)) (f xp))).
Proof.
rewrite /L_un_N; do 3 (apply: E_ext => ?); do 2 (apply: E_ext => ?); rewrite neg_log_softmax.
by congr (ln (1 + _)); apply: sum_ext => i; rewrite dotBr.
Qed.

Hypothesis M : model ρ law.
Let logit := logit law f.
Let ρ_law := ρ_law M.

(** For one negative this is L_un.
    [claim] merad2020.eq-6  [sense] one  [scope] finite laws, real entries *)
Theorem eq_6_one : L_un_N ρ law f 1 = L_un ρ law f.
Proof.
rewrite eq_6_printed /L_un; do 3 (apply: E_ext => ?).
rewrite -(E_one_draw (fun _ : 'I_1 => ρ_law) ord0).
apply: E_ext => I; rewrite -(E_one_draw (fun i => class_law M (I i)) ord0).
by apply: E_ext => xn; rewrite /logistic /ζ big_ord_recl big_ord0 Rplus_0_r.
Qed.

(** The anchor has the law of a negative.
    [claim] merad2020.eq-6  [sense] marginal  [scope] finite laws, real entries *)
Theorem eq_6_marginal N (i : 'I_N) (h : X -> R) :
  𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 xp ~ law c, h x = 𝔼 I ~ draws N ρ, 𝔼 xn ~ independent (fun i => law (I i)), h (xn i).
Proof.
transitivity (𝔼 c ~ ρ, 𝔼 x ~ law c, h x).
  by apply: E_ext => c; apply: E_ext => x; rewrite E_const //; exact: (class_law M c).
rewrite -(E_one_draw (fun _ : 'I_N => ρ_law) i); apply: E_ext => I.
by rewrite -(E_one_draw (fun i => class_law M (I i)) i).
Qed.

(** Jensen's inequality, over x⁺ and all negatives at once. *)
Lemma jensen_negatives N c x (I : {ffun 'I_N -> C}) :
  logistic (fun i => logit c x (I i)) <=
  𝔼 xp ~ law c, 𝔼 xn ~ independent (fun i => law (I i)), logistic (fun i => dot (f x) (sub (f (xn i)) (f xp))).
Proof.
have laws i := class_law M (I i).
apply: (Rle_trans _ (𝔼 xp ~ law c, logistic (fun i => dot (f x) (μ law f (I i)) - dot (f x) (f xp)))).
  apply: Rle_trans (jensen_logistic _ (class_law M c)); apply: Req_le.
  congr (ln (1 + _)); apply: sum_ext => i; congr exp.
  by rewrite E_sub E_const /logit /Definitions.logit ?dotBr ?dot_μ //; exact: (class_law M c).
apply: (E_le (class_law M c)) => xp.
apply: Rle_trans (jensen_logistic _ (independent_law laws)); apply: Req_le.
congr (ln (1 + _)); apply: sum_ext => i; congr exp.
rewrite (E_one_draw laws i (fun y => dot (f x) (sub (f y) (f xp)))).
rewrite (E_ext (h := fun y => dot (f x) (f y) - dot (f x) (f xp))) => [|y]; last by rewrite dotBr.
by rewrite E_sub E_const ?dot_μ.
Qed.

(** [claim] merad2020.lemma-2  [sense] s1  [scope] finite laws, real entries, any number of negatives *)
Lemma lemma_2_s1 N :
  𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 I ~ draws N ρ, logistic (fun i => logit c x (I i)) <= L_un_N ρ law f N.
Proof.
rewrite eq_6_printed; apply: (E_le ρ_law) => c; apply: (E_le (class_law M c)) => x; rewrite E_exchange.
by apply: (E_le (draws_law N ρ_law)) => I; apply: jensen_negatives.
Qed.

(** A bound for each anchor is a bound for the losses. *)
Lemma collect N q : (forall c (a : C -> R), a c = 0 ->
    q * LSE a + ρ c ^ N * ln (INR N.+1) <= 𝔼 I ~ draws N ρ, logistic (fun i => a (I i))) ->
  q * L_sup_μ ρ law f <= L_un_N ρ law f N - τ_N ρ N * ln (INR N.+1).
Proof.
move=> le; suff: q * L_sup_μ ρ law f + τ_N ρ N * ln (INR N.+1) <= L_un_N ρ law f N by lra.
apply: Rle_trans (lemma_2_s1 N).
have -> : q * L_sup_μ ρ law f + τ_N ρ N * ln (INR N.+1) =
  𝔼 c ~ ρ, 𝔼 x ~ law c, (q * LSE (logit c x) + ρ c ^ N * ln (INR N.+1)).
  rewrite /L_sup_μ -E_mull [in RHS](E_ext (h := fun c => q * (𝔼 x ~ law c, LSE (logit c x)) + ρ c ^ N * ln (INR N.+1))) => [|c].
    by rewrite E_add E_mulr; congr (_ + _ * _); apply: sum_ext => c; rewrite /=; ring.
  by rewrite E_add E_mull E_const //; exact: (class_law M c).
apply: (E_le ρ_law) => c; apply: (E_le (class_law M c)) => x.
by apply: le; apply: logit_own.
Qed.

(** * One class is enough *)

(** Let S be a random set of classes that contains each class of a list with probability q at least.  The mean of
    log(1 + Σ_{j ∈ S} w_j) is at least q log(1 + Σ w_j): each class adds at least what it adds to the whole list. *)
Lemma random_part (O : finType) (p : O -> R) (S : O -> pred C) (w : C -> R) q (s : seq C) : is_law p ->
  (forall c, 0 < w c) -> (forall c, c \in s -> q <= Pr p (fun o => S o c)) ->
  q * ln (1 + \big[Rplus/0]_(c <- s) w c) <= 𝔼 o ~ p, ln (1 + \big[Rplus/0]_(c <- s | S o c) w c).
Proof.
move=> law_p w0; elim: s => [|c s IH] often.
  by rewrite big_nil Rplus_0_r ln_1 Rmult_0_r; apply: (E_ge0 law_p) => o; rewrite big_nil Rplus_0_r ln_1; lra.
rewrite big_cons; set W := \big[Rplus/0]_(j <- s) w j in IH *.
have pos (P : pred C) : 0 <= \big[Rplus/0]_(j <- s | P j) w j.
  by apply: (big_ind (fun x => 0 <= x)) => [|*|j _]; [lra | lra | apply: Rlt_le].
have W_le o : \big[Rplus/0]_(j <- s | S o j) w j <= W.
  rewrite /W [X in _ <= X](bigID (S o)) /=; have := pos (fun j => ~~ S o j); lra.
set gain := ln (w c + (1 + W)) - ln (1 + W); have W0 : 0 <= W by apply: (pos predT).
have gain0 : 0 <= gain.
  by have : ln (1 + W) <= ln (w c + (1 + W)) by [apply: ln_le; have := w0 c; lra]; rewrite /gain; lra.
apply: (Rle_trans _ (𝔼 o ~ p, (ln (1 + \big[Rplus/0]_(j <- s | S o j) w j) + (if S o c then gain else 0)))).
  rewrite E_add E_indicator.
  have -> : ln (1 + (w c + W)) = ln (1 + W) + gain.
    by rewrite /gain -Rplus_assoc (Rplus_comm 1) Rplus_assoc; ring.
  have first : q * ln (1 + W) <= 𝔼 o ~ p, ln (1 + \big[Rplus/0]_(j <- s | S o j) w j).
    by apply: IH => j js; apply: often; rewrite inE js orbT.
  have := Rmult_le_compat_r _ _ _ gain0 (often c (mem_head c s)); lra.
apply: (E_le law_p) => o; rewrite big_cons; case: (S o c); last by lra.
have := @ln_increment (w c) (1 + \big[Rplus/0]_(j <- s | S o j) w j) (1 + W) (Rlt_le _ _ (w0 c)).
have -> : 1 + (w c + \big[Rplus/0]_(j <- s | S o j) w j) = w c + (1 + \big[Rplus/0]_(j <- s | S o j) w j) by ring.
by rewrite -/gain => /(_ _ _) h; have := pos (S o); have := W_le o; move=> l p0; have := h ltac:(lra) ltac:(lra); lra.
Qed.

(** The probability that N draws show class j. *)
Lemma Pr_shown N j : Pr (draws N ρ) (fun I => j \in codom I) = 1 - (1 - ρ j) ^ N.
Proof.
have -> : Pr (draws N ρ) (fun I => j \in codom I) = 1 - Pr (draws N ρ) (fun I => [forall i, I i != j]).
  rewrite -(Pr_not (draws_law N ρ_law)); apply: eq_bigl => I; rewrite !inE negb_forall.
  by apply/codomP/existsP => -[i]; [move=> ->; exists i; rewrite negbK | rewrite negbK => /eqP <-; exists i].
congr (1 - _); rewrite /draws (@Pr_all _ _ (fun=> ρ) (fun=> predC1 j)) -prod_const.
have rest : ∑ (i | i != j), ρ i = 1 - ρ j by have := ρ_sum M; rewrite (sum_D1 ρ j); lra.
by apply: eq_bigr => i _; rewrite -rest.
Qed.

(** The classes shown by I other than c; drawing c alone leaves N summands e⁰. *)
Lemma logistic_shown N c (a : C -> R) (I : {ffun 'I_N -> C}) : a c = 0 ->
  ln (1 + ∑ (j | (j \in codom I) && (j != c)), exp (a j)) + (if [forall i, I i == c] then ln (INR N.+1) else 0)
    <= logistic (fun i => a (I i)).
Proof.
move=> ac; have pos (P : pred C) := psum_exp_ge0 P a; case: forallP => [all | _].
  rewrite big1 => [|j /andP [/codomP [i ->]]]; last by rewrite (eqP (all i)) eqxx.
  rewrite Rplus_0_r ln_1 /logistic (sum_ext (G := fun=> 1)) => [|i]; last by rewrite (eqP (all i)) ac exp_0.
  by rewrite sum_const card_ord S_INR Rmult_1_r Rplus_0_l Rplus_comm; apply: Rle_refl.
rewrite Rplus_0_r; apply: ln_le; first by have := pos (fun j => (j \in codom I) && (j != c)); lra.
apply: Rplus_le_compat_l; rewrite (partition_big I (fun j => j \in codom I)) => [|i _]; last exact: codom_f.
rewrite [X in _ <= X](bigID (fun j => j != c)) /=.
have exp0 (P : pred 'I_N) : 0 <= ∑ (i | P i), exp (a (I i)) by apply: psum_ge0 => *; apply: Rlt_le; apply: exp_pos.
rewrite -[X in X <= _]Rplus_0_r; apply: Rplus_le_compat; last by apply: psum_ge0 => *; apply: exp0.
apply: psum_le => j /andP [/codomP [i ->] _]; rewrite (bigD1 i) //= -[X in X <= _]Rplus_0_r.
exact: Rplus_le_compat_l (exp0 _).
Qed.

(** It is enough that a rarest class is drawn. *)
Lemma rarest_drawn N p : is_min p ρ ->
  (1 - (1 - p) ^ N) * L_sup_μ ρ law f <= L_un_N ρ law f N - τ_N ρ N * ln (INR N.+1).
Proof.
move=> [p_le _]; apply: collect => c a ac.
have laws := draws_law N ρ_law.
pose S (I : {ffun 'I_N -> C}) j := (j \in codom I) && (j != c).
apply: (Rle_trans _ (𝔼 I ~ draws N ρ,
  (ln (1 + ∑ (j | S I j), exp (a j)) + (if [forall i, I i == c] then ln (INR N.+1) else 0)))); last first.
  by apply: (E_le laws) => I; apply: logistic_shown.
rewrite E_add E_indicator; apply: Rplus_le_compat; last first.
  apply: Rmult_le_compat_r; first by apply: ln_ge0; apply: (le_INR 1); apply/leP.
  rewrite /draws (@Pr_all _ _ (fun=> ρ) (fun=> pred1 c)) -prod_const; apply: Req_le.
  by apply: eq_bigr => i _; rewrite /Pr big_pred1_eq.
rewrite (LSE_own ac) -(big_filter _ (fun j => j != c)).
rewrite (E_ext (h := fun I => ln (1 + \big[Rplus/0]_(j <- [seq j <- index_enum C | j != c] | S I j) exp (a j)))); last first.
  move=> I; congr (ln (1 + _)); rewrite big_filter_cond; apply: eq_bigl => j.
  by rewrite /S; case: (j != c); rewrite ?andbF ?andbT.
apply: random_part => // [j|j]; first exact: exp_pos.
rewrite mem_filter => /andP [jc _].
have -> : Pr (draws N ρ) (fun I => S I j) = Pr (draws N ρ) (fun I => j \in codom I).
  by apply: eq_bigl => I; rewrite /S jc andbT.
rewrite Pr_shown; suff: (1 - ρ j) ^ N <= (1 - p) ^ N by lra.
by apply: pow_incr; have := p_le j; have := law_le1 ρ_law j; lra.
Qed.

(** The bound that answers the remark after Lemma 2: no classes have to be collected.
    [claim] merad2020.remark-lemma-2  [sense] collisions  [scope] finite laws, real entries, any number of negatives *)
Theorem remark_lemma_2_collisions N p : is_min p ρ -> (0 < N)%N ->
  L_sup_μ ρ law f <= (L_un_N ρ law f N - τ_N ρ N * ln (INR N.+1)) / (1 - (1 - p) ^ N).
Proof.
move=> min N0; have h := rarest_drawn N min; have [p_le [c pc]] := min.
have p0 : 0 < p by rewrite -pc; exact: (ρ_gt0 M c).
have p1 : p <= 1 by rewrite -pc; apply: law_le1 ρ_law c.
have q0 : 0 < 1 - (1 - p) ^ N by have := shown_bounds (conj p0 p1) N0; lra.
apply: (Rmult_le_reg_l _ _ _ q0); apply: (Rle_trans _ _ _ h); apply: Req_le; field; lra.
Qed.

(** The erratum's form, without the collisions: L_sup^μ <= L_un^N/(1 − (1 − p_min)^N) for N >= 1.
    [claim] merad2020.remark-lemma-2  [sense] closed-form  [scope] finite laws, real entries, any number of negatives *)
Theorem remark_lemma_2_corrected N p : is_min p ρ -> (0 < N)%N ->
  L_sup_μ ρ law f <= L_un_N ρ law f N / (1 - (1 - p) ^ N).
Proof.
move=> min N0; apply: (Rle_trans _ _ _ (remark_lemma_2_collisions min N0)).
have [p_le [c pc]] := min; have p0 : 0 < p by rewrite -pc; exact: (ρ_gt0 M c).
have p1 : p <= 1 by rewrite -pc; apply: law_le1 ρ_law c.
apply: Rmult_le_compat_r.
  by apply: Rlt_le; apply: Rinv_0_lt_compat; have := shown_bounds (conj p0 p1) N0; lra.
have t0 : 0 <= τ_N ρ N by apply: sum_ge0 => j; apply: pow_le; apply: Rlt_le; exact: (ρ_gt0 M j).
have l0 : 0 <= ln (INR N.+1) by apply: ln_ge0; apply: (le_INR 1); apply/leP.
by have := Rmult_le_pos _ _ t0 l0; lra.
Qed.

(** * All classes but one *)
Lemma q_other_le N c j : j != c -> q_other ρ N c <= 1 - (1 - ρ j) ^ N.
Proof.
move=> jc; rewrite -Pr_shown; apply: (Pr_le (draws_law N ρ_law)) => I /forallP /(_ j).
by rewrite jc.
Qed.

(** With N >= 1 draws a rarest class is shown more often than all classes but one: if there is one class, always. *)
Lemma q_other_rarest N p q : is_min p ρ -> is_min q (q_other ρ N) -> (0 < N)%N -> q <= 1 - (1 - p) ^ N.
Proof.
move=> [_ [k <-]] [q_le _] N0; case: (pickP (fun c => c != k)) => [c ck | one].
  by apply: (Rle_trans _ _ _ (q_le c)); apply: q_other_le; rewrite eq_sym.
have -> : ρ k = 1 by rewrite -(ρ_sum M) (sum_D1 ρ k) big_pred0 // Rplus_0_r.
rewrite (Rminus_diag_eq 1 1) // pow_i; last exact/ltP.
rewrite Rminus_0_r; apply: (Rle_trans _ _ _ (q_le k)); apply: (Rle_trans _ (Pr (draws N ρ) predT)).
  by apply: (Pr_le (draws_law N ρ_law)).
by rewrite /Pr (law_sum (draws_law N ρ_law)); apply: Rle_refl.
Qed.

(** (1 − (1 − p_min)^N) L_sup^μ <= L_un^N − τ_N log(N + 1), and 1 − (1 − p_min)^N >= q(N) for N >= 1.
    [claim] merad2020.lemma-2  [sense] rarest-class  [scope] finite laws, real entries, any number of negatives *)
Theorem lemma_2_rarest_class N p q : is_min p ρ -> is_min q (q_other ρ N) ->
  (1 - (1 - p) ^ N) * L_sup_μ ρ law f <= L_un_N ρ law f N - τ_N ρ N * ln (INR N.+1) /\
  ((0 < N)%N -> q <= 1 - (1 - p) ^ N).
Proof. by move=> min qmin; split; [apply: rarest_drawn | apply: q_other_rarest]. Qed.

Lemma logistic_covers N c (a : C -> R) (I : {ffun 'I_N -> C}) : a c = 0 ->
  [forall c', (c' != c) ==> (c' \in codom I)] -> LSE a <= logistic (fun i => a (I i)).
Proof.
move=> ac /forallP all; rewrite (LSE_own ac).
have l0 : 0 <= (if [forall i, I i == c] then ln (INR N.+1) else 0).
  by case: ifP => _; [apply: ln_ge0; apply: (le_INR 1); apply/leP | lra].
apply: Rle_trans (logistic_shown I ac).
rewrite -[X in X <= _]Rplus_0_r; apply: Rplus_le_compat l0; apply: Req_le.
congr (ln (1 + _)); apply: eq_bigl => j; by have := all j; case: (j != c); rewrite ?andbF ?andbT.
Qed.

(** LSE(a_1, …, a_{N_C}) <= LSE(0, a_{I_1}, …, a_{I_N}) where all classes but c are drawn: each has an entry there, and
    the zero stands for c.
    [claim] merad2020.fact-lse-restrict  [sense] own-class-free  [scope] entries real or −∞, any number of classes and negatives *)
Theorem fact_lse_restrict_own_class_free N c (a : C -> entry) (I : {ffun 'I_N -> C}) : a c = 0 ->
  (forall c', c' != c -> c' \in codom I) -> lse a ≼ lse (fun o : option 'I_N => if o is Some i then a (I i) else 0).
Proof.
move=> ac all; apply/at_mostE; rewrite !Exp_lse sum_option (sum_D1 _ c) ac; apply: Rplus_le_compat_l.
rewrite [X in _ <= X](partition_big I predT) //= big_mkcond; apply: sum_le => c'; case: ifP => [c'c | _]; last first.
  exact: (sum_Exp_ge0 (fun i => I i == c') (fun i => a (I i))).
have /codomP [i e] := all c' c'c; rewrite e (bigD1 i) //=.
by have /= := sum_Exp_ge0 (fun j => (I j == I i) && (j != i)) (fun j => a (I j)); lra.
Qed.

Lemma lemma_2_from_below N q : (forall c, q <= q_other ρ N c) -> q * L_sup_μ ρ law f <= L_un_N ρ law f N.
Proof.
move=> q_le; apply: Rle_trans (lemma_2_s1 N); rewrite /L_sup_μ -E_mull; apply: (E_le ρ_law) => c.
rewrite -E_mull; apply: (E_le (class_law M c)) => x; rewrite -/(logit c x).
have ac : logit c x c = 0 by apply: logit_own.
have L0 : 0 <= LSE (logit c x) by rewrite -ac; apply: LSE_ge.
apply: (Rle_trans _ (q_other ρ N c * LSE (logit c x))); first exact: Rmult_le_compat_r.
rewrite /q_other -E_indicator; apply: (E_le (draws_law N ρ_law)) => I; case: ifP => [all | _].
  exact: (logistic_covers ac all).
exact: logistic_ge0.
Qed.

Lemma p_cc_le N c : p_cc ρ N <= q_other ρ N c.
Proof.
apply: (Pr_le (draws_law N ρ_law)) => I /forallP all; apply/forallP => c'.
by rewrite all implybT.
Qed.

(** q(N) L_sup^μ <= L_un^N with q(N) the smallest, over the classes, of the probability that all others are drawn;
    and q(N) >= p_cc(N).
    [claim] merad2020.lemma-2  [sense] own-class-free  [scope] finite laws, real entries, any number of negatives *)
Theorem lemma_2_own_class_free N q : is_min q (q_other ρ N) ->
  q * L_sup_μ ρ law f <= L_un_N ρ law f N /\ p_cc ρ N <= q.
Proof. by move=> [q_le [c qc]]; split; [apply: lemma_2_from_below | rewrite -qc; apply: p_cc_le]. Qed.

(** p_cc(N) L_sup^μ <= L_un^N, for every N; for N < N_C the left side is zero.
    [claim] merad2020.lemma-2  [sense] printed  [scope] finite laws, real entries, any number of negatives *)
Theorem lemma_2_printed N : p_cc ρ N * L_sup_μ ρ law f <= L_un_N ρ law f N.
Proof. by apply: lemma_2_from_below => c; apply: p_cc_le. Qed.
End ManyNegatives.

(** * Controls *)

(** One class of one point: the losses of N negatives are log(N + 1). *)
Lemma L_un_N_sure N (D : finType) : L_un_N sure (@point unit_finType) (fun _ (_ : D) => 0) N = ln (INR N.+1).
Proof.
rewrite (eq_6_printed _ _ _) E_sure !E_point (E_draws_unit _ (fun=> sure_law)) E_draws_unit => [|i]; last exact: point_law.
rewrite /logistic (sum_ext (G := fun=> 1)) => [|i]; last first.
  by rewrite dotBr Rminus_diag_eq // exp_0.
by rewrite sum_const card_ord S_INR Rmult_1_r Rplus_comm.
Qed.

Lemma L_sup_μ_sure (D : finType) : L_sup_μ sure (@point unit_finType) (fun _ (_ : D) => 0) = 0.
Proof. by rewrite L_sup_μ_point E_sure /LSE sum_unit dotBr Rminus_diag_eq // exp_0 ln_1. Qed.

Lemma Pr_sure N (A : pred {ffun 'I_N -> unit}) : A [ffun=> tt] -> Pr (draws N sure) A = 1.
Proof.
move=> A1; rewrite -(Rmult_1_r (Pr _ _)) -E_indicator (E_draws_unit _ (fun=> sure_law)).
by rewrite A1.
Qed.

(** Control a of equation (6): the mean of the negatives in the denominator. *)
Theorem eq_6_printed_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) N, model ρ law ->
  L_un_N ρ law f N = 𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 xp ~ law c, 𝔼 I ~ draws N ρ, 𝔼 xn ~ independent (fun i => law (I i)),
    logistic (fun i => dot (f x) (sub (f (xn i)) (f xp)) - ln (INR N))).
Proof.
move=> /(_ _ _ unit_finType _ _ (fun _ _ => 0) 2%N sure_model); rewrite L_un_N_sure.
rewrite E_sure !E_point (E_draws_unit _ (fun=> sure_law)) E_draws_unit => [|i]; last exact: point_law.
rewrite /logistic (sum_ext (G := fun=> / INR 2)) => [|i]; last first.
  by rewrite dotBr (Rminus_diag_eq (dot _ _)) // Rminus_0_l exp_Ropp exp_ln //=; lra.
by rewrite sum_const card_ord /=; apply: Rgt_not_eq; apply: Rlt_gt; bound.
Qed.

(** Two negatives in place of one. *)
Theorem eq_6_one_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R), model ρ law ->
  L_un_N ρ law f 2 = L_un ρ law f).
Proof.
move=> /(_ _ _ unit_finType _ _ (fun _ _ => 0) sure_model); rewrite -(eq_6_one _ sure_model) !L_un_N_sure /=.
by apply: Rgt_not_eq; apply: Rlt_gt; bound.
Qed.

(** An anchor of a fixed class has not the law of a negative. *)
Theorem eq_6_marginal_control : ~ (forall (C X : finType) ρ (law : C -> X -> R) N (i : 'I_N) (h : X -> R) (c : C),
  model ρ law -> 𝔼 x ~ law c, h x = 𝔼 I ~ draws N ρ, 𝔼 xn ~ independent (fun i => law (I i)), h (xn i)).
Proof.
pose h (b : bool) := if b then 1 else 0.
move=> /(_ _ _ _ _ 1%N ord0 h true coin_model); rewrite -(eq_6_marginal coin_model ord0 h).
by rewrite E_coin !E_point /h; lra.
Qed.

(** Control c of Lemma 2, the roles exchanged: one class, where L_sup^μ = 0 and L_un^N = log(N + 1). *)
Theorem lemma_2_printed_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) N, model ρ law ->
  p_cc ρ N * L_un_N ρ law f N <= L_sup_μ ρ law f).
Proof.
move=> /(_ _ _ unit_finType _ _ (fun _ _ => 0) 1%N sure_model); rewrite L_un_N_sure L_sup_μ_sure /p_cc Pr_sure.
  by apply: Rlt_not_le; rewrite /=; bound.
by apply/forallP => -[]; apply/codomP; exists ord0; rewrite ffunE.
Qed.

Theorem lemma_2_own_class_free_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) N q,
  model ρ law -> is_min q (q_other ρ N) -> q * L_un_N ρ law f N <= L_sup_μ ρ law f).
Proof.
move=> /(_ _ _ unit_finType _ _ (fun _ _ => 0) 1%N 1 sure_model) false.
have q1 c : q_other sure 1 c = 1 by rewrite /q_other Pr_sure //; apply/forallP => -[]; case: c.
have /false : is_min 1 (q_other sure 1) by split=> [c|]; [rewrite q1; apply: Rle_refl | exists tt].
by rewrite L_un_N_sure L_sup_μ_sure; apply: Rlt_not_le; rewrite /=; bound.
Qed.

(** No more than τ_N log(N + 1) can be subtracted. *)
Theorem lemma_2_rarest_class_control r : 1 < r -> ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) N p,
  model ρ law -> is_min p ρ -> (1 - (1 - p) ^ N) * L_sup_μ ρ law f <= L_un_N ρ law f N - r * (τ_N ρ N * ln (INR N.+1))).
Proof.
move=> r1 /(_ _ _ unit_finType _ _ (fun _ _ => 0) 1%N 1 sure_model) false.
have /false : is_min 1 sure by split=> [c|]; [apply: Rle_refl | exists tt].
rewrite L_un_N_sure L_sup_μ_sure /τ_N sum_unit /sure; have : 0 < ln (INR 2) by apply: ln_gt0; rewrite /=; lra.
by rewrite /=; nra.
Qed.

(** Control c: "whatever is drawn"; here nothing is. *)
Theorem fact_lse_restrict_own_class_free_control : ~ (forall (C : finType) N c (a : C -> entry) (I : {ffun 'I_N -> C}),
  a c = 0 -> lse a ≼ lse (fun o : option 'I_N => if o is Some i then a (I i) else 0)).
Proof.
move=> /(_ _ 0%N true (fun=> Real 0) [ffun=> true] erefl) /at_mostE; apply: Rlt_not_le.
by rewrite !Exp_lse sum_option big_ord0 sum_bool /= exp_0; lra.
Qed.

(** Control d of the remark: the factor is needed. *)
Theorem remark_lemma_2_corrected_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) N,
  model ρ law -> (0 < N)%N -> L_sup_μ ρ law f <= L_un_N ρ law f N).
Proof.
move=> /(_ _ _ _ _ _ (on_line one_five) 1%N nine_to_one_model isT); rewrite (eq_6_one _ nine_to_one_model).
by have := L_un_nine_to_one; have := L_sup_μ_nine_to_one; lra.
Qed.

Theorem remark_lemma_2_collisions_control r : 1 < r -> ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) N p,
  model ρ law -> is_min p ρ -> (0 < N)%N ->
  L_sup_μ ρ law f <= (L_un_N ρ law f N - r * (τ_N ρ N * ln (INR N.+1))) / (1 - (1 - p) ^ N)).
Proof.
move=> r1 /(_ _ _ unit_finType _ _ (fun _ _ => 0) 1%N 1 sure_model) false.
have /false /(_ isT) : is_min 1 sure by split=> [c|]; [apply: Rle_refl | exists tt].
rewrite L_un_N_sure L_sup_μ_sure /τ_N sum_unit /sure; have : 0 < ln (INR 2) by apply: ln_gt0; rewrite /=; lra.
have -> : 1 - (1 - 1) ^ 1 = 1 by ring.
by rewrite /Rdiv Rinv_1 Rmult_1_r /=; nra.
Qed.

(** The remark itself, that no constant is better than 1/p_cc(N), is false: two equally likely classes and two negatives have
    p_cc(2) = ½, and 4/3 serves all laws and all f.
    [claim] merad2020.remark-lemma-2  [sense] best-is-coverage  [scope] refuted for two equally likely classes, two negatives *)
Theorem remark_lemma_2_refuted : 4 / 3 < 1 / p_cc coin 2 /\
  forall (X D : finType) (law : bool -> X -> R) (f : X -> D -> R), (forall c, is_law (law c)) ->
    L_sup_μ coin law f <= 4 / 3 * L_un_N coin law f 2.
Proof.
have model_of (X : finType) (law : bool -> X -> R) : (forall c, is_law (law c)) -> model coin law.
  by move=> laws; split=> // [c|]; rewrite ?sum_bool /coin; lra.
split; last first.
  move=> X D law f /model_of M; have min : is_min (1 / 2) coin by split=> [c|]; [apply: Rle_refl | exists true].
  have := remark_lemma_2_corrected f M min (N := 2) isT.
  have -> : 1 - (1 - 1 / 2) ^ 2 = 3 / 4 by field.
  by lra.
have -> : p_cc coin 2 = 1 / 2; last by lra.
have shown := Pr_shown (model_of _ _ (@point_law bool_finType)) 2 true.
have all : Pr (draws 2 coin) (fun I => [forall i, I i == true]) = 1 / 4.
  rewrite /draws (@Pr_all _ _ (fun=> coin) (fun=> pred1 true)).
  by rewrite !big_ord_recl big_ord0 /Pr big_pred1_eq /coin; field.
suff: Pr (draws 2 coin) (fun I => true \in codom I) = p_cc coin 2 + Pr (draws 2 coin) (fun I => [forall i, I i == true]).
  by rewrite shown all /coin /=; lra.
rewrite /Pr (bigID (fun I : {ffun 'I_2 -> bool} => false \in codom I)) /=; congr (_ + _); apply: eq_bigl => I.
  by apply/andP/forallP => [[t f] []// | all']; rewrite !all'.
apply/andP/forallP => [[_ /codomP no] i | all'].
  by apply/eqP; case e: (I i) => //; case: no; exists i.
split; first by apply/codomP; exists ord0; rewrite (eqP (all' ord0)).
by apply/codomP => -[i]; rewrite (eqP (all' i)).
Qed.
