package costs

import (
	"strconv"
	"strings"

	"contend/model"
)

// DelaysInTime returns [ClientDelay] and [SynchronizationDelay] as times in whole ticks, from a request or an
// exit to the entry. If a message takes at most one tick, and everything else none, the maximum is the delay as
// papers usually define it. It may be less than the longest chain, since many fast messages may be sent during
// a slow one. It may be more, since a message sent before the moment may arrive after it. It needs a reading
// with time, and on the grid the maximum is exact.
func DelaysInTime() []*model.Cost {
	onTime := model.Check{Reading: model.Grid}
	client := &model.Cost{
		Name: "client delay in time", Unit: "ticks", Assumes: []model.Assumption{model.Timed}, Most: 30, Check: onTime,
		Meaning: "Whole ticks from a request to the entry, while nobody else is in the section or waits.",
	}
	client.Meter = func(*model.System) model.Monitor { return &clientTime{cost: client} }
	handover := &model.Cost{
		Name: "synchronization delay in time", Unit: "ticks", Assumes: []model.Assumption{model.Timed}, Most: 30, Check: onTime,
		Meaning: "Whole ticks from an exit to the entry of the only one who waits.",
	}
	handover.Meter = func(*model.System) model.Monitor { return &handoverTime{cost: handover} }
	return []*model.Cost{client, handover}
}

// tick is the key of a stopwatch's alarm.
const tick = "tick"

// A Stopwatch counts ticks while it runs.
type Stopwatch struct {
	Runs  bool
	Ticks int
}

func (s *Stopwatch) start(w model.Watch) {
	s.stop(w)
	s.Runs = true
	w.After(tick, model.Exactly(1))
}

func (s *Stopwatch) stop(w model.Watch) {
	w.Cancel(tick)
	*s = Stopwatch{}
}

// read measures the ticks, if the stopwatch runs, and stops it.
func (s *Stopwatch) read(w model.Watch) {
	if s.Runs {
		w.Measure(s.Ticks)
	}
	s.stop(w)
}

func (s *Stopwatch) expire(w model.Watch, cost *model.Cost) {
	s.Ticks = cost.Counted(s.Ticks)
	w.After(tick, model.Exactly(1))
}

type clientTime struct {
	cost  *model.Cost
	Busy  map[model.NodeID]bool // in the section, or waiting
	Clock Stopwatch
}

func (c *clientTime) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		if c.Clock.stop(w); len(c.Busy) == 0 {
			c.Clock.start(w)
		}
		c.Busy[o.Node] = true
	case model.Returned:
		c.Clock.read(w)
	case model.Released, model.Crashed:
		delete(c.Busy, o.Node)
		c.Clock.stop(w)
	}
}

func (c *clientTime) Expire(w model.Watch, _ any) { c.Clock.expire(w, c.cost) }

type handoverTime struct {
	cost    *model.Cost
	settles bool // only a process that has waited for a tick counts
	Waiting map[model.NodeID]bool
	Settled map[model.NodeID]bool // processes that have waited for a tick, if settles
	Clock   Stopwatch
}

func (h *handoverTime) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		h.Waiting[o.Node] = true
		h.Clock.stop(w)
		if h.settles {
			w.After(waited+strconv.Itoa(int(o.Node)), model.Exactly(1))
		}
	case model.Released:
		if h.Clock.stop(w); len(h.Waiting) == 1 && (!h.settles || len(h.Settled) == 1) {
			h.Clock.start(w)
		}
	case model.Returned:
		h.Clock.read(w)
		h.forget(w, o.Node)
	case model.Crashed:
		h.forget(w, o.Node)
		h.Clock.stop(w)
	}
}

// forget removes a process that does not wait any more.
func (h *handoverTime) forget(w model.Watch, id model.NodeID) {
	delete(h.Waiting, id)
	if h.settles {
		delete(h.Settled, id)
		w.Cancel(waited + strconv.Itoa(int(id)))
	}
}

// waited is the prefix of the key of the alarm that fires when a process has waited for a tick.
const waited = "waited "

func (h *handoverTime) Expire(w model.Watch, key any) {
	if suffix, ok := strings.CutPrefix(key.(string), waited); ok {
		id, _ := strconv.Atoi(suffix)
		h.Settled[model.NodeID(id)] = true
		return
	}
	h.Clock.expire(w, h.cost)
}

// SettledHandover is the synchronization delay in ticks of a process that has waited for at least one tick at
// the exit. If a message takes at most one tick, its request has arrived by then, so only messages after the
// exit take time.
func SettledHandover() *model.Cost {
	c := &model.Cost{
		Name: "synchronization delay in time, request arrived", Unit: "ticks", Assumes: []model.Assumption{model.Timed}, Most: 30,
		Check:   model.Check{Reading: model.Grid},
		Meaning: "Whole ticks from an exit to the entry of the only one who waits, where it has waited for a tick or longer.",
	}
	c.Meter = func(*model.System) model.Monitor { return &handoverTime{cost: c, settles: true} }
	return c
}
