//! One byte of a file changed: what is accepted all the same is compared with what the file held before. A silent change of more than one value is
//! possible only where the format itself has nothing to tell it by.
#![cfg(feature = "formats")]

use std::path::Path;

use contrapositive_embeddings::formats::parse_table;
use contrastive::data::NumberTable;

/// What a byte is changed into: a bit low and high, nothing, all, and what texts are made of.
fn others(byte: u8) -> Vec<u8> {
    let mut list = vec![byte ^ 1, byte ^ 0x80, 0, 0xff, b'9', b','];
    list.retain(|&other| other != byte);
    list.dedup();
    list
}

/// What became of all changes of one byte.
#[derive(Debug, Default)]
struct Count {
    refused: usize,
    same: usize,
    one_value: usize,
    /// The place of every change of more than one value, or of the shape.
    more: Vec<usize>,
}

fn changes(name: &str, asked: Option<&str>, every: usize) -> Count {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/readers/embeddings").join(name);
    let whole = std::fs::read(path).expect("a fixture");
    let before = parse_table("a", &whole, asked).expect("accepted");
    let mut count = Count::default();
    for at in (0..whole.len()).step_by(every) {
        for other in others(whole[at]) {
            let mut bytes = whole.clone();
            bytes[at] = other;
            match parse_table("a", &bytes, asked) {
                Err(_) => count.refused += 1,
                Ok(after) => match differing(&before, &after) {
                    Some(0) => count.same += 1,
                    Some(1) => count.one_value += 1,
                    _ => count.more.push(at),
                },
            }
        }
    }
    count
}

/// How many values differ; none for tables of different shapes.
fn differing(before: &NumberTable, after: &NumberTable) -> Option<usize> {
    let shape = |table: &NumberTable| (table.rows(), table.columns());
    let pairs = before.values().iter().zip(after.values());
    (shape(before) == shape(after)).then(|| pairs.filter(|(a, b)| a.to_bits() != b.to_bits()).count())
}

#[test]
fn what_has_a_checksum_is_as_it_was_or_refused() {
    for (name, asked) in [
        ("points.npz", Some("points")),
        ("points-compressed.npz", Some("points")),
        ("points.csv.gz", None),
        ("points.npy.gz", None),
    ] {
        let count = changes(name, asked, 1);
        assert!(count.more.is_empty() && count.one_value == 0, "{name}: {count:?}");
        assert!(count.refused > 100, "{name}: {count:?}");
    }
}

#[test]
fn a_byte_of_the_numbers_changes_one_number() {
    for (name, asked, header) in [
        ("points-f2.npy", None, 128),
        ("points.safetensors", Some("points"), 342 - 24 - 12 - 12 - 6),
        ("points.csv", None, 4),
        ("points.tsv", None, 0),
        ("points.txt", None, 6),
        ("vectors.csv", Some("vector"), 15),
    ] {
        let count = changes(name, asked, 1);
        let beyond: Vec<&usize> = count.more.iter().filter(|&&at| at >= header).collect();
        assert!(beyond.is_empty(), "{name}: {beyond:?} of {count:?}");
        assert!(count.one_value > 0 && count.refused > 20, "{name}: {count:?}");
    }
}

#[test]
fn parquet_keeps_its_shape_or_is_refused() {
    for (name, asked) in [("points.parquet", None), ("indexed-lz4.parquet", Some("x")), ("data.parquet", Some("list"))]
    {
        let count = changes(name, asked, 5);
        assert!(count.refused > 100, "{name}: {count:?}");
        println!(
            "{name}: {} refused, {} same, {} one value, {} more",
            count.refused,
            count.same,
            count.one_value,
            count.more.len()
        );
    }
}
