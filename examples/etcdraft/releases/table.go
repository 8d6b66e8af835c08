package main

import (
	"fmt"
	"io"
	"strings"
)

// A column is a library: releases with the same code, and the results of the rows with it.
type column struct {
	releases []Release
	failed   string // why its command could not be built, or ""
	cells    []string
}

// name returns the first and the last of its releases.
func (c column) name() string {
	first, last := c.releases[0].Version, c.releases[len(c.releases)-1].Version
	if first == last {
		return first
	}
	return first + " … " + last
}

// writeText prints a block for each row: a table with all columns does not fit into a terminal.
func writeText(w io.Writer, rows []row, columns []column) {
	for i, r := range rows {
		fmt.Fprintln(w, title(r))
		for _, c := range columns {
			fmt.Fprintf(w, "    %-24s  %s\n", c.name(), c.cellText(i))
		}
		if r.known != "" {
			fmt.Fprintf(w, "    known: %s\n", r.known)
		}
	}
}

func title(r row) string {
	if r.claim == "" {
		return r.args + ": all claims"
	}
	return r.args + ": " + r.claim
}

func (c column) cellText(i int) string {
	if c.failed != "" {
		return "does not compile: " + c.failed
	}
	return c.cells[i]
}

func writeMarkdown(w io.Writer, rows []row, columns []column) {
	head, rule := "| row | claim |", "| --- | --- |"
	for _, c := range columns {
		head, rule = head+" "+c.name()+" |", rule+" --- |"
	}
	fmt.Fprintln(w, head)
	fmt.Fprintln(w, rule)
	for i, r := range rows {
		claim := r.claim
		if claim == "" {
			claim = "all"
		}
		fmt.Fprintf(w, "| `%s` | %s |", r.args, claim)
		for _, c := range columns {
			fmt.Fprintf(w, " %s |", strings.ReplaceAll(c.cellText(i), "|", `\|`))
		}
		fmt.Fprintln(w)
	}
}
