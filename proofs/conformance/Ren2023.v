(** Ren and Li: the definitions at small instances lie between the bounds that the program computes for the same instances.

    Written by `RENEW_CONFORMANCE=1 cargo test --test conformance`.  The bounds are doubles, as fractions.  A lemma with the
    ending [_control] refutes bounds that are off by 10⁻⁹. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.ren2023.Model
  Contrapositive.ren2023.Gradients
  Contrapositive.ren2023.Dynamics
  Contrapositive.ren2023.Noncontrastive
  Contrapositive.ren2023.Cosines
  Contrapositive.ren2023.StableRanks.
Require Import Contrapositive.conformance.Evaluation.
Set Implicit Arguments. Unset Strict Implicit.

Ltac definitions := cbv beta delta [loss_A loss_nc Ψ Q_0 Q L_c L_nc S_A S_B w_A w_B bracket sim similarity feature_B feature input apply_matrix N_of N_sq K_of cosine StableRanks.R1 StableRanks.R2 StableRanks.R3 E dot norm].

(** A named model of the claims: K_A = 1, K_B = −1. *)
Module Opposed.
Definition XA : 'I_1 -> 'I_1 -> R := matrix [:: [:: 1]].
Definition XB : 'I_1 -> 'I_1 -> R := matrix [:: [:: 1]].
Definition WA : 'I_1 -> 'I_1 -> R := matrix [:: [:: 1]].
Definition WB : 'I_1 -> 'I_1 -> R := matrix [:: [:: -1]].
Definition v : 'I_1 -> R := vector [:: 1].
Definition half : 'I_2 -> R := vector [:: 1 / 2; 1 / 2].
Definition y : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: -1]].

Lemma N_sq_enclosed : 1 <= N_sq XA v WA <= 1.
Proof. definitions; enclosed. Qed.
Lemma N_sq_enclosed_control : ~ (1 + / 10 ^ 9 <= N_sq XA v WA <= 1 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma N_of_enclosed : 1 <= N_of XA v WA <= 1.
Proof. definitions; enclosed. Qed.
Lemma N_of_enclosed_control : ~ (1 + / 10 ^ 9 <= N_of XA v WA <= 1 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma loss_A_enclosed : 7420156746926883 / 2 ^ 51 <= loss_A XA v XB v half id id half half y y (1) (1) WB WA <= 927519593365861 / 2 ^ 48.
Proof. definitions; enclosed. Qed.
Lemma loss_A_enclosed_control : ~ (7420156746926883 / 2 ^ 51 + / 10 ^ 9 <= loss_A XA v XB v half id id half half y y (1) (1) WB WA <= 927519593365861 / 2 ^ 48 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma L_nc_enclosed : 1 <= L_nc half id id (sim XA v XB v y y WB WA) <= 1.
Proof. definitions; enclosed. Qed.
Lemma L_nc_enclosed_control : ~ (1 + / 10 ^ 9 <= L_nc half id id (sim XA v XB v y y WB WA) <= 1 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma Q_0_enclosed : -6406231707072803 / 2 ^ 51 <= Q_0 XA v XB v half id id half half y y (1) (1) WA WB <= -1601557926768197 / 2 ^ 49.
Proof. definitions; enclosed. Qed.
Lemma Q_0_enclosed_control : ~ (-6406231707072803 / 2 ^ 51 + / 10 ^ 9 <= Q_0 XA v XB v half id id half half y y (1) (1) WA WB <= -1601557926768197 / 2 ^ 49 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma Q_enclosed : 1601557926768197 / 2 ^ 49 <= Q XA v XB v half id id half half y y 1 (1) (1) WA WB ord0 ord0 <= 6406231707072803 / 2 ^ 51.
Proof. definitions; enclosed. Qed.
Lemma Q_enclosed_control : ~ (1601557926768197 / 2 ^ 49 + / 10 ^ 9 <= Q XA v XB v half id id half half y y 1 (1) (1) WA WB ord0 ord0 <= 6406231707072803 / 2 ^ 51 + / 10 ^ 9).
Proof. definitions; refuted. Qed.
End Opposed.

(** A named model of the claims: K_A = 2, K_B = 1. *)
Module TwoAndOne.
Definition XA : 'I_1 -> 'I_1 -> R := matrix [:: [:: 1]].
Definition XB : 'I_1 -> 'I_1 -> R := matrix [:: [:: 1]].
Definition WA : 'I_1 -> 'I_1 -> R := matrix [:: [:: 2]].
Definition WB : 'I_1 -> 'I_1 -> R := matrix [:: [:: 1]].
Definition v : 'I_1 -> R := vector [:: 1].
Definition half : 'I_2 -> R := vector [:: 1 / 2; 1 / 2].
Definition y : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: -1]].

Lemma Q_0_enclosed : 1555166197154657 / 2 ^ 53 <= Q_0 XA v XB v half id id half half y y (1) (1) WA WB <= 6220664788618665 / 2 ^ 55.
Proof. definitions; enclosed. Qed.

Lemma Q_enclosed : 1555166197154657 / 2 ^ 53 <= Q XA v XB v half id id half half y y 1 (1) (1) WA WB ord0 ord0 <= 6220664788618665 / 2 ^ 55.
Proof. definitions; enclosed. Qed.
End TwoAndOne.

(** One signal in inputs of two coordinates. *)
Module InputsOfTwoCoordinates.
Definition XA : 'I_2 -> 'I_1 -> R := matrix [:: [:: 2]; [:: 1]].
Definition XB : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1 / 2]; [:: -1]].
Definition WA : 'I_1 -> 'I_2 -> R := matrix [:: [:: 1; 1 / 2]].
Definition WB : 'I_1 -> 'I_2 -> R := matrix [:: [:: -2; 3]].
Definition v : 'I_1 -> R := vector [:: 1].
Definition half : 'I_2 -> R := vector [:: 1 / 2; 1 / 2].
Definition y : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: -1]].

Lemma N_sq_enclosed : 25 / 4 <= N_sq XA v WA <= 25 / 4.
Proof. definitions; enclosed. Qed.

Lemma N_of_enclosed : 5 / 2 <= N_of XA v WA <= 5 / 2.
Proof. definitions; enclosed. Qed.

Lemma loss_A_enclosed : 5208439119037177 / 2 ^ 49 <= loss_A XA v XB v half id id half half y y (3) (1 / 2) WB WA <= 1302109779759295 / 2 ^ 47.
Proof. definitions; enclosed. Qed.

Lemma L_nc_enclosed : 1 <= L_nc half id id (sim XA v XB v y y WB WA) <= 1.
Proof. definitions; enclosed. Qed.
End InputsOfTwoCoordinates.

(** One signal; maps, weights, temperature and number of negatives that differ from 1. *)
Module MapsAndWeights.
Definition XA : 'I_1 -> 'I_1 -> R := matrix [:: [:: 2]].
Definition XB : 'I_1 -> 'I_1 -> R := matrix [:: [:: 1 / 2]].
Definition WA : 'I_1 -> 'I_1 -> R := matrix [:: [:: -3 / 2]].
Definition WB : 'I_1 -> 'I_1 -> R := matrix [:: [:: 3]].
Definition v : 'I_1 -> R := vector [:: 1].
Definition half : 'I_2 -> R := vector [:: 1 / 2; 1 / 2].
Definition y : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: -1]].

Lemma Q_0_enclosed : -8896932797059177 / 2 ^ 51 <= Q_0 XA v XB v half id id half half y y (3) (1 / 2) WA WB <= -8896932797059159 / 2 ^ 51.
Proof. definitions; enclosed. Qed.

Lemma Q_enclosed : 1112116599632395 / 2 ^ 48 <= Q XA v XB v half id id half half y y 1 (3) (1 / 2) WA WB ord0 ord0 <= 8896932797059177 / 2 ^ 51.
Proof. definitions; enclosed. Qed.
End MapsAndWeights.

(** One signal and two features. *)
Module TwoFeatures.
Definition XA : 'I_1 -> 'I_1 -> R := matrix [:: [:: 1]].
Definition XB : 'I_1 -> 'I_1 -> R := matrix [:: [:: 1]].
Definition WA : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: 2]].
Definition WB : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: 1 / 2]].
Definition v : 'I_1 -> R := vector [:: 1].
Definition half : 'I_2 -> R := vector [:: 1 / 2; 1 / 2].
Definition y : 'I_2 -> 'I_1 -> R := matrix [:: [:: 1]; [:: -1]].

Lemma N_sq_enclosed : 5 <= N_sq XA v WA <= 5.
Proof. definitions; enclosed. Qed.

Lemma N_of_enclosed : 5035177455121575 / 2 ^ 51 <= N_of XA v WA <= 629397181890197 / 2 ^ 48.
Proof. definitions; enclosed. Qed.

Lemma loss_A_enclosed : 7109553892650267 / 2 ^ 52 <= loss_A XA v XB v half id id half half y y (1) (2) WB WA <= 222173559145321 / 2 ^ 47.
Proof. definitions; enclosed. Qed.

Lemma L_nc_enclosed : -3602879701896397 / 2 ^ 52 <= L_nc half id id (sim XA v XB v y y WB WA) <= -7205759403792793 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
End TwoFeatures.

(** One signal and one noise, one feature, orthogonal maps. *)
Module Straight.
Definition XA : 'I_2 -> 'I_1 + 'I_1 -> R := beside (matrix [:: [:: 2]; [:: 0]]) (matrix [:: [:: 0]; [:: 1 / 2]]).
Definition XB : 'I_2 -> 'I_1 + 'I_1 -> R := beside (matrix [:: [:: 2]; [:: 0]]) (matrix [:: [:: 0]; [:: 1 / 2]]).
Definition WA : 'I_1 -> 'I_2 -> R := matrix [:: [:: 2; 1]].
Definition WB : 'I_1 -> 'I_2 -> R := matrix [:: [:: 1; -1 / 2]].
Definition v : 'I_1 + 'I_1 -> R := fun=> 1.
Definition sign : 'I_2 -> R := vector [:: 1; -1].
Definition y : 'I_2 * 'I_2 -> 'I_1 + 'I_1 -> R := fun i l => if l is inl _ then sign i.1 else sign i.2.
Definition π : 'I_2 * 'I_2 * 'I_2 -> R := fun=> 1 / 8.

Lemma N_sq_enclosed : 65 / 4 <= N_sq XA v WA <= 65 / 4.
Proof. definitions; enclosed. Qed.

Lemma Ψ_enclosed : 8868626958514207 / 2 ^ 53 <= Ψ XA v XB v 1 WA WB <= 277144592453569 / 2 ^ 48.
Proof. definitions; enclosed. Qed.
Lemma Ψ_enclosed_control : ~ (8868626958514207 / 2 ^ 53 + / 10 ^ 9 <= Ψ XA v XB v 1 WA WB <= 277144592453569 / 2 ^ 48 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma loss_nc_enclosed : -277144592453569 / 2 ^ 48 <= loss_nc XA v XB v π (fun o => o.1) (fun o => (o.1.1, o.2)) y y WB WA <= -8868626958514207 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
Lemma loss_nc_enclosed_control : ~ (-277144592453569 / 2 ^ 48 + / 10 ^ 9 <= loss_nc XA v XB v π (fun o => o.1) (fun o => (o.1.1, o.2)) y y WB WA <= -8868626958514207 / 2 ^ 53 + / 10 ^ 9).
Proof. definitions; refuted. Qed.
End Straight.

(** One signal and one noise, one feature, the maps of view B not orthogonal. *)
Module OneFeature.
Definition XA : 'I_2 -> 'I_1 + 'I_1 -> R := beside (matrix [:: [:: 2]; [:: 0]]) (matrix [:: [:: 0]; [:: 1 / 2]]).
Definition XB : 'I_2 -> 'I_1 + 'I_1 -> R := beside (matrix [:: [:: 1]; [:: 0]]) (matrix [:: [:: 1 / 2]; [:: 1]]).
Definition WA : 'I_1 -> 'I_2 -> R := matrix [:: [:: 1; 1]].
Definition WB : 'I_1 -> 'I_2 -> R := matrix [:: [:: 1; 2]].
Definition v : 'I_1 + 'I_1 -> R := fun=> 1.
Definition sign : 'I_2 -> R := vector [:: 1; -1].
Definition y : 'I_2 * 'I_2 -> 'I_1 + 'I_1 -> R := fun i l => if l is inl _ then sign i.1 else sign i.2.
Definition π : 'I_2 * 'I_2 * 'I_2 -> R := fun=> 1 / 8.

Lemma N_sq_enclosed : 17 / 4 <= N_sq XA v WA <= 17 / 4.
Proof. definitions; enclosed. Qed.

Lemma Ψ_enclosed : 1622655409306091 / 2 ^ 52 <= Ψ XA v XB v 1 WA WB <= 3245310818612183 / 2 ^ 53.
Proof. definitions; enclosed. Qed.

Lemma loss_nc_enclosed : -3245310818612183 / 2 ^ 53 <= loss_nc XA v XB v π (fun o => o.1) (fun o => (o.1.1, o.2)) y y WB WA <= -1622655409306091 / 2 ^ 52.
Proof. definitions; enclosed. Qed.
End OneFeature.

(** One signal and one noise, two features, the maps of view A not orthogonal. *)
Module Tilted.
Definition XA : 'I_2 -> 'I_1 + 'I_1 -> R := beside (matrix [:: [:: 1]; [:: 0]]) (matrix [:: [:: 1 / 2]; [:: 1]]).
Definition XB : 'I_2 -> 'I_1 + 'I_1 -> R := beside (matrix [:: [:: 2]; [:: 0]]) (matrix [:: [:: 0]; [:: 1 / 2]]).
Definition WA : 'I_2 -> 'I_2 -> R := matrix [:: [:: 1; -1 / 2]; [:: 1 / 4; 2]].
Definition WB : 'I_2 -> 'I_2 -> R := matrix [:: [:: 1; -1 / 2]; [:: 1 / 4; 2]].
Definition v : 'I_1 + 'I_1 -> R := fun=> 1.
Definition sign : 'I_2 -> R := vector [:: 1; -1].
Definition y : 'I_2 * 'I_2 -> 'I_1 + 'I_1 -> R := fun i l => if l is inl _ then sign i.1 else sign i.2.
Definition π : 'I_2 * 'I_2 * 'I_2 -> R := fun=> 1 / 8.

Lemma N_sq_enclosed : 357 / 64 <= N_sq XA v WA <= 357 / 64.
Proof. definitions; enclosed. Qed.

Lemma Ψ_enclosed : 3516050563905483 / 2 ^ 53 <= Ψ XA v XB v 1 WA WB <= 879012640976371 / 2 ^ 51.
Proof. definitions; enclosed. Qed.

Lemma loss_nc_enclosed : -879012640976371 / 2 ^ 51 <= loss_nc XA v XB v π (fun o => o.1) (fun o => (o.1.1, o.2)) y y WB WA <= -3516050563905483 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
End Tilted.

(** One signal, and the similarity ±1. *)
Module Alike.
Definition y : 'I_2 -> R := vector [:: 1; -1].
Definition s : 'I_2 -> 'I_2 -> R := fun i j => y i * (1) * y j.
Definition half : 'I_2 -> R := vector [:: 1 / 2; 1 / 2].

Lemma L_c_enclosed : 4049537131145283 / 2 ^ 52 <= L_c half id id half half (1) (1) s <= 8099074262290569 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
Lemma L_c_enclosed_control : ~ (4049537131145283 / 2 ^ 52 + / 10 ^ 9 <= L_c half id id half half (1) (1) s <= 8099074262290569 / 2 ^ 53 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma S_A_enclosed : 7273220889628855 / 2 ^ 53 <= 1 - S_A half (1) (1) s ord_max ord0 <= 7273220889628867 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
Lemma S_A_enclosed_control : ~ (7273220889628855 / 2 ^ 53 + / 10 ^ 9 <= 1 - S_A half (1) (1) s ord_max ord0 <= 7273220889628867 / 2 ^ 53 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma S_B_enclosed : 7273220889628855 / 2 ^ 53 <= 1 - S_B half (1) (1) s ord_max ord0 <= 7273220889628867 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
Lemma S_B_enclosed_control : ~ (7273220889628855 / 2 ^ 53 + / 10 ^ 9 <= 1 - S_B half (1) (1) s ord_max ord0 <= 7273220889628867 / 2 ^ 53 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma w_A_enclosed : 2147368940801131 / 2 ^ 53 <= w_A half (1) s ord_max ord0 <= 4294737881602265 / 2 ^ 54.
Proof. definitions; enclosed. Qed.
Lemma w_A_enclosed_control : ~ (2147368940801131 / 2 ^ 53 + / 10 ^ 9 <= w_A half (1) s ord_max ord0 <= 4294737881602265 / 2 ^ 54 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma w_B_enclosed : 2147368940801131 / 2 ^ 53 <= w_B half (1) s ord_max ord0 <= 4294737881602265 / 2 ^ 54.
Proof. definitions; enclosed. Qed.
Lemma w_B_enclosed_control : ~ (2147368940801131 / 2 ^ 53 + / 10 ^ 9 <= w_B half (1) s ord_max ord0 <= 4294737881602265 / 2 ^ 54 + / 10 ^ 9).
Proof. definitions; refuted. Qed.
End Alike.

(** One signal, and the similarity ±0.75. *)
Module Unlike.
Definition y : 'I_2 -> R := vector [:: 1; -1].
Definition s : 'I_2 -> 'I_2 -> R := fun i j => y i * (-3 / 4) * y j.
Definition half : 'I_2 -> R := vector [:: 1 / 2; 1 / 2].

Lemma L_c_enclosed : 5208439119037177 / 2 ^ 49 <= L_c half id id half half (4) (1 / 2) s <= 1302109779759295 / 2 ^ 47.
Proof. definitions; enclosed. Qed.

Lemma S_A_enclosed : 7220041356953643 / 2 ^ 55 <= 1 - S_A half (4) (1 / 2) s ord_max ord0 <= 7220041356953647 / 2 ^ 55.
Proof. definitions; enclosed. Qed.

Lemma S_B_enclosed : 7220041356953643 / 2 ^ 55 <= 1 - S_B half (4) (1 / 2) s ord_max ord0 <= 7220041356953647 / 2 ^ 55.
Proof. definitions; enclosed. Qed.

Lemma w_A_enclosed : 4492463922643647 / 2 ^ 51 <= w_A half (4) s ord_max ord0 <= 8984927845287297 / 2 ^ 52.
Proof. definitions; enclosed. Qed.

Lemma w_B_enclosed : 4492463922643647 / 2 ^ 51 <= w_B half (4) s ord_max ord0 <= 8984927845287297 / 2 ^ 52.
Proof. definitions; enclosed. Qed.
End Unlike.

(** One signal and one noise; positive pairs (z, ξ_A, ξ_B) have the states (z, ξ_A) and (z, ξ_B). *)
Module WithNoise.
Definition C : 'I_2 -> 'I_2 -> R := matrix [:: [:: 1; 1 / 2]; [:: -1 / 4; 3 / 4]].
Definition sign : 'I_2 -> R := vector [:: 1; -1].
Definition y : 'I_2 * 'I_2 -> 'I_2 -> R := fun i => vector [:: sign i.1; sign i.2].
Definition s : 'I_2 * 'I_2 -> 'I_2 * 'I_2 -> R := fun i j => ∑ k, ∑ l, y i k * C k l * y j l.
Definition π : 'I_2 * 'I_2 * 'I_2 -> R := fun=> 1 / 8.
Definition even : 'I_2 * 'I_2 -> R := fun=> 1 / 4.

Lemma L_c_enclosed : 4690791139215839 / 2 ^ 51 <= L_c π (fun o => o.1) (fun o => (o.1.1, o.2)) even even (1) (2) s <= 4690791139215847 / 2 ^ 51.
Proof. rewrite /s; definitions; enclosed. Qed.

Lemma S_A_enclosed : 8519225707283567 / 2 ^ 53 <= 1 - S_A even (1) (2) s (ord_max, ord0) (ord0, ord_max) <= 1064903213410449 / 2 ^ 50.
Proof. rewrite /s; definitions; enclosed. Qed.

Lemma S_B_enclosed : 4232240207757451 / 2 ^ 52 <= 1 - S_B even (1) (2) s (ord_max, ord0) (ord0, ord_max) <= 8464480415514917 / 2 ^ 53.
Proof. rewrite /s; definitions; enclosed. Qed.

Lemma w_A_enclosed : 2063696924585035 / 2 ^ 54 <= w_A even (1) s (ord_max, ord0) (ord0, ord_max) <= 8254787698340149 / 2 ^ 56.
Proof. rewrite /s; definitions; enclosed. Qed.

Lemma w_B_enclosed : 577516455144837 / 2 ^ 52 <= w_B even (1) s (ord_max, ord0) (ord0, ord_max) <= 1155032910289675 / 2 ^ 53.
Proof. rewrite /s; definitions; enclosed. Qed.
End WithNoise.

(** K_A = K_B = diag(2, 1).  The first column of K_B has another entry, 1. *)
Module Diagonal21.
Definition λ : 'I_2 -> R := vector [:: 4 / 5; 1 / 5].
Definition kA : 'I_2 -> R := vector [:: 2; 0].
Definition kB : 'I_2 -> R := vector [:: 2; 1].

Lemma R1_enclosed : 4785074604081151 / 2 ^ 52 <= StableRanks.R1 λ (λ (@Ordinal 2 0 isT)) <= 4785074604081153 / 2 ^ 52.
Proof. definitions; enclosed. Qed.
Lemma R1_enclosed_control : ~ (4785074604081151 / 2 ^ 52 + / 10 ^ 9 <= StableRanks.R1 λ (λ (@Ordinal 2 0 isT)) <= 4785074604081153 / 2 ^ 52 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma R2_enclosed : 5629499534213119 / 2 ^ 52 <= StableRanks.R2 λ (λ (@Ordinal 2 0 isT)) <= 5629499534213121 / 2 ^ 52.
Proof. definitions; enclosed. Qed.
Lemma R2_enclosed_control : ~ (5629499534213119 / 2 ^ 52 + / 10 ^ 9 <= StableRanks.R2 λ (λ (@Ordinal 2 0 isT)) <= 5629499534213121 / 2 ^ 52 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma R3_enclosed : 6622940628486021 / 2 ^ 52 <= StableRanks.R3 λ <= 6622940628486027 / 2 ^ 52.
Proof. definitions; enclosed. Qed.
Lemma R3_enclosed_control : ~ (6622940628486021 / 2 ^ 52 + / 10 ^ 9 <= StableRanks.R3 λ <= 6622940628486027 / 2 ^ 52 + / 10 ^ 9).
Proof. definitions; refuted. Qed.

Lemma cosine_enclosed : 1007035491024315 / 2 ^ 50 <= cosine kA kB <= 8056283928194523 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
Lemma cosine_enclosed_control : ~ (1007035491024315 / 2 ^ 50 + / 10 ^ 9 <= cosine kA kB <= 8056283928194523 / 2 ^ 53 + / 10 ^ 9).
Proof. definitions; refuted. Qed.
End Diagonal21.

(** K_A = K_B = diag(2, 1, 1).  The first column of K_B has another entry, 1. *)
Module Diagonal211.
Definition λ : 'I_3 -> R := vector [:: 2 / 3; 1 / 6; 1 / 6].
Definition kA : 'I_3 -> R := vector [:: 2; 0; 0].
Definition kB : 'I_3 -> R := vector [:: 2; 1; 0].

Lemma R1_enclosed : 5066549580791807 / 2 ^ 52 <= StableRanks.R1 λ (λ (@Ordinal 3 0 isT)) <= 5066549580791809 / 2 ^ 52.
Proof. definitions; enclosed. Qed.

Lemma R2_enclosed : 6755399441055743 / 2 ^ 52 <= StableRanks.R2 λ (λ (@Ordinal 3 0 isT)) <= 6755399441055745 / 2 ^ 52.
Proof. definitions; enclosed. Qed.

Lemma R3_enclosed : 4503599627370485 / 2 ^ 51 <= StableRanks.R3 λ <= 2251799813685253 / 2 ^ 50.
Proof. definitions; enclosed. Qed.

Lemma cosine_enclosed : 1007035491024315 / 2 ^ 50 <= cosine kA kB <= 8056283928194523 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
End Diagonal211.

(** K_A = K_B = diag(2, 2, 1).  The first column of K_B has another entry, 1. *)
Module Diagonal221.
Definition λ : 'I_3 -> R := vector [:: 4 / 9; 4 / 9; 1 / 9].
Definition kA : 'I_3 -> R := vector [:: 2; 0; 0].
Definition kB : 'I_3 -> R := vector [:: 2; 1; 0].

Lemma R1_enclosed : 2322168557862911 / 2 ^ 50 <= StableRanks.R1 λ (λ (@Ordinal 3 0 isT)) <= 2322168557862913 / 2 ^ 50.
Proof. definitions; enclosed. Qed.

Lemma R2_enclosed : 5066549580791807 / 2 ^ 51 <= StableRanks.R2 λ (λ (@Ordinal 3 0 isT)) <= 5066549580791809 / 2 ^ 51.
Proof. definitions; enclosed. Qed.

Lemma R3_enclosed : 1381786249306853 / 2 ^ 49 <= StableRanks.R3 λ <= 345446562326715 / 2 ^ 47.
Proof. definitions; enclosed. Qed.

Lemma cosine_enclosed : 1007035491024315 / 2 ^ 50 <= cosine kA kB <= 8056283928194523 / 2 ^ 53.
Proof. definitions; enclosed. Qed.
End Diagonal221.
