//! A drawing of a directed graph in layers from left to right: every arrow leads to a layer further right.
//!
//! A thing stands one layer behind the last of what it rests on. An arrow that passes a layer gets a place of its own there, so that it goes
//! round what stands in it. Within a layer, order follows the middle of the neighbours, in a fixed number of sweeps; so the drawing is
//! the same for the same graph.

/// Sweeps that order the layers, and that move things towards their neighbours.
const SWEEPS: usize = 24;

/// Where a thing stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    /// Its layer, from the left.
    pub layer: usize,
    /// Its middle, from the top, in heights of a thing.
    pub height: f64,
}

/// A drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layers {
    /// Of each thing.
    pub spots: Vec<Spot>,
    /// Of each arrow: where it begins, the layers that it passes, and where it ends.
    pub ways: Vec<Vec<Spot>>,
    /// How many layers there are.
    pub count: usize,
    /// The height of the whole, in heights of a thing.
    pub height: f64,
}

/// A thing or the passage of an arrow.
struct Standing {
    layer: usize,
    /// The room it needs, in heights of a thing.
    room: f64,
    height: f64,
    left: Vec<usize>,
    right: Vec<usize>,
}

/// Draws so many things and the arrows between them. An arrow that closes a circle is drawn leftwards.
pub(crate) fn layers(things: usize, arrows: &[(usize, usize)]) -> Layers {
    let depths = depths(things, arrows);
    let mut standing: Vec<Standing> = depths.iter().map(|&layer| Standing::new(layer, 1.0)).collect();
    let mut ways = Vec::new();
    for &(from, to) in arrows {
        let mut way = vec![from];
        for layer in depths[from] + 1..depths[to] {
            standing.push(Standing::new(layer, 0.4));
            way.push(standing.len() - 1);
        }
        way.push(to);
        for pair in way.windows(2) {
            standing[pair[0]].right.push(pair[1]);
            standing[pair[1]].left.push(pair[0]);
        }
        ways.push(way);
    }
    let count = depths.iter().max().map_or(0, |most| most + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, one) in standing.iter().enumerate() {
        rows[one.layer].push(at);
    }
    for sweep in 0..SWEEPS {
        order(&mut rows, &mut standing, sweep % 2 == 0);
    }
    for sweep in 0..SWEEPS {
        settle(&rows, &mut standing, sweep % 2 == 0);
    }
    let top = standing.iter().map(|s| s.height - s.room / 2.0).fold(f64::INFINITY, f64::min);
    let bottom = standing.iter().map(|s| s.height + s.room / 2.0).fold(0.0, f64::max);
    let spot = |at: usize| Spot { layer: standing[at].layer, height: standing[at].height - top };
    Layers {
        spots: (0..things).map(spot).collect(),
        ways: ways.iter().map(|way| way.iter().map(|&at| spot(at)).collect()).collect(),
        count,
        height: if things == 0 { 0.0 } else { bottom - top },
    }
}

impl Standing {
    fn new(layer: usize, room: f64) -> Self {
        Standing { layer, room, height: 0.0, left: Vec::new(), right: Vec::new() }
    }
}

/// The length of the longest way to each thing.
fn depths(things: usize, arrows: &[(usize, usize)]) -> Vec<usize> {
    let mut depths = vec![0; things];
    // A way without a circle has fewer arrows than there are things.
    for _ in 1..things {
        let before = depths.clone();
        for &(from, to) in arrows {
            depths[to] = depths[to].max((before[from] + 1).min(things - 1));
        }
        if depths == before {
            break;
        }
    }
    depths
}

/// Orders every layer by the middle of its neighbours on one side, from that side on.
fn order(rows: &mut [Vec<usize>], standing: &mut [Standing], from_left: bool) {
    let sides: Vec<usize> = if from_left { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
    for layer in sides {
        let key = |&at: &usize| {
            let one = &standing[at];
            middle(if from_left { &one.left } else { &one.right }, standing).unwrap_or(one.height)
        };
        let mut keyed: Vec<(f64, usize)> = rows[layer].iter().map(|at| (key(at), *at)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut next = 0.0;
        for (place, (_, at)) in keyed.into_iter().enumerate() {
            rows[layer][place] = at;
            standing[at].height = next + standing[at].room / 2.0;
            next += standing[at].room;
        }
        // Layers of different lengths share their middle.
        for &at in &rows[layer] {
            standing[at].height -= next / 2.0;
        }
    }
}

fn middle(neighbours: &[usize], standing: &[Standing]) -> Option<f64> {
    let sum: f64 = neighbours.iter().map(|&at| standing[at].height).sum();
    (!neighbours.is_empty()).then(|| sum / neighbours.len() as f64)
}

/// Moves what stands in each layer towards the middle of its neighbours, in its order and without overlaps.
fn settle(rows: &[Vec<usize>], standing: &mut [Standing], downwards: bool) {
    for row in rows {
        let wished: Vec<f64> = row
            .iter()
            .map(|&at| {
                let one = &standing[at];
                let (left, right) = (middle(&one.left, standing), middle(&one.right, standing));
                match (left, right) {
                    (Some(a), Some(b)) => 0.5 * (a + b),
                    (Some(a), None) | (None, Some(a)) => a,
                    (None, None) => one.height,
                }
            })
            .collect();
        let places: Vec<usize> = if downwards { (0..row.len()).collect() } else { (0..row.len()).rev().collect() };
        let sign = if downwards { 1.0 } else { -1.0 };
        let mut edge = f64::NEG_INFINITY;
        for place in places {
            let one = &mut standing[row[place]];
            let free = (sign * wished[place]).max(edge + one.room / 2.0);
            edge = free + one.room / 2.0;
            one.height = sign * free;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_lead_to_the_right_and_nothing_overlaps() {
        let arrows = [(0, 1), (1, 2), (0, 2), (3, 2), (4, 1), (0, 4)];
        let drawn = layers(6, &arrows);
        assert_eq!(drawn.count, 4);
        for (&(from, to), way) in arrows.iter().zip(&drawn.ways) {
            assert!(drawn.spots[from].layer < drawn.spots[to].layer);
            assert_eq!((way.first(), way.last()), (Some(&drawn.spots[from]), Some(&drawn.spots[to])));
            assert!(way.windows(2).all(|pair| pair[0].layer + 1 == pair[1].layer));
        }
        for (at, one) in drawn.spots.iter().enumerate() {
            assert!(one.height >= 0.5 - 1e-9 && one.height <= drawn.height - 0.5 + 1e-9);
            for other in &drawn.spots[..at] {
                assert!(one.layer != other.layer || (one.height - other.height).abs() >= 1.0 - 1e-9);
            }
        }
        assert_eq!(drawn, layers(6, &arrows));
    }

    #[test]
    fn a_circle_is_drawn_all_the_same() {
        let drawn = layers(3, &[(0, 1), (1, 0), (1, 2)]);
        assert_eq!((drawn.spots.len(), drawn.ways.len()), (3, 3));
        assert_eq!(layers(0, &[]).height, 0.0);
    }
}
