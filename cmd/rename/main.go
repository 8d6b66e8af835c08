// Rename changes the path of this module, for example to the path under which it is published:
//
//	go run ./cmd/rename example.org/you/contend
//
// Run it at the top of the repository. It changes the path in every tracked file: in go.mod files, imports,
// tests, transcripts and pages. All changes must be committed before, so that git can show and undo the
// renaming. A second run with the same path changes nothing.
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
