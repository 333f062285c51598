//! The classical Runge-Kutta method of order four, by steps of a given length.
//!
//! For [`super::WideNetwork`], [`super::OrthonormalNetwork`] and small systems whose steps are known to be short enough. The step size control of
//! [`enclosures::initial_value`] does not suit the networks: it chooses its steps by the platform's `powf`, so that the bits would differ between
//! machines; it knows no retraction between two steps; and kinks and oscillating slopes among the activations make a method of
//! high order take very short steps, twice over.

/// What follows `state` after a step of the flow with this velocity; `moved(s, v, t)` is `s + t v`.
///
/// # Errors
/// Those of the velocity.
///
/// ```
/// use contrapositive_linear_ssl::flow::classical_step;
/// let grown = classical_step(&1.0, 0.01, |x| Ok::<f64, String>(*x), |x, v, t| x + t * v)?;
/// assert!((grown - 1.010_050_167_084_168).abs() < 1e-12);
/// # Ok::<(), String>(())
/// ```
pub fn classical_step<S, V, E>(
    state: &S,
    step: f64,
    velocity: impl Fn(&S) -> Result<V, E>,
    moved: impl Fn(&S, &V, f64) -> S,
) -> Result<S, E> {
    let a = velocity(state)?;
    let b = velocity(&moved(state, &a, 0.5 * step))?;
    let c = velocity(&moved(state, &b, 0.5 * step))?;
    let d = velocity(&moved(state, &c, step))?;
    let mut next = moved(state, &a, step / 6.0);
    for (v, part) in [(b, 2.0), (c, 2.0), (d, 1.0)] {
        next = moved(&next, &v, step * part / 6.0);
    }
    Ok(next)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn growth(steps: u32) -> f64 {
        let step = 1.0 / f64::from(steps);
        (0..steps).fold(1.0, |x, _| {
            let Ok(next) = classical_step(&x, step, |x| Ok::<_, Infallible>(*x), |x, v, t| x + t * v);
            next
        })
    }

    #[test]
    fn one_step_of_an_exponential_is_its_taylor_polynomial() {
        assert!((growth(1) - (1.0 + 1.0 + 0.5 + 1.0 / 6.0 + 1.0 / 24.0)).abs() < 1e-15);
    }

    #[test]
    fn the_error_falls_by_the_fourth_power_of_the_step() {
        let error = |steps| std::f64::consts::E - growth(steps);
        let ratio = error(16) / error(32);
        assert!((ratio - 16.0).abs() < 1.0, "{ratio}");
    }

    #[test]
    fn a_refused_velocity_ends_the_step() {
        let refused =
            classical_step(&1.0, 1.0, |x| if *x > 1.2 { Err("too far") } else { Ok(*x) }, |x, v, t| x + t * v);
        assert_eq!(refused, Err("too far"));
    }
}
