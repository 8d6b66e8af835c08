package sample

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample/stepper"
	"contend/checker/sample/strategy"
	"contend/impl"
	"contend/lab/random"
	"contend/model"
	"contend/model/describe"
	"contend/model/value"
	"contend/model/world"
)

// A twin steps a run in the interpreter and live, and compares all that there is to see after every step.
type twin struct {
	t     *testing.T
	world *stepper.Interpreter
	fast  *stepper.Live
	name  string
	timed bool
	goals []model.Claim
}

func (x *twin) same(a, b any, what string) {
	if !assert.ObjectsAreEqual(a, b) {
		require.FailNow(x.t, what, "%s, step %d: the interpreter has %v, live it has %v", x.name, x.world.Steps(), a, b)
	}
}

func (x *twin) Moves() ([]stepper.Move, int) {
	a, own := x.world.Moves()
	b, n := x.fast.Moves()
	x.same(fmt.Sprint(a), fmt.Sprint(b), "moves")
	x.same(own, n, "own moves")
	for _, m := range a {
		x.same(x.world.Event(m), x.fast.Event(m), "event")
		x.same(x.world.Key(m), x.fast.Key(m), "key")
		if x.timed {
			p, q := x.world.Span(m)
			r, s := x.fast.Span(m)
			x.same([]world.Time{p, min(q, 1<<60)}, []world.Time{r, min(s, 1<<60)}, "span")
		}
	}
	return a, own
}

func (x *twin) Alphabet(to, from model.NodeID) int {
	n, m := x.world.Alphabet(to, from), x.fast.Alphabet(to, from)
	x.same(n, m, "alphabet")
	return n
}

func (x *twin) Message(to, from model.NodeID, place int) any {
	a, b := x.world.Message(to, from, place), x.fast.Message(to, from, place)
	codec := x.world.World.Codec
	x.same(string(codec.Any(a, nil)), string(codec.Any(b, nil)), "message")
	return a
}

func (x *twin) MessageKey(to, from model.NodeID, place int) uint64 {
	a := x.world.MessageKey(to, from, place)
	x.same(a, x.fast.MessageKey(to, from, place), "key of message")
	return a
}

func (x *twin) Effect() stepper.Effect {
	x.same(x.world.Effect(), x.fast.Effect(), "what the step did")
	return x.world.Effect()
}

func (x *twin) Sent(tell func(from, to model.NodeID, key uint64, message func() any)) {
	all := func(of stepper.Stepper) (sent []string) {
		of.Sent(func(from, to model.NodeID, key uint64, message func() any) {
			sent = append(sent, fmt.Sprint(from, to, key, describe.Value(message(), x.world.World.System.Name)))
		})
		slices.Sort(sent)
		return sent
	}
	x.same(all(x.world), all(x.fast), "sent")
	x.world.Sent(tell)
}

func (x *twin) Step(m stepper.Move, at world.Time, choose func(int) int) (bool, error) {
	made := Recorder{From: chooser(choose)}
	if m.Kind == model.Forge {
		x.Message(m.Node, m.From, m.Place)
	}
	a, err := x.world.Step(m, at, made.Choose)
	again := Replay(made.Made)
	b, failed := x.fast.Step(m, at, again.Choose)
	x.same(err, failed, "error")
	x.same(a, b, "taken")
	x.same(0, len(again.rest), "choices left")
	x.same(false, again.over, "choices missing")
	x.look()
	return a, err
}

type chooser func(int) int

func (c chooser) Choose(n int) int { return c(n) }

func (x *twin) look() {
	w := x.world.World
	for i := range w.System.Nodes {
		id := model.NodeID(i)
		x.same(string(w.Node(id)), string(x.fast.World.Node(id)), "node "+w.System.Name(id))
		x.same(x.world.Local(id), x.fast.Local(id), "name of node")
	}
	var seen []model.Observation
	for _, r := range x.world.Records {
		seen = append(seen, r.Observations...)
	}
	x.same(fmt.Sprint(seen), fmt.Sprint(x.fast.Observations()), "observations")
	x.same(fmt.Sprint(x.world.Broken()), fmt.Sprint(x.fast.Broken()), "violations")
	x.same(strings.Join(w.State(), "\n"), strings.Join(x.fast.World.State(), "\n"), "state")
	x.Failed()
	x.Shortened()
	if !x.world.Failed() {
		x.Booting()
		x.Done()
		for _, g := range x.goals {
			x.same(w.Reached(g), x.fast.World.Reached(g), "goal "+g.Name)
		}
	}
	x.same(w.Witnessed, x.fast.World.Witnessed, "witnessed")
	x.same(w.Cut, x.fast.World.Cut, "cuts")
}

func (x *twin) Now() world.Time {
	x.same(x.world.Now(), x.fast.Now(), "now")
	return x.world.Now()
}

func (x *twin) Span(m stepper.Move) (world.Time, world.Time) { return x.world.Span(m) }

func (x *twin) Longest() model.Ticks {
	x.same(x.world.Longest(), x.fast.Longest(), "longest time")
	return x.world.Longest()
}

func (x *twin) Steps() int {
	x.same(x.world.Steps(), x.fast.Steps(), "steps")
	return x.world.Steps()
}

func (x *twin) Booting() bool {
	x.same(x.world.Booting(), x.fast.Booting(), "booting")
	return x.world.Booting()
}

func (x *twin) Done() bool {
	x.same(x.world.Done(), x.fast.Done(), "done")
	return x.world.Done()
}

func (x *twin) Awaits() bool {
	x.same(x.world.Awaits(), x.fast.Awaits(), "awaits")
	return x.world.Awaits()
}

func (x *twin) Failed() bool {
	x.same(x.world.Failed(), x.fast.Failed(), "failed")
	return x.world.Failed()
}

func (x *twin) Shortened() bool {
	x.same(x.world.Shortened(), x.fast.Shortened(), "shortened")
	return x.world.Shortened()
}

func (x *twin) Broken() []string                    { return x.world.Broken() }
func (x *twin) Event(m stepper.Move) strategy.Event { return x.world.Event(m) }
func (x *twin) Key(m stepper.Move) uint64           { return x.world.Key(m) }
func (x *twin) Local(id model.NodeID) (of uint64)   { return x.world.Local(id) }

func (x *twin) Observed(before strategy.Place, seen *int) strategy.Place {
	return x.world.Observed(before, seen)
}

func (x *twin) Place(by strategy.Planner, more []byte) strategy.Place { return x.world.Place(by, more) }

// together runs schedules of a system in both, and returns how many steps they took.
func together(t *testing.T, name string, s *model.System, claims []model.Claim, timed bool, seeds, most int) (steps int) {
	codec, err := value.For(s, claims)
	require.NoError(t, err, name)
	setting, err := world.Prepare(s, codec, claims)
	require.NoError(t, err, name)
	fast := stepper.NewLive(setting, timed, false, nil)
	for seed := range seeds {
		c := Seeded(scheduleSeed(uint64(seed), len(name)))
		reading := world.Options{Timed: timed, Trace: true}
		if timed {
			reading.Parts = []int64{1, 4, 6, 16}[seed%4]
		}
		made := Recorder{From: c}
		reading.Boot = func(n int, _ string) int { return made.Choose(n) }
		w, err := world.Start(s, codec, claims, reading)
		again := fast.Begin(reading.Parts, nil, Replay(made.Made).Choose)
		require.Equal(t, err, again, name)
		if err != nil {
			continue
		}
		x := &twin{t: t, world: stepper.NewInterpreter(w), fast: fast, timed: timed, name: fmt.Sprintf("%s, timed %v, seed %d", name, timed, seed)}
		for _, g := range claims {
			if g.Kind == model.Sometimes || g.Kind == model.Eventually || g.Kind == model.PossibleFromEverywhere || g.Kind == model.AlmostSurely {
				x.goals = append(x.goals, g)
			}
		}
		x.look()
		r := newRun(x, s, c, Bounds{World: reading, MaxSteps: most, Ignore: ignoring(claims)}, nil)
		_, n, err := r.lead()
		require.NoError(t, err, x.name)
		steps += n
	}
	return steps
}

// ignoring lets runs go on after violations.
func ignoring(claims []model.Claim) map[string]bool {
	all := map[string]bool{}
	for _, c := range claims {
		all[c.Name] = true
	}
	return all
}

var full = flag.Bool("full", false, "compare the runs of all checks and variants, and not of each twelfth, and more random systems")

// every says which checks and variants are compared by default.
const every = 12

// A live run is that of the interpreter by the same choices: for every protocol and mutant, in both readings of
// time, with and without faults.
func TestLiveRunsAreTheInterpreters(t *testing.T) {
	for _, p := range impl.Suite {
		t.Run(p.Name, func(t *testing.T) {
			steps := 0
			for i, c := range p.Checks {
				if i%every != 0 && !*full {
					continue
				}
				steps += inBoth(t, p, c, 2)
				for k, f := range []model.Faults{{Loss: 2, Duplication: 2}, {Crashes: 1, Restarts: 2}, {Loss: 1, Duplication: 1, Crashes: 1, Restarts: 2, Suspicions: 2, Partitions: 1}} {
					c.Config.Faults = f
					steps += inBoth(t, p, c, 1+k)
				}
			}
			for i, v := range p.Variants {
				if i%every != 0 && !*full {
					continue
				}
				check := v.Show
				check.Variant = v.Name
				steps += inBoth(t, p, check, 1)
			}
			t.Log(steps, "steps")
		})
	}
}

// inBoth runs schedules of a check in both steppers, in both readings of time.
func inBoth(t *testing.T, p *model.Protocol, c model.Check, seeds int) (steps int) {
	s, err := p.System(c.Variant, c.Config)
	if err != nil {
		return 0 // not with these faults
	}
	for _, timed := range []bool{false, true} {
		reading := model.Untimed
		if timed {
			reading = model.Dense
		}
		claims := slices.DeleteFunc(slices.Clone(p.Claims), func(c model.Claim) bool { return len(c.Unmet(s, reading)) > 0 })
		steps += together(t, fmt.Sprint(p.Name, " ", c.Variant, " ", c.Config), s, claims, timed, seeds, 150)
	}
	return steps
}

// So is that of random systems.
func TestLiveRunsOfRandomSystems(t *testing.T) {
	steps := 0
	systems := 100
	if *full {
		systems = 400
	}
	for seed := range uint64(systems) {
		c := random.Draw(seed)
		for _, timed := range []bool{false, true} {
			steps += together(t, fmt.Sprint("random system ", seed, ", ", c), c.System, c.Claims, timed, 3, 60)
		}
	}
	t.Log(steps, "steps")
}
