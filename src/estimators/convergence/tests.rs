//! The study on small models: unbiased estimators, honest intervals, the same bits whatever the threads.

use super::*;
use crate::monte_carlo::{SamplingPlan, Sequence, Unsupervised, sample_until};
use contrastive::data::LabelledPoints;
use enclosures::stream::seed;

fn settings(work: u64) -> StudySettings {
    StudySettings { seed: 3, negatives: vec![1, 15], repetitions: 64, work }
}

fn small() -> Vec<StudyPanel> {
    let subjects = [Subject::reference().unwrap(), Subject::gaussian_mixture().unwrap()];
    study(&subjects, &settings(1 << 14), &mut |_| {}).unwrap()
}

/// Those of the unsupervised loss alone.
fn unsupervised() -> Vec<StudyPanel> {
    small().into_iter().filter(|panel| panel.loss.negatives().is_some()).collect()
}

#[test]
fn errors_are_those_that_the_spread_of_observations_predicts() {
    let (mut levels, mut missed, mut slopes) = (0, 0, Vec::new());
    for panel in unsupervised() {
        assert!(panel.refused.is_empty());
        for curve in &panel.curves {
            for level in &curve.levels {
                levels += 1;
                let (lo, hi) = level.rms_interval;
                missed += usize::from(!(lo..hi).contains(&level.standard_error));
            }
            slopes.push(curve.slope.expect("errors above rounding"));
        }
    }
    // Level 0.05, and single observations are far from normal at the smallest sizes; a bias would miss at nearly all of the largest.
    assert!(levels > 80 && missed * 8 < levels, "{missed} of {levels}");
    let off = slopes.iter().filter(|slope| !(slope.lo..slope.hi).contains(&-0.5)).count();
    assert!(slopes.len() > 12 && off <= 3, "{off} of {}", slopes.len());
    let sharp: Vec<_> = slopes.iter().filter(|slope| slope.hi - slope.lo < 0.1).collect();
    assert!(sharp.len() >= 4 && sharp.iter().all(|slope| (slope.value + 0.5).abs() < 0.06), "{sharp:?}");
}

#[test]
fn every_estimator_has_the_model_it_is_for() {
    let names = |panel: &StudyPanel| panel.curves.iter().map(|c| c.method.name).collect::<Vec<_>>();
    let panels = unsupervised();
    let all: Vec<&str> = METHODS.iter().take(6).map(|m| m.name).collect();
    assert_eq!(names(&panels[0]), all, "six atoms, N = 1");
    let without = |left_out: &[&str]| all.iter().copied().filter(|n| !left_out.contains(n)).collect::<Vec<_>>();
    assert_eq!(names(&panels[1]), without(&["U-statistic"]), "six atoms, N = 15");
    assert_eq!(names(&panels[2]), without(&["rows", "table", "conditional"]), "mixture, N = 1");
}

#[test]
fn supervised_losses_have_estimators_of_their_own_and_the_bias_of_a_plug_in_shows() {
    // A bias is seen beside the chance error of enough observations: four times as many as elsewhere.
    let settings = StudySettings { negatives: vec![1], ..settings(1 << 16) };
    let panels = study(&[Subject::reference().unwrap()], &settings, &mut |_| {}).unwrap();
    let panel = |loss| panels.iter().find(|p| p.loss == loss).expect("six atoms have all");
    for loss in [Loss::AllClasses, Loss::Tasks(1)] {
        let curves = &panel(loss).curves;
        let names: Vec<&str> = curves.iter().map(|c| c.method.name).collect();
        let all = ["anchors", "control variate", "means of 4", "means of 64", "levels"];
        let known: &[&str] = if loss == Loss::AllClasses { &all[..2] } else { &all[..1] };
        assert_eq!(names, [known, &all[2..]].concat());
        let off = |name: &str| {
            let curve = curves.iter().find(|c| c.method.name == name).expect("an estimator of this loss");
            curve.levels.last().map_or(0.0, |level| level.rms / level.standard_error)
        };
        assert!(known.iter().all(|name| off(name) < 1.5) && off("levels") < 1.5, "{loss}: no bias");
        assert!(off("means of 4") > 2.0, "{loss}: a bias of {}", off("means of 4"));
    }
    let covered = &panel(Loss::Coverage(9)).curves;
    assert_eq!(covered.iter().map(|c| c.method.name).collect::<Vec<_>>(), ["classes"]);
    let last = covered[0].levels.last().expect("a level");
    assert!(last.rms < 2.0 * last.standard_error);
}

#[test]
fn averaging_over_what_is_known_lowers_the_variance_of_an_observation() {
    let panels = small();
    let deviation = |name: &str| {
        let curve = panels[0].curves.iter().find(|c| c.method.name == name);
        curve.expect("six atoms have every estimator").deviation
    };
    for (better, than) in [("conditional", "plain"), ("U-statistic", "batch"), ("batch", "plain")] {
        assert!(deviation(better) < deviation(than), "{better} {than}");
    }
    let same_law = deviation("plain") / deviation("table");
    assert!((0.9..1.1).contains(&same_law), "{same_law}");
}

#[test]
fn the_losses_of_the_mixture_lie_where_sampling_says() {
    let mixture = Subject::gaussian_mixture().unwrap();
    let exact = mixture.losses(&[1, 15]).unwrap();
    for (negatives, exact) in [1, 15].into_iter().zip(exact) {
        assert!(exact.width() < 1e-9, "{exact:?}");
        let plain = Unsupervised::new(mixture.sampler(), negatives).unwrap();
        let plan = SamplingPlan {
            seed: seed(8, &["mixture"]),
            alpha: 1e-6,
            most_chunks: 1500,
            sequence: Sequence::EmpiricalBernstein,
        };
        let sampled = sample_until(&plain, &plan, |_| false).unwrap();
        assert!(sampled.enclosure.lo() <= exact.hi() && exact.lo() <= sampled.enclosure.hi());
        let off = (sampled.tally.mean() - exact.midpoint()).abs();
        assert!(off < 5.0 * sampled.tally.standard_error(), "{off}");
        assert!(sampled.tally.standard_error() < 1e-2 * exact.midpoint());
    }
}

#[test]
fn nothing_depends_on_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let subjects = [Subject::reference().unwrap()];
        let panels = pool.install(|| study(&subjects, &settings(1 << 12), &mut |_| {}).unwrap());
        panels.into_iter().flat_map(|p| p.curves).flat_map(|c| c.levels).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn progress_counts_to_the_end() {
    let (subjects, settings) = ([Subject::reference().unwrap()], settings(64));
    let mut done = 0;
    study(&subjects, &settings, &mut |progress| done += usize::from(matches!(progress, Progress::Done(_)))).unwrap();
    assert_eq!(done, steps(&subjects, &settings));
}

#[test]
fn a_table_that_cannot_be_made_is_reported_and_the_rest_is_measured() {
    // Logits of 0 and 900: no table of exponentials, and hardly any variance in the rest.
    let points = LabelledPoints::new(vec![0.0, 30.0, 0.0, 30.0], 1, vec![0, 0, 1, 1]).unwrap();
    let subject = Subject::labelled("far", "two classes", points).unwrap();
    let panels = study(&[subject], &settings(256), &mut |_| {}).unwrap();
    let refused: Vec<&str> = panels[0].refused.iter().map(|(method, _)| method.name).collect();
    assert_eq!(refused, ["table", "conditional"]);
    assert!(matches!(panels[0].refused[0].1, MonteCarloError::Spread { .. }));
    assert_eq!(panels[0].curves.len(), 4);
}

#[test]
fn a_constant_loss_has_errors_of_rounding_and_no_slope() {
    let points = LabelledPoints::new(vec![0.0; 4], 1, vec![0, 0, 1, 1]).unwrap();
    let subject = Subject::labelled("zero", "an encoder that answers zero", points).unwrap();
    for panel in study(&[subject], &settings(256), &mut |_| {}).unwrap() {
        let covered = matches!(panel.loss, Loss::Coverage(_));
        for curve in panel.curves.into_iter().filter(|_| !covered) {
            assert_eq!(curve.slope, None, "{}", curve.method.name);
            assert!(curve.levels.iter().all(|level| level.rms < 1e-14));
        }
    }
}

#[test]
fn senseless_settings_are_refused() {
    let subjects = [Subject::reference().unwrap()];
    let odd = StudySettings { repetitions: 7, ..settings(64) };
    assert!(matches!(study(&subjects, &odd, &mut |_| {}), Err(StudyError::Repetitions { repetitions: 7 })));
    let none = StudySettings { negatives: vec![0], ..settings(64) };
    assert!(matches!(study(&subjects, &none, &mut |_| {}), Err(StudyError::Negatives { negatives: 0 })));
}
