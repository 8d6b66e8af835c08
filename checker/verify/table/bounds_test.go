package table

import (
	"slices"
	"strings"
	"testing"
)

// A command line of the usual bounds and then of what a letter changes means the bounds of the letter, as the last of equal
// flags counts.
func TestChanges(t *testing.T) {
	all := []string{
		"p -n 2 --ops 1 --time untimed", "p -n 3 --ops 1 --time untimed", "p -n 3 --ops 1 -f 1 --assume-anyway --time grid", "p/option -n 3 --ops 2 --time untimed",
	}
	base, changed := changes(all)
	if want := "p -n 3 --ops 1 --time untimed"; base != want {
		t.Errorf("the usual bounds are %q, want %q", base, want)
	}
	if want := []string{"-n 2", "", "-f 1 --assume-anyway --time grid", "p/option --ops 2"}; !slices.Equal(changed, want) {
		t.Errorf("the changes are %q, want %q", changed, want)
	}
	for i, change := range changed {
		name, usual, _ := strings.Cut(base, " ")
		if change != "" && !strings.HasPrefix(change, "-") {
			name, change, _ = strings.Cut(change, " ")
		}
		if got, want := meaning(name+" "+usual+" "+change), meaning(all[i]); got != want {
			t.Errorf("%s with %q means %s, not %s", base, changed[i], got, want)
		}
	}
}

// meaning is what a command line means, whatever the order of its flags.
func meaning(line string) string {
	b := parsed(line)
	last := map[string]string{}
	for _, s := range b.settings {
		last[s.flag] = s.String()
	}
	var all []string
	for _, s := range last {
		all = append(all, s)
	}
	slices.Sort(all)
	return b.name + " " + strings.Join(all, " ")
}

// Of groups of bounds, what all have in common is said once, and of each group what it has besides.
func TestListing(t *testing.T) {
	group := func(lines ...string) (all []bound) {
		for _, line := range lines {
			all = append(all, parsed(line))
		}
		return all
	}
	groups := [][]bound{
		group("p --loss 1 --delay 1 -n 2 --time grid", "p --loss 1 --delay 1 -n 3 --time grid"),
		group("q --loss 1 -n 2 --time grid", "q --loss 1 -n 3 --time grid", "q --loss 1 -n 4 --time grid"),
	}
	l := listing{everywhere: []setting{{"--time", "grid"}}, sizes: varying(groups), first: []string{"-n 2"}}
	if want := []string{"-n"}; !slices.Equal(l.sizes, want) {
		t.Errorf("the sizes are told by %q, want %q", l.sizes, want)
	}
	if got, want := l.of(groups), ", with `--loss 1`: `p --delay 1` (also `-n 3`), `q` (also `-n 3`, `-n 4`)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := begin([][]string{{"a", "b"}, {"a", "b", "c"}, {"a", "c"}}), []string{"a"}; !slices.Equal(got, want) {
		t.Errorf("the lists begin with %q, want %q", got, want)
	}
}
