package drive

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/suite"
	"contend/impl/backoff"
	"contend/impl/bully"
	"contend/impl/ordering"
	"contend/impl/paxos"
	"contend/impl/twophase"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

// driven drives a variant of a protocol, as the implementation of the protocol.
func driven(t *testing.T, p *model.Protocol, variant string, c model.Config, opt Options) *Result {
	t.Helper()
	c = p.Filled(c)
	page, err := p.System("", c)
	require.NoError(t, err)
	s, err := p.System(variant, c)
	require.NoError(t, err)
	r, err := Drive(p, "", c, Go(func() Adapter { return newHosted(t, page, s) }), opt)
	require.NoError(t, err)
	return r
}

// A protocol's own nodes agree with it, and take each transition of the suite.
func TestAgrees(t *testing.T) {
	for _, x := range []struct {
		p *model.Protocol
		c model.Config
	}{
		{twophase.Protocol, model.Config{N: 2}},
		{twophase.Protocol, model.Config{N: 1, Faults: model.Faults{Restarts: 1, Duplication: 1, Loss: 1, Partitions: 1}}},
		{twophase.Protocol, model.Config{N: 2, Faults: model.Faults{Crashes: 1}}},
		{backoff.Protocol, backoff.Protocol.Checks[0].Config},
		{ordering.Protocol, ordering.Protocol.Checks[0].Config}, // a Byzantine server
		{bully.Protocol, bully.Protocol.Checks[0].Config},       // a failure detector
		{paxos.Protocol, paxos.Protocol.Checks[0].Config},
	} {
		r := driven(t, x.p, "", x.c, Options{Suite: suite.Options{MaxStates: 250}})
		assert.Nil(t, r.Difference, x.p.Name)
		assert.Equal(t, r.Suite.Transitions, r.Taken, x.p.Name)
		assert.Zero(t, r.Diverted, x.p.Name)
		want := map[bool]Verdict{true: Agrees, false: Inconclusive}[r.Suite.Limit == ""]
		assert.Equal(t, want, r.Verdict, x.p.Name)
	}
}

// Seeded bugs of protocols differ from their protocol. The run of a difference is a run of the protocol, and ends there.
func TestDiffers(t *testing.T) {
	for _, x := range []struct {
		p       *model.Protocol
		variant string
		c       model.Config
		steps   int
		want    string // of the report
	}{
		{twophase.Protocol, "all-but-one", model.Config{N: 2}, 2, "after it, an alarm twophase.tmCommit is set in the implementation, and not on the page"},
		{twophase.Protocol, "aborts-late", model.Config{N: 2}, 5, "after it, an alarm twophase.tmAbort is set in the implementation, and not on the page"},
		{twophase.Protocol, "decision-forgotten", model.Config{N: 1, Faults: model.Faults{Restarts: 1}}, 3, "the implementation does not send"},
		{twophase.Protocol, "gives-up", model.Config{N: 2}, 1, "an alarm twophase.rmChooseToAbort is set in the implementation"},
		{twophase.Protocol, "deaf-when-prepared", model.Config{N: 2}, 3, "the implementation does not note Became{aborted}"},
		{backoff.Protocol, "first-gives-up", showOf(backoff.Protocol, "first-gives-up"), 0, "to s1"},
	} {
		var found *traces.Trace
		r := driven(t, x.p, x.variant, x.c, Options{Suite: suite.Options{MaxStates: 2000}, Found: func(t *traces.Trace) { found = t }})
		require.Equal(t, Differs, r.Verdict, x.variant)
		d := r.Difference
		assert.Contains(t, r.String(), x.want, x.variant)
		assert.Contains(t, r.String(), "on the page:", x.variant)
		assert.False(t, d.Unsteady)
		if x.steps > 0 {
			assert.Len(t, d.Trace.Steps, x.steps, "%s: %s", x.variant, d)
		}
		require.NotNil(t, found, x.variant)
		assert.Len(t, found.Steps, d.Before)
		for _, tr := range []*traces.Trace{found, d.Trace} {
			_, err := replay.Replay(x.p, tr, nil)
			require.NoError(t, err, x.variant)
		}
		again := driven(t, x.p, x.variant, x.c, Options{Suite: suite.Options{MaxStates: 2000}, First: []*traces.Trace{d.Trace}})
		assert.Equal(t, 1, again.Runs, "the kept run is the first")
		assert.Equal(t, d.Reason, again.Difference.Reason)
	}
}

// A client draws a number, and sends it twice to a server that adds.
type client struct{}

func (*client) Invoke(env model.Env, _ any) {
	n := env.Choose(3)
	env.Send(1, n)
	env.Return(n)
}

type server struct{ Sum int }

func (s *server) Receive(env model.Env, _ model.NodeID, m any) { s.Sum += m.(int); env.Note(s.Sum) }

func drawing(channel model.Channel) *model.Protocol {
	return &model.Protocol{Name: "drawing", Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Faults: c.Faults, Types: []any{0, ""}, Network: model.Network{Channel: channel, Delay: model.Anytime()},
			Nodes: []model.NodeSpec{
				{Name: "c", Role: model.Client, New: func() model.Node { return &client{} }, Script: []model.Op{{Call: "draw"}, {Call: "draw"}}},
				{Name: "s", Role: model.Server, New: func() model.Node { return &server{} }, Crash: model.CrashRecovery},
			}}, nil
	}}
}

// An implementation that makes its own choices selects among the branches: it agrees, and what it does not choose is
// not taken.
func TestChoicesOfTheImplementationSelect(t *testing.T) {
	p := drawing(model.Bag)
	s, err := p.System("", model.Config{})
	require.NoError(t, err)
	target := func(is int) Target {
		return Go(func() Adapter {
			h := newHosted(t, s, s)
			h.own = func(*Step) []int { return []int{is} }
			return h
		})
	}
	r, err := Drive(p, "", model.Config{}, target(2), Options{})
	require.NoError(t, err)
	assert.Equal(t, Agrees, r.Verdict, r)
	assert.Positive(t, r.Diverted)
	assert.Less(t, r.Taken, r.Suite.Transitions)
	assert.Contains(t, r.String(), "the implementation took another branch than the run")
}

// An odd adapter is a hosted one with a mistake.
type odd struct {
	*hosted
	deliver func(s *Step, m any, usual func())
}

func (o *odd) Deliver(s *Step, from model.NodeID, m any) {
	o.deliver(s, m, func() { o.hosted.Deliver(s, from, m) })
}

// What an implementation does wrong is its own, and is told so.
func TestFailures(t *testing.T) {
	p := drawing(model.Bag)
	s, err := p.System("", model.Config{})
	require.NoError(t, err)
	never := make(chan int)
	count := 0
	for want, deliver := range map[string]func(s *Step, m any, usual func()){
		"the implementation panics: no two at drive_test.go:": func(_ *Step, m any, usual func()) {
			if usual(); m == 2 {
				panic("no two")
			}
		},
		"the implementation does not answer within 50ms": func(_ *Step, m any, usual func()) {
			if usual(); m == 2 {
				<-never
			}
		},
		"the implementation cannot take the step: closed": func(s *Step, m any, usual func()) {
			if usual(); m == 2 {
				s.Refuse("closed")
			}
		},
		"the implementation: {\"after\":{\"Sum\":2},\"alarms\":[],\"note\":[{\"type\":\"int\",\"value\":2},{\"type\":\"string\",\"value\":\"more\"}]}\n  the page notes no string here": func(s *Step, m any, usual func()) {
			if usual(); m == 2 {
				s.Note("more")
			}
		},
		"the page sends no int here": func(s *Step, m any, usual func()) {
			if usual(); m == 2 {
				s.Send(0, 7)
			}
		},
		"the page returns nothing here": func(s *Step, m any, usual func()) {
			if usual(); m == 2 {
				s.Return(nil)
			}
		},
		"the same run did not show it again": func(s *Step, m any, usual func()) {
			if usual(); m == 2 && count == 0 {
				count++
				s.Send(0, 7)
			}
		},
	} {
		r, err := Drive(p, "", model.Config{}, Go(func() Adapter { return &odd{newHosted(t, s, s), deliver} }), Options{StepTimeout: 50 * time.Millisecond})
		require.NoError(t, err, want)
		require.Equal(t, Differs, r.Verdict, want)
		assert.Contains(t, r.String(), want)
		if !r.Difference.Unsteady {
			assert.Len(t, r.Difference.Trace.Steps, 2, "the client draws a two, and the server receives it: %s", r)
		}
	}
}

// A closing adapter counts those that are open.
type closing struct {
	*odd
	open *int
}

func (c closing) Close() { *c.open-- }

// Each adapter is closed when its run has ended, also if a method has panicked.
func TestAdaptersAreClosed(t *testing.T) {
	p := drawing(model.Bag)
	s, err := p.System("", model.Config{})
	require.NoError(t, err)
	open, most, runs := 0, 0, 0
	r, err := Drive(p, "", model.Config{}, Go(func() Adapter {
		open, runs = open+1, runs+1
		most = max(most, open)
		return closing{&odd{newHosted(t, s, s), func(_ *Step, m any, usual func()) {
			if usual(); m == 2 {
				panic("no two")
			}
		}}, &open}
	}), Options{})
	require.NoError(t, err)
	assert.Equal(t, Differs, r.Verdict)
	assert.Greater(t, runs, 1)
	assert.Equal(t, 1, most)
	assert.Zero(t, open)
}

// Messages keep the identity that the implementation gave them, also when they are duplicated, or arrive again after a
// restart.
func TestIdentities(t *testing.T) {
	p := drawing(model.Bag)
	for _, faults := range []model.Faults{{}, {Duplication: 1}, {Restarts: 1}} {
		c := model.Config{Faults: faults}
		s, err := p.System("", c)
		require.NoError(t, err)
		seen := map[any]int{}
		r, err := Drive(p, "", c, Go(func() Adapter { return &identified{hosted: newHosted(t, s, s), seen: seen} }), Options{})
		require.NoError(t, err)
		require.Equal(t, Agrees, r.Verdict, r)
		assert.Zero(t, seen[nil], "each message has its identity: %v", faults)
		assert.Positive(t, seen["c 1 is 2"])
		assert.Positive(t, seen["c 2 is 0"])
	}
}

type identified struct {
	*hosted
	calls int
	seen  map[any]int
}

func (i *identified) Call(s *Step, call any) {
	i.hosted.Call(s, call)
	i.calls++
	for k, m := range s.shown.Sends {
		s.shown.Sends[k].ID = "c " + string(rune('0'+i.calls)) + " is " + string(rune('0'+m.Value.(int)))
	}
}

func (i *identified) Deliver(s *Step, from model.NodeID, m any) {
	i.seen[s.ID]++
	i.hosted.Deliver(s, from, m)
}

// A bad adapter, or a bad answer, is bad input: one sentence.
func TestBadAnswers(t *testing.T) {
	p := drawing(model.Bag)
	answer := func(step string) []string {
		return []string{"sh", "-c", `while read -r l; do case "$l" in *'"run"'*) echo '{}';; *'"start"'*) echo '{}';; *) echo '` + step + `';; esac; done`}
	}
	for _, x := range []struct {
		command []string
		want    string
	}{
		{nil, "adapter: there is no command"},
		{[]string{"/no/such/adapter"}, "adapter: fork/exec /no/such/adapter: no such file or directory"},
		{[]string{"false"}, "the implementation cannot begin a run: the process of the implementation ends: exit status 1"},
		{[]string{"sh", "-c", "echo worse than that >&2; read l"}, "the implementation cannot begin a run: the process of the implementation ends: exit status 0; it wrote last: worse than that"},
		{[]string{"sh", "-c", "read l; echo hello; read l"}, `"hello" is not a JSON object`},
		{[]string{"cat"}, `is not known: it may have nodes`},
		{[]string{"sh", "-c", `read l; echo '{"nodes":["x"]}'; read l`}, `the answer to a new run: nodes: "x" is not a node of the protocol`},
		{[]string{"sh", "-c", `read l; echo '{"nodes":[]}'; read l`}, `the answer to a new run: nodes: [] is not a list of names`},
		{answer(`{"sends":1}`), `run 1: the answer to the step (c is called: "draw"): sends: the field is not known: an answer has send, note, result, after and alarms`},
		{answer(`{"send":{"type":"int"}}`), "send: field to is missing"},
		{answer(`{"send":{"to":"q","type":"int"}}`), `send: to: "q" is not a node of the protocol`},
		{answer(`{"send":{"to":"s","type":"what"}}`), `send: type "what" is not one of the protocol's`},
		{answer(`{"after":{"Sum":1}}`), `after: drive.client has no field "Sum"`},
		{answer(`{"impossible":7}`), "impossible: 7 is not a sentence"},
		{answer(`[1]`), `"[1]" is not a JSON object`},
		{[]string{"sh", "-c", `read l; head -c 1100000 /dev/zero | tr '\0' x; echo; read l`}, "it has more than 1048576 bytes"},
	} {
		_, err := Drive(p, "", model.Config{}, Command(x.command...), Options{})
		require.Error(t, err, x.want)
		assert.Contains(t, err.Error(), x.want)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// A process that hangs or ends in a step is a difference, with what it wrote last.
func TestProcessesThatFail(t *testing.T) {
	p := drawing(model.Bag)
	script := func(step string) []string {
		return []string{"sh", "-c", `while read -r l; do case "$l" in *'"run"'*) echo '{"nodes":["s"]}';; *'"start"'*) echo '{}';; *'"value":2'*) ` + step + `;; *) echo '{}';; esac; done`}
	}
	for want, command := range map[string][]string{
		"the process of the implementation ends: exit status 3; it wrote last: out of memory": script("echo out of memory >&2; exit 3"),
		"the implementation does not answer within 300ms":                                     script("sleep 20"),
		"the implementation cannot take the step: full":                                       script(`echo '{"impossible":"full"}'`),
	} {
		r, err := Drive(p, "", model.Config{}, Command(command...), Options{StepTimeout: 300 * time.Millisecond})
		require.NoError(t, err, want)
		require.Equal(t, Differs, r.Verdict)
		assert.Contains(t, r.String(), want)
		assert.Len(t, r.Difference.Trace.Steps, 2)
	}
}

// In FIFO channels the order of messages to a node counts.
func TestOrderOfMessages(t *testing.T) {
	for channel, verdict := range map[model.Channel]Verdict{model.Bag: Agrees, model.FIFO: Differs} {
		p := &model.Protocol{Name: "two", Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Types: []any{0}, Network: model.Network{Channel: channel, Delay: model.Anytime()}, Nodes: []model.NodeSpec{
				{Name: "a", Role: model.Peer, New: func() model.Node { return &two{} }}}}, nil
		}}
		s, err := p.System("", model.Config{})
		require.NoError(t, err)
		r, err := Drive(p, "", model.Config{}, Go(func() Adapter { return &reversed{newHosted(t, s, s)} }), Options{})
		require.NoError(t, err)
		assert.Equal(t, verdict, r.Verdict, r)
	}
}

type two struct{}

func (*two) Start(env model.Env)                  { env.After(1, model.Anytime()) }
func (*two) Timeout(env model.Env, _ any)         { env.Send(0, 1); env.Send(0, 2) }
func (*two) Receive(model.Env, model.NodeID, any) {}

type reversed struct{ *hosted }

func (r *reversed) Fire(s *Step, k any) {
	r.hosted.Fire(s, k)
	s.shown.Sends[0], s.shown.Sends[1] = s.shown.Sends[1], s.shown.Sends[0]
}

// interpreter returns the path of the Python interpreter. The python3 of a version manager is a script that may need most
// of a second to find it.
func interpreter(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("python3", "-S", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skip("python3 is not there")
	}
	return strings.TrimSpace(string(out))
}

// The participants in Python agree, and three bugs of theirs differ.
func TestPython(t *testing.T) {
	python := interpreter(t)
	for bug, want := range map[string]string{
		"":         "agrees",
		"silent":   "the implementation does not send Prepared{} to tm",
		"forgets":  `after it, State is "working" in the implementation, and`,
		"gives-up": "after it, an alarm twophase.rmChooseToAbort is set in the implementation, and not on the page",
	} {
		command := []string{python, "-S", "../../examples/twophase-python/participant.py"}
		if bug != "" {
			command = append(command, "--bug", bug)
		}
		r, err := Drive(twophase.Protocol, "", model.Config{N: 1, Faults: model.Faults{Restarts: 1}}, Command(command...), Options{})
		require.NoError(t, err)
		assert.Contains(t, r.String(), want, bug)
		if bug == "" {
			assert.Equal(t, r.Suite.Transitions, r.Taken)
		}
	}
}

// recorded records a failure of a test, instead of failing.
type recorded struct {
	testing.TB
	text string
}

func (r *recorded) Fatalf(format string, args ...any) {
	r.text = strings.TrimSpace(fmt.Sprintf(format, args...))
}

// Under go test the run of a difference is kept, and replayed first.
func TestUnderGoTest(t *testing.T) {
	t.Chdir(t.TempDir())
	p := drawing(model.Bag)
	s, err := p.System("", model.Config{})
	require.NoError(t, err)
	wrong := true
	target := Go(func() Adapter {
		return &odd{newHosted(t, s, s), func(s *Step, m any, usual func()) {
			if usual(); m == 2 && wrong {
				s.Send(0, 7)
			}
		}}
	})
	for range 2 {
		tb := &recorded{TB: t}
		Test(tb, p, model.Config{}, target)
		assert.Contains(t, tb.text, "drawing: differs: ")
		assert.Contains(t, tb.text, "kept in testdata/contend/TestUnderGoTest/drive-drawing-1.json")
	}
	tb := &recorded{TB: t}
	Test(tb, p, model.Config{}, target)
	assert.Contains(t, tb.text, "differs: 1 run,")
	wrong = false
	tb = &recorded{TB: t}
	Test(tb, p, model.Config{}, target)
	assert.Empty(t, tb.text)
}

// showOf returns the configuration in which a mutant shows.
func showOf(p *model.Protocol, variant string) model.Config {
	v, _ := p.Variant(variant)
	return v.Show.Config
}
