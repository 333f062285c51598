(** Wen, Definition 4.1 and Facts 1 and 2: the derivatives of the loss by a query and by a key.  L_S is a mean over n points, so that
      n ∂L_S/∂q_i = Σ_{j≠i} P_ij z_ij   and   n ∂L_S/∂k_i = Σ_{j≠i} (P_ji q_j − P_ij q_i),   z_ij = k_j − k_i,
      P_ij = C(n−1,k)^{−1} Σ_{A∋j} e^{q_i·z_ij}/(1 + Σ_{s∈A} e^{q_i·z_is});
    the factor n is missing where Definition 4.1 and Fact 2 take the derivatives themselves for the sums. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Sums Contrapositive.Vectors Contrapositive.Calculus Contrapositive.Tactics Contrapositive.wen2020.Notation.
Set Implicit Arguments. Unset Strict Implicit.

Lemma const_moves c t : is_derive (fun _ : R => c) t 0.
Proof. exact: (@is_derive_const R_AbsRing R_NormedModule). Qed.

(** * The loss as a function of the logits y_js = q_j·z_js *)
Section Logits.
Variables (I : finType) (k : nat).
Implicit Type y : I -> I -> R.

(** The weight of s in A for the point j, P_js, and n L_S. *)
Definition weight y (j : I) (A : {set I}) (s : I) : R := exp (y j s) / (1 + ∑ (r | r \in A), exp (y j r)).
Definition share y (j s : I) : R := / INR 'C(#|I|.-1, k) * ∑ (A | (A \in choices k j) && (s \in A)), weight y j A s.
Definition n_L y : R := ∑ j, / INR 'C(#|I|.-1, k) * ∑ (A | A \in choices k j), ln (1 + ∑ (s | s \in A), exp (y j s)).

(** Logits that move at the rates g. *)
Variables (x : R -> I -> I -> R) (g : I -> I -> R).
Hypothesis moves : forall j s, is_derive (fun t => x t j s) 0 (g j s).

Lemma summand_moves j (A : {set I}) : is_derive (fun t => ln (1 + ∑ (s | s \in A), exp (x t j s))) 0 (∑ (s | s \in A), weight (x 0) j A s * g j s).
Proof.
pose e s t := if s \in A then exp (x t j s) else 0.
have De s : is_derive (e s) 0 (if s \in A then exp (x 0 j s) * g j s else 0).
  rewrite /e; case: (s \in A); last exact: const_moves.
  pose f t := x t j s; have Df : is_derive f 0 (g j s) by exact: moves.
  apply: (is_derive_ext (fun t => exp (f t))) => //; auto_derive; first by exists (g j s).
  by rewrite (is_derive_unique _ _ _ Df) /f; ring.
have at0 : 1 + ∑ s, e s 0 = 1 + ∑ (r | r \in A), exp (x 0 j r) by rewrite -(sum_if (fun r => r \in A)).
have pos : 0 < 1 + ∑ s, e s 0.
  by rewrite at0; have := @psum_ge0 _ (fun r => r \in A) (fun r => exp (x 0 j r)) (fun r _ => Rlt_le _ _ (exp_pos _)); lra.
have D1 : is_derive (fun t => 1 + ∑ s, e s t) 0 (0 + ∑ s, if s \in A then exp (x 0 j s) * g j s else 0).
  by apply: (is_derive_plus (fun=> 1)); [exact: const_moves | exact: is_derive_sum].
have -> : ∑ (s | s \in A), weight (x 0) j A s * g j s = (0 + ∑ s, if s \in A then exp (x 0 j s) * g j s else 0) / (1 + ∑ s, e s 0).
  rewrite Rplus_0_l /Rdiv -sum_mulr -(sum_if (fun r => r \in A)) at0; apply: sum_ext => s.
  by case: (s \in A); [rewrite /weight /Rdiv; ring | ring].
apply: (is_derive_ext (fun t => ln (1 + ∑ s, e s t))) => [t|]; last exact: is_derive_ln D1 pos.
by rewrite -(sum_if (fun r => r \in A)).
Qed.

(** d(n L_S)/dt = Σ_j Σ_{s≠j} P_js g_js. *)
Lemma loss_moves : is_derive (fun t => n_L (x t)) 0 (∑ j, ∑ (s | s != j), share (x 0) j s * g j s).
Proof.
apply: is_derive_sum => j; set c := / INR 'C(#|I|.-1, k).
have -> : ∑ (s | s != j), share (x 0) j s * g j s = c * ∑ A, if A \in choices k j then ∑ (s | s \in A), weight (x 0) j A s * g j s else 0.
  rewrite sum_if (eq_bigr (fun s => c * ∑ (A | (A \in choices k j) && (s \in A)), weight (x 0) j A s * g j s)) => [|s _]; last first.
    by rewrite /share -/c psum_mulr; ring.
  rewrite psum_mull; congr (_ * _).
  rewrite (exchange_big_dep (fun A => A \in choices k j)) => [|s A _ /andP [] //]; apply: eq_bigr => A Aj.
  have jA : j \notin A by move: Aj; rewrite inE => /andP [].
  apply: eq_bigl => s; rewrite Aj /=; case: (boolP (s \in A)) => sA; rewrite ?andbF // andbT.
  by apply/eqP => e; move: jA; rewrite -e sA.
apply: is_derive_scal; apply: (is_derive_ext (fun t => ∑ A, if A \in choices k j then ln (1 + ∑ (s | s \in A), exp (x t j s)) else 0)) => [t|].
  exact: sum_if.
by apply: is_derive_sum => A; case: (A \in choices k j); [exact: summand_moves | exact: const_moves].
Qed.
End Logits.

(** * Queries and keys *)
Section Facts.
Variables (I D : finType) (q key : I -> D -> R) (k : nat) (i : I) (h : D -> R).

(** z_js = k_s − k_j, the logits, and L_S. *)
Definition differences (κ : I -> D -> R) (j s : I) : D -> R := sub (κ s) (κ j).
Definition logits (p κ : I -> D -> R) (j s : I) : R := dot (p j) (differences κ j s).
Definition L_of (p κ : I -> D -> R) : R := L_sets p (differences κ) k.
Let P := share k (logits q key).

(** p_i + t h in place of p_i. *)
Definition moved (p : I -> D -> R) (t : R) (j : I) : D -> R := fun b => p j b + (if j == i then t * h b else 0).

Lemma n_L_of p κ : INR #|I| * L_of p κ = n_L k (logits p κ).
Proof.
have n0 : 0 < INR #|I| by apply: lt_0_INR; apply/ltP; apply/card_gt0P; exists i.
by rewrite /L_of /L_sets -Rmult_assoc Rinv_r ?Rmult_1_l //; lra.
Qed.

Lemma dot_moved p t j v : dot (moved p t j) v = dot (p j) v + t * (if j == i then dot h v else 0).
Proof.
rewrite /dot /moved; case: (j == i); last by rewrite Rmult_0_r Rplus_0_r; apply: sum_ext => b; ring.
by rewrite -sum_mull -sum_add; apply: sum_ext => b; ring.
Qed.

Lemma line_moves a b : is_derive (fun t => a + t * b) 0 b.
Proof. by auto_derive => //; ring. Qed.
Lemma at_rest (f : R -> R) a b : (forall t, f t = a + t * b) -> f 0 = a.
Proof. by move=> ->; ring. Qed.

(** n ∂L_S/∂q_i = Σ_{j≠i} P_ij z_ij, in every direction h.
    [claim] wen2020.fact-2  [sense] s2  [scope] any vectors, any number n, any k; the derivative in every direction *)
Theorem fact_2_s2 : is_derive (fun t => INR #|I| * L_of (moved q t) key) 0 (∑ (s | s != i), P i s * dot h (differences key i s)).
Proof.
pose g j s := if j == i then dot h (differences key j s) else 0.
have line t j s : logits (moved q t) key j s = logits q key j s + t * g j s by exact: dot_moved.
have slope j s : is_derive (fun t => logits (moved q t) key j s) 0 (g j s).
  by apply: (is_derive_ext (fun t => logits q key j s + t * g j s)) => [t|]; [rewrite line | exact: line_moves].
have start : logits (moved q 0) key = logits q key.
  by do 2 (apply: FunctionalExtensionality.functional_extensionality => ?); rewrite line; ring.
apply: (is_derive_ext (fun t => n_L k (logits (moved q t) key))) => [t|]; first by rewrite n_L_of.
have := loss_moves k slope; rewrite start; set d := ∑ j, _; have -> // : d = ∑ (s | s != i), P i s * dot h (differences key i s).
rewrite /d -(sum_if1 (fun j => ∑ (s | s != j), P j s * dot h (differences key j s)) i); apply: sum_ext => j.
by rewrite /g eq_sym; case: (i == j) => //; rewrite big1 // => s _; ring.
Qed.

(** n ∂L_S/∂k_i = Σ_{j≠i} (P_ji q_j − P_ij q_i), in every direction h.
    [claim] wen2020.fact-2  [sense] n-times  [scope] any vectors, any number n, any k; the derivative in every direction *)
Theorem fact_2_n_times : is_derive (fun t => INR #|I| * L_of q (moved key t)) 0 (∑ (j | j != i), (P j i * dot (q j) h - P i j * dot (q i) h)).
Proof.
pose g j s := (if s == i then dot (q j) h else 0) - (if j == i then dot (q j) h else 0).
have line t j s : logits q (moved key t) j s = logits q key j s + t * g j s.
  by rewrite /logits /differences !dotBr !(dotC (q j)) !dot_moved /g !(dotC h); case: (s == i); case: (j == i); ring.
have slope j s : is_derive (fun t => logits q (moved key t) j s) 0 (g j s).
  by apply: (is_derive_ext (fun t => logits q key j s + t * g j s)) => [t|]; [rewrite line | exact: line_moves].
have start : logits q (moved key 0) = logits q key.
  by do 2 (apply: FunctionalExtensionality.functional_extensionality => ?); rewrite line; ring.
apply: (is_derive_ext (fun t => n_L k (logits q (moved key t)))) => [t|]; first by rewrite n_L_of.
have := loss_moves k slope; rewrite start; set d := ∑ j, _; have -> // : d = ∑ (j | j != i), (P j i * dot (q j) h - P i j * dot (q i) h).
rewrite /d (sum_D1 _ i).
rewrite (eq_bigr (fun s => - (P i s * dot (q i) h))) => [|s /negbTE si]; last by rewrite /g si eqxx -/P; ring.
rewrite [X in _ + X](eq_bigr (fun j => P j i * dot (q j) h)) => [|j ji]; last first.
  rewrite (bigD1 i) /=; last by rewrite eq_sym.
  rewrite big1 => [|s /andP [_ /negbTE si]]; first by rewrite /g eqxx (negbTE ji) -/P; ring.
  by rewrite /g si (negbTE ji); ring.
by rewrite Rplus_comm -big_split; apply: eq_bigr => j _ /=; ring.
Qed.
End Facts.

(** * Two points, one negative, queries zero and one: q = (0, 1) and k = (1, 0) *)
Definition query (b : bool) (_ : unit) : R := if b then 0 else 1.
Definition origin_key (_ : bool) (_ : unit) : R := 0.
Definition unit_key (b : bool) (_ : unit) : R := if b then 0 else 1.

(** With zero queries P_ij = 1/2. *)
Lemma share_half (κ : bool -> unit -> R) i j : i != j -> share 1 (logits (fun _ _ => 0) κ) i j = 1 / 2.
Proof.
move=> ij; have zero a b : logits (fun _ _ => 0) κ a b = 0 by rewrite /logits /dot sum_unit; ring.
rewrite /share card_bool /= (big_pred1 [set j]) => [|A].
  by rewrite /weight big_set1 !zero exp_0; field.
rewrite inE; apply/andP/eqP => [[/andP [iA /cards1P [b e]] jA] | ->]; last by rewrite !inE cards1 ij.
by move: jA; rewrite e !inE => /eqP ->.
Qed.

Lemma query_side : ∑ (s | s != true), share 1 (logits (fun _ _ => 0) unit_key) true s * dot (fun _ : unit => 1) (differences unit_key true s) = 1 / 2.
Proof. by rewrite psum_bool /= Rplus_0_l share_half // /dot sum_unit /differences /sub /unit_key; field. Qed.

(** ∂L_S/∂q_i = Σ_j P_ij z_ij, without the factor n.
    [claim] wen2020.def-4.1  [sense] s2  [scope] refuted for two points, one negative *)
Theorem def_4_1_s2_refuted : ~ (forall (I D : finType) (q key : I -> D -> R) k i h,
  is_derive (fun t => L_of k (moved i h q t) key) 0 (∑ (s | s != i), share k (logits q key) i s * dot h (differences key i s))).
Proof.
move=> /(_ _ _ (fun _ _ => 0) unit_key 1%N true (fun=> 1)) wrong; have := is_derive_unique _ _ _ (is_derive_scal _ _ (INR #|{: bool}|) _ wrong).
have right := fact_2_s2 (fun _ _ => 0) unit_key 1 true (fun=> 1); rewrite (is_derive_unique _ _ _ right) query_side card_bool (_ : INR 2 = 2) //; lra.
Qed.

(** Twice the sum. *)
Theorem fact_2_s2_control : ~ (forall (I D : finType) (q key : I -> D -> R) k i h,
  is_derive (fun t => INR #|I| * L_of k (moved i h q t) key) 0 (2 * ∑ (s | s != i), share k (logits q key) i s * dot h (differences key i s))).
Proof.
move=> /(_ _ _ (fun _ _ => 0) unit_key 1%N true (fun=> 1)) /is_derive_unique.
by rewrite (is_derive_unique _ _ _ (fact_2_s2 (fun _ _ => 0) unit_key 1 true (fun=> 1))) query_side; lra.
Qed.

(** Equal keys: every P_ij is 1/2, and the sum for the first key is q_2/2 − q_1/2 = 1/2. *)
Lemma share_equal i j : i != j -> share 1 (logits query origin_key) i j = 1 / 2.
Proof.
move=> ij; have <- := share_half origin_key ij; congr (share 1 _ i j).
by do 2 (apply: FunctionalExtensionality.functional_extensionality => ?); rewrite /logits /dot !sum_unit /differences /sub /origin_key; ring.
Qed.
Lemma key_side : ∑ (j | j != true), (share 1 (logits query origin_key) j true * dot (query j) (fun=> 1)
  - share 1 (logits query origin_key) true j * dot (query true) (fun=> 1)) = 1 / 2.
Proof. by rewrite psum_bool /= Rplus_0_l !share_equal // /dot !sum_unit /query; field. Qed.

(** ∂L_S/∂k_i = Σ_{j≠i} (P_ji q_j − P_ij q_i), without the factor n.
    [claim] wen2020.fact-2  [sense] printed  [scope] refuted for two points, one negative *)
Theorem fact_2_printed_refuted : ~ (forall (I D : finType) (q key : I -> D -> R) k i h,
  is_derive (fun t => L_of k q (moved i h key t)) 0
    (∑ (j | j != i), (share k (logits q key) j i * dot (q j) h - share k (logits q key) i j * dot (q i) h))).
Proof.
move=> /(_ _ _ query origin_key 1%N true (fun=> 1)) wrong; have := is_derive_unique _ _ _ (is_derive_scal _ _ (INR #|{: bool}|) _ wrong).
have right := fact_2_n_times query origin_key 1 true (fun=> 1); rewrite (is_derive_unique _ _ _ right) key_side card_bool (_ : INR 2 = 2) //; lra.
Qed.

(** Definition 4.1: the derivatives by queries and by keys are both sums.
    [claim] wen2020.def-4.1  [sense] printed  [scope] refuted for two points, one negative *)
Theorem def_4_1_printed_refuted : ~ (forall (I D : finType) (q key : I -> D -> R) k i h,
  is_derive (fun t => L_of k (moved i h q t) key) 0 (∑ (s | s != i), share k (logits q key) i s * dot h (differences key i s)) /\
  is_derive (fun t => L_of k q (moved i h key t)) 0
    (∑ (j | j != i), (share k (logits q key) j i * dot (q j) h - share k (logits q key) i j * dot (q i) h))).
Proof. by move=> both; apply: def_4_1_s2_refuted => I D q key k i h; exact: proj1 (both _ _ q key k i h). Qed.

(** Twice the sum. *)
Theorem fact_2_n_times_control : ~ (forall (I D : finType) (q key : I -> D -> R) k i h,
  is_derive (fun t => INR #|I| * L_of k q (moved i h key t)) 0
    (2 * ∑ (j | j != i), (share k (logits q key) j i * dot (q j) h - share k (logits q key) i j * dot (q i) h))).
Proof.
move=> /(_ _ _ query origin_key 1%N true (fun=> 1)) /is_derive_unique.
by rewrite (is_derive_unique _ _ _ (fact_2_n_times query origin_key 1 true (fun=> 1))) key_side; lra.
Qed.
