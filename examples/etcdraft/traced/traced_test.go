package traced

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/conform"
	"contend/checker/conform/mapping"
	"contend/model"
)

func Test(t *testing.T) { checker.Test(t, Protocol) }

// honest is the log of a cluster of three: go run -tags with_tla ./tracelog -seed 3 -entries 300.
func honest(t *testing.T) string {
	t.Helper()
	log, err := os.ReadFile("testdata/honest.ndjson")
	require.NoError(t, err)
	return string(log)
}

func validate(t *testing.T, log string) *conform.Result {
	t.Helper()
	return validated(t, model.Config{N: 3}, log)
}

func validated(t *testing.T, c model.Config, log string) *conform.Result {
	t.Helper()
	table, err := mapping.Read(Mapping)
	require.NoError(t, err)
	r, err := conform.Validate(Protocol, "", c, conform.Options{Map: table.Entries, Unbuffered: true},
		conform.Source{Name: "log", Reader: bytes.NewReader([]byte(log))})
	require.NoError(t, err)
	return r
}

// A log of the library without a bug is explained, in the order of the file and with a file for each member.
func TestAnHonestLogIsExplained(t *testing.T) {
	log := honest(t)
	require.Equal(t, conform.Explained, validate(t, log).Verdict)
	for _, name := range []string{`"InitState"`, `"ChangeConf"`, `"MsgHeartbeat"`, `"reject":true`} {
		assert.Contains(t, log, name)
	}
	var split string
	for _, member := range []string{"3", "1", "2"} {
		for line := range strings.Lines(log) {
			if _, after, _ := strings.Cut(line, `"nid":"`); after[:1] == member {
				split += line
			}
		}
	}
	require.Len(t, split, len(log))
	assert.Equal(t, conform.Explained, validate(t, split).Verdict)
}

// Each change of one field of one entry is refused, at that entry.
func TestOneChangedField(t *testing.T) {
	log := honest(t)
	all := strings.SplitAfter(log, "\n")
	tried := 0
	for _, c := range []struct{ kind, old, new string }{
		{`"Ready"`, `"vote":"`, `"vote":"1`},
		{`"Commit"`, `"commit":`, `"commit":1`},
		{`"ReceiveAppendEntriesRequest"`, `"log":`, `"log":1`},
		{`"SendAppendEntriesResponse"`, `"log":`, `"log":1`},
		{`"SendAppendEntriesRequest"`, `"MsgApp","term":`, `"MsgApp","term":1`},
		{`"BecomeFollower"`, `"term":`, `"term":1`},
		{`"ApplyConfChange"`, `"newconf":["`, `"newconf":["1`},
		{`"ReceiveRequestVoteResponse"`, `"reject":`, `"reject":!`},
	} {
		for i := 15; i < len(all); i++ {
			if !strings.Contains(all[i], `"name":`+c.kind) || !strings.Contains(all[i], c.old) {
				continue
			}
			changed := append([]string{}, all...)
			if changed[i] = strings.Replace(all[i], c.old, c.new, 1); c.new == `"reject":!` {
				changed[i] = strings.NewReplacer(`"reject":true`, `"reject":false`, `"reject":false`, `"reject":true`).Replace(all[i])
			}
			r := validate(t, strings.Join(changed, ""))
			require.Equal(t, conform.NotExplained, r.Verdict, c.kind)
			assert.Equal(t, i+1, r.Stuck[0].Line, "%s: %s", c.kind, r)
			tried++
			break
		}
	}
	assert.Equal(t, 8, tried)
}

// upstream is the example log in the library's own directory, of a cluster of five that begins with Bootstrap. Five members
// join it.
func upstream(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.etcd.io/raft/v3").Output()
	if err != nil {
		t.Skip("go list does not find the library: ", err)
	}
	log, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "tla", "example.ndjson"))
	if err != nil {
		t.Skip("the library has no example: ", err)
	}
	return string(log)
}

// The library's example log is explained. It is not if one member fewer begins, or one entry is missing.
func TestTheExampleOfTheLibrary(t *testing.T) {
	log := upstream(t)
	c := model.Config{N: 10}
	r := validated(t, c.With(Bootstrap.Is(5)), log)
	require.Equal(t, conform.Explained, r.Verdict, r)
	assert.Equal(t, 4888, r.Entries)
	assert.Empty(t, r.Violations)

	all := strings.SplitAfter(log, "\n")
	r = validated(t, c.With(Bootstrap.Is(4)), strings.Join(all[:200], ""))
	require.Equal(t, conform.NotExplained, r.Verdict)
	assert.Equal(t, 5, r.Stuck[0].Line)

	joins := slices.IndexFunc(all, func(line string) bool { return strings.Contains(line, `"newconf":["2","3","6"]`) })
	require.Positive(t, joins)
	r = validated(t, c.With(Bootstrap.Is(5)), strings.Join(append(slices.Clone(all[:joins]), all[joins+1:joins+400]...), ""))
	assert.Equal(t, conform.NotExplained, r.Verdict)
}

// The page of steps is checked, too.
func TestExact(t *testing.T) { checker.Test(t, Exact) }
