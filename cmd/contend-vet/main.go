// Command contend-vet reports code in a protocol that handlers must not contain. Run it by
//
//	go run contend/cmd/contend-vet ./...
//
// or, after go install ./cmd/contend-vet in this repository, by go vet -vettool=$(which contend-vet) ./...
//
// Package contend/checker/vet lists the reports.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"contend/checker/vet"
)

func main() {
	if asked(os.Args[1:]) {
		os.Exit(invoke(os.Args[1:]))
	}
	unitchecker.Main(vet.Analyzer)
}

// asked reports whether somebody asks about packages; else go vet asks, about the unit in a file.
func asked(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") && !strings.HasSuffix(arg, ".cfg") })
}

// invoke makes go vet run this program, in another directory if the first argument is -C. It returns its exit
// code.
func invoke(args []string) int {
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "contend-vet:", err)
		return 1
	}
	dir := ""
	if len(args) > 1 && args[0] == "-C" {
		dir, args = args[1], args[2:]
	}
	c := exec.Command("go", append([]string{"vet", "-vettool=" + self}, args...)...)
	c.Dir = dir
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := c.Run(); err != nil && c.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "contend-vet:", err)
		return 1
	}
	return c.ProcessState.ExitCode()
}
