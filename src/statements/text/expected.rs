//! What could have stood where a text cannot be read on.
//!
//! Many readings of a text are tried, and each ends somewhere. The one that came farthest is likely the one that was meant, so only what was
//! missed at the farthest place is told.

/// What can be missed, in the order in which it is listed: the most helpful first. Whatever may go on may go on with an operator;
/// who forgot a bracket wants to hear of the bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Expected {
    Comma,
    Relation,
    Expression,
    Dots,
    Close,
    CloseBracket,
    Bar,
    DoubleBar,
    Declaration,
    Membership,
    Equals,
    Domain,
    Size,
    CloseBrace,
    Name,
    Operator,
    End,
}

impl Expected {
    fn word(self) -> &'static str {
        match self {
            Self::Comma => "`,`",
            Self::Relation => "a comparison (<=, <, =, >=, >)",
            Self::Expression => "an expression",
            Self::Dots => "`..`",
            Self::Close => "`)`",
            Self::CloseBracket => "`]`",
            Self::Bar => "`|`",
            Self::DoubleBar => "`‖`",
            Self::Declaration => "a declaration such as `x in R^n`",
            Self::Membership => "`in`",
            Self::Equals => "`=`",
            Self::Domain => "what it ranges over (R, R^n, [0, 1], 1..8, simplex(n), …)",
            Self::Size => "a size",
            Self::CloseBrace => "`}`",
            Self::Name => "a name",
            Self::Operator => "an operator",
            Self::End => "the end",
        }
    }
}

/// The farthest place where something was missed, and what.
#[derive(Default)]
pub(super) struct Farthest {
    at: usize,
    missed: Vec<Expected>,
}

impl Farthest {
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn miss(&mut self, at: usize, expected: Expected) {
        if at > self.at {
            self.missed.clear();
            self.at = at;
        }
        if at == self.at {
            self.missed.push(expected);
        }
    }

    /// Of what was missed at this place, only the whole is told and not how it could begin.
    pub(super) fn miss_whole(&mut self, at: usize, expected: Expected) {
        if at == self.at {
            self.missed.clear();
        }
        self.miss(at, expected);
    }

    /// What was missed, in words.
    pub(super) fn words(mut self) -> Vec<&'static str> {
        self.missed.sort_unstable();
        self.missed.dedup();
        // An expression may begin with a name or a sign.
        let implied = |e: &Expected| {
            self.missed.contains(&Expected::Expression) && [Expected::Name, Expected::Operator].contains(e)
        };
        self.missed.iter().filter(|e| !implied(e)).map(|e| e.word()).collect()
    }
}
