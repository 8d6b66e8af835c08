package step

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"contend/checker/internal/random"
	"contend/checker/search/component"
	"contend/model"
	"contend/model/guard"
	"contend/model/world"
)

// A pair is a run that a walk takes in step with the interpreter.
type pair struct {
	*Walk
	w       *world.World
	r       *rand.Rand
	parts   int64
	answers []int // that the interpreter was given, and the walk not yet
}

// choose answers the interpreter, and keeps the answer for the walk.
func (p *pair) choose(n int, _ string) int {
	if n == 1 {
		return 0 // nobody need be asked
	}
	p.answers = append(p.answers, p.r.IntN(n))
	return p.answers[len(p.answers)-1]
}

// start begins a run.
func start(x *Walk, claims []model.Claim, parts int64, r *rand.Rand) (p *pair, err error) {
	p = &pair{Walk: x, r: r, parts: parts}
	x.Answers = func(n int) int {
		if n == 1 {
			return 0
		}
		if len(p.answers) == 0 {
			panic("the walk asks for more")
		}
		is := p.answers[0]
		p.answers = p.answers[1:]
		return is % n
	}
	p.w, err = world.Start(x.Sys, x.Codec, claims, world.Options{Timed: parts > 0, Parts: parts, Boot: p.choose})
	if err == nil {
		x.Begin(parts)
	}
	return p, err
}

// differs tells in what the two differ.
func (p *pair) differs() string {
	switch {
	case len(p.answers) > 0:
		return fmt.Sprintf("the walk asked for less: %v are left", p.answers)
	case p.Failed != p.w.Failed():
		return fmt.Sprintf("the walk fails: %v, the interpreter: %v", p.Failed, p.w.Failed())
	case int(p.Steps) != p.w.Steps:
		return fmt.Sprintf("the walk has taken %d steps, the interpreter %d", p.Steps, p.w.Steps)
	}
	if got, want := p.shown(), p.shownBy(); got != want {
		return fmt.Sprintf("the walk shows %s, the interpreter %s", got, want)
	}
	if p.Failed {
		return ""
	}
	got := timedState(p.Worker, p.V, func(k int) (from, to int64, timed bool) {
		at := p.At[k-p.Head]
		if to = at.Last; to != Never {
			to -= p.Now
		}
		return max(0, at.First-p.Now), to, p.parts > 0
	})
	if want := inTicks(strings.Join(p.w.State(), "\n")); got != want {
		return fmt.Sprintf("the walk is at\n%s\nthe interpreter at\n%s", got, want)
	}
	return p.may()
}

// shown is what the last step of the walk shows: what breaks, what is measured.
func (p *pair) shown() string {
	var all []string
	of := monitored(p.Claims)
	for _, b := range p.Broken {
		switch {
		case b.Monitor == Failing:
			all = append(all, model.NoHandlerFails)
		case b.Measured > 0:
			all = append(all, fmt.Sprintf("%s: %d", of[b.Monitor].Name, b.Measured-1))
		case b.Who >= 0:
			all = append(all, fmt.Sprintf("%s: %s: %s", of[b.Monitor].Name, p.name(int(b.Who)), b.Text))
		default:
			all = append(all, fmt.Sprintf("%s: %s", of[b.Monitor].Name, b.Text))
		}
	}
	slices.Sort(all)
	for m, c := range of {
		if p.Witness>>m&1 == 1 {
			all = append(all, c.Name+" is witnessed")
		}
	}
	return strings.Join(all, "; ")
}

// shownBy is what the interpreter shows. Of what a monitor says of one observation a walk keeps the last.
func (p *pair) shownBy() string {
	var all, more []string
	for _, v := range p.w.Violations {
		switch {
		case v.Step != p.w.Steps:
		case v.Claim == model.NoHandlerFails:
			all = append(all, v.Claim)
		case !p.said(fmt.Sprintf("%s: %s", v.Claim, v.Text)):
			more = append(more, v.Claim)
		default:
			all = append(all, fmt.Sprintf("%s: %s", v.Claim, v.Text))
		}
	}
	for _, claim := range more {
		if !slices.ContainsFunc(all, func(text string) bool { return strings.HasPrefix(text, claim+": ") }) {
			return claim + " is broken"
		}
	}
	for _, m := range p.w.Measured {
		if m.Step == p.w.Steps {
			all = append(all, fmt.Sprintf("%s: %d", m.Claim, m.Number))
		}
	}
	slices.Sort(all)
	for _, c := range monitored(p.Claims) {
		if p.w.Witnessed[c.Name] {
			all = append(all, c.Name+" is witnessed")
		}
	}
	return strings.Join(all, "; ")
}

// said reports whether the walk shows that a claim is broken, in these words.
func (p *pair) said(text string) bool { return slices.Contains(strings.Split(p.shown(), "; "), text) }

// may compares what the environment may do.
func (p *pair) may() string {
	if p.w.Booting() {
		if p.Boots() < 0 {
			return "no operation at boot has to begin"
		}
		return ""
	}
	got, want := map[string]bool{}, map[string]bool{}
	for n := range p.N {
		crash, stop := p.MayCrash(n)
		got[fmt.Sprint("crash ", n)], got[fmt.Sprint("stop ", n)], got[fmt.Sprint("restart ", n)] = crash, stop, p.MayRestart(n)
	}
	p.Mistakes(func(to, of int) { got[fmt.Sprintf("mistake %d %d", to, of)] = true })
	got["partition"] = p.Sides() > 0
	sent, sides := false, 0
	for _, m := range p.w.Moves() {
		switch m.Kind {
		case model.Crash, model.Stop, model.Restart:
			want[fmt.Sprint(m.Kind, " ", m.Node)] = true
		case model.Mistake:
			want[fmt.Sprintf("mistake %d %d", m.Node, m.Value)] = true
		case model.Partition:
			want["partition"] = true
			sides++
		case model.Lose, model.Duplicate:
			want[m.Kind.String()] = true
		}
	}
	for _, e := range p.w.Pending() {
		sent = sent || e.Kind == model.Deliver && !e.Optional
	}
	got["lose"], got["duplicate"] = p.Loses() && sent, p.Duplicates() && sent
	for what := range want {
		if !got[what] {
			return "the walk does not let the environment " + what
		}
	}
	for what, may := range got {
		if may && !want[what] {
			return "the walk lets the environment " + what
		}
	}
	if p.Sides() != sides || p.Boots() >= 0 {
		return fmt.Sprintf("there are %d ways to cut the network, and node %d has to begin", p.Sides(), p.Boots())
	}
	return ""
}

// place finds the part of an event: of equal ones the one that is as old.
func (p *pair) place(e *world.Event) (int, bool) {
	older := 0
	for _, other := range p.w.Pending() {
		if other == e {
			break
		}
		if p.looks(other) == p.looks(e) {
			older++
		}
	}
	for k := range p.At {
		f := p.Flats[p.V[p.Head+k]]
		b := p.Bases.Items[f.Base]
		slot, monitor := placeOf(p.Worker, &b)
		if looks := fmt.Sprintf("%v %d→%d %x %d %d %v", model.EventKind(f.Kind), f.From, slot, p.Values.Items[b.Value], b.Op, monitor, f.Optional); looks != p.looks(e) {
			continue
		}
		if older--; older < 0 {
			return k, true
		}
	}
	return 0, false
}

func (p *pair) looks(e *world.Event) string {
	return fmt.Sprintf("%v %d→%d %x %d %d %v", e.Kind, e.From, e.Node, p.Codec.Any(e.Value, nil), e.Op, e.Monitor, e.Optional)
}

// step takes a random step; false if there is none, or the run is over.
func (p *pair) step() (how string, goesOn bool) {
	moves := append(p.w.Moves(), p.w.Forgeries()...)
	if len(moves) == 0 {
		return "", false
	}
	m := moves[p.r.IntN(len(moves))]
	first, last := p.w.Now, p.w.Now
	if p.parts > 0 {
		if deadline, open := p.w.Deadline(); m.Kind.Adversarial() {
			if last = min(deadline, p.w.Now+world.Time(2*p.parts)); open && last == deadline {
				last--
			}
		} else {
			first, last, _ = p.w.Fires(m.Event)
			last = min(last, first+world.Time(2*p.parts))
		}
	}
	if last < first {
		return "", false
	}
	at := first + world.Time(p.r.Int64N(int64(last-first)+1))
	take, ok := p.action(m)
	if !ok {
		return fmt.Sprintf("the walk has no %v", m), false
	}
	record, err := p.w.Step(m, at, p.choose)
	if p.parts == 0 {
		at = 0
	}
	if taken := p.Step(int64(at), take); taken != (err == nil) {
		return fmt.Sprintf("%v: the walk takes it: %v, the interpreter says %v", m, taken, err), false
	}
	if err != nil {
		if cut := new(world.ErrCut); !errors.As(err, cut) || p.Cutting == 0 {
			return fmt.Sprintf("the interpreter says %v, the walk has met the cuts %b", err, p.Cutting), false
		}
		return "", false
	}
	if how := p.differs(); how != "" {
		return fmt.Sprintf("after %v: %s", m, how), false
	}
	if how := p.observed(record.Observations); how != "" {
		return fmt.Sprintf("after %v: %s", m, how), false
	}
	return "", !p.Failed
}

// observed compares what monitors were told in a step, where there are any.
func (p *pair) observed(want []model.Observation) string {
	var got []model.Observation
	for _, seen := range p.Seen {
		got = append(got, *p.observation(seen))
	}
	p.Seen = p.Seen[:0]
	if p.Monitors() > 0 && !reflect.DeepEqual(got, want) {
		return fmt.Sprintf("the walk has seen %+v, the interpreter %+v", got, want)
	}
	return ""
}

// action is what the walk does for a move; false if it has no such.
func (p *pair) action(m world.Move) (take func(), ok bool) {
	node := int(m.Node)
	switch m.Kind {
	case model.Crash, model.Stop:
		return func() { p.Crash(node, m.Kind) }, true
	case model.Restart:
		return func() { p.Restart(node) }, true
	case model.Mistake:
		return func() { p.Mistake(node, int(m.Value.(model.NodeID))) }, true
	case model.Partition:
		k := slices.IndexFunc(p.cuts, func(c cutting) bool { return reflect.DeepEqual(any(c.side), m.Value) })
		return func() { p.Part(k) }, k >= 0
	case model.Forge:
		list, ok := p.Alphabet(node)
		i := slices.IndexFunc(list, func(id uint32) bool {
			b := p.Bases.Items[id]
			return model.NodeID(b.From) == m.From && p.Values.Items[b.Value] == string(p.Codec.Any(m.Value, nil))
		})
		return func() { p.Forge(node, list[i]) }, ok && i >= 0
	}
	k, ok := p.place(m.Event)
	switch m.Kind {
	case model.Lose:
		return func() { p.Lose(p.Head + k) }, ok
	case model.Duplicate:
		return func() { p.Duplicate(p.Head + k) }, ok
	}
	return func() { p.Fire(p.Head + k) }, ok && (component.Kind(m.Kind) != component.Kind(model.Deliver) || p.First(k))
}

// Walks take the runs of the interpreter, step by step, in random systems of every kind.
func TestWalksAreRunsOfTheInterpreter(t *testing.T) {
	steps := map[bool]int{}
	for _, seed := range seeds(t) {
		it := random.Draw(seed)
		r, claims := rand.New(rand.NewPCG(seed, 1)), watched(it.Claims)
		if len(it.Costs) > 0 && seed%2 == 0 {
			claims = []model.Claim{it.Costs[0].Claim()}
		}
		reading, parts := untimed, int64(0)
		if it.Reading != model.Untimed {
			reading, parts = dense, 4
		}
		x := NewWalk(working(t, it.System, reading, claims...).Engine)
		x.Cell, x.Doubts = &guard.Cell{}, seed%3 == 0
		for range 4 {
			p, err := start(x, claims, parts, r)
			if err != nil {
				t.Fatalf("seed %d (%v): %v", seed, it, err)
			}
			how, goesOn := p.differs(), true
			for n := 0; n < 20 && how == "" && goesOn && !p.Failed; n++ {
				how, goesOn = p.step()
				steps[parts > 0]++
			}
			if how != "" {
				t.Fatalf("seed %d (%v): %s", seed, it, how)
			}
		}
	}
	if steps[false] < 1000 || steps[true] < 1000 {
		t.Errorf("only so many steps are taken: %v", steps)
	}
}
