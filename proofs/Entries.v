(** Entries that are real numbers or −∞, with e^{−∞} = 0: order, sum, mean, exponential and logarithm, and the
    functions of lists that the papers use: the largest entry, log-sum-exp, softplus. *)
Require Import Contrapositive.Sums Contrapositive.Logarithms.
Set Implicit Arguments. Unset Strict Implicit.

(** A real number is an entry; [−∞] is the other one. *)
Inductive entry := Real (t : R) | MinusInfinity.
Coercion Real : R >-> entry.
Notation "−∞" := MinusInfinity.

Definition at_most (a b : entry) : Prop :=
  match a, b with −∞, _ => True | Real s, Real t => s <= t | Real _, −∞ => False end.
Infix "≼" := at_most (at level 70, no associativity).

(** A sum with −∞ is −∞. *)
Definition plus (a b : entry) : entry :=
  match a, b with Real s, Real t => Real (s + t) | _, _ => −∞ end.
Infix "⊕" := plus (at level 50, left associativity).
Notation "a ⊖ t" := (plus a (Real (- t))) (at level 50, left associativity).

(** e^a, and its inverse on the numbers that are not negative. *)
Definition Exp (a : entry) : R := if a is Real t then exp t else 0.
Definition Log (w : R) : entry := if Rlt_dec 0 w then Real (ln w) else −∞.

(** log(1 + e^a), which is 0 at −∞. *)
Definition softplus (a : entry) : R := ln (1 + Exp a).

Section Lists.
Variable I : finType.
Implicit Types (x : I -> entry) (S : pred I).

(** The largest entry, [M], where it is a number: where an entry is finite. *)
Definition largest (M : R) x : Prop := (forall i, x i ≼ M) /\ (exists i, x i = M).

(** The mean, which is −∞ if an entry is. *)
Definition mean x : entry := if \big[plus/Real 0]_i x i is Real s then Real (s / INR #|I|) else −∞.

(** log Σ e^{x_i} over all entries, and over those of a part of the index. *)
Definition lse x : entry := Log (∑ i, Exp (x i)).
Definition lse_on S x : entry := Log (∑ (i | S i), Exp (x i)).
End Lists.

(** * Exponential and logarithm *)
Lemma Exp_ge0 a : 0 <= Exp a.
Proof. by case: a => [t|] /=; [apply: Rlt_le; apply: exp_pos | apply: Rle_refl]. Qed.

Lemma Exp_gt0 a : a <> −∞ -> 0 < Exp a.
Proof. by case: a => [t _|] //=; apply: exp_pos. Qed.

Lemma Exp_Log w : 0 <= w -> Exp (Log w) = w.
Proof. by rewrite /Log; case: Rlt_dec => /= [w0 _ | w0 ge]; [exact: exp_ln | lra]. Qed.

Lemma Log_gt0 w : 0 < w -> Log w = ln w.
Proof. by rewrite /Log; case: Rlt_dec. Qed.

Lemma Exp_plus a b : Exp (a ⊕ b) = Exp a * Exp b.
Proof. by case: a b => [s|] [t|] /=; rewrite ?exp_plus; lra. Qed.

Lemma at_mostE a b : a ≼ b <-> Exp a <= Exp b.
Proof.
case: a b => [s|] [t|] /=.
- split=> [|le]; first exact: exp_le.
  by case: (Rle_lt_dec s t) => // /exp_increasing; lra.
- by split=> //; have := exp_pos s; lra.
- by split=> // _; apply: Rlt_le (exp_pos t).
- by split=> // _; apply: Rle_refl.
Qed.

(** * Sums *)
Lemma plusA : associative plus.
Proof. by case=> [r|] [s|] [t|] //=; rewrite Rplus_assoc. Qed.
Lemma plusC : commutative plus.
Proof. by case=> [s|] [t|] //=; rewrite Rplus_comm. Qed.
Lemma plus_0 : left_id (Real 0) plus.
Proof. by case=> [t|] //=; rewrite Rplus_0_l. Qed.
Canonical plus_monoid := Monoid.Law plusA plus_0 (fun a => etrans (plusC a 0) (plus_0 a)).
Canonical plus_comoid := Monoid.ComLaw plusC.

Section Sums.
Variable I : finType.
Implicit Types (x : I -> entry) (S : pred I).

Lemma sum_Exp_ge0 S x : 0 <= ∑ (i | S i), Exp (x i).
Proof. by apply: psum_ge0 => i _; apply: Exp_ge0. Qed.

Lemma sum_Exp_gt0 S x i : S i -> x i <> −∞ -> 0 < ∑ (j | S j), Exp (x j).
Proof.
by move=> Si fin; rewrite (bigD1 i) //=; have := Exp_gt0 fin; have := sum_Exp_ge0 (fun j => S j && (j != i)) x; lra.
Qed.

Lemma Exp_lse x : Exp (lse x) = ∑ i, Exp (x i).
Proof. by apply: Exp_Log; apply: sum_Exp_ge0. Qed.

Lemma Exp_lse_on S x : Exp (lse_on S x) = ∑ (i | S i), Exp (x i).
Proof. by apply: Exp_Log; apply: sum_Exp_ge0. Qed.

(** Entries that are all numbers: the functions of Logarithms.v. *)
Lemma lse_real (x : I -> R) (i : I) : lse x = LSE x.
Proof. by rewrite /lse Log_gt0 //; apply: (sum_exp_gt0 x i). Qed.

Lemma mean_real (t : I -> R) : mean t = (∑ i, t i) / INR #|I|.
Proof. by rewrite /mean -(@big_morph _ _ Real (Real 0) plus 0 Rplus). Qed.

(** The entries are all numbers, or their mean is −∞. *)
Lemma mean_cases x : (exists t : I -> R, forall i, x i = t i) \/ mean x = −∞.
Proof.
pose number a := if a is Real _ then true else false.
case: (boolP [forall i, number (x i)]) => [/forallP all | some]; [left | right].
  by exists (fun i => if x i is Real t then t else 0) => i; have := all i; case: (x i).
by move: some; rewrite negb_forall => /existsP [i no]; rewrite /mean (bigD1 i) //=; case: (x i) no.
Qed.
End Sums.

(** A list with a finite entry has a largest one. *)
Lemma largest_exists (I : finType) (x : I -> entry) : (exists i, x i <> −∞) -> exists M, largest M x.
Proof.
case=> i0 fin; pose bounds M (s : seq I) := (forall i, i \in s -> x i ≼ Real M) /\ (exists i, x i = M).
suff [M [le at_M]] : exists M, bounds M (enum I) by exists M; split=> // i; apply: le; rewrite mem_enum.
elim: (enum I) => [|i s [M [le [k eq]]]].
  by case e: (x i0) fin => [t|] // _; exists t; split=> //; exists i0.
have above t : M <= t -> forall j, j \in s -> x j ≼ t by move=> Mt j /le; case: (x j) => //= r; lra.
case e: (x i) => [t|]; last first.
  by exists M; split=> [j|]; [rewrite in_cons => /orP [/eqP -> | /le //]; rewrite e | exists k].
case: (Rle_lt_dec t M) => tM; [exists M | exists t]; split; try by [exists k | exists i].
- by move=> j; rewrite in_cons => /orP [/eqP -> | /le //]; rewrite e.
- by move=> j; rewrite in_cons => /orP [/eqP -> | js]; [rewrite e; apply: Rle_refl | apply: above js; lra].
Qed.
