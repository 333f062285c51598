//! Lines for people: 80 columns, coloured where the terminal can.

use std::io::{self, IsTerminal};

use embeddings::Worth;

use crate::console::print_styled;
use crate::foreign::tame;
use crate::status::Trouble;

/// Columns of a line.
pub const WIDTH: usize = 80;

/// What makes words stand out where the terminal can.
#[derive(Clone, Copy, Debug)]
pub enum Tone {
    /// As everything else.
    Plain,
    /// A heading.
    Strong,
    /// Good news.
    Good,
    /// Neither good nor bad.
    Doubtful,
    /// Beside the point.
    Faint,
}

impl Tone {
    /// The tone in which a bound of some worth is shown.
    pub fn of(worth: Worth) -> Self {
        match worth {
            Worth::Informative => Tone::Good,
            Worth::Undecided => Tone::Doubtful,
            Worth::SaysNothing => Tone::Faint,
        }
    }

    fn code(self) -> &'static str {
        match self {
            Tone::Plain => "",
            Tone::Strong => "\u{1b}[1m",
            Tone::Good => "\u{1b}[1;32m",
            Tone::Doubtful => "\u{1b}[33m",
            Tone::Faint => "\u{1b}[2m",
        }
    }
}

/// Lines on their way to standard output.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
    coloured: bool,
}

impl Page {
    /// What has been written.
    #[cfg(test)]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// One line, as it is but for what steers terminals.
    pub fn line(&mut self, tone: Tone, words: &str) {
        let code = if self.coloured { tone.code() } else { "" };
        self.text.push_str(code);
        self.text.push_str(&tame(words));
        if !code.is_empty() {
            self.text.push_str("\u{1b}[0m");
        }
        self.text.push('\n');
    }

    /// Words in lines of at most [`WIDTH`] columns.
    pub fn paragraph(&mut self, tone: Tone, words: &str) {
        let mut line = String::new();
        for word in words.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.line(tone, &line);
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.line(tone, &line);
    }
}

/// Prints on standard output what is written on a page.
pub fn print(write: impl FnOnce(&mut Page)) -> Result<(), Trouble> {
    let mut page = Page {
        text: String::new(),
        coloured: io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    write(&mut page);
    Ok(print_styled(&page.text)?)
}
