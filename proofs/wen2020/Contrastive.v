(** Wen: the contrastive objective as a function of the outputs, equations (1.1), (D.1) and (A.3), Lemma D.1 and
    Assumption 2. *)
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

(** * Equation (A.3): from a descent at every step to the average of the loss vectors *)
Section Averages.
Variables (L l1 l2 : nat -> R) (κ : R) (T : nat).
(** ‖loss^{(t)}‖, from ‖l̃oss^{(t)}‖ and ‖l̂oss^{(t)}‖, and the average over the first T steps. *)
Definition loss (t : nat) : R := sqrt (l1 t ^ 2 + l2 t ^ 2).
Definition average (g : nat -> R) : R := (\big[Rplus/0]_(t < T) g t) / INR T.

Hypothesis κ0 : 0 < κ.
Hypothesis T0 : (0 < T)%N.
Hypothesis l1_ge0 : forall t, 0 <= l1 t.
Hypothesis l2_ge0 : forall t, 0 <= l2 t.
Hypothesis descent : forall t : 'I_T, L t.+1 - L t <= - κ * loss t ^ 2.
Hypothesis L_ge0 : 0 <= L T.

Let n0 : 0 < INR T.
Proof. by apply: lt_0_INR; apply/ltP. Qed.

Lemma loss_ge0 t : 0 <= loss t.
Proof. exact: sqrt_pos. Qed.

Lemma telescope n : \big[Rplus/0]_(t < n) (L t - L t.+1) = L 0 - L n.
Proof. by elim: n => [|n IH]; rewrite ?big_ord0 ?big_ord_recr /= ?IH; ring. Qed.

Lemma squares_le : κ * (\big[Rplus/0]_(t < T) loss t ^ 2) <= L 0 - L T.
Proof. by rewrite -telescope -sum_mull; apply: sum_le => t; have := descent t; lra. Qed.

(** [claim] wen2020.eq-a3  [sense] root-mean-square  [scope] any number of steps *)
Theorem eq_a3_root_mean_square : sqrt (average (fun t => loss t ^ 2)) <= sqrt ((L 0 - L T) / (κ * INR T)).
Proof.
apply: sqrt_le_1_alt; rewrite /average; apply: (Rmult_le_reg_r (κ * INR T)); first exact: Rmult_lt_0_compat.
have := squares_le; set S := \big[Rplus/0]_(t < T) _ => le.
have -> : S / INR T * (κ * INR T) = κ * S by field; lra.
by have -> : (L 0 - L T) / (κ * INR T) * (κ * INR T) = L 0 - L T by field; lra.
Qed.

Lemma average_le g h : (forall t, g t <= h t) -> average g <= average h.
Proof.
move=> le; apply: Rmult_le_compat_r; first by apply: Rlt_le; apply: Rinv_0_lt_compat.
by apply: sum_le => t; apply: le.
Qed.

(** (1/T) Σ ‖loss^{(t)}‖ <= √(L_S(0)/(κT)), and the averages of both parts are at most that of the whole.
    [claim] wen2020.eq-a3  [sense] printed  [scope] any number of steps *)
Theorem eq_a3_printed : average loss <= sqrt (L 0 / (κ * INR T)) /\ average l1 <= average loss /\ average l2 <= average loss.
Proof.
have part (a b : R) : 0 <= a -> a <= sqrt (a ^ 2 + b ^ 2).
  by move=> a0; rewrite -{1}(sqrt_pow2 a) //; apply: sqrt_le_1_alt; have := pow2_ge_0 b; lra.
split; last first.
  split; apply: average_le => t; rewrite /loss; first exact: part.
  by rewrite Rplus_comm; apply: part.
have a0 : 0 <= average loss.
  by apply: Rmult_le_pos; [apply: sum_ge0 => t; apply: loss_ge0 | apply: Rlt_le; apply: Rinv_0_lt_compat].
apply: Rle_trans (Rle_trans _ _ _ eq_a3_root_mean_square _); last first.
  apply: sqrt_le_1_alt; apply: Rmult_le_compat_r; last by lra.
  by apply: Rlt_le; apply: Rinv_0_lt_compat; apply: Rmult_lt_0_compat.
rewrite -(sqrt_pow2 _ a0); apply: sqrt_le_1_alt.
have := @cauchy_schwarz _ (fun=> 1) (fun=> 1) (fun t : 'I_T => loss t) (fun=> Rle_0_1).
have -> : ∑ i : 'I_T, 1 * (1 * loss i) = \big[Rplus/0]_(t < T) loss t by apply: sum_ext => t; ring.
have -> : ∑ i : 'I_T, 1 * 1 ^ 2 = INR T by rewrite sum_const card_ord; ring.
have -> : ∑ i : 'I_T, 1 * loss i ^ 2 = \big[Rplus/0]_(t < T) loss t ^ 2 by apply: sum_ext => t; ring.
rewrite /average; set S := \big[Rplus/0]_(t < T) loss t; set Q := \big[Rplus/0]_(t < T) loss t ^ 2 => cs.
apply: (Rmult_le_reg_r (INR T ^ 2)); first by apply: pow_lt.
have -> : (S / INR T) ^ 2 * INR T ^ 2 = S ^ 2 by field; lra.
by have -> : Q / INR T * INR T ^ 2 = INR T * Q by field; lra.
Qed.

(** [claim] wen2020.eq-a3  [sense] converse  [scope] any number of steps *)
Theorem eq_a3_converse : average loss <= average l1 + average l2.
Proof.
have -> : average l1 + average l2 = average (fun t => l1 t + l2 t) 
  by rewrite /average /Rdiv -Rmult_plus_distr_r -sum_add.
apply: average_le => t; rewrite /loss -(sqrt_pow2 (l1 t + l2 t)); last by have := l1_ge0 t; have := l2_ge0 t; lra.
by apply: sqrt_le_1_alt; have := Rmult_le_pos _ _ (l1_ge0 t) (l2_ge0 t); lra.
Qed.
End Averages.

(** * Assumption 2: separated inputs on the sphere *)
Section Separated.
Variables (I D : finType) (x : I -> D -> R).
Hypothesis unit_norm : forall i, norm (x i) = 1.

Lemma distance_sq i j : norm (sub (x i) (x j)) ^ 2 = 2 - 2 * dot (x i) (x j).
Proof. by rewrite norm_sq !dotE (dotC (x j)) -!norm_sq !unit_norm; ring. Qed.

(** Orthogonal inputs are √2 apart, whatever their number: one δ serves every n.
    [claim] wen2020.assumption-2  [sense] universal  [scope] orthogonal unit inputs, any number, any dimension *)
Theorem assumption_2_universal : (forall i j, i != j -> dot (x i) (x j) = 0) ->
  forall i j, i != j -> norm (sub (x i) (x j)) = sqrt 2.
Proof.
move=> orth i j /orth ij; rewrite -(sqrt_pow2 _ (norm_ge0 (sub (x i) (x j)))); congr sqrt.
by rewrite distance_sq ij; ring.
Qed.

(** δ <= 2.
    [claim] wen2020.assumption-2  [sense] diameter  [scope] real entries, any dimension *)
Theorem assumption_2_diameter i j : norm (sub (x i) (x j)) <= 2.
Proof.
apply: norm_le; first by lra.
rewrite -norm_sq distance_sq; have := dot_le_norm (x i) (x j); rewrite !unit_norm => /Rabs_le_between; lra.
Qed.

(** Σ_{i<j} ‖x_i − x_j‖² = n² − ‖Σ x_i‖²; the sum over ordered pairs is twice that.
    [claim] wen2020.assumption-2  [sense] sum  [scope] real entries, any number, any dimension *)
Theorem assumption_2_sum : let total := fun a => ∑ i, x i a in
  (∑ i, ∑ j, norm (sub (x i) (x j)) ^ 2) / 2 = INR #|I| ^ 2 - norm total ^ 2.
Proof.
move=> total; have -> : norm total ^ 2 = ∑ i, ∑ j, dot (x i) (x j).
  rewrite norm_sq /dot (sum_ext (G := fun a => ∑ i, ∑ j, x i a * x j a)) => [|a]; last by rewrite sum_mul.
  by rewrite sum_exchange; apply: sum_ext => i; rewrite sum_exchange.
rewrite (sum_ext (G := fun i => INR #|I| * 2 - 2 * ∑ j, dot (x i) (x j))) => [|i].
  by rewrite sum_sub sum_const sum_mull; field.
by rewrite -sum_const -sum_mull -sum_sub; apply: sum_ext => j; rewrite distance_sq.
Qed.

(** δ² <= 2n/(n − 1).
    [claim] wen2020.assumption-2  [sense] simplex  [scope] real entries, any number, any dimension *)
Theorem assumption_2_simplex δ : (2 <= #|I|)%N -> 0 <= δ -> (forall i j, i != j -> δ <= norm (sub (x i) (x j))) ->
  δ ^ 2 <= 2 * INR #|I| / (INR #|I| - 1).
Proof.
move=> n2 δ0 apart; have n2' : 2 <= INR #|I| by apply: (le_INR 2); apply/leP.
have := assumption_2_sum; cbv zeta; set S := ∑ i, ∑ j, _ => sum.
have low : INR #|I| * ((INR #|I| - 1) * δ ^ 2) <= S.
  rewrite -sum_const; apply: sum_le => i; rewrite (sum_D1 _ i).
  have -> : (INR #|I| - 1) * δ ^ 2 = ∑ (j | j != i), δ ^ 2.
    by have := sum_const I (δ ^ 2); rewrite (sum_D1 (fun=> δ ^ 2) i); lra.
  have : ∑ (j | j != i), δ ^ 2 <= ∑ (j | j != i), norm (sub (x i) (x j)) ^ 2.
    by apply: psum_le => j ji; apply: pow_incr; split=> //; apply: apart; rewrite eq_sym.
  by have := pow2_ge_0 (norm (sub (x i) (x i))); lra.
have := pow2_ge_0 (norm (fun a => ∑ i, x i a)) => t0.
apply: (Rmult_le_reg_l (INR #|I| - 1)); first lra.
have -> : (INR #|I| - 1) * (2 * INR #|I| / (INR #|I| - 1)) = 2 * INR #|I| by field; lra.
have S_le : S <= 2 * INR #|I| ^ 2 by lra.
by apply: (Rmult_le_reg_l (INR #|I|)); lra.
Qed.
End Separated.

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

(** Control a of (A.3): T in place of √T, for four steps of descent 1. *)
Theorem eq_a3_printed_control : ~ (forall (L l1 l2 : nat -> R) κ T, 0 < κ -> (0 < T)%N -> (forall t, 0 <= l1 t) ->
  (forall t, 0 <= l2 t) -> (forall t : 'I_T, L t.+1 - L t <= - κ * loss l1 l2 t ^ 2) -> 0 <= L T ->
  average T (loss l1 l2) <= sqrt (L 0%N / κ) / INR T).
Proof.
have one t : loss (fun=> 1) (fun=> 0) t = 1 by rewrite /loss -[RHS]sqrt_1; congr sqrt; ring.
move=> /(_ (fun t => 4 - INR t) (fun=> 1) (fun=> 0) 1 4%N Rlt_0_1 isT (fun=> Rle_0_1) (fun=> Rle_refl 0)).
have descent (t : 'I_4) : 4 - INR t.+1 - (4 - INR t) <= - (1) * loss (fun=> 1) (fun=> 0) t ^ 2.
  by rewrite one S_INR; lra.
move=> /(_ descent ltac:(rewrite /=; lra)); apply: Rlt_not_le.
rewrite /average (eq_bigr (fun=> 1)) => [|t _]; last exact: one.
by rewrite (sum_const (ordinal_finType 4)) card_ord /= Rminus_0_r; bound.
Qed.

(** The root mean square is not at most the mean (control b). *)
Theorem eq_a3_root_mean_square_control : ~ (forall (l1 l2 : nat -> R) T, (0 < T)%N ->
  sqrt (average T (fun t => loss l1 l2 t ^ 2)) <= average T (loss l1 l2)).
Proof.
pose l (t : nat) := if t == 0%N then 1 else 0; have e t : loss l (fun=> 0) t = l t.
  by rewrite /loss /l; case: (t == 0%N); [rewrite -[RHS]sqrt_1 | rewrite -[RHS]sqrt_0]; congr sqrt; ring.
move=> /(_ l (fun=> 0) 2%N isT); apply: Rlt_not_le.
by rewrite /average !big_ord_recl !big_ord0 !e /l /=; bound.
Qed.

(** One part alone does not bound the whole. *)
Theorem eq_a3_converse_control : ~ (forall (l1 l2 : nat -> R) T, (0 < T)%N -> (forall t, 0 <= l1 t) -> (forall t, 0 <= l2 t) ->
  average T (loss l1 l2) <= average T l1).
Proof.
move=> /(_ (fun=> 0) (fun=> 1) 1%N isT (fun=> Rle_refl 0) (fun=> Rle_0_1)); apply: Rlt_not_le.
by rewrite /average !big_ord_recl !big_ord0 /loss /=; bound.
Qed.

(** Two inputs: orthogonal, opposite, equal. *)
Definition axis (i j : bool) : R := if i == j then 1 else 0.
Definition opposite (i : bool) (j : unit) : R := if i then 1 else -1.

Lemma axis_norm i : norm (axis i) = 1.
Proof. by rewrite -sqrt_1 /norm /dot sum_bool; congr sqrt; case: i; rewrite /axis /=; ring. Qed.
Lemma opposite_norm i : norm (opposite i) = 1.
Proof. by rewrite -sqrt_1 /norm /dot sum_unit; congr sqrt; case: i; rewrite /opposite; ring. Qed.
Lemma opposite_apart i j : i != j -> norm (sub (opposite i) (opposite j)) = 2.
Proof.
move=> ij; rewrite -(sqrt_pow2 2) /norm /dot ?sum_unit; last lra.
by congr sqrt; case: i j ij => -[] //= _; rewrite /sub /opposite; ring.
Qed.

(** Control a: 3/2. *)
Theorem assumption_2_universal_control : ~ (forall (I D : finType) (x : I -> D -> R), (forall i, norm (x i) = 1) ->
  (forall i j, i != j -> dot (x i) (x j) = 0) -> forall i j, i != j -> 3 / 2 <= norm (sub (x i) (x j))).
Proof.
have orth i j : i != j -> dot (axis i) (axis j) = 0 by case: i j => -[] //= _; rewrite /dot sum_bool /axis /=; ring.
move=> /(_ _ _ _ axis_norm orth true false isT); rewrite (assumption_2_universal axis_norm orth) //.
by apply: Rlt_not_le; bound.
Qed.

(** Opposite inputs are 2 apart. *)
Theorem assumption_2_diameter_control : ~ (forall (I D : finType) (x : I -> D -> R), (forall i, norm (x i) = 1) ->
  forall i j, norm (sub (x i) (x j)) <= 199 / 100).
Proof. by move=> /(_ _ _ _ opposite_norm true false); rewrite opposite_apart //; lra. Qed.

(** Without ‖Σ x_i‖². *)
Theorem assumption_2_sum_control : ~ (forall (I D : finType) (x : I -> D -> R), (forall i, norm (x i) = 1) ->
  (∑ i, ∑ j, norm (sub (x i) (x j)) ^ 2) / 2 = INR #|I| ^ 2).
Proof.
pose x (i j : unit) := 1; have n1 i : norm (x i) = 1 by rewrite -[RHS]sqrt_1 /norm /dot sum_unit; congr sqrt; rewrite /x; ring.
by move=> /(_ _ _ x n1); rewrite (assumption_2_sum n1) card_unit norm_sq /dot !sum_unit /x /=; lra.
Qed.

(** Control b: 0.99 in front of 2n/(n − 1). *)
Theorem assumption_2_simplex_control : ~ (forall (I D : finType) (x : I -> D -> R) δ, (forall i, norm (x i) = 1) -> (2 <= #|I|)%N ->
  0 <= δ -> (forall i j, i != j -> δ <= norm (sub (x i) (x j))) -> δ ^ 2 <= 99 / 100 * (2 * INR #|I| / (INR #|I| - 1))).
Proof.
move=> /(_ _ _ _ 2 opposite_norm); rewrite card_bool => /(_ isT ltac:(lra)) false.
have /false : forall i j, i != j -> 2 <= norm (sub (opposite i) (opposite j)).
  by move=> i j ij; rewrite opposite_apart //; lra.
by rewrite /=; apply: Rlt_not_le; bound.
Qed.
