package search

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"contend/checker/search/checkpoint"
	"contend/checker/search/parts"
	"contend/impl/quorumlock"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/value"
)

// A wire joins the parts of a search in one process. Each has a store of its own, so that what arrives is what
// was written, and not the number that the sender knew it by.
type wire struct {
	mu      sync.Mutex
	answers []func(from int, what parts.Kind, question []byte) []byte
	over    chan struct{}                               // closed when a part is lost
	fails   func(what parts.Kind) bool                  // unless nil, which questions do not come through
	spoils  func(what parts.Kind, answer []byte) []byte // unless nil, what comes of answers
	bytes   map[parts.Kind]int64
	asked   map[parts.Kind]int64
}

type end struct {
	*wire
	number int
}

func (e end) Part() (int, int) { return e.number, len(e.answers) }

func (e end) Answer(by func(from int, what parts.Kind, question []byte) []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers[e.number] = by
}

func (e end) Ask(to int, what parts.Kind, question []byte) ([]byte, error) {
	e.mu.Lock()
	by := e.answers[to]
	if e.fails != nil && e.fails(what) {
		close(e.over)
	}
	e.bytes[what] += int64(len(question))
	e.asked[what]++
	e.mu.Unlock()
	said := make(chan []byte, 1)
	select {
	case <-e.over:
		by = nil
	default:
	}
	if by != nil {
		go func() { said <- by(e.number, what, slices.Clone(question)) }()
	}
	var answer []byte
	select {
	case <-e.over:
		return nil, errors.New("there is nobody")
	case answer = <-said:
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.bytes[what] += int64(len(answer))
	if e.spoils != nil {
		answer = e.spoils(what, answer)
	}
	return answer, nil
}

// inParts searches a system in so many parts, each with a system of its own, which share layers of few states, too. Followers
// have options of their own.
func inParts(t *testing.T, of int, s func() *model.System, claims []model.Claim, opt Options, follow func(part int, opt *Options)) (Options, *wire, func()) {
	t.Helper()
	w := &wire{over: make(chan struct{}), answers: make([]func(int, parts.Kind, []byte) []byte, of), bytes: map[parts.Kind]int64{}, asked: map[parts.Kind]int64{}}
	var all []*Follower
	for part := 1; part < of; part++ {
		o := pure(opt)
		if follow != nil {
			follow(part, &o)
		}
		f, err := Follow(s(), claims, o, end{w, part})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	opt.Exchange, opt.FewestSent = end{w, 0}, 1
	return opt, w, func() {
		w.mu.Lock()
		select {
		case <-w.over:
		default:
			close(w.over)
		}
		w.mu.Unlock()
		for _, f := range all {
			f.Close()
		}
	}
}

// However many parts a search has, and workers in each, it shows the same as in one process.
func sameInParts(t *testing.T, name string, s func() *model.System, claims []model.Claim, opt Options, spurious bool, numbers ...int) *Result {
	t.Helper()
	want := searches(t, s(), claims, opt, 1, spurious)
	want.HandlerCalls, want.Handlers = 0, nil // each part runs some
	if !want.Limit.None() {
		return nil
	}
	compare := func(how string, of, workers int) {
		t.Helper()
		o, _, done := inParts(t, of, s, claims, opt, func(_ int, o *Options) { o.Workers = workers })
		got := searches(t, s(), claims, o, workers, spurious)
		done()
		got.HandlerCalls, got.Workers = 0, want.Workers
		if len(got.Notes) == 0 && len(want.Notes) == 0 {
			got.Notes = want.Notes
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s, %+v, %s:\n%+v\n%+v\nnot\n%+v\n%+v", name, opt, how, *got.Result, got.tried, *want.Result, want.tried)
		}
	}
	for i, of := range numbers {
		workers := 1 + 2*(i%2)
		tuned(t, 1, 1, func() { compare(fmt.Sprintf("%d parts, parents not exact", of), of, workers) })
		tuned(t, 1, 1<<40, func() { compare(fmt.Sprintf("%d parts", of), of, workers) })
	}
	return want.Result
}

// So it is for random systems, untimed and on the grid, with all reductions and with none.
func TestPartsOnRandomSystems(t *testing.T) {
	compared, violated := map[bool]int{}, 0
	for seed := range uint64(few(36, 6)) {
		claims := []model.Claim{
			quiet(1 + int(seed)%3), young, tells("1 is told", model.Sometimes, 1), tells("2 is told", model.Sometimes, 2),
			{Name: "stops", Kind: model.Always, Done: true},
		}
		if seed%2 == 0 {
			claims = append(claims, never(0)) // so that nothing decides all claims
		}
		system := func() *model.System { return somewhere(seed) }
		opt := Options{Timed: seed/3%2 == 0, MaxStates: 1500}
		if seed%5 == 0 {
			opt.Histories, opt.Exact = 5, true // else which run to an end is judged depends on who was first
		}
		whole := sameInParts(t, fmt.Sprint("seed ", seed), system, claims, opt, false, 2, 3)
		if whole == nil {
			continue
		}
		violated += len(whole.Violated())
		opt.Symmetry, opt.Clients, opt.Stale, opt.Wide = true, true, true, seed%4 == 0
		sameInParts(t, fmt.Sprint("seed ", seed), system, claims, opt, seed%4 > 0, 2, 4)
		compared[opt.Timed]++
	}
	t.Logf("compared %v, of which %d claims are violated", compared, violated)
	if min(compared[false], compared[true]) < few(8, 1) || violated < few(12, 2) {
		t.Error("too few systems of some kind")
	}
}

// A loser is the monitor of a claim that is not followed beyond some notes.
type loser struct {
	Notes int
	most  int
}

func (l *loser) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted && l.Notes <= l.most {
		l.Notes++
	}
}

func (l *loser) Follows() int                              { return 1 }
func (l *loser) Allows(func(model.NodeID) string) []string { return nil }

func (l *loser) Limit() string {
	if l.Notes > l.most {
		return "notes"
	}
	return ""
}

// A claim that is not followed to its end in a state that only another part met is left open, and a goal that only another part met is
// reached. One order in which three of five messages arrive leads there.
func TestPartsThatDoNotFollow(t *testing.T) {
	sends := scripted{invoke: func(_ *scripted, env model.Env, _ any) {
		for m := 1; m <= 5; m++ {
			env.Send(1, m)
		}
		env.Return(nil)
	}}
	claims := []model.Claim{{Name: "follows", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &loser{} }}, reach(model.Sometimes, 1)}
	for _, order := range []int{123, 154, 215, 231, 312, 345, 423, 451, 512, 543} {
		hears := scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			if n.S < 100 {
				if n.S = 10*n.S + m.(int); n.S == order {
					env.Note(mark{1})
				}
			}
		}}
		system := func() *model.System {
			s := system(client("c", sends, "go"), server("s", hears))
			s.Types = []any{mark{}, 0}
			return s
		}
		if r := sameInParts(t, fmt.Sprint(order), system, claims, Options{}, false, 2, 3, 4); r.Claims[0].Limit.String() != "notes" || !r.Claims[1].Reached {
			t.Errorf("%d: %+v, reached %v", order, r.open(), r.reached())
		}
	}
}

// So is a claim that rests on how runs go on, where time is over in a state that only another part met: of a FIFO channel the second
// message is due before the first.
func TestPartsWhereTimeIsOver(t *testing.T) {
	for slow := range 3 {
		late := scripted{
			start: func(n *scripted, env model.Env) { n.S = env.Choose(6) },
			invoke: func(n *scripted, env model.Env, _ any) {
				if n.S == slow {
					env.Send(1, "slow")
				}
				env.Send(1, "fast")
				env.Return(nil)
			},
		}
		system := func() *model.System {
			s := system(client("c", late, "go"), server("s", scripted{}))
			s.Network.Channel, s.Nodes[0].Script[0].After = model.FIFO, model.Window{}
			s.Network.Messages = func(_, _ model.NodeID, m any) model.Window {
				return model.Exactly(map[any]model.Ticks{"slow": 3}[m])
			}
			return s
		}
		if r := sameInParts(t, "late", system, []model.Claim{{Name: "done", Done: true}}, Options{Timed: true}, false, 2, 3); r.Claims[0].Limit.String() != timeLock {
			t.Errorf("%d: %+v", slow, r)
		}
	}
}

// What another part alone finds out of a guess is heeded: that servers are not alike, and that a message matters which was absorbed.
// The states of a layer are with one part, and then with another; after how many hops the client asks decides with which.
func TestPartsThatGuess(t *testing.T) {
	for hops := range 4 {
		asks := func(ask func(env model.Env)) scripted {
			return scripted{
				start: func(n *scripted, env model.Env) { n.Who = model.NodeID(env.Choose(6)); env.Send(env.Self(), "hop") },
				receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
					if n.S++; n.S <= hops {
						env.Send(env.Self(), "hop")
					} else {
						ask(env)
					}
				},
			}
		}
		picks := func(env model.Env) { env.Send(model.NodeID(1+env.Choose(2)), "go") }
		only := func(one model.NodeID) func(n *scripted, env model.Env, _ model.NodeID, m any) {
			return func(_ *scripted, env model.Env, _ model.NodeID, _ any) {
				if env.Self() == one {
					env.Note(mark{1})
				}
			}
		}
		for name, c := range map[string]struct {
			ask    func(env model.Env)
			server func(n *scripted, env model.Env, _ model.NodeID, m any)
			opt    Options
			note   string
		}{
			"the first is not alike":  {picks, only(1), Options{Symmetry: true}, "symmetry of servers is refused"},
			"the second is not alike": {picks, only(2), Options{Symmetry: true}, "symmetry of servers is refused"},
			"it matters": {
				func(env model.Env) { env.Send(1, wants{1}); env.Send(1, "tick") },
				func(n *scripted, env model.Env, _ model.NodeID, m any) {
					switch {
					case m == "tick":
						n.S++
					case n.S == 1:
						env.Note(mark{1})
					}
				},
				Options{Stale: true}, "stale absorption is off",
			},
		} {
			system := func() *model.System {
				serves := scripted{receive: c.server}
				s := system(server("c", asks(c.ask)), server("s", serves), server("t", serves))
				s.Nodes[0].Role = model.Client
				s.Types = []any{mark{}, wants{}, ""}
				return s
			}
			c.opt.Exact = true
			claims := []model.Claim{never(1), never(0)}
			r := sameInParts(t, name, system, claims, c.opt, false, 2, 3)
			if r.verdict(0) != refuted || !strings.Contains(fmt.Sprint(r.Notes), c.note) {
				t.Errorf("%s after %d hops: %s, notes %q", name, hops, verdicts(claims, r), r.Notes)
			}
		}
	}
}

// So it is for protocols and mutants of theirs.
func TestPartsOnProtocols(t *testing.T) {
	lock := []string{"mutual exclusion"}
	for _, c := range append(onProtocols, onProtocol{quorumlock.Protocol, "", model.Config{N: 3}, reducing, lock, false}) {
		c.run(t, func(t *testing.T, name string, claims []model.Claim) {
			system := func() *model.System { s, _ := built(t, c.p, c.variant, c.config, c.claims...); return s }
			r := sameInParts(t, name, system, claims, c.opt, false, 2, 3, 4)
			t.Logf("%+v, %d violated", r.size(), len(r.Violated()))
		})
	}
}

// States are sent where one part has far more of them than others, the tables of all parts are about as full,
// and a fingerprint that crosses takes up 8 bytes, a bit, and its share of its parent's name.
func TestPartsShareTheWork(t *testing.T) {
	system := func() *model.System {
		s, _ := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(2)))
		return s
	}
	_, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(2)), "mutual exclusion")
	opt, w, end := inParts(t, 3, system, claims, Options{}, nil)
	defer end()
	opt.FewestSent = 0
	r := explore(t, system(), opt, claims...)
	whole := explore(t, system(), Options{}, claims...)
	if r.States != whole.States || r.Transitions != whole.Transitions {
		t.Errorf("%+v in parts, %+v in one", r.size(), whole.size())
	}
	t.Logf("%d states, %d transitions; questions %v, bytes %v", r.States, r.Transitions, maps.Clone(w.asked), maps.Clone(w.bytes))
	if w.asked[parts.Take] == 0 {
		t.Error("no states are sent, though all begin in one part")
	}
	if w.asked[parts.Doubt] != 2 {
		t.Errorf("%d parts ask their handlers again", w.asked[parts.Doubt])
	}
	if crossing := float64(w.bytes[parts.New]) / float64(r.Transitions); crossing > 12 {
		t.Errorf("%.1f bytes cross for a transition", crossing)
	}
}

// A crew starts the other parts of a search in this process. One question of a kind is lost, after some others.
type crew struct {
	gather func() (parts.Exchange, *wire, func())
	kind   parts.Kind
	after  int
	done   func()
}

func (c *crew) Gather(error) (parts.Exchange, parts.Store, error) {
	if c.done != nil {
		c.done()
	}
	ex, w, done := c.gather()
	w.fails = func(what parts.Kind) bool {
		if what != c.kind {
			return false
		}
		c.after--
		return c.after == -1
	}
	c.done = done
	return ex, nil, nil
}

// Whatever question is lost with a part, the search begins again, and shows the same.
func TestPartsAreLost(t *testing.T) {
	const ops = 1
	system := func() *model.System {
		s, _ := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(ops)))
		return s
	}
	_, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(ops)), "mutual exclusion")
	want := explore(t, system(), Options{}, claims...)
	for i, kind := range []parts.Kind{parts.Begin, parts.New, parts.Expand, parts.Settle, parts.Send, parts.Take, parts.Next, parts.End,
		parts.Winnow, parts.Winnow, parts.Claim, parts.Claim, parts.Claim} {
		opt := Options{Workers: 2, MaxMemory: 1 << 40, table: 1 << 13, chunks: 1 << 12}
		c := &crew{kind: kind, after: max(i-8, 0) * 7}
		c.gather = func() (parts.Exchange, *wire, func()) {
			o, w, done := inParts(t, 3, system, claims, opt, nil)
			return o.Exchange, w, done
		}
		o := opt
		o.Crew = c
		r := explore(t, system(), o, claims...)
		c.done()
		asked := c.after < 0 || kind == parts.Send // which is asked only if another part than the first has too much
		if !asked || !r.Complete || fmt.Sprint(r.size(), r.Widths) != fmt.Sprint(want.size(), want.Widths) {
			t.Errorf("a question of kind %d is lost: %+v, limit %q, not %+v", kind, r.size(), r.Limit, want.size())
		}
	}
}

// A shelf is where all parts of a search keep their checkpoints. That of a layer counts once it is committed.
type shelf struct {
	mu        sync.Mutex
	kept      map[string]map[string][]byte // files by name, of each directory
	committed map[string]map[string][]byte
	commits   int
}

// Keep keeps the files, and takes away what is not committed yet.
func (s *shelf) Keep(dir string, names []string, layer int) ([]byte, error) {
	files := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[dir] = files
	return []byte(dir), nil
}

func (s *shelf) Commit(_ int, kept [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.committed = map[string]map[string][]byte{}
	for _, dir := range kept {
		s.committed[string(dir)] = s.kept[string(dir)]
	}
	s.commits++
	return nil
}

func (s *shelf) Fetch(dir string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.committed == nil {
		return false, nil
	}
	for name, text := range s.committed[dir] {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return false, err
		}
	}
	return true, nil
}

// A search whose parts are lost three times goes on from what all of them kept last, and shows the same: while they expand, settle,
// go on, keep a checkpoint, or ask what is new.
func TestPartsAreLostAfterCheckpoints(t *testing.T) {
	kinds := []parts.Kind{parts.Expand, parts.Settle, parts.Next, parts.Keep, parts.New}
	went := 0
	for seed := range uint64(few(60, 5)) {
		claims := []model.Claim{quiet(1 + int(seed)%3), tells("1 is told", model.Sometimes, 1), never(0),
			{Name: "stops", Kind: model.Always, Done: true}, gauged(model.Noted, func(o model.Observation) int { return 1 + int(o.Node) })}
		system := func() *model.System { return somewhere(seed) }
		opt := Options{Timed: seed%3 == 0, Exact: true, MaxStates: 1500}
		want := explore(t, system(), opt, claims...)
		if !want.Limit.None() || len(want.Widths) < 6 {
			continue
		}
		store := &shelf{kept: map[string]map[string][]byte{}}
		dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
		opt.Checkpoint, opt.Identity, opt.every = dirs[0], []checkpoint.Field{{Name: "check", Value: "in parts"}}, 1
		c, losses := &shelved{store: store}, 0
		c.gather = func() (parts.Exchange, *wire, func()) {
			for _, dir := range dirs[1:] { // the others are started anew, elsewhere
				if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil {
					t.Error(err)
				}
			}
			o, w, done := inParts(t, 3, system, claims, opt, func(part int, o *Options) { o.Checkpoint, o.Store = dirs[part], store })
			if c.kind, c.after = kinds[int(seed)%len(kinds)], 4+2*losses; losses == 3 {
				c.after = -1
			}
			losses++
			return o.Exchange, w, done
		}
		o := opt
		o.Crew = c
		r := explore(t, system(), o, claims...)
		c.done()
		if a, b := findings(r), findings(want); a != b {
			t.Errorf("seed %d, %d checkpoints:\nparts lost %s\nwhole      %s", seed, store.commits, a, b)
		}
		if slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "it went on from layer ") }) {
			went++
		}
	}
	if went < few(10, 2) {
		t.Errorf("%d searches go on from checkpoints", went)
	}
}

// shelved is a crew whose parts keep their checkpoints on a shelf.
type shelved struct {
	crew
	store *shelf
}

func (c *shelved) Gather(lost error) (parts.Exchange, parts.Store, error) {
	ex, _, err := c.crew.Gather(lost)
	return ex, c.store, err
}

// A violation that was found is kept when parts are lost later, again and again, before it is found once more.
func TestViolationsOutliveLostParts(t *testing.T) {
	system := func() *model.System { return somewhere(1) }
	claims := []model.Claim{quiet(1), never(0)}
	attempt := 0
	c := &crew{after: -1}
	c.gather = func() (parts.Exchange, *wire, func()) {
		o, w, done := inParts(t, 3, system, claims, Options{}, nil)
		attempt++
		c.kind, c.after = parts.Begin, 0
		if attempt == 1 {
			c.kind, c.after = parts.Next, 2*8 // of two other parts, in the ninth layer
		}
		return o.Exchange, w, done
	}
	r := explore(t, system(), Options{Crew: c}, claims...)
	c.done()
	if attempt != 2+mostLosses || r.Limit.String() != PartLost || r.verdict(0) != refuted || r.verdict(1) == refuted {
		t.Errorf("%d attempts, limit %q: %s", attempt, r.Limit, verdicts(claims, r))
	}
}

// A part whose answer fits no question is lost. What is cut from the third answer of a kind is its last byte, or all but the first, or
// all. Of some kinds nothing is answered that could be missed.
func TestSpoiledAnswers(t *testing.T) {
	system := func() *model.System {
		s, _ := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(1)))
		return s
	}
	_, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(1)), "mutual exclusion")
	want := findings(explore(t, system(), Options{}, claims...))
	for _, kind := range []parts.Kind{parts.Begin, parts.New, parts.Expand, parts.Far, parts.Settle, parts.Send, parts.Take, parts.Next, parts.Winnow,
		parts.Claim, parts.Doubt, parts.End} {
		for name, cut := range map[string]func(b []byte) []byte{
			"the last byte is lost":  func(b []byte) []byte { return b[:len(b)-1] },
			"only the first is left": func(b []byte) []byte { return b[:1] },
			"it is empty":            func([]byte) []byte { return nil },
		} {
			opt, w, done := inParts(t, 3, system, claims, Options{MaxMemory: 1 << 40, table: 1 << 13, chunks: 1 << 12}, nil)
			var asked atomic.Int64
			spoilt := false
			w.spoils = func(what parts.Kind, answer []byte) []byte {
				if what != kind || asked.Add(1) != 2 {
					return answer
				}
				spoilt = len(cut(answer)) < len(answer)
				return cut(answer)
			}
			r, err := Run(system(), claims, pure(opt))
			w.mu.Lock()
			missed := spoilt
			w.mu.Unlock()
			done()
			switch lost := (parts.Lost{}); {
			case kind == parts.Far && err == nil: // how far others are is asked in between, too, and nothing rests on that
			case missed && (!errors.As(err, &lost) || !strings.Contains(err.Error(), "its answer fits no question")):
				t.Errorf("a question of kind %d, %s: %v", kind, name, err)
			case !missed && (err != nil || findings(r) != want):
				t.Errorf("a question of kind %d, %s: %v, %v", kind, name, r, err)
			}
		}
	}
}

// What is known in one process only is searched by one process, which says why; no part is started, and no checkpoint kept.
func TestSearchedByOneProcess(t *testing.T) {
	nobody := &crew{gather: func() (parts.Exchange, *wire, func()) { t.Fatal("a part is started"); return nil, nil, nil }}
	s := system(server("s", scripted{start: func(_ *scripted, env model.Env) { env.Send(0, 1) }}))
	s.Network.Delay = model.By(1)
	for says, c := range map[string]struct {
		opt   Options
		claim model.Claim
	}{
		"it is searched by one process: its time is dense":                    {Options{Timed: true, Dense: true}, never(0)},
		"it is searched by one process: a claim of what can or must come is ": {Options{}, tells("1 is told", model.Eventually, 1)},
	} {
		c.opt.Crew, c.opt.Checkpoint, c.opt.Transient = nobody, t.TempDir()+"/kept", true
		r := explore(t, s, c.opt, c.claim)
		if !r.Complete || !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, says) }) {
			t.Errorf("complete %v, notes %v, want %s", r.Complete, r.Notes, says)
		}
		if _, err := os.Stat(c.opt.Checkpoint); err == nil {
			t.Errorf("%s: there is a checkpoint", says)
		}
	}
}

// With tables and chunks that go to files, in every part or in one of them, a search shows the same, however exactly parents are kept.
func TestPartsSpill(t *testing.T) {
	spilled := 0
	for seed := range uint64(few(60, 15)) {
		claims := []model.Claim{quiet(2), never(0), tells("1 is told", model.Sometimes, 1), tells("2 is told", model.Sometimes, 2)}
		system := func() *model.System { return somewhere(seed) }
		if seed < 4 {
			system, claims = turning, []model.Claim{never(1)}
		}
		want := explore(t, system(), Options{Exact: true, MaxStates: 5_000}, claims...)
		if !want.Limit.None() {
			continue
		}
		only := int(seed % 4) // the part that spills, or 3 for all
		of := func(part int) int64 {
			if only == 3 || part == only {
				return 1
			}
			return 1 << 30
		}
		opt := Options{MaxStates: 5_000, MaxMemory: 1 << 40, table: of(0), chunks: of(0)}
		for _, until := range []int64{1 << 40, 20} {
			o, w, done := inParts(t, 3, system, claims, opt, func(part int, o *Options) { o.table, o.chunks = of(part), of(part) })
			var got *Result
			sorted([]int64{1 << 20, 300}[seed/4%2], func() {
				tuned(t, 1, until, func() { got = explore(t, system(), o, claims...) })
			})
			done()
			if a, b := findings(got), findings(want); a != b {
				t.Errorf("seed %d, part %d spills, exact until %d states: in files\n%s, else\n%s; questions %v", seed, only, until, a, b, w.asked)
			}
			if got.DiskBytes > 0 {
				spilled++
			}
		}
	}
	if spilled < 8 {
		t.Errorf("%d searches have files", spilled)
	}
}

// Wherever a search of random systems in parts is stopped, and goes on, it comes to what the whole comes to.
func TestPartsResumeOnRandomSystems(t *testing.T) {
	resumed := 0
	for seed := range uint64(few(120, 8)) {
		claims := []model.Claim{quiet(1 + int(seed)%3), tells("1 is told", model.Sometimes, 1), never(0),
			{Name: "stops", Kind: model.Always, Done: true}, gauged(model.Noted, func(o model.Observation) int { return 1 + int(o.Node) })}
		system := func() *model.System { return somewhere(seed) }
		opt := Options{Timed: seed%3 == 0, Exact: true, MaxStates: 1500}
		want := explore(t, system(), opt, claims...)
		if !want.Limit.None() || want.States < 10 {
			continue
		}
		dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
		run := func(resume bool, most int64) *Result {
			o := opt
			o.Checkpoint, o.Identity, o.every, o.Resume, o.MaxStates = dirs[0], []checkpoint.Field{{Name: "check", Value: "in parts"}}, 1, resume, most
			o, _, done := inParts(t, 3, system, claims, o, func(part int, o *Options) { o.Checkpoint = dirs[part] })
			defer done()
			return explore(t, system(), o, claims...)
		}
		if run(false, 1+want.States*int64(1+seed%3)/4).Complete {
			continue
		}
		resumed++
		if a, b := findings(run(true, 0)), findings(want); a != b {
			t.Errorf("seed %d:\nresumed %s\nwhole   %s", seed, a, b)
		}
	}
	if t.Logf("%d are resumed", resumed); resumed < few(20, 2) {
		t.Error("too few systems are resumed")
	}
}

// findings are what a result says of a system and its claims.
func findings(r *Result) string {
	steps := map[int]string{}
	for _, claim := range r.Violated() {
		c := r.Claims[claim].Violated
		steps[claim] = fmt.Sprint(c.Text, c.Steps)
	}
	return fmt.Sprint(r.States, r.Transitions, r.Widths, r.Complete, r.Cut, steps, r.witnessed(), r.reached(), r.open(), r.disputes(), r.costs())
}

// A search with files asks owners about what earlier layers wrote out, and resumes from the checkpoints of all
// its parts.
func TestPartsResume(t *testing.T) {
	system := func() *model.System {
		s, _ := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(2)))
		return s
	}
	_, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(2)), safety...)
	want := explore(t, system(), Options{}, claims...)
	for _, c := range []struct{ table, resumed int64 }{{0, 0}, {1 << 15, 1 << 15}, {1 << 15, 0}} { // bytes of tables; 0: no limit
		table := c.table
		dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
		search := func(resume bool, most int64) (*Result, *wire) {
			if resume {
				table = c.resumed
			}
			opt := Options{Checkpoint: dirs[0], Identity: []checkpoint.Field{{Name: "check", Value: "in parts"}}, every: 1, Resume: resume, MaxStates: most}
			if table != 0 {
				opt.MaxMemory, opt.table, opt.chunks = 1<<40, table, 1<<14
			}
			opt, w, done := inParts(t, 3, system, claims, opt, func(part int, o *Options) { o.Checkpoint = dirs[part] })
			defer done()
			return explore(t, system(), opt, claims...), w
		}
		if r, _ := search(false, 20_000); r.Complete || r.Limit.String() != "states: 20000" {
			t.Fatalf("it is not stopped: %+v, %q", r.size(), r.Limit)
		}
		got, w := search(true, 0)
		if a, b := fmt.Sprint(got.size(), got.Widths, got.Complete), fmt.Sprint(want.size(), want.Widths, true); a != b {
			t.Errorf("resumed %s, whole %s", a, b)
		}
		if c.table != 0 && w.asked[parts.Claim] == 0 {
			t.Error("nobody asks about what was written out")
		}
		if names, _ := filepath.Glob(dirs[1] + "/*"); len(names) > 0 {
			t.Errorf("its files are still there: %v", names)
		}
	}
}

// historian is a node that is known by its history.
type historian struct{ scripted }

func (*historian) Histories(*value.Codec) []byte         { return nil }
func (*historian) Recall(c *value.Codec, history []byte) {}

// A system with a node that is known by its history has one process, unless it is a liar in its place.
func TestNodesWithHistoriesHaveOneProcess(t *testing.T) {
	spec := model.NodeSpec{Name: "h", Role: model.Server, New: func() model.Node { return &historian{} }}
	for _, liar := range []bool{false, true} {
		spec.Byzantine = liar
		why := (&Options{}).inOneProcess(system(server("s", scripted{}), spec), []model.Claim{never(1)})
		if (why == "") != liar || !liar && !strings.Contains(why, "node h is known by its history") {
			t.Errorf("a liar %v: %q", liar, why)
		}
	}
}

// Where states are met again in later layers, whichever part has them, the run that is shown is one of the shortest, as in one process.
func TestPartsWhereStatesComeAgain(t *testing.T) {
	both := model.Claim{Name: "not both", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[0].(*scripted).S == 11 && nodes[1].(*scripted).S == 11 {
			return errors.New("both are")
		}
		return nil
	}}
	claims := []model.Claim{never(1), both}
	sameInParts(t, "turning", turning, claims, Options{}, false, 2, 3)
}
