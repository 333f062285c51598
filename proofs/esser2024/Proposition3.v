(** Esser et al., Proposition 3, problems 2 and 3: the products M = W₁ᵀW₂ of weights with ‖W₁‖₂, ‖W₂‖₂ <= 1 are the
    products of any weights with ‖W₂ᵀW₁‖₂ <= 1, whatever the number h of rows.  The printed construction takes min(d, z)
    singular vectors, more than there are rows if h < min(d, z).  Here the rows of W₁ are made orthonormal by Gram and
    Schmidt instead, some of them zero, and no decomposition of M is needed. *)
Require Import Contrapositive.Vectors Contrapositive.Tactics.
Require Import Contrapositive.Sums.
Set Implicit Arguments. Unset Strict Implicit.

Section GramSchmidt.
Variable D : finType.
Implicit Types u v w : D -> R.

Lemma dot_0 u v : dot u u = 0 -> dot u v = 0.
Proof. by move=> u0; have := dot_cauchy_schwarz u v; rewrite u0 Rmult_0_l => le; have := pow2_ge_0 (dot u v); nra. Qed.

Lemma zero_entry u d : dot u u = 0 -> u d = 0.
Proof. by move=> u0; have := @sum_term_le _ (fun d => u d * u d) d (fun d => ltac:(nra)); rewrite -/(dot u u); nra. Qed.

Lemma dot_sum (h : nat) (c : 'I_h -> R) (u : 'I_h -> D -> R) v : dot (fun d => ∑ j, c j * u j d) v = ∑ j, c j * dot (u j) v.
Proof.
rewrite /dot (sum_ext (G := fun d => ∑ j, c j * (u j d * v d))).
  by rewrite sum_exchange; apply: sum_ext => j; rewrite sum_mull.
by move=> d; rewrite -sum_mulr; apply: sum_ext => j; ring.
Qed.

(** Orthogonal vectors, each of length one or zero. *)
Definition orthonormal (h : nat) (u : 'I_h -> D -> R) : Prop :=
  (forall i j, i != j -> dot (u i) (u j) = 0) /\ (forall i, dot (u i) (u i) = 0 \/ dot (u i) (u i) = 1).

(** One more vector. *)
Definition append (h : nat) (u : 'I_h -> D -> R) v (i : 'I_h.+1) : D -> R := if unlift ord_max i is Some j then u j else v.

Lemma append_max (h : nat) (u : 'I_h -> D -> R) v : append u v ord_max = v.
Proof. by rewrite /append unlift_none. Qed.
Lemma append_lift (h : nat) (u : 'I_h -> D -> R) v j : append u v (lift ord_max j) = u j.
Proof. by rewrite /append liftK. Qed.

Lemma sum_append (h : nat) (F : 'I_h.+1 -> R) : ∑ i, F i = (∑ j, F (lift ord_max j)) + F ord_max.
Proof. by rewrite big_ord_recr; congr (_ + _); apply: eq_bigr => j _; congr F; apply: val_inj; rewrite /= /bump leqNgt ltn_ord. Qed.

Lemma residual (h : nat) (u : 'I_h -> D -> R) w j : orthonormal u ->
  dot (sub w (fun d => ∑ i, dot w (u i) * u i d)) (u j) = 0.
Proof.
move=> [orth unit]; rewrite dotBl dot_sum (sum_D1 _ j) big1 => [|i ij]; last by rewrite orth //; ring.
by case: (unit j) => e; rewrite e; [rewrite (dotC w) (dot_0 w e) |]; ring.
Qed.

(** Every family of h vectors lies in the span of an orthonormal one of the same size. *)
Lemma gram_schmidt (h : nat) (w : 'I_h -> D -> R) :
  exists2 u : 'I_h -> D -> R, orthonormal u & forall i d, w i d = ∑ j, dot (w i) (u j) * u j d.
Proof.
elim: h w => [|h IH] w; first by exists w => [|[m i0] d //]; split=> -[].
have [u on span] := IH (fun j => w (lift ord_max j)).
pose r := sub (w ord_max) (fun d => ∑ i, dot (w ord_max) (u i) * u i d).
have r_orth j : dot r (u j) = 0 by apply: residual.
pose v := if Req_EM_T (dot r r) 0 then (fun=> 0) else scale (/ norm r) r.
have v_orth j : dot v (u j) = 0.
  by rewrite /v; case: Req_EM_T => _ /=; [rewrite /dot big1 // => *; ring | rewrite dotZl r_orth; ring].
have vv : dot v v = 0 \/ dot v v = 1.
  rewrite /v; case: Req_EM_T => e /=; [left; rewrite /dot big1 // => *; ring | right].
  rewrite dotZl dotZr -norm_sq; field => n0; apply: e; rewrite -norm_sq n0; ring.
(* r is its own projection on v *)
have rv d : r d = dot r v * v d.
  rewrite /v; case: Req_EM_T => e /=; first by rewrite (zero_entry d e); ring.
  rewrite dotZr -norm_sq /scale; field => n0; apply: e; rewrite -norm_sq n0; ring.
exists (append u v).
  case: on => orth unit; split=> [i j|i].
    by case: (unliftP ord_max i) => [i' ->|->]; case: (unliftP ord_max j) => [j' ->|->];
       rewrite ?append_lift ?append_max ?eqxx // => ne;
       [apply: orth; apply: contra ne => /eqP -> | rewrite dotC].
  by case: (unliftP ord_max i) => [i' ->|->]; rewrite ?append_lift ?append_max.
move=> i d; rewrite sum_append append_max (sum_ext (G := fun j => dot (w i) (u j) * u j d)) => [|j]; last by rewrite append_lift.
case: (unliftP ord_max i) => [i' ->|->].
  rewrite [in LHS]span.
  have -> : dot (w (lift ord_max i')) v = 0; last ring.
    have -> : dot (w (lift ord_max i')) v = dot (fun d => ∑ j, dot (w (lift ord_max i')) (u j) * u j d) v.
      by apply: sum_ext => e; rewrite -span.
    by rewrite dot_sum big1 // => j _; rewrite (dotC (u j)) v_orth; ring.
have -> : dot (w ord_max) v = dot r v.
  rewrite /r dotBl dot_sum [X in _ - X]big1 => [|j _]; last by rewrite (dotC (u j)) v_orth; ring.
  by ring.
by rewrite -rv /r /sub; ring.
Qed.

(** Bessel's inequality. *)
Lemma bessel (h : nat) (u : 'I_h -> D -> R) v : orthonormal u -> ∑ j, dot (u j) v ^ 2 <= dot v v.
Proof.
move=> on; pose p d := ∑ j, dot v (u j) * u j d; have := dot_ge0 (sub v p).
have rp : dot (sub v p) p = 0.
  by rewrite dotC dot_sum big1 // => j _; rewrite (dotC (u j)) (residual v j on) Rmult_0_r.
rewrite {2}/sub -/(sub v p) dotBr rp dotBl dot_sum (sum_ext (G := fun j => dot (u j) v ^ 2)) => [|j]; first lra.
by rewrite (dotC v); ring.
Qed.
End GramSchmidt.

Section Problems.
Variables (D Z : finType) (h : nat).
Implicit Type M : D -> Z -> R.

(** M = W₁ᵀW₂. *)
Definition is_product (W1 : 'I_h -> D -> R) (W2 : 'I_h -> Z -> R) M : Prop := forall d z, M d z = ∑ i, W1 i d * W2 i z.

(** The products that problem 2 allows, ‖W₁‖₂, ‖W₂‖₂ <= 1, and those that problem 3 allows, ‖W₂ᵀW₁‖₂ <= 1. *)
Definition problem_2 M : Prop := exists (W1 : 'I_h -> D -> R) (W2 : 'I_h -> Z -> R), is_product W1 W2 M /\ norm_at_most W1 1 /\ norm_at_most W2 1.
Definition problem_3 M : Prop := (exists (W1 : 'I_h -> D -> R) (W2 : 'I_h -> Z -> R), is_product W1 W2 M) /\ norm_at_most (fun z d => M d z) 1.

Lemma apply_product (W1 : 'I_h -> D -> R) (W2 : 'I_h -> Z -> R) M : is_product W1 W2 M ->
  forall v, norm (apply_matrix (fun z d => M d z) v) = norm (apply_matrix (fun z i => W2 i z) (apply_matrix W1 v)).
Proof.
move=> prod v; apply: norm_ext => z; rewrite /apply_matrix (sum_ext (G := fun d => ∑ i, W2 i z * (W1 i d * v d))).
  by rewrite sum_exchange; apply: sum_ext => i; rewrite sum_mull.
by move=> d; rewrite prod -sum_mulr; apply: sum_ext => i; ring.
Qed.

(** ‖W₁‖₂, ‖W₂‖₂ <= 1 ⇒ ‖W₁ᵀW₂‖₂ <= 1.
    [claim] esser2024.prop-3c  [sense] s1  [scope] any sizes, real entries *)
Theorem prop_3c_s1 M : problem_2 M -> problem_3 M.
Proof.
move=> [W1 [W2 [prod [b1 b2]]]]; split; first by exists W1, W2.
move=> v; rewrite (apply_product prod) Rmult_1_l.
have := norm_transpose Rle_0_1 b2 (apply_matrix W1 v); have := b1 v; rewrite !Rmult_1_l; lra.
Qed.

(** Each feasible M has weights with h rows and norms at most one.
    [claim] esser2024.prop-3c  [sense] s2  [scope] any sizes, real entries *)
Theorem prop_3c_s2 M : problem_3 M -> problem_2 M.
Proof.
move=> [[W1 [W2 prod]] bound]; have [u on span] := gram_schmidt W1.
pose W2' j z := ∑ d, u j d * M d z; exists u, W2'; split=> [d z|].
  rewrite prod (sum_ext (G := fun i => ∑ j, u j d * (dot (W1 i) (u j) * W2 i z))) => [|i]; last first.
    by rewrite [in LHS]span -sum_mulr; apply: sum_ext => j; ring.
  rewrite sum_exchange; apply: sum_ext => j; rewrite sum_mull; congr (_ * _); rewrite /W2'.
  rewrite (sum_ext (G := fun i => ∑ e, u j e * (W1 i e * W2 i z))) => [|i]; last first.
    by rewrite /dot -sum_mulr; apply: sum_ext => e; ring.
  by rewrite sum_exchange; apply: sum_ext => e; rewrite sum_mull -prod.
have small (v : D -> R) : norm (apply_matrix u v) <= norm v.
  apply: norm_le; first exact: norm_ge0.
  rewrite norm_sq; apply: Rle_trans (bessel v on); apply: Req_le; apply: sum_ext => j.
  by rewrite /apply_matrix -/(dot (u j) v) /=; ring.
split=> [v|v]; first by have := small v; lra.
have -> : norm (apply_matrix W2' v) = norm (apply_matrix u (apply_matrix M v)).
  apply: norm_ext => j; rewrite /apply_matrix (sum_ext (G := fun z => ∑ d, u j d * (M d z * v z))).
    by rewrite sum_exchange; apply: sum_ext => d; rewrite sum_mull.
  by move=> z; rewrite /W2' -sum_mulr; apply: sum_ext => d; ring.
have t : norm (apply_matrix M v) <= 1 * norm v := norm_transpose Rle_0_1 bound v.
by have := small (apply_matrix M v); lra.
Qed.

(** The printed loss ‖MᵀCM‖₂²: both problems allow the same products, and in both its least value is 0.
    [claim] esser2024.prop-3c  [sense] P  [scope] any sizes, real entries, any C *)
Theorem prop_3c_P (C : D -> D -> R) :
  let MCM M (y z : Z) := ∑ d, ∑ e, M d y * C d e * M e z in
  let least (problem : (D -> Z -> R) -> Prop) value :=
    (exists M ν, problem M /\ norm_is (MCM M) ν /\ ν ^ 2 = value) /\
    (forall M ν, problem M -> norm_is (MCM M) ν -> value <= ν ^ 2) in
  (forall M, problem_2 M <-> problem_3 M) /\ least problem_2 0 /\ least problem_3 0.
Proof.
move=> MCM least; have same M : problem_2 M <-> problem_3 M by split; [exact: prop_3c_s1 | exact: prop_3c_s2].
have zero : problem_2 (fun _ _ => 0).
  have n0 (T : finType) : norm_at_most (fun (_ : 'I_h) (_ : T) => 0) 1.
    move=> v; apply: (Rle_trans _ 0); last by have := norm_ge0 v; lra.
    by apply: norm_le; [lra | rewrite /dot big1 => [|i _]; [lra | rewrite /apply_matrix big1 => *; ring]].
  by exists (fun _ _ => 0), (fun _ _ => 0); split=> [d z|]; [rewrite big1 // => *; ring | split].
have norm0 : norm_is (MCM (fun _ _ => 0)) 0.
  split; [exact: Rle_refl | split=> [v|//]].
  apply: norm_le; first by lra.
  rewrite /dot big1 => [|y _]; first lra.
  rewrite /apply_matrix big1 => [|z _]; first ring.
  by rewrite /MCM big1 => [|d _]; [ring | rewrite big1 // => *; ring].
split=> //; split; split.
- by exists (fun _ _ => 0), 0; split=> //; split=> //; ring.
- by move=> M ν _ _; apply: pow2_ge_0.
- by exists (fun _ _ => 0), 0; split; [apply/same | split=> //; ring].
- by move=> M ν _ _; apply: pow2_ge_0.
Qed.
End Problems.

(** * Controls: one row, one input, one output, M = 1 *)
Definition one_by (I J : finType) (i : I) (j : J) : R := 1.

Lemma norm_one_by (I : finType) (u : I -> R) (i : I) : (forall j, j = i) -> norm u = Rabs (u i).
Proof. by move=> one; rewrite /norm /dot (big_pred1 i) => [|j]; [exact: sqrt_Rsqr_abs | rewrite /= (one j) eqxx]. Qed.

Lemma one_by_norm : norm_at_most (@one_by [finType of 'I_1] unit_finType) 1.
Proof.
move=> u; rewrite (norm_one_by _ (i := ord0)) => [|j]; last by rewrite ord1.
by rewrite (norm_one_by u (i := tt)) => [|[] //]; rewrite /apply_matrix sum_unit /one_by !Rmult_1_l; apply: Rle_refl.
Qed.

Lemma one_by_problem : @problem_2 unit_finType unit_finType 1 (fun _ _ => 1).
Proof.
exists (@one_by _ _), (@one_by _ _); split=> [d z|]; first by rewrite big_ord_recl big_ord0 /one_by; ring.
by split; exact: one_by_norm.
Qed.

(** A smaller bound of the product. *)
Theorem prop_3c_s1_control : ~ (forall (D Z : finType) h (M : D -> Z -> R), problem_2 h M -> norm_at_most (fun z d => M d z) (1 / 2)).
Proof.
move=> /(_ _ _ _ _ one_by_problem (fun=> 1)).
by rewrite !(norm_one_by _ (i := tt)) => [|[] //|[] //]; rewrite /apply_matrix sum_unit !Rmult_1_l Rabs_R1; lra.
Qed.

(** One row fewer. *)
Theorem prop_3c_s2_control : ~ (forall (D Z : finType) h (M : D -> Z -> R), problem_3 h.+1 M -> problem_2 h M).
Proof.
by move=> /(_ _ _ _ _ (prop_3c_s1 one_by_problem)) [W1 [W2 [/(_ tt tt)]]]; rewrite big_ord0; lra.
Qed.

(** Not every allowed product has the least value. *)
Theorem prop_3c_P_control : ~ (forall (D Z : finType) h (C : D -> D -> R) (M : D -> Z -> R) ν, problem_2 h M ->
  norm_is (fun y z => ∑ d, ∑ e, M d y * C d e * M e z) ν -> ν ^ 2 = 0).
Proof.
move=> /(_ _ _ _ (fun _ _ => 1) _ 1 one_by_problem) h; suff /h : norm_is (fun y z : unit => ∑ d : unit, ∑ e : unit, 1 * 1 * 1) 1 by lra.
have n (u : unit -> R) : norm (apply_matrix (fun y z : unit => ∑ d : unit, ∑ e : unit, 1 * 1 * 1) u) = norm u.
  by apply: norm_ext => -[]; rewrite /apply_matrix !sum_unit; ring.
have n1 : norm (fun _ : unit => 1) = 1 by rewrite (norm_one_by _ (i := tt)) => [|[] //]; exact: Rabs_R1.
by apply: (@norm_attained _ _ _ _ (fun=> 1)); rewrite ?n ?n1; try lra; move=> u; rewrite n; lra.
Qed.
