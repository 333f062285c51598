(** Merad et al., Lemma 1: one negative controls the loss of the mean classifier over all classes,
      L_sup(f) <= L_sup^μ(f) <= L_un(f)/p_min + log N_C.

    The term log N_C is not needed, and τ log 2 is left over:
      L_sup^μ <= L_un/p_min   and   L_sup^μ <= (L_un − τ log 2)/p_min,  τ = Σ ρ(c)².

    Jensen's inequality gives L_un >= E Σ_{c'} ρ(c') ζ(a_{c'}(x)) with the logits a_{c'}(x) = f(x)·(μ_{c'} − μ_c);
    the summand of the own class is ρ(c) log 2, and a sum of softpluses is at least the softplus of the log-sum.
    The first inequality of the lemma is [SupLeMu.lemma_1_head]. *)
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions Contrapositive.merad2020.PointMasses.
Set Implicit Arguments. Unset Strict Implicit.

Section Lemma1.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R).
Hypothesis M : model ρ law.
Let logit := logit law f.

Lemma ρ_law : is_law ρ.
Proof. by split=> [c|]; [apply: Rlt_le; exact: (ρ_gt0 M c) | exact: (ρ_sum M)]. Qed.

Lemma dot_μ u c : dot u (μ law f c) = 𝔼 x ~ law c, dot u (f x).
Proof. exact: dot_E. Qed.

Lemma logit_own c x : logit c x c = 0.
Proof. by rewrite /logit /Definitions.logit dotBr; ring. Qed.

(** Jensen's inequality, over x⁺ and x⁻ at once. *)
Lemma jensen_pair c x cn : ζ (logit c x cn) <= 𝔼 xp ~ law c, 𝔼 xn ~ law cn, ζ (dot (f x) (sub (f xn) (f xp))).
Proof.
pose a xp := dot (f x) (μ law f cn) - dot (f x) (f xp).
apply: (Rle_trans _ (𝔼 xp ~ law c, ζ (a xp))).
  have -> : logit c x cn = E (law c) a.
    by rewrite /a E_sub E_const; [rewrite -dot_μ -dotBr | exact: (class_law M c)].
  by apply: jensen_ζ; exact: (class_law M c).
apply: (E_le (class_law M c)) => xp.
have -> : a xp = 𝔼 xn ~ law cn, dot (f x) (sub (f xn) (f xp)).
  rewrite (E_ext (h := fun xn => dot (f x) (f xn) - dot (f x) (f xp))) => [|xn]; last by rewrite dotBr.
  by rewrite E_sub E_const /a ?dot_μ //; exact: (class_law M cn).
by apply: jensen_ζ; exact: (class_law M cn).
Qed.

(** [claim] merad2020.lemma-1  [sense] s1  [scope] finite laws, real entries *)
Lemma lemma_1_s1 : 𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 cn ~ ρ, ζ (logit c x cn) <= L_un ρ law f.
Proof.
apply: (E_le ρ_law) => c; apply: (E_le (class_law M c)) => x; rewrite E_exchange.
by apply: (E_le ρ_law) => cn; apply: jensen_pair.
Qed.

(** A weighted sum of softpluses is at least p times the softplus of the log-sum; the own class adds ρ(c) log 2. *)
Lemma softplus_collect p c (a : C -> R) : 0 <= p -> (forall c, p <= ρ c) -> a c = 0 ->
  p * LSE a + ρ c * ln 2 <= 𝔼 c' ~ ρ, ζ (a c').
Proof.
move=> p0 p_le ac; rewrite /E (sum_D1 _ c) ac ζ_0 Rplus_comm; apply: Rplus_le_compat_l.
rewrite (LSE_own ac); apply: (Rle_trans _ (p * ∑ (c' | c' != c), ζ (a c'))).
  exact: Rmult_le_compat_l (softplus_sum _ _).
rewrite -psum_mull; apply: psum_le => c' _; apply: Rmult_le_compat_r (p_le c').
exact: Rlt_le (ζ_gt0 _).
Qed.

(** [claim] merad2020.lemma-1  [sense] collision  [scope] finite laws, real entries *)
Theorem lemma_1_collision p : 0 < p -> (forall c, p <= ρ c) ->
  L_sup_μ ρ law f <= (L_un ρ law f - τ ρ * ln 2) / p.
Proof.
move=> p0 p_le; apply: (Rmult_le_reg_l p) => //.
have -> : p * ((L_un ρ law f - τ ρ * ln 2) / p) = L_un ρ law f - τ ρ * ln 2 by field; lra.
suff: p * L_sup_μ ρ law f + τ ρ * ln 2 <= L_un ρ law f by lra.
apply: Rle_trans lemma_1_s1.
have -> : p * L_sup_μ ρ law f + τ ρ * ln 2 = 𝔼 c ~ ρ, 𝔼 x ~ law c, (p * LSE (logit c x) + ρ c * ln 2).
  rewrite /L_sup_μ -E_mull [in RHS](E_ext (h := fun c => p * (𝔼 x ~ law c, LSE (logit c x)) + ρ c * ln 2)) => [|c].
    by rewrite E_add E_mulr; congr (_ + _ * _); apply: sum_ext => c; ring.
  by rewrite E_add E_mull E_const //; exact: (class_law M c).
apply: (E_le ρ_law) => c; apply: (E_le (class_law M c)) => x.
by apply: softplus_collect => //; [lra | apply: logit_own].
Qed.

(** [claim] merad2020.lemma-1  [sense] without-log  [scope] finite laws, real entries *)
Theorem lemma_1_without_log p : 0 < p -> (forall c, p <= ρ c) -> L_sup_μ ρ law f <= L_un ρ law f / p.
Proof.
move=> p0 p_le; apply: (Rle_trans _ _ _ (lemma_1_collision p0 p_le)).
apply: Rmult_le_compat_r; first by apply: Rlt_le; apply: Rinv_0_lt_compat.
have t0 : 0 <= τ ρ by apply: sum_ge0 => c; apply: pow2_ge_0.
have l0 : 0 <= ln 2 by apply: ln_ge0; lra.
by have := Rmult_le_pos _ _ t0 l0; lra.
Qed.

(** [claim] merad2020.lemma-1  [sense] printed  [scope] finite laws, real entries *)
Theorem lemma_1_printed p : is_min p ρ -> L_sup_μ ρ law f <= L_un ρ law f / p + ln (INR #|C|).
Proof.
case=> p_le [c pc]; have p0 : 0 < p by rewrite -pc; exact: (ρ_gt0 M c).
apply: (Rle_trans _ _ _ (lemma_1_without_log p0 p_le)).
suff: 0 <= ln (INR #|C|) by lra.
by apply: ln_ge0; apply: (le_INR 1); apply/leP/card_gt0P; exists c.
Qed.
End Lemma1.

(** * Controls: ρ = (9, 1)/10 and the points 1 and 5 of the line *)
Definition one_five (b : bool) : R := if b then 1 else 5.

Lemma nine_to_one_model : model nine_to_one (@point bool_finType).
Proof. by split=> [[]||c]; rewrite ?sum_bool /nine_to_one; try lra; apply: point_law. Qed.

Lemma L_un_nine_to_one : L_un nine_to_one (@point bool_finType) (on_line one_five) <= 1.
Proof.
rewrite L_un_point /E /ζ; expand; rewrite !dot_on_line /nine_to_one /one_five /=; bound.
Qed.

Lemma L_sup_μ_nine_to_one : 3 <= L_sup_μ nine_to_one (@point bool_finType) (on_line one_five).
Proof.
rewrite L_sup_μ_point /E /LSE; expand; rewrite !dot_on_line /nine_to_one /one_five /=; bound.
Qed.

(** Control b of the claim, p_max in place of p_min: false even with the term log N_C. *)
Theorem lemma_1_printed_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) p,
  model ρ law -> is_max p ρ -> L_sup_μ ρ law f <= L_un ρ law f / p + ln (INR #|C|)).
Proof.
move=> /(_ _ _ _ _ _ (on_line one_five) (9 / 10) nine_to_one_model) false.
have /false : is_max (9 / 10) nine_to_one by split=> [[]|]; [| | exists true]; rewrite /nine_to_one; lra.
have := L_un_nine_to_one; have := L_sup_μ_nine_to_one; rewrite card_bool /=.
have : ln (1 + 1) <= 1 by bound.
by lra.
Qed.

(** Control a, without the division by p_min. *)
Theorem lemma_1_without_log_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R),
  model ρ law -> L_sup_μ ρ law f <= L_un ρ law f).
Proof.
move=> /(_ _ _ _ _ _ (on_line one_five) nine_to_one_model).
by have := L_un_nine_to_one; have := L_sup_μ_nine_to_one; lra.
Qed.

(** One class: both sides of [lemma_1_collision] vanish, and nothing more than τ log 2 can be subtracted. *)
Theorem lemma_1_collision_control r : 1 < r ->
  ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) p, model ρ law -> 0 < p -> (forall c, p <= ρ c) ->
     L_sup_μ ρ law f <= (L_un ρ law f - r * (τ ρ * ln 2)) / p).
Proof.
move=> r1 /(_ _ _ _ _ _ (on_line (fun=> 0)) 1 sure_model Rlt_0_1) false.
have /false : forall c, 1 <= sure c by move=> c; apply: Rle_refl.
rewrite L_sup_μ_point L_un_point !E_sure /LSE /τ !sum_unit dot_on_line /sure Rminus_diag_eq // Rmult_0_r ζ_0.
rewrite exp_0 ln_1; have : 0 < ln 2 by apply: ln_gt0; lra.
by nra.
Qed.
