//! How a field is called where nothing is declared: `sigma_squared` is σ², `tau` is τ, `log_width` is log width.

const GREEK: [(&str, &str); 24] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("omicron", "ο"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
];

/// The symbol for a field of this name.
pub fn symbol(name: &str) -> String {
    let mut symbol = String::new();
    for word in name.split('_').filter(|word| !word.is_empty()) {
        match word {
            "squared" if !symbol.is_empty() => symbol.push('²'),
            "prime" if !symbol.is_empty() => symbol.push('′'),
            _ => {
                if !symbol.is_empty() {
                    symbol.push(' ');
                }
                let greek = GREEK.iter().find(|(name, _)| *name == word);
                symbol.push_str(greek.map_or(word, |(_, letter)| letter));
            }
        }
    }
    symbol
}

#[cfg(test)]
mod tests {
    use super::symbol;

    #[test]
    fn names_become_symbols() {
        for (name, expected) in
            [("sigma_squared", "σ²"), ("x", "x"), ("x_prime", "x′"), ("log_width", "log width"), ("squared", "squared")]
        {
            assert_eq!(symbol(name), expected);
        }
    }
}
