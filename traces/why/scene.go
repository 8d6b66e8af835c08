package why

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces/draw"
	"contend/traces/replay"
)

// scene is a run that is explained, with what was said of it so far.
type scene struct {
	run     *replay.Run
	d       *draw.Diagram
	claim   model.Claim
	seen    []observation
	said    []string
	mains   []string     // those of them that say most
	spoken  map[int]bool // steps
	onward  bool         // this run goes further than the one that is explained
	end     int          // of the latter
	blamed  map[int]bool // steps of the environment of which was spoken
	lacking map[int]bool // nodes that the monitor misses something of
	vain    map[int]bool // steps of which was said that nothing came of them
	silent  map[int]int  // nodes that have not answered, or not delivered, with the step in which they got what they did not answer, or 0
}

// An observation is what monitors saw, and when.
type observation struct {
	model.Observation
	step int // 0: as the run began
	at   world.Time
}

// observed collects what monitors saw.
func (s *scene) observed() {
	for _, o := range s.run.World.Began {
		s.seen = append(s.seen, observation{Observation: o})
	}
	for i, r := range s.run.Records {
		for _, o := range r.Observations {
			s.seen = append(s.seen, observation{o, i + 1, r.At})
		}
	}
}

func (s *scene) sayf(format string, args ...any) {
	s.said = append(s.said, s.capital(fmt.Sprintf(format, args...)))
}

// mainf says one of the sentences that say most.
func (s *scene) mainf(format string, args ...any) {
	s.sayf(format, args...)
	s.mains = append(s.mains, s.said[len(s.said)-1])
}

// capital begins a sentence as sentences begin, unless its first word is the name of a node or of
// something else that the protocol names, such as p1.
func (s *scene) capital(text string) string {
	word, _, _ := strings.Cut(text, " ")
	named := slices.ContainsFunc(s.d.Lanes, func(l draw.Lane) bool { return l.Name == word })
	if word == "" || named || strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// step names a step.
func (s *scene) step(n int) string {
	if s.onward && n > s.end {
		return fmt.Sprintf("step %d (to come)", n)
	}
	s.spoken[n] = true
	if n == 0 {
		return "the start"
	}
	return fmt.Sprintf("step %d", n)
}

// when names a step and, where there is time, its instant.
func (s *scene) when(n int) string {
	if !s.run.Trace.Timed() || n < 1 {
		return s.step(n)
	}
	return fmt.Sprintf("%s (time %s)", s.step(n), s.d.Rows[n].Time)
}

func (s *scene) name(id model.NodeID) string { return s.run.World.System.Name(id) }

// value writes a value; one that says all by its type goes without braces, and one that is long
// is cut.
func (s *scene) value(v any) string {
	text := describe.Value(v, s.name)
	return short(cmp.Or(strings.TrimSuffix(text, "{}"), text))
}

// mostLetters is how long a value is written at most.
const mostLetters = 100

func short(text string) string {
	if letters := []rune(text); len(letters) > mostLetters {
		return string(letters[:mostLetters-1]) + "…"
	}
	return text
}

// record is what a step did; nil of the start.
func (s *scene) record(step int) *world.Record {
	if step < 1 || step > len(s.run.Records) {
		return nil
	}
	return &s.run.Records[step-1]
}

// tell says what was observed.
func (s *scene) tell(o observation) string {
	who := s.name(o.Node)
	switch o.Kind {
	case model.Invoked:
		return who + " invokes " + s.value(o.Value)
	case model.Returned:
		return s.tellReturn(o)
	case model.Released:
		return who + " leaves the section"
	case model.Noted:
		return who + " notes " + s.value(o.Value)
	case model.Crashed:
		return who + " crashes"
	case model.Recovered:
		return who + " is back"
	}
	return who + " delivers " + s.value(o.Value)
}

// tellReturn says that an operation returns, and where it is the entry to a section, that.
func (s *scene) tellReturn(o observation) string {
	op := s.run.World.System.Nodes[o.Node].Script[o.Op]
	if op.Release != nil {
		return fmt.Sprintf("%s enters the section", s.name(o.Node))
	}
	says := fmt.Sprintf("the %s of %s returns", s.value(op.Call), s.name(o.Node))
	if o.Value != nil {
		says += " " + s.value(o.Value)
	}
	return says
}

// happens says what a step is.
func (s *scene) happens(step int) string {
	row := s.d.Rows[step]
	return row.Who + ": " + short(row.What)
}

// keys are those of a map, in order.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// listed joins items as a sentence does; of many it leaves out some in the middle.
func listed(items []string) string { return joined(items, ", ", " and ") }

// either joins items of which one may be.
func either(items []string) string { return joined(items, ", ", " or ") }

// apart joins clauses that have commas.
func apart(items []string) string { return joined(items, "; ", "; ") }

func joined(items []string, between, last string) string {
	if more := len(items) - most; more > 1 {
		middle := fmt.Sprintf("… (%d more)", more)
		items = slices.Concat(items[:most-2], []string{middle}, items[len(items)-2:])
	}
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	end := len(items) - 1
	return strings.Join(items[:end], between) + last + items[end]
}
