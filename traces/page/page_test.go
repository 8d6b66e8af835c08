package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/impl/centralized"
	"contend/model"
	"contend/traces"
	"contend/traces/draw"
)

func kept(t *testing.T, p *model.Protocol, name string) *traces.Run {
	t.Helper()
	tr, err := traces.Load(filepath.Join("../testdata", name+".json"))
	require.NoError(t, err)
	run, err := traces.Replay(p, tr, nil)
	require.NoError(t, err)
	return run
}

func written(t *testing.T, run *traces.Run) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Write(&b, run))
	return b.String()
}

// inPage is what the script of a page reads.
var inPage = regexp.MustCompile(`(?s)<script id="run" type="application/json">(.*?)</script>`)

// The page has each step with the state that it left, and says which claims hold when.
func TestData(t *testing.T) {
	run := kept(t, centralized.Protocol, "centralized-coordinator-forgets-mutual-exclusion")
	var got data
	require.NoError(t, json.Unmarshal([]byte(inPage.FindStringSubmatch(written(t, run))[1]), &got))
	require.Len(t, got.Steps, len(run.Records)+1)
	assert.Equal(t, []string{"coordinator", "c1", "c2"}, got.Nodes)
	crash := slices.IndexFunc(got.Steps, func(s step) bool { return s.What == "crashes" })
	require.Positive(t, crash)
	assert.True(t, got.Steps[crash].Down)
	assert.Nil(t, got.Steps[crash].State)
	back := slices.IndexFunc(got.Steps, func(s step) bool { return s.What == "restarts, its memory lost" })
	require.Positive(t, back)
	assert.Equal(t, []field{{"Inside", "none"}}, got.Steps[back].State, "what it knew is gone")
	assert.Contains(t, got.Claims, claim{"mutual exclusion", len(run.Records), run.Trace.Text})
	assert.Equal(t, draw.Of(run).Before(), got.Before)
}

// What comes from a trace is text wherever it stands, and only the page's own script may run.
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
	assert.Contains(t, got, "script-src &#39;sha256-"+strings.ReplaceAll(hashed(script), "+", "&#43;"))
	assert.NotRegexp(t, `(?i)(src|href)="(https?:)?//`, got)
}

// A page of two thousand steps is made at once, and is not much larger than what it says.
func TestLong(t *testing.T) {
	run := kept(t, backoff.Protocol, "backoff-lease-delta-lemma-1")
	for len(run.Records) < 2000 {
		run.Records = append(run.Records, run.Records[2])
	}
	got := written(t, run)
	assert.Less(t, len(got), 4<<20)
	assert.Equal(t, 2001, strings.Count(got, `<g class="step"`))
}

// In a browser the page opens where the claim breaks, and at the step that its address names.
func TestBrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("there is no Chromium here to open the page in; Debian's package is chromium")
	}
	file := filepath.Join(t.TempDir(), "run.html")
	run := kept(t, backoff.Protocol, "backoff-lease-delta-lemma-1")
	require.NoError(t, os.WriteFile(file, []byte(written(t, run)), 0o644))
	last := len(run.Records)
	for hash, want := range map[string][]string{
		"":             {fmt.Sprintf(`>%d of %d<`, last, last), `<li class="broken">Lemma 1, since step 8: `},
		"#step=6":      {fmt.Sprintf(`>6 of %d<`, last), `<li class="kept">Lemma 1<`, `<td>s1</td>`},
		"#step=999999": {fmt.Sprintf(`>%d of %d<`, last, last)},
	} {
		dom := opened(t, browser, "file://"+file+hash)
		for _, w := range want {
			assert.Contains(t, dom, w, "at %q", hash)
		}
		assert.Equal(t, 1, strings.Count(dom, `aria-current="step"`), "at %q", hash)
	}
}

// opened is the page as a browser has it after its script has run.
func opened(t *testing.T, browser, url string) string {
	t.Helper()
	c := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=2000", "--dump-dom", url)
	c.WaitDelay = time.Second
	timer := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	defer timer.Stop()
	dom, err := c.Output()
	require.NoError(t, err)
	return string(dom)
}
