// Heap does the work of package work at each call, and returns the result.
package main

import (
	"strconv"

	"contend/program/native/testdata/heap/work"
	"contend/program/sim"
)

func main() {
	h := work.New()
	for {
		seed, err := strconv.ParseUint(sim.Invoked(), 10, 64)
		if err != nil {
			panic(err)
		}
		sim.Return(h.Do(seed))
	}
}
