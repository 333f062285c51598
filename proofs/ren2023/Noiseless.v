(** Ren and Li, equation (8) and Lemma A.7: without noise, and where K_AᵀK_A = K_BᵀK_B = diag(κ²) and K_AᵀK_B = diag(κ̂²), the
    motion along Ẇ = −(r/τ²)∇L of κ_p² = ‖[K_A]_p‖² and κ̂_p² = ⟨[K_A]_p, [K_B]_p⟩.  The latent states z are uniform on
    {±1/√r}^r; a positive pair shares z, and negatives are drawn afresh. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Calculus Contrapositive.Tactics Contrapositive.ren2023.Model Contrapositive.ren2023.Gradients
  Contrapositive.ren2023.Dynamics Contrapositive.ren2023.Columns Contrapositive.ren2023.Cosines Contrapositive.ren2023.Tilted.
Set Implicit Arguments. Unset Strict Implicit.

Section States.
Variables (P : finType) (r : R).
Hypothesis r_gt0 : 0 < r.

(** The coordinates of a state. *)
Definition coordinate (z : state P) (p : P) : R := sign (z p) / sqrt r.

Lemma coordinate_product z z' p : coordinate z p * coordinate z' p = sign (z p) * sign (z' p) / r.
Proof.
have s0 := sqrt_lt_R0 _ r_gt0; rewrite /coordinate -{3}(sqrt_sqrt r (Rlt_le _ _ r_gt0)); field; lra.
Qed.

(** E[z_p z_s] = δ_ps/r. *)
Lemma second_moments p s : 𝔼 z ~ @uniform P, coordinate z p * coordinate z s = if p == s then / r else 0.
Proof.
have [_ [one two]] := lemma_c2_printed (fun _ : P => 0) [ffun=> true] r_gt0.
have zero z : exponent (fun _ : P => 0) [ffun=> true] z = 0 by rewrite /exponent big1 // => q _; ring.
case: (p =P s) => [<- | /eqP ps].
  rewrite (E_ext (h := fun=> / r)) => [|z]; first by rewrite E_const //; exact: uniform_is_law.
  by rewrite coordinate_product sign_sq; field; lra.
have := two p s ps; rewrite (_ : tanh 0 = 0) => [|]; last by rewrite /tanh sinh_0 /Rdiv Rmult_0_l.
rewrite !Rmult_0_r /Rdiv Rmult_0_l => e; apply: (Rmult_eq_reg_l (/ r)); last by apply: Rinv_neq_0_compat; lra.
rewrite Rmult_0_r -[RHS]e -E_mull; apply: E_ext => z; rewrite zero exp_0 !ffunE /coordinate.
have s0 := sqrt_lt_R0 _ r_gt0; have ss := sqrt_sqrt _ (Rlt_le _ _ r_gt0).
by rewrite /sign -{1}ss; move: (sqrt r) s0 => q q0; case: (z p); case: (z s); field; lra.
Qed.

Variable x : P -> R.

Lemma exponentC y z : exponent x y z = exponent x z y.
Proof. by apply: sum_ext => p; ring. Qed.

(** E[e^{…} z⁻_p] = Z T_p z⁺_p. *)
Lemma tilted_mean y p : 𝔼 z ~ @uniform P, exp (exponent x y z) * coordinate z p = Z x * tanh (x p) * coordinate y p.
Proof.
have [_ [one _]] := lemma_c2_printed x y r_gt0; have s0 := sqrt_lt_R0 _ r_gt0.
have -> : Z x * tanh (x p) * coordinate y p = r * coordinate y p * (Z x * tanh (x p) / r) by field; lra.
rewrite -one -E_mull; apply: E_ext => z; rewrite -/(coordinate y p) -/(coordinate z p).
have e : coordinate y p * coordinate y p = / r by rewrite coordinate_product sign_sq; field; lra.
transitivity (r * (coordinate y p * coordinate y p) * (exp (exponent x y z) * coordinate z p)); last ring.
by rewrite e; field; lra.
Qed.

(** One coordinate flipped. *)
Definition flip (p : P) (u : state P) : state P := [ffun s => if s == p then ~~ u s else u s].

Lemma flip_both (y z : state P) p : exponent x (flip p y) (flip p z) = exponent x y z.
Proof.
apply: sum_ext => s; rewrite !ffunE; case: (s == p) => //.
by congr (_ * _); case: (y s); case: (z s); rewrite /sign /=; ring.
Qed.
End States.

Section Noiseless.
Variables (M DA DB P : finType) (XA : DA -> P -> R) (XB : DB -> P -> R) (r τ2 K : R) (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) (t : R).
Variables (σ κ2 h : P -> R) (GA : M -> DA -> R) (GB : M -> DB -> R).
Let v (p : P) : R := / r.
Let z_of := @coordinate P r.
Let KA := K_of XA (WA t).
Let KB := K_of XB (WB t).
Let loss_of : (M -> DA -> R) -> (M -> DB -> R) -> R := latent_loss XA v XB v (@uniform P) id id (@uniform P) (@uniform P) z_of z_of τ2 K.

(** The structure (7) without noise, at a time t at which the weights of both views move against the gradients. *)
Record noiseless_motion : Prop := NoiselessMotion {
  r_pos : 0 < r;
  τ2_pos : 0 < τ2;
  K_pos : 0 < K;
  some_output : 0 < ∑ p, κ2 p;
  gram_AA : forall p s, ∑ m, KA m p * KA m s = if p == s then κ2 p else 0;
  gram_BB : forall p s, ∑ m, KB m p * KB m s = if p == s then κ2 p else 0;
  gram_AB : forall p s, ∑ m, KA m p * KB m s = if p == s then h p else 0;
  maps_A : forall k l, gram_X XA k l = if k == l then σ l else 0;
  maps_B : forall k l, gram_X XB k l = if k == l then σ l else 0;
  along_A : is_gradient (fun V => loss_of V (WB t)) (WA t) GA;
  along_B : is_gradient (loss_of (WA t)) (WB t) GB;
  moves_A : forall m d, is_derive (fun u => WA u m d) t (- (r / τ2) * GA m d);
  moves_B : forall m d, is_derive (fun u => WB u m d) t (- (r / τ2) * GB m d) }.
Hypothesis motion : noiseless_motion.
Let r_gt0 := r_pos motion.
Let τ2_gt0 := τ2_pos motion.
Let K_gt0 := K_pos motion.

(** ‖κ‖², N² = ‖κ‖²/r, x_p = τ²κ̂_p²/(rN²), T_p = tanh x_p and S̄ = e^{Σx_p}/(e^{Σx_p} + K ∏cosh x_p). *)
Definition total : R := ∑ p, κ2 p.
Definition N2 : R := total / r.
Definition argument (p : P) : R := τ2 * h p / (r * N2).
Definition S_mean : R := exp (∑ p, argument p) / (exp (∑ p, argument p) + K * Z argument).

Let total_gt0 : 0 < total. Proof. exact: some_output. Qed.
Let N2_gt0 : 0 < N2. Proof. exact: Rdiv_lt_0_compat. Qed.

Lemma N_sq_A : N_sq XA v (WA t) = N2.
Proof.
rewrite /N_sq sum_mull /N2 /total /Rdiv Rmult_comm; congr (_ * _); apply: sum_ext => p.
by have := gram_AA motion p p; rewrite eqxx => <-; apply: sum_ext => m; rewrite /KA; ring.
Qed.
Lemma N_sq_B : N_sq XB v (WB t) = N2.
Proof.
rewrite /N_sq sum_mull /N2 /total /Rdiv Rmult_comm; congr (_ * _); apply: sum_ext => p.
by have := gram_BB motion p p; rewrite eqxx => <-; apply: sum_ext => m; rewrite /KB; ring.
Qed.

Let pos_A : 0 < N_sq XA v (WA t). Proof. by rewrite N_sq_A. Qed.
Let pos_B : 0 < N_sq XB v (WB t). Proof. by rewrite N_sq_B. Qed.
Let both : N_of XA v (WA t) * N_of XB v (WB t) = N2.
Proof. by rewrite /N_of N_sq_A N_sq_B sqrt_sqrt //; lra. Qed.
Let square_A : N_of XA v (WA t) ^ 2 = N2.
Proof. by rewrite /N_of N_sq_A /= Rmult_1_r sqrt_sqrt //; lra. Qed.
Let square_B : N_of XB v (WB t) ^ 2 = N2.
Proof. by rewrite /N_of N_sq_B /= Rmult_1_r sqrt_sqrt //; lra. Qed.

Let s := sim XA v XB v z_of z_of (WB t) (WA t).

(** τ²⟨f_A(z), f_B(z')⟩ = Σ x_p z_p z'_p r. *)
Lemma similarity_exponent z z' : τ2 * s z z' = exponent argument z z'.
Proof.
have na := sqrt_lt_R0 _ pos_A; have nb := sqrt_lt_R0 _ pos_B; rewrite -/(N_of XA v (WA t)) -/(N_of XB v (WB t)) in na nb.
have -> : s z z' = (∑ p, h p * (z_of z p * z_of z' p)) / N2.
  rewrite /s /sim /similarity /dot (sum_ext (G := fun m => / N2 * ∑ p, ∑ q, z_of z p * z_of z' q * (KA m p * KB m q))) => [|m].
    rewrite sum_mull sum_exchange Rmult_comm /Rdiv; congr (_ * _); apply: sum_ext => p.
    rewrite sum_exchange (sum_ext (G := fun q => if p == q then z_of z p * z_of z' q * h p else 0)) => [|q].
      by rewrite sum_if1; ring.
    by rewrite sum_mull (gram_AB motion); case: (p == q); ring.
  rewrite /feature_B !features_apply -/KA -/KB -both.
  have -> : (∑ l, KA m l * z_of z l) / N_of XA v (WA t) * ((∑ l, KB m l * z_of z' l) / N_of XB v (WB t)) =
    / (N_of XA v (WA t) * N_of XB v (WB t)) * ((∑ l, KA m l * z_of z l) * (∑ l, KB m l * z_of z' l)) by field; lra.
  by rewrite sum_mul; congr (_ * _); apply: sum_ext => p; apply: sum_ext => q; ring.
rewrite /Rdiv -Rmult_assoc -sum_mull -sum_mulr; apply: sum_ext => p.
by rewrite coordinate_product // /argument; field; lra.
Qed.

(** Flipping one coordinate of z⁺ and z⁻ together leaves the exponent τ²⟨f_A⁺,f_B⁻⟩ as it is.
    [claim] ren2023.lemma-a7  [sense] s6  [scope] any number of signals, any maps and weights of the structure (7) without noise *)
Theorem lemma_a7_s6 p z z' : τ2 * s (flip p z) (flip p z') = τ2 * s z z'.
Proof. by rewrite !similarity_exponent flip_both. Qed.

Let mean_Z z : 𝔼 z' ~ @uniform P, exp (τ2 * s z z') = Z argument.
Proof.
have [e _] := lemma_c2_printed argument z r_gt0; rewrite -e; apply: E_ext => z'; by rewrite similarity_exponent.
Qed.
Let mean_Z' z : 𝔼 z' ~ @uniform P, exp (τ2 * s z' z) = Z argument.
Proof.
have [e _] := lemma_c2_printed argument z r_gt0; rewrite -e; apply: E_ext => z'; by rewrite similarity_exponent exponentC.
Qed.
Let self z : τ2 * s z z = ∑ p, argument p.
Proof. by rewrite similarity_exponent; apply: sum_ext => p; rewrite sign_sq; ring. Qed.

(** E_{z⁻}e^{τ²⟨f_A⁺,f_B⁻⟩} = ∏cosh x_p for every z⁺.
    [claim] ren2023.lemma-a7  [sense] s2  [scope] any number of signals, any maps and weights of the structure (7) without noise *)
Theorem lemma_a7_s2 z : 𝔼 z' ~ @uniform P, exp (τ2 * s z z') = ∏ p, cosh (argument p).
Proof. exact: mean_Z. Qed.

(** S_A = S_B = S̄ at every z⁺.
    [claim] ren2023.lemma-a7  [sense] s1  [scope] any number of signals, any maps and weights of the structure (7) without noise *)
Theorem lemma_a7_s1 z : S_A (@uniform P) τ2 K s z z = S_mean /\ S_B (@uniform P) τ2 K s z z = S_mean.
Proof. by rewrite /S_A /S_B self mean_Z mean_Z'. Qed.

(** The tilted means: E_{z⁻}[w_A z⁻_k] = T_k z⁺_k, and the same for w_B. *)
Let tilted_A z k : 𝔼 z' ~ @uniform P, w_A (@uniform P) τ2 s z z' * z_of z' k = tanh (argument k) * z_of z k.
Proof.
have Z0 := Z_gt0 argument; rewrite (E_ext (h := fun z' => / Z argument * (exp (exponent argument z z') * z_of z' k))) => [|z'].
  by rewrite E_mull tilted_mean // -/(z_of z k); field; lra.
by rewrite /w_A mean_Z similarity_exponent /Rdiv; ring.
Qed.
Let tilted_B z k : 𝔼 z' ~ @uniform P, w_B (@uniform P) τ2 s z' z * z_of z' k = tanh (argument k) * z_of z k.
Proof.
have Z0 := Z_gt0 argument; rewrite (E_ext (h := fun z' => / Z argument * (exp (exponent argument z z') * z_of z' k))) => [|z'].
  by rewrite E_mull tilted_mean // -/(z_of z k); field; lra.
by rewrite /w_B mean_Z' similarity_exponent exponentC /Rdiv; ring.
Qed.

(** rE[w_A z_s⁻z_p⁺] = δ_psT_p, the mean over z⁺ and z⁻.
    [claim] ren2023.lemma-a7  [sense] s3  [scope] any number of signals, any maps and weights of the structure (7) without noise *)
Theorem lemma_a7_s3 p q : r * (𝔼 z ~ @uniform P, 𝔼 z' ~ @uniform P, w_A (@uniform P) τ2 s z z' * (z_of z' q * z_of z p)) =
  if p == q then tanh (argument p) else 0.
Proof.
rewrite (E_ext (h := fun z => tanh (argument q) * (z_of z q * z_of z p))) => [|z].
  by rewrite E_mull second_moments // eq_sym; case: eqP => [->|_]; field; lra.
rewrite (E_ext (h := fun z' => w_A (@uniform P) τ2 s z z' * z_of z' q * z_of z p)) => [|z']; last by ring.
by rewrite E_mulr tilted_A; ring.
Qed.

(** q_p = 2(1−S̄)(1−T_p), and Q_0. *)
Definition pull (p : P) : R := 2 * (1 - S_mean) * (1 - tanh (argument p)).
Definition shrink : R := 2 * (1 - S_mean) * (∑ p, h p * (1 - tanh (argument p))) / total.

(** Q_1 = 2(1−S̄)(I − diag T) and Q_0 = 2(1−S̄)Σ_sκ̂_s²(1−T_s)/‖κ‖².
    [claim] ren2023.lemma-a7  [sense] s4  [scope] any number of signals, any maps and weights of the structure (7) without noise *)
Theorem lemma_a7_s4 :
  (forall k l, Q XA v XB v (@uniform P) id id (@uniform P) (@uniform P) z_of z_of r τ2 K (WA t) (WB t) k l = if k == l then pull k else 0) /\
  Q_0 XA v XB v (@uniform P) id id (@uniform P) (@uniform P) z_of z_of τ2 K (WA t) (WB t) = shrink.
Proof.
have first k l : Q XA v XB v (@uniform P) id id (@uniform P) (@uniform P) z_of z_of r τ2 K (WA t) (WB t) k l = if k == l then pull k else 0.
  rewrite /Q /bracket -/s.
  have -> : 𝔼 z ~ @uniform P, (2 - S_A (@uniform P) τ2 K s z z - S_B (@uniform P) τ2 K s z z) * (z_of z k * z_of z l) = (2 - 2 * S_mean) * (if k == l then / r else 0).
    by rewrite -second_moments // -E_mull; apply: E_ext => z; have [-> ->] := lemma_a7_s1 z; rewrite -/(z_of z k) -/(z_of z l); ring.
  have -> : 𝔼 z ~ @uniform P, (1 - S_A (@uniform P) τ2 K s z z) * (𝔼 z' ~ @uniform P, w_A (@uniform P) τ2 s z z' * (z_of z' k * z_of z l))
    = (1 - S_mean) * tanh (argument k) * (if k == l then / r else 0).
    rewrite -second_moments // -E_mull; apply: E_ext => z; have [-> _] := lemma_a7_s1 z.
    rewrite (E_ext (h := fun z' => w_A (@uniform P) τ2 s z z' * z_of z' k * z_of z l)) => [|z']; last by ring.
    by rewrite E_mulr tilted_A -/(z_of z k) -/(z_of z l); ring.
  have -> : 𝔼 z ~ @uniform P, (1 - S_B (@uniform P) τ2 K s z z) * (𝔼 z' ~ @uniform P, w_B (@uniform P) τ2 s z' z * (z_of z k * z_of z' l))
    = (1 - S_mean) * tanh (argument l) * (if k == l then / r else 0).
    rewrite -second_moments // -E_mull; apply: E_ext => z; have [_ ->] := lemma_a7_s1 z.
    rewrite (E_ext (h := fun z' => w_B (@uniform P) τ2 s z' z * z_of z' l * z_of z k)) => [|z']; last by ring.
    by rewrite E_mulr tilted_B -/(z_of z k) -/(z_of z l); ring.
  by rewrite /pull; case: eqP => [->|_]; field; lra.
split=> //; apply: (Rmult_eq_reg_l r); last lra.
rewrite cor_a4_companion // both (sum_ext (G := fun l => h l / N2 * pull l)) => [|l].
  have -> : r * shrink = / N2 * ∑ l, h l * pull l.
    have -> : ∑ l, h l * pull l = 2 * (1 - S_mean) * ∑ l, h l * (1 - tanh (argument l)).
      by rewrite -sum_mull; apply: sum_ext => l; rewrite /pull; ring.
    by rewrite /shrink /N2; field; lra.
  by rewrite -sum_mull; apply: sum_ext => l; field; lra.
rewrite (sum_ext (G := fun k => if l == k then h l / N2 * pull l else 0)) ?sum_if1 // => k.
rewrite first -/KA -/KB (gram_AB motion) (eq_sym k); case: (l =P k) => [->|_] //; rewrite /Rdiv; ring.
Qed.

(** Q′ = Σ_sκ̂_s²(1−T_s)/‖κ‖². *)
Definition share : R := (∑ p, h p * (1 - tanh (argument p))) / total.

Lemma velocities :
  (forall m p, - (r / τ2) * times_X XA GA m p = 2 * (1 - S_mean) / N2 * (KB m p * (1 - tanh (argument p)) - share * KA m p) * σ p) /\
  (forall m p, - (r / τ2) * times_X XB GB m p = 2 * (1 - S_mean) / N2 * (KA m p * (1 - tanh (argument p)) - share * KB m p) * σ p).
Proof.
have ul := uniform_is_law P; have [q q_0] := lemma_a7_s4.
have [A B] := cor_a4_printed r K_gt0 ul ul τ2_gt0 pos_A pos_B (along_A motion) (along_B motion) (maps_A motion) (maps_B motion).
have only F p : ∑ k, F k * (if k == p then pull k else 0) = F p * pull p.
  by rewrite -(sum_if1 (fun k => F k * pull k) p); apply: sum_ext => k; rewrite (eq_sym p); case: eqP => _; ring.
split=> m p; rewrite ?A ?B both ?square_A ?square_B q_0.
  rewrite (sum_ext (G := fun k => KB m k * (if k == p then pull k else 0))) => [|k]; last by rewrite q.
  by rewrite only -/KA /shrink /share /pull /v; field; lra.
rewrite (sum_ext (G := fun k => KA m k * (if k == p then pull k else 0))) => [|k]; last by rewrite q eq_sym; case: eqP => [->|].
by rewrite only -/KB /shrink /share /pull /v; field; lra.
Qed.

(** K̇_A = (2(1−S̄)/N²)(K_B(I−diag T) − (Σ_sκ̂_s²(1−T_s)/‖κ‖²)K_A)D_σ.
    [claim] ren2023.lemma-a7  [sense] s5  [scope] any number of signals, any maps and weights of the structure (7) without noise *)
Theorem lemma_a7_s5 m p : - (r / τ2) * times_X XA GA m p =
  2 * (1 - S_mean) / N2 * (KB m p * (1 - tanh (argument p)) - share * KA m p) * σ p.
Proof. exact: (proj1 velocities). Qed.

(** κ_p² in view A and in view B, and κ̂_p², as functions of time. *)
Definition square_of (D : finType) (X : D -> P -> R) (W : R -> M -> D -> R) p u : R := ∑ m, K_of X (W u) m p ^ 2.
Definition inner_of p u : R := ∑ m, K_of XA (WA u) m p * K_of XB (WB u) m p.

Let rate p : R := 4 * (1 - S_mean) * σ p / N2.

Lemma products p : ∑ m, KA m p ^ 2 = κ2 p /\ ∑ m, KB m p ^ 2 = κ2 p /\ ∑ m, KA m p * KB m p = h p.
Proof.
have eA := gram_AA motion p p; have eB := gram_BB motion p p; have eh := gram_AB motion p p; rewrite eqxx in eA eB eh.
by split; [rewrite -eA | split; [rewrite -eB | exact: eh]]; apply: sum_ext => m; ring.
Qed.

(** dκ_p²/dt = (4(1−S̄)σ_p²/N²)(κ̂_p²(1−T_p) − Q′κ_p²) in both views and dκ̂_p²/dt = (4(1−S̄)σ_p²/N²)(κ_p²(1−T_p) − Q′κ̂_p²).
    [claim] ren2023.lemma-a7  [sense] printed  [scope] any number of signals, any maps and weights of the structure (7) without noise *)
Theorem lemma_a7_printed p :
  is_derive (square_of XA WA p) t (rate p * (h p * (1 - tanh (argument p)) - share * κ2 p)) /\
  is_derive (square_of XB WB p) t (rate p * (h p * (1 - tanh (argument p)) - share * κ2 p)) /\
  is_derive (inner_of p) t (rate p * (κ2 p * (1 - tanh (argument p)) - share * h p)).
Proof.
have [vA vB] := velocities; have [eA [eB eh]] := products p.
have DA' m := is_derive_K XA m p (moves_A motion); have DB' m := is_derive_K XB m p (moves_B motion).
split; last split.
- have -> : rate p * (h p * (1 - tanh (argument p)) - share * κ2 p) = ∑ m, 2 * KA m p * (- (r / τ2) * times_X XA GA m p).
    symmetry; rewrite -eh -eA (sum_ext (G := fun m => rate p * (1 - tanh (argument p)) * (KA m p * KB m p) - rate p * share * KA m p ^ 2)) => [|m].
      by rewrite sum_sub !sum_mull; ring.
    by rewrite vA /rate; field; lra.
  by apply: is_derive_sum => m; apply: (is_derive_square (g := fun u => K_of XA (WA u) m p)).
- have -> : rate p * (h p * (1 - tanh (argument p)) - share * κ2 p) = ∑ m, 2 * KB m p * (- (r / τ2) * times_X XB GB m p).
    symmetry; rewrite -eh -eB (sum_ext (G := fun m => rate p * (1 - tanh (argument p)) * (KA m p * KB m p) - rate p * share * KB m p ^ 2)) => [|m].
      by rewrite sum_sub !sum_mull; ring.
    by rewrite vB /rate; field; lra.
  by apply: is_derive_sum => m; apply: (is_derive_square (g := fun u => K_of XB (WB u) m p)).
- have -> : rate p * (κ2 p * (1 - tanh (argument p)) - share * h p) =
      ∑ m, (- (r / τ2) * times_X XA GA m p * KB m p + KA m p * (- (r / τ2) * times_X XB GB m p)).
    symmetry; rewrite -eh (sum_ext (G := fun m => 1 / 2 * rate p * (1 - tanh (argument p)) * KB m p ^ 2 + (1 / 2 * rate p * (1 - tanh (argument p)) * KA m p ^ 2
      + - (rate p * share) * (KA m p * KB m p)))) => [|m]; first by rewrite !sum_add !sum_mull eA eB; field.
    by rewrite vA vB /rate; field; lra.
  apply: is_derive_sum => m.
  exact: (is_derive_mult (fun u => K_of XA (WA u) m p) (fun u => K_of XB (WB u) m p) t _ _ (DA' m) (DB' m) Rmult_comm).
Qed.

(** Equation (8): dκ_p²/dt = (4(1−S̄)σ_p²/N²)(κ̂_p² − (‖κ̂‖²/‖κ‖²)κ_p²) − (4(1−S̄)σ_p²/N²)(κ̂_p²T_p − (Σ_sκ̂_s²T_s/‖κ‖²)κ_p²), and
    dκ̂_p²/dt with κ_p² and κ̂_p² exchanged in the right places.
    [claim] ren2023.eq-8  [sense] printed  [scope] any number of signals, any maps and weights of the structure (7) without noise *)
Theorem eq_8_printed p : let mean := (∑ s, h s) / total in let tilted := (∑ s, h s * tanh (argument s)) / total in
  is_derive (square_of XA WA p) t (rate p * (h p - mean * κ2 p) - rate p * (h p * tanh (argument p) - tilted * κ2 p)) /\
  is_derive (inner_of p) t (rate p * (κ2 p - mean * h p) - rate p * (κ2 p * tanh (argument p) - tilted * h p)).
Proof.
move=> mean tilted; have [A [_ H]] := lemma_a7_printed p.
have e : share = mean - tilted.
  rewrite /share /mean /tilted (sum_ext (G := fun i => h i - h i * tanh (argument i))) => [|i]; last ring.
  by rewrite sum_sub; field; lra.
have d : rate p * (h p - mean * κ2 p) - rate p * (h p * tanh (argument p) - tilted * κ2 p) = rate p * (h p * (1 - tanh (argument p)) - share * κ2 p).
  by rewrite e; ring.
have d' : rate p * (κ2 p - mean * h p) - rate p * (κ2 p * tanh (argument p) - tilted * h p) = rate p * (κ2 p * (1 - tanh (argument p)) - share * h p).
  by rewrite e; ring.
by rewrite d d'.
Qed.

(** d/dt(κ̂_p²/κ_p²) = (4(1−S̄)σ_p²/N²)(1−T_p)(1 − (κ̂_p²/κ_p²)²).
    [claim] ren2023.eq-8  [sense] s1  [scope] any number of signals, any maps and weights of the structure (7) without noise *)
Theorem eq_8_s1 p : 0 < κ2 p -> is_derive (fun u => inner_of p u / square_of XA WA p u) t
  (rate p * (1 - tanh (argument p)) * (1 - (h p / κ2 p) ^ 2)).
Proof.
move=> pos; have [A [_ H]] := lemma_a7_printed p; have [eA [_ eh]] := products p.
have at_A : square_of XA WA p t = κ2 p by exact: eA. have at_h : inner_of p t = h p by exact: eh.
have D := is_derive_div _ _ _ _ _ H A; move: D; rewrite at_A at_h => /(_ ltac:(lra)).
set x := _ / _; set y := _ * _ * _; have -> // : x = y by rewrite /x /y; field; lra.
Qed.

(** Σκ_p²/σ_p² is constant.
    [claim] ren2023.eq-8  [sense] s2  [scope] any number of signals, any maps and weights of the structure (7) without noise *)
Theorem eq_8_s2 : (forall p, 0 < σ p) -> is_derive (fun u => ∑ p, square_of XA WA p u / σ p) t 0.
Proof.
move=> σ0; have e : ∑ p, / σ p * (rate p * (h p * (1 - tanh (argument p)) - share * κ2 p)) = 0.
  rewrite (sum_ext (G := fun p => 4 * (1 - S_mean) / N2 * (h p * (1 - tanh (argument p))) - 4 * (1 - S_mean) / N2 * share * κ2 p)) => [|p].
    by rewrite sum_sub !sum_mull -/total /share; field; lra.
  by have := σ0 p; rewrite /rate => s0; field; lra.
have D : is_derive (fun u => ∑ p, square_of XA WA p u / σ p) t (∑ p, / σ p * (rate p * (h p * (1 - tanh (argument p)) - share * κ2 p))).
  apply: is_derive_sum => p; have [A _] := lemma_a7_printed p.
  apply: (is_derive_ext (fun u => / σ p * square_of XA WA p u)) => [u|]; first exact: Rmult_comm.
  exact: (is_derive_scal (square_of XA WA p)).
by rewrite e in D.
Qed.
End Noiseless.

(** * Controls: one signal, one map X = 1, τ² = K = r = 1; the columns are unit vectors e and f of the plane, so that κ² = 1 and κ̂² = e·f *)
Section Example.
Variables e f : bool -> R.
Hypothesis unit_e : dot e e = 1.
Hypothesis unit_f : dot f f = 1.

Let similar := product one_map (fun=> / 1) one_map (fun=> / 1) (fun z => input one_map (@coordinate unit_finType 1 z))
  (fun z => input one_map (@coordinate unit_finType 1 z)) (column e) (column f).
Definition slope_A m (d : unit) : R := - 1 * bracket (@uniform unit_finType) id id (@uniform unit_finType) (@uniform unit_finType) 1 1 similar
  (fun i j => pair_gradient one_map (fun=> / 1) (feature one_map (fun=> / 1) (column f) (input one_map (coordinate 1 j))) (column e) (input one_map (coordinate 1 i)) m d).
Definition slope_B m (d : unit) : R := - 1 * bracket (@uniform unit_finType) id id (@uniform unit_finType) (@uniform unit_finType) 1 1 similar
  (fun i j => pair_gradient one_map (fun=> / 1) (feature one_map (fun=> / 1) (column e) (input one_map (coordinate 1 i))) (column f) (input one_map (coordinate 1 j)) m d).
Definition line_A u m (d : unit) : R := e m + u * (- (1 / 1) * slope_A m d).
Definition line_B u m (d : unit) : R := f m + u * (- (1 / 1) * slope_B m d).

Lemma line_A_0 : line_A 0 = column e.
Proof. by do 2 (apply: FunctionalExtensionality.functional_extensionality => ?); rewrite /line_A /column; ring. Qed.
Lemma line_B_0 : line_B 0 = column f.
Proof. by do 2 (apply: FunctionalExtensionality.functional_extensionality => ?); rewrite /line_B /column; ring. Qed.

Lemma N_sq_unit (g : bool -> R) : dot g g = 1 -> N_sq one_map (fun=> / 1) (column g) = 1.
Proof.
rewrite /dot sum_bool => n1; rewrite /N_sq /K_of !sum_unit !sum_bool !sum_unit /column /one_map Rinv_1 -[RHS]n1; ring.
Qed.
Lemma K_column (g : bool -> R) m p : K_of one_map (column g) m p = g m.
Proof. by rewrite /K_of sum_unit /column /one_map; ring. Qed.

Lemma plane : noiseless_motion one_map one_map 1 1 1 line_A line_B 0 (fun _ : unit_finType => 1) (fun=> 1) (fun=> dot e f) slope_A slope_B.
Proof.
have pA : 0 < N_sq one_map (fun=> / 1) (column e) by rewrite N_sq_unit; lra.
have pB : 0 < N_sq one_map (fun=> / 1) (column f) by rewrite N_sq_unit; lra.
have ul := uniform_is_law unit_finType.
have [gA gB] := @lemma_a2_printed _ _ _ _ _ _ _ _ one_map (fun=> / 1) one_map (fun=> / 1) (@uniform unit_finType) id id (@uniform unit_finType) (@uniform unit_finType)
  1 1 (fun z => input one_map (@coordinate unit_finType 1 z)) (fun z => input one_map (@coordinate unit_finType 1 z)) (column e) (column f) Rlt_0_1 ul ul pA pB.
have gram (g g' : bool -> R) (p q : unit) : ∑ m, K_of one_map (column g) m p * K_of one_map (column g') m q = if p == q then dot g g' else 0.
  by rewrite /dot !sum_bool !K_column; case: p; case: q.
have map (k l : unit) : gram_X one_map k l = if k == l then (fun=> 1) l else 0.
  by rewrite /gram_X sum_unit /one_map; case: k; case: l; rewrite eqxx; ring.
split; rewrite ?line_A_0 ?line_B_0; [lra | lra | lra | by rewrite sum_unit; lra | | | | exact: map | exact: map | exact: gA | exact: gB | | ].
- by move=> p q; rewrite gram unit_e.
- by move=> p q; rewrite gram unit_f.
- by move=> p q; rewrite gram.
- by move=> m d; rewrite /line_A; auto_derive => //; ring.
- by move=> m d; rewrite /line_B; auto_derive => //; ring.
Qed.
End Example.

Lemma unit_e1 : dot e1 e1 = 1. Proof. by rewrite /dot sum_bool /e1; ring. Qed.
Lemma unit_e2 : dot e2 e2 = 1. Proof. by rewrite /dot sum_bool /e2; ring. Qed.

(** Orthogonal columns, where x = 0 and S̄ = 1/2, and equal ones, where x = 1. *)
Definition orthogonal_columns := plane unit_e1 unit_e2.
Definition same_columns := plane unit_e1 unit_e1.
Lemma dot_e1_e2 : dot e1 e2 = 0. Proof. by rewrite /dot sum_bool /e1 /e2; ring. Qed.
Lemma argument_0 p : argument 1 1 (fun _ : unit_finType => 1) (fun=> dot e1 e2) p = 0.
Proof. by rewrite /argument dot_e1_e2 /Rdiv; ring. Qed.
Lemma argument_1 p : argument 1 1 (fun _ : unit_finType => 1) (fun=> dot e1 e1) p = 1.
Proof. by rewrite /argument unit_e1 /N2 /total sum_unit; field. Qed.
Lemma S_mean_0 : S_mean 1 1 1 (fun _ : unit_finType => 1) (fun=> dot e1 e2) = 1 / 2.
Proof. by rewrite /S_mean /Z sum_unit (big_pred1 tt) => [|[] //]; rewrite argument_0 exp_0 cosh_0; field. Qed.
Lemma N2_1 : N2 1 (fun _ : unit_finType => 1) = 1. Proof. by rewrite /N2 /total sum_unit; field. Qed.

(** z⁺ flipped alone. *)
Theorem lemma_a7_s6_control : ~ (forall (M DA DB P : finType) (XA : DA -> P -> R) (XB : DB -> P -> R) r τ2 K (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) t σ κ2 h GA GB,
  noiseless_motion XA XB r τ2 K WA WB t σ κ2 h GA GB -> let s := sim XA (fun=> / r) XB (fun=> / r) (@coordinate P r) (@coordinate P r) (WB t) (WA t) in
  let rate p := 4 * (1 - S_mean r τ2 K κ2 h) * σ p / N2 r κ2 in let T p := tanh (argument r τ2 κ2 h p) in
  forall p z z', τ2 * s (flip p z) z' = τ2 * s z z').
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ same_columns tt [ffun=> true] [ffun=> true]); rewrite !(similarity_exponent same_columns).
by rewrite /exponent !sum_unit argument_1 !ffunE /sign /=; lra.
Qed.

(** The mean of e^{…} is not 1. *)
Theorem lemma_a7_s2_control : ~ (forall (M DA DB P : finType) (XA : DA -> P -> R) (XB : DB -> P -> R) r τ2 K (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) t σ κ2 h GA GB,
  noiseless_motion XA XB r τ2 K WA WB t σ κ2 h GA GB -> let s := sim XA (fun=> / r) XB (fun=> / r) (@coordinate P r) (@coordinate P r) (WB t) (WA t) in
  let rate p := 4 * (1 - S_mean r τ2 K κ2 h) * σ p / N2 r κ2 in let T p := tanh (argument r τ2 κ2 h p) in
  forall z, 𝔼 z' ~ @uniform P, exp (τ2 * s z z') = 1).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ same_columns [ffun=> true]); rewrite (lemma_a7_s2 same_columns) (big_pred1 tt) => [|[] //].
by rewrite argument_1 /cosh; apply: Rgt_not_eq; apply: Rlt_gt; bound.
Qed.

(** 1 in place of T_p. *)
Theorem lemma_a7_s3_control : ~ (forall (M DA DB P : finType) (XA : DA -> P -> R) (XB : DB -> P -> R) r τ2 K (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) t σ κ2 h GA GB,
  noiseless_motion XA XB r τ2 K WA WB t σ κ2 h GA GB -> let s := sim XA (fun=> / r) XB (fun=> / r) (@coordinate P r) (@coordinate P r) (WB t) (WA t) in
  let rate p := 4 * (1 - S_mean r τ2 K κ2 h) * σ p / N2 r κ2 in let T p := tanh (argument r τ2 κ2 h p) in
  forall p, r * (𝔼 z ~ @uniform P, 𝔼 z' ~ @uniform P, w_A (@uniform P) τ2 s z z' * (@coordinate P r z' p * @coordinate P r z p)) = 1).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ same_columns tt); rewrite (lemma_a7_s3 same_columns tt tt) eqxx argument_1.
by have := tanh_lt1 1; lra.
Qed.

(** Without the factor 2. *)
Theorem lemma_a7_s4_control : ~ (forall (M DA DB P : finType) (XA : DA -> P -> R) (XB : DB -> P -> R) r τ2 K (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) t σ κ2 h GA GB,
  noiseless_motion XA XB r τ2 K WA WB t σ κ2 h GA GB -> let s := sim XA (fun=> / r) XB (fun=> / r) (@coordinate P r) (@coordinate P r) (WB t) (WA t) in
  let rate p := 4 * (1 - S_mean r τ2 K κ2 h) * σ p / N2 r κ2 in let T p := tanh (argument r τ2 κ2 h p) in
  forall k, Q XA (fun=> / r) XB (fun=> / r) (@uniform P) id id (@uniform P) (@uniform P) (@coordinate P r) (@coordinate P r) r τ2 K (WA t) (WB t) k k
    = (1 - S_mean r τ2 K κ2 h) * (1 - T k)).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ orthogonal_columns tt); rewrite (proj1 (lemma_a7_s4 orthogonal_columns)) eqxx /pull argument_0 S_mean_0 tanh_0; lra.
Qed.

(** One per cent more. *)
Theorem lemma_a7_s5_control : ~ (forall (M DA DB P : finType) (XA : DA -> P -> R) (XB : DB -> P -> R) r τ2 K (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) t σ κ2 h GA GB,
  noiseless_motion XA XB r τ2 K WA WB t σ κ2 h GA GB -> let s := sim XA (fun=> / r) XB (fun=> / r) (@coordinate P r) (@coordinate P r) (WB t) (WA t) in
  let rate p := 4 * (1 - S_mean r τ2 K κ2 h) * σ p / N2 r κ2 in let T p := tanh (argument r τ2 κ2 h p) in
  forall m p, - (r / τ2) * times_X XA GA m p = 101 / 100 * (2 * (1 - S_mean r τ2 K κ2 h) / N2 r κ2
    * (K_of XB (WB t) m p * (1 - T p) - share r τ2 κ2 h * K_of XA (WA t) m p) * σ p)).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ orthogonal_columns false tt); rewrite (lemma_a7_s5 orthogonal_columns) S_mean_0 N2_1 argument_0 tanh_0.
by rewrite line_A_0 line_B_0 !K_column /e1 /e2; lra.
Qed.

(** Half of the rate of κ̂_p². *)
Theorem lemma_a7_printed_control : ~ (forall (M DA DB P : finType) (XA : DA -> P -> R) (XB : DB -> P -> R) r τ2 K (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) t σ κ2 h GA GB,
  noiseless_motion XA XB r τ2 K WA WB t σ κ2 h GA GB -> let s := sim XA (fun=> / r) XB (fun=> / r) (@coordinate P r) (@coordinate P r) (WB t) (WA t) in
  let rate p := 4 * (1 - S_mean r τ2 K κ2 h) * σ p / N2 r κ2 in let T p := tanh (argument r τ2 κ2 h p) in
  forall p, is_derive (inner_of XA XB WA WB p) t (1 / 2 * (rate p * (κ2 p * (1 - T p) - share r τ2 κ2 h * h p)))).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ orthogonal_columns tt) /is_derive_unique.
have [_ [_ D]] := lemma_a7_printed orthogonal_columns tt; rewrite (is_derive_unique _ _ _ D) S_mean_0 N2_1 argument_0 tanh_0 dot_e1_e2; lra.
Qed.

(** Half of the rate of κ̂_p². *)
Theorem eq_8_printed_control : ~ (forall (M DA DB P : finType) (XA : DA -> P -> R) (XB : DB -> P -> R) r τ2 K (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) t σ κ2 h GA GB,
  noiseless_motion XA XB r τ2 K WA WB t σ κ2 h GA GB -> let s := sim XA (fun=> / r) XB (fun=> / r) (@coordinate P r) (@coordinate P r) (WB t) (WA t) in
  let rate p := 4 * (1 - S_mean r τ2 K κ2 h) * σ p / N2 r κ2 in let T p := tanh (argument r τ2 κ2 h p) in
  let mean := (∑ s, h s) / total κ2 in let tilted := (∑ s, h s * T s) / total κ2 in
  forall p, is_derive (inner_of XA XB WA WB p) t (1 / 2 * (rate p * (κ2 p - mean * h p) - rate p * (κ2 p * T p - tilted * h p)))).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ orthogonal_columns tt) /is_derive_unique.
have [_ D] := eq_8_printed orthogonal_columns tt; rewrite (is_derive_unique _ _ _ D) S_mean_0 N2_1 /total !sum_unit argument_0 tanh_0 dot_e1_e2; lra.
Qed.

(** Σκ̂_p²/σ_p² is not constant. *)
Theorem eq_8_s2_control : ~ (forall (M DA DB P : finType) (XA : DA -> P -> R) (XB : DB -> P -> R) r τ2 K (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) t σ κ2 h GA GB,
  noiseless_motion XA XB r τ2 K WA WB t σ κ2 h GA GB -> let s := sim XA (fun=> / r) XB (fun=> / r) (@coordinate P r) (@coordinate P r) (WB t) (WA t) in
  let rate p := 4 * (1 - S_mean r τ2 K κ2 h) * σ p / N2 r κ2 in let T p := tanh (argument r τ2 κ2 h p) in
  (forall p, 0 < σ p) -> is_derive (fun u => ∑ p, inner_of XA XB WA WB p u / σ p) t 0).
Proof.
move=> /(_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ orthogonal_columns (fun=> Rlt_0_1)) wrong.
have [_ [_ D]] := lemma_a7_printed orthogonal_columns tt.
have : is_derive (inner_of one_map one_map (line_A e1 e2) (line_B e1 e2) tt) 0 0.
  by apply: is_derive_ext wrong => u; rewrite sum_unit /Rdiv Rinv_1 Rmult_1_r.
by move=> /is_derive_unique; rewrite (is_derive_unique _ _ _ D) S_mean_0 N2_1 argument_0 tanh_0 dot_e1_e2; lra.
Qed.
