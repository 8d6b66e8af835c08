package step

import (
	"slices"

	"contend/checker/search/component"
	"contend/checker/zone"
)

// zoning steps the zone of a state of dense time along with its vector: row k+1 is what
// is left of the k-th part. A hold's row goes on below zero, and forces nothing.
type zoning struct {
	At     zone.Zone  // of the present state
	urgent []int      // its rows that are events
	moved  zone.Zone  // as time has passed to the move; the event that fires is still there
	asked  zone.Zone  // what the answers about holds leave of it
	from   *zone.Zone // the one of the two that successors begin with
	fired  int        // the row of the event that fires, or 0

	Made    zone.Zone // of the successor
	origins []int     // of its rows: the row of the present state, or -1 for one that is new
	answers []answer  // that the successor rests on

	// Either says that a run is taken again: its zone is not that of a class, so that it
	// does not tell whether the hold is there in the class.
	Either bool
}

// An answer says of a hold that it lasts, or that it is over.
type answer struct {
	row   int // of the present state
	lasts bool
	open  bool // the hold does not last through its end
}

// start begins a run.
func (z *zoning) start() {
	z.Made.Set(zone.Now())
	z.origins, z.answers = append(z.origins[:0], 0), z.answers[:0]
}

// mayFire lets time pass until an event fires; false when another must be before it.
func (w *Worker) mayFire(i int) bool {
	z := w.Zones
	if z == nil {
		return true
	}
	z.moved.Set(z.At)
	z.from, z.fired, z.answers = &z.moved, i-w.Head+1, z.answers[:0]
	return z.moved.Fire(z.fired, z.urgent)
}

// pass lets any time pass before a move of the environment.
func (z *zoning) pass() {
	z.moved.Set(z.At)
	z.from, z.fired, z.answers = &z.moved, 0, z.answers[:0]
	z.moved.Pass(z.urgent)
}

// findUrgent finds the rows of the events of the state that is to be expanded.
func (z *zoning) findUrgent(w *Worker, v []uint32) {
	z.urgent = z.urgent[:0]
	for i, id := range v[w.Head:] {
		if w.Flats[id].Kind != component.Hold {
			z.urgent = append(z.urgent, i+1)
		}
	}
}

// begin makes the zone of a successor that is like the present state.
func (z *zoning) begin() {
	z.Made.Set(*z.from)
	if z.from == &z.moved {
		z.answers = z.answers[:0] // those of the move before, if one was made from here
	}
	z.origins = z.origins[:0]
	for row := range z.Made.N {
		z.origins = append(z.origins, row)
	}
}

// put adds the row of a part, and returns the part as states have it.
func (z *zoning) put(w *Worker, id uint32) uint32 {
	f := &w.Flats[id]
	upper := zone.Bound(f.Hi)
	if f.Kind == component.Hold {
		upper |= 1 // how it ends, answers say
	}
	z.Made.Add(zone.Bound(f.Lo), upper)
	z.origins = append(z.origins, -1)
	return w.Recall(id, aboutPlain, func() uint32 { return w.Plain(id) })
}

// cut removes the row of the k-th part.
func (z *zoning) cut(k int) {
	z.Made.Drop(k + 1)
	z.origins = slices.Delete(z.origins, k+1, k+2)
}

// allowed leaves of the present state that in which an outcome's answers are true; false
// when nothing is left.
func (z *zoning) allowed(w *Worker, v []uint32, o *component.Outcome) bool {
	z.from, z.answers = &z.moved, z.answers[:0]
	if w.booting {
		return z.unheld(o) // a node that starts holds nothing
	}
	return w.answersHold(v, o, func(row int, lasts, open bool) bool {
		if z.from == &z.moved {
			z.asked.Set(z.moved)
			z.from = &z.asked
		}
		a := answer{row, lasts, open}
		z.answers = append(z.answers, a)
		return a.limit(z.asked, row, 0)
	})
}

// answersHold asks of each hold that an outcome rests on whether its answer may be true.
// A hold that is not there does not last.
func (w *Worker) answersHold(v []uint32, o *component.Outcome, may func(row int, lasts, open bool) bool) bool {
	for _, p := range o.Picks {
		if p.Held == 0 {
			continue
		}
		row, open := w.holdRow(v, p.Held)
		if row == 0 && p.Lasts() || row != 0 && !may(row, p.Lasts(), open) {
			return false
		}
	}
	return true
}

func (z *zoning) unheld(o *component.Outcome) bool {
	return !slices.ContainsFunc(o.Picks, func(p component.Pick) bool { return p.Held != 0 && p.Lasts() })
}

// holdRow finds the row of a hold, or 0.
func (w *Worker) holdRow(v []uint32, held uint32) (row int, open bool) {
	for k, id := range v[w.Head:] {
		if f := &w.Flats[id]; f.Base == held {
			return k + 1, f.Hi&1 == 0
		}
	}
	return 0, false
}

// limit leaves of a zone that in which the answer is true of the hold in a row, when the
// time of row now is now; false when nothing is left.
func (a answer) limit(z zone.Zone, row, now int) bool {
	switch {
	case a.lasts && a.open:
		return z.Limit(now, row, zone.Less(0))
	case a.lasts:
		return z.Limit(now, row, zone.Zero)
	case a.open:
		return z.Limit(row, now, zone.Zero)
	}
	return z.Limit(row, now, zone.Less(0))
}

// savedZone is what branches of one successor begin with.
type savedZone struct {
	made    zone.Zone
	origins []int
	answers []answer
}

// saved keeps the successor's zone for branches; nil unless time is dense.
func (z *zoning) saved() *savedZone {
	if z == nil {
		return nil
	}
	return &savedZone{z.Made.Clone(), slices.Clone(z.origins), slices.Clone(z.answers)}
}

func (z *zoning) restore(s *savedZone) {
	if z == nil {
		return
	}
	z.Made.Set(s.made)
	z.origins = append(z.origins[:0], s.origins...)
	z.answers = append(z.answers[:0], s.answers...)
}

// allowedOf is allowed for a successor that is being made.
func (w *Worker) allowedOf(v []uint32, o *component.Outcome) bool {
	if w.Zones == nil {
		return w.allowed(v, o)
	}
	return w.answersHold(v, o, w.Zones.answered)
}

// answered leaves of the successor that in which an answer is true.
func (z *zoning) answered(row int, lasts, open bool) bool {
	a := answer{z.origins[row], lasts, open}
	if a.row >= 0 {
		z.answers = append(z.answers, a)
	}
	return a.limit(z.Made, row, 0)
}

// settleHolds forgets the holds of a successor that are over for sure, from the i-th
// place on, and hands it to emit. Of a hold that may be over for longer than it lasted,
// or may last still, two states are made: else a hold that nobody asks about would make
// new states for ever.
func (w *Worker) settleHolds(v []uint32, i int) {
	z := w.Zones
	for ; i < len(v); i++ {
		f := &w.Flats[v[i]]
		if f.Kind != component.Hold {
			continue
		}
		row, open := i-w.Head+1, f.Hi&1 == 0
		switch left := z.Made.At(row, 0); {
		case z.Either:
			w.splitHold(v, i, row, open)
			return
		case left < zone.Zero, open && left == zone.Zero:
			v = w.Cut(v, i)
			i--
		case z.Made.At(0, row) > zone.Bound(f.Hi|1):
			w.splitHold(v, i, row, open)
			return
		}
	}
	w.Emit(v)
	w.Emitted++
}

func (w *Worker) splitHold(v []uint32, i, row int, open bool) {
	z := w.Zones
	v, sum, zones, trail := slices.Clone(v), w.Sum, z.saved(), w.Tracker.Saved()
	if z.answered(row, false, open) {
		w.settleHolds(w.Cut(slices.Clone(v), i), i)
	}
	w.Sum = sum
	z.restore(zones)
	w.Tracker.restore(trail)
	if z.Either || z.answered(row, true, open) {
		w.settleHolds(v, i+1)
	}
}

// Unmake returns the points of the present state from which the step that made the
// successor leads into part of it; false when there are none.
func (z *zoning) Unmake(part zone.Zone) (zone.Zone, bool) {
	x, f := z.At.Clone(), z.fired
	if f == 0 {
		x.Add(zone.Zero, zone.None)
		f = x.N - 1
	}
	ok := true
	limit := func(i, j int, b zone.Bound) { ok = ok && (i == j || x.Limit(i, j, b)) }
	for _, k := range z.urgent {
		limit(f, k, zone.Zero)
	}
	for _, a := range z.answers {
		ok = ok && a.limit(x, a.row, f)
	}
	before := func(row int) int {
		if row == 0 {
			return f
		}
		return z.origins[row]
	}
	for i := range part.N {
		for j := range part.N {
			if a, b := before(i), before(j); a >= 0 && b >= 0 {
				limit(a, b, part.At(i, j))
			}
		}
	}
	if ok && z.fired == 0 {
		x.Drop(f)
	}
	return x, ok
}
