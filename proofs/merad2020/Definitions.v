(** Merad, Yu, Bacry, Gaïffas: the losses of the paper, for finitely many classes and inputs.

    [C] is the set of classes and [ρ c] the probability of class [c]; [law c x] is the probability of input [x] in
    class [c]; [f x] is the embedding of [x], a vector with the coordinates [D].  All three sets are any finite types. *)
From Coquelicot Require Import Coquelicot.
Require Export Contrapositive.Sums Contrapositive.Logarithms Contrapositive.Vectors.
Set Implicit Arguments. Unset Strict Implicit.

Section Losses.
Variables (C X D : finType) (ρ : C -> R) (law : C -> X -> R) (f : X -> D -> R).

(** A model: ρ(c) > 0 for every class, and all weights are laws. *)
Record model : Prop := Model {
  ρ_gt0 : forall c, 0 < ρ c;
  ρ_sum : ∑ c, ρ c = 1;
  class_law : forall c, is_law (law c) }.

(** μ_c, the mean of [f] over class [c]. *)
Definition μ (c : C) : D -> R := fun i => 𝔼 x ~ law c, f x i.

(** L_sup^μ(f, 𝒞) = E log Σ_{c'} e^{f(x)·(μ_{c'} − μ_c)}. *)
Definition L_sup_μ : R := 𝔼 c ~ ρ, 𝔼 x ~ law c, LSE (fun c' => dot (f x) (sub (μ c') (μ c))).

(** The loss on the task [T] of the linear classifier whose rows are [w]: the class is drawn from [T]. *)
Definition task (T : {set C}) (c : C) : R := (if c \in T then ρ c else 0) / ∑ (t | t \in T), ρ t.
Definition head_loss (T : {set C}) (w : C -> D -> R) : R :=
  𝔼 c ~ task T, 𝔼 x ~ law c, ln (∑ (c' | c' \in T), exp (dot (f x) (sub (w c') (w c)))).

(** L_sup^μ(f, T) and L_sup(f, T), the infimum over all classifiers. *)
Definition L_sup_μ_on (T : {set C}) : R := head_loss T μ.
Definition L_sup_on (T : {set C}) : R := real (Glb_Rbar (fun l => exists w, l = head_loss T w)).
Definition L_sup : R := L_sup_on setT.

(** L_sup,k^μ and L_sup,k: means over the tasks of k + 1 classes. *)
Definition tasks (k : nat) : {set {set C}} := [set T : {set C} | #|T| == k.+1].
Definition mean_over_tasks (k : nat) (L : {set C} -> R) : R := (∑ (T | T \in tasks k), L T) / INR #|tasks k|.
Definition L_sup_k_μ (k : nat) : R := mean_over_tasks k L_sup_μ_on.
Definition L_sup_k (k : nat) : R := mean_over_tasks k L_sup_on.

(** L_un(f) = E log(1 + e^{f(x)·(f(x⁻) − f(x⁺))}): [x] and [xp] from one class, [xn] from a class of its own. *)
Definition L_un : R :=
  𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 xp ~ law c, 𝔼 cn ~ ρ, 𝔼 xn ~ law cn, ζ (dot (f x) (sub (f xn) (f xp))).

(** L_un^N(f) = E −log(e^{f(x)·f(x⁺)} / (e^{f(x)·f(x⁺)} + Σ_{i <= N} e^{f(x)·f(x_i⁻)})): [I i] is the class of the i-th negative. *)
Definition L_un_N (N : nat) : R :=
  𝔼 c ~ ρ, 𝔼 x ~ law c, 𝔼 xp ~ law c, 𝔼 I ~ draws N ρ, 𝔼 xn ~ independent (fun i => law (I i)),
    - ln (exp (dot (f x) (f xp)) / (exp (dot (f x) (f xp)) + ∑ i, exp (dot (f x) (f (xn i))))).

(** τ = Σ ρ(c)² and τ_N = Σ ρ(c)^{N+1}: one class, and all of N, coincide with the anchor's. *)
Definition τ : R := ∑ c, ρ c ^ 2.
Definition τ_N (N : nat) : R := ∑ c, ρ c ^ N.+1.

(** p_cc(N): N draws show every class; [q_other N c]: they show every class other than [c]. *)
Definition p_cc (N : nat) : R := Pr (draws N ρ) (fun I => [forall c, c \in codom I]).
Definition q_other (N : nat) (c : C) : R := Pr (draws N ρ) (fun I => [forall c', (c' != c) ==> (c' \in codom I)]).

(** The logits of the mean classifier for an anchor [x] of class [c]: a_{c'}(x) = f(x)·(μ_{c'} − μ_c). *)
Definition logit (c : C) (x : X) (c' : C) : R := dot (f x) (sub (μ c') (μ c)).
End Losses.
