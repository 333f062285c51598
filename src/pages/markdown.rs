//! Pages as Markdown, the dialect of GitHub.

use std::fmt::Write;

use crate::foreign::tame;
use crate::page::{Block, Graph, Inline, Item, Line, Page, Table, Target};

/// One page as a file of its own; its links are relative to its place.
#[must_use]
pub fn page(page: &Page) -> String {
    let mut writer = Writer { out: String::new(), links: Links::From(&page.path), level: 1 };
    writer.page(page);
    tame(&writer.out).into_owned()
}

/// Several pages in one file, whose links stay inside it.
#[must_use]
pub fn bundle(pages: &[Page]) -> String {
    let mut writer = Writer { out: String::new(), links: Links::Within(pages), level: 1 };
    for (at, page) in pages.iter().enumerate() {
        writer.level = if at == 0 { 1 } else { 2 };
        if at > 0 {
            writer.out.push('\n');
        }
        writer.page(page);
    }
    tame(&writer.out).into_owned()
}

/// What becomes of links.
enum Links<'a> {
    /// Relative to the place of a page.
    From(&'a str),
    /// To headings of these pages in the same file; what is elsewhere is named and not linked.
    Within(&'a [Page]),
}

struct Writer<'a> {
    out: String,
    links: Links<'a>,
    /// Of the page's title.
    level: usize,
}

impl Writer<'_> {
    fn page(&mut self, page: &Page) {
        self.heading(self.level, &page.title);
        self.blocks(&page.opening);
        for section in &page.sections {
            self.out.push('\n');
            self.heading(self.level + 1, &section.title);
            self.blocks(&section.blocks);
        }
    }

    fn heading(&mut self, level: usize, title: &str) {
        let _ = writeln!(self.out, "{} {}", "#".repeat(level), plain(title));
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.out.push('\n');
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(line) => {
                let text = self.line(line);
                let _ = writeln!(self.out, "{}", at_line_start(&text));
            }
            Block::Quote(line) => {
                let text = self.line(line);
                let _ = writeln!(self.out, "> {}", at_line_start(&text));
            }
            Block::Prose(text) => {
                let _ = writeln!(self.out, "{}", text.trim_end());
            }
            Block::Heading(title) => self.heading(self.level + 2, title),
            Block::Items(items) => items.iter().for_each(|item| self.item(item)),
            Block::Table(table) => self.table(table),
            Block::Commands(commands) => {
                let _ = writeln!(self.out, "```sh\n{}\n```", commands.join("\n"));
            }
            Block::Picture { path, words } => {
                if let Some(address) = self.address(&Target::file(path)) {
                    let _ = writeln!(self.out, "![{}]({address})", plain(words));
                }
            }
            Block::Graph(graph) => self.graph(graph),
            Block::Folded { summary, inside } => {
                let _ = writeln!(self.out, "<details><summary>{}</summary>", html(summary));
                self.blocks(inside);
                let _ = writeln!(self.out, "\n</details>");
            }
        }
    }

    fn item(&mut self, item: &Item) {
        let lines = std::iter::once(&item.line).chain(&item.below);
        let lines: Vec<String> = lines.map(|line| at_line_start(&self.line(line))).collect();
        let _ = writeln!(self.out, "- {}", lines.join("\\\n  "));
    }

    fn table(&mut self, table: &Table) {
        let columns: Vec<String> = table.columns.iter().map(|name| cell(&plain(name))).collect();
        let _ = writeln!(self.out, "| {} |\n|{}", columns.join(" | "), "---|".repeat(columns.len()));
        for row in &table.rows {
            let cells: Vec<String> = row.iter().map(|line| cell(&self.line(line))).collect();
            let _ = writeln!(self.out, "| {} |", cells.join(" | "));
        }
    }

    /// In the notation of Mermaid, which GitHub draws.
    fn graph(&mut self, graph: &Graph) {
        self.out.push_str("```mermaid\nflowchart LR\n");
        let number = |name: &str| graph.nodes.iter().position(|node| node.name == name);
        for (at, node) in graph.nodes.iter().enumerate() {
            let class = match node.result.as_str() {
                "FAIL" => ":::fails",
                "MISPRINT" => ":::misprint",
                "MIXED" => ":::mixed",
                _ => "",
            };
            let _ = writeln!(self.out, "  n{at}[\"{}\"]{class}", node.name.replace('"', "'"));
        }
        for (from, to) in &graph.edges {
            if let (Some(from), Some(to)) = (number(from), number(to)) {
                let _ = writeln!(self.out, "  n{from} --> n{to}");
            }
        }
        self.out.push_str(
            "  classDef fails stroke:#c00,stroke-width:3px\n  classDef misprint stroke:#74a,stroke-width:3px\n  \
             classDef mixed stroke:#c80,stroke-width:3px\n```\n",
        );
    }

    fn line(&self, line: &Line) -> String {
        let mut out = String::new();
        for span in &line.0 {
            match span {
                Inline::Text(text) => out.push_str(&plain(text)),
                Inline::Strong(text) => {
                    let _ = write!(out, "**{}**", plain(text));
                }
                Inline::Code(text) => {
                    let _ = write!(out, "`{}`", text.replace('`', "'").replace('\n', " "));
                }
                Inline::Link { text, to } => match self.address(to) {
                    Some(address) => {
                        let _ = write!(out, "[{}]({address})", plain(text));
                    }
                    None => out.push_str(&plain(text)),
                },
            }
        }
        out
    }

    /// The address of a link; none where it would lead out of a file that stands alone.
    fn address(&self, to: &Target) -> Option<String> {
        let anchor = to.section.as_ref().map_or(String::new(), |title| format!("#{}", slug(title)));
        match self.links {
            Links::From(here) if *here == to.path && !anchor.is_empty() => Some(anchor),
            Links::From(here) => Some(format!("{}{anchor}", relative(here, &to.path))),
            Links::Within(pages) => {
                let page = pages.iter().find(|page| page.path == to.path)?;
                let alone = to.section.as_ref().is_some_and(|title| is_alone(title, pages));
                Some(if alone { anchor } else { format!("#{}", slug(&page.title)) })
            }
        }
    }
}

/// Whether only one heading of these pages goes by the name of this one, so that a link to it is no guess.
fn is_alone(title: &str, pages: &[Page]) -> bool {
    let name = slug(title);
    let blocks = |blocks: &[Block]| {
        let is_it = |block: &&Block| matches!(block, Block::Heading(other) if slug(other) == name);
        blocks.iter().filter(is_it).count()
    };
    let of_page = |page: &Page| {
        let own = usize::from(slug(&page.title) == name) + blocks(&page.opening);
        let sections = page.sections.iter();
        own + sections.map(|section| usize::from(slug(&section.title) == name) + blocks(&section.blocks)).sum::<usize>()
    };
    pages.iter().map(of_page).sum::<usize>() == 1
}

/// The path to one file from the folder of another, both from the same root with slashes.
#[must_use]
pub fn relative(from: &str, to: &str) -> String {
    let folders = |path: &str| -> Vec<String> {
        let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
        parts.pop();
        parts
    };
    let (here, there) = (folders(from), folders(to));
    let shared = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
    let up = "../".repeat(here.len() - shared);
    let rest: Vec<&str> = to.split('/').skip(shared).collect();
    format!("{up}{}", rest.join("/"))
}

/// The name that a heading goes by in links.
#[must_use]
pub fn slug(title: &str) -> String {
    let kept = title.to_lowercase();
    kept.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// A text in which no sign is read as markup. Formulas stay legible in the source: what could not be read as markup where it stands is
/// left as it is.
fn plain(text: &str) -> String {
    let signs: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    for (at, &sign) in signs.iter().enumerate() {
        let before = at.checked_sub(1).map(|i| signs[i]);
        let after = signs.get(at + 1).copied();
        let followed = after.is_some_and(|c| !c.is_whitespace());
        let inside_word = before.is_some_and(char::is_alphanumeric);
        let escaped = match sign {
            '\\' => after.is_some_and(|c| c.is_ascii_punctuation()),
            '`' | '$' => true,
            '*' | '~' => followed,
            '_' => followed && !inside_word,
            '<' => after.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
            '&' => after.is_some_and(|c| c.is_ascii_alphabetic() || c == '#'),
            ']' => after.is_some_and(|c| matches!(c, '(' | '[' | ':')),
            _ => false,
        };
        if escaped {
            out.push('\\');
        }
        out.push(if sign == '\n' { ' ' } else { sign });
    }
    out
}

/// A text that may begin a line: what would make a heading, a list or a quotation of it there is escaped.
fn at_line_start(text: &str) -> String {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let rest = &text[digits..];
    let ends = |sign: &str| {
        let after = rest.strip_prefix(sign);
        after.is_some_and(|after| after.is_empty() || after.starts_with(' '))
    };
    if digits > 0 && (ends(".") || ends(")")) {
        return format!("{}\\{rest}", &text[..digits]);
    }
    if digits == 0 && (text.starts_with(['#', '>', '|']) || ["-", "+", "="].iter().any(|sign| ends(sign))) {
        return format!("\\{text}");
    }
    text.to_owned()
}

/// A text that may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Section;

    #[test]
    fn formulas_are_escaped_only_where_they_would_be_markup() {
        for legible in ["L_sup^μ ≤ E_{c ≠ c'} |x|", "a < b, 2 * 3, [0, 1]", "x_1 − x_2", "p ≥ 0.5 & q"] {
            assert_eq!(plain(legible), legible);
        }
        for (text, escaped) in [
            ("‖A‖_F ≤ ‖B‖_F", "‖A‖\\_F ≤ ‖B‖\\_F"),
            ("a*b*c", "a\\*b\\*c"),
            ("x<y", "x\\<y"),
            ("E[f](x)", "E[f\\](x)"),
            ("`q`", "\\`q\\`"),
        ] {
            assert_eq!(plain(text), escaped);
        }
        assert_eq!(at_line_start("1. is a number"), "1\\. is a number");
        assert_eq!(at_line_start("- is a sign"), "\\- is a sign");
        assert_eq!(at_line_start("1.5 is none"), "1.5 is none");
    }

    #[test]
    fn links_are_relative_to_the_page() {
        assert_eq!(relative("verify/a/x.md", "verify/a/y.rs"), "y.rs");
        assert_eq!(relative("verify/a/x.md", "REPORT.md"), "../../REPORT.md");
        assert_eq!(relative("REPORT.md", "verify/a/x.md"), "verify/a/x.md");
        assert_eq!(relative("verify/a/x.md", "verify/b/c/z.md"), "../b/c/z.md");
    }

    #[test]
    fn what_steers_a_reader_is_words_wherever_it_stands() {
        let wild = "a\u{1b}[31m\0\u{9b}\u{202e}\u{2028}b";
        let mut table = Table::of([wild]);
        table.push([Line::from(wild).strong(wild).link(wild, Target::file("x.md"))]);
        let blocks = vec![
            Block::paragraph(Line(vec![Inline::Code(format!("{wild}\n\n# none"))])),
            Block::Quote(Line::from(wild)),
            Block::Heading(wild.to_owned()),
            Block::Items(vec![wild.into()]),
            Block::Table(table),
            Block::Commands(vec![wild.to_owned()]),
            Block::Folded { summary: wild.to_owned(), inside: vec![Block::Prose(wild.to_owned())] },
        ];
        let page = Page { title: wild.to_owned(), opening: blocks, ..Page::default() };
        for text in [super::page(&page), bundle(&[page])] {
            let wild = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{2028}' | '\u{202e}');
            assert!(!text.contains(wild), "{text:?}");
            assert_eq!(text.matches(r"\u001b[31m\u0000\u009b\u202e\u2028").count(), 12, "{text}");
            assert!(!text.contains("\n# none"), "{text}");
        }
    }

    fn example() -> Vec<Page> {
        let page = |path: &str, other: &str| Page {
            path: path.to_owned(),
            title: format!("The page {path}"),
            opening: vec![Block::paragraph(Line::from("see ").link("there", Target::file(other)))],
            sections: vec![Section {
                title: "Own".to_owned(),
                blocks: vec![Block::Folded {
                    summary: "a < b".to_owned(),
                    inside: vec![Block::Items(vec!["x".into()])],
                }],
            }],
        };
        vec![page("a/b.md", "c.md"), page("c.md", "nowhere.md")]
    }

    #[test]
    fn a_page_stands_alone_or_in_a_bundle() {
        let pages = example();
        assert_eq!(
            super::page(&pages[0]),
            "# The page a/b.md\n\nsee [there](../c.md)\n\n## Own\n\n<details><summary>a &lt; b</summary>\n\n- \
             x\n\n</details>\n"
        );
        let both = bundle(&pages);
        assert!(both.contains("see [there](#the-page-cmd)"), "{both}");
        assert!(both.contains("\n## The page c.md\n\nsee there\n"), "{both}");
    }

    #[test]
    fn a_link_to_a_heading_that_several_pages_have_leads_to_the_page() {
        let mut pages = example();
        pages[0].sections[0].blocks.push(Block::Heading("Alone".to_owned()));
        let to = |section: &str| Block::paragraph(Line::new().link("see", Target::section("a/b.md", section)));
        pages[1].opening = vec![to("Own"), to("Alone")];
        let both = bundle(&pages);
        assert!(both.contains("\n[see](#the-page-abmd)\n\n[see](#alone)\n"), "{both}");
    }

    #[test]
    fn cells_keep_to_their_columns() {
        let mut table = Table::of(["|x|", "y"]);
        table.push([Line::from("a | b"), Line::new().strong("FAIL")]);
        let page = Page { opening: vec![Block::Table(table)], ..Page::default() };
        let text = super::page(&page);
        assert!(text.ends_with("| \\|x\\| | y |\n|---|---|\n| a \\| b | **FAIL** |\n"), "{text}");
    }
}
