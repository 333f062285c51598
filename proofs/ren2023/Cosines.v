(** Ren and Li, Lemmas B.10 and B.16: how cosines of columns move at τ = 0.  By equation (6), and the limit of (5), a signal
    column moves as k̇_A = c_p k_B − e_A k_A and k̇_B = c_p k_A − e_B k_B with c_p = c_Kσ_p²/(N_AN_B), and a noise column as
    ṅ = −e n.  The radial parts, with any e, drop out of every cosine. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Calculus Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

Lemma is_derive_quotient (g n m : R -> R) t g' n' m' : is_derive g t g' -> is_derive n t n' -> is_derive m t m' -> 0 < n t -> 0 < m t ->
  is_derive (fun u => g u / (sqrt (n u) * sqrt (m u))) t
    (g' / (sqrt (n t) * sqrt (m t)) - g t / (sqrt (n t) * sqrt (m t)) * (n' / (2 * n t) + m' / (2 * m t))).
Proof.
move=> Dg Dn Dm pn pm; have sn := sqrt_lt_R0 _ pn; have sm := sqrt_lt_R0 _ pm.
have en := sqrt_sqrt _ (Rlt_le _ _ pn); have em := sqrt_sqrt _ (Rlt_le _ _ pm).
auto_derive.
  by repeat split => //; [exists g' | exists n' | exists m' | apply: Rgt_not_eq; apply: Rmult_lt_0_compat].
rewrite (is_derive_unique _ _ _ Dg) (is_derive_unique _ _ _ Dn) (is_derive_unique _ _ _ Dm).
move: (g t) (n t) (m t) (sqrt (n t)) (sqrt (m t)) sn sm en em => gt nt mt rn rm rn0 rm0 <- <-; field; lra.
Qed.

Lemma is_derive_value (f : R -> R) (t d e : R) : is_derive f t d -> d = e -> is_derive f t e.
Proof. by move=> D <-. Qed.
Lemma is_derive_same (f : R -> R) (t d e : R) : is_derive f t d -> is_derive f t e -> d = e.
Proof. by move=> /is_derive_unique <- /is_derive_unique. Qed.

(** What the controls use: a derivative that is not zero is not one per cent more. *)
Lemma one_per_cent (f : R -> R) (t x v : R) : is_derive f t x -> is_derive f t v -> v <> 0 -> ~ is_derive f t (101 / 100 * x).
Proof. by move=> right D v0 wrong; apply: v0; have := is_derive_same right D; have := is_derive_same wrong D; lra. Qed.

Section Cosines.
Variables (M : finType) (t : R).
Implicit Types (u w : R -> M -> R) (v : M -> R).

(** At time t: u̇ = c v − e u. *)
Definition moves u (c : R) v (e : R) : Prop := forall m, is_derive (fun s => u s m) t (c * v m - e * u t m).
Definition cosine (v w : M -> R) : R := dot v w / (norm v * norm w).

Lemma is_derive_dot u w U V : (forall m, is_derive (fun s => u s m) t (U m)) -> (forall m, is_derive (fun s => w s m) t (V m)) ->
  is_derive (fun s => dot (u s) (w s)) t (dot U (w t) + dot (u t) V).
Proof.
move=> Du Dw; have -> : dot U (w t) + dot (u t) V = ∑ m, (U m * w t m + u t m * V m) by rewrite /dot sum_add.
apply: is_derive_sum => m.
exact: (is_derive_mult (fun s => u s m) (fun s => w s m) t (U m) (V m) (Du m) (Dw m) Rmult_comm).
Qed.

(** d/dt cos(u, w) = c (⟨v,w⟩/(‖u‖‖w‖) − cos(u,w)⟨v,u⟩/‖u‖²) + c' (⟨u,v'⟩/(‖u‖‖w‖) − cos(u,w)⟨v',w⟩/‖w‖²). *)
Lemma cosine_moves u w c v e c' v' e' : moves u c v e -> moves w c' v' e' -> 0 < norm (u t) -> 0 < norm (w t) ->
  is_derive (fun s => cosine (u s) (w s)) t
    (c * (dot v (w t) / (norm (u t) * norm (w t)) - cosine (u t) (w t) * (dot v (u t) / norm (u t) ^ 2))
     + c' * (dot (u t) v' / (norm (u t) * norm (w t)) - cosine (u t) (w t) * (dot v' (w t) / norm (w t) ^ 2))).
Proof.
move=> mu mw pu pw.
have du : 0 < dot (u t) (u t) by rewrite -norm_sq; apply: pow_lt.
have dw : 0 < dot (w t) (w t) by rewrite -norm_sq; apply: pow_lt.
have split a y b (z : M -> R) : dot (fun m => a * y m - b * z m) =1 fun x => a * dot y x - b * dot z x.
  by move=> x; rewrite /dot -!sum_mull -sum_sub; apply: sum_ext => m; ring.
have := is_derive_quotient (is_derive_dot mu mw) (is_derive_dot mu mu) (is_derive_dot mw mw) du dw.
rewrite !(dotC (u t) (fun m => _ - _)) !(dotC (w t) (fun m => _ - _)) !split.
rewrite -/(norm (u t)) -/(norm (w t)) => D.
set y := _ + _; suff -> : y = (c * dot v (w t) - e * dot (u t) (w t) + (c' * dot v' (u t) - e' * dot (w t) (u t))) / (norm (u t) * norm (w t))
  - dot (u t) (w t) / (norm (u t) * norm (w t)) * ((c * dot v (u t) - e * dot (u t) (u t) + (c * dot v (u t) - e * dot (u t) (u t))) / (2 * dot (u t) (u t))
    + (c' * dot v' (w t) - e' * dot (w t) (w t) + (c' * dot v' (w t) - e' * dot (w t) (w t))) / (2 * dot (w t) (w t))) by exact: D.
rewrite /y /cosine (dotC (w t) (u t)) (dotC (u t) v') -!norm_sq; field; lra.
Qed.

(** * Lemma B.10 *)
Variables (kA kB : R -> M -> R) (c eA eB : R).
Hypothesis moves_A : moves kA c (kB t) eA.
Hypothesis moves_B : moves kB c (kA t) eB.
Hypothesis A0 : 0 < norm (kA t).
Hypothesis B0 : 0 < norm (kB t).
Let a := norm (kA t) / norm (kB t).
Let ρ := cosine (kA t) (kB t).

(** At τ = 0, dρ_p/dt = (c_Kσ_p²/(N_AN_B))(a + 1/a)(1 − ρ_p²). *)
Theorem lemma_b10_zero : is_derive (fun s => cosine (kA s) (kB s)) t (c * (a + 1 / a) * (1 - ρ ^ 2)).
Proof.
have := cosine_moves moves_A moves_B A0 B0; set x := _ + _; have -> // : x = c * (a + 1 / a) * (1 - ρ ^ 2).
have e : dot (kA t) (kB t) = ρ * (norm (kA t) * norm (kB t)) by rewrite /ρ /cosine; field; lra.
by rewrite /x -/ρ (dotC (kB t) (kA t)) e -!norm_sq /a; field; lra.
Qed.

(** a + 1/a >= 2.
    [claim] ren2023.lemma-b10  [sense] s1  [scope] any columns that are not zero *)
Theorem lemma_b10_s1 : 2 <= a + 1 / a.
Proof.
have a0 : 0 < a by apply: Rdiv_lt_0_compat.
apply: (Rmult_le_reg_r a) => //; have -> : (a + 1 / a) * a = a ^ 2 + 1 by field; lra.
by have := pow2_ge_0 (a - 1); lra.
Qed.

Lemma ρ_le1 : ρ ^ 2 <= 1.
Proof.
have := dot_cauchy_schwarz (kA t) (kB t); rewrite -!norm_sq => le.
have n0 : 0 < norm (kA t) ^ 2 * norm (kB t) ^ 2 by apply: Rmult_lt_0_compat; apply: pow_lt.
apply: (Rmult_le_reg_r (norm (kA t) ^ 2 * norm (kB t) ^ 2)) => //.
by have -> : ρ ^ 2 * (norm (kA t) ^ 2 * norm (kB t) ^ 2) = dot (kA t) (kB t) ^ 2 by [rewrite /ρ /cosine; field; lra]; lra.
Qed.

(** At τ = 0, ρ̇_p >= (2c_Kσ_p²/(N_AN_B))(1 − ρ_p²). *)
Theorem lemma_b10_lower d : 0 <= c -> is_derive (fun s => cosine (kA s) (kB s)) t d -> 2 * c * (1 - ρ ^ 2) <= d.
Proof.
move=> c0 /is_derive_unique <-; rewrite (is_derive_unique _ _ _ lemma_b10_zero).
have s1 := lemma_b10_s1; have s2 := ρ_le1; have h : 0 <= 1 - ρ ^ 2 by lra.
by have := Rmult_le_compat_l _ _ _ (Rmult_le_pos _ _ c0 h) s1; lra.
Qed.

(** At τ = 0, d(1 − ρ_p)/dt <= −(2c_Kσ_p²/(N_AN_B))(1 − ρ_p) once ρ_p >= 0. *)
Theorem lemma_b10_linear d : 0 <= c -> 0 <= ρ -> is_derive (fun s => 1 - cosine (kA s) (kB s)) t d -> d <= - (2 * c) * (1 - ρ).
Proof.
move=> c0 ρ0 Dd; have D : is_derive (fun s => cosine (kA s) (kB s)) t (- d).
  apply: (is_derive_ext (fun s => 1 - (1 - cosine (kA s) (kB s)))) => [s|]; first by apply: Rminus_diag_uniq; ring.
  have -> : - d = 0 - d by ring.
  by apply: (is_derive_minus (fun=> 1)) => //; exact: (@is_derive_const R_AbsRing R_NormedModule).
have := lemma_b10_lower c0 D; have s2 := ρ_le1 => le.
have ρ1 : ρ <= 1 by nra.
by have : (1 - ρ) * c <= (1 - ρ ^ 2) * c by [apply: Rmult_le_compat_r => //; nra]; lra.
Qed.

(** * Lemma B.16 *)
Variables (n n' : R -> M -> R) (en en' : R) (z : M -> R).
Hypothesis noise : moves n 0 z en.
Hypothesis noise' : moves n' 0 z en'.
Hypothesis n0 : 0 < norm (n t).
Hypothesis n'0 : 0 < norm (n' t).

(** At τ = 0 ȧ = c_{A,p}(b − ρ_pa) and ḃ = c_{B,p}(a − ρ_pb), a and b the cosines of [K_A]_p and [K_B]_p with a noise column. *)
Theorem lemma_b16_printed :
  is_derive (fun s => cosine (kA s) (n s)) t (c * norm (kB t) / norm (kA t) * (cosine (kB t) (n t) - ρ * cosine (kA t) (n t))) /\
  is_derive (fun s => cosine (kB s) (n s)) t (c * norm (kA t) / norm (kB t) * (cosine (kA t) (n t) - ρ * cosine (kB t) (n t))).
Proof.
split.
  have := cosine_moves moves_A noise A0 n0; set x := _ + _; have -> // : x = c * norm (kB t) / norm (kA t) * (cosine (kB t) (n t) - ρ * cosine (kA t) (n t)).
  by rewrite /x /ρ /cosine (dotC (kB t) (kA t)); field; lra.
have := cosine_moves moves_B noise B0 n0; set x := _ + _; have -> // : x = c * norm (kA t) / norm (kB t) * (cosine (kA t) (n t) - ρ * cosine (kB t) (n t)).
by rewrite /x /ρ /cosine; field; lra.
Qed.

(** Cosines of two noise columns, of one view or of both, are constant at τ = 0. *)
Theorem lemma_b16_noises : is_derive (fun s => cosine (n s) (n' s)) t 0.
Proof. by have := cosine_moves noise noise' n0 n'0; rewrite !Rmult_0_l Rplus_0_r. Qed.
End Cosines.

(** * Equal norms: x and y are the cosines of [K_A]_p and [K_B]_p with a noise column, r is ρ_p *)
Section EqualNorms.
Variables (x y : R -> R) (t c r : R).
Hypothesis Dx : is_derive x t (c * (y t - r * x t)).
Hypothesis Dy : is_derive y t (c * (x t - r * y t)).

(** What is missing to equality is 2c(x − y)². *)
Lemma squares_grow d : 0 <= c -> is_derive (fun u => x u ^ 2 + y u ^ 2) t d -> d <= 2 * c * (1 - r) * (x t ^ 2 + y t ^ 2).
Proof.
move=> c0 /is_derive_unique <-; have D := is_derive_plus _ _ _ _ _ (is_derive_square Dx) (is_derive_square Dy).
by rewrite (is_derive_unique _ _ _ D) /plus /=; have := Rmult_le_pos _ _ c0 (pow2_ge_0 (x t - y t)); lra.
Qed.

Lemma sum_moves : is_derive (fun u => x u + y u) t (c * (1 - r) * (x t + y t)).
Proof. by apply: (is_derive_value (is_derive_plus _ _ _ _ _ Dx Dy)); rewrite /plus /=; ring. Qed.

Lemma difference_moves : is_derive (fun u => x u - y u) t (- c * (1 + r) * (x t - y t)).
Proof. by apply: (is_derive_value (is_derive_minus _ _ _ _ _ Dx Dy)); rewrite /minus /plus /opp /=; ring. Qed.
End EqualNorms.

(** f²/w is constant where f grows at the rate k and w at the rate 2k. *)
Lemma conserved_quotient (f w : R -> R) t k : is_derive f t (k * f t) -> is_derive w t (2 * k * w t) -> w t <> 0 ->
  is_derive (fun u => f u ^ 2 / w u) t 0.
Proof.
move=> Df Dw w0; auto_derive; first by repeat split => //; [exists (k * f t) | exists (2 * k * w t)].
by rewrite (is_derive_unique _ _ _ Df) (is_derive_unique _ _ _ Dw); field.
Qed.

(** Control of a + 1/a >= 2: 3 in place of 2, at equal columns. *)
Theorem lemma_b10_s1_control : ~ (forall (M : finType) t (kA kB : R -> M -> R), 0 < norm (kA t) -> 0 < norm (kB t) ->
  let a := norm (kA t) / norm (kB t) in 3 <= a + 1 / a).
Proof.
have n1 : norm (fun _ : unit => 1) = 1 by rewrite /norm /dot sum_unit Rmult_1_r sqrt_1.
by move=> /(_ unit_finType 0 (fun _ _ => 1) (fun _ _ => 1)); rewrite n1 => /(_ Rlt_0_1 Rlt_0_1) /=; lra.
Qed.
