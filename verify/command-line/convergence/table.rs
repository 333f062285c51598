//! Every number of a study as comma-separated values.

use std::fmt::Write;

use estimators::convergence::{StudyPanel, Work};

/// One line for every size of every curve, and one for every exact loss. The unsupervised loss is told by its number of negatives.
pub fn csv(panels: &[StudyPanel]) -> String {
    let mut text = String::from(
        "model,loss,estimator,observations,set_up_work,work,products,draws,functions,first_error,\
         rms,rms_low,rms_high,standard_error,empirical_bernstein_half_width,betting_half_width\n",
    );
    for panel in panels {
        let model = quoted(&panel.subject);
        let (Work { products, draws, functions }, loss) = (panel.exact_work, quoted(&panel.loss.to_string()));
        let (total, half) = (panel.exact_work.total(), 0.5 * panel.truth.width());
        // A string takes whatever is written to it.
        let _ = writeln!(text, "{model},{loss},exact,,0,{total},{products},{draws},{functions},,{half:.1e},,,,,");
        for curve in &panel.curves {
            for level in &curve.levels {
                let Work { products, draws, functions } = level.work;
                let halves = level.half_widths.map_or_else(|| ",".into(), |[a, b]| format!("{a:.5e},{b:.5e}"));
                let _ = writeln!(
                    text,
                    "{model},{loss},{},{},{},{},{products},{draws},{functions},{:.5e},{:.5e},{:.5e},{:.5e},{:.5e},{halves}",
                    curve.method.name,
                    level.observations,
                    curve.set_up.total(),
                    level.work.total(),
                    level.error,
                    level.rms,
                    level.rms_interval.0,
                    level.rms_interval.1,
                    level.standard_error,
                );
            }
        }
    }
    text
}

/// A field that may hold commas or quotes.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.into() }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_with_commas_are_quoted() {
        assert_eq!(quoted("six atoms"), "six atoms");
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
    }
}
