(** Merad et al., section 3.1, after Lemma 2: the coupon collector.  T_cc is the number of uniform draws until every class
    is shown, so that P(T_cc <= n) = p_cc(n) and
      E T_cc = Σ_n P(T_cc > n) = N_C H_{N_C}.
    One draw takes the classes still missing from [J] to [J] without the class that is drawn; everything follows from this
    recurrence. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions Contrapositive.merad2020.Conditional.
Set Implicit Arguments. Unset Strict Implicit.

(** H_n = Σ_{j <= n} 1/j. *)
Fixpoint harmonic (n : nat) : R := if n is m.+1 then harmonic m + / INR n else 0.

Lemma harmonicS n : harmonic n.+1 = harmonic n + / INR n.+1.
Proof. by []. Qed.

Lemma harmonic_ge0 n : 0 <= harmonic n.
Proof. by elim: n => [|n IH]; [exact: Rle_refl | rewrite harmonicS; have := Rinv_0_lt_compat _ (INR_gt0 n); lra]. Qed.

(** P(T_cc > n): [n] draws from ρ do not show every class. *)
Definition survival (C : finType) (ρ : C -> R) (n : nat) : R := 1 - p_cc ρ n.

Section Missing.
Variables (C : finType) (ρ : C -> R).
Hypothesis law : is_law ρ.

(** The probability that [n] draws miss a class of [J]. *)
Definition missing (J : {set C}) (n : nat) : R := Pr (draws n ρ) (fun I => ~~ [forall c, (c \in J) ==> (c \in codom I)]).

Lemma survival_missing n : survival ρ n = missing [set: C] n.
Proof.
rewrite /survival /p_cc /missing -(Pr_not (draws_law n law)) /Pr; apply: eq_bigl => I; rewrite /=; congr negb.
by apply: eq_forallb => c; rewrite inE.
Qed.

Lemma missing_ge0 J n : 0 <= missing J n.
Proof. exact: Pr_ge0 (draws_law n law) _. Qed.

Lemma missing_none n : missing set0 n = 0.
Proof. by rewrite /missing /Pr big_pred0 // => I; apply/negbTE; rewrite negbK; apply/forallP => c; rewrite inE. Qed.

Lemma missing_0 J : J != set0 -> missing J 0 = 1.
Proof.
move=> /set0Pn [c cJ]; rewrite -(law_sum (draws_law 0 law)); apply: eq_bigl => I; rewrite negb_forall.
by apply/existsP; exists c; rewrite cJ /=; apply/negP => /codomP [[]].
Qed.

(** One draw. *)
Lemma missing_step J n : missing J n.+1 = ∑ c, ρ c * missing (J :\ c) n.
Proof.
have asE K m : missing K m = 𝔼 I ~ draws m ρ, (if ~~ [forall c, (c \in K) ==> (c \in codom I)] then 1 else 0).
  by rewrite E_indicator Rmult_1_r.
rewrite asE E_first_draw /E; apply: sum_ext => c; congr (_ * _); rewrite asE /E; apply: sum_ext => I; congr (_ * _).
congr (if ~~ _ then 1 else 0); apply: eq_forallb => d; rewrite in_setD1.
have -> : (d \in codom (cons_draw (c, I))) = (d == c) || (d \in codom I).
  apply/codomP/orP => [[i]|[/eqP -> | /codomP [j ->]]].
  - case: (unliftP ord0 i) => [j ->|->]; rewrite ?cons_drawS ?cons_draw0 /= => ->; [right; exact: codom_f | by left].
  - by exists ord0; rewrite cons_draw0.
  - by exists (lift ord0 j); rewrite cons_drawS.
by case: (d == c); case: (d \in J); case: (d \in codom I).
Qed.
End Missing.

Section Uniform.
Variable C : finType.
Hypothesis nonempty : (0 < #|C|)%N.
Let N := INR #|C|.
Let ρ (c : C) : R := / N.

Let N0 : 0 < N.
Proof. by apply: lt_0_INR; apply/ltP. Qed.

Lemma uniform_law : is_law ρ.
Proof. by split=> [c|]; [apply: Rlt_le; apply: Rinv_0_lt_compat | rewrite sum_const -/N /ρ; field; lra]. Qed.

(** With equally likely classes: a class of [J] is drawn, or none is. *)
Lemma uniform_step J n : missing ρ J n.+1 = (1 - INR #|J| / N) * missing ρ J n + / N * ∑ (c | c \in J), missing ρ (J :\ c) n.
Proof.
rewrite missing_step.
rewrite (sum_split (fun c => c \in J)) psum_mull Rplus_comm; congr (_ + _).
rewrite (eq_bigr (fun=> / N * missing ρ J n)) => [|c cJ]; last first.
  by congr (_ * missing ρ _ n); apply/setP => d; rewrite in_setD1; case: eqP => // ->; rewrite (negbTE cJ).
have card : INR #|fun c => ~~ (c \in J)| = N - INR #|J|.
  have -> : #|fun c => ~~ (c \in J)| = #|~: J| by apply: eq_card => c; rewrite !inE.
  by rewrite /N -(cardsC J) plus_INR; ring.
by rewrite psum_const card; field; lra.
Qed.

(** * Sums of the recurrence *)

Lemma sum_step J m : J != set0 -> sum_f_R0 (missing ρ J) m.+1 =
  1 + (1 - INR #|J| / N) * sum_f_R0 (missing ρ J) m + / N * ∑ (c | c \in J), sum_f_R0 (missing ρ (J :\ c)) m.
Proof.
move=> J0; rewrite (decomp_sum _ m.+1); last by apply/ltP.
rewrite (missing_0 uniform_law) // Rplus_assoc [Init.Nat.pred _]/=; congr (_ + _); elim: m => [|m IH].
  by rewrite /= uniform_step.
have -> : ∑ (c | c \in J), sum_f_R0 (missing ρ (J :\ c)) m.+1 =
  (∑ (c | c \in J), sum_f_R0 (missing ρ (J :\ c)) m) + ∑ (c | c \in J), missing ρ (J :\ c) m.+1.
  by rewrite -big_split; apply: eq_bigr => c _; rewrite tech5.
by rewrite tech5 IH uniform_step tech5; ring.
Qed.

(** N H_j is the mean time until [j] given classes are shown: an upper bound first. *)
Lemma partial_le J m : sum_f_R0 (missing ρ J) m <= N * harmonic #|J|.
Proof.
have [j e] : exists j, j = #|J| by exists #|J|.
elim: j J m e => [|j IH] J m e.
  have -> : J = set0 by apply/eqP; rewrite -cards_eq0 -e.
  rewrite cards0 /= Rmult_0_r; apply: Req_le; elim: m => [|m IHm] /=; rewrite ?IHm missing_none; ring.
have J0 : J != set0 by rewrite -card_gt0 -e.
have jN : INR j.+1 / N <= 1.
  apply: (Rmult_le_reg_r N) => //; have -> : INR j.+1 / N * N = INR j.+1 by field; lra.
  by rewrite Rmult_1_l e; apply: le_INR; apply/leP; apply: max_card.
have j0 := INR_gt0 j.
have step : N * harmonic j.+1 = 1 + (1 - INR j.+1 / N) * (N * harmonic j.+1) + INR j.+1 / N * (N * harmonic j).
  by rewrite harmonicS; field; lra.
rewrite -e; elim: m => [|m IHm].
  rewrite [sum_f_R0 _ _]/= (missing_0 uniform_law) // harmonicS; have h0 := harmonic_ge0 j.
  rewrite Rmult_plus_distr_l; have : 1 <= N * / INR j.+1.
    apply: (Rmult_le_reg_r (INR j.+1)) => //; have -> : N * / INR j.+1 * INR j.+1 = N by field; lra.
    by rewrite Rmult_1_l e; apply: le_INR; apply/leP; apply: max_card.
  by have : 0 <= N * harmonic j by [apply: Rmult_le_pos; lra]; lra.
rewrite sum_step // -e.
rewrite step; apply: Rplus_le_compat; first by apply: Rplus_le_compat_l; apply: Rmult_le_compat_l; lra.
apply: (Rle_trans _ (/ N * ∑ (c | c \in J), N * harmonic j)).
  apply: Rmult_le_compat_l; first by apply: Rlt_le; apply: Rinv_0_lt_compat.
  apply: psum_le => c cJ; have cj : j = #|J :\ c| by move: e; rewrite (cardsD1 c J) cJ => -[].
  by rewrite cj; apply: IH.
by rewrite psum_const -e; apply: Req_le; field; lra.
Qed.

Lemma is_lim_seq_psum (P : pred C) (u : C -> nat -> R) (l : C -> R) : (forall c, P c -> is_lim_seq (u c) (l c)) ->
  is_lim_seq (fun n => ∑ (c | P c), u c n) (∑ (c | P c), l c).
Proof.
move=> lim; rewrite -sum_if; apply: (is_lim_seq_ext (fun n => ∑ c, if P c then u c n else 0)) => [n|]; first exact: sum_if.
elim: (index_enum C) => [|c r IH]; first by rewrite big_nil; apply: (is_lim_seq_ext (fun=> 0)) => [n|]; [rewrite big_nil | exact: is_lim_seq_const].
rewrite big_cons; apply: (is_lim_seq_ext (fun n => (if P c then u c n else 0) + \big[Rplus/0]_(j <- r) (if P j then u j n else 0))) => [n|].
  by rewrite big_cons.
apply: is_lim_seq_plus' => //; case: (boolP (P c)) => [/lim //|_]; exact: is_lim_seq_const.
Qed.

(** ... and the limit. *)
Lemma partial_limit J : is_lim_seq (sum_f_R0 (missing ρ J)) (N * harmonic #|J|).
Proof.
have [j e] : exists j, j = #|J| by exists #|J|.
elim: j J e => [|j IH] J e.
  have -> : J = set0 by apply/eqP; rewrite -cards_eq0 -e.
  rewrite cards0 Rmult_0_r; apply: (is_lim_seq_ext (fun=> 0)) => [|]; last exact: is_lim_seq_const.
  by elim=> [|m IHm]; rewrite ?tech5 -?IHm /= missing_none; ring.
have J0 : J != set0 by rewrite -card_gt0 -e.
have j0 := INR_gt0 j.
have [l lim] : ex_finite_lim_seq (sum_f_R0 (missing ρ J)).
  apply: (ex_finite_lim_seq_incr _ (N * harmonic #|J|)) => m; last exact: partial_le.
  by rewrite tech5; have := missing_ge0 uniform_law J m.+1; lra.
suff <- : l = N * harmonic #|J| by [].
have rest : is_lim_seq (fun m => ∑ (c | c \in J), sum_f_R0 (missing ρ (J :\ c)) m) (∑ (c | c \in J), N * harmonic j).
  apply: is_lim_seq_psum => c cJ; have cj : j = #|J :\ c| by move: e; rewrite (cardsD1 c J) cJ => -[].
  by rewrite cj; apply: IH.
have : is_lim_seq (fun m => sum_f_R0 (missing ρ J) m.+1) (1 + (1 - INR #|J| / N) * l + / N * ∑ (c | c \in J), N * harmonic j).
  apply: (is_lim_seq_ext _ _ _ (fun m => esym (sum_step m J0))).
  apply: is_lim_seq_plus'; last by apply: (is_lim_seq_scal_l _ _ _ rest).
  by apply: is_lim_seq_plus'; [exact: is_lim_seq_const | exact: (is_lim_seq_scal_l _ _ _ lim)].
move=> /is_lim_seq_unique; rewrite (is_lim_seq_unique _ _ (proj1 (is_lim_seq_incr_1 _ _) lim)) => -[].
rewrite psum_const -e harmonicS => eq; apply: (Rmult_eq_reg_l (INR j.+1 / N)); last by apply: Rgt_not_eq; apply: Rdiv_lt_0_compat.
have -> : INR j.+1 / N * (N * (harmonic j + / INR j.+1)) = 1 + / N * (INR j.+1 * (N * harmonic j)) by field; lra.
by lra.
Qed.

(** E T_cc = Σ_n P(T_cc > n) = N_C H_{N_C}.
    [claim] merad2020.cc-mean  [sense] printed  [scope] any number of equally likely classes *)
Theorem cc_mean_printed : is_series (survival (fun _ : C => / INR #|C|)) (INR #|C| * harmonic #|C|).
Proof.
have lim := @partial_limit [set: C]; rewrite cardsT -/N in lim *.
change (is_lim_seq (sum_n (survival ρ)) (N * harmonic #|C|)); apply: is_lim_seq_ext lim => m.
by rewrite -sum_n_Reals; apply: sum_n_ext => n; rewrite -(survival_missing uniform_law).
Qed.

(** P(T_cc > n) <= N_C (1 − 1/N_C)^n <= N_C e^{−n/N_C}: one class after the other.
    [claim] merad2020.cc-chebyshev  [sense] exponential  [scope] any number of equally likely classes, every n *)
Theorem cc_chebyshev_exponential n : survival (fun _ : C => / INR #|C|) n <= INR #|C| * exp (- INR n / INR #|C|).
Proof.
have law := uniform_law; rewrite (survival_missing law) /missing.
apply: (Rle_trans _ (∑ c, Pr (draws n ρ) (fun I => [forall i, I i != c]))).
  rewrite /Pr; apply: (Rle_trans _ (∑ c, ∑ I : {ffun 'I_n -> C}, if [forall i, I i != c] then draws n ρ I else 0)); last first.
    by apply: sum_le => c; rewrite -sum_if; apply: Rle_refl.
  rewrite -sum_if sum_exchange; apply: sum_le => I; have I0 := law_ge0 (draws_law n law) I.
  case: (boolP [forall c, (c \in [set: C]) ==> (c \in codom I)]) => /= [_|].
    by apply: sum_ge0 => c; case: ifP => _ //; exact: Rle_refl.
  rewrite negb_forall => /existsP [c]; rewrite inE /= => cI.
  have c_miss : [forall i, I i != c] by apply/forallP => i; apply: contra cI => /eqP <-; apply: codom_f.
  have := @sum_term_le _ (fun c => if [forall i, I i != c] then draws n ρ I else 0) c; rewrite c_miss; apply.
  by move=> d; case: ifP => _ //; exact: Rle_refl.
rewrite -/N -sum_const; apply: sum_le => c.
rewrite /draws (@Pr_all _ _ (fun=> ρ) (fun _ d => d != c)) (eq_bigr (fun=> 1 - / N)) => [|i _]; last first.
  have := Pr_not law (pred1 c); rewrite /Pr big_pred1_eq => <-; by apply: eq_bigl.
rewrite prod_const; have le1 : / N <= 1 by have := law_le1 law c.
apply: (Rle_trans _ (exp (- / N) ^ n)).
  apply: pow_incr; split; first lra.
  by have := exp_tangent 0 (- / N); rewrite exp_0; lra.
apply: Req_le; elim: n => [|n IH]; first by rewrite /= /Rdiv Ropp_0 Rmult_0_l exp_0.
by rewrite -tech_pow_Rmult IH -exp_plus S_INR; congr exp; field; lra.
Qed.
End Uniform.

(** * Controls *)

(** One class: T_cc = 1. *)
Lemma survival_one n : survival (fun _ : unit => / INR #|unit_finType|) n = if n is 0%N then 1 else 0.
Proof.
have law : is_law (fun _ : unit => / INR #|unit_finType|) by apply: uniform_law; rewrite card_unit.
rewrite (survival_missing law); case: n => [|n].
  by apply: (missing_0 law); apply/set0Pn; exists tt; rewrite inE.
rewrite (missing_step) sum_unit (_ : _ :\ tt = set0) ?missing_none ?Rmult_0_r //.
by apply/setP => -[]; rewrite !inE.
Qed.

Lemma series_one : is_series (survival (fun _ : unit => / INR #|unit_finType|)) 1.
Proof.
have := @cc_mean_printed [finType of unit]; rewrite card_unit => /(_ isT).
by rewrite [harmonic 1]/= Rplus_0_l Rinv_1 !Rmult_1_r.
Qed.

(** Var T_cc = (π N_C)²/6 is false as printed: with one class T_cc = 1, and the variance is 0.  E T² = Σ (2n + 1) P(T > n).
    [claim] merad2020.cc-variance  [sense] printed  [scope] refuted for one class *)
Theorem cc_variance_printed_refuted : ~ (forall (C : finType), (0 < #|C|)%N -> forall m1 m2,
  is_series (survival (fun _ : C => / INR #|C|)) m1 ->
  is_series (fun n => (2 * INR n + 1) * survival (fun _ : C => / INR #|C|) n) m2 ->
  m2 - m1 ^ 2 = (PI * INR #|C|) ^ 2 / 6).
Proof.
move=> /(_ unit_finType ltac:(by rewrite card_unit) 1 1 series_one) h.
have : is_series (fun n => (2 * INR n + 1) * survival (fun _ : unit => / INR #|unit_finType|) n) 1.
  apply: is_series_ext series_one => -[|n]; rewrite survival_one /=; ring.
move=> /h; rewrite card_unit /=; have := PI_RGT_0; nra.
Qed.

(** Control b: H_{N_C − 1}. *)
Theorem cc_mean_printed_control : ~ (forall (C : finType), (0 < #|C|)%N ->
  is_series (survival (fun _ : C => / INR #|C|)) (INR #|C| * harmonic (#|C| - 1))).
Proof.
move=> /(_ unit_finType); have := is_series_unique _ _ series_one; rewrite card_unit => one /(_ isT) /is_series_unique.
by rewrite one /=; lra.
Qed.

(** e^{−n} in place of e^{−n/N_C}: two classes, one draw. *)
Theorem cc_chebyshev_exponential_control : ~ (forall (C : finType) n, (0 < #|C|)%N ->
  survival (fun _ : C => / INR #|C|) n <= INR #|C| * exp (- INR n)).
Proof.
have law : is_law (fun _ : bool => / INR #|bool_finType|) by apply: uniform_law; rewrite card_bool.
move=> /(_ bool_finType 1%N); rewrite (survival_missing law) missing_step sum_bool !(missing_0 law).
- by rewrite card_bool => /(_ isT); apply: Rlt_not_le; rewrite /=; bound.
- by apply/set0Pn; exists true; rewrite !inE.
- by apply/set0Pn; exists false; rewrite !inE.
Qed.
