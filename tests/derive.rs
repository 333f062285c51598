//! `#[derive(Instance)]` on types of the kinds that claims quantify over: numbers, a vector with its dimension, matrices, weights with
//! points, sizes with lists, enums. Where the catalogue has such a type by hand, the description is compared with it, byte for byte.

mod derive {
    pub mod types;

    mod charts;
    mod descriptions;
    mod edges;
    mod engine;
    mod shrinking;
    mod sizes;
    mod stored;
    mod validation;
}
