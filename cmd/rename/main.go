// Rename gives this module another path, such as the one under which it is published:
//
//	go run ./cmd/rename example.org/you/contend
//
// It is run at the top of the repository, and changes the path in every tracked file: in go.mod files, imports, tests,
// transcripts and pages. Nothing may be uncommitted, so that git shows and undoes what it did. A second run with the same
// path changes nothing.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "rename: it takes one argument, the new module path, such as example.org/you/contend")
		os.Exit(2)
	}
	changed, err := rename(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "rename:", err)
		os.Exit(2)
	}
	fmt.Printf("%d files changed; git diff shows them, and go vet ./... checks them\n", changed)
}
