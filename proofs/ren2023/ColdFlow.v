(** Ren and Li, Lemmas B.10, B.12, B.14, B.15 and B.16 at τ = 0, for the flow of the weights itself: under [cold_motion]
    the columns of both views move as [ren2023/Cosines.v] and its siblings ask, by [signal_moves_A] and its siblings. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Calculus Contrapositive.Tactics Contrapositive.ren2023.Model Contrapositive.ren2023.Gradients
  Contrapositive.ren2023.Dynamics Contrapositive.ren2023.Noncontrastive Contrapositive.ren2023.Cosines
  Contrapositive.ren2023.SignalPairs Contrapositive.ren2023.ConditionNumber Contrapositive.ren2023.StageOne.
Set Implicit Arguments. Unset Strict Implicit.

Section Flow.
Variables (M DA DB P NOA NOB I J O : finType).
Variables (XA : DA -> P + NOA -> R) (vA : P + NOA -> R) (XB : DB -> P + NOB -> R) (vB : P + NOB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (yA : I -> P + NOA -> R) (yB : J -> P + NOB -> R).
Variables (r q K : R) (WA : R -> M -> DA -> R) (WB : R -> M -> DB -> R) (t : R) (σA : P + NOA -> R) (σB : P + NOB -> R).
Variables (GA : M -> DA -> R) (GB : M -> DB -> R).
Hypothesis motion : cold_motion XA vA XB vB π a b yA yB r q K WA WB t σA σB GA GB.

(** The columns of signals and noises as functions of time, and c_p = c_Kσ_p²/(N_AN_B). *)
Let A p := column_A XA WA (inl p).
Let B p := column_B XB WB (inl p).
Let nA k := column_A XA WA (inr k).
Let nB k := column_B XB WB (inr k).
Let NA := N_of XA vA (WA t).
Let NB := N_of XB vB (WB t).
Let ψ := Ψ XA vA XB vB r (WA t) (WB t).
Let c := c_of K.
Let pull p := c * σA (inl p) / (NA * NB).
Let moves_noise_A k := noise_moves_A motion k (fun=> 0).
Let moves_noise_B k := noise_moves_B motion k (fun=> 0).

Let na : 0 < NA. Proof. by apply: sqrt_lt_R0; exact: posA motion. Qed.
Let nb : 0 < NB. Proof. by apply: sqrt_lt_R0; exact: posB motion. Qed.
Let c_gt0 : 0 < c. Proof. by have K0 := K_gt0 motion; apply: Rdiv_lt_0_compat; lra. Qed.
Let σA_ge0 p : 0 <= σA (inl p). Proof. exact: strength_ge0 (orthogonal_A motion). Qed.
Let pull_ge0 p : 0 <= pull p.
Proof.
apply: Rmult_le_pos; first by apply: Rmult_le_pos; [exact: Rlt_le | exact: σA_ge0].
by apply: Rlt_le; apply: Rinv_0_lt_compat; exact: Rmult_lt_0_compat.
Qed.

Let moves_A p : moves t (A p) (pull p) (B p t) (c * σA (inl p) * ψ / NA ^ 2) := signal_moves_A motion p.
Let moves_B p : σA (inl p) = σB (inl p) -> moves t (B p) (pull p) (A p t) (c * σB (inl p) * ψ / NB ^ 2).
Proof. by rewrite /pull => ->; exact: signal_moves_B motion p. Qed.

(** * Lemma B.10, at a signal of the same strength in both views *)
Section OneSignal.
Variable p : P.
Hypothesis strengths : σA (inl p) = σB (inl p).
Hypothesis A0 : 0 < norm (A p t).
Hypothesis B0 : 0 < norm (B p t).
Let α := norm (A p t) / norm (B p t).
Let ρ := cosine (A p t) (B p t).

(** At τ = 0, dρ_p/dt = (c_Kσ_p²/(N_AN_B))(a + 1/a)(1 − ρ_p²).
    [claim] ren2023.lemma-b10  [sense] zero  [scope] any finite law with the second moments of the model, orthogonal maps, a signal of the same strength in both views, columns that are not zero *)
Theorem lemma_b10_zero : is_derive (fun u => cosine (A p u) (B p u)) t (pull p * (α + 1 / α) * (1 - ρ ^ 2)).
Proof. exact (Cosines.lemma_b10_zero (moves_A p) (moves_B strengths) A0 B0). Qed.

(** At τ = 0, ρ̇_p >= (2c_Kσ_p²/(N_AN_B))(1 − ρ_p²).
    [claim] ren2023.lemma-b10  [sense] lower  [scope] any finite law with the second moments of the model, orthogonal maps, a signal of the same strength in both views, columns that are not zero *)
Theorem lemma_b10_lower d : is_derive (fun u => cosine (A p u) (B p u)) t d -> 2 * pull p * (1 - ρ ^ 2) <= d.
Proof. exact (Cosines.lemma_b10_lower (moves_A p) (moves_B strengths) A0 B0 (pull_ge0 p)). Qed.

(** At τ = 0, d(1 − ρ_p)/dt <= −(2c_Kσ_p²/(N_AN_B))(1 − ρ_p) once ρ_p >= 0.
    [claim] ren2023.lemma-b10  [sense] linear  [scope] any finite law with the second moments of the model, orthogonal maps, a signal of the same strength in both views, columns that are not zero *)
Theorem lemma_b10_linear d : 0 <= ρ -> is_derive (fun u => 1 - cosine (A p u) (B p u)) t d -> d <= - (2 * pull p) * (1 - ρ).
Proof. exact (Cosines.lemma_b10_linear (moves_A p) (moves_B strengths) A0 B0 (pull_ge0 p)). Qed.

(** * Lemma B.16: that signal and the noise columns of both views *)

(** At τ = 0 ȧ = c_{A,p}(b − ρ_pa) and ḃ = c_{B,p}(a − ρ_pb), a and b the cosines of [K_A]_p and [K_B]_p with a noise column
    of either view.
    [claim] ren2023.lemma-b16  [sense] printed  [scope] any finite law with the second moments of the model, orthogonal maps, a signal of the same strength in both views, columns that are not zero *)
Theorem lemma_b16_printed : let equations (n : R -> M -> R) :=
    is_derive (fun u => cosine (A p u) (n u)) t (pull p * norm (B p t) / norm (A p t) * (cosine (B p t) (n t) - ρ * cosine (A p t) (n t))) /\
    is_derive (fun u => cosine (B p u) (n u)) t (pull p * norm (A p t) / norm (B p t) * (cosine (A p t) (n t) - ρ * cosine (B p t) (n t))) in
  (forall k, 0 < norm (nA k t) -> equations (nA k)) /\ (forall k, 0 < norm (nB k t) -> equations (nB k)).
Proof.
split=> k n0; first exact (Cosines.lemma_b16_printed (moves_A p) (moves_B strengths) A0 B0 (moves_noise_A k) n0).
exact (Cosines.lemma_b16_printed (moves_A p) (moves_B strengths) A0 B0 (moves_noise_B k) n0).
Qed.

(** For equal norms of the two columns c_{A,p} = c_{B,p} = c_p and ρ̇_p = 2c_p(1 − ρ_p²). *)
Section EqualNorms.
Hypothesis equal : norm (A p t) = norm (B p t).

Lemma correlation_moves : is_derive (fun u => cosine (A p u) (B p u)) t (2 * pull p * (1 - ρ ^ 2)).
Proof. by apply: (is_derive_value lemma_b10_zero); rewrite /α equal; field; lra. Qed.

Lemma contact_moves n e : moves t n 0 (fun=> 0) e -> 0 < norm (n t) ->
  is_derive (fun u => cosine (A p u) (n u)) t (pull p * (cosine (B p t) (n t) - ρ * cosine (A p t) (n t))) /\
  is_derive (fun u => cosine (B p u) (n u)) t (pull p * (cosine (A p t) (n t) - ρ * cosine (B p t) (n t))).
Proof.
move=> mn n0; have [Da Db] := Cosines.lemma_b16_printed (moves_A p) (moves_B strengths) A0 B0 mn n0.
by split; [apply: (is_derive_value Da) | apply: (is_derive_value Db)]; rewrite -/ρ equal; field; lra.
Qed.

(** At τ = 0 d(a² + b²)/dt <= 2c_p(1 − ρ_p)(a² + b²) for equal norms.
    [claim] ren2023.lemma-b16  [sense] rate  [scope] any finite law with the second moments of the model, orthogonal maps, a signal of the same strength and norm in both views, columns that are not zero *)
Theorem lemma_b16_rate : let bounded (n : R -> M -> R) := forall d,
    is_derive (fun u => cosine (A p u) (n u) ^ 2 + cosine (B p u) (n u) ^ 2) t d ->
    d <= 2 * pull p * (1 - ρ) * (cosine (A p t) (n t) ^ 2 + cosine (B p t) (n t) ^ 2) in
  (forall k, 0 < norm (nA k t) -> bounded (nA k)) /\ (forall k, 0 < norm (nB k t) -> bounded (nB k)).
Proof.
move=> bounded; have any n e : moves t n 0 (fun=> 0) e -> 0 < norm (n t) -> bounded n.
  by move=> mn n0 d; have [Da Db] := contact_moves mn n0; exact: (squares_grow Da Db (pull_ge0 p)).
by split=> k n0; [exact: any (moves_noise_A k) n0 | exact: any (moves_noise_B k) n0].
Qed.

(** At τ = 0 d(a ± b)/dt = (±c_p − c_pρ_p)(a ± b) for equal norms.
    [claim] ren2023.lemma-b16  [sense] s2  [scope] any finite law with the second moments of the model, orthogonal maps, a signal of the same strength and norm in both views, columns that are not zero *)
Theorem lemma_b16_s2 : let modes (n : R -> M -> R) := let a u := cosine (A p u) (n u) in let b u := cosine (B p u) (n u) in
    is_derive (fun u => a u + b u) t ((pull p - pull p * ρ) * (a t + b t)) /\
    is_derive (fun u => a u - b u) t ((- pull p - pull p * ρ) * (a t - b t)) in
  (forall k, 0 < norm (nA k t) -> modes (nA k)) /\ (forall k, 0 < norm (nB k t) -> modes (nB k)).
Proof.
move=> modes; have any n e : moves t n 0 (fun=> 0) e -> 0 < norm (n t) -> modes n.
  move=> mn n0; have [Da Db] := contact_moves mn n0.
  by split; [apply: (is_derive_value (sum_moves Da Db)) | apply: (is_derive_value (difference_moves Da Db))]; ring.
by split=> k n0; [exact: any (moves_noise_A k) n0 | exact: any (moves_noise_B k) n0].
Qed.

(** (a + b)²/(1 + ρ_p) and (a − b)²/(1 − ρ_p) are conserved at τ = 0 for equal norms and |ρ_p| < 1.
    [claim] ren2023.lemma-b16  [sense] conserved  [scope] any finite law with the second moments of the model, orthogonal maps, a signal of the same strength and norm in both views, columns that are not zero *)
Theorem lemma_b16_conserved : - 1 < ρ < 1 -> let conserved (n : R -> M -> R) :=
    is_derive (fun u => (cosine (A p u) (n u) + cosine (B p u) (n u)) ^ 2 / (1 + cosine (A p u) (B p u))) t 0 /\
    is_derive (fun u => (cosine (A p u) (n u) - cosine (B p u) (n u)) ^ 2 / (1 - cosine (A p u) (B p u))) t 0 in
  (forall k, 0 < norm (nA k t) -> conserved (nA k)) /\ (forall k, 0 < norm (nB k t) -> conserved (nB k)).
Proof.
move=> ρ1 conserved; have one := @is_derive_const R_AbsRing R_NormedModule 1 t.
have plus1 : is_derive (fun u => 1 + cosine (A p u) (B p u)) t (2 * (pull p * (1 - ρ)) * (1 + ρ)).
  by apply: (is_derive_value (is_derive_plus _ _ _ _ _ one correlation_moves)); rewrite /plus /zero /=; ring.
have minus1 : is_derive (fun u => 1 - cosine (A p u) (B p u)) t (2 * (- pull p * (1 + ρ)) * (1 - ρ)).
  by apply: (is_derive_value (is_derive_minus _ _ _ _ _ one correlation_moves)); rewrite /minus /plus /opp /zero /=; ring.
have any n e : moves t n 0 (fun=> 0) e -> 0 < norm (n t) -> conserved n.
  move=> mn n0; have [Da Db] := contact_moves mn n0.
  by split; [apply: (conserved_quotient (sum_moves Da Db) plus1) | apply: (conserved_quotient (difference_moves Da Db) minus1)]; rewrite -/ρ; lra.
by split=> k n0; [exact: any (moves_noise_A k) n0 | exact: any (moves_noise_B k) n0].
Qed.
End EqualNorms.
End OneSignal.

(** Cosines of two noise columns, of one view or of both, are constant at τ = 0.
    [claim] ren2023.lemma-b16  [sense] noises  [scope] any finite law with the second moments of the model, orthogonal maps, columns that are not zero *)
Theorem lemma_b16_noises : let constant (n n' : R -> M -> R) :=
    0 < norm (n t) -> 0 < norm (n' t) -> is_derive (fun u => cosine (n u) (n' u)) t 0 in
  (forall k l, constant (nA k) (nA l)) /\ (forall k l, constant (nB k) (nB l)) /\ (forall k l, constant (nA k) (nB l)).
Proof.
split; last split=> k l n0 n'0; first move=> k l n0 n'0.
- exact (Cosines.lemma_b16_noises (moves_noise_A k) (moves_noise_A l) n0 n'0).
- exact (Cosines.lemma_b16_noises (moves_noise_B k) (moves_noise_B l) n0 n'0).
- exact (Cosines.lemma_b16_noises (moves_noise_A k) (moves_noise_B l) n0 n'0).
Qed.

(** * Lemma B.14: norms of noise columns *)

(** At τ = 0, d/dt log(‖x_k‖/‖x_l‖) = 0 for noise columns of the same strength of one view.
    [claim] ren2023.lemma-b14  [sense] zero  [scope] any finite law with the second moments of the model, orthogonal maps, noise columns of the same strength that are not zero *)
Theorem lemma_b14_zero :
  (forall k l, σA (inr k) = σA (inr l) -> 0 < dot (nA k t) (nA k t) -> 0 < dot (nA l t) (nA l t) ->
    is_derive (fun u => ln (norm (nA k u) / norm (nA l u))) t 0) /\
  (forall k l, σB (inr k) = σB (inr l) -> 0 < dot (nB k t) (nB k t) -> 0 < dot (nB l t) (nB l t) ->
    is_derive (fun u => ln (norm (nB k u) / norm (nB l u))) t 0).
Proof.
split=> k l same x0 y0.
  by have := moves_noise_A k; rewrite same => mk; exact (SignalPairs.lemma_b14_zero mk (moves_noise_A l) x0 y0).
by have := moves_noise_B k; rewrite same => mk; exact (SignalPairs.lemma_b14_zero mk (moves_noise_B l) x0 y0).
Qed.

(** At τ = 0, d/dt log‖x_k‖² = −2c_Kσ_ξ²(r/q)Ψ/N² for a noise column of either view, N² that of its own view.
    [claim] ren2023.lemma-b14  [sense] s1  [scope] any finite law with the second moments of the model, orthogonal maps, noise columns that are not zero *)
Theorem lemma_b14_s1 :
  (forall k, 0 < dot (nA k t) (nA k t) ->
    is_derive (fun u => ln (dot (nA k u) (nA k u))) t (- 2 * (c * σA (inr k) * (r / q) * ψ / NA ^ 2))) /\
  (forall k, 0 < dot (nB k t) (nB k t) ->
    is_derive (fun u => ln (dot (nB k u) (nB k u))) t (- 2 * (c * σB (inr k) * (r / q) * ψ / NB ^ 2))).
Proof.
by split=> k; [exact (SignalPairs.lemma_b14_s1 (moves_noise_A k)) | exact (SignalPairs.lemma_b14_s1 (moves_noise_B k))].
Qed.

(** * Lemma B.15: two signals *)
Section TwoSignals.
Variables p s : P.
Hypothesis strengths_p : σA (inl p) = σB (inl p).
Hypothesis strengths_s : σA (inl s) = σB (inl s).
Hypothesis Ap0 : 0 < norm (A p t).
Hypothesis Bp0 : 0 < norm (B p t).
Hypothesis As0 : 0 < norm (A s t).
Hypothesis Bs0 : 0 < norm (B s t).
Let AA := cosine (A p t) (A s t).
Let BB := cosine (B p t) (B s t).
Let AB := cosine (A p t) (B s t).
Let BA := cosine (B p t) (A s t).
Let ρp := cosine (A p t) (B p t).
Let ρs := cosine (A s t) (B s t).

(** The four equations at τ = 0, c_{A,p} = c_p‖[K_B]_p‖/‖[K_A]_p‖ and c_{B,p} = c_p‖[K_A]_p‖/‖[K_B]_p‖; also for unequal norms.
    [claim] ren2023.lemma-b15  [sense] s1  [scope] any finite law with the second moments of the model, orthogonal maps, signals of the same strength in both views, columns that are not zero *)
Theorem lemma_b15_s1 :
  let cAp := pull p * norm (B p t) / norm (A p t) in let cBp := pull p * norm (A p t) / norm (B p t) in
  let cAs := pull s * norm (B s t) / norm (A s t) in let cBs := pull s * norm (A s t) / norm (B s t) in
  is_derive (fun u => cosine (A p u) (A s u)) t (cAp * (BA - ρp * AA) + cAs * (AB - ρs * AA)) /\
  is_derive (fun u => cosine (B p u) (B s u)) t (cBp * (AB - ρp * BB) + cBs * (BA - ρs * BB)) /\
  is_derive (fun u => cosine (A p u) (B s u)) t (cAp * (BB - ρp * AB) + cBs * (AA - ρs * AB)) /\
  is_derive (fun u => cosine (B p u) (A s u)) t (cBp * (AA - ρp * BA) + cAs * (BB - ρs * BA)).
Proof. exact (SignalPairs.lemma_b15_s1 (moves_A p) (moves_B strengths_p) (moves_A s) (moves_B strengths_s) Ap0 Bp0 As0 Bs0). Qed.

(** dδ²/dt <= 2(c_p(1−ρ_p) + c_s(1−ρ_s))δ² at τ = 0 for equal norms, δ² = AA² + BB² + AB² + BA².
    [claim] ren2023.lemma-b15  [sense] printed  [scope] any finite law with the second moments of the model, orthogonal maps, signals of the same strength and norm in both views, columns that are not zero *)
Theorem lemma_b15_printed d : norm (A p t) = norm (B p t) -> norm (A s t) = norm (B s t) ->
  is_derive (fun u => cosine (A p u) (A s u) ^ 2 + cosine (B p u) (B s u) ^ 2 + cosine (A p u) (B s u) ^ 2 + cosine (B p u) (A s u) ^ 2) t d ->
  d <= 2 * (pull p * (1 - ρp) + pull s * (1 - ρs)) * (AA ^ 2 + BB ^ 2 + AB ^ 2 + BA ^ 2).
Proof.
exact (SignalPairs.lemma_b15_printed (moves_A p) (moves_B strengths_p) (moves_A s) (moves_B strengths_s) Ap0 Bp0 As0 Bs0
  (pull_ge0 p) (pull_ge0 s)).
Qed.

(** For equal norms (AA + ε₂AB + ε₁BA + ε₁ε₂BB)²/((1 + ε₁ρ_p)(1 + ε₂ρ_s)) is conserved at τ = 0 for all signs ε₁, ε₂.
    [claim] ren2023.lemma-b15  [sense] conserved  [scope] any finite law with the second moments of the model, orthogonal maps, signals of the same strength and norm in both views, columns that are not zero *)
Theorem lemma_b15_conserved ε₁ ε₂ : norm (A p t) = norm (B p t) -> norm (A s t) = norm (B s t) ->
  ε₁ = 1 \/ ε₁ = - 1 -> ε₂ = 1 \/ ε₂ = - 1 -> 1 + ε₁ * ρp <> 0 -> 1 + ε₂ * ρs <> 0 ->
  is_derive (fun u => (cosine (A p u) (A s u) + ε₂ * cosine (A p u) (B s u) + ε₁ * cosine (B p u) (A s u) + ε₁ * ε₂ * cosine (B p u) (B s u)) ^ 2
    / ((1 + ε₁ * cosine (A p u) (B p u)) * (1 + ε₂ * cosine (A s u) (B s u)))) t 0.
Proof.
move=> ep es sign₁ sign₂ p0 s0; have [D1 [D2 [D3 D4]]] := lemma_b15_s1.
have DP := correlation_moves strengths_p Ap0 Bp0 ep; have DS := correlation_moves strengths_s As0 Bs0 es.
have one (k x : R) : 0 < x -> k * x / x = k by move=> x0; field; lra.
move: D1 D2 D3 D4; rewrite ep es !one // => D1 D2 D3 D4.
exact (@mode_conserved (fun u => cosine (A p u) (A s u)) (fun u => cosine (B p u) (B s u)) (fun u => cosine (A p u) (B s u))
  (fun u => cosine (B p u) (A s u)) (fun u => cosine (A p u) (B p u)) (fun u => cosine (A s u) (B s u)) t (pull p) (pull s) ε₁ ε₂
  sign₁ sign₂ D1 D2 D3 D4 DP DS p0 s0).
Qed.
End TwoSignals.

(** * Lemma B.12: the growth of κ_p²/κ_s², where both views have the norm N *)
Section Conditions.
Variable N : R.
Hypothesis same_N : NA = N /\ NB = N.
Hypothesis A0 : forall p, 0 < dot (A p t) (A p t).
Let κ2 p := dot (A p t) (A p t).
Let ρ p := dot (A p t) (B p t) / κ2 p.

(** The share of the noise in N², and Ψ as a sum over the signals. *)
Let η := 1 - (∑ p, κ2 p) / (r * N ^ 2).

Let N0 : 0 < N. Proof. by have [<- _] := same_N. Qed.
Let rN0 : 0 < r * N ^ 2. Proof. by apply: Rmult_lt_0_compat; [exact: r_gt0 motion | exact: pow_lt]. Qed.

Lemma Ψ_sum : ψ = Ψ_of t (r * N ^ 2) A B.
Proof.
have r0 := r_gt0 motion; have [eA eB] := same_N; rewrite /ψ /Ψ -/NA -/NB eA eB /Ψ_of sum_exchange.
rewrite (sum_ext (G := fun p => dot (A p t) (A p t) * (dot (A p t) (B p t) / dot (A p t) (A p t)))) => [|p].
  by congr (_ / _); ring.
transitivity (dot (A p t) (B p t)) => //; have := A0 p.
by move: (dot (A p t) (A p t)) (dot (A p t) (B p t)) => x y pos; field; lra.
Qed.

Lemma moving p : moves t (A p) (c / N ^ 2 * σA (inl p)) (B p t) (c / N ^ 2 * σA (inl p) * Ψ_of t (r * N ^ 2) A B).
Proof.
have [eA eB] := same_N; have := moves_A p; rewrite /pull eA eB -Ψ_sum.
have -> : c * σA (inl p) / (N * N) = c / N ^ 2 * σA (inl p) by field; lra.
by have -> : c * σA (inl p) * ψ / N ^ 2 = c / N ^ 2 * σA (inl p) * ψ by field; lra.
Qed.

(** d log(κ_p²/κ_s²)/dt = (2c_K/N²)[σ_p²(ρ_p−Ψ) − σ_s²(ρ_s−Ψ)].
    [claim] ren2023.lemma-b12  [sense] exact  [scope] any finite law with the second moments of the model, orthogonal maps, N_A = N_B, columns that are not zero *)
Theorem lemma_b12_exact p s : is_derive (fun u => ln (dot (A p u) (A p u)) - ln (dot (A s u) (A s u))) t
  (2 * (c / N ^ 2) * (σA (inl p) * (ρ p - ψ) - σA (inl s) * (ρ s - ψ))).
Proof. by rewrite Ψ_sum; exact (ConditionNumber.lemma_b12_exact moving A0 p s). Qed.

(** The noise has a share that is not negative. *)
Lemma η_ge0 : 0 <= η.
Proof.
have r0 := r_gt0 motion; have q0 := q_gt0 motion; have [eA _] := same_N.
have sq : N ^ 2 = N_sq XA vA (WA t) by rewrite -eA /NA /N_of /= Rmult_1_r sqrt_sqrt //; exact: Rlt_le (posA motion).
have parts : r * N ^ 2 = (∑ p, κ2 p) + r / q * ∑ k, dot (nA k t) (nA k t).
  have e (l : P + NOA) : ∑ m, K_of XA (WA t) m l ^ 2 = dot (column_A XA WA l t) (column_A XA WA l t).
    by apply: sum_ext => m; rewrite /column_A; ring.
  rewrite sq /N_sq sum_sum (sum_ext (G := fun p => / r * κ2 p)) => [|p]; last by rewrite e (signals_A motion).
  rewrite (sum_ext (G := fun k => / q * dot (nA k t) (nA k t))) => [|k]; last by rewrite e (noises_A motion).
  by rewrite !sum_mull; field; lra.
have n0 : 0 <= r / q * ∑ k, dot (nA k t) (nA k t).
  by apply: Rmult_le_pos; [apply: Rlt_le; exact: Rdiv_lt_0_compat | apply: sum_ge0 => k; exact: dot_ge0].
rewrite /η; have -> : 1 - (∑ p, κ2 p) / (r * N ^ 2) = (r * N ^ 2 - ∑ p, κ2 p) / (r * N ^ 2) by field; lra.
by apply: Rmult_le_pos; [lra | apply: Rlt_le; exact: Rinv_0_lt_compat].
Qed.

(** Equal norms of every signal in both views: ρ_p is the cosine, and at most 1. *)
Section EqualNorms.
Hypothesis same : forall p, dot (A p t) (A p t) = dot (B p t) (B p t).
Variables (m σ_max : R).
Hypothesis strongest : forall p, σA (inl p) <= σ_max.
Hypothesis least : forall p, m <= ρ p.

Let c0 : 0 <= c / N ^ 2.
Proof. by apply: Rlt_le; apply: Rdiv_lt_0_compat => //; exact: pow_lt. Qed.

Lemma ρ_le_1 i : ρ i <= 1.
Proof.
apply: (Rmult_le_reg_r (κ2 i)); first exact: A0.
have -> : ρ i * κ2 i = dot (A i t) (B i t) by rewrite /ρ; have := A0 i; rewrite -/(κ2 i) => ?; field; lra.
have := dot_cauchy_schwarz (A i t) (B i t); rewrite -same -/(κ2 i) => cs.
by have := A0 i; rewrite -/(κ2 i) => k0; nra.
Qed.

(** |d log(κ_p²/κ_s²)/dt| <= (2c_Kσ_max²/N²)((max ρ − min ρ) + η max(min ρ, −max ρ, 0)), m being min ρ or less and m' max ρ or more.
    [claim] ren2023.lemma-b12  [sense] spread  [scope] any finite law with the second moments of the model, orthogonal maps, N_A = N_B, signals of the same norm in both views that are not zero *)
Theorem lemma_b12_spread m' p s d : (forall p, ρ p <= m') ->
  is_derive (fun u => ln (dot (A p u) (A p u)) - ln (dot (A s u) (A s u))) t d ->
  Rabs d <= 2 * (c / N ^ 2) * σ_max * ((m' - m) + η * Rmax (Rmax m (- m')) 0).
Proof.
move=> most; apply: (ConditionNumber.lemma_b12_spread moving A0 c0 _ _ rN0 η_ge0) => i; first by split; [exact: σA_ge0 |].
by split; [exact: least | exact: most].
Qed.

(** |d log(κ_p²/κ_s²)/dt| <= (2c_Kσ_max²/N²)((1 − min ρ) + η), m being min ρ or less.
    [claim] ren2023.lemma-b12  [sense] printed  [scope] any finite law with the second moments of the model, orthogonal maps, N_A = N_B, signals of the same norm in both views that are not zero *)
Theorem lemma_b12_printed p s d :
  is_derive (fun u => ln (dot (A p u) (A p u)) - ln (dot (A s u) (A s u))) t d ->
  Rabs d <= 2 * (c / N ^ 2) * σ_max * ((1 - m) + η).
Proof.
move=> /(lemma_b12_spread ρ_le_1) le; apply: (Rle_trans _ _ _ le).
have m1 : m <= 1 by exact: Rle_trans (least p) (ρ_le_1 p).
have k1 : Rmax (Rmax m (- (1))) 0 <= 1 by apply: Rmax_lub; [apply: Rmax_lub |]; lra.
have σ0 : 0 <= σ_max by exact: Rle_trans (σA_ge0 p) (strongest p).
apply: Rmult_le_compat_l; first by apply: Rmult_le_pos => //; lra.
by have := Rmult_le_compat_l _ _ _ η_ge0 k1; lra.
Qed.

(** 1 − Ψ <= (1 − min ρ) + η and Ψ <= 1.
    [claim] ren2023.lemma-b12  [sense] s1  [scope] any finite law with the second moments of the model, orthogonal maps, N_A = N_B, signals of the same norm in both views that are not zero *)
Theorem lemma_b12_s1 (p : P) : 1 - ψ <= (1 - m) + η /\ ψ <= 1.
Proof.
split; last exact: Ψ_le1 motion.
have [lo _] := Ψ_between A0 (fun i => conj (least i) (ρ_le_1 i)) rN0; rewrite Ψ_sum.
have m1 : m <= 1 by exact: Rle_trans (least p) (ρ_le_1 p).
by have := Rmult_le_compat_l _ _ _ η_ge0 m1; move: lo; rewrite -/η /η_of -/η; lra.
Qed.
End EqualNorms.
End Conditions.
End Flow.

(** * Controls: identity maps, K = 1 and any columns of N = 1; the signals are the vectors e_p, each with the probability 1/r,
    and there is one noise direction, with the noise 0 *)
Section Example.
Variables (M P : finType) (r : R) (k k' : M -> P + unit -> R).
Hypothesis r_gt0 : 0 < r.
Definition id_map (l l' : P + unit) : R := if l == l' then 1 else 0.
Definition v_of (l : P + unit) : R := if l is inl _ then / r else / 1.
Definition e_of (p : P) (l : P + unit) : R := if l is inl p' then (if p == p' then 1 else 0) else 0.
Hypothesis n : N_sq id_map v_of k = 1.
Hypothesis n' : N_sq id_map v_of k' = 1.

Lemma sum_id (F : P + unit -> R) l : ∑ d, F d * id_map d l = F l.
Proof.
rewrite (bigD1 l) //= big1 => [|d /negPf ne]; last by rewrite /id_map ne; ring.
by rewrite /id_map eqxx; ring.
Qed.

Lemma K_id (W : M -> P + unit -> R) m l : K_of id_map W m l = W m l.
Proof. exact: sum_id. Qed.

Lemma gram_id (l l' : P + unit) : gram_X id_map l l' = if l == l' then 1 else 0.
Proof. by rewrite /gram_X sum_id /id_map eq_sym. Qed.

Lemma moments_e l l' : 𝔼 p ~ (fun=> / r), e_of p l * e_of p l' = shared r l l'.
Proof.
rewrite /E /shared /e_of; case: l => [p|u]; last by apply: big1 => o _; ring.
case: l' => [p'|u]; last by apply: big1 => o _; ring.
rewrite (bigD1 p) //= big1 => [|o /negPf ne]; last by rewrite ne; ring.
by rewrite eqxx; case: eqP => _; ring.
Qed.

(** −∇L_nc at columns k with the partners k', and the columns that move along it. *)
Definition gradient_id (k k' : M -> P + unit -> R) (m : M) (d : P + unit) : R :=
  - (∑ p, K_of id_map k' m (inl p) * id_map d (inl p)) / (r * N_of id_map v_of k * N_of id_map v_of k')
  + Ψ id_map v_of id_map v_of r k k' * normal_part id_map v_of k m d / N_of id_map v_of k ^ 2.
Definition flowing (k k' : M -> P + unit -> R) (u : R) (m : M) (d : P + unit) : R := k m d + u * (- (c_of 1 * r) * gradient_id k k' m d).

Lemma flowing_0 (h h' : M -> P + unit -> R) : flowing h h' 0 = h.
Proof. by do 2 (apply: FunctionalExtensionality.functional_extensionality => ?); rewrite /flowing; ring. Qed.

Lemma flow_example : cold_motion id_map v_of id_map v_of (fun _ : P => / r) id id e_of e_of r 1 1 (flowing k k') (flowing k' k) 0
  (fun=> 1) (fun=> 1) (gradient_id k k') (gradient_id k' k).
Proof.
have pA : 0 < N_sq id_map v_of k by rewrite n; lra.
have pB : 0 < N_sq id_map v_of k' by rewrite n'; lra.
have gA := lemma_a6_A r_gt0 pA pB moments_e.
have gB := lemma_a6_A r_gt0 pB pA (moments_exchange moments_e).
by split; rewrite ?flowing_0 //; try lra; try exact: moments_e; try exact: gram_id;
  try (by move=> m d; rewrite /flowing; auto_derive => //; ring);
  try (apply: (gradient_ext _ _ gB) => [V|//]; exact: loss_nc_exchange).
Qed.

Lemma column_id (h h' : M -> P + unit -> R) l : column_A id_map (flowing h h') l 0 = fun m => h m l.
Proof. by apply: FunctionalExtensionality.functional_extensionality => m; rewrite /column_A flowing_0 K_id. Qed.
Lemma N_id (h h' : M -> P + unit -> R) : N_sq id_map v_of h = 1 -> N_of id_map v_of (flowing h h' 0) = 1.
Proof. by move=> e; rewrite flowing_0 /N_of e sqrt_1. Qed.
End Example.

(** Two features: the signal is 3/5 e_1 in view A and 3/5 e_2 in view B, the noise 4/5 (3, 4)/5 and 4/5 e_1. *)
Definition crossed (m : bool) (l : unit + unit) : R := if l is inl _ then (if m then 3 / 5 else 0) else (if m then 12 / 25 else 16 / 25).
Definition crossed' (m : bool) (l : unit + unit) : R := if l is inl _ then (if m then 0 else 3 / 5) else (if m then 4 / 5 else 0).
Lemma N_crossed : N_sq (@id_map [finType of unit]) (v_of 1) crossed = 1.
Proof. by rewrite /N_sq sum_sum !sum_unit !sum_bool !K_id /crossed /v_of; field. Qed.
Lemma N_crossed' : N_sq (@id_map [finType of unit]) (v_of 1) crossed' = 1.
Proof. by rewrite /N_sq sum_sum !sum_unit !sum_bool !K_id /crossed' /v_of; field. Qed.
Definition crossed_motion := flow_example Rlt_0_1 N_crossed N_crossed'.

Lemma norm_of (v : bool -> R) x : 0 <= x -> v true ^ 2 + v false ^ 2 = x ^ 2 -> norm v = x.
Proof. by move=> x0 e; rewrite /norm /dot sum_bool -(sqrt_pow2 x) // -e; congr sqrt; ring. Qed.

(** The columns at the start: norms, cosines, and c_p = 1. *)
Section Crossed.
Let A := column_A (@id_map [finType of unit]) (flowing 1 crossed crossed') (inl tt).
Let B := column_B (@id_map [finType of unit]) (flowing 1 crossed' crossed) (inl tt).
Let nA := column_A (@id_map [finType of unit]) (flowing 1 crossed crossed') (inr tt).
Lemma norm_signal_A : norm (A 0) = 3 / 5.
Proof. by rewrite /A column_id; apply: norm_of; rewrite /crossed /=; lra. Qed.
Lemma norm_signal_B : norm (B 0) = 3 / 5.
Proof. by rewrite /B (column_id 1 crossed' crossed (inl tt) : column_B _ _ _ _ = _); apply: norm_of; rewrite /crossed' /=; lra. Qed.
Lemma norm_noise_A : norm (nA 0) = 4 / 5.
Proof. by rewrite /nA column_id; apply: norm_of; rewrite /crossed /=; lra. Qed.
Lemma signals_apart : cosine (A 0) (B 0) = 0.
Proof. by rewrite /cosine /A /B column_id (column_id 1 crossed' crossed (inl tt) : column_B _ _ _ _ = _) /dot sum_bool /crossed /crossed' /Rdiv; ring. Qed.
Lemma cosine_A_noise : cosine (A 0) (nA 0) = 3 / 5.
Proof. by rewrite /cosine norm_signal_A norm_noise_A /A /nA !column_id /dot sum_bool /crossed; field. Qed.
Lemma cosine_B_noise : cosine (B 0) (nA 0) = 4 / 5.
Proof.
rewrite /cosine norm_signal_B norm_noise_A /B /nA column_id (column_id 1 crossed' crossed (inl tt) : column_B _ _ _ _ = _).
by rewrite /dot sum_bool /crossed /crossed'; field.
Qed.
Lemma pull_1 : c_of 1 * 1 / (N_of (@id_map [finType of unit]) (v_of 1) (flowing 1 crossed crossed' 0)
  * N_of (@id_map [finType of unit]) (v_of 1) (flowing 1 crossed' crossed 0)) = 1.
Proof. by rewrite (N_id _ N_crossed) (N_id _ N_crossed') c_1; field. Qed.
Lemma A_gt0 : 0 < norm (A 0). Proof. by rewrite norm_signal_A; lra. Qed.
Lemma B_gt0 : 0 < norm (B 0). Proof. by rewrite norm_signal_B; lra. Qed.
Lemma nA_gt0 : 0 < norm (nA 0). Proof. by rewrite norm_noise_A; lra. Qed.

(** ρ̇ = 2, ȧ = 4/5 and ḃ = 3/5. *)
Lemma crossed_rate : is_derive (fun u => cosine (A u) (B u)) 0 2.
Proof.
have := lemma_b10_zero crossed_motion (p := tt) erefl A_gt0 B_gt0.
rewrite -/A -/B pull_1 norm_signal_A norm_signal_B signals_apart.
by have -> : 1 * (3 / 5 / (3 / 5) + 1 / (3 / 5 / (3 / 5))) * (1 - 0 ^ 2) = 2 by field.
Qed.
Lemma crossed_noise_rates : is_derive (fun u => cosine (A u) (nA u)) 0 (4 / 5) /\ is_derive (fun u => cosine (B u) (nA u)) 0 (3 / 5).
Proof.
have [/(_ tt nA_gt0) [Da Db] _] := lemma_b16_printed crossed_motion (p := tt) erefl A_gt0 B_gt0.
move: Da Db; rewrite -/A -/B -/nA pull_1 norm_signal_A norm_signal_B signals_apart cosine_A_noise cosine_B_noise => Da Db.
by split; [apply: (is_derive_value Da) | apply: (is_derive_value Db)]; field.
Qed.
Definition crossed_noise_rate := proj1 crossed_noise_rates.
End Crossed.

(** Control factor: one per cent more. *)
Theorem lemma_b10_zero_control : ~ (forall (F : cold_flow) p, σ_A F (inl p) = σ_B F (inl p) -> 0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) -> let α := norm (k_A F p (now F)) / norm (k_B F p (now F)) in
  is_derive (fun u => cosine (k_A F p u) (k_B F p u)) (now F) (101 / 100 * (pull F p * (α + 1 / α) * (1 - cosine (k_A F p (now F)) (k_B F p (now F)) ^ 2)))).
Proof.
move=> /(_ (Flow crossed_motion) tt erefl A_gt0 B_gt0).
by apply: (one_per_cent (lemma_b10_zero crossed_motion (p := tt) erefl A_gt0 B_gt0) crossed_rate); lra.
Qed.

(** 3c_p in place of 2c_p. *)
Theorem lemma_b10_lower_control : ~ (forall (F : cold_flow) p d, σ_A F (inl p) = σ_B F (inl p) -> 0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) ->
  is_derive (fun u => cosine (k_A F p u) (k_B F p u)) (now F) d -> 3 * pull F p * (1 - cosine (k_A F p (now F)) (k_B F p (now F)) ^ 2) <= d).
Proof.
move=> /(_ (Flow crossed_motion) tt _ erefl A_gt0 B_gt0 crossed_rate); opened.
by rewrite pull_1 signals_apart; lra.
Qed.

(** Control n2: −4c_Kσ_p²/(N_AN_B). *)
Theorem lemma_b10_linear_control : ~ (forall (F : cold_flow) p d, σ_A F (inl p) = σ_B F (inl p) -> 0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) -> 0 <= cosine (k_A F p (now F)) (k_B F p (now F)) ->
  is_derive (fun u => 1 - cosine (k_A F p u) (k_B F p u)) (now F) d -> d <= - (4 * pull F p) * (1 - cosine (k_A F p (now F)) (k_B F p (now F)))).
Proof.
have D := is_derive_minus _ _ _ _ _ (@is_derive_const R_AbsRing R_NormedModule 1 0) crossed_rate.
move=> /(_ (Flow crossed_motion) tt _ erefl A_gt0 B_gt0); opened.
by rewrite signals_apart pull_1 => /(_ _ (Rle_refl 0) D); rewrite /minus /plus /opp /zero /=; lra.
Qed.

(** Control factor: one per cent more. *)
Theorem lemma_b16_printed_control : ~ (forall (F : cold_flow) p k, σ_A F (inl p) = σ_B F (inl p) -> 0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) -> 0 < norm (n_A F k (now F)) ->
  is_derive (fun u => cosine (k_A F p u) (n_A F k u)) (now F) (101 / 100 * (pull F p * norm (k_B F p (now F)) / norm (k_A F p (now F))
    * (cosine (k_B F p (now F)) (n_A F k (now F)) - cosine (k_A F p (now F)) (k_B F p (now F)) * cosine (k_A F p (now F)) (n_A F k (now F)))))).
Proof.
move=> /(_ (Flow crossed_motion) tt tt erefl A_gt0 B_gt0 nA_gt0).
have [/(_ tt nA_gt0) [right _] _] := lemma_b16_printed crossed_motion (p := tt) erefl A_gt0 B_gt0.
by apply: (one_per_cent right crossed_noise_rate); lra.
Qed.

(** Half of the rate. *)
Theorem lemma_b16_rate_control : ~ (forall (F : cold_flow) p k d, σ_A F (inl p) = σ_B F (inl p) ->
  0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) -> norm (k_A F p (now F)) = norm (k_B F p (now F)) -> 0 < norm (n_A F k (now F)) ->
  is_derive (fun u => cosine (k_A F p u) (n_A F k u) ^ 2 + cosine (k_B F p u) (n_A F k u) ^ 2) (now F) d ->
  d <= pull F p * (1 - cosine (k_A F p (now F)) (k_B F p (now F))) * (cosine (k_A F p (now F)) (n_A F k (now F)) ^ 2 + cosine (k_B F p (now F)) (n_A F k (now F)) ^ 2)).
Proof.
have [Da Db] := crossed_noise_rates; have D := is_derive_plus _ _ _ _ _ (is_derive_square Da) (is_derive_square Db).
move=> /(_ (Flow crossed_motion) tt tt _ erefl A_gt0 B_gt0 (eq_trans norm_signal_A (esym norm_signal_B)) nA_gt0 D); opened.
by rewrite /plus /= pull_1 signals_apart cosine_A_noise cosine_B_noise; lra.
Qed.

(** One per cent more, for the sum. *)
Theorem lemma_b16_s2_control : ~ (forall (F : cold_flow) p k, σ_A F (inl p) = σ_B F (inl p) ->
  0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) -> norm (k_A F p (now F)) = norm (k_B F p (now F)) -> 0 < norm (n_A F k (now F)) ->
  is_derive (fun u => cosine (k_A F p u) (n_A F k u) + cosine (k_B F p u) (n_A F k u)) (now F)
    (101 / 100 * ((pull F p - pull F p * cosine (k_A F p (now F)) (k_B F p (now F)))
      * (cosine (k_A F p (now F)) (n_A F k (now F)) + cosine (k_B F p (now F)) (n_A F k (now F)))))).
Proof.
move=> /(_ (Flow crossed_motion) tt tt erefl A_gt0 B_gt0 (eq_trans norm_signal_A (esym norm_signal_B)) nA_gt0).
have [/(_ tt nA_gt0) [right _] _] := lemma_b16_s2 crossed_motion (p := tt) erefl A_gt0 B_gt0 (eq_trans norm_signal_A (esym norm_signal_B)).
have [Da Db] := crossed_noise_rates.
by apply: (one_per_cent right (is_derive_plus _ _ _ _ _ Da Db)); rewrite /plus /=; lra.
Qed.

(** Control undivided: (a + b)² itself. *)
Theorem lemma_b16_conserved_control : ~ (forall (F : cold_flow) p k, σ_A F (inl p) = σ_B F (inl p) ->
  0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) -> norm (k_A F p (now F)) = norm (k_B F p (now F)) -> 0 < norm (n_A F k (now F)) ->
  is_derive (fun u => (cosine (k_A F p u) (n_A F k u) + cosine (k_B F p u) (n_A F k u)) ^ 2) (now F) 0).
Proof.
have [Da Db] := crossed_noise_rates; have D := is_derive_square (is_derive_plus _ _ _ _ _ Da Db).
move=> /(_ (Flow crossed_motion) tt tt erefl A_gt0 B_gt0 (eq_trans norm_signal_A (esym norm_signal_B)) nA_gt0) /is_derive_unique; opened.
by rewrite (is_derive_unique _ _ _ D) /plus /= cosine_A_noise cosine_B_noise; lra.
Qed.

(** A cosine of a signal with a noise does move. *)
Theorem lemma_b16_noises_control : ~ (forall (F : cold_flow) p k, 0 < norm (k_A F p (now F)) -> 0 < norm (n_A F k (now F)) -> is_derive (fun u => cosine (k_A F p u) (n_A F k u)) (now F) 0).
Proof.
move=> /(_ (Flow crossed_motion) tt tt A_gt0 nA_gt0) /is_derive_unique; opened.
by rewrite (is_derive_unique _ _ _ crossed_noise_rate); lra.
Qed.

(** The noise column of [equal_columns]. *)
Lemma equal_noise_gt0 : 0 < dot (column_A map_x (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) (inr tt) 0) (column_A map_x (moved (3 / 5) (4 / 5) (3 / 5) (4 / 5)) (inr tt) 0).
Proof. by rewrite /dot sum_unit column_x //; lra. Qed.
Definition equal_noise_rate := proj1 (lemma_b14_s1 equal_columns) tt equal_noise_gt0.

(** The norm of a noise column itself is not constant. *)
Theorem lemma_b14_zero_control : ~ (forall (F : cold_flow) k, 0 < dot (n_A F k (now F)) (n_A F k (now F)) -> is_derive (fun u => ln (dot (n_A F k u) (n_A F k u))) (now F) 0).
Proof.
move=> /(_ (Flow equal_columns) tt equal_noise_gt0) /is_derive_unique; opened.
by rewrite (is_derive_unique _ _ _ equal_noise_rate); values.
Qed.

(** One per cent more. *)
Theorem lemma_b14_s1_control : ~ (forall (F : cold_flow) k, 0 < dot (n_A F k (now F)) (n_A F k (now F)) ->
  is_derive (fun u => ln (dot (n_A F k u) (n_A F k u))) (now F) (101 / 100 * (- 2 * (c_K F * σ_A F (inr k) * (r_ F / q_ F) * Psi F / N_A F ^ 2)))).
Proof.
move=> /(_ (Flow equal_columns) tt equal_noise_gt0) /is_derive_unique; opened.
by rewrite (is_derive_unique _ _ _ equal_noise_rate); values.
Qed.

(** Two signals of length one and no noise: one is e_1 in view A and e_2 in view B, the other is (3, 4)/5 in both; Ψ = 1/2. *)
Definition other (m : bool) : R := if m then 3 / 5 else 4 / 5.
Definition pair_A (m : bool) (l : bool + unit) : R := if l is inl p then (if p then (if m then 1 else 0) else other m) else 0.
Definition pair_B (m : bool) (l : bool + unit) : R := if l is inl p then (if p then (if m then 0 else 1) else other m) else 0.
Lemma N_pair_A : N_sq (@id_map [finType of bool]) (v_of 2) pair_A = 1.
Proof. by rewrite /N_sq sum_sum !sum_unit !sum_bool !K_id /pair_A /other /v_of; field. Qed.
Lemma N_pair_B : N_sq (@id_map [finType of bool]) (v_of 2) pair_B = 1.
Proof. by rewrite /N_sq sum_sum !sum_unit !sum_bool !K_id /pair_B /other /v_of; field. Qed.
Definition pair_motion := flow_example Rlt_0_2 N_pair_A N_pair_B.

Section Pair.
Let A p := column_A (@id_map [finType of bool]) (flowing 2 pair_A pair_B) (inl p).
Let B p := column_B (@id_map [finType of bool]) (flowing 2 pair_B pair_A) (inl p).
Let NA := N_of (@id_map [finType of bool]) (v_of 2) (flowing 2 pair_A pair_B 0).
Let NB := N_of (@id_map [finType of bool]) (v_of 2) (flowing 2 pair_B pair_A 0).
Lemma column_pair_A p : A p 0 = fun m => pair_A m (inl p). Proof. exact: column_id. Qed.
Lemma column_pair_B p : B p 0 = fun m => pair_B m (inl p). Proof. exact: column_id. Qed.
Lemma norm_pair_A p : norm (A p 0) = 1.
Proof. by rewrite column_pair_A; apply: norm_of; rewrite /pair_A /other; case: p; lra. Qed.
Lemma norm_pair_B p : norm (B p 0) = 1.
Proof. by rewrite column_pair_B; apply: norm_of; rewrite /pair_B /other; case: p; lra. Qed.
Lemma square_pair_A p : dot (A p 0) (A p 0) = 1. Proof. by rewrite -norm_sq norm_pair_A; ring. Qed.
Lemma square_pair_B p : dot (B p 0) (B p 0) = 1. Proof. by rewrite -norm_sq norm_pair_B; ring. Qed.
Lemma dot_pair p : dot (A p 0) (B p 0) = if p then 0 else 1.
Proof. by rewrite column_pair_A column_pair_B /dot sum_bool /pair_A /pair_B /other; case: p; field. Qed.
Lemma cosine_pair : [/\ cosine (A true 0) (A false 0) = 3 / 5, cosine (B true 0) (B false 0) = 4 / 5,
  cosine (A true 0) (B false 0) = 3 / 5 & cosine (B true 0) (A false 0) = 4 / 5].
Proof. by rewrite /cosine !norm_pair_A !norm_pair_B !column_pair_A !column_pair_B /dot !sum_bool /pair_A /pair_B /other; split; field. Qed.
Lemma correlation_pair p : cosine (A p 0) (B p 0) = if p then 0 else 1.
Proof. by rewrite /cosine norm_pair_A norm_pair_B dot_pair; field. Qed.
Lemma NA_pair : NA = 1. Proof. exact: N_id N_pair_A. Qed.
Lemma NB_pair : NB = 1. Proof. exact: N_id N_pair_B. Qed.
Lemma pull_pair : c_of 1 * 1 / (NA * NB) = 1. Proof. by rewrite NA_pair NB_pair c_1; field. Qed.
Lemma A_pair_gt0 p : 0 < norm (A p 0). Proof. by rewrite norm_pair_A; lra. Qed.
Lemma B_pair_gt0 p : 0 < norm (B p 0). Proof. by rewrite norm_pair_B; lra. Qed.
Lemma square_pair_gt0 p : 0 < dot (A p 0) (A p 0). Proof. by rewrite square_pair_A; lra. Qed.

Lemma pair_rates : [/\ is_derive (fun u => cosine (A true u) (A false u)) 0 (4 / 5), is_derive (fun u => cosine (B true u) (B false u)) 0 (3 / 5),
  is_derive (fun u => cosine (A true u) (B false u)) 0 (4 / 5) & is_derive (fun u => cosine (B true u) (A false u)) 0 (3 / 5)].
Proof.
have [D1 [D2 [D3 D4]]] := lemma_b15_s1 pair_motion (p := true) (s := false) erefl erefl (A_pair_gt0 _) (B_pair_gt0 _) (A_pair_gt0 _) (B_pair_gt0 _).
have [AA BB AB BA] := cosine_pair; move: D1 D2 D3 D4; rewrite -/(A _) -/(B _) -/NA -/NB.
rewrite !pull_pair !norm_pair_A !norm_pair_B !correlation_pair AA BB AB BA => D1 D2 D3 D4.
by split; [apply: (is_derive_value D1) | apply: (is_derive_value D2) | apply: (is_derive_value D3) | apply: (is_derive_value D4)]; field.
Qed.

Lemma Ψ_pair : Ψ (@id_map [finType of bool]) (v_of 2) (@id_map [finType of bool]) (v_of 2) 2 (flowing 2 pair_A pair_B 0) (flowing 2 pair_B pair_A 0) = 1 / 2.
Proof. by rewrite /Ψ -/NA -/NB NA_pair NB_pair !flowing_0 !sum_bool !K_id /pair_A /pair_B /other; field. Qed.

Lemma ρ_pair p : 0 <= dot (A p 0) (B p 0) / dot (A p 0) (A p 0) <= 1.
Proof. by rewrite square_pair_A dot_pair; case: p; lra. Qed.

(** d log(κ_p²/κ_s²)/dt = −2. *)
Lemma pair_growth : is_derive (fun u => ln (dot (A true u) (A true u)) - ln (dot (A false u) (A false u))) 0 (- 2).
Proof.
have := lemma_b12_exact pair_motion (conj NA_pair NB_pair) square_pair_gt0 true false.
by rewrite -/(A _) -/(B _) Ψ_pair !square_pair_A !dot_pair c_1 => D; apply: (is_derive_value D); field.
Qed.
End Pair.

(** One per cent more, in the first equation. *)
Theorem lemma_b15_s1_control : ~ (forall (F : cold_flow) p s, σ_A F (inl p) = σ_B F (inl p) -> σ_A F (inl s) = σ_B F (inl s) ->
  0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) -> 0 < norm (k_A F s (now F)) -> 0 < norm (k_B F s (now F)) ->
  is_derive (fun u => cosine (k_A F p u) (k_A F s u)) (now F)
    (101 / 100 * (pull F p * norm (k_B F p (now F)) / norm (k_A F p (now F)) * (cosine (k_B F p (now F)) (k_A F s (now F)) - cosine (k_A F p (now F)) (k_B F p (now F)) * cosine (k_A F p (now F)) (k_A F s (now F)))
      + pull F s * norm (k_B F s (now F)) / norm (k_A F s (now F)) * (cosine (k_A F p (now F)) (k_B F s (now F)) - cosine (k_A F s (now F)) (k_B F s (now F)) * cosine (k_A F p (now F)) (k_A F s (now F)))))).
Proof.
move=> /(_ (Flow pair_motion) true false erefl erefl (A_pair_gt0 _) (B_pair_gt0 _) (A_pair_gt0 _) (B_pair_gt0 _)).
have [D _ _ _] := pair_rates.
have [right _] := lemma_b15_s1 pair_motion (p := true) (s := false) erefl erefl (A_pair_gt0 _) (B_pair_gt0 _) (A_pair_gt0 _) (B_pair_gt0 _).
by apply: (one_per_cent right D); lra.
Qed.

(** Half of the rate. *)
Theorem lemma_b15_printed_control : ~ (forall (F : cold_flow) p s d, σ_A F (inl p) = σ_B F (inl p) -> σ_A F (inl s) = σ_B F (inl s) ->
  0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) -> 0 < norm (k_A F s (now F)) -> 0 < norm (k_B F s (now F)) ->
  norm (k_A F p (now F)) = norm (k_B F p (now F)) -> norm (k_A F s (now F)) = norm (k_B F s (now F)) ->
  is_derive (fun u => cosine (k_A F p u) (k_A F s u) ^ 2 + cosine (k_B F p u) (k_B F s u) ^ 2 + cosine (k_A F p u) (k_B F s u) ^ 2 + cosine (k_B F p u) (k_A F s u) ^ 2) (now F) d ->
  d <= (pull F p * (1 - cosine (k_A F p (now F)) (k_B F p (now F))) + pull F s * (1 - cosine (k_A F s (now F)) (k_B F s (now F))))
    * (cosine (k_A F p (now F)) (k_A F s (now F)) ^ 2 + cosine (k_B F p (now F)) (k_B F s (now F)) ^ 2 + cosine (k_A F p (now F)) (k_B F s (now F)) ^ 2 + cosine (k_B F p (now F)) (k_A F s (now F)) ^ 2)).
Proof.
have [D1 D2 D3 D4] := pair_rates; have [AA BB AB BA] := cosine_pair.
have D := is_derive_plus _ _ _ _ _ (is_derive_plus _ _ _ _ _ (is_derive_plus _ _ _ _ _ (is_derive_square D1) (is_derive_square D2)) (is_derive_square D3)) (is_derive_square D4).
move=> /(_ (Flow pair_motion) true false _ erefl erefl (A_pair_gt0 _) (B_pair_gt0 _) (A_pair_gt0 _) (B_pair_gt0 _)
  (eq_trans (norm_pair_A _) (esym (norm_pair_B _))) (eq_trans (norm_pair_A _) (esym (norm_pair_B _))) D); opened.
by rewrite /plus /= !pull_pair !correlation_pair AA BB AB BA; lra.
Qed.

(** One per cent more. *)
Theorem lemma_b12_exact_control : ~ (forall (F : cold_flow) N, N_A F = N /\ N_B F = N -> (forall p, 0 < dot (k_A F p (now F)) (k_A F p (now F))) ->
  let ρ p := dot (k_A F p (now F)) (k_B F p (now F)) / dot (k_A F p (now F)) (k_A F p (now F)) in
  forall p s, is_derive (fun u => ln (dot (k_A F p u) (k_A F p u)) - ln (dot (k_A F s u) (k_A F s u))) (now F)
    (101 / 100 * (2 * (c_K F / N ^ 2) * (σ_A F (inl p) * (ρ p - Psi F) - σ_A F (inl s) * (ρ s - Psi F))))).
Proof.
move=> /(_ (Flow pair_motion) _ (conj NA_pair NB_pair) square_pair_gt0 true false).
by apply: (one_per_cent (lemma_b12_exact pair_motion (conj NA_pair NB_pair) square_pair_gt0 true false) pair_growth); lra.
Qed.

(** Control n2: half the constant. *)
Theorem lemma_b12_printed_control : ~ (forall (F : cold_flow) N, N_A F = N /\ N_B F = N -> (forall p, 0 < dot (k_A F p (now F)) (k_A F p (now F))) ->
  let ρ p := dot (k_A F p (now F)) (k_B F p (now F)) / dot (k_A F p (now F)) (k_A F p (now F)) in let η := 1 - (∑ p, dot (k_A F p (now F)) (k_A F p (now F))) / (r_ F * N ^ 2) in
  forall m σ_max p s d, (forall p, dot (k_A F p (now F)) (k_A F p (now F)) = dot (k_B F p (now F)) (k_B F p (now F))) -> (forall p, σ_A F (inl p) <= σ_max) -> (forall p, m <= ρ p) ->
  is_derive (fun u => ln (dot (k_A F p u) (k_A F p u)) - ln (dot (k_A F s u) (k_A F s u))) (now F) d ->
  Rabs d <= c_K F / N ^ 2 * σ_max * ((1 - m) + η)).
Proof.
move=> /(_ (Flow pair_motion) _ (conj NA_pair NB_pair) square_pair_gt0 0 1 true false _
  (fun p => eq_trans (square_pair_A p) (esym (square_pair_B p))) (fun=> Rle_refl 1) (fun p => proj1 (ρ_pair p)) pair_growth); opened.
by rewrite sum_bool !square_pair_A c_1 Rabs_left; lra.
Qed.

(** 99 per cent of the bound, which is attained here. *)
Theorem lemma_b12_spread_control : ~ (forall (F : cold_flow) N, N_A F = N /\ N_B F = N -> (forall p, 0 < dot (k_A F p (now F)) (k_A F p (now F))) ->
  let ρ p := dot (k_A F p (now F)) (k_B F p (now F)) / dot (k_A F p (now F)) (k_A F p (now F)) in let η := 1 - (∑ p, dot (k_A F p (now F)) (k_A F p (now F))) / (r_ F * N ^ 2) in
  forall m m' σ_max p s d, (forall p, dot (k_A F p (now F)) (k_A F p (now F)) = dot (k_B F p (now F)) (k_B F p (now F))) -> (forall p, σ_A F (inl p) <= σ_max) ->
  (forall p, m <= ρ p <= m') -> is_derive (fun u => ln (dot (k_A F p u) (k_A F p u)) - ln (dot (k_A F s u) (k_A F s u))) (now F) d ->
  Rabs d <= 99 / 100 * (2 * (c_K F / N ^ 2) * σ_max * ((m' - m) + η * Rmax (Rmax m (- m')) 0))).
Proof.
move=> /(_ (Flow pair_motion) _ (conj NA_pair NB_pair) square_pair_gt0 0 1 1 true false _
  (fun p => eq_trans (square_pair_A p) (esym (square_pair_B p))) (fun=> Rle_refl 1) ρ_pair pair_growth); opened.
rewrite sum_bool !square_pair_A c_1 Rabs_left; last lra.
have -> : 1 - (1 + 1) / (2 * 1 ^ 2) = 0 by field.
by rewrite Rmult_0_l; lra.
Qed.

(** A third of the right side. *)
Theorem lemma_b12_s1_control : ~ (forall (F : cold_flow) N, N_A F = N /\ N_B F = N -> (forall p, 0 < dot (k_A F p (now F)) (k_A F p (now F))) ->
  let ρ p := dot (k_A F p (now F)) (k_B F p (now F)) / dot (k_A F p (now F)) (k_A F p (now F)) in let η := 1 - (∑ p, dot (k_A F p (now F)) (k_A F p (now F))) / (r_ F * N ^ 2) in
  forall m (p : P_ F), (forall p, dot (k_A F p (now F)) (k_A F p (now F)) = dot (k_B F p (now F)) (k_B F p (now F))) -> (forall p, m <= ρ p) ->
  1 - Psi F <= ((1 - m) + η) / 3).
Proof.
move=> /(_ (Flow pair_motion) _ (conj NA_pair NB_pair) square_pair_gt0 0 true
  (fun p => eq_trans (square_pair_A p) (esym (square_pair_B p))) (fun p => proj1 (ρ_pair p))); opened.
by rewrite sum_bool !square_pair_A Ψ_pair; lra.
Qed.

(** Control undivided: the square of the sum of the four cosines itself. *)
Theorem lemma_b15_conserved_control : ~ (forall (F : cold_flow) p s, σ_A F (inl p) = σ_B F (inl p) -> σ_A F (inl s) = σ_B F (inl s) ->
  0 < norm (k_A F p (now F)) -> 0 < norm (k_B F p (now F)) -> 0 < norm (k_A F s (now F)) -> 0 < norm (k_B F s (now F)) ->
  norm (k_A F p (now F)) = norm (k_B F p (now F)) -> norm (k_A F s (now F)) = norm (k_B F s (now F)) ->
  is_derive (fun u => (cosine (k_A F p u) (k_A F s u) + cosine (k_A F p u) (k_B F s u) + cosine (k_B F p u) (k_A F s u) + cosine (k_B F p u) (k_B F s u)) ^ 2) (now F) 0).
Proof.
have [D1 D2 D3 D4] := pair_rates; have [AA BB AB BA] := cosine_pair.
have D := is_derive_square (is_derive_plus _ _ _ _ _ (is_derive_plus _ _ _ _ _ (is_derive_plus _ _ _ _ _ D1 D3) D4) D2).
move=> /(_ (Flow pair_motion) true false erefl erefl (A_pair_gt0 _) (B_pair_gt0 _) (A_pair_gt0 _) (B_pair_gt0 _)
  (eq_trans (norm_pair_A _) (esym (norm_pair_B _))) (eq_trans (norm_pair_A _) (esym (norm_pair_B _)))) /is_derive_unique; opened.
by rewrite (is_derive_unique _ _ _ D) /plus /= AA BB AB BA; lra.
Qed.
