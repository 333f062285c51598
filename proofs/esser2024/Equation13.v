(** Esser et al., equation (13): an activation with φ(0) = 0, φ′(0) = 1 and a derivative with the Lipschitz constant c is within
    cs²/2 of the identity. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Calculus Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

(** φ has the derivative φ′ on [−r, r], which has the Lipschitz constant c there. *)
Definition smooth_on (r c : R) (φ φ' : R -> R) : Prop :=
  (forall t, Rabs t <= r -> is_derive φ t (φ' t)) /\
  (forall t u, Rabs t <= r -> Rabs u <= r -> Rabs (φ' t - φ' u) <= c * Rabs (t - u)).

(** On the right of 0, for φ or −φ(−·): the difference grows at most like ct. *)
Lemma right_of_zero (φ φ' : R -> R) r c s : smooth_on r c φ φ' -> φ 0 = 0 -> φ' 0 = 1 -> 0 <= s <= r ->
  Rabs (φ s - s) <= c * s ^ 2 / 2.
Proof.
move=> [D lip] z0 d0 [s0 sr].
have near t : 0 <= t <= s -> Rabs t <= r by move=> t_in; rewrite Rabs_pos_eq; lra.
have slope t : 0 <= t <= s -> - (c * t) <= φ' t - 1 <= c * t.
  move=> t_in; have := lip t 0 (near t t_in) (near 0 ltac:(lra)).
  by rewrite d0 Rminus_0_r (Rabs_pos_eq t) => [/Rabs_le_between|]; lra.
have up := @increases (fun t => c * t ^ 2 / 2 - (φ t - t)) (fun t => c * t - (φ' t - 1)) 0 s s0.
have low := @increases (fun t => c * t ^ 2 / 2 + (φ t - t)) (fun t => c * t + (φ' t - 1)) 0 s s0.
apply: Rabs_le; split.
- suff: c * 0 ^ 2 / 2 + (φ 0 - 0) <= c * s ^ 2 / 2 + (φ s - s) by rewrite z0; lra.
  apply: low => t t_in; last by have := slope t t_in; lra.
  have Dt := D t (near t t_in); auto_derive; first by exists (φ' t).
  by rewrite (is_derive_unique _ _ _ Dt); field.
- suff: c * 0 ^ 2 / 2 - (φ 0 - 0) <= c * s ^ 2 / 2 - (φ s - s) by rewrite z0; lra.
  apply: up => t t_in; last by have := slope t t_in; lra.
  have Dt := D t (near t t_in); auto_derive; first by exists (φ' t).
  by rewrite (is_derive_unique _ _ _ Dt); field.
Qed.

(** |φ(s) − s| <= cs²/2 for |s| <= r, c the Lipschitz constant of φ′ on [−r, r]; the paper's footnote has r = 1.
    [claim] esser2024.eq-13  [sense] footnote  [scope] every φ with a Lipschitz derivative on [−r, r] *)
Theorem eq_13_footnote (φ φ' : R -> R) r c s : smooth_on r c φ φ' -> φ 0 = 0 -> φ' 0 = 1 -> Rabs s <= r ->
  Rabs (φ s - s) <= c * s ^ 2 / 2.
Proof.
move=> smooth z0 d0 sr; case: (Rle_dec 0 s) => s0.
  by apply: (right_of_zero smooth) => //; rewrite Rabs_pos_eq // in sr.
have -> : φ s - s = - (- φ (- - s) - - s) by rewrite Ropp_involutive; ring.
have -> : s ^ 2 = (- s) ^ 2 by ring.
rewrite Rabs_Ropp; apply: (@right_of_zero (fun t => - φ (- t)) (fun t => φ' (- t)) r c (- s)).
- have [D lip] := smooth; split=> [t|t u].
    rewrite -Rabs_Ropp => /D Dt; auto_derive; first by exists (φ' (- t)).
    by rewrite (is_derive_unique _ _ _ Dt); ring.
  rewrite -(Rabs_Ropp t) -(Rabs_Ropp u) -(Rabs_Ropp (t - u)) => tr ur.
  by have -> : - (t - u) = - t - - u by [ring]; apply: lip.
- by rewrite Ropp_0 z0; ring.
- by rewrite Ropp_0.
- by have e := Rabs_left s ltac:(lra); lra.
Qed.

(** |φ(s) − s| <= cs²/2 for every s, c the Lipschitz constant of φ′ on ℝ.
    [claim] esser2024.eq-13  [sense] printed  [scope] every φ with a Lipschitz derivative *)
Theorem eq_13_printed (φ φ' : R -> R) c : (forall t, is_derive φ t (φ' t)) ->
  (forall t u, Rabs (φ' t - φ' u) <= c * Rabs (t - u)) -> φ 0 = 0 -> φ' 0 = 1 -> forall s, Rabs (φ s - s) <= c * s ^ 2 / 2.
Proof. by move=> D lip z0 d0 s; apply: (@eq_13_footnote φ φ' (Rabs s) c s _ z0 d0 (Rle_refl _)); split=> [t _|t u _ _]; [exact: D | exact: lip]. Qed.

(** * Controls: φ = s + s²/2, with c = 1 *)
Definition bent (s : R) : R := s + s ^ 2 / 2.
Lemma bent_derive t : is_derive bent t (1 + t).
Proof. by rewrite /bent; auto_derive => //; field. Qed.
Lemma bent_lipschitz t u : Rabs (1 + t - (1 + u)) <= 1 * Rabs (t - u).
Proof. by have -> : 1 + t - (1 + u) = t - u by [ring]; lra. Qed.

(** Control a: cs²/4. *)
Theorem eq_13_printed_control : ~ (forall (φ φ' : R -> R) c, (forall t, is_derive φ t (φ' t)) ->
  (forall t u, Rabs (φ' t - φ' u) <= c * Rabs (t - u)) -> φ 0 = 0 -> φ' 0 = 1 -> forall s, Rabs (φ s - s) <= c * s ^ 2 / 4).
Proof.
have z0 : bent 0 = 0 by rewrite /bent; field.
move=> /(_ _ _ 1 bent_derive bent_lipschitz z0 ltac:(ring) 1).
by have -> : bent 1 - 1 = 1 / 2 by [rewrite /bent; field]; rewrite Rabs_pos_eq; lra.
Qed.

Theorem eq_13_footnote_control : ~ (forall (φ φ' : R -> R) r c s, smooth_on r c φ φ' -> φ 0 = 0 -> φ' 0 = 1 -> Rabs s <= r ->
  Rabs (φ s - s) <= c * s ^ 2 / 4).
Proof.
move=> false; apply: eq_13_printed_control => φ φ' c D lip z0 d0 s.
apply: (false φ φ' (Rabs s) c s _ z0 d0 (Rle_refl _)); split=> [t _|t u _ _]; [exact: D | exact: lip].
Qed.
