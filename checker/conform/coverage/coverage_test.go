package coverage

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/conform"
	"contend/impl/twophase"
	"contend/model"
)

var config = model.Config{N: 2}

// log is a run in which all commit.
const log = `{"node":"rm1","alarm":{"type":"rmPrepare"},"send":{"to":"tm","type":"Prepared"}}
{"node":"rm2","alarm":{"type":"rmPrepare"},"send":{"to":"tm","type":"Prepared"}}
{"node":"tm","receive":{"from":"rm1","type":"Prepared"}}
{"node":"tm","receive":{"from":"rm2","type":"Prepared"}}
{"node":"tm","alarm":{"type":"tmCommit"},"send":[{"to":"rm1","type":"Commit"},{"to":"rm2","type":"Commit"}]}
{"node":"rm1","receive":{"from":"tm","type":"Commit"}}
{"node":"rm2","receive":{"from":"tm","type":"Commit"}}
`

func report(t *testing.T) (*Report, *model.System) {
	t.Helper()
	s, err := twophase.Protocol.System("", config)
	require.NoError(t, err)
	return New(twophase.Protocol, "", s), s
}

// counted returns the report of a log.
func counted(t *testing.T, log string) *Report {
	t.Helper()
	r, s := report(t)
	result, err := conform.Validate(twophase.Protocol, "", config, conform.Options{Taken: r.Count},
		conform.Source{Name: "log", Reader: bytes.NewReader([]byte(log))})
	require.NoError(t, err)
	require.Equal(t, conform.Explained, result.Verdict)
	require.NoError(t, r.Possible(s))
	r.Logs = 1
	return r
}

// of returns the number of each step, with what it shows.
func of(r *Report) map[string]int {
	all := map[string]int{}
	for _, k := range r.Kinds {
		what := k.Node + ": " + k.Step
		for _, s := range k.Shows {
			what += ", " + s
		}
		all[what] = k.Taken
	}
	return all
}

// Each step of the log is counted, and what random runs take besides is never taken.
func TestCounts(t *testing.T) {
	r := counted(t, log)
	assert.Equal(t, map[string]int{
		"Resource: alarm rmPrepare, note Became, send Prepared": 2,
		"Resource: alarm rmChooseToAbort, note Became":          0,
		"Resource: receive Commit, note Became":                 2,
		"Resource: receive Abort, note Became":                  0,
		"Resource: receive Abort":                               0,
		"Manager: receive Prepared":                             2,
		"Manager: alarm tmCommit, send Commit":                  1,
		"Manager: alarm tmAbort, send Abort":                    0,
	}, of(r))
	assert.Empty(t, r.Unused)
}

// A report in a file is added to the next.
func TestLogsAreAdded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "coverage.json")
	first := counted(t, log)
	require.NoError(t, first.Load(file), "there is none")
	require.NoError(t, first.Save(file))
	second := counted(t, log)
	require.NoError(t, second.Load(file))
	assert.Equal(t, 2, second.Logs)
	for what, n := range of(first) {
		assert.Equal(t, 2*n, of(second)[what], what)
	}
	assert.Len(t, second.Kinds, len(first.Kinds))
}

// A file that is no report of the protocol is refused, and nothing is added.
func TestRefusals(t *testing.T) {
	for file, want := range map[string]string{
		`[]`:                       "it is no coverage of logs: json: cannot unmarshal array into Go value of type coverage.Report",
		`{"schema": 1, "more": 1}`: `it is no coverage of logs: json: unknown field "more"`,
		`{} {}`:                    "there is something after the object",
		`{}`:                       "schema is 0, but must be 1",
		`{"schema": 1}`:            `protocol is "", but must be "twophase"`,
		good(`, "variant": "x"`):   `variant is "x", but must be ""`,
		good(`, "logs": -1`):       "logs is -1, but must be 0 to 9007199254740992",
		good(`, "kinds": [null]`):  "kinds: number 1 needs a node and a step",
		good(`, "kinds": [{}]`):    "kinds: number 1 needs a node and a step",
		good(`, "kinds": [` + crash + `, ` + crash + `]`):                 "kinds: number 2 is there before",
		good(`, "kinds": [` + strings.Replace(crash, "1", "-1", 1) + `]`): "kinds: number 1: taken is -1, but must be 0 to 9007199254740992",
	} {
		r, _ := report(t)
		assert.EqualError(t, r.read([]byte(file)), want)
		assert.Empty(t, r.Kinds)
	}
}

const crash = `{"node": "Resource", "step": "crash", "taken": 1}`

func good(more string) string { return `{"schema": 1, "protocol": "twophase"` + more + `}` }

// Any file is refused, or its numbers are added once for each kind.
func FuzzRead(f *testing.F) {
	f.Add(good(`, "variant": "", "logs": 2, "kinds": [{"node": "Resource", "step": "alarm rmPrepare", "shows": ["send Prepared"], "taken": 3}], "unused": []`))
	f.Add(good(`, "logs": -1`))
	f.Fuzz(func(t *testing.T, file string) {
		r, _ := report(t)
		if err := r.read([]byte(file)); err != nil {
			require.Empty(t, r.Kinds)
			return
		}
		seen := map[string]bool{}
		for _, k := range r.Kinds {
			require.False(t, seen[k.key()] || k.Taken < 0)
			seen[k.key()] = true
		}
	})
}
