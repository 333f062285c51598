(** Merad et al., the last steps of the proof of Theorem 1: the accuracy with which Lemma 6 is applied, and which bounds C of
    the norms the conclusion L̂_un <= ε is compatible with. *)
Require Import Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Vectors Contrapositive.Tactics
  Contrapositive.merad2020.Triplets Contrapositive.merad2020.Norms Contrapositive.merad2020.Descent.
Set Implicit Arguments. Unset Strict Implicit.

(** Lemma 4 at the accuracy εη/(2n) gives ℓ(z_i) <= ε/n for every i and L̂_un <= ε.
    [claim] merad2020.theorem-1  [sense] s1  [scope] real entries, any dimension, any number of triplets; places *)
Theorem theorem_1_s1 (D : finType) n (z : 'I_n -> 'I_3 * D -> R) ε η : (0 < n)%N -> 0 < η -> grad_norm z = ε * η / (2 * INR n) ->
  grad_norm z < η / 2 -> (forall i k, η < norm (blk (z i) k)) -> (forall i, ℓ (z i) <= ε / INR n) /\ objective z <= ε.
Proof.
move=> n0 η0 small lt far; have n1 : 0 < INR n by apply: lt_0_INR; apply/ltP.
have each i : ℓ (z i) <= ε / INR n.
  have := lemma_4_printed η0 (Rle_refl _) (fun i => far i p1) i lt.
  by have -> : 2 * grad_norm z / η = ε / INR n by rewrite small; field; lra.
split=> //; have -> : ε = ∑ i : 'I_n, ε / INR n by rewrite sum_const card_ord; field; lra.
exact: sum_le.
Qed.

(** εη/(2n) < η/2 if and only if ε < n.
    [claim] merad2020.theorem-1  [sense] s2  [scope] any n >= 1, ε, η > 0 *)
Theorem theorem_1_s2 n ε η : (0 < n)%N -> 0 < η -> (ε * η / (2 * INR n) < η / 2 <-> ε < INR n).
Proof.
move=> n0 η0; have n1 : 0 < INR n by apply: lt_0_INR; apply/ltP.
have e : ε * η / (2 * INR n) = η / 2 * (ε / INR n) by field; lra.
split=> h.
  have : ε / INR n < 1 by apply: (Rmult_lt_reg_l (η / 2)); [lra | rewrite -e; lra].
  by move=> /(Rmult_lt_compat_r _ _ _ n1); rewrite /Rdiv Rmult_assoc Rinv_l; lra.
rewrite e -[X in _ < X]Rmult_1_r; apply: Rmult_lt_compat_l; first lra.
by apply: (Rmult_lt_reg_r (INR n)) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
Qed.

(** Outputs with norms of at most C have L̂_un >= nζ(−2C²). *)
Lemma objective_ge (D : finType) n (z : 'I_n -> 'I_3 * D -> R) C : (forall i, in_ball C (z i)) -> INR n * ζ (- (2 * C ^ 2)) <= objective z.
Proof.
move=> ball; rewrite -[INR n](f_equal INR (card_ord n)) -sum_const; apply: sum_le => i.
by case: (fact_bounded_printed (ball i)).
Qed.

(** nζ(−2C²) < ε if and only if C² > ½ log(1/(e^{ε/n} − 1)). *)
Lemma least_below n ε C : (0 < n)%N -> 0 < ε ->
  (INR n * ζ (- (2 * C ^ 2)) < ε <-> 1 / 2 * ln (1 / (exp (ε / INR n) - 1)) < C ^ 2).
Proof.
move=> n0 ε0; have n1 : 0 < INR n by apply: lt_0_INR; apply/ltP.
have q0 : 0 < ε / INR n by apply: Rdiv_lt_0_compat.
have e1 : 1 < exp (ε / INR n) by rewrite -exp_0; apply: exp_increasing.
set w := exp (ε / INR n) - 1; have w0 : 0 < w by rewrite /w; lra.
have -> : ln (1 / w) = - ln w by rewrite ln_div ?ln_1; lra.
have u0 := exp_pos (- (2 * C ^ 2)).
split=> h.
  have {h} : ζ (- (2 * C ^ 2)) < ε / INR n.
    by apply: (Rmult_lt_reg_l (INR n)) => //; have -> : INR n * (ε / INR n) = ε by field; lra.
  move=> /exp_increasing; rewrite /ζ exp_ln; last lra.
  move=> h; have : exp (- (2 * C ^ 2)) < w by rewrite /w; lra.
  by move=> /(ln_increasing _ _ u0); rewrite ln_exp; lra.
have lt : exp (- (2 * C ^ 2)) < w.
  by rewrite -(exp_ln w) //; apply: exp_increasing; lra.
have : ζ (- (2 * C ^ 2)) < ε / INR n.
  by rewrite -(ln_exp (ε / INR n)); apply: ln_increasing; move: lt; rewrite /w; lra.
by move=> /(Rmult_lt_compat_l _ _ _ n1); have -> : INR n * (ε / INR n) = ε by field; lra.
Qed.

(** Outputs shorter than C stay above nζ(−2C²)... *)
Lemma objective_gt (D : finType) n (z : 'I_n -> 'I_3 * D -> R) C : (0 < n)%N -> (forall i k, norm (blk (z i) k) < C) ->
  INR n * ζ (- (2 * C ^ 2)) < objective z.
Proof.
move=> n0 short; have each i : ζ (- (2 * C ^ 2)) < ℓ (z i).
  pose m := Rmax (norm (blk (z i) p1)) (Rmax (norm (blk (z i) p2)) (norm (blk (z i) p3))).
  have m1 := Rmax_l (norm (blk (z i) p1)) (Rmax (norm (blk (z i) p2)) (norm (blk (z i) p3))).
  have m2 := Rmax_r (norm (blk (z i) p1)) (Rmax (norm (blk (z i) p2)) (norm (blk (z i) p3))).
  have m3 := Rmax_l (norm (blk (z i) p2)) (norm (blk (z i) p3)); have m4 := Rmax_r (norm (blk (z i) p2)) (norm (blk (z i) p3)).
  have mC : m < C by apply: Rmax_lub_lt; [| apply: Rmax_lub_lt]; apply: short.
  have m0 : 0 <= m by apply: (Rle_trans _ _ _ (norm_ge0 (blk (z i) p1))).
  have ball : in_ball m (z i).
    move=> k; rewrite /m; case: k => -[|[|[|k]]] lt //; [rewrite (_ : Ordinal lt = p1) | rewrite (_ : Ordinal lt = p2) | rewrite (_ : Ordinal lt = p3)];
      try exact: val_inj; lra.
  apply: Rlt_le_trans (proj1 (fact_bounded_printed ball)); apply: ln_increasing; first by have := exp_pos (- (2 * C ^ 2)); lra.
  by apply: Rplus_lt_compat_l; apply: exp_increasing; nra.
have n1 : 0 < INR n by apply: lt_0_INR; apply/ltP.
have : 0 < ∑ i, (ℓ (z i) - ζ (- (2 * C ^ 2))).
  by apply: sum_lt0 => [i|]; [have := each i; lra | exists (Ordinal n0); have := each (Ordinal n0); lra].
by rewrite sum_sub sum_const card_ord /objective; lra.
Qed.

(** ... and u, u, −u for a vector u of length r comes to it, as r tends to C. *)
Lemma objective_attained (D : finType) (b : D) n r : exists z : 'I_n -> 'I_3 * D -> R,
  (forall i k, norm (blk (z i) k) = Rabs r) /\ objective z = INR n * ζ (- (2 * r ^ 2)).
Proof.
pose u (d : D) : R := if d == b then r else 0.
have n_u : norm u = Rabs r.
  rewrite /norm /dot (sum_ext (G := fun d => if b == d then r * r else 0)) => [|d]; first by rewrite (sum_if1 (fun=> r * r)); exact: sqrt_Rsqr_abs.
  by rewrite /u eq_sym; case: (b == d); ring.
exists (fun=> three u u (scale (-1) u)); split=> [i|].
  by move=> -[[|[|[|k]]] lt] //; have n_s := norm_scale (-1) u; rewrite Rabs_Ropp Rabs_R1 Rmult_1_l in n_s; rewrite -n_u // -n_s.
rewrite /objective (sum_ext (G := fun=> ζ (- (2 * r ^ 2)))) => [|i]; first by rewrite sum_const card_ord.
by have [_ ->] := fact_bounded_attained u; rewrite n_u -(pow2_abs r).
Qed.

(** Some outputs with norms below C have L̂_un <= ε if and only if nζ(−2C²) < ε, which is C² > ½ log(1/(e^{ε/n} − 1)).
    [claim] merad2020.theorem-1  [sense] cap  [scope] any n >= 1, ε, C > 0, any dimension d >= 1 *)
Theorem theorem_1_cap (D : finType) n ε C : (0 < #|D|)%N -> (0 < n)%N -> 0 < ε -> 0 < C ->
  ((exists z : 'I_n -> 'I_3 * D -> R, (forall i k, norm (blk (z i) k) < C) /\ objective z <= ε) <-> INR n * ζ (- (2 * C ^ 2)) < ε) /\
  (INR n * ζ (- (2 * C ^ 2)) < ε <-> 1 / 2 * ln (1 / (exp (ε / INR n) - 1)) < C ^ 2).
Proof.
move=> /card_gt0P [b _] n0 ε0 C0; have n1 : 0 < INR n by apply: lt_0_INR; apply/ltP.
split; last exact: least_below.
split=> [[z [short le]] | lt]; first by have := objective_gt n0 short; lra.
set L := 1 / 2 * ln (1 / (exp (ε / INR n) - 1)); have L_lt : L < C ^ 2 by apply/(least_below C n0 ε0).
have q0 : 0 < ε / INR n by apply: Rdiv_lt_0_compat.
have e1 : 1 < exp (ε / INR n) by rewrite -exp_0; apply: exp_increasing.
pose r := sqrt (Rmax 0 L).
have rr : r ^ 2 = Rmax 0 L by rewrite /r /= Rmult_1_r sqrt_sqrt //; apply: Rmax_l.
have r0 : 0 <= r by apply: sqrt_pos.
have rC : r < C by apply: Rnot_le_lt => ge; have : C ^ 2 <= r ^ 2 by [apply: pow_incr; lra]; rewrite rr; case: (Rle_dec 0 L) => L0; [rewrite Rmax_right | rewrite Rmax_left]; nra.
have [z [short e]] := objective_attained b n r; exists z; split=> [i k|]; first by rewrite short Rabs_pos_eq.
have : ζ (- (2 * r ^ 2)) <= ε / INR n.
  rewrite -(ln_exp (ε / INR n)); apply: ln_le; first by have := exp_pos (- (2 * r ^ 2)); lra.
  suff: exp (- (2 * r ^ 2)) <= exp (ε / INR n) - 1 by lra.
  rewrite -(exp_ln (exp (ε / INR n) - 1)); last lra.
  apply: exp_le; have := Rmax_r 0 L; rewrite -rr /L ln_div ?ln_1; lra.
by move=> /(Rmult_le_compat_l _ _ _ (Rlt_le _ _ n1)); rewrite -e; have -> : INR n * (ε / INR n) = ε by field; lra.
Qed.

(** For every ε: the accuracy asked is not always admissible.
    [claim] merad2020.theorem-1  [sense] s2-every  [scope] refuted for one triplet, ε = 2 *)
Theorem theorem_1_s2_every_refuted : ~ (forall n ε η, (0 < n)%N -> 0 < ε -> 0 < η -> ε * η / (2 * INR n) < η / 2).
Proof. by move=> /(_ 1%N 2 1 isT ltac:(lra) Rlt_0_1); rewrite /=; lra. Qed.

(** With C fixed before ε no outputs reach ε.
    [claim] merad2020.theorem-1  [sense] s3-every  [scope] refuted for one triplet, C = 1 *)
Theorem theorem_1_s3_every_refuted : ~ (forall n C ε, (0 < n)%N -> 0 < C -> 0 < ε ->
  exists (D : finType) (z : 'I_n -> 'I_3 * D -> R), (forall i, in_ball C (z i)) /\ objective z <= ε).
Proof.
have z0 := ζ_gt0 (- (2 * 1 ^ 2)).
move=> /(_ 1%N 1 (ζ (- (2 * 1 ^ 2)) / 2) isT Rlt_0_1 ltac:(lra)) [D [z [ball le]]].
by have := objective_ge ball; rewrite Rmult_1_l; lra.
Qed.

(** Control of s2: ε < 2n. *)
Theorem theorem_1_s2_control : ~ (forall n ε η, (0 < n)%N -> 0 < η -> (ε * η / (2 * INR n) < η / 2 <-> ε < 2 * INR n)).
Proof. by move=> /(_ 1%N (3 / 2) 1 isT Rlt_0_1) [_ h]; have := h ltac:(rewrite /=; lra); rewrite /=; lra. Qed.

(** Without the factor ½: n = 1, e^ε = 3/2 and C² = ½. *)
Theorem theorem_1_cap_control : ~ (forall n ε C, (0 < n)%N -> 0 < ε ->
  (INR n * ζ (- (2 * C ^ 2)) < ε <-> ln (1 / (exp (ε / INR n) - 1)) < C ^ 2)).
Proof.
move=> /(_ 1%N (4 / 10) (sqrt (1 / 2)) isT ltac:(lra)) [h _].
have lt : INR 1 * ζ (- (2 * sqrt (1 / 2) ^ 2)) < 4 / 10 by rewrite /ζ /=; bound.
by have := h lt; apply: Rle_not_lt; rewrite /=; bound.
Qed.
