(** Merad, Yu, Bacry, Gaïffas: the definitions at small instances lie between the bounds that the program computes for the same instances.

    Written by `RENEW_CONFORMANCE=1 cargo test --test conformance`.  The bounds are doubles, as fractions.  A lemma with the
    ending [_control] refutes bounds that are off by 10⁻⁹. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.merad2020.Definitions
  Contrapositive.merad2020.Triplets.
Require Import Contrapositive.conformance.Evaluation.
Set Implicit Arguments. Unset Strict Implicit.

Ltac definitions := cbv beta delta [L_un L_sup_μ μ τ_N τ E ζ σ LSE a s ℓ g grad G blk scale dot sub norm].

(** Two equally likely classes, at 1 and −1: the example at the head of the library's losses. *)
Module OppositePoints.
Definition ρ : 'I_2 -> R := vector [:: 1 / 2; 1 / 2].
Definition law : 'I_2 -> 'I_2 -> R := matrix [:: [:: 1; 0]; [:: 0; 1]].
Definition f : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: -1]].

Lemma is_model : model ρ law.
Proof. is_model. Qed.

Lemma masses : forall c x, law c x = if x == c then 1 else 0.
Proof. masses. Qed.

Lemma L_un_enclosed : 115415322728709 / 2 ^ 48 <= L_un ρ law f <= 7386580654637379 / 2 ^ 54.
Proof. rewrite (L_un_at _ _ masses); definitions; enclosed. Qed.
Lemma L_un_enclosed_control : ~ (115415322728709 / 2 ^ 48 + / 10 ^ 9 <= L_un ρ law f <= 7386580654637379 / 2 ^ 54 + / 10 ^ 9).
Proof. rewrite (L_un_at _ _ masses); definitions; refuted. Qed.

Lemma L_un_N_1_enclosed : 115415322728709 / 2 ^ 48 <= L_un_N ρ law f 1 <= 7386580654637379 / 2 ^ 54.
Proof. rewrite (L_un_one_at _ _ masses); definitions; enclosed. Qed.
Lemma L_un_N_1_enclosed_control : ~ (115415322728709 / 2 ^ 48 + / 10 ^ 9 <= L_un_N ρ law f 1 <= 7386580654637379 / 2 ^ 54 + / 10 ^ 9).
Proof. rewrite (L_un_one_at _ _ masses); definitions; refuted. Qed.

Lemma L_sup_μ_enclosed : 571632943236009 / 2 ^ 52 <= L_sup_μ ρ law f <= 4573063545888075 / 2 ^ 55.
Proof. definitions; enclosed. Qed.
Lemma L_sup_μ_enclosed_control : ~ (571632943236009 / 2 ^ 52 + / 10 ^ 9 <= L_sup_μ ρ law f <= 4573063545888075 / 2 ^ 55 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma τ_N_enclosed : 1 / 4 <= τ_N ρ 2 <= 1 / 4.
Proof. definitions; enclosed. Qed.
Lemma τ_N_enclosed_control : ~ (1 / 4 + / 10 ^ 9 <= τ_N ρ 2 <= 1 / 4 + / 10 ^ 9).
Proof. definitions; refuted. Qed.
End OppositePoints.

(** From the families of models that the claims of section 3 share: skewed 9 to 1, points 1 and 5. *)
Module NineToOne.
Definition ρ : 'I_2 -> R := vector [:: 9 / 10; 1 / 10].
Definition law : 'I_2 -> 'I_2 -> R := matrix [:: [:: 1; 0]; [:: 0; 1]].
Definition f : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: 5]].

Lemma is_model : model ρ law.
Proof. is_model. Qed.

Lemma masses : forall c x, law c x = if x == c then 1 else 0.
Proof. masses. Qed.

Lemma L_un_enclosed : 8376823044822557 / 2 ^ 53 <= L_un ρ law f <= 8376823044822567 / 2 ^ 53.
Proof. rewrite (L_un_at _ _ masses); definitions; enclosed. Qed.

Lemma L_un_N_1_enclosed : 8376823044822557 / 2 ^ 53 <= L_un_N ρ law f 1 <= 8376823044822567 / 2 ^ 53.
Proof. rewrite (L_un_one_at _ _ masses); definitions; enclosed. Qed.

Lemma L_un_N_2_enclosed : 6803192319364941 / 2 ^ 52 <= L_un_N ρ law f 2 <= 6803192319365119 / 2 ^ 52.
Proof. rewrite (L_un_two_at _ _ masses); definitions; enclosed. Qed.

Lemma L_sup_μ_enclosed : 8143262333604373 / 2 ^ 51 <= L_sup_μ ρ law f <= 4071631166802189 / 2 ^ 50.
Proof. definitions; enclosed. Qed.

Lemma τ_N_enclosed : 1477631037740259 / 2 ^ 51 <= τ_N ρ 3 <= 5910524150961041 / 2 ^ 53.
Proof. definitions; enclosed. Qed.

Lemma μ_enclosed : 5 <= μ law f (@Ordinal 2 1 isT) (@Ordinal 1 0 isT) <= 5.
Proof. definitions; enclosed. Qed.
Lemma μ_enclosed_control : ~ (5 + / 10 ^ 9 <= μ law f (@Ordinal 2 1 isT) (@Ordinal 1 0 isT) <= 5 + / 10 ^ 9).
Proof. definitions; refuted. Qed.
End NineToOne.

(** From the families of models that the claims of section 3 share: two of three coincide, 1, 1, 30. *)
Module TwoOfThreeCoincide.
Definition ρ : 'I_3 -> R := vector [:: 1 / 3; 1 / 3; 1 / 3].
Definition law : 'I_3 -> 'I_2 -> R := matrix [:: [:: 1; 0]; [:: 1; 0]; [:: 0; 1]].
Definition f : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: 30]].

Lemma is_model : model ρ law.
Proof. is_model. Qed.

Lemma L_sup_μ_enclosed : 1360462387434861 / 2 ^ 46 <= L_sup_μ ρ law f <= 5441849549739447 / 2 ^ 48.
Proof. definitions; enclosed. Qed.

Lemma L_sup_k_μ_enclosed : 5571918607409507 / 2 ^ 49 <= L_sup_k_μ ρ law f 1 <= 5571918607409511 / 2 ^ 49.
Proof. mean_of_tasks; definitions; enclosed. Qed.
Lemma L_sup_k_μ_enclosed_control : ~ (5571918607409507 / 2 ^ 49 + / 10 ^ 9 <= L_sup_k_μ ρ law f 1 <= 5571918607409511 / 2 ^ 49 + / 10 ^ 9).
Proof. mean_of_tasks; definitions; refuted. Qed.

Lemma L_sup_μ_on_enclosed : 3121657384082679 / 2 ^ 52 <= L_sup_μ_on ρ law f [set~ (@Ordinal 3 2 isT)] <= 390207173010335 / 2 ^ 49.
Proof. rewrite task_but; definitions; enclosed. Qed.
Lemma L_sup_μ_on_enclosed_control : ~ (3121657384082679 / 2 ^ 52 + / 10 ^ 9 <= L_sup_μ_on ρ law f [set~ (@Ordinal 3 2 isT)] <= 390207173010335 / 2 ^ 49 + / 10 ^ 9).
Proof. rewrite task_but; definitions; refuted. Qed.
End TwoOfThreeCoincide.

(** From the families of models that the claims of section 3 share: all classes the same law. *)
Module OneLaw.
Definition ρ : 'I_3 -> R := vector [:: 1 / 3; 1 / 3; 1 / 3].
Definition law : 'I_3 -> 'I_2 -> R := matrix [:: [:: 1 / 2; 1 / 2]; [:: 1 / 2; 1 / 2]; [:: 1 / 2; 1 / 2]].
Definition f : 'I_2 -> 'I_1 -> R := matrix [:: [:: -2]; [:: 2]].

Lemma is_model : model ρ law.
Proof. is_model. Qed.

Lemma L_sup_μ_enclosed : 2473854946935173 / 2 ^ 51 <= L_sup_μ ρ law f <= 1236927473467587 / 2 ^ 50.
Proof. definitions; enclosed. Qed.

Lemma L_sup_k_μ_enclosed : 3121657384082679 / 2 ^ 52 <= L_sup_k_μ ρ law f 1 <= 390207173010335 / 2 ^ 49.
Proof. mean_of_tasks; definitions; enclosed. Qed.

Lemma L_sup_μ_on_enclosed : 3121657384082679 / 2 ^ 52 <= L_sup_μ_on ρ law f [set~ (@Ordinal 3 0 isT)] <= 390207173010335 / 2 ^ 49.
Proof. rewrite task_but; definitions; enclosed. Qed.

Lemma τ_N_enclosed : 6004799503160661 / 2 ^ 54 <= τ_N ρ 1 <= 3002399751580331 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
End OneLaw.

(** From the families of models that the claims of section 3 share: five, three, two, points 2, 1, 0. *)
Module FiveThreeTwo.
Definition ρ : 'I_3 -> R := vector [:: 1 / 2; 3 / 10; 1 / 5].
Definition law : 'I_3 -> 'I_3 -> R := matrix [:: [:: 1; 0; 0]; [:: 0; 1; 0]; [:: 0; 0; 1]].
Definition f : 'I_3 -> 'I_1 -> R := matrix [:: [:: 2]; [:: 1]; [:: 0]].

Lemma is_model : model ρ law.
Proof. is_model. Qed.

Lemma masses : forall c x, law c x = if x == c then 1 else 0.
Proof. masses. Qed.

Lemma L_sup_μ_enclosed : 6426367004573461 / 2 ^ 53 <= L_sup_μ ρ law f <= 6426367004573467 / 2 ^ 53.
Proof. definitions; enclosed. Qed.

Lemma L_sup_k_μ_enclosed : 3747070881525613 / 2 ^ 53 <= L_sup_k_μ ρ law f 1 <= 7494141763051235 / 2 ^ 54.
Proof. mean_of_tasks; definitions; enclosed. Qed.

Lemma L_sup_μ_on_enclosed : 7602302641374403 / 2 ^ 55 <= L_sup_μ_on ρ law f [set~ (@Ordinal 3 1 isT)] <= 3801151320687205 / 2 ^ 54.
Proof. rewrite task_but; definitions; enclosed. Qed.

Lemma μ_enclosed : 2 <= μ law f (@Ordinal 3 0 isT) (@Ordinal 1 0 isT) <= 2.
Proof. definitions; enclosed. Qed.
End FiveThreeTwo.

(** Two classes in the plane with the same two values, in different shares. *)
Module SharedPoints.
Definition ρ : 'I_2 -> R := vector [:: 1 / 3; 2 / 3].
Definition law : 'I_2 -> 'I_2 -> R := matrix [:: [:: 1 / 4; 3 / 4]; [:: 1 / 2; 1 / 2]].
Definition f : 'I_2 -> 'I_2 -> R := matrix [:: [:: 1; 0]; [:: 1 / 2; 1 / 2]].

Lemma is_model : model ρ law.
Proof. is_model. Qed.

Lemma L_un_enclosed : 3134556106457939 / 2 ^ 52 <= L_un ρ law f <= 6269112212915885 / 2 ^ 53.
Proof. definitions; enclosed. Qed.

Lemma L_un_N_1_enclosed : 3134556106457939 / 2 ^ 52 <= L_un_N ρ law f 1 <= 6269112212915885 / 2 ^ 53.
Proof. rewrite L_un_one; definitions; enclosed. Qed.

Lemma L_sup_μ_enclosed : 3054951295053895 / 2 ^ 52 <= L_sup_μ ρ law f <= 1527475647526949 / 2 ^ 51.
Proof. definitions; enclosed. Qed.

Lemma μ_enclosed : 3 / 8 <= μ law f (@Ordinal 2 0 isT) (@Ordinal 2 1 isT) <= 3 / 8.
Proof. definitions; enclosed. Qed.
End SharedPoints.

(** From the families of models that the claims of section 3 share: zero encoder, 2 classes. *)
Module ZeroOfTwo.
Definition ρ : 'I_2 -> R := vector [:: 1 / 2; 1 / 2].
Definition law : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: 1]].
Definition f : 'I_1 -> 'I_1 -> R := matrix [:: [:: 0]].

Lemma is_model : model ρ law.
Proof. is_model. Qed.

Lemma L_un_enclosed : 3121657384082679 / 2 ^ 52 <= L_un ρ law f <= 390207173010335 / 2 ^ 49.
Proof. definitions; enclosed. Qed.

Lemma L_sup_enclosed : 3121657384082679 / 2 ^ 52 <= L_sup ρ law f <= 390207173010335 / 2 ^ 49.
Proof. at_zero is_model; enclosed. Qed.
Lemma L_sup_enclosed_control : ~ (3121657384082679 / 2 ^ 52 + / 10 ^ 9 <= L_sup ρ law f <= 390207173010335 / 2 ^ 49 + / 10 ^ 9).
Proof. at_zero is_model; refuted. Qed.
End ZeroOfTwo.

(** From the families of models that the claims of section 3 share: zero encoder, 3 classes. *)
Module ZeroOfThree.
Definition ρ : 'I_3 -> R := vector [:: 1 / 3; 1 / 3; 1 / 3].
Definition law : 'I_3 -> 'I_1 -> R := matrix [:: [:: 1]; [:: 1]; [:: 1]].
Definition f : 'I_1 -> 'I_1 -> R := matrix [:: [:: 0]].

Lemma is_model : model ρ law.
Proof. is_model. Qed.

Lemma L_un_enclosed : 3121657384082679 / 2 ^ 52 <= L_un ρ law f <= 390207173010335 / 2 ^ 49.
Proof. definitions; enclosed. Qed.

Lemma L_sup_enclosed : 618463736733793 / 2 ^ 49 <= L_sup ρ law f <= 1236927473467587 / 2 ^ 50.
Proof. at_zero is_model; enclosed. Qed.
End ZeroOfThree.

(** Zero encoder, five, three, two. *)
Module ZeroSkewed.
Definition ρ : 'I_3 -> R := vector [:: 1 / 2; 3 / 10; 1 / 5].
Definition law : 'I_3 -> 'I_1 -> R := matrix [:: [:: 1]; [:: 1]; [:: 1]].
Definition f : 'I_1 -> 'I_1 -> R := matrix [:: [:: 0]].

Lemma is_model : model ρ law.
Proof. is_model. Qed.

Lemma L_sup_μ_enclosed : 2473854946935173 / 2 ^ 51 <= L_sup_μ ρ law f <= 1236927473467587 / 2 ^ 50.
Proof. definitions; enclosed. Qed.

Lemma L_sup_enclosed : 4637144930462119 / 2 ^ 52 <= L_sup ρ law f <= 1236927473467587 / 2 ^ 50.
Proof. at_zero is_model; enclosed. Qed.
End ZeroSkewed.

(** z = (1, 2, −1). *)
Module TripletOnALine.
Definition z : 'I_3 * 'I_1 -> R := three (vector [:: 1]) (vector [:: 2]) (vector [:: -1]).

Lemma a_enclosed : -3 <= a z <= -3.
Proof. definitions; enclosed. Qed.
Lemma a_enclosed_control : ~ (-3 + / 10 ^ 9 <= a z <= -3 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma ℓ_enclosed : 7002175310157567 / 2 ^ 57 <= ℓ z <= 7002175310157571 / 2 ^ 57.
Proof. definitions; enclosed. Qed.
Lemma ℓ_enclosed_control : ~ (7002175310157567 / 2 ^ 57 + / 10 ^ 9 <= ℓ z <= 7002175310157571 / 2 ^ 57 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma s_enclosed : 6834788632646723 / 2 ^ 57 <= s z <= 6834788632646727 / 2 ^ 57.
Proof. definitions; enclosed. Qed.
Lemma s_enclosed_control : ~ (6834788632646723 / 2 ^ 57 + / 10 ^ 9 <= s z <= 6834788632646727 / 2 ^ 57 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma G_enclosed : 11 <= G z <= 11.
Proof. definitions; enclosed. Qed.
Lemma G_enclosed_control : ~ (11 + / 10 ^ 9 <= G z <= 11 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma grad_enclosed : 7131208015522325 / 2 ^ 58 <= dot (grad z) (grad z) <= 222850250485073 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
Lemma grad_enclosed_control : ~ (7131208015522325 / 2 ^ 58 + / 10 ^ 9 <= dot (grad z) (grad z) <= 222850250485073 / 2 ^ 53 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma norm_enclosed : 1 <= norm (blk z p1) <= 1.
Proof. definitions; enclosed. Qed.
Lemma norm_enclosed_control : ~ (1 + / 10 ^ 9 <= norm (blk z p1) <= 1 + / 10 ^ 9).
Proof. definitions; refuted. Qed.
End TripletOnALine.

(** z_1 = (3, 4), z_2 = (0, 1/2), z_3 = (1/4, 3/4). *)
Module TripletInThePlane.
Definition z : 'I_3 * 'I_2 -> R := three (vector [:: 3; 4]) (vector [:: 0; 1 / 2]) (vector [:: 1 / 4; 3 / 4]).

Lemma a_enclosed : 7 / 4 <= a z <= 7 / 4.
Proof. definitions; enclosed. Qed.

Lemma ℓ_enclosed : 8602884772107091 / 2 ^ 52 <= ℓ z <= 8602884772107093 / 2 ^ 52.
Proof. definitions; enclosed. Qed.

Lemma s_enclosed : 7673708642963465 / 2 ^ 53 <= s z <= 1918427160740867 / 2 ^ 51.
Proof. definitions; enclosed. Qed.

Lemma G_enclosed : 401 / 8 <= G z <= 401 / 8.
Proof. definitions; enclosed. Qed.

Lemma grad_enclosed : 1280074545666175 / 2 ^ 45 <= dot (grad z) (grad z) <= 2560149091332353 / 2 ^ 46.
Proof. definitions; enclosed. Qed.

Lemma norm_enclosed : 5 <= norm (blk z p1) <= 5.
Proof. definitions; enclosed. Qed.
End TripletInThePlane.

(** z_1 = e_1, z_2 = e_2, z_3 = −e_1. *)
Module TripletOfUnitVectors.
Definition z : 'I_3 * 'I_2 -> R := three (vector [:: 1; 0]) (vector [:: 0; 1]) (vector [:: -1; 0]).

Lemma a_enclosed : -1 <= a z <= -1.
Proof. definitions; enclosed. Qed.

Lemma ℓ_enclosed : 5643220876706083 / 2 ^ 54 <= ℓ z <= 2821610438353043 / 2 ^ 53.
Proof. definitions; enclosed. Qed.

Lemma s_enclosed : 1211204485066401 / 2 ^ 52 <= s z <= 605602242533201 / 2 ^ 51.
Proof. definitions; enclosed. Qed.

Lemma G_enclosed : 4 <= G z <= 4.
Proof. definitions; enclosed. Qed.

Lemma grad_enclosed : 1302972223133883 / 2 ^ 52 <= dot (grad z) (grad z) <= 5211888892535541 / 2 ^ 54.
Proof. definitions; enclosed. Qed.

Lemma norm_enclosed : 1 <= norm (blk z p1) <= 1.
Proof. definitions; enclosed. Qed.
End TripletOfUnitVectors.

(** Softplus, sigmoid and log-sum-exp. *)
Module Logits1.
Definition x : 'I_2 -> R := vector [:: 0; 1].

Lemma ζ_enclosed : 7439400927193925 / 2 ^ 53 <= ζ (1 / 4) <= 7439400927193929 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
Lemma ζ_enclosed_control : ~ (7439400927193925 / 2 ^ 53 + / 10 ^ 9 <= ζ (1 / 4) <= 7439400927193929 / 2 ^ 53 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma σ_enclosed : 2531817879905729 / 2 ^ 52 <= σ (1 / 4) <= 1265908939952865 / 2 ^ 51.
Proof. definitions; enclosed. Qed.
Lemma σ_enclosed_control : ~ (2531817879905729 / 2 ^ 52 + / 10 ^ 9 <= σ (1 / 4) <= 1265908939952865 / 2 ^ 51 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma LSE_enclosed : 739300605818377 / 2 ^ 49 <= LSE x <= 2957202423273509 / 2 ^ 51.
Proof. definitions; enclosed. Qed.
Lemma LSE_enclosed_control : ~ (739300605818377 / 2 ^ 49 + / 10 ^ 9 <= LSE x <= 2957202423273509 / 2 ^ 51 + / 10 ^ 9).
Proof. definitions; refuted. Qed.
End Logits1.

(** Softplus, sigmoid and log-sum-exp. *)
Module Logits2.
Definition x : 'I_3 -> R := vector [:: -3; 1 / 2; 1 / 2].

Lemma ζ_enclosed : 8930470743803305 / 2 ^ 57 <= ζ (-11 / 4) <= 4465235371901655 / 2 ^ 56.
Proof. definitions; enclosed. Qed.

Lemma σ_enclosed : 4329699445337631 / 2 ^ 56 <= σ (-11 / 4) <= 4329699445337635 / 2 ^ 56.
Proof. definitions; enclosed. Qed.

Lemma LSE_enclosed : 1360236856405179 / 2 ^ 50 <= LSE x <= 2720473712810359 / 2 ^ 51.
Proof. definitions; enclosed. Qed.
End Logits2.

(** Softplus, sigmoid and log-sum-exp. *)
Module Logits3.
Definition x : 'I_4 -> R := vector [:: 20; -20; 79 / 4; 0].

Lemma ζ_enclosed : 5699868278842615 / 2 ^ 48 <= ζ (81 / 4) <= 712483534855327 / 2 ^ 45.
Proof. definitions; enclosed. Qed.

Lemma σ_enclosed : 4503599620141191 / 2 ^ 52 <= σ (81 / 4) <= 9007199240282385 / 2 ^ 53.
Proof. definitions; enclosed. Qed.

Lemma LSE_enclosed : 1447903017334105 / 2 ^ 46 <= LSE x <= 5791612069336421 / 2 ^ 48.
Proof. definitions; enclosed. Qed.
End Logits3.
