(** Ren and Li, Lemma C.2: averages over a uniform latent z⁻ ∈ {±1/√r}^r under the weight e^{τ²Σκ̂_s²z_s⁺z_s⁻/(N_AN_B)}.
    A state is a vector of signs, z_p = ±1/√r; with x_p = τ²κ̂_p²/(rN_AN_B) the exponent is Σ x_s ε_s ε'_s. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Tactics.
Set Implicit Arguments. Unset Strict Implicit.

Lemma exp_sum (I : finType) (F : I -> R) : exp (∑ i, F i) = ∏ i, exp (F i).
Proof. exact: (big_morph exp exp_plus exp_0). Qed.

Lemma prod_mul (I : finType) (F G : I -> R) : ∏ i, F i * G i = (∏ i, F i) * ∏ i, G i.
Proof. exact: big_split. Qed.

(** ±1. *)
Definition sign (b : bool) : R := if b then 1 else - 1.
Lemma sign_sq b : sign b * sign b = 1.
Proof. by case: b; rewrite /sign; ring. Qed.

Section Tilted.
Variables (P : finType) (x : P -> R).

(** The states of the signals and their uniform law; the exponent of two states. *)
Definition state := {ffun P -> bool}.
Definition uniform : state -> R := independent (fun _ : P => coin).
Definition exponent (y z : state) : R := ∑ s, x s * (sign (y s) * sign (z s)).

(** Z = ∏ cosh x_s. *)
Definition Z : R := ∏ s, cosh (x s).

Lemma uniform_is_law : is_law uniform.
Proof. by apply: independent_law => p; exact: coin_law. Qed.

Lemma cosh_gt0 t : 0 < cosh t.
Proof. by rewrite /cosh; have := exp_pos t; have := exp_pos (- t); lra. Qed.

Lemma tanh_lt1 t : tanh t < 1.
Proof.
rewrite /tanh; have c0 := cosh_gt0 t; apply: (Rmult_lt_reg_r (cosh t)) => //.
have -> : sinh t / cosh t * cosh t = sinh t by field; lra.
by rewrite /sinh /cosh; have := exp_pos (- t); lra.
Qed.

Lemma Z_gt0 : 0 < Z.
Proof. by apply: (big_ind (fun t => 0 < t)) => [|a b|s _]; [lra | exact: Rmult_lt_0_compat | exact: cosh_gt0]. Qed.

(** One coordinate: ½Σ e^{xεε'}(εε')^k is cosh x for k = 0 and cosh x tanh x for k = 1. *)
Lemma one_coordinate (in_set : bool) y t :
  𝔼 e ~ coin, exp (t * (sign y * sign e)) * (if in_set then sign y * sign e else 1) = cosh t * (if in_set then tanh t else 1).
Proof.
have c0 := cosh_gt0 t; have e : cosh t * tanh t = sinh t by rewrite /tanh; field; lra.
have p11 : t * (1 * 1) = t by ring. have p10 : t * (1 * -1) = - t by ring.
have p01 : t * (-1 * 1) = - t by ring. have p00 : t * (-1 * -1) = t by ring.
rewrite E_coin /sign; case: in_set; case: y; rewrite ?e ?p11 ?p10 ?p01 ?p00 /sinh /cosh; field.
Qed.

(** For every set A of signals E e^{…}∏_{p∈A} z_p⁺z_p⁻ = Z r^{−|A|} ∏_{p∈A} T_p.
    [claim] ren2023.lemma-c2  [sense] all  [scope] any number of signals, any real exponents, every z⁺ *)
Theorem lemma_c2_all (y : state) (A : {set P}) (r : R) : 0 < r ->
  𝔼 z ~ uniform, exp (exponent y z) * (∏ p, if p \in A then (sign (y p) / sqrt r) * (sign (z p) / sqrt r) else 1)
  = Z * (∏ p, if p \in A then tanh (x p) / r else 1).
Proof.
move=> r0; have s0 := sqrt_lt_R0 _ r0; have ss := sqrt_sqrt _ (Rlt_le _ _ r0).
transitivity (∑ z : state, ∏ p, coin (z p) * (exp (x p * (sign (y p) * sign (z p))) * (if p \in A then sign (y p) * sign (z p) else 1) * (if p \in A then / r else 1))).
  rewrite /E; apply: sum_ext => z; rewrite /uniform /independent /exponent exp_sum -!prod_mul; apply: eq_bigr => p _.
  case: (p \in A); last by rewrite !Rmult_1_r.
  move: (exp _) => e; move: (sign (y p)) (sign (z p)) => u w; move: (sqrt r) s0 ss => q q0 <-.
  by rewrite /coin; field; lra.
pose F p e := coin e * (exp (x p * (sign (y p) * sign e)) * (if p \in A then sign (y p) * sign e else 1) * (if p \in A then / r else 1)).
rewrite -(bigA_distr_bigA F) /Z -prod_mul; apply: eq_bigr => p _; rewrite /F.
have := one_coordinate (p \in A) (y p) (x p); rewrite E_coin sum_bool /coin.
move: (exp (x p * (sign (y p) * sign true))) (exp (x p * (sign (y p) * sign false))) => u w.
case: (p \in A); move=> e; last by rewrite !Rmult_1_r in e *; rewrite -e; lra.
have -> : cosh (x p) * (tanh (x p) / r) = cosh (x p) * tanh (x p) / r by rewrite /Rdiv Rmult_assoc.
by rewrite -e /Rdiv; ring.
Qed.

(** The cases of no, one and two signals: E e^{…} = Z, E[e^{…}z_p⁺z_p⁻] = ZT_p/r and E[e^{…}z_p⁺z_p⁻z_s⁺z_s⁻] = ZT_pT_s/r².
    [claim] ren2023.lemma-c2  [sense] printed  [scope] any number of signals, any real exponents, every z⁺ *)
Theorem lemma_c2_printed (y : state) (r : R) : 0 < r -> let zz (z : state) p := (sign (y p) / sqrt r) * (sign (z p) / sqrt r) in
  𝔼 z ~ uniform, exp (exponent y z) = Z /\
  (forall p, 𝔼 z ~ uniform, exp (exponent y z) * zz z p = Z * tanh (x p) / r) /\
  (forall p s, p != s -> 𝔼 z ~ uniform, exp (exponent y z) * (zz z p * zz z s) = Z * tanh (x p) * tanh (x s) / r ^ 2).
Proof.
move=> r0 zz; split.
  have := lemma_c2_all y set0 r0; rewrite (big1 _ _ (fun p => if p \in set0 then tanh (x p) / r else 1)) => [|p _]; last by rewrite inE.
  rewrite Rmult_1_r => <-; apply: E_ext => z; rewrite big1 => [|p _]; [ring | by rewrite inE].
have one (F : P -> R) p : ∏ q, (if q \in [set p] then F q else 1) = F p.
  by rewrite (bigD1 p) //= inE eqxx big1 => [|q /negbTE qp]; [ring | rewrite inE qp].
have two (F : P -> R) p s : p != s -> ∏ q, (if q \in [set p; s] then F q else 1) = F p * F s.
  move=> ps; rewrite (bigD1 p) //= (bigD1 s) ?(eq_sym s) //= !inE !eqxx orbT /= big1 => [|q /andP [/negbTE qp /negbTE qs]]; first ring.
  by rewrite !inE qp qs.
split=> [p|p s ps].
  have := lemma_c2_all y [set p] r0; rewrite (one (fun q => tanh (x q) / r)) /Rdiv -Rmult_assoc => <-.
  by apply: E_ext => z; rewrite (one (fun q => zz z q)).
have := lemma_c2_all y [set p; s] r0; rewrite (two (fun q => tanh (x q) / r) _ _ ps).
have -> : Z * (tanh (x p) / r * (tanh (x s) / r)) = Z * tanh (x p) * tanh (x s) / r ^ 2 by field; lra.
by move=> <-; apply: E_ext => z; rewrite (two (fun q => zz z q) _ _ ps).
Qed.
End Tilted.

(** * Controls: one signal, x = 0: the weight is 1, Z = 1 and T = 0 *)
Lemma Z_0 : Z (fun _ : unit => 0) = 1.
Proof. by rewrite /Z big1 // => i _; exact: cosh_0. Qed.

Lemma tanh_0 : tanh 0 = 0.
Proof. by rewrite /tanh sinh_0 /Rdiv Rmult_0_l. Qed.

(** With 1 in place of T_p: the mean of z⁺z⁻ is not 1/r at x = 0. *)
Theorem lemma_c2_all_control : ~ (forall (P : finType) (x : P -> R) (y : state P) (A : {set P}) (r : R), 0 < r ->
  𝔼 z ~ @uniform P, exp (exponent x y z) * (∏ p, if p \in A then (sign (y p) / sqrt r) * (sign (z p) / sqrt r) else 1)
  = Z x * (∏ p, if p \in A then / r else 1)).
Proof.
move=> /(_ _ (fun _ : unit => 0) [ffun=> true] setT 1 Rlt_0_1).
rewrite (lemma_c2_all (fun _ : unit => 0) [ffun=> true] setT Rlt_0_1) Z_0 !(big_pred1 tt) => [|[] //|[] //].
by rewrite inE tanh_0; lra.
Qed.

Theorem lemma_c2_printed_control : ~ (forall (P : finType) (x : P -> R) (y : state P) (r : R) p, 0 < r ->
  𝔼 z ~ @uniform P, exp (exponent x y z) * ((sign (y p) / sqrt r) * (sign (z p) / sqrt r)) = Z x / r).
Proof.
move=> /(_ _ (fun _ : unit => 0) [ffun=> true] 1 tt Rlt_0_1).
rewrite (proj1 (proj2 (lemma_c2_printed (fun _ : unit => 0) [ffun=> true] Rlt_0_1)) tt) Z_0 tanh_0; lra.
Qed.
