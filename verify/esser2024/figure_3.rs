//! The curves of Figure 3: projected gradient descent (11), descending, beside Euler's scheme (12), from the same random networks.

use enclosures::linear_algebra::haar_orthonormal;
use evidence::claim::{MeasureError, Series, Trial};

use crate::shared::counted_steps::{Dense, Tally, apart, energy, outputs};
use crate::shared::moons_data::{Moons, eigenvalues};

/// The paper's step size, and the steps at which both are looked at.
const ETA: f64 = 0.01;
const SHOWN: [usize; 6] = [0, 50, 100, 200, 400, 1000];

/// Losses of both and the largest distance of their outputs, for the paper's three widths.
pub fn table(trial: &mut Trial) -> Result<Series, MeasureError> {
    // The root of 0.1, the variance in Example 1.
    let moons = Moons::draw(200, 0.1, 0.316_227_766, trial.rng())?;
    let spectrum = eigenvalues(moons.matrix()).map(|l| l / 200.0);
    let mut table = Series::of([
        ("h", ""),
        ("z", ""),
        ("step", ""),
        ("loss of (11)", ""),
        ("loss of (12)", ""),
        ("largest distance of outputs", ""),
    ])
    .noting(format!(
        "half moons, n = 200, C/n with eigenvalues {:.3} and {:.3}, η = {ETA}, one Haar start per row group",
        spectrum[0], spectrum[1]
    ));
    for h in [10usize, 100, 1000] {
        for z in [1usize, 2] {
            let mut now = (
                Dense::from(&haar_orthonormal(trial.rng(), h, 2)?),
                Dense::from(&haar_orthonormal(trial.rng(), h, z)?),
            );
            let mut q = outputs((&now.0, &now.1));
            let mut done = 0;
            for step in SHOWN {
                for _ in done..step {
                    now = Tally::default().descent_step(&spectrum, (&now.0, &now.1), ETA);
                    q = Tally::default().euler_step(&spectrum, &q, ETA);
                }
                done = step;
                let descent = outputs((&now.0, &now.1));
                table.push([
                    h.into(),
                    z.into(),
                    step.into(),
                    energy(&spectrum, &descent).into(),
                    energy(&spectrum, &q).into(),
                    apart(&descent, &q).into(),
                ]);
            }
        }
    }
    Ok(table)
}
