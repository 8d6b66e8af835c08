package foreign_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/foreign"
)

// A ledger has a sum in its View, and hidden fields: the last caller, the number of calls (twice), and the
// callers.
type ledger struct {
	sum    int
	last   *model.NodeID
	calls  struct{ first, again int }
	marked map[model.NodeID]bool
}

func (l *ledger) Receive(env model.Env, from model.NodeID, m any) {
	l.sum += m.(add).By
	l.last = &from
	l.calls.first++
	l.calls.again++
	l.marked[from] = true
	env.Send(from, total{l.sum})
}

// profiled returns the profile of a search whose server has a ledger.
func profiled(t *testing.T, edit func(*foreign.Library[*ledger, seen])) string {
	lib := &foreign.Library[*ledger, seen]{
		New:  func() *ledger { return &ledger{marked: map[model.NodeID]bool{}} },
		View: func(l *ledger) seen { return seen{l.sum} },
	}
	edit(lib)
	p := counting(lib.Node, func(n model.Node) int { return n.(*foreign.Node[seen]).View.Sum })
	rows, err := checker.Check(p, model.Check{Claims: []string{"at most nine"}, Config: model.Config{Faults: model.Faults{Duplication: 1}}}, checker.Options{Profile: true})
	require.NoError(t, err)
	return regexp.MustCompile(` +`).ReplaceAllString(rows[0].Profile, " ")
}

// A profile lists by path which values split the states of an object, and which of them no View shows.
func TestSplits(t *testing.T) {
	text := profiled(t, func(*foreign.Library[*ledger, seen]) {})
	_, text, _ = strings.Cut(text, "\nserver: ")
	text, _, _ = strings.Cut(text, "\n\n")
	assert.Equal(t, `WHAT SPLITS ITS STATES VALUES STATES WITHOUT IT, OF 11 DIFFERS IN
last 3 8 no View
sum 6 9 Views
calls.again 4 11 no View
calls.first 4 11 no View
marked 4 11 no View
marked[] 4 11 no View
all that differ in no View 6 `, text)

	without := profiled(t, func(l *foreign.Library[*ledger, seen]) { l.Omit = []string{"last"} })
	assert.Contains(t, without, "WHAT SPLITS ITS STATES VALUES STATES WITHOUT IT, OF 8 DIFFERS IN", "as many as were foretold")
	without = profiled(t, func(l *foreign.Library[*ledger, seen]) { l.Omit = []string{"last", "calls", "marked"} })
	assert.Contains(t, without, "WHAT SPLITS ITS STATES VALUES STATES WITHOUT IT, OF 6 DIFFERS IN", "as many as were foretold")
	assert.NotContains(t, profiled(t, func(l *foreign.Library[*ledger, seen]) {
		l.Snapshot = func(l *ledger) []byte { return []byte{byte(l.sum)} }
	}),
		"WHAT SPLITS")
}

// A node that is down is pending, with its stable state.
func TestProfileOfANodeThatIsDown(t *testing.T) {
	check := restarted
	check.Claims = []string{"at most nine"}
	rows, err := checker.Check(both()["foreign"], check, checker.Options{Profile: true})
	require.NoError(t, err)
	assert.Regexp(t, `\nstored foreign.Node.* +\d+ +\d+\n`, rows[0].Profile)
	assert.Contains(t, rows[0].Profile, "server: WHAT SPLITS ITS STATES")
}
