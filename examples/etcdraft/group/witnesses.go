package group

import (
	"contend/examples/etcdraft/member"
	"contend/model"
)

// properties are the events that some run of each workload must show.
var properties = []model.Claim{
	happens("a leader is elected", func(o model.Observation) bool { return is[member.Elected](o) }),
	happens("an entry is applied", func(o model.Observation) bool {
		a, ok := o.Value.(member.Applied)
		return ok && a.Entry.Data != ""
	}),
	happens("a snapshot is installed", func(o model.Observation) bool { return is[member.Installed](o) }),
	happens("a joint configuration", func(o model.Observation) bool {
		c, ok := o.Value.(member.Configured)
		return ok && len(c.Conf.Outgoing) > 0
	}),
	happens("a configuration is changed", func(o model.Observation) bool { return is[member.Configured](o) }),
	happens("an operation is dropped", func(o model.Observation) bool { return o.Kind == model.Returned && is[member.Dropped](o) }),
	happens("a read returns what was appended", func(o model.Observation) bool {
		v, ok := o.Value.(member.Values)
		return ok && o.Kind == model.Returned && v != ""
	}),
	{Name: "all is done", Kind: model.Sometimes, Source: doc, Done: true},
	refinesLog,
}

func is[T any](o model.Observation) bool { _, ok := o.Value.(T); return ok }

// happens returns a claim that an observation occurs in some run.
func happens(name string, what func(o model.Observation) bool) model.Claim {
	return model.Claim{Name: name, Kind: model.Sometimes, Source: doc, Monitor: func(*model.System) model.Monitor { return &happened{what: what} }}
}

type happened struct {
	what func(o model.Observation) bool
	Did  bool
}

func (h *happened) Observe(w model.Watch, o model.Observation) {
	if h.what(o) {
		w.Witness()
		h.Did = true
	}
}

// Reached reports whether it has happened.
func (h *happened) Reached() bool { return h.Did }
