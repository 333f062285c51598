//! Signs that several claims use, after Sections 3 to 5 of the paper and the definitions of its appendices.

use evidence::claim::Symbol;

/// Section 3, the data.
pub const SIZES: Symbol = Symbol::new(
    "r",
    "the number of signals; q is that of the noise directions, d = r + q; if q = 0, every term with noise is absent. \
     Indices p, p′, p', s run over the signals, k, l over the noise directions",
);
/// Section 3, the width.
pub const WIDTH: Symbol = Symbol::new("m", "the width: W_A and W_B are m × d");
/// Section 3, eq. (1).
pub const DATA: Symbol = Symbol::new(
    "x_A",
    "Az + A_ξξ_A, and x_B = Bz + B_ξξ_B, with A, B ∈ R^{d×r}, A_ξ, B_ξ ∈ R^{d×q}; z, ξ_A, ξ_B independent and uniform \
     on {±1/√r}^r, {±1/√q}^q, {±1/√q}^q",
);
/// Section 3: the orthogonality of the data. The last pair of equations is not legible in the source.
pub const H_ORTH: Symbol = Symbol::new(
    "H-orth",
    "AᵀA = BᵀB = D_σ = diag(σ_1², …, σ_r²) with all σ_p > 0, A_ξᵀA_ξ = B_ξᵀB_ξ = σ_ξ²I_q, AᵀA_ξ = BᵀB_ξ = 0",
);
/// Theorem 4.3: the bound on the ratio of the strengths.
pub const H_SIGMA: Symbol =
    Symbol::new("H-σ", "σ_max²/σ_min² ≤ c log d (reading a) or ≤ c √log d (reading b), c > 0 a constant");
/// Section 3: the weights seen by the latents.
pub const FEATURES: Symbol = Symbol::new(
    "K_A",
    "W_AA ∈ R^{m×r} with columns [K_A]_p, and K_{A,ξ} = W_AA_ξ ∈ R^{m×q} with columns [K_{A,ξ}]_k, for the weights W_A \
     ∈ R^{m×d}; K_B and K_{B,ξ} likewise",
);
/// Section 3, the sentence before eq. (2).
pub const NORMALISER: Symbol = Symbol::new("N_A", "(‖K_A‖_F²/r + ‖K_{A,ξ}‖_F²/q)^{1/2}; N_B likewise");
/// The normaliser where both views have the same.
pub const NORMALISER_BOTH: Symbol =
    Symbol::new("N²", "N_A² = ‖K_A‖_F²/r + ‖K_{A,ξ}‖_F²/q where N_A = N_B, else that of the column's own view");
/// Section 3, eq. (2).
pub const OUTPUTS: Symbol = Symbol::new(
    "f_A",
    "f_A(x_A) = W_Ax_A/N_A = (K_Az + K_{A,ξ}ξ_A)/N_A, f_B likewise; f_A⁺ and f_B⁺ (also f_A^+, f_B^+) share z and have \
     independent noises; f_B⁻ against f_A⁺ (f_A⁻ against f_B⁺) has z and noise drawn afresh",
);
/// Section 3, eq. (3).
pub const SELECTION: Symbol = Symbol::new(
    "S_A",
    "e^{τ²⟨f_A⁺,f_B⁺⟩}/(e^{τ²⟨f_A⁺,f_B⁺⟩} + K E_{x_B⁻}e^{τ²⟨f_A⁺,f_B⁻⟩}) at a positive pair; S_B the same with \
     E_{x_A⁻}e^{τ²⟨f_A⁻,f_B⁺⟩}",
);
/// Section 3, the contrastive loss.
pub const LOSS: Symbol = Symbol::new(
    "L",
    "−E log S_A − E log S_B over positive pairs, S_A = e^{τ²⟨f_A⁺,f_B⁺⟩}/(e^{τ²⟨f_A⁺,f_B⁺⟩} + K \
     E_{x_B⁻}e^{τ²⟨f_A⁺,f_B⁻⟩}), E_{x_B⁻} the mean over x_B⁻ alone, S_B the same with E_{x_A⁻}e^{τ²⟨f_A⁻,f_B⁺⟩}; K > 0 \
     weighs the negatives, τ² ≥ 0 is the inverse temperature",
);
/// Section 3, eq. (4): the loss without negatives.
pub const LOSS_WITHOUT_NEGATIVES: Symbol = Symbol::new("L_nc", "−E⟨f_A⁺,f_B⁺⟩ = −Ψ");
/// Section 3: what a dot, a prime and d/dt mean. The paper's scale of time is lost; only bounds of times depend on it.
pub const MOTION: &str = "the flow is Ẇ = −(r/τ²)∇_W L in W_A and W_B together (its limit at τ = 0), or Ẇ = −r∇_W L_nc \
                          where L_nc is named; time derivatives are along it";
/// Section 4: the Gram matrix decides everything.
pub const GRAM: Symbol =
    Symbol::new("G", "𝐊ᵀ𝐊, the 2d × 2d Gram matrix of the columns 𝐊 = [K_A | K_{A,ξ} | K_B | K_{B,ξ}]");
/// Section 5, eq. (6).
pub const AGREEMENT: Symbol = Symbol::new("Ψ", "⟨K_A,K_B⟩_F/(rN_AN_B) = E⟨f_A⁺,f_B⁺⟩");
/// Section 5, eq. (7).
pub const KAPPA: Symbol =
    Symbol::new("κ_p", "κ_p = ‖[K_A]_p‖, which is ‖[K_B]_p‖ too where the norms of the views agree; ‖κ‖² = Σκ_p²");
/// Section 5, eq. (7).
pub const KAPPA_HAT: Symbol = Symbol::new("κ̂", "κ̂_p² = ⟨[K_A]_p,[K_B]_p⟩, of either sign; ‖κ̂‖² = Σκ̂_p²");
/// Section 5: alignment of one signal.
pub const RHO: Symbol = Symbol::new("ρ_p", "the cosine of [K_A]_p and [K_B]_p; min ρ, max ρ over p");
/// Appendix B: the speed of Stage 1.
pub const SPEED: Symbol = Symbol::new("c_K", "2K/(1+K); along the flow of L_nc, 1 stands in its place");
/// Section 5: the noise in the normaliser.
pub const NOISE_SHARE: Symbol = Symbol::new("η", "(‖K_{A,ξ}‖_F²/q)/N_A², the share of the noise in N_A²");
/// Theorem 4.3: how unequal the strengths are.
pub const SPREAD: Symbol = Symbol::new("s", "as a number σ_max²/σ_min²; as an index a signal");
/// The strengths.
pub const EXTREME_STRENGTHS: Symbol = Symbol::new("σ_max²", "σ_max² = max σ_p² and σ_min² = min σ_p² over the signals");
/// Lemma 5.1: the condition number.
pub const CONDITION: Symbol =
    Symbol::new("cond(κ", "cond(κ) = max κ_p/min κ_p over the signals, and cond(κ²) = max κ_p²/min κ_p²");
/// Section 5, eq. (8).
pub const ARGUMENT: Symbol = Symbol::new("x_p", "x_p = τ²κ̂_p²/(rN_AN_B)");
/// Section 5, eq. (8).
pub const TANH: Symbol = Symbol::new("T_p", "T_p = tanh x_p, x_p = τ²κ̂_p²/(rN_AN_B)");
/// Section 5, eq. (8).
pub const MEAN_SELECTION: Symbol = Symbol::new("S̄", "e^{Σx_p}/(e^{Σx_p} + K∏cosh x_p), x_p = τ²κ̂_p²/(rN_AN_B)");
/// Appendix C: the pull on a signal.
pub const PULL: Symbol = Symbol::new("q_p", "q_p = 2(1−S̄)(1−T_p)");
/// Appendix A, on states of the structure (7).
pub const RADIAL: Symbol = Symbol::new("Q_0", "Σq_pκ̂_p²/(rN_AN_B), q_p = 2(1−S̄)(1−T_p)");
/// Lemma B.13: the norms of the two views.
pub const NORM_RATIO: Symbol =
    Symbol::new("u_p", "log(‖[K_A]_p‖²/‖[K_B]_p‖²); u_ξ the same of a noise column, u any of them");
/// Lemma B.13: the normalisers of the two views.
pub const NORMALISER_RATIO: Symbol = Symbol::new("ν", "log(N_A²/N_B²)");
/// Appendix B: the clock of Stage 1.
pub const CLOCK: Symbol =
    Symbol::new("θ", "the clock dθ = (2c_K/N²)dt from θ = 0 at the start (c_K = 1 for the flow of L_nc)");
/// Section 5: what the flow conserves.
pub const WEIGHT_NORM: Symbol = Symbol::new(
    "‖W_A‖",
    "‖W_A‖_F² = Σκ_p²/σ_p² + ‖K_{A,ξ}‖_F²/σ_ξ² (also ‖W_A‖²), constant along the flow: r without noise and d with it \
     from infinite width",
);
/// Definition 4.2.
pub const COVARIANCE: Symbol = Symbol::new(
    "Σ_A",
    "E[f_Af_Aᵀ] = (K_AK_Aᵀ/r + K_{A,ξ}K_{A,ξ}ᵀ/q)/N_A² (Σ and Σ_A are the same), with eigenvalues λ_1 ≥ λ_2 ≥ …; tr \
     Σ_A = 1, ‖·‖ and ‖·‖_2 the largest singular value",
);
/// Definition 4.2 in its three meanings.
pub const BALANCE: Symbol = Symbol::new(
    "ρ_B",
    "the stable rank of Σ = E[f_Af_Aᵀ] in one of three meanings: R1 ‖Σ‖_F²/‖Σ‖_2², R2 tr Σ/‖Σ‖_2, R3 (tr Σ)²/‖Σ‖_F²; a \
     bound from above in all three is one of the largest, from below of the smallest",
);
/// Definition 4.1 in its two meanings.
pub const ALIGNMENT: Symbol = Symbol::new(
    "ρ_A",
    "probability over (z⁺, ξ_A⁺, ξ_B⁺, z⁻, ξ_B⁻) that ‖f_A⁺ − f_B⁺‖ < ‖f_A⁺ − f_B⁻‖ (by distance), or that ⟨f_A⁺,f_B⁺⟩ \
     > ⟨f_A⁺,f_B⁻⟩ (by inner product), strictly",
);
/// Definition 4.1: negatives with another signal.
pub const OTHER_SIGNAL: Symbol = Symbol::new(
    "z⁻ ≠ z⁺",
    "the negative has another signal z; a score given this counts such draws only (z⁻ = z⁺ has probability 2^{−r})",
);
/// Appendix B and C: cosines of two signals.
pub const FOUR_COSINES: Symbol = Symbol::new(
    "AB",
    "for signals p ≠ s: AA = cos([K_A]_p,[K_A]_s), BB = cos([K_B]_p,[K_B]_s), AB = cos([K_A]_p,[K_B]_s), BA = \
     cos([K_B]_p,[K_A]_s)",
);
/// Lemma B.2.
pub const INTEGRAL: Symbol = Symbol::new("∫A", "∫_0^T A dt; X_T, Y_T are the values at T ≥ 0");
/// Lemmas A.7 and C.2.
pub const KRONECKER: Symbol = Symbol::new("δ_ps", "1 if p = s, else 0");
/// Section B.1: columns of either kind.
pub const COLUMN: Symbol =
    Symbol::new("column x", "one of [K_A | K_{A,ξ}] or [K_B | K_{B,ξ}], σ² = σ_p² or σ_ξ² its strength");
/// Lemmas C.10 to C.12.
pub const CROSS_PULLS: Symbol = Symbol::new("h_1", "σ_p²κ_s/(κ_pN²), h_2 = σ_s²κ_p/(κ_sN²)");
/// Definitions 4.1 and 4.2: what leaves the scores as they are.
pub const COMMON_MAP: Symbol = Symbol::new(
    "a common orthogonal map",
    "all four blocks K_A, K_{A,ξ}, K_B, K_{B,ξ} become cU of themselves, U orthogonal and c > 0 (tried: rows reversed \
     with alternating signs, c = 2 or c = 3)",
);
/// Theorem 4.3 (b) and Lemma 5.3: the runs in two stages.
pub const SEVEN_RUNS: Symbol = Symbol::new(
    "seven runs",
    "all directions from the infinite-width start κ_p² = σ_p², ρ_p = 0, squared noise norms σ_ξ², with τ_1² = 0.01 \
     until T_1, then τ_2² for T_2; (σ²; q, σ_ξ²; K; τ_2²; T_1, T_2): (3,1,1,1; no noise; 1; 1; 20, 100), (4,1,2; 3, 1; \
     1; 2; 60, 100), (2,1; no noise; 0.1; 1; 100, 600), (2,1; 6, 0.5; 10; 1; 100, 100), (2 and fifteen 1; no noise; 1; \
     2.7; 20, 300), (32 of 2, 32 of 1; no noise; 1; 4; 20, 900), (1,1,1,1; 4, 1; 1; 1; 30, 60)",
);
/// Lemmas 5.1 and 5.3.
pub const NOISE_RATIO: Symbol = Symbol::new("noise ratio", "max_k ‖[K_{A,ξ}]_k‖/min_p κ_p");
/// Lemma 5.1: the end of the flow of the positive pairs from infinite width.
pub const LONG_RUN: Symbol = Symbol::new(
    "t → ∞",
    "the limit is κ_p² = (σ_p²/2)e^{λσ_p²} with λ ≥ 0 from Σ_p e^{λσ_p²} = 2‖W_A‖_F², ρ_p = 1, noise 0",
);
/// Lemmas 4.4 and 4.5.
pub const SCALED_FEATURES: Symbol = Symbol::new(
    "K̃",
    "K̃_A = K_A/N_A, K̃_B = K_B/N_B, with singular values s_1 ≥ … ≥ s_r (0 beyond min(m, r)); σ_min = s_r",
);
/// Appendix A: the Q-matrix.
pub const Q_MATRIX: Symbol = Symbol::new(
    "Q",
    "y = (z, ξ), Q = r(E[(2−S_A−S_B)y_B⁺y_A⁺ᵀ] − E[(1−S_A)w_A y_B⁻y_A⁺ᵀ] − E[(1−S_B)w_B y_B⁺y_A⁻ᵀ]), w_A = \
     e^{τ²⟨f_A⁺,f_B⁻⟩}/E_{x_B⁻}e^{τ²⟨f_A⁺,f_B⁻⟩}, w_B with the views exchanged; its block of z with z is Q_1, the \
     others are the noise blocks",
);
/// Section B.1: a bound of all similarities.
pub const SIMILARITY: Symbol = Symbol::new(
    "C_ij",
    "⟨column i of [K_A | K_{A,ξ}], column j of [K_B | K_{B,ξ}]⟩/(N_AN_B), i and j over all d columns; v_i = 1/r for a \
     signal, 1/q for noise",
);
/// Lemma A.5: the direction of a column.
pub const DIRECTION: Symbol =
    Symbol::new("K̄", "a column over its length: K̄_{A,p} = [K_A]_p/‖[K_A]_p‖, K̄_{A,ξ,k} and those of B likewise");
/// Corollary B.8: what τ may add to the velocity of a direction.
pub const TANGENTIAL_REMAINDER: Symbol = Symbol::new(
    "t",
    "t = σ²e(τ²B)r√v Σ_j √v_j‖x_j‖/(N_AN_B‖x‖) of a column x with the columns x_j of the other view, σ² = σ_p² or \
     σ_ξ², v = 1/r for a signal and 1/q for noise",
);
/// Section B.1: what τ may add.
pub const REMAINDER: Symbol = Symbol::new(
    "e(τ²B)",
    "2b + c_K(e^{2b} − 1) with b = τ²B, B = Σ_ij √(v_iv_j)|C_ij|, C_ij = ⟨column i of [K_A | K_{A,ξ}], column j of \
     [K_B | K_{B,ξ}]⟩/(N_AN_B), v = 1/r for a signal and 1/q for noise",
);
/// Lemma B.15.
pub const PULLS_OF_STAGE_ONE: Symbol =
    Symbol::new("c_{A,p}", "c_Kσ_p²‖[K_B]_p‖/(‖[K_A]_p‖N_AN_B); c_{B,p} = c_Kσ_p²‖[K_A]_p‖/(‖[K_B]_p‖N_AN_B)");
/// Lemma B.15.
pub const PULL_OF_STAGE_ONE: Symbol = Symbol::new("c_p", "c_Kσ_p²/(N_AN_B)");
/// Section C.1: what vanishes on the diagonal manifold.
pub const CROSS_TERMS: Symbol = Symbol::new(
    "m_ξ",
    "E, m_AξB, m_ξAB, m_ξξ are τ² times the products of columns of the two views that vanish on the diagonal manifold, \
     over N_AN_B: E_ps = τ²⟨[K_A]_p,[K_B]_s⟩/(N_AN_B) for p ≠ s (0 for p = s), m_AξB = τ²K_AᵀK_{B,ξ}/(N_AN_B), m_ξAB = \
     τ²K_{A,ξ}ᵀK_B/(N_AN_B), m_ξξ = τ²K_{A,ξ}ᵀK_{B,ξ}/(N_AN_B); all proportional to ε",
);
/// Section C.1: the size of the cross terms.
pub const CHANGE: Symbol = Symbol::new(
    "Δ",
    "max |zᵀEz′ + ξ_Aᵀm_ξABz′ + zᵀm_AξBξ_B + ξ_Aᵀm_ξξξ_B| over all z, z′ ∈ {±1/√r}^r, ξ_A, ξ_B ∈ {±1/√q}^q: the \
     largest change of an exponent τ²⟨f_A,f_B⟩ from ε = 0",
);
/// Appendix C: the size of the perturbation.
pub const PERTURBATION: Symbol = Symbol::new(
    "ε",
    "the size of the perturbation: every cosine but ρ_p is ε times a fixed number; norms, ρ_p and τ² do not depend on \
     it",
);
/// Section C.1.
pub const RESIDUAL: Symbol = Symbol::new(
    "residual",
    "the largest of |left side − first-order formula|, over positive pairs, entries or columns",
);
/// Section C.1: the blocks of Q and their terms.
pub const Q_BLOCKS: Symbol = Symbol::new(
    "Q",
    "y = (z, ξ), Q = r(E[(2−S_A−S_B)y_B⁺y_A⁺ᵀ] − E[(1−S_A)w_A y_B⁻y_A⁺ᵀ] − E[(1−S_B)w_B y_B⁺y_A⁻ᵀ]), the first, second \
     and third term, with w_A = e^{τ²⟨f_A⁺,f_B⁻⟩}/E_{x_B⁻}e^{τ²⟨f_A⁺,f_B⁻⟩}, w_B with the views exchanged; blocks Q_1 \
     (z, z), Q_{1,ξA} (rows z of B, columns ξ_A), Q_{1,ξB} (rows ξ_B, columns z of A), Q_2 (rows ξ_B, columns ξ_A)",
);
/// Appendix A: the scalar of the radial part.
pub const Q_SCALAR: Symbol = Symbol::new(
    "Q_0",
    "E[(2−S_A−S_B)⟨f_A⁺,f_B⁺⟩] − E[(1−S_A)w_A⟨f_A⁺,f_B⁻⟩] − E[(1−S_B)w_B⟨f_A⁻,f_B⁺⟩], w_A = \
     e^{τ²⟨f_A⁺,f_B⁻⟩}/E_{x_B⁻}e^{τ²⟨f_A⁺,f_B⁻⟩}, w_B with the views exchanged",
);
/// Lemma C.5.
pub const Q_FIRST_ORDER: Symbol = Symbol::new(
    "[Q_1]",
    "to first order in ε, with E_ps = τ²⟨[K_A]_p,[K_B]_s⟩/(N_AN_B): [Q_1]_ps = (1/r){−S̄(1−S̄)[(2−T_p−T_s)(E_ps+E_sp) − \
     T_p(E_ps(1−T_s)+E_sp(1−T_p)) − T_s(E_ps(1−T_p)+E_sp(1−T_s))] − (1−S̄)(2−T_p²−T_s²)E_sp}",
);
/// Lemmas C.10 to C.13.
pub const PULL_OF_STAGE_TWO: Symbol = Symbol::new("c_p", "q_pσ_p²/N²");
/// Lemmas C.10 to C.13, for unequal norms.
pub const PULLS_OF_STAGE_TWO: Symbol = Symbol::new(
    "c_{A,p}",
    "q_pσ_p²β_p/(N_AN_Bα_p), c_{B,p} = q_pσ_p²α_p/(N_AN_Bβ_p), α_p = ‖[K_A]_p‖, β_p = ‖[K_B]_p‖",
);
/// Section 3.
pub const WEIGHTS: Symbol = Symbol::new("W_A", "the weights of view A, any real m × d matrix");
