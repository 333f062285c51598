//! The estimators against exact losses, enumeration, each other and themselves in pieces.

use super::*;
use contrastive::{Atom, LatentClassModel, sup_mean, sup_mean_all, sup_mean_average, unsupervised_loss};
use enclosures::enclosure::{Enclosure, Grade};
use enclosures::stream::seed;

/// The register's reference model: three classes in the plane, unequal weights everywhere.
fn reference() -> LatentClassModel {
    let atom = |weight, x, y| Atom { weight, at: vec![x, y] };
    let classes = vec![
        vec![atom(0.25, 1.0, 0.0), atom(0.75, 0.5, 0.5)],
        vec![atom(1.0, -1.0, 0.0)],
        vec![atom(0.2, 0.0, 2.0), atom(0.3, 0.0, -1.0), atom(0.5, 1.0, 1.0)],
    ];
    LatentClassModel::new(vec![0.5, 0.3, 0.2], classes).unwrap()
}

/// Classes of five atoms each, all equally likely.
fn even() -> LatentClassModel {
    let mut stream = ChunkStream::new(&[4; 32], 9);
    let points: Vec<f64> = (0..60).map(|_| enclosures::probability::standard_normal_pair(&mut stream).0).collect();
    LatentClassModel::from_labelled(&points, 4, &(0..15).map(|i| i % 3).collect::<Vec<u32>>()).unwrap()
}

fn plan(most_chunks: u64, sequence: Sequence) -> SamplingPlan {
    SamplingPlan { seed: seed(1, &["tests"]), alpha: 1e-6, most_chunks, sequence }
}

/// The exact value lies in both sequences' enclosures, which have become narrow.
fn agrees(name: &str, estimator: &dyn Estimator, exact: Enclosure, chunks: u64) {
    // A few hundred chunk means are little evidence for bets at a level of 1e-6.
    for (sequence, most) in [(Sequence::EmpiricalBernstein, 0.5), (Sequence::Betting, 2.0)] {
        let estimate = sample_until(estimator, &plan(chunks, sequence), |_| false).unwrap();
        let e = estimate.enclosure;
        assert!(e.lo() <= exact.hi() && exact.lo() <= e.hi(), "{name} {sequence:?}: {e:?} {exact:?}");
        assert_eq!(e.grade(), Grade::Sampled { alpha: 1e-6 });
        assert!(e.width() < most * exact.hi(), "{name} {sequence:?}: {e:?} {exact:?}");
        let off = (estimate.tally.mean() - exact.midpoint()).abs();
        let allowed = 6.0 * estimate.tally.standard_error() + 1e-9;
        assert!(off <= allowed, "{name}: {off} {allowed}");
    }
}

#[test]
fn every_estimator_encloses_the_exact_loss() {
    for model in [reference(), even()] {
        let sampler = AtomSampler::new(&model).unwrap();
        let table = PairTable::new(&sampler).unwrap();
        for negatives in [1usize, 2, 8, 65] {
            let exact = unsupervised_loss(&model, negatives as u64).unwrap();
            agrees("plain", &Unsupervised::new(&sampler, negatives).unwrap(), exact.into(), 2000);
            agrees("table", &TabulatedUnsupervised::new(&table, negatives).unwrap(), exact.into(), 200);
            agrees("sweep", &ConditionalUnsupervised::new(&table, &model, negatives).unwrap(), exact.into(), 4000);
            agrees("batch", &BatchUnsupervised::new(&sampler, negatives, 4, 3).unwrap(), exact.into(), 4000);
        }
        agrees("supervised", &Supervised::all(&sampler).unwrap(), sup_mean_all(&model).into(), 2000);
        let varied = ControlVariateSupervised::all(&sampler).unwrap();
        agrees("control variate", &varied, sup_mean_all(&model).into(), 2000);
        agrees("tasks", &Supervised::tasks(&sampler, 1).unwrap(), sup_mean_average(&model, 1).unwrap().into(), 2000);
        let exact = unsupervised_loss(&model, 1).unwrap();
        assert!((one_negative_by_table(&table, &model) - exact.midpoint()).abs() < 1e-13);
    }
}

/// Two classes with two atoms each, so that batches can be enumerated.
fn tiny() -> (LatentClassModel, [[f64; 2]; 2], [[f64; 2]; 2]) {
    let (at, p) = ([[1.5, -0.5], [-1.0, 0.25]], [[0.25, 0.75], [0.5, 0.5]]);
    let classes = (0..2).map(|c| (0..2).map(|j| Atom { weight: p[c][j], at: vec![at[c][j]] }).collect());
    (LatentClassModel::new(vec![0.625, 0.375], classes.collect()).unwrap(), at, p)
}

#[test]
fn the_all_pairs_statistic_is_unbiased_by_enumeration() {
    let (model, at, p) = tiny();
    let m = 3;
    let mut mean = 0.0;
    // Every batch of three embeddings per class.
    for code in 0..1usize << (2 * m) {
        let pick = |c: usize, i: usize| (code >> (c * m + i)) & 1;
        let groups: Vec<Vec<Vec<f64>>> = (0..2).map(|c| (0..m).map(|i| vec![at[c][pick(c, i)]]).collect()).collect();
        let probability: f64 =
            (0..2).flat_map(|c| (0..m).map(move |i| (c, i))).map(|(c, i)| p[c][pick(c, i)]).product();
        mean += probability * one_negative_u_statistic(&groups, &[0.625, 0.375]).unwrap();
    }
    let exact = unsupervised_loss(&model, 1).unwrap().midpoint();
    assert!((mean - exact).abs() < 1e-13, "{mean} {exact}");
}

#[test]
fn batches_with_shared_negatives_are_unbiased_by_enumeration() {
    let (model, at, p) = tiny();
    let rho = [0.625, 0.375];
    // Two own embeddings per class, one group of two negatives from either class.
    let mut mean = 0.0;
    for class in 0..2 {
        for code in 0..64usize {
            let bit = |k: usize| (code >> k) & 1;
            let own = [at[class][bit(0)], at[class][bit(1)]];
            let others = [(bit(2), bit(3)), (bit(4), bit(5))];
            let weight: f64 = others.iter().map(|&(c, j)| rho[c] * p[c][j]).product();
            let negatives = others.map(|(c, j)| at[c][j]);
            let pairs = p[class][bit(0)] * p[class][bit(1)];
            mean += rho[class] * pairs * weight * u_statistic::pairs_mean(&own, &negatives, 1, 2);
        }
    }
    let exact = unsupervised_loss(&model, 2).unwrap().midpoint();
    assert!((mean - exact).abs() < 1e-13, "{mean} {exact}");
}

#[test]
fn tasks_of_every_size_agree_with_their_enumeration() {
    // Five classes with unequal weights and one to three atoms each.
    let mut stream = ChunkStream::new(&[14; 32], 0);
    let mut normal = || enclosures::probability::standard_normal_pair(&mut stream).0;
    let classes: Vec<Vec<Atom>> = (0..5)
        .map(|c| {
            let atom = |j: usize| Atom { weight: 1.0 + j as f64, at: (0..3).map(|_| 1.5 * normal()).collect() };
            (0..c % 3 + 1).map(atom).collect()
        })
        .collect();
    let model = LatentClassModel::new(vec![1.0, 3.0, 0.5, 2.0, 1.5], classes).unwrap();
    let sampler = AtomSampler::new(&model).unwrap();
    for k in 1..5 {
        let estimator = Supervised::tasks(&sampler, k).unwrap();
        agrees("tasks", &estimator, sup_mean_average(&model, k).unwrap().into(), 4000);
    }
    for task in [&[0, 3][..], &[4, 1, 2]] {
        let estimator = Supervised::of_task(&sampler, task).unwrap();
        agrees("task", &estimator, sup_mean(&model, task).unwrap().into(), 4000);
        let varied = ControlVariateSupervised::of_task(&sampler, task).unwrap();
        agrees("task, control variate", &varied, sup_mean(&model, task).unwrap().into(), 4000);
    }
    for task in [&[][..], &[1, 1], &[5]] {
        let refused = Supervised::of_task(&sampler, task);
        assert!(matches!(refused, Err(MonteCarloError::Task { classes: 5, .. })));
        let refused = ControlVariateSupervised::of_task(&sampler, task);
        assert!(matches!(refused, Err(MonteCarloError::Task { classes: 5, .. })));
    }
}

/// Embeddings close to the means of their classes leave nothing to be drawn, and the range says so.
#[test]
fn the_control_variate_takes_what_is_linear() {
    let mut stream = ChunkStream::new(&[15; 32], 0);
    let mut normal = || enclosures::probability::standard_normal_pair(&mut stream).0;
    let centres: Vec<Vec<f64>> = (0..4).map(|_| (0..3).map(|_| normal()).collect()).collect();
    let near = |centre: &Vec<f64>| -> Vec<Atom> {
        let mut atom = || Atom { weight: 1.0, at: centre.iter().map(|x| x + 0.02 * normal()).collect() };
        (0..5).map(|_| atom()).collect()
    };
    let classes: Vec<Vec<Atom>> = centres.iter().map(near).collect();
    let model = LatentClassModel::new(vec![1.0, 2.0, 0.3, 1.0], classes).unwrap();
    let sampler = AtomSampler::new(&model).unwrap();
    let deviation = |estimator: &dyn Estimator| {
        let tally = sample(estimator, &[3; 32], 0..50).unwrap().tally().unwrap();
        (tally.standard_error() * (50.0 * estimator.chunk_len() as f64).sqrt(), estimator.range().unwrap())
    };
    let (plain, wide) = deviation(&Supervised::all(&sampler).unwrap());
    let (varied, narrow) = deviation(&ControlVariateSupervised::all(&sampler).unwrap());
    assert!(varied < 0.2 * plain, "{varied} {plain}");
    assert!(narrow.hi() - narrow.lo() < 0.05 && wide.hi() - wide.lo() > 1.0, "{narrow:?} {wide:?}");
}

/// The losses of single anchors reach both ends of the range where the classes are points on a line.
#[test]
fn the_range_of_supervised_losses_is_reached() {
    for x in [0.1, 1.0, 4.0] {
        let model = LatentClassModel::point_masses(&[1.0, 1.0], &[vec![x], vec![-x]]).unwrap();
        let sampler = AtomSampler::new(&model).unwrap();
        let range = Supervised::all(&sampler).unwrap().range().unwrap();
        let loss = sup_mean_all(&model);
        assert!(
            range.lo() <= loss.hi() && (range.lo() - loss.midpoint()).abs() < 1e-12 * loss.hi(),
            "{range:?} {loss:?}"
        );
        assert!((range.hi() - (2.0 * x * x + range.lo())).abs() < 1e-12 * range.hi());
    }
}

#[test]
fn evenly_spread_draws_agree_with_the_exact_loss_and_vary_less() {
    for model in [reference(), even()] {
        let sampler = AtomSampler::new(&model).unwrap();
        let table = PairTable::new(&sampler).unwrap();
        for negatives in [1, 2, 15] {
            let exact = unsupervised_loss(&model, negatives as u64).unwrap();
            let variance = |points| {
                let estimator = EvenUnsupervised::new(&table, &model, negatives, points).unwrap();
                agrees(&format!("{points:?}"), &estimator, exact.into(), 4000);
                let tally = sample(&estimator, &seed(6, &["even"]), 0..4000).unwrap().tally().unwrap();
                tally.variance() * estimator.points_per_anchor() as f64
            };
            let independent = variance(Points::Independent(4));
            let (antithetic, lattice) = (variance(Points::Antithetic), variance(Points::Lattice(64)));
            println!("N = {negatives}: {:.3} {:.3}", antithetic / independent, lattice / independent);
            assert!(antithetic < 0.9 * independent, "{negatives} {antithetic} {independent}");
            assert!(lattice < 0.5 * independent, "{negatives} {lattice} {independent}");
        }
    }
    let model = even();
    let sampler = AtomSampler::new(&model).unwrap();
    let table = PairTable::new(&sampler).unwrap();
    for points in [Points::Lattice(3), Points::Lattice(4096), Points::Independent(0)] {
        assert!(EvenUnsupervised::new(&table, &model, 3, points).is_err());
    }
    assert!(EvenUnsupervised::new(&table, &reference(), 3, Points::Antithetic).is_err());
    assert!(EvenUnsupervised::new(&table, &model, 300, Points::Lattice(4)).is_err());
}

#[test]
fn shards_and_threads_make_the_same_bits() {
    let model = reference();
    let sampler = AtomSampler::new(&model).unwrap();
    let table = PairTable::new(&sampler).unwrap();
    let estimators: [&dyn Estimator; 7] = [
        &EvenUnsupervised::new(&table, &model, 5, Points::Lattice(8)).unwrap(),
        &RowsUnsupervised::new(&sampler, 3).unwrap(),
        &TabulatedUnsupervised::new(&table, 7).unwrap(),
        &Unsupervised::new(&sampler, 3).unwrap(),
        &ConditionalUnsupervised::new(&table, &model, 5).unwrap(),
        &Supervised::tasks(&sampler, 1).unwrap(),
        &ControlVariateSupervised::all(&sampler).unwrap(),
    ];
    let key = seed(2, &["shards"]);
    for estimator in estimators {
        let whole = sample(estimator, &key, 0..40).unwrap();
        let mut merged = sample(estimator, &key, 25..40).unwrap();
        for part in [3..25, 0..3] {
            merged.merge(&sample(estimator, &key, part).unwrap()).unwrap();
        }
        assert_eq!(merged, whole);
        assert_eq!(merged.tally().unwrap(), whole.tally().unwrap());
        for threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| sample(estimator, &key, 0..40).unwrap()), whole);
        }
    }
}

#[test]
fn sampling_stops_when_the_margin_is_decided() {
    let model = even();
    let sampler = AtomSampler::new(&model).unwrap();
    let table = PairTable::new(&sampler).unwrap();
    let estimator = TabulatedUnsupervised::new(&table, 4).unwrap();
    let all = plan(1000, Sequence::EmpiricalBernstein);
    let wide = sample_until(&estimator, &all, |loss| (loss - 0.5).lo() > 0.0).unwrap();
    assert!(wide.chunks < 1000 && wide.enclosure.lo() > 0.5, "{wide:?}");
    assert_eq!(sample_until(&estimator, &all, |_| false).unwrap().chunks, 1000);
}

#[test]
fn mixtures_are_sampled_by_their_logits_and_by_their_embeddings() {
    let means = vec![vec![1.0, 0.0, 0.5], vec![-0.5, 1.0, 0.0]];
    let mixture = GaussianMixture::new(&[1.0, 2.0], means, &[0.3, 0.5]).unwrap();
    assert_eq!(mixture.class_mean(1), Some(vec![-0.5, 1.0, 0.0]));
    assert_eq!(mixture.class_mean(2), None);
    let key = seed(3, &["mixture"]);
    let by_logits = sample(&Unsupervised::new(&mixture, 4).unwrap(), &key, 0..200).unwrap().tally().unwrap();
    let batches = BatchUnsupervised::new(&mixture, 4, 3, 2).unwrap();
    let by_embeddings = sample(&batches, &key, 0..20_000).unwrap().tally().unwrap();
    let error = by_logits.standard_error() + by_embeddings.standard_error();
    assert!((by_logits.mean() - by_embeddings.mean()).abs() < 5.0 * error);
    // Unbounded: there is no confidence sequence.
    let plain = Unsupervised::new(&mixture, 4).unwrap();
    let refused = sample_until(&plain, &plan(8, Sequence::Betting), |_| false);
    assert!(matches!(refused, Err(MonteCarloError::Range { .. })));
    let unbounded = ControlVariateSupervised::all(&mixture).unwrap();
    assert!(unbounded.range().is_none() && unbounded.error().is_finite());
    let sphere = mixture.on_sphere(1.5).unwrap();
    let estimate =
        sample_until(&Unsupervised::new(&sphere, 4).unwrap(), &plan(100, Sequence::EmpiricalBernstein), |_| false);
    assert!(estimate.unwrap().enclosure.width() < 0.5);
    assert!(matches!(Supervised::all(&sphere), Err(MonteCarloError::MeanUnknown { class: 0 })));
    assert!(matches!(ControlVariateSupervised::all(&sphere), Err(MonteCarloError::MeanUnknown { class: 0 })));
    let estimated = estimated_means(&sphere, &mut ChunkStream::new(&key, 0), 100);
    assert!(estimated.len() == 2 && estimated[0][0] > 0.5);
}

#[test]
fn requests_out_of_range_are_refused() {
    let model = reference();
    let sampler = AtomSampler::new(&model).unwrap();
    let table = PairTable::new(&sampler).unwrap();
    for negatives in [0, usize::MAX] {
        assert!(Unsupervised::new(&sampler, negatives).is_err());
        assert!(TabulatedUnsupervised::new(&table, negatives).is_err());
        assert!(BatchUnsupervised::new(&sampler, negatives, 3, 2).is_err());
    }
    assert!(BatchUnsupervised::new(&sampler, 1, 1, 1).is_err() && BatchUnsupervised::new(&sampler, 1, 2, 0).is_err());
    assert!(Supervised::tasks(&sampler, 0).is_err() && Supervised::tasks(&sampler, 3).is_err());
    let far = LatentClassModel::point_masses(&[1.0, 1.0], &[vec![40.0], vec![-40.0]]).unwrap();
    let far = AtomSampler::new(&far).unwrap();
    assert!(matches!(PairTable::new(&far), Err(MonteCarloError::Spread { anchor: 0, .. })));
    let losses = sample(&Unsupervised::new(&far, 2).unwrap(), &[0; 32], 0..4).unwrap();
    // log 3 for two negatives of the own class, log 2 for one.
    let expected = 0.25 * core_math::log(3.0) + 0.5 * core_math::log(2.0);
    assert!((losses.tally().unwrap().mean() - expected).abs() < 0.1);
    assert!(one_negative_u_statistic(&[vec![vec![1.0]; 2]], &[1.0]).is_err());
    assert!(GaussianMixture::new(&[1.0], vec![vec![f64::NAN]], &[1.0]).is_err());
    assert!(GaussianMixture::new(&[1.0], vec![vec![0.0]], &[0.0]).is_err());
    let zero = AtomSampler::new(&LatentClassModel::zero_encoder(3, 2).unwrap()).unwrap();
    let constant = sample(&Unsupervised::new(&zero, 3).unwrap(), &[0; 32], 0..3).unwrap();
    assert!((constant.tally().unwrap().mean() - core_math::log(4.0)).abs() < 1e-14);
}

/// What the texts of the modules add up: neither less, which would be no bound, nor much more.
#[test]
fn errors_are_what_their_derivations_count() {
    let u = f64::EPSILON / 2.0;
    for model in [reference(), even()] {
        let sampler = AtomSampler::new(&model).unwrap();
        let (radius, classes) = (sampler.radius().unwrap(), model.n_classes() as f64);
        let d = model.dimension() as f64;
        let table = PairTable::new(&sampler).unwrap();
        for negatives in [1usize, 30] {
            let plain = Unsupervised::new(&sampler, negatives).unwrap();
            let largest = plain.range().unwrap().hi();
            let batch = BatchUnsupervised::new(&sampler, negatives, 4, 3).unwrap();
            let averages = (3.0 * 3.0 + 4.0 + 2.0 * classes + 8.0) * u * largest;
            let (single, batched) = (plain.error(), batch.error());
            assert!(
                batched >= single + averages && batched <= single + 1.5 * averages,
                "{batched:e} {single:e} {averages:e}"
            );
            // So many points that what averages them counts; what the weights were rounded by comes on top.
            let sweep = EvenUnsupervised::new(&table, &model, negatives, Points::Independent(1000)).unwrap();
            let terms = (1000 + sampler.n_atoms() + 8) as f64;
            let expected = table.error(negatives) + terms * u * table.range(negatives).unwrap().hi();
            let found = sweep.error();
            assert!(found >= expected && found <= 3.0 * expected, "{found:e} {expected:e}");
        }
        let all = Supervised::all(&sampler).unwrap();
        let (size, largest) = (classes, all.range().unwrap().hi());
        // C D (g + u) is at most 2 C^2 (d + 2) u up to u^2; means err by little.
        let least = (size + 2.0 + (2.0 * size + 8.0) * largest) * u;
        let most = least + 2.0 * radius * radius * (d + 2.0) * u + 2.0 * radius * sampler.mean_error();
        let law = all.range().unwrap().length().hi() * sampler.distance();
        assert!(all.error() >= least && all.error() <= (most + law) * 1.01, "{:e} {least:e} {most:e}", all.error());
    }
}
