//! Pages as a document of LaTeX, for authors: formulas set, folded blocks open, links as their words.

use std::fmt::Write;

use crate::foreign::tame;
use crate::formula::{escaped, latex};
use crate::page::{Block, Inline, Item, Line, Page, Table};

const PREAMBLE: &str = r"\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\usepackage[margin=25mm]{geometry}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
\sloppy
\begin{document}
";

/// Pages, one after the other, as a document that pdflatex compiles.
#[must_use]
pub fn document(pages: &[Page]) -> String {
    let mut document = Document { out: PREAMBLE.to_owned() };
    for page in pages {
        document.page(page);
    }
    document.out.push_str("\\end{document}\n");
    tame(&document.out).into_owned()
}

struct Document {
    out: String,
}

impl Document {
    fn page(&mut self, page: &Page) {
        self.heading("section*", &page.title);
        self.blocks(&page.opening);
        for section in &page.sections {
            self.heading("subsection*", &section.title);
            self.blocks(&section.blocks);
        }
    }

    fn heading(&mut self, level: &str, title: &str) {
        let _ = writeln!(self.out, "\n\\{level}{{{}}}\n", latex(title));
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(line) => {
                let _ = writeln!(self.out, "{}\n", of(line));
            }
            Block::Quote(line) => {
                let _ = writeln!(self.out, "\\begin{{quote}}{}\\end{{quote}}\n", of(line));
            }
            // Paragraphs of CommonMark as they stand: their names in back ticks are kept apart.
            Block::Prose(text) => {
                for paragraph in text.split("\n\n") {
                    let _ = writeln!(self.out, "{}\n", of(&Line::written(&paragraph.replace('\n', " "))));
                }
            }
            Block::Heading(title) => self.heading("subsubsection*", title),
            Block::Items(items) => self.items(items),
            Block::Table(table) => self.table(table),
            Block::Commands(commands) => {
                for command in commands {
                    let _ = writeln!(self.out, "{}\n", code(command));
                }
            }
            Block::Picture { words, .. } => {
                let _ = writeln!(self.out, "{}\n", latex(words));
            }
            Block::Graph(_) => {}
            Block::Folded { summary, inside } => {
                self.heading("subsubsection*", summary);
                self.blocks(inside);
            }
        }
    }

    fn items(&mut self, items: &[Item]) {
        if items.is_empty() {
            return;
        }
        self.out.push_str("\\begin{itemize}\n");
        for item in items {
            let lines: Vec<String> = std::iter::once(&item.line).chain(&item.below).map(of).collect();
            let _ = writeln!(self.out, "\\item[\\textbullet] {}", lines.join("\\\\\n  "));
        }
        self.out.push_str("\\end{itemize}\n\n");
    }

    /// As a list of rows: a cell of a page may be longer than a line.
    fn table(&mut self, table: &Table) {
        self.out.push_str("\\begin{itemize}\n");
        for row in &table.rows {
            let cells = table.columns.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
            let cells: Vec<String> = cells
                .map(|(name, cell)| match name.as_str() {
                    "" => of(cell),
                    name => format!("{}: {}", latex(name), of(cell)),
                })
                .collect();
            let _ = writeln!(self.out, "\\item[\\textbullet] {}", cells.join("; "));
        }
        self.out.push_str("\\end{itemize}\n\n");
    }
}

fn of(line: &Line) -> String {
    let span = |span: &Inline| match span {
        Inline::Text(text) => latex(text),
        Inline::Strong(text) => format!("\\textbf{{{}}}", latex(text)),
        Inline::Code(text) => code(text),
        Inline::Link { text, .. } => latex(text),
    };
    line.0.iter().map(span).collect()
}

fn code(text: &str) -> String {
    format!("\\texttt{{{}}}", escaped(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Section;

    #[test]
    fn a_document_has_every_block_and_obeys_no_sign_of_the_texts() {
        let mut table = Table::of(["kind", "entries"]);
        table.push(["50 % & more".into(), "1".into()]);
        let blocks = vec![
            Block::paragraph("L_un ≤ 2ε"),
            Block::Table(table),
            Block::Items(vec![Line::new().strong("As printed").text(": x_1 \\end{document}").into()]),
            Block::Commands(vec!["contrapositive replay a_b".to_owned()]),
        ];
        let page = Page {
            title: "Errata: A_B".to_owned(),
            sections: Section::of("Errors", blocks).into_iter().collect(),
            ..Page::default()
        };
        let text = document(&[page]);
        for expected in [
            "\\section*{Errata: ",
            "${L}_{\\operatorname{un}}\\,\\le \\,2\\varepsilon $",
            "kind: 50 \\% \\& more; entries: 1",
            "\\textbf{As printed}: ",
            "\\textbackslash{}end\\{document\\}",
            "\\texttt{contrapositive replay a\\_b}",
        ] {
            assert!(text.contains(expected), "{expected} in {text}");
        }
        assert!(text.ends_with("\\end{document}\n") && text.matches("\\end{document}").count() == 1);
    }
}
