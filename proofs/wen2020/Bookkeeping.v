(** Wen, Appendix A.2, C.4, D.1 and D.2: the inequalities (k4) to (k11) between powers of the sizes n, L, m, log m, d, k,
    δ, ε, up to constants.  Sizes are positive real numbers, and log m is one of its own.  Where an inequality fails, it
    fails for every constant once one size is large, whatever the others are. *)
Require Import Contrapositive.Sums Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

(** The number of steps times the step size, as printed: n³d/(mδε²). *)
Definition Tη (n d m δ ε : R) : R := n ^ 3 * d / (m * δ * ε ^ 2).
Definition η (n L d m k δ ε : R) : R := d * ε ^ 2 * δ ^ 2 / (n ^ 7 * L ^ 2 * k * m).

(** A size whose root exceeds C. *)
Lemma large C : exists s, 1 <= s /\ C < sqrt s.
Proof.
exists ((Rabs C + 1) ^ 2); have C0 := Rabs_pos C; split; first nra.
by rewrite sqrt_pow2; have := Rle_abs C; lra.
Qed.

(** (k4): √(n⁴d/(Tηδm)) <= C ε for Tη = n³d/(mδε²); the left side is √n ε.
    [claim] wen2020.bookkeeping  [sense] s4  [scope] refuted for every constant, at all other sizes *)
Theorem bookkeeping_s4_refuted C : exists n, 1 <= n /\ forall d m δ ε, 0 < d -> 0 < m -> 0 < δ -> 0 < ε ->
  C * ε < sqrt (n ^ 4 * d / (Tη n d m δ ε * δ * m)).
Proof.
have [n [n1 Cn]] := large C; exists n; split=> // d m δ ε d0 m0 δ0 ε0.
have -> : n ^ 4 * d / (Tη n d m δ ε * δ * m) = n * ε ^ 2 by rewrite /Tη; field; lra.
rewrite sqrt_mult ?sqrt_pow2; try nra.
Qed.

(** ... with n⁴ in Tη the member is ε.
    [claim] wen2020.bookkeeping  [sense] k4-fourth  [scope] all positive sizes *)
Theorem bookkeeping_k4_fourth n d m δ ε : 0 < n -> 0 < d -> 0 < m -> 0 < δ -> 0 < ε ->
  sqrt (n ^ 4 * d / (n ^ 4 * d / (m * δ * ε ^ 2) * δ * m)) <= ε.
Proof.
move=> n0 d0 m0 δ0 ε0; have -> : n ^ 4 * d / (n ^ 4 * d / (m * δ * ε ^ 2) * δ * m) = ε ^ 2 by field; lra.
by rewrite sqrt_pow2; lra.
Qed.

(** (k5): Tη/η = n¹⁰L²k/(δ³ε⁴) for Tη = n³d/(mδε²) and η = dε²δ²/(n⁷L²km).
    [claim] wen2020.bookkeeping  [sense] s5  [scope] all positive sizes *)
Theorem bookkeeping_s5 n L d m k δ ε : 0 < n -> 0 < L -> 0 < d -> 0 < m -> 0 < k -> 0 < δ -> 0 < ε ->
  Tη n d m δ ε / η n L d m k δ ε = n ^ 10 * L ^ 2 * k / (δ ^ 3 * ε ^ 4).
Proof. by move=> *; rewrite /Tη /η; field; lra. Qed.

(** (k6), the root over the whole product: √(Tη)·√((Lm/d)·n⁴d/(mδ)) <= C n^{7/2}√d/(δε√m); the left side has √L besides.
    [claim] wen2020.bookkeeping  [sense] s6-a  [scope] refuted for every constant, at all other sizes *)
Theorem bookkeeping_s6_a_refuted C : exists L, 1 <= L /\ forall n d m δ ε, 0 < n -> 0 < d -> 0 < m -> 0 < δ -> 0 < ε ->
  C * (n ^ 3 * sqrt n * sqrt d / (δ * ε * sqrt m))
    < sqrt (Tη n d m δ ε) * sqrt (L * m / d * (n ^ 4 * d / (m * δ))).
Proof.
have [L [L1 CL]] := large C; exists L; split=> // n d m δ ε n0 d0 m0 δ0 ε0.
have T0 : 0 < Tη n d m δ ε.
  apply: Rdiv_lt_0_compat; first by apply: Rmult_lt_0_compat => //; apply: pow_lt.
  by apply: Rmult_lt_0_compat; [apply: Rmult_lt_0_compat | apply: pow_lt].
have r0 x : 0 < x -> 0 < sqrt x by exact: sqrt_lt_R0.
have s2 x : 0 < x -> sqrt x ^ 2 = x by move=> x0; rewrite /= Rmult_1_r sqrt_sqrt; lra.
set r := n ^ 3 * sqrt n * sqrt d / (δ * ε * sqrt m).
have rr : 0 < r.
  apply: Rdiv_lt_0_compat; apply: Rmult_lt_0_compat; try exact: r0; last exact: Rmult_lt_0_compat.
  by apply: Rmult_lt_0_compat; [apply: pow_lt | apply: r0].
rewrite -sqrt_mult_alt; last lra.
have -> : Tη n d m δ ε * (L * m / d * (n ^ 4 * d / (m * δ))) = L * r ^ 2.
  have -> : r ^ 2 = n ^ 6 * sqrt n ^ 2 * sqrt d ^ 2 / (δ ^ 2 * ε ^ 2 * sqrt m ^ 2).
    by have := r0 m m0; rewrite /r => sm; field; lra.
  by rewrite !s2 // /Tη; field; lra.
rewrite sqrt_mult ?sqrt_pow2; try nra.
Qed.

(** The root of a square that is written with roots. *)
Lemma sqrt_is x y : 0 <= y -> x = y ^ 2 -> sqrt x = y.
Proof. by move=> y0 ->; exact: sqrt_pow2. Qed.
Ltac positive := repeat first [assumption | lra | apply: Rdiv_lt_0_compat | apply: Rmult_lt_0_compat | apply: pow_lt | apply: sqrt_lt_R0].

(** (k6), the step before with the lemma's bound √(Lm/(nd)): √(Tη)·√((Lm/(nd))·n⁴d/(mδ)) <= C n^{7/2}√d/(δε√m); √(L/n) is missing.
    [claim] wen2020.bookkeeping  [sense] s6-a-lemma  [scope] refuted for every constant and every n, at all other sizes *)
Theorem bookkeeping_s6_a_lemma_refuted C n : 1 <= n -> exists L, 1 <= L /\ forall d m δ ε, 0 < d -> 0 < m -> 0 < δ -> 0 < ε ->
  C * (n ^ 3 * sqrt n * sqrt d / (δ * ε * sqrt m)) < sqrt (Tη n d m δ ε) * sqrt (L * m / (n * d) * (n ^ 4 * d / (m * δ))).
Proof.
move=> n1; have [L [L1 CL]] := large (C * sqrt n); exists L; split=> // d m δ ε d0 m0 δ0 ε0.
have sn : 0 < sqrt n by positive. have sd : 0 < sqrt d by positive. have sm : 0 < sqrt m by positive. have sL : 0 < sqrt L by positive.
have en := sqrt_sqrt n ltac:(lra). have ed := sqrt_sqrt d ltac:(lra). have em := sqrt_sqrt m ltac:(lra). have eL := sqrt_sqrt L ltac:(lra).
pose r := n ^ 3 * sqrt d / (δ * ε * sqrt m); have r0 : 0 < r by rewrite /r; positive.
have -> : C * (n ^ 3 * sqrt n * sqrt d / (δ * ε * sqrt m)) = C * sqrt n * r by rewrite /r; field; lra.
rewrite -sqrt_mult_alt; last by apply: Rlt_le; rewrite /Tη; positive.
rewrite (@sqrt_is (Tη n d m δ ε * _) (sqrt L * r)); [exact: Rmult_lt_compat_r | by apply: Rlt_le; positive |].
have -> : (sqrt L * r) ^ 2 = sqrt L * sqrt L * (n ^ 6 * (sqrt d * sqrt d) / (δ ^ 2 * ε ^ 2 * (sqrt m * sqrt m))) by rewrite /r; field; lra.
by rewrite eL ed em /Tη; field; lra.
Qed.

(** (k6), the root over Lm/d alone: √((Lm/d)·n⁴d/(mδ)) <= C √(Lm/d)·n⁴d/(mδ) for d = (log m)²; the right side is too small by n²√d/√(mδ).
    [claim] wen2020.bookkeeping  [sense] s6-b-middle  [scope] refuted for every constant and all other sizes, from some width on *)
Theorem bookkeeping_s6_b_middle_refuted C n L log_m δ : 0 < n -> 0 < L -> 0 < log_m -> 0 < δ -> let d := log_m ^ 2 in
  exists M, forall m, M <= m -> 0 < m -> C * (sqrt (L * m / d) * (n ^ 4 * d / (m * δ))) < sqrt (L * m / d * (n ^ 4 * d / (m * δ))).
Proof.
move=> n0 L0 l0 δ0 d; have [M [M1 CM]] := large (C * n ^ 2 * log_m / sqrt δ); exists M => m Mm m0.
have sδ : 0 < sqrt δ by positive. have sm : 0 < sqrt m by positive. have sL : 0 < sqrt L by positive.
have eδ := sqrt_sqrt δ ltac:(lra). have em := sqrt_sqrt m ltac:(lra). have eL := sqrt_sqrt L ltac:(lra).
have big : C * n ^ 2 * log_m / sqrt δ < sqrt m by apply: Rlt_le_trans CM _; exact: sqrt_le_1_alt.
rewrite (@sqrt_is (L * m / d) (sqrt L * sqrt m / log_m)); [| by apply: Rlt_le; positive |]; last first.
  have -> : (sqrt L * sqrt m / log_m) ^ 2 = sqrt L * sqrt L * (sqrt m * sqrt m) / log_m ^ 2 by field; lra.
  by rewrite eL em.
rewrite (@sqrt_is (L * m / d * _) (sqrt L * n ^ 2 / sqrt δ)); [| by apply: Rlt_le; positive |]; last first.
  have -> : (sqrt L * n ^ 2 / sqrt δ) ^ 2 = sqrt L * sqrt L * n ^ 4 / (sqrt δ * sqrt δ) by field; lra.
  by rewrite eL eδ /d; field; lra.
have -> : C * (sqrt L * sqrt m / log_m * (n ^ 4 * d / (m * δ))) = C * n ^ 2 * log_m / sqrt δ * (sqrt L * n ^ 2 / (sqrt m * sqrt δ)).
  have -> : n ^ 4 * d / (m * δ) = n ^ 4 * d / (sqrt m * sqrt m * (sqrt δ * sqrt δ)) by rewrite em eδ.
  by rewrite /d; field; lra.
have -> : sqrt L * n ^ 2 / sqrt δ = sqrt m * (sqrt L * n ^ 2 / (sqrt m * sqrt δ)) by field; lra.
by apply: Rmult_lt_compat_r big; positive.
Qed.

(** (k2) of Theorem A.2: n^{7/2}√d/(δε√m) <= C δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = (log m)² and m = n¹²L¹²(log m)⁵δ^{−5}ε^{−2}; √n is missing.
    [claim] wen2020.bookkeeping  [sense] s2-appendix  [scope] refuted for every constant, at all other sizes *)
Theorem bookkeeping_s2_appendix_refuted C : exists n, 1 <= n /\ forall L log_m δ ε, 0 < L -> 0 < log_m -> 0 < δ -> 0 < ε ->
  let d := log_m ^ 2 in let m := n ^ 12 * L ^ 12 * log_m ^ 5 / (δ ^ 5 * ε ^ 2) in
  C * (δ * sqrt δ / (n ^ 3 * L ^ 6 * (log_m * sqrt log_m))) < n ^ 3 * sqrt n * sqrt d / (δ * ε * sqrt m).
Proof.
have [n [n1 Cn]] := large C; exists n; split=> // L l δ ε L0 l0 δ0 ε0 d m.
have sδ : 0 < sqrt δ by positive. have sl : 0 < sqrt l by positive. have sn : 0 < sqrt n by positive.
have eδ := sqrt_sqrt δ ltac:(lra). have el := sqrt_sqrt l ltac:(lra).
rewrite (@sqrt_is m (n ^ 6 * L ^ 6 * (l ^ 2 * sqrt l) / (δ ^ 2 * sqrt δ * ε))); [| by apply: Rlt_le; positive |]; last first.
  have -> : (n ^ 6 * L ^ 6 * (l ^ 2 * sqrt l) / (δ ^ 2 * sqrt δ * ε)) ^ 2 = n ^ 12 * L ^ 12 * (l ^ 4 * (sqrt l * sqrt l)) / (δ ^ 4 * (sqrt δ * sqrt δ) * ε ^ 2) by field; lra.
  by rewrite el eδ /m; field; lra.
rewrite (@sqrt_is d l) //; last lra.
have -> : n ^ 3 * sqrt n * l / (δ * ε * (n ^ 6 * L ^ 6 * (l ^ 2 * sqrt l) / (δ ^ 2 * sqrt δ * ε))) = sqrt n * (δ * sqrt δ / (n ^ 3 * L ^ 6 * (l * sqrt l))).
  by field; lra.
by apply: Rmult_lt_compat_r Cn; positive.
Qed.

(** (k2) for any d >= (log m)², m = n¹⁵L¹²(log m)⁵δ^{−5}ε^{−2}: the radius of the trajectory grows with √d, the width does not.
    [claim] wen2020.bookkeeping  [sense] s2-free  [scope] refuted for every constant, every n and log m, at all other sizes *)
Theorem bookkeeping_s2_free_refuted C n log_m : 1 <= n -> 0 < log_m -> exists d, log_m ^ 2 <= d /\ forall L δ ε, 0 < L -> 0 < δ -> 0 < ε ->
  let m := n ^ 15 * L ^ 12 * log_m ^ 5 / (δ ^ 5 * ε ^ 2) in
  C * (δ * sqrt δ / (n ^ 3 * L ^ 6 * (log_m * sqrt log_m))) < n ^ 3 * sqrt n * sqrt d / (δ * ε * sqrt m).
Proof.
move: log_m => l n1 l0; have [d [d1 Cd]] := large (Rabs C * (n * l) + l).
have c0 := Rabs_pos C; have c1 := Rle_abs C; have nl : 0 < n * l by positive.
have ed := sqrt_sqrt d ltac:(lra); have cnl := Rmult_le_pos _ _ c0 (Rlt_le _ _ nl).
exists d; split; first by rewrite -ed /= Rmult_1_r; apply: Rmult_le_compat; lra.
move=> L δ ε L0 δ0 ε0 m.
have sδ : 0 < sqrt δ by positive. have sl : 0 < sqrt l by positive. have sn : 0 < sqrt n by positive.
have eδ := sqrt_sqrt δ ltac:(lra). have el := sqrt_sqrt l ltac:(lra). have en := sqrt_sqrt n ltac:(lra).
rewrite (@sqrt_is m (n ^ 7 * sqrt n * L ^ 6 * (l ^ 2 * sqrt l) / (δ ^ 2 * sqrt δ * ε))); [| by apply: Rlt_le; positive |]; last first.
  have -> : (n ^ 7 * sqrt n * L ^ 6 * (l ^ 2 * sqrt l) / (δ ^ 2 * sqrt δ * ε)) ^ 2
    = n ^ 14 * (sqrt n * sqrt n) * L ^ 12 * (l ^ 4 * (sqrt l * sqrt l)) / (δ ^ 4 * (sqrt δ * sqrt δ) * ε ^ 2) by field; lra.
  by rewrite en el eδ /m; field; lra.
set r := δ * sqrt δ / (n ^ 3 * L ^ 6 * (l * sqrt l)).
have -> : n ^ 3 * sqrt n * sqrt d / (δ * ε * (n ^ 7 * sqrt n * L ^ 6 * (l ^ 2 * sqrt l) / (δ ^ 2 * sqrt δ * ε))) = sqrt d / (n * l) * r by rewrite /r; field; lra.
apply: Rmult_lt_compat_r; first by rewrite /r; positive.
apply: (Rmult_lt_reg_r (n * l)) => //; have -> : sqrt d / (n * l) * (n * l) = sqrt d by field; lra.
by have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ nl) c1; lra.
Qed.

(** (k8): mω^{2/3}L <= C m/(L³ log m) for ω <= L^{−9/2}(log m)^{−3/2}; at the end of the range the left side is m/(L² log m).
    [claim] wen2020.bookkeeping  [sense] s8  [scope] refuted for every constant, at all other sizes *)
Theorem bookkeeping_s8_refuted C : exists L, 1 <= L /\ forall m log_m, 0 < m -> 0 < log_m ->
  exists ω, 0 < ω <= Rpower L (- (9 / 2)) * Rpower log_m (- (3 / 2)) /\
    C * (m / (L ^ 3 * log_m)) < m * Rpower ω (2 / 3) * L.
Proof.
have C0 := Rabs_pos C; have C1 := Rle_abs C; exists (Rabs C + 1); set L := Rabs C + 1.
have L0 : 0 < L by rewrite /L; lra.
split=> [|m l m0 l0]; first by rewrite /L; lra.
have p0 x y : 0 < Rpower x y by apply: exp_pos.
exists (Rpower L (- (9 / 2)) * Rpower l (- (3 / 2))); split; first by split; [apply: Rmult_lt_0_compat | apply: Rle_refl].
rewrite -Rpower_mult_distr // !Rpower_mult.
have -> : - (9 / 2) * (2 / 3) = - INR 3 by rewrite /=; field.
have -> : - (3 / 2) * (2 / 3) = - 1 by field.
rewrite !Rpower_Ropp Rpower_pow // Rpower_1 //.
have -> : m * (/ L ^ 3 * / l) * L = L * (m / (L ^ 3 * l)) by field; lra.
apply: Rmult_lt_compat_r; last by rewrite /L; lra.
by apply: Rdiv_lt_0_compat => //; apply: Rmult_lt_0_compat => //; apply: pow_lt.
Qed.

(** (k10): k·(L²m/d)·(τ²L²m/d) <= C (kL²m²/d²)τ²; the product has L⁴.
    [claim] wen2020.bookkeeping  [sense] s10  [scope] refuted for every constant, at all other sizes *)
Theorem bookkeeping_s10_refuted C : exists L, 1 <= L /\ forall m d k τ, 0 < m -> 0 < d -> 0 < k -> 0 < τ ->
  C * (k * L ^ 2 * m ^ 2 / d ^ 2 * τ ^ 2) < k * (L ^ 2 * m / d) * (τ ^ 2 * L ^ 2 * m / d).
Proof.
have C0 := Rabs_pos C; have C1 := Rle_abs C; exists (Rabs C + 1); set L := Rabs C + 1.
have L1 : 1 <= L by rewrite /L; lra.
split=> // m d k τ m0 d0 k0 τ0.
have -> : k * (L ^ 2 * m / d) * (τ ^ 2 * L ^ 2 * m / d) = L ^ 2 * (k * L ^ 2 * m ^ 2 / d ^ 2 * τ ^ 2) by field; lra.
apply: Rmult_lt_compat_r; last by have CL : C < L; [rewrite /L; lra | nra].
apply: Rmult_lt_0_compat; last exact: pow_lt.
apply: Rdiv_lt_0_compat; last exact: pow_lt.
by apply: Rmult_lt_0_compat; [apply: Rmult_lt_0_compat => // |]; apply: pow_lt; lra.
Qed.

(** ... and with L⁴ on the right it holds.
    [claim] wen2020.bookkeeping  [sense] k10-fourth  [scope] all positive sizes *)
Theorem bookkeeping_k10_fourth L m d k τ : 0 < d ->
  k * (L ^ 2 * m / d) * (τ ^ 2 * L ^ 2 * m / d) <= k * L ^ 4 * m ^ 2 / d ^ 2 * τ ^ 2.
Proof. by move=> d0; apply: Req_le; field; lra. Qed.

(** (k11): Σ_l ‖W′_l‖ <= C ‖W′‖ where ‖W′‖² = Σ_l ‖W′_l‖²; for L + 1 equal layers the sum is √(L + 1)‖W′‖.
    [claim] wen2020.bookkeeping  [sense] s11  [scope] refuted for every constant *)
Theorem bookkeeping_s11_refuted C : exists L, forall w, 0 < w ->
  C * sqrt (∑ l : 'I_L.+1, w ^ 2) < ∑ l : 'I_L.+1, w.
Proof.
have [s [s1 Cs]] := large C; exists (Z.to_nat (up s)) => w w0; set L := Z.to_nat _.
have Ls : s < INR L.+1.
  have [up0 _] := archimed s; have z0 : (0 <= up s)%Z by apply: le_IZR; lra.
  by rewrite S_INR /L INR_IZR_INZ Z2Nat.id //; lra.
rewrite !sum_const card_ord; set N := INR _ in Ls *.
rewrite sqrt_mult ?sqrt_pow2; try nra.
have sN : sqrt s <= sqrt N by apply: sqrt_le_1_alt; lra.
have NN : sqrt N * sqrt N = N by apply: sqrt_sqrt; lra.
have -> : N * w = sqrt N * (sqrt N * w) by rewrite -Rmult_assoc NN.
by apply: Rmult_lt_compat_r; [apply: Rmult_lt_0_compat => //; apply: sqrt_lt_R0 | ]; lra.
Qed.

(** * Controls *)

(** n³ in Tη: (k4) as printed, at n = 4. *)
Theorem bookkeeping_k4_fourth_control : ~ (forall n d m δ ε, 0 < n -> 0 < d -> 0 < m -> 0 < δ -> 0 < ε ->
  sqrt (n ^ 4 * d / (Tη n d m δ ε * δ * m)) <= ε).
Proof.
move=> false; have [n [n1 lt]] := bookkeeping_s4_refuted 1.
have n0 : 0 < n by lra.
by have := false n 1 1 1 1 n0 Rlt_0_1 Rlt_0_1 Rlt_0_1 Rlt_0_1; have := lt 1 1 1 1 Rlt_0_1 Rlt_0_1 Rlt_0_1 Rlt_0_1; lra.
Qed.

(** n¹¹, which Tη = n⁴d/(mδε²) would give. *)
Theorem bookkeeping_s5_control : ~ (forall n L d m k δ ε, 0 < n -> 0 < L -> 0 < d -> 0 < m -> 0 < k -> 0 < δ -> 0 < ε ->
  Tη n d m δ ε / η n L d m k δ ε = n ^ 11 * L ^ 2 * k / (δ ^ 3 * ε ^ 4)).
Proof.
move=> false; have two : 0 < 2 by lra.
have := false 2 1 1 1 1 1 1 two Rlt_0_1 Rlt_0_1 Rlt_0_1 Rlt_0_1 Rlt_0_1 Rlt_0_1.
by rewrite (bookkeeping_s5 two Rlt_0_1 Rlt_0_1 Rlt_0_1 Rlt_0_1 Rlt_0_1 Rlt_0_1) /=; lra.
Qed.

(** L³ in place of L⁴. *)
Theorem bookkeeping_k10_fourth_control : ~ (forall L m d k τ, 0 < d ->
  k * (L ^ 2 * m / d) * (τ ^ 2 * L ^ 2 * m / d) <= k * L ^ 3 * m ^ 2 / d ^ 2 * τ ^ 2).
Proof. by move=> /(_ 2 1 1 1 1 Rlt_0_1); rewrite /= /Rdiv !Rmult_1_r Rinv_1; lra. Qed.
