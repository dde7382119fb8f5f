// SPDX-License-Identifier: Apache-2.0

// The frame of common/bench.hpp again: arguments, repetitions, the check, a JSON line a metric.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const notApplicable = 77

type arguments struct {
	workers, reps, size int
	quick, list         bool
	variant, input      string
}

// The size asked for, or the problem's default.
func (a arguments) sizeOr(full, small int) int {
	if a.size > 0 {
		return a.size
	}
	if a.quick {
		return small
	}
	return full
}

type metric struct {
	name, unit string
	value      float64
}

// What one problem is; see common/bench.hpp for each function. An answer is wrong when it comes
// with an error.
type problem interface {
	rehearsal() problem
	solve() error
	metrics(seconds float64) []metric
}

type kind struct {
	inputs []string
	make   func(arguments) problem
}

func leave(status int, format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(status)
}

func positive(name, text string) int {
	value, err := strconv.Atoi(text)
	if err != nil || value <= 0 {
		leave(2, "%s=%s: not a number; accepted: a positive whole number", name, text)
	}
	return value
}

func parse(words []string) arguments {
	args := arguments{workers: 1, reps: 5}
	for i := 0; i < len(words); i++ {
		name := words[i]
		switch name {
		case "--quick":
			args.quick = true
			continue
		case "--list":
			args.list = true
			continue
		}
		if i++; i == len(words) {
			leave(2, "%s: unknown option, or its value is missing", name)
		}
		switch name {
		case "--workers":
			args.workers = positive(name, words[i])
		case "--reps":
			args.reps = positive(name, words[i])
		case "--size":
			args.size = positive(name, words[i])
		case "--variant":
			args.variant = words[i]
		case "--input":
			args.input = words[i]
		default:
			leave(2, "%s: unknown option", name)
		}
	}
	return args
}

func solveOnce(p problem) ([]metric, error) {
	start := time.Now()
	if err := p.solve(); err != nil {
		return nil, err
	}
	return p.metrics(time.Since(start).Seconds()), nil
}

type line struct {
	Benchmark string    `json:"benchmark"`
	System    string    `json:"system"`
	Version   string    `json:"version"`
	Variant   string    `json:"variant"`
	Input     string    `json:"input"`
	Workers   int       `json:"workers"`
	Metric    string    `json:"metric"`
	Unit      string    `json:"unit"`
	Values    []float64 `json:"values"`
	Compiler  string    `json:"compiler"`
}

// As in common/bench.hpp.
const rehearsedFor = 20 * time.Millisecond

func measure(name string, k kind, args arguments) ([]*line, error) {
	p := k.make(args)
	for end := time.Now().Add(rehearsedFor); ; {
		if _, err := solveOnce(p.rehearsal()); err != nil {
			return nil, err
		}
		if time.Now().After(end) {
			break
		}
	}
	var lines []*line
	byName := map[string]*line{}
	for rep := 0; rep < args.reps; rep++ {
		found, err := solveOnce(p)
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			if byName[m.name] == nil {
				byName[m.name] = &line{name, "goroutines", runtime.Version(), args.variant, args.input,
					args.workers, m.name, m.unit, nil, runtime.Version()}
				lines = append(lines, byName[m.name])
			}
			byName[m.name].Values = append(byName[m.name].Values, m.value)
		}
	}
	return lines, nil
}

const onlyVariant = "goroutine"

// Runs a problem: 0, 1 after a wrong answer; leaves with 2 after a bad argument.
func run(name string, k kind, args arguments) int {
	if args.list {
		for _, input := range k.inputs {
			fmt.Printf("%s\t%s\n", onlyVariant, input)
		}
		return 0
	}
	chosen := []string{}
	for _, input := range k.inputs {
		if args.input == "" || args.input == input {
			chosen = append(chosen, input)
		}
	}
	if len(chosen) == 0 || (args.variant != "" && args.variant != onlyVariant) {
		leave(2, "--variant=%s --input=%s: unknown; accepted: %s %s", args.variant, args.input,
			onlyVariant, strings.Join(k.inputs, ", "))
	}
	runtime.GOMAXPROCS(args.workers)
	args.variant = onlyVariant
	status := 0
	for _, input := range chosen {
		args.input = input
		lines, err := measure(name, k, args)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s goroutines %s: wrong answer: %v\n", name, input, err)
			status = 1
		}
		for _, l := range lines {
			text, _ := json.Marshal(l)
			fmt.Println(string(text))
		}
	}
	return status
}
