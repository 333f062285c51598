//! The words of the language: every function with what it takes and what it means. The page docs/statements.md shows this table.

/// Functions of one number; of a vector, entry by entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// `e^x`
    Exp,
    /// `e^x − 1`
    ExpM1,
    /// natural logarithm
    Log,
    /// `log(1 + x)`
    Log1p,
    /// logarithm to base two
    Log2,
    /// logarithm to base ten
    Log10,
    /// square root
    Sqrt,
    /// absolute value
    Abs,
    /// sine
    Sin,
    /// cosine
    Cos,
    /// tangent
    Tan,
    /// arc sine
    Asin,
    /// arc cosine
    Acos,
    /// arc tangent
    Atan,
    /// hyperbolic sine
    Sinh,
    /// hyperbolic cosine
    Cosh,
    /// hyperbolic tangent
    Tanh,
    /// inverse hyperbolic sine
    Asinh,
    /// inverse hyperbolic cosine
    Acosh,
    /// inverse hyperbolic tangent
    Atanh,
    /// `1/(1 + e^−x)`
    Sigmoid,
    /// `log(1 + e^x)`
    Softplus,
    /// `max(x, 0)`
    Relu,
    /// the largest whole number that is not larger
    Floor,
    /// the smallest whole number that is not smaller
    Ceiling,
    /// −1, 0 or 1
    Sign,
    /// cube root, of negative numbers, too
    CubeRoot,
    /// the error function
    Erf,
    /// one minus the error function
    ErrorComplement,
}

/// What reduces several numbers to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// Their sum.
    Sum,
    /// Their product.
    Product,
    /// Their mean.
    Mean,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// `log Σ e^x`.
    LogSumExp,
}

/// Functions with arguments of other kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Special {
    /// inner product
    Dot,
    /// norms
    Norm,
    /// trace
    Trace,
    /// determinant
    Det,
    /// eigenvalues of a symmetric matrix
    Eigenvalues,
    /// the largest of them
    EigenMax,
    /// the smallest of them
    EigenMin,
    /// singular values of a matrix
    Singular,
    /// their sum
    Nuclear,
    /// the inverse of a matrix
    Inverse,
    /// the distribution function of the normal law
    Normal,
    /// Shannon entropy
    Entropy,
    /// Kullback-Leibler divergence
    Kl,
    /// total variation distance
    TotalVariation,
    /// expectation over a finite distribution
    Expectation,
    /// binomial coefficient
    Binomial,
    /// harmonic number
    Harmonic,
    /// factorial
    Factorial,
    /// greatest common divisor
    Gcd,
    /// what a division of whole numbers leaves
    Remainder,
    /// number of entries
    Length,
    /// softmax
    Softmax,
    /// transpose
    Transpose,
    /// identity matrix
    Identity,
    /// diagonal matrix
    Diagonal,
    /// outer product
    Outer,
}

/// What a word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// A function of one number.
    Function(Function),
    /// A reduction.
    Fold(Fold),
    /// Anything else.
    Special(Special),
}

/// A word and its documentation.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The names it goes by, the usual one first.
    pub names: &'static [&'static str],
    /// What it stands for.
    pub meaning: Meaning,
    /// What it takes.
    pub takes: &'static str,
    /// What it is.
    pub is: &'static str,
    /// Where it says nothing; empty if it is defined everywhere.
    pub undefined: &'static str,
    /// A closed statement about it that is true to the last digit that an enclosure supports.
    pub example: &'static str,
}

const fn function(
    names: &'static [&'static str],
    function: Function,
    is: &'static str,
    undefined: &'static str,
    example: &'static str,
) -> Word {
    let meaning = Meaning::Function(function);
    let takes = "a number, or a vector entry by entry";
    Word { names, meaning, takes, is, undefined, example }
}

const fn fold(
    names: &'static [&'static str],
    fold: Fold,
    takes: &'static str,
    is: &'static str,
    undefined: &'static str,
    example: &'static str,
) -> Word {
    let meaning = Meaning::Fold(fold);
    Word { names, meaning, takes, is, undefined, example }
}

const fn special(
    names: &'static [&'static str],
    special: Special,
    takes: &'static str,
    is: &'static str,
    undefined: &'static str,
    example: &'static str,
) -> Word {
    let meaning = Meaning::Special(special);
    Word { names, meaning, takes, is, undefined, example }
}

const INDEXED: &str = "`(i in 1..n, f)`, a vector, or several numbers";

/// Every word, in the order of the documentation.
pub const WORDS: &[Word] = &[
    function(&["exp"], Function::Exp, "eˣ", "", "exp(1) = e"),
    function(&["expm1"], Function::ExpM1, "eˣ − 1", "", "expm1(log 3) = 2"),
    function(&["log", "ln"], Function::Log, "the natural logarithm", "x ≤ 0", "log(e^2) = 2"),
    function(&["log1p"], Function::Log1p, "log(1 + x)", "x ≤ −1", "log1p(2) = log 3"),
    function(&["log2", "lb"], Function::Log2, "the logarithm to base two", "x ≤ 0", "log2(8) = 3"),
    function(&["log10", "lg"], Function::Log10, "the logarithm to base ten", "x ≤ 0", "log10(1000) = 3"),
    function(&["sqrt"], Function::Sqrt, "the square root; also `√x`", "x < 0", "sqrt(2)^2 = 2"),
    function(&["abs"], Function::Abs, "the absolute value; also `|x|`", "", "abs(-2) = 2"),
    function(&["sin"], Function::Sin, "the sine of an angle in radians", "", "sin(pi/6) = 1/2"),
    function(&["cos"], Function::Cos, "the cosine", "", "cos(pi/3) = 1/2"),
    function(&["tan"], Function::Tan, "the tangent", "", "tan(pi/4) = 1"),
    function(&["asin", "arcsin"], Function::Asin, "the arc sine", "|x| > 1", "asin(1/2) = pi/6"),
    function(&["acos", "arccos"], Function::Acos, "the arc cosine", "|x| > 1", "acos(1/2) = pi/3"),
    function(&["atan", "arctan"], Function::Atan, "the arc tangent", "", "4*atan(1) = pi"),
    function(&["sinh"], Function::Sinh, "the hyperbolic sine", "", "sinh(log 2) = 3/4"),
    function(&["cosh"], Function::Cosh, "the hyperbolic cosine", "", "cosh(log 2) = 5/4"),
    function(&["tanh"], Function::Tanh, "the hyperbolic tangent", "", "tanh(log 2) = 3/5"),
    function(&["asinh", "arsinh"], Function::Asinh, "the inverse hyperbolic sine", "", "asinh(3/4) = log 2"),
    function(&["acosh", "arcosh"], Function::Acosh, "the inverse hyperbolic cosine", "x < 1", "acosh(5/4) = log 2"),
    function(&["atanh", "artanh"], Function::Atanh, "the inverse hyperbolic tangent", "|x| ≥ 1", "atanh(3/5) = log 2"),
    function(&["sigmoid", "σ"], Function::Sigmoid, "1/(1 + e⁻ˣ)", "", "sigmoid(log 3) = 3/4"),
    function(&["softplus"], Function::Softplus, "log(1 + eˣ)", "", "softplus(log 3) = log 4"),
    function(&["relu"], Function::Relu, "max(x, 0)", "", "relu(-3) = 0"),
    function(&["floor"], Function::Floor, "the largest whole number that is not larger", "", "floor(-5/2) = -3"),
    function(
        &["ceil", "ceiling"],
        Function::Ceiling,
        "the smallest whole number that is not smaller",
        "",
        "ceil(5/2) = 3",
    ),
    function(&["sign", "sgn"], Function::Sign, "−1, 0 or 1", "", "sign(-3) = -1"),
    function(&["cbrt"], Function::CubeRoot, "the cube root, of negative numbers, too", "", "cbrt(-27) = -3"),
    function(&["erf"], Function::Erf, "2/√π ∫₀ˣ exp(−t²) dt", "", "erf(0) = 0"),
    function(&["erfc"], Function::ErrorComplement, "1 − erf(x)", "", "erfc(0) = 1"),
    fold(&["sum", "∑", "Σ"], Fold::Sum, INDEXED, "the sum", "", "sum(i in 1..4, i^2) = 30"),
    fold(&["prod", "∏", "Π"], Fold::Product, INDEXED, "the product", "", "prod(i in 1..5, i) = 120"),
    fold(&["mean"], Fold::Mean, INDEXED, "the mean", "of nothing", "mean([1, 2, 6]) = 3"),
    fold(&["max"], Fold::Max, INDEXED, "the largest", "of nothing", "max(3, -4, 2) = 3"),
    fold(&["min"], Fold::Min, INDEXED, "the smallest", "of nothing", "min([3, -4, 2]) = -4"),
    fold(&["lse", "logsumexp"], Fold::LogSumExp, INDEXED, "log Σ eˣ", "of nothing", "lse(0, log 2, log 5) = log 8"),
    special(&["dot"], Special::Dot, "two vectors", "Σ x[i] y[i]", "", "dot([1, 2], [3, 4]) = 11"),
    special(
        &["norm"],
        Special::Norm,
        "a vector and 1, 2 or inf, or a matrix and 2 or F; also `‖x‖`",
        "the norm: Euclidean for a vector; of a matrix, `norm(A, 2)` the operator norm (also `norm(A, op)`, `norm(A, \
         operator)`), `norm(A, F)` the Frobenius norm (also `norm(A)`, `norm(A, Frobenius)`)",
        "",
        "norm([3, -4]) + norm([3, -4], 1) + norm([3, -4], inf) = 16",
    ),
    special(
        &["trace", "tr"],
        Special::Trace,
        "a square matrix",
        "the sum of its diagonal",
        "",
        "trace([[1, 2], [3, 4]]) = 5",
    ),
    special(&["det"], Special::Det, "a square matrix", "the determinant", "", "det([[1, 2], [3, 4]]) = -2"),
    special(
        &["eig", "eigenvalues"],
        Special::Eigenvalues,
        "a matrix that is symmetric as it is written",
        "its eigenvalues, the largest first",
        "",
        "eig([[2, 1], [1, 2]])[2] = 1",
    ),
    special(
        &["eigmax", "λmax", "lambda_max", "λ_max"],
        Special::EigenMax,
        "a symmetric matrix",
        "its largest eigenvalue",
        "",
        "eigmax([[2, 1], [1, 2]]) = 3",
    ),
    special(
        &["eigmin", "λmin", "lambda_min", "λ_min"],
        Special::EigenMin,
        "a symmetric matrix",
        "its smallest eigenvalue",
        "",
        "eigmin([[2, 1], [1, 2]]) = 1",
    ),
    special(
        &["singular", "svdvals"],
        Special::Singular,
        "a matrix",
        "its singular values, the largest first",
        "",
        "singular([[0, 2], [-3, 0]])[2] = 2",
    ),
    special(
        &["nuclear"],
        Special::Nuclear,
        "a matrix",
        "the sum of its singular values; also `norm(A, nuc)`, `‖A‖_*`",
        "",
        "nuclear([[0, 2], [-3, 0]]) = 5",
    ),
    special(
        &["inv", "inverse"],
        Special::Inverse,
        "a square matrix of at most 8 rows",
        "its inverse; also `A^-1`",
        "a singular matrix",
        "inv([[2, 1], [1, 1]])[1, 1] = 1",
    ),
    special(
        &["Phi", "Φ", "normcdf"],
        Special::Normal,
        "a number, or a vector entry by entry",
        "the distribution function of the standard normal law",
        "",
        "Phi(0) = 1/2",
    ),
    special(
        &["entropy"],
        Special::Entropy,
        "a vector of probabilities",
        "−Σ p log p, in nats, with 0 log 0 = 0",
        "a negative entry",
        "entropy([1/2, 1/2, 0]) = log 2",
    ),
    special(
        &["kl", "KL", "D_KL"],
        Special::Kl,
        "two vectors of probabilities",
        "Σ p log(p/q), in nats, with 0 log 0 = 0",
        "a negative entry, or q = 0 where p > 0",
        "kl([1, 0], [1/4, 3/4]) = log 4",
    ),
    special(&["tv", "TV"], Special::TotalVariation, "two vectors", "½ Σ |p − q|", "", "tv([1, 0], [1/4, 3/4]) = 3/4"),
    special(
        &["E"],
        Special::Expectation,
        "`(i ~ p, f)`, or a vector of probabilities and a vector",
        "Σ p[i] f over the places i of p",
        "",
        "E(i ~ [1/4, 3/4], i^2) = 13/4",
    ),
    special(
        &["binom", "choose"],
        Special::Binomial,
        "two whole numbers",
        "the binomial coefficient, 0 for k < 0 or k > n",
        "n < 0",
        "binom(6, 2) = 15",
    ),
    special(
        &["harmonic", "H"],
        Special::Harmonic,
        "a whole number",
        "1 + 1/2 + … + 1/n",
        "n < 0",
        "harmonic(4) = 25/12",
    ),
    special(
        &["factorial"],
        Special::Factorial,
        "a whole number; also `n!`",
        "1·2·…·n",
        "n < 0",
        "factorial(5) = 5! = 120",
    ),
    special(&["gcd"], Special::Gcd, "two whole numbers", "the greatest common divisor", "", "gcd(12, 18) = 6"),
    special(
        &["mod"],
        Special::Remainder,
        "two whole numbers; also `a % b`",
        "what a division leaves, at least 0 and less than |b|",
        "b = 0",
        "mod(-7, 3) = 2",
    ),
    special(&["len", "length"], Special::Length, "a vector", "the number of its entries", "", "len([4, 5, 6]) = 3"),
    special(&["softmax"], Special::Softmax, "a vector", "eˣ / Σ eˣ, a vector", "", "softmax([0, log 3])[2] = 3/4"),
    special(
        &["transpose"],
        Special::Transpose,
        "a matrix",
        "the transpose; also `A'`",
        "",
        "transpose([[1, 2], [3, 4]])[1, 2] = 3",
    ),
    special(&["eye"], Special::Identity, "a whole number", "the identity matrix", "", "trace(eye(3)) = 3"),
    special(
        &["diag"],
        Special::Diagonal,
        "a vector",
        "the matrix with it on the diagonal",
        "",
        "det(diag([2, 3])) = 6",
    ),
    special(&["outer"], Special::Outer, "two vectors", "the matrix x[i] y[j]", "", "outer([1, 2], [3, 4])[2, 1] = 6"),
];

/// Functions that others have, and what to write for them.
pub(crate) const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["cross_entropy", "CE", "crossentropy"], "write `-dot(p, log(q))` for the cross entropy of q at p"),
    (
        &["rank"],
        "a rank is discontinuous, and doubles do not determine it; declare a product `B*C'` of matrices with that \
         many columns",
    ),
    (&["Var", "var", "variance"], "write `E(i ~ p, x[i]^2) - E(p, x)^2`, or `mean(i in 1..n, x[i]^2) - mean(x)^2`"),
    (&["JS", "jsd", "js"], "write `entropy((p + q)/2) - (entropy(p) + entropy(q))/2`"),
    (&["perp", "perplexity"], "write `exp(entropy(p))`"),
    (
        &["T"],
        "write `dot(x, A*x)` for a quadratic form, `dot(x, y)` for an inner product, `A'*x` for a transposed matrix",
    ),
    (&["cond"], "write `singular(A)[1]/singular(A)[n]`"),
    (
        &["argmax", "argmin"],
        "an index of the largest entry is not supported; compare entries with `max(x)` or `min(x)`",
    ),
    (&["logdet", "slogdet"], "write `log(det(A))`"),
    (&["cov", "corr", "cosine_similarity"], "write it with `dot(x, y)`, `norm(x)` and `mean(x)`"),
];

/// What a name stands for, if it is a word.
#[must_use]
pub fn word(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|w| w.names.contains(&name))
}

/// How alike two names must be for one to be meant by the other (Jaro and Winkler).
const ALIKE: f64 = 0.84;

/// The names that somebody may have meant by one that is none, the likeliest first.
#[must_use]
pub fn like(name: &str) -> Vec<&'static str> {
    let likeness = |known: &str| strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase());
    let names = WORDS.iter().flat_map(|word| word.names).map(|known| (likeness(known), *known));
    let mut near: Vec<(f64, &str)> = names.filter(|(likeness, _)| *likeness >= ALIKE).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// The table of words in Markdown, as docs/statements.md holds it.
#[must_use]
pub fn table() -> String {
    let mut text = String::from("| word | takes | is | says nothing for | for example |\n|---|---|---|---|---|\n");
    for word in WORDS {
        let names: Vec<String> = word.names.iter().map(|n| format!("`{n}`")).collect();
        let cell = |s: &str| s.replace('|', "\\|");
        text += &format!(
            "| {} | {} | {} | {} | `{}` |\n",
            names.join(", "),
            cell(word.takes),
            cell(word.is),
            cell(word.undefined),
            word.example
        );
    }
    text
}
