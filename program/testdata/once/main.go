// Once makes a file where there is none, and exits where there is one.
package main

import (
	"os"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	if _, err := os.Stat("/made"); err == nil {
		os.Exit(1)
	}
	f, err := os.Create("/made")
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		panic(err)
	}
	sim.Note("made")
	select {}
}
