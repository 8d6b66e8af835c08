// Command contend-edits writes the file edited_gen.go of a package whose variants are edits of the text of
// its nodes. A package runs it by
//
//	//go:generate go run contend/cmd/contend-edits
//
// Its arguments are directories of packages, by default the current directory. With -check it writes nothing,
// and exits with 1 if a file is stale. Package contend/checker/edits describes the form of an edit.
package main

import (
	"flag"
	"fmt"
	"os"

	"contend/checker/edits"
)

func main() {
	check := flag.Bool("check", false, "write nothing, and exit 1 if a file is not as it would be written")
	flag.Parse()
	dirs := flag.Args()
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	do := edits.Write
	if *check {
		do = edits.Check
	}
	failed := false
	for _, dir := range dirs {
		if err := do(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}
