//! Files as people have them: an index among the columns, columns that are chosen, other compressions, eight bits, gzip; and errors that name
//! their cause.
#![cfg(feature = "formats")]

use std::path::Path;

use contrapositive_embeddings::formats::{ArraySource, Columns, load_table, parse_classes, parse_table};
use contrapositive_embeddings::{Embeddings, Settings, Unwatched, labelled_report};

const POINTS: [f64; 6] = [0.5, -1.0, 2.25, 0.0, -3.5, 1.0];

fn fixture(name: &str) -> ArraySource {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/readers/embeddings").join(name);
    ArraySource::parse(path.to_str().expect("a plain path"))
}

fn load(points: &str, labels: &str, columns: &Columns) -> Embeddings {
    let read = Embeddings::load(&fixture(points), &fixture(labels), columns);
    read.unwrap_or_else(|error| panic!("{points} {labels}: {error}"))
}

/// The beginning of a NumPy file.
fn npy(header: &str) -> Vec<u8> {
    [&b"\x93NUMPY\x01\0"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat()
}

fn chosen(names: &[&str]) -> Columns {
    Columns::Chosen(names.iter().map(|&name| name.to_owned()).collect())
}

#[test]
fn an_index_of_pandas_is_no_coordinate_and_every_compression_is_read() {
    for codec in ["lz4", "brotli", "gzip", "snappy"] {
        let file = format!("indexed-{codec}.parquet");
        let labels = format!("{file}:kind");
        let read = load(&file, &labels, &Columns::Found);
        assert_eq!(read.points().points(), POINTS, "{codec}");
        let remark = "The column __index_level_0__ (an index, as the file says) is left out; --columns chooses others.";
        assert_eq!(read.reading(), [remark], "{codec}");
        let settings = Settings { negatives: vec![1], ..Settings::default() };
        let report = labelled_report(&read, &settings, &Unwatched).unwrap();
        assert!(report.conclusion().ends_with(remark), "{}", report.conclusion());
        // Who wants it has it.
        let all = load(&file, &labels, &chosen(&["*"]));
        assert_eq!((all.points().dimension(), all.reading().len()), (3, 0), "{codec}");
        assert_eq!(load(&file, &labels, &chosen(&["y"])).points().points(), [-1.0, 0.0, 1.0]);
    }
    let (table, reading) = load_table(&fixture("vectors.csv:vector"), &Columns::Found).unwrap();
    assert_eq!((table.values(), reading.len()), (&POINTS[..], 0));
}

#[test]
fn vectors_as_text_eight_bits_blanks_and_gzip_hold_the_same_points() {
    let read = load("vectors.csv", "vectors.csv:kind", &Columns::Found);
    assert_eq!((read.points().points(), read.names()), (&POINTS[..], &["cat".to_owned(), "dog".to_owned()][..]));
    assert_eq!(
        read.reading(),
        ["The column id (an index or an id, by its name) is left out; --columns chooses others."]
    );
    for points in ["points.txt", "points.csv.gz", "points.npy.gz", "eighths.safetensors:points"] {
        assert_eq!(load(points, "words.npy", &Columns::Found).points().points(), POINTS, "{points}");
    }
    let (five, _) = load_table(&fixture("eighths.safetensors:five"), &Columns::Found).unwrap();
    assert_eq!(five.values(), [0.5, -1.0, 2.0, 0.0]);
}

#[test]
fn a_column_called_like_labels_is_suspected_in_every_format_with_columns() {
    for points in ["vectors.csv", "indexed-lz4.parquet"] {
        let read = Embeddings::load(&fixture(points), &fixture("words.npy"), &chosen(&["x", "y", "v*", "kind"]));
        let columns = if points.ends_with("csv") { chosen(&["vector"]) } else { chosen(&["x", "y"]) };
        assert!(read.is_err(), "words are no coordinates, and x is none of {points}");
        assert_eq!(load(points, "words.npy", &columns).suspect(), None);
    }
    let text = b"a,b,class\n1.5,2,0\n3,4.5,1\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("points.csv");
    std::fs::write(&file, text).unwrap();
    let labels = folder.path().join("labels.csv");
    std::fs::write(&labels, b"0\n1\n").unwrap();
    let read = Embeddings::load(&file.into(), &labels.into(), &Columns::Found).unwrap();
    assert_eq!(read.suspect(), Some("class"));
}

#[test]
fn what_is_wrong_with_a_file_is_named_with_its_row_and_column() {
    let refused = |points: &str, labels: &str, columns: &Columns| {
        Embeddings::load(&fixture(points), &fixture(labels), columns).unwrap_err().to_string()
    };
    for (points, part) in [
        ("refused-late.parquet:gap", "refused-late.parquet:gap: row 2 has no value (null)"),
        (
            "refused-late.parquet:ragged",
            "refused-late.parquet:ragged: row 2 is a list of 3 numbers, and row 0 is one of 2",
        ),
        ("data.parquet:gap", "data.parquet:gap: row 1 has no value (null)"),
        ("refused-groups.parquet", "refused-groups.parquet:v: row 2 is a list of 3 numbers, and row 0 is one of 1"),
    ] {
        let error = load_table(&fixture(points), &Columns::Found).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    for file in ["points-f2.npy", "points.npz:points", "points.safetensors:points", "points.npy.gz"] {
        let error = refused(file, "labels.csv", &chosen(&["x"]));
        assert!(error.contains("has no columns with names to choose from"), "{error}");
    }
    for file in ["points.csv", "points.csv.gz", "points.txt", "points.parquet"] {
        let error = refused(file, "labels.csv", &chosen(&["x", "q*"]));
        assert!(error.contains("has no "), "{error}");
    }
    // Labels that are none, and labels in gzip.
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n";
    let not_a_number = [npy(header).as_slice(), &f64::NAN.to_le_bytes(), &1f64.to_le_bytes()].concat();
    let error = parse_classes("y", &not_a_number, None).unwrap_err().to_string();
    assert_eq!(error, "y: NaN at position 0 is not a label, expected a whole number of at most 2^53 in size");
    // Floats in IDX are named by their type, plain and inside gzip, and so is what is no array at all inside gzip.
    let error = parse_table("a", &[0, 0, 0x0d, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0], None).unwrap_err();
    assert!(error.to_string().contains("floats of 32 bits (0x0d)"), "{error}");
    let packed = |bytes: &[u8]| {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let error = parse_table("a", &packed(b"\x89PNG\r\n\x1a\nmore"), None).unwrap_err();
    assert!(error.to_string().contains("PNG"), "{error}");
    let error = parse_table("a", &packed(&packed(b"1,2\n")), None).unwrap_err();
    assert!(error.to_string().contains("gzip"), "{error}");
    let mut cut = packed("1,2\n".repeat(1000).as_bytes());
    cut.truncate(cut.len() - 4);
    let error = parse_table("a", &cut, None).unwrap_err();
    assert!(error.to_string().contains("the gzip stream is damaged or incomplete"), "{error}");
    assert_eq!(parse_table("a", &packed(b"1,2\n3,4\n"), None).unwrap().values(), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn pixels_are_the_same_in_every_format() {
    let pixels: Vec<u8> = (0..60).map(|i| (i * 37 % 256) as u8).collect();
    let idx = [&[0, 0, 8, 3, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 3][..], &pixels].concat();
    let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (20, 3), }\n";
    let npy = [npy(header).as_slice(), &pixels].concat();
    let csv: String = pixels.chunks(3).map(|p| format!("{},{},{}\n", p[0], p[1], p[2])).collect();
    let labels: Vec<u32> = (0..20).map(|i| i % 3).collect();
    for scaled in [false, true] {
        let settings = Settings { negatives: vec![1], pixels: scaled, temperature: 256.0, ..Settings::default() };
        let answers: Vec<(String, String)> = [idx.as_slice(), &npy, csv.as_bytes()]
            .into_iter()
            .map(|bytes| {
                let table = parse_table("a", bytes, None).unwrap();
                let read = Embeddings::with_names(table, labels.clone(), vec!["a".into(), "b".into(), "c".into()]);
                let report = labelled_report(&read.unwrap(), &settings, &Unwatched).unwrap();
                (format!("{:?}", report.unsupervised), report.conclusion())
            })
            .collect();
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
        let words = if scaled { "Pixels are scaled by 1/255." } else { "(--pixels divides them by 255)." };
        assert!(answers[0].1.ends_with(words), "{}", answers[0].1);
    }
    let half = Embeddings::new(vec![0.5, 1.0, 2.0, 3.0], 2, &[0, 1]).unwrap();
    let refused = labelled_report(&half, &Settings { pixels: true, ..Settings::default() }, &Unwatched).unwrap_err();
    assert!(refused.to_string().contains("row 0, column 0 is 0.5, not a pixel"), "{refused}");
}

#[test]
fn points_that_do_not_fit_their_labels_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| -> ArraySource {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.into()
    };
    let labels = put("labels.csv", b"a\nb\n");
    // Headers that announce three rows, and no data behind them that a reader would not call cut or damaged.
    let announced = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n");
    let images = [0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2];
    let refused = |points: &ArraySource| Embeddings::load(points, &labels, &Columns::Found).unwrap_err().to_string();
    for points in [put("x.npy", &announced), put("x.idx", &images)] {
        let error = refused(&points);
        assert!(error.contains("2 labels for the 3 points of"), "{error}");
    }
    let whole = std::fs::read(fixture("points.parquet").path).unwrap();
    let mut damaged = whole.clone();
    damaged[4..20].fill(0xff);
    for points in [
        fixture("points.npz:points"),
        fixture("points.safetensors:half"),
        fixture("points.csv"),
        fixture("points.npy.gz"),
        put("x.parquet", &damaged),
    ] {
        let error = refused(&points);
        assert!(error.contains("2 labels for the 3 points of"), "{error}");
    }
}
