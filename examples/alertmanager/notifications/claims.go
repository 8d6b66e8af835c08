package notifications

import "contend/model"

const (
	source    = "github.com/prometheus/alertmanager/nflog"
	agreement = "replicas agree"
	logged    = "what is logged is known"
)

var claimed = []model.Claim{
	{
		// What gossip is for: "notification log entries are shared", so that no replica notifies again.
		Name: agreement, Kind: model.Eventually, Source: source, Assumes: []model.Assumption{model.NoLoss, model.NoCrash},
		Monitor: func(s *model.System) model.Monitor { return &agree{replicas: len(s.Nodes)} },
	},
	{
		// "only overwrite if timestamp is newer"
		Name: "entries never go back", Kind: model.Always, Source: source + ", Log.Log",
		Assumes: []model.Assumption{model.NoMemoryLoss},
		Monitor: func(*model.System) model.Monitor { return &forward{} },
	},
	{
		// What the caller of Log may think that a nil error says.
		Name: logged, Kind: model.Always, Source: source + ", Log.Log",
		Monitor: func(*model.System) model.Monitor { return &kept{} },
	},
	{
		Name: "only what was logged is known", Kind: model.Always, Source: source,
		Monitor: func(*model.System) model.Monitor { return &integrity{} },
	},
}

// agree claims that in the end all replicas have the same entry, as soon as one replica has an entry. It
// claims nothing while a replica is down.
type agree struct {
	replicas int
	Known    map[model.NodeID]entry
	Down     map[model.NodeID]bool
}

func (a *agree) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Crashed:
		a.Down[o.Node] = true
		delete(a.Known, o.Node)
	case model.Recovered:
		delete(a.Down, o.Node)
	}
	if v, is := o.Value.(Knows); is {
		w.Witness()
		a.Known[o.Node] = v.Entry
	}
}

// Reached reports whether all replicas have the same entry.
func (a *agree) Reached() bool {
	if len(a.Down) > 0 {
		return true
	}
	for _, e := range a.Known {
		if len(a.Known) < a.replicas || e != a.Known[0] {
			return false
		}
	}
	return true
}

// forward claims that the time stamp of a replica's entry only grows.
type forward struct{ At map[model.NodeID]int }

func (f *forward) Observe(w model.Watch, o model.Observation) {
	if v, is := o.Value.(Knows); is {
		w.Witness()
		if v.Entry.At <= f.At[o.Node] {
			w.Violate("the entry of %d is replaced by one of %d", f.At[o.Node], v.Entry.At)
		}
		f.At[o.Node] = v.Entry.At
	}
}

// kept claims that after Log has returned the replica has the logged entry, or a newer one. An entry with an
// equal time stamp is a different entry.
type kept struct{ Known, Last map[model.NodeID]entry } // Last: logged, while Log has not returned

func (k *kept) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed {
		delete(k.Last, o.Node)
		delete(k.Known, o.Node)
	}
	switch v := o.Value.(type) {
	case Logged:
		k.Last[o.Node] = v.Entry
	case Knows:
		k.Known[o.Node] = v.Entry
	}
	if last, has := k.Last[o.Node]; has && o.Kind == model.Returned {
		w.Witness()
		delete(k.Last, o.Node)
		if now := k.Known[o.Node]; now != last && now.At <= last.At {
			w.Violate("Log has returned, of alerts %d at %d, but what is known is of alerts %d at %d", last.Alerts, last.At, now.Alerts, now.At)
		}
	}
}

// integrity claims that replicas have only entries that some replica has logged.
type integrity struct{ Logged map[entry]bool }

func (i *integrity) Observe(w model.Watch, o model.Observation) {
	switch v := o.Value.(type) {
	case Logged:
		i.Logged[v.Entry] = true
	case Knows:
		w.Witness()
		if !i.Logged[v.Entry] {
			w.Violate("nobody has logged alerts %d at %d", v.Entry.Alerts, v.Entry.At)
		}
	}
}
