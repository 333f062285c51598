//! Signs that several claims use, and what they stand for. (`notation` is the claim on Section 3.1.)

use evidence::claim::Symbol;

/// Section 3.
pub const POINTS: Symbol = Symbol::new("n", "the number of inputs x_1, …, x_n ∈ ℝ^b");

/// Section 3.
pub const NEGATIVES: Symbol = Symbol::new("k", "the number of negatives of each input, 1 ≤ k ≤ n − 1");

/// Definition 3.1.
pub const WIDTH: Symbol = Symbol::new("m", "the width: the number of units of each hidden layer");

/// Definition 3.1.
pub const LAYERS: Symbol = Symbol::new("L", "the number of hidden layers, L ≥ 1, which are numbered 0, …, L − 1");

/// Definition 3.1.
pub const OUTPUT: Symbol = Symbol::new("d", "the dimension of the outputs f(x)");

/// Definition 3.1.
pub const RELU: Symbol = Symbol::new("σ", "the ReLU max(t, 0), entry by entry; σ′(t) = 1{t ≥ 0}");

/// Definition 3.1.
pub const QUERY_NETWORK: Symbol = Symbol::new(
    "W",
    "the matrices W_0 ∈ ℝ^{m×b}, W_1, …, W_{L−1} ∈ ℝ^{m×m}, W_L ∈ ℝ^{d×m} of the query network f_W(x) = W_L h_{L−1}, x \
     ∈ ℝ^b, with h_l = max(W_l h_{l−1}, 0), h_{−1} = x",
);

/// Definition 3.1.
pub const KEY_NETWORK: Symbol = Symbol::new(
    "θ",
    "the matrices of the key network f_θ, of the shapes of W; its hidden vectors and patterns are those of θ",
);

/// Section 5.2 and the head of Appendix B.
pub const HIDDEN: Symbol = Symbol::new(
    "h_l",
    "the hidden vector max(W_l h_{l−1}, 0) of layer l = 0, …, L − 1 at an input x, h_{−1} = x (h_{i,l} at x_i)",
);

/// Lemma B.4, Section 5.2.
pub const PATTERN: Symbol = Symbol::new(
    "D_l",
    "the diagonal matrix with the entries 1{(W_l h_{l−1})_r ≥ 0} at an input x, h_l = max(W_l h_{l−1}, 0), h_{−1} = x, \
     0 ≤ l ≤ L − 1 (D_{i,l} at x_i)",
);

/// The arguments of the ReLUs, which hypotheses keep away from 0.
pub const PRE_ACTIVATION: Symbol = Symbol::new(
    "pre-activation",
    "an entry of W_l h_{l−1}, which the ReLU takes to h_l, 0 ≤ l ≤ L − 1, at an input x_i; those of θ likewise",
);

/// Section 5.2.
pub const BACK: Symbol =
    Symbol::new("Back", "Back_{i,l} = W_L D_{i,L−1} W_{L−1} ⋯ D_{i,l} W_l, Back_{i,L} = W_L, Back_{i,L+1} = I");

/// Definition 3.2.
pub const INITIALISATION: Symbol = Symbol::new(
    "Definition 3.2",
    "all entries independent, those of W_0, …, W_{L−1} ~ N(0, 2/m), those of W_L ~ N(0, 1/d), and θ like W and \
     independent of it",
);

/// Definition 3.2: the same words for claims that only speak of a start.
pub const START: Symbol = Symbol::new(
    "random start",
    "all entries independent, those of W_0, …, W_{L−1} ~ N(0, 2/m), those of W_L ~ N(0, 1/d), and θ like W and \
     independent of it",
);

/// Definition 3.3.
pub const QUERY: Symbol =
    Symbol::new("q_i", "the query of input i, a vector of ℝ^d; f_W(x_i) where there are networks");

/// Definition 3.3.
pub const KEY: Symbol = Symbol::new("k_i", "the key of input i, a vector of ℝ^d; f_θ(x_i) where there are networks");

/// Section 5.1.
pub const DIFFERENCE: Symbol = Symbol::new("z_ij", "k_j − k_i");

/// Definition 3.3.
pub const SETS: Symbol = Symbol::new(
    "A",
    "a set of k of the n − 1 indices other than i; sums and means over A run over all C(n−1,k) of them",
);

/// Definition 3.3, (3.2).
pub const LOSS: Symbol = Symbol::new(
    "L_S",
    "(1/n) Σ_i C(n−1,k)^{−1} Σ_A log(1 + Σ_{j∈A} e^{q_i·(k_j − k_i)}), A over the sets of k indices other than i",
);

/// Appendix C.1.
pub const SHARE: Symbol = Symbol::new(
    "P_ij",
    "C(n−1,k)^{−1} Σ_{A∋j} e^{q_i·z_ij}/(1 + Σ_{s∈A} e^{q_i·z_is}), A over the sets of k indices other than i; P_ii = \
     0",
);

/// Fact 1 and Appendix C.1.
pub const QUERY_VECTOR: Symbol = Symbol::new("l̃oss_i", "Σ_{j≠i} P_ij z_ij, n times ∂L_S/∂q_i, unless said otherwise");

/// Fact 2 and Appendix C.1.
pub const KEY_VECTOR: Symbol =
    Symbol::new("l̂oss_i", "Σ_{j≠i} (P_ji q_j − P_ij q_i), n times ∂L_S/∂k_i, unless said otherwise");

/// Section 4.
pub const LOSS_LENGTH: Symbol = Symbol::new(
    "‖loss",
    "‖loss^{(t)}‖² = ‖l̃oss^{(t)}‖² + ‖l̂oss^{(t)}‖² with ‖l̃oss‖² = Σ_i ‖l̃oss_i‖², ‖l̂oss‖² = Σ_i ‖l̂oss_i‖², after t \
     steps",
);

/// Assumption 2.
pub const SEPARATION: Symbol = Symbol::new("δ", "the smallest distance ‖x_i − x_j‖, i ≠ j");

/// Section 3.1.
pub const QUERY_GRADIENT: Symbol = Symbol::new(
    "∇_W",
    "the derivative of L_S by all entries of W_0, …, W_L; its norm is the root of the sum of their squares; ∇_θ \
     likewise",
);

/// Algorithm 1.
pub const STEP: Symbol = Symbol::new(
    "η",
    "the step size of W: W^{(t+1)} = W^{(t)} − η ∇_W L_S, θ^{(t+1)} = θ^{(t)} − γ ∇_θ L_S, both gradients at (W^{(t)}, \
     θ^{(t)})",
);

/// Section 3.1.
pub const TUPLE_NORM: Symbol =
    Symbol::new("‖_F", "the root of the sum of the squares of all entries (of all matrices of a tuple)");

/// Section 3: inputs, and the two networks on them.
pub const NETWORKS: [Symbol; 7] = [POINTS, NEGATIVES, WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, KEY_NETWORK];

/// Section 3.1 and Appendix C.1: queries, keys, their loss, and its derivatives by them.
pub const QUERIES_AND_KEYS: [Symbol; 7] = [QUERY, KEY, DIFFERENCE, SHARE, LOSS, QUERY_VECTOR, KEY_VECTOR];
