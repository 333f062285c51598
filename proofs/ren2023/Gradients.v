(** Ren and Li, section A.1: the gradients of the normalised inner product and of the contrastive loss (Lemmas A.1 and A.2),
    first for view A, then for both.  The maps, the inputs and the laws are arbitrary, and no orthogonality is used. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Calculus Contrapositive.Tactics Contrapositive.ren2023.Model.
Set Implicit Arguments. Unset Strict Implicit.

Lemma is_derive_ratio p q n0 n1 n2 : 0 < n0 ->
  is_derive (fun t => (p + t * q) / sqrt (n0 + t * n1 + t ^ 2 * n2)) 0 (q / sqrt n0 - p * n1 / (2 * n0 * sqrt n0)).
Proof.
move=> pos; have s0 := sqrt_lt_R0 _ pos; have ss := sqrt_sqrt _ (Rlt_le _ _ pos).
have at0 : n0 + 0 * n1 + 0 * (0 * 1) * n2 = n0 by ring.
auto_derive; rewrite at0; first by split=> //; split=> //; lra.
by move: (sqrt n0) s0 ss => r r0 <-; field; lra.
Qed.

Section Gradients.
Variables (M D L : finType) (X : D -> L -> R) (v : L -> R).
Implicit Types (W H G : M -> D -> R) (x : D -> R) (g : M -> R).

(** W(AAᵀ/r + A_ξA_ξᵀ/q), and the gradient of ⟨f_A(x), g⟩. *)
Definition normal_part W (m : M) (d : D) : R := ∑ l, v l * K_of X W m l * X d l.
Definition pair_gradient g W x (m : M) (d : D) : R :=
  g m * x d / N_of X v W - dot (feature X v W x) g * normal_part W m d / N_sq X v W.

Lemma inner_ext G G' H : (forall m d, G m d = G' m d) -> inner G H = inner G' H.
Proof. by move=> e; apply: sum_ext => m; apply: sum_ext => d; rewrite e. Qed.

Lemma inner_sub G G' H : inner (fun m d => G m d - G' m d) H = inner G H - inner G' H.
Proof. by rewrite /inner -sum_sub; apply: sum_ext => m; rewrite -sum_sub; apply: sum_ext => d; ring. Qed.

Lemma inner_mull k G H : inner (fun m d => k * G m d) H = k * inner G H.
Proof. by rewrite /inner -sum_mull; apply: sum_ext => m; rewrite -sum_mull; apply: sum_ext => d; ring. Qed.

Lemma inner_outer g x H : inner (fun m d => g m * x d) H = dot (apply_matrix H x) g.
Proof.
by rewrite /inner /dot; apply: sum_ext => m; rewrite /apply_matrix -sum_mulr; apply: sum_ext => d; ring.
Qed.

Lemma inner_normal W H : inner (normal_part W) H = ∑ l, v l * ∑ m, K_of X W m l * K_of X H m l.
Proof.
transitivity (∑ m, ∑ l, ∑ d, v l * K_of X W m l * (H m d * X d l)).
  apply: sum_ext => m; rewrite sum_exchange; apply: sum_ext => d; rewrite /normal_part -sum_mulr; apply: sum_ext => l; ring.
rewrite sum_exchange; apply: sum_ext => l; rewrite -sum_mull; apply: sum_ext => m; rewrite sum_mull; rewrite /K_of; ring.
Qed.

Lemma apply_line W H t x m : apply_matrix (fun m d => W m d + t * H m d) x m = apply_matrix W x m + t * apply_matrix H x m.
Proof. by rewrite /apply_matrix -sum_mull -sum_add; apply: sum_ext => d; ring. Qed.

Lemma K_line W H t m l : K_of X (fun m d => W m d + t * H m d) m l = K_of X W m l + t * K_of X H m l.
Proof. by rewrite /K_of -sum_mull -sum_add; apply: sum_ext => d; ring. Qed.

Lemma N_sq_line W H t : N_sq X v (fun m d => W m d + t * H m d) = N_sq X v W + t * (2 * inner (normal_part W) H) + t ^ 2 * N_sq X v H.
Proof.
rewrite inner_normal /N_sq -!sum_mull -!sum_add; apply: sum_ext => l.
rewrite -!(sum_mull (v l)) -!sum_mull -!sum_add; apply: sum_ext => m; rewrite K_line; ring.
Qed.

Lemma dot_feature W x g : dot (feature X v W x) g = dot (apply_matrix W x) g / N_of X v W.
Proof. by rewrite /dot /Rdiv -sum_mulr; apply: sum_ext => m; rewrite /feature; rewrite /Rdiv; ring. Qed.

Lemma dot_line W H t x g : dot (apply_matrix (fun m d => W m d + t * H m d) x) g = dot (apply_matrix W x) g + t * dot (apply_matrix H x) g.
Proof. by rewrite /dot -sum_mull -sum_add; apply: sum_ext => m; rewrite apply_line; ring. Qed.

Lemma gradient_ext (F F' : (M -> D -> R) -> R) W G G' : (forall W, F W = F' W) -> (forall m d, G m d = G' m d) ->
  is_gradient F W G -> is_gradient F' W G'.
Proof. by move=> e eG grad H; rewrite -(inner_ext H eG); apply: is_derive_ext (grad H) => t; apply: e. Qed.

(** The gradient is one matrix. *)
Lemma gradient_unique (F : (M -> D -> R) -> R) W G G' m d : is_gradient F W G -> is_gradient F W G' -> G m d = G' m d.
Proof.
pose e m' d' := if (m == m') && (d == d') then 1 else 0.
have entry G0 : inner G0 e = G0 m d.
  rewrite /inner -(sum_if1 (fun m' => G0 m' d) m); apply: sum_ext => m'; rewrite /e; case: eqP => _ /=.
    by rewrite -(sum_if1 (fun d' => G0 m' d') d); apply: sum_ext => d'; case: eqP => _; ring.
  by rewrite big1 // => d' _; ring.
move=> /(_ e) /is_derive_unique; rewrite entry => <- /(_ e) /is_derive_unique; by rewrite entry.
Qed.

Lemma gradient_pair W x g : 0 < N_sq X v W -> is_gradient (fun W => dot (feature X v W x) g) W (pair_gradient g W x).
Proof.
move=> pos H; have s0 := sqrt_lt_R0 _ pos; have ss := sqrt_sqrt _ (Rlt_le _ _ pos).
apply: (is_derive_ext (fun t => (dot (apply_matrix W x) g + t * dot (apply_matrix H x) g)
  / sqrt (N_sq X v W + t * (2 * inner (normal_part W) H) + t ^ 2 * N_sq X v H))) => [t|].
  by rewrite dot_feature dot_line /N_of N_sq_line.
have -> : inner (pair_gradient g W x) H = dot (apply_matrix H x) g / sqrt (N_sq X v W)
  - dot (apply_matrix W x) g * (2 * inner (normal_part W) H) / (2 * N_sq X v W * sqrt (N_sq X v W)).
  rewrite (@inner_ext _ (fun m d => / N_of X v W * (g m * x d) - dot (feature X v W x) g / N_sq X v W * normal_part W m d)).
    by rewrite inner_sub !inner_mull inner_outer dot_feature /N_of; field; lra.
  by move=> m d; rewrite /pair_gradient /Rdiv; ring.
exact: is_derive_ratio.
Qed.

(** ∇⟨W_A x_A, W_B x_B⟩ = W_B x_B x_Aᵀ.
    [claim] ren2023.lemma-a1  [sense] s1  [scope] any inputs and weights *)
Theorem lemma_a1_s1 W x g : is_gradient (fun W => dot (apply_matrix W x) g) W (fun m d => g m * x d).
Proof.
move=> H; rewrite inner_outer; apply: (is_derive_ext (fun t => dot (apply_matrix W x) g + t * dot (apply_matrix H x) g)) => [t|].
  by rewrite dot_line.
by auto_derive => //; ring.
Qed.

(** ∇N_A^{−1} = −N_A^{−3} W_A(AAᵀ/r + A_ξA_ξᵀ/q).
    [claim] ren2023.lemma-a1  [sense] s2  [scope] any maps and weights with N_A > 0 *)
Theorem lemma_a1_s2 W : 0 < N_sq X v W ->
  is_gradient (fun W => / N_of X v W) W (fun m d => - (/ N_of X v W ^ 3) * normal_part W m d).
Proof.
move=> pos H; have s0 := sqrt_lt_R0 _ pos; have ss := sqrt_sqrt _ (Rlt_le _ _ pos).
apply: (is_derive_ext (fun t => (1 + t * 0) / sqrt (N_sq X v W + t * (2 * inner (normal_part W) H) + t ^ 2 * N_sq X v H))) => [t|].
  by rewrite /N_of N_sq_line /Rdiv Rmult_0_r Rplus_0_r Rmult_1_l.
have -> : inner (fun m d => - / N_of X v W ^ 3 * normal_part W m d) H = 0 / sqrt (N_sq X v W)
  - 1 * (2 * inner (normal_part W) H) / (2 * N_sq X v W * sqrt (N_sq X v W)).
  by rewrite inner_mull /N_of; move: (sqrt _) s0 ss => r r0 <-; field; lra.
exact: is_derive_ratio.
Qed.

Lemma pair_gradient_orthogonal W x g : 0 < N_sq X v W -> inner (pair_gradient g W x) W = 0.
Proof.
move=> pos; have s0 := sqrt_lt_R0 _ pos; have ss := sqrt_sqrt _ (Rlt_le _ _ pos).
have n : inner (normal_part W) W = N_sq X v W.
  by rewrite inner_normal; apply: sum_ext => l; congr (_ * _); apply: sum_ext => m; ring.
rewrite (@inner_ext _ (fun m d => / N_of X v W * (g m * x d) - dot (feature X v W x) g / N_sq X v W * normal_part W m d)).
  by rewrite inner_sub !inner_mull inner_outer n dot_feature /N_of; field; lra.
by move=> m d; rewrite /pair_gradient /Rdiv; ring.
Qed.

(** ⟨W_A, ∇_{W_A}⟨f_A, f_B⟩⟩ = 0.
    [claim] ren2023.lemma-a1  [sense] s3  [scope] any maps, inputs and weights with N_A > 0 *)
Theorem lemma_a1_s3 W x g G : 0 < N_sq X v W -> is_gradient (fun W => dot (feature X v W x) g) W G -> inner G W = 0.
Proof.
move=> pos grad; rewrite -(pair_gradient_orthogonal x g pos); apply: inner_ext => m d.
exact: gradient_unique grad (gradient_pair x g pos).
Qed.
End Gradients.

Lemma lemma_a1_A (M DA DB LA LB : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (WA : M -> DA -> R) (WB : M -> DB -> R) (xA : DA -> R) (xB : DB -> R) : 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB ->
  let NA := N_of XA vA WA in let NB := N_of XB vB WB in
  is_gradient (fun W => dot (feature XA vA W xA) (feature XB vB WB xB)) WA
    (fun m d => apply_matrix WB xB m * xA d / (NA * NB)
      - dot (feature XA vA WA xA) (feature XB vB WB xB) * (∑ l, vA l * K_of XA WA m l * XA d l) / NA ^ 2).
Proof.
move=> pA pB NA NB H; rewrite (@inner_ext _ _ _ (pair_gradient XA vA (feature XB vB WB xB) WA xA)).
  exact: gradient_pair.
have sA := sqrt_lt_R0 _ pA; have sB := sqrt_lt_R0 _ pB; have ss := sqrt_sqrt _ (Rlt_le _ _ pA).
move=> m d; rewrite /pair_gradient /normal_part -ss /feature /NA /NB /N_of; field; lra.
Qed.

(** In both views:
      ∇_{W_A}⟨f_A(x_A), f_B(x_B)⟩ = W_B x_B x_Aᵀ/(N_A N_B) − ⟨f_A(x_A), f_B(x_B)⟩ W_A(AAᵀ/r + A_ξA_ξᵀ/q)/N_A²,
    and the same with the views exchanged.
    [claim] ren2023.lemma-a1  [sense] printed  [scope] any maps, inputs and weights with N_A, N_B > 0 *)
Theorem lemma_a1_printed (M DA DB LA LB : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (WA : M -> DA -> R) (WB : M -> DB -> R) (xA : DA -> R) (xB : DB -> R) : 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB ->
  let NA := N_of XA vA WA in let NB := N_of XB vB WB in
  let product VA VB := dot (feature XA vA VA xA) (feature XB vB VB xB) in
  is_gradient (fun V => product V WB) WA
    (fun m d => apply_matrix WB xB m * xA d / (NA * NB) - product WA WB * (∑ l, vA l * K_of XA WA m l * XA d l) / NA ^ 2) /\
  is_gradient (product WA) WB
    (fun m d => apply_matrix WA xA m * xB d / (NA * NB) - product WA WB * (∑ l, vB l * K_of XB WB m l * XB d l) / NB ^ 2).
Proof.
move=> pA pB NA NB product; split; first exact: lemma_a1_A.
apply: (gradient_ext _ _ (lemma_a1_A xB xA pB pA)) => [V|m d]; first by rewrite dotC.
by rewrite (dotC (feature XB vB WB xB)) (Rmult_comm NA).
Qed.

(** * Lemma A.2 *)
Section Contrastive.
Variables (M D L I J O : finType) (X : D -> L -> R) (v : L -> R) (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R).
Variables (τ2 K : R) (x : I -> D -> R) (fB : J -> M -> R) (W : M -> D -> R).
Hypothesis K_gt0 : 0 < K.
Hypothesis α_law : is_law α.
Hypothesis β_law : is_law β.
Hypothesis pos : 0 < N_sq X v W.

(** ⟨f_A(x_i), f_B(x_j)⟩ as a function of W_A. *)
Definition similarity W i j : R := dot (feature X v W (x i)) (fB j).
Let s := similarity W.
Let br := bracket π a b α β τ2 K s.

Lemma inner_bracket (F : I -> J -> M -> D -> R) H :
  inner (fun m d => - τ2 * br (fun i j => F i j m d)) H = - τ2 * br (fun i j => inner (F i j) H).
Proof.
rewrite inner_mull; congr (_ * _); rewrite /inner /br bracket_sum; apply: sum_ext => m; rewrite bracket_sum; apply: sum_ext => d.
by rewrite Rmult_comm -bracket_mull; apply: bracket_ext => i j; ring.
Qed.

Lemma lemma_a2_A : is_gradient (fun W => L_c π a b α β τ2 K (similarity W)) W
  (fun m d => - τ2 * br (fun i j => pair_gradient X v (fB j) W (x i) m d)).
Proof.
move=> H; rewrite inner_bracket.
have := @is_derive_loss _ _ _ π a b α β τ2 K K_gt0 α_law β_law (fun t => similarity (fun m d => W m d + t * H m d))
  (fun i j => inner (pair_gradient X v (fB j) W (x i)) H) 0.
have -> : bracket π a b α β τ2 K (similarity (fun m d => W m d + 0 * H m d)) (fun i j => inner (pair_gradient X v (fB j) W (x i)) H)
  = br (fun i j => inner (pair_gradient X v (fB j) W (x i)) H).
  suff e i j : similarity (fun m d => W m d + 0 * H m d) i j = s i j.
    have f : similarity (fun m d => W m d + 0 * H m d) = s.
      by apply: FunctionalExtensionality.functional_extensionality => i; apply: FunctionalExtensionality.functional_extensionality.
    by rewrite f.
  have f : (fun m d => W m d + 0 * H m d) = W.
    by apply: FunctionalExtensionality.functional_extensionality => m; apply: FunctionalExtensionality.functional_extensionality => d; ring.
  by rewrite f.
by apply=> i j; apply: gradient_pair.
Qed.

(** K e^{τ²⟨f_A⁺,f_B⁻⟩} S_A/e^{τ²⟨f_A⁺,f_B⁺⟩} = (1 − S_A) w_A.
    [claim] ren2023.lemma-a2  [sense] s2  [scope] any finite law of negatives, any similarities *)
Theorem lemma_a2_s2 (sim : I -> J -> R) i j j' :
  K * exp (τ2 * sim i j') * S_A β τ2 K sim i j / exp (τ2 * sim i j) = (1 - S_A β τ2 K sim i j) * w_A β τ2 sim i j'.
Proof.
rewrite /S_A /w_A; have e0 := exp_pos (τ2 * sim i j); have m0 := @E_exp_gt0 _ β (fun j => τ2 * sim i j) β_law.
have Km := Rmult_lt_0_compat _ _ K_gt0 m0; move: (E β _) m0 Km => m m0 Km; field; lra.
Qed.

Lemma cor_a4_s2_A G : is_gradient (fun W => L_c π a b α β τ2 K (similarity W)) W G -> inner G W = 0.
Proof.
move=> grad; rewrite (@inner_ext _ _ _ _ _ (fun m d => gradient_unique m d grad lemma_a2_A)) inner_bracket.
have -> : br (fun i j => inner (pair_gradient X v (fB j) W (x i)) W) = br (fun i j => 0 * 0).
  by apply: bracket_ext => i j; rewrite pair_gradient_orthogonal //; ring.
by rewrite /br bracket_mull; ring.
Qed.
End Contrastive.

(** * Both views *)
Section BothViews.
Variables (M DA DB LA LB I J O : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R).
Variables (π : O -> R) (a : O -> I) (b : O -> J) (α : I -> R) (β : J -> R) (τ2 K : R) (xA : I -> DA -> R) (xB : J -> DB -> R).
Variables (WA : M -> DA -> R) (WB : M -> DB -> R).
Hypothesis K_gt0 : 0 < K.
Hypothesis α_law : is_law α.
Hypothesis β_law : is_law β.
Hypothesis posA : 0 < N_sq XA vA WA.
Hypothesis posB : 0 < N_sq XB vB WB.

(** ⟨f_A(x_i), f_B(x_j)⟩ and the loss as functions of the weights of both views. *)
Definition product (VA : M -> DA -> R) (VB : M -> DB -> R) (i : I) (j : J) : R :=
  dot (feature XA vA VA (xA i)) (feature XB vB VB (xB j)).
Definition loss (VA : M -> DA -> R) (VB : M -> DB -> R) : R := L_c π a b α β τ2 K (product VA VB).

Lemma loss_exchange VB : L_c π b a β α τ2 K (similarity XB vB xB (fun i => feature XA vA WA (xA i)) VB) = loss WA VB.
Proof. by apply: L_c_exchange => i j; rewrite /similarity dotC. Qed.

(** ∇_{W_A}L = −τ² E{(2−S_A−S_B)∇⟨f_A⁺,f_B⁺⟩} + τ² E{(1−S_A)w_A∇⟨f_A⁺,f_B⁻⟩} + τ² E{(1−S_B)w_B∇⟨f_A⁻,f_B⁺⟩}, and ∇_{W_B}L
    with the gradients in W_B.
    [claim] ren2023.lemma-a2  [sense] printed  [scope] any finite laws of positive pairs and negatives, any maps and weights with N_A, N_B > 0 *)
Theorem lemma_a2_printed :
  is_gradient (fun V => loss V WB) WA (fun m d => - τ2 * bracket π a b α β τ2 K (product WA WB)
    (fun i j => pair_gradient XA vA (feature XB vB WB (xB j)) WA (xA i) m d)) /\
  is_gradient (loss WA) WB (fun m d => - τ2 * bracket π a b α β τ2 K (product WA WB)
    (fun i j => pair_gradient XB vB (feature XA vA WA (xA i)) WB (xB j) m d)).
Proof.
split; first exact: lemma_a2_A.
apply: (gradient_ext _ _ (lemma_a2_A π b a τ2 xB (fun i => feature XA vA WA (xA i)) K_gt0 β_law α_law posB)) => [V|m d].
  exact: loss_exchange.
by congr (_ * _); apply: bracket_exchange => // i j; rewrite /similarity dotC.
Qed.

(** ⟨W_A, ∇_{W_A}L⟩ = ⟨W_B, ∇_{W_B}L⟩ = 0, so that ‖W_A‖² and ‖W_B‖² do not move along any multiple of the gradients.
    [claim] ren2023.cor-a4  [sense] s2  [scope] any finite laws, any maps and weights with N_A, N_B > 0 *)
Theorem cor_a4_s2 GA GB : is_gradient (fun V => loss V WB) WA GA -> is_gradient (loss WA) WB GB ->
  inner GA WA = 0 /\ inner GB WB = 0 /\
  (forall (V : R -> M -> DA -> R) c t, V t = WA -> (forall m d, is_derive (fun u => V u m d) t (c * GA m d)) ->
    is_derive (fun u => inner (V u) (V u)) t 0) /\
  (forall (V : R -> M -> DB -> R) c t, V t = WB -> (forall m d, is_derive (fun u => V u m d) t (c * GB m d)) ->
    is_derive (fun u => inner (V u) (V u)) t 0).
Proof.
have still (D : finType) (W G : M -> D -> R) (V : R -> M -> D -> R) c t : inner G W = 0 -> V t = W ->
    (forall m d, is_derive (fun u => V u m d) t (c * G m d)) -> is_derive (fun u => inner (V u) (V u)) t 0.
  move=> orth at_t DV; have -> : 0 = ∑ m, ∑ d, 2 * V t m d * (c * G m d).
    transitivity (2 * c * inner G W); first by rewrite orth; ring.
    rewrite at_t /inner -sum_mull; apply: sum_ext => m; rewrite -sum_mull; apply: sum_ext => d; ring.
  apply: is_derive_sum => m; apply: is_derive_sum => d; have D1 := DV m d.
  have -> : 2 * V t m d * (c * G m d) = c * G m d * V t m d + V t m d * (c * G m d) by ring.
  exact: (is_derive_mult (fun u => V u m d) (fun u => V u m d) t _ _ D1 D1 Rmult_comm).
move=> gA gB; have oA : inner GA WA = 0 by exact: cor_a4_s2_A K_gt0 α_law β_law posA _ gA.
have oB : inner GB WB = 0.
  apply: (cor_a4_s2_A (τ2 := τ2) K_gt0 β_law α_law posB (G := GB) (fB := fun i => feature XA vA WA (xA i)) (x := xB) (π := π) (a := b) (b := a)).
  by apply: (gradient_ext _ _ gB) => [V|//]; rewrite loss_exchange.
by split=> //; split=> //; split=> V c t; apply: still.
Qed.
End BothViews.

(** * Controls: one input, one latent coordinate, W_A = (1, 0) *)
Definition e1 (m : bool) : R := if m then 1 else 0.
Definition e2 (m : bool) : R := if m then 0 else 1.
Definition one_map (d l : unit) : R := 1.
Definition column (e : bool -> R) (m : bool) (d : unit) : R := e m.

Lemma N_sq_column e : N_sq one_map (fun=> 1) (column e) = e true ^ 2 + e false ^ 2.
Proof. by rewrite /N_sq /K_of !sum_unit !sum_bool !sum_unit /column /one_map; ring. Qed.

Lemma N_e1 : N_sq one_map (fun=> 1) (column e1) = 1.
Proof. by rewrite N_sq_column /e1; ring. Qed.

Lemma pair_gradient_e1 g m : pair_gradient one_map (fun=> 1) g (column e1) (fun=> 1) m tt = g m - g true * e1 m.
Proof.
rewrite /pair_gradient dot_feature /N_of N_e1 sqrt_1 /dot /apply_matrix /normal_part /K_of !sum_bool !sum_unit /column /one_map /e1 /=; field.
Qed.

(** Controls n3, without the second term in fact, n2 with its sign, and n5. *)
Theorem lemma_a1_printed_control : ~ (forall (M DA DB LA LB : finType) (XA : DA -> LA -> R) (vA : LA -> R) (XB : DB -> LB -> R) (vB : LB -> R)
  (WA : M -> DA -> R) (WB : M -> DB -> R) (xA : DA -> R) (xB : DB -> R), 0 < N_sq XA vA WA -> 0 < N_sq XB vB WB ->
  is_gradient (fun W => dot (feature XA vA W xA) (feature XB vB WB xB)) WA
    (fun m d => apply_matrix WB xB m * xA d / (N_of XA vA WA * N_of XB vB WB))).
Proof.
have pos : 0 < N_sq one_map (fun=> 1) (column e1) by rewrite N_e1; lra.
move=> /(_ _ _ _ _ _ one_map (fun=> 1) one_map (fun=> 1) (column e1) (column e1) (fun=> 1) (fun=> 1) pos pos) wrong.
have := gradient_unique true tt wrong (gradient_pair (fun=> 1) (feature one_map (fun=> 1) (column e1) (fun=> 1)) pos).
by rewrite pair_gradient_e1 /feature /N_of N_e1 sqrt_1 /apply_matrix !sum_unit /column /e1; lra.
Qed.

Theorem lemma_a1_s2_control : ~ (forall (M D L : finType) (X : D -> L -> R) (v : L -> R) (W : M -> D -> R), 0 < N_sq X v W ->
  is_gradient (fun W => / N_of X v W) W (fun m d => / N_of X v W ^ 3 * normal_part X v W m d)).
Proof.
have pos : 0 < N_sq one_map (fun=> 1) (column e1) by rewrite N_e1; lra.
move=> /(_ _ _ _ one_map (fun=> 1) (column e1) pos) wrong; have := gradient_unique true tt wrong (lemma_a1_s2 pos).
by rewrite /N_of N_e1 sqrt_1 /normal_part /K_of !sum_unit /column /one_map /e1; lra.
Qed.

Theorem lemma_a1_s3_control : ~ (forall (M D L : finType) (X : D -> L -> R) (v : L -> R) (W W' : M -> D -> R) (x : D -> R) (g : M -> R),
  0 < N_sq X v W -> inner (pair_gradient X v g W x) W' = 0).
Proof.
move=> /(_ _ _ _ one_map (fun=> 1) (column e1) (column e2) (fun=> 1) e2); rewrite N_e1 => /(_ Rlt_0_1).
by rewrite /inner sum_bool !sum_unit !pair_gradient_e1 /column /e1 /e2; lra.
Qed.

(** One positive pair and one negative of view B; nothing is similar. *)
Definition fB_example (j : bool) : bool -> R := if j then e2 else (fun=> 0).

Lemma bracket_example τ2 (s F : unit -> bool -> R) : (forall j, s tt j = 0) ->
  bracket sure (fun=> tt) (fun=> true) sure (point false) τ2 1 s F = (F tt true - F tt false) / 2.
Proof.
move=> s0; rewrite /bracket /S_A /S_B /w_A /w_B !E_sure !E_point !s0 !Rmult_0_r exp_0; field.
Qed.

Lemma similarity_example j : similarity one_map (fun=> 1) (fun _ : unit => fun=> 1) fB_example (column e1) tt j = 0.
Proof.
by rewrite /similarity dot_feature /dot sum_bool /apply_matrix !sum_unit /column /e1 /fB_example; case: j; rewrite /e2 /Rdiv; ring.
Qed.

Lemma pos_example : 0 < N_sq one_map (fun=> 1) (column e1).
Proof. by rewrite N_e1; lra. Qed.

Definition gradient_example := @lemma_a2_A _ _ _ _ _ _ one_map (fun=> 1) sure (fun=> tt) (fun=> true) sure (point false) 2 1
  (fun _ => fun=> 1) fB_example (column e1) Rlt_0_1 sure_law (point_law false) pos_example.

(** Control n3: τ² forgotten. *)
Theorem lemma_a2_printed_control : ~ (forall (M D L I J O : finType) (X : D -> L -> R) (v : L -> R) (π : O -> R) (a : O -> I) (b : O -> J)
  (α : I -> R) (β : J -> R) τ2 K (x : I -> D -> R) (fB : J -> M -> R) (W : M -> D -> R), 0 < K -> is_law α -> is_law β -> 0 < N_sq X v W ->
  is_gradient (fun W => L_c π a b α β τ2 K (similarity X v x fB W)) W
    (fun m d => - bracket π a b α β τ2 K (similarity X v x fB W) (fun i j => pair_gradient X v (fB j) W (x i) m d))).
Proof.
move=> /(_ _ _ _ _ _ _ one_map (fun=> 1) sure (fun=> tt) (fun=> true) sure (point false) 2 1 (fun _ => fun=> 1) fB_example (column e1)
  Rlt_0_1 sure_law (point_law false) pos_example) wrong.
have := gradient_unique false tt wrong gradient_example.
rewrite !bracket_example; try exact: similarity_example.
by rewrite !pair_gradient_e1 /fB_example /e2 /e1; lra.
Qed.

(** Control n1: K left out of s2. *)
Theorem lemma_a2_s2_control : ~ (forall (I J : finType) (β : J -> R) τ2 K (s : I -> J -> R) i j j', 0 < K -> is_law β ->
  exp (τ2 * s i j') * S_A β τ2 K s i j / exp (τ2 * s i j) = (1 - S_A β τ2 K s i j) * w_A β τ2 s i j').
Proof.
move=> /(_ _ _ sure 0 2 (fun _ _ => 0) tt tt tt ltac:(lra) sure_law).
by rewrite /S_A /w_A !E_sure Rmult_0_r exp_0; lra.
Qed.

(** Control n5: ⟨W_B, ∇L⟩ = 0. *)
Theorem cor_a4_s2_control : ~ (forall (M D L I J O : finType) (X : D -> L -> R) (v : L -> R) (π : O -> R) (a : O -> I) (b : O -> J)
  (α : I -> R) (β : J -> R) τ2 K (x : I -> D -> R) (fB : J -> M -> R) (W W' G : M -> D -> R), 0 < K -> is_law α -> is_law β -> 0 < N_sq X v W ->
  is_gradient (fun W => L_c π a b α β τ2 K (similarity X v x fB W)) W G -> inner G W' = 0).
Proof.
move=> /(_ _ _ _ _ _ _ one_map (fun=> 1) sure (fun=> tt) (fun=> true) sure (point false) 2 1 (fun _ => fun=> 1) fB_example (column e1) (column e2)
  _ Rlt_0_1 sure_law (point_law false) pos_example gradient_example).
rewrite /inner sum_bool !sum_unit !bracket_example; try exact: similarity_example.
by rewrite !pair_gradient_e1 /fB_example /column /e2 /e1; lra.
Qed.
