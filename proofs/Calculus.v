(** Derivatives: what a sign of the first, or a bound of the second derivative says about a function. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums.
Set Implicit Arguments. Unset Strict Implicit.

(** The mean value theorem between [a] and [b]. *)
Lemma mean_value (g g' : R -> R) a b : a <= b -> (forall t, a <= t <= b -> is_derive g t (g' t)) ->
  exists c, a <= c <= b /\ g b - g a = g' c * (b - a).
Proof.
move=> ab D; have := @MVT_gen g a b g'; rewrite Rmin_left // Rmax_right // => -[||c [c_in e]].
- by move=> x x_in; apply: D; lra.
- move=> x x_in; apply/continuity_pt_filterlim; apply: (ex_derive_continuous g); exists (g' x); exact: D.
- by exists c.
Qed.

Lemma increases (g g' : R -> R) a b : a <= b ->
  (forall t, a <= t <= b -> is_derive g t (g' t)) -> (forall t, a <= t <= b -> 0 <= g' t) -> g a <= g b.
Proof. by move=> ab D ge; have [c [c_in e]] := mean_value ab D; have := ge c c_in; nra. Qed.

Lemma constant (g : R -> R) a b : a <= b -> (forall t, a <= t <= b -> is_derive g t 0) -> g b = g a.
Proof. by move=> ab D; have [c [_ e]] := mean_value ab D; lra. Qed.

(** Taylor's formula to second order, as a bound. *)
Lemma second_order (g g' g'' : R -> R) L :
  (forall t, 0 <= t <= 1 -> is_derive g t (g' t)) -> (forall t, 0 <= t <= 1 -> is_derive g' t (g'' t)) ->
  (forall t, 0 <= t <= 1 -> g'' t <= L) -> g 1 <= g 0 + g' 0 + L / 2.
Proof.
move=> D1 D2 le.
have slope t : 0 <= t <= 1 -> g' t <= g' 0 + L * t.
  move=> [t0 t1]; have [|c [c_in e]] := @mean_value g' g'' 0 t t0; first by move=> u u_in; apply: D2; lra.
  have c01 : 0 <= c <= 1 by lra.
  by have := le c c01; nra.
pose psi t := g' 0 * t + L * t ^ 2 / 2 - g t.
have Dpsi t : 0 <= t <= 1 -> is_derive psi t (g' 0 + L * t - g' t).
  move=> t01; apply: (is_derive_minus (fun t => g' 0 * t + L * t ^ 2 / 2)); last exact: D1.
  by auto_derive => //; field.
have := @increases psi _ 0 1 Rle_0_1 Dpsi; rewrite /psi => inc.
suff: g' 0 * 0 + L * 0 ^ 2 / 2 - g 0 <= g' 0 * 1 + L * 1 ^ 2 / 2 - g 1 by lra.
by apply: inc => t t01; have := slope t t01; lra.
Qed.

Lemma is_derive_sum (I : finType) (F : I -> R -> R) (F' : I -> R) (t : R) :
  (forall i, is_derive (F i) t (F' i)) -> is_derive (fun u => ∑ i, F i u) t (∑ i, F' i).
Proof.
move=> D; elim: (index_enum I) => [|i s IH].
  rewrite big_nil; apply: (is_derive_ext (fun=> 0)) => [u|]; first by rewrite big_nil.
  exact: (@is_derive_const R_AbsRing R_NormedModule).
rewrite big_cons; apply: (is_derive_ext (fun u => F i u + \big[Rplus/0]_(j <- s) F j u)) => [u|].
  by rewrite big_cons.
exact: (is_derive_plus (F i)).
Qed.

Lemma is_derive_square (g : R -> R) t d : is_derive g t d -> is_derive (fun u => g u ^ 2) t (2 * g t * d).
Proof. by move=> Dg; auto_derive; [exists d | rewrite (is_derive_unique _ _ _ Dg); ring]. Qed.

Lemma is_derive_ln (g : R -> R) t d : is_derive g t d -> 0 < g t -> is_derive (fun u => ln (g u)) t (d / g t).
Proof. by move=> Dg pos; auto_derive; [split=> //; exists d | rewrite (is_derive_unique _ _ _ Dg); field; lra]. Qed.
