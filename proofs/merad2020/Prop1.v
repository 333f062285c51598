(** Merad et al., Proposition 1 and Proposition 2 (restated), for uniform classes: N negatives control the loss of the mean
    classifier over tasks of k + 1 classes,
      L_sup,k(f) <= L_sup,k^μ(f) <= (k/(1 − τ_N)) (L_un^N(f) − τ_N log(N + 1)).
    The first inequality is [SupLeMu.sup_le_mu_average]. *)
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions Contrapositive.merad2020.PointMasses
  Contrapositive.merad2020.SupLeMu Contrapositive.merad2020.Lemma1 Contrapositive.merad2020.Lemma2
  Contrapositive.merad2020.Conditional.
Set Implicit Arguments. Unset Strict Implicit.

(** * Counting tasks *)
Section Tasks.
Variables (C : finType) (k : nat).

Lemma card_tasks : #|tasks C k| = 'C(#|C|, k.+1).
Proof. by rewrite -card_draws; apply: eq_card => T; rewrite !inE. Qed.

(** The tasks of k + 2 classes that contain two given ones. *)
Lemma card_tasks_with (c c' : C) : c != c' ->
  #|[set T : {set C} | (#|T| == k.+2) && ((c \in T) && (c' \in T))]| = 'C(#|C|.-2, k).
Proof.
move=> cc'; pose B := ~: [set c; c'].
have cB : #|B| = #|C|.-2 by rewrite cardsCs setCK cards2 cc' subn2.
rewrite -cB -cards_draws -[RHS](card_in_imset (f := fun A => c |: (c' |: A))); last first.
  move=> A A'; rewrite !inE => /andP [sA _] /andP [sA' _] e.
  have restrict (S : {set C}) : S \subset B -> (c |: (c' |: S)) :&: B = S.
    move=> sS; apply/setP => x; rewrite !inE; case: (boolP (x \in S)) => xS; rewrite ?orbT ?orbF /=.
      by have := subsetP sS x xS; rewrite !inE.
    by case: (x == c); case: (x == c').
  by rewrite -(restrict A sA) e restrict.
apply: eq_card => T; rewrite !inE; apply/andP/imsetP => [[/eqP cT /andP [cT1 cT2]] | [A]].
  exists (T :&: B).
    have both : T :&: [set c; c'] = [set c; c'].
      by apply/setIidPr/subsetP => x; rewrite !inE => /orP [] /eqP ->.
    have e : #|T| = (2 + #|T :&: B|)%N by rewrite -(cardsID [set c; c'] T) setDE both cards2 cc'.
    by rewrite !inE subsetIr /= -(eqn_add2l 2) -e cT.
  apply/setP => x; rewrite !inE; case: (x =P c) => [->|_]; first by rewrite cT1.
  by case: (x =P c') => [->|_]; rewrite ?cT2 //= andbT.
rewrite !inE => /andP [sA /eqP cA] ->.
have out x : x \in A -> (x != c) && (x != c').
  by move=> xA; have := subsetP sA x xA; rewrite !inE negb_or.
have c'A : c' \notin A by apply/negP => /out /andP [_]; rewrite eqxx.
have cA' : c \notin c' |: A.
  by rewrite !inE (negbTE cc') /=; apply/negP => /out /andP []; rewrite eqxx.
by rewrite !cardsU1 c'A cA' cA !inE !eqxx orbT.
Qed.
End Tasks.

(** The sum over tasks of the sum over their ordered pairs of different classes. *)
Lemma sum_pairs (C : finType) k (h : C -> C -> R) :
  ∑ (T | T \in tasks C k.+1), ∑ (c | c \in T), ∑ (c' | (c' \in T) && (c' != c)), h c c' =
  INR 'C(#|C|.-2, k) * ∑ c, ∑ (c' | c' != c), h c c'.
Proof.
rewrite -(sum_if (fun T => T \in tasks C k.+1)).
rewrite (sum_ext (G := fun T => ∑ c, ∑ c', (if [&& T \in tasks C k.+1, c \in T, c' \in T & c' != c] then h c c' else 0))); last first.
  move=> T; case: (T \in tasks C k.+1) => /=; last by rewrite big1 // => c _; rewrite big1.
  rewrite -(sum_if (fun c => c \in T)); apply: sum_ext => c; case: (c \in T) => /=; last by rewrite big1.
  by rewrite -(sum_if (fun c' => (c' \in T) && (c' != c))).
rewrite sum_exchange -sum_mull; apply: sum_ext => c; rewrite sum_exchange -psum_mull -(sum_if (fun c' => c' != c)); apply: sum_ext => c'.
case: (boolP (c' != c)) => cc'; last by rewrite big1 // => T _; rewrite !andbF.
rewrite -big_mkcond psum_const -(card_tasks_with k (c := c) (c' := c')) 1?eq_sym //; congr (INR _ * _).
by apply: eq_card => T; rewrite unfold_in /= !inE ?andbT.
Qed.

Section Prop1.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R).
Hypothesis M : model ρ law.
Hypothesis uniform : forall c, ρ c = / INR #|C|.
Variables (k N : nat).
Hypothesis k_le : (k.+1 <= #|C|.-1)%N.
Hypothesis N0 : (0 < N)%N.

Let h c c' : R := 𝔼 x ~ law c, ζ (logit law f c x c').
Let n := INR #|C|.
Let S := ∑ c, ∑ (c' | c' != c), h c c'.

Let n2 : 2 <= n.
Proof. by apply: (le_INR 2); apply/leP; case: #|C| k_le => [|[|m]]. Qed.

(** The loss on one task is at most the mean over its anchors of the softpluses of the other classes. *)
Lemma task_le T : T \in tasks C k.+1 ->
  L_sup_μ_on ρ law f T <= / INR k.+2 * ∑ (c | c \in T), ∑ (c' | (c' \in T) && (c' != c)), h c c'.
Proof.
rewrite inE => /eqP cT; have i0 : 0 < / n by apply: Rinv_0_lt_compat; lra.
have m0 : 0 < INR k.+2 by apply: lt_0_INR; apply/ltP.
have weight : ∑ (t | t \in T), ρ t = INR k.+2 * / n.
  by rewrite (eq_bigr (fun=> / n)) => [|t _]; [rewrite psum_const cT | exact: uniform].
rewrite /L_sup_μ_on /head_loss /E -psum_mull -(sum_if (fun c => c \in T)); apply: sum_le => c.
rewrite /task weight; case: (boolP (c \in T)) => cT'; last by rewrite /Rdiv !Rmult_0_l; apply: Rle_refl.
rewrite uniform -/n; have -> : / n / (INR k.+2 * / n) = / INR k.+2 by field; lra.
apply: Rmult_le_compat_l; first by apply: Rlt_le; apply: Rinv_0_lt_compat.
rewrite /h /E exchange_big /=; apply: sum_le => x; rewrite psum_mull.
apply: Rmult_le_compat_l; first exact: (law_ge0 (class_law M c) x).
rewrite (bigD1 c) //= dotBr Rminus_diag_eq // exp_0.
exact: (softplus_sum (fun c' => (c' \in T) && (c' != c)) (logit law f c x)).
Qed.

Lemma mean_le : L_sup_k_μ ρ law f k.+1 <= INR k.+1 / (n * (n - 1)) * S.
Proof.
have m0 : 0 < INR k.+2 by apply: lt_0_INR; apply/ltP.
have n1 := n2; case: (posnP #|C|) => [C0 | Cpos]; first by move: n2; rewrite /n C0 /=; lra.
have t0 : 0 < INR #|tasks C k.+1|.
  apply: lt_0_INR; apply/ltP; rewrite card_tasks bin_gt0; move: k_le; rewrite -(prednK Cpos) /= => le; exact: le.
rewrite /L_sup_k_μ /mean_over_tasks; apply: (Rmult_le_reg_r (INR #|tasks C k.+1|)) => //.
rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; last lra.
apply: (Rle_trans _ (∑ (T | T \in tasks C k.+1), / INR k.+2 * ∑ (c | c \in T), ∑ (c' | (c' \in T) && (c' != c)), h c c')).
  by apply: psum_le => T; apply: task_le.
rewrite psum_mull sum_pairs -/S card_tasks; apply: Req_le.
have d1 : n * INR 'C(#|C|.-1, k.+1) = INR k.+2 * INR 'C(#|C|, k.+2) by rewrite /n -!mult_INR !multE mul_bin_diag.
have d2 : (n - 1) * INR 'C(#|C|.-2, k) = INR k.+1 * INR 'C(#|C|.-1, k.+1).
  have -> : n - 1 = INR #|C|.-1 by rewrite /n -{1}(prednK Cpos) S_INR; ring.
  by rewrite -!mult_INR !multE mul_bin_diag.
have -> : INR 'C(#|C|, k.+2) = n * ((n - 1) * INR 'C(#|C|.-2, k)) / (INR k.+1 * INR k.+2).
  have k0 : 0 < INR k.+1 by apply: lt_0_INR; apply/ltP.
  rewrite d2; apply: (Rmult_eq_reg_l (INR k.+2)); last lra.
  by rewrite -d1; field; lra.
by have k0 : 0 < INR k.+1 by [apply: lt_0_INR; apply/ltP]; field; lra.
Qed.

(** L_un^N − τ_N log(N+1) >= (1 − τ_N)/(n(n − 1)) Σ h(c, c'). *)
Lemma un_ge : (1 - τ_N ρ N) / (n * (n - 1)) * S <= L_un_N ρ law f N - τ_N ρ N * ln (INR N.+1).
Proof.
have n1 := n2; have i0 : 0 < / n by apply: Rinv_0_lt_compat; lra.
have lawρ := ρ_law M.
have τ_eq : τ_N ρ N = (/ n) ^ N.
  rewrite /τ_N (sum_ext (G := fun=> (/ n) ^ N.+1)) => [|c]; last by rewrite uniform.
  by rewrite sum_const -/n -tech_pow_Rmult; field; lra.
suff: (1 - τ_N ρ N) / (n * (n - 1)) * S + τ_N ρ N * ln (INR N.+1) <= L_un_N ρ law f N by lra.
apply: Rle_trans (lemma_2_s1 _ M N).
have -> : (1 - τ_N ρ N) / (n * (n - 1)) * S + τ_N ρ N * ln (INR N.+1) = 𝔼 c ~ ρ, 𝔼 x ~ law c,
   ((1 - τ_N ρ N) / (n - 1) * (∑ (c' | c' != c), ζ (logit law f c x c')) + τ_N ρ N * ln (INR N.+1)).
  have -> : S = n * 𝔼 c ~ ρ, ∑ (c' | c' != c), h c c'.
    by rewrite /E -sum_mull /S; apply: sum_ext => c; rewrite uniform -/n; field; lra.
  have -> : (1 - τ_N ρ N) / (n * (n - 1)) * (n * 𝔼 c ~ ρ, ∑ (c' | c' != c), h c c') =
    (1 - τ_N ρ N) / (n - 1) * 𝔼 c ~ ρ, ∑ (c' | c' != c), h c c' by field; lra.
  rewrite -E_mull -[X in _ + X](E_const lawρ) -E_add; apply: E_ext => c.
  rewrite E_add E_const ?E_mull; last exact: (class_law M c).
  by congr (_ * _ + _); rewrite /h /E exchange_big /=; apply: sum_ext => x; rewrite psum_mull.
apply: (E_le lawρ) => c; apply: (E_le (class_law M c)) => x.
have own : logit law f c x c = 0 by apply: logit_own.
move: (logit law f c x) own => a own.
have := @conditional C ρ c (fun d => exp (a d)) lawρ (fun d => exp_pos (a d)) N 1 Rlt_0_1.
have -> : one_log ρ c (fun d => exp (a d)) 1 = / n * ∑ (c' | c' != c), ζ (a c').
  by rewrite /one_log -psum_mull; apply: eq_bigr => d _; rewrite uniform.
rewrite uniform -/n τ_eq => le.
have split_logistic : 𝔼 I ~ draws N ρ, logistic (fun i => a (I i)) =
  E (draws N ρ) (logs c (fun d => exp (a d)) 1) + (/ n) ^ N * ln (INR N.+1).
  have <- : Pr (draws N ρ) (fun I => [forall i, I i == c]) = (/ n) ^ N.
    rewrite /draws (@Pr_all _ _ (fun=> ρ) (fun=> pred1 c)) -(prod_const N (/ n)).
    by apply: eq_bigr => i _; rewrite /Pr big_pred1_eq uniform.
  rewrite -E_indicator -E_add; apply: E_ext => I; rewrite /logs /foreign.
  have -> : [exists i, I i != c] = ~~ [forall i, I i == c] by rewrite negb_forall.
  case: forallP => [all | _]; last by rewrite /= Rplus_0_r.
  have -> : (if ~~ true then ln (1 + ∑ i, exp (a (I i))) else 0) = 0 by [].
  rewrite Rplus_0_l /logistic (sum_ext (G := fun=> 1)) => [|i]; last by rewrite (eqP (all i)) own exp_0.
  by rewrite sum_const card_ord Rmult_1_r S_INR Rplus_comm.
rewrite split_logistic; apply: Rplus_le_compat_r; apply: (Rmult_le_reg_l (1 - / n)).
  by have : / n <= / 2 by [apply: Rinv_le_contravar; lra]; lra.
apply: Rle_trans le; apply: Req_le; field; lra.
Qed.

(** [claim] merad2020.prop-1  [sense] printed  [scope] finite laws, real entries, uniform classes, every 1 <= k <= N_C − 1 and N >= 1, natural logarithms *)
Theorem prop_1_printed :
  L_sup_k_μ ρ law f k.+1 <= INR k.+1 / (1 - τ_N ρ N) * (L_un_N ρ law f N - τ_N ρ N * ln (INR N.+1)).
Proof.
have n1 := n2; have k0 : 0 < INR k.+1 by apply: lt_0_INR; apply/ltP.
have t1 : 0 < 1 - τ_N ρ N.
  case: N N0 => // m _; rewrite /τ_N (sum_ext (G := fun=> (/ n) ^ m.+2)) => [|c]; last by rewrite uniform.
  have q : / n <= / 2 by apply: Rinv_le_contravar; lra.
  have q0 : 0 < / n by apply: Rinv_0_lt_compat; lra.
  rewrite sum_const -/n -!tech_pow_Rmult -Rmult_assoc Rinv_r ?Rmult_1_l; last lra.
  by have := pow_incr (/ n) 1 m ltac:(lra); rewrite pow1; have := pow_le (/ n) m (Rlt_le _ _ q0); nra.
apply: (Rle_trans _ _ _ mean_le).
have -> : INR k.+1 / (n * (n - 1)) * S = INR k.+1 / (1 - τ_N ρ N) * ((1 - τ_N ρ N) / (n * (n - 1)) * S) by field; lra.
apply: Rmult_le_compat_l un_ge; apply: Rmult_le_pos; first lra.
by apply: Rlt_le; apply: Rinv_0_lt_compat.
Qed.
End Prop1.

(** Proposition 2 restates it; its part (2) is Proposition 1 word for word.
    [claim] merad2020.prop-2-2  [sense] printed  [scope] finite laws, real entries, uniform classes, every 1 <= k <= N_C − 1 and N >= 1, natural logarithms *)
Theorem prop_2_2_printed (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R) k N : model ρ law ->
  (forall c, ρ c = / INR #|C|) -> (k.+1 <= #|C|.-1)%N -> (0 < N)%N ->
  L_sup_k_μ ρ law f k.+1 <= INR k.+1 / (1 - τ_N ρ N) * (L_un_N ρ law f N - τ_N ρ N * ln (INR N.+1)).
Proof. by move=> M uniform k_le N0; apply: prop_1_printed. Qed.

(** Part (1) of Proposition 2 as corrected: τ log 2 in place of τ, where τ = 1/N_C.
    [claim] merad2020.prop-2-1  [sense] corrected (erratum of nats)  [scope] finite laws, real entries, uniform classes, every 1 <= k <= N_C − 1, natural logarithms *)
Theorem prop_2_1_corrected (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R) k : model ρ law ->
  (forall c, ρ c = / INR #|C|) -> (k.+1 <= #|C|.-1)%N ->
  L_sup_k_μ ρ law f k.+1 <= INR k.+1 / (1 - τ ρ) * (L_un ρ law f - τ ρ * ln 2).
Proof.
move=> M uniform k_le; have := prop_1_printed f M uniform k_le (N := 1) isT.
rewrite (eq_6_one _ M) (_ : INR 2 = 2) //; rewrite /=; ring.
Qed.

(** * Controls: two equally likely classes, k = 1, where L_sup,1^μ is L_sup^μ *)
Lemma coin_uniform b : coin b = / INR #|bool_finType|.
Proof. by rewrite card_bool /coin /=; lra. Qed.

Lemma L_sup_1_coin (f : bool -> R) : L_sup_k_μ coin (@point bool_finType) (on_line f) 1 =
  (ln (1 + exp (f true * (f false - f true))) + ln (exp (f false * (f true - f false)) + 1)) / 2.
Proof.
rewrite /L_sup_k_μ /mean_over_tasks tasks_bool cards1 big_set1 /Rdiv Rinv_1 Rmult_1_r (L_sup_μ_on_all _ coin_model).
by rewrite L_sup_μ_point E_coin /LSE !sum_bool !dot_on_line (Rminus_diag_eq (f true) _ erefl) (Rminus_diag_eq (f false) _ erefl) !Rmult_0_r exp_0.
Qed.

Definition zero_one (b : bool) : R := if b then 0 else 1.
Lemma L_un_coin : L_un coin (@point bool_finType) (on_line zero_one) =
  ((ln 2 + ln 2) / 2 + (ln (1 + exp (-1)) + ln 2) / 2) / 2.
Proof.
rewrite L_un_point !E_coin !dot_on_line /zero_one /ζ.
have -> : 0 * (0 - 0) = 0 by ring.
have -> : 0 * (1 - 0) = 0 by ring.
have -> : 1 * (1 - 1) = 0 by ring.
have -> : 1 * (0 - 1) = -1 by ring.
by rewrite exp_0; have -> : 1 + 1 = 2 by ring.
Qed.

(** The printed statement of part (1), with τ in place of τ log 2 and natural logarithms, is false.
    [claim] merad2020.prop-2-1  [sense] nats  [scope] refuted for two classes of one point each *)
Theorem prop_2_1_nats_refuted : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) k, model ρ law ->
  (forall c, ρ c = / INR #|C|) -> (k.+1 <= #|C|.-1)%N ->
  L_sup_k_μ ρ law f k.+1 <= INR k.+1 / (1 - τ ρ) * (L_un ρ law f - τ ρ)).
Proof.
move=> /(_ _ _ _ _ _ (on_line zero_one) 0%N coin_model coin_uniform); rewrite card_bool => /(_ isT); apply: Rlt_not_le.
rewrite L_sup_1_coin L_un_coin /τ sum_bool /coin /zero_one /=; bound.
Qed.

(** Control b: the factor k, without 1/(1 − τ). *)
Theorem prop_2_1_corrected_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) k, model ρ law ->
  (forall c, ρ c = / INR #|C|) -> (k.+1 <= #|C|.-1)%N ->
  L_sup_k_μ ρ law f k.+1 <= INR k.+1 * (L_un ρ law f - τ ρ * ln 2)).
Proof.
move=> /(_ _ _ _ _ _ (on_line zero_one) 0%N coin_model coin_uniform); rewrite card_bool => /(_ isT); apply: Rlt_not_le.
rewrite L_sup_1_coin L_un_coin /τ sum_bool /coin /zero_one /=; bound.
Qed.

Theorem prop_1_printed_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) k N, model ρ law ->
  (forall c, ρ c = / INR #|C|) -> (k.+1 <= #|C|.-1)%N -> (0 < N)%N ->
  L_sup_k_μ ρ law f k.+1 <= INR k.+1 * (L_un_N ρ law f N - τ_N ρ N * ln (INR N.+1))).
Proof.
move=> false; apply: prop_2_1_corrected_control => C X D ρ law f k M uniform k_le.
have := false C X D ρ law f k 1%N M uniform k_le isT.
by rewrite (eq_6_one _ M) (_ : INR 2 = 2) //; rewrite /=; ring.
Qed.

Theorem prop_2_2_printed_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) k N, model ρ law ->
  (forall c, ρ c = / INR #|C|) -> (k.+1 <= #|C|.-1)%N -> (0 < N)%N ->
  L_sup_k_μ ρ law f k.+1 <= INR k.+1 * (L_un_N ρ law f N - τ_N ρ N * ln (INR N.+1))).
Proof. exact: prop_1_printed_control. Qed.

(** * In bits: every logarithm, those of the losses too, to base two *)
Lemma in_bits a b c d e l : 0 < l -> a <= b * (c - d * e) -> a / l <= b * (c / l - d * (e / l)).
Proof.
move=> l0 le; have -> : b * (c / l - d * (e / l)) = b * (c - d * e) / l by rewrite /Rdiv; ring.
by apply: Rmult_le_compat_r le; apply: Rlt_le; apply: Rinv_0_lt_compat.
Qed.

Lemma from_bits a b c d e l : 0 < l -> a / l <= b * (c / l - d * (e / l)) -> a <= b * (c - d * e).
Proof.
move=> l0; have -> : b * (c / l - d * (e / l)) = b * (c - d * e) / l by rewrite /Rdiv; ring.
by move=> /(Rmult_le_compat_r l _ _ (Rlt_le _ _ l0)); rewrite /Rdiv !Rmult_assoc Rinv_l ?Rmult_1_r; lra.
Qed.

Lemma ln2_gt0 : 0 < ln 2.
Proof. by apply: ln_gt0; lra. Qed.

(** [claim] merad2020.prop-1  [sense] bits  [scope] finite laws, real entries, uniform classes, every 1 <= k <= N_C − 1 and N >= 1, logarithms to base two *)
Theorem prop_1_bits (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R) k N : model ρ law ->
  (forall c, ρ c = / INR #|C|) -> (k.+1 <= #|C|.-1)%N -> (0 < N)%N ->
  L_sup_k_μ ρ law f k.+1 / ln 2 <=
  INR k.+1 / (1 - τ_N ρ N) * (L_un_N ρ law f N / ln 2 - τ_N ρ N * (ln (INR N.+1) / ln 2)).
Proof. by move=> M uniform k_le N0; apply: (in_bits ln2_gt0); apply: prop_1_printed. Qed.

(** Part (1) of Proposition 2 as printed holds in bits: τ log 2 is τ there.
    [claim] merad2020.prop-2-1  [sense] bits  [scope] finite laws, real entries, uniform classes, every 1 <= k <= N_C − 1, logarithms to base two *)
Theorem prop_2_1_bits (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R) k : model ρ law ->
  (forall c, ρ c = / INR #|C|) -> (k.+1 <= #|C|.-1)%N ->
  L_sup_k_μ ρ law f k.+1 / ln 2 <= INR k.+1 / (1 - τ ρ) * (L_un ρ law f / ln 2 - τ ρ).
Proof.
move=> M uniform k_le; have := in_bits ln2_gt0 (prop_2_1_corrected f M uniform k_le).
have l2 := ln2_gt0; have -> : ln 2 / ln 2 = 1 by field; lra.
by rewrite Rmult_1_r.
Qed.

Theorem prop_1_bits_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) k N, model ρ law ->
  (forall c, ρ c = / INR #|C|) -> (k.+1 <= #|C|.-1)%N -> (0 < N)%N ->
  L_sup_k_μ ρ law f k.+1 / ln 2 <= INR k.+1 * (L_un_N ρ law f N / ln 2 - τ_N ρ N * (ln (INR N.+1) / ln 2))).
Proof.
move=> false; apply: prop_1_printed_control => C X D ρ law f k N M uniform k_le N0.
exact: (from_bits ln2_gt0 (false C X D ρ law f k N M uniform k_le N0)).
Qed.

Theorem prop_2_1_bits_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) k, model ρ law ->
  (forall c, ρ c = / INR #|C|) -> (k.+1 <= #|C|.-1)%N ->
  L_sup_k_μ ρ law f k.+1 / ln 2 <= INR k.+1 * (L_un ρ law f / ln 2 - τ ρ)).
Proof.
move=> false; apply: prop_2_1_corrected_control => C X D ρ law f k M uniform k_le.
have l2 := ln2_gt0; apply: (from_bits l2); have -> : ln 2 / ln 2 = 1 by field; lra.
by rewrite Rmult_1_r; apply: false.
Qed.
