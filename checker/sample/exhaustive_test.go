package sample

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"contend/checker/sample/stepper"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// What follows makes all runs with few deviations by brute force. It steps worlds itself, each from the beginning, and shares no code with
// the strategy that makes the same runs, nor with what leads the strategy's runs.

// bounded is a system whose runs are made outright.
type bounded struct {
	system *model.System
	claims []model.Claim
	codec  *value.Codec
	timed  bool
	judged bool // what was observed is of importance to the rest of a run
	steps  int  // that a run takes at most
}

// start starts a world of the system.
func (s *bounded) start(choose func(n int) int) (*world.World, error) {
	return world.Start(s.system, s.codec, s.claims, s.reading(func(n int, _ string) int { return choose(n) }))
}

func (s *bounded) reading(boot world.Chooser) world.Options {
	return world.Options{Timed: s.timed, Parts: 4, Boot: boot}
}

// A made is a run that was made outright.
type made struct {
	script     []int // what was chosen, of choices among several
	options    []int // of each
	deviations int   // choices that are not 0
	behind     int   // choices up to the last deviation
	text       string
	stops      []stop          // where the run was between its steps, behind the last deviation
	states     []reached       // behind the last deviation
	broken     map[string]bool // claims that the run violates, or misses when it ends
	maybe      map[string]bool // claims that it misses at a stop
	struck     []strike
}

// A stop is where a run is between two steps.
type stop struct {
	text    int    // how much of the run's text comes before
	choices int    // that were made before
	place   string // all that the rest depends on; "" while operations at boot begin, and at the end
}

// A reached is a state that a run comes to, behind so much of its text.
type reached struct {
	text  int
	state string
}

// A strike is a fault, with the length of the longest chain then.
type strike struct {
	kind  model.EventKind
	chain int
}

// outright is a run that is being made.
type outright struct {
	*bounded
	made
	w       *world.World
	left    []int // choices that are given
	words   strings.Builder
	told    strings.Builder // what was observed, if it is of importance
	chains  []int           // of each step, how many steps caused each other up to it
	longest int             // of these
	numbers map[*world.Event]int
	late    map[*world.Event][2]int // of events that were delayed: behind which chain, and by which of all delays
	delays  int
	stays   map[model.NodeID]bool // nodes that do not come back at once
	scripts int                   // steps that were taken when all scripts were first done
	tried   int
	parted  int // steps up to which the network stays parted
	most    model.Ticks
}

// make makes the run with a script, whose choices are 0 from its end on.
func (s *bounded) make(script []int) (*made, error) {
	r := &outright{bounded: s, left: script, chains: []int{0}, numbers: map[*world.Event]int{}, late: map[*world.Event][2]int{}, stays: map[model.NodeID]bool{}}
	r.broken, r.maybe = map[string]bool{}, map[string]bool{}
	for i, is := range script {
		if is > 0 {
			r.deviations, r.behind = r.deviations+1, i+1
		}
	}
	var err error
	if r.w, err = s.start(r.choose); err != nil {
		return nil, err
	}
	for more := true; more; {
		for _, e := range r.w.Pending() {
			if r.numbers[e] == 0 {
				r.numbers[e] = len(r.numbers) + 1
			}
		}
		more = r.goesOn()
		r.stop(more)
		if more {
			if more, err = r.step(); err != nil {
				return nil, err
			}
		}
	}
	r.stop(false)
	for _, v := range append(slices.Clone(r.w.Violations), r.w.Missed()...) {
		r.broken[v.Claim] = true
	}
	r.text = r.words.String()
	return &r.made, nil
}

// pick makes a choice that the run's text does not tell of.
func (r *outright) pick(n int) (is int) {
	if n == 1 {
		return 0
	}
	if len(r.left) > 0 {
		is, r.left = r.left[0], r.left[1:]
	}
	r.script, r.options = append(r.script, is), append(r.options, n)
	return is
}

// choose makes a choice.
func (r *outright) choose(n int) int {
	is := r.pick(n)
	r.words.WriteString(choiceText(n, is))
	return is
}

func choiceText(n, is int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf("%d of %d\n", is, n)
}

// stepText is what tells a step from others.
func stepText(codec *value.Codec, rec world.Record) string {
	text := fmt.Sprintf("%v at %d, %d from %d", rec.Move.Kind, rec.At, rec.Node, rec.Move.From)
	if e := rec.Move.Event; e != nil {
		text += fmt.Sprintf(" %d→%d %x %d op %d", e.From, e.Node, codec.Any(e.Value, nil), e.Occurrence, e.Op)
	}
	return text + "\n"
}

// goesOn reports whether the run may take a step more.
func (r *outright) goesOn() bool {
	if r.w.Failed() {
		return false
	}
	if r.scripted() && r.w.Done() && r.scripts == 0 {
		r.scripts = r.w.Steps
	}
	return r.tried < r.steps
}

func (r *outright) scripted() bool {
	return slices.ContainsFunc(r.system.Nodes, func(n model.NodeSpec) bool { return len(n.Script) > 0 })
}

// stop notes where the run is.
func (r *outright) stop(more bool) {
	if len(r.script) < r.behind {
		return
	}
	at := stop{text: r.words.Len(), choices: len(r.script)}
	if more && !r.w.Booting() {
		lines := r.w.StateInOrder(r.order, func(e *world.Event) string {
			chain, late := r.age(e)
			return fmt.Sprint(chain, late > 0)
		})
		var stays []int
		for id := range r.system.Nodes {
			if r.stays[model.NodeID(id)] {
				stays = append(stays, id)
			}
		}
		at.place = strings.Join(lines, "\n") + fmt.Sprint("\n", r.longest, r.w.Steps, r.tried, r.scripts, r.most, stays, max(0, r.parted-r.w.Steps)) + r.told.String()
	}
	for _, v := range r.w.Missed() {
		r.maybe[v.Claim] = true
	}
	r.stops = append(r.stops, at)
}

// age is the length of the chain of events that an event ends, or that a delay put it behind; and as which of all it was delayed, from 1.
func (r *outright) age(e *world.Event) (chain, late int) {
	if behind, is := r.late[e]; is {
		return behind[0], behind[1]
	}
	return r.chains[e.BornStep] + 1, 0
}

// order is that in which events happen which nothing delays.
func (r *outright) order(a, b *world.Event) int {
	chain, late := r.age(a)
	chain2, late2 := r.age(b)
	from := func(e *world.Event) model.NodeID {
		if e.Kind == model.Deliver {
			return e.From
		}
		return e.Node
	}
	return cmp.Or(chain-chain2, late-late2, int(a.Node-b.Node), int(from(a)-from(b)), int(a.Kind)-int(b.Kind), r.numbers[a]-r.numbers[b])
}

// step takes a step, if there is one to take.
func (r *outright) step() (more bool, err error) {
	var own, others []world.Move
	for _, m := range r.w.Moves() {
		if m.Kind.Adversarial() {
			others = append(others, m)
		} else {
			own = append(own, m)
		}
	}
	if r.w.Booting() {
		if len(own) == 0 {
			return false, nil
		}
		return r.take(own[0])
	}
	for _, m := range others {
		if m.Kind != model.Restart {
			continue
		}
		if len(own) > 0 && !r.stays[m.Node] {
			r.stays[m.Node] = r.choose(2) == 1
		}
		if len(own) == 0 || !r.stays[m.Node] {
			delete(r.stays, m.Node)
			return r.take(m)
		}
	}
	faults := append(slices.Clone(others), r.w.Forgeries()...)
	if r.w.Failed() {
		return true, nil
	}
	if is := r.choose(1 + len(faults)); is > 0 {
		if m := faults[is-1]; m.Kind == model.Restart {
			delete(r.stays, m.Node)
		}
		return r.take(faults[is-1])
	}
	if r.w.Steps < r.parted && len(own) > 1 {
		own = slices.DeleteFunc(own, func(m world.Move) bool { return m.Kind == model.Heal })
	}
	if len(own) == 0 {
		return false, nil
	}
	return r.take(r.next(own))
}

// next is the oldest move, once so many were delayed as is chosen.
func (r *outright) next(own []world.Move) world.Move {
	byAge := func(a, b world.Move) int { return r.order(a.Event, b.Event) }
	for range len(own) - 1 {
		if r.pick(2) == 0 {
			break
		}
		chain := 0
		for _, m := range own {
			age, _ := r.age(m.Event)
			chain = max(chain, age)
		}
		r.delays++
		r.late[slices.MinFunc(own, byAge).Event] = [2]int{chain, r.delays}
	}
	m := slices.MinFunc(own, byAge)
	r.words.WriteString(nextText(r.numbers[m.Event]))
	return m
}

// nextText is what tells the event that is chosen from others. A cut may keep it from happening.
func nextText(number int) string { return fmt.Sprintf("event %d\n", number) }

// take takes a move.
func (r *outright) take(m world.Move) (bool, error) {
	r.tried++
	at := r.w.Now
	if r.timed {
		at = r.instant(m)
	}
	chain := r.longest
	if !m.Kind.Adversarial() {
		chain = r.chains[m.Event.BornStep] + 1
	}
	rec, err := r.w.Step(m, at, func(n int, _ string) int { return r.choose(n) })
	if errors.As(err, new(world.ErrCut)) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	r.words.WriteString(stepText(r.codec, rec))
	r.chains = append(r.chains, chain)
	if m.Kind.Adversarial() {
		r.struck = append(r.struck, strike{m.Kind, r.longest})
	}
	r.longest = max(r.longest, chain)
	if m.Kind == model.Partition {
		r.parted = r.w.Steps + []int{0, 16, 64, 256}[r.choose(4)]
	}
	for _, e := range rec.Armed {
		r.most = max(r.most, stepper.Finite(e.Window))
	}
	for _, h := range rec.Held {
		r.most = max(r.most, h.Length.At)
	}
	if r.judged {
		for _, o := range rec.Observations {
			fmt.Fprintf(&r.told, "%v %d %d %x %v %d %d\n", o.Kind, o.Node, o.Op, r.codec.Any(o.Value, nil), o.Past, o.To, o.Chain)
		}
	}
	if len(r.script) >= r.behind {
		r.states = append(r.states, reached{r.words.Len(), strings.Join(r.w.State(), "\n") + r.told.String()})
	}
	return true, nil
}

// instant is the first at which a move may be taken, or the last.
func (r *outright) instant(m world.Move) world.Time {
	first, last := r.w.Now, world.Time(0)
	if m.Kind.Adversarial() {
		var open bool
		if last, open = r.w.Deadline(); open {
			last--
		}
	} else {
		first, last, _ = r.w.Fires(m.Event)
	}
	last = min(last, first+12*world.Time(max(r.most, longest(r.system))))
	if first < last && r.choose(2) == 1 {
		return last
	}
	return first
}

// all makes all runs with at most so many deviations, each once.
func (s *bounded) all(deviations int) (runs []*made, err error) {
	for script := []int{}; script != nil; {
		r, err := s.make(script)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
		script = r.following(deviations)
	}
	return runs, nil
}

// few makes all runs with as many deviations as there are at most so many runs, and says how many deviations these are.
func (s *bounded) few(runs int) (all []*made, deviations int, err error) {
	for ; ; deviations++ {
		if all, err = s.all(deviations); err != nil {
			return nil, 0, err
		}
		more := 0
		for _, r := range all {
			if r.deviations == deviations {
				more += children(r.options[r.behind:])
			}
		}
		if more == 0 || len(all)+more > runs {
			return all, deviations, nil
		}
	}
}

// children counts the runs with one deviation more, at one of some choices.
func children(options []int) (n int) {
	for _, o := range options {
		n += o - 1
	}
	return n
}

// following is the script that comes next, by the last choice that may be another; nil after the last script.
func (m *made) following(deviations int) []int {
	for i, is := range slices.Backward(m.script) {
		before := 0
		for _, is := range m.script[:i] {
			before += min(is, 1)
		}
		if before < deviations && is+1 < m.options[i] {
			return append(slices.Clone(m.script[:i]), is+1)
		}
	}
	return nil
}
