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

// about is what the page shows all the time.
type about struct {
	Title   string            `json:"title"`
	Says    string            `json:"says"` // one line about the protocol
	Config  string            `json:"config"`
	Time    string            `json:"time"`
	Command string            `json:"command"`
	Start   string            `json:"start"`
	Nodes   []string          `json:"nodes"`
	Fields  []predicate.Field `json:"fields"` // that a predicate may ask for
}

// about says what is explored.
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

// view is all there is to say of a place.
type view struct {
	Place     string     `json:"place"`
	Steps     int        `json:"steps"`
	Now       string     `json:"now,omitempty"` // in ticks, where time is kept
	First     int        `json:"first"`         // step of those that are told and drawn
	Lines     []line     `json:"lines"`
	Picture   []string   `json:"picture"` // SVG: the names of the nodes, the steps, what the marks mean
	Offers    []offer    `json:"offers"`
	Waiting   []string   `json:"waiting"` // is pending, and cannot happen yet
	Budget    string     `json:"budget"`  // the faults that may still happen
	Claims    []claim    `json:"claims"`
	Standings []standing `json:"standings"`
}

// A line is a step in words.
type line struct {
	Step    int      `json:"step"`
	Time    string   `json:"time,omitempty"`
	Who     string   `json:"who"`
	What    string   `json:"what"`
	Details []string `json:"details"`
	Broken  []string `json:"broken"`
}

// An offer is what may be taken.
type offer struct {
	Choice   string `json:"choice"`
	At       string `json:"at"`   // the node at which it happens; "" where it is at none
	Kind     string `json:"kind"` // "event", "fault" or "lie"
	Where    string `json:"where"`
	What     string `json:"what"`
	Earliest string `json:"earliest,omitempty"`
	Latest   string `json:"latest,omitempty"`
	Beyond   string `json:"beyond,omitempty"` // why it cannot be taken: it leads beyond a cut
}

// A claim with how it stands: "kept", "broken", "reached", "open" (a goal that is not reached here), or
// "apart" where one run says nothing of it.
type claim struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Is   string `json:"is"`
	Step int    `json:"step,omitempty"`
	Text string `json:"text,omitempty"`
}

// A standing is the state of a node, or of a claim's monitor.
type standing struct {
	Who    string   `json:"who"`
	Is     string   `json:"is,omitempty"` // "Byzantine" or "down"
	Fields []field  `json:"fields"`
	Also   []string `json:"also"`
}

// A field with what it was before the last step, if that changed it.
type field struct {
	Name    string `json:"name"`
	Is      string `json:"is"`
	Was     string `json:"was,omitempty"`
	Changed bool   `json:"changed,omitempty"`
}

// window is how many steps are told and drawn, at most, and pictureWide how wide the picture is, in pixels: it fits
// between what may happen next and the state in a window of 1280.
const (
	window      = 60
	pictureWide = 644
)

// view says all there is to say of where a walk is. The walk is the caller's alone.
func (s *Server) view(w *walk.Walk) (view, error) {
	run, offers := w.Run(), w.Offers()
	v := view{Place: w.Place().String(), Steps: w.Steps(), Now: w.Now(), First: max(w.Steps()-window+1, 0),
		Waiting: waiting(run, offers), Budget: show.RemainingFaults(run.World.Budget()), Claims: s.stand(run), Standings: standings(run)}
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
		out := offered(run, o)
		out.Beyond = s.beyond(w.Beyond(o))
		v.Offers = append(v.Offers, out)
	}
	return v, nil
}

// notNil is a list that is written as one, also where it is empty.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func offered(run *replay.Run, o walk.Offer) offer {
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

// beyond says why a step beyond a cut cannot be taken; "" where there is no cut.
func (s *Server) beyond(cut string) string {
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

// waiting lists what is pending and not offered.
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

// stand says how claims stand at the end of a run: those that are watched, and why others are not.
func (s *Server) stand(run *replay.Run) []claim {
	out := []claim{}
	for _, c := range s.claims {
		switch i := slices.Index(run.Watched, c.Name); {
		case i >= 0:
			out = append(out, stands(run, c))
		case len(s.Header.Watched) == 0 && slices.ContainsFunc(s.Protocol.Claims, func(p model.Claim) bool { return p.Name == c.Name }):
			out = append(out, claim{Name: c.Name, Kind: c.Kind.String(), Is: "apart", Text: s.whyApart(c)})
		}
	}
	for _, v := range run.World.Violations {
		if v.Claim == model.NoHandlerFails {
			return append(out, claim{Name: v.Claim, Kind: model.Always.String(), Is: "broken", Step: v.Step, Text: v.Text})
		}
	}
	return out
}

// whyApart says why a claim is not watched.
func (s *Server) whyApart(c model.Claim) string {
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

func stands(run *replay.Run, c model.Claim) claim {
	out := claim{Name: c.Name, Kind: c.Kind.String(), Is: "kept"}
	for _, v := range run.World.Violations {
		if v.Claim == c.Name {
			out.Is, out.Step, out.Text = "broken", v.Step, v.Text
			return out
		}
	}
	switch c.Kind {
	case model.Sometimes, model.Eventually, model.PossibleFromEverywhere, model.AlmostSurely:
		out.Is = "open"
		if run.World.Reached(c) {
			out.Is = "reached"
		}
	}
	return out
}

// standings says how nodes and monitors stand, and what the last step changed.
func standings(run *replay.Run) []standing {
	var out []standing
	for i, s := range show.Statuses(run) {
		is := standing{Who: s.Who, Fields: []field{}, Also: notNil(s.Also)}
		if i < len(run.World.System.Nodes) {
			if d, has := run.World.Status(model.NodeID(i)).State.(describe.Detailed); has {
				is.Also = append(is.Also, d.Details()...)
			}
		}
		switch {
		case s.Byzantine:
			is.Is = "Byzantine"
		case s.Down:
			is.Is = "down"
		}
		for _, f := range s.Fields {
			is.Fields = append(is.Fields, field{Name: f.Name, Is: f.Is})
		}
		out = append(out, is)
	}
	if n := len(run.Records); n > 0 && run.Records[n-1].Before != nil {
		last := run.Records[n-1]
		changed(&out[last.Node], describe.Fields(last.Before, run.World.System.Name))
	}
	return out
}

// changed marks the fields that are not as they were, also those that say nothing any more.
func changed(s *standing, was []describe.Field) {
	before := map[string]string{}
	for _, f := range was {
		before[f.Name] = f.Is
	}
	for i, f := range s.Fields {
		if b, known := before[f.Name]; !known || b != f.Is {
			s.Fields[i].Was, s.Fields[i].Changed = b, true
		}
		delete(before, f.Name)
	}
	for _, f := range was {
		if b, gone := before[f.Name]; gone && s.Is == "" {
			s.Fields = append(s.Fields, field{Name: f.Name, Is: "not set", Was: b, Changed: true})
		}
	}
}
