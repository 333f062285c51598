use std::fs;

use npyz::{AutoSerialize, DType, Order, WriterBuilder};
use proptest::prelude::*;

use super::header::LONGEST_HEADER;
use super::*;

/// The bytes of an array whose elements are stored in the order given.
pub(super) fn npy<T: AutoSerialize + Clone>(order: Order, shape: &[u64], values: &[T]) -> Vec<u8> {
    typed(T::default_dtype(), order, shape, values)
}

fn typed<T: npyz::Serialize + Clone>(dtype: DType, order: Order, shape: &[u64], values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let writer = npyz::WriteOptions::new().dtype(dtype).shape(shape).order(order).writer(&mut bytes);
    let mut writer = writer.begin_nd().unwrap();
    writer.extend(values.iter().cloned()).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A version 1 file with a header written by hand.
pub(super) fn by_hand(header: &str, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\x00", length.as_slice(), header.as_bytes(), data].concat()
}

pub(super) fn plain(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    by_hand(&format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"), data)
}

#[test]
fn every_accepted_type_becomes_the_same_numbers() {
    let expected = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let files = [
        npy(Order::C, &[2, 3], &[1_u8, 2, 3, 4, 5, 6]),
        npy(Order::C, &[2, 3], &[1_i32, 2, 3, 4, 5, 6]),
        npy(Order::C, &[2, 3], &[1_i64, 2, 3, 4, 5, 6]),
        npy(Order::C, &[2, 3], &[1_f32, 2., 3., 4., 5., 6.]),
        npy(Order::C, &[2, 3], &expected),
        typed(DType::new_scalar(">f8".parse().unwrap()), Order::C, &[2, 3], &expected),
        npy(Order::Fortran, &[2, 3], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),
    ];
    for file in files {
        let table = parse_table("a", &file).unwrap();
        assert_eq!((table.rows(), table.columns(), table.values()), (2, 3, expected.as_slice()));
    }
}

#[test]
fn every_size_of_number_is_read() {
    let expected = [1.0, 0.0];
    for (descr, data) in [
        ("|b1", &[1, 0][..]),
        ("|i1", &[1, 0]),
        ("<i2", &[1, 0, 0, 0]),
        (">u2", &[0, 1, 0, 0]),
        ("<u4", &[1, 0, 0, 0, 0, 0, 0, 0]),
        ("<u8", &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("<f2", &[0x00, 0x3c, 0x00, 0x80]),
        (">f2", &[0x3c, 0x00, 0x00, 0x00]),
    ] {
        let table = parse_table("a", &plain(descr, "(2, 1)", data)).unwrap();
        assert_eq!(table.values(), expected, "{descr}");
    }
    let most = plain("<u8", "(1, 1)", &[255; 8]);
    assert!(matches!(parse_table("a", &most), Err(DataError::UnsupportedType { .. })));
    // 65504 and the smallest number above zero.
    let ends = plain("<f2", "(1, 2)", &[0xff, 0x7b, 0x01, 0x00]);
    assert_eq!(parse_table("a", &ends).unwrap().values(), [65504.0, 1.0 / 16_777_216.0]);
    let infinite = plain("<f2", "(1, 1)", &[0x00, 0x7c]);
    assert!(matches!(parse_table("a", &infinite), Err(DataError::NotFinite { .. })));
}

#[test]
fn classes_may_be_named_by_anything() {
    let column = npy(Order::C, &[3, 1], &[7_i16, -2, 7]);
    let classes = parse_classes("a", &column).unwrap();
    assert_eq!((classes.codes(), classes.names()), (&[1, 0, 1][..], &["-2".to_owned(), "7".to_owned()][..]));
    assert_eq!(parse_labels("a", &npy(Order::C, &[2, 1], &[1_u8, 0])).unwrap(), [1, 0]);
    let wide: Vec<u8> = "cat\0dog\0".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let words = parse_classes("a", &plain("<U4", "(2,)", &wide)).unwrap();
    assert_eq!(words.names(), ["cat", "dog"]);
    let narrow = parse_classes("a", &plain("|S3", "(2,)", b"b\0\0aaa")).unwrap();
    assert_eq!((narrow.codes(), narrow.names().len()), (&[1, 0][..], 2));
    assert!(matches!(parse_classes("a", &plain("<U1", "(1,)", &[0, 0, 0x11, 0])), Err(DataError::Malformed { .. })));
    assert!(matches!(parse_classes("a", &plain("<U3", "(2,)", &wide)), Err(DataError::TrailingBytes { .. })));
    assert!(matches!(parse_classes("a", &npy(Order::C, &[1, 2], &[1_u8, 2])), Err(DataError::WrongRank { .. })));
    assert!(matches!(
        parse_classes("a", &npy(Order::C, &[2], &[1.0, 0.5])),
        Err(DataError::NotALabel { index: 1, .. })
    ));
    assert!(matches!(parse_labels("a", &plain("|S3", "(2,)", b"b\0\0aaa")), Err(DataError::UnsupportedType { .. })));
}

#[test]
fn labels_may_be_integers_of_any_type() {
    assert_eq!(parse_labels("a", &npy(Order::C, &[2], &[0_u8, 255])).unwrap(), [0, 255]);
    assert_eq!(parse_labels("a", &npy(Order::C, &[2], &[3_i64, 4_294_967_295])).unwrap(), [3, u32::MAX]);
    assert_eq!(parse_labels("a", &npy(Order::Fortran, &[2], &[3_f64, -0.0])).unwrap(), [3, 0]);
    let bad = [
        npy(Order::C, &[2], &[0_i32, -1]),
        npy(Order::C, &[2], &[0_i64, 4_294_967_296]),
        npy(Order::C, &[2], &[0_f64, 0.5]),
        npy(Order::C, &[2], &[0_f32, f32::NAN]),
    ];
    for file in bad {
        assert!(matches!(parse_labels("a", &file), Err(DataError::NotALabel { index: 1, .. })));
    }
}

#[test]
fn values_that_are_not_numbers_or_would_be_rounded_are_refused() {
    let nan = npy(Order::Fortran, &[2, 2], &[0.0, 0.0, f64::NAN, 0.0]);
    assert!(matches!(parse_table("a", &nan), Err(DataError::NotFinite { row: 0, column: 1, .. })));
    let infinite = npy(Order::C, &[2], &[0.0, f64::INFINITY]);
    assert!(matches!(parse_vector("a", &infinite), Err(DataError::NotFinite { row: 1, .. })));
    let large = npy(Order::C, &[2], &[1_i64 << 53, i64::MIN]);
    assert!(matches!(parse_vector("a", &large), Err(DataError::Inexact { index: 1, value: i64::MIN, .. })));
}

#[test]
fn files_of_the_wrong_length_are_refused() {
    let whole = npy(Order::C, &[2, 3], &[1.0; 6]);
    let end = whole.len();
    assert!(matches!(parse_table("a", &[]), Err(DataError::WrongMagic { .. })));
    for length in 6..end {
        let error = parse_table("a", &whole[..length]).unwrap_err();
        assert!(matches!(error, DataError::Truncated { found, .. } if found == length), "{length}: {error}");
    }
    let longer = [whole.as_slice(), b"x"].concat();
    let error = parse_table("a", &longer).unwrap_err();
    assert!(matches!(error, DataError::TrailingBytes { found, expected, .. } if (found, expected) == (end + 1, end)));
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    assert!(matches!(
        parse_vector("a", &npy(Order::C, &[2, 1], &[1.0, 2.0])),
        Err(DataError::WrongRank { found: 2, expected: 1, .. })
    ));
    assert!(matches!(parse_table("a", &npy(Order::C, &[2], &[1.0, 2.0])), Err(DataError::WrongRank { found: 1, .. })));
    assert!(matches!(parse_vector("a", &npy(Order::C, &[], &[1.0])), Err(DataError::WrongRank { found: 0, .. })));
    assert!(matches!(parse_table("a", &npy::<f64>(Order::C, &[0, 3], &[])), Err(DataError::Empty { .. })));
    assert!(matches!(parse_table("a", &npy::<f64>(Order::C, &[3, 0], &[])), Err(DataError::Empty { .. })));
    for shape in ["(4294967296, 4294967296)", "(9223372036854775808, 2)"] {
        let error = parse_table("a", &plain("<f8", shape, &[0; 64])).unwrap_err();
        assert!(matches!(error, DataError::TooLarge { .. }), "{shape}: {error}");
    }
}

#[test]
fn more_numbers_than_there_is_room_for_are_refused_by_what_the_header_says() {
    for (descr, shape) in [("|b1", "(1, 536870913)"), ("<f8", "(2305843009213693952, 1)"), ("<f2", "(2, 268435457)")] {
        let bytes = plain(descr, shape, &[0; 64]);
        for error in [parse_table("a", &bytes).unwrap_err(), read_table("a", &bytes[..]).unwrap_err()] {
            assert!(matches!(error, DataError::TooMany { limit: MOST_NUMBERS, .. }), "{shape}: {error}");
        }
    }
    let labels = plain("|u1", "(67108865,)", &[0; 64]);
    let error = parse_classes("a", &labels).unwrap_err();
    assert!(matches!(error, DataError::TooMany { limit: MOST_LABELS, found: 67_108_865, .. }), "{error}");
    // At the limit it is the missing bytes that are named.
    let error = parse_table("a", &plain("|u1", "(1, 536870912)", &[0; 64])).unwrap_err();
    assert!(matches!(error, DataError::Truncated { .. }), "{error}");
}

#[test]
fn element_types_that_are_not_accepted_are_named() {
    for (descr, found) in [("|O", "|O"), ("<U2", "<U2"), ("<c16", "<c16"), ("<f16", "<f16")] {
        let error = parse_vector("a", &plain(descr, "(1,)", &[0; 16])).unwrap_err();
        assert!(matches!(&error, DataError::UnsupportedType { found: f, .. } if f == found), "{error}");
    }
    let field = "('shape: y', [('z', '<f8', (2,))])";
    for fields in ["[]".to_owned(), "[('x', '<f8')]".to_owned(), format!("[{}]", [field; 30].join(", "))] {
        let header = format!("{{'descr': {fields}, 'fortran_order': False, 'shape': (1,)}}");
        let error = parse_vector("a", &by_hand(&header, &[0; 8])).unwrap_err();
        assert!(matches!(&error, DataError::UnsupportedType { found, .. } if found == "record"), "{error}");
    }
}

#[test]
fn headers_that_make_no_sense_are_refused() {
    let nested = format!("{{'shape': (1,), 'descr': {}", "(".repeat(9000));
    let headers = [
        "",
        "shape",
        "{'shape': 3}",
        "{'shape': (-1,)}",
        "{'shape': (0x10,)}",
        "{'shape': (1,), 'shape': (99999999999, 99999999999)}",
        "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': True, 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'color': 'red'}",
        "{'shape': (1,), '\\x73hape': (99999999999, 99999999999)}",
        "{'shape': (1,)}",
        "{'descr': '<f9', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': 3, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': [1]}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,]}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} 1",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f8\n', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': [('x', '<f8'], 'fortran_order': False, 'shape': (1,)}",
        "{'descr': [('x', <f8)], 'fortran_order': False, 'shape': (1,)}",
        nested.as_str(),
    ];
    for header in headers {
        let error = parse_vector("a", &by_hand(header, &[0; 8])).unwrap_err();
        assert!(matches!(error, DataError::Malformed { .. }), "{header}: {error}");
    }
    let endless = by_hand(&" ".repeat(LONGEST_HEADER + 1), &[]);
    assert!(matches!(parse_vector("a", &endless), Err(DataError::Malformed { .. })));
}

#[test]
fn files_are_loaded_by_path() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("v.npy");
    fs::write(&path, npy(Order::C, &[1, 2], &[3_i32, 4])).unwrap();
    assert_eq!(load_table(&path).unwrap().values(), [3.0, 4.0]);
    fs::write(&path, npy(Order::C, &[2], &[3_i32, 4])).unwrap();
    assert!(matches!(load_table(&path), Err(DataError::WrongRank { .. })));
    assert!(matches!(load_table(directory.path()), Err(DataError::Unreadable { .. })));
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO, 1..30),
        columns in 1_usize..4,
        fortran: bool,
    ) {
        let columns = columns.min(values.len());
        let rows = values.len() / columns;
        let values = &values[..rows * columns];
        let stored: Vec<f64> = match fortran {
            true => (0..columns).flat_map(|c| (0..rows).map(move |r| values[r * columns + c])).collect(),
            false => values.to_vec(),
        };
        let order = if fortran { Order::Fortran } else { Order::C };
        let table = parse_table("a", &npy(order, &[rows as u64, columns as u64], &stored)).unwrap();
        prop_assert_eq!((table.rows(), table.columns()), (rows, columns));
        prop_assert!(table.values().iter().zip(values).all(|(read, written)| read.to_bits() == written.to_bits()));
    }

    #[test]
    fn damaged_files_never_panic(
        changes in prop::collection::vec((0_usize..200, any::<u8>()), 0..6),
        cut in 0_usize..200,
    ) {
        let mut bytes = npy(Order::C, &[2, 3], &[1.5; 6]);
        for (at, value) in changes {
            let at = at % bytes.len();
            bytes[at] = value;
        }
        bytes.truncate(bytes.len() - cut.min(bytes.len()) / 8);
        let _ = parse_table("a", &bytes);
        let _ = parse_labels("a", &bytes);
    }

    #[test]
    fn arbitrary_headers_never_panic(header in "[{(\\['\"descrshapfontu_:, 0-9TFle<>|+.*bjx)\\]}-]{0,80}") {
        let _ = parse_table("a", &by_hand(&header, &[0; 8]));
        let full = plain(&header, "(1,)", &[0; 8]);
        let _ = parse_vector("a", &full);
    }
}
