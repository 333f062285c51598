//! The solver of initial-value problems against the enclosed orbit of a flow.

use enclosures::initial_value::{InitialValueError, Tolerance, solve};
use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, Matrix};

use super::OutputFlow;

type Outcome<T> = Result<T, InitialValueError>;

#[test]
fn it_agrees_with_an_enclosed_orbit_and_a_wrong_flow_does_not() {
    let spectrum = [-1.0, 0.5, 1.0];
    let start = Matrix::new(3, 2, vec![0.5, 0.1, -0.25, 0.5, 0.125, 0.3]).unwrap();
    let exact = OutputFlow::printed(spectrum.to_vec()).unwrap();
    let exact = exact.followed(&start.clone().into(), 0.5, 64).unwrap();
    let off = |flow: OutputFlow| {
        let velocity = |_: f64, y: &[f64]| -> Outcome<Vec<f64>> {
            let q = IntervalMatrix::from(Matrix::new(3, 2, y.to_vec()).unwrap());
            Ok(flow.velocity(&q).unwrap().midpoint().entries().to_vec())
        };
        let s = solve(velocity, start.entries(), &[0.5], Tolerance::of(1e-11)).unwrap();
        assert!(s.achieved_power() <= 1e-9 && s.achieved <= s.achieved_power(), "{}", s.achieved);
        assert_eq!((s.disagreements(1, &[Interval::ENTIRE; 6]), s.disagreements(0, &[])), (6, 1));
        s.disagreements(0, exact.entries())
    };
    assert_eq!(off(OutputFlow::printed(spectrum.to_vec()).unwrap()), 0);
    assert_eq!(off(OutputFlow::stiefel(spectrum.to_vec()).unwrap()), 6);
}
