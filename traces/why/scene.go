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

// A scene is a run, with the sentences of its explanation so far.
type scene struct {
	run        *replay.Run
	d          *draw.Diagram
	claim      model.Claim
	seen       []observation
	sentences  []string
	important  []string     // the most important sentences
	named      map[int]bool // steps that a sentence names
	onward     bool         // this run continues the explained one
	end        int          // the number of steps of the explained run, if onward
	blamed     map[int]bool // steps of the environment that a sentence names
	lacking    map[int]bool // nodes of which the monitor misses an observation
	quietSteps map[int]bool // steps that a sentence calls without effect
	silent     map[int]int  // nodes that have not answered or delivered, with the step of the message that they did not answer, or 0
}

// An observation is an observation of the monitors, with its step and instant.
type observation struct {
	model.Observation
	step    int // 0: in the initial state
	instant world.Time
}

// observe collects the observations of the run.
func (s *scene) observe() {
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
	s.sentences = append(s.sentences, s.capital(fmt.Sprintf(format, args...)))
}

// mainf adds a sentence that is also one of the most important.
func (s *scene) mainf(format string, args ...any) {
	s.sayf(format, args...)
	s.important = append(s.important, s.sentences[len(s.sentences)-1])
}

// capital returns a sentence with its first letter in upper case, unless its first word is a name such as p1.
func (s *scene) capital(text string) string {
	word, _, _ := strings.Cut(text, " ")
	named := slices.ContainsFunc(s.d.Lanes, func(l draw.Lane) bool { return l.Name == word })
	if word == "" || named || strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// step returns a phrase for a step, and records that it was named.
func (s *scene) step(n int) string {
	if s.onward && n > s.end {
		return fmt.Sprintf("step %d (to come)", n)
	}
	s.named[n] = true
	if n == 0 {
		return "the start"
	}
	return fmt.Sprintf("step %d", n)
}

// when returns a phrase for a step, with its instant if the trace is timed.
func (s *scene) when(n int) string {
	if !s.run.Trace.Timed() || n < 1 {
		return s.step(n)
	}
	return fmt.Sprintf("%s (time %s)", s.step(n), s.d.Rows[n].Time)
}

func (s *scene) name(id model.NodeID) string { return s.run.World.System.Name(id) }

// value formats a value. It omits empty braces, and shortens a long text.
func (s *scene) value(v any) string {
	text := describe.Value(v, s.name)
	return short(cmp.Or(strings.TrimSuffix(text, "{}"), text))
}

// mostLetters is the largest length of a formatted value.
const mostLetters = 100

func short(text string) string {
	if letters := []rune(text); len(letters) > mostLetters {
		return string(letters[:mostLetters-1]) + "…"
	}
	return text
}

// record returns the record of a step; nil for step 0 or a step after the end.
func (s *scene) record(step int) *world.Record {
	if step < 1 || step > len(s.run.Records) {
		return nil
	}
	return &s.run.Records[step-1]
}

// describe returns a clause on an observation.
func (s *scene) describe(o observation) string {
	who := s.name(o.Node)
	switch o.Kind {
	case model.Invoked:
		return who + " invokes " + s.value(o.Value)
	case model.Returned:
		return s.describeReturn(o)
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

// describeReturn returns a clause on the return of an operation, or on the entry to the critical section.
func (s *scene) describeReturn(o observation) string {
	op := s.run.World.System.Nodes[o.Node].Script[o.Op]
	if op.Release != nil {
		return fmt.Sprintf("%s enters the section", s.name(o.Node))
	}
	text := fmt.Sprintf("the %s of %s returns", s.value(op.Call), s.name(o.Node))
	if o.Value != nil {
		text += " " + s.value(o.Value)
	}
	return text
}

// eventText returns a phrase for the event of a step.
func (s *scene) eventText(step int) string {
	row := s.d.Rows[step]
	return row.Who + ": " + short(row.What)
}

// keys returns the keys of a map, sorted.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// listed joins items by commas and "and", and omits some of many.
func listed(items []string) string { return joined(items, ", ", " and ") }

// either joins items by commas and "or".
func either(items []string) string { return joined(items, ", ", " or ") }

// semicolons joins clauses by semicolons.
func semicolons(items []string) string { return joined(items, "; ", "; ") }

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
