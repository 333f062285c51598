//! Small pictures as SVG: points over a logarithmic axis, and bars. Coordinates are tenths of a unit, from logarithms by correctly
//! rounded functions, so that the file is the same everywhere.

use enclosures::interval::Interval;

use crate::foreign::tame;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 36.0;

/// Text as it stands in HTML.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in tame(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

/// A point of a curve: where, how high, and whether it stands out.
pub struct Dot {
    /// The place on the logarithmic axis, positive.
    pub at: f64,
    /// The height.
    pub height: f64,
    /// Whether it is drawn full.
    pub full: bool,
}

fn logarithm(x: f64) -> f64 {
    Interval::point(x).ln().midpoint()
}

fn opened(label: &str) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n", escaped(label))
}

/// Marks on the vertical axis: at zero, half way and at the top.
fn heights(most: f64) -> String {
    let mut svg = String::new();
    for part in [0.0, 0.5, 1.0] {
        let y = HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
        svg.push_str(&format!(
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" class=\"grid\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0,
            enclosures::enclosure::plain(part * most, 3)
        ));
    }
    svg
}

/// A curve over a logarithmic axis with a level across it; what is higher than four levels is drawn at the top.
pub fn curve(label: &str, dots: &[Dot], level: f64, level_name: &str) -> String {
    let highest = dots.iter().map(|dot| dot.height).fold(level, f64::max);
    let most = if level > 0.0 { highest.min(4.0 * level) } else { highest.max(1.0) };
    let (first, last) = match (dots.first(), dots.last()) {
        (Some(first), Some(last)) => (logarithm(first.at), logarithm(last.at)),
        _ => (0.0, 1.0),
    };
    let x = |at: f64| {
        let share = if last > first { (logarithm(at) - first) / (last - first) } else { 0.5 };
        LEFT + 10.0 + share * (WIDTH - LEFT - RIGHT - 20.0)
    };
    let y = |height: f64| HEIGHT - BOTTOM - (height / most).clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM);
    let mut svg = opened(label) + &heights(most);
    svg.push_str(&format!(
        "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" class=\"level\"/>\
         <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>\n",
        WIDTH - RIGHT,
        y(level),
        WIDTH - RIGHT,
        y(level) - 5.0,
        escaped(level_name)
    ));
    let path: Vec<String> = dots.iter().map(|dot| format!("{:.1},{:.1}", x(dot.at), y(dot.height))).collect();
    svg.push_str(&format!("<polyline points=\"{}\" class=\"curve\"/>\n", path.join(" ")));
    let mut written = f64::NEG_INFINITY;
    for dot in dots {
        let class = if dot.full { "full" } else { "empty" };
        svg.push_str(&format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" class=\"{class}\"/>\n",
            x(dot.at),
            y(dot.height)
        ));
        if x(dot.at) - written > 44.0 {
            written = x(dot.at);
            svg.push_str(&format!(
                "<text x=\"{written:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
                HEIGHT - BOTTOM + 18.0,
                dot.at
            ));
        }
    }
    svg + "</svg>\n"
}

/// Bars with a name each, as many as there is room for.
pub fn bars(label: &str, named: &[(String, f64)]) -> String {
    let most = named.iter().map(|(_, height)| *height).fold(0.0, f64::max);
    let most = if most > 0.0 { most } else { 1.0 };
    let mut svg = opened(label) + &heights(most);
    let step = (WIDTH - LEFT - RIGHT) / named.len().max(1) as f64;
    for (i, (name, height)) in named.iter().enumerate() {
        let tall = (height / most).clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM);
        let x = LEFT + step * i as f64;
        svg.push_str(&format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" class=\"bar\"><title>{}: \
             {}</title></rect>\n",
            x + 0.1 * step,
            HEIGHT - BOTTOM - tall,
            0.8 * step,
            escaped(name),
            enclosures::enclosure::plain(*height, 4)
        ));
        if step >= 24.0 {
            let short: String = name.chars().take((step / 8.0) as usize).collect();
            svg.push_str(&format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
                x + 0.5 * step,
                HEIGHT - BOTTOM + 18.0,
                escaped(&short)
            ));
        }
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stay_inside_their_frame() {
        let dot = |at: f64, height: f64| Dot { at, height, full: height < 1.0 };
        let svg = curve("a < b", &[dot(1.0, 5.0), dot(15.0, 0.5), dot(4096.0, 1e300)], 1.0, "level");
        assert!(svg.contains("a &lt; b") && svg.contains("class=\"full\"") && svg.ends_with("</svg>\n"));
        for part in svg.split("cy=\"").skip(1) {
            let y: f64 = part.split('"').next().and_then(|y| y.parse().ok()).expect("a number");
            assert!((TOP - 0.1..=HEIGHT - BOTTOM + 0.1).contains(&y), "{y}");
        }
        let many: Vec<(String, f64)> = (0..300).map(|i| (format!("<{i}>"), f64::from(i))).collect();
        let svg = bars("many", &many);
        assert!(svg.contains("&lt;299&gt;: 299") && !svg.contains("<299>"));
        assert!(bars("none", &[]).ends_with("</svg>\n"));
        assert!(curve("none", &[], 0.0, "").ends_with("</svg>\n"));
    }
}
