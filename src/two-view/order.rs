//! Order statements: what power of a small parameter a residual falls like.

/// `log2(residual(ε 2^{-k}) / residual(ε 2^{-k-1}))` for k = 0..halvings: tends to p where the residual is of order
/// `ε^p`. None where a residual is zero or not finite: it then has no order.
#[must_use]
pub fn observed_orders(residual: impl Fn(f64) -> f64, start: f64, halvings: u32) -> Option<Vec<f64>> {
    let sizes: Vec<f64> = (0..=halvings).map(|k| residual(start / (1u64 << k.min(62)) as f64).abs()).collect();
    if sizes.iter().any(|s| !(*s > 0.0 && s.is_finite())) {
        return None;
    }
    Some(sizes.windows(2).map(|pair| core_math::log2(pair[0] / pair[1])).collect())
}
