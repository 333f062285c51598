(** Wen, Lemma B.8: differences of ReLU units as linear maps.  D = diag(1{a_k >= 0}), and where a_k ≠ b_k the third
    condition σ(a) − σ(b) = (D + D″)(a − b) determines D″: D + D″ is the slope of the chord of σ between b_k and a_k.
    Where a_k = b_k it is 0. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import ssreflect ssrfun ssrbool.
Set Implicit Arguments. Unset Strict Implicit.
Local Open Scope R_scope.

Definition relu (x : R) : R := Rmax x 0.
Definition active (x : R) : R := if Rle_dec 0 x then 1 else 0.

(** The entries of D and D″ at a_k = a and b_k = b. *)
Definition D (a : R) : R := active a.
Definition D'' (a b : R) : R := if Req_EM_T a b then 0 else (relu a - relu b) / (a - b) - D a.

Lemma relu_cases x : 0 <= x /\ relu x = x /\ active x = 1 \/ x < 0 /\ relu x = 0 /\ active x = 0.
Proof.
rewrite /relu /active; case: (Rle_dec 0 x) => h; [left | right]; split; try lra; split=> //.
  by rewrite Rmax_left; lra.
by rewrite Rmax_right; lra.
Qed.

(** σ(a) − σ(b) = (D + D″)(a − b).
    [claim] wen2020.lemma-b8  [sense] p3  [scope] all real a_k and b_k *)
Theorem lemma_b8_p3 a b : relu a - relu b = (D a + D'' a b) * (a - b).
Proof. by rewrite /D''; case: Req_EM_T => [e | ne] /=; [rewrite e; ring | field; lra]. Qed.

(** 0 <= D_kk + D″_kk <= 1.
    [claim] wen2020.lemma-b8  [sense] slope  [scope] all real a_k and b_k *)
Theorem lemma_b8_slope a b : 0 <= D a + D'' a b <= 1.
Proof.
rewrite /D'' /D; case: Req_EM_T => /= [_ | ne].
  by case: (relu_cases a) => [[_ [_ ->]] | [_ [_ ->]]]; lra.
set s := (relu a - relu b) / (a - b); have -> : active a + (s - active a) = s by ring.
have e : s * (a - b) = relu a - relu b by rewrite /s; field; lra.
have [ab | ab] : 0 < a - b \/ 0 < b - a by lra.
  by case: (relu_cases a) (relu_cases b) => [[? [ra _]] | [? [ra _]]] [[? [rb _]] | [? [rb _]]]; rewrite ra rb in e; nra.
by case: (relu_cases a) (relu_cases b) => [[? [ra _]] | [? [ra _]]] [[? [rb _]] | [? [rb _]]]; rewrite ra rb in e; nra.
Qed.

(** |D_kk + D″_kk| <= 1, as Appendix D.2 quotes it.
    [claim] wen2020.lemma-b8  [sense] quoted  [scope] all real a_k and b_k *)
Theorem lemma_b8_quoted a b : Rabs (D a + D'' a b) <= 1.
Proof. by have := lemma_b8_slope a b; move=> h; apply: Rabs_le; lra. Qed.

(** The corrected form: |D_kk + D″_kk| <= 1 and σ(a) − σ(b) = (D + D″)(a − b).
    [claim] wen2020.lemma-b8  [sense] plus  [scope] all real a_k and b_k *)
Theorem lemma_b8_plus a b : Rabs (D a + D'' a b) <= 1 /\ relu a - relu b = (D a + D'' a b) * (a - b).
Proof. by split; [exact: lemma_b8_quoted | exact: lemma_b8_p3]. Qed.

(** |D″_kk| <= 1.
    [claim] wen2020.lemma-b8  [sense] p1-size  [scope] all real a_k and b_k *)
Theorem lemma_b8_size a b : Rabs (D'' a b) <= 1.
Proof.
have h := lemma_b8_slope a b; apply: Rabs_le; move: h; rewrite /D.
by case: (relu_cases a) => [[_ [_ ->]] | [_ [_ ->]]]; lra.
Qed.

(** D″_kk = 0 where both or none of a_k and b_k are at least 0.
    [claim] wen2020.lemma-b8  [sense] p2  [scope] all real a_k and b_k *)
Theorem lemma_b8_p2 a b : active a = active b -> D'' a b = 0.
Proof.
rewrite /D'' /D; case: Req_EM_T => /= // ne.
case: (relu_cases a) (relu_cases b) => [[_ [-> ->]] | [_ [-> ->]]] [[_ [-> ->]] | [_ [-> ->]]] same; try lra; by field; lra.
Qed.

(** |D_kk − D″_kk| <= 2, with equality at a_k = 0 > b_k.
    [claim] wen2020.lemma-b8  [sense] extent  [scope] all real a_k and b_k *)
Theorem lemma_b8_extent : (forall a b, Rabs (D a - D'' a b) <= 2) /\ (forall b, b < 0 -> Rabs (D 0 - D'' 0 b) = 2).
Proof.
split=> [a b | b b0].
  have h := lemma_b8_slope a b; apply: Rabs_le; move: h; rewrite /D.
  by case: (relu_cases a) => [[_ [_ ->]] | [_ [_ ->]]]; lra.
have e := lemma_b8_p3 0 b; rewrite /D in e *.
case: (relu_cases 0) (relu_cases b) => [[_ [r0 d0]] | [? _]] [[? _] | [_ [rb _]]]; try lra.
rewrite r0 rb d0 in e *; have -> : D'' 0 b = - 1 by nra.
by rewrite Rabs_pos_eq; lra.
Qed.

(** |D_kk − D″_kk| <= 1 exactly where not a_k >= 0 > b_k.
    [claim] wen2020.lemma-b8  [sense] where  [scope] all real a_k and b_k *)
Theorem lemma_b8_where a b : Rabs (D a - D'' a b) <= 1 <-> ~ (0 <= a /\ b < 0).
Proof.
split=> [le [a0 b0] | no].
  have e := lemma_b8_p3 a b; move: le; rewrite /D in e *.
  case: (relu_cases a) (relu_cases b) => [[_ [ra da]] | [? _]] [[? _] | [_ [rb _]]]; try lra.
  rewrite ra rb da in e * => le; have := Rle_abs (1 - D'' a b); nra.
have h := lemma_b8_slope a b; apply: Rabs_le; rewrite /D in h *.
case: (relu_cases a) => [[a0 [_ da]] | [_ [_ da]]]; rewrite da in h *; last lra.
suff -> : D'' a b = 0 by lra.
apply: lemma_b8_p2; rewrite da; case: (relu_cases b) => [[_ [_ ->]] | [b0 _]] //.
by case: no.
Qed.

(** The printed sign: at a_k = 1 and b_k = −1 it is D − D″ = 3/2.
    [claim] wen2020.lemma-b8  [sense] printed  [scope] refuted at m = 1 *)
Theorem lemma_b8_printed_refuted : ~ (forall a b, Rabs (D a - D'' a b) <= 1).
Proof. by move=> /(_ 1 (- 1)) /lemma_b8_where; apply; lra. Qed.

(** * Controls *)
Lemma D''_up : D'' 1 (- 1) = - (1 / 2).
Proof.
have := lemma_b8_p3 1 (- 1); rewrite /D.
case: (relu_cases 1) (relu_cases (- 1)) => [[_ [-> ->]] | [? _]] [[? _] | [_ [-> _]]]; lra.
Qed.
Lemma D_up : D 1 = 1.
Proof. by rewrite /D; case: (relu_cases 1) => [[_ [_ ->]] | [? _]] //; lra. Qed.

(** Control a: D″ = 0. *)
Theorem lemma_b8_p3_control : ~ (forall a b, relu a - relu b = D a * (a - b)).
Proof. by move=> /(_ 1 (- 1)); have := lemma_b8_p3 1 (- 1); rewrite D''_up D_up; lra. Qed.

(** At most 1/4 less. *)
Theorem lemma_b8_slope_control : ~ (forall a b, 0 <= D a + D'' a b <= 1 / 4).
Proof. by move=> /(_ 1 (- 1)); rewrite D''_up D_up; lra. Qed.
Theorem lemma_b8_quoted_control : ~ (forall a b, Rabs (D a + D'' a b) <= 1 / 4).
Proof. by move=> /(_ 1 (- 1)); rewrite D''_up D_up; have := Rle_abs (1 + - (1 / 2)); lra. Qed.

(** Control c: the other sign in the third condition. *)
Theorem lemma_b8_plus_control : ~ (forall a b, Rabs (D a + D'' a b) <= 1 /\ relu a - relu b = (D a + D'' a b) * (b - a)).
Proof. by move=> /(_ 1 (- 1)) [_]; rewrite lemma_b8_p3 D''_up D_up; lra. Qed.

(** |D″_kk| <= 1/4. *)
Theorem lemma_b8_size_control : ~ (forall a b, Rabs (D'' a b) <= 1 / 4).
Proof. by move=> /(_ 1 (- 1)); rewrite D''_up Rabs_Ropp; have := Rle_abs (1 / 2); lra. Qed.

(** Control e: D″_kk = 0 for all k. *)
Theorem lemma_b8_p2_control : ~ (forall a b, D'' a b = 0).
Proof. by move=> /(_ 1 (- 1)); rewrite D''_up; lra. Qed.

(** Below what is attained: 5/4. *)
Theorem lemma_b8_extent_control : ~ (forall a b, Rabs (D a - D'' a b) <= 5 / 4).
Proof. by move=> /(_ 1 (- 1)); rewrite D''_up D_up; have := Rle_abs (1 - - (1 / 2)); lra. Qed.

(** Without the condition. *)
Theorem lemma_b8_where_control : ~ (forall a b, Rabs (D a - D'' a b) <= 1 <-> ~ (a < 0 /\ b < 0)).
Proof. by move=> /(_ 1 (- 1)) [_]; rewrite D''_up D_up => /(_ ltac:(lra)); have := Rle_abs (1 - - (1 / 2)); lra. Qed.
