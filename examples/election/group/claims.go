package group

import (
	"fmt"

	"contend/model"
	"contend/program"
)

var claimed = []model.Claim{
	{Name: "at most one leader", Kind: model.Always, Source: source, Monitor: func(*model.System) model.Monitor { return &leaders{} }},
	{Name: "only a lease that is over is taken", Kind: model.Always, Source: source + `, leaderelection.go: "A client needs to wait a full LeaseDuration"`,
		Monitor: func(s *model.System) model.Monitor { return &takes{drifts: s.Config.Drift > 0} }},
	{Name: "only its holder releases a lease", Kind: model.Always, Source: source,
		Monitor: func(*model.System) model.Monitor { return &releases{} }},
	{Name: "a leader that resigns releases the lease", Kind: model.Always, Source: source + ", leaderelection.go: ReleaseOnCancel",
		Monitor: func(s *model.System) model.Monitor { return &gives{system: s, leader: true} }},
	{Name: "a candidate that resigns holds no lease", Kind: model.Always, Source: source + ", leaderelection.go: ReleaseOnCancel",
		Monitor: func(s *model.System) model.Monitor { return &gives{system: s} }},
	{Name: "a released lease is taken at once", Kind: model.Always, Source: source + ", leaderelection.go: RetryPeriod",
		Monitor: func(s *model.System) model.Monitor {
			return &waits{system: s, most: jittered, free: func(w *waits) bool { return w.Released }}
		}},
	{Name: "somebody leads", Kind: model.Always, Source: source + ", leaderelection.go: LeaseDuration",
		Monitor: func(s *model.System) model.Monitor {
			// A candidate sees the lease, and later that it is over.
			return &waits{system: s, most: leaseDuration + 2*jittered, free: func(w *waits) bool { return len(w.Leads) == 0 }}
		}},
	{Name: "the leader changes", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &changes{} }},
}

// A write is a note of the store.
type write struct {
	By, Holder string
	Seconds    model.Ticks // LeaseDurationSeconds
}

func written(o model.Observation) (w write, ok bool) {
	if rest, ok := o.Note("writes "); ok {
		_, _ = fmt.Sscan(rest, &w.By, &w.Seconds, &w.Holder) // there may be no holder
		return w, true
	}
	return w, false
}

// led updates the set of leaders, as each sees itself.
func led(leads map[model.NodeID]bool, o model.Observation) {
	if _, ok := o.Note("leads"); ok {
		leads[o.Node] = true
	}
	_, ended := o.Value.(program.Terminated)
	if _, ok := o.Note("stops"); ok || ended || o.Kind == model.Crashed {
		delete(leads, o.Node)
	}
}
