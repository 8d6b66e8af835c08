package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/mutate/driver"
	"contend/checker/plant"
)

var full = flag.Bool("full", false, "build and check a protocol with planted edits")

// TestLists checks that each list is valid, and that its edits fit the source.
func TestLists(t *testing.T) {
	module, err := moduleDir(t.Context())
	require.NoError(t, err)
	lists, err := filepath.Glob(listFile(module, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, lists)
	for _, list := range lists {
		protocol := strings.TrimSuffix(filepath.Base(list), ".txt")
		t.Run(protocol, func(t *testing.T) {
			_, err := os.Stat(filepath.Join(module, packageDir(protocol), "protocol.go"))
			assert.NoError(t, err)
			entries, err := readList(module, protocol)
			require.NoError(t, err)
			for _, e := range entries {
				_, err := plant.Apply(module, e.edits)
				assert.NoError(t, err, e.name)
			}
		})
	}
}

func TestParse(t *testing.T) {
	entries, err := parse(`# a list
bug one: it does not wait
file a.go
- 	if ready {
- 		go
- 	}
+ 	go
- 	count

file ../shared/b.go
- x
+ 
+ y

harmless two: it counts earlier
file a.go
- -
+ +
`, "impl/p")
	require.NoError(t, err)
	assert.Equal(t, []entry{
		{name: "one", title: "it does not wait", edits: []plant.Edit{
			{File: "impl/p/a.go", Old: "\tif ready {\n\t\tgo\n\t}", New: "\tgo"},
			{File: "impl/p/a.go", Old: "\tcount"},
			{File: "impl/shared/b.go", Old: "x", New: "\ny"},
		}},
		{name: "two", title: "it counts earlier", harmless: true, edits: []plant.Edit{{File: "impl/p/a.go", Old: "-", New: "+"}}},
	}, entries)
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "the list has no entry",
		"bug a: b":                           "at the end: a has no edit",
		"bug a: b\nbug c: d":                 "line 2: a has no edit",
		"bug a: b\nfile x.go\n- o\nbug a: c": "line 4: the name a is used twice",
		"bug a: b\n- o":                      "line 2: the text to replace needs a line \"file NAME.go\" above it",
		"bug a: b\nfile x.go\n+ n":           "line 3: the new text needs the text that it replaces above it",
		"bug a: b\nfile x.go\n- \n+ n\n":     "line 5: the text to replace is empty",
		"bug a: b\nfile x.go\n- o\n+ o\n":    "line 5: the new text is the old text: \"o\"",
		"bug a: b\nfile x.go\n- o\n\n+ n":    "line 5: the new text needs the text that it replaces above it",
		"file x.go":                          "line 1: a file needs a line \"bug NAME: TITLE\" above it",
		"bug a: b\nfile x_test.go":           "line 2: x_test.go must be a Go file below impl that is no test",
		"bug a: b\nfile ../../model/x.go":    "line 2: ../../model/x.go must be a Go file below impl that is no test",
		"bug a: b\nfile x.txt":               "line 2: x.txt must be a Go file below impl that is no test",
		"bug Big name: b":                    "line 1: \"bug Big name: b\" is not \"bug NAME: TITLE\", \"harmless NAME: TITLE\", \"file NAME.go\", or a line with - or +",
		"bug a:":                             "line 1: \"bug a:\" is not \"bug NAME: TITLE\", \"harmless NAME: TITLE\", \"file NAME.go\", or a line with - or +",
	} {
		_, err := parse(text, "impl/p")
		assert.EqualError(t, err, want, text)
	}
}

func TestJudge(t *testing.T) {
	row := func(claims ...driver.Claim) driver.Answer { return driver.Answer{Claims: claims} }
	holds := driver.Claim{Name: "c", Verdict: "holds"}
	open := driver.Claim{Name: "c", Verdict: "inconclusive", Limit: "not put to the test"}
	known := driver.Claim{Name: "c", Verdict: "violated", Finding: "f"}
	broken := driver.Claim{Name: "c", Verdict: "violated", Text: "two", Steps: 3}
	other := driver.Claim{Name: "d", Verdict: "holds"}
	for _, c := range []struct {
		name          string
		before, after driver.Answer
		ended         string
		want          outcome
	}{
		{"the same", row(holds), row(holds), "", outcome{}},
		{"violated", row(holds, other), row(broken, other), "", outcome{kind: caught, text: "c, after 3 steps: two"}},
		{"violated before, as a finding", row(known), row(known), "", outcome{}},
		{"violated otherwise than the finding", row(known), row(broken), "", outcome{kind: caught, text: "c, after 3 steps: two"}},
		{"masked", row(holds), row(known), "", outcome{kind: masked, text: "c: the row names the finding f"}},
		{"never put to the test", row(holds), row(open), "", outcome{kind: caught, limit: true, text: "c: not put to the test"}},
		{"open before", row(open), row(open), "", outcome{}},
		{"a new claim fails", row(holds), row(holds, driver.Claim{Name: "no handler fails", Verdict: "violated", Text: "index"}), "", outcome{kind: caught, text: "no handler fails: index"}},
		{"crashed", row(holds), driver.Answer{}, "the program crashes: fatal", outcome{kind: caught, text: "the program crashes: fatal"}},
		{"too long", row(holds), driver.Answer{}, tooLong, outcome{kind: caught, limit: true, text: tooLong}},
		{"refused", row(holds), driver.Answer{Error: "no node"}, "", outcome{kind: caught, text: "the row is refused: no node"}},
		{"the violation, not the limit", row(holds, other), row(driver.Claim{Name: "d", Verdict: "inconclusive", Limit: "states"}, broken), "",
			outcome{kind: caught, text: "c, after 3 steps: two"}},
	} {
		assert.Equal(t, c.want, judge(c.before, c.after, c.ended), c.name)
	}
}

func TestTally(t *testing.T) {
	is := func(k kind) result { return result{outcome: outcome{kind: k}} }
	for _, c := range []struct {
		e    entry
		r    result
		good bool
	}{
		{entry{}, is(caught), true}, {entry{}, is(missed), false}, {entry{}, is(masked), false}, {entry{}, is(misfit), false},
		{entry{harmless: true}, is(caught), false}, {entry{harmless: true}, is(missed), true},
		{entry{harmless: true}, is(masked), false}, {entry{harmless: true}, is(misfit), false},
	} {
		var one tally
		one.add(c.e, c.r)
		assert.Equal(t, c.good, one.good(), "%v %v", c.e, c.r.kind)
	}
}

// TestPlant builds a protocol with a bug, with a harmless edit and with an edit that does not build, and checks its rows.
func TestPlant(t *testing.T) {
	if !*full {
		t.Skip("builds and checks a protocol four times: -full")
	}
	module, err := moduleDir(t.Context())
	require.NoError(t, err)
	entries, err := readList(module, "paxos")
	require.NoError(t, err)
	b, close, err := newBench(t.Context(), module, "paxos")
	require.NoError(t, err)
	defer close()
	for name, want := range map[string]kind{"last-promise-only": caught, "sends-first": missed} {
		one, err := choose(entries, "paxos", name)
		require.NoError(t, err)
		assert.Equal(t, want, b.plant(one[0], false).kind, name)
	}
	for _, e := range []plant.Edit{{File: "impl/paxos/paxos.go", Old: "l.Begun = true", New: "l.Begun = 1"}, {File: "impl/paxos/paxos.go", Old: "nowhere"}} {
		assert.Equal(t, misfit, b.plant(entry{edits: []plant.Edit{e}}, false).kind, e.Old)
	}
}
