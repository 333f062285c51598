//! The figures of the paper, and one of the bounds along training.

use super::chart::{Across, AxisScale, Curve, Panel, Picture, svg};
use super::findings::{BOUNDS, Moment, Trainings};

/// Names and texts of all pictures that these trainings allow.
///
/// # Errors
/// What the drawing library says.
pub fn all(trainings: &[Trainings]) -> Result<Vec<(&'static str, String)>, String> {
    let pictures = [
        ("figure-1.svg", figure_1(trainings)),
        ("figure-2.svg", figure_2(trainings)),
        ("figure-3.svg", figure_3(trainings)),
        ("bounds.svg", bounds(trainings)),
    ];
    let drawn = pictures.into_iter().filter(|(_, picture)| !picture.panels.is_empty());
    drawn.map(|(name, picture)| Ok((name, svg(&picture)?))).collect()
}

fn curve(of: &Trainings, color: usize, dashed: bool, value: impl Fn(&Moment) -> f64) -> Curve {
    Curve {
        color,
        dashed,
        runs: of.runs.iter().map(|run| run.iter().map(&value).collect()).collect(),
        mean: of.mean(&value),
        half: Vec::new(),
    }
}

fn panel(
    of: &Trainings,
    (scale, unit): (AxisScale, &'static str),
    curves: Vec<Curve>,
    level: Option<(f64, &'static str)>,
) -> Panel {
    Panel {
        title: format!("N = {}", of.negatives),
        scale,
        across: Across::Updates(of.steps()),
        unit,
        curves,
        level,
        until: None,
    }
}

fn figure_1(trainings: &[Trainings]) -> Picture {
    let of = |t: &Trainings| {
        let curves = vec![
            curve(t, 0, false, |m| m.one_negative),
            curve(t, 1, false, |m| m.mean_classifier),
            curve(t, 2, true, |m| m.one_negative * t.classes as f64),
            curve(t, 3, true, |m| m.best_head[1]),
        ];
        panel(t, (AxisScale::Plain, "nats"), curves, Some((t.chance(), "log N_C")))
    };
    Picture {
        title: "Figure 1: L_un and L_sup^μ along training with one negative",
        legend: vec![("L_un", 0, false), ("L_sup^μ", 1, false), ("L_un/p_min", 2, true), ("best head", 3, true)],
        columns: 2,
        panels: trainings.iter().filter(|t| t.negatives == 1).map(of).collect(),
    }
}

fn figure_2(trainings: &[Trainings]) -> Picture {
    let of = |t: &Trainings| {
        let curves = vec![
            curve(t, 0, false, |m| m.trained_loss),
            curve(t, 1, false, |m| m.mean_classifier),
            curve(t, 3, true, |m| m.best_head[1]),
        ];
        panel(t, (AxisScale::Plain, "nats"), curves, None)
    };
    Picture {
        title: "Figure 2: L_un^N and L_sup^μ along training with N negatives",
        legend: vec![("L_un^N", 0, false), ("L_sup^μ", 1, false), ("best head", 3, true)],
        columns: 2,
        panels: trainings.iter().filter(|t| t.negatives > 1).map(of).collect(),
    }
}

fn figure_3(trainings: &[Trainings]) -> Picture {
    let of = |t: &Trainings| {
        let curves = vec![curve(t, 0, false, |m| m.largest), curve(t, 1, true, |m| m.smallest)];
        panel(t, (AxisScale::Logarithmic, "norm"), curves, None)
    };
    Picture {
        title: "Figure 3: the smallest and the largest norm of an embedding along training",
        legend: vec![("largest ‖f(x)‖", 0, false), ("smallest ‖f(x)‖", 1, true)],
        columns: 2,
        panels: trainings.iter().map(of).collect(),
    }
}

/// The averages only: runs would hide one another.
fn bounds(trainings: &[Trainings]) -> Picture {
    let of = |t: &Trainings| {
        let average =
            |color, dashed, values: Vec<f64>| Curve { color, dashed, runs: Vec::new(), mean: values, half: Vec::new() };
        let mut curves: Vec<Curve> = BOUNDS
            .iter()
            .enumerate()
            .map(|(color, bound)| average(color, !bound.proved, t.mean(|m| (bound.value)(t, m))))
            .collect();
        curves.push(average(6, true, t.mean(|m| m.mean_classifier)));
        Panel {
            until: t.short_until().map(|step| (step, "short norms")),
            ..panel(t, (AxisScale::Logarithmic, "nats"), curves, Some((t.chance(), "log N_C")))
        }
    };
    let mut legend: Vec<(&'static str, usize, bool)> =
        BOUNDS.iter().enumerate().map(|(color, bound)| (bound.name, color, !bound.proved)).collect();
    legend.push(("L_sup^μ", 6, true));
    Picture {
        title: "What bounds L_sup^μ along training (averages; a bound above log N_C says nothing)",
        legend,
        columns: 2,
        panels: trainings.iter().map(of).collect(),
    }
}
