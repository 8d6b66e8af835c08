package conform

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/impl"
	"contend/impl/twophase"
	"contend/model"
	"contend/traces/replay"
)

// Logs of runs of the suite are explained, also without some kinds of entries, by runs that replay.
func TestOwnRunsAreExplained(t *testing.T) {
	kinds := map[string][]string{"all": nil, "no sends": {"send"}, "no alarms": {"alarm"}, "no states": {"after"}, "no notes, calls, results": {"note", "call", "result"}}
	checked, tried := 0, 0
	for _, p := range impl.Suite {
		c := p.Filled(p.Checks[0].Config)
		s, err := p.System("", c)
		require.NoError(t, err)
		if s.Informs() != nil {
			continue
		}
		for name, without := range kinds {
			tried++
			tr := drawn(t, p, "", c, rand.New(rand.NewPCG(uint64(len(name)), 1)), 20)
			all := lines(logged(t, p, tr))
			var left []members
			for _, m := range all {
				for _, field := range without {
					delete(m, field)
				}
				if len(m) > 1 {
					left = append(left, m)
				}
			}
			r := check(t, p, "", c, Options{MaxStates: 500}, unlines(left))
			if len(without) == 0 {
				require.Equal(t, Explained, r.Verdict, "%s: %s", p.Name, reasons(r))
			}
			require.NotEqual(t, NotExplained, r.Verdict, "%s, %s: %s", p.Name, name, reasons(r))
			if r.Verdict == Explained {
				checked++
				_, err := replay.Replay(p, r.Trace, nil)
				require.NoError(t, err, "%s, %s", p.Name, name)
			}
		}
	}
	t.Log(checked, "of", tried, "explained")
	require.Greater(t, 4*checked, 3*tried)
}

const committed = `{"node":"tm","start":true}
{"node":"rm1","start":true}
{"node":"rm1","alarm":{"type":"rmPrepare"},"send":{"to":"tm","type":"Prepared"}}
{"node":"rm2","alarm":{"type":"rmPrepare"},"send":{"to":"tm","type":"Prepared"},"note":{"type":"Became","value":{"State":"prepared"}}}
{"node":"tm","receive":{"from":"rm1","type":"Prepared"}}
{"node":"tm","receive":{"from":"rm2","type":"Prepared"},"after":{"Prepared":{"rm1":true,"rm2":true}}}
{"node":"tm","alarm":{"type":"tmCommit"},"before":{"State":"working"},"send":[{"to":"rm1","type":"Commit"},{"to":"rm2","type":"Commit"}]}
{"node":"rm1","receive":{"from":"tm","type":"Commit"},"after":{"State":"committed"}}
{"node":"rm2","receive":{"from":"tm","type":"Commit"},"after":{"State":"committed"},"note":{"type":"Became","value":{"State":"committed"}}}
`

// noted returns the log with the notes of all nodes.
func noted() string {
	log := strings.ReplaceAll(committed, `"alarm":{"type":"rmPrepare"},"send":{"to":"tm","type":"Prepared"}}`,
		`"alarm":{"type":"rmPrepare"},"send":{"to":"tm","type":"Prepared"},"note":{"type":"Became","value":{"State":"prepared"}}}`)
	return strings.ReplaceAll(log, `"after":{"State":"committed"}}`, `"after":{"State":"committed"},"note":{"type":"Became","value":{"State":"committed"}}}`)
}

// Each change of a log is refused at the entry that it changes, or at the first that depends on it.
func TestChangedLogs(t *testing.T) {
	log := noted()
	c := model.Config{N: 2}
	require.Equal(t, Explained, check(t, twophase.Protocol, "", c, Options{}, log).Verdict)
	for name, x := range map[string]struct {
		from, to string // "" drops the line that has from
		line     int
		field    string
		reason   string
	}{
		"sent type":     {`"to":"rm2","type":"Commit"`, `"to":"rm2","type":"Abort"`, 7, "type", "the page sends Commit{} to rm2"},
		"sent to":       {`"to":"rm1","type":"Commit"`, `"to":"tm","type":"Commit"`, 7, "to", "the page sends Commit{} to rm1"},
		"state after":   {`{"rm1":true,"rm2":true}`, `{"rm1":true}`, 6, "Prepared", "after it, Prepared is {\"rm1\":true} in the log, and {rm1: true, rm2: true} on the page"},
		"state before":  {`"before":{"State":"working"}`, `"before":{"State":"prepared"}`, 7, "State", `before it, State is "prepared" in the log, and working on the page`},
		"alarm":         {`tmCommit`, `tmAbort`, 7, "type", "the page sends Abort{} to rm1"},
		"sender":        {`"receive":{"from":"rm2"`, `"receive":{"from":"rm1"`, 6, "", "no message from rm1 is in flight"},
		"note":          {`"State":"prepared"}}}` + "\n" + `{"node":"tm"`, `"State":"aborted"}}}` + "\n" + `{"node":"tm"`, 4, "State", "the page notes Became{prepared}"},
		"dropped send":  {`,"send":[{"to":"rm1","type":"Commit"},{"to":"rm2","type":"Commit"}]`, ``, 0, "", "before that, the page has something else to show"},
		"dropped entry": {`{"node":"rm2","alarm"`, "", 6, "", "no message from rm2 is in flight"},
	} {
		changed := strings.Replace(log, x.from, x.to, 1)
		if name == "dropped entry" {
			all := strings.SplitAfter(log, "\n")
			changed = strings.Join(all[:3], "") + "\n" + strings.Join(all[4:], "")
		}
		require.NotEqual(t, log, changed, name)
		r := check(t, twophase.Protocol, "", c, Options{}, changed)
		require.Equal(t, NotExplained, r.Verdict, name)
		assert.Equal(t, x.line, r.Stuck[0].Line, "%s: %s", name, reasons(r))
		assert.Equal(t, x.field, r.Stuck[0].Field, name)
		assert.Equal(t, x.reason, r.Stuck[0].Reason, name)
	}
}

// A killed node loses the end of its log. That is no false alarm where entries may be missing.
func TestGaps(t *testing.T) {
	c := model.Config{N: 2}
	without := strings.Replace(committed, `{"node":"tm","alarm":{"type":"tmCommit"},"before":{"State":"working"},"send":[{"to":"rm1","type":"Commit"},{"to":"rm2","type":"Commit"}]}`+"\n", "%", 1)
	without = strings.ReplaceAll(without, `,"note":{"type":"Became","value":{"State":"prepared"}}`, "")
	without = strings.ReplaceAll(without, `,"note":{"type":"Became","value":{"State":"committed"}}`, "")
	at := func(instead string) string { return strings.Replace(without, "%", instead, 1) }
	again := `{"node":"tm","start":true,"send":[{"to":"rm1","type":"Commit"},{"to":"rm2","type":"Commit"}]}` + "\n"
	for name, x := range map[string]struct {
		log  string
		open bool
		want Verdict
	}{
		"missing":              {at(""), false, NotExplained},
		"open-ended":           {at(""), true, Explained},
		"gap":                  {at(`{"node":"tm","gap":true}` + "\n"), false, Explained},
		"restart":              {at(again), false, Explained},
		"crash and restart":    {at(`{"node":"tm","crash":true}` + "\n" + again), false, Explained},
		"restart, no decision": {at(`{"node":"tm","start":true,"after":{"State":"working"}}` + "\n"), false, NotExplained},
	} {
		r := check(t, twophase.Protocol, "", c, Options{OpenEnded: x.open}, x.log)
		require.Equal(t, x.want, r.Verdict, "%s: %s %s", name, r.Limit, reasons(r))
	}
}

func TestBadLogs(t *testing.T) {
	for name, x := range map[string]struct{ log, want string }{
		"no entries":     {"\n", "the logs have no entries"},
		"no object":      {"3", "log: line 1: 3 is not an object"},
		"no JSON":        {"{", "log: line 1: { is not an object"},
		"no node":        {"{}", "log: line 1: field node is missing"},
		"other node":     {`{"node":"rm9"}`, `log: line 1: node: "rm9" is not a node of the protocol`},
		"unknown field":  {`{"node":"tm","time":3}`, "log: line 1: time: the field is not known; --ignore time leaves it out"},
		"unknown type":   {`{"node":"tm","alarm":{"type":"x"}}`, `log: line 1: alarm: type "x" is not one of the protocol's`},
		"unknown state":  {`{"node":"tm","after":{"Stat":1}}`, `log: line 1: after: twophase.Manager has no field "Stat"`},
		"unknown value":  {`{"node":"tm","after":{"State":"gone"}}`, `log: line 1: after: State: "gone" is not a value of twophase.State`},
		"two steps":      {`{"node":"tm","start":true,"crash":true}`, "log: line 1: start: an entry has one step, but there are two"},
		"unknown member": {`{"node":"tm","send":{"type":"Commit","at":1}}`, `log: line 1: send: field "at" is not known: a value has a type and a value`},
		"not true":       {`{"node":"tm","gap":1}`, "log: line 1: gap: 1 is not true"},
		"long line":      {`{"node":"` + strings.Repeat("x", maxLine) + `"}`, "log: line 1: it has more than 1048576 bytes"},
	} {
		_, err := Validate(twophase.Protocol, "", model.Config{N: 2}, Options{}, source("log", x.log))
		require.EqualError(t, err, x.want, name)
	}
	r, err := Validate(twophase.Protocol, "", model.Config{N: 2}, Options{Ignore: []string{"time"}}, source("log", `{"node":"tm","time":3}`))
	require.NoError(t, err)
	require.Equal(t, Explained, r.Verdict)
}

// A service in another language: its logs are explained, those of its planted bugs are not, and a claim is broken on
// the run of a variant that permits a bug.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	for name, x := range map[string]struct {
		bug, variant string
		want         Verdict
		node         string
		reason       string
	}{
		"honest":         {"", "", Explained, "", ""},
		"early":          {"early", "", NotExplained, "tm", "no such alarm is set on the page; the nearest is tmAbort{}"},
		"mixed":          {"mixed", "", NotExplained, "tm", "the page sends Commit{} to rm3"},
		"gives up":       {"gives-up", "", NotExplained, "rm1", "no such alarm is set on the page"},
		"gives up, also": {"gives-up", "gives-up", Explained, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"../../examples/twophase-python/twophase.py", "--dir", dir, "-n", "3"}
			if x.bug != "" {
				args = append(args, "--bug", x.bug)
			}
			out, err := exec.Command(python, args...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			files, err := filepath.Glob(filepath.Join(dir, "*.log"))
			require.NoError(t, err)
			require.Len(t, files, 4)
			var logs []Source
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				logs = append(logs, source(filepath.Base(file), string(text)))
			}
			r, err := Validate(twophase.Protocol, x.variant, model.Config{N: 3}, Options{Claims: judge.Watched(twophase.Protocol.Claims)}, logs...)
			require.NoError(t, err)
			require.Equal(t, x.want, r.Verdict, reasons(r))
			require.Equal(t, x.variant != "", r.Violated())
			if x.node != "" {
				assert.Equal(t, x.node, r.Stuck[0].Node)
				assert.Equal(t, x.reason, r.Stuck[0].Reason)
			}
		})
	}
}

// Any bytes are read or refused, in a sentence, and a small search ends.
func FuzzLog(f *testing.F) {
	f.Add(committed)
	f.Add(`{"node":0,"receive":{"type":"Commit"},"result":null,"gap":true}`)
	f.Add(`{"node":"rm1","note":[{"type":"Became","value":{"State":3}}],"before":{"State":"aborted"},"send":[]}`)
	f.Add(`{"node":"tm","after":{"Prepared":[[0,true],["rm1",false]]},"crash":true}`)
	f.Fuzz(func(t *testing.T, log string) {
		r, err := Validate(twophase.Protocol, "", model.Config{N: 2}, Options{MaxStates: 50}, source("log", log))
		if err != nil {
			if text := err.Error(); text == "" || strings.Contains(text, "\n") && !strings.Contains(log, "\n") {
				t.Errorf("%q is no sentence", text)
			}
			return
		}
		if _, err := json.Marshal(r.Stuck); err != nil || r.Prefix > r.Entries || (r.Verdict == Explained) != (len(r.Stuck) == 0) {
			t.Errorf("%+v: %v", r, err)
		}
	})
}

// A pinger is one of three nodes that send a number around, for logs of any length. If it wastes, it also sends messages
// that nobody receives.
type pinger struct {
	wastes bool
	Round  int
}

type ping struct{ Round int }

func (p *pinger) Start(env model.Env) {
	if env.Self() == 0 {
		env.Send(1, ping{1})
	}
}

func (p *pinger) Receive(env model.Env, _ model.NodeID, m any) {
	p.Round = m.(ping).Round
	env.Send((env.Self()+1)%3, ping{p.Round + 1})
	if p.wastes {
		env.Send((env.Self()+1)%3, ping{-p.Round})
	}
}

func pinging(wastes bool) *model.Protocol {
	return &model.Protocol{Name: "pinging", Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Network: model.Network{Once: true, Delay: model.Anytime()}, Types: []any{ping{}}}
		for i := range 3 {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("p", i), Role: model.Server, New: func() model.Node { return &pinger{wastes: wastes} }})
		}
		return s, nil
	}}
}

// pings returns the log of some rounds.
func pings(rounds int, wastes bool) string {
	var b strings.Builder
	b.WriteString(`{"node":"p0","start":true,"send":{"to":"p1","type":"ping","value":{"Round":1}}}` + "\n")
	for i := 1; i < rounds; i++ {
		next := (i + 1) % 3
		waste := ""
		if wastes {
			waste = fmt.Sprintf(`,{"to":"p%d","type":"ping","value":{"Round":%d}}`, next, -i)
		}
		fmt.Fprintf(&b, `{"node":"p%d","receive":{"from":"p%d","type":"ping","value":{"Round":%d}},"send":[{"to":"p%d","type":"ping","value":{"Round":%d}}%s],"after":{"Round":%d}}`+"\n",
			i%3, (i+2)%3, i, next, i+1, waste, i)
	}
	return b.String()
}

func BenchmarkEntries(b *testing.B) {
	for _, wastes := range []bool{false, true} {
		for _, n := range []int{10_000, 100_000} {
			log := pings(n, wastes)
			b.Run(fmt.Sprintf("wastes=%t/%d", wastes, n), func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					r, err := Validate(pinging(wastes), "", model.Config{}, Options{}, source("log", log))
					require.NoError(b, err)
					require.Equal(b, Explained, r.Verdict)
				}
			})
		}
	}
}

// [Test] passes an explained log, and fails with the reasons of another.
func TestInGoTest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "all.log")
	var b strings.Builder
	for _, l := range lines(strings.ReplaceAll(committed, `,"note":`, `,"x":`)) {
		delete(l, "x")
		b.WriteString(unlines([]members{l}))
	}
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	Test(t, twophase.Protocol, model.Config{N: 2}, file)

	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(b.String(), "tmCommit", "tmAbort", 1)), 0o644))
	failing := &recorder{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		Test(failing, twophase.Protocol, model.Config{N: 2}, file)
	}()
	<-done
	require.Contains(t, failing.text, "not explained: the longest run found shows")
	require.Contains(t, failing.text, "the page sends Abort{} to rm1 (field type differs)")
}

// A recorder stores the text of a failure.
type recorder struct {
	testing.TB
	text string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.text = fmt.Sprintf(format, args...)
	runtime.Goexit()
}
