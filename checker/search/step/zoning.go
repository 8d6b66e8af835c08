package step

import (
	"slices"

	"contend/checker/search/component"
	"contend/checker/zone"
)

// A zoning computes the zones of a state's successors in dense time. Row k+1 is the time left for the k-th
// part. The row of a hold continues below zero, and does not stop time.
type zoning struct {
	At      zone.Zone  // the zone of the present state
	urgent  []int      // its rows of events, whose deadlines stop time
	moved   zone.Zone  // At after the time until the move; the fired event still has its row
	limited zone.Zone  // moved, restricted by the answers about holds
	from    *zone.Zone // &moved or &limited: where successors begin
	fired   int        // the row of the fired event, or 0

	Made    zone.Zone // the zone of the successor
	origins []int     // by row of Made: the row of the present state, or -1 for a new row
	answers []answer  // the answers about holds that the successor rests on

	// Either is set when a run is replayed. The run's zone is not the zone of a class, so whether
	// the class still has a hold is not known: both ways are emitted.
	Either bool
}

// An answer is the answer about one hold: it lasts, or it is over.
type answer struct {
	row   int // the hold's row in the present state
	lasts bool
	open  bool // the hold's end is open: at its end the hold is over
}

// start sets the zone of an initial state.
func (z *zoning) start() {
	z.Made.Set(zone.Now())
	z.origins, z.answers = append(z.origins[:0], 0), z.answers[:0]
}

// mayFire lets time pass until the event of the i-th part fires; false if another deadline comes first. Without
// zones it returns true.
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

// findUrgent sets the rows of the events of a state.
func (z *zoning) findUrgent(w *Worker, v []uint32) {
	z.urgent = z.urgent[:0]
	for i, id := range v[w.Head:] {
		if w.Flats[id].Kind != component.Hold {
			z.urgent = append(z.urgent, i+1)
		}
	}
}

// begin sets Made to the zone of a successor that has all parts of the present state.
func (z *zoning) begin() {
	z.Made.Set(*z.from)
	if z.from == &z.moved {
		z.answers = z.answers[:0] // answers for the successor before this one
	}
	z.origins = z.origins[:0]
	for row := range z.Made.N {
		z.origins = append(z.origins, row)
	}
}

// put adds the row of a part, and returns the part as states hold it.
func (z *zoning) put(w *Worker, id uint32) uint32 {
	f := &w.Flats[id]
	upper := zone.Bound(f.Hi)
	if f.Kind == component.Hold {
		upper |= 1 // the answers distinguish an open from a closed end
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

// allowed restricts the present zone to the points where an outcome's answers are true; false if no point is
// left.
func (z *zoning) allowed(w *Worker, v []uint32, o *component.Outcome) bool {
	z.from, z.answers = &z.moved, z.answers[:0]
	if w.booting {
		return z.holdsNothing(o) // a node that starts holds nothing
	}
	return w.answersHold(v, o, func(row int, lasts, open bool) bool {
		if z.from == &z.moved {
			z.limited.Set(z.moved)
			z.from = &z.limited
		}
		a := answer{row, lasts, open}
		z.answers = append(z.answers, a)
		return a.limit(z.limited, row, 0)
	})
}

// answersHold calls may for each answer about a pending hold that an outcome rests on, until may returns false.
// It reports whether all answers may be true. A hold that is not pending is over.
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

func (z *zoning) holdsNothing(o *component.Outcome) bool {
	return !slices.ContainsFunc(o.Picks, func(p component.Pick) bool { return p.Held != 0 && p.Lasts() })
}

// holdRow returns the row of a hold, or 0.
func (w *Worker) holdRow(v []uint32, held uint32) (row int, open bool) {
	for k, id := range v[w.Head:] {
		if f := &w.Flats[id]; f.Base == held {
			return k + 1, f.Hi&1 == 0
		}
	}
	return 0, false
}

// limit restricts a zone to the points where the answer is true of the hold in a row. The row now is the
// present time. It returns false if no point is left.
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

// A zoneSnapshot is a copy of the successor's zone, for several branches.
type zoneSnapshot struct {
	made    zone.Zone
	origins []int
	answers []answer
}

// snapshot returns a copy of the successor's zone; nil unless time is dense.
func (z *zoning) snapshot() *zoneSnapshot {
	if z == nil {
		return nil
	}
	return &zoneSnapshot{z.Made.Clone(), slices.Clone(z.origins), slices.Clone(z.answers)}
}

func (z *zoning) restore(s *zoneSnapshot) {
	if z == nil {
		return
	}
	z.Made.Set(s.made)
	z.origins = append(z.origins[:0], s.origins...)
	z.answers = append(z.answers[:0], s.answers...)
}

// allowedInSuccessor reports whether time allows an outcome's answers in the successor that is being built.
func (w *Worker) allowedInSuccessor(v []uint32, o *component.Outcome) bool {
	if w.Zones == nil {
		return w.allowed(v, o)
	}
	return w.answersHold(v, o, w.Zones.limitMade)
}

// limitMade restricts the successor's zone to the points where an answer is true; false if no point is left.
func (z *zoning) limitMade(row int, lasts, open bool) bool {
	a := answer{z.origins[row], lasts, open}
	if a.row >= 0 {
		z.answers = append(z.answers, a)
	}
	return a.limit(z.Made, row, 0)
}

// settleHolds removes, from the i-th component on, the holds of a successor that are surely over, and emits the
// successor. A hold may be over for longer than its length, or may still last. For such a hold two states are
// emitted, one with the hold over and one with it lasting. Otherwise a hold that no handler reads would create
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
	v, sum, zones, trail := slices.Clone(v), w.Sum, z.snapshot(), w.Tracker.Saved()
	if z.limitMade(row, false, open) {
		w.settleHolds(w.Cut(slices.Clone(v), i), i)
	}
	w.Sum = sum
	z.restore(zones)
	w.Tracker.restore(trail)
	if z.Either || z.limitMade(row, true, open) {
		w.settleHolds(v, i+1)
	}
}

// Unmake returns the points of the present zone from which the present step leads into part, a subset of Made;
// false if there are none.
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
