package why_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/impl"
	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/why"
)

var update = flag.Bool("update", false, "write the golden files")

// kept returns the traces of the repository that violate a claim, by file.
func kept(t *testing.T) (files []string) {
	t.Helper()
	for _, pattern := range []string{"../testdata/*.json", "../../impl/*/findings/*.json", "../../impl/*/*/findings/*.json"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, found...)
	}
	require.Greater(t, len(files), 400)
	return files
}

func protocolOf(tr *traces.Trace) *model.Protocol {
	i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
	return impl.Suite[i]
}

func replayed(t *testing.T, file string) *replay.Run {
	t.Helper()
	tr, err := traces.Load(file)
	require.NoError(t, err)
	protocol := protocolOf(tr)
	run, err := replay.Replay(protocol, tr, judge.Watched(protocol.Statements()))
	require.NoError(t, err, file)
	return run
}

// The sentences about every stored violation in this repository are in testdata/kept.txt, for people to read:
// go test -update rewrites the file.
func TestKept(t *testing.T) {
	var all strings.Builder
	for _, file := range kept(t) {
		run := replayed(t, file)
		e := why.Explain(run)
		if run.Trace.Claim == "" {
			assert.Empty(t, e.Sentences, file)
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(filepath.ToSlash(file), "../"), "../")
		book := ledgerOf(run)
		fmt.Fprintf(&all, "%s\n%s: %s\n", name, run.Trace.Claim, run.Trace.Text)
		for _, says := range e.Sentences {
			fmt.Fprintf(&all, "- %s\n", says)
			spoken(t, file, e, says, len(run.Records))
			holds(t, file, run, says)
			book = book.further(t, says)
			assert.Empty(t, book.told(says), "%s: %s", file, says)
		}
		all.WriteString("\n")
		assert.NotEmpty(t, e.Sentences, file)
		assert.NotEmpty(t, e.Short, file)
		assert.LessOrEqual(t, len(e.Short), 2, file)
		assert.Subset(t, e.Sentences, e.Short, file)
		assert.True(t, slices.IsSorted(e.Steps), file)
	}
	golden(t, "kept.txt", all.String())
}

// golden compares a text with a golden file, paragraph by paragraph.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	paragraphs := strings.Split(got, "\n\n")
	for i, want := range strings.Split(string(want), "\n\n") {
		require.Less(t, i, len(paragraphs), "go test ./traces/why -update writes it anew")
		require.Equal(t, want, paragraphs[i], "go test ./traces/why -update writes it anew")
	}
	require.Equal(t, string(want), got)
}

var (
	since = regexp.MustCompile(`\(since step (\d+)\)`)
	heeds = regexp.MustCompile(`\(step (\d+)\)`)
	later = regexp.MustCompile(`, sent at (?:step (\d+)|the start), overtook .*, sent at (?:step (\d+)|the start), on the way to (\S+), and arrived at step (\d+)`)
)

// holds checks sentences on steps without effect, on the last write of a field, and on messages that overtook
// others.
func holds(t *testing.T, file string, run *replay.Run, says string) {
	t.Helper()
	record := func(text string) world.Record {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return run.Records[n-1]
	}
	for _, m := range since.FindAllStringSubmatchIndex(says, -1) {
		r := record(says[m[2]:m[3]])
		assert.True(t, slices.ContainsFunc(describe.Diff(r.Before, r.After, run.World.System.Name), func(c describe.Change) bool {
			return strings.HasSuffix(says[:m[0]], c.Field+" "+c.After+" ") || strings.HasSuffix(says[:m[0]], "… ")
		}), "%s: %s", file, says)
	}
	if m := later.FindStringSubmatch(says); m != nil {
		r := record(m[4])
		assert.Equal(t, model.Deliver, r.Move.Kind, "%s: %s", file, says)
		assert.Equal(t, m[3], run.World.System.Name(r.Node), "%s: %s", file, says)
		assert.Equal(t, m[1], strconv.Itoa(r.Move.Event.BornStep), "%s: %s", file, says)
		second, _ := strconv.Atoi(m[2]) // 0 is the start
		assert.Less(t, second, r.Move.Event.BornStep, "%s: %s", file, says)
	}
	if list, is := strings.CutPrefix(says, "Nothing came of "); is {
		for _, m := range heeds.FindAllStringSubmatch(list, -1) {
			r := record(m[1])
			assert.Empty(t, r.Sent, "%s: %s", file, says)
			assert.Empty(t, r.Observations, "%s: %s", file, says)
			assert.Empty(t, describe.Diff(r.Before, r.After, run.World.System.Name), "%s: %s", file, says)
		}
	}
}

var steps = regexp.MustCompile(`\bstep (\d+)( \(to come\))?`)

// spoken checks that the steps in a sentence exist and are listed.
func spoken(t *testing.T, file string, e why.Explanation, says string, last int) {
	t.Helper()
	for _, m := range steps.FindAllStringSubmatch(says, -1) {
		n, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		if m[2] != "" {
			assert.Greater(t, n, last, file)
			continue
		}
		assert.LessOrEqual(t, n, last, file)
		assert.Contains(t, e.Steps, n, file)
	}
}
