//! The readings of a quote that the file indicates.

use std::rc::Rc;

use super::dots::{self, Dots};
use super::quote::{Reading, Row};
use super::{line_breaks, line_numbers, signs};
use crate::locate::align::file::File;

/// Returns the readings of an edit that the file indicates, the plain reading first.
pub(crate) fn readings<'q>(file: &File<'_>, plain: &Reading<'q>, literal: bool) -> Vec<Reading<'q>> {
    let mut readings = vec![plain.clone()];
    add(&mut readings, |reading| without_blank_end(file, reading));
    add(&mut readings, |reading| without_blank_start(file, reading));
    if literal {
        return readings;
    }
    if line_numbers::are_shown(file, plain) {
        readings = readings.iter().map(|reading| line_numbers::dropped(file, reading)).collect();
    }
    if line_breaks::are_shown(file, plain) {
        add(&mut readings, |reading| line_breaks::split(file, reading));
    }
    if signs::column_is_lost(file, plain) {
        add(&mut readings, |reading| signs::without_column(file, reading));
    }
    if signs::has_unsigned_addition(file, plain) {
        readings = readings.iter().map(|reading| signs::unsigned_as_added(file, reading)).collect();
    }
    if signs::has_items(file, plain) {
        add(&mut readings, |reading| signs::items_as_context(file, reading));
    }
    match dots::shown(file, plain) {
        Dots::None => {}
        Dots::Open => add(&mut readings, |reading| Some(dots::cut_out(file, reading))),
        Dots::Shown => readings = readings.iter().map(|reading| dots::cut_out(file, reading)).collect(),
    }
    readings
}

/// Adds another reading for each that there is.
fn add<'q>(readings: &mut Vec<Reading<'q>>, read: impl Fn(&Reading<'q>) -> Option<Reading<'q>>) {
    let more: Vec<Reading<'q>> = readings.iter().filter_map(read).collect();
    readings.extend(more);
}

/// Returns the quote without the empty lines at its end, which may only separate chunks.
fn without_blank_end<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let is_empty = |row: &&Rc<Row<'_>>| !row.signed && row.is_context() && row.line.text().is_empty();
    let empty = reading.rows.iter().rev().take_while(is_empty).count();
    let kept = reading.rows.len() - empty;
    if empty == 0 || kept == 0 {
        return None;
    }
    let mut read = reading.with_rows(reading.rows[..kept].to_vec(), file.costs.read_blank);
    read.undone.blank_ends = true;
    Some(read)
}

/// Returns the quote without the empty lines at its start, if the next line is also quoted, because that line
/// determines the position.
fn without_blank_start<'q>(file: &File<'_>, reading: &Reading<'q>) -> Option<Reading<'q>> {
    let is_empty = |row: &&Rc<Row<'_>>| !row.signed && row.is_context() && row.line.text().is_empty();
    let empty = reading.rows.iter().take_while(is_empty).count();
    let next = reading.rows.get(empty).filter(|row| empty > 0 && row.is_old())?;
    if next.is_blank() {
        return None;
    }
    let mut read = reading.with_rows(reading.rows[empty..].to_vec(), file.costs.read_blank);
    read.undone.blank_ends = true;
    Some(read)
}
