package table

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"contend/checker"
	"contend/lab/tables"
)

// A section has the cells that differ first, then open ones, then the others; below them what differs, a
// reason once for all its cells, problems, and, folded, the cells that the text does not have.
func TestSection(t *testing.T) {
	cell := func(name string, v tables.Verdict, why, command string) *tables.Entry {
		return &tables.Entry{
			Kind: tables.Property, Row: "r", Name: name, Printed: "Yes", Verdict: v, Expected: true, Why: why, Command: command,
			Claims: []tables.Result{{Name: name, Verdict: checker.Holds, Command: command}},
		}
	}
	problem := cell("breaks", tables.Agrees, "", "verify check p -n 3")
	problem.Kind, problem.Printed = tables.Problem, `"What if?"`
	got := (&section{cells: []*tables.Entry{
		cell("new", tables.NotPrinted, "", "verify check p -n 2"), problem, cell("right", tables.Agrees, "", "verify check p -n 2"),
		cell("open", tables.Inconclusive, "a limit", "verify check p -n 4"),
		cell("wrong", tables.Differs, "a reason", "verify check p -n 3"), cell("worse", tables.Differs, "a reason", "verify check p -n 2"),
	}}).markdown("")
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^(?:\| |- ")([^|"]+)(?: \||":)`).FindAllStringSubmatch(got, -1) {
		names = append(names, m[1])
	}
	if want := []string{"cell", "wrong", "worse", "open", "right", "What if?"}; !slices.Equal(names, want) {
		t.Errorf("the cells are %q, want %q", names, want)
	}
	for _, want := range []string{
		"| wrong | Yes | holds ≠ [1] | a |\n", "| open | Yes | holds, inconclusive [2] | c |\n", "| right | Yes | holds | b |\n",
		"\n1. a reason. Shown by: a, b.\n2. a limit. Shown by: c.\n", "\n- \"What if?\": breaks holds (a)\n",
		"<summary>Not printed</summary>\n\n- new: holds (b)\n",
		"`p -n 3`, and then:\n\n- a: nothing\n- b: `-n 2`\n- c: `-n 4`\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "Source") {
		t.Errorf("a source that is known is named again in\n%s", got)
	}
}

// Letters go on after z.
func TestLetters(t *testing.T) {
	for i, want := range map[int]string{0: "a", 25: "z", 26: "aa", 27: "ab", 51: "az", 52: "ba"} {
		if got := letter(i); got != want {
			t.Errorf("letter %d is %q, want %q", i, got, want)
		}
	}
}
