package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

var head = []string{"BUG", "WHAT IT IS", "CLAIM", "VERDICT", "STEPS", "STATES", "CPU SECONDS", "BOUNDS"}

// cells returns a row of the table.
func (r result) cells(upstream bool) []string {
	verdict := r.Verdict
	switch {
	case r.Limit != "":
		verdict += ", " + r.Limit
	case r.Verdict == "violated" && r.Diverges == "":
		verdict += ", and without the bug as well"
	}
	all := []string{r.Name, r.Models, r.Claim, verdict, number(uint64(r.Steps)), number(r.States), fmt.Sprintf("%.1f", r.CPU.Seconds()), r.Row}
	if upstream {
		all = append(all, failedTests(r.Tests))
	}
	return all
}

func number(n uint64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// failedTests returns the library's tests that fail, for a table.
func failedTests(tests []string) string {
	if len(tests) == 0 {
		return "none"
	}
	return strings.Join(tests, " ")
}

func titles(upstream bool) []string {
	if upstream {
		return append(head[:len(head):len(head)], "THE LIBRARY'S TESTS THAT FAIL")
	}
	return head
}

func writeText(w io.Writer, all []result, upstream bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush()
	line := func(cells []string) { fmt.Fprintln(t, strings.Join(append(cells[:1:1], cells[2:]...), "\t")) }
	line(titles(upstream))
	for _, r := range all {
		line(r.cells(upstream))
	}
}

func writeMarkdown(w io.Writer, all []result, upstream bool) {
	titles := titles(upstream)
	markdownLine(w, lower(titles))
	markdownRule(w, len(titles))
	for _, r := range all {
		cells := quoted(r.cells(upstream)[:len(head)])
		markdownLine(w, append(cells, r.cells(upstream)[len(head):]...))
	}
}

// writeClaim writes the table of one claim that was checked with all bugs, without descriptions of the bugs
// and without the claim.
func writeClaim(w io.Writer, all []result) {
	brief := func(cells []string) []string { return append(cells[:1:1], cells[3:]...) }
	markdownLine(w, lower(brief(head)))
	markdownRule(w, len(head)-2)
	for _, r := range all {
		markdownLine(w, brief(quoted(r.cells(false))))
	}
}

func markdownLine(w io.Writer, cells []string) {
	fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
}

func markdownRule(w io.Writer, columns int) { markdownLine(w, slices.Repeat([]string{"---"}, columns)) }

func lower(titles []string) []string {
	return strings.Split(strings.ToLower(strings.Join(titles, "\n")), "\n")
}

// quoted marks the first and the last cell, a name and bounds, as code.
func quoted(cells []string) []string {
	last := len(cells) - 1
	cells[0], cells[last] = "`"+cells[0]+"`", "`"+cells[last]+"`"
	return cells
}
