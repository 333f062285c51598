//! Pages of the report on a terminal: wrapped to its width, and in colours where they are wanted.

use console::{Style, Term};
use pages::page::{Block, Inline, Item, Line, Page, Table};
use textwrap::core::display_width;
use textwrap::{Options, fill};

use pages::foreign::tame;

/// The narrowest and the widest text that is still read with ease.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=110;

/// How a page is shown.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether what stands out may be coloured.
    pub coloured: bool,
    /// Whether what is folded away on a page is shown.
    pub unfolded: bool,
}

impl Look {
    /// As standard output has it: its width, or 80 columns where it is no terminal; colours unless `NO_COLOR` or a pipe forbids them.
    #[must_use]
    pub fn of_output(unfolded: bool) -> Self {
        let width = Term::stdout().size_checked().map_or(80, |(_, columns)| usize::from(columns));
        Look { width: width.clamp(*WIDTHS.start(), *WIDTHS.end()), coloured: console::colors_enabled(), unfolded }
    }
}

/// The page as text. Signs that steer a terminal are shown and not obeyed.
#[must_use]
pub fn shown(page: &Page, look: Look) -> String {
    let mut writer = Writer { out: String::new(), look, hidden: false };
    writer.wrapped(&writer.heading(&page.title), "", "");
    writer.blocks(&page.opening, "");
    for section in &page.sections {
        writer.out.push('\n');
        writer.wrapped(&writer.heading(&section.title), "", "");
        writer.blocks(&section.blocks, "  ");
    }
    if writer.hidden {
        writer.out.push_str("\n(+) more with --all\n");
    }
    writer.out
}

struct Writer {
    out: String,
    look: Look,
    /// Whether anything was left out.
    hidden: bool,
}

impl Writer {
    fn style(&self) -> Style {
        Style::new().force_styling(self.look.coloured)
    }

    fn heading(&self, title: &str) -> String {
        self.style().bold().underlined().apply_to(tame(title)).to_string()
    }

    /// Adds a text, broken between words, the first line and the others each behind its own indent.
    fn wrapped(&mut self, text: &str, first: &str, others: &str) {
        let options = Options::new(self.look.width).initial_indent(first).subsequent_indent(others).break_words(false);
        self.out.push_str(fill(text, options).trim_end());
        self.out.push('\n');
    }

    fn blocks(&mut self, blocks: &[Block], indent: &str) {
        for block in blocks {
            self.block(block, indent);
        }
    }

    fn block(&mut self, block: &Block, indent: &str) {
        let deeper = format!("{indent}  ");
        match block {
            Block::Paragraph(line) => self.wrapped(&self.line(line), indent, indent),
            Block::Quote(line) => self.wrapped(&self.line(line), &format!("{deeper}│ "), &format!("{deeper}│ ")),
            Block::Prose(text) => self.prose(&tame(text), indent),
            Block::Heading(title) => {
                let title = self.style().bold().apply_to(tame(title)).to_string();
                self.wrapped(&title, indent, indent);
            }
            Block::Items(items) => items.iter().for_each(|item| self.item(item, indent)),
            Block::Table(table) => self.table(table, indent),
            Block::Commands(commands) => {
                for command in commands {
                    let command = self.style().cyan().apply_to(tame(command)).to_string();
                    self.wrapped(&command, &format!("{indent}$ "), &deeper);
                }
            }
            Block::Picture { path, words } => {
                let text = format!("{} ({})", tame(words), tame(path));
                self.wrapped(&text, indent, indent);
            }
            Block::Graph(graph) => {
                for (from, to) in &graph.edges {
                    self.wrapped(&tame(&format!("{from} → {to}")), indent, &deeper);
                }
            }
            Block::Folded { summary, .. } if !self.look.unfolded => {
                self.hidden = true;
                let summary = self.style().dim().apply_to(tame(summary)).to_string();
                self.wrapped(&summary, &format!("{indent}(+) "), &format!("{indent}    "));
            }
            Block::Folded { summary, inside } => {
                self.wrapped(&tame(summary), indent, indent);
                self.blocks(inside, &deeper);
            }
        }
    }

    fn item(&mut self, item: &Item, indent: &str) {
        let deeper = format!("{indent}  ");
        self.wrapped(&self.line(&item.line), &format!("{indent}- "), &deeper);
        for line in &item.below {
            self.wrapped(&self.line(line), &deeper, &deeper);
        }
    }

    /// Prose in CommonMark: paragraphs are wrapped anew, and lines that stand apart in it (lists, formulas) stay so.
    fn prose(&mut self, text: &str, indent: &str) {
        let mut paragraph = String::new();
        for line in text.lines().chain([""]) {
            let apart = line.starts_with("  ") || line.starts_with("- ");
            if line.trim().is_empty() || apart {
                if !paragraph.is_empty() {
                    self.wrapped(&paragraph, indent, indent);
                    paragraph.clear();
                }
                if apart {
                    self.wrapped(line.trim_start(), &format!("{indent}  "), &format!("{indent}    "));
                }
            } else {
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(line.trim());
            }
        }
    }

    fn line(&self, line: &Line) -> String {
        let span = |span: &Inline| match span {
            Inline::Text(text) | Inline::Link { text, .. } => tame(text).into_owned(),
            Inline::Strong(text) => {
                let style = match text.as_str() {
                    "FAIL" | "MISPRINT" | "MIXED" => self.style().red().bold(),
                    text if text.starts_with("PASS") => self.style().green().bold(),
                    _ => self.style().bold(),
                };
                style.apply_to(tame(text)).to_string()
            }
            Inline::Code(text) => self.style().cyan().apply_to(tame(text)).to_string(),
        };
        line.0.iter().map(span).collect()
    }

    /// In columns where they fit, otherwise row by row.
    fn table(&mut self, table: &Table, indent: &str) {
        let rows: Vec<Vec<String>> =
            table.rows.iter().map(|row| row.iter().map(|cell| self.line(cell)).collect()).collect();
        let widest = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let cells = cells.map(|cell| display_width(cell));
            cells.chain([display_width(&table.columns[column])]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..table.columns.len()).map(widest).collect();
        let needed = indent.len() + widths.iter().sum::<usize>() + 2 * widths.len();
        if needed > self.look.width + 2 {
            for row in &rows {
                for (at, (name, cell)) in table.columns.iter().zip(row).enumerate() {
                    let lead = if at == 0 { indent.to_owned() } else { format!("{indent}  ") };
                    let named = match name.as_str() {
                        "" => cell.clone(),
                        name => format!("{}: {cell}", tame(name)),
                    };
                    if !cell.is_empty() {
                        self.wrapped(&named, &lead, &format!("{indent}    "));
                    }
                }
            }
            return;
        }
        let names: Vec<String> = table.columns.iter().map(|name| tame(name).into_owned()).collect();
        let dim = self.style().dim();
        for (at, row) in std::iter::once(&names).chain(&rows).enumerate() {
            let mut text = indent.to_owned();
            for (cell, width) in row.iter().zip(&widths) {
                text.push_str(cell);
                text.push_str(&" ".repeat(width - display_width(cell) + 2));
            }
            let text = text.trim_end();
            if at == 0 {
                self.out.push_str(&dim.apply_to(text).to_string());
            } else {
                self.out.push_str(text);
            }
            self.out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let mut table = Table::of(["", "smallest"]);
        table.push(["left".into(), "1".into()]);
        Page {
            title: "Lemma 1: a title".to_owned(),
            opening: vec![
                Block::Paragraph(
                    Line::new().strong("FAIL").text(" in a word, and many more words that must be broken somewhere"),
                ),
                Block::Table(table.clone()),
                Block::Folded {
                    summary: "behind".to_owned(),
                    inside: vec![Block::Prose("one\ntwo\n\n- three\u{1b}[31m".to_owned())],
                },
            ],
            ..Page::default()
        }
    }

    fn look(coloured: bool, unfolded: bool) -> Look {
        Look { width: 40, coloured, unfolded }
    }

    #[test]
    fn lines_fit_and_nothing_steers_the_terminal() {
        let text = shown(&page(), look(false, true));
        assert!(text.lines().all(|line| display_width(line) <= 40), "{text}");
        assert!(text.contains("left  1\n"), "{text}");
        assert!(text.contains("  one two\n"), "{text}");
        assert!(text.contains("three\\u001b[31m") && !text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn what_is_folded_is_named_and_told_apart() {
        let text = shown(&page(), look(true, false));
        assert!(text.contains("(+) ") && !text.contains("three"), "{text}");
        assert!(text.contains("\u{1b}[31m"), "a failure is red: {text:?}");
    }
}
