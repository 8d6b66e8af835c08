package explore

import (
	"fmt"
	"slices"
	"strings"

	"contend/checker/explore/predicate"
	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces/draw"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/walk"
)

// An about is the constant part of the page.
type about struct {
	Title   string            `json:"title"`
	Says    string            `json:"says"` // one line about the protocol
	Config  string            `json:"config"`
	Time    string            `json:"time"`
	Command string            `json:"command"`
	Start   string            `json:"start"`
	Nodes   []string          `json:"nodes"`
	Fields  []predicate.Field `json:"fields"` // fields for predicates
}

// about returns the constant part of the page.
func (s *Server) about() about {
	out := about{Title: s.Protocol.Name, Says: s.Protocol.Title, Config: s.Header.Config.String(), Time: s.Check.Reading.String(),
		Command: s.Command, Start: s.Start.String(), Fields: predicate.Fields(s.system)}
	if s.Header.Variant != "" {
		out.Title += "/" + s.Header.Variant
	}
	for _, n := range s.system.Nodes {
		out.Nodes = append(out.Nodes, n.Name)
	}
	return out
}

// A view is the state of the page at a place.
type view struct {
	Place     string     `json:"place"`
	Steps     int        `json:"steps"`
	Now       string     `json:"now,omitempty"` // in ticks; empty without time
	First     int        `json:"first"`         // first displayed step
	Lines     []line     `json:"lines"`
	Picture   []string   `json:"picture"` // SVG: heading, steps, legend
	Offers    []offer    `json:"offers"`
	Waiting   []string   `json:"waiting"` // pending, but not yet possible
	Budget    string     `json:"budget"`  // remaining faults
	Claims    []claim    `json:"claims"`
	Standings []standing `json:"standings"`
}

// A line is the text of a step.
type line struct {
	Step    int      `json:"step"`
	Time    string   `json:"time,omitempty"`
	Who     string   `json:"who"`
	What    string   `json:"what"`
	Details []string `json:"details"`
	Broken  []string `json:"broken"`
}

// An offer is a possible choice.
type offer struct {
	Choice   string `json:"choice"`
	At       string `json:"at"`   // node of the event; "" if it has none
	Kind     string `json:"kind"` // "event", "fault" or "lie"
	Where    string `json:"where"`
	What     string `json:"what"`
	Earliest string `json:"earliest,omitempty"`
	Latest   string `json:"latest,omitempty"`
	Beyond   string `json:"beyond,omitempty"` // cut that makes the choice impossible
}

// A claim has a status: "kept", "broken", "reached", "open" for a goal not yet reached, or "apart" if one run
// cannot decide it.
type claim struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Status string `json:"is"`
	Step   int    `json:"step,omitempty"`
	Text   string `json:"text,omitempty"`
}

// A standing is the state of a node or a monitor.
type standing struct {
	Who    string   `json:"who"`
	State  string   `json:"is,omitempty"` // "Byzantine" or "down"
	Fields []field  `json:"fields"`
	Also   []string `json:"also"`
}

// A field has its value, and the value before the last step if it changed.
type field struct {
	Name     string `json:"name"`
	Value    string `json:"is"`
	Previous string `json:"was,omitempty"`
	Changed  bool   `json:"changed,omitempty"`
}

// maxLines is the maximum number of displayed steps. pictureWide is the width of the picture in pixels. In a
// window of 1280 it fits between the choices and the state.
const (
	maxLines    = 60
	pictureWide = 644
)

// view returns the view of a walk's place. The caller must own the walk.
func (s *Server) view(w *walk.Walk) (view, error) {
	run, offers := w.Run(), w.Offers()
	v := view{Place: w.Place().String(), Steps: w.Steps(), Now: w.Now(), First: max(w.Steps()-maxLines+1, 0),
		Waiting: waiting(run, offers), Budget: show.RemainingFaults(run.World.Budget()), Claims: s.claimStatuses(run), Standings: standings(run)}
	d := draw.NewFrom(run, v.First)
	d.Width = pictureWide
	for _, r := range d.Rows {
		v.Lines = append(v.Lines, line{r.Step, r.Time, r.Who, r.What, notNil(r.Details), notNil(r.Broken)})
	}
	v.Picture = append(v.Picture, d.Head())
	for strip := range d.Strips(len(d.Rows)) {
		v.Picture = append(v.Picture, strip.SVG)
	}
	v.Picture = append(v.Picture, d.Legend())
	for _, o := range offers {
		out := offerOf(run, o)
		out.Beyond = s.cutReason(w.Beyond(o))
		v.Offers = append(v.Offers, out)
	}
	return v, nil
}

// notNil returns a list that is encoded as [] if it is empty.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func offerOf(run *replay.Run, o walk.Offer) offer {
	out := offer{Choice: o.Choice.String(), Kind: "event", Where: o.Where, What: o.Text, Earliest: o.Earliest, Latest: o.Latest}
	if o.Node >= 0 {
		out.At = run.World.System.Name(o.Node)
	}
	switch {
	case o.Kind == model.Forge:
		out.Kind = "lie"
	case o.Fault:
		out.Kind = "fault"
	}
	return out
}

// cutReason returns the reason why a choice is impossible; "" if no cut forbids it.
func (s *Server) cutReason(cut string) string {
	if cut == "" {
		return ""
	}
	bound := cut
	if d, ok := s.Protocol.Declared(cut); ok {
		v, _ := s.system.Config.Setting(cut)
		bound = fmt.Sprintf("%s = %d (%s)", cut, v, d.Meaning)
	}
	return "beyond the cut " + bound + ": a search does not go there either"
}

// waiting returns the pending events that are not offered.
func waiting(run *replay.Run, offers []walk.Offer) []string {
	may := map[*world.Event]bool{}
	for _, o := range offers {
		if e := o.Event(); e != nil && !o.Fault {
			may[e] = true
		}
	}
	out := []string{}
	for _, p := range show.Pending(run) {
		if !may[p.Event] {
			out = append(out, p.Who+": "+p.Text)
		}
	}
	return out
}

// claimStatuses returns the status of the claims at the end of a run, and reasons why others are not watched.
func (s *Server) claimStatuses(run *replay.Run) []claim {
	out := []claim{}
	for _, c := range s.claims {
		switch i := slices.Index(run.Watched, c.Name); {
		case i >= 0:
			out = append(out, claimStatus(run, c))
		case len(s.Header.Watched) == 0 && slices.ContainsFunc(s.Protocol.Claims, func(p model.Claim) bool { return p.Name == c.Name }):
			out = append(out, claim{Name: c.Name, Kind: c.Kind.String(), Status: "apart", Text: s.unwatchedReason(c)})
		}
	}
	for _, v := range run.World.Violations {
		if v.Claim == model.NoHandlerFails {
			return append(out, claim{Name: v.Claim, Kind: model.Always.String(), Status: "broken", Step: v.Step, Text: v.Text})
		}
	}
	return out
}

// unwatchedReason returns the reason why a claim is not watched.
func (s *Server) unwatchedReason(c model.Claim) string {
	variant, _ := s.Protocol.Variant(s.Header.Variant)
	var unmet []string
	for _, a := range variant.Made(c).Unmet(s.system, s.Header.Reading()) {
		unmet = append(unmet, string(a))
	}
	if len(unmet) > 0 {
		return "not claimed here: it assumes " + strings.Join(unmet, ", ")
	}
	return "one run says nothing of it"
}

func claimStatus(run *replay.Run, c model.Claim) claim {
	out := claim{Name: c.Name, Kind: c.Kind.String(), Status: "kept"}
	for _, v := range run.World.Violations {
		if v.Claim == c.Name {
			out.Status, out.Step, out.Text = "broken", v.Step, v.Text
			return out
		}
	}
	switch c.Kind {
	case model.Sometimes, model.Eventually, model.PossibleFromEverywhere, model.AlmostSurely:
		out.Status = "open"
		if run.World.Reached(c) {
			out.Status = "reached"
		}
	}
	return out
}

// standings returns the states of nodes and monitors, with the changes of the last step.
func standings(run *replay.Run) []standing {
	var out []standing
	for i, s := range show.Statuses(run) {
		st := standing{Who: s.Who, Fields: []field{}, Also: notNil(s.Also)}
		if i < len(run.World.System.Nodes) {
			if d, has := run.World.Status(model.NodeID(i)).State.(describe.Detailed); has {
				st.Also = append(st.Also, d.Details()...)
			}
		}
		switch {
		case s.Byzantine:
			st.State = "Byzantine"
		case s.Down:
			st.State = "down"
		}
		for _, f := range s.Fields {
			st.Fields = append(st.Fields, field{Name: f.Name, Value: f.Is})
		}
		out = append(out, st)
	}
	if n := len(run.Records); n > 0 && run.Records[n-1].Before != nil {
		last := run.Records[n-1]
		changed(&out[last.Node], describe.Fields(last.Before, run.World.System.Name))
	}
	return out
}

// changed marks the fields that differ from the last state, also removed ones.
func changed(s *standing, previous []describe.Field) {
	before := map[string]string{}
	for _, f := range previous {
		before[f.Name] = f.Is
	}
	for i, f := range s.Fields {
		if b, known := before[f.Name]; !known || b != f.Value {
			s.Fields[i].Previous, s.Fields[i].Changed = b, true
		}
		delete(before, f.Name)
	}
	for _, f := range previous {
		if b, gone := before[f.Name]; gone && s.State == "" {
			s.Fields = append(s.Fields, field{Name: f.Name, Value: "not set", Previous: b, Changed: true})
		}
	}
}
