(** Wen: the contrastive objective as a function of the outputs, equations (1.1) and (D.1), and Lemma D.1. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Vectors Contrapositive.Calculus
  Contrapositive.Tactics Contrapositive.merad2020.Softmax.
Set Implicit Arguments. Unset Strict Implicit.

(** * Lemma D.1: g(y) = log(1 + Σ e^{y_i}) is smooth *)
Section LemmaD1.
Variables (K : finType) (y h : K -> R).

(** g is [logistic]; its gradient is p_k = e^{y_k}/(1 + Σ e^{y_j}), its Hessian diag(p) − ppᵀ. *)
Definition p (y : K -> R) (k : K) : R := exp (y k) / (1 + ∑ j, exp (y j)).
Definition remainder : R := logistic (fun k => y k + h k) - logistic y - ∑ k, p y k * h k.

(** p with the rest 1/(1 + Σ e^{y_j}) as one more outcome is a law. *)
Definition p_all (y : K -> R) (o : option K) : R := if o is Some k then p y k else 1 / (1 + ∑ j, exp (y j)).
Lemma p_all_law z : is_law (p_all z).
Proof.
have S0 := sum_exp_ge0 z; have i0 := Rinv_0_lt_compat (1 + ∑ j, exp (z j)) ltac:(lra).
split=> [[k|]|]; rewrite /p_all /p; first by apply: Rmult_le_pos; [apply: Rlt_le; apply: exp_pos | lra].
  by rewrite /Rdiv; lra.
by rewrite sum_option sum_mulr; field; lra.
Qed.

Definition extend (u : K -> R) (o : option K) : R := if o is Some k then u k else 0.
Lemma norm_extend u : norm (extend u) = norm u.
Proof. by rewrite /norm /dot sum_option /= Rmult_0_l Rplus_0_l. Qed.

(** ‖∇²g‖ <= ½: the Hessian is a part of the Jacobian of a softmax. *)
Lemma hessian_half z : norm_at_most (jacobian (p z)) (1 / 2).
Proof.
move=> u; rewrite -(norm_extend u); apply: Rle_trans (norm_softmax_any_length (p_all_law z) (extend u)).
rewrite /norm; apply: sqrt_le_1_alt; rewrite [X in _ <= X]/dot sum_option.
set a := apply_matrix _ _ None; have -> : dot (apply_matrix (jacobian (p z)) u) (apply_matrix (jacobian (p z)) u) =
  ∑ k, apply_matrix (jacobian (p_all z)) (extend u) (Some k) * apply_matrix (jacobian (p_all z)) (extend u) (Some k).
  have e k : apply_matrix (jacobian (p_all z)) (extend u) (Some k) = apply_matrix (jacobian (p z)) u k.
    by rewrite /apply_matrix sum_option /= Rmult_0_r Rplus_0_l.
  by apply: sum_ext => k; rewrite !e.
by have := pow2_ge_0 a; rewrite /=; lra.
Qed.

Let S0 t := ∑ k, exp (y k + t * h k).
Let S1 t := ∑ k, h k * exp (y k + t * h k).
Let S2 t := ∑ k, h k ^ 2 * exp (y k + t * h k).
Let S0_ge0 t : 0 <= S0 t.
Proof. exact: (sum_exp_ge0 (fun k => y k + t * h k)). Qed.
Let DS0 t : is_derive S0 t (S1 t).
Proof. by apply: is_derive_sum => k; auto_derive => //; ring. Qed.
Let DS1 t : is_derive S1 t (S2 t).
Proof. by apply: is_derive_sum => k; auto_derive => //; ring. Qed.

Let Dg t : is_derive (fun t => ln (1 + S0 t)) t (S1 t / (1 + S0 t)).
Proof.
have s0 := S0_ge0 t; have D := DS0 t.
auto_derive; first by split; [exists (S1 t); exact: D | split; lra].
by rewrite (is_derive_unique _ _ _ D); field; lra.
Qed.

Let curvature t := S2 t / (1 + S0 t) - (S1 t / (1 + S0 t)) ^ 2.
Let Dg1 t : is_derive (fun t => S1 t / (1 + S0 t)) t (curvature t).
Proof.
have s0 := S0_ge0 t; have D := DS0 t; have D1 := DS1 t; rewrite /curvature.
auto_derive; first by split; [exists (S2 t); exact: D1 | split; [exists (S1 t); exact: D | split; lra]].
by rewrite (is_derive_unique _ _ _ D) (is_derive_unique _ _ _ D1); field; lra.
Qed.

(** The curvature along h is the form of the Hessian. *)
Lemma curvature_form t : curvature t = dot (apply_matrix (jacobian (p (fun k => y k + t * h k))) h) h.
Proof.
set z := fun k => y k + t * h k; have s0 := S0_ge0 t.
have pz k : p z k = exp (y k + t * h k) / (1 + S0 t) by [].
have e k : apply_matrix (jacobian (p z)) h k = p z k * h k - p z k * ∑ j, p z j * h j.
  rewrite /apply_matrix -sum_mull -[X in X - _](sum_if1 (fun j => p z j * h j) k) -sum_sub; apply: sum_ext => j.
  by rewrite /jacobian; case: eqP => [->|_]; ring.
rewrite /dot (sum_ext (G := fun k => p z k * h k ^ 2 - (∑ j, p z j * h j) * (p z k * h k))) => [|k]; last by rewrite e; ring.
rewrite sum_sub sum_mull.
have -> : ∑ k, p z k * h k ^ 2 = S2 t / (1 + S0 t) by rewrite /Rdiv -sum_mulr; apply: sum_ext => k; rewrite pz /Rdiv; ring.
have -> : ∑ k, p z k * h k = S1 t / (1 + S0 t) by rewrite /Rdiv -sum_mulr; apply: sum_ext => k; rewrite pz /Rdiv; ring.
by rewrite /curvature; ring.
Qed.

Lemma remainder_le L : (forall t, 0 <= t <= 1 -> curvature t <= L) -> remainder <= L / 2.
Proof.
move=> le; have := @second_order _ _ _ L (fun t _ => Dg t) (fun t _ => Dg1 t) le.
have -> : ln (1 + S0 1) = logistic (fun k => y k + h k).
  by congr (ln (1 + _)); apply: sum_ext => k; congr exp; ring.
have e0 : S0 0 = ∑ k, exp (y k) by apply: sum_ext => k; congr exp; ring.
have -> : ln (1 + S0 0) = logistic y by rewrite e0.
have -> : S1 0 / (1 + S0 0) = ∑ k, p y k * h k.
  by rewrite e0 /Rdiv -sum_mulr; apply: sum_ext => k; rewrite /p Rmult_0_l Rplus_0_r /Rdiv; ring.
by rewrite /remainder; lra.
Qed.

(** The constant 1 can be halved: remainder <= ¼‖y′‖² and y′ᵀ∇²g(y)y′ <= ½‖y′‖².
    [claim] wen2020.lemma-d1  [sense] half  [scope] real entries, any number of coordinates *)
Theorem lemma_d1_half : remainder <= 1 / 4 * dot h h /\ dot (apply_matrix (jacobian (p y)) h) h <= 1 / 2 * dot h h.
Proof.
have form z : dot (apply_matrix (jacobian (p z)) h) h <= 1 / 2 * dot h h.
  exact: Rle_trans (Rle_abs _) (norm_at_most_form h (hessian_half z)).
split=> //; suff: remainder <= 1 / 2 * dot h h / 2 by lra.
by apply: remainder_le => t _; rewrite curvature_form.
Qed.

(** remainder <= ½‖y′‖² and ‖∇²g‖ <= 1.
    [claim] wen2020.lemma-d1  [sense] printed  [scope] real entries, any number of coordinates *)
Theorem lemma_d1_printed : remainder <= 1 / 2 * dot h h /\ norm_at_most (jacobian (p y)) 1.
Proof.
split; first by have [le _] := lemma_d1_half; have := dot_ge0 h; lra.
by apply: norm_at_most_le (hessian_half y); lra.
Qed.

(** Convexity: the remainder is not negative.
    [claim] wen2020.lemma-d1  [sense] s4  [scope] real entries, any number of coordinates *)
Theorem lemma_d1_s4 : 0 <= remainder.
Proof.
have := logistic_tangent y (fun k => y k + h k).
have -> : ∑ k, exp (y k) / (1 + ∑ j, exp (y j)) * (y k + h k - y k) = ∑ k, p y k * h k.
  by apply: sum_ext => k; rewrite /p; ring.
by rewrite /remainder; lra.
Qed.
End LemmaD1.

(** One coordinate: remainder <= ⅛ y′².
    [claim] wen2020.lemma-d1  [sense] eighth  [scope] real entries, one coordinate *)
Theorem lemma_d1_eighth (y h : unit -> R) : remainder y h <= 1 / 8 * dot h h.
Proof.
suff: remainder y h <= 1 / 4 * dot h h / 2 by lra.
apply: remainder_le => t _; rewrite curvature_form.
rewrite /dot !sum_unit /apply_matrix sum_unit /jacobian eqxx /p sum_unit.
have e0 := exp_pos (y tt + t * h tt); set e := exp _ in e0 *.
have -> : e / (1 + e) - e / (1 + e) * (e / (1 + e)) = 1 / 4 - ((e - 1) / (2 * (1 + e))) ^ 2 by field; lra.
by have := pow2_ge_0 ((e - 1) / (2 * (1 + e))); have := pow2_ge_0 (h tt); nra.
Qed.

(** * Equation (1.1) *)
Section Objective.
Variables (K D : finType).
Implicit Types (q u : D -> R) (keys : K -> D -> R).

(** The objective for the query q, the positive key k_0 and the negative keys. *)
Definition φ q (k0 : D -> R) keys : R := logistic (fun j => dot q (sub (keys j) k0)).
Definition middle (u v : D -> R) : D -> R := fun i => (u i + v i) / 2.

(** −log(e^{q·k_0}/Σ_{j >= 0} e^{q·k_j}) = log(1 + Σ_{j >= 1} e^{q·(k_j − k_0)}).
    [claim] wen2020.eq-1.1  [sense] printed  [scope] real entries, any dimension, any number of negatives *)
Theorem eq_1_1_printed q k0 keys :
  - ln (exp (dot q k0) / (exp (dot q k0) + ∑ j, exp (dot q (keys j)))) = φ q k0 keys.
Proof. by rewrite neg_log_softmax /φ /logistic; congr (ln (1 + _)); apply: sum_ext => j; rewrite dotBr. Qed.

(** log(1 + Σ e^{y_j}) at a midpoint. *)
Lemma logistic_middle (x y : K -> R) : logistic (fun j => (x j + y j) / 2) <= (logistic x + logistic y) / 2.
Proof.
have := jensen_logistic (fun b : bool => if b then x else y) coin_law; rewrite E_coin.
have -> : logistic (fun k => 𝔼 o ~ coin, (if o then x else y) k) = logistic (fun j => (x j + y j) / 2).
  by congr (ln (1 + _)); apply: sum_ext => k; rewrite E_coin.
by [].
Qed.

(** Convex in the query, in the keys, and in the logits, each with the rest fixed.
    [claim] wen2020.eq-1.1  [sense] convex  [scope] real entries, any dimension, any number of negatives; at midpoints *)
Theorem eq_1_1_convex :
  (forall q q' k0 keys, φ (middle q q') k0 keys <= (φ q k0 keys + φ q' k0 keys) / 2) /\
  (forall q k0 k0' keys keys', φ q (middle k0 k0') (fun j => middle (keys j) (keys' j)) <= (φ q k0 keys + φ q k0' keys') / 2) /\
  (forall x y : K -> R, logistic (fun j => (x j + y j) / 2) <= (logistic x + logistic y) / 2).
Proof.
have by_logits (x y z : K -> R) : (forall j, z j = (x j + y j) / 2) -> logistic z <= (logistic x + logistic y) / 2.
  move=> e; have -> : logistic z = logistic (fun j => (x j + y j) / 2); last exact: logistic_middle.
  by congr (ln (1 + _)); apply: sum_ext => j; rewrite e.
split; [|split]; [| | exact: logistic_middle].
- move=> q q' k0 keys; apply: by_logits => j.
  by rewrite /dot /Rdiv -sum_add -sum_mulr; apply: sum_ext => i; rewrite /middle; field.
- move=> q k0 k0' keys keys'; apply: by_logits => j.
  by rewrite /dot /Rdiv -sum_add -sum_mulr; apply: sum_ext => i; rewrite /middle /sub; field.
Qed.

(** Not convex in query and keys together: the midpoint of q = u, k_j − k_0 = −u and q = −u, k_j − k_0 = u.
    [claim] wen2020.eq-1.1  [sense] saddle  [scope] real entries, any dimension, any number of negatives *)
Theorem eq_1_1_saddle u (zero : D -> R) : (0 < #|K|)%N -> 0 < dot u u -> (forall i, zero i = 0) ->
  let ends := ln (1 + INR #|K| * exp (- dot u u)) in
  φ u zero (fun=> scale (-1) u) = ends /\ φ (scale (-1) u) zero (fun=> u) = ends /\
  φ (middle u (scale (-1) u)) zero (fun=> middle (scale (-1) u) u) = ln (INR #|K| + 1) /\ ends < ln (INR #|K| + 1).
Proof.
move=> /card_gt0P [k _] u0 z ends; have zr w : dot w zero = 0.
  by rewrite /dot (sum_ext (G := fun=> 0)) ?sum_const => [|i]; rewrite ?z; ring.
have n0 : 0 < INR #|K| by apply: lt_0_INR; apply/ltP; apply/card_gt0P; exists k.
have flat q w c : dot q w = c -> φ q zero (fun=> w) = ln (1 + INR #|K| * exp c).
  by move=> e; rewrite /φ /logistic (sum_ext (G := fun=> exp c)) ?sum_const // => j; rewrite dotBr zr e Rminus_0_r.
split; first by apply: flat; rewrite dotZr; ring.
split; first by apply: flat; rewrite dotZl; ring.
split; last first.
  apply: ln_increasing; first by have := exp_pos (- dot u u); nra.
  by have : exp (- dot u u) < 1 by [rewrite -exp_0; apply: exp_increasing; lra]; nra.
rewrite (flat _ _ 0) ?exp_0; first by congr ln; ring.
by rewrite /dot (sum_ext (G := fun=> 0)) ?sum_const => [|i]; rewrite /middle /scale; [ring | field].
Qed.

(** [claim] wen2020.eq-1.1  [sense] positive  [scope] real entries, any dimension, one negative or more *)
Theorem eq_1_1_positive q k0 keys : (0 < #|K|)%N -> 0 < φ q k0 keys.
Proof.
move=> /card_gt0P [k _]; apply: ln_gt0; have := sum_exp_gt0 (fun j => dot q (sub (keys j) k0)) k; lra.
Qed.

(** * Equation (D.1): q̃ᵀz̃ − qᵀz = (q̃ − q)ᵀz + qᵀ(z̃ − z) + (q̃ − q)ᵀ(z̃ − z)
    [claim] wen2020.eq-d1  [sense] printed  [scope] real entries, any dimension *)
Theorem eq_d1_printed (q q' z z' : D -> R) :
  dot q' z' - dot q z = dot (sub q' q) z + dot q (sub z' z) + dot (sub q' q) (sub z' z).
Proof. by rewrite !dotE; ring. Qed.
End Objective.

(** * Controls *)
Definition entries (a b : R) (i : bool) : R := if i then a else b.

Lemma remainder_entries a b c e : remainder (entries a b) (entries c e) =
  ln (1 + (exp (a + c) + exp (b + e))) - ln (1 + (exp a + exp b)) - (exp a * c + exp b * e) / (1 + (exp a + exp b)).
Proof.
rewrite /remainder /logistic /p !sum_bool /=.
by have e1 := exp_pos a; have e2 := exp_pos b; field; lra.
Qed.

Lemma dot_entries a b : dot (entries a b) (entries a b) = a ^ 2 + b ^ 2.
Proof. by rewrite /dot sum_bool /=; ring. Qed.

(** Control a: ⅛ in place of ½. *)
Theorem lemma_d1_printed_control : ~ (forall (K : finType) (y h : K -> R), remainder y h <= 1 / 8 * dot h h).
Proof.
move=> /(_ _ (entries 0 1) (entries (1 / 10) (- (1 / 10)))); apply: Rlt_not_le; rewrite remainder_entries dot_entries; bound.
Qed.

(** 6/25 in place of ¼. *)
Theorem lemma_d1_half_control : ~ (forall (K : finType) (y h : K -> R), remainder y h <= 6 / 25 * dot h h).
Proof.
move=> /(_ _ (entries 5 5) (entries (1 / 10) (- (1 / 10)))); apply: Rlt_not_le; rewrite remainder_entries dot_entries; bound.
Qed.

Lemma remainder_unit a c : remainder (fun _ : unit => a) (fun=> c) = ln (1 + exp (a + c)) - ln (1 + exp a) - exp a / (1 + exp a) * c.
Proof. by rewrite /remainder /logistic /p !sum_unit. Qed.

(** Control c: strong convexity. *)
Theorem lemma_d1_s4_control : ~ (forall (K : finType) (y h : K -> R), 1 / 100 * dot h h <= remainder y h).
Proof.
move=> /(_ unit_finType (fun=> 10) (fun=> 1 / 10)); apply: Rlt_not_le; rewrite remainder_unit /dot sum_unit; bound.
Qed.

(** 1/9 in place of ⅛. *)
Theorem lemma_d1_eighth_control : ~ (forall y h : unit -> R, remainder y h <= 1 / 9 * dot h h).
Proof.
move=> /(_ (fun=> 0) (fun=> 1 / 10)); apply: Rlt_not_le; rewrite remainder_unit /dot sum_unit; bound.
Qed.

(** Control b of (1.1): without the positive. *)
Theorem eq_1_1_printed_control : ~ (forall (K D : finType) (q k0 : D -> R) (keys : K -> D -> R),
  - ln (exp (dot q k0) / (exp (dot q k0) + ∑ j, exp (dot q (keys j)))) = ln (∑ j, exp (dot q (sub (keys j) k0)))).
Proof.
move=> /(_ unit_finType unit_finType (fun=> 0) (fun=> 0) (fun _ _ => 0)).
rewrite /dot !sum_unit !Rmult_0_l exp_0 ln_1; apply: Rgt_not_eq; apply: Rlt_gt; bound.
Qed.

Lemma one_negative : (0 < #|unit_finType|)%N.
Proof. by rewrite card_unit. Qed.

(** Control a: query and keys together. *)
Theorem eq_1_1_convex_control : ~ (forall (K D : finType) (q q' k0 k0' : D -> R) (keys keys' : K -> D -> R),
  φ (middle q q') (middle k0 k0') (fun j => middle (keys j) (keys' j)) <= (φ q k0 keys + φ q' k0' keys') / 2).
Proof.
pose u (i : unit) := 1; have u0 : 0 < dot u u by rewrite /dot sum_unit /u; lra.
pose zero (i : unit) := (0 + 0) / 2; have z0 i : zero i = 0 by rewrite /zero; field.
move=> /(_ unit_finType _ u (scale (-1) u) (fun=> 0) (fun=> 0) (fun=> scale (-1) u) (fun=> u)).
have [e1 [e2 [e3 lt]]] := eq_1_1_saddle one_negative u0 (fun _ : unit => erefl 0).
have [_ [_ [m _]]] := eq_1_1_saddle one_negative u0 z0.
by rewrite -/zero m e1 e2; lra.
Qed.

(** log k in place of log(k + 1). *)
Theorem eq_1_1_saddle_control : ~ (forall (K D : finType) (u : D -> R), (0 < #|K|)%N -> 0 < dot u u ->
  ln (1 + INR #|K| * exp (- dot u u)) < ln (INR #|K|)).
Proof.
move=> /(_ _ unit_finType (fun=> 1) one_negative); rewrite card_unit /dot sum_unit => /(_ ltac:(lra)).
by apply: Rle_not_lt; rewrite /= ln_1; apply: Rlt_le; bound.
Qed.

(** Without a negative the objective vanishes. *)
Theorem eq_1_1_positive_control : ~ (forall (K D : finType) (q k0 : D -> R) (keys : K -> D -> R), 0 < φ q k0 keys).
Proof.
move=> /(_ (ordinal_finType 0) unit_finType (fun=> 0) (fun=> 0) (fun _ _ => 0)).
by rewrite /φ /logistic big_ord0 Rplus_0_r ln_1; apply: Rlt_irrefl.
Qed.

(** Control a of (D.1): without the third part. *)
Theorem eq_d1_printed_control : ~ (forall (D : finType) (q q' z z' : D -> R),
  dot q' z' - dot q z = dot (sub q' q) z + dot q (sub z' z)).
Proof.
move=> /(_ unit_finType (fun=> 0) (fun=> 1) (fun=> 0) (fun=> 1)); rewrite /dot !sum_unit /sub; lra.
Qed.
