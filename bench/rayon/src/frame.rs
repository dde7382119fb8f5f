// SPDX-License-Identifier: Apache-2.0
//! The frame of common/bench.hpp again: arguments, repetitions, the check, a JSON line a metric.

use std::time::{Duration, Instant};

#[derive(Clone, Default)]
pub struct Arguments {
    pub workers: usize,
    pub reps: usize,
    pub size: usize,
    pub quick: bool,
    pub variant: String,
    pub input: String,
    pub list: bool,
}

impl Arguments {
    /// The size asked for, or the problem's default.
    pub fn size_or(&self, full: usize, small: usize) -> usize {
        match (self.size, self.quick) {
            (0, false) => full,
            (0, true) => small,
            (size, _) => size,
        }
    }
}

pub struct Metric {
    pub name: String,
    pub unit: &'static str,
    pub value: f64,
}

pub fn metric(name: &str, unit: &'static str, value: f64) -> Metric {
    Metric { name: name.to_string(), unit, value }
}

/// What one problem is; see common/bench.hpp for each function.
pub trait Problem: Send {
    const NAME: &'static str;
    const VARIANTS: &'static [&'static str];
    /// Sets of parameters, where there are several.
    const INPUTS: &'static [&'static str] = &[""];
    /// A set that is not among them.
    fn accepts(_input: &str) -> bool {
        false
    }
    /// One of them that --quick has, too.
    fn of_quick(_input: &str) -> bool {
        true
    }
    type Answer: Send;
    fn new(args: &Arguments) -> Self;
    fn rehearsal(&self) -> Self;
    fn prepare(&mut self) {}
    fn solve(&mut self) -> Self::Answer;
    /// Empty when the answer is right.
    fn wrong(&self, answer: &Self::Answer) -> String;
    fn metrics(&self, seconds: f64, answer: &Self::Answer) -> Vec<Metric>;
}

/// "" for what was expected, both numbers otherwise.
pub fn compare<T: PartialEq + std::fmt::Debug>(found: &T, expected: &T) -> String {
    if found == expected {
        String::new()
    } else {
        format!("{found:?}, expected {expected:?}")
    }
}

fn positive(name: &str, text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(value) if value > 0 => Ok(value),
        _ => Err(format!("{name}={text}: not a number; accepted: a positive whole number")),
    }
}

fn parse(words: &[String]) -> Result<Arguments, String> {
    let mut args = Arguments { workers: 1, reps: 5, ..Default::default() };
    let mut rest = words.iter();
    while let Some(name) = rest.next() {
        match name.as_str() {
            "--quick" => args.quick = true,
            "--list" => args.list = true,
            "--workers" | "--reps" | "--size" | "--variant" | "--input" => {
                let value = rest.next().ok_or(format!("{name}: its value is missing"))?;
                match name.as_str() {
                    "--workers" => args.workers = positive(name, value)?,
                    "--reps" => args.reps = positive(name, value)?,
                    "--size" => args.size = positive(name, value)?,
                    "--input" => args.input = value.clone(),
                    _ => args.variant = value.clone(),
                }
            }
            _ => return Err(format!("{name}: unknown option")),
        }
    }
    Ok(args)
}

struct Series {
    metric: Metric,
    values: Vec<f64>,
}

fn add(all: &mut Vec<Series>, metric: Metric) {
    match all.iter_mut().find(|one| one.metric.name == metric.name) {
        Some(one) => one.values.push(metric.value),
        None => all.push(Series { values: vec![metric.value], metric }),
    }
}

fn solve_once<P: Problem>(problem: &mut P) -> Result<Vec<Metric>, String> {
    problem.prepare();
    let start = Instant::now();
    let answer = problem.solve();
    let seconds = start.elapsed().as_secs_f64();
    let wrong = problem.wrong(&answer);
    if wrong.is_empty() {
        Ok(problem.metrics(seconds, &answer))
    } else {
        Err(wrong)
    }
}

/// As in common/bench.hpp.
const REHEARSED_FOR: Duration = Duration::from_millis(20);

fn measure<P: Problem>(args: &Arguments) -> Result<Vec<Series>, String> {
    let mut problem = P::new(args);
    let start = Instant::now();
    loop {
        solve_once(&mut problem.rehearsal())?;
        if start.elapsed() >= REHEARSED_FOR {
            break;
        }
    }
    let mut all = Vec::new();
    for _ in 0..args.reps {
        for metric in solve_once(&mut problem)? {
            add(&mut all, metric);
        }
    }
    Ok(all)
}

fn print<P: Problem>(args: &Arguments, all: &[Series]) {
    for one in all {
        println!(
            "{{\"benchmark\": \"{}\", \"system\": \"rayon\", \"version\": \"{}\", \
             \"variant\": \"{}\", \"input\": \"{}\", \"workers\": {}, \"metric\": \"{}\", \
             \"unit\": \"{}\", \"values\": {:?}, \"compiler\": \"{}\"}}",
            P::NAME,
            env!("RAYON_VERSION"),
            args.variant,
            args.input,
            args.workers,
            one.metric.name,
            one.metric.unit,
            one.values,
            env!("RUSTC_VERSION")
        );
    }
}

/// Sets of parameters that the arguments leave in where none is named.
fn inputs_of<P: Problem>(args: &Arguments) -> Vec<&'static str> {
    P::INPUTS.iter().copied().filter(|input| !args.quick || P::of_quick(input)).collect()
}

fn run_variants<P: Problem>(mut args: Arguments) -> Result<i32, String> {
    let asked = args.input.clone();
    let inputs: Vec<&str> = if asked.is_empty() {
        inputs_of::<P>(&args)
    } else if P::INPUTS.contains(&asked.as_str()) || P::accepts(&asked) {
        vec![asked.as_str()]
    } else {
        Vec::new()
    };
    let chosen: Vec<(&str, &str)> = inputs
        .iter()
        .flat_map(|input| P::VARIANTS.iter().map(move |variant| (*variant, *input)))
        .filter(|(variant, _)| args.variant.is_empty() || args.variant == *variant)
        .collect();
    if chosen.is_empty() {
        let (variant, input) = (&args.variant, &args.input);
        let known = format!("{} {}", P::VARIANTS.join(", "), P::INPUTS.join(", "));
        return Err(format!("--variant={variant} --input={input}: unknown; accepted: {known}"));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.workers)
        .build()
        .map_err(|error| error.to_string())?;
    let mut status = 0;
    for (name, input) in chosen {
        (args.variant, args.input) = (name.to_string(), input.to_string());
        match pool.install(|| measure::<P>(&args)) {
            Ok(all) => print::<P>(&args, &all),
            Err(wrong) => {
                eprintln!("{} rayon {name}: wrong answer: {wrong}", P::NAME);
                status = 1;
            }
        }
    }
    Ok(status)
}

/// The whole of main for one problem: 0, 1 after a wrong answer, 2 after a bad argument.
pub fn run<P: Problem>(words: &[String]) -> i32 {
    let outcome = parse(words).and_then(|args| {
        if args.list {
            for input in inputs_of::<P>(&args) {
                P::VARIANTS.iter().for_each(|name| println!("{name}\t{input}"));
            }
            return Ok(0);
        }
        run_variants::<P>(args)
    });
    outcome.unwrap_or_else(|line| {
        eprintln!("{line}");
        2
    })
}
