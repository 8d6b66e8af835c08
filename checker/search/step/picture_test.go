package step

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/lab/oracle"
	"contend/model"
)

// A picture is all that can happen in a system, with its states as texts.
type picture struct {
	says  map[string]string          // what is said of a state
	leads map[string]map[string]bool // the steps from it, by kind and by where they lead: whether time has to pass before
	cut   map[string]bool            // whether a step from it leads beyond a cut
	marks map[string]bool            // what steps show: claims that they break, with the state to which they lead, and numbers
}

func newPicture() *picture {
	return &picture{map[string]string{}, map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

func (p *picture) lead(from string, kind model.EventKind, later bool, to string, gone []string) {
	if kind == model.Forge && from == to {
		return // a worker leaves it out
	}
	if p.leads[from] == nil {
		p.leads[from] = map[string]bool{}
	}
	slices.Sort(gone)
	step := fmt.Sprintf("%v, after which %q are pending no more, or anew:\n%s", kind, slices.Compact(gone), to)
	if before, met := p.leads[from][step]; met {
		later = later && before
	}
	p.leads[from][step] = later
}

// fails is where a step leads in which a handler fails.
const fails = "a failure"

func (p *picture) breaks(claim, to string) { p.marks[claim+" is broken on the way to\n"+to] = true }

func (p *picture) measures(claim string, least, most int) {
	p.marks[fmt.Sprintf("%s is between %d and %d", claim, least, most)] = true
}

// says is what is said of a state.
type says struct {
	done, pending  bool
	moves, repairs bool     // steps of the protocol, and restarts
	kept           []string // steps that a cut or a failing handler keeps from happening
	owed           []string
}

// of is what is said of a state with a text. Brute force does not tell what may happen once more from what has to
// happen, nor who fails: then nothing is said of what moves. Nor does it call owed what has to wait for an
// operation at boot.
func (s says) of(text string, boots int) string {
	if boots > 0 {
		s.owed = nil
	}
	if len(s.kept) > 0 || strings.Contains(text, "optional true") {
		s.moves = false
	}
	slices.Sort(s.kept)
	slices.Sort(s.owed)
	return fmt.Sprintf("done %v, pending %v, moves %v, repairs %v, kept %v, owed %v", s.done, s.pending, s.moves, s.repairs, slices.Compact(s.kept), slices.Compact(s.owed))
}

// sort is the sort of a step, as far as a worker tells of one that is kept from happening.
func sort(k model.EventKind) string {
	switch {
	case k == model.Restart:
		return "restart"
	case k.Adversarial():
		return "environment"
	}
	return k.String()
}

// A painter makes the picture that a worker gives.
type painter struct {
	*testing.T
	*picture
	w      *Worker
	claims []model.Claim // with monitors
	ranges map[string]oracle.Range

	states [][]uint32
	known  map[string][]uint32
	texts  map[fingerprint.Print]string // of the states, by their prints
	from   string                       // the text of the present state; none at the beginning
	events map[string]int               // that are pending there
	moved  bool                         // one of them happened that has to some time, other than a monitor's alarm
}

// monitored are the claims that have monitors.
func monitored(claims []model.Claim) []model.Claim {
	return slices.DeleteFunc(slices.Clone(claims), func(c model.Claim) bool { return c.Monitor == nil })
}

// paint goes through a system; it returns nil if there are more states than most.
func paint(t *testing.T, w *Worker, most int) *picture {
	p := &painter{T: t, picture: newPicture(), w: w, claims: monitored(w.Claims), ranges: map[string]oracle.Range{}, known: map[string][]uint32{}, texts: map[fingerprint.Print]string{}}
	w.Emit, w.Fail = p.emitted, func([]uint32) { p.broken(fails) }
	w.Fair, w.Sets = true, &liveness.New(true).Sets
	w.Initial()
	for k := 0; k < len(p.states); k++ {
		if len(p.states) > most {
			return nil
		}
		p.expand(p.states[k])
	}
	for claim, r := range p.ranges {
		p.measures(claim, r.Least, r.Most)
	}
	return p.picture
}

func (p *painter) expand(v []uint32) {
	w := p.w
	p.from, p.events, p.moved = stated(w, v), eventsIn(w, v), false
	if w.Expand(v, w.PrintOfState(v)); p.moved && !w.Movable {
		p.Fatalf("what has to happen can, and it does not move:\n%s", p.from)
	}
	s := says{done: w.Done(v), pending: w.PendingEvent(v) || w.Repairs, moves: w.Movable, repairs: w.Repairs}
	if w.Cuts>>len(w.Sys.Cuts) != 0 {
		p.Fatalf("of %d cuts it meets %b", len(w.Sys.Cuts), w.Cuts)
	}
	p.cut[p.from] = w.Cuts != 0
	for _, base := range w.Withheld {
		s.kept = append(s.kept, sort(model.EventKind(w.Store.Bases.Items[base].Kind)))
	}
	for flag, what := range map[liveness.Flags]string{liveness.Repair: "restart", liveness.Environment: "environment", liveness.Spare: model.Deliver.String()} {
		if w.WithheldFlags&flag != 0 {
			s.kept = append(s.kept, what)
		}
	}
	for _, base := range w.Obligations(v) {
		s.owed = append(s.owed, eventText(w, base))
	}
	p.says[p.from] = s.of(p.from, len(w.BootClients))
}

func (p *painter) emitted(next []uint32) {
	w := p.w
	v := slices.Clone(next)
	SortParts(v[w.Head:])
	if w.Sum != w.PrintOfState(v) {
		p.Fatalf("%v: the print of %v is not the sum of its parts", w.Move.Kind, v)
	}
	to := stated(w, v)
	if p.w.Move.Witness>>len(p.claims) != 0 {
		p.Fatalf("%v: a monitor that is none was put to the test", w.Move.Kind)
	}
	p.moved = p.moved || !w.Move.Kind.Adversarial() && w.Move.Kind != model.Expire && !w.Store.Bases.Items[w.Move.Base].Optional
	if p.broken(to); p.from != "" {
		p.lead(p.from, w.Move.Kind, w.Move.Delay > 0, to, p.gone(v))
		p.flags()
	}
	if other, met := p.texts[w.Sum]; met && other != to {
		p.Fatalf("two states have one print:\n%s\nand\n%s", other, to)
	}
	p.texts[w.Sum] = to
	if before, met := p.known[to]; !met {
		p.known[to] = v
		p.states = append(p.states, v)
	} else if !slices.Equal(v, before) {
		p.Fatalf("%v and %v are one state:\n%s", before, v, to)
	}
}

// gone are the events of the present state that a step takes or ends, or makes anew.
func (p *painter) gone(v []uint32) (gone []string) {
	w, after := p.w, eventsIn(p.w, v)
	for name, n := range p.events {
		if n > after[name] {
			gone = append(gone, name)
		}
	}
	if !w.Move.Kind.Adversarial() {
		gone = append(gone, eventText(w, w.Move.Base))
	}
	for _, base := range w.Sets.Events(w.Edge().Renewed) {
		if name := eventText(w, base); p.events[name] > 0 {
			gone = append(gone, name)
		}
	}
	return gone
}

// eventsIn counts the events of a state.
func eventsIn(w *Worker, v []uint32) map[string]int {
	all := map[string]int{}
	for _, id := range v[w.Head:] {
		if f := &w.Flats[id]; f.Kind < component.Hold {
			all[eventText(w, f.Base)]++
		}
	}
	return all
}

// eventText tells an event from others, but not from an equal one.
func eventText(w *Worker, base uint32) string {
	b := w.Store.Bases.Items[base]
	slot, monitor := placeOf(w, &b)
	return fmt.Sprintf("%v %d→%d %x op %d monitor %d", model.EventKind(b.Kind), b.From, slot, w.Store.Values.Items[b.Value], b.Op, monitor)
}

// broken takes note of what a step shows.
func (p *painter) broken(to string) {
	for _, b := range p.w.Move.Broken {
		switch {
		case b.Monitor == Failing:
			p.marks[fails] = true
		case b.Measured == 0:
			p.breaks(p.claims[b.Monitor].Name, to)
		case to != fails:
			claim, n := p.claims[b.Monitor].Name, int(b.Measured)-1
			r, met := p.ranges[claim]
			if !met {
				r = oracle.Range{Least: n, Most: n}
			}
			p.ranges[claim] = oracle.Range{Least: min(r.Least, n), Most: max(r.Most, n)}
		}
	}
}

// flags checks what is said of the edge that a step takes.
func (p *painter) flags() {
	e, kind := p.w.Edge(), p.w.Move.Kind
	want := liveness.Flags(0)
	switch {
	case kind == model.Restart:
		want = liveness.Repair
	case kind.Adversarial():
		want = liveness.Environment
	case p.w.Store.Bases.Items[p.w.Move.Base].Optional:
		want = liveness.Spare
	}
	if e.Flags != want || (e.Event == 0) != kind.Adversarial() {
		p.Fatalf("%v: the edge is %+v", kind, e)
	}
}

// brute is the picture that brute force gives.
func brute(sys *model.System, claims []model.Claim, clock oracle.Clock, most int) (*picture, error) {
	g, err := oracle.Explore(sys, claims, clock, most)
	if err != nil {
		return nil, err
	}
	p := newPicture()
	for _, at := range g.States {
		text, s := inTicks(at.Text), says{done: at.Done, pending: at.Moves, owed: at.Owed}
		for claim := range at.Broken {
			p.breaks(claim, text)
		}
		for _, e := range at.Edges {
			p.lead(text, e.Kind, e.Takes, inTicks(g.States[e.To].Text), slices.Clone(e.Gone))
			s.repairs = s.repairs || e.Kind == model.Restart
			s.moves = s.moves || !e.Kind.Adversarial() && (e.Kind != model.Expire || s.pending)
		}
		for _, e := range at.Cuts {
			s.kept = append(s.kept, sort(e.Kind))
			s.repairs = s.repairs || e.Kind == model.Restart
		}
		p.says[text], p.cut[text] = s.of(text, len(sys.AtBoot())), len(at.Cuts) > 0
	}
	for claim := range g.Broken {
		if claim != model.NoHandlerFails {
			p.breaks(claim, fails)
		}
	}
	for claim, r := range g.Costs {
		p.measures(claim, r.Least, r.Most)
	}
	if g.Failed {
		p.marks[fails] = true
	}
	return p, nil
}

// differ tells in what two pictures differ.
func (p *picture) differ(want *picture) string {
	for _, text := range slices.Sorted(maps.Keys(want.says)) {
		switch {
		case p.says[text] == "":
			return "it does not come to\n" + text
		case p.says[text] != want.says[text]:
			return fmt.Sprintf("it says %q, and not %q, of\n%s", p.says[text], want.says[text], text)
		case !want.marks[fails] && p.cut[text] != want.cut[text]: // brute force does not tell cuts from failures
			return fmt.Sprintf("a step leads beyond a cut: %v, of\n%s", p.cut[text], text)
		case !maps.Equal(p.leads[text], want.leads[text]):
			return fmt.Sprintf("there is a difference in\n%s\nbetween steps from\n%s", apart(p.leads[text], want.leads[text]), text)
		}
	}
	if len(p.says) > len(want.says) {
		return fmt.Sprintf("it has %d states, and not %d", len(p.says), len(want.says))
	}
	return apart(p.marks, want.marks)
}

// apart tells what only one of two sets has.
func apart(a, b map[string]bool) string {
	var out []string
	for _, text := range slices.Sorted(maps.Keys(a)) {
		if is, both := b[text]; !both || is != a[text] {
			out = append(out, fmt.Sprintf("the worker: %v %s", a[text], text))
		}
	}
	for _, text := range slices.Sorted(maps.Keys(b)) {
		if is, both := a[text]; !both || is != b[text] {
			out = append(out, fmt.Sprintf("brute force: %v %s", b[text], text))
		}
	}
	return strings.Join(out, "\n")
}

// placeOf is where an event of the interpreter happens, and at which monitor.
func placeOf(w *Worker, b *component.Base) (slot, monitor int) {
	if b.Kind == component.Kind(model.Expire) {
		return -1, int(b.Slot) - w.N
	}
	return int(b.Slot), 0
}
