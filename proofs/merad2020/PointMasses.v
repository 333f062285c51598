(** Models of point masses, on which the false variants of the claims of Merad et al. are refuted. *)
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions.
Set Implicit Arguments. Unset Strict Implicit.

(** Class [c] is the one point [c]. *)
Lemma μ_point (C D : finType) (f : C -> D -> R) c i : μ (@point C) f c i = f c i.
Proof. exact: E_point. Qed.

Lemma dot_μ_point (C D : finType) (f : C -> D -> R) u c c' :
  dot u (sub (μ (@point C) f c') (μ (@point C) f c)) = dot u (sub (f c') (f c)).
Proof. by apply: sum_ext => i; rewrite /sub !μ_point. Qed.

Lemma L_sup_μ_point (C D : finType) (ρ : C -> R) (f : C -> D -> R) :
  L_sup_μ ρ (@point C) f = 𝔼 c ~ ρ, LSE (fun c' => dot (f c) (sub (f c') (f c))).
Proof.
rewrite /L_sup_μ; apply: E_ext => c; rewrite E_point /LSE.
by congr ln; apply: sum_ext => c'; rewrite dot_μ_point.
Qed.

(** Vectors with one coordinate. *)
Definition on_line (X : Type) (f : X -> R) (x : X) (i : unit) : R := f x.
Lemma dot_on_line (X : finType) (f : X -> R) x y z :
  dot (on_line f x) (sub (on_line f y) (on_line f z)) = f x * (f y - f z).
Proof. by rewrite /dot sum_unit /sub. Qed.

Lemma coin_model : model coin (@point bool_finType).
Proof. by split=> [c||c]; rewrite ?sum_bool /coin; try lra; apply: point_law. Qed.

Lemma L_un_point (C D : finType) (ρ : C -> R) (f : C -> D -> R) :
  L_un ρ (@point C) f = 𝔼 c ~ ρ, 𝔼 cn ~ ρ, ζ (dot (f c) (sub (f cn) (f c))).
Proof.
by rewrite /L_un; apply: E_ext => c; rewrite !E_point; apply: E_ext => cn; rewrite E_point.
Qed.

(** One class of one point, which is certain. *)
Lemma sure_model : model sure (@point unit_finType).
Proof. by split=> [c||c]; rewrite ?sum_unit /sure; try lra; apply: point_law. Qed.
