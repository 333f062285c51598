(** The definitions at small instances, as formulas that [interval] can bound.

    A vector of an instance is the list of its entries, a matrix the list of its rows.  [written_out] turns sums over
    finite types into sums of their terms.  [enclosed] then shows that the number lies between two bounds, [refuted] that
    it does not.  Both compute in emulated arithmetic of 70 bits, or of 100: the bounds are doubles that lie next to the number,
    and 53 bits would not always tell them from it. *)
From Coquelicot Require Import Coquelicot.
From Interval Require Export Tactic.
Require Export Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Vectors.
Require Import Contrapositive.merad2020.Definitions Contrapositive.merad2020.Conditional Contrapositive.merad2020.SupLeMu.
Set Implicit Arguments. Unset Strict Implicit.

(** * Instances *)
Definition vector (n : nat) (l : seq R) (i : 'I_n) : R := nth 0 l i.
Definition matrix (m n : nat) (l : seq (seq R)) (i : 'I_m) (j : 'I_n) : R := nth 0 (nth [::] l i) j.
(** Columns of two blocks, as signals and noises. *)
Definition beside (m r q : nat) (S : 'I_m -> 'I_r -> R) (N : 'I_m -> 'I_q -> R) (i : 'I_m) (l : 'I_r + 'I_q) : R :=
  match l with inl p => S i p | inr k => N i k end.

(** * The index types as lists that compute *)
Fixpoint numbers (n : nat) : seq 'I_n := if n is m.+1 then ord0 :: map (lift ord0) (numbers m) else [::].

Lemma numbers_ord n : index_enum (ordinal_finType n) = numbers n.
Proof.
rewrite /index_enum locked_withE -enumT; elim: n => [|n IH] /=; first by apply: size0nil; rewrite size_enum_ord.
by rewrite enum_ordSl IH.
Qed.

Lemma numbers_all n (P : 'I_n -> Prop) : foldr (fun i rest => P i /\ rest) True (numbers n) -> forall i, P i.
Proof.
move=> all i; have: i \in numbers n by rewrite -numbers_ord mem_index_enum.
by elim: (numbers n) all => //= j s IH [Pj rest]; rewrite in_cons => /orP [/eqP -> | /(IH rest)].
Qed.

Lemma numbers_pair (A B : finType) : index_enum (prod_finType A B) = [seq (i, j) | i <- index_enum A, j <- index_enum B].
Proof. by rewrite /index_enum !locked_withE [LHS](congr1 (fun e => e _) Finite.EnumDef.enumDef) /= /prod_enum -!enumT. Qed.

Lemma numbers_sum (A B : finType) : index_enum (sum_finType A B) = map inl (index_enum A) ++ map inr (index_enum B).
Proof. by rewrite /index_enum !locked_withE [LHS](congr1 (fun e => e _) Finite.EnumDef.enumDef) /= /sum_enum -!enumT. Qed.

(** * Draws: the first one, and the others *)
Section Draws.
Variable X : finType.

Lemma E_first K (p : 'I_K.+1 -> X -> R) (g : {ffun 'I_K.+1 -> X} -> R) : E (independent p) g =
  𝔼 x ~ p ord0, 𝔼 Y ~ independent (fun k => p (lift ord0 k)), g (cons_draw (x, Y)).
Proof.
rewrite /E (reindex _ (onW_bij _ (@cons_draw_bij X K))) /=.
transitivity (∑ x, ∑ Y, independent p (cons_draw (x, Y)) * g (cons_draw (x, Y))).
  by rewrite pair_bigA; apply: sum_ext => -[x Y].
apply: sum_ext => x; rewrite -sum_mull; apply: sum_ext => Y.
rewrite /independent big_ord_recl cons_draw0 (eq_bigr (fun k => p (lift ord0 k) (Y k))) => [|k _]; last by rewrite cons_drawS.
by rewrite /=; ring.
Qed.

Lemma E_none (p : 'I_0 -> X -> R) (g : {ffun 'I_0 -> X} -> R) Y : E (independent p) g = g Y.
Proof.
rewrite /E (big_pred1 Y) => [|Z]; first by rewrite /independent big_ord0; ring.
by apply/esym/eqP/ffunP; case.
Qed.

Definition no_draw : {ffun 'I_0 -> X} := [ffun i : 'I_0 => False_rect X (notF (ltn_ord i))].
End Draws.

(** L_un^1 and L_un^2 as sums over the classes and inputs of each negative. *)
Section Negatives.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R).

Lemma L_un_one : L_un_N ρ law f 1 = 𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 xp ~ law c, 𝔼 c1 ~ ρ, 𝔼 x1 ~ law c1,
  - ln (exp (dot (f x) (f xp)) / (exp (dot (f x) (f xp)) + exp (dot (f x) (f x1)))).
Proof.
apply: E_ext => c; apply: E_ext => x; apply: E_ext => xp; rewrite /draws E_first; apply: E_ext => c1.
rewrite (E_none _ _ (no_draw C)) E_first cons_draw0; apply: E_ext => x1; rewrite (E_none _ _ (no_draw X)).
by rewrite big_ord_recl big_ord0 cons_draw0 Rplus_0_r.
Qed.

Lemma L_un_two : L_un_N ρ law f 2 =
  𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 xp ~ law c, 𝔼 c1 ~ ρ, 𝔼 c2 ~ ρ, 𝔼 x1 ~ law c1, 𝔼 x2 ~ law c2,
  - ln (exp (dot (f x) (f xp)) / (exp (dot (f x) (f xp)) + (exp (dot (f x) (f x1)) + exp (dot (f x) (f x2))))).
Proof.
apply: E_ext => c; apply: E_ext => x; apply: E_ext => xp; rewrite /draws E_first; apply: E_ext => c1.
rewrite E_first; apply: E_ext => c2; rewrite (E_none _ _ (no_draw C)) E_first cons_draw0; apply: E_ext => x1.
rewrite E_first cons_drawS cons_draw0; apply: E_ext => x2; rewrite (E_none _ _ (no_draw X)).
by rewrite !big_ord_recl big_ord0 cons_drawS !cons_draw0 Rplus_0_r.
Qed.
End Negatives.

(** Classes of one value each: an expectation over the values of a class is the term at its value. *)
Section PointMasses.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R) (at_ : C -> X).
Hypothesis masses : forall c x, law c x = if x == at_ c then 1 else 0.
Let s c d := dot (f (at_ c)) (f (at_ d)).

Lemma E_at c g : E (law c) g = g (at_ c).
Proof.
rewrite /E (sum_ext (G := fun x => if x == at_ c then g x else 0)) => [|x]; last by rewrite masses; case: eqP => _; ring.
by rewrite -big_mkcond big_pred1_eq.
Qed.

Lemma L_un_at : L_un ρ law f = 𝔼 c ~ ρ, 𝔼 c1 ~ ρ, ζ (dot (f (at_ c)) (sub (f (at_ c1)) (f (at_ c)))).
Proof. by apply: E_ext => c; rewrite !E_at; apply: E_ext => c1; rewrite E_at. Qed.

Lemma L_un_one_at : L_un_N ρ law f 1 = 𝔼 c ~ ρ, 𝔼 c1 ~ ρ, - ln (exp (s c c) / (exp (s c c) + exp (s c c1))).
Proof. by rewrite L_un_one; apply: E_ext => c; rewrite !E_at; apply: E_ext => c1; rewrite E_at. Qed.

Lemma L_un_two_at : L_un_N ρ law f 2 = 𝔼 c ~ ρ, 𝔼 c1 ~ ρ, 𝔼 c2 ~ ρ,
  - ln (exp (s c c) / (exp (s c c) + (exp (s c c1) + exp (s c c2)))).
Proof. by rewrite L_un_two; apply: E_ext => c; rewrite !E_at; apply: E_ext => c1; apply: E_ext => c2; rewrite !E_at. Qed.
End PointMasses.

(** * Tasks: all classes but one *)
Section Tasks.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R).

Lemma sum_but (d : C) (F : C -> R) : ∑ (c | c \in [set~ d]), F c = ∑ c, if c != d then F c else 0.
Proof. by rewrite big_mkcond; apply: sum_ext => c; rewrite !inE. Qed.

Lemma task_but d : L_sup_μ_on ρ law f [set~ d] =
  𝔼 c ~ (fun c => (if c != d then ρ c else 0) / ∑ t, if t != d then ρ t else 0), 𝔼 x ~ law c,
    ln (∑ c', if c' != d then exp (dot (f x) (sub (μ law f c') (μ law f c))) else 0).
Proof.
rewrite /L_sup_μ_on /head_loss /E; apply: sum_ext => c; rewrite /task sum_but !inE; congr (_ * _).
by apply: sum_ext => x; rewrite sum_but.
Qed.

Lemma tasks_but k : #|C| = k.+2 -> tasks C k = [set [set~ d] | d in C].
Proof.
move=> size; apply/setP => T; rewrite inE; apply/eqP/imsetP => [T1 | [d _ ->]]; last by rewrite cardsC1 size.
have: #|~: T| = 1%N by rewrite cardsCs setCK T1 size subSnn.
by move/eqP/cards1P => [d Td]; exists d => //; rewrite -Td setCK.
Qed.

Lemma mean_but k : #|C| = k.+2 -> L_sup_k_μ ρ law f k = (∑ d, L_sup_μ_on ρ law f [set~ d]) / INR k.+2.
Proof.
have inj : injective (fun d : C => [set~ d]) by move=> d e /setC_inj /set1_inj.
move=> size; rewrite /L_sup_k_μ /mean_over_tasks tasks_but // card_imset // -size big_imset => [|d e _ _ /inj //].
by congr (_ / _); apply: eq_bigl.
Qed.

Lemma mean_written_out k : #|C| = k.+2 -> L_sup_k_μ ρ law f k = (∑ d,
  𝔼 c ~ (fun c => (if c != d then ρ c else 0) / ∑ t, if t != d then ρ t else 0), 𝔼 x ~ law c,
    ln (∑ c', if c' != d then exp (dot (f x) (sub (μ law f c') (μ law f c))) else 0)) / INR k.+2.
Proof. by move=> size; rewrite mean_but //; congr (_ / _); apply: sum_ext => d; exact: task_but. Qed.
End Tasks.

(** * The infimum over all classifiers, where the embedding is zero *)
Section Zero.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R).

Lemma L_sup_constant k : (forall w, head_loss ρ law f setT w = k) -> L_sup ρ law f = k.
Proof.
move=> same; rewrite /L_sup /L_sup_on (is_glb_Rbar_unique _ (Finite k)) //; split=> [l [w ->]|b lower].
  by rewrite same; apply: Rle_refl.
by apply: lower; exists (fun _ _ => 0); rewrite same.
Qed.

Lemma L_sup_zero : model ρ law -> (forall x i, f x i = 0) -> L_sup ρ law f = ln (INR #|C|).
Proof.
move=> M f0; apply: L_sup_constant => w.
have T0 : [set: C] != set0.
  apply/set0Pn; have : 0 < INR #|C| by apply: (law_inhabited (p := ρ)); split=> [c|]; [apply: Rlt_le; exact: ρ_gt0 M c | exact: ρ_sum M].
  by case: (pickP C) => [c _ _|no]; [exists c; rewrite inE | rewrite eq_card0 //= => lt; lra].
rewrite /head_loss (E_ext (h := fun=> ln (INR #|C|))) => [|c]; first exact: (E_const (task_law M T0)).
rewrite (E_ext (h := fun=> ln (INR #|C|))) => [|x]; first exact: (E_const (class_law M c)).
congr ln; rewrite sum_setT (sum_ext (G := fun=> 1)) => [|c']; first by rewrite sum_const Rmult_1_r.
have -> : dot (f x) (sub (w c') (w c)) = 0; last exact: exp_0.
by rewrite /dot big1 // => i _; rewrite f0; ring.
Qed.
End Zero.

(** * Tactics *)
Ltac written_out :=
  rewrite ?unlock ?numbers_pair ?numbers_sum ?numbers_ord;
  lazy -[Rle Rlt not Rplus Rmult Rminus Ropp Rinv Rdiv exp ln sqrt pow IZR].
Ltac enclosed := written_out; first [interval with (i_prec 70) | interval with (i_prec 100) | split; lra].
Ltac apart h := apply: (Rlt_not_le _ _ _ h); interval with (i_prec 70).
Ltac refuted :=
  written_out; let above := fresh in let below := fresh in move=> [above below]; first [apart above | apart below | lra].
Ltac mean_of_tasks := rewrite (mean_written_out _ _ _ (card_ord _)) INR_IZR_INZ.

(** An instance is a model: a statement about each of its numbers at a time. *)
Ltac each := apply: numbers_all; cbv -[Rle Rlt Rplus Rmult Rminus Ropp Rinv Rdiv IZR]; repeat split; lra.
Ltac is_model :=
  split; [each | written_out; lra | apply: numbers_all; cbv beta iota zeta delta [numbers foldr map]; do !split => //];
  first [each | written_out; lra].
Ltac zero_entries :=
  apply: numbers_all; cbv beta iota zeta delta [numbers foldr map]; do !split => //; apply: numbers_all; cbv; repeat split.
(** An instance is made of classes of one value each. *)
Ltac masses := apply: numbers_all; cbv beta iota zeta delta [numbers foldr map]; do !split => //; each.
Ltac at_zero M := rewrite (L_sup_zero M) ?card_ord ?INR_IZR_INZ; last zero_entries.
