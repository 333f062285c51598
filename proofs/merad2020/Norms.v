(** Merad et al., section 8: norms of the pieces that the second derivative of the loss of a triplet is made of, the
    loss vectors, and the bounds of the loss itself. *)
From Coquelicot Require Import Coquelicot.
Require Import Contrapositive.Tactics Contrapositive.merad2020.Triplets.
Set Implicit Arguments. Unset Strict Implicit.

Section Norms.
Variable D : finType.
Implicit Types (z h : 'I_3 * D -> R) (i j : 'I_3).

(** Two vectors that differ in the places i and j only. *)
Lemma sum_two_places (F : 'I_3 -> R) i j : i != j -> (forall k, k != i -> k != j -> F k = 0) -> ∑ k, F k = F i + F j.
Proof.
move=> ij zero; rewrite (sum_D1 _ i) (bigD1 j) 1?eq_sym //= big1 ?Rplus_0_r // => k /andP [ki kj]; exact: zero.
Qed.

Lemma dot_places z h : dot z h = ∑ k, dot (blk z k) (blk h k).
Proof. by rewrite /dot pair_bigA; apply: sum_ext => -[k b]. Qed.

Lemma dcos_sq i j z : i != j -> dot (dcos i j z) (dcos i j z) = dot (blk z i) (blk z i) + dot (blk z j) (blk z j).
Proof.
move=> ij; rewrite dot_places (sum_two_places ij) => [|k /negbTE ki /negbTE kj].
  rewrite Rplus_comm; congr (_ + _); apply: sum_ext => b; rewrite /blk /dcos !apply_d2cos /= eqxx.
    by rewrite eq_sym (negbTE ij) /blk; ring.
  by rewrite (negbTE ij) /blk; ring.
rewrite /dot (sum_ext (G := fun=> 0)) ?sum_const => [|b]; first by ring.
by rewrite /blk /dcos !apply_d2cos /= ki kj; ring.
Qed.

(** [dcos i j z] is the gradient of z_i·z_j. *)
Lemma dcos_is_gradient i j z h :
  is_derive (fun t => dot (blk (add z (scale t h)) i) (blk (add z (scale t h)) j)) 0 (dot (dcos i j z) h).
Proof.
have line t : dot (blk z i) (blk z j) + (dot (blk z i) (blk h j) + dot (blk z j) (blk h i)) * t
   + dot (blk h i) (blk h j) * (t * t) = dot (blk (add z (scale t h)) i) (blk (add z (scale t h)) j).
  by rewrite !blk_add !blk_scale !dotE (dotC (blk h i) (blk z j)); ring.
apply: (is_derive_ext _ _ _ _ line).
have -> : dot (dcos i j z) h = dot (blk z i) (blk h j) + dot (blk z j) (blk h i).
  have part k l : ∑ p, (if p.1 == k then blk z l p.2 else 0) * h p = dot (blk z l) (blk h k).
    transitivity (∑ m, ∑ b, (if m == k then blk z l b else 0) * h (m, b)).
      by rewrite pair_bigA; apply: sum_ext => -[m b].
    rewrite (bigD1 k) //= [X in _ + X]big1 ?Rplus_0_r.
      by rewrite /dot; apply: sum_ext => b; rewrite eqxx.
    by move=> m /negbTE ne; apply: big1 => b _; rewrite ne; ring.
  rewrite -(part i j) -(part j i) Rplus_comm -sum_add; apply: sum_ext => p.
  by rewrite /dcos apply_d2cos; ring.
by auto_derive => //; ring.
Qed.

(** ‖∂cos_ij‖ = √(‖z_i‖² + ‖z_j‖²) for i ≠ j.
    [claim] merad2020.norm-dcos  [sense] exact  [scope] real entries, any dimension *)
Theorem norm_dcos_exact i j z : i != j -> norm (dcos i j z) = sqrt (norm (blk z i) ^ 2 + norm (blk z j) ^ 2).
Proof. by move=> ij; rewrite {1}/norm dcos_sq // !norm_sq. Qed.

(** ‖∂cos_ij‖ <= √2 max(‖z_i‖, ‖z_j‖).
    [claim] merad2020.norm-dcos  [sense] root-two  [scope] real entries, any dimension *)
Theorem norm_dcos_root_two i j z : i != j -> norm (dcos i j z) <= sqrt 2 * Rmax (norm (blk z i)) (norm (blk z j)).
Proof.
move=> ij; have m0 := Rmax_l (norm (blk z i)) (norm (blk z j)); have m1 := Rmax_r (norm (blk z i)) (norm (blk z j)).
have a0 := norm_ge0 (blk z i); have b0 := norm_ge0 (blk z j); set M := Rmax _ _ in m0 m1 *.
apply: norm_le; first by apply: Rmult_le_pos; [apply: sqrt_pos | lra].
by rewrite dcos_sq // -!norm_sq Rpow_mult_distr /= !Rmult_1_r sqrt_sqrt; nra.
Qed.

(** [claim] merad2020.norm-dcos  [sense] printed  [scope] real entries, any dimension *)
Theorem norm_dcos_printed i j z : i != j -> norm (dcos i j z) <= 2 * Rmax (norm (blk z i)) (norm (blk z j)).
Proof.
move=> ij; apply: (Rle_trans _ _ _ (norm_dcos_root_two z ij)).
apply: Rmult_le_compat_r; first by apply: (Rle_trans _ _ _ (norm_ge0 (blk z i))); apply: Rmax_l.
by have := sqrt_sqrt 2 ltac:(lra); have := sqrt_pos 2; nra.
Qed.

(** For i = j the printed bound is attained: ‖∂‖z_i‖²‖ = 2‖z_i‖.
    [claim] merad2020.norm-dcos  [sense] same-index  [scope] real entries, any dimension *)
Theorem norm_dcos_same_index i z : norm (dcos i i z) = 2 * norm (blk z i).
Proof.
rewrite -{1}(Rabs_pos_eq 2 ltac:(lra)) -norm_scale /norm; congr sqrt.
rewrite dot_places (sum_D1 _ i) big1 ?Rplus_0_r => [|k /negbTE ki].
  by apply: sum_ext => b; rewrite /blk /dcos !apply_d2cos /= eqxx /scale /blk; ring.
by apply: big1 => b _; rewrite /blk /dcos !apply_d2cos /= ki; ring.
Qed.

Lemma norm_d2cos_at_most i j : i != j -> norm_at_most (@d2cos D i j) 1.
Proof.
move=> ij h; rewrite Rmult_1_l; apply: norm_le (norm_ge0 h) _; rewrite norm_sq (dcos_sq h ij).
have ji : j != i by rewrite eq_sym.
rewrite (dot_places h h) (sum_D1 (fun k => dot (blk h k) (blk h k)) i) (bigD1 j) //=.
apply: Rplus_le_compat_l; rewrite -[X in X <= _]Rplus_0_r; apply: Rplus_le_compat_l.
by apply: psum_ge0 => *; apply: dot_ge0.
Qed.

(** A unit vector in the i-th block. *)
Definition unit_at i (b : D) : 'I_3 * D -> R := fun p => if p == (i, b) then 1 else 0.

Lemma norm_unit_at i b : norm (unit_at i b) = 1.
Proof.
rewrite /norm /dot (sum_ext (G := fun p => if (i, b) == p then 1 else 0)).
  by rewrite (sum_if1 (fun=> 1)) sqrt_1.
by move=> p; rewrite /unit_at eq_sym; case: ifP => _; ring.
Qed.

Lemma d2cos_unit i j b : i != j -> forall p, apply_matrix (@d2cos D i j) (unit_at i b) p = unit_at j b p.
Proof.
move=> ij [k c]; rewrite apply_d2cos /unit_at /blk /= !xpair_eqE eqxx (eq_sym j i) (negbTE ij) /=.
by case: (k == i); case: (k == j) => /=; ring.
Qed.

(** ‖A_iA_jᵀ + A_jA_iᵀ‖ = 1 for i ≠ j, where there is a coordinate.
    [claim] merad2020.norm-d2cos  [sense] printed  [scope] any dimension d >= 1 *)
Theorem norm_d2cos_printed i j : i != j -> (0 < #|D|)%N -> norm_is (@d2cos D i j) 1.
Proof.
move=> ij /card_gt0P [b _]; apply: (@norm_attained _ _ _ _ (unit_at i b)); [lra | exact: norm_d2cos_at_most | |].
  by rewrite norm_unit_at; lra.
by rewrite (norm_ext (d2cos_unit b ij)) !norm_unit_at; lra.
Qed.

(** ‖A_iA_iᵀ + A_iA_iᵀ‖ = 2.
    [claim] merad2020.norm-d2cos  [sense] same-index  [scope] any dimension d >= 1 *)
Theorem norm_d2cos_same_index i : (0 < #|D|)%N -> norm_is (@d2cos D i i) 2.
Proof.
move=> /card_gt0P [b _]; apply: (@norm_attained _ _ _ _ (unit_at i b)); first by lra.
- move=> h; rewrite (norm_dcos_same_index i h); apply: Rmult_le_compat_l; first by lra.
  apply: norm_le (norm_ge0 h) _; rewrite norm_sq (dot_places h h).
  by apply: (sum_term_le (F := fun k => dot (blk h k) (blk h k)) i) => k; apply: dot_ge0.
- by rewrite norm_unit_at; lra.
- rewrite (norm_ext (u := apply_matrix _ _) (v := scale 2 (unit_at i b))) => [|[k c]].
    by rewrite norm_scale Rabs_pos_eq; lra.
  rewrite apply_d2cos /unit_at /blk /scale /= !xpair_eqE eqxx /=.
  by case: (k == i) => /=; ring.
Qed.

(** * The rank-one term s(1 − s) g gᵀ *)
Lemma rank_term_apply z h p : apply_matrix (rank_term z) h p = scale (s z * (1 - s z) * dot (g z) h) (g z) p.
Proof. by rewrite /apply_matrix /rank_term /scale /dot -sum_mull -sum_mulr; apply: sum_ext => q; ring. Qed.

Lemma s_product z : 0 < s z * (1 - s z) <= 1 / 4.
Proof. have [s0 s1] := σ01 (a z); rewrite -/(s z) in s0 s1; have := pow2_ge_0 (s z - 1 / 2); split; nra. Qed.

(** ‖s(1 − s) g gᵀ‖ = s(1 − s) G <= G/4 <= ½‖z‖² <= (3/2)M².
    [claim] merad2020.norm-rank-term  [sense] chain  [scope] real entries, any dimension *)
Theorem norm_rank_term_chain z M : in_ball M z ->
  norm_is (rank_term z) (s z * (1 - s z) * G z) /\
  s z * (1 - s z) * G z <= G z / 4 <= dot z z / 2 /\ dot z z / 2 <= 3 / 2 * M ^ 2.
Proof.
move=> ball; have [k0 k1] := s_product z; have G0 := G_ge0 z.
have gn : norm (g z) ^ 2 = G z by rewrite norm_sq g_sq.
split; last first.
  split; [split |]; first by nra.
    rewrite /G dot_blocks; have := dot_ge0 (add (blk z p2) (blk z p3)); rewrite !dotE (dotC (blk z p3)); lra.
  by rewrite dot_blocks; have := ball_sq p1 ball; have := ball_sq p2 ball; have := ball_sq p3 ball; lra.
have bound : norm_at_most (rank_term z) (s z * (1 - s z) * G z).
  move=> h; rewrite (norm_ext (rank_term_apply z h)) norm_scale Rabs_mult (Rabs_pos_eq (s z * (1 - s z))); last lra.
  rewrite -gn; have := dot_le_norm (g z) h; have := norm_ge0 (g z) => n0 cs.
  have -> : s z * (1 - s z) * norm (g z) ^ 2 * norm h = s z * (1 - s z) * (norm (g z) * norm h) * norm (g z) by ring.
  by apply: Rmult_le_compat_r => //; apply: Rmult_le_compat_l => //; lra.
have r0 : 0 <= s z * (1 - s z) * G z by nra.
case: (Req_dec (norm (g z)) 0) => [g0 | ne].
  split=> //; split=> // r' r'0 _; have -> : G z = 0 by rewrite -gn g0; ring.
  by lra.
apply: (@norm_attained _ _ _ _ (g z)) => //; first by have := norm_ge0 (g z); lra.
rewrite (norm_ext (rank_term_apply z (g z))) norm_scale g_sq Rabs_pos_eq //; exact: Rle_refl.
Qed.

(** The bound that the paper evidently means.
    [claim] merad2020.norm-rank-term  [sense] upper  [scope] real entries, any dimension *)
Theorem norm_rank_term_upper z M : in_ball M z -> norm_at_most (rank_term z) (8 * M ^ 2).
Proof.
move=> ball; have [[_ [bound _]] [[c1 c2] c3]] := norm_rank_term_chain ball.
by apply: norm_at_most_le bound; have := pow2_ge_0 M; lra.
Qed.

(** * The loss vectors, the blocks of the gradient *)
Definition loss (j : 'I_3) z : D -> R := blk (grad z) j.

(** v = softmax(z_1·z_2, z_1·z_3). *)
Definition v1 z : R := exp (dot (blk z p1) (blk z p2)) / (exp (dot (blk z p1) (blk z p2)) + exp (dot (blk z p1) (blk z p3))).
Definition v2 z : R := exp (dot (blk z p1) (blk z p3)) / (exp (dot (blk z p1) (blk z p2)) + exp (dot (blk z p1) (blk z p3))).

Lemma v2_s z : v2 z = s z.
Proof.
rewrite /v2 /s /σ /a dotBr exp_plus exp_Ropp.
have e2 := exp_pos (dot (blk z p1) (blk z p2)); have e3 := exp_pos (dot (blk z p1) (blk z p3)).
by field; split; lra.
Qed.

Lemma v1_s z : v1 z - 1 = - s z.
Proof.
rewrite -v2_s /v1 /v2.
have e2 := exp_pos (dot (blk z p1) (blk z p2)); have e3 := exp_pos (dot (blk z p1) (blk z p3)).
by field; lra.
Qed.

(** loss_1 = (v_1 − 1) z_2 + v_2 z_3, loss_2 = (v_1 − 1) z_1, loss_3 = v_2 z_1, coordinate by coordinate.
    [claim] merad2020.loss-vectors  [sense] s1  [scope] real entries, any dimension *)
Theorem loss_vectors_s1 z b :
  loss p1 z b = add (scale (v1 z - 1) (blk z p2)) (scale (v2 z) (blk z p3)) b /\
  loss p2 z b = scale (v1 z - 1) (blk z p1) b /\
  loss p3 z b = scale (v2 z) (blk z p1) b.
Proof. by rewrite v1_s v2_s /loss /blk /grad /g /three /scale /add /sub /blk /=; split; [|split]; ring. Qed.

(** [claim] merad2020.loss-vectors  [sense] printed  [scope] real entries, any dimension *)
Theorem loss_vectors_printed z :
  norm (loss p1 z) = norm (add (scale (v1 z - 1) (blk z p2)) (scale (v2 z) (blk z p3))) /\
  norm (loss p2 z) = Rabs (v1 z - 1) * norm (blk z p1) /\
  norm (loss p3 z) = v2 z * norm (blk z p1).
Proof.
split; first by apply: norm_ext => b; case: (loss_vectors_s1 z b).
split; rewrite -?norm_scale.
  by apply: norm_ext => b; case: (loss_vectors_s1 z b) => _ [].
have [s0 _] := σ01 (a z); rewrite -(Rabs_pos_eq (v2 z)) -?norm_scale; last by rewrite v2_s /s; lra.
by apply: norm_ext => b; case: (loss_vectors_s1 z b) => _ [].
Qed.

(** ‖loss_1‖ = v_2 ‖z_3 − z_2‖ and ‖loss_2‖ = ‖loss_3‖.
    [claim] merad2020.loss-vectors  [sense] difference  [scope] real entries, any dimension *)
Theorem loss_vectors_difference z :
  norm (loss p1 z) = v2 z * norm (sub (blk z p3) (blk z p2)) /\ norm (loss p2 z) = norm (loss p3 z).
Proof.
have [s0 _] := σ01 (a z); have v0 : 0 <= v2 z by rewrite v2_s /s; lra.
have [_ [-> ->]] := loss_vectors_printed z; split; last first.
  by congr (_ * _); rewrite v1_s Rabs_Ropp -v2_s Rabs_pos_eq.
by rewrite -{1}(Rabs_pos_eq _ v0) -norm_scale v2_s.
Qed.

(** * The loss on outputs of bounded norm *)

(** ζ(−pq) <= ℓ(z) <= ζ(pq) with p = ‖z_1‖, q = ‖z_3 − z_2‖, and pq <= 2C².
    [claim] merad2020.fact-bounded  [sense] product  [scope] real entries, any dimension *)
Theorem fact_bounded_product z C : in_ball C z -> let pq := norm (blk z p1) * norm (sub (blk z p3) (blk z p2)) in
  ζ (- pq) <= ℓ z <= ζ pq /\ pq <= 2 * C ^ 2.
Proof.
move=> ball pq; have := dot_le_norm (blk z p1) (sub (blk z p3) (blk z p2)); rewrite -/(a z) -/pq => /Rabs_le_between le.
split; first by split; apply: ζ_le; lra.
have q2 : norm (sub (blk z p3) (blk z p2)) <= 2 * C.
  have C0 := ball_ge0 ball; apply: norm_le; first by lra.
  have b2 := ball_sq p2 ball; have b3 := ball_sq p3 ball.
  have := dot_ge0 (add (blk z p2) (blk z p3)); rewrite !dotE (dotC (blk z p3)); lra.
have := Rmult_le_compat _ _ _ _ (norm_ge0 (blk z p1)) (norm_ge0 (sub (blk z p3) (blk z p2))) (ball p1) q2.
by rewrite -/pq; lra.
Qed.

(** [claim] merad2020.fact-bounded  [sense] printed  [scope] real entries, any dimension *)
Theorem fact_bounded_printed z C : in_ball C z -> ζ (- (2 * C ^ 2)) <= ℓ z <= ζ (2 * C ^ 2).
Proof.
move=> /fact_bounded_product [[l u] le]; split; [apply: Rle_trans l | apply: (Rle_trans _ _ _ u)]; apply: ζ_le; lra.
Qed.

(** Both bounds are attained.
    [claim] merad2020.fact-bounded  [sense] attained  [scope] real entries, any dimension *)
Theorem fact_bounded_attained (u : D -> R) :
  ℓ (three u (scale (-1) u) u) = ζ (2 * norm u ^ 2) /\ ℓ (three u u (scale (-1) u)) = ζ (- (2 * norm u ^ 2)).
Proof.
have e v w : a (three u v w) = dot u (sub w v) by [].
by rewrite /ℓ !e !dotE norm_sq; split; congr ζ; ring.
Qed.
End Norms.

(** * Controls, on the line *)
Definition line (x y w : R) : 'I_3 * unit -> R := three (fun=> x) (fun=> y) (fun=> w).

Lemma norm_line (u : unit -> R) : norm u = Rabs (u tt).
Proof. by rewrite /norm /dot sum_unit -/(Rsqr _) sqrt_Rsqr_abs. Qed.

Lemma line_ball C x y w : Rabs x <= C -> Rabs y <= C -> Rabs w <= C -> in_ball C (line x y w).
Proof. by move=> X Y W [[|[|[|k]]] lt] //; rewrite norm_line. Qed.

(** Control a: without the factor. *)
Theorem norm_dcos_printed_control : ~ (forall (D : finType) i j (z : 'I_3 * D -> R), i != j ->
  norm (dcos i j z) <= Rmax (norm (blk z i)) (norm (blk z j))).
Proof.
move=> /(_ _ p1 p2 (line 1 1 1) isT); apply: Rlt_not_le; rewrite norm_dcos_exact // !norm_line /blk /line /three /=.
by rewrite Rabs_R1 Rmax_left; [bound | lra].
Qed.

(** Control b: 1.41 in place of √2. *)
Theorem norm_dcos_root_two_control : ~ (forall (D : finType) i j (z : 'I_3 * D -> R), i != j ->
  norm (dcos i j z) <= 141 / 100 * Rmax (norm (blk z i)) (norm (blk z j))).
Proof.
move=> /(_ _ p1 p2 (line 1 1 1) isT); apply: Rlt_not_le; rewrite norm_dcos_exact // !norm_line /blk /line /three /=.
by rewrite Rabs_R1 Rmax_left; [bound | lra].
Qed.

(** The exact value with the sum of the norms in place of the root of the sum of squares. *)
Theorem norm_dcos_exact_control : ~ (forall (D : finType) i j (z : 'I_3 * D -> R), i != j ->
  norm (dcos i j z) = norm (blk z i) + norm (blk z j)).
Proof.
move=> /(_ _ p1 p2 (line 1 1 1) isT); apply: Rlt_not_eq; rewrite norm_dcos_exact // !norm_line /blk /line /three /=.
by rewrite Rabs_R1; bound.
Qed.

(** Control c: 1.99 in place of 2. *)
Theorem norm_dcos_same_index_control : ~ (forall (D : finType) i (z : 'I_3 * D -> R),
  norm (dcos i i z) <= 199 / 100 * norm (blk z i)).
Proof.
by move=> /(_ _ p1 (line 1 1 1)); rewrite norm_dcos_same_index norm_line /blk /line /three /= Rabs_R1; lra.
Qed.

Lemma norm_is_unique (I J : finType) (M : I -> J -> R) r r' : norm_is M r -> norm_is M r' -> r = r'.
Proof. by move=> [a0 [b0 l0]] [a1 [b1 l1]]; apply: Rle_antisym; [apply: l0 | apply: l1]. Qed.

(** Control a: the norm √2. *)
Theorem norm_d2cos_printed_control : ~ (forall (D : finType) i j, i != j -> (0 < #|D|)%N -> norm_is (@d2cos D i j) (sqrt 2)).
Proof.
have u0 : (0 < #|unit_finType|)%N by rewrite card_unit.
move=> /(_ _ p1 p2 isT u0) /norm_is_unique /(_ (@norm_d2cos_printed _ p1 p2 isT u0)).
by apply: Rgt_not_eq; apply: Rlt_gt; bound.
Qed.

(** Control b: the norm 1 for i = j too. *)
Theorem norm_d2cos_same_index_control : ~ (forall (D : finType) i, (0 < #|D|)%N -> norm_is (@d2cos D i i) 1).
Proof.
have u0 : (0 < #|unit_finType|)%N by rewrite card_unit.
by move=> /(_ _ p1 u0) /norm_is_unique /(_ (norm_d2cos_same_index p1 u0)); lra.
Qed.

(** Control a, in a stronger form: the bound M²/4. *)
Theorem norm_rank_term_upper_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) M, in_ball M z ->
  norm_at_most (rank_term z) (1 / 4 * M ^ 2)).
Proof.
have ball : in_ball 1 (line 1 0 0) by apply: line_ball; rewrite ?Rabs_R0 ?Rabs_R1; lra.
move=> /(_ _ _ _ ball) false; have [[_ [_ least]] _] := norm_rank_term_chain ball.
have := least _ _ false; rewrite /G /s /a /dot !sum_unit /blk /sub /line /three /=.
have -> : σ (1 * (0 - 0)) = 1 / 2 by rewrite Rminus_diag_eq // Rmult_0_r /σ exp_0; field.
by lra.
Qed.

(** The norm is not 8M², as printed.
    [claim] merad2020.norm-rank-term  [sense] equality  [scope] refuted on the line *)
Theorem norm_rank_term_equality_refuted : ~ (forall (D : finType) (z : 'I_3 * D -> R) M,
  is_max M (fun k => norm (blk z k)) -> norm_is (rank_term z) (8 * M ^ 2)).
Proof.
have ball : in_ball 1 (line 0 0 1) by apply: line_ball; rewrite ?Rabs_R0 ?Rabs_R1; lra.
have max : is_max 1 (fun k => norm (blk (line 0 0 1) k)).
  by split=> //; exists p3; rewrite norm_line /blk /line /three /= Rabs_R1.
move=> /(_ _ _ _ max) printed; have [exact [[c1 c2] c3]] := norm_rank_term_chain ball.
by have := norm_is_unique printed exact; lra.
Qed.

(** The last member of the chain with 1.49 in place of 3/2. *)
Theorem norm_rank_term_chain_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) M, in_ball M z ->
  dot z z / 2 <= 149 / 100 * M ^ 2).
Proof.
have ball : in_ball 1 (line 1 1 1) by apply: line_ball; rewrite ?Rabs_R1; lra.
by move=> /(_ _ _ _ ball); rewrite dot_blocks /dot !sum_unit /blk /line /three /=; lra.
Qed.

Lemma s_line x : s (line 0 x x) = 1 / 2.
Proof. by rewrite /s /a /dot sum_unit /blk /sub /line /three /= Rmult_0_l /σ exp_0; field. Qed.

(** Control a: ‖loss_1‖ = v_2 (‖z_2‖ + ‖z_3‖). *)
Theorem loss_vectors_difference_control : ~ (forall (D : finType) (z : 'I_3 * D -> R),
  norm (loss p1 z) = v2 z * (norm (blk z p2) + norm (blk z p3))).
Proof.
move=> /(_ _ (line 0 1 1)); have [-> _] := loss_vectors_difference (line 0 1 1).
rewrite v2_s s_line !norm_line /sub /blk /line /three /= Rminus_diag_eq // Rabs_R0 Rabs_R1; lra.
Qed.

(** Control b: v_1 in place of |v_1 − 1|. *)
Theorem loss_vectors_printed_control : ~ (forall (D : finType) (z : 'I_3 * D -> R),
  norm (loss p2 z) = v1 z * norm (blk z p1)).
Proof.
move=> /(_ _ (line 1 0 1)); have [_ [-> _]] := loss_vectors_printed (line 1 0 1).
rewrite v1_s Rabs_Ropp norm_line; have -> : v1 (line 1 0 1) = 1 - s (line 1 0 1) by have := v1_s (line 1 0 1); lra.
rewrite /s /a /dot sum_unit /blk /sub /line /three /= Rabs_R1 !Rmult_1_r Rminus_0_r /σ Rabs_pos_eq.
  by apply: Rgt_not_eq; apply: Rlt_gt; bound.
by bound.
Qed.

(** Control c: loss_2 = loss_3, the signs are the same. *)
Theorem loss_vectors_s1_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) b, loss p2 z b = loss p3 z b).
Proof.
move=> /(_ _ (line 1 1 1) tt); have [_ [-> ->]] := loss_vectors_s1 (line 1 1 1) tt.
have [s0 _] := σ01 (a (line 1 1 1)).
have -> : blk (line 1 1 1) p1 = fun=> 1 by [].
by rewrite v1_s v2_s /scale /s; lra.
Qed.

(** Control c: 1.99 C² in place of 2C². *)
Theorem fact_bounded_printed_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) C, in_ball C z -> ℓ z <= ζ (199 / 100 * C ^ 2)).
Proof.
have ball : in_ball 1 (line 1 (-1) 1) by apply: line_ball; rewrite ?Rabs_Ropp ?Rabs_R1; lra.
move=> /(_ _ _ _ ball); rewrite /ℓ /a /dot sum_unit /blk /sub /line /three /=; apply: Rlt_not_le; rewrite /ζ; bound.
Qed.

(** Half the product. *)
Theorem fact_bounded_product_control : ~ (forall (D : finType) (z : 'I_3 * D -> R) C, in_ball C z ->
  ℓ z <= ζ (1 / 2 * (norm (blk z p1) * norm (sub (blk z p3) (blk z p2))))).
Proof.
have ball : in_ball 1 (line 1 (-1) 1) by apply: line_ball; rewrite ?Rabs_Ropp ?Rabs_R1; lra.
move=> /(_ _ _ _ ball); rewrite !norm_line /ℓ /a /dot sum_unit /blk /sub /line /three /= Rabs_R1 Rabs_pos_eq; last lra.
by apply: Rlt_not_le; rewrite /ζ; bound.
Qed.

(** The two attained values exchanged. *)
Theorem fact_bounded_attained_control : ~ (forall (D : finType) (u : D -> R), ℓ (three u (scale (-1) u) u) = ζ (- (2 * norm u ^ 2))).
Proof.
move=> /(_ unit_finType (fun=> 1)); have [-> _] := fact_bounded_attained (fun _ : unit_finType => 1).
rewrite norm_line Rabs_R1; apply: Rgt_not_eq; apply: Rlt_gt; rewrite /ζ; bound.
Qed.
