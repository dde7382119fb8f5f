// SPDX-License-Identifier: Apache-2.0

// Every problem on goroutines. The program's name says which: bench_<problem>_goroutines.
package main

import (
	"os"
	"path/filepath"
	"strings"
)

func main() {
	one := []string{""}
	known := map[string]kind{
		"bin": {binInputs, newBin}, "create": {one, newCreate}, "create-scale": {one, newCreateScale},
		"diffuse": {one, newDiffuse}, "fib": {one, newFib}, "latency": {one, newLatency},
		"queens": {one, newQueens}, "uts": {one, newUts},
	}
	program := filepath.Base(os.Args[0])
	name := strings.TrimSuffix(strings.TrimPrefix(program, "bench_"), "_goroutines")
	chosen, ok := known[name]
	if !ok {
		leave(2, "%s: call it by one of its names bench_<problem>_goroutines", program)
	}
	os.Exit(run(name, chosen, parse(os.Args[1:])))
}
