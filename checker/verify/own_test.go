package verify

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verify/console"
	"contend/impl/backoff"
	"contend/model"
)

// The parameters of relay. Nothing outside this file knows of hops and pause; tries is
// the name of a parameter of backoff too, with another meaning, range and default.
var (
	hops  = model.Param[int]{Name: "hops", Meaning: "how often a token is passed on", Least: 1, Most: 5, Default: 2}
	pause = model.Param[model.Ticks]{Name: "pause", Meaning: "π, how long a process keeps a token", Symbol: "π", Most: 9, Default: 1}
	turns = model.Param[int]{Name: "tries", Meaning: "tokens", Least: 1, Most: 3, Default: 1}
)

// ownSuite has a protocol with parameters of its own beside one of the real suite.
var ownSuite = []*model.Protocol{backoff.Protocol, relay}

// relay passes tokens around a ring. That none comes to its end is a claim to be refuted.
var relay = &model.Protocol{
	Name: "relay", Title: "tokens in a ring", Source: "nowhere",
	Params: []model.Parameter{model.N.WithMeaning("processes").WithDefault(2), hops, pause, turns},
	Build:  buildRelay,
	Claims: []model.Claim{
		{Name: "stops", Kind: model.Always, Source: "nowhere", Done: true},
		{Name: "endless", Kind: model.Always, Source: "nowhere", Monitor: func(*model.System) model.Monitor { return &silence{} }},
	},
	Checks: []model.Check{{Config: model.Config{}.With(hops.Is(1), pause.Is(0)), Reading: model.Grid}},
	Deep: []model.Check{
		{Config: model.Config{}.With(hops.Is(4)), Reading: model.Grid, Claims: []string{"stops"}},
		{Config: model.Config{}.With(hops.Is(5)), Reading: model.Grid},
	},
}

// A baton is a token that is passed on so many times more.
type baton struct{ Left int }

type relayNode struct {
	hops  int
	pause model.Ticks
	next  model.NodeID
	Kept  []baton
}

func (n *relayNode) Invoke(env model.Env, _ any) {
	env.Send(n.next, baton{n.hops - 1})
	env.Return(nil)
}

func (n *relayNode) Receive(env model.Env, _ model.NodeID, m any) {
	if m.(baton).Left == 0 {
		env.Note(m)
		return
	}
	n.Kept = append(n.Kept, m.(baton))
	env.After(poke{}, model.Exactly(n.pause))
}

func (n *relayNode) Timeout(env model.Env, _ any) {
	for _, t := range n.Kept {
		env.Send(n.next, baton{t.Left - 1})
	}
	n.Kept = nil
}

func buildRelay(c model.Config) (*model.System, error) {
	s := &model.System{Config: c, Network: model.Network{Delay: model.By(1)}, Types: []any{poke{}, baton{}}}
	for i := range c.N {
		spec := model.NodeSpec{Name: fmt.Sprintf("p%d", i+1), Role: model.Peer, New: func() model.Node {
			return &relayNode{hops: hops.Of(c), pause: pause.Of(c), next: model.NodeID((i + 1) % c.N)}
		}}
		if i == 0 {
			for range turns.Of(c) {
				spec.Script = append(spec.Script, model.Op{Call: poke{}, After: model.Exactly(1)})
			}
		}
		s.Nodes = append(s.Nodes, spec)
	}
	return s, nil
}

// A parameter cannot have the name of a flag that is there without it, of any verb.
func TestParametersAreNoOtherFlags(t *testing.T) {
	for _, name := range []string{"json", "claim", "help", "h", "f", "html", "contenders", "duration"} {
		p := *relay
		p.Params = []model.Parameter{model.N, model.Param[int]{Name: name, Meaning: "m", Most: 1}}
		var out bytes.Buffer
		assert.Equal(t, console.ExitUsage, Run([]*model.Protocol{&p}, []string{"list"}, io.Discard, &out), name)
		assert.Contains(t, out.String(), "parameter ", name)
	}
}

// Flags that give the configuration of the listed check change nothing: it is read in the same way. Another configuration is
// read as is usual.
func TestFlagsThatSayWhatIsSo(t *testing.T) {
	rows := func(args ...string) string {
		var out bytes.Buffer
		args = append([]string{"check", "relay", "--json", "--out", t.TempDir()}, args...)
		Run(ownSuite, args, &out, io.Discard)
		assert.Contains(t, out.String(), `"protocol":"relay"`, args)
		return regexp.MustCompile(`"(seconds|bytesPerState)":[0-9.e+-]+|"trace":"[^"]*"`).ReplaceAllString(out.String(), "")
	}
	listed := rows()
	assert.Contains(t, listed, `"time":"grid"`)
	assert.Equal(t, listed, rows("--hops", "1", "--pause", "0"))
	assert.Equal(t, listed, rows("-n", "2", "--hops", "1", "--pause", "0"))
	assert.Contains(t, rows("--hops", "2", "--pause", "0"), `"time":"untimed"`)
	assert.Contains(t, rows("--hops", "1", "--pause", "0", "--time", "untimed"), `"time":"untimed"`)
}

// A row has the reason for a reading of time that was not chosen. A protocol whose listed checks are untimed, of several sizes, is untimed in every size.
func TestReasonForAReading(t *testing.T) {
	p := *relay
	p.Claims = append([]model.Claim{{Name: "in time", Kind: model.Always, Source: "nowhere", Assumes: []model.Assumption{model.Timed}, Monitor: relay.Claims[1].Monitor}}, relay.Claims...)
	note := func(checks []model.Check, args ...string) string {
		p.Checks = checks
		var out bytes.Buffer
		Run([]*model.Protocol{&p}, append([]string{"check", "relay", "--rows", "--out", t.TempDir()}, args...), &out, io.Discard)
		return strings.Join(strings.Fields(out.String()), " ")
	}
	ofSizes := []model.Check{{Config: model.Config{}.With(hops.Is(1))}, {Config: model.Config{}.With(hops.Is(2))}}
	for _, x := range []struct {
		checks []model.Check
		args   []string
		want   []string
	}{
		{ofSizes, nil, []string{"hops=1 π=1 tries=1 untimed"}},
		{ofSizes, []string{"--hops", "1"}, []string{" untimed ", `note: time is not read, as in the listed checks: claim "in time" needs --time grid`}},
		{ofSizes, []string{"--hops", "1", "--claim", "in time"}, []string{" grid ", `note: time is read on the grid: claim "in time" cannot be checked untimed; --time chooses another reading`}},
		{relay.Checks, []string{"--hops", "2"}, []string{" grid ", `note: time is read on the grid: claim "in time"`}},
		{relay.Checks, []string{"--hops", "2", "--claim", "stops"}, []string{" untimed "}},
	} {
		got := note(x.checks, x.args...)
		for _, want := range x.want {
			assert.Contains(t, got, want, x.args)
		}
		assert.Equal(t, len(x.want) > 1, strings.Contains(got, "note: time is"), got)
	}
}

// A run of the tool leaves nothing behind in its process.
func TestRunsLeaveNothingBehind(t *testing.T) {
	held := func() uint64 {
		for range 100 {
			require.Zero(t, Run(ownSuite, []string{"version"}, io.Discard, io.Discard))
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	assert.Less(t, held(), before+1<<20, "bytes after a hundred more")
}
