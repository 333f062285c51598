//! Computing the data that a claim puts into the report.

use std::borrow::Cow;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::claim::{Claim, MeasureError, Series};
use crate::run::context::Context;
use crate::run::trials::guarded;
use crate::verdict::Outcome;

/// One series of a claim as it came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesResult {
    /// Its name within the claim.
    pub id: Cow<'static, str>,
    /// What it shows.
    pub caption: Cow<'static, str>,
    /// The table, or why there is none.
    pub outcome: Result<Series, String>,
}

/// Every series of a claim, each from its own trial.
pub(super) fn tabulate(claim: &Claim, context: &Context<'_>) -> Vec<SeriesResult> {
    let one = |declared: &crate::claim::DeclaredSeries| {
        let mut trial = context.trial(&["series", declared.id]);
        let computed = guarded(|| -> Result<Series, MeasureError> {
            let series = (declared.compute)(&mut trial)?;
            series.check()?;
            Ok(series)
        });
        let outcome = match computed {
            Ok(series) => series.map_err(|e| e.to_string()),
            Err(Outcome::Panicked { message }) => Err(message),
            Err(_) => Err("no table".into()),
        };
        SeriesResult { id: declared.id.into(), caption: declared.caption.into(), outcome }
    };
    claim.declared_series().par_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use crate::budget::Budget;
    use crate::claim::{Claim, Fixtures, Kind, Series, Setting, at_most, edge, holds};
    use crate::run::{ClaimResult, Plan, Silent, WitnessStore, run};
    use crate::toy::Point;

    fn claim() -> Claim {
        let setting = Setting::of().family(edge("one", || vec![("one", Point { x: 1.0 })])).without_search().part(
            "printed",
            "0 ≤ 1",
            holds(),
            |_: &Point, ()| at_most(0, 1),
        );
        Claim::new("textbook.series", "series of all kinds", Kind::Observation)
            .setting(setting)
            .series("draws", "a table that draws and scales", |trial| {
                let mut draws = Series::of([("draw", "")]);
                for _ in 0..trial.samples(8) {
                    let draw: f64 = trial.rng().random();
                    draws.push([draw.into()]);
                }
                Ok(draws)
            })
            .series("others", "the same from a stream of its own", |trial| {
                let mut draws = Series::of([("draw", "")]);
                let draw: f64 = trial.rng().random();
                draws.push([draw.into()]);
                Ok(draws)
            })
            .series("fixtures", "where the data sets are", |trial| {
                let mut place = Series::of([("root", "")]);
                place.push([trial.fixtures().root().display().to_string().into()]);
                Ok(place)
            })
    }

    fn result(claim: &Claim, budget: Budget, threads: usize) -> ClaimResult {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let plan = Plan { seed: 9, budget };
        let store = WitnessStore::default();
        let mut run = pool.install(|| run(&[claim], plan, &Fixtures::at("somewhere"), &store, &Silent));
        run.claims.remove(0)
    }

    #[test]
    fn tables_scale_with_the_budget_and_do_not_depend_on_threads() {
        let claim = claim();
        let one = result(&claim, Budget::Standard, 1);
        assert_eq!(one.series, result(&claim, Budget::Standard, 4).series);
        let rows = |result: &ClaimResult, at: usize| result.series[at].outcome.clone().unwrap().rows().to_vec();
        assert_eq!(rows(&one, 0).len(), 8);
        assert_ne!(rows(&one, 0)[0], rows(&one, 1)[0]);
        assert_eq!(rows(&one, 2)[0][0].to_string(), "somewhere");
        let quick = result(&claim, Budget::Quick, 2);
        assert_eq!(rows(&quick, 0), rows(&one, 0)[..2]);
        assert!(one.as_expected());
    }

    #[test]
    fn what_cannot_be_tabulated_is_named_and_unexpected() {
        let claim = claim()
            .series("error", "an error", |_| Err("no such data".into()))
            .series("panic", "a panic", |_| panic!("out of paper"))
            .series("ragged", "a short row", |_| {
                let mut table = Series::of([("a", ""), ("b", "")]);
                table.push([1.0.into()]);
                Ok(table)
            })
            .series("empty", "no rows", |_| Ok(Series::of([("a", "")])));
        let result = result(&claim, Budget::Quick, 2);
        let missing: Vec<(&str, &str)> = result.missing_series().collect();
        assert_eq!(missing[..2], [("error", "no such data"), ("panic", "out of paper")]);
        assert_eq!(missing[2], ("ragged", "row 0 has 1 entries for 2 columns"));
        assert_eq!(missing[3].0, "empty");
        assert!(!result.as_expected());
    }
}
