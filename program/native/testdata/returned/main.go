// Program returned tells whether memory is zero that was given back to the system and is used again.
package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"contend/program/sim"
)

func main() {
	for sim.Invoked() != "" {
		dirty()
		debug.FreeOSMemory()
		sim.Return(fmt.Sprintf("%d bytes are not zero", strings.Count(used(), "x")))
	}
}

var kept [][]byte

const objects, size = 512, 32 << 10

// dirty uses memory, and leaves it to the collector.
func dirty() {
	for range objects {
		b := make([]byte, size)
		for i := range b {
			b[i] = 'x'
		}
		kept = append(kept, b)
	}
	kept = nil
}

// used returns what is in as much memory.
func used() string {
	var all strings.Builder
	for range objects {
		b := make([]byte, size)
		kept = append(kept, b)
		all.Write(b)
	}
	kept = nil
	return all.String()
}
