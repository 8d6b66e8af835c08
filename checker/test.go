package checker

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/checker/kept"
	"contend/checker/sample"
	"contend/checker/search"
	"contend/checker/vetted"
	"contend/model"
)

// Short is how long each check may take under go test -short, a mutant's too.
const Short = 5 * time.Second

// shortTime is Short, but tests need not wait for it.
var shortTime = Short

// shortSchedules is how many schedules a sampled check runs at most under go test -short.
const shortSchedules = 200

// Test checks a protocol under go test: each of its Checks in a subtest, check1 and so on, each
// mutant in another. A protocol that lists no Checks is checked in its default configuration. A violation fails the test, prints the run and the command that
// shows it again, and leaves the trace in testdata/contend, in a directory of the
// subtest's name, where it is replayed first from then on. The source of the handlers is looked through
// by contend-vet, in the subtest vet; if it cannot run, that subtest is skipped, and says why. A search that hits a limit fails too. It ends before go test's
// own time limit does, and soon after a violation.
//
// Under go test -short each check, also of a mutant, takes at most the time [Short] and samples at most
// 200 schedules, and the source is not looked through. A claim that this time leaves undecided, and a
// mutant that is not caught in it, is logged and does not fail; other limits do.
func Test(t *testing.T, p *model.Protocol) {
	t.Helper()
	if err := (Target{Protocol: p}).Ready(); err != nil {
		t.Fatal(err)
	}
	var tests []string
	checks := p.Checks
	if len(checks) == 0 {
		reading, _ := UsualReading(p, model.Check{})
		checks = []model.Check{{Reading: reading}}
	}
	for i := range checks {
		tests = append(tests, fmt.Sprintf("%s/check%d", t.Name(), i+1))
	}
	vetting, told := vetted.Begin(p, vetUntil(t)), mistakes{}
	t.Run("kept", func(t *testing.T) {
		t.Helper()
		kept.ReplayOthers(t, p, tests)
	})
	t.Run("vet", func(t *testing.T) {
		t.Helper()
		findings, err := vetting()
		for _, finding := range findings {
			t.Error(finding)
		}
		if err != nil {
			t.Skip(err)
		}
	})
	var rows []*Row
	checked := 0 // -run may leave some out
	for i, c := range checks {
		t.Run(path.Base(tests[i]), func(t *testing.T) {
			t.Helper()
			checked++
			rows = append(rows, testCheck(t, p, c, told)...)
		})
	}
	if uncalled := Uncalled(rows); uncalled != "" && checked == len(checks) {
		t.Log(uncalled)
	}
	for _, v := range p.Variants {
		if v.Mutant() {
			t.Run("mutant/"+v.Name, func(t *testing.T) {
				t.Helper()
				testMutant(t, p, v, told)
			})
		}
	}
}

// vetUntil is until when contend-vet may look through the source: half of the time that go test gives.
func vetUntil(t *testing.T) time.Time {
	end, limited := t.Deadline()
	if !limited {
		return time.Time{}
	}
	return time.Now().Add(time.Until(end) / 2)
}

// TestCheck checks one configuration, as [Test] checks each: first it replays the traces that a test
// of this name has kept, and it searches when none of them breaks its claim any more.
func TestCheck(t testing.TB, p *model.Protocol, c model.Check) {
	t.Helper()
	testCheck(t, p, c, mistakes{})
}

func testCheck(t testing.TB, p *model.Protocol, c model.Check, told mistakes) []*Row {
	t.Helper()
	if kept.Own(t, p) {
		return nil
	}
	opt := bounded()
	h := hurried(t, &opt)
	early := savedEarly(t.Name(), &opt)
	rows, err := Check(p, shortened(c), opt)
	if err != nil {
		told.fatal(t, err)
	}
	hint := h.tell(rows)
	for _, row := range rows {
		report(t, p, row, hint, early)
	}
	return rows
}

// savedEarly makes options save a violation as soon as it is found: the search goes on, a sampled run is made smaller, and go test may
// end the test before either is over. It returns the files, by claim, which are filled while the check runs.
func savedEarly(test string, opt *Options) map[string]string {
	files, also := map[string]string{}, opt.Violated
	opt.Violated = func(row *Row, c ClaimResult) {
		files[c.Name] = kept.Save(test, c.Counterexample)
		if also != nil {
			also(row, c)
		}
	}
	return files
}

// shortened is a check with the schedules that it may sample.
func shortened(c model.Check) model.Check {
	if testing.Short() {
		c.Schedules = min(c.Schedules, shortSchedules)
	}
	return c
}

// bounded are the options of a check in a test.
func bounded() Options {
	opt := Options{Seed: 1}
	if testing.Short() {
		opt.Timeout = shortTime
	}
	return opt
}

// report says what came of a row: first what is violated, at its head a handler that fails, since
// that ends the search of all other claims; last, in a line for each limit, what is undecided.
// The hint says what decides a claim that was interrupted; early has the files of violations that were saved before.
func report(t testing.TB, p *model.Protocol, row *Row, hint string, early map[string]string) {
	t.Helper()
	if !row.tested() {
		t.Error("no claim is put to the test")
	}
	for _, c := range worstFirst(row.Claims) {
		t.Logf("%s: %s %s (%d states, %d schedules, %.2fs)", c.Name, c.Verdict, c.Limit, row.States, row.Schedules, row.Seconds)
		switch {
		case c.Verdict == NotClaimed:
			t.Logf("%s is not claimed: %s", c.Name, c.Text)
		case c.excused != "":
			t.Errorf("%s holds here, but the finding %s would excuse a violation: add the configuration to its Holds", c.Name, c.excused)
		case c.Finding != "":
			t.Logf("it is the recorded finding %s", c.Finding)
		case c.Verdict == Violated:
			t.Errorf("%s is violated: %s\n%s", c.Name, c.Text, kept.Keep(t.Name(), p, c.Counterexample, early[c.Name]))
		}
	}
	for _, all := range undecided(row) {
		c := all[0]
		advice := Advice(c.Limit.Code)
		if c.Limit.Code == search.Interrupted {
			advice = hint
		}
		t.Errorf("%s undecided: limit %s; to decide %s: %s; this test alone: %s", subject(all), strings.TrimSuffix(c.Limit.String()+": "+c.Text, ": "), object(all), advice, kept.GoTest(t.Name()))
	}
}

// worstFirst orders claims: a handler that fails, then what else is violated, then the others as they stand.
func worstFirst(claims []ClaimResult) []ClaimResult {
	rank := func(c ClaimResult) int {
		switch {
		case c.Verdict != Violated || c.Finding != "":
			return 2
		case c.Name != model.NoHandlerFails:
			return 1
		}
		return 0
	}
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b ClaimResult) int { return rank(a) - rank(b) })
	return claims
}

// undecided lists the claims that fail a test since a limit left them open, those of one limit together.
func undecided(row *Row) (groups [][]ClaimResult) {
	for _, c := range row.Claims {
		fails := row.Strategy == "exhaustive" && !(testing.Short() && c.Limit.Code == search.Timeout) || c.Limit.Code == Stuck || c.Limit.Code == NoStep
		if c.Verdict != Inconclusive || !fails {
			continue
		}
		i := slices.IndexFunc(groups, func(g []ClaimResult) bool { return g[0].Limit == c.Limit && g[0].Text == c.Text })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// subject names claims as a sentence begins with them, with its verb.
func subject(claims []ClaimResult) string {
	var names []string
	for _, c := range claims {
		names = append(names, c.Name)
	}
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names, ", ") + " are"
}

func object(claims []ClaimResult) string {
	if len(claims) == 1 {
		return "it"
	}
	return "them"
}

// TestMutant checks that a mutant is caught by the claim it names.
func TestMutant(t testing.TB, p *model.Protocol, v model.Variant) {
	t.Helper()
	testMutant(t, p, v, mistakes{})
}

func testMutant(t testing.TB, p *model.Protocol, v model.Variant, told mistakes) {
	t.Helper()
	c := v.Show
	c.Variant, c.Claims = v.Name, []string{v.Breaks}
	opt := bounded()
	opt.NoMinimize = true // nobody looks at the run
	rows, err := Check(p, shortened(c), opt)
	if err != nil {
		told.fatal(t, err)
	}
	late := false
	for _, row := range rows {
		for _, r := range row.Claims {
			if r.Verdict == Violated {
				t.Logf("%s is violated after %d steps: %s", r.Name, r.Steps, r.Text)
				return
			}
			late = late || testing.Short() && r.Verdict == Inconclusive && (r.Limit.Code == search.Timeout || r.Limit.Code == string(sample.Budget))
		}
	}
	if late {
		t.Logf("mutant %s is not caught within what -short allows; in full: %s", v.Name, kept.GoTest(t.Name()))
		return
	}
	t.Errorf("mutant %s escapes: %s is not violated in the check that tries it; its field Show can name one with the sizes and faults that the bug needs; search again: %s", v.Name, v.Breaks, kept.GoTest(t.Name()))
}
