//! What a page of the report holds, apart from how it is written: Markdown, a terminal and a site render the same structure.

/// One page: a title, what stands at its top, and sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Where the page belongs, as a path from the root of the repository, with slashes.
    pub path: String,
    /// The title, in plain text.
    pub title: String,
    /// What stands under the title.
    pub opening: Vec<Block>,
    /// The sections, in order.
    pub sections: Vec<Section>,
}

/// A part of a page with a title of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The title, in plain text; no two sections of a page have the same one.
    pub title: String,
    /// What it holds.
    pub blocks: Vec<Block>,
}

/// A block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Paragraph(Line),
    /// A statement, as printed.
    Quote(Line),
    /// CommonMark as somebody wrote it: the prose of a claim's file, a text of an erratum.
    Prose(String),
    /// A heading below that of the section.
    Heading(String),
    /// A list.
    Items(Vec<Item>),
    /// A table.
    Table(Table),
    /// Lines to type into a terminal.
    Commands(Vec<String>),
    /// A picture in a file of its own.
    Picture {
        /// Its path from the root of the repository.
        path: String,
        /// What it shows, for those who do not see it.
        words: String,
    },
    /// Things and the arrows between them.
    Graph(Graph),
    /// What only some readers want to see, behind a line that says what it is.
    Folded {
        /// The line.
        summary: String,
        /// What is behind it.
        inside: Vec<Block>,
    },
}

/// An entry of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The first line.
    pub line: Line,
    /// Further lines, each on its own.
    pub below: Vec<Line>,
}

/// A table; every row has one cell for each column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Line>>,
}

/// Things and the arrows between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The things.
    pub nodes: Vec<Node>,
    /// The arrows, each from one name to another.
    pub edges: Vec<(String, String)>,
}

/// A thing in a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name, by which arrows know it.
    pub name: String,
    /// What came of it ("PASS", "FAIL").
    pub result: String,
    /// Its page.
    pub page: Target,
}

/// A line of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(pub Vec<Inline>);

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Plain text: no sign in it means anything but itself.
    Text(String),
    /// Text that stands out.
    Strong(String),
    /// A name or a command, to be taken letter by letter.
    Code(String),
    /// A link.
    Link {
        /// Its text.
        text: String,
        /// Where it leads.
        to: Target,
    },
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// A file or page, as a path from the root of the repository.
    pub path: String,
    /// The title of a section of that page.
    pub section: Option<String>,
}

impl Target {
    /// A page or a file.
    #[must_use]
    pub fn file(path: impl Into<String>) -> Self {
        Target { path: path.into(), section: None }
    }

    /// A section of a page.
    #[must_use]
    pub fn section(path: impl Into<String>, title: impl Into<String>) -> Self {
        Target { path: path.into(), section: Some(title.into()) }
    }
}

impl Line {
    /// An empty line.
    #[must_use]
    pub fn new() -> Self {
        Line::default()
    }

    /// Goes on with plain text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Inline::Text(text.into()));
        self
    }

    /// Text as authors write it: what stands between two back ticks is a name or a command.
    #[must_use]
    pub fn written(text: &str) -> Self {
        let pieces: Vec<&str> = text.split('`').collect();
        if pieces.len().is_multiple_of(2) {
            return Line::from(text);
        }
        let mut line = Line::new();
        for (at, piece) in pieces.into_iter().enumerate().filter(|(_, piece)| !piece.is_empty()) {
            line = if at % 2 == 1 { line.code(piece) } else { line.text(piece) };
        }
        line
    }

    /// Goes on with text that stands out.
    #[must_use]
    pub fn strong(mut self, text: impl Into<String>) -> Self {
        self.0.push(Inline::Strong(text.into()));
        self
    }

    /// Goes on with a name or a command.
    #[must_use]
    pub fn code(mut self, text: impl Into<String>) -> Self {
        self.0.push(Inline::Code(text.into()));
        self
    }

    /// Goes on with a link.
    #[must_use]
    pub fn link(mut self, text: impl Into<String>, to: Target) -> Self {
        self.0.push(Inline::Link { text: text.into(), to });
        self
    }

    /// Goes on with another line.
    #[must_use]
    pub fn and(mut self, more: Line) -> Self {
        self.0.extend(more.0);
        self
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lines in a row, a text between any two.
    #[must_use]
    pub fn joined(lines: impl IntoIterator<Item = Line>, between: &str) -> Self {
        let mut all = Line::new();
        for line in lines {
            if !all.is_empty() {
                all = all.text(between);
            }
            all = all.and(line);
        }
        all
    }
}

impl<T: Into<String>> From<T> for Line {
    fn from(text: T) -> Self {
        Line::new().text(text)
    }
}

impl<L: Into<Line>> From<L> for Item {
    fn from(line: L) -> Self {
        Item { line: line.into(), below: Vec::new() }
    }
}

impl Block {
    /// A paragraph.
    #[must_use]
    pub fn paragraph(line: impl Into<Line>) -> Self {
        Block::Paragraph(line.into())
    }
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn of<const N: usize>(columns: [&str; N]) -> Self {
        Table { columns: columns.map(str::to_owned).to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = Line>) {
        self.rows.push(row.into_iter().collect());
    }
}

impl Section {
    /// A section; none if it would be empty.
    #[must_use]
    pub fn of(title: impl Into<String>, blocks: Vec<Block>) -> Option<Self> {
        (!blocks.is_empty()).then(|| Section { title: title.into(), blocks })
    }
}
