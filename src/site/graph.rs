//! A graph of pages as SVG that stands in a page: boxes that lead to the pages, and arrows between them.

use maud::{Markup, html};
use pages::page::{Graph, Node};

use crate::layers::{Layers, Spot, layers};

/// Units of the drawing for a letter of a name, around a name, between two layers, and for the height of a thing with its distance to the
/// next.
const LETTER: f64 = 7.3;
const AROUND: f64 = 9.0;
const BETWEEN: f64 = 56.0;
const ROW: f64 = 30.0;
const BOX: f64 = 22.0;
const MARGIN: f64 = 8.0;

/// The graph, and its arrows in words for those who do not see it. `address` says where a page is.
pub(crate) fn markup(graph: &Graph, address: &dyn Fn(&Node) -> Option<String>) -> Markup {
    let number = |name: &str| graph.nodes.iter().position(|node| node.name == name);
    let arrows: Vec<(usize, usize)> =
        graph.edges.iter().filter_map(|(from, to)| Some((number(from)?, number(to)?))).collect();
    let drawn = layers(graph.nodes.len(), &arrows);
    let places = Places::of(graph, &drawn);
    let (width, height) = (places.width, drawn.height * ROW + 2.0 * MARGIN);
    html! {
        div.wide tabindex="0" {
            svg.graph width=(whole(width)) height=(whole(height)) viewBox=(format!("0 0 {} \
                                                                                    {}", whole(width), whole(height)))
                role="group" aria-label="Dependences; a list below has the same arrows in words" {
                defs {
                    marker #tip viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" {
                        path d="M0,0 L8,4 L0,8 z" {}
                    }
                }
                @for (way, (from, _)) in drawn.ways.iter().zip(&arrows) {
                    path class=(format!("arrow \
                                         {}", class(&graph.nodes[*from]))) d=(places.path(way)) marker-end="url(#tip)" {}
                }
                @for (node, spot) in graph.nodes.iter().zip(&drawn.spots) {
                    @match address(node) {
                        Some(address) => a href=(address) { (thing(node, spot, &places)) },
                        None => (thing(node, spot, &places)),
                    }
                }
            }
        }
        ul.legend {
            li { span class="key fails" {} "fails as printed" }
            li { span class="key misprint" {} "misprint" }
            li { span class="key mixed" {} "mixed" }
            li { span class="key" {} "holds or is consistent" }
        }
        details {
            summary { "The arrows in words" }
            ul { @for (from, to) in &arrows {
                li { (graph.nodes[*to].name) " uses " (graph.nodes[*from].name) }
            } }
        }
    }
}

fn thing(node: &Node, spot: &Spot, places: &Places) -> Markup {
    let (left, width) = places.columns[spot.layer];
    let top = MARGIN + spot.height * ROW - BOX / 2.0;
    html! {
        g class=(format!("thing {}", class(node))) {
            title { (node.name) ": " (node.result) }
            rect x=(whole(left)) y=(whole(top)) width=(whole(width)) height=(whole(BOX)) rx="4" {}
            text x=(whole(left + width / 2.0)) y=(whole(top + BOX / 2.0)) dy="0.35em" text-anchor="middle" { (node.name) }
        }
    }
}

/// How what came of a thing is called in the style.
fn class(node: &Node) -> &'static str {
    match node.result.as_str() {
        "FAIL" => "fails",
        "MISPRINT" => "misprint",
        "MIXED" => "mixed",
        _ => "",
    }
}

/// Left end and width of every layer, and the width of the whole.
struct Places {
    columns: Vec<(f64, f64)>,
    width: f64,
}

impl Places {
    fn of(graph: &Graph, drawn: &Layers) -> Self {
        let (mut columns, mut left) = (Vec::new(), MARGIN);
        for layer in 0..drawn.count {
            let here = graph.nodes.iter().zip(&drawn.spots).filter(|(_, spot)| spot.layer == layer);
            let letters = here.map(|(node, _)| node.name.chars().count()).max().unwrap_or(0);
            let width = letters as f64 * LETTER + 2.0 * AROUND;
            columns.push((left, width));
            left += width + BETWEEN;
        }
        Places { columns, width: left - BETWEEN + MARGIN }
    }

    /// The way of an arrow: level where it passes a layer, and bent between two.
    fn path(&self, way: &[Spot]) -> String {
        let mut path = String::new();
        for pair in way.windows(2) {
            let (left, width) = self.columns[pair[0].layer];
            let (from, to) = (left + width, self.columns[pair[1].layer].0);
            let [here, there] = [pair[0], pair[1]].map(|spot| whole(MARGIN + spot.height * ROW));
            if path.is_empty() {
                path = format!("M{},{here}", whole(from));
            } else {
                path.push_str(&format!(" H{}", whole(from)));
            }
            let middle = whole(0.5 * (from + to));
            path.push_str(&format!(" C{middle},{here} {middle},{there} {},{there}", whole(to)));
        }
        path
    }
}

fn whole(x: f64) -> i64 {
    x.round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use pages::page::Target;

    #[test]
    fn boxes_lead_to_pages_and_names_are_escaped() {
        let node = |name: &str, result: &str| Node {
            name: name.to_owned(),
            result: result.to_owned(),
            page: Target::file(format!("{name}.md")),
        };
        let graph = Graph {
            nodes: vec![node("<a>", "FAIL"), node("b", "PASS"), node("c", "PASS")],
            edges: [("<a>", "b"), ("b", "c"), ("<a>", "c"), ("c", "nowhere")]
                .map(|(x, y)| (x.to_owned(), y.to_owned()))
                .to_vec(),
        };
        let text = markup(&graph, &|node| (node.name == "b").then(|| "b.html".to_owned())).into_string();
        assert_eq!(text.matches("class=\"arrow fails\"").count(), 2, "{text}");
        assert_eq!(text.matches("<rect").count(), 3);
        assert!(text.contains("<a href=\"b.html\">") && text.contains("&lt;a&gt;") && !text.contains("<a>"), "{text}");
        assert!(text.contains("b uses &lt;a&gt;"), "{text}");
    }
}
