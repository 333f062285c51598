(** Merad et al., section 3.1, after Lemma 2: the variance of the coupon-collector time and its tail.
      Var T_cc = N_C² Σ_{j <= N_C} 1/j² − N_C H <= (π N_C)²/6  and  P(|T_cc − N_C H| >= β N_C) <= π²/(6β²).
    E T² = Σ_n (2n + 1) P(T > n), and the recurrence of CouponCollector.v gives the sum. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Basel Contrapositive.Tactics Contrapositive.merad2020.Definitions
  Contrapositive.merad2020.Conditional Contrapositive.merad2020.CouponCollector.
Set Implicit Arguments. Unset Strict Implicit.

(** P(T_cc = n). *)
Definition P_Tcc (C : finType) (ρ : C -> R) (n : nat) : R :=
  if n is m.+1 then survival ρ m - survival ρ n else 1 - survival ρ 0.

(** P(T_cc ∈ A) is [q]. *)
Definition P_Tcc_in (C : finType) (ρ : C -> R) (A : nat -> Prop) (q : R) : Prop :=
  forall decide : (forall n, {A n} + {~ A n}), is_series (fun n => if decide n then P_Tcc ρ n else 0) q.

(** E T_cc² − (E T_cc)² is [v]. *)
Definition Var_Tcc_is (C : finType) (ρ : C -> R) (v : R) : Prop := exists m1 m2,
  is_series (survival ρ) m1 /\ is_series (fun n => (2 * INR n + 1) * survival ρ n) m2 /\ v = m2 - m1 ^ 2.

Lemma psum_add (I : finType) (P : pred I) (F G : I -> R) :
  ∑ (i | P i), (F i + G i) = ∑ (i | P i), F i + ∑ (i | P i), G i.
Proof. exact: big_split. Qed.

Section Uniform.
Variable C : finType.
Hypothesis nonempty : (0 < #|C|)%N.
Let N := INR #|C|.
Let ρ (c : C) : R := / INR #|C|.
Let law : is_law ρ := uniform_law nonempty.

Let N0 : 0 < N.
Proof. by apply: lt_0_INR; apply/ltP. Qed.

Let step J n : missing ρ J n.+1 = (1 - INR #|J| / N) * missing ρ J n + / N * ∑ (c | c \in J), missing ρ (J :\ c) n.
Proof. exact: uniform_step. Qed.

(** * The second moment *)

(** Σ_n (2n + 1) P(a class of J is missing after n draws), up to M. *)
Let second (J : {set C}) (M : nat) : R := sum_f_R0 (fun n => (2 * INR n + 1) * missing ρ J n) M.
(** ... in the limit, for j classes. *)
Let v (j : nat) : R := N ^ 2 * inverse_squares j - N * harmonic j.
Let b (j : nat) : R := (N * harmonic j) ^ 2 + v j.

Lemma second_step J M : J != set0 -> second J M.+1 =
  1 + (1 - INR #|J| / N) * (second J M + 2 * sum_f_R0 (missing ρ J) M)
    + / N * ∑ (c | c \in J), (second (J :\ c) M + 2 * sum_f_R0 (missing ρ (J :\ c)) M).
Proof.
move=> J0; elim: M => [|M IH].
  rewrite /second /= step !(missing_0 law) //.
  rewrite [in RHS](eq_bigr (fun c => 3 * missing ρ (J :\ c) 0)) => [|c _]; last by ring.
by rewrite psum_mull; field; lra.
have tech K : second K M.+1 = second K M + (2 * INR M.+1 + 1) * missing ρ K M.+1 by [].
have -> : second J M.+2 = second J M.+1 + (2 * INR M.+2 + 1) * missing ρ J M.+2 by [].
rewrite [in LHS]IH step tech [sum_f_R0 _ M.+1]/=.
rewrite [in RHS](eq_bigr (fun c => second (J :\ c) M + 2 * sum_f_R0 (missing ρ (J :\ c)) M
    + (2 * INR M.+2 + 1) * missing ρ (J :\ c) M.+1)) => [|c _]; last by rewrite tech (S_INR M.+1) [sum_f_R0 _ M.+1]/=; ring.
by rewrite [in RHS]psum_add [in RHS]psum_mull (S_INR M.+1); ring.
Qed.

Lemma b_step j : b j.+1 = 1 + (1 - INR j.+1 / N) * (b j.+1 + 2 * (N * harmonic j.+1)) + INR j.+1 / N * (b j + 2 * (N * harmonic j)).
Proof.
have j0 := INR_gt0 j; rewrite /b /v harmonicS inverse_squaresS.
by move: (INR j.+1) j0 => a a0; field; lra.
Qed.

Lemma v_ge0 j : (j <= #|C|)%N -> 0 <= v j.
Proof.
rewrite /v; elim: j => [|j IH] jN; first by rewrite /inverse_squares big_geq //= !Rmult_0_r; lra.
have j0 := INR_gt0 j; have jN' : INR j.+1 <= N by apply: le_INR; apply/leP.
have {IH} := IH (ltnW jN); rewrite harmonicS inverse_squaresS.
have : 0 <= N * / INR j.+1 * (N * / INR j.+1 - 1).
  have : 1 <= N * / INR j.+1.
    by apply: (Rmult_le_reg_r (INR j.+1)) => //; rewrite Rmult_assoc Rinv_l ?Rmult_1_r ?Rmult_1_l //; lra.
  by nra.
have -> : / INR j.+1 ^ 2 = / INR j.+1 * / INR j.+1 by field; lra.
by nra.
Qed.

Lemma harmonic_ge1 j : 1 <= harmonic j.+1.
Proof.
elim: j => [|j IH]; first by rewrite /= Rinv_1; lra.
by rewrite harmonicS; have := Rinv_0_lt_compat _ (INR_gt0 j.+1); lra.
Qed.

Lemma second_le J M : second J M <= b #|J|.
Proof.
have [j e] : exists j, j = #|J| by exists #|J|.
elim: j J M e => [|j IH] J M e.
  have -> : J = set0 by apply/eqP; rewrite -cards_eq0 -e.
  rewrite cards0 /b /v /inverse_squares big_geq //=; apply: Req_le; transitivity 0; last by ring.
  by rewrite /second; elim: M => [|M IHM] /=; rewrite ?IHM missing_none; ring.
have J0 : J != set0 by rewrite -card_gt0 -e.
have jN : (j.+1 <= #|C|)%N by rewrite e; apply: max_card.
have j0 := INR_gt0 j; have jN' : INR j.+1 <= N by apply: le_INR; apply/leP.
have r0 : 0 <= / N by apply: Rlt_le; apply: Rinv_0_lt_compat.
have f1 : INR j.+1 / N <= 1.
  by apply: (Rmult_le_reg_r N) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
rewrite -e; elim: M => [|M IHM].
  rewrite /second /= (missing_0 law) // /b; have := v_ge0 jN; have := harmonic_ge1 j.
  have N1 : 1 <= N by have := le_INR 1 j.+1 ltac:(by apply/leP); rewrite [INR 1]/=; lra.
  have : 1 <= N * harmonic j.+1 by have := harmonic_ge1 j; nra.
  by move: (N * _) (v _) => x y; nra.
rewrite second_step // b_step -e; apply: Rplus_le_compat.
  apply: Rplus_le_compat_l; apply: Rmult_le_compat_l; first lra.
  by have := partial_le nonempty J M; rewrite -/ρ -e -/N; lra.
apply: (Rle_trans _ (/ N * ∑ (c | c \in J), (b j + 2 * (N * harmonic j)))).
  apply: Rmult_le_compat_l => //; apply: psum_le => c cJ.
  have cj : j = #|J :\ c| by move: e; rewrite (cardsD1 c J) cJ => -[].
  by have := IH _ M cj; have := partial_le nonempty (J :\ c) M; rewrite -/ρ -cj -/N; lra.
by rewrite psum_const -e; apply: Req_le; field; lra.
Qed.

Lemma second_limit J : is_lim_seq (second J) (b #|J|).
Proof.
have [j e] : exists j, j = #|J| by exists #|J|.
elim: j J e => [|j IH] J e.
  have -> : J = set0 by apply/eqP; rewrite -cards_eq0 -e.
  have -> : b #|set0 : {set C}| = 0 by rewrite cards0 /b /v /inverse_squares big_geq //=; ring.
  apply: (is_lim_seq_ext (fun=> 0)) => [|]; last exact: is_lim_seq_const.
  by rewrite /second; elim=> [|m IHm]; rewrite ?tech5 -?IHm /= missing_none; ring.
have J0 : J != set0 by rewrite -card_gt0 -e.
have j0 := INR_gt0 j.
have [l lim] : ex_finite_lim_seq (second J).
  apply: (ex_finite_lim_seq_incr _ (b #|J|)) => m; last exact: second_le.
  have := missing_ge0 law J m.+1; have := pos_INR m.+1; rewrite /second tech5; nra.
suff <- : l = b #|J| by [].
have firsts K : is_lim_seq (sum_f_R0 (missing ρ K)) (N * harmonic #|K|) := @partial_limit C nonempty K.
have rest : is_lim_seq (fun m => ∑ (c | c \in J), (second (J :\ c) m + 2 * sum_f_R0 (missing ρ (J :\ c)) m))
    (∑ (c | c \in J), (b j + 2 * (N * harmonic j))).
  apply: is_lim_seq_psum => c cJ; have cj : j = #|J :\ c| by move: e; rewrite (cardsD1 c J) cJ => -[].
  apply: is_lim_seq_plus'; first by rewrite cj; apply: IH.
  by apply: (is_lim_seq_scal_l _ 2 (N * harmonic j)); rewrite cj; apply: firsts.
have : is_lim_seq (fun m => second J m.+1) (1 + (1 - INR #|J| / N) * (l + 2 * (N * harmonic #|J|))
    + / N * ∑ (c | c \in J), (b j + 2 * (N * harmonic j))).
  apply: (is_lim_seq_ext _ _ _ (fun m => esym (second_step m J0))).
  apply: is_lim_seq_plus'; last by apply: (is_lim_seq_scal_l _ _ _ rest).
  apply: is_lim_seq_plus'; first exact: is_lim_seq_const.
  apply: (is_lim_seq_scal_l _ _ (l + 2 * (N * harmonic #|J|))); apply: is_lim_seq_plus' => //.
  exact: (is_lim_seq_scal_l _ 2 (N * harmonic #|J|) (firsts J)).
move=> /is_lim_seq_unique; rewrite (is_lim_seq_unique _ _ (proj1 (is_lim_seq_incr_1 _ _) lim)) => -[].
rewrite psum_const -e => eq; have := b_step j.
have : INR j.+1 / N <> 0 by apply: Rgt_not_eq; apply: Rdiv_lt_0_compat.
move: (b j.+1) (b j) (harmonic j.+1) (harmonic j) eq => B B' h h' eq ne same; apply: (Rmult_eq_reg_l (INR j.+1 / N)) => //.
have e2 : / N * (INR j.+1 * (B' + 2 * (N * h'))) = INR j.+1 / N * (B' + 2 * (N * h')) by field; lra.
by rewrite e2 in eq; lra.
Qed.

Lemma first_series : is_series (survival ρ) (N * harmonic #|C|).
Proof. exact: cc_mean_printed. Qed.

Lemma second_series : is_series (fun n => (2 * INR n + 1) * survival ρ n) (b #|C|).
Proof.
have lim := @second_limit [set: C]; rewrite cardsT in lim.
change (is_lim_seq (sum_n (fun n => (2 * INR n + 1) * survival ρ n)) (b #|C|)); apply: is_lim_seq_ext lim => m.
by rewrite /second -sum_n_Reals; apply: sum_n_ext => n; rewrite (survival_missing law).
Qed.

(** Var T_cc = N_C² Σ_{j <= N_C} 1/j² − N_C H.
    [claim] merad2020.cc-variance  [sense] exact  [scope] any number of equally likely classes *)
Theorem cc_variance_exact : Var_Tcc_is (fun _ : C => / INR #|C|) (INR #|C| ^ 2 * inverse_squares #|C| - INR #|C| * harmonic #|C|).
Proof.
exists (N * harmonic #|C|), (b #|C|); split; first exact: first_series.
by split; [exact: second_series | rewrite /b /v -/N; ring].
Qed.

Lemma variance_unique w : Var_Tcc_is ρ w -> w = v #|C|.
Proof.
move=> [m1 [m2 [s1 [s2 ->]]]]; rewrite -(is_series_unique _ _ s1) -(is_series_unique _ _ s2).
by rewrite (is_series_unique _ _ first_series) (is_series_unique _ _ second_series) /b; ring.
Qed.

(** Var T_cc <= (π N_C)²/6.
    [claim] merad2020.cc-variance  [sense] upper-bound  [scope] any number of equally likely classes *)
Theorem cc_variance_upper_bound w : Var_Tcc_is (fun _ : C => / INR #|C|) w -> w <= (PI * INR #|C|) ^ 2 / 6.
Proof.
move=> /variance_unique ->; rewrite /v -/N; have := inverse_squares_le #|C|.
have : 0 <= N * harmonic #|C| by apply: Rmult_le_pos; [lra | exact: harmonic_ge0].
have : 0 <= N ^ 2 by nra.
by move: (inverse_squares _) (N * _) => x y; nra.
Qed.

(** * Chebyshev's inequality *)
Lemma survival_decreases n : survival ρ n.+1 <= survival ρ n.
Proof.
rewrite !(survival_missing law); elim: n [set: C] => [|n IH] J; last first.
  by rewrite (missing_step ρ J n.+1) (missing_step ρ J n); apply: sum_le => c; apply: Rmult_le_compat_l (IH _); case: law.
case: (boolP (J == set0)) => [/eqP -> | J0]; first by rewrite !missing_none; apply: Rle_refl.
rewrite (missing_0 law J0) (missing_step ρ J 0) -(law_sum law); apply: sum_le => c.
rewrite -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l; first by case: law.
by case: (boolP (J :\ c == set0)) => [/eqP -> | c0]; rewrite ?missing_none ?(missing_0 law c0); lra.
Qed.

Lemma P_Tcc_ge0 n : 0 <= P_Tcc ρ n.
Proof.
case: n => [|n] /=; last by have := survival_decreases n; lra.
rewrite (survival_missing law) (missing_0 law); first lra.
by apply/set0Pn; case/card_gt0P: nonempty => c _; exists c; rewrite inE.
Qed.

(** Σ_{n <= M+1} P(T = n)(n − m)² by parts. *)
Lemma deviation_by_parts m M : sum_f_R0 (fun n => P_Tcc ρ n * (INR n - m) ^ 2) M.+1 + survival ρ M.+1 * (INR M.+1 - m) ^ 2 =
  m ^ 2 + sum_f_R0 (fun n => (2 * INR n + 1) * survival ρ n) M - 2 * m * sum_f_R0 (survival ρ) M.
Proof.
elim: M => [|M IH]; first by rewrite /=; ring.
have -> : sum_f_R0 (fun n => P_Tcc ρ n * (INR n - m) ^ 2) M.+2 =
  sum_f_R0 (fun n => P_Tcc ρ n * (INR n - m) ^ 2) M.+1 + P_Tcc ρ M.+2 * (INR M.+2 - m) ^ 2 by [].
have -> : sum_f_R0 (fun n => P_Tcc ρ n * (INR n - m) ^ 2) M.+1 = m ^ 2 + sum_f_R0 (fun n => (2 * INR n + 1) * survival ρ n) M
  - 2 * m * sum_f_R0 (survival ρ) M - survival ρ M.+1 * (INR M.+1 - m) ^ 2 by lra.
rewrite [P_Tcc _ _]/= [sum_f_R0 (survival ρ) M.+1]/= [sum_f_R0 (fun n => (2 * INR n + 1) * _) M.+1]/= -/(INR M.+2) -/(INR M.+1).
by rewrite (S_INR M.+1); ring.
Qed.

(** P(|T_cc − N_C H| >= β N_C) exists, and is at most Var T_cc/(β N_C)². *)
Lemma chebyshev β m (decide : forall n, {β * N <= Rabs (INR n - m)} + {~ β * N <= Rabs (INR n - m)}) :
  0 < β -> m = N * harmonic #|C| -> exists2 q, is_series (fun n => if decide n then P_Tcc ρ n else 0) q & q <= v #|C| / (β * N) ^ 2.
Proof.
move=> β0 em; set p := fun n => if decide n then P_Tcc ρ n else 0.
have p0 n : 0 <= p n by rewrite /p; case: (decide n) => /= _; [exact: P_Tcc_ge0 | lra].
have r0 : 0 < (β * N) ^ 2 by apply: pow_lt; nra.
have far n : p n * (β * N) ^ 2 <= P_Tcc ρ n * (INR n - m) ^ 2.
  have := P_Tcc_ge0 n => P0; rewrite /p; case: (decide n) => [far | near]; cbv iota; last by rewrite Rmult_0_l; apply: Rmult_le_pos => //; apply: pow2_ge_0.
  apply: Rmult_le_compat_l => //; rewrite -(pow2_abs (INR n - m)); apply: pow_incr; split=> //.
  by apply: Rmult_le_pos; lra.
pose B M := (m ^ 2 + sum_f_R0 (fun n => (2 * INR n + 1) * survival ρ n) M - 2 * m * sum_f_R0 (survival ρ) M) / (β * N) ^ 2.
have p_le M : sum_f_R0 p M.+1 <= B M.
  apply: (Rmult_le_reg_r ((β * N) ^ 2)) => //; rewrite /B /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; last lra.
  rewrite -deviation_by_parts Rmult_comm scal_sum.
  have : 0 <= survival ρ M.+1 * (INR M.+1 - m) ^ 2.
    by apply: Rmult_le_pos; [rewrite (survival_missing law); apply: missing_ge0 | apply: pow2_ge_0].
  have : sum_f_R0 (fun i => p i * (β * N) ^ 2) M.+1 <= sum_f_R0 (fun n => P_Tcc ρ n * (INR n - m) ^ 2) M.+1.
    by apply: sum_Rle => n _; apply: far.
  by lra.
have B_lim : is_lim_seq B (v #|C| / (β * N) ^ 2).
  have -> : v #|C| = m ^ 2 + b #|C| - 2 * m * m by rewrite /b -em; ring.
  apply: (is_lim_seq_scal_r _ _ (m ^ 2 + b #|C| - 2 * m * m)); apply: is_lim_seq_minus'.
    apply: is_lim_seq_plus'; first exact: is_lim_seq_const.
    have : is_lim_seq (sum_n (fun n => (2 * INR n + 1) * survival ρ n)) (b #|C|) := second_series.
    by apply: is_lim_seq_ext => M; rewrite sum_n_Reals.
  apply: (is_lim_seq_scal_l _ (2 * m) m).
  have : is_lim_seq (sum_n (survival ρ)) (N * harmonic #|C|) := first_series; rewrite -em.
  by apply: is_lim_seq_ext => M; rewrite sum_n_Reals.
have mono : forall M, sum_f_R0 p M <= sum_f_R0 p M.+1 by move=> M; rewrite tech5; have := p0 M.+1; lra.
have later M K : sum_f_R0 p M <= sum_f_R0 p (M + K).
  by elim: K => [|K IH]; rewrite ?addn0 ?addnS; [apply: Rle_refl | apply: Rle_trans (mono _)].
have bounded M : sum_f_R0 p M <= v #|C| / (β * N) ^ 2.
  have above K : sum_f_R0 p M <= B (K + M)%N by apply: Rle_trans (later M K.+1) _; rewrite addnS addnC.
  exact: (is_lim_seq_le _ _ (Finite (sum_f_R0 p M)) (Finite (v #|C| / (β * N) ^ 2)) above (is_lim_seq_const _)
    (proj1 (is_lim_seq_incr_n B M _) B_lim)).
have [q lim] : ex_finite_lim_seq (sum_f_R0 p) by apply: (ex_finite_lim_seq_incr _ _ mono bounded).
exists q; first by change (is_lim_seq (sum_n p) q); apply: is_lim_seq_ext lim => M; rewrite sum_n_Reals.
exact: (is_lim_seq_le _ _ (Finite q) (Finite (v #|C| / (β * N) ^ 2)) bounded lim (is_lim_seq_const _)).
Qed.

Section Tail.
Variable β : R.
Hypothesis β_gt0 : 0 < β.

(** |T_cc − N_C H| >= β N_C. *)
Definition far (n : nat) : Prop := β * INR #|C| <= Rabs (INR n - INR #|C| * harmonic #|C|).

Lemma far_dec n : {far n} + {~ far n}.
Proof. by rewrite /far; apply: Rle_dec. Qed.

(** P(|T_cc − N_C H| >= β N_C) <= Var T_cc/(β N_C)².
    [claim] merad2020.cc-chebyshev  [sense] variance  [scope] any number of equally likely classes, every β > 0 *)
Theorem cc_chebyshev_variance w : Var_Tcc_is (fun _ : C => / INR #|C|) w ->
  exists2 q, P_Tcc_in (fun _ : C => / INR #|C|) far q & q <= w / (β * INR #|C|) ^ 2.
Proof.
move=> /variance_unique ->; have [q s le] := @chebyshev β (N * harmonic #|C|) far_dec β_gt0 erefl.
exists q => // decide; apply: is_series_ext s => n.
by case: (far_dec n) (decide n) => [yes | no] [yes' | no'].
Qed.

(** P(|T_cc − N_C H| >= β N_C) <= π²/(6β²).
    [claim] merad2020.cc-chebyshev  [sense] printed  [scope] any number of equally likely classes, every β > 0 *)
Theorem cc_chebyshev_printed :
  exists2 q, P_Tcc_in (fun _ : C => / INR #|C|) far q & q <= PI ^ 2 / (6 * β ^ 2).
Proof.
have [q is_q le] := cc_chebyshev_variance cc_variance_exact; exists q => //; apply: (Rle_trans _ _ _ le).
have up := cc_variance_upper_bound cc_variance_exact; move: up; rewrite -/N; move: (N ^ 2 * _ - _) => w up.
have -> : PI ^ 2 / (6 * β ^ 2) = (PI * N) ^ 2 / 6 / (β * N) ^ 2 by field; lra.
by apply: Rmult_le_compat_r up; apply: Rlt_le; apply: Rinv_0_lt_compat; apply: pow_lt; nra.
Qed.
End Tail.
End Uniform.

(** * Controls *)
Lemma one_class : (0 < #|unit_finType|)%N.
Proof. by rewrite card_unit. Qed.

Lemma harmonic_1 : harmonic 1 = 1.
Proof. by rewrite /= Rplus_0_l Rinv_1. Qed.
Lemma inverse_squares_1 : inverse_squares 1 = 1.
Proof. by rewrite inverse_squaresS /inverse_squares big_geq //=; field. Qed.

(** Control a of cc-variance: Var T_cc = N_C² Σ 1/j²; with one class the variance is 0. *)
Theorem cc_variance_exact_control : ~ (forall C : finType, (0 < #|C|)%N ->
  Var_Tcc_is (fun _ : C => / INR #|C|) (INR #|C| ^ 2 * inverse_squares #|C|)).
Proof.
move=> /(_ _ one_class) /(variance_unique one_class); rewrite card_unit harmonic_1 inverse_squares_1 /=; lra.
Qed.

(** Two classes: T_cc − 1 waits for the other one, and the variance is 2. *)
Lemma variance_two : Var_Tcc_is (fun _ : bool => / INR #|bool_finType|) 2.
Proof.
have := @cc_variance_exact bool_finType; rewrite card_bool => /(_ isT).
rewrite !harmonicS !inverse_squaresS /inverse_squares big_geq //; congr Var_Tcc_is.
by rewrite /=; field.
Qed.

(** ... so that (π N_C)²/21 is too little. *)
Theorem cc_variance_upper_bound_control : ~ (forall (C : finType) w, (0 < #|C|)%N ->
  Var_Tcc_is (fun _ : C => / INR #|C|) w -> w <= (PI * INR #|C|) ^ 2 / 21).
Proof.
move=> /(_ bool_finType 2); rewrite card_bool => /(_ isT); have := variance_two; rewrite card_bool => v2 /(_ v2).
by apply: Rlt_not_le; rewrite /=; bound.
Qed.

(** Two classes: P(T_cc > n + 1) = 2^{−n}. *)
Definition half (c : bool) : R := / INR #|bool_finType|.

Lemma half_law : is_law half.
Proof. by apply: uniform_law; rewrite card_bool. Qed.

Lemma missing_one (c : bool) n : missing half [set c] n = (1 / 2) ^ n.
Proof.
elim: n => [|n IH]; first by rewrite (missing_0 half_law) //; apply/set0Pn; exists c; rewrite inE.
have same : [set c] :\ ~~ c = [set c] by apply/setP => d; rewrite !inE; case: (c); case: d.
have none : [set c] :\ c = set0 by apply/setP => d; rewrite !inE; case: eqP.
rewrite missing_step sum_bool; have h : forall b, half b = 1 / 2 by move=> b; rewrite /half card_bool /=; field.
by case: c IH same none => /= IH same none; rewrite same none missing_none IH !h; ring.
Qed.

Lemma survival_two n : survival half n.+1 = (1 / 2) ^ n.
Proof.
rewrite (survival_missing half_law) missing_step sum_bool.
have t : [set: bool] :\ true = [set false] by apply/setP => -[]; rewrite !inE.
have f : [set: bool] :\ false = [set true] by apply/setP => -[]; rewrite !inE.
by rewrite t f !missing_one /half card_bool /=; field.
Qed.

Lemma survival_two_0 : survival half 0 = 1.
Proof. by rewrite (survival_missing half_law) (missing_0 half_law) //; apply/set0Pn; exists true; rewrite inE. Qed.

(** With two classes E T_cc = 3, and |T_cc − 3| >= 1 at T_cc = 2, 4, 5, …: 11/16 at 2, 4 and 5. *)
Lemma tail_two q : P_Tcc_in half (far bool_finType (1 / 2)) q -> 11 / 16 <= q.
Proof.
move=> is_q; have {is_q} := is_q (@far_dec _ (1 / 2)); set p := fun n : nat => _ => is_q.
have two : (0 < #|bool_finType|)%N by rewrite card_bool.
have p0 n : 0 <= p n by rewrite /p; case: (far_dec _ _ n) => /= _; [exact: P_Tcc_ge0 | lra].
have le : sum_n p 5 <= q.
  by apply: (is_lim_seq_incr_compare _ q is_q) => n; rewrite sum_Sn /plus /=; have := p0 n.+1; lra.
have far_from n : 1 <= Rabs (INR n - 3) -> p n = P_Tcc half n.
  move=> f; rewrite /p; case: (far_dec _ _ n) => // near; case: near; rewrite /far card_bool !harmonicS [harmonic 0]/=.
  have -> : INR 2 * (0 + / INR 1 + / INR 2) = 3 by rewrite /=; field.
  by rewrite [INR 2]/=; lra.
have p2 : p 2%N = 1 / 2.
  rewrite far_from; first by rewrite /P_Tcc !survival_two /=; field.
  by rewrite [INR 2]/= Rabs_left; lra.
have p4 : p 4%N = 1 / 8.
  rewrite far_from; first by rewrite /P_Tcc !survival_two /=; field.
  by rewrite [INR 4]/= Rabs_pos_eq; lra.
have p5 : p 5%N = 1 / 16.
  rewrite far_from; first by rewrite /P_Tcc !survival_two /=; field.
  by rewrite [INR 5]/= Rabs_pos_eq; lra.
have sum : sum_n p 5 = p 0%N + p 1%N + p 2%N + p 3%N + p 4%N + p 5%N by rewrite !sum_Sn sum_O.
by rewrite sum p2 p4 p5 in le; have := p0 0%N; have := p0 1%N; have := p0 3%N; lra.
Qed.

(** Control a: π²/(60β²). *)
Theorem cc_chebyshev_printed_control : ~ (forall (C : finType) β, (0 < #|C|)%N -> 0 < β ->
  exists2 q, P_Tcc_in (fun _ : C => / INR #|C|) (far C β) q & q <= PI ^ 2 / (60 * β ^ 2)).
Proof.
move=> /(_ bool_finType (1 / 2)); rewrite {1}card_bool => /(_ isT ltac:(lra)) [q /tail_two ge].
by apply: Rlt_not_le; apply: Rlt_le_trans ge; bound.
Qed.

(** A third of the variance. *)
Theorem cc_chebyshev_variance_control : ~ (forall (C : finType) β w, (0 < #|C|)%N -> 0 < β ->
  Var_Tcc_is (fun _ : C => / INR #|C|) w ->
  exists2 q, P_Tcc_in (fun _ : C => / INR #|C|) (far C β) q & q <= w / 3 / (β * INR #|C|) ^ 2).
Proof.
move=> /(_ bool_finType (1 / 2) 2); rewrite {1}card_bool => /(_ isT ltac:(lra) variance_two) [q /tail_two ge].
by rewrite card_bool /=; have := ge; lra.
Qed.
