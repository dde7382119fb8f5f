// SPDX-License-Identifier: Apache-2.0

// create, create-scale, latency, diffuse: the folders of these names say what each is.
package main

import (
	"errors"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

type cost struct{ cycles, ns float64 }

type protocol struct{ turns, repetitions, dropped int }

func measureTurn(how protocol, loop func(int)) cost {
	var first uint64
	var start time.Time
	for i := 0; i < how.repetitions; i++ {
		if i == how.dropped {
			first, start = ticks(), time.Now()
		}
		loop(how.turns)
	}
	cycles, ns := float64(ticks()-first), float64(time.Since(start))
	turns := float64((how.repetitions - how.dropped) * how.turns)
	return cost{cycles / turns, ns / turns}
}

func nsPerTick() float64 {
	start, first := time.Now(), ticks()
	for time.Since(start) < 5*time.Millisecond {
	}
	return float64(time.Since(start)) / float64(ticks()-first)
}

func createLoop(n int, task func()) {
	var children sync.WaitGroup
	for i := 0; i < n; i++ {
		children.Add(1)
		go func() {
			task()
			children.Done()
		}()
		children.Wait()
	}
}

type create struct {
	n          int
	counted    bool
	byProtocol cost
	ns         float64
}

func newCreate(a arguments) problem { return &create{n: a.sizeOr(2_000_000, 200_000)} }

func (p *create) rehearsal() problem { return &create{n: min(p.n, 10_000), counted: true} }

func (p *create) solve() error {
	if p.counted {
		var ran atomic.Int64
		createLoop(p.n, func() { ran.Add(1) })
		if int(ran.Load()) != p.n {
			return fmt.Errorf("%d of %d tasks ran", ran.Load(), p.n)
		}
		return nil
	}
	empty := func() {}
	p.byProtocol = measureTurn(protocol{1000, 31, 5}, func(turns int) { createLoop(turns, empty) })
	start := time.Now()
	createLoop(p.n, empty)
	p.ns = float64(time.Since(start)) / float64(p.n)
	return nil
}

func (p *create) metrics(float64) []metric {
	return []metric{{"time-per-task", "ns", p.ns},
		{"cycles-by-protocol", "cycles", p.byProtocol.cycles},
		{"time-by-protocol", "ns", p.byProtocol.ns}}
}

type createScale struct {
	workers int
	how     protocol
	counted bool
	seen    []cost
}

func newCreateScale(a arguments) problem {
	how := protocol{a.sizeOr(1000, 500), 31, 5}
	if a.quick {
		how.repetitions, how.dropped = 11, 2
	}
	return &createScale{workers: a.workers, how: how}
}

func (p *createScale) rehearsal() problem {
	return &createScale{workers: p.workers, how: protocol{100, 2, 1}, counted: true}
}

func (p *createScale) solve() error {
	var missing, ran atomic.Int64
	missing.Store(int64(p.workers))
	task := func() {}
	if p.counted {
		task = func() { ran.Add(1) }
	}
	p.seen = make([]cost, p.workers)
	treeOfLeaves(0, p.workers, func(leaf int) {
		missing.Add(-1)
		spinUntil(func() bool { return missing.Load() == 0 })
		p.seen[leaf] = measureTurn(p.how, func(turns int) { createLoop(turns, task) })
	})
	expected := int64(p.workers * p.how.turns * p.how.repetitions)
	if p.counted && ran.Load() != expected {
		return fmt.Errorf("%d of %d tasks ran", ran.Load(), expected)
	}
	return nil
}

func (p *createScale) metrics(float64) []metric {
	var mean cost
	slowest := 0.0
	for _, one := range p.seen {
		mean.cycles += one.cycles / float64(p.workers)
		mean.ns += one.ns / float64(p.workers)
		slowest = max(slowest, one.cycles)
	}
	return []metric{{"cycles-per-task", "cycles", mean.cycles}, {"time-per-task", "ns", mean.ns},
		{"cycles-of-slowest", "cycles", slowest}}
}

type latency struct {
	samples, dropped int
	tick             float64
	child, parent    []float64
}

func needTwo(name string, a arguments) {
	if a.workers < 2 {
		leave(notApplicable, "%s: needs two workers", name)
	}
}

func newLatency(a arguments) problem {
	needTwo("latency", a)
	n := a.sizeOr(10_000, 1_000)
	return &latency{samples: n, dropped: n / 10, tick: nsPerTick()}
}

func (p *latency) rehearsal() problem { return &latency{samples: min(p.samples, 20)} }

func begin(own, other *atomic.Bool) uint64 {
	at := ticks()
	own.Store(true)
	spinUntil(other.Load)
	return at
}

func (p *latency) solve() error {
	p.child, p.parent = nil, nil
	for i := 0; i < p.samples; i++ {
		var parent, child atomic.Bool
		var ofParent, ofChild uint64
		start := ticks()
		forkJoin(func() { ofParent = begin(&parent, &child) },
			func() { ofChild = begin(&child, &parent) })
		c, q := int64(ofChild-start), int64(ofParent-start)
		if c < -1000 || q < 0 {
			return errors.New("a task began before its spawn")
		}
		p.child, p.parent = append(p.child, float64(c)), append(p.parent, float64(q))
	}
	return nil
}

func middle(values []float64) float64 {
	sorted := append([]float64(nil), values...)
	sort.Float64s(sorted)
	return sorted[len(sorted)/2]
}

func (p *latency) metrics(float64) []metric {
	var later []float64
	for i := p.dropped; i < p.samples; i++ {
		later = append(later, max(p.child[i], p.parent[i]))
	}
	child, parent, both := middle(p.child[p.dropped:]), middle(p.parent[p.dropped:]), middle(later)
	return []metric{{"child", "cycles", child}, {"parent", "cycles", parent},
		{"later", "cycles", both}, {"child-time", "ns", child * p.tick},
		{"parent-time", "ns", parent * p.tick}, {"later-time", "ns", both * p.tick}}
}

type diffuse struct {
	workers, trials int
	tick            float64
	starts          [][]float64
}

func newDiffuse(a arguments) problem {
	needTwo("diffuse", a)
	return &diffuse{workers: a.workers, trials: a.sizeOr(30, 10), tick: nsPerTick()}
}

func (p *diffuse) rehearsal() problem {
	return &diffuse{workers: p.workers, trials: 2, tick: p.tick}
}

func (p *diffuse) solve() error {
	p.starts = nil
	length := uint64(5e6 / p.tick)
	for i := 0; i < p.trials; i++ {
		seen := make([]float64, p.workers)
		root := ticks()
		treeOfLeaves(0, p.workers, func(leaf int) {
			begun := ticks()
			seen[leaf] = float64(begun-root) * p.tick * 1e-3
			for ticks()-begun < length {
			}
		})
		sort.Float64s(seen)
		if seen[0] <= 0 {
			return errors.New("a leaf did not run")
		}
		p.starts = append(p.starts, seen)
	}
	return nil
}

func (p *diffuse) metrics(float64) []metric {
	var all []metric
	for _, trial := range p.starts {
		for rank, us := range trial {
			all = append(all, metric{fmt.Sprintf("start-%d", rank+1), "us", us})
		}
	}
	return all
}
