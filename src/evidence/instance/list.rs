//! Lists, arrays and options as parts of a declared instance.

use super::check::{Lengths, Problem};
use super::declaration::{Arrangement, Field, Length};
use super::draw::Draws;
use super::edit::{Change, Edit};
use super::layout::Shape;
use super::part::Part;
use super::survey::{Found, Survey};

/// A list is not made longer than this on request.
const LONGEST: u64 = 1 << 16;

/// The declared length of the lists at a depth.
fn length_at(field: &Field, depth: usize) -> Length {
    field.lengths.get(depth).copied().unwrap_or(Length {
        key: u32::MAX,
        name: "",
        least: 0,
        greatest: u64::MAX,
        interchangeable: false,
    })
}

/// Notes the items of a list, and what they form together.
fn survey_items<P: Part>(items: &[P], field: &Field, depth: usize, survey: &mut Survey, size: Option<usize>) -> Found {
    let (start, place) = (survey.seen(), survey.grouped());
    let mut alike = None;
    let mut width = None;
    let mut uniform = true;
    for item in items {
        let before = survey.seen();
        let found = item.survey(field, depth + 1, survey);
        let taken = survey.seen() - before;
        uniform &= *alike.get_or_insert(found) == found && *width.get_or_insert(taken) == taken;
    }
    if let (Some(size), true, Some(width)) = (size, uniform, width)
        && width > 0
    {
        survey.block(size, start, width);
    }
    match alike {
        Some(Found::Number) => {
            let weights = field.arrangement == Arrangement::Weights;
            survey.group(place, start, if weights { Shape::Weights } else { Shape::Vector });
            Found::Vector(items.len())
        }
        Some(Found::Whole) if uniform => {
            survey.group(place, start, Shape::List);
            Found::Other
        }
        Some(Found::Vector(columns)) if uniform => {
            let rows = items.len();
            survey.group(place, start, Shape::Matrix { rows, columns });
            Found::Other
        }
        _ => Found::Other,
    }
}

fn check_items<P: Part>(items: &[P], field: &Field, depth: usize, lengths: &mut Lengths) -> Result<(), Problem> {
    for (index, item) in items.iter().enumerate() {
        item.check(field, depth + 1, lengths).map_err(|p| p.item(index))?;
    }
    Ok(())
}

fn tell_items<P: Part>(items: &[P]) -> String {
    if P::SPEAKS {
        let told: Vec<String> = items.iter().map(Part::tell).collect();
        return format!("[{}]", told.join("; "));
    }
    format!("{items:?}")
}

impl<P: Part> Part for Vec<P> {
    fn survey(&self, field: &Field, depth: usize, survey: &mut Survey) -> Found {
        let size = survey.list(&length_at(field, depth), self.len());
        survey_items(self, field, depth, survey, Some(size))
    }

    fn place(&mut self, field: &Field, depth: usize, from: &mut std::slice::Iter<'_, f64>) -> bool {
        self.iter_mut().all(|item| item.place(field, depth + 1, from))
    }

    fn check(&self, field: &Field, depth: usize, lengths: &mut Lengths) -> Result<(), Problem> {
        lengths.check(&length_at(field, depth), self.len())?;
        check_items(self, field, depth, lengths)?;
        if field.arrangement == Arrangement::Weights && self.iter().all(Part::is_zero) {
            return Err(Problem::new("has no positive entry".into()));
        }
        Ok(())
    }

    fn edit(&mut self, field: &Field, depth: usize, edit: &mut Edit) {
        let length = length_at(field, depth);
        let change = edit.list(&length);
        for item in self.iter_mut() {
            item.edit(field, depth + 1, edit);
        }
        match change {
            None => {}
            Some(Change::Without(index)) => {
                let fits = self.len() as u64 > length.least && index < self.len();
                if fits {
                    self.remove(index);
                }
                edit.changed(fits);
            }
            Some(Change::To(value)) => {
                let old = self.len();
                let fits = (length.least..=length.greatest).contains(&value) && value <= LONGEST;
                let fresh = if old == 0 { P::draw(field, depth + 1, &mut Draws::plainest()) } else { None };
                if !fits || (old == 0 && value > 0 && fresh.is_none()) {
                    edit.changed(false);
                    return;
                }
                self.truncate(value as usize);
                while (self.len() as u64) < value {
                    let next = match &fresh {
                        Some(item) => item.clone(),
                        None => self[self.len() % old].clone(),
                    };
                    self.push(next);
                }
                edit.changed(true);
            }
        }
    }

    fn draw(field: &Field, depth: usize, draws: &mut Draws<'_>) -> Option<Self> {
        let length = draws.length(&length_at(field, depth));
        let equal = draws.equal();
        let mut items: Vec<P> = Vec::new();
        for _ in 0..length {
            let next = match items.first() {
                Some(first) if equal => first.clone(),
                _ => P::draw(field, depth + 1, draws)?,
            };
            items.push(next);
        }
        Some(items)
    }

    fn tell(&self) -> String {
        tell_items(self)
    }

    fn length(&self, depth: usize) -> Option<usize> {
        match depth {
            0 => Some(self.len()),
            _ => self.first()?.length(depth - 1),
        }
    }

    fn count(&self) -> usize {
        self.iter().map(Part::count).sum()
    }
}

impl<P: Part, const N: usize> Part for [P; N] {
    fn survey(&self, field: &Field, depth: usize, survey: &mut Survey) -> Found {
        survey_items(self, field, depth, survey, None)
    }

    fn place(&mut self, field: &Field, depth: usize, from: &mut std::slice::Iter<'_, f64>) -> bool {
        self.iter_mut().all(|item| item.place(field, depth + 1, from))
    }

    fn check(&self, field: &Field, depth: usize, lengths: &mut Lengths) -> Result<(), Problem> {
        check_items(self, field, depth, lengths)?;
        if field.arrangement == Arrangement::Weights && self.iter().all(Part::is_zero) {
            return Err(Problem::new("has no positive entry".into()));
        }
        Ok(())
    }

    fn edit(&mut self, field: &Field, depth: usize, edit: &mut Edit) {
        for item in self.iter_mut() {
            item.edit(field, depth + 1, edit);
        }
    }

    fn draw(field: &Field, depth: usize, draws: &mut Draws<'_>) -> Option<Self> {
        let items: Option<Vec<P>> = (0..N).map(|_| P::draw(field, depth + 1, draws)).collect();
        items?.try_into().ok()
    }

    fn tell(&self) -> String {
        tell_items(self)
    }

    fn length(&self, depth: usize) -> Option<usize> {
        match depth {
            0 => Some(N),
            _ => self.first()?.length(depth - 1),
        }
    }

    fn count(&self) -> usize {
        self.iter().map(Part::count).sum()
    }
}

impl<P: Part> Part for Option<P> {
    const SPEAKS: bool = P::SPEAKS;

    fn survey(&self, field: &Field, depth: usize, survey: &mut Survey) -> Found {
        survey.variant(usize::from(self.is_some()), 2);
        if let Some(part) = self {
            part.survey(field, depth, survey);
        }
        Found::Other
    }

    fn place(&mut self, field: &Field, depth: usize, from: &mut std::slice::Iter<'_, f64>) -> bool {
        self.as_mut().is_none_or(|part| part.place(field, depth, from))
    }

    fn check(&self, field: &Field, depth: usize, lengths: &mut Lengths) -> Result<(), Problem> {
        self.as_ref().map_or(Ok(()), |part| part.check(field, depth, lengths))
    }

    fn edit(&mut self, field: &Field, depth: usize, edit: &mut Edit) {
        match edit.variant(2) {
            Some(0) => {
                *self = None;
                edit.changed(true);
            }
            Some(_) if self.is_none() => {
                *self = P::draw(field, depth, &mut Draws::plainest());
                edit.changed(self.is_some());
            }
            Some(_) => edit.changed(true),
            None => {
                if let Some(part) = self {
                    part.edit(field, depth, edit);
                }
            }
        }
    }

    fn draw(field: &Field, depth: usize, draws: &mut Draws<'_>) -> Option<Self> {
        match draws.below(2) {
            0 => Some(None),
            _ => P::draw(field, depth, draws).map(Some),
        }
    }

    fn tell(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), Part::tell)
    }

    fn length(&self, depth: usize) -> Option<usize> {
        self.as_ref()?.length(depth)
    }

    fn count(&self) -> usize {
        self.as_ref().map_or(0, Part::count)
    }
}
