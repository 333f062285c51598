//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.

mod data_families;

claims! {
    prop_3a,
    eq_7,
    eq_7pq,
    eq_7nc,
}
