//! The Figures 3 and 4.

use super::super::chart::{Across, AxisScale, Curve, Panel, Picture, svg};
use super::findings::{Average, Group, Right};
use super::page::Seen;
use super::schemes::{SideBySide, StepTime};

/// Shares of the least loss and distances along both schemes.
///
/// # Errors
/// What the drawing library says.
pub fn figure_3(seen: &Seen<'_>) -> Result<String, String> {
    let panel = |name: &str, least: f64, group: &Group| {
        let curve = |color, dashed, of: &dyn Fn(&SideBySide) -> f64| {
            let runs: Vec<Vec<f64>> = group.starts.iter().map(|f| f.looks.iter().map(of).collect()).collect();
            let moments = runs.first().map_or(0, Vec::len);
            let mean = |k: usize| runs.iter().map(|run| run[k]).sum::<f64>() / runs.len() as f64;
            Curve { color, dashed, mean: (0..moments).map(mean).collect(), half: Vec::new(), runs }
        };
        let steps = group.starts.first().map_or(Vec::new(), |f| f.looks.iter().map(|l| l.step).collect());
        Panel {
            title: format!("{name}: h = {}, z = {}", group.size.width, group.size.outputs),
            scale: AxisScale::Between(0, 1),
            across: Across::Updates(steps),
            unit: "",
            curves: vec![
                curve(0, false, &|l| l.descent / least),
                curve(1, true, &|l| l.dynamics / least),
                curve(2, false, &|l| l.apart),
            ],
            level: None,
            until: None,
        }
    };
    let of_pair = |(pair, groups): &(&super::Pair, Vec<&Group>)| -> Vec<Panel> {
        let of = |group: &&Group| panel(&pair.name(), pair.two.least(group.size.outputs as usize), group);
        groups.iter().map(of).collect()
    };
    svg(&Picture {
        title: "Figure 3: projected descent (11) and Euler's scheme (12) from the same starts",
        legend: vec![
            ("share of the least loss, (11)", 0, false),
            ("share of the least loss, (12)", 1, true),
            ("largest distance of outputs", 2, false),
        ],
        columns: 3,
        panels: seen.iter().flat_map(of_pair).collect(),
    })
}

/// The ratio of times by the width, and the accuracies by width and number of outputs.
///
/// # Errors
/// What the drawing library says.
pub fn figure_4(seen: &Seen<'_>, times: &[StepTime]) -> Result<String, String> {
    let ratio = Panel {
        title: "time of a step, (11) over (12)".to_owned(),
        scale: AxisScale::Logarithmic,
        across: Across::Names(times.iter().map(|t| [t.width.to_string(), String::new()]).collect(), ["h", ""]),
        unit: "",
        curves: vec![Curve {
            color: 2,
            dashed: false,
            runs: Vec::new(),
            mean: times.iter().map(|t| t.descent / t.dynamics).collect(),
            half: Vec::new(),
        }],
        level: None,
        until: None,
    };
    let accuracy = |(pair, groups): &(&super::Pair, Vec<&Group>)| {
        let marks = |color, dashed, right: &dyn Fn(&Right) -> f64| {
            let averages: Vec<Average> = groups.iter().map(|group| group.accuracy(right)).collect();
            Curve {
                color,
                dashed,
                runs: Vec::new(),
                mean: averages.iter().map(|a| a.mean).collect(),
                half: averages.iter().map(|a| a.half).collect(),
            }
        };
        let name = |group: &&Group| [group.size.outputs, group.size.width].map(|n| n.to_string());
        let pixels = groups.first().map(|group| group.accuracy(|r| r.pixels as f64).mean);
        Panel {
            title: format!("accuracy, {}", pair.name()),
            scale: AxisScale::Between(40, 100),
            across: Across::Names(groups.iter().map(name).collect(), ["z", "h"]),
            unit: "%",
            curves: vec![
                marks(0, false, &|r| r.descent as f64),
                marks(1, true, &|r| r.dynamics as f64),
                marks(6, false, &|r| r.limit as f64),
            ],
            level: pixels.map(|share| (share, "pixels")),
            until: None,
        }
    };
    svg(&Picture {
        title: "Figure 4: how long a step takes, and what a machine makes of the embeddings",
        legend: vec![
            ("right by (11), 95 % intervals", 0, false),
            ("right by (12)", 1, true),
            ("right at the limit of both", 6, false),
            ("ratio of times", 2, false),
        ],
        columns: 2,
        panels: std::iter::once(ratio).chain(seen.iter().map(accuracy)).collect(),
    })
}
