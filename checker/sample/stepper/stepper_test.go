package stepper

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/lab/random"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A book knows a run by the world alone, and what names were given to what: one to one.
type book struct {
	*testing.T
	x        *Interpreter
	names    map[string]map[uint64]string // by what is named: the names and what has them
	has      map[string]map[string]uint64
	numbers  map[*world.Event]int32
	longest  model.Ticks
	oldest   *world.Event // of those that are pending first
	liars    int          // messages to Byzantine nodes before the last step
	violated []string
}

func newBook(t *testing.T, x *Interpreter) *book {
	var oldest *world.Event
	if pending := x.World.Pending(); len(pending) > 0 {
		oldest = pending[0]
	}
	return &book{T: t, x: x, oldest: oldest, names: map[string]map[uint64]string{}, has: map[string]map[string]uint64{}, numbers: map[*world.Event]int32{}}
}

// named says that something is named: each has one name, and each name is of one.
func (b *book) named(sort, what string, name uint64) {
	if b.names[sort] == nil {
		b.names[sort], b.has[sort] = map[uint64]string{}, map[string]uint64{}
	}
	if was, known := b.names[sort][name]; known {
		assert.Equal(b, was, what, "%s of one name", sort)
	}
	if was, known := b.has[sort][what]; known {
		assert.Equal(b, was, name, "the name of %s", what)
	}
	b.names[sort][name], b.has[sort][what] = what, name
}

func (b *book) bytes(v any) string { return string(b.x.World.Codec.Any(v, nil)) }

// state compares what the stepper says of the present state with what the world says.
func (b *book) state() {
	x, w := b.x, b.x.World
	require.Equal(b, []any{w.Now, w.Steps, w.Booting(), w.Done(), w.Failed(), len(w.Cut) > 0}, []any{x.Now(), x.Steps(), x.Booting(), x.Done(), x.Failed(), x.Shortened()})
	b.violated = b.violated[:0]
	for _, v := range w.Violations {
		b.violated = append(b.violated, v.Claim)
	}
	require.ElementsMatch(b, b.violated, x.Broken())
	require.Equal(b, b.longest, x.Longest())
	for id := range w.System.Nodes {
		of := model.NodeID(id)
		if local := x.Local(of); w.Live(of) == nil {
			require.Zero(b, local)
		} else {
			b.named("states", fmt.Sprintf("%d %x", id, w.Node(of)), local)
		}
	}
	require.Zero(b, x.Local(-1))
	b.moves()
	if w.Failed() {
		return
	}
	b.lies()
}

// moves compares what is said of each move.
func (b *book) moves() {
	x, w := b.x, b.x.World
	want := w.Moves()
	moves, own := x.Moves()
	require.Len(b, moves, len(want))
	require.Equal(b, want, x.WorldMoves())
	deadline, open := w.Deadline()
	for i, m := range want {
		is, described := moves[i], x.Event(moves[i])
		require.Equal(b, m.Kind, is.Kind)
		require.Equal(b, !m.Kind.Adversarial(), i < own, "the protocol's moves come first")
		require.Equal(b, i, is.Place)
		require.Equal(b, []any{is.Kind, is.Node, is.From}, []any{described.Kind, described.Node, described.From})
		first, last := x.Span(is)
		if m.Event == nil {
			require.Equal(b, []any{m.Node, m.Node, int32(-1), uint64(0)}, []any{is.Node, is.From, described.ID, x.Key(is)})
		} else {
			e := m.Event
			from := e.Node
			if e.Kind == model.Deliver {
				from = e.From
			}
			require.Equal(b, []any{e.Node, from, int32(e.BornStep)}, []any{is.Node, is.From, described.Cause})
			if number, known := b.numbers[e]; known {
				require.Equal(b, number, described.ID)
			} else {
				for _, other := range b.numbers {
					require.NotEqual(b, other, described.ID)
				}
				b.numbers[e] = described.ID
			}
			require.GreaterOrEqual(b, described.ID, int32(0))
			require.Equal(b, e == b.oldest, described.ID == 0, "numbers begin with 0")
			b.named("events", fmt.Sprintf("%v %d %d %x", e.Kind, e.Node, from, b.bytes(e.Value)), x.Key(is))
		}
		if m.Kind.Adversarial() {
			end := deadline
			if open {
				end--
			}
			require.Equal(b, [2]world.Time{w.Now, end}, [2]world.Time{first, last})
		} else {
			lo, hi, ok := w.Fires(m.Event)
			require.True(b, ok)
			require.Equal(b, [2]world.Time{lo, hi}, [2]world.Time{first, last})
		}
	}
}

// lies compares what Byzantine nodes may say.
func (b *book) lies() {
	x, w := b.x, b.x.World
	for u, spec := range w.System.Nodes {
		for i := range w.System.Nodes {
			to, from := model.NodeID(i), model.NodeID(u)
			if !spec.Byzantine || w.Live(to) == nil {
				continue
			}
			may := w.Alphabet(to, from)
			for k, m := range may {
				require.Equal(b, b.bytes(m), b.bytes(x.Message(to, from, k)))
				b.named("messages", fmt.Sprintf("%x", b.bytes(m)), x.MessageKey(to, from, k))
				lie := Move{Kind: model.Forge, Node: to, From: from, Place: k}
				require.Equal(b, []any{to, from, int32(-1)}, []any{x.Event(lie).Node, x.Event(lie).From, x.Event(lie).ID})
				require.Zero(b, x.Key(lie))
			}
			require.Equal(b, len(may), x.Alphabet(to, from))
		}
	}
}

// step compares what is said of the last step.
func (b *book) step() {
	x, w := b.x, b.x.World
	r := x.Records[len(x.Records)-1]
	sent := append(slices.Clone(r.Sent), w.ToByzantine[b.liars:]...)
	var want, got []string
	for _, e := range sent {
		want = append(want, fmt.Sprintf("%d %d %x", e.From, e.Node, b.bytes(e.Value)))
	}
	x.Sent(func(from, to model.NodeID, key uint64, message func() any) {
		got = append(got, fmt.Sprintf("%d %d %x", from, to, b.bytes(message())))
		b.named("messages", fmt.Sprintf("%x", b.bytes(message())), key)
	})
	require.Equal(b, want, got)
	is := Effect{Sends: len(sent)}
	for _, o := range r.Observations {
		is.Notes, is.Returns = is.Notes || o.Kind == model.Noted, is.Returns || o.Kind == model.Returned
	}
	require.Equal(b, is, x.Effect())
	for _, e := range r.Armed {
		if b.longest = max(b.longest, e.Window.Lo.At); e.Window.Hi.At != model.Forever {
			b.longest = max(b.longest, e.Window.Hi.At)
		}
	}
	for _, h := range r.Held {
		b.longest = max(b.longest, h.Length.At)
	}
}

// walked walks through a system at random.
func walked(x Stepper, in *Interpreter, walk *rand.Rand, answer func(n int) int, before, after func()) error {
	for before(); x.Steps() < 30 && !x.Failed(); before() {
		moves, _ := x.Moves()
		all := slices.Clone(moves)
		for u, spec := range in.World.System.Nodes {
			for i := range in.World.System.Nodes {
				for k := range x.Alphabet(model.NodeID(i), model.NodeID(u)) {
					if spec.Byzantine && !x.Booting() && !x.Failed() {
						all = append(all, Move{Kind: model.Forge, Node: model.NodeID(i), From: model.NodeID(u), Place: k})
					}
				}
			}
		}
		if len(all) == 0 || x.Failed() {
			return nil
		}
		m := all[walk.IntN(len(all))]
		first, last := x.Span(m)
		if last < first {
			return nil // time stands still
		}
		taken, err := x.Step(m, first, answer)
		if err != nil {
			return err
		}
		if taken {
			after()
		} else if walk.IntN(8) == 0 {
			return nil
		}
	}
	return nil
}

// small are random systems, with claims that are watched, and choosy ones.
func small(seed uint64) (s *model.System, claims []model.Claim) {
	if seed%3 == 0 {
		return choosy(), nil
	}
	c := random.Draw(seed)
	return c.System, slices.DeleteFunc(c.Claims, func(c model.Claim) bool { return c.Monitor == nil && c.Invariant == nil && !c.Done })
}

// A chooser asks as it starts, and on each message.
type chooser struct{ Sum int }

func (c *chooser) Start(env model.Env) {
	c.Sum = env.Choose(5)
	env.Send(env.Self(), 1)
}

func (c *chooser) Receive(env model.Env, _ model.NodeID, _ any) {
	c.Sum += env.Draw(3)
	env.Send(env.Self(), 1)
}

// choosy is a system of two choosers and a liar, who may say to a chooser what that one has come to, and one less. It leads beyond a cut.
func choosy() *model.System {
	made := func() model.Node { return &chooser{} }
	return &model.System{
		Types: []any{0},
		Nodes: []model.NodeSpec{{Name: "a", Role: model.Server, New: made}, {Name: "b", Role: model.Server, New: made}, {Name: "liar", Role: model.Server, Byzantine: true}},
		Forge: func(to model.Node, _, _ model.NodeID) []any {
			if sum := to.(*chooser).Sum; sum > 2 {
				return []any{sum, sum - 1}
			}
			return []any{0}
		},
		Cuts: []model.Cut{{Name: "far", Beyond: func(n model.Node) bool { return n.(*chooser).Sum > 9 }}},
	}
}

// What a stepper says is what the world says: of states, moves, messages and steps. Names are one to one, in all
// states of a run.
func TestWhatSteppersSay(t *testing.T) {
	lies, steps := 0, 0
	for seed := range uint64(240) {
		s, claims := small(seed)
		codec, err := value.For(s, claims)
		require.NoError(t, err)
		w, err := world.Start(s, codec, claims, world.Options{Timed: seed/2%2 == 1, Parts: 2, Trace: true})
		if err != nil {
			continue
		}
		x := NewInterpreter(w)
		b := newBook(t, x)
		walk, answers := rand.New(rand.NewPCG(seed, 3)), rand.New(rand.NewPCG(seed, 4))
		var given []int
		answer := func(n int) int {
			given = append(given, answers.IntN(n))
			return given[len(given)-1]
		}
		err = walked(x, x, walk, answer, func() { b.state(); b.liars, given = len(w.ToByzantine), nil }, func() {
			b.step()
			var took []int
			for _, c := range x.Records[len(x.Records)-1].Choices {
				took = append(took, c.Is)
			}
			require.Equal(t, given, took)
		})
		require.NoError(t, err)
		for _, r := range x.Records {
			if r.Move.Kind == model.Forge {
				lies++
			}
		}
		require.Len(t, x.Records, w.Steps)
		steps += w.Steps
	}
	if lies < 50 || steps < 1000 {
		t.Errorf("%d lies in %d steps are too few for the test to mean much", lies, steps)
	}
}

// Decisions of a live run lead the interpreter to the same state, and where one of them is another it is found out at
// its step, and by what it is.
func TestDecisionsAreFollowed(t *testing.T) {
	found := map[string]int{}
	for seed := range uint64(120) {
		s, claims := small(seed)
		codec, err := value.For(s, claims)
		require.NoError(t, err)
		setting, err := world.Prepare(s, codec, claims)
		require.NoError(t, err)
		timed := seed/2%2 == 1
		live := NewLive(setting, timed, false, nil)
		answers := rand.New(rand.NewPCG(seed, 4))
		for range 2 { // the second run is as if there had been none before
			if err = live.Begin(2, nil, answers.IntN); err == nil {
				err = walked(live, &live.Interpreter, rand.New(rand.NewPCG(seed, 3)), answers.IntN, func() {}, func() {})
			}
			if err != nil {
				break
			}
		}
		if err != nil {
			continue
		}
		follow := func(d Decisions) (*Interpreter, error) {
			boot := Answers(d.Boot)
			w, err := world.Start(s, codec, claims, world.Options{Timed: timed, Parts: 2, Trace: true, Boot: func(n int, _ string) int { return boot(n) }})
			require.NoError(t, err)
			x := NewInterpreter(w)
			return x, d.Follow(x)
		}
		made := live.Decisions()
		x, err := follow(made)
		require.NoError(t, err)
		require.Equal(t, live.World.State(), x.World.State())
		require.Equal(t, live.Observations(), observations(x))
		for at, change := range map[string]func(d *decision){
			"the moves that there are":       func(d *decision) { d.moves++ },
			"whether it leads beyond a cut":  func(d *decision) { d.taken = !d.taken },
			"its choices":                    func(d *decision) { d.answers++ },
			"the moves that there are: node": func(d *decision) { d.move.Node++ },
			"the moves that there are: place": func(d *decision) {
				d.move.Place += 1000
			},
		} {
			for k := range made.steps {
				d := made
				d.steps = slices.Clone(made.steps)
				change(&d.steps[k])
				if d.steps[k].move.Kind == model.Forge && strings.HasSuffix(at, ": node") {
					continue
				}
				x, err := follow(d)
				var astray Astray
				require.ErrorAs(t, err, &astray, "seed %d, %s of step %d", seed, at, k)
				what, _, _ := strings.Cut(at, ":")
				require.Equal(t, what, astray.What)
				want := 1
				for _, before := range made.steps[:k] {
					want += b2i(before.taken)
				}
				require.Equal(t, want, astray.Step)
				require.LessOrEqual(t, x.Steps(), want)
				found[at]++
			}
		}
	}
	for at, n := range found {
		assert.Greater(t, n, 100, at)
	}
	assert.Len(t, found, 5)
	assert.EqualError(t, error(Astray{3, "its choices"}), "taken again, the run goes another way at step 3: its choices")
	assert.False(t, errors.As(error(Astray{}), new(world.ErrCut)))
}

func observations(x *Interpreter) (all []model.Observation) {
	for _, r := range x.Records {
		all = append(all, r.Observations...)
	}
	return all
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Answers are given in order, each within what is asked for, and then 0.
func TestAnswersInOrder(t *testing.T) {
	next := Answers([]int{5, 1, 2})
	assert.Equal(t, []int{1, 1, 0, 0, 0}, []int{next(2), next(3), next(2), next(3), next(1)})
}
