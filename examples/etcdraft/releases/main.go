// Releases checks the same rows with several releases of the library, one after the other:
//
//	go run ./releases                   all releases, in a table
//	go run ./releases v3.6.0 v3.7.0     these
//
// The command is built for each release, from a copy of the glue that is adapted to the names of this
// release: see adapt.go. Releases whose code differs only in comments are checked once.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	flags := flag.NewFlagSet("releases", flag.ExitOnError)
	markdown := flags.Bool("markdown", false, "print the table as Markdown")
	out := flags.String("out", "", "keep the traces of violations in this directory, one directory a release")
	timeout := flags.String("timeout", "5m", "the most time for a cell")
	memory := flags.String("max-memory", "2GiB", "the most memory for a cell")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), "Releases checks the same rows with one release of the library after the other.\n\n"+
			"Usage, from the directory of the module:\n  go run ./releases [flags] [VERSION...]\n\nExample:\n  go run ./releases -markdown v3.5.35 v3.7.0\n\nFlags:\n")
		flags.PrintDefaults()
	}
	_ = flags.Parse(os.Args[1:])
	chosen, err := choose(flags.Args())
	if err != nil {
		fail(2, err)
	}
	columns, err := fill(chosen, *out, os.Stderr, "--timeout", *timeout, "--max-memory", *memory)
	if err != nil {
		fail(70, err)
	}
	if *markdown {
		writeMarkdown(os.Stdout, rows, columns)
	} else {
		writeText(os.Stdout, rows, columns)
	}
}

func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, "releases:", err)
	os.Exit(code)
}

// choose returns the releases of these versions, or all.
func choose(versions []string) ([]Release, error) {
	for _, v := range versions {
		if !slices.ContainsFunc(releases, func(r Release) bool { return r.Version == v }) {
			return nil, fmt.Errorf("there is no release %q: go list -m -versions names them", v)
		}
	}
	return slices.DeleteFunc(slices.Clone(releases), func(r Release) bool {
		return len(versions) > 0 && !slices.Contains(versions, r.Version)
	}), nil
}

// distinct makes a column of all releases with the same code.
func distinct(chosen []Release) ([]column, error) {
	var columns []column
	at := map[string]int{}
	for _, r := range chosen {
		code, err := r.code()
		if err != nil {
			return nil, err
		}
		i, known := at[code]
		if !known {
			i = len(columns)
			at[code], columns = i, append(columns, column{})
		}
		columns[i].releases = append(columns[i].releases, r)
	}
	return columns, nil
}

// fill builds a command for each column and checks all rows with it. Without out, all traces are deleted.
func fill(chosen []Release, out string, progress io.Writer, limits ...string) ([]column, error) {
	dir, err := os.MkdirTemp("", "releases")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if out == "" {
		out = filepath.Join(dir, "traces")
	}
	columns, err := distinct(chosen)
	if err != nil {
		return nil, err
	}
	for i := range columns {
		c := &columns[i]
		version := c.releases[len(c.releases)-1].Version
		if err := c.fill(filepath.Join(dir, version), filepath.Join(out, version), progress, limits...); err != nil {
			return nil, err
		}
	}
	return columns, nil
}

// fill builds the command for the last release of a column, in a directory, and checks all rows.
func (c *column) fill(dir, traces string, progress io.Writer, limits ...string) error {
	command, err := c.releases[len(c.releases)-1].build(".", dir)
	if err != nil {
		c.failed = err.Error()
		fmt.Fprintf(progress, "%s: %s\n", c.name(), c.failed)
		return nil
	}
	for _, r := range rows {
		is, err := r.check(command, traces, limits...)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
		c.cells = append(c.cells, is.String())
		fmt.Fprintf(progress, "%s: %s: %s\n", c.name(), title(r), is)
	}
	return nil
}
