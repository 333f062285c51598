(** Merad et al., section 7: the facts on log-sum-exp and on sums of softpluses that the proofs use, for any number of
    entries, real or −∞. *)
Require Import Contrapositive.Tactics Contrapositive.Entries Contrapositive.merad2020.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

(** * LSE and the largest entry *)
Section Max.
Variables (I : finType) (x : I -> entry).

Lemma card_gt0_INR (i : I) : 0 < INR #|I|.
Proof. by apply: lt_0_INR; apply/ltP; apply/card_gt0P; exists i. Qed.

(** max x <= LSE(x) <= max x + log n.
    [claim] merad2020.fact-lse-max  [sense] printed  [scope] entries real or −∞, any number *)
Theorem fact_lse_max_printed M : largest M x -> M ≼ lse x /\ lse x ≼ M + ln (INR #|I|).
Proof.
case=> le [i eq]; split; apply/at_mostE; rewrite Exp_lse.
  by rewrite -eq; apply: (sum_term_le i) => j; apply: Exp_ge0.
rewrite /= exp_plus exp_ln; last exact: card_gt0_INR i.
by rewrite Rmult_comm -(sum_const I (exp M)); apply: sum_le => j; have /at_mostE := le j.
Qed.

(** log(1 + (n−1)e^{m−M}) <= LSE(x) − M <= log(1 + (n−1)e^{y−M}), the entries beside one that is M being between m and y.
    [claim] merad2020.fact-lse-max  [sense] gaps  [scope] entries real or −∞, any number *)
Theorem fact_lse_max_gaps (M : R) m y i : x i = M -> (forall j, j != i -> m ≼ x j /\ x j ≼ y) ->
  ln (1 + (INR #|I| - 1) * Exp (m ⊖ M)) ≼ lse x ⊖ M /\ lse x ⊖ M ≼ ln (1 + (INR #|I| - 1) * Exp (y ⊖ M)).
Proof.
move=> eq others.
have n1 k : (INR #|I| - 1) * k = ∑ (j | j != i), k.
  by have := sum_const I k; rewrite (sum_D1 (fun=> k) i); lra.
have e : Exp (lse x ⊖ M) = 1 + ∑ (j | j != i), Exp (x j ⊖ M).
  rewrite Exp_plus Exp_lse (sum_D1 _ i) eq /= Rmult_plus_distr_r -exp_plus Rplus_opp_r exp_0 -psum_mulr.
  by congr (1 + _); apply: eq_bigr => j _; rewrite Exp_plus.
have pos a : 0 <= ∑ (j | j != i), Exp a by apply: psum_ge0 => *; apply: Exp_ge0.
have mono a b : a ≼ b -> Exp (a ⊖ M) <= Exp (b ⊖ M).
  by move=> /at_mostE; rewrite !Exp_plus; apply: Rmult_le_compat_r; apply: Exp_ge0.
split; apply/at_mostE; rewrite e [Exp (Real _)]/= exp_ln n1;
  try (by have := pos (m ⊖ M); lra); try (by have := pos (y ⊖ M); lra);
  by apply: Rplus_le_compat_l; apply: psum_le => j /others [my yj]; apply: mono.
Qed.

(** LSE(x) >= 0 where max x >= 0.
    [claim] merad2020.fact-lse-nonneg  [sense] printed  [scope] entries real or −∞, any number *)
Theorem fact_lse_nonneg_printed M : largest M x -> 0 <= M -> 0 ≼ lse x.
Proof. by case/fact_lse_max_printed; case: (lse x) => //= L; lra. Qed.
End Max.

(** The exponential is convex: mean(x) + log n <= LSE(x) for numbers. *)
Lemma mean_le_LSE (I : finType) (t : I -> R) (i0 : I) : (∑ i, t i) / INR #|I| + ln (INR #|I|) <= LSE t.
Proof.
have n0 := card_gt0_INR i0; set n := INR #|I| in n0 *.
have S0 := sum_exp_gt0 t i0; set S := ∑ i, exp (t i) in S0.
have: ∑ i, t i <= ∑ i, (ln (S / n) + (exp (t i) - S / n) / (S / n)).
  apply: sum_le => i; rewrite -{1}(ln_exp (t i)).
  by apply: ln_tangent; [apply: Rdiv_lt_0_compat | apply: exp_pos].
rewrite sum_add sum_const.
have -> : ∑ i, (exp (t i) - S / n) / (S / n) = ∑ i, (exp (t i) * (n / S) - 1) by apply: sum_ext => i; field; lra.
rewrite sum_sub sum_mulr sum_const -/n -/S ln_div // => h.
rewrite /LSE -/S; apply: (Rmult_le_reg_l n) => //.
have -> : n * ((∑ i, t i) / n + ln n) = ∑ i, t i + n * ln n by field; lra.
have e1 : S * (n / S) = n by field; lra.
by rewrite e1 in h; lra.
Qed.

(** LSE(x) >= mean(x) + log n, so LSE(x) >= 0 if mean(x) >= −log n; the mean is −∞ if an entry is.
    [claim] merad2020.fact-lse-nonneg  [sense] by-the-mean  [scope] entries real or −∞, any number *)
Theorem fact_lse_nonneg_by_the_mean (I : finType) (x : I -> entry) : (0 < #|I|)%N ->
  mean x ⊕ ln (INR #|I|) ≼ lse x /\ (- ln (INR #|I|) ≼ mean x -> 0 ≼ lse x).
Proof.
move=> /card_gt0P [i0 _]; case: (mean_cases x) => [[t eq] | ->]; last by split=> //=.
have -> : mean x = mean t by rewrite /mean (eq_bigr (fun i => Real (t i))).
have -> : lse x = lse t by congr Log; apply: sum_ext => i; rewrite eq.
by rewrite mean_real (lse_real t i0) /plus /at_most; have := mean_le_LSE t i0; split; lra.
Qed.

(** * LSE over a part of the entries *)
Section Restrict.
Variables (I : finType) (x : I -> entry).

(** LSE(x_S) <= LSE(x), empty S included.
    [claim] merad2020.fact-lse-restrict  [sense] printed  [scope] entries real or −∞, any number *)
Theorem fact_lse_restrict_printed (S : pred I) : lse_on S x ≼ lse x.
Proof.
apply/at_mostE; rewrite Exp_lse Exp_lse_on (sum_split S).
by have := sum_Exp_ge0 (predC S) x; rewrite /=; lra.
Qed.

(** LSE(x) = LSE(x_S) + ζ(LSE(x_{S^c}) − LSE(x_S)), where x_S has a finite entry; x_{S^c} may have none or be empty.
    [claim] merad2020.fact-lse-restrict  [sense] lost  [scope] entries real or −∞, any number *)
Theorem fact_lse_restrict_lost (S : pred I) : (exists i, S i /\ x i <> −∞) ->
  exists2 t : R, lse_on S x = t & lse x = t + softplus (lse_on (predC S) x ⊖ t).
Proof.
case=> i [Si fin]; have A0 := sum_Exp_gt0 Si fin; have B0 := sum_Exp_ge0 (predC S) x.
exists (ln (∑ (j | S j), Exp (x j))); first exact: Log_gt0.
rewrite /softplus Exp_plus Exp_lse_on [Exp (Real _)]/= exp_Ropp exp_ln // /lse (sum_split S).
set A := ∑ (k | S k), _ in A0 *; set B := ∑ (k | predC S k), _ in B0 *.
have BA : 0 <= B * / A by apply: Rmult_le_pos => //; apply: Rlt_le; apply: Rinv_0_lt_compat.
rewrite -ln_mult; [rewrite Log_gt0; last lra | by [] | lra].
by congr Real; congr ln; field; lra.
Qed.
End Restrict.

(** * LSE by pairs *)

(** LSE(x) = LSE(LSE(x_1,x_2), …, LSE(x_{2n−1},x_{2n})) <= max_j LSE(x_{2j−1},x_{2j}) + log n: pair [j] has the entries
    [x j true] and [x j false], and the value −∞ if both are.
    [claim] merad2020.fact-lse-pairing  [sense] printed  [scope] entries real or −∞, any number of pairs *)
Theorem fact_lse_pairing_printed (J : finType) (x : J -> bool -> entry) M :
  let pair j := lse (x j) in let all := lse (fun jb : J * bool => x jb.1 jb.2) in largest M pair ->
  all = lse pair /\ all ≼ M + ln (INR #|J|).
Proof.
move=> pair all max; have e : all = lse pair.
  by congr Log; rewrite -(pair_bigA _ (fun j b => Exp (x j b))); apply: sum_ext => j; rewrite Exp_lse.
by split=> //; rewrite e; case: (fact_lse_max_printed max).
Qed.

(** LSE(a) <= max a + log n < max ζ(a_j) + log n.
    [claim] merad2020.fact-lse-pairing  [sense] without-zeros  [scope] entries real or −∞, any number *)
Theorem fact_lse_pairing_without_zeros (I : finType) (a : I -> entry) M Z :
  largest M a -> is_max Z (fun i => softplus (a i)) ->
  lse a ≼ M + ln (INR #|I|) /\ M + ln (INR #|I|) < Z + ln (INR #|I|).
Proof.
move=> max [le _]; split; first by case: (fact_lse_max_printed max).
case: max => _ [i eq]; have {}le : ζ M <= Z by have := le i; rewrite eq.
by have := ζ_gt0 (- M); move: le; rewrite (ζ_reflection M); lra.
Qed.

(** * The sum of softpluses *)
Section SumLog.
Variables (I : finType) (a : I -> entry).
Let w i := Exp (a i).
Let pairs (s : seq I) := ((\big[Rplus/0]_(i <- s) w i) ^ 2 - \big[Rplus/0]_(i <- s) w i ^ 2) / 2.

(** The product of the 1 + w_i, for w_i >= 0, is at least all its terms of degree up to two. *)
Lemma product_second_order (s : seq I) :
  0 <= \big[Rplus/0]_(i <- s) w i /\ 0 <= pairs s /\
  1 + \big[Rplus/0]_(i <- s) w i + pairs s <= exp (\big[Rplus/0]_(i <- s) softplus (a i)).
Proof.
rewrite /pairs; elim: s => [|i s [S0 [Q0 IH]]]; first by rewrite !big_nil exp_0; lra.
have e0 : 0 <= w i := Exp_ge0 (a i); rewrite !big_cons exp_plus.
have -> : exp (softplus (a i)) = 1 + w i by rewrite /softplus exp_ln // -/(w i); lra.
set S := \big[Rplus/0]_(j <- s) w j in S0 Q0 IH *; set Q := \big[Rplus/0]_(j <- s) w j ^ 2 in Q0 IH *.
by split; [lra | split; nra].
Qed.

Lemma pairs_sum : ∑ i, ∑ (j | j != i), Exp (a i ⊕ a j) = 2 * pairs (index_enum I).
Proof.
have -> : 2 * pairs (index_enum I) = (∑ i, w i) ^ 2 - ∑ i, w i ^ 2 by rewrite /pairs; field.
rewrite /= Rmult_1_r sum_mul -sum_sub; apply: sum_ext => i; rewrite (sum_D1 _ i).
rewrite (eq_bigr (fun j => w i * w j)) => [|j _]; first by ring.
exact: Exp_plus.
Qed.

(** Σ ζ(a_i) − log(1 + Σ e^{a_i}) >= log(1 + Σ_{i<j} e^{a_i+a_j}/(1 + Σ e^{a_i})); each pair is met twice in the double sum.
    [claim] merad2020.fact-sum-log  [sense] second-order  [scope] entries real or −∞, any number *)
Theorem fact_sum_log_second_order :
  ln (1 + (∑ i, ∑ (j | j != i), Exp (a i ⊕ a j)) / 2 / (1 + ∑ i, Exp (a i)))
    <= ∑ i, softplus (a i) - ln (1 + ∑ i, Exp (a i)).
Proof.
have [S0 [P0 le]] := product_second_order (index_enum I); rewrite pairs_sum.
set S := ∑ i, Exp (a i) in S0 le *; set P := pairs _ in P0 le *.
have -> : 1 + 2 * P / 2 / (1 + S) = (1 + S + P) / (1 + S) by field; lra.
rewrite -/S ln_div; try lra.
suff: ln (1 + S + P) <= ∑ i, softplus (a i) by lra.
by rewrite -(ln_exp (∑ i, softplus (a i))); apply: ln_le; lra.
Qed.

Lemma sum_pairs_ge0 : 0 <= (∑ i, ∑ (j | j != i), Exp (a i ⊕ a j)) / 2 / (1 + ∑ i, Exp (a i)).
Proof.
have [S0 [P0 _]] := product_second_order (index_enum I); rewrite pairs_sum.
have -> : 2 * pairs (index_enum I) / 2 = pairs (index_enum I) by field.
have {}S0 : 0 <= ∑ i, Exp (a i) := S0.
by apply: Rmult_le_pos => //; apply: Rlt_le; apply: Rinv_0_lt_compat; lra.
Qed.

(** Σ log(1 + e^{a_i}) >= log(1 + Σ e^{a_i}).
    [claim] merad2020.fact-sum-log  [sense] printed  [scope] entries real or −∞, any number *)
Theorem fact_sum_log_printed : ln (1 + ∑ i, Exp (a i)) <= ∑ i, softplus (a i).
Proof.
have := fact_sum_log_second_order; have := sum_pairs_ge0; set D := _ / _ => D0.
suff: 0 <= ln (1 + D) by lra.
by apply: ln_ge0; lra.
Qed.

(** The inequality is strict where two entries are finite, and so for k >= 2 entries of −300 at least.
    [claim] merad2020.fact-sum-log  [sense] strict  [scope] entries real or −∞, two of them finite *)
Theorem fact_sum_log_strict : (exists i j, i != j /\ a i <> −∞ /\ a j <> −∞) ->
  ln (1 + ∑ i, Exp (a i)) < ∑ i, softplus (a i).
Proof.
case=> i [j [ij [fi fj]]]; have := fact_sum_log_second_order.
have D0 : 0 < ∑ i, ∑ (j | j != i), Exp (a i ⊕ a j).
  apply: (sum_lt0 (F := fun i => ∑ (j | j != i), Exp (a i ⊕ a j))) => [k|].
    exact: (sum_Exp_ge0 (fun j => j != k) (fun j => a k ⊕ a j)).
  exists i; apply: (@sum_Exp_gt0 _ (fun k => k != i) (fun k => a i ⊕ a k) j); first by rewrite eq_sym.
  by case: (a i) (a j) fi fj => [s|] [t|].
have S0 : 0 <= ∑ i, Exp (a i) := sum_Exp_ge0 predT a; set D := ∑ i, ∑ (j | j != i), _ in D0 *.
suff: 0 < ln (1 + D / 2 / (1 + ∑ i, Exp (a i))) by lra.
apply: ln_gt0; suff: 0 < D / 2 / (1 + ∑ i, Exp (a i)) by lra.
by apply: Rdiv_lt_0_compat; lra.
Qed.
End SumLog.

(** * Controls *)
Definition zeros (I : Type) (i : I) : R := 0.
Definition zero_and (r : R) (b : bool) : R := if b then 0 else r.

Lemma zeros_largest (I : finType) (i : I) : largest 0 (@zeros I).
Proof. by split=> [j|]; [apply: Rle_refl | exists i]. Qed.

Lemma lse_zeros (I : finType) (i : I) : lse (@zeros I) = ln (INR #|I|).
Proof. by rewrite (lse_real _ i) /LSE /zeros exp_0 sum_const Rmult_1_r. Qed.

(** Control a: log(n − 1) in place of log n. *)
Theorem fact_lse_max_printed_control : ~ (forall (I : finType) (x : I -> entry) M, (2 <= #|I|)%N -> largest M x ->
  lse x ≼ M + ln (INR #|I| - 1)).
Proof.
move=> /(_ _ (@zeros bool) 0); rewrite card_bool => /(_ isT (zeros_largest true)).
by rewrite (lse_zeros true) card_bool; apply: Rlt_not_le; rewrite /=; bound.
Qed.

(** The upper gap taken with the smallest of the other entries. *)
Theorem fact_lse_max_gaps_control : ~ (forall (I : finType) (x : I -> entry) (M : R) m i, x i = M ->
  (exists2 j, j != i & x j = m) -> lse x ⊖ M ≼ ln (1 + (INR #|I| - 1) * Exp (m ⊖ M))).
Proof.
pose x (o : option bool) := if o is Some b then zero_and (-5) b else 0.
move=> /(_ _ x 0 (-5) None erefl) /(_ (ex_intro2 _ _ (Some false) isT erefl)).
rewrite (lse_real x None) card_option card_bool /LSE sum_option sum_bool /zero_and /=.
by apply: Rlt_not_le; bound.
Qed.

(** Control c: LSE(x) >= 1. *)
Theorem fact_lse_nonneg_printed_control : ~ (forall (I : finType) (x : I -> entry) M, largest M x -> 0 <= M -> 1 ≼ lse x).
Proof.
move=> /(_ _ _ _ (zeros_largest true) (Rle_refl 0)); rewrite (lse_zeros true) card_bool.
by apply: Rlt_not_le; rewrite /=; bound.
Qed.

(** Twice log n above the mean. *)
Theorem fact_lse_nonneg_by_the_mean_control : ~ (forall (I : finType) (x : I -> entry), (0 < #|I|)%N ->
  mean x ⊕ (2 * ln (INR #|I|)) ≼ lse x).
Proof.
move=> /(_ _ (@zeros bool)); rewrite card_bool => /(_ isT); rewrite (lse_zeros true) mean_real card_bool sum_bool.
by apply: Rlt_not_le; rewrite /zeros /=; bound.
Qed.

(** Control b: the restriction loses ½ at least. *)
Theorem fact_lse_restrict_printed_control : ~ (forall (I : finType) (x : I -> entry) (S : pred I),
  (exists i, S i) -> (exists i, ~~ S i) -> lse_on S x ⊕ (1 / 2) ≼ lse x).
Proof.
move=> /(_ _ (zero_and (-5)) id (ex_intro _ true isT) (ex_intro _ false isT)).
rewrite (lse_real _ true) /lse_on /LSE; expand; rewrite /zero_and /= Rplus_0_r exp_0 Log_gt0; last lra.
by apply: Rlt_not_le; bound.
Qed.

(** The part and its complement exchanged inside ζ. *)
Theorem fact_lse_restrict_lost_control : ~ (forall (I : finType) (x : I -> entry) (S : pred I) (t : R),
  lse_on S x = t -> lse x = lse_on (predC S) x ⊕ softplus (lse_on (predC S) x ⊖ t)).
Proof.
have one : lse_on id (zero_and 1) = 0.
  by rewrite /lse_on; expand; rewrite Rplus_0_r exp_0 Log_gt0 ?ln_1 //; lra.
move=> /(_ _ _ _ _ one); rewrite (lse_real _ true) /lse_on /LSE /softplus; expand.
rewrite /zero_and /= Rplus_0_l Log_gt0; last exact: exp_pos.
by rewrite ln_exp /= => -[]; apply: Rlt_not_eq; bound.
Qed.

(** Control a: log(n − 1) in place of log n. *)
Theorem fact_lse_pairing_printed_control : ~ (forall (J : finType) (x : J -> bool -> entry) M, (2 <= #|J|)%N ->
  largest M (fun j => lse (x j)) -> lse (fun jb : J * bool => x jb.1 jb.2) ≼ M + ln (INR #|J| - 1)).
Proof.
pose x (j : bool) := @zeros bool; have two : lse (x true) = ln (INR 2) by rewrite (lse_zeros true) card_bool.
move=> /(_ _ x (ln (INR 2))); rewrite card_bool => /(_ isT) false.
have /false : largest (ln (INR 2)) (fun j => lse (x j)).
  by split=> [j|]; [rewrite two; apply: Rle_refl | exists true].
rewrite (lse_zeros (true, true)) card_prod card_bool; apply: Rlt_not_le; rewrite /=; bound.
Qed.

(** Softplus has no log 2 to spare: max ζ(a_j) + log n − log 2 is too small. *)
Theorem fact_lse_pairing_without_zeros_control : ~ (forall (I : finType) (a : I -> entry) Z,
  is_max Z (fun i => softplus (a i)) -> lse a ≼ Z + ln (INR #|I|) - ln 2).
Proof.
move=> /(_ unit_finType (fun=> Real 1) (ζ 1)) false.
have /false : is_max (ζ 1) (fun _ : unit => softplus 1) by split=> [i|]; [apply: Rle_refl | exists tt].
rewrite (lse_real (fun=> 1) tt) /LSE sum_unit card_unit ln_exp; apply: Rlt_not_le; rewrite /ζ /=; bound.
Qed.

(** Control b: log(2 + Σ e^{a_i}). *)
Theorem fact_sum_log_printed_control : ~ (forall (I : finType) (a : I -> entry),
  ln (2 + ∑ i, Exp (a i)) <= ∑ i, softplus (a i)).
Proof. by move=> /(_ _ (@zeros unit)); apply: Rlt_not_le; rewrite !sum_unit /softplus /= /zeros; bound. Qed.

(** Each pair counted twice. *)
Theorem fact_sum_log_second_order_control : ~ (forall (I : finType) (a : I -> entry),
  ln (1 + (∑ i, ∑ (j | j != i), Exp (a i ⊕ a j)) / (1 + ∑ i, Exp (a i)))
    <= ∑ i, softplus (a i) - ln (1 + ∑ i, Exp (a i))).
Proof.
move=> /(_ _ (@zeros bool)); apply: Rlt_not_le.
by expand; rewrite /softplus /= /zeros; bound.
Qed.

(** One finite entry: both sides are equal. *)
Theorem fact_sum_log_strict_control : ~ (forall (I : finType) (a : I -> entry), (exists i, a i <> −∞) ->
  ln (1 + ∑ i, Exp (a i)) < ∑ i, softplus (a i)).
Proof.
move=> /(_ unit_finType (@zeros unit)) false; have /false : exists i : unit, Real (zeros i) <> −∞ by exists tt.
by rewrite !sum_unit; apply: Rlt_irrefl.
Qed.
