(** Merad et al., after equation (5): the best linear classifier is at least as good as the mean classifier,
      L_sup(f, T) <= L_sup^μ(f, T)  for every task T,   hence   L_sup,k(f) <= L_sup,k^μ(f). *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Tactics Contrapositive.merad2020.Definitions Contrapositive.merad2020.PointMasses.
Set Implicit Arguments. Unset Strict Implicit.

Section SupLeMu.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R).
Hypothesis M : model ρ law.
Implicit Types (T : {set C}) (w : C -> D -> R).

Lemma task_ge0 T c : 0 <= task ρ T c.
Proof.
have ge c' : 0 <= ρ c' by apply: Rlt_le; exact: (ρ_gt0 M c').
have S0 : 0 <= ∑ (t | t \in T), ρ t by apply: psum_ge0.
rewrite /task; case: (c \in T); last by lra.
case: S0 => [S0 | <-]; first by apply: Rmult_le_pos => //; apply: Rlt_le; apply: Rinv_0_lt_compat.
by rewrite /Rdiv Rinv_0; lra.
Qed.

Lemma task_law T : T != set0 -> is_law (task ρ T).
Proof.
case/set0Pn => c cT; split; first exact: task_ge0.
have S0 : 0 < ∑ (t | t \in T), ρ t.
  rewrite (bigD1 c) //=; have := ρ_gt0 M c.
  suff: 0 <= ∑ (t | (t \in T) && (t != c)), ρ t by lra.
  by apply: psum_ge0 => t _; apply: Rlt_le; exact: (ρ_gt0 M t).
rewrite (sum_ext (G := fun t => (if t \in T then ρ t else 0) * / ∑ (t | t \in T), ρ t)) // sum_mulr.
by rewrite (sum_if (fun t => t \in T)); field; lra.
Qed.

Lemma head_loss_ge0 T w : 0 <= head_loss ρ law f T w.
Proof.
rewrite /head_loss /E; apply: sum_ge0 => c; case: (boolP (c \in T)) => cT; last first.
  by rewrite /task (negbTE cT) /Rdiv !Rmult_0_l; lra.
apply: Rmult_le_pos; first exact: task_ge0.
apply: (E_ge0 (class_law M c)) => x; apply: ln_ge0.
rewrite (bigD1 c) //= dotBr Rminus_diag_eq // exp_0.
have := psum_exp_ge0 (fun i => (i \in T) && (i != c)) (fun c' => dot (f x) (sub (w c') (w c))).
by lra.
Qed.

(** The infimum is at most the loss of each classifier. *)
Lemma L_sup_on_le T w : L_sup_on ρ law f T <= head_loss ρ law f T w.
Proof.
rewrite /L_sup_on; set P := fun l => exists w, l = _.
have [below greatest] := Glb_Rbar_correct P.
have : Rbar_le (Glb_Rbar P) (head_loss ρ law f T w) by apply: below; exists w.
have : Rbar_le 0 (Glb_Rbar P) by apply: greatest => l [v ->]; apply: head_loss_ge0.
by case: (Glb_Rbar P).
Qed.

(** [claim] merad2020.sup-le-mu  [sense] printed  [scope] finite laws, real entries; every task, the infimum itself *)
Theorem sup_le_mu_printed T : L_sup_on ρ law f T <= L_sup_μ_on ρ law f T.
Proof. exact: L_sup_on_le. Qed.

(** [claim] merad2020.sup-le-mu  [sense] average  [scope] finite laws, real entries; every k *)
Theorem sup_le_mu_average k : L_sup_k ρ law f k <= L_sup_k_μ ρ law f k.
Proof.
rewrite /L_sup_k /L_sup_k_μ /mean_over_tasks; apply: Rmult_le_compat_r.
  case: (posnP #|tasks C k|) => [-> | /ltP/lt_INR n0]; first by rewrite Rinv_0; lra.
  by apply: Rlt_le; apply: Rinv_0_lt_compat.
by apply: psum_le => T _; apply: sup_le_mu_printed.
Qed.

(** [claim] merad2020.sup-le-mu  [sense] guessing  [scope] finite laws, real entries; every task *)
Theorem sup_le_mu_guessing T : T != set0 -> L_sup_on ρ law f T <= Rmin (L_sup_μ_on ρ law f T) (ln (INR #|T|)).
Proof.
move=> T0; apply: Rmin_glb; first exact: L_sup_on_le.
apply: (Rle_trans _ _ _ (L_sup_on_le T (fun _ _ => 0))); apply: Req_le.
have none x : ln (∑ (c' | c' \in T), exp (dot (f x) (sub (fun _ => 0) (fun _ => 0)))) = ln (INR #|T|).
  have -> : dot (f x) (sub (fun=> 0) (fun=> 0)) = 0.
    by rewrite /dot (sum_ext (G := fun=> 0)) ?sum_const => [|i]; rewrite /sub; ring.
  by rewrite psum_const exp_0 Rmult_1_r.
rewrite /head_loss (E_ext (h := fun=> ln (INR #|T|))) => [|c].
  by rewrite E_const //; apply: task_law.
by rewrite (E_ext none) E_const //; exact: (class_law M c).
Qed.

(** The task of all classes is the law ρ of the classes, and its loss is that of Lemma 1. *)
Lemma task_all c : task ρ setT c = ρ c.
Proof. by rewrite /task inE sum_setT (ρ_sum M) Rdiv_1. Qed.

Lemma L_sup_μ_on_all : L_sup_μ_on ρ law f setT = L_sup_μ ρ law f.
Proof.
rewrite /L_sup_μ_on /head_loss /L_sup_μ /E; apply: sum_ext => c; rewrite task_all; congr (_ * _).
by apply: sum_ext => x; rewrite /LSE sum_setT.
Qed.

(** The first inequality of Lemma 1.
    [claim] merad2020.lemma-1  [sense] head  [scope] finite laws, real entries; the infimum itself *)
Theorem lemma_1_head : L_sup ρ law f <= L_sup_μ ρ law f.
Proof. by rewrite -L_sup_μ_on_all; apply: sup_le_mu_printed. Qed.
End SupLeMu.

(** * Control *)

(** Two equally likely classes, the points 1 and 3: guessing costs log 2, the mean classifier
    ½ log(1 + e²) + ½ log(1 + e^{−6}). *)
Definition one_three (b : bool) : R := if b then 1 else 3.

Lemma all_classes : [set: bool] != set0.
Proof. by apply/set0Pn; exists true; rewrite inE. Qed.

Lemma sup_lt_mu : L_sup_on coin (@point bool_finType) (on_line one_three) setT < L_sup_μ_on coin (@point bool_finType) (on_line one_three) setT.
Proof.
apply: Rle_lt_trans (Rle_trans _ _ _ (sup_le_mu_guessing _ coin_model all_classes) (Rmin_r _ _)) _.
rewrite L_sup_μ_on_all; last exact: coin_model.
rewrite cardsT card_bool L_sup_μ_point E_coin /LSE; expand; rewrite !dot_on_line /one_three /=.
bound.
Qed.

(** Control a: no classifier is better than the mean classifier. *)
Theorem sup_le_mu_printed_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) (T : {set C}),
  model ρ law -> L_sup_μ_on ρ law f T <= L_sup_on ρ law f T).
Proof. by move=> /(_ _ _ _ _ _ (on_line one_three) setT coin_model); have := sup_lt_mu; lra. Qed.

Theorem lemma_1_head_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R),
  model ρ law -> L_sup_μ ρ law f <= L_sup ρ law f).
Proof.
move=> /(_ _ _ _ _ _ (on_line one_three) coin_model); rewrite -(L_sup_μ_on_all _ coin_model) /L_sup.
by have := sup_lt_mu; lra.
Qed.

(** ... and the same for the mean over the tasks of two classes, of which there is one. *)
Lemma tasks_bool : tasks bool_finType 1 = [set setT].
Proof.
apply/setP => T; rewrite !inE [T == setT]eqEcard subsetT cardsT card_bool /= eqn_leq.
by have := max_card (mem T); rewrite card_bool => ->.
Qed.

Theorem sup_le_mu_average_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) k,
  model ρ law -> L_sup_k_μ ρ law f k <= L_sup_k ρ law f k).
Proof.
move=> /(_ _ _ _ _ _ (on_line one_three) 1%N coin_model).
rewrite /L_sup_k /L_sup_k_μ /mean_over_tasks tasks_bool cards1 !big_set1 /Rdiv Rinv_1 !Rmult_1_r.
by have := sup_lt_mu; lra.
Qed.

(** Half of log|T|: where f is constant, every classifier costs log|T|. *)
Theorem sup_le_mu_guessing_control : ~ (forall (C X D : finType) ρ (law : C -> X -> R) (f : X -> D -> R) (T : {set C}),
  model ρ law -> T != set0 -> L_sup_on ρ law f T <= Rmin (L_sup_μ_on ρ law f T) (1 / 2 * ln (INR #|T|))).
Proof.
pose f (x i : bool) := 0.
move=> /(_ _ _ _ _ _ f setT coin_model all_classes) /Rle_trans /(_ (Rmin_r _ _)); apply: Rlt_not_le.
have cost w : head_loss coin (@point bool_finType) f setT w = ln 2.
  have none b c c' : dot (f b) (sub (w c') (w c)) = 0.
    by rewrite /dot (sum_ext (G := fun=> 0)) ?sum_const => [|i]; rewrite /f; ring.
  rewrite /head_loss (E_ext (h := fun=> ln 2)) => [|c]; last by rewrite E_point sum_setT sum_bool !none exp_0.
  by rewrite E_const //; exact: (task_law coin_model all_classes).
rewrite cardsT card_bool /L_sup_on; have -> : INR 2 = 2 by rewrite /=; ring.
set P := fun l => _.
have [below greatest] := Glb_Rbar_correct P.
have : Rbar_le (Glb_Rbar P) (ln 2) by apply: below; exists (fun _ _ => 0); rewrite cost.
have : Rbar_le (ln 2) (Glb_Rbar P) by apply: greatest => l [w ->]; rewrite cost; apply: Rle_refl.
have l2 : 0 < ln 2 by apply: ln_gt0; lra.
by case: (Glb_Rbar P) => [g low _ | _ [] | []]; rewrite /= in low *; lra.
Qed.
