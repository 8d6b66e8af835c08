// Durable syncs, renames and removes a file, and says on stderr how far it is.
package main

import (
	"fmt"
	"os"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	f, err := os.Create("/f")
	must(err)
	_, err = f.WriteString("text")
	must(err)
	done("written")
	must(f.Sync())
	done("synced")
	must(os.Rename("/f", "/g"))
	done("renamed")
	must(os.Remove("/g"))
	done("removed")
	select {}
}

func done(what string) { fmt.Fprintln(os.Stderr, what) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}
