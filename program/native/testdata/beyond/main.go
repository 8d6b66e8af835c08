// Beyond makes the calls of package calls on its disk. Then each call of its application changes the length of a file or reads a mapping of it.
package main

import (
	"fmt"
	"os"
	"syscall"

	"contend/program/native/testdata/beyond/calls"
	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	calls.Make("/", func(line string) { fmt.Fprintln(os.Stderr, line) })
	f, err := os.Create("/mapped")
	if err == nil {
		err = f.Truncate(calls.Page)
	}
	b, bad := syscall.Mmap(int(f.Fd()), 0, 2*calls.Page, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil || bad != nil {
		panic(fmt.Sprint(err, bad))
	}
	for {
		switch sim.Invoked() {
		case "grow":
			sim.Return(fmt.Sprint(f.Truncate(2 * calls.Page)))
		case "shrink":
			sim.Return(fmt.Sprint(f.Truncate(calls.Page)))
		case "read":
			sim.Return(calls.Read(b, calls.Page))
		case "fail":
			sim.Return(fmt.Sprint(b[calls.Page]))
		}
	}
}
