// SPDX-License-Identifier: Apache-2.0

// The common model on goroutines: spawn, call, wait for the children.
package main

import (
	"runtime"
	"sync"
)

// Spawns g, calls f, waits.
func forkJoin(f, g func()) {
	var children sync.WaitGroup
	children.Add(1)
	go func() {
		g()
		children.Done()
	}()
	f()
	children.Wait()
}

// A binary tree with the leaves begin to end - 1; leaf(i) keeps its processor busy.
func treeOfLeaves(begin, end int, leaf func(int)) {
	if end-begin == 1 {
		leaf(begin)
		return
	}
	middle := begin + (end-begin)/2
	forkJoin(func() { treeOfLeaves(middle, end, leaf) }, func() { treeOfLeaves(begin, middle, leaf) })
}

// Spins until done(); where there are fewer processors than workers, others get theirs.
func spinUntil(done func() bool) {
	for turn := 1; !done(); turn++ {
		if turn%4096 == 0 {
			runtime.Gosched()
		}
	}
}

// f(0) ... f(n - 1), each a goroutine of its own.
func spawnEach(n int, f func(int)) {
	var children sync.WaitGroup
	children.Add(n)
	for i := 0; i < n; i++ {
		go func(i int) {
			f(i)
			children.Done()
		}(i)
	}
	children.Wait()
}

// The sum of f(i) for i < n where wanted(i), each a goroutine of its own.
func sumOf(n int, wanted func(int) bool, f func(int) int) int {
	chosen := make([]int, 0, n)
	for i := 0; i < n; i++ {
		if wanted(i) {
			chosen = append(chosen, i)
		}
	}
	spawnEach(len(chosen), func(i int) { chosen[i] = f(chosen[i]) })
	sum := 0
	for _, one := range chosen {
		sum += one
	}
	return sum
}
