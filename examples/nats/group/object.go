package group

import (
	"fmt"
	"strings"

	"contend/model"
)

// A State is the contents of the server: the number of the last message, and items "SEQUENCE=VALUE" in the stream; the last revision, and the
// keys "KEY=VALUE@REVISION" in the bucket.
type State struct {
	Sequence, Revision int
	Items              string // each with a space before and after
}

// object is the sequential specification.
var object = model.Object{
	Name: "jetstream", Init: State{Items: " "}, Types: []any{State{}}, Unknown: "unknown",
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		s, words := state.(State), strings.Fields(op.(string))
		result := "ok"
		switch what := words[1]; words[0] {
		case "publish":
			s.Sequence++
			s.Items += fmt.Sprintf("%d=%s ", s.Sequence, what)
			result = fmt.Sprint(s.Sequence)
		case "put":
			s.Revision++
			s.set(what, fmt.Sprintf("%s@%d", words[2], s.Revision))
			result = fmt.Sprint(s.Revision)
		case "read":
			if result = s.get(what); result == "" {
				result = "none"
			}
		case "delete":
			if s.get(what) == "" {
				result = "none"
			}
			s.set(what, "")
		case "purge":
			end := s.Sequence + 1
			if what != "all" {
				fmt.Sscan(what, &end)
			}
			for i := range end {
				s.set(fmt.Sprint(i), "")
			}
			s.Sequence = max(s.Sequence, end-1)
		case "drop":
			s.Revision++
			s.set(what, "")
		}
		return []model.Effect{{State: s, Result: result}}
	},
}

// get returns the value of a key or a sequence, or "".
func (s *State) get(name string) string {
	_, rest, _ := strings.Cut(s.Items, " "+name+"=")
	value, _, _ := strings.Cut(rest, " ")
	return value
}

// set sets the value of a key or a sequence. The value "" removes it.
func (s *State) set(name, value string) {
	if old := s.get(name); old != "" {
		s.Items = strings.Replace(s.Items, " "+name+"="+old+" ", " ", 1)
	}
	if value != "" {
		s.Items += name + "=" + value + " "
	}
}
