(** Esser, Mukherjee, Ghoshdastidar: the definitions at small instances lie between the bounds that the program computes for the same instances.

    Written by `RENEW_CONFORMANCE=1 cargo test --test conformance`.  The bounds are doubles, as fractions.  A lemma with the
    ending [_control] refutes bounds that are off by 10⁻⁹. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.esser2024.Proposition2
  Contrapositive.esser2024.GradientFlows
  Contrapositive.esser2024.KernelMachines
  Contrapositive.esser2024.Theorem3.
Require Import Contrapositive.conformance.Evaluation.
Set Implicit Arguments. Unset Strict Implicit.

Ltac definitions := cbv beta delta [Proposition2.loss output GradientFlows.L_c GradientFlows.L_nc u_lin trace_loss M_column Proposition2.form frobenius column rhs_10 sq Theorem3.form dot sub].

(** From the data sets on which the claims about the losses are tried: one point, x⁺ = 2, x⁻ = 3. *)
Module OnALine.
Definition x : 'I_1 -> 'I_1 -> R := matrix [:: [:: 1]].
Definition xp : 'I_1 -> 'I_1 -> R := matrix [:: [:: 2]].
Definition xn : 'I_1 -> 'I_1 -> R := matrix [:: [:: 3]].
Definition W1 : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: -1]].
Definition W2 : 'I_2 -> 'I_1 -> R := matrix [:: [:: 2]; [:: 1 / 2]].
Definition ψ : 'I_3 * 'I_1 -> 'I_2 -> R := fun y i => ∑ a, W1 i a * (match val y.1 with 0 => x | 1 => xp | _ => xn end)%N y.2 a.
Definition Θ : 'I_1 * 'I_1 -> R := fun p => ∑ i, W2 i p.1 * W1 i p.2.
Definition u : 'I_1 -> ('I_1 -> R) -> ('I_1 * 'I_1 -> R) -> R := u_lin (fun x => x).
Definition C : 'I_1 -> 'I_1 -> R := fun a b => (∑ i, (x i a * (xn i b - xp i b) + x i b * (xn i a - xp i a))) / 2.

Lemma loss_1_enclosed : 9 / 4 <= Proposition2.loss ψ (fun i => ((@Ordinal 3 0 isT), i)) (fun i => ((@Ordinal 3 1 isT), i)) (fun i => ((@Ordinal 3 2 isT), i)) true W2 <= 9 / 4.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.
Lemma loss_1_enclosed_control : ~ (9 / 4 + / 10 ^ 9 <= Proposition2.loss ψ (fun i => ((@Ordinal 3 0 isT), i)) (fun i => ((@Ordinal 3 1 isT), i)) (fun i => ((@Ordinal 3 2 isT), i)) true W2 <= 9 / 4 + / 10 ^ 9).
Proof. rewrite /ψ /Θ /u /C; definitions; refuted. Qed.

Lemma loss_2_enclosed : -9 / 2 <= Proposition2.loss ψ (fun i => ((@Ordinal 3 0 isT), i)) (fun i => ((@Ordinal 3 1 isT), i)) (fun i => ((@Ordinal 3 2 isT), i)) false W2 <= -9 / 2.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.
Lemma loss_2_enclosed_control : ~ (-9 / 2 + / 10 ^ 9 <= Proposition2.loss ψ (fun i => ((@Ordinal 3 0 isT), i)) (fun i => ((@Ordinal 3 1 isT), i)) (fun i => ((@Ordinal 3 2 isT), i)) false W2 <= -9 / 2 + / 10 ^ 9).
Proof. rewrite /ψ /Θ /u /C; definitions; refuted. Qed.

Lemma L_c_enclosed : 9 / 4 <= GradientFlows.L_c u x xp xn Θ <= 9 / 4.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.
Lemma L_c_enclosed_control : ~ (9 / 4 + / 10 ^ 9 <= GradientFlows.L_c u x xp xn Θ <= 9 / 4 + / 10 ^ 9).
Proof. rewrite /ψ /Θ /u /C; definitions; refuted. Qed.

Lemma L_nc_enclosed : -9 / 2 <= GradientFlows.L_nc u x xp Θ <= -9 / 2.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.
Lemma L_nc_enclosed_control : ~ (-9 / 2 + / 10 ^ 9 <= GradientFlows.L_nc u x xp Θ <= -9 / 2 + / 10 ^ 9).
Proof. rewrite /ψ /Θ /u /C; definitions; refuted. Qed.

Lemma trace_loss_enclosed : 9 / 4 <= trace_loss C W1 W2 <= 9 / 4.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.
Lemma trace_loss_enclosed_control : ~ (9 / 4 + / 10 ^ 9 <= trace_loss C W1 W2 <= 9 / 4 + / 10 ^ 9).
Proof. rewrite /ψ /Θ /u /C; definitions; refuted. Qed.

Lemma frobenius_enclosed : 17 / 4 <= frobenius W2 <= 17 / 4.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.
Lemma frobenius_enclosed_control : ~ (17 / 4 + / 10 ^ 9 <= frobenius W2 <= 17 / 4 + / 10 ^ 9).
Proof. rewrite /ψ /Θ /u /C; definitions; refuted. Qed.
End OnALine.

(** From the data sets on which the claims about the losses are tried: a quarter turn. *)
Module QuarterTurn.
Definition x : 'I_2 -> 'I_2 -> R := matrix [:: [:: 1; 0]; [:: 0; 1]].
Definition xp : 'I_2 -> 'I_2 -> R := matrix [:: [:: 0; 0]; [:: 1; 0]].
Definition xn : 'I_2 -> 'I_2 -> R := matrix [:: [:: 0; 1]; [:: 0; 0]].
Definition W1 : 'I_1 -> 'I_2 -> R := matrix [:: [:: 1; 2]].
Definition W2 : 'I_1 -> 'I_2 -> R := matrix [:: [:: 1; -1]].
Definition ψ : 'I_3 * 'I_2 -> 'I_1 -> R := fun y i => ∑ a, W1 i a * (match val y.1 with 0 => x | 1 => xp | _ => xn end)%N y.2 a.
Definition Θ : 'I_2 * 'I_2 -> R := fun p => ∑ i, W2 i p.1 * W1 i p.2.
Definition u : 'I_2 -> ('I_2 -> R) -> ('I_2 * 'I_2 -> R) -> R := u_lin (fun x => x).
Definition C : 'I_2 -> 'I_2 -> R := fun a b => (∑ i, (x i a * (xn i b - xp i b) + x i b * (xn i a - xp i a))) / 2.

Lemma loss_1_enclosed : 0 <= Proposition2.loss ψ (fun i => ((@Ordinal 3 0 isT), i)) (fun i => ((@Ordinal 3 1 isT), i)) (fun i => ((@Ordinal 3 2 isT), i)) true W2 <= 0.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.

Lemma loss_2_enclosed : -4 <= Proposition2.loss ψ (fun i => ((@Ordinal 3 0 isT), i)) (fun i => ((@Ordinal 3 1 isT), i)) (fun i => ((@Ordinal 3 2 isT), i)) false W2 <= -4.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.

Lemma L_c_enclosed : 0 <= GradientFlows.L_c u x xp xn Θ <= 0.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.

Lemma L_nc_enclosed : -4 <= GradientFlows.L_nc u x xp Θ <= -4.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.

Lemma trace_loss_enclosed : 0 <= trace_loss C W1 W2 <= 0.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.

Lemma frobenius_enclosed : 2 <= frobenius W2 <= 2.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.
End QuarterTurn.

(** From the data sets on which the claims about the losses are tried: ±1 vectors. *)
Module SignVectors.
Definition x : 'I_2 -> 'I_3 -> R := matrix [:: [:: 1; 1; -1]; [:: -1; 1; 1]].
Definition xp : 'I_2 -> 'I_3 -> R := matrix [:: [:: 1; -1; -1]; [:: 1; 1; 1]].
Definition xn : 'I_2 -> 'I_3 -> R := matrix [:: [:: -1; -1; -1]; [:: -1; 1; -1]].
Definition W1 : 'I_2 -> 'I_3 -> R := matrix [:: [:: 1; -1; 1 / 4]; [:: 1 / 2; 3602879701896397 / 2 ^ 55; 3]].
Definition W2 : 'I_2 -> 'I_2 -> R := matrix [:: [:: 1; 1 / 2]; [:: -2; 3 / 4]].
Definition ψ : 'I_3 * 'I_2 -> 'I_2 -> R := fun y i => ∑ a, W1 i a * (match val y.1 with 0 => x | 1 => xp | _ => xn end)%N y.2 a.
Definition Θ : 'I_2 * 'I_3 -> R := fun p => ∑ i, W2 i p.1 * W1 i p.2.
Definition u : 'I_2 -> ('I_3 -> R) -> ('I_2 * 'I_3 -> R) -> R := u_lin (fun x => x).
Definition C : 'I_3 -> 'I_3 -> R := fun a b => (∑ i, (x i a * (xn i b - xp i b) + x i b * (xn i a - xp i a))) / 2.

Lemma loss_1_enclosed : -367429298212045 / 2 ^ 42 <= Proposition2.loss ψ (fun i => ((@Ordinal 3 0 isT), i)) (fun i => ((@Ordinal 3 1 isT), i)) (fun i => ((@Ordinal 3 2 isT), i)) true W2 <= -2939434385696357 / 2 ^ 45.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.

Lemma loss_2_enclosed : -2991771139178497 / 2 ^ 45 <= Proposition2.loss ψ (fun i => ((@Ordinal 3 0 isT), i)) (fun i => ((@Ordinal 3 1 isT), i)) (fun i => ((@Ordinal 3 2 isT), i)) false W2 <= -2991771139178495 / 2 ^ 45.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.

Lemma L_c_enclosed : -367429298212045 / 2 ^ 42 <= GradientFlows.L_c u x xp xn Θ <= -2939434385696357 / 2 ^ 45.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.

Lemma L_nc_enclosed : -2991771139178497 / 2 ^ 45 <= GradientFlows.L_nc u x xp Θ <= -2991771139178495 / 2 ^ 45.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.

Lemma trace_loss_enclosed : -5878868771392719 / 2 ^ 46 <= trace_loss C W1 W2 <= -5878868771392715 / 2 ^ 46.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.

Lemma frobenius_enclosed : 93 / 16 <= frobenius W2 <= 93 / 16.
Proof. rewrite /ψ /Θ /u /C; definitions; enclosed. Qed.
End SignVectors.

(** From the points on which (10) is tried: inside the sphere. *)
Module InsideTheSphere.
Definition λ : 'I_2 -> R := vector [:: -1; 2].
Definition q : 'I_2 -> R := vector [:: 1 / 4; 1 / 2].

Lemma sq_enclosed : 5 / 16 <= sq q <= 5 / 16.
Proof. definitions; enclosed. Qed.
Lemma sq_enclosed_control : ~ (5 / 16 + / 10 ^ 9 <= sq q <= 5 / 16 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma form_enclosed : 7 / 16 <= Theorem3.form λ q <= 7 / 16.
Proof. definitions; enclosed. Qed.
Lemma form_enclosed_control : ~ (7 / 16 + / 10 ^ 9 <= Theorem3.form λ q <= 7 / 16 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma rhs_10_1_enclosed : 17 / 16 <= rhs_10 λ q (@Ordinal 2 0 isT) <= 17 / 16.
Proof. definitions; enclosed. Qed.
Lemma rhs_10_1_enclosed_control : ~ (17 / 16 + / 10 ^ 9 <= rhs_10 λ q (@Ordinal 2 0 isT) <= 17 / 16 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma rhs_10_2_enclosed : -47 / 16 <= rhs_10 λ q (@Ordinal 2 1 isT) <= -47 / 16.
Proof. definitions; enclosed. Qed.
End InsideTheSphere.

(** From the points on which (10) is tried: outside the sphere. *)
Module OutsideTheSphere.
Definition λ : 'I_2 -> R := vector [:: -1; 2].
Definition q : 'I_2 -> R := vector [:: 2; -3].

Lemma sq_enclosed : 13 <= sq q <= 13.
Proof. definitions; enclosed. Qed.

Lemma form_enclosed : 14 <= Theorem3.form λ q <= 14.
Proof. definitions; enclosed. Qed.

Lemma rhs_10_1_enclosed : 12 <= rhs_10 λ q (@Ordinal 2 0 isT) <= 12.
Proof. definitions; enclosed. Qed.

Lemma rhs_10_2_enclosed : -216 <= rhs_10 λ q (@Ordinal 2 1 isT) <= -216.
Proof. definitions; enclosed. Qed.
End OutsideTheSphere.

(** From the points on which (10) is tried: Λ = −I. *)
Module MinusIdentity.
Definition λ : 'I_3 -> R := vector [:: -1; -1; -1].
Definition q : 'I_3 -> R := vector [:: 1 / 4; 1 / 2; -1 / 2].

Lemma sq_enclosed : 9 / 16 <= sq q <= 9 / 16.
Proof. definitions; enclosed. Qed.

Lemma form_enclosed : -9 / 16 <= Theorem3.form λ q <= -9 / 16.
Proof. definitions; enclosed. Qed.

Lemma rhs_10_1_enclosed : 7 / 16 <= rhs_10 λ q (@Ordinal 3 0 isT) <= 7 / 16.
Proof. definitions; enclosed. Qed.

Lemma rhs_10_2_enclosed : 7 / 8 <= rhs_10 λ q (@Ordinal 3 1 isT) <= 7 / 8.
Proof. definitions; enclosed. Qed.

Lemma rhs_10_3_enclosed : -7 / 8 <= rhs_10 λ q (@Ordinal 3 2 isT) <= -7 / 8.
Proof. definitions; enclosed. Qed.
End MinusIdentity.
