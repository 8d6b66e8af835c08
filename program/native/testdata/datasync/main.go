// Datasync syncs the data of a file, and of none.
package main

import (
	"fmt"
	"os"
	"syscall"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	f, err := os.Create("/f")
	if err != nil {
		panic(err)
	}
	_, _ = f.WriteString("text")
	if err := syscall.Fdatasync(int(f.Fd())); err == nil {
		fmt.Fprint(os.Stderr, "synced, ")
	}
	fmt.Fprintln(os.Stderr, syscall.Fdatasync(99))
	select {}
}
