package page

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/impl/centralized"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/replay"
)

func kept(t *testing.T, p *model.Protocol, name string) *replay.Run {
	t.Helper()
	tr, err := traces.Load(filepath.Join("../testdata", name+".json"))
	require.NoError(t, err)
	run, err := replay.Replay(p, tr, nil)
	require.NoError(t, err)
	return run
}

func written(t *testing.T, run *replay.Run) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Write(&b, run))
	return b.String()
}

// inPage matches the input of the script in a page.
var inPage = regexp.MustCompile(`(?s)<script id="run" type="application/json">(.*?)</script>`)

// steps returns the steps of a strip, unpacked.
func steps(t *testing.T, s strip) (all stripSteps) {
	t.Helper()
	raw := []byte(s.Steps)
	if s.Picture != "" {
		var packed string
		require.NoError(t, json.Unmarshal(raw, &packed))
		raw = unpacked(t, packed)
	}
	require.NoError(t, json.Unmarshal(raw, &all))
	return all
}

func unpacked(t *testing.T, packed string) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(packed)
	require.NoError(t, err)
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(raw)))
	require.NoError(t, err)
	return text
}

// The page has each step with its state, and the claims with their steps.
func TestData(t *testing.T) {
	run := kept(t, centralized.Protocol, "centralized-coordinator-forgets-mutual-exclusion")
	var got data
	require.NoError(t, json.Unmarshal([]byte(inPage.FindStringSubmatch(written(t, run))[1]), &got))
	require.Len(t, got.Lanes, len(run.Records)+1)
	require.Len(t, got.Strips, 1)
	all := steps(t, got.Strips[0]).Steps
	require.Len(t, all, len(run.Records)+1)
	assert.Equal(t, []string{"coordinator", "c1", "c2"}, got.Nodes)
	crash := slices.IndexFunc(all, func(s step) bool { return s.What == "crashes" })
	require.Positive(t, crash)
	assert.Equal(t, &state{Down: true}, all[crash].After)
	back := slices.IndexFunc(all, func(s step) bool { return s.What == "restarts, its memory lost" })
	require.Positive(t, back)
	assert.Equal(t, []field{{"Inside", "none"}}, all[back].After.Fields, "what it knew is gone")
	assert.Contains(t, got.Claims, claim{Name: "mutual exclusion", Step: len(run.Records), Text: run.Trace.Text, Turns: run.Turns["mutual exclusion"]})
	assert.Equal(t, draw.New(run).Before(), got.Before)
}

// Text from a trace is escaped everywhere, and only the page's own script may run.
func TestHostile(t *testing.T) {
	run := kept(t, backoff.Protocol, "backoff-lease-delta-lemma-1")
	hostile := `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&`
	run.Trace.Text, run.Trace.Note, run.Trace.Variant = hostile, hostile, hostile
	run.Trace.Claim = "Lemma 1" + hostile
	run.Watched = append(run.Watched, hostile)
	run.World.System.Nodes[0].Name = hostile
	got := written(t, run)
	assert.NotContains(t, got, "<img")
	assert.NotContains(t, got, "<script>alert")
	assert.Equal(t, 2, strings.Count(got, "<script"), "the data, and the script")
	assert.Equal(t, 2, strings.Count(got, "</script"))
	assert.Contains(t, got, "script-src &#39;sha256-"+strings.ReplaceAll(hash(script), "+", "&#43;"))
	assert.NotRegexp(t, `(?i)(src|href)="(https?:)?//`, got)
}

// A page of two thousand steps is compressed. It is not much larger than its content, though a timed run is
// drawn twice, by steps and to scale. Each strip begins with the last states of the previous strip.
func TestLong(t *testing.T) {
	run := kept(t, backoff.Protocol, "backoff-lease-delta-lemma-1")
	for len(run.Records) < 2000 {
		run.Records = append(run.Records, run.Records[2:7]...)
	}
	page := written(t, run)
	assert.Less(t, len(page), 5<<18)
	var got data
	require.NoError(t, json.Unmarshal([]byte(inPage.FindStringSubmatch(page)[1]), &got))
	next, now := 0, steps(t, got.Strips[0]).Before
	for _, s := range got.Strips {
		assert.Equal(t, next, s.From)
		all := steps(t, s)
		assert.Equal(t, now, all.Before, "before step %d", s.From)
		for i, is := range all.Steps {
			if is.After != nil {
				now[got.Lanes[s.From+i]] = *is.After
			}
		}
		next += len(all.Steps)
		assert.Equal(t, len(all.Steps), bytes.Count(unpacked(t, s.Picture), []byte(`<g class="step"`)))
	}
	assert.Equal(t, len(run.Records)+1, next)
}

// Very long texts are cut, and show their length.
func TestShort(t *testing.T) {
	assert.Equal(t, "as it is", short("as it is"))
	got := short(strings.Repeat("é", 100_000))
	assert.True(t, strings.HasSuffix(got, "é… (100000 letters in all)"))
	assert.Less(t, len(got), 10_000)
}

// The page begins with why the claim broke, and each step that it names is a link.
func TestWhy(t *testing.T) {
	run := kept(t, backoff.Protocol, "backoff-lease-delta-lemma-1")
	got := written(t, run)
	assert.Regexp(t, `<li>s1 answered both: it sent [^<]* to c2 at <a href="#step=2">step 2</a>[^<]* to c1 at <a href="#step=6">step 6</a>`, got)
	assert.Contains(t, got, `class="told"`, "the steps are marked")
	assert.Equal(t, []template.HTML{`<a href="#step=2">step 2</a> &amp; step 3`}, link([]string{"step 2 & step 3"}, 2), "step 3 is none of the run")
}

// The claim that no handler fails is on the page if it is violated. The page opens at the failing step.
func TestFails(t *testing.T) {
	run := kept(t, backoff.Protocol, "backoff-lease-delta-lemma-1")
	run.Trace.Claim = model.NoHandlerFails
	run.World.Violations = []world.Violation{{Claim: model.NoHandlerFails, Text: "it panics", Step: 6}}
	var got data
	require.NoError(t, json.Unmarshal([]byte(inPage.FindStringSubmatch(written(t, run))[1]), &got))
	assert.Contains(t, got.Claims, claim{Name: model.NoHandlerFails, Step: 6, Text: "it panics"})
}
