(** Esser et al., the display after Theorem 3: the expectation of C, for x_i drawn from any finite law, x_i⁻ an independent
    draw, and x_i⁺ = x_i + ε_i with an independent ε_i of mean zero.  The first printed equality holds,
      E[C̃] = n(E[x]E[x]ᵀ − E[xxᵀ]) = −n Cov(x);
    the second drops E[x]E[x⁻]ᵀ.  So E[C] is negative semidefinite, and definite exactly if x lies in no affine hyperplane. *)
Require Import Contrapositive.Vectors Contrapositive.Tactics.
Require Import Contrapositive.Sums.
Set Implicit Arguments. Unset Strict Implicit.

Section ExpectedC.
Variables (N X Y D : finType) (p : X -> R) (x : X -> D -> R) (ν : Y -> R) (ε : Y -> D -> R).

(** An anchor, its negative and the noise of its positive are drawn independently. *)
Definition triple : finType := [finType of X * X * Y].
Definition triple_law (t : triple) : R := p t.1.1 * p t.1.2 * ν t.2.

(** C̃ = Σ_i x_i(x_i⁻ − x_i⁺)ᵀ over the n anchors of N, that of the loss (2), −Σ_i x_i(x_i⁺)ᵀ, and the symmetric part C. *)
Definition positive (t : triple) (b : D) : R := x t.1.1 b + ε t.2 b.
Definition C_tilde (T : {ffun N -> triple}) (a b : D) : R := ∑ i, x (T i).1.1 a * (x (T i).1.2 b - positive (T i) b).
Definition C_nc (T : {ffun N -> triple}) (a b : D) : R := - ∑ i, x (T i).1.1 a * positive (T i) b.
Definition C_sym (T : {ffun N -> triple}) (a b : D) : R := (C_tilde T a b + C_tilde T b a) / 2.

(** Expectations over n independent triples, the moments of x, and wᵀGw. *)
Definition over_data (F : {ffun N -> triple} -> D -> D -> R) (a b : D) : R := 𝔼 T ~ independent (fun _ : N => triple_law), F T a b.
Definition mean (a : D) : R := 𝔼 s ~ p, x s a.
Definition second (a b : D) : R := 𝔼 s ~ p, x s a * x s b.
Definition quadratic (G : D -> D -> R) (w : D -> R) : R := ∑ a, ∑ b, w a * G a b * w b.
Let n := INR #|N|.

Hypothesis p_law : is_law p.
Hypothesis ν_law : is_law ν.
Hypothesis centred : forall b, 𝔼 y ~ ν, ε y b = 0.

Lemma E_triple (g : triple -> R) : E triple_law g = 𝔼 s ~ p, 𝔼 u ~ p, 𝔼 y ~ ν, g (s, u, y).
Proof.
transitivity (∑ t : triple, (fun su y => triple_law (su, y) * g (su, y)) t.1 t.2); first by apply: sum_ext => -[].
rewrite -(pair_bigA _ (fun su y => triple_law (su, y) * g (su, y))) /=.
transitivity (∑ su : X * X, (fun s u => ∑ y, triple_law (s, u, y) * g (s, u, y)) su.1 su.2); first by apply: sum_ext => -[].
rewrite -(pair_bigA _ (fun s u => ∑ y, triple_law (s, u, y) * g (s, u, y))) /=.
apply: sum_ext => s; rewrite /E -sum_mull; apply: sum_ext => u; rewrite -!sum_mull; apply: sum_ext => y.
by rewrite /triple_law /=; ring.
Qed.

Lemma triple_is_law : is_law triple_law.
Proof.
split=> [t|]; first by apply: Rmult_le_pos; [apply: Rmult_le_pos; exact: law_ge0 p_law _ | exact: law_ge0 ν_law _].
transitivity (E triple_law (fun=> 1)); first by apply: sum_ext => t; ring.
by rewrite E_triple !(E_const p_law, E_const ν_law).
Qed.

(** A sum over the anchors has n times the mean of one summand. *)
Lemma E_anchors (g : triple -> R) : 𝔼 T ~ independent (fun _ : N => triple_law), (∑ i, g (T i)) = n * E triple_law g.
Proof.
rewrite /E (sum_ext (G := fun T => ∑ i, independent (fun _ : N => triple_law) T * g (T i))) => [|T]; last by rewrite sum_mull.
rewrite sum_exchange (sum_ext (G := fun=> E triple_law g)) => [|i]; first exact: sum_const.
exact: (E_one_draw (fun=> triple_is_law) i g).
Qed.

(** The noise drops out. *)
Lemma E_positive a b : E triple_law (fun t => x t.1.1 a * positive t b) = second a b.
Proof.
rewrite E_triple; apply: E_ext => s; rewrite (E_ext (h := fun=> x s a * x s b)) => [|u]; first exact: E_const.
rewrite (E_ext (h := fun y => x s a * x s b + x s a * ε y b)) => [|y]; last by rewrite /positive /=; ring.
by rewrite E_add (E_const ν_law) E_mull centred; ring.
Qed.

(** E[C̃] = n(E[x]E[x]ᵀ − E[xxᵀ]).
    [claim] esser2024.exp-c  [sense] first-equality  [scope] finite laws of x and of a noise with mean zero, any n, any dimension *)
Theorem exp_c_first_equality a b : over_data C_tilde a b = n * (mean a * mean b - second a b).
Proof.
rewrite /over_data /C_tilde (E_anchors (fun t => x t.1.1 a * (x t.1.2 b - positive t b))); congr (_ * _).
rewrite (E_ext (h := fun t => x t.1.1 a * x t.1.2 b - x t.1.1 a * positive t b)) => [|t]; last ring.
rewrite E_sub E_positive E_triple; congr (_ - _).
rewrite (E_ext (h := fun s => x s a * mean b)) => [|s]; first exact: E_mulr.
by rewrite -E_mull; apply: E_ext => u; rewrite /= (E_const ν_law).
Qed.

(** E[C̃] + nE[xxᵀ] = nE[x]E[x]ᵀ: the second printed equality needs E[x] = 0.
    [claim] esser2024.exp-c  [sense] excess  [scope] finite laws of x and of a noise with mean zero, any n, any dimension *)
Theorem exp_c_excess a b : over_data C_tilde a b + n * second a b = n * (mean a * mean b).
Proof. by rewrite exp_c_first_equality; ring. Qed.

(** E[C̃] = −(n/2)E[(x−x′)(x−x′)ᵀ] = −n Cov(x), x′ an independent copy of x and Cov(x) = E[(x−E[x])(x−E[x])ᵀ].
    [claim] esser2024.exp-c  [sense] covariance  [scope] finite laws of x and of a noise with mean zero, any n, any dimension *)
Theorem exp_c_covariance a b :
  over_data C_tilde a b = - (n / 2) * (𝔼 s ~ p, 𝔼 u ~ p, (x s a - x u a) * (x s b - x u b)) /\
  over_data C_tilde a b = - n * (𝔼 s ~ p, (x s a - mean a) * (x s b - mean b)).
Proof.
have about (k l : R) : 𝔼 s ~ p, (x s a - k) * (x s b - l) = second a b - mean a * l - (k * mean b - k * l).
  rewrite (E_ext (h := fun s => (x s a * x s b - x s a * l) - (k * x s b - k * l))) => [|s]; last ring.
  by rewrite !E_sub E_mulr E_mull E_const.
rewrite exp_c_first_equality about; split; last ring.
rewrite (E_ext (h := fun s => (second a b - x s a * mean b) - (mean a * x s b - x s a * x s b))) => [|s].
  by rewrite !E_sub (E_const p_law) E_mulr E_mull; rewrite -/(mean a) -/(mean b) -/(second a b); field.
rewrite (E_ext (h := fun u => (x u a - x s a) * (x u b - x s b))) => [|u]; last ring.
by rewrite about; ring.
Qed.

(** For the loss (2): E[C̃] = −nE[xxᵀ].
    [claim] esser2024.exp-c  [sense] non-contrastive  [scope] finite laws of x and of a noise with mean zero, any n, any dimension *)
Theorem exp_c_non_contrastive a b : over_data C_nc a b = - (n * second a b).
Proof.
rewrite -E_positive -(E_anchors (fun t => x t.1.1 a * positive t b)) /over_data /C_nc /E -sum_opp.
by apply: sum_ext => T; ring.
Qed.

(** E[C] = −n Cov(x). *)
Lemma C_entry a b : over_data C_sym a b = - n * (𝔼 s ~ p, (x s a - mean a) * (x s b - mean b)).
Proof.
rewrite -(proj2 (exp_c_covariance a b)) /over_data /C_sym.
rewrite (E_ext (h := fun T => (C_tilde T a b + C_tilde T b a) * / 2)) // E_mulr E_add.
rewrite -/(over_data C_tilde a b) -/(over_data C_tilde b a) !exp_c_first_equality.
have -> : second b a = second a b by apply: E_ext => s; ring.
by field.
Qed.

(** wᵀE[C]w = −nE[(w·x − w·E[x])²]. *)
Lemma quadratic_C w : quadratic (over_data C_sym) w = - n * (𝔼 s ~ p, (dot w (x s) - dot w mean) ^ 2).
Proof.
have square s : (dot w (x s) - dot w mean) ^ 2 = ∑ a, ∑ b, w a * ((x s a - mean a) * (x s b - mean b)) * w b.
  have -> : dot w (x s) - dot w mean = ∑ a, w a * (x s a - mean a) by rewrite /dot -sum_sub; apply: sum_ext => a; ring.
  by rewrite /= Rmult_1_r sum_mul; apply: sum_ext => a; apply: sum_ext => b; ring.
rewrite (E_ext (h := fun s => 1 * ∑ a, ∑ b, w a * ((x s a - mean a) * (x s b - mean b)) * w b)) => [|s]; last by rewrite square; ring.
rewrite /E (sum_ext (G := fun s => ∑ a, ∑ b, w a * (p s * ((x s a - mean a) * (x s b - mean b))) * w b)) => [|s]; last first.
  by rewrite Rmult_1_l -sum_mull; apply: sum_ext => a; rewrite -sum_mull; apply: sum_ext => b; ring.
rewrite sum_exchange -sum_mull; apply: sum_ext => a; rewrite sum_exchange -sum_mull; apply: sum_ext => b.
by rewrite C_entry /E sum_mulr sum_mull; ring.
Qed.

(** E[C] is negative semidefinite.
    [claim] esser2024.exp-c  [sense] semidefinite  [scope] finite laws of x and of a noise with mean zero, any n, any dimension *)
Theorem exp_c_semidefinite w : quadratic (over_data C_sym) w <= 0.
Proof.
rewrite quadratic_C; have := E_ge0 p_law (fun s => pow2_ge_0 (dot w (x s) - dot w mean)).
by have := pos_INR #|N|; rewrite -/n; nra.
Qed.

(** E[C] is negative definite exactly if x lies in no affine hyperplane.
    [claim] esser2024.exp-c  [sense] definite-iff  [scope] finite laws of x and of a noise with mean zero, any n >= 1, any dimension *)
Theorem exp_c_definite_iff : (0 < #|N|)%N ->
  (forall w, (exists a, w a <> 0) -> quadratic (over_data C_sym) w < 0) <->
  (forall w c, (exists a, w a <> 0) -> exists2 s, 0 < p s & dot w (x s) <> c).
Proof.
move=> N0; have n0 : 0 < n by apply: lt_0_INR; apply/ltP.
split=> [definite w c w0 | spread w w0].
  pose off s := if Rlt_dec 0 (p s) then (if Req_EM_T (dot w (x s)) c then false else true) else false.
  case: (boolP [exists s, off s]) => [/existsP [s]|]; first by rewrite /off; case: Rlt_dec => //= ps; case: Req_EM_T => //= ne _; exists s.
  rewrite negb_exists => /forallP none; exfalso.
  have flat s : 0 < p s -> dot w (x s) = c by move=> ps; have := none s; rewrite /off; case: Rlt_dec => //= _; case: Req_EM_T.
  have := definite w w0; rewrite quadratic_C; have all (g : R -> R) : 𝔼 s ~ p, g (dot w (x s)) = g c.
    rewrite -[RHS](E_const p_law); apply: sum_ext => s.
    by case: (Req_dec (p s) 0) => [-> | ne]; [ring | rewrite flat //; have := law_ge0 p_law s; lra].
  have -> : dot w mean = c by rewrite /mean dot_E (all id).
  by rewrite (all (fun v => (v - c) ^ 2)); nra.
rewrite quadratic_C; have [s ps ne] := spread w (dot w mean) w0.
have : 0 < 𝔼 s ~ p, (dot w (x s) - dot w mean) ^ 2; last by nra.
apply: sum_lt0 => [u|]; first by apply: Rmult_le_pos; [exact: law_ge0 p_law u | exact: pow2_ge_0].
by exists s; apply: Rmult_lt_0_compat => //; rewrite -Rsqr_pow2; apply: Rsqr_pos_lt; lra.
Qed.
End ExpectedC.

(** * Examples: one coordinate and no noise; x = 1 always, or x = ±1 with equal probabilities *)
Definition no_noise (_ _ : unit) : R := 0.
Definition always (_ _ : unit) : R := 1.
Definition either (s : bool) (_ : unit) : R := if s then 1 else - 1.
Lemma no_noise_centred b : 𝔼 y ~ sure, no_noise y b = 0.
Proof. by rewrite E_sure. Qed.
Lemma mean_always a : mean sure always a = 1. Proof. by rewrite /mean E_sure. Qed.
Lemma second_always a b : second sure always a b = 1. Proof. by rewrite /second E_sure /always; ring. Qed.
Lemma mean_either a : mean coin either a = 0. Proof. by rewrite /mean E_coin /either; field. Qed.
Lemma second_either a b : second coin either a b = 1. Proof. by rewrite /second E_coin /either; field. Qed.
Definition C_always (N : finType) := exp_c_first_equality N always sure_law sure_law no_noise_centred.
Definition C_either (N : finType) := exp_c_first_equality N either coin_law sure_law no_noise_centred.

(** The second printed equality, E[C̃] = −nE[xxᵀ]: x = 1.
    [claim] esser2024.exp-c  [sense] second-equality  [scope] refuted at n = 1 and x = 1 *)
Theorem exp_c_second_equality_refuted : ~ (forall (N X Y D : finType) (p : X -> R) (x : X -> D -> R) (ν : Y -> R) (ε : Y -> D -> R),
  is_law p -> is_law ν -> (forall b, 𝔼 y ~ ν, ε y b = 0) -> forall a b, over_data (N := N) p ν (C_tilde x ε) a b = - (INR #|N| * second p x a b)).
Proof.
move=> /(_ unit_finType _ _ _ _ always _ _ sure_law sure_law no_noise_centred tt tt).
by rewrite (C_always unit_finType) !mean_always second_always card_unit /=; lra.
Qed.

(** E[C] is negative definite: x = 1.
    [claim] esser2024.exp-c  [sense] definite  [scope] refuted at n = 1 and x = 1 *)
Theorem exp_c_definite_refuted : ~ (forall (N X Y D : finType) (p : X -> R) (x : X -> D -> R) (ν : Y -> R) (ε : Y -> D -> R),
  is_law p -> is_law ν -> (forall b, 𝔼 y ~ ν, ε y b = 0) -> (0 < #|N|)%N ->
  forall w, (exists a, w a <> 0) -> quadratic (over_data (N := N) p ν (C_sym x ε)) w < 0).
Proof.
move=> /(_ unit_finType _ _ _ _ always _ _ sure_law sure_law no_noise_centred); rewrite card_unit => /(_ isT (fun=> 1)).
have w0 : exists a : unit, 1 <> 0 by exists tt; lra.
by move=> /(_ w0); rewrite (quadratic_C _ _ sure_law sure_law no_noise_centred) E_sure /dot !sum_unit mean_always /always; lra.
Qed.

(** E[C] = −E[xxᵀ], as the proof of Proposition 3 has it: x = 1.
    [claim] esser2024.exp-c  [sense] proposition-3  [scope] refuted at n = 1 and x = 1 *)
Theorem exp_c_proposition_3_refuted : ~ (forall (N X Y D : finType) (p : X -> R) (x : X -> D -> R) (ν : Y -> R) (ε : Y -> D -> R),
  is_law p -> is_law ν -> (forall b, 𝔼 y ~ ν, ε y b = 0) -> forall a b, over_data (N := N) p ν (C_sym x ε) a b = - second p x a b).
Proof.
move=> /(_ unit_finType _ _ _ _ always _ _ sure_law sure_law no_noise_centred tt tt).
by rewrite (C_entry _ _ sure_law sure_law no_noise_centred) E_sure !mean_always second_always /always; lra.
Qed.

(** * Controls *)

(** One per cent more. *)
Theorem exp_c_first_equality_control : ~ (forall (N X Y D : finType) (p : X -> R) (x : X -> D -> R) (ν : Y -> R) (ε : Y -> D -> R),
  is_law p -> is_law ν -> (forall b, 𝔼 y ~ ν, ε y b = 0) ->
  forall a b, over_data (N := N) p ν (C_tilde x ε) a b = 101 / 100 * (INR #|N| * (mean p x a * mean p x b - second p x a b))).
Proof.
move=> /(_ unit_finType _ _ _ _ either _ _ coin_law sure_law no_noise_centred tt tt).
by rewrite (C_either unit_finType) !mean_either second_either card_unit /=; lra.
Qed.

(** Twice the right side. *)
Theorem exp_c_excess_control : ~ (forall (N X Y D : finType) (p : X -> R) (x : X -> D -> R) (ν : Y -> R) (ε : Y -> D -> R),
  is_law p -> is_law ν -> (forall b, 𝔼 y ~ ν, ε y b = 0) ->
  forall a b, over_data (N := N) p ν (C_tilde x ε) a b + INR #|N| * second p x a b = 2 * (INR #|N| * (mean p x a * mean p x b))).
Proof.
move=> /(_ unit_finType _ _ _ _ always _ _ sure_law sure_law no_noise_centred tt tt).
by rewrite (C_always unit_finType) !mean_always second_always card_unit /=; lra.
Qed.

(** Without the factor 1/2. *)
Theorem exp_c_covariance_control : ~ (forall (N X Y D : finType) (p : X -> R) (x : X -> D -> R) (ν : Y -> R) (ε : Y -> D -> R),
  is_law p -> is_law ν -> (forall b, 𝔼 y ~ ν, ε y b = 0) ->
  forall a b, over_data (N := N) p ν (C_tilde x ε) a b = - INR #|N| * (𝔼 s ~ p, 𝔼 u ~ p, (x s a - x u a) * (x s b - x u b))).
Proof.
move=> /(_ unit_finType _ _ _ _ either _ _ coin_law sure_law no_noise_centred tt tt).
by rewrite (C_either unit_finType) !mean_either second_either card_unit !E_coin /either /=; lra.
Qed.

(** Control a: the other sign. *)
Theorem exp_c_non_contrastive_control : ~ (forall (N X Y D : finType) (p : X -> R) (x : X -> D -> R) (ν : Y -> R) (ε : Y -> D -> R),
  is_law p -> is_law ν -> (forall b, 𝔼 y ~ ν, ε y b = 0) -> forall a b, over_data (N := N) p ν (C_nc x ε) a b = INR #|N| * second p x a b).
Proof.
move=> /(_ unit_finType _ _ _ _ always _ _ sure_law sure_law no_noise_centred tt tt).
by rewrite (exp_c_non_contrastive _ _ sure_law sure_law no_noise_centred) second_always card_unit /=; lra.
Qed.

(** wᵀE[C]w <= −‖w‖². *)
Theorem exp_c_semidefinite_control : ~ (forall (N X Y D : finType) (p : X -> R) (x : X -> D -> R) (ν : Y -> R) (ε : Y -> D -> R),
  is_law p -> is_law ν -> (forall b, 𝔼 y ~ ν, ε y b = 0) -> forall w, quadratic (over_data (N := N) p ν (C_sym x ε)) w <= - dot w w).
Proof.
move=> /(_ unit_finType _ _ _ _ always _ _ sure_law sure_law no_noise_centred (fun=> 1)).
by rewrite (quadratic_C _ _ sure_law sure_law no_noise_centred) E_sure /dot !sum_unit mean_always /always; lra.
Qed.

(** Hyperplanes through zero alone: x = 1 lies in none. *)
Theorem exp_c_definite_iff_control : ~ (forall (N X Y D : finType) (p : X -> R) (x : X -> D -> R) (ν : Y -> R) (ε : Y -> D -> R),
  is_law p -> is_law ν -> (forall b, 𝔼 y ~ ν, ε y b = 0) -> (0 < #|N|)%N ->
  (forall w, (exists a, w a <> 0) -> quadratic (over_data (N := N) p ν (C_sym x ε)) w < 0) <->
  (forall w, (exists a, w a <> 0) -> exists2 s, 0 < p s & dot w (x s) <> 0)).
Proof.
move=> /(_ unit_finType _ _ _ _ always _ _ sure_law sure_law no_noise_centred); rewrite card_unit => /(_ isT) [_ spans].
have w0 : exists a : unit, 1 <> 0 by exists tt; lra.
have : quadratic (over_data (N := unit_finType) sure sure (C_sym always no_noise)) (fun=> 1) < 0.
  apply: spans w0 => w [[] ne]; exists tt; first by rewrite /sure; lra.
  by rewrite /dot sum_unit /always Rmult_1_r.
by rewrite (quadratic_C _ _ sure_law sure_law no_noise_centred) E_sure /dot !sum_unit mean_always /always; lra.
Qed.
