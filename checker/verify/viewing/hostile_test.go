package viewing

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
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
	"contend/checker/sample"
	"contend/checker/verify/tool"
	"contend/impl"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/export"
	"contend/traces/replay"
	"contend/traces/show"
)

var update = flag.Bool("update", false, "rewrite testdata/fuzz")

// valid says of each rendering, by its flag, what is wrong with what it wrote, by the rules of its
// format. One that is not here is not tested, and so refused.
var valid = map[string]func(t *testing.T, text string){
	"html":      scripts(2),
	"porcupine": scripts(1),
	"svg": func(t *testing.T, text string) {
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			require.NoError(t, err)
			if e, is := token.(xml.StartElement); is {
				require.Contains(t, []string{"svg", "title", "desc", "style", "defs", "marker", "path", "g", "line", "rect", "circle", "text", "tspan", "polygon", "polyline"}, e.Name.Local)
			}
		}
	},
	"itf": func(t *testing.T, text string) {
		var got struct {
			Meta   map[string]any `json:"#meta"`
			Vars   []string
			States []map[string]any
		}
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		require.Equal(t, "ITF", got.Meta["format"])
		for _, s := range got.States {
			require.Len(t, s, len(got.Vars)+1)
		}
	},
	"shiviz": func(t *testing.T, text string) {
		pattern := regexp.MustCompile(`^(\S+) (\{.*\})\n.+\n`)
		counts := map[string]int{}
		for text != "" {
			event := pattern.FindStringSubmatch(text)
			require.NotNil(t, event, "%.200q", text)
			var clock map[string]int
			require.NoError(t, json.Unmarshal([]byte(event[2]), &clock))
			counts[event[1]]++
			require.Equal(t, counts[event[1]], clock[event[1]])
			text = text[len(event[0]):]
		}
	},
	"mermaid": func(t *testing.T, text string) {
		require.True(t, strings.HasPrefix(text, "sequenceDiagram\n"))
		for line := range strings.Lines(text) {
			require.Regexp(t, `^(sequenceDiagram|  (accTitle|accDescr): .*|  participant n\d+ as .+|  Note (over|right of|left of) n\d+(,n\d+)?: .*|  n\d+(-|<)[-)>x<]+[+-]?n\d+: .*|  (rect|end|loop|par|activate|deactivate|autonumber|destroy|create)\b.*)\n$`, line)
			require.NotContains(t, line, "<script")
		}
	},
}

// scripts are those that a page has: what comes from a trace makes no more of them, and no element.
func scripts(n int) func(t *testing.T, text string) {
	return func(t *testing.T, text string) {
		require.Equal(t, n, strings.Count(text, "<script"))
		require.Equal(t, n, strings.Count(text, "</script"))
		require.NotContains(t, text, "<img")
	}
}

// rendered holds each rendering of a run against the rules of its format.
func rendered(t *testing.T, p *model.Protocol, run *replay.Run) {
	t.Helper()
	for _, r := range renderings {
		var b bytes.Buffer
		err := r.write(&shown{protocol: p, run: run}, &b, "")
		if _, judged := linearizable(p, run); r.flag == "porcupine" && !judged {
			require.Error(t, err)
			require.Zero(t, b.Len())
			continue
		}
		require.NoError(t, err, r.flag)
		require.Contains(t, valid, r.flag, "no test knows the rules of this rendering")
		valid[r.flag](t, b.String())
	}
	var b bytes.Buffer
	require.NoError(t, draw.New(run).Mermaid(&b))
	valid["mermaid"](t, b.String())
	require.NoError(t, show.Text(io.Discard, run, show.Style{Color: true}))
	require.NoError(t, show.State(io.Discard, run, show.Style{Color: true}))
}

// nasty is text that ends strings, elements, scripts, lines and diagrams where it is not written well.
const nasty = "</script><script>alert(1)</script><img src=x onerror=alert(1)>]]>-->\"'`&;#%%\\ {}\n\r\u2028\u202e\x00\x1b[31m end\nn0->>n1: x"

// Extremes are what a state may hold.
type Extremes struct {
	Text    string
	Least   int64
	Most    uint64
	Named   map[string]int
	Empty   []string
	Perhaps model.Optional[string]
}

var extremes = Extremes{nasty, math.MinInt64, math.MaxUint64, map[string]int{nasty: 1, "": 2, "#map": 3}, nil, model.Some(nasty)}

type hostileClient struct{ Kept Extremes }

func (c *hostileClient) Invoke(env model.Env, op any) {
	c.Kept = extremes
	env.Note(extremes)
	env.Send(1, extremes)
}

func (c *hostileClient) Receive(env model.Env, _ model.NodeID, m any) { env.Return(m) }

type hostileServer struct{ Kept Extremes }

func (s *hostileServer) Receive(env model.Env, from model.NodeID, m any) {
	s.Kept = m.(Extremes)
	env.Deliver(m)
	env.Send(from, m)
}

// hostileProtocol is one whose names, values and claims are all nasty. What it claims is linearizable
// is an object that says the same.
var hostileProtocol = &model.Protocol{
	Name: "hostile", Params: []model.Parameter{model.N.WithDefault(2)},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Types: []any{Extremes{}}, Nodes: []model.NodeSpec{
			{Name: `</script><img src=x> "c"; --> n0`, Role: model.Client, New: func() model.Node { return &hostileClient{} }, Script: []model.Op{{Call: extremes}}},
			{Name: `</script><img src=x>_"c"; --> n0`, Role: model.Server, New: func() model.Node { return &hostileServer{} }},
		}}, nil
	},
	Claims: []model.Claim{{Name: `</script><img src=x> & "all"`, Kind: model.Linearizable, Source: "nowhere", Object: model.Object{
		Name: "echo", Init: nasty, Step: func(state any, _ model.NodeID, op any) []model.Effect {
			return []model.Effect{{State: state, Result: op}}
		},
	}}},
	Checks: []model.Check{{}},
}

// driven is a run by the default choices, kept and read as a trace.
func driven(t *testing.T, p *model.Protocol, c model.Config, most int) *replay.Run {
	t.Helper()
	s, err := p.System("", c)
	require.NoError(t, err)
	claims := judge.Watched(p.Claims[:1])
	w, err := world.New(s, claims, world.Options{Trace: true})
	require.NoError(t, err)
	out := sample.Run(w, sample.Seeded(1), sample.Bounds{MaxSteps: most})
	require.NoError(t, out.Err)
	tr, err := traces.FromRun(traces.New(p, "", c, false, "", ""), w, 1, out.Records)
	require.NoError(t, err)
	tr.Note = "</script><img src=x>"
	var b bytes.Buffer
	require.NoError(t, traces.Write(&b, tr))
	tr, err = traces.Read(&b)
	require.NoError(t, err)
	run, err := replay.Replay(p, tr, claims)
	require.NoError(t, err)
	return run
}

// Names, values and claims that are nasty are text wherever they stand.
func TestHostileTraces(t *testing.T) {
	run := driven(t, hostileProtocol, model.Config{}, 100)
	require.Greater(t, len(run.Records), 3)
	rendered(t, hostileProtocol, run)
	var b bytes.Buffer
	require.NoError(t, export.ShiViz(&b, draw.New(run)))
	hosts := map[string]bool{}
	for i, line := range strings.Split(b.String(), "\n") {
		if name, _, _ := strings.Cut(line, " "); i%2 == 0 && name != "" { // the other lines are the events
			hosts[name] = true
		}
	}
	assert.Len(t, hosts, 2, "two names that differ in what ends a host alone stay two")
}

// A run without a step has every rendering, and so has each prefix of one that breaks a claim.
func TestShortTraces(t *testing.T) {
	for _, steps := range []int{0, 1, 7} {
		run := driven(t, ricartagrawala.Protocol, model.Config{N: 2}, steps)
		run.Records = run.Records[:min(steps, len(run.Records))]
		rendered(t, ricartagrawala.Protocol, run)
	}
}

// FuzzRenderings: whatever run is in the bytes, each rendering of it keeps to the rules of its format.
// The corpus is seeded from testdata/fuzz.
func FuzzRenderings(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := traces.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
		if i < 0 || len(tr.Steps) > 200 {
			return
		}
		p := impl.Suite[i]
		run, err := replay.Replay(p, tr, tool.Watched(p))
		var diverged *replay.Divergence
		if run == nil || err != nil && !errors.As(err, &diverged) {
			return
		}
		require.NoError(t, show.Text(io.Discard, run, show.Style{Color: true}))
		if err == nil { // of one that diverges no picture is made
			rendered(t, p, run)
		}
	})
}

// corpus are the kept runs with which FuzzRenderings begins: of every kind of fault, of liars, of
// histories, timed and untimed.
var corpus = []string{"backoff-lease-delta-lemma-1", "ordering-b-result-theorem-1-linearizable", "maekawa-one-vote-short-lock",
	"bully-two-for-a-while-one-coordinator", "changroberts-network-cut-agreement", "multicast-basic-crash-and-loss-agreement",
	"multicast-unordered-message-duplicated-integrity", "enhancedring-suspects-wrongly-one-coordinator"}

// TestRenderingsCorpus sees to it that the seeds of FuzzRenderings are runs still: a seed that is refused
// tests nothing. -update takes the kept runs anew.
func TestRenderingsCorpus(t *testing.T) {
	dir := filepath.Join("testdata", "fuzz", "FuzzRenderings")
	for _, name := range corpus {
		path := filepath.Join(dir, name)
		if *update {
			data, err := os.ReadFile(filepath.Join("..", "..", "..", "traces", "testdata", name+".json"))
			require.NoError(t, err)
			require.NoError(t, os.MkdirAll(dir, 0o755))
			require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", data), 0o644))
		}
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		quoted := strings.TrimSuffix(strings.TrimPrefix(string(kept), "go test fuzz v1\n[]byte("), ")\n")
		data, err := strconv.Unquote(quoted)
		require.NoError(t, err)
		tr, err := traces.Read(strings.NewReader(data))
		require.NoError(t, err, name)
		i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
		require.GreaterOrEqual(t, i, 0, name)
		run, err := replay.Replay(impl.Suite[i], tr, tool.Watched(impl.Suite[i]))
		require.NoError(t, err, "%s: go test ./checker/verify/viewing -run TestRenderingsCorpus -update writes it anew", name)
		require.NotEmpty(t, run.Records, name)
	}
}
