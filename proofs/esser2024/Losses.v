(** Esser et al., the losses (1) and (2) as functions of the outputs: L_c = Σ_i u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺)) and
    L_nc = −Σ_i u(x_i)ᵀu(x_i⁺).  They depend on the outputs through inner products only. *)
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

Section Losses.
Variables (I Z : finType).
Implicit Types u pos neg : I -> Z -> R.

(** The losses of outputs at anchors, positives and negatives. *)
Definition loss_c u pos neg : R := ∑ i, dot (u i) (sub (neg i) (pos i)).
Definition loss_nc u pos : R := - ∑ i, dot (u i) (pos i).

(** ½(‖u − v‖² − ‖u‖² − ‖v‖²). *)
Definition by_distance (u v : Z -> R) : R := 1 / 2 * (norm (sub u v) ^ 2 - norm u ^ 2 - norm v ^ 2).

Lemma by_distanceE (u v : Z -> R) : by_distance u v = - dot u v.
Proof. by rewrite /by_distance !norm_sq !dotE (dotC v u); field. Qed.

(** Both losses keep their values when each −uᵀv is written as ½(‖u − v‖² − ‖u‖² − ‖v‖²).
    [claim] esser2024.loss-defs  [sense] distances  [scope] any outputs, any number of samples *)
Theorem loss_defs_distances u pos neg :
  loss_c u pos neg = ∑ i, (by_distance (u i) (pos i) - by_distance (u i) (neg i)) /\ loss_nc u pos = ∑ i, by_distance (u i) (pos i).
Proof.
split; first by apply: sum_ext => i; rewrite !by_distanceE dotBr; ring.
by rewrite /loss_nc -sum_opp; apply: sum_ext => i; rewrite by_distanceE.
Qed.

(** Both losses are unchanged by u → Ru, where R keeps inner products.
    [claim] esser2024.loss-defs  [sense] rotated  [scope] any outputs, any orthogonal R *)
Theorem loss_defs_rotated (Rot : Z -> Z -> R) u pos neg : (forall v w, dot (apply_matrix Rot v) (apply_matrix Rot w) = dot v w) ->
  let turned (v : I -> Z -> R) i := apply_matrix Rot (v i) in
  loss_c (turned u) (turned pos) (turned neg) = loss_c u pos neg /\ loss_nc (turned u) (turned pos) = loss_nc u pos.
Proof.
move=> orth turned; split; first by apply: sum_ext => i; rewrite !dotBr !orth.
by congr (- _); apply: sum_ext => i; rewrite orth.
Qed.

(** L(su) = s²L(u).
    [claim] esser2024.loss-defs  [sense] scaled  [scope] any outputs, any s *)
Theorem loss_defs_scaled s u pos neg : let scaled (v : I -> Z -> R) i := scale s (v i) in
  loss_c (scaled u) (scaled pos) (scaled neg) = s ^ 2 * loss_c u pos neg /\ loss_nc (scaled u) (scaled pos) = s ^ 2 * loss_nc u pos.
Proof.
move=> scaled; split; first by rewrite /loss_c -sum_mull; apply: sum_ext => i; rewrite !dotE; ring.
by rewrite /loss_nc -!sum_opp -sum_mull; apply: sum_ext => i; rewrite !dotE; ring.
Qed.

(** With every u(x_i⁻) replaced by 0, L_c is L_nc.
    [claim] esser2024.loss-defs  [sense] no-negatives  [scope] any outputs *)
Theorem loss_defs_no_negatives u pos : loss_c u pos (fun _ _ => 0) = loss_nc u pos.
Proof.
rewrite /loss_nc -sum_opp; apply: sum_ext => i; rewrite dotBr.
by have -> : dot (u i) (fun=> 0) = 0 by [rewrite /dot big1 // => z _; ring]; ring.
Qed.

(** With every u(x_i⁻) replaced by u(x_i⁺), L_c is 0.
    [claim] esser2024.loss-defs  [sense] equal-partners  [scope] any outputs *)
Theorem loss_defs_equal_partners u pos : loss_c u pos pos = 0.
Proof. by rewrite /loss_c big1 // => i _; rewrite dotBr; ring. Qed.
End Losses.

(** * Controls: one sample and one output, u(x) = u(x⁺) = 1 and u(x⁻) = 2, where L_c = 1 and L_nc = −1 *)
Definition output (r : R) (i z : unit) : R := r.

Ltac numbers := rewrite /loss_c /loss_nc ?sum_unit /by_distance ?norm_sq /apply_matrix /dot ?sum_unit /sub /scale /output; lra.

(** Without the factor ½. *)
Theorem loss_defs_distances_control : ~ (forall (I Z : finType) (u pos neg : I -> Z -> R),
  loss_c u pos neg = ∑ i, (2 * by_distance (u i) (pos i) - 2 * by_distance (u i) (neg i))).
Proof. by move=> /(_ _ _ (output 1) (output 1) (output 2)); numbers. Qed.

(** An arbitrary matrix. *)
Theorem loss_defs_rotated_control : ~ (forall (I Z : finType) (Rot : Z -> Z -> R) (u pos : I -> Z -> R),
  loss_nc (fun i => apply_matrix Rot (u i)) (fun i => apply_matrix Rot (pos i)) = loss_nc u pos).
Proof. by move=> /(_ _ _ (fun _ _ => 2) (output 1) (output 1)); numbers. Qed.

(** s in place of s². *)
Theorem loss_defs_scaled_control : ~ (forall (I Z : finType) s (u pos : I -> Z -> R),
  loss_nc (fun i => scale s (u i)) (fun i => scale s (pos i)) = s * loss_nc u pos).
Proof. by move=> /(_ _ _ 2 (output 1) (output 1)); numbers. Qed.

(** The other sign. *)
Theorem loss_defs_no_negatives_control : ~ (forall (I Z : finType) (u pos : I -> Z -> R), loss_c u pos (fun _ _ => 0) = - loss_nc u pos).
Proof. by move=> /(_ _ _ (output 1) (output 1)); numbers. Qed.

(** Other negatives. *)
Theorem loss_defs_equal_partners_control : ~ (forall (I Z : finType) (u pos neg : I -> Z -> R), loss_c u pos neg = 0).
Proof. by move=> /(_ _ _ (output 1) (output 1) (output 2)); numbers. Qed.
