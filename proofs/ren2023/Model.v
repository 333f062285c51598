(** Ren and Li: linear features of two views, and the contrastive loss of the population, for finite laws.

    View A has the inputs x_A = Az + A_ξξ_A = X y, where X = [A | A_ξ] and y = (z, ξ_A) is the latent state.  The
    coordinates [L] of y are the r signals and the q noises; [v l] is the variance of coordinate [l], 1/r or 1/q.  The
    weights are W_A, with K = [K_A | K_{A,ξ}] = W_A X, N_A² = Σ_l v_l ‖K_l‖² and f_A(x) = W_A x/N_A.
    [I] and [J] are the inputs of the two views.  A positive pair is [(a o, b o)] with [o] from the law [π]; negatives of
    the views come from the laws [α] and [β].  All sets are any finite types. *)
From Coquelicot Require Import Coquelicot.
Require Export Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Vectors.
Require Import Contrapositive.Calculus.
Set Implicit Arguments. Unset Strict Implicit.

(** * Features and gradients *)
Section Features.
Variables (M D L : finType) (X : D -> L -> R) (v : L -> R).
Implicit Types (W H : M -> D -> R) (x : D -> R).

(** K = WX and N² = Σ_l v_l ‖K_l‖². *)
Definition K_of W (m : M) (l : L) : R := ∑ d, W m d * X d l.
Definition N_sq W : R := ∑ l, v l * ∑ m, K_of W m l ^ 2.
Definition N_of W : R := sqrt (N_sq W).

(** f(x) = Wx/N. *)
Definition feature W x : M -> R := fun m => apply_matrix W x m / N_of W.

(** ⟨G, H⟩, the sum of the products of the entries, and the gradient in W: the derivative in every direction H. *)
Definition inner (G H : M -> D -> R) : R := ∑ m, ∑ d, G m d * H m d.
Definition is_gradient (F : (M -> D -> R) -> R) W (G : M -> D -> R) : Prop :=
  forall H, is_derive (fun t => F (fun m d => W m d + t * H m d)) 0 (inner G H).

(** G X, the matrix that the velocity of K is made of. *)
Definition times_X (G : M -> D -> R) (m : M) (l : L) : R := ∑ d, G m d * X d l.

Lemma inner_sum (O : finType) (c : O -> R) (G : O -> M -> D -> R) H :
  inner (fun m d => ∑ o, c o * G o m d) H = ∑ o, c o * inner (G o) H.
Proof.
rewrite /inner (sum_ext (G := fun m => ∑ o, ∑ d, c o * (G o m d * H m d))) => [|m].
  rewrite sum_exchange; apply: sum_ext => o; rewrite -sum_mull; apply: sum_ext => m; exact: sum_mull.
by rewrite sum_exchange; apply: sum_ext => d; rewrite -sum_mulr; apply: sum_ext => o; ring.
Qed.

(** How K moves with W. *)
Lemma is_derive_K (W : R -> M -> D -> R) (G : M -> D -> R) c t m l : (forall m d, is_derive (fun u => W u m d) t (c * G m d)) ->
  is_derive (fun u => K_of (W u) m l) t (c * times_X G m l).
Proof.
move=> moves; have -> : c * times_X G m l = ∑ d, X d l * (c * G m d) by rewrite /times_X -sum_mull; apply: sum_ext => d; ring.
apply: (is_derive_ext (fun u => ∑ d, X d l * W u m d)) => [u|]; first by apply: sum_ext => d; rewrite Rmult_comm.
by apply: is_derive_sum => d; apply: (is_derive_scal (fun u => W u m d)).
Qed.
End Features.

(** * The contrastive loss of similarities s *)
Section Loss.
Variables (O I J : finType) (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (τ2 K : R).
Implicit Types (s F : I -> J -> R).

(** S_A, S_B at a pair (i, j), and the weights w_A, w_B of a negative. *)
Definition S_A s (i : I) (j : J) : R := exp (τ2 * s i j) / (exp (τ2 * s i j) + K * 𝔼 j' ~ β, exp (τ2 * s i j')).
Definition S_B s (i : I) (j : J) : R := exp (τ2 * s i j) / (exp (τ2 * s i j) + K * 𝔼 i' ~ α, exp (τ2 * s i' j)).
Definition w_A s (i : I) (j : J) : R := exp (τ2 * s i j) / 𝔼 j' ~ β, exp (τ2 * s i j').
Definition w_B s (i : I) (j : J) : R := exp (τ2 * s i j) / 𝔼 i' ~ α, exp (τ2 * s i' j).

(** L = −E log S_A − E log S_B, and L_nc = −E⟨f_A⁺, f_B⁺⟩. *)
Definition L_c s : R := 𝔼 o ~ π, (- ln (S_A s (a o) (b o)) - ln (S_B s (a o) (b o))).
Definition L_nc s : R := - 𝔼 o ~ π, s (a o) (b o).

(** E{(2−S_A−S_B) F⁺⁺} − E{(1−S_A) w_A F⁺⁻} − E{(1−S_B) w_B F⁻⁺}: what every formula of section A has. *)
Definition bracket s F : R :=
  (𝔼 o ~ π, (2 - S_A s (a o) (b o) - S_B s (a o) (b o)) * F (a o) (b o))
  - (𝔼 o ~ π, (1 - S_A s (a o) (b o)) * 𝔼 j ~ β, w_A s (a o) j * F (a o) j)
  - (𝔼 o ~ π, (1 - S_B s (a o) (b o)) * 𝔼 i ~ α, w_B s i (b o) * F i (b o)).

Lemma E_mull' (T : finType) (p : T -> R) k (c g : T -> R) : E p (fun x => c x * (k * g x)) = k * E p (fun x => c x * g x).
Proof. by rewrite -E_mull; apply: E_ext => x; ring. Qed.

Lemma E_sum (T U : finType) (p : T -> R) (c : T -> R) (g : U -> T -> R) :
  E p (fun x => c x * ∑ u, g u x) = ∑ u, E p (fun x => c x * g u x).
Proof.
rewrite /E (sum_ext (G := fun x => ∑ u, p x * (c x * g u x))); first exact: sum_exchange.
by move=> x; rewrite -!sum_mull.
Qed.

Lemma bracket_ext s F F' : (forall i j, F i j = F' i j) -> bracket s F = bracket s F'.
Proof.
move=> e; rewrite /bracket; congr (_ - _ - _); apply: E_ext => o; rewrite ?e //; congr (_ * _); apply: E_ext => i; by rewrite e.
Qed.

Lemma bracket_mull s k F : bracket s (fun i j => k * F i j) = k * bracket s F.
Proof.
rewrite /bracket E_mull' !Rmult_minus_distr_l; congr (_ - _ - _); rewrite -E_mull; apply: E_ext => o; rewrite E_mull'; ring.
Qed.

Lemma bracket_sum (U : finType) s (F : U -> I -> J -> R) : bracket s (fun i j => ∑ u, F u i j) = ∑ u, bracket s (F u).
Proof.
rewrite /bracket !sum_sub E_sum; congr (_ - _ - _); rewrite -E_sum; apply: E_ext => o; by rewrite E_sum.
Qed.

Lemma bracket_sub s F F' : bracket s (fun i j => F i j - F' i j) = bracket s F - bracket s F'.
Proof.
pose G (u : bool) := if u then F else (fun i j => - 1 * F' i j).
rewrite (@bracket_ext s _ (fun i j => ∑ u, G u i j)) => [|i j]; last by rewrite sum_bool /=; ring.
by rewrite bracket_sum sum_bool /G bracket_mull; ring.
Qed.

(** A combination of several of them is one of them. *)
Lemma bracket_combination (U : finType) s (c : U -> R) (F : U -> I -> J -> R) :
  bracket s (fun i j => ∑ u, c u * F u i j) = ∑ u, c u * bracket s (F u).
Proof. by rewrite bracket_sum; apply: sum_ext => u; rewrite bracket_mull. Qed.

Hypothesis K_gt0 : 0 < K.
Hypothesis α_law : is_law α.
Hypothesis β_law : is_law β.

Lemma E_exp_gt0 (T : finType) (p g : T -> R) : is_law p -> 0 < 𝔼 x ~ p, exp (g x).
Proof.
move=> law; pose m := - ∑ x, Rabs (g x); apply: (Rlt_le_trans _ (exp m)); first exact: exp_pos.
rewrite -(E_const law (exp m)); apply: E_le => // x; apply: exp_le.
have := @sum_term_le _ (fun x => Rabs (g x)) x (fun x => Rabs_pos _); rewrite /m.
by have := Rle_abs (- g x); rewrite Rabs_Ropp; lra.
Qed.

Lemma is_derive_exp c (f : R -> R) f' t : is_derive f t f' -> is_derive (fun r => c * exp (τ2 * f r)) t (c * (τ2 * f' * exp (τ2 * f t))).
Proof. by move=> Df; auto_derive; [exists f' | rewrite (is_derive_unique _ _ _ Df); ring]. Qed.

Lemma is_derive_log_sum (u m : R -> R) u' m' t : is_derive u t u' -> is_derive m t m' -> 0 < exp (τ2 * u t) + K * m t ->
  is_derive (fun r => ln (exp (τ2 * u r) + K * m r) - τ2 * u r) t
    ((τ2 * u' * exp (τ2 * u t) + K * m') / (exp (τ2 * u t) + K * m t) - τ2 * u').
Proof.
move=> Du Dm pos; auto_derive; first by repeat split; [exists u' | exists m' | | exists u'].
by rewrite (is_derive_unique _ _ _ Du) (is_derive_unique _ _ _ Dm); field; lra.
Qed.

(** The derivative of one summand, −log of e^{τ²s}/(e^{τ²s} + K E e^{τ²s'}). *)
Lemma is_derive_neg_log (T : finType) (p : T -> R) (u : R -> R) (g : R -> T -> R) u' (g' : T -> R) t : is_law p ->
  is_derive u t u' -> (forall x, is_derive (fun r => g r x) t (g' x)) ->
  let S := exp (τ2 * u t) / (exp (τ2 * u t) + K * 𝔼 x ~ p, exp (τ2 * g t x)) in
  is_derive (fun r => - ln (exp (τ2 * u r) / (exp (τ2 * u r) + K * 𝔼 x ~ p, exp (τ2 * g r x)))) t
    (- τ2 * ((1 - S) * u' - (1 - S) * 𝔼 x ~ p, exp (τ2 * g t x) / (𝔼 y ~ p, exp (τ2 * g t y)) * g' x)).
Proof.
move=> law Du Dg S; pose m r := 𝔼 x ~ p, exp (τ2 * g r x).
have m0 r : 0 < m r by apply: E_exp_gt0.
have Dm : is_derive m t (𝔼 x ~ p, τ2 * g' x * exp (τ2 * g t x)).
  apply: is_derive_sum => x; have dg := Dg x.
  exact: (is_derive_exp (p x) dg).
apply: (is_derive_ext (fun r => ln (exp (τ2 * u r) + K * m r) - τ2 * u r)) => [r|].
  have e0 := exp_pos (τ2 * u r); have := m0 r => mr; rewrite ln_div //; last by apply: Rplus_lt_0_compat => //; apply: Rmult_lt_0_compat.
  by rewrite ln_exp /m; apply: Rminus_diag_uniq; ring.
have e0 := exp_pos (τ2 * u t); have Km : 0 < K * m t by apply: Rmult_lt_0_compat.
have pos : 0 < exp (τ2 * u t) + K * m t by lra.
have mean : 𝔼 x ~ p, τ2 * g' x * exp (τ2 * g t x) = τ2 * (m t * 𝔼 x ~ p, exp (τ2 * g t x) / m t * g' x).
  by rewrite -!E_mull; apply: E_ext => x; field; have := m0 t; lra.
have -> : - τ2 * ((1 - S) * u' - (1 - S) * 𝔼 x ~ p, exp (τ2 * g t x) / (𝔼 y ~ p, exp (τ2 * g t y)) * g' x)
  = (τ2 * u' * exp (τ2 * u t) + K * 𝔼 x ~ p, τ2 * g' x * exp (τ2 * g t x)) / (exp (τ2 * u t) + K * m t) - τ2 * u'.
  by rewrite mean /S -/(m t); field; lra.
exact: is_derive_log_sum Du Dm pos.
Qed.

(** L′ = −τ² times the bracket of s′. *)
Lemma is_derive_loss (s : R -> I -> J -> R) (s' : I -> J -> R) t :
  (forall i j, is_derive (fun r => s r i j) t (s' i j)) ->
  is_derive (fun r => L_c (s r)) t (- τ2 * bracket (s t) s').
Proof.
move=> Ds; have -> : - τ2 * bracket (s t) s' = 𝔼 o ~ π,
    (- τ2 * ((1 - S_A (s t) (a o) (b o)) * s' (a o) (b o) - (1 - S_A (s t) (a o) (b o)) * 𝔼 j ~ β, w_A (s t) (a o) j * s' (a o) j)
     + - τ2 * ((1 - S_B (s t) (a o) (b o)) * s' (a o) (b o) - (1 - S_B (s t) (a o) (b o)) * 𝔼 i ~ α, w_B (s t) i (b o) * s' i (b o))).
  rewrite /bracket Rmult_minus_distr_l Rmult_minus_distr_l -!E_mull -!E_sub; apply: E_ext => o; ring.
apply: is_derive_sum => o; apply: (is_derive_scal (fun r => - ln (S_A (s r) (a o) (b o)) - ln (S_B (s r) (a o) (b o)))).
apply: (is_derive_plus (fun r => - ln (S_A (s r) (a o) (b o))) (fun r => - ln (S_B (s r) (a o) (b o)))).
  exact: (@is_derive_neg_log _ β (fun r => s r (a o) (b o)) (fun r j => s r (a o) j) _ (fun j => s' (a o) j) t β_law).
exact: (@is_derive_neg_log _ α (fun r => s r (a o) (b o)) (fun r i => s r i (b o)) _ (fun i => s' i (b o)) t α_law).
Qed.
End Loss.

(** * The views exchanged: the loss is the same, and so is the bracket *)
Section Exchange.
Variables (O I J : finType) (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (τ2 K : R).
Variables (s : I -> J -> R) (s' : J -> I -> R).
Hypothesis transposed : forall i j, s' j i = s i j.

Let S_A' i j : S_A α τ2 K s' j i = S_B α τ2 K s i j.
Proof. by rewrite /S_A /S_B transposed; congr (_ / (_ + _ * _)); apply: E_ext => i'; rewrite transposed. Qed.
Let S_B' i j : S_B β τ2 K s' j i = S_A β τ2 K s i j.
Proof. by rewrite /S_A /S_B transposed; congr (_ / (_ + _ * _)); apply: E_ext => j'; rewrite transposed. Qed.

Lemma L_c_exchange : L_c π b a β α τ2 K s' = L_c π a b α β τ2 K s.
Proof. by apply: E_ext => o; rewrite S_A' S_B'; ring. Qed.

Lemma bracket_exchange (F : I -> J -> R) (F' : J -> I -> R) : (forall i j, F' j i = F i j) ->
  bracket π b a β α τ2 K s' F' = bracket π a b α β τ2 K s F.
Proof.
move=> e; have w_A' i j : w_A α τ2 s' j i = w_B α τ2 s i j.
  by rewrite /w_A /w_B transposed; congr (_ / _); apply: E_ext => i'; rewrite transposed.
have w_B' i j : w_B β τ2 s' j i = w_A β τ2 s i j.
  by rewrite /w_A /w_B transposed; congr (_ / _); apply: E_ext => j'; rewrite transposed.
have first : 𝔼 o ~ π, (2 - S_A α τ2 K s' (b o) (a o) - S_B β τ2 K s' (b o) (a o)) * F' (b o) (a o)
  = 𝔼 o ~ π, (2 - S_A β τ2 K s (a o) (b o) - S_B α τ2 K s (a o) (b o)) * F (a o) (b o).
  by apply: E_ext => o; rewrite S_A' S_B' e; ring.
have second : 𝔼 o ~ π, (1 - S_A α τ2 K s' (b o) (a o)) * (𝔼 i ~ α, w_A α τ2 s' (b o) i * F' (b o) i)
  = 𝔼 o ~ π, (1 - S_B α τ2 K s (a o) (b o)) * (𝔼 i ~ α, w_B α τ2 s i (b o) * F i (b o)).
  by apply: E_ext => o; rewrite S_A'; congr (_ * _); apply: E_ext => i; rewrite w_A' e.
have third : 𝔼 o ~ π, (1 - S_B β τ2 K s' (b o) (a o)) * (𝔼 j ~ β, w_B β τ2 s' j (a o) * F' j (a o))
  = 𝔼 o ~ π, (1 - S_A β τ2 K s (a o) (b o)) * (𝔼 j ~ β, w_A β τ2 s (a o) j * F (a o) j).
  by apply: E_ext => o; rewrite S_B'; congr (_ * _); apply: E_ext => j; rewrite w_B' e.
by rewrite /bracket first second third; ring.
Qed.
End Exchange.
