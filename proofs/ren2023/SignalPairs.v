(** Ren and Li, Lemma B.15: the four cosines between the columns of two signals p and s at τ = 0,
      AA = cos([K_A]_p, [K_A]_s), BB = cos([K_B]_p, [K_B]_s), AB = cos([K_A]_p, [K_B]_s), BA = cos([K_B]_p, [K_A]_s),
    and Lemma B.14 on the norms of noise columns.  Columns move as in [ren2023/Cosines.v]. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Vectors Contrapositive.Calculus Contrapositive.Tactics
  Contrapositive.ren2023.Cosines.
Set Implicit Arguments. Unset Strict Implicit.

Section SignalPairs.
Variables (M : finType) (t : R) (Ap Bp As Bs : R -> M -> R) (cp cs eAp eBp eAs eBs : R).
Hypothesis moves_Ap : moves t Ap cp (Bp t) eAp.
Hypothesis moves_Bp : moves t Bp cp (Ap t) eBp.
Hypothesis moves_As : moves t As cs (Bs t) eAs.
Hypothesis moves_Bs : moves t Bs cs (As t) eBs.
Hypothesis Ap0 : 0 < norm (Ap t).
Hypothesis Bp0 : 0 < norm (Bp t).
Hypothesis As0 : 0 < norm (As t).
Hypothesis Bs0 : 0 < norm (Bs t).
Let AA := cosine (Ap t) (As t).
Let BB := cosine (Bp t) (Bs t).
Let AB := cosine (Ap t) (Bs t).
Let BA := cosine (Bp t) (As t).
Let ρp := cosine (Ap t) (Bp t).
Let ρs := cosine (As t) (Bs t).

Lemma pair_moves (u v w x : R -> M -> R) c c' e e' : moves t u c (v t) e -> moves t w c' (x t) e' ->
  0 < norm (u t) -> 0 < norm (v t) -> 0 < norm (w t) -> 0 < norm (x t) ->
  is_derive (fun s => cosine (u s) (w s)) t
    (c * norm (v t) / norm (u t) * (cosine (v t) (w t) - cosine (u t) (v t) * cosine (u t) (w t))
     + c' * norm (x t) / norm (w t) * (cosine (u t) (x t) - cosine (w t) (x t) * cosine (u t) (w t))).
Proof.
move=> mu mw u0 v0 w0 x0; have := cosine_moves mu mw u0 w0; set y := _ + _; set z := (_ + _ in X in _ -> X).
have -> // : y = z.
by rewrite /y /z /cosine (dotC (v t) (u t)) (dotC (x t) (w t)); field; lra.
Qed.

(** The four equations at τ = 0, c_{A,p} = c_p‖[K_B]_p‖/‖[K_A]_p‖ and c_{B,p} = c_p‖[K_A]_p‖/‖[K_B]_p‖; also for unequal norms. *)
Theorem lemma_b15_s1 :
  let cAp := cp * norm (Bp t) / norm (Ap t) in let cBp := cp * norm (Ap t) / norm (Bp t) in
  let cAs := cs * norm (Bs t) / norm (As t) in let cBs := cs * norm (As t) / norm (Bs t) in
  is_derive (fun u => cosine (Ap u) (As u)) t (cAp * (BA - ρp * AA) + cAs * (AB - ρs * AA)) /\
  is_derive (fun u => cosine (Bp u) (Bs u)) t (cBp * (AB - ρp * BB) + cBs * (BA - ρs * BB)) /\
  is_derive (fun u => cosine (Ap u) (Bs u)) t (cAp * (BB - ρp * AB) + cBs * (AA - ρs * AB)) /\
  is_derive (fun u => cosine (Bp u) (As u)) t (cBp * (AA - ρp * BA) + cAs * (BB - ρs * BA)).
Proof.
have sym (v w : M -> R) : cosine v w = cosine w v by rewrite /cosine dotC Rmult_comm.
move=> cAp cBp cAs cBs; split; first exact: pair_moves moves_Ap moves_As Ap0 Bp0 As0 Bs0.
split; first by have := pair_moves moves_Bp moves_Bs Bp0 Ap0 Bs0 As0; rewrite (sym (Bp t) (Ap t)) (sym (Bs t) (As t)).
split; first by have := pair_moves moves_Ap moves_Bs Ap0 Bp0 Bs0 As0; rewrite (sym (Bs t) (As t)).
by have := pair_moves moves_Bp moves_As Bp0 Ap0 As0 Bs0; rewrite (sym (Bp t) (Ap t)).
Qed.

(** dδ²/dt <= 2(c_p(1−ρ_p) + c_s(1−ρ_s))δ² at τ = 0 for equal norms, δ² = AA² + BB² + AB² + BA²: what is missing is
    2c_s((AA−AB)² + (BB−BA)²) + 2c_p((AA−BA)² + (BB−AB)²). *)
Theorem lemma_b15_printed d : 0 <= cp -> 0 <= cs -> norm (Ap t) = norm (Bp t) -> norm (As t) = norm (Bs t) ->
  is_derive (fun u => cosine (Ap u) (As u) ^ 2 + cosine (Bp u) (Bs u) ^ 2 + cosine (Ap u) (Bs u) ^ 2 + cosine (Bp u) (As u) ^ 2) t d ->
  d <= 2 * (cp * (1 - ρp) + cs * (1 - ρs)) * (AA ^ 2 + BB ^ 2 + AB ^ 2 + BA ^ 2).
Proof.
move=> p0 s0 np ns /is_derive_unique <-; have [D1 [D2 [D3 D4]]] := lemma_b15_s1.
have D := is_derive_plus _ _ _ _ _ (is_derive_plus _ _ _ _ _ (is_derive_plus _ _ _ _ _ (is_derive_square D1) (is_derive_square D2)) (is_derive_square D3)) (is_derive_square D4).
rewrite (is_derive_unique _ _ _ D) /plus /= np ns -/AA -/BB -/AB -/BA.
have -> : cp * norm (Bp t) / norm (Bp t) = cp by field; lra.
have -> : cs * norm (Bs t) / norm (Bs t) = cs by field; lra.
have h1 := Rmult_le_pos _ _ s0 (pow2_ge_0 (AA - AB)); have h2 := Rmult_le_pos _ _ s0 (pow2_ge_0 (BB - BA)).
have h3 := Rmult_le_pos _ _ p0 (pow2_ge_0 (AA - BA)); have h4 := Rmult_le_pos _ _ p0 (pow2_ge_0 (BB - AB)).
by lra.
Qed.
End SignalPairs.

(** For equal norms (AA + ε₂AB + ε₁BA + ε₁ε₂BB)²/((1 + ε₁ρ_p)(1 + ε₂ρ_s)) is conserved for all signs: the numerator is the
    square of a cosine of [K_A]_p ± [K_B]_p with [K_A]_s ± [K_B]_s, up to lengths, and neither direction moves. *)
Lemma mode_conserved (AA BB AB BA P S : R -> R) t cp cs (ε₁ ε₂ : R) : ε₁ = 1 \/ ε₁ = - 1 -> ε₂ = 1 \/ ε₂ = - 1 ->
  is_derive AA t (cp * (BA t - P t * AA t) + cs * (AB t - S t * AA t)) -> is_derive BB t (cp * (AB t - P t * BB t) + cs * (BA t - S t * BB t)) ->
  is_derive AB t (cp * (BB t - P t * AB t) + cs * (AA t - S t * AB t)) -> is_derive BA t (cp * (AA t - P t * BA t) + cs * (BB t - S t * BA t)) ->
  is_derive P t (2 * cp * (1 - P t ^ 2)) -> is_derive S t (2 * cs * (1 - S t ^ 2)) -> 1 + ε₁ * P t <> 0 -> 1 + ε₂ * S t <> 0 ->
  is_derive (fun u => (AA u + ε₂ * AB u + ε₁ * BA u + ε₁ * ε₂ * BB u) ^ 2 / ((1 + ε₁ * P u) * (1 + ε₂ * S u))) t 0.
Proof.
move=> sign₁ sign₂ D1 D2 D3 D4 DP DS p0 s0.
apply: (@conserved_quotient (fun u => AA u + ε₂ * AB u + ε₁ * BA u + ε₁ * ε₂ * BB u) (fun u => (1 + ε₁ * P u) * (1 + ε₂ * S u)) t
  (cp * (ε₁ - P t) + cs * (ε₂ - S t))); last by apply: Rmult_integral_contrapositive.
  auto_derive; first by repeat split; [exists (cp * (BA t - P t * AA t) + cs * (AB t - S t * AA t)) | exists (cp * (BB t - P t * AB t) + cs * (AA t - S t * AB t))
    | exists (cp * (AA t - P t * BA t) + cs * (BB t - S t * BA t)) | exists (cp * (AB t - P t * BB t) + cs * (BA t - S t * BB t))].
  rewrite (is_derive_unique _ _ _ D1) (is_derive_unique _ _ _ D2) (is_derive_unique _ _ _ D3) (is_derive_unique _ _ _ D4).
  by case: sign₁ => ->; case: sign₂ => ->; ring.
auto_derive; first by repeat split; [exists (2 * cp * (1 - P t ^ 2)) | exists (2 * cs * (1 - S t ^ 2))].
by rewrite (is_derive_unique _ _ _ DP) (is_derive_unique _ _ _ DS); case: sign₁ => ->; case: sign₂ => ->; ring.
Qed.

(** * Lemma B.14: noise columns move as ẋ = −e x, with one e = c_Kσ_ξ²(r/q)Ψ/N² for all noise columns of a view *)
Section NoiseNorms.
Variables (M : finType) (t e : R) (x y : R -> M -> R) (z : M -> R).
Hypothesis moves_x : moves t x 0 z e.
Hypothesis moves_y : moves t y 0 z e.
Hypothesis x0 : 0 < dot (x t) (x t).
Hypothesis y0 : 0 < dot (y t) (y t).

Lemma sq_moves (u : R -> M -> R) c : moves t u 0 z c -> is_derive (fun s => dot (u s) (u s)) t (- 2 * c * dot (u t) (u t)).
Proof.
move=> mu; have := is_derive_dot mu mu; set d := _ + _; have -> // : d = - 2 * c * dot (u t) (u t).
by rewrite /d /dot -sum_mull -sum_add; apply: sum_ext => m; ring.
Qed.

(** At τ = 0, d/dt log‖x_k‖² = −2c_Kσ_ξ²(r/q)Ψ/N². *)
Theorem lemma_b14_s1 : is_derive (fun s => ln (dot (x s) (x s))) t (- 2 * e).
Proof.
have := is_derive_ln (sq_moves moves_x) x0; have -> // : - 2 * e * dot (x t) (x t) / dot (x t) (x t) = - 2 * e by field; lra.
Qed.

(** At τ = 0, d/dt log(‖x_k‖/‖x_l‖) = 0 for noise columns of one view. *)
Theorem lemma_b14_zero : is_derive (fun s => ln (norm (x s) / norm (y s))) t 0.
Proof.
have log (n m : R -> R) n' m' : is_derive n t n' -> is_derive m t m' -> 0 < n t -> 0 < m t ->
    is_derive (fun s => ln (sqrt (n s) / sqrt (m s))) t (n' / (2 * n t) - m' / (2 * m t)).
  move=> Dn Dm pn pm; have sn := sqrt_lt_R0 _ pn; have sm := sqrt_lt_R0 _ pm.
  have en := sqrt_sqrt _ (Rlt_le _ _ pn); have em := sqrt_sqrt _ (Rlt_le _ _ pm).
  auto_derive; first by repeat split => //; [exists n' | exists m' | lra | apply: Rdiv_lt_0_compat].
  rewrite (is_derive_unique _ _ _ Dn) (is_derive_unique _ _ _ Dm).
  by move: (n t) (m t) (sqrt (n t)) (sqrt (m t)) sn sm en em => nt mt rn rm rn0 rm0 <- <-; field; lra.
have := log _ _ _ _ (sq_moves moves_x) (sq_moves moves_y) x0 y0; set d := _ - _; have -> // : d = 0.
by rewrite /d; field; lra.
Qed.
End NoiseNorms.
