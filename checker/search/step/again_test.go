package step

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/lab/random"
	"contend/model"
	"contend/model/world"
)

// A follower takes a run through a worker, and through the interpreter by the names of its events.
type follower struct {
	*testing.T
	it     random.Case
	w      *Worker
	world  *world.World
	number map[*world.Event]int // by which the worker knows events
	counts map[string]int       // of events with names so far

	v       []uint32
	cast    Cast
	picks   []component.Pick // that the interpreter was not asked for yet
	booting bool
	failed  bool // a step from the present state ends in a handler that fails
}

// A way is a successor by a step of the run.
type way struct {
	v          []uint32
	move       Move
	trail      Trail
	occurrence int32
	zone       *zoneSnapshot
}

// Where a run is taken again, its events have the names that the interpreter gives them: so the two take the same steps,
// each by its name, to the same states, and the same is pending, by name. What time forbids only the worker knows where
// time is dense.
func TestRunsTakenAgain(t *testing.T) {
	taken := map[model.Reading]int{}
	var cases []random.Case
	for _, seed := range seeds(t) {
		cases = append(cases, random.Draw(seed))
	}
	for seed := range uint64(120) { // what few systems have all at once
		it := random.Draw(seed)
		it.System, it.Claims = beset(it), spies[seed%4]
		cases = append(cases, it)
	}
	for seed := range uint64(40) { // many messages that are named alike, which arrive out of order, some of them once more
		s := random.Letters(rand.New(rand.NewPCG(seed, 3)), random.Timing{Holds: true})
		s.Network.Channel, s.Faults.Restarts = model.Channel(seed%3), 2
		cases = append(cases, random.Case{System: s})
	}
	for i, it := range cases {
		claims, r := watched(it.Claims), map[model.Reading]reading{model.Untimed: untimed, model.Grid: exact, model.Dense: dense}[it.Reading]
		w := working(t, it.System, r, claims...)
		if it.Reading == model.Dense {
			w.Uses.Settles, w.Zones.Either = true, true
		}
		draw := rand.New(rand.NewPCG(uint64(i), 5))
		t.Run(fmt.Sprint("case ", i), func(t *testing.T) {
			for range 5 {
				f := &follower{T: t, it: it, w: w, number: map[*world.Event]int{}, counts: map[string]int{}}
				taken[it.Reading] += f.run(claims, draw)
			}
		})
	}
	if taken[model.Untimed] < 1000 || taken[model.Grid] < 500 || taken[model.Dense] < 200 {
		t.Errorf("only so many steps are taken: %v", taken)
	}
}

// beset is the system of a case, with every fault that its reading of time knows.
func beset(it random.Case) *model.System {
	s := it.System
	for i := range s.Nodes {
		if n := &s.Nodes[i]; !n.Byzantine {
			n.Crash = model.CrashStopRecovery
		}
	}
	if _, ok := s.Nodes[1].New().(model.Invoker); ok && len(s.Nodes[1].Script) == 0 {
		s.Nodes[1].Script = s.Nodes[0].Script
	}
	s.Cuts = nil // Start may lead beyond one, which is refused
	s.Network.Partition = model.By(1)
	s.Detector = model.Detector{Kind: model.EventuallyPerfect, Report: model.Between(0, 1), Mistake: model.Between(1, 2)}
	s.Faults = model.Faults{Loss: 1, Duplication: 2, Crashes: 1, Restarts: 2, Suspicions: 2, Partitions: 2}
	if len(s.Informs()) == 0 {
		s.Detector, s.Faults.Suspicions = model.Detector{}, 0
	}
	if it.Reading == model.Dense {
		s.Faults.Duplication, s.Faults.Restarts = 0, 0
	}
	return s
}

// run takes a run of some steps, and says how many.
func (f *follower) run(claims []model.Claim, draw *rand.Rand) (steps int) {
	for f.booting = true; steps < 15; steps++ {
		ways := f.ways()
		if !f.booting && f.w.Zones == nil {
			f.offered(ways)
		}
		if len(ways) == 0 {
			break
		}
		by := f.drawn(ways, draw)
		f.picks = by.move.Picks
		if f.booting {
			w, err := world.Start(f.it.System, f.w.Codec, claims, world.Options{Timed: f.it.Reading == model.Grid, Boot: f.answer, HoldQueried: f.asked, Created: f.named})
			if err != nil {
				f.Fatal(err)
			}
			f.world, f.booting = w, false
		} else if _, err := f.world.Step(f.find(by), f.world.Now+world.Time(by.move.Delay), f.answer); err != nil {
			f.Fatalf("%v: %v", by.move.Kind, err)
		}
		if len(f.picks) > 0 {
			f.Fatalf("%v: the interpreter does not ask for the answers %v", by.move.Kind, f.picks)
		}
		if f.v, f.cast = by.v, f.w.After(f.cast, by.trail); f.w.Zones == nil {
			SortCast(f.v[f.w.Head:], f.cast.Is)
		} else {
			f.w.Zones.At.Set(by.zone.made)
		}
		f.compare(by.move.Kind)
	}
	return steps
}

// drawn draws a successor: each kind of step is as likely as another.
func (f *follower) drawn(ways []way, draw *rand.Rand) way {
	kinds := map[string][]way{}
	for _, by := range ways {
		kind := fmt.Sprint(by.move.Kind, f.w.Store.Bases.Items[by.move.Base].Optional)
		kinds[kind] = append(kinds[kind], by)
	}
	names := slices.Sorted(maps.Keys(kinds))
	of := kinds[names[draw.IntN(len(names))]]
	return of[draw.IntN(len(of))]
}

// ways are the successors of the present state, or the first ones.
func (f *follower) ways() (all []way) {
	w := f.w
	f.failed, w.Fail = false, func([]uint32) { f.failed = true }
	w.Emit = func(next []uint32) {
		m := w.Move
		m.Picks = slices.Clone(m.Picks)
		all = append(all, way{slices.Clone(next), m, w.Tracker.Saved(), w.Occurrence(m), w.Zones.snapshot()})
	}
	w.Track(f.cast, func() {
		if f.booting {
			w.Initial()
			return
		}
		w.Expand(f.v, w.PrintOfState(f.v))
	})
	return all
}

// offered compares what may happen next. A worker leaves out what is forged and makes no difference, and what fails or leads
// beyond a cut.
func (f *follower) offered(ways []way) {
	got, want := map[string]bool{}, map[string]bool{}
	for _, by := range ways {
		got[f.text(f.find(by))] = true
	}
	for _, m := range f.world.Moves() {
		want[f.text(m)] = true
	}
	maps.DeleteFunc(got, func(text string, _ bool) bool { return strings.HasPrefix(text, model.Forge.String()) })
	if f.failed || f.w.Cuts != 0 {
		maps.DeleteFunc(want, func(text string, _ bool) bool { return !got[text] })
	}
	if how := apart(got, want); how != "" {
		f.Fatalf("there is a difference between what may happen next:\n%s\nin\n%s", how, strings.Join(f.world.State(), "\n"))
	}
}

// text tells a move from others, but not from one that takes an equal event.
func (f *follower) text(m world.Move) string {
	if m.Event == nil {
		return fmt.Sprintf("%v %d %v", m.Kind, m.Node, m.Value)
	}
	name, _, _ := strings.Cut(f.pending(m.Event), " #")
	return fmt.Sprint(m.Kind, " ", name, m.Event.Optional)
}

// find is the interpreter's move of a step.
func (f *follower) find(by way) world.Move {
	b := f.w.Store.Bases.Items[by.move.Base]
	m, wanted := world.Move{Kind: by.move.Kind, Node: model.NodeID(b.Slot), From: model.NodeID(b.From)}, f.nameOf(by.move.Base, by.occurrence)
	switch by.move.Kind {
	case model.Crash, model.Stop, model.Restart:
		m.Node = model.NodeID(by.move.Slot)
		return m
	case model.Forge, model.Mistake, model.Partition:
		m.Value = f.w.Decoded(b.Value)
		return m
	}
	for _, e := range f.world.Pending() {
		if f.pending(e) == wanted {
			m.Event = e
			return m
		}
	}
	f.Fatalf("%v: nothing has the name %s", by.move.Kind, wanted)
	return m
}

// nameOf is the name of a worker's event.
func (f *follower) nameOf(base uint32, occurrence int32) string {
	return fmt.Sprintf("%s #%d", eventText(f.w, base), occurrence)
}

// pending is the name of an event of the interpreter.
func (f *follower) pending(e *world.Event) string {
	return fmt.Sprintf("%v %d→%d %x op %d monitor %d #%d", e.Kind, e.From, e.Node, f.w.Codec.Any(e.Value, nil), e.Op, e.Monitor, f.number[e])
}

// named numbers a new event. What arrives once more keeps that under which it arrived before.
func (f *follower) named(e *world.Event) {
	if e.Repeats != nil {
		f.number[e] = f.number[e.Repeats]
		return
	}
	kin := fmt.Sprint(e.Kind, e.Node, e.From, world.TypeName(e.Value))
	f.counts[kin]++
	f.number[e] = f.counts[kin]
}

// asked is told of a question about a hold, and answer answers it, or a choice. The worker has an answer to each, of
// which the interpreter wants none where it keeps time, or where there is no such hold.
func (f *follower) asked(set bool) {
	if f.booting || f.it.Reading == model.Grid || !set {
		f.answer(2, "held")
	}
}

func (f *follower) answer(n int, what string) int {
	if len(f.picks) == 0 || int(f.picks[0].Of) != n || f.picks[0].Held != 0 != (what == "held") {
		f.Fatalf("the interpreter asks for one of %d (%s), and the worker has the answers %v", n, what, f.picks)
	}
	is := int(f.picks[0].Is)
	f.picks = f.picks[1:]
	return is
}

// compare holds the state of the worker against that of the interpreter.
func (f *follower) compare(kind model.EventKind) {
	w, got, want := f.w, []string(nil), []string(nil)
	for k, id := range f.v[w.Head:] {
		if w.Flats[id].Kind < component.Hold {
			got = append(got, f.nameOf(w.Flats[id].Base, f.cast.Is[k]))
		}
	}
	for _, e := range f.world.Pending() {
		want = append(want, f.pending(e))
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		f.Fatalf("%v: pending is\n%s\nand not\n%s", kind, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	is, should := stated(w, f.v), strings.Join(f.world.State(), "\n")
	switch f.it.Reading {
	case model.Grid:
		should = inTicks(should)
	case model.Dense:
		is, should = timeless(kind, is), timeless(kind, should)
	}
	if is != should {
		f.Fatalf("%v: the state is\n%s\nand not\n%s", kind, is, should)
	}
}
