//! The formulas in the texts of a drawing, set with raised and lowered characters.

use std::fmt::Write;

use super::part::{Part, Piece};
use super::reader::pieces;

/// A script has this share of the size of its base, and stands so far below or above it, in sizes of the base.
const SMALLER: f64 = 0.72;
const BELOW: f64 = 0.28;
const ABOVE: f64 = -0.38;

/// Characters of one size and height.
struct Run {
    text: String,
    /// The size, and how far below the line, both in sizes of the text.
    size: f64,
    below: f64,
}

/// An SVG drawing with the scripts of all formulas in its texts set; texts without scripts stay as they are. A text begins on the line after
/// its element, as plotters writes it.
#[must_use]
pub fn set_in_drawing(drawing: &str) -> String {
    let mut out = String::with_capacity(drawing.len());
    let mut is_text = false;
    for line in drawing.split_inclusive('\n') {
        match is_text.then(|| set(line.trim_end_matches('\n'))).flatten() {
            Some(text) => {
                out.push_str(&text);
                out.push('\n');
            }
            None => out.push_str(line),
        }
        is_text = line.starts_with("<text ");
    }
    out
}

/// The text of an element with its scripts set; none where it has no scripts.
fn set(escaped: &str) -> Option<String> {
    let text = escaped.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    let mut runs = vec![Run { text: String::new(), size: 1.0, below: 0.0 }];
    for piece in pieces(&text) {
        match piece {
            Piece::Words(words) => put(&mut runs, &words, 1.0, 0.0),
            Piece::Formula(parts) => parts.iter().for_each(|part| one(&mut runs, part, 1.0, 0.0)),
        }
    }
    (runs.len() > 1).then(|| written(&runs))
}

/// Adds characters to the last run, or begins one.
fn put(runs: &mut Vec<Run>, text: &str, size: f64, below: f64) {
    match runs.last_mut() {
        Some(run) if run.size == size && run.below == below => run.text.push_str(text),
        _ => runs.push(Run { text: text.to_owned(), size, below }),
    }
}

fn one(runs: &mut Vec<Run>, part: &Part, size: f64, below: f64) {
    let row = |runs: &mut Vec<Run>, parts: &[Part]| parts.iter().for_each(|part| one(runs, part, size, below));
    match part {
        Part::Symbol(text) | Part::Number(text) => put(runs, text, size, below),
        Part::Sign(c) => put(runs, c.encode_utf8(&mut [0; 4]), size, below),
        Part::Space => put(runs, " ", size, below),
        Part::Scripted { base, sub, sup } => {
            one(runs, base, size, below);
            sub.iter().for_each(|part| one(runs, part, size * SMALLER, below + size * BELOW));
            sup.iter().for_each(|part| one(runs, part, size * SMALLER, below + size * ABOVE));
        }
        Part::Root(inside) => {
            let brackets = if inside.len() > 1 { ["√(", ")"] } else { ["√", ""] };
            put(runs, brackets[0], size, below);
            row(runs, inside);
            put(runs, brackets[1], size, below);
        }
        Part::Fraction(above, under) => {
            for (at, parts) in [above, under].into_iter().enumerate() {
                let brackets = if parts.len() > 1 { ["(", ")"] } else { [""; 2] };
                put(runs, if at == 0 { "" } else { "/" }, size, below);
                put(runs, brackets[0], size, below);
                row(runs, parts);
                put(runs, brackets[1], size, below);
            }
        }
        Part::Fenced(open, inside, close) => {
            put(runs, open.encode_utf8(&mut [0; 4]), size, below);
            row(runs, inside);
            put(runs, close.encode_utf8(&mut [0; 4]), size, below);
        }
    }
}

/// An element's height moves what follows it, too: each run moves from the height of the one before, in units of its own size.
fn written(runs: &[Run]) -> String {
    let (mut out, mut height) = (String::new(), 0.0);
    for run in runs.iter().filter(|run| !run.text.is_empty()) {
        let text = run.text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let moved = (run.below - height) / run.size;
        height = run.below;
        if run.size == 1.0 && moved == 0.0 {
            out.push_str(&text);
        } else {
            let _ = write!(out, "<tspan dy=\"{moved:.2}em\" font-size=\"{:.0}%\">{text}</tspan>", 100.0 * run.size);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_set_and_what_follows_stands_on_the_line_again() {
        let drawn = set_in_drawing("<text x=\"1\">\nlog N_C of L_un^N &lt; 1\n</text>\n");
        assert_eq!(
            drawn,
            "<text x=\"1\">\nlog N<tspan dy=\"0.39em\" font-size=\"72%\">C</tspan><tspan dy=\"-0.28em\" \
             font-size=\"100%\"> of L</tspan><tspan dy=\"0.39em\" font-size=\"72%\">un</tspan><tspan dy=\"-0.92em\" \
             font-size=\"72%\">N</tspan><tspan dy=\"0.38em\" font-size=\"100%\"> &lt; 1</tspan>\n</text>\n"
        );
    }

    #[test]
    fn texts_without_scripts_and_everything_else_stay_byte_for_byte() {
        for same in ["<text x=\"1\">\nerror (rms, nats) &amp; more\n</text>\n", "<rect id=\"a_b\"/>\n", "x_1^2"] {
            assert_eq!(set_in_drawing(same), same);
        }
    }

    #[test]
    fn nothing_but_the_signs_of_scripts_is_lost() {
        for (text, kept) in [
            ("½ log(1/(e^{L̂/n} − 1))", "½ log(1/(eL̂/n − 1))"),
            ("‖W^{(T)} − W^{(0)}‖_F (logarithmic)", "‖W(T) − W(0)‖F (logarithmic)"),
            ("L_un^N/(1 − (1 − p_min)^N)", "LunN/(1 − (1 − pmin)N)"),
        ] {
            let set = set(text).expect("it has scripts");
            let plain: Vec<&str> =
                set.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
            assert_eq!(plain.concat(), kept);
        }
    }
}
