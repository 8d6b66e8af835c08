package costs

import "contend/model"

// DelaysInTime are the delays of [ClientDelay] and [SynchronizationDelay] as times: from a request, or
// from an exit, to the entry, in whole ticks. Where a message takes a tick at most and everything
// else takes none, the most of it is the delay in message latencies as it is usually defined. It may
// be less than the longest chain, as many fast messages may follow one another while a slow one is
// under way; and it may be more, as what was sent before the moment takes time after it. It is read
// in a reading that keeps time; of the grid, where no bound is strict, the most is exact.
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

// tick is the alarm of a stopwatch.
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

// read measures the ticks, if it runs, and stops.
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
	Waiting map[model.NodeID]bool
	Clock   Stopwatch
}

func (h *handoverTime) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		h.Waiting[o.Node] = true
		h.Clock.stop(w)
	case model.Released:
		if h.Clock.stop(w); len(h.Waiting) == 1 {
			h.Clock.start(w)
		}
	case model.Returned:
		h.Clock.read(w)
		delete(h.Waiting, o.Node)
	case model.Crashed:
		delete(h.Waiting, o.Node)
		h.Clock.stop(w)
	}
}

func (h *handoverTime) Expire(w model.Watch, _ any) { h.Clock.expire(w, h.cost) }
