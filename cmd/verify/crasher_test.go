package main

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/traces"
)

// In a user's own module go test -fuzz finds a bug that no seed shows. The failing input becomes a minimized
// and stored trace, a page, and a run that the tool replays. Then go test fails with this run first until the
// bug is fixed.
func TestFuzzCrashIsMinimisedKeptAndReplayed(t *testing.T) {
	if !*full {
		t.Skip("fuzzing compiles all that a target imports: -full")
	}
	loop := "for s.Held < s.cfg.Grants && len(s.Waiting) > 0 {"
	bug := strings.NewReplacer(loop,
		"for (s.Held < s.cfg.Grants || len(s.Waiting) == 3 && s.Waiting[0] == 3 && s.Waiting[1] == 4 && s.Waiting[2] == 2) && len(s.Waiting) > 0 {")
	m := newModule(t, bug)
	m.write("verify/main.go", `package main

import (
	"contend/checker/verify"
	"contend/model"

	"example.org/mine/starter"
)

func main() { verify.Main([]*model.Protocol{starter.Protocol}) }
`)
	m.tidy()
	out, passes := m.sh("go test ./starter -run '^FuzzProtocol$'")
	require.True(t, passes, out)
	out, passes = m.sh("go test ./starter -run '^$' -fuzz FuzzProtocol -fuzztime 100000x -test.fuzzcachedir=" + t.TempDir())
	require.False(t, passes, out)
	require.Regexp(t, `mutual exclusion is violated by a run of \d+ steps: c\d: it gets the lock`, out)
	require.Contains(t, out, "Failing input written to testdata/fuzz/FuzzProtocol/")
	found := regexp.MustCompile(`an input of \d+ bytes: minimised from \d+ to (\d+) steps.*`).FindStringSubmatch(out)
	require.NotNil(t, found, out)
	kept := regexp.MustCompile(`kept in (\S+)\s+in a browser: (\S+)\s+replayed first by: (.*)`).FindAllStringSubmatch(out, -1)
	require.Len(t, kept, 1, out)
	file, page, command := kept[0][1], kept[0][2], kept[0][3]
	require.Equal(t, "testdata/contend/FuzzProtocol/mutual-exclusion.json", file)
	require.Contains(t, m.read(filepath.Join(m.dir, "starter", page)), "mutual exclusion")

	tr, err := traces.Load(filepath.Join(m.dir, "starter", file))
	require.NoError(t, err)
	require.Equal(t, found[1], strconv.Itoa(len(tr.Steps)))
	require.Equal(t, "12", found[1], "that is the shortest run: five messages arrive and two clients get the lock")
	m.replays(file, found[1])

	crasher := regexp.MustCompile(`Failing input written to (testdata/fuzz/FuzzProtocol/\S+)`).FindStringSubmatch(out)[1]
	out, passes = m.sh("./tool replay starter/" + crasher)
	require.True(t, passes, out)
	require.Regexp(t, `FuzzProtocol/[0-9a-f]{16}: replays: mutual exclusion violated at step \d+`, out)

	out, passes = m.sh(command)
	require.False(t, passes, out)
	require.Regexp(t, `mutual-exclusion.json still breaks mutual exclusion`, out)

	source := filepath.Join(repository(t), "checker/verify/starter/starter.go")
	m.write("starter/starter.go", m.read(source))
	out, passes = m.sh(command + " -v")
	require.True(t, passes, out)
	require.Contains(t, out, "does not replay any more")
	require.Regexp(t, `--- PASS: FuzzProtocol/[0-9a-f]{16}`, out)
}

// If a seed already violates a claim the fuzzer writes no input. The run is still minimized and stored.
func TestFuzzSeedIsMinimisedAndKept(t *testing.T) {
	if !*full {
		t.Skip("fuzzing compiles all that a target imports: -full")
	}
	m := newModule(t, strings.NewReplacer("for s.Held < s.cfg.Grants && len(s.Waiting) > 0 {", "for len(s.Waiting) > 0 {"))
	m.tidy()
	out, passes := m.sh("go test ./starter -run '^$' -fuzz FuzzProtocol -fuzztime 100x -test.fuzzcachedir=" + t.TempDir())
	require.False(t, passes, out)
	require.Contains(t, out, "failure while testing seed corpus entry")
	kept := regexp.MustCompile(`kept in (\S+)\s+in a browser: (\S+)\s+replayed first by: (.*)`).FindAllStringSubmatch(out, -1)
	require.Len(t, kept, 1, out)
	require.FileExists(t, filepath.Join(m.dir, "starter", kept[0][1]))
	require.FileExists(t, filepath.Join(m.dir, "starter", kept[0][2]))
	out, passes = m.sh(kept[0][3])
	require.False(t, passes, out)
	require.Contains(t, out, "still breaks mutual exclusion")
}

// replays checks that the tool of the module replays and shows a trace of its protocol, with the given number
// of steps.
func (m *module) replays(file, steps string) {
	m.t.Helper()
	out, passes := m.sh("go build -o tool ./verify && ./tool replay starter/" + file)
	require.True(m.t, passes, out)
	require.Contains(m.t, out, "replays: mutual exclusion violated at step "+steps)
	out, passes = m.sh("./tool show starter/" + file + " --html page.html")
	require.True(m.t, passes, out)
	require.Contains(m.t, m.read(filepath.Join(m.dir, "page.html")), "mutual exclusion")
}
