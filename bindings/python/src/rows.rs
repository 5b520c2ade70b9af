//! Python objects → rows, and answers → Python objects.

use std::collections::BTreeMap;
use std::error::Error;

use apply_patch::apply::Recovery;
use apply_patch::format::parse;
use apply_patch::plan;
use apply_patch::run::batch::{Answer, Changed, Given, Row, Source};
use apply_patch::run::{Bytes, Outcome, Report, UnknownValue};
use camino::Utf8PathBuf;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString};

use crate::options::Options;
use crate::report::NativeReport;

/// The changed files, the content of the one file of a row, and the report.
pub(crate) type Native<'py> = (Bound<'py, PyDict>, Option<Bound<'py, PyAny>>, NativeReport);

/// Reads a mapping of files.
pub(crate) fn files(files: &Bound<'_, PyAny>) -> PyResult<BTreeMap<Utf8PathBuf, Given>> {
    let mut read = BTreeMap::new();
    let mut add = |path: Bound<'_, PyAny>, content: Bound<'_, PyAny>| {
        let path = text(&path, "a path of files")?;
        let content = given(&content, &|| format!("files[{path:?}]"))?;
        if read.insert(Utf8PathBuf::from(path), content).is_some() {
            return Err(PyValueError::new_err("files has a path twice"));
        }
        Ok(())
    };
    if let Ok(files) = files.cast::<PyDict>() {
        for (path, content) in files {
            add(path, content)?;
        }
        return Ok(read);
    }
    let Ok(mapping) = files.cast::<PyMapping>() else {
        return Err(wrong_type("files", "a mapping of str to str or bytes", files));
    };
    for item in mapping.items()? {
        let (path, content) = item.extract()?;
        add(path, content)?;
    }
    Ok(read)
}

/// Fewer files are read whatever the patch names.
const FEW: usize = 8;

/// The most paths for which the files that a patch names are chosen.
const CHOOSING: usize = 32;

/// Reads the files that a patch can read, change or collide with; `None` if these may be all.
pub(crate) fn named(
    files: &Bound<'_, PyAny>,
    patch: &str,
    options: &Options,
) -> PyResult<Option<BTreeMap<Utf8PathBuf, Given>>> {
    let Ok(files) = files.cast::<PyDict>() else { return Ok(None) };
    if files.len() <= FEW || !options.run.expect.is_empty() {
        return Ok(None);
    }
    let parsed = parse(patch, &options.run.reading());
    let paths: Vec<String> = plan::paths(&parsed.patch).into_iter().map(Utf8PathBuf::into_string).collect();
    if paths.len() > CHOOSING {
        return Ok(None);
    }
    let mut read = BTreeMap::new();
    let mut has_text = false;
    for (key, content) in files {
        let key = key.cast::<PyString>().map_err(|_| wrong_type("a path of files", "str", &key))?;
        let name = utf8(key, &|| "a path of files".to_owned())?;
        let is_text = content.is_instance_of::<PyString>();
        if !is_text && !content.is_instance_of::<PyBytes>() {
            return Err(wrong_type(&format!("files[{name:?}]"), "str or bytes", &content));
        }
        // New files are text, unless all files are bytes: the first text and the first file tell.
        if concerns(name, &paths) || read.is_empty() || is_text && !has_text {
            read.insert(Utf8PathBuf::from(name), given(&content, &|| format!("files[{name:?}]"))?);
            has_text |= is_text;
        }
    }
    Ok(Some(read))
}

/// Returns whether a file is at, above or below one of the paths, or in a directory of their `a/` and `b/`. A name that is spelled
/// in an unusual way may be any file.
fn concerns(name: &str, paths: &[String]) -> bool {
    let is_above = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_prefixed =
        |path: &str| ["a/", "b/"].iter().any(|prefix| path.starts_with(prefix) && name.starts_with(prefix));
    name.contains('\\')
        || name.split('/').any(|part| matches!(part, "" | "."))
        || paths.iter().any(|path| is_above(name, path) || is_above(path, name) || is_prefixed(path))
}

/// Reads a patch.
pub(crate) fn patch<'a>(patch: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    utf8(patch.cast().map_err(|_| wrong_type("patch", "str", patch))?, &|| "patch".to_owned())
}

/// Reads a text.
fn text(object: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
    let text = object.cast::<PyString>().map_err(|_| wrong_type(what, "str", object))?;
    Ok(utf8(text, &|| what.to_owned())?.to_owned())
}

fn utf8<'a>(text: &'a Bound<'_, PyString>, what: &dyn Fn() -> String) -> PyResult<&'a str> {
    let wrong =
        |error: PyErr| PyValueError::new_err(format!("{} is not text: {}", what(), error.value(text.py())));
    text.to_str().map_err(wrong)
}

/// A content of so many bytes or more is shared with Python. A copy of a shorter content costs less than the release of the object.
const SHARED: usize = 1 << 14;

/// Reads a content.
fn given(object: &Bound<'_, PyAny>, what: &dyn Fn() -> String) -> PyResult<Given> {
    if let Ok(text) = object.cast::<PyString>() {
        let bytes = utf8(text, what)?.as_bytes();
        return Ok(Given::text(if bytes.len() < SHARED {
            Bytes::copy_from_slice(bytes)
        } else {
            Bytes::from_owner(PyBackedStr::try_from(text.clone())?)
        }));
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Given::bytes(if bytes.as_bytes().len() < SHARED {
            Bytes::copy_from_slice(bytes.as_bytes())
        } else {
            Bytes::from_owner(PyBackedBytes::from(bytes.clone()))
        }));
    }
    Err(wrong_type(&what(), "str or bytes", object))
}

fn wrong_type(what: &str, wanted: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let found = object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{what} must be {wanted}, not {found}"))
}

/// A row that was read, and the patch that it borrows.
#[derive(Default)]
pub(crate) struct Held<'py> {
    source: Option<Source>,
    patch: Option<Bound<'py, PyString>>,
    own: Own,
    wrong: Option<String>,
}

/// The options of a row itself.
#[derive(Default)]
struct Own {
    level: Option<String>,
    ambiguity: Option<String>,
    format: Option<String>,
    file: Option<String>,
    strict: Option<bool>,
    overwrite: Option<bool>,
    check: Option<bool>,
}

/// The files of a row, while it is read.
#[derive(Default)]
struct Places {
    files: Option<BTreeMap<Utf8PathBuf, Given>>,
    path: Option<String>,
    text: Option<Given>,
    root: Option<String>,
}

impl<'py> Held<'py> {
    /// Reads a row. What is wrong with it becomes its answer; an exception that is no error, such as an interrupt, is raised.
    pub(crate) fn of(row: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = row.py();
        match Held::read(row) {
            Ok(held) => Ok(held),
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyException>(py) => {
                Ok(Held { wrong: Some(error.value(py).to_string()), ..Held::default() })
            }
            Err(error) => Err(error),
        }
    }

    fn read(row: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(mapping) = row.cast::<PyMapping>() else {
            return Err(wrong_type("a row", "a mapping", row));
        };
        let (mut held, mut places) = (Held::default(), Places::default());
        for item in mapping.items()? {
            let (name, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
            let name = text(&name, "a field of a row")?;
            if !(held.own.read(&name, &value)? || places.read(&name, &value)?) {
                match &*name {
                    "patch" => {
                        let patch = value
                            .cast_into::<PyString>()
                            .map_err(|error| wrong_type("patch", "str", &error.into_inner()))?;
                        held.patch = Some(patch);
                    }
                    "id" => {}
                    _ => return Err(PyValueError::new_err(format!("unknown field {name:?}"))),
                }
            }
        }
        held.source = Some(places.source().map_err(PyValueError::new_err)?);
        Ok(held)
    }

    /// Returns the row, or what is wrong with it.
    pub(crate) fn row(&mut self, options: &Options) -> Result<Row<'_>, String> {
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong);
        }
        let (Some(source), Some(patch)) = (self.source.take(), &self.patch) else {
            return Err("a row has no `patch`".to_owned());
        };
        let patch =
            utf8(patch, &|| "patch".to_owned()).map_err(|error| error.value(patch.py()).to_string())?;
        let own = &self.own;
        let mut row = options.row(source, patch);
        let unknown = |error: UnknownValue| error.to_string();
        if let Some(level) = &own.level {
            row.options.level = level.parse().map_err(unknown)?;
        }
        if let Some(ambiguity) = &own.ambiguity {
            row.options.ambiguity = ambiguity.parse().map_err(unknown)?;
        }
        if let Some(format) = &own.format {
            row.options.format = format.parse().map_err(unknown)?;
        }
        row.options.file = own.file.clone().or(row.options.file);
        row.options.strict = own.strict.unwrap_or(row.options.strict);
        row.options.overwrite = own.overwrite.unwrap_or(row.options.overwrite);
        row.options.check |= own.check == Some(true);
        // The files of a folder come back, as those in memory do.
        row.options.details.contents = true;
        Ok(row)
    }
}

impl Own {
    /// Reads a field; returns `false` for a field that is no option. `None` is an option that is not given.
    fn read(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let word = || if value.is_none() { Ok(None) } else { text(value, name).map(Some) };
        let switch = || {
            let switch: PyResult<Option<bool>> = value.extract();
            switch.map_err(|_| wrong_type(name, "bool", value))
        };
        match name {
            "match" => self.level = word()?,
            "ambiguity" => self.ambiguity = word()?,
            "format" => self.format = word()?,
            "file" => self.file = word()?,
            "strict" => self.strict = switch()?,
            "overwrite" => self.overwrite = switch()?,
            "check" => self.check = switch()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Places {
    /// Reads a field; returns `false` for a field that is no place.
    fn read(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        match name {
            "files" => self.files = Some(files(value)?),
            "path" => self.path = Some(text(value, name)?),
            "text" => self.text = Some(given(value, &|| name.to_owned())?),
            "root" => self.root = Some(text(value, name)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn source(self) -> Result<Source, &'static str> {
        match (self.files, self.path, self.text, self.root) {
            (Some(files), None, None, None) => Ok(Source::Files(files)),
            (None, Some(path), Some(text), None) => Ok(Source::Text { path: path.into(), text }),
            (None, None, None, Some(root)) => Ok(Source::Root(root.into())),
            _ => Err("a row has either `files`, or `path` and `text`, or `root`"),
        }
    }
}

/// Makes an answer with the contents of files on the disk.
pub(crate) fn on_disk(mut report: Report) -> Answer {
    let files = match &mut report.outcome {
        Outcome::Applied(changes) | Outcome::WouldApply(changes) => {
            let contents = changes.files.iter_mut().map(|file| {
                let content = file.content.take();
                let given = |bytes: Bytes| Given { is_text: str::from_utf8(&bytes).is_ok(), bytes };
                Changed { path: file.path.clone(), content: content.map(given) }
            });
            Some(contents.collect())
        }
        _ => None,
    };
    Answer { report, files, text: None }
}

/// Makes Python objects of an answer.
pub(crate) fn native(py: Python<'_>, answer: Answer, budget: usize) -> PyResult<Native<'_>> {
    let Answer { report, files, text } = match answer {
        Answer { report, files: None, text: None } => on_disk(report),
        answer => answer,
    };
    let changed = PyDict::new(py);
    for Changed { path, content } in files.into_iter().flatten() {
        changed.set_item(path.as_str(), content.map(|content| object(py, &content)))?;
    }
    let text = text.flatten().map(|text| object(py, &text));
    Ok((changed, text, NativeReport::new(report, budget)))
}

fn object<'py>(py: Python<'py>, given: &Given) -> Bound<'py, PyAny> {
    match str::from_utf8(&given.bytes) {
        Ok(text) if given.is_text => PyString::new(py, text).into_any(),
        _ => PyBytes::new(py, &given.bytes).into_any(),
    }
}

/// Returns an error with its causes.
pub(crate) fn words(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words.extend([": ", &error.to_string()]);
        cause = error.source();
    }
    words
}

/// Returns what was done with what an interrupted run had left, and the paths.
pub(crate) fn recovery(recovery: Recovery) -> (&'static str, Vec<String>) {
    let (what, paths) = match recovery {
        Recovery::Cleared => ("cleared", Vec::new()),
        Recovery::Finished { paths } => ("finished", paths),
        Recovery::PutBack { paths } => ("put-back", paths),
        _ => ("nothing", Vec::new()),
    };
    (what, paths.into_iter().map(Utf8PathBuf::into_string).collect())
}
