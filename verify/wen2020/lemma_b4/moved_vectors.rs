//! How far hidden vectors move and how many units flip when all weights are moved.

use enclosures::probability::list_of_standard_normals;
use enclosures::vectors::{minus, norm};
use evidence::prelude::*;

use crate::shared::drawn_encoders::{DrawnSizes, SizeSweep, Varied};
use crate::shared::perturbed_products::{differing, displacements, distance, masked, set_rank_one};

/// What the worst of several perturbations does: ‖D′‖₀, ‖D′Wh‖ and ‖h − h^{(0)}‖ at the last hidden layer. ω = radius ·
/// L^{−9/2} when the depth varies, and radius otherwise.
pub fn moved(s: &DrawnSizes, omega: f64, trial: &mut Trial) -> Result<[Enclosure; 3], MeasureError> {
    let encoder = s.draw(trial)?;
    let point = s.point();
    let start = encoder.activations(&point)?;
    let last = s.depth() - 1;
    let missing = || MeasureError::from("no such layer");
    let mut worst = [Enclosure::ZERO; 3];
    for spared in [0, 1] {
        for mut change in displacements(&encoder, &start, last, spared, omega, trial)? {
            if spared == 1 {
                // The last hidden layer keeps its budget for the smallest pre-activations that are left.
                let shifted = encoder.displaced(&change, 1.0)?;
                let seen = shifted.activations(&point)?;
                let below = if last == 0 { &point[..] } else { seen.hidden(last - 1).ok_or_else(missing)? };
                let (old, new) =
                    (start.diagonal(last).ok_or_else(missing)?, seen.pre_activations(last).ok_or_else(missing)?);
                let mut order: Vec<usize> = (0..new.len()).filter(|&k| (new[k] >= 0.0) == (old[k] == 1.0)).collect();
                order.sort_by(|&i, &j| new[i].abs().total_cmp(&new[j].abs()));
                let reach = norm(below);
                let (mut spent, mut push) = (0.0, vec![0.0; new.len()]);
                for k in order {
                    // Past zero by a relative 1e-9.
                    let step = -new[k] * (1.0 + 1e-9);
                    spent += step * step;
                    if spent > omega * omega * reach * reach {
                        break;
                    }
                    push[k] = step;
                }
                let direction: Vec<f64> = below.iter().map(|x| x / (reach * reach)).collect();
                set_rank_one(&mut change, last, &push, &direction, 1.0);
            }
            let changed = encoder.displaced(&change, 1.0)?;
            let seen = changed.activations(&point)?;
            let (old, new) = (start.diagonal(last).ok_or_else(missing)?, seen.diagonal(last).ok_or_else(missing)?);
            let flipped = minus(new, old);
            let values = masked(&flipped, seen.pre_activations(last).ok_or_else(missing)?);
            let apart = distance(seen.hidden(last).ok_or_else(missing)?, start.hidden(last).ok_or_else(missing)?);
            let found = [differing(old, new) as f64, norm(&values), apart];
            for (worst, found) in worst.iter_mut().zip(found) {
                *worst = worst.max(Enclosure::measured(found));
            }
        }
    }
    Ok(worst)
}

pub fn omega(sweep: &SizeSweep, s: &DrawnSizes) -> f64 {
    if sweep.varied == Varied::Layers { s.radius / core_math::pow(s.l(), 4.5) } else { s.radius }
}

/// mω^{2/3}L.
pub fn flips(sweep: &SizeSweep, s: &DrawnSizes) -> f64 {
    s.m() * core_math::pow(omega(sweep, s), 2.0 / 3.0) * s.l()
}

/// The most units of layer 0 that a W′_0 of norm ω can flip: the smallest pre-activations while their squares add up to
/// at most ω².
pub fn first_layer(s: &DrawnSizes, trial: &mut Trial) -> Result<[Enclosure; 1], MeasureError> {
    let p = list_of_standard_normals(trial.rng(), s.width as usize);
    let mut squares: Vec<f64> = p.iter().map(|x| x * x * 2.0 / s.m()).collect();
    squares.sort_by(f64::total_cmp);
    let mut spent = 0.0;
    let within = squares.iter().take_while(|&&x| {
        spent += x;
        spent <= s.radius * s.radius
    });
    Ok([Enclosure::from(within.count())])
}

/// ‖h_l‖ = ∏(ρ_j + ω) under the aligned perturbation, against the network itself: left and right for the last hidden
/// layer.
pub fn aligned(s: &DrawnSizes, trial: &mut Trial) -> Result<[f64; 2], MeasureError> {
    let encoder = s.draw(trial)?;
    let point = s.point();
    let start = encoder.activations(&point)?;
    let last = s.depth() - 1;
    let [change, _] = displacements(&encoder, &start, last, 0, s.radius, trial)?;
    let changed = encoder.displaced(&change, 1.0)?;
    let seen = changed.activations(&point)?;
    let (mut product, mut below) = (1.0, 1.0);
    for l in 0..=last {
        let now = start.hidden(l).map_or(0.0, norm);
        product *= now / below + s.radius;
        below = now;
    }
    Ok([seen.hidden(last).map_or(0.0, norm), product])
}
