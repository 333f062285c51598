(** Wen: the definitions at small instances lie between the bounds that the program computes for the same instances.

    Written by `RENEW_CONFORMANCE=1 cargo test --test conformance`.  The bounds are doubles, as fractions.  A lemma with the
    ending [_control] refutes bounds that are off by 10⁻⁹. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.wen2020.Contrastive
  Contrapositive.wen2020.Separated.
Require Import Contrapositive.conformance.Evaluation.
Set Implicit Arguments. Unset Strict Implicit.

Ltac definitions := cbv beta delta [φ p logistic dot sub norm].

(** Three points, queries and keys alike: e_1, e_2, −e_1. *)
Module Axes.
Definition q : 'I_3 -> 'I_2 -> R := matrix [:: [:: 1; 0]; [:: 0; 1]; [:: -1; 0]].
Definition k : 'I_3 -> 'I_2 -> R := matrix [:: [:: 1; 0]; [:: 0; 1]; [:: -1; 0]].
Definition others : 'I_3 -> 'I_2 -> 'I_2 -> R := fun i j => k (lift i j).
Definition logits : 'I_3 -> 'I_2 -> R := fun i j => dot (q i) (sub (others i j) (k i)).

Lemma φ_enclosed : 1025812391225203 / 2 ^ 51 <= (∑ i, φ (q i) (k i) (others i)) / 3 <= 8206499129801631 / 2 ^ 54.
Proof. rewrite /logits; definitions; enclosed. Qed.
Lemma φ_enclosed_control : ~ (1025812391225203 / 2 ^ 51 + / 10 ^ 9 <= (∑ i, φ (q i) (k i) (others i)) / 3 <= 8206499129801631 / 2 ^ 54 + / 10 ^ 9).
Proof. rewrite /logits; definitions; refuted. Qed.

Lemma p_enclosed : 810923311564155 / 2 ^ 53 <= p (logits (@Ordinal 3 2 isT)) (@Ordinal 2 0 isT) <= 1621846623128311 / 2 ^ 54.
Proof. rewrite /logits; definitions; enclosed. Qed.
Lemma p_enclosed_control : ~ (810923311564155 / 2 ^ 53 + / 10 ^ 9 <= p (logits (@Ordinal 3 2 isT)) (@Ordinal 2 0 isT) <= 1621846623128311 / 2 ^ 54 + / 10 ^ 9).
Proof. rewrite /logits; definitions; refuted. Qed.

Lemma norm_of_difference_enclosed : 1592262918131443 / 2 ^ 50 <= norm (sub (k (@Ordinal 3 0 isT)) (k (@Ordinal 3 1 isT))) <= 6369051672525773 / 2 ^ 52.
Proof. rewrite /logits; definitions; enclosed. Qed.
Lemma norm_of_difference_enclosed_control : ~ (1592262918131443 / 2 ^ 50 + / 10 ^ 9 <= norm (sub (k (@Ordinal 3 0 isT)) (k (@Ordinal 3 1 isT))) <= 6369051672525773 / 2 ^ 52 + / 10 ^ 9).
Proof. rewrite /logits; definitions; refuted. Qed.
End Axes.

(** Queries and keys that differ. *)
Module OtherKeys.
Definition q : 'I_3 -> 'I_2 -> R := matrix [:: [:: 1 / 2; 1]; [:: -1; 2]; [:: 1 / 4; 0]].
Definition k : 'I_3 -> 'I_2 -> R := matrix [:: [:: 1; -1 / 2]; [:: 0; 3 / 2]; [:: 2; 1]].
Definition others : 'I_3 -> 'I_2 -> 'I_2 -> R := fun i j => k (lift i j).
Definition logits : 'I_3 -> 'I_2 -> R := fun i j => dot (q i) (sub (others i j) (k i)).

Lemma φ_enclosed : 5223095063263709 / 2 ^ 52 <= (∑ i, φ (q i) (k i) (others i)) / 3 <= 2611547531631857 / 2 ^ 51.
Proof. rewrite /logits; definitions; enclosed. Qed.

Lemma p_enclosed : 2940813048892325 / 2 ^ 53 <= p (logits (@Ordinal 3 2 isT)) (@Ordinal 2 0 isT) <= 5881626097784655 / 2 ^ 54.
Proof. rewrite /logits; definitions; enclosed. Qed.

Lemma norm_of_difference_enclosed : 5035177455121575 / 2 ^ 51 <= norm (sub (k (@Ordinal 3 0 isT)) (k (@Ordinal 3 1 isT))) <= 629397181890197 / 2 ^ 48.
Proof. rewrite /logits; definitions; enclosed. Qed.
End OtherKeys.

(** Logits of some tens. *)
Module FarKeys.
Definition q : 'I_3 -> 'I_2 -> R := matrix [:: [:: 4; 0]; [:: 0; -3]; [:: 1; 1]].
Definition k : 'I_3 -> 'I_2 -> R := matrix [:: [:: 5; 1]; [:: -6; 0]; [:: 0; 7]].
Definition others : 'I_3 -> 'I_2 -> 'I_2 -> R := fun i j => k (lift i j).
Definition logits : 'I_3 -> 'I_2 -> R := fun i j => dot (q i) (sub (others i j) (k i)).

Lemma φ_enclosed : 4345681738789051 / 2 ^ 55 <= (∑ i, φ (q i) (k i) (others i)) / 3 <= 4345681738789055 / 2 ^ 55.
Proof. rewrite /logits; definitions; enclosed. Qed.

Lemma p_enclosed : 1211202483635201 / 2 ^ 52 <= p (logits (@Ordinal 3 2 isT)) (@Ordinal 2 0 isT) <= 605601241817601 / 2 ^ 51.
Proof. rewrite /logits; definitions; enclosed. Qed.

Lemma norm_of_difference_enclosed : 6217985470147143 / 2 ^ 49 <= norm (sub (k (@Ordinal 3 0 isT)) (k (@Ordinal 3 1 isT))) <= 777248183768393 / 2 ^ 46.
Proof. rewrite /logits; definitions; enclosed. Qed.
End FarKeys.

(** log(1 + Σ e^{y_i}), the function of Lemma D.1. *)
Module Logits1.
Definition y : 'I_1 -> R := vector [:: 0].

Lemma logistic_enclosed : 3121657384082679 / 2 ^ 52 <= logistic y <= 390207173010335 / 2 ^ 49.
Proof. definitions; enclosed. Qed.
Lemma logistic_enclosed_control : ~ (3121657384082679 / 2 ^ 52 + / 10 ^ 9 <= logistic y <= 390207173010335 / 2 ^ 49 + / 10 ^ 9).
Proof. definitions; refuted. Qed.
End Logits1.

(** log(1 + Σ e^{y_i}), the function of Lemma D.1. *)
Module Logits2.
Definition y : 'I_2 -> R := vector [:: -2; 1].

Lemma logistic_enclosed : 6075410916755449 / 2 ^ 52 <= logistic y <= 6075410916755453 / 2 ^ 52.
Proof. definitions; enclosed. Qed.
End Logits2.

(** log(1 + Σ e^{y_i}), the function of Lemma D.1. *)
Module Logits3.
Definition y : 'I_3 -> R := vector [:: 1 / 2; 30; -3 / 2].

Lemma logistic_enclosed : 8444249301319755 / 2 ^ 48 <= logistic y <= 8444249301319757 / 2 ^ 48.
Proof. definitions; enclosed. Qed.
End Logits3.
