package claims

import (
	"strconv"
	"strings"

	"contend/model"
)

// LogNotes reads the events of a [ReplicatedLog] from notes that are strings, as programs make them with sim.Note:
//
//	opens its log
//	store INDEX TERM DATA
//	delete FIRST LAST
//	apply INDEX TERM DATA
//	holds INDEX STATE
//	term TERM
//	leader TERM LAST
//
// Numbers are decimal. DATA and STATE are the rest of the note. Other notes are no events.
func LogNotes(o model.Observation) (LogEvent, bool) {
	text, is := o.Value.(string)
	if !is || o.Kind != model.Noted {
		return LogEvent{}, false
	}
	if text == "opens its log" {
		return LogEvent{Kind: LogOpened}, true
	}
	word, rest, _ := strings.Cut(text, " ")
	shape, is := logNotes[word]
	if !is {
		return LogEvent{}, false
	}
	e := LogEvent{Kind: shape.kind}
	for _, number := range shape.numbers(&e) {
		var err error
		word, rest, _ = strings.Cut(rest, " ")
		if *number, err = strconv.Atoi(word); err != nil {
			return LogEvent{}, false
		}
	}
	e.Data = rest
	return e, shape.data || rest == ""
}

// logNotes has the shapes of notes by their first word: the numbers after it, and whether data follow.
var logNotes = map[string]struct {
	kind    LogEventKind
	numbers func(e *LogEvent) []*int
	data    bool
}{
	"store":  {EntryStored, func(e *LogEvent) []*int { return []*int{&e.Index, &e.Term} }, true},
	"apply":  {EntryApplied, func(e *LogEvent) []*int { return []*int{&e.Index, &e.Term} }, true},
	"holds":  {StateShown, func(e *LogEvent) []*int { return []*int{&e.Index} }, true},
	"delete": {EntriesDeleted, func(e *LogEvent) []*int { return []*int{&e.Index, &e.Last} }, false},
	"term":   {TermEntered, func(e *LogEvent) []*int { return []*int{&e.Term} }, false},
	"leader": {LeaderElected, func(e *LogEvent) []*int { return []*int{&e.Term, &e.Index} }, false},
}
