(** Ren and Li, Lemma B.2 (Lemma 5.2): for X′ = −A X and Y′ = A X Y with X_0, Y_0 > 0,
      Y_T <= Y_0 e^{X_0}.
    In fact log Y + X is conserved, and the slack is exactly X_T.  A is any continuous function. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Calculus Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

Section LemmaB2.
Variables (A X Y : R -> R) (T : R).
Hypothesis T0 : 0 <= T.
Hypothesis DX : forall t, 0 <= t <= T -> is_derive X t (- A t * X t).
Hypothesis DY : forall t, 0 <= t <= T -> is_derive Y t (A t * X t * Y t).

Lemma conserved_product : Y T * exp (X T) = Y 0 * exp (X 0).
Proof.
apply: (@constant (fun t => Y t * exp (X t)) 0 T T0) => t t_in.
have dx := DX t_in; have dy := DY t_in.
auto_derive; first by split; [exists (A t * X t * Y t) | split; [exists (- A t * X t) |]].
by rewrite (is_derive_unique _ _ _ dx) (is_derive_unique _ _ _ dy); ring.
Qed.

Lemma Y_gt0 : 0 < Y 0 -> 0 < Y T.
Proof.
move=> y0; have := conserved_product; have eT := exp_pos (X T); have e0 := exp_pos (X 0).
by have := Rmult_lt_0_compat _ _ y0 e0; nra.
Qed.

(** log Y_T + X_T = log Y_0 + X_0.
    [claim] ren2023.lemma-b2  [sense] conserved  [scope] any A; X and Y differentiable on [0, T], Y_0 > 0 *)
Theorem lemma_b2_conserved : 0 < Y 0 -> ln (Y T) + X T = ln (Y 0) + X 0.
Proof.
move=> y0; have yT := Y_gt0 y0; rewrite -{1}(ln_exp (X T)) -{1}(ln_exp (X 0)) -!ln_mult //; try exact: exp_pos.
by rewrite conserved_product.
Qed.

Hypothesis A_continuous : forall t, continuous A t.

(** X_T = X_0 e^{−∫A}.
    [claim] ren2023.lemma-b2  [sense] s1  [scope] continuous A *)
Theorem lemma_b2_s1 : X T = X 0 * exp (- RInt A 0 T).
Proof.
have DI t : is_derive (RInt A 0) t (A t).
  apply: (@is_derive_RInt _ A (RInt A 0) 0 t); last exact: A_continuous.
  apply: filter_forall => u; apply: (RInt_correct A); apply: ex_RInt_continuous => *; exact: A_continuous.
have I0 : RInt A 0 0 = 0 by apply: (RInt_point 0 A).
move: (RInt A 0) DI I0 => I DI I0.
have e : X T * exp (I T) = X 0 * exp (I 0).
  apply: (@constant (fun t => X t * exp (I t)) 0 T T0) => t t_in; have dx := DX t_in.
  auto_derive; first by split; [exists (- A t * X t) | split; [exists (A t); exact: DI |]].
  by rewrite (is_derive_unique _ _ _ dx) (is_derive_unique _ _ _ (DI t)); ring.
have p := exp_pos (I T); rewrite I0 exp_0 Rmult_1_r in e; rewrite exp_Ropp -e; field; lra.
Qed.

(** ... which is positive with X_0.
    [claim] ren2023.lemma-b2  [sense] s3  [scope] continuous A *)
Theorem lemma_b2_s3 : 0 < X 0 -> 0 < X T.
Proof. by move=> x0; rewrite lemma_b2_s1; apply: Rmult_lt_0_compat (exp_pos _). Qed.

(** log Y_T <= log Y_0 + X_0.
    [claim] ren2023.lemma-b2  [sense] printed  [scope] continuous A of any sign; X_0 >= 0, Y_0 > 0 *)
Theorem lemma_b2_printed : 0 <= X 0 -> 0 < Y 0 -> ln (Y T) <= ln (Y 0) + X 0.
Proof.
move=> x0 y0; have := lemma_b2_conserved y0; have : 0 <= X T; last by lra.
by rewrite lemma_b2_s1; apply: Rmult_le_pos => //; apply: Rlt_le; apply: exp_pos.
Qed.

(** log Y_T = log Y_0 + X_0 (1 − e^{−∫A}).
    [claim] ren2023.lemma-b2  [sense] strict  [scope] continuous A of any sign; Y_0 > 0 *)
Theorem lemma_b2_strict : 0 < Y 0 -> ln (Y T) = ln (Y 0) + X 0 * (1 - exp (- RInt A 0 T)).
Proof. by move=> /lemma_b2_conserved; have := lemma_b2_s1; lra. Qed.
End LemmaB2.

(** * Controls: A = 1, X = c e^{−t}, Y = e^{−X} *)
Definition Xc (c t : R) : R := c * exp (- t).
Definition Yc (c t : R) : R := exp (- Xc c t).

Lemma DXc c t : is_derive (Xc c) t (- (1) * Xc c t).
Proof. by rewrite /Xc; auto_derive => //; ring. Qed.
Lemma DYc c t : is_derive (Yc c) t (1 * Xc c t * Yc c t).
Proof. by rewrite /Yc /Xc; auto_derive => //; ring. Qed.

Lemma RInt_one T : RInt (fun=> 1) 0 T = T.
Proof. by rewrite RInt_const /scal /= /mult /=; ring. Qed.

(** Control n1: half of X_0. *)
Theorem lemma_b2_printed_control : ~ (forall (A X Y : R -> R) T, 0 <= T ->
  (forall t, 0 <= t <= T -> is_derive X t (- A t * X t)) -> (forall t, 0 <= t <= T -> is_derive Y t (A t * X t * Y t)) ->
  (forall t, continuous A t) -> 0 <= X 0 -> 0 < Y 0 -> ln (Y T) <= ln (Y 0) + X 0 / 2).
Proof.
move=> /(_ (fun=> 1) (Xc 1) (Yc 1) 1 Rle_0_1 (fun t _ => DXc 1 t) (fun t _ => DYc 1 t) (fun t => continuous_const 1 t)).
have -> : Xc 1 0 = 1 by rewrite /Xc Ropp_0 exp_0; ring.
move=> /(_ Rle_0_1 (exp_pos _)); rewrite /Yc !ln_exp /Xc; apply: Rlt_not_le; bound.
Qed.

(** The sign of X in what is conserved. *)
Theorem lemma_b2_conserved_control : ~ (forall (A X Y : R -> R) T, 0 <= T ->
  (forall t, 0 <= t <= T -> is_derive X t (- A t * X t)) -> (forall t, 0 <= t <= T -> is_derive Y t (A t * X t * Y t)) ->
  0 < Y 0 -> ln (Y T) - X T = ln (Y 0) - X 0).
Proof.
move=> /(_ (fun=> 1) (Xc 1) (Yc 1) 1 Rle_0_1 (fun t _ => DXc 1 t) (fun t _ => DYc 1 t) (exp_pos _)).
by rewrite /Yc !ln_exp /Xc; apply: Rgt_not_eq; apply: Rlt_gt; bound.
Qed.

(** e^{+∫A}. *)
Theorem lemma_b2_s1_control : ~ (forall (A X : R -> R) T, 0 <= T ->
  (forall t, 0 <= t <= T -> is_derive X t (- A t * X t)) -> (forall t, continuous A t) -> X T = X 0 * exp (RInt A 0 T)).
Proof.
move=> /(_ (fun=> 1) (Xc 1) 1 Rle_0_1 (fun t _ => DXc 1 t) (fun t => continuous_const 1 t)).
by rewrite RInt_one /Xc; apply: Rlt_not_eq; bound.
Qed.

(** X does not stay above its start. *)
Theorem lemma_b2_s3_control : ~ (forall (A X : R -> R) T, 0 <= T ->
  (forall t, 0 <= t <= T -> is_derive X t (- A t * X t)) -> (forall t, continuous A t) -> 0 < X 0 -> X 0 <= X T).
Proof.
move=> /(_ (fun=> 1) (Xc 1) 1 Rle_0_1 (fun t _ => DXc 1 t) (fun t => continuous_const 1 t)); rewrite /Xc => /(_ ltac:(bound)).
by apply: Rlt_not_le; bound.
Qed.

(** Without e^{−∫A}: the slack is not zero. *)
Theorem lemma_b2_strict_control : ~ (forall (A X Y : R -> R) T, 0 <= T ->
  (forall t, 0 <= t <= T -> is_derive X t (- A t * X t)) -> (forall t, 0 <= t <= T -> is_derive Y t (A t * X t * Y t)) ->
  (forall t, continuous A t) -> 0 < Y 0 -> ln (Y T) = ln (Y 0) + X 0).
Proof.
move=> /(_ (fun=> 1) (Xc 1) (Yc 1) 1 Rle_0_1 (fun t _ => DXc 1 t) (fun t _ => DYc 1 t) (fun t => continuous_const 1 t) (exp_pos _)).
by rewrite /Yc !ln_exp /Xc; apply: Rlt_not_eq; bound.
Qed.
