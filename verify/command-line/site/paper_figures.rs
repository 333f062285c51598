//! The figures of the four papers, and which columns of which claim's series draw them.

use site::figure::{Figure, More, Panel};

/// In the order of the papers.
pub fn figures() -> Vec<Figure> {
    let mut figures = merad();
    figures.extend(esser());
    figures.extend(ren());
    figures
}

/// What belongs to no claim.
pub const STUDIES: [More; 1] = [More {
    picture: "docs/convergence.svg",
    words: "Error against work for every estimator on the same models.",
    page: "docs/convergence.md",
}];

/// A picture of the training on MNIST, which no run repeats.
const fn on_mnist(picture: &'static str, words: &'static str) -> More {
    More { picture, words, page: "docs/figures/contrastive.md" }
}

fn merad() -> Vec<Figure> {
    let encoders = [
        ("convolutional", "convolutional encoder, MNIST"),
        ("linear", "linear encoder, digits"),
        ("relu", "ReLU encoder, digits"),
    ];
    let trained = encoders.into_iter().chain([("mixture", "ReLU encoder, mixture")]);
    let losses = [(1, "L_un"), (2, "L_sup^μ"), (3, "L_un/p_min")];
    let one_negative = trained.map(|(series, title)| Panel::of(series, title, 0, &losses));
    let more_negatives = encoders.into_iter().flat_map(|(series, title)| {
        [15, 25, 35].into_iter().enumerate().map(move |(at, negatives)| {
            let columns = [(3 * at + 1, "L_un^N"), (3 * at + 2, "L_sup^μ")];
            Panel::of(series, format!("{title}, N = {negatives}"), 0, &columns)
        })
    });
    let norms = [
        ("convolutional", "convolutional encoder, MNIST", vec![1, 15, 25, 35]),
        ("relu", "ReLU encoder, digits", vec![1, 15, 25, 35]),
        ("linear", "linear encoder, digits", vec![1, 35]),
    ];
    let norms = norms.into_iter().flat_map(|(series, title, numbers)| {
        numbers.into_iter().enumerate().map(move |(at, negatives)| {
            let columns = [(2 * at + 1, "smallest norm"), (2 * at + 2, "largest norm")];
            Panel::of(series, format!("{title}, N = {negatives}"), 0, &columns)
        })
    });
    let figure = |number, claim, panels: Vec<Panel>, pictures: &[(&'static str, &'static str)]| Figure {
        paper: "merad2020",
        number,
        claim,
        panels,
        more: pictures.iter().map(|&(picture, words)| on_mnist(picture, words)).collect(),
    };
    vec![
        figure(
            "Figure 1",
            "merad2020.obs-fig-1",
            one_negative.collect(),
            &[(
                "docs/figures/figure-1.svg",
                "A wider convolutional encoder on more images of MNIST: both losses along training with one negative.",
            )],
        ),
        figure(
            "Figure 2",
            "merad2020.obs-fig-2",
            more_negatives.collect(),
            &[
                (
                    "docs/figures/figure-2.svg",
                    "A wider convolutional encoder on more images of MNIST: both losses along training with several \
                     negatives.",
                ),
                (
                    "docs/figures/bounds.svg",
                    "What bounds L_sup^μ along these trainings, and which bound says something.",
                ),
            ],
        ),
        figure(
            "Figure 3",
            "merad2020.obs-fig-3",
            norms.collect(),
            &[(
                "docs/figures/figure-3.svg",
                "A wider convolutional encoder on more images of MNIST: smallest and largest norms along training.",
            )],
        ),
    ]
}

fn esser() -> Vec<Figure> {
    let scaled = |title, columns: &[(usize, &'static str)]| Panel::of("figure-1", title, 0, columns);
    let figure_1 = vec![
        scaled("starts of the unconstrained flow that have left, of 10", &[(2, "left")]),
        scaled("scaled loss over its minimum, z = 1", &[(3, "least"), (4, "median"), (5, "largest")]),
        scaled("scaled loss over its minimum, z = 2", &[(6, "least"), (7, "median")]),
        scaled("σ₂/σ₁ of W₁, median", &[(8, "z = 1"), (9, "z = 2")]),
    ];
    let figure_2 = [(2, "at the start"), (4, "after training")]
        .map(|(column, when)| Panel::of("figure-2", format!("‖u^φ − u^I‖ {when}"), 1, &[(column, "")]).curve_by(0));
    let figure_3 = [("loss", [(3, "projected descent (11)"), (4, "Euler (12)")])]
        .map(|(title, columns)| Panel::of("figure-3", title, 2, &columns).apart_by(&[0, 1]));
    let figure_4 = [(1, "projected descent (11)"), (2, "Euler (12)"), (3, "(11) on the outputs alone")];
    let on_digits = |picture, words| More { picture, words, page: "docs/figures/dynamics.md" };
    let courses = on_digits(
        "docs/figures/dynamics.svg",
        "Both schemes on two digits of MNIST: losses, and how far apart their outputs are.",
    );
    let accuracies = on_digits(
        "docs/figures/figure-4.svg",
        "On two digits of MNIST: the measured ratio of times, and what a linear support vector machine makes of the \
         embeddings by both.",
    );
    let figure =
        |number, claim, panels: Vec<Panel>, more: Vec<More>| Figure { paper: "esser2024", number, claim, panels, more };
    vec![
        figure("Figure 1", "esser2024.example-1", figure_1, Vec::new()),
        figure("Figure 2", "esser2024.fig-2", figure_2.into(), Vec::new()),
        figure("Figure 3", "esser2024.eq-11-12", figure_3.into(), vec![courses]),
        figure(
            "Figure 4",
            "esser2024.runtime",
            vec![Panel::of("figure-4", "operations of one step", 0, &figure_4)],
            vec![accuracies],
        ),
    ]
}

fn ren() -> Vec<Figure> {
    let of = |title, at| Panel::of("figure-1", title, 1, &[(at, "with negatives"), (at + 4, "without")]);
    vec![Figure {
        paper: "ren2023",
        number: "Figure 1",
        claim: "ren2023.thm-4.3b",
        panels: vec![
            of("loss L (nats)", 2),
            of("condition number of κ²", 3),
            of("alignment", 4),
            of("noise to signal", 5),
        ],
        more: vec![More {
            picture: "docs/figures/two-views.svg",
            words: "Ours, not the paper's: its linear model on the left and the right halves of images of MNIST.",
            page: "docs/figures/two-views.md",
        }],
    }]
}
