(** Esser et al., Proposition 2: under constraints on Frobenius norms the losses (1) and (2) of u(x) = W₂ᵀφ(W₁x) have a
    global minimiser with one output.  The loss is Σ_j w_jᵀFw_j over the columns w_j of W₂; the whole of ‖W₂‖² goes
    into the best column.  The activation is arbitrary: [ψ x] stands for φ(W₁x). *)
Require Import Contrapositive.Vectors Contrapositive.Tactics.
Require Import Contrapositive.Sums.
Set Implicit Arguments. Unset Strict Implicit.

(** A sum that is not positive has a term that is not positive. *)
Lemma term_le0 (I : finType) (P : pred I) (a : I -> R) : (exists i, P i) -> ∑ (i | P i), a i <= 0 -> exists2 i, P i & a i <= 0.
Proof.
move=> [i0 P0] le; case: (boolP [exists i, P i && (if Rle_dec (a i) 0 then true else false)]) => [/existsP [i /andP [Pi]]|].
  by case: Rle_dec => // ai _; exists i.
rewrite negb_exists => /forallP no; exfalso.
have pos i : P i -> 0 < a i by move=> Pi; have := no i; rewrite Pi /=; case: Rle_dec => //= gt _; lra.
move: le; rewrite (bigD1 i0) //=; have := pos i0 P0.
have : 0 <= ∑ (i | P i && (i != i0)), a i by apply: psum_ge0 => i /andP [/pos]; lra.
by lra.
Qed.

Section Losses.
Variables (X N H Z : finType) (ψ : X -> H -> R) (x xp xn : N -> X).
Implicit Types (W : H -> Z -> R) (w v : H -> R).

(** u(x) = W₂ᵀφ(W₁x), and the losses (1), contrastive, and (2). *)
Definition output W (y : X) (k : Z) : R := ∑ i, W i k * ψ y i.
Definition loss (contrastive : bool) W : R :=
  ∑ n, if contrastive then dot (output W (x n)) (sub (output W (xn n)) (output W (xp n)))
       else - dot (output W (x n)) (output W (xp n)).

(** F = Σ φ(W₁x)(φ(W₁x⁻) − φ(W₁x⁺))ᵀ, or −Σ φ(W₁x)φ(W₁x⁺)ᵀ, and its quadratic form. *)
Definition F (contrastive : bool) (i j : H) : R :=
  ∑ n, ψ (x n) i * (if contrastive then ψ (xn n) j - ψ (xp n) j else - ψ (xp n) j).
Definition form (G : H -> H -> R) v : R := ∑ i, ∑ j, v i * G i j * v j.

Definition column W (k : Z) : H -> R := fun i => W i k.
Definition frobenius W : R := ∑ k, dot (column W k) (column W k).

Lemma form_scale G t v : form G (scale t v) = t ^ 2 * form G v.
Proof. by rewrite /form -sum_mull; apply: sum_ext => i; rewrite -sum_mull; apply: sum_ext => j; rewrite /scale; ring. Qed.

(** The loss is a sum over the columns of W₂. *)
Lemma loss_columns b W : loss b W = ∑ k, form (F b) (column W k).
Proof.
pose g n i j := ψ (x n) i * (if b then ψ (xn n) j - ψ (xp n) j else - ψ (xp n) j).
transitivity (∑ n, ∑ k, ∑ i, ∑ j, W i k * g n i j * W j k).
  apply: sum_ext => n; rewrite {}/g; case: b.
    rewrite /dot; apply: sum_ext => k; rewrite /sub /output -sum_sub sum_mul; apply: sum_ext => i; apply: sum_ext => j; ring.
  rewrite /dot -sum_opp; apply: sum_ext => k; rewrite /output sum_mul -sum_opp; apply: sum_ext => i.
  by rewrite -sum_opp; apply: sum_ext => j; ring.
rewrite sum_exchange; apply: sum_ext => k; rewrite sum_exchange; apply: sum_ext => i.
rewrite sum_exchange; apply: sum_ext => j; rewrite /F /column -sum_mull -sum_mulr.
by apply: sum_ext => n; rewrite /g; ring.
Qed.

(** L >= ‖W₂‖² min vᵀFv over unit vectors v.
    [claim] esser2024.prop-2  [sense] s2  [scope] any activation, any sizes, both losses *)
Theorem prop_2_s2 b m W : (forall v, dot v v = 1 -> m <= form (F b) v) -> m * frobenius W <= loss b W.
Proof.
move=> le; rewrite loss_columns /frobenius -sum_mull; apply: sum_le => k; set v := column W k.
case: (Req_dec (dot v v) 0) => [v0 | ne].
  have z i : v i = 0 by have := @sum_term_le _ (fun i => v i * v i) i (fun i => ltac:(nra)); rewrite -/(dot v v); nra.
  by rewrite v0 /form big1 => [|i _]; [lra | rewrite big1 // => j _; rewrite z; ring].
have v0 : 0 < dot v v by have := dot_ge0 v; lra.
have := le (scale (/ norm v) v); rewrite form_scale !dotE -norm_sq.
have n0 : norm v <> 0 by move=> e; have := norm_sq v; rewrite e /=; lra.
have -> : / norm v * (/ norm v * norm v ^ 2) = 1 by field.
have -> : (/ norm v) ^ 2 * form (F b) v = form (F b) v / norm v ^ 2 by field.
rewrite norm_sq => /(_ erefl) h; have -> : form (F b) v = form (F b) v / dot v v * dot v v by field; lra.
by apply: Rmult_le_compat_r; lra.
Qed.

(** For any weights and any output k₀ there are weights with this output alone, the same W₁, the same ‖W₂‖ and at most
    the same loss: the minimum, where there is one, is attained by a collapsed solution.
    [claim] esser2024.prop-2  [sense] printed  [scope] any activation, any sizes, both losses *)
Theorem prop_2_printed b (k0 : Z) W : exists W', (forall k, k != k0 -> forall i, W' i k = 0) /\
  frobenius W' = frobenius W /\ loss b W' <= loss b W.
Proof.
pose single (t : R) k i l := if l == k0 then t * W i k else 0.
have columns (g : (H -> R) -> R) t k : g (fun=> 0) = 0 -> ∑ l, g (column (single t k) l) = g (column (single t k) k0).
  by move=> g0; rewrite (sum_D1 _ k0) big1 => [|l /negbTE lk]; [ring | rewrite /column /single lk].
have frob t k : frobenius (single t k) = t ^ 2 * dot (column W k) (column W k).
  rewrite /frobenius (columns (fun v => dot v v)); last by rewrite /dot big1 // => *; ring.
  by rewrite /dot -sum_mull; apply: sum_ext => i; rewrite /column /single eqxx; ring.
have lossE t k : loss b (single t k) = t ^ 2 * form (F b) (column W k).
  rewrite loss_columns (columns (form (F b))); last by rewrite /form big1 // => *; rewrite big1 // => *; ring.
  by rewrite -form_scale; congr form; rewrite /column /single eqxx.
set S := frobenius W; set L := loss b W.
have S_ge0 : 0 <= S by apply: sum_ge0 => k; apply: dot_ge0.
case: (Req_dec S 0) => [S0 | S_ne0].
  exists (fun _ _ => 0); split=> //; split; first by rewrite S0 /frobenius big1 // => k _; rewrite /dot big1 // => *; rewrite /column; ring.
  have zero k i : W i k = 0.
    have := @sum_term_le _ (fun k => dot (column W k) (column W k)) k (fun k => dot_ge0 _); rewrite -/(frobenius W) -/S S0 => le.
    have := @sum_term_le _ (fun i => W i k * W i k) i (fun i => ltac:(nra)); rewrite -/(dot (column W k) (column W k)); nra.
  rewrite /L !loss_columns; apply: Req_le; apply: sum_ext => k; apply: sum_ext => i; apply: sum_ext => j.
  by rewrite /column !zero.
have S0 : 0 < S by lra.
pose live k := if Rlt_dec 0 (dot (column W k) (column W k)) then true else false.
have dead k : ~~ live k -> forall i, W i k = 0.
  rewrite /live; case: Rlt_dec => // le _ i; have := dot_ge0 (column W k) => ge.
  have := @sum_term_le _ (fun i => W i k * W i k) i (fun i => ltac:(nra)); rewrite -/(dot (column W k) (column W k)); nra.
have only (g : (H -> R) -> R) : (forall k, ~~ live k -> g (column W k) = 0) -> ∑ k, g (column W k) = ∑ (k | live k), g (column W k).
  by move=> g0; rewrite (sum_split live) [X in _ + X]big1 //; ring.
have dead_form k : ~~ live k -> form (F b) (column W k) = 0.
  by move=> /dead z; rewrite /form big1 // => i _; rewrite big1 // => j _; rewrite /column !z; ring.
have dead_dot k : ~~ live k -> dot (column W k) (column W k) = 0.
  by move=> /dead z; rewrite /dot big1 // => i _; rewrite /column z; ring.
have some : exists k, live k.
  case: (boolP [exists k, live k]) => [/existsP // | ]; rewrite negb_exists => /forallP no; exfalso.
  by move: S0; rewrite /S /frobenius big1 => [|k _]; [lra | exact: dead_dot].
have [|k kl le] := @term_le0 _ live (fun k => S * form (F b) (column W k) - L * dot (column W k) (column W k)) some.
  rewrite (eq_bigr (fun k => S * form (F b) (column W k) + - L * dot (column W k) (column W k))) => [|*]; last ring.
  rewrite big_split /= !psum_mull -(only (form (F b))) // -(only (fun v => dot v v)) // -loss_columns -/(frobenius W) -/S -/L.
  by apply: Req_le; ring.
have d0 : 0 < dot (column W k) (column W k) by move: kl; rewrite /live; case: Rlt_dec.
set dk := dot _ _ in d0 le; pose t := sqrt (S / dk).
have t2 : t ^ 2 = S / dk by rewrite /t /= Rmult_1_r sqrt_sqrt //; apply: Rlt_le; apply: Rdiv_lt_0_compat.
exists (single t k); split=> [l /negbTE lk i|]; first by rewrite /single lk.
split; first by rewrite frob t2 -/dk; field; lra.
rewrite lossE t2; apply: (Rmult_le_reg_r dk) => //.
by have -> : S / dk * form (F b) (column W k) * dk = S * form (F b) (column W k) by [field; lra]; lra.
Qed.
End Losses.

(** * The linear model: L = Tr(MᵀCM) with M = W₁ᵀW₂ *)
Section Linear.
Variables (D H Z : finType) (C : D -> D -> R) (λ : R).

(** Column k of M = W₁ᵀW₂, and the loss. *)
Definition M_column (W1 : H -> D -> R) (W2 : H -> Z -> R) (k : Z) : D -> R := fun d => ∑ i, W1 i d * W2 i k.
Definition trace_loss (W1 : H -> D -> R) (W2 : H -> Z -> R) : R := ∑ k, form C (M_column W1 W2 k).

(** ‖W‖² in the Frobenius norm, by rows. *)
Definition frobenius1 (W1 : H -> D -> R) : R := ∑ i, dot (W1 i) (W1 i).

(** λ is the lowest eigenvalue of C: the least value of the form on unit vectors. *)
Hypothesis lowest : forall v, λ * dot v v <= form C v.

(** ‖M‖² <= ‖W₁‖₂²‖W₂‖²: s bounds the norm of W₁. *)
Lemma M_norm_left W1 W2 s : 0 <= s -> norm_at_most (fun d i => W1 i d) s ->
  ∑ k, dot (M_column W1 W2 k) (M_column W1 W2 k) <= s ^ 2 * frobenius W2.
Proof.
move=> s0 bound; rewrite /frobenius -sum_mull; apply: sum_le => k.
have := bound (column W2 k); have -> : norm (apply_matrix (fun d i => W1 i d) (column W2 k)) = norm (M_column W1 W2 k) by [].
rewrite -!norm_sq; have := norm_ge0 (M_column W1 W2 k); have := norm_ge0 (column W2 k).
by move=> a0 b0 le; rewrite -Rpow_mult_distr; apply: pow_incr.
Qed.

Lemma M_norm_right W1 W2 s : 0 <= s -> norm_at_most (fun k i => W2 i k) s ->
  ∑ k, dot (M_column W1 W2 k) (M_column W1 W2 k) <= s ^ 2 * frobenius1 W1.
Proof.
move=> s0 bound.
have -> : s ^ 2 * frobenius1 W1 = ∑ d, s ^ 2 * dot (fun i => W1 i d) (fun i => W1 i d).
  by rewrite sum_mull /frobenius1 /dot sum_exchange.
rewrite /dot sum_exchange; apply: sum_le => d.
have -> : ∑ k, M_column W1 W2 k d * M_column W1 W2 k d = norm (apply_matrix (fun k i => W2 i k) (fun i => W1 i d)) ^ 2.
  rewrite norm_sq /dot; apply: sum_ext => k; rewrite /M_column /apply_matrix.
  by rewrite (sum_ext (G := fun i => W2 i k * W1 i d)) // => i; ring.
have := bound (fun i => W1 i d); set u := apply_matrix _ _; have := norm_ge0 u; have := norm_ge0 (fun i => W1 i d) => a0 b0 le.
by rewrite -[X in _ <= _ * X]norm_sq -Rpow_mult_distr; apply: pow_incr.
Qed.

Lemma trace_loss_ge W1 W2 B : ∑ k, dot (M_column W1 W2 k) (M_column W1 W2 k) <= B -> Rmin 0 λ * B <= trace_loss W1 W2.
Proof.
move=> le; set S := ∑ k, _ in le.
have S0 : 0 <= S by apply: sum_ge0 => k; apply: dot_ge0.
have : λ * S <= trace_loss W1 W2 by rewrite -sum_mull; apply: sum_le => k; apply: lowest.
by rewrite /Rmin; case: Rle_dec => h; nra.
Qed.

(** A matrix is at most as large as its Frobenius norm. *)
Lemma frobenius_bounds W1 : norm_at_most (fun d i => W1 i d) (sqrt (frobenius1 W1)).
Proof.
move=> u; have f0 : 0 <= frobenius1 W1 by apply: sum_ge0 => i; apply: dot_ge0.
apply: norm_le; first by apply: Rmult_le_pos; [apply: sqrt_pos | apply: norm_ge0].
rewrite Rpow_mult_distr -Rsqr_pow2 Rsqr_sqrt // norm_sq.
have -> : frobenius1 W1 * dot u u = ∑ d, dot (fun i => W1 i d) (fun i => W1 i d) * dot u u.
  by rewrite sum_mulr /frobenius1 /dot sum_exchange.
by apply: sum_le => d; have := dot_cauchy_schwarz (fun i => W1 i d) u; rewrite /apply_matrix -/(dot (fun i => W1 i d) u) /= Rmult_1_r.
Qed.

(** L >= λ₁‖W₁‖₂²‖W₂‖² and L >= λ₁‖W₁‖²‖W₂‖₂² for λ₁ <= 0, ‖·‖₂ by any bound: so minimisers have rank one.
    [claim] esser2024.prop-2  [sense] forced  [scope] linear model, any sizes, C of any kind; the two inequalities *)
Theorem prop_2_forced W1 W2 s1 s2 : λ <= 0 -> 0 <= s1 -> 0 <= s2 ->
  norm_at_most (fun d i => W1 i d) s1 -> norm_at_most (fun k i => W2 i k) s2 ->
  λ * (s1 ^ 2 * frobenius W2) <= trace_loss W1 W2 /\ λ * (s2 ^ 2 * frobenius1 W1) <= trace_loss W1 W2.
Proof.
move=> l0 s1_ge0 s2_ge0 b1 b2; rewrite -(Rmin_right 0 λ l0); split; apply: trace_loss_ge.
  exact: M_norm_left.
exact: M_norm_right.
Qed.

(** The least L under ‖W₁‖ <= c₁, ‖W₂‖ <= c₂ is (c₁c₂)² min(0, λ₁), attained with one output.
    [claim] esser2024.prop-2  [sense] linear  [scope] linear model, any sizes h, d, z >= 1, C with the lowest eigenvalue λ₁ *)
Theorem prop_2_linear (i0 : H) (k0 : Z) (v : D -> R) c1 c2 : dot v v = 1 -> form C v = λ -> 0 <= c1 -> 0 <= c2 ->
  (forall W1 W2, frobenius1 W1 <= c1 ^ 2 -> frobenius W2 <= c2 ^ 2 -> (c1 * c2) ^ 2 * Rmin 0 λ <= trace_loss W1 W2) /\
  (exists W1 W2, frobenius1 W1 <= c1 ^ 2 /\ frobenius W2 <= c2 ^ 2 /\ (forall k, k != k0 -> forall i, W2 i k = 0) /\
    trace_loss W1 W2 = (c1 * c2) ^ 2 * Rmin 0 λ).
Proof.
move=> v1 vλ c1_ge0 c2_ge0; split=> [W1 W2 f1 f2|].
  have g0 : 0 <= frobenius W2 by apply: sum_ge0 => k; apply: dot_ge0.
  have h0 : 0 <= frobenius1 W1 by apply: sum_ge0 => i; apply: dot_ge0.
  rewrite Rmult_comm; apply: trace_loss_ge; apply: (Rle_trans _ _ _ (M_norm_left W2 (sqrt_pos _) (@frobenius_bounds W1))).
  by rewrite -Rsqr_pow2 Rsqr_sqrt // Rpow_mult_distr; apply: Rmult_le_compat.
pose a := if Rle_dec λ 0 then 1 else 0; have a2 : a ^ 2 * λ = Rmin 0 λ.
  by rewrite /a; case: Rle_dec => le /=; [rewrite Rmin_right | rewrite Rmin_left]; lra.
have a01 : 0 <= a <= 1 by rewrite /a; case: Rle_dec => _ /=; lra.
pose W1 i d := if i == i0 then a * c1 * v d else 0; pose W2 i k := if (i == i0) && (k == k0) then c2 else 0.
exists W1, W2; split.
  rewrite /frobenius1 (sum_D1 _ i0) big1 => [|i /negbTE ne]; last by rewrite /dot big1 // => d _; rewrite /W1 ne; ring.
  have -> : dot (W1 i0) (W1 i0) = (a * c1) ^ 2 * dot v v.
    by rewrite /dot -sum_mull; apply: sum_ext => d; rewrite /W1 eqxx; ring.
  have a2_le : a ^ 2 <= 1 by nra.
  by rewrite v1 Rpow_mult_distr; have := pow2_ge_0 c1; nra.
have col k : column W2 k i0 = if k == k0 then c2 else 0 by rewrite /column /W2 eqxx.
have off k i : i != i0 -> column W2 k i = 0 by move=> /negbTE ne; rewrite /column /W2 ne.
split.
  rewrite /frobenius (sum_D1 _ k0) big1 => [|k /negbTE ne].
    by rewrite /dot (sum_D1 _ i0) big1 => [|i /off -> //]; [rewrite col eqxx; lra | ring].
  by rewrite /dot (sum_D1 _ i0) big1 => [|i /off -> //]; [rewrite col ne; ring | ring].
split=> [k /negbTE ne i|]; first by rewrite /W2 ne andbF.
have M d k : M_column W1 W2 k d = (if k == k0 then a * c1 * c2 else 0) * v d.
  rewrite /M_column (sum_D1 _ i0) big1 => [|i /negbTE ne]; last by rewrite /W2 ne /=; ring.
  by rewrite /W1 /W2 eqxx /=; case: eqP => _; ring.
rewrite /trace_loss (sum_D1 _ k0) big1 => [|k /negbTE ne]; last first.
  by rewrite /form big1 // => d _; rewrite big1 // => e _; rewrite M ne; ring.
have -> : form C (M_column W1 W2 k0) = form C (scale (a * c1 * c2) v).
  by apply: sum_ext => d; apply: sum_ext => e; rewrite !M eqxx /scale.
by rewrite form_scale vλ -a2; ring.
Qed.
End Linear.

(** * Step s3, and controls *)
Definition pair_vector (a b : R) (i : bool) : R := if i then a else b.
Lemma dot_bool (u v : bool -> R) : dot u v = u true * v true + u false * v false.
Proof. exact: sum_bool. Qed.

(** Step s3 as printed: the least L over ‖W₂‖ <= 1 is not decided by the eigenvalues of F, which is not symmetric.
    x = e₁, x⁺ = 0, x⁻ = e₂: F = e₁e₂ᵀ has no eigenvalue but 0, and L = −1/4 at W₂ = (½, −½).
    [claim] esser2024.prop-2  [sense] s3  [scope] refuted for one sample of the plane, linear activation *)
Theorem prop_2_s3_refuted : ~ (forall (X N H Z : finType) (ψ : X -> H -> R) (x xp xn : N -> X) (b : bool),
  (forall μ v, (exists i, v i <> 0) -> (forall i, apply_matrix (F ψ x xp xn b) v i = μ * v i) -> 0 <= μ) ->
  forall W : H -> Z -> R, frobenius W <= 1 -> 0 <= loss ψ x xp xn b W).
Proof.
pose ψ (y : option bool) : bool -> R := if y is Some b then (if b then pair_vector 1 0 else pair_vector 0 1) else pair_vector 0 0.
move=> /(_ _ unit_finType _ unit_finType ψ (fun=> Some true) (fun=> None) (fun=> Some false) true).
have Fe i j : F ψ (fun _ : unit => Some true) (fun=> None) (fun=> Some false) true i j = pair_vector 1 0 i * pair_vector 0 1 j.
  by rewrite /F sum_unit /ψ /pair_vector; case: i; case: j; ring.
have eigen μ v : (exists i, v i <> 0) -> (forall i, apply_matrix (F ψ (fun _ : unit => Some true) (fun=> None) (fun=> Some false) true) v i = μ * v i) -> 0 <= μ.
  move=> [i vi] e; have := e true; have := e false; rewrite /apply_matrix !sum_bool !Fe /pair_vector => e0 e1.
  case: (Req_dec μ 0) => [-> | ne]; first exact: Rle_refl.
  have f0 : v false = 0 by apply: (Rmult_eq_reg_l μ) => //; lra.
  have t0 : v true = 0 by apply: (Rmult_eq_reg_l μ) => //; move: e1; rewrite f0; lra.
  by case: i vi.
move=> /(_ eigen (fun i _ => pair_vector (1 / 2) (- (1 / 2)) i)).
rewrite /frobenius sum_unit /column dot_bool /pair_vector loss_columns sum_unit /form !sum_bool !Fe /column /pair_vector.
by move=> /(_ ltac:(lra)); lra.
Qed.

(** Control s2-double: with half the factor. *)
Theorem prop_2_s2_control : ~ (forall (X N H Z : finType) (ψ : X -> H -> R) (x xp xn : N -> X) (b : bool) m (W : H -> Z -> R),
  (forall v, dot v v = 1 -> m <= form (F ψ x xp xn b) v) -> m * frobenius W / 2 <= loss ψ x xp xn b W).
Proof.
have Fe i j : F (fun _ _ : unit => 1) id id id false i j = - 1 by rewrite /F sum_unit; ring.
have low (v : unit -> R) : dot v v = 1 -> - 1 <= form (F (fun _ _ : unit => 1) id id id false) v by rewrite /form /dot !sum_unit Fe; lra.
move=> /(_ _ _ _ unit_finType _ _ _ _ _ _ (fun _ _ => 1) low).
by rewrite loss_columns /frobenius !sum_unit /form !sum_unit !Fe /column /dot !sum_unit; lra.
Qed.

(** Without the loss of norm: less than the whole of ‖W₂‖² does not do. *)
Theorem prop_2_printed_control : ~ (forall (X N H Z : finType) (ψ : X -> H -> R) (x xp xn : N -> X) (b : bool) (k0 : Z) (W : H -> Z -> R),
  exists W', (forall k, k != k0 -> forall i, W' i k = 0) /\ frobenius W' <= frobenius W / 2 /\ loss ψ x xp xn b W' <= loss ψ x xp xn b W).
Proof.
move=> /(_ unit_finType unit_finType unit_finType unit_finType (fun _ _ => 1) id id id false tt (fun _ _ => 1)) [W' [_]].
have Fe i j : F (fun _ _ : unit => 1) id id id false i j = - 1 by rewrite /F sum_unit; ring.
by rewrite !loss_columns /frobenius !sum_unit /form !sum_unit !Fe /column /dot !sum_unit; lra.
Qed.

(** Control b: c₁c₂ in place of its square. *)
Theorem prop_2_linear_control : ~ (forall (D H Z : finType) (C : D -> D -> R) (λ : R), (forall v, λ * dot v v <= form C v) ->
  forall (v : D -> R) c1 c2, dot v v = 1 -> form C v = λ -> 0 <= c1 -> 0 <= c2 ->
  forall (W1 : H -> D -> R) (W2 : H -> Z -> R), frobenius1 W1 <= c1 ^ 2 -> frobenius W2 <= c2 ^ 2 -> c1 * c2 * Rmin 0 λ <= trace_loss C W1 W2).
Proof.
have low (v : unit -> R) : - 1 * dot v v <= form (fun _ _ => - 1) v by rewrite /form /dot !sum_unit; lra.
move=> /(_ _ unit_finType unit_finType _ _ low (fun=> 1) 2 2); rewrite /dot /form !sum_unit => /(_ ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) (fun _ _ => 2) (fun _ _ => 2)).
rewrite /frobenius1 /frobenius /trace_loss /form /M_column /column /dot !sum_unit Rmin_right; last lra.
by move=> /(_ ltac:(lra) ltac:(lra)); lra.
Qed.

(** Control a: the spectral norms alone do not do: W₁ = W₂ = I and C = −2 I in the plane. *)
Theorem prop_2_forced_control : ~ (forall (D H Z : finType) (C : D -> D -> R) (λ : R), (forall v, λ * dot v v <= form C v) ->
  forall (W1 : H -> D -> R) (W2 : H -> Z -> R) s1 s2, λ <= 0 -> 0 <= s1 -> 0 <= s2 ->
  norm_at_most (fun d i => W1 i d) s1 -> norm_at_most (fun k i => W2 i k) s2 -> λ * (s1 ^ 2 * s2 ^ 2) <= trace_loss C W1 W2).
Proof.
pose e (i j : bool) : R := if i == j then 1 else 0.
have low v : - 2 * dot v v <= form (fun i j => - 2 * e i j) v by rewrite /form dot_bool !sum_bool /e /=; lra.
have unit_norm : norm_at_most (fun d i => e i d) 1.
  by move=> u; rewrite Rmult_1_l; apply: Req_le; apply: norm_ext => i; rewrite /apply_matrix sum_bool /e; case: i => /=; ring.
move=> /(_ _ _ _ _ _ low e e 1 1 ltac:(lra) Rle_0_1 Rle_0_1 unit_norm unit_norm).
by rewrite /trace_loss /form /M_column !sum_bool /e /=; lra.
Qed.
