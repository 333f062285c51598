//! The all-pairs statistic for several negatives against its enumeration, and that against the law behind the batch.

use super::*;
use contrastive::{Atom, LatentClassModel, unsupervised_loss};
use enclosures::stream::seed;

const RHO: [f64; 2] = [0.625, 0.375];

/// The average over all choices of different members: classes of the negatives from `rho`, members in every order.
fn enumerated(groups: &[Vec<Vec<f64>>], negatives: usize) -> f64 {
    fn continued(groups: &[Vec<Vec<f64>>], used: &mut Vec<(usize, usize)>, missing: usize) -> f64 {
        if missing == 0 {
            let at = |k: usize| groups[used[k].0][used[k].1][0];
            let ratio: f64 = (2..used.len()).map(|k| core_math::exp(at(0) * (at(k) - at(1)))).sum();
            return core_math::log1p(ratio);
        }
        let mut mean = 0.0;
        for (class, rho) in RHO.into_iter().enumerate() {
            let free: Vec<usize> = (0..groups[class].len()).filter(|&i| !used.contains(&(class, i))).collect();
            for &i in &free {
                used.push((class, i));
                mean += rho / free.len() as f64 * continued(groups, used, missing - 1);
                used.pop();
            }
        }
        mean
    }
    let mut mean = 0.0;
    for (class, rho) in RHO.into_iter().enumerate() {
        let m = groups[class].len();
        for (i, j) in (0..m).flat_map(|i| (0..m).map(move |j| (i, j))).filter(|(i, j)| i != j) {
            let pairs = (m * (m - 1)) as f64;
            mean += rho / pairs * continued(groups, &mut vec![(class, i), (class, j)], negatives);
        }
    }
    mean
}

const AT: [[f64; 2]; 2] = [[1.5, -0.5], [-1.0, 0.25]];
const SHARES: [[f64; 2]; 2] = [[0.25, 0.75], [0.5, 0.5]];

fn population() -> LatentClassModel {
    let atom = |c: usize, j: usize| Atom { weight: SHARES[c][j], at: vec![AT[c][j]] };
    LatentClassModel::new(RHO.to_vec(), (0..2).map(|c| vec![atom(c, 0), atom(c, 1)]).collect()).unwrap()
}

#[test]
fn the_mean_over_all_batches_is_the_loss_of_the_population() {
    let m = 4;
    let mut mean = 0.0;
    for code in 0..1usize << (2 * m) {
        let pick = |c: usize, i: usize| (code >> (c * m + i)) & 1;
        let groups: Vec<Vec<Vec<f64>>> = (0..2).map(|c| (0..m).map(|i| vec![AT[c][pick(c, i)]]).collect()).collect();
        let probability: f64 =
            (0..2).flat_map(|c| (0..m).map(move |i| (c, i))).map(|(c, i)| SHARES[c][pick(c, i)]).product();
        mean += probability * enumerated(&groups, 2);
    }
    let exact = unsupervised_loss(&population(), 2).unwrap().midpoint();
    assert!((mean - exact).abs() < 1e-13, "{mean} {exact}");
}

#[test]
fn the_estimator_samples_the_statistic_of_its_batch() {
    let groups = vec![
        [1.5, -0.5, 0.3, 2.0, -1.2].map(|x| vec![x]).to_vec(),
        [-1.0, 0.25, 0.8, -2.0, 1.0, 0.0].map(|x| vec![x]).to_vec(),
    ];
    let all_pairs = one_negative_u_statistic(&groups, &RHO).unwrap();
    assert!((enumerated(&groups, 1) - all_pairs).abs() < 1e-14);
    for negatives in [1, 2, 3] {
        let exact = enumerated(&groups, negatives);
        let estimator = DistinctUnsupervised::new(&groups, &RHO, negatives).unwrap();
        let tally = sample(&estimator, &seed(4, &["distinct"]), 0..600).unwrap().tally().unwrap();
        let off = (tally.mean() - exact).abs() / tally.standard_error();
        assert!(off < 5.0, "{negatives}: {} {exact}, {off} standard errors", tally.mean());
        // Repeated members would show: the plug-in loss is many standard errors away.
        let plug_in = LatentClassModel::new(
            RHO.to_vec(),
            groups.iter().map(|g| g.iter().map(|x| Atom { weight: 1.0, at: x.clone() }).collect()).collect(),
        );
        let biased = unsupervised_loss(&plug_in.unwrap(), negatives as u64).unwrap().midpoint();
        assert!((biased - exact).abs() > 20.0 * tally.standard_error(), "{biased} {exact}");
    }
    // Four members per class are too few for three negatives.
    assert!(DistinctUnsupervised::new(&groups, &RHO, 4).is_err());
    assert!(DistinctUnsupervised::new(&groups, &[1.0], 1).is_err());
    assert!(DistinctUnsupervised::new(&groups, &RHO, 0).is_err());
}

/// A fresh batch for every observation: the loss of the population itself.
#[test]
fn fresh_batches_estimate_the_population() {
    let model = population();
    let sampler = AtomSampler::new(&model).unwrap();
    for negatives in [1, 3] {
        let exact = unsupervised_loss(&model, negatives as u64).unwrap().midpoint();
        let mut tally = Tally::default();
        for batch in 0..3000 {
            let mut stream = ChunkStream::new(&[12; 32], batch);
            let mut draw = |class: usize| {
                let mut x = vec![0.0];
                sampler.draw_embedding(class, &mut stream, &mut x);
                x
            };
            let groups: Vec<Vec<Vec<f64>>> = (0..2).map(|c| (0..5).map(|_| draw(c)).collect()).collect();
            let estimator = DistinctUnsupervised::new(&groups, &RHO, negatives).unwrap();
            let mut losses = [0.0; 16];
            estimator.observe(&mut stream, &mut losses);
            // One number per batch: its mean.
            tally.add(&Moments::of(&[losses.iter().sum::<f64>() / 16.0]).unwrap()).unwrap();
        }
        let off = (tally.mean() - exact).abs() / tally.standard_error();
        assert!(off < 5.0, "{negatives}: {} {exact}", tally.mean());
    }
}
