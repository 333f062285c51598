(** Ren and Li, Lemma 4.5: a condition number close to one and small noise give balance.  With K̃ = K_A/N_A,
    Σ = K̃K̃ᵀ/r + (noise part) has trace 1; s_1 and s_r bound K̃ from above and below, and η₂ bounds the noise part.
    No eigenvalues are used: ‖Σ‖₂ is the least bound of ‖Σu‖/‖u‖.

    Definition 4.2: the three stable ranks, as functions of the eigenvalues λ_1 >= λ_2 >= … >= 0. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

(** Σ (AAᵀ)∘(BBᵀ) = ‖AᵀB‖² in the Frobenius norm, which is not negative. *)
Lemma sum_products (M P L : finType) (A : M -> P -> R) (B : M -> L -> R) :
  ∑ m, ∑ n, (∑ p, A m p * A n p) * (∑ k, B m k * B n k) = ∑ p, ∑ k, (∑ m, A m p * B m k) ^ 2.
Proof.
transitivity (∑ m, ∑ p, ∑ k, ∑ n, (A m p * B m k) * (A n p * B n k)).
  apply: sum_ext => m; transitivity (∑ n, ∑ p, ∑ k, (A m p * B m k) * (A n p * B n k)).
    by apply: sum_ext => n; rewrite sum_mul; apply: sum_ext => p; apply: sum_ext => k; ring.
  by rewrite sum_exchange; apply: sum_ext => p; apply: sum_exchange.
rewrite sum_exchange; apply: sum_ext => p; rewrite sum_exchange; apply: sum_ext => k.
by rewrite -sum_mul /=; ring.
Qed.

Section Balance.
Variables (M P NO : finType) (KA : M -> P -> R) (KN : M -> NO -> R) (q N : R).
Let r := INR #|P|.
Hypothesis r_gt0 : 0 < r.
Hypothesis q_gt0 : 0 < q.
Hypothesis N_gt0 : 0 < N.

(** ‖K‖² in the Frobenius norm, by columns, and N_A² = ‖K_A‖²/r + ‖K_{A,ξ}‖²/q. *)
Definition sq_frobenius (L : finType) (K : M -> L -> R) : R := ∑ l, ∑ m, K m l ^ 2.
Hypothesis normaliser : N ^ 2 = sq_frobenius KA / r + sq_frobenius KN / q.

(** Σ_A = (K_AK_Aᵀ/r + K_{A,ξ}K_{A,ξ}ᵀ/q)/N_A², its trace, and the share η of the noise. *)
Definition Σ_A (m n : M) : R := ((∑ p, KA m p * KA n p) / r + (∑ k, KN m k * KN n k) / q) / N ^ 2.
Definition trace (S : M -> M -> R) : R := ∑ m, S m m.
Definition η : R := sq_frobenius KN / q / N ^ 2.

(** s_1 and s_r: bounds of K̃ = K_A/N, and s_2 one of K_{A,ξ}. *)
Variables (s1 sr s2 : R).
Hypothesis s1_ge0 : 0 <= s1.
Hypothesis sr_gt0 : 0 < sr.
Hypothesis s2_ge0 : 0 <= s2.
Hypothesis upper : norm_at_most (fun m p => KA m p / N) s1.
Hypothesis lower : forall u, sr * norm u <= norm (apply_matrix (fun m p => KA m p / N) u).
Hypothesis noise : norm_at_most KN s2.

(** η₂ = ‖K_{A,ξ}‖₂²/(qN²). *)
Definition η2 : R := s2 ^ 2 / (q * N ^ 2).

(** tr Σ_A = 1.
    [claim] ren2023.def-4.2  [sense] s1  [scope] real entries, any number of signals and noises *)
Theorem def_4_2_s1 : trace Σ_A = 1.
Proof.
have f (L : finType) (K : M -> L -> R) : ∑ m, ∑ l, K m l * K m l = sq_frobenius K.
  by rewrite sum_exchange; apply: sum_ext => l; apply: sum_ext => m; ring.
have -> : trace Σ_A = ((∑ m, ∑ p, KA m p * KA m p) * / r + (∑ m, ∑ k, KN m k * KN m k) * / q) * / N ^ 2.
  by rewrite -!sum_mulr -sum_add -sum_mulr.
rewrite !f -/(Rdiv _ r) -/(Rdiv _ q) -normaliser; field; lra.
Qed.

(** ‖AAᵀ‖ <= s². *)
Lemma square_bound (I J : finType) (A : I -> J -> R) s u : 0 <= s -> norm_at_most A s ->
  norm (apply_matrix A (apply_matrix (fun j i => A i j) u)) <= s ^ 2 * norm u.
Proof.
move=> s0 bound; apply: (Rle_trans _ _ _ (bound _)).
have t := norm_transpose s0 bound u; have := Rmult_le_compat_l s _ _ s0 t; lra.
Qed.

(** λ_1(Σ_A) <= s_1²/r + η₂.
    [claim] ren2023.lemma-4.5  [sense] s1  [scope] real entries, any number of signals and noises *)
Theorem lemma_4_5_s1 : norm_at_most Σ_A (s1 ^ 2 / r + η2).
Proof.
move=> u; set K1 := fun m p => KA m p / N.
have -> : norm (apply_matrix Σ_A u) = norm (add (scale (/ r) (apply_matrix K1 (apply_matrix (fun p m => K1 m p) u)))
    (scale (/ (q * N ^ 2)) (apply_matrix KN (apply_matrix (fun k m => KN m k) u)))).
  apply: norm_ext => m; rewrite /add /scale /apply_matrix -!sum_mull.
  rewrite (sum_ext (F := fun p => / r * _) (G := fun p => ∑ n, KA m p * KA n p * / r * / N ^ 2 * u n)) => [|p]; last first.
    by rewrite -!sum_mull; apply: sum_ext => n; rewrite /K1; field; lra.
  rewrite (sum_ext (F := fun k => / (q * N ^ 2) * _) (G := fun k => ∑ n, KN m k * KN n k * / q * / N ^ 2 * u n)) => [|k]; last first.
    by rewrite -!sum_mull; apply: sum_ext => n; field; lra.
  rewrite sum_exchange (sum_exchange (fun k n => KN m k * KN n k * / q * / N ^ 2 * u n)) -sum_add; apply: sum_ext => n.
  by rewrite !sum_mulr /Σ_A /Rdiv; ring.
apply: (Rle_trans _ _ _ (norm_add _ _)); rewrite !norm_scale.
have i1 := Rinv_0_lt_compat _ r_gt0; have qN : 0 < q * N ^ 2 by apply: Rmult_lt_0_compat => //; apply: pow_lt.
have i2 := Rinv_0_lt_compat _ qN; rewrite !Rabs_pos_eq; try lra.
have a := square_bound u s1_ge0 upper; have b := square_bound u s2_ge0 noise.
have -> : (s1 ^ 2 / r + η2) * norm u = / r * (s1 ^ 2 * norm u) + / (q * N ^ 2) * (s2 ^ 2 * norm u) by rewrite /η2; field; lra.
by apply: Rplus_le_compat; apply: Rmult_le_compat_l; try lra.
Qed.

(** A column of K̃ is at least s_r long. *)
Lemma column_long p : sr ^ 2 <= ∑ m, (KA m p / N) ^ 2.
Proof.
pose e j := if p == j then 1 else 0.
have ee : dot e e = 1 by rewrite /dot -(sum_if1 (fun=> 1) p); apply: sum_ext => j; rewrite /e; case: eqP => _; ring.
have := lower e; have -> : norm e = 1 by rewrite /norm ee sqrt_1.
rewrite Rmult_1_r => le; have -> : ∑ m, (KA m p / N) ^ 2 = norm (apply_matrix (fun m p => KA m p / N) e) ^ 2.
  rewrite norm_sq; apply: sum_ext => m; suff -> : apply_matrix (fun m p => KA m p / N) e m = KA m p / N by rewrite /=; ring.
  by rewrite /apply_matrix -(sum_if1 (fun j => KA m j / N) p); apply: sum_ext => j; rewrite /e; case: eqP => _; ring.
by apply: pow_incr; lra.
Qed.

(** r s_r² <= ‖K̃‖² = r(1 − η). *)
Lemma least_share : sr ^ 2 <= 1 - η.
Proof.
have n2 : 0 < N ^ 2 by apply: pow_lt.
have k2 : sq_frobenius (fun m p => KA m p / N) = r * (1 - η).
  have -> : sq_frobenius (fun m p => KA m p / N) = sq_frobenius KA * / N ^ 2.
    by rewrite /sq_frobenius -sum_mulr; apply: sum_ext => p; rewrite -sum_mulr; apply: sum_ext => m; field; lra.
  have -> : sq_frobenius KA = r * (N ^ 2 - sq_frobenius KN / q) by rewrite normaliser; field; lra.
  by rewrite /η; field; lra.
apply: (Rmult_le_reg_l r) => //; rewrite -k2 /r -sum_const; apply: sum_le => p.
exact: column_long.
Qed.

(** tr Σ/‖Σ‖₂ >= r/(cond²(1−η) + rη₂), cond = s_1/s_r: Σ is bounded by the reciprocal, and tr Σ = 1.
    [claim] ren2023.lemma-4.5  [sense] share  [scope] real entries, any number of signals and noises *)
Theorem lemma_4_5_share norm_Σ : norm_is Σ_A norm_Σ -> 0 < norm_Σ ->
  r / ((s1 / sr) ^ 2 * (1 - η) + r * η2) <= trace Σ_A / norm_Σ.
Proof.
move=> [n0 [_ least]] pos; rewrite def_4_2_s1; set B := (s1 / sr) ^ 2 * (1 - η) + r * η2.
have qN : 0 < q * N ^ 2 by apply: Rmult_lt_0_compat => //; apply: pow_lt.
have e2 : 0 <= η2 by apply: Rmult_le_pos; [apply: pow2_ge_0 | apply: Rlt_le; apply: Rinv_0_lt_compat].
have i1 := Rinv_0_lt_compat _ r_gt0.
have bound : norm_Σ <= s1 ^ 2 / r + η2.
  apply: least; last exact: lemma_4_5_s1.
  by have : 0 <= s1 ^ 2 / r by [apply: Rmult_le_pos; [apply: pow2_ge_0 | lra]]; lra.
have c : s1 ^ 2 <= (s1 / sr) ^ 2 * (1 - η).
  have -> : s1 ^ 2 = (s1 / sr) ^ 2 * sr ^ 2 by field; lra.
  by apply: Rmult_le_compat_l least_share; apply: pow2_ge_0.
have le : r * norm_Σ <= B.
  have := Rmult_le_compat_l r _ _ (Rlt_le _ _ r_gt0) bound.
  by have -> : r * (s1 ^ 2 / r + η2) = s1 ^ 2 + r * η2 by [field; lra]; rewrite /B; lra.
have B0 : 0 < B by have := Rmult_lt_0_compat _ _ r_gt0 pos; lra.
apply: (Rmult_le_reg_r (B * norm_Σ)); first exact: Rmult_lt_0_compat.
have -> : r / B * (B * norm_Σ) = r * norm_Σ by field; lra.
by have -> : 1 / norm_Σ * (B * norm_Σ) = B by [field; lra].
Qed.

(** tr Σ/‖Σ‖₂ >= r/(cond² + rη₂).
    [claim] ren2023.lemma-4.5  [sense] R2  [scope] real entries, any number of signals and noises *)
Theorem lemma_4_5_R2 norm_Σ : norm_is Σ_A norm_Σ -> 0 < norm_Σ -> 0 < s1 ->
  r / ((s1 / sr) ^ 2 + r * η2) <= trace Σ_A / norm_Σ.
Proof.
move=> is_norm pos s1_gt0; apply: Rle_trans (lemma_4_5_share is_norm pos).
have qN : 0 < q * N ^ 2 by apply: Rmult_lt_0_compat => //; apply: pow_lt.
have e2 : 0 <= η2 by apply: Rmult_le_pos; [apply: pow2_ge_0 | apply: Rlt_le; apply: Rinv_0_lt_compat].
have η0 : 0 <= η.
  apply: Rmult_le_pos; last by apply: Rlt_le; apply: Rinv_0_lt_compat; apply: pow_lt.
  apply: Rmult_le_pos; last by apply: Rlt_le; apply: Rinv_0_lt_compat.
  by apply: sum_ge0 => k; apply: sum_ge0 => m; apply: pow2_ge_0.
have share := least_share; have sr2 := pow_lt _ 2 sr_gt0.
have c : 0 < (s1 / sr) ^ 2 by apply: pow_lt; apply: Rdiv_lt_0_compat.
have re := Rmult_le_pos _ _ (Rlt_le _ _ r_gt0) e2.
apply: Rmult_le_compat_l; first lra.
by apply: Rinv_le_contravar; nra.
Qed.

(** ‖Σ‖_F² >= s_r⁴/r. *)
Lemma frobenius_ge : sr ^ 4 / r <= ∑ m, ∑ n, Σ_A m n ^ 2.
Proof.
pose K1 m p := KA m p / N; have qN : 0 < q * N ^ 2 by apply: Rmult_lt_0_compat => //; apply: pow_lt.
have i1 := Rinv_0_lt_compat _ r_gt0; have i2 := Rinv_0_lt_compat _ qN.
pose a m n := ∑ p, K1 m p * K1 n p; pose c m n := ∑ k, KN m k * KN n k.
have e m n : Σ_A m n = / r * a m n + / (q * N ^ 2) * c m n.
  have -> : a m n = (∑ p, KA m p * KA n p) * / N ^ 2 by rewrite /a -sum_mulr; apply: sum_ext => p; rewrite /K1; field; lra.
  by rewrite /Σ_A /c; field; lra.
have cross : 0 <= ∑ m, ∑ n, a m n * c m n.
  by rewrite (sum_products K1 KN); apply: sum_ge0 => p; apply: sum_ge0 => k; apply: pow2_ge_0.
apply: (Rle_trans _ ((/ r) ^ 2 * ∑ m, ∑ n, a m n * a m n)).
  rewrite (sum_products K1 K1).
  have long : r * sr ^ 4 <= ∑ p, ∑ k, (∑ m, K1 m p * K1 m k) ^ 2.
    rewrite /r -sum_const; apply: sum_le => p.
    apply: (Rle_trans _ ((∑ m, K1 m p * K1 m p) ^ 2)).
      have -> : ∑ m, K1 m p * K1 m p = ∑ m, (KA m p / N) ^ 2 by apply: sum_ext => m; rewrite /K1; ring.
      have := column_long p; have := pow2_ge_0 sr; set w := ∑ m, _ => s0 le.
      by have -> : sr ^ 4 = (sr ^ 2) ^ 2 by [ring]; apply: pow_incr.
    by apply: (sum_term_le (F := fun k => (∑ m, K1 m p * K1 m k) ^ 2)) => k; apply: pow2_ge_0.
  have := Rmult_le_compat_l _ _ _ (pow2_ge_0 (/ r)) long.
  by have -> : (/ r) ^ 2 * (r * sr ^ 4) = sr ^ 4 / r by field; lra.
rewrite -sum_mull; have -> : ∑ m, (/ r) ^ 2 * (∑ n, a m n * a m n) = ∑ m, ∑ n, (/ r) ^ 2 * (a m n * a m n).
  by apply: sum_ext => m; rewrite sum_mull.
have ge : 0 <= ∑ m, ∑ n, (2 * (/ r * / (q * N ^ 2)) * (a m n * c m n) + (/ (q * N ^ 2) * c m n) ^ 2).
  have -> : ∑ m, ∑ n, (2 * (/ r * / (q * N ^ 2)) * (a m n * c m n) + (/ (q * N ^ 2) * c m n) ^ 2)
    = 2 * (/ r * / (q * N ^ 2)) * (∑ m, ∑ n, a m n * c m n) + ∑ m, ∑ n, (/ (q * N ^ 2) * c m n) ^ 2.
    by rewrite -sum_mull -sum_add; apply: sum_ext => m; rewrite sum_add sum_mull.
  apply: Rplus_le_le_0_compat; last by apply: sum_ge0 => m; apply: sum_ge0 => n; apply: pow2_ge_0.
  by apply: Rmult_le_pos => //; have := Rmult_lt_0_compat _ _ i1 i2; lra.
have -> : ∑ m, ∑ n, Σ_A m n ^ 2 = (∑ m, ∑ n, (/ r) ^ 2 * (a m n * a m n))
  + ∑ m, ∑ n, (2 * (/ r * / (q * N ^ 2)) * (a m n * c m n) + (/ (q * N ^ 2) * c m n) ^ 2).
  by rewrite -sum_add; apply: sum_ext => m; rewrite -sum_add; apply: sum_ext => n; rewrite e; ring.
by lra.
Qed.

(** ‖Σ‖_F²/‖Σ‖₂² >= r/(cond² + rη₂/s_r²)².
    [claim] ren2023.lemma-4.5  [sense] R1  [scope] real entries, any number of signals and noises *)
Theorem lemma_4_5_R1 norm_Σ : norm_is Σ_A norm_Σ -> 0 < norm_Σ ->
  r / ((s1 / sr) ^ 2 + r * η2 / sr ^ 2) ^ 2 <= (∑ m, ∑ n, Σ_A m n ^ 2) / norm_Σ ^ 2.
Proof.
move=> [n0 [_ least]] pos; have qN : 0 < q * N ^ 2 by apply: Rmult_lt_0_compat => //; apply: pow_lt.
have e2 : 0 <= η2 by apply: Rmult_le_pos; [apply: pow2_ge_0 | apply: Rlt_le; apply: Rinv_0_lt_compat].
have i1 := Rinv_0_lt_compat _ r_gt0.
have bound : norm_Σ <= s1 ^ 2 / r + η2.
  apply: least; last exact: lemma_4_5_s1.
  by have : 0 <= s1 ^ 2 / r by [apply: Rmult_le_pos; [apply: pow2_ge_0 | lra]]; lra.
set B := s1 ^ 2 / r + η2 in bound; have B0 : 0 < B by lra.
have -> : r / ((s1 / sr) ^ 2 + r * η2 / sr ^ 2) ^ 2 = sr ^ 4 / r / B ^ 2.
  have rB : 0 < s1 ^ 2 + r * η2 by have := Rmult_lt_0_compat _ _ r_gt0 B0; have -> : r * B = s1 ^ 2 + r * η2 by [rewrite /B; field; lra].
  have -> : B = (s1 ^ 2 + r * η2) / r by rewrite /B; field; lra.
  by field; lra.
have n2 := pow_lt _ 2 pos; have B2 := pow_lt _ 2 B0.
have le : norm_Σ ^ 2 <= B ^ 2 by apply: pow_incr; lra.
apply: Rmult_le_compat; [| by apply: Rlt_le; apply: Rinv_0_lt_compat | exact: frobenius_ge | exact: Rinv_le_contravar].
by apply: Rmult_le_pos; [apply: pow_le | ]; lra.
Qed.
End Balance.

(** * Controls: one signal of length one, no noise; twice the bound *)
Lemma norm_unit (u : unit -> R) : norm u = Rabs (u tt).
Proof. by rewrite /norm /dot sum_unit; exact: sqrt_Rsqr_abs. Qed.

Lemma one_signal : let KA (_ _ : unit) := 1 in let KN (_ _ : unit) := 0 in
  1 ^ 2 = sq_frobenius KA / INR #|unit_finType| + sq_frobenius KN / 1 /\ norm_at_most (fun m p => KA m p / 1) 1 /\
  (forall u, 1 * norm u <= norm (apply_matrix (fun m p => KA m p / 1) u)) /\ norm_at_most KN 0 /\ norm_is (Σ_A KA KN 1 1) 1 /\
  trace (Σ_A KA KN 1 1) = 1.
Proof.
move=> KA KN; have K1 u : norm (apply_matrix (fun m p => KA m p / 1) u) = norm u.
  by rewrite !norm_unit /apply_matrix sum_unit /KA; congr Rabs; field.
have S m n : Σ_A KA KN 1 1 m n = 1 by rewrite /Σ_A !sum_unit card_unit /KA /KN /=; field.
have S1 u : norm (apply_matrix (Σ_A KA KN 1 1) u) = norm u.
  by rewrite !norm_unit /apply_matrix sum_unit S; congr Rabs; ring.
split; first by rewrite card_unit /sq_frobenius !sum_unit /KA /KN /=; field.
split; first by move=> u; rewrite K1; lra.
split; first by move=> u; rewrite K1; lra.
split; first by move=> u; rewrite !norm_unit /apply_matrix sum_unit /KN !Rmult_0_l Rabs_R0; lra.
split; last by rewrite /trace sum_unit S.
by apply: (@norm_attained _ _ _ _ (fun=> 1)); rewrite ?S1 ?norm_unit ?Rabs_R1; try lra; move=> u; rewrite S1; lra.
Qed.

Theorem lemma_4_5_share_control : ~ (forall (M P NO : finType) (KA : M -> P -> R) (KN : M -> NO -> R) q N s1 sr s2 norm_Σ,
  0 < INR #|P| -> 0 < q -> 0 < N -> N ^ 2 = sq_frobenius KA / INR #|P| + sq_frobenius KN / q -> 0 <= s1 -> 0 < sr -> 0 <= s2 ->
  norm_at_most (fun m p => KA m p / N) s1 -> (forall u, sr * norm u <= norm (apply_matrix (fun m p => KA m p / N) u)) ->
  norm_at_most KN s2 -> norm_is (Σ_A KA KN q N) norm_Σ -> 0 < norm_Σ ->
  2 * (INR #|P| / ((s1 / sr) ^ 2 * (1 - η KN q N) + INR #|P| * η2 q N s2)) <= trace (Σ_A KA KN q N) / norm_Σ).
Proof.
have [n [u [l [z [isn tr]]]]] := one_signal.
move=> /(_ unit_finType unit_finType unit_finType (fun _ _ => 1) (fun _ _ => 0) 1 1 1 1 0 1 ltac:(rewrite card_unit /=; lra) Rlt_0_1 Rlt_0_1 n Rle_0_1 Rlt_0_1 (Rle_refl 0) u l z isn Rlt_0_1).
by rewrite tr card_unit /η /η2 /sq_frobenius !sum_unit /=; lra.
Qed.

Theorem lemma_4_5_R2_control : ~ (forall (M P NO : finType) (KA : M -> P -> R) (KN : M -> NO -> R) q N s1 sr s2 norm_Σ,
  0 < INR #|P| -> 0 < q -> 0 < N -> N ^ 2 = sq_frobenius KA / INR #|P| + sq_frobenius KN / q -> 0 <= s1 -> 0 < sr -> 0 <= s2 ->
  norm_at_most (fun m p => KA m p / N) s1 -> (forall u, sr * norm u <= norm (apply_matrix (fun m p => KA m p / N) u)) ->
  norm_at_most KN s2 -> norm_is (Σ_A KA KN q N) norm_Σ -> 0 < norm_Σ ->
  2 * (INR #|P| / ((s1 / sr) ^ 2 + INR #|P| * η2 q N s2)) <= trace (Σ_A KA KN q N) / norm_Σ).
Proof.
have [n [u [l [z [isn tr]]]]] := one_signal.
move=> /(_ unit_finType unit_finType unit_finType (fun _ _ => 1) (fun _ _ => 0) 1 1 1 1 0 1 ltac:(rewrite card_unit /=; lra) Rlt_0_1 Rlt_0_1 n Rle_0_1 Rlt_0_1 (Rle_refl 0) u l z isn Rlt_0_1).
by rewrite tr card_unit /η2 /=; lra.
Qed.

Theorem lemma_4_5_R1_control : ~ (forall (M P NO : finType) (KA : M -> P -> R) (KN : M -> NO -> R) q N s1 sr s2 norm_Σ,
  0 < INR #|P| -> 0 < q -> 0 < N -> N ^ 2 = sq_frobenius KA / INR #|P| + sq_frobenius KN / q -> 0 <= s1 -> 0 < sr -> 0 <= s2 ->
  norm_at_most (fun m p => KA m p / N) s1 -> (forall u, sr * norm u <= norm (apply_matrix (fun m p => KA m p / N) u)) ->
  norm_at_most KN s2 -> norm_is (Σ_A KA KN q N) norm_Σ -> 0 < norm_Σ ->
  2 * (INR #|P| / ((s1 / sr) ^ 2 + INR #|P| * η2 q N s2 / sr ^ 2) ^ 2) <= (∑ m, ∑ n, Σ_A KA KN q N m n ^ 2) / norm_Σ ^ 2).
Proof.
have [n [u [l [z [isn tr]]]]] := one_signal.
move=> /(_ unit_finType unit_finType unit_finType (fun _ _ => 1) (fun _ _ => 0) 1 1 1 1 0 1 ltac:(rewrite card_unit /=; lra) Rlt_0_1 Rlt_0_1 n Rle_0_1 Rlt_0_1 (Rle_refl 0) u l z isn Rlt_0_1).
by move: tr; rewrite /trace !sum_unit => ->; rewrite card_unit /η2 /=; lra.
Qed.
