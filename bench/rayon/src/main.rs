// SPDX-License-Identifier: Apache-2.0
//! Every problem on Rayon. The program's name says which: bench_<problem>_rayon.

mod bin;
mod clock;
mod elements;
mod empty;
mod every_worker;
mod fib;
mod frame;
mod loops;
mod matmul;
mod memory;
mod queens;
mod sha1;
mod sort;
mod uts;

fn main() {
    let mut words = std::env::args();
    let program = words.next().unwrap_or_default();
    let rest: Vec<String> = words.collect();
    let name = program.rsplit('/').next().unwrap_or_default();
    let problem = name.strip_prefix("bench_").and_then(|s| s.strip_suffix("_rayon")).unwrap_or("");
    let status = match problem {
        "fib" => frame::run::<fib::Fib>(&rest),
        "create-scale" => frame::run::<every_worker::CreateScale>(&rest),
        "latency" => frame::run::<every_worker::Latency>(&rest),
        "diffuse" => frame::run::<every_worker::Diffuse>(&rest),
        "create" => frame::run::<empty::Create>(&rest),
        "flat" => frame::run::<empty::Flat>(&rest),
        "bin" => frame::run::<bin::Bin>(&rest),
        "uts" => frame::run::<uts::Uts>(&rest),
        "loops" => frame::run::<loops::Loops>(&rest),
        "sort" => frame::run::<sort::Sort>(&rest),
        "queens" => frame::run::<queens::Queens>(&rest),
        "matmul" => frame::run::<matmul::Matmul>(&rest),
        _ => {
            eprintln!("{name}: call it by one of its names bench_<problem>_rayon");
            2
        }
    };
    std::process::exit(status);
}
