package mutate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/mutate/driver"
	"contend/checker/mutate/schemata"
	"contend/model"
)

// What a verdict says of a mutant, beside that of the original.
func TestCompareClaim(t *testing.T) {
	verdict := func(verdict, finding, limit string) driver.Claim {
		return driver.Claim{Name: "lock", Verdict: verdict, Finding: finding, Limit: limit}
	}
	holds, violated, found := verdict("holds", "", ""), verdict("violated", "", ""), verdict("violated", "known", "")
	stopped, sampled := verdict("inconclusive", "", "states: 10"), verdict("inconclusive", "", "schedules")
	for _, c := range []struct {
		was, is driver.Claim
		outcome Outcome
		how     string
	}{
		{holds, holds, Survived, ""},
		{holds, violated, Caught, ByClaim},
		{holds, found, Caught, ByClaim}, // a finding elsewhere, which is not one here
		{holds, driver.Claim{Name: "lock", Verdict: "violated", Lost: true}, Caught, ByFinding},
		{holds, stopped, Limit, ""},
		{holds, verdict("inconclusive", "", "handler"), Caught, ByFailure},
		{sampled, sampled, Survived, ""},
		{sampled, violated, Caught, ByClaim},
		{violated, violated, Survived, ""},
		{violated, holds, Limit, ""},
		{found, found, Survived, ""},
		{found, holds, Caught, ByFinding},
		{found, violated, Caught, ByFinding}, // its trace does not replay any more
		{stopped, stopped, Survived, ""},
		{driver.Claim{}, driver.Claim{Name: model.NoHandlerFails, Verdict: "violated"}, Caught, ByFailure},
	} {
		is := compareClaim(c.was, c.is)
		assert.Equal(t, c.outcome, is.Outcome, "%+v", c)
		assert.Equal(t, c.how, is.How, "%+v", c)
	}
}

// Of what the claims of a row say the strongest counts, and a row without an answer says what it can.
func TestCompare(t *testing.T) {
	original := driver.Answer{Claims: []driver.Claim{{Name: "a", Verdict: "holds"}, {Name: "b", Verdict: "violated", Finding: "f"}}}
	mutant := driver.Answer{Claims: []driver.Claim{{Name: "b", Verdict: "holds"}, {Name: "a", Verdict: "violated", Steps: 5}}}
	assert.Equal(t, Tried{Outcome: Caught, How: ByClaim, By: "a", Steps: 5}, compare(original, mutant, ""))
	mutant.Claims = mutant.Claims[:1]
	assert.Equal(t, Tried{Outcome: Caught, How: ByFinding, By: "b"}, compare(original, mutant, ""))
	assert.Equal(t, Caught, compare(original, driver.Answer{Error: "n is 0"}, "").Outcome)
	assert.Equal(t, Caught, compare(original, driver.Answer{}, crashed).Outcome)
	assert.Equal(t, Tried{Outcome: Limit, By: outOfMemory}, compare(original, driver.Answer{}, outOfMemory))
}

// The handlers of a protocol are mutated with what they use, and not its monitors nor how it is built.
func TestHandlers(t *testing.T) {
	all, err := schemata.Load(".", "contend/impl/tokenring", "contend/checker/verify/starter")
	require.NoError(t, err)
	names := map[string]bool{}
	for _, p := range all {
		for f := range handlers(p) {
			names[p.Name+"."+f.Name.Name] = true
		}
		assert.Equal(t, []string{"Protocol"}, Protocols(p))
	}
	for name, want := range map[string]bool{
		"starter.Invoke": true, "starter.Receive": true, "starter.Observe": false, "starter.build": false,
		"tokenring.take": true, "tokenring.pass": true, "tokenring.build": false, "tokenring.sized": false,
	} {
		assert.Equal(t, want, names[name], name)
	}
}

// A file of accepted mutants has a reason for each.
func TestReadAccepted(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"# a remark\n\nf: a → b\n  equal\n": "f: a → b=equal;",
		"f: a\n\tfirst\n\tsecond\ng: b\n x": "f: a=first second;g: b=x;",
		"f: a\ng: b\n\tx\n":                 `accepted:1: "f: a" has no reason below it`,
		"\tx\n":                             "accepted:1: a reason without a mutant before it",
	} {
		path := filepath.Join(t.TempDir(), "accepted")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		entries, err := readAccepted(path)
		is := ""
		for _, e := range entries {
			is += e.name + "=" + e.reason + ";"
		}
		if err != nil {
			is = strings.TrimPrefix(err.Error(), filepath.Dir(path)+"/")
		}
		assert.Equal(t, want, is, text)
	}
	entries, err := readAccepted(filepath.Join(t.TempDir(), "none"))
	assert.NoError(t, err)
	assert.Empty(t, entries)
}
