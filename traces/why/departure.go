package why

import (
	"fmt"
	"slices"

	"contend/model/describe"
	"contend/traces/replay"
)

// explainVariant adds the title of the run's variant, and the first step in which the protocol without a mutant
// reacts differently. That step is usually the cause, and earlier than the observations that contradict each
// other.
func (s *scene) explainVariant() {
	if s.run.Title == "" {
		return
	}
	s.sayf("What is special here (%s): %s.", s.run.Trace.Variant, s.run.Title)
	if d := s.run.Departure(); d != nil {
		s.explainDeparture(d)
	}
}

// explainDeparture adds the mutant's first departure, and the protocol's reaction in this step. The sentence
// is the second of the most important ones.
func (s *scene) explainDeparture(d *replay.Departure) {
	who, would := s.name(d.Node), "would"
	if d.Chosen {
		would = "could"
	}
	without := "without the mutant"
	if d.Option != "" {
		without = fmt.Sprintf("with %s, but without the mutant", d.Option)
	}
	did, due := s.reaction(d.Fields, d.Extra, true), s.reaction(d.Fields, d.Missing, false)
	var text string
	switch {
	case due == "":
		text = fmt.Sprintf("%s %s; %s, %s %s not", who, did, without, who, would)
	case did == "":
		text = fmt.Sprintf("%s, %s %s %s", without, who, would, due)
	default:
		text = fmt.Sprintf("%s %s; %s, %s %s %s", who, did, without, who, would, due)
	}
	if len(s.important) == 0 {
		s.important = slices.Clone(s.sentences[:1])
	}
	s.sayf("the mutant first makes a difference at %s: %s.", s.when(d.Step), text)
	s.important = slices.Insert(s.important, 1, s.sentences[len(s.sentences)-1])
}

// reaction returns a clause on the mutant's reaction, in the third person, or on the protocol's, in the base
// form. Objects of the same verb follow each other, so that the verb occurs once.
func (s *scene) reaction(fields []describe.Change, effects []replay.Effect, mutant bool) string {
	verb := func(base, third string) string {
		if mutant {
			return third
		}
		return base
	}
	var parts []string
	last := ""
	add := func(verb, object string) {
		if verb != last {
			object = verb + " " + object
		}
		parts, last = append(parts, object), verb
	}
	for _, c := range fields[:min(len(fields), mostChanges)] {
		value, other := c.After, c.Before
		if mutant {
			value, other = other, value
		}
		if value == "" {
			add(verb("have", "has"), "no "+c.Field)
		} else {
			add(verb("have", "has"), c.Field+" "+distinct(value, other))
		}
	}
	for i, n := 0, 0; i < len(effects) && n < mostEffects; n++ {
		e := effects[i]
		object := short(e.Object)
		var to []string
		for ; i < len(effects) && effects[i].Verb == e.Verb && effects[i].Object == e.Object; i++ {
			to = append(to, effects[i].To)
		}
		if e.To != "" {
			object += " to " + listed(to)
		}
		add(verb(e.Verb, e.Verb+"s"), object)
	}
	return listed(parts)
}

// mostEffects is the largest number of effects that a sentence on a departure lists.
const mostEffects = 2

// distinct shortens a text from its beginning if it is long, so that its first difference from another text is
// shown.
func distinct(text, other string) string {
	letters, others := []rune(text), []rune(other)
	if len(letters) <= mostLetters {
		return text
	}
	same := 0
	for same < min(len(letters), len(others)) && letters[same] == others[same] {
		same++
	}
	if start := same - mostLetters/4; start > 0 {
		return "…" + short(string(letters[start:]))
	}
	return short(text)
}
