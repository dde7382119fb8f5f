// SPDX-License-Identifier: Apache-2.0

// fib, queens, uts and bin: the folders of these names say what each is.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

type timed struct{}

func (timed) metrics(seconds float64) []metric { return []metric{{"time", "s", seconds}} }

type fib struct{ n int }

func newFib(a arguments) problem { return fib{a.sizeOr(36, 30)} }

func fibNumber(n int) int {
	a, b := 0, 1
	for i := 0; i < n; i++ {
		a, b = b, a+b
	}
	return a
}

func fibTasks(n int) int {
	if n < 2 {
		return n
	}
	var a, b int
	forkJoin(func() { a = fibTasks(n - 1) }, func() { b = fibTasks(n - 2) })
	return a + b
}

func (p fib) rehearsal() problem { return fib{min(p.n, 20)} }

func (p fib) solve() error {
	if found := fibTasks(p.n); found != fibNumber(p.n) {
		return fmt.Errorf("%d, expected %d", found, fibNumber(p.n))
	}
	return nil
}

func (p fib) metrics(seconds float64) []metric {
	return []metric{{"time-per-spawn", "ns", seconds * 1e9 / float64(fibNumber(p.n+1)-1)}}
}

type queens struct {
	timed
	n int
}

const maxQueens = 16

var knownQueens = [maxQueens + 1]int{1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712,
	365596, 2279184, 14772512}

type board struct {
	n, rows int
	column  [maxQueens]int8
}

func (b *board) safe(next int) bool {
	for row := 0; row < b.rows; row++ {
		other, distance := int(b.column[row]), b.rows-row
		if other == next || other == next-distance || other == next+distance {
			return false
		}
	}
	return true
}

func (b board) with(next int) board {
	b.column[b.rows] = int8(next)
	b.rows++
	return b
}

func search(b board) int {
	if b.rows == b.n {
		return 1
	}
	return sumOf(b.n, b.safe, func(next int) int { return search(b.with(next)) })
}

func newQueens(a arguments) problem {
	n := a.sizeOr(13, 10)
	if n > maxQueens {
		leave(2, "--size=%d: too large; accepted: 1 to %d", n, maxQueens)
	}
	return queens{n: n}
}

func (p queens) rehearsal() problem { return queens{n: min(p.n, 8)} }

func (p queens) solve() error {
	if found := search(board{n: p.n}); found != knownQueens[p.n] {
		return fmt.Errorf("%d solutions, expected %d", found, knownQueens[p.n])
	}
	return nil
}

type uts struct {
	timed
	depth    int
	expected count
}

type count struct{ nodes, leaves, depth int }

func (a count) plus(b count) count {
	return count{a.nodes + b.nodes, a.leaves + b.leaves, max(a.depth, b.depth)}
}

type node struct {
	state [20]byte
	depth int
}

const branching = 4.0

func root() node {
	var message [20]byte
	binary.BigEndian.PutUint32(message[16:], 19)
	return node{sha1(message[:]), 0}
}

func (n *node) child(index int) node {
	var message [24]byte
	copy(message[:], n.state[:])
	binary.BigEndian.PutUint32(message[20:], uint32(index))
	return node{sha1(message[:]), n.depth + 1}
}

func (n *node) children(deepest int) int {
	if n.depth >= deepest {
		return 0
	}
	random := binary.BigEndian.Uint32(n.state[16:]) & 0x7fffffff
	p := 1.0 / (1.0 + branching)
	number := math.Floor(math.Log(1-float64(random)/2147483648.0) / math.Log(1-p))
	return min(int(number), 100)
}

func (n *node) itself(children int) count {
	leaves := 0
	if children == 0 {
		leaves = 1
	}
	return count{1, leaves, n.depth}
}

func walk(n *node, deepest int) count {
	number := n.children(deepest)
	sum := n.itself(number)
	for i := 0; i < number; i++ {
		child := n.child(i)
		sum = sum.plus(walk(&child, deepest))
	}
	return sum
}

func searchTree(n *node, deepest int) count {
	number := n.children(deepest)
	sum := n.itself(number)
	found := make([]count, number)
	spawnEach(number, func(i int) {
		child := n.child(i)
		found[i] = searchTree(&child, deepest)
	})
	for _, one := range found {
		sum = sum.plus(one)
	}
	return sum
}

func newUts(a arguments) problem {
	depth := a.sizeOr(10, 8)
	return uts{depth: depth, expected: knownTree(depth)}
}

func knownTree(depth int) count {
	if depth == 10 {
		return count{4130071, 3305118, 10}
	}
	n := root()
	return walk(&n, depth)
}

func (p uts) rehearsal() problem {
	depth := min(p.depth, 5)
	return uts{depth: depth, expected: knownTree(depth)}
}

func (p uts) solve() error {
	n := root()
	if found := searchTree(&n, p.depth); found != p.expected {
		return fmt.Errorf("%v, expected %v", found, p.expected)
	}
	return nil
}

// One block of SHA-1 (FIPS 180-4): what uts/sha1.hpp is to the other systems, not Go's own, which
// uses vector instructions.
func sha1(message []byte) [20]byte {
	var block [64]byte
	copy(block[:], message)
	block[len(message)] = 0x80
	binary.BigEndian.PutUint64(block[56:], uint64(8*len(message)))
	var w [80]uint32
	for t := 0; t < 16; t++ {
		w[t] = binary.BigEndian.Uint32(block[4*t:])
	}
	for t := 16; t < 80; t++ {
		w[t] = bits.RotateLeft32(w[t-3]^w[t-8]^w[t-14]^w[t-16], 1)
	}
	h := [5]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}
	a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
	for t := 0; t < 80; t++ {
		var f, k uint32
		switch {
		case t < 20:
			f, k = b&c|^b&d, 0x5a827999
		case t < 40:
			f, k = b^c^d, 0x6ed9eba1
		case t < 60:
			f, k = b&c|b&d|c&d, 0x8f1bbcdc
		default:
			f, k = b^c^d, 0xca62c1d6
		}
		a, b, c, d, e = bits.RotateLeft32(a, 5)+f+k+e+w[t], a, bits.RotateLeft32(b, 30), c, d
	}
	var digest [20]byte
	for i, word := range [5]uint32{a, b, c, d, e} {
		binary.BigEndian.PutUint32(digest[4*i:], h[i]+word)
	}
	return digest
}

type units struct{ work, span int }

type bin struct {
	cycles             uint64
	rounds, n, workers int
	used               *units
}

var binInputs = []string{"A=750,K=2", "A=23000,K=1"}

func newBin(a arguments) problem {
	if a.input == binInputs[0] {
		return bin{750, 2, a.sizeOr(10, 7), a.workers, &units{}}
	}
	return bin{23000, 1, a.sizeOr(18, 13), a.workers, &units{}}
}

func consume(cycles uint64) {
	start := ticks()
	for ticks()-start < cycles {
	}
}

func (p bin) tree(n int) units {
	consume(p.cycles)
	used := units{1, 1}
	for round := 0; round < p.rounds && n > 0; round++ {
		var a, b units
		forkJoin(func() { a = p.tree(n - 1) }, func() { b = p.tree(n - 1) })
		consume(p.cycles)
		used.work += a.work + b.work + 1
		used.span += max(a.span, b.span) + 1
	}
	return used
}

func power(base, exponent int) int {
	result := 1
	for ; exponent > 0; exponent-- {
		result *= base
	}
	return result
}

// The solutions in bin/problem.hpp.
func (p bin) formula() units {
	k := p.rounds
	work := (3*k*power(2*k, p.n) - (k + 1)) / (2*k - 1)
	if k == 1 {
		return units{work, 2*p.n + 1}
	}
	return units{work, (2*power(k, p.n+1) - (k + 1)) / (k - 1)}
}

func (p bin) rehearsal() problem {
	return bin{p.cycles, p.rounds, min(p.n, 4), p.workers, &units{}}
}

func (p bin) solve() error {
	if *p.used = p.tree(p.n); *p.used != p.formula() {
		return errors.New(fmt.Sprint("work and span ", *p.used, ", expected ", p.formula()))
	}
	return nil
}

func (p bin) metrics(seconds float64) []metric {
	work, span := float64(p.used.work), float64(p.used.span)
	f := p.formula()
	return []metric{{"time", "s", seconds}, {"T1", "units", work}, {"Tinf", "units", span},
		{"T1-formula", "units", float64(f.work)}, {"Tinf-formula", "units", float64(f.span)},
		{"greedy-bound", "x", work / (work/float64(p.workers) + span)}}
}
