package group

import (
	"slices"
	"strconv"
	"strings"

	"contend/model"
	"contend/model/claims"
	"contend/program"
)

// single are the claims of one server.
var single = []model.Claim{
	{Name: "linearizable", Kind: model.Linearizable, Source: source, Object: object},
	claims.From(kept(true).Durable(), source, ""),
	removed(),
	always("sequences grow", func(*model.System) model.Monitor { return &grows{} }),
	claims.From(program.NoExit(), source, ""), // the server starts after each crash
	claims.From(program.Reopens(func(o model.Observation) bool { _, shows := o.Note("shows "); return shows }), source, ""),
	claims.From(program.NoFailure("fails: "), source, ""),
}

// replicated are the claims of a cluster.
var replicated = []model.Claim{
	always("sequences grow", func(s *model.System) model.Monitor { return promised(s, &grows{}) }),
	always("replicas agree", func(s *model.System) model.Monitor { return promised(s, &agree{}) }),
	claims.From(program.NoExit(), source, ""),
	{Name: "calls are answered", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &answered{} }},
}

func always(name string, monitor func(*model.System) model.Monitor) model.Claim {
	return model.Claim{Name: name, Kind: model.Always, Source: source, Monitor: monitor}
}

// promised returns a monitor that ends with the first crash, unless the servers sync each write: by default NATS's documentation promises
// neither messages nor equal replicas after an operating system has failed.
func promised(s *model.System, m model.Monitor) model.Monitor {
	if slices.Contains(s.Setup.(*Setup).Flags, "-always") {
		return m
	}
	return &untilCrash{Claim: m}
}

// untilCrash observes with another monitor until a node crashes.
type untilCrash struct {
	Claim model.Monitor
	Over  bool
}

func (u *untilCrash) Observe(w model.Watch, o model.Observation) {
	u.Over = u.Over || o.Kind == model.Crashed
	if !u.Over {
		u.Claim.Observe(w, o)
	}
}

// removed claims that a crash brings nothing back whose removal was acknowledged.
func removed() model.Claim {
	c := claims.From(kept(false).Durable(), source, "")
	c.Name = "what was removed stays removed"
	return c
}

// kept recognizes the notes about items "SEQUENCE=VALUE" and "KEY=VALUE@REVISION". An acknowledged removal is an item without a value. The
// items that count are those with a value, or removals.
func kept(values bool) claims.Store {
	return claims.Store{
		Acknowledges: func(o model.Observation) (any, bool) {
			item, ok := o.Note("keeps ")
			return item, ok && values == !strings.HasSuffix(item, "=")
		},
		Forgets: claims.StoreNotes.Forgets,
		Shows: func(o model.Observation) (func(any) bool, bool) {
			all, ok := o.Note("shows ")
			words := strings.Fields(all)
			return func(item any) bool {
				name, value, _ := strings.Cut(item.(string), "=")
				if value == "" {
					return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, name+"=") })
				}
				return slices.Contains(words, item.(string))
			}, ok
		},
	}
}

// grows claims that each message has a later sequence than all messages that were acknowledged before its publication.
type grows struct {
	Last   int                  // the last sequence that was acknowledged
	Before map[model.NodeID]int // the same, when a node began its call
}

func (g *grows) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Invoked {
		g.Before[o.Node] = g.Last
	}
	item, _ := o.Note("keeps ")
	text, value, _ := strings.Cut(item, "=")
	sequence, err := strconv.Atoi(text)
	if err != nil || value == "" {
		return
	}
	w.Witness()
	if sequence <= g.Before[o.Node] {
		w.Violate("message %s has sequence %d, after sequence %d", value, sequence, g.Before[o.Node])
	}
	g.Last = max(g.Last, sequence)
}

// agree claims that all replicas have the same messages at the same sequences at all times, that they have no gaps, and that they have the
// messages that were acknowledged, at their sequences.
type agree struct{ Message map[string]string }

func (a *agree) Observe(w model.Watch, o model.Observation) {
	if item, ok := o.Note("keeps "); ok {
		a.at(w, item)
	}
	all, ok := o.Note("has ")
	if !ok {
		return
	}
	w.Witness()
	for i, item := range strings.Fields(all) {
		if name, _, _ := strings.Cut(item, "="); name != strconv.Itoa(i+1) {
			w.Violate("it has %s, but not %d", item, i+1)
		}
		a.at(w, item)
	}
}

// at notes the message at a sequence.
func (a *agree) at(w model.Watch, item string) {
	sequence, message, _ := strings.Cut(item, "=")
	if was := a.Message[sequence]; was != "" && was != message {
		w.Violate("message %s is %s, and was %s", sequence, message, was)
	}
	a.Message[sequence] = message
}

// answered is reached when three messages were acknowledged, and a replica was seen with them.
type answered struct{ Messages int }

func (a *answered) Observe(_ model.Watch, o model.Observation) {
	if all, ok := o.Note("has "); ok {
		a.Messages = max(a.Messages, len(strings.Fields(all)))
	}
}

// Reached implements [model.Goal].
func (a *answered) Reached() bool { return a.Messages >= 3 }
