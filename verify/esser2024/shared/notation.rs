//! Signs that several claims of the paper use, each with its place there.

use evidence::claim::Symbol;

/// Section "Setup".
pub const MODEL: Symbol = Symbol::new("u", "the model, a map ℝ^d → ℝ^z with outputs u_1, …, u_z");

/// The models of Lemma 1, whose gradients in all parameters are compared.
pub const GRADIENT_MODEL: Symbol = Symbol::new(
    "u",
    "the model, a map ℝ^d → ℝ^z with outputs u_1, …, u_z: u(x) = Θψ(x) with ψ(x) = x, the features of (1 + xᵀx′)² or \
     random Fourier features, or a two-layer network u(x) = W₂ᵀφ(W₁x), φ a function with a derivative, or ReLU, \
     applied to each coordinate",
);

/// Lemma 1 and equations (3) to (5).
pub const PARAMETERS: Symbol = Symbol::new(
    "Θ",
    "all parameters of the model in one vector, (W₁, W₂) for two layers; ∇ and ∇_Θ are gradients in all of them",
);

/// Equations (1), (2).
pub const ANCHORS: Symbol = Symbol::new(
    "x_i",
    "the anchors, points of ℝ^d, i = 1, …, n, each with one positive x_i⁺ and one negative x_i⁻ in ℝ^d",
);

/// Equation (3).
pub const LABELLED: Symbol =
    Symbol::new("x_i", "the inputs in ℝ^d, i = 1, …, n, each with a label y_i = (y_i1, …, y_iz)");

/// Equations (3) to (5): outputs are followed at any point.
pub const POINT: Symbol = Symbol::new("u_l(x)", "output l = 1, …, z at any point x of ℝ^d, in the data or not");

/// Equation (1).
pub const CONTRASTIVE_LOSS: Symbol = Symbol::new("L_c", "loss (1), Σ_i u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺))");

/// Equation (2).
pub const NON_CONTRASTIVE_LOSS: Symbol = Symbol::new("L_nc", "loss (2), −Σ_i u(x_i)ᵀu(x_i⁺)");

/// Equations (1), (2) where a claim is made of both.
pub const BOTH_LOSSES: Symbol = Symbol::new(
    "loss",
    "contrastive, (1): Σ_i u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺)); non-contrastive, (2): −Σ_i u(x_i)ᵀu(x_i⁺); i = 1, …, n",
);

/// Equation (7), with the sign that eq-7nc corrects.
pub const DATA_MATRIX: Symbol = Symbol::new(
    "C",
    "the symmetric part of the d×d matrix Σ_i x_i(x_i⁻ − x_i⁺)ᵀ for the loss (1), of −Σ_i x_i(x_i⁺)ᵀ for the loss (2)",
);

/// Proposition 1: gradient flow.
pub const TIME_DERIVATIVE: Symbol = Symbol::new("′", "the derivative in the time t of the gradient flow Θ′ = −∇_ΘL");

/// Section "Setup": the weights of two layers.
pub const FIRST_WEIGHTS: Symbol =
    Symbol::new("W₁", "the weights of the first layer, h×d, h the width (number of hidden units)");

/// Section "Setup".
pub const SECOND_WEIGHTS: Symbol = Symbol::new("W₂", "the weights of the second layer, h×z");

/// Proposition 3 and Theorem 2.
pub const LINEAR_PRODUCT: Symbol = Symbol::new("M", "W₁ᵀW₂, of shape d×z, so that u(x) = W₂ᵀW₁x = Mᵀx");

/// Definition 1.
pub const STIEFEL: Symbol = Symbol::new("St(h,", "St(h,k): the real h×k matrices W with WᵀW = I_k");

/// Theorem 2.
pub const EIGENVALUES: Symbol = Symbol::new(
    "Λ",
    "the diagonal matrix of the eigenvalues λ₁ ≤ … ≤ λ_d of C = VΛVᵀ (instances may list them in another order), v_i, \
     the columns of V, being orthonormal eigenvectors",
);

/// Theorem 2, where the eigenvectors are not named.
pub const OUTPUTS: Symbol =
    Symbol::new("q", "VᵀW₁ᵀW₂, of shape d×z: row i holds the outputs at the eigenvector v_i of C");

/// Theorem 2: the unit of time.
pub const STEEPEST: Symbol = Symbol::new("|λ|max", "the largest |λ_i|, 10⁻⁹ where that is less");

/// Equation (9).
pub const EQUATION_NINE: Symbol = Symbol::new("(9)", "q′ = −2[2Λq − Λqqᵀq − qqᵀΛq]");

/// Equation (10).
pub const EQUATION_TEN: Symbol = Symbol::new("(10)", "(9) for z = 1: q′ = −2(1 − qᵀq)Λq − 2(I − qqᵀ)Λq, q ∈ ℝ^d");

/// Equation (11), with the sign of a descent.
pub const GRADIENT_STEP: Symbol = Symbol::new(
    "(11)",
    "W_i ← the retraction of W_i − η∇_iL, for i = 1, 2 from the same weights: ∇₁L = 2W₂W₂ᵀW₁C, ∇₂L = 2W₁CW₁ᵀW₂",
);

/// Equation (12).
pub const EULER_STEP: Symbol = Symbol::new("(12)", "q ← q − 2η[2Λq − Λqqᵀq − qqᵀΛq]");

/// Equation (11): "projecting the weights back".
pub const POLAR: Symbol =
    Symbol::new("polar", "the retraction A ↦ A(AᵀA)^{−1/2}, the nearest matrix with orthonormal columns");

/// Equation (11), read otherwise.
pub const QR: Symbol = Symbol::new("QR", "the retraction A ↦ Q of A = QR, R upper triangular with a positive diagonal");

/// Proof of Theorem 2: what it should have been.
pub const GRADIENT_FLOW: Symbol =
    Symbol::new("gradient flow", "that of L on the Stiefel manifolds, q′ = −4Λq + Λqqᵀq + 3qqᵀΛq");

/// Theorem 1.
pub const BENT_OUTPUT: Symbol = Symbol::new("u^φ", "W₂ᵀφ(W₁x), φ applied to each coordinate");

/// Theorem 1.
pub const LINEAR_OUTPUT: Symbol = Symbol::new("u^I", "W₂ᵀW₁x, with the same weights (at the start of training)");

/// Theorem 1.
pub const EXCESS: Symbol = Symbol::new("ε", "φ(W₁x) − W₁x ∈ ℝ^h");

/// Statements about growth.
pub const GROWTH: Symbol = Symbol::new(
    "O(",
    "judged over the sweep: the 95 % interval of the exponent that least squares fit to the logarithms, each \
     observation a point, lies below the exponent named plus 1/4",
);

/// Proposition 3.
pub const FORCED: Symbol = Symbol::new("k₀", "max(0, d + z − h)");

/// Proposition 3: as a squared operator norm.
pub const OPERATOR_NORM: Symbol = Symbol::new("‖₂", "the largest singular value of a matrix, the length of a vector");

/// Frobenius norms.
pub const FROBENIUS_NORM: Symbol = Symbol::new("‖_F", "the root of the sum of the squared entries");
