package group

import (
	"slices"
	"strconv"
	"strings"

	"contend/model"
	"contend/model/claims"
	"contend/program"
)

var claimed = []model.Claim{
	{Name: "linearizable", Kind: model.Linearizable, Source: source, Object: object},
	claims.From(kept.Durable(), source, ""),
	always("sequences grow", func(*model.System) model.Monitor { return &grows{} }),
	claims.From(program.NoExit(), source, ""), // the server starts after each crash
	always("what was open opens", func(*model.System) model.Monitor { return &opens{} }),
	always("no call fails", func(s *model.System) model.Monitor {
		return &fails{MayFail: program.FullDisks.Of(s.Config)+program.BadSyncs.Of(s.Config) > 0}
	}),
}

func always(name string, monitor func(*model.System) model.Monitor) model.Claim {
	return model.Claim{Name: name, Kind: model.Always, Source: source, Monitor: monitor}
}

// kept recognizes the notes about items "SEQUENCE=VALUE" and "KEY=VALUE@REVISION". An acknowledged removal is an item without a value.
var kept = claims.Store{
	Acknowledges: func(o model.Observation) (any, bool) { return noted(o, "keeps ") },
	Forgets:      func(o model.Observation) (any, bool) { return noted(o, "forgets ") },
	Shows: func(o model.Observation) (func(any) bool, bool) {
		all, ok := noted(o, "shows ")
		words := strings.Fields(all)
		return func(item any) bool {
			name, value, _ := strings.Cut(item.(string), "=")
			return slices.Contains(words, item.(string)) || value == "" && !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, name+"=") })
		}, ok
	},
}

// noted returns the rest of a note that begins with a word.
func noted(o model.Observation, word string) (string, bool) {
	note, is := o.Value.(string)
	rest, ok := strings.CutPrefix(note, word)
	return rest, ok && is && o.Kind == model.Noted
}

// grows claims that each message has a later sequence than all messages that were acknowledged before.
type grows struct{ Last int }

func (g *grows) Observe(w model.Watch, o model.Observation) {
	item, _ := noted(o, "keeps ")
	text, value, _ := strings.Cut(item, "=")
	sequence, err := strconv.Atoi(text)
	if err != nil || value == "" {
		return
	}
	w.Witness()
	if sequence <= g.Last {
		w.Violate("message %s has sequence %d, after sequence %d", value, sequence, g.Last)
	}
	g.Last = max(g.Last, sequence)
}

// opens claims that the program does not end by itself once it has been open, also after a crash.
type opens struct{ Open bool }

func (m *opens) Observe(w model.Watch, o model.Observation) {
	if _, ok := noted(o, "shows "); ok {
		m.Open = true
	}
	if m.Open && o.Kind == model.Recovered {
		w.Witness()
	}
	if _, is := o.Value.(program.Exited); is && m.Open {
		w.Violate("it has been open, but ends by itself")
	}
}

// fails claims that no call fails, unless the disk may fail.
type fails struct{ MayFail bool }

func (f *fails) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Returned {
		w.Witness()
	}
	if what, ok := noted(o, "fails: "); ok && !f.MayFail {
		w.Violate("it fails: %s", what)
	}
}
