package main

import (
	"os"
	"strings"
	"testing"

	"contend/examples/goker"
)

// The table in README.md has all kernels, in their order. Its column for package program/concurrent matches
// the kernels' fields.
func TestReadme(t *testing.T) {
	t.Chdir("..")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _, err := parts(string(text))
	if err != nil {
		t.Fatal(err)
	}
	const others = 3 // the head of the table, the line below it, and the sums
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if len(lines) != len(goker.Kernels)+others {
		t.Fatalf("%d lines for %d kernels", len(lines), len(goker.Kernels))
	}
	for i, k := range goker.Kernels {
		cells := strings.Split(lines[i+2], " | ")
		if cells[0] != "| "+k.Link() || cells[1] != k.What {
			t.Errorf("%s is in the table as %q", k.Name, lines[i+2])
		}
		for j, races := range []bool{true, false} {
			if what, _, _ := strings.Cut(cells[2+j], ", "); what != k.Found(races) && (what != "–" || k.Found(races) != "") {
				t.Errorf("%s: %q, want %q", k.Name, cells[2+j], k.Found(races))
			}
		}
	}
}
