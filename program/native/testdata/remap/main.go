// Remap makes the calls of package calls on its disk.
package main

import (
	"fmt"
	"os"

	"contend/program/native/testdata/remap/calls"
	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	calls.Make("/", func(line string) { fmt.Fprintln(os.Stderr, line) })
	select {}
}
