(** The few tactics that the files share, and the small laws on which false variants are refuted. *)
From Interval Require Export Tactic.
Require Import Contrapositive.Sums.
Set Implicit Arguments. Unset Strict Implicit.

(** Bounds of closed expressions, always in emulated arithmetic: without [i_prec] the processor's floating point
    would be among what one must believe. *)
Ltac bound := interval with (i_prec 53).

(** Sums over [unit] and [bool], written out. *)
Ltac expand := rewrite ?psum_bool ?sum_unit /=.

(** * Small laws *)

(** The law of a single value. *)
Definition point (X : finType) (c x : X) : R := if x == c then 1 else 0.

Lemma E_point (X : finType) (c : X) (g : X -> R) : E (point c) g = g c.
Proof.
rewrite /E (sum_ext (G := fun x => if c == x then g x else 0)) ?sum_if1 // => x.
by rewrite /point eq_sym; case: eqP => _; ring.
Qed.

Lemma point_law (X : finType) (c : X) : is_law (point c).
Proof.
split=> [x|]; first by rewrite /point; case: eqP => _; lra.
by rewrite -(E_point c (fun=> 1)); apply: sum_ext => x; ring.
Qed.

(** A fair coin, and the law on one point. *)
Definition coin (b : bool) : R := 1 / 2.
Definition sure (u : unit) : R := 1.

Lemma coin_law : is_law coin.
Proof. by split=> [x|]; rewrite ?sum_bool /coin; lra. Qed.

Lemma sure_law : is_law sure.
Proof. by split=> [x|]; rewrite ?sum_unit /sure; lra. Qed.

(** The law (9, 1)/10. *)
Definition nine_to_one (b : bool) : R := if b then 9 / 10 else 1 / 10.

Lemma E_coin g : E coin g = (g true + g false) / 2.
Proof. by rewrite /E sum_bool /coin; field. Qed.

Lemma E_sure g : E sure g = g tt.
Proof. by rewrite /E sum_unit /sure; ring. Qed.

(** Draws from one point: there is one outcome. *)
Lemma E_draws_unit N (p : 'I_N -> unit -> R) (g : {ffun 'I_N -> unit} -> R) :
  (forall i, is_law (p i)) -> E (independent p) g = g [ffun=> tt].
Proof.
move=> laws; rewrite (E_ext (h := fun=> g [ffun=> tt])) ?E_const // => [|Y]; first exact: independent_law.
by congr g; apply/ffunP => i; rewrite ffunE; case: (Y i).
Qed.
