(** Esser et al., before Proposition 2: the loss L = Tr(MᵀCM), M = W₁ᵀW₂, with a norm penalty against the loss under a norm
    constraint.  L has degree four in the weights: where the lowest eigenvalue λ of C is negative, no penalty of degree two
    gives a minimum other than zero weights, but with λ = −μ
      L + β(‖W₁‖² + ‖W₂‖²)³  and  L + β‖M‖⁴
    have the minimisers of L under ‖W₁‖², ‖W₂‖² <= μ/(12β), and under ‖M‖² <= μ/(2β).  All norms are Frobenius norms. *)
Require Import Contrapositive.Vectors Contrapositive.Tactics.
Require Import Contrapositive.Sums Contrapositive.esser2024.Proposition2.
Set Implicit Arguments. Unset Strict Implicit.

(** [w] minimises [f] over the set [S]. *)
Definition minimises (W : Type) (S : W -> Prop) (f : W -> R) (w : W) : Prop := S w /\ forall v, S v -> f w <= f v.
Definition anywhere (W : Type) (_ : W) : Prop := True.

Lemma square_zero k x : 0 < k -> k * x ^ 2 <= 0 -> x = 0.
Proof.
move=> k0 le; have : x ^ 2 <= 0 by apply: (Rmult_le_reg_l k) => //; lra.
by have := pow2_ge_0 x => ge le'; apply: Rsqr_0_uniq; rewrite Rsqr_pow2; lra.
Qed.

Section Penalties.
Variables (D H Z : finType) (C : D -> D -> R).

(** Both weight matrices; their squared norms, the loss and ‖M‖². *)
Definition weights : Type := (H -> D -> R) * (H -> Z -> R).
Implicit Type W : weights.
Definition size1 W : R := frobenius1 W.1.
Definition size2 W : R := frobenius W.2.
Definition L W : R := trace_loss C W.1 W.2.
Definition size_M W : R := ∑ k, dot (M_column W.1 W.2 k) (M_column W.1 W.2 k).

Lemma size1_ge0 W : 0 <= size1 W.
Proof. by apply: sum_ge0 => i; exact: dot_ge0. Qed.
Lemma size2_ge0 W : 0 <= size2 W.
Proof. by apply: sum_ge0 => k; exact: dot_ge0. Qed.
Lemma size_M_ge0 W : 0 <= size_M W.
Proof. by apply: sum_ge0 => k; exact: dot_ge0. Qed.

(** ‖M‖² <= ‖W₁‖²‖W₂‖². *)
Lemma size_M_le W : size_M W <= size1 W * size2 W.
Proof.
have := M_norm_left W.2 (sqrt_pos (frobenius1 W.1)) (frobenius_bounds W.1).
by rewrite -Rsqr_pow2 Rsqr_sqrt; [| exact: size1_ge0].
Qed.

(** −μ is the lowest eigenvalue, attained by the unit vector v; weights exist. *)
Variables (μ β : R) (v : D -> R) (i0 : H) (k0 : Z).
Hypothesis μ_ge0 : 0 <= μ.
Hypothesis lowest : forall u, - μ * dot u u <= form C u.
Hypothesis unit_v : dot v v = 1.
Hypothesis attained : form C v = - μ.

Lemma L_ge W : - μ * size_M W <= L W.
Proof. by rewrite /size_M -sum_mull; apply: sum_le => k; exact: lowest. Qed.

(** Weights with ‖W₁‖² = ‖W₂‖² = c and M = c v e_kᵀ. *)
Definition along (c : R) : weights :=
  (fun i d => if i == i0 then sqrt c * v d else 0, fun i k => if (i == i0) && (k == k0) then sqrt c else 0).

Lemma along_sizes c : 0 <= c -> [/\ size1 (along c) = c, size2 (along c) = c, size_M (along c) = c ^ 2 & L (along c) = - μ * c ^ 2].
Proof.
move=> c0; have cc := sqrt_sqrt c c0.
have col k : M_column (along c).1 (along c).2 k = if k == k0 then scale c v else fun=> 0.
  apply: FunctionalExtensionality.functional_extensionality => d; rewrite /M_column (sum_D1 _ i0) big1 => [|i /negbTE ne]; last by rewrite /= ne; ring.
  by rewrite /= eqxx /=; case: (k == k0); [rewrite /scale -[in RHS]cc; ring | ring].
have only (F : Z -> R) a : (forall k, F k = if k == k0 then a else 0) -> ∑ k, F k = a.
  by move=> e; rewrite (sum_ext (G := fun k => if k0 == k then (fun=> a) k else 0)) ?sum_if1 // => k; rewrite e eq_sym.
split.
- rewrite /size1 /frobenius1 (sum_D1 _ i0) big1 => [|i /negbTE ne]; last by rewrite /dot big1 // => d _; rewrite /= ne; ring.
  have -> : dot ((along c).1 i0) ((along c).1 i0) = c * dot v v; last by rewrite unit_v; ring.
  by rewrite /dot -sum_mull; apply: sum_ext => d; rewrite /= eqxx -[X in _ = X * _]cc; ring.
- rewrite /size2 /frobenius; apply: only => k; rewrite /dot (sum_D1 _ i0) big1 => [|i /negbTE ne]; last by rewrite /column /= ne /=; ring.
  by rewrite /column /= eqxx /=; case: (k == k0); [rewrite -[RHS]cc; ring | ring].
- rewrite /size_M; apply: only => k; rewrite col; case: (k == k0); last by rewrite /dot big1 // => d _; ring.
  by rewrite !dotE unit_v; ring.
rewrite /L /trace_loss; apply: only => k; rewrite col; case: (k == k0).
  by rewrite form_scale attained; ring.
by rewrite /form big1 // => a _; rewrite big1 // => b _; ring.
Qed.

Hypothesis β_gt0 : 0 < β.

(** * L + β(‖W₁‖² + ‖W₂‖²)³ *)
Definition cubed W : R := L W + β * (size1 W + size2 W) ^ 3.
Let c := μ / (12 * β).
Let least := - (μ ^ 3 / (432 * β ^ 2)).
Let bounded W := size1 W <= c /\ size2 W <= c.

Let c_ge0 : 0 <= c.
Proof. by apply: Rmult_le_pos => //; apply: Rlt_le; apply: Rinv_0_lt_compat; lra. Qed.
Let μ_c : μ = 12 * β * c.
Proof. by rewrite /c; field; lra. Qed.
Let least_c : least = - (4 * β * c ^ 3).
Proof. by rewrite /least /c; field; lra. Qed.

(** What the objective exceeds its minimum by: three terms that are not negative. *)
Lemma cubed_excess W : let N := size1 W + size2 W in
  cubed W - least = (L W + μ * (size1 W * size2 W)) + (μ / 4 * (size1 W - size2 W) ^ 2 + β * ((N - 2 * c) ^ 2 * (N + c))).
Proof. by move=> N; rewrite /cubed least_c -/N [μ in RHS]μ_c /N; field. Qed.

Lemma L_sizes W : 0 <= L W + μ * (size1 W * size2 W).
Proof. by have := L_ge W; have := Rmult_le_compat_l _ _ _ μ_ge0 (size_M_le W); lra. Qed.

(** The minimum −μ³/(432β²) is attained, and exactly by the minimisers of L under ‖W₁‖², ‖W₂‖² <= μ/(12β).
    [claim] esser2024.reg-equiv  [sense] cubed  [scope] linear network, any sizes, any C with a negative lowest eigenvalue −μ, any β > 0 *)
Theorem reg_equiv_cubed : 0 < μ ->
  (forall W, least <= cubed W) /\ (exists W, cubed W = least) /\
  (forall W, minimises (@anywhere weights) cubed W <-> minimises bounded L W).
Proof.
move=> μ0; have c0 : 0 < c by apply: Rdiv_lt_0_compat; lra.
have [a1 a2 _ aL] := along_sizes c_ge0.
have parts W : 0 <= μ / 4 * (size1 W - size2 W) ^ 2 /\ 0 <= β * ((size1 W + size2 W - 2 * c) ^ 2 * (size1 W + size2 W + c)).
  have s1 := size1_ge0 W; have s2 := size2_ge0 W; split; first by apply: Rmult_le_pos; [lra | exact: pow2_ge_0].
  by apply: Rmult_le_pos; [lra | apply: Rmult_le_pos; [exact: pow2_ge_0 | lra]].
have low W : least <= cubed W by have := cubed_excess W; have := L_sizes W; have := parts W; lra.
have at_c : cubed (along c) = least by have := cubed_excess (along c); rewrite a1 a2 aL => e; lra.
split=> //; split; first by exists (along c).
move=> W; split=> [[_ best] | [[b1 b2] best]].
  have eq : cubed W = least by apply: Rle_antisym; [rewrite -at_c; exact: best | exact: low].
  have ex := cubed_excess W; have Ls := L_sizes W; have [p1 p2] := parts W.
  have s1 := size1_ge0 W; have s2 := size2_ge0 W.
  have e1 : size1 W - size2 W = 0 by apply: (@square_zero (μ / 4)); lra.
  have e2 : size1 W + size2 W - 2 * c = 0.
    by apply: (@square_zero (β * (size1 W + size2 W + c))); [apply: Rmult_lt_0_compat | ]; lra.
  have [h h'] : size1 W = c /\ size2 W = c by split; lra.
  have LW : L W = - μ * (c * c) by move: ex; rewrite eq h h'; lra.
  split=> [|V [V1 V2]]; first by rewrite /bounded h h'; split; exact: Rle_refl.
  have LV := L_sizes V; have : size1 V * size2 V <= c * c by apply: Rmult_le_compat => //; [exact: size1_ge0 | exact: size2_ge0].
  by move=> /(Rmult_le_compat_l _ _ _ μ_ge0); lra.
have bW : L W <= - μ * c ^ 2 by rewrite -aL; apply: best; rewrite /bounded a1 a2; split; exact: Rle_refl.
have Ls := L_sizes W; have s1 := size1_ge0 W; have s2 := size2_ge0 W.
have big : c * c <= size1 W * size2 W by apply: (Rmult_le_reg_l μ) => //; lra.
have only x y : 0 <= x -> x <= c -> y <= c -> c * c <= x * y -> x = c.
  move=> x0 xc yc le; apply: Rle_antisym => //; apply: Rnot_lt_le => lt.
  by have := Rmult_le_compat_l _ _ _ x0 yc; have := Rmult_lt_compat_r _ _ _ c0 lt; lra.
have e1 : size1 W = c by exact: (only _ (size2 W)).
have e2 : size2 W = c by apply: (only _ (size1 W)) => //; rewrite Rmult_comm.
split=> // V _; suff -> : cubed W = least by exact: low.
by have := cubed_excess W; move: Ls bW; rewrite e1 e2; lra.
Qed.

(** * L + β‖M‖⁴ *)
Definition squared W : R := L W + β * size_M W ^ 2.
Let s := μ / (2 * β).
Let bounded_M W := size_M W <= s.

(** The minimum −μ²/(4β) is attained, and exactly by the minimisers of L under ‖M‖² <= μ/(2β).
    [claim] esser2024.reg-equiv  [sense] squared  [scope] linear network, any sizes, any C with lowest eigenvalue −μ <= 0, any β > 0 *)
Theorem reg_equiv_squared :
  (forall W, - (μ ^ 2 / (4 * β)) <= squared W) /\ (exists W, squared W = - (μ ^ 2 / (4 * β))) /\
  (forall W, minimises (@anywhere weights) squared W <-> minimises bounded_M L W).
Proof.
have s0 : 0 <= s by apply: Rmult_le_pos => //; apply: Rlt_le; apply: Rinv_0_lt_compat; lra.
have μ_s : μ = 2 * β * s by rewrite /s; field; lra.
have -> : - (μ ^ 2 / (4 * β)) = - (β * s ^ 2) by rewrite μ_s; field; lra.
have excess W : squared W + β * s ^ 2 = (L W + μ * size_M W) + β * (size_M W - s) ^ 2 by rewrite /squared [μ in RHS]μ_s; ring.
have Lg W : 0 <= L W + μ * size_M W by have := L_ge W; lra.
have gap W : 0 <= β * (size_M W - s) ^ 2 by apply: Rmult_le_pos; [lra | exact: pow2_ge_0].
have low W : - (β * s ^ 2) <= squared W by have := excess W; have := Lg W; have := gap W; lra.
have [_ _ aM aL] := along_sizes (sqrt_pos s); have ss : sqrt s ^ 2 = s by rewrite /= Rmult_1_r sqrt_sqrt.
rewrite ss in aM aL.
have at_s : squared (along (sqrt s)) = - (β * s ^ 2) by have := excess (along (sqrt s)); rewrite aM aL => e; lra.
split=> //; split; first by exists (along (sqrt s)).
move=> W; split=> [[_ best] | [b best]].
  have eq : squared W = - (β * s ^ 2) by apply: Rle_antisym; [rewrite -at_s; exact: best | exact: low].
  have := excess W; have := Lg W; have := gap W => g l e; have e1 : size_M W - s = 0 by apply: (square_zero β_gt0); lra.
  have {e1} e1 : size_M W = s by lra.
  split=> [|V bV]; first by rewrite /bounded_M e1; exact: Rle_refl.
  by have := Lg V; have := Rmult_le_compat_l _ _ _ μ_ge0 bV; rewrite e1 in e l; rewrite eq in e; lra.
have bW : L W <= - μ * s by rewrite -aL; apply: best; rewrite /bounded_M aM; exact: Rle_refl.
split=> // V _; suff e : squared W <= - (β * s ^ 2) by exact: Rle_trans e (low V).
have := size_M_ge0 W => M0; have := excess W; have := Lg W; move: b; rewrite /bounded_M => b l e.
have h : 0 <= β * ((s - size_M W) * (s + size_M W)) by apply: Rmult_le_pos; [lra | apply: Rmult_le_pos; lra].
have : μ * size_M W = 2 * (β * s * size_M W) by rewrite {1}μ_s; ring.
have : μ * s = 2 * (β * s * s) by rewrite {1}μ_s; ring.
by lra.
Qed.

(** * L + μ‖M‖²: the one penalty ‖M‖² with a minimiser other than zero weights *)

(** M = v e_kᵀ minimises L + μ‖M‖², and no weights with ‖M‖ = 1 have a smaller L.
    [claim] esser2024.reg-equiv  [sense] own-size  [scope] linear network, any sizes, any C with lowest eigenvalue −μ <= 0 *)
Theorem reg_equiv_own_size : minimises (@anywhere weights) (fun W => L W + μ * size_M W) (along 1) /\
  (forall d k, M_column (along 1).1 (along 1).2 k d = if k == k0 then v d else 0) /\
  (forall W, size_M W = 1 -> L (along 1) <= L W).
Proof.
have [_ _ aM aL] := along_sizes Rle_0_1; have zero W := L_ge W.
split; first by split=> // V _; rewrite aL aM; have := zero V; lra.
split=> [d k|W w1]; last by rewrite aL; have := zero W; rewrite w1; lra.
rewrite /M_column (sum_D1 _ i0) big1 => [|i /negbTE ne]; last by rewrite /= ne; ring.
by rewrite /= eqxx sqrt_1 /=; case: (k == k0); ring.
Qed.
End Penalties.

(** Without a negative eigenvalue L + β(‖W₁‖² + ‖W₂‖²) >= β(‖W₁‖² + ‖W₂‖²), and zero weights alone minimise it.
    [claim] esser2024.reg-equiv  [sense] no-negative  [scope] linear network, any sizes, any C without negative eigenvalues, any β > 0 *)
Theorem reg_equiv_no_negative (D H Z : finType) (C : D -> D -> R) β : (forall u, 0 <= form C u) -> 0 < β ->
  let sum (W : weights D H Z) := L C W + β * (size1 W + size2 W) in
  (forall W, β * (size1 W + size2 W) <= sum W) /\ (forall W, minimises (@anywhere _) sum W <-> size1 W = 0 /\ size2 W = 0).
Proof.
move=> pos β0 sum; have L0 (W : weights D H Z) : 0 <= L C W by apply: sum_ge0 => k; exact: pos.
have ge W : β * (size1 W + size2 W) <= sum W by rewrite /sum; have := L0 W; lra.
split=> // W; have s1 := size1_ge0 W; have s2 := size2_ge0 W; split=> [[_ best] | [e1 e2]].
  have := best (fun _ _ => 0, fun _ _ => 0) I; have -> : sum (fun _ _ => 0, fun _ _ => 0) = 0.
    rewrite /sum /L /size1 /size2 /trace_loss /frobenius1 /frobenius !big1 => [|k _|i _|k _]; first ring.
    - by rewrite /dot big1 // => i _; rewrite /column /=; ring.
    - by rewrite /dot big1 // => d _; rewrite /=; ring.
    by rewrite /form big1 // => a _; rewrite big1 // => b _; rewrite (_ : M_column _ _ k a = 0); [ring | rewrite /M_column big1 // => i _; rewrite /=; ring].
  by have := ge W; split; nra.
split=> // V _; have := ge V; have := L0 W; have := size1_ge0 V; have := size2_ge0 V; rewrite {2}/sum e1 e2.
have M0 : size_M W = 0 by apply: Rle_antisym (size_M_ge0 W); have := size_M_le W; rewrite e1; lra.
suff -> : L C W = 0 by nra.
rewrite /L /trace_loss big1 // => k _; have zero d : M_column W.1 W.2 k d = 0.
  have a := @sum_term_le _ (fun k => dot (M_column W.1 W.2 k) (M_column W.1 W.2 k)) k (fun k => dot_ge0 _).
  have b := @sum_term_le _ (fun d => M_column W.1 W.2 k d * M_column W.1 W.2 k d) d (fun d => ltac:(nra)).
  by move: a b; rewrite -/(size_M W) M0 -/(dot _ _); nra.
by rewrite /form big1 // => a _; rewrite big1 // => b _; rewrite !zero; ring.
Qed.

(** * Refutations and controls: d = h = z = 1 and C = −1, where L = −(w₁w₂)² *)
Definition scalar (a b : R) : weights unit_finType unit_finType unit_finType := (fun _ _ => a, fun _ _ => b).
Definition minus_one (_ _ : unit) : R := - 1.
Lemma L_scalar W : L minus_one W = - (W.1 tt tt * W.2 tt tt) ^ 2.
Proof. by rewrite /L /trace_loss /form /M_column !sum_unit /minus_one; ring. Qed.
Lemma size_M_scalar (W : weights unit_finType unit_finType unit_finType) : size_M W = (W.1 tt tt * W.2 tt tt) ^ 2.
Proof. by rewrite /size_M /dot /M_column !sum_unit; ring. Qed.
Lemma size1_scalar (W : weights unit_finType unit_finType unit_finType) : size1 W = W.1 tt tt ^ 2.
Proof. by rewrite /size1 /frobenius1 /dot !sum_unit; ring. Qed.
Lemma size2_scalar (W : weights unit_finType unit_finType unit_finType) : size2 W = W.2 tt tt ^ 2.
Proof. by rewrite /size2 /frobenius /dot /column !sum_unit; ring. Qed.
Lemma lowest_scalar (u : unit -> R) : - 1 * dot u u <= form minus_one u.
Proof. by rewrite /form /dot !sum_unit /minus_one; lra. Qed.
Lemma attained_scalar : form minus_one (fun=> 1) = - 1.
Proof. by rewrite /form !sum_unit /minus_one; ring. Qed.
Lemma unit_scalar : dot (fun _ : unit => 1) (fun=> 1) = 1.
Proof. by rewrite /dot sum_unit; ring. Qed.
Ltac scalars := rewrite ?L_scalar ?size_M_scalar ?size1_scalar ?size2_scalar /=.

(** L + β(‖W₁‖² + ‖W₂‖²) has a minimum: −w⁴ + 2w² has none.
    [claim] esser2024.reg-equiv  [sense] printed  [scope] refuted at d = h = z = 1, β = 1 *)
Theorem reg_equiv_printed_refuted : ~ (forall (D H Z : finType) (C : D -> D -> R) β, 0 < β ->
  exists W : weights D H Z, minimises (@anywhere _) (fun W => L C W + β * (size1 W + size2 W)) W).
Proof.
move=> /(_ _ unit_finType unit_finType minus_one 1 Rlt_0_1) [W [_ best]]; set m := L minus_one W + _ in best.
have a0 := Rabs_pos m; have am := Rle_abs (- m); rewrite Rabs_Ropp in am.
pose q := sqrt (3 + Rabs m); have qq : q * q = 3 + Rabs m by apply: sqrt_sqrt; lra.
have q4 : q * q * (q * q) = (3 + Rabs m) * (3 + Rabs m) by rewrite qq.
by have := best (scalar q q) I; rewrite -/m; scalars; have := Rmult_le_pos _ _ a0 a0; lra.
Qed.

(** L + β‖M‖² has a minimum: −(w₁w₂)²/2 has none.
    [claim] esser2024.reg-equiv  [sense] product  [scope] refuted at d = h = z = 1, β = 1/2 *)
Theorem reg_equiv_product_refuted : ~ (forall (D H Z : finType) (C : D -> D -> R) β, 0 < β ->
  exists W : weights D H Z, minimises (@anywhere _) (fun W => L C W + β * size_M W) W).
Proof.
move=> /(_ _ unit_finType unit_finType minus_one (1 / 2) ltac:(lra)) [W [_ best]].
have := best (scalar (1 + (W.1 tt tt * W.2 tt tt) ^ 2) 1) I; scalars.
by move: (W.1 tt tt * W.2 tt tt) => m; have := pow2_ge_0 m; rewrite /=; nra.
Qed.

(** Some β has the minimisers of the radius ‖M‖ <= 1: only β = 1 can, and it has zero weights besides.
    [claim] esser2024.reg-equiv  [sense] product-converse  [scope] refuted at d = h = z = 1 *)
Theorem reg_equiv_product_converse_refuted : ~ (forall (D H Z : finType) (C : D -> D -> R), (exists u, form C u < 0) ->
  exists2 β, 0 < β & forall W : weights D H Z,
    minimises (@anywhere _) (fun W => L C W + β * size_M W) W <-> minimises (fun W => size_M W <= 1) (L C) W).
Proof.
have neg : exists u, form minus_one u < 0 by exists (fun=> 1); rewrite attained_scalar; lra.
move=> /(_ _ unit_finType unit_finType minus_one neg) [β β0 same].
have one : minimises (fun W => size_M W <= 1) (L minus_one) (scalar 1 1) by split=> [|V]; scalars; lra.
have [_ best] := proj2 (same _) one.
have := best (scalar 0 0) I; have := best (scalar 2 1) I; scalars => b2 b0; have e : β = 1 by lra.
have [_ none] : minimises (fun W => size_M W <= 1) (L minus_one) (scalar 0 0).
  by apply/same; split=> // V _; rewrite e; scalars; lra.
by have := none (scalar 1 1); scalars => /(_ ltac:(lra)); lra.
Qed.

(** Control c: the radius −λ/(8β). *)
Theorem reg_equiv_cubed_control : ~ (forall (D H Z : finType) (C : D -> D -> R) μ β (v : D -> R) (i0 : H) (k0 : Z), 0 < μ ->
  (forall u, - μ * dot u u <= form C u) -> dot v v = 1 -> form C v = - μ -> 0 < β -> forall W : weights D H Z,
  minimises (@anywhere _) (cubed C β) W <-> minimises (fun W => size1 W <= μ / (8 * β) /\ size2 W <= μ / (8 * β)) (L C) W).
Proof.
move=> /(_ _ _ _ minus_one 1 1 (fun=> 1) tt tt Rlt_0_1 lowest_scalar unit_scalar attained_scalar Rlt_0_1) same.
have q := sqrt_sqrt (1 / 8) ltac:(lra); set w := sqrt (1 / 8) in q.
have : minimises (fun W => size1 W <= 1 / (8 * 1) /\ size2 W <= 1 / (8 * 1)) (L minus_one) (scalar w w).
  split=> [|V]; first by scalars; rewrite /= Rmult_1_r q; lra.
  rewrite size1_scalar size2_scalar !L_scalar => -[]; rewrite /= !Rmult_1_r.
  move: (V.1 tt tt) (V.2 tt tt) => a b a8 b8; have := Rmult_le_compat _ _ _ _ (Rle_0_sqr a) (Rle_0_sqr b) a8 b8; rewrite /Rsqr.
  by have : w * w * (w * w) = 1 / 64 by [rewrite q; field]; lra.
move=> /same [_ best]; have q' := sqrt_sqrt (1 / 12) ltac:(lra); set w' := sqrt (1 / 12) in q'.
have := best (scalar w' w') I; rewrite /cubed; scalars; rewrite !Rmult_1_r.
have -> : w * w * (w * w) = 1 / 64 by rewrite q; field.
have -> : w' * w' * (w' * w') = 1 / 144 by rewrite q'; field.
by rewrite q q'; lra.
Qed.

(** The minimum −μ²/(8β). *)
Theorem reg_equiv_squared_control : ~ (forall (D H Z : finType) (C : D -> D -> R) μ β (v : D -> R) (i0 : H) (k0 : Z), 0 <= μ ->
  (forall u, - μ * dot u u <= form C u) -> dot v v = 1 -> form C v = - μ -> 0 < β -> forall W : weights D H Z, - (μ ^ 2 / (8 * β)) <= squared C β W).
Proof.
move=> /(_ _ _ _ minus_one 1 1 (fun=> 1) tt tt Rle_0_1 lowest_scalar unit_scalar attained_scalar Rlt_0_1 (scalar (sqrt (1 / 2)) 1)).
have := sqrt_sqrt (1 / 2) ltac:(lra); rewrite /squared; scalars; rewrite !Rmult_1_r; move: (sqrt (1 / 2)) => w ww.
by rewrite ww; lra.
Qed.

(** A smaller β. *)
Theorem reg_equiv_own_size_control : ~ (forall (D H Z : finType) (C : D -> D -> R) μ (v : D -> R) (i0 : H) (k0 : Z), 0 <= μ ->
  (forall u, - μ * dot u u <= form C u) -> dot v v = 1 -> form C v = - μ ->
  minimises (@anywhere (weights D H Z)) (fun W => L C W + μ / 2 * size_M W) (along v i0 k0 1)).
Proof.
move=> /(_ _ _ _ minus_one 1 (fun=> 1) tt tt Rle_0_1 lowest_scalar unit_scalar attained_scalar) [_ best].
by have := best (scalar 2 1) I; scalars; rewrite ?eqxx sqrt_1 /=; lra.
Qed.

(** Control a: L + β(‖W₁‖² + ‖W₂‖²) <= 0 at other weights. *)
Theorem reg_equiv_no_negative_control : ~ (forall (D H Z : finType) (C : D -> D -> R) β, (forall u, 0 <= form C u) -> 0 < β ->
  exists W : weights D H Z, 0 < size1 W + size2 W /\ L C W + β * (size1 W + size2 W) <= 0).
Proof.
have pos (u : unit -> R) : 0 <= form (fun _ _ => 1) u by rewrite /form !sum_unit; nra.
move=> /(_ _ unit_finType unit_finType _ 1 pos Rlt_0_1) [W [W0]].
have : 0 <= L (fun _ _ => 1) W by apply: sum_ge0 => k; exact: pos.
by lra.
Qed.
