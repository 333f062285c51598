//! The paper's notation, each sign with the place that introduces it: what the lines of the report are computed from.

use evidence::claim::Symbol;

/// Section 2: the latent classes.
pub const CLASS_COUNT: Symbol = Symbol::new("N_C", "the number of classes, 𝒞 = {1, …, N_C} the set of them");

/// Section 2: the law of the classes.
pub const RHO: Symbol = Symbol::new("ρ", "ρ(c) is the probability of class c");

/// Section 3.1, after Lemma 1.
pub const P_MIN: Symbol = Symbol::new("p_min", "the smallest ρ(c)");

/// Ours, beside [`P_MIN`].
pub const P_MAX: Symbol = Symbol::new("p_max", "the largest ρ(c)");

/// Section 2: the encoder. Its law within each class is all that the losses depend on.
pub const EMBEDDING: Symbol =
    Symbol::new("f(x)", "the embedding in ℝ^d of an input x; a class is a law of f(x) with finitely many values");

/// Before equation (5).
pub const CLASS_MEAN: Symbol = Symbol::new("μ_c", "the mean of f(x) over class c");

/// Equation (5), on the task T.
pub const MEAN_CLASSIFIER_LOSS: Symbol = Symbol::new(
    "L_sup^μ",
    "L_sup^μ(f,T) = E log Σ_{c'∈T} e^{f(x)·(μ_{c'} − μ_c)} for a set T of classes, the class c drawn from T with \
     probability ρ(c)/Σ_{t∈T} ρ(t), then x from class c; T = 𝒞 if none is named; μ_c is the mean of f(x) over class c",
);

/// Equations (3) and (4), on the task T.
pub const BEST_HEAD_LOSS: Symbol = Symbol::new(
    "L_sup",
    "L_sup(f,T) = inf of E log Σ_{c'∈T} e^{f(x)·(w_{c'} − w_c)} over one vector w_t ∈ ℝ^d for each t ∈ T (no \
     intercept), c and x drawn as for L_sup^μ; T = 𝒞 if none is named",
);

/// Section 3.2: the average over tasks.
pub const TASK_AVERAGE: Symbol =
    Symbol::new("L_sup,k^μ", "the mean of L_sup^μ(f,T) over all C(N_C, k+1) sets T of k + 1 classes");

/// Section 3.2: the average over tasks.
pub const BEST_TASK_AVERAGE: Symbol =
    Symbol::new("L_sup,k(f)", "the mean of L_sup(f,T) over all C(N_C, k+1) sets T of k + 1 classes");

/// Equation (6).
pub const UNSUPERVISED_LOSS: Symbol = Symbol::new(
    "L_un^N",
    "L_un^N(f) = E −log(e^{f(x)·f(x⁺)}/(e^{f(x)·f(x⁺)} + Σ_{i≤N} e^{f(x)·f(x_i⁻)})): a class c is drawn from ρ, then x \
     and x⁺ independently from class c; each x_i⁻ independently of all else from a class of its own drawn from ρ",
);

/// Equation (6) with N = 1, where L_un^N is explained too.
pub const ONE_NEGATIVE: Symbol = Symbol::new("L_un", "L_un^N for N = 1");

/// Equation (6) with N = 1, by itself.
pub const ONE_NEGATIVE_LOSS: Symbol = Symbol::new(
    "L_un",
    "L_un(f) = E log(1 + e^{f(x)·(f(x⁻) − f(x⁺))}): a class c is drawn from ρ, then x and x⁺ independently from class \
     c; x⁻ independently of both from a class of its own drawn from ρ",
);

/// Before Lemma 2.
pub const COVERAGE: Symbol =
    Symbol::new("p_cc", "p_cc(N) is the probability that N independent draws from ρ show every class at least once");

/// Section 3.2, where it is written with a plus sign for N = 1.
pub const COLLISION: Symbol = Symbol::new("τ_N", "Σ_c ρ(c)^{N+1}, which is N_C^{−N} for uniform ρ");

/// Section 7: what an expectation of the proofs is taken over.
pub const ANCHOR_CLASS: Symbol = Symbol::new(
    "E",
    "the expectation over all that is random: the class c of the anchor drawn from ρ, the anchor x from class c, and \
     the classes of negatives from ρ, independently",
);

/// Section 7: the class of a negative.
pub const NEGATIVE_CLASS: Symbol =
    Symbol::new("c⁻", "the class of a negative, drawn from ρ independently of the class c and of x");

/// Section 3: natural unless a statement says otherwise.
pub const LOGARITHM: Symbol = Symbol::new("log", "the natural logarithm");

/// Section 7 of the statement in base two.
pub const BITS: Symbol = Symbol::new("bits", "with every logarithm, those of the losses too, to base two");

/// Section 7.
pub const LOG_SUM_EXP: Symbol =
    Symbol::new("LSE", "LSE(x_1, …, x_n) = log Σ e^{x_i}, with e^{−∞} = 0 and −∞ if there is no entry");

/// Section 7: the softplus.
pub const SOFTPLUS: Symbol = Symbol::new("ζ", "ζ(t) = log(1 + e^t)");

/// Section 8, there as the second entry of a softmax.
pub const SIGMOID: Symbol = Symbol::new("σ", "σ(t) = 1/(1 + e^{−t})");

/// Section 8: vectors are Euclidean, matrices spectral.
pub const NORM: Symbol =
    Symbol::new("‖", "the Euclidean norm of a vector, the spectral norm (largest singular value) of a matrix");

/// Section 4, before equation (12).
pub const OUTPUT_TRIPLE: Symbol = Symbol::new(
    "z_1",
    "z = (z_1, z_2, z_3) are the outputs f(x), f(x⁺), f(x⁻) of one triplet, in ℝ^d each, as one vector of ℝ^{3d}",
);

/// Equation (11).
pub const TRIPLET_LOSS: Symbol = Symbol::new("ℓ", "ℓ(z) = log(1 + e^{z_1·(z_3 − z_2)})");

/// Section 8: ∂ℓ/∂z.
pub const TRIPLET_GRADIENT: Symbol = Symbol::new(
    "∇ℓ",
    "the gradient of ℓ in ℝ^{3d}, with the blocks s(z_3 − z_2), −s z_1, s z_1 for s = σ(z_1·(z_3 − z_2))",
);

/// Section 8: ∂²ℓ/∂z².
pub const HESSIAN: Symbol = Symbol::new(
    "∇²ℓ",
    "the 3d × 3d matrix of second derivatives of ℓ, s·K + s(1−s)·ggᵀ with s = σ(z_1·(z_3 − z_2)), g = (z_3 − z_2, \
     −z_1, z_1) and K with the d × d blocks (0, −I, I; −I, 0, 0; I, 0, 0)",
);

/// Section 8, proof of Lemma 5.
pub const BLOCK_COLUMN: Symbol =
    Symbol::new("A_j", "the 3d × d matrix with the identity in the j-th of its three blocks and 0 in the others");

/// Section 8, proof of Lemma 5.
pub const INNER_PRODUCT_GRADIENT: Symbol = Symbol::new(
    "∂cos_12",
    "∂cos_ij is the gradient of z_i·z_j in z, a column of ℝ^{3d}: z_j in the i-th block, z_i in the j-th, 0 in the \
     third",
);

/// Section 8, proof of Lemma 5.
pub const SOFTMAX_DERIVATIVE: Symbol = Symbol::new(
    "∂v",
    "the 2 × 3d matrix (diag v − vvᵀ)·(∂cos_12 ∂cos_13)ᵀ of derivatives of v = softmax(z_1·z_2, z_1·z_3) in z",
);

/// Equation (11): a sum and not a mean.
pub const EMPIRICAL_LOSS: Symbol = Symbol::new(
    "L̂_un",
    "Σ_{i≤n} ℓ(z_i), a sum over the n triplets, z_i = (z_{i,1}, z_{i,2}, z_{i,3}) the outputs of x_i, x_i⁺, x_i⁻",
);

/// Lemma 4: the gradient in the outputs, place by place.
pub const OUTPUT_GRADIENT: Symbol = Symbol::new(
    "∇L̂_un",
    "the gradient in the 3n outputs as independent variables: blocks s_i(z_{i,3} − z_{i,2}), −s_i z_{i,1}, s_i z_{i,1} \
     with s_i = σ(z_{i,1}·(z_{i,3} − z_{i,2}))",
);

/// Section 4: the network of the convergence theorems.
pub const NETWORK: Symbol = Symbol::new(
    "W_l",
    "f(x) = B h_L with h_0 = relu(A x) and h_l = relu(W_l h_{l−1}) for l = 1, …, L: A is m × d_x, each W_l is m × m, B \
     is d × m; relu(t) = max(t, 0) entry by entry, with the derivative 0 at 0",
);

/// Section 4: the width.
pub const WIDTH: Symbol = Symbol::new("m", "the number of hidden units of every layer");

/// Theorem 1: how many steps training takes.
pub const STEPS: Symbol = Symbol::new(
    "T",
    "T(ε) is the number of updates before the first step at which the goal (L̂_un in Theorem 1, ‖∇L̂_un‖ in Lemma 6) is \
     at most ε, plus one in fits",
);

/// Theorem 1: the step size.
pub const STEP_SIZE: Symbol =
    Symbol::new("ν", "each update subtracts ν times the gradient of L̂_un in the trained matrices");

/// Assumption 1.
pub const SEPARATION: Symbol = Symbol::new("δ", "the smallest distance of two inputs");

/// Assumption 2.
pub const NORM_BOUNDS: Symbol =
    Symbol::new("η", "η and C: Assumption 2 asks that η < ‖f(x)‖ < C for all inputs of the triplets at every step");

/// Ours: how statements of growth are judged.
pub const GROWTH: Symbol = Symbol::new(
    "grows at most like",
    "in a least-squares fit of log T, or of the logarithm of what stands in its place, on the logarithm of the size \
     that the line names (1/ε, 1/δ, log(1/ε)), the 95 % interval of the slope lies below the exponent plus 1/4",
);

/// Random starts.
pub const NORMAL_LAW: Symbol =
    Symbol::new("N(0, 2/m)", "the normal law of mean 0 and variance 2/m; N(0, 1/d) that of variance 1/d");

/// Ours: how the infimum over all heads enters a comparison from below.
pub const DUAL_BOUND: Symbol = Symbol::new(
    "dual bound",
    "a number at most E H(q) ≤ L_sup(f,T) for distributions q on T that were found, one for each class c ∈ T and value \
     of f(x) in it, with E (q_t − 1{t = c})·f(x) = 0 for every t ∈ T; H(q) = −Σ_t q_t log q_t, c and x drawn as for \
     L_sup^μ",
);
