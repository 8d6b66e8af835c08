package why

import (
	"slices"
	"strings"

	"contend/model"
	"contend/model/describe"
	"contend/model/wrapped"
)

// explainExits adds the programs that exited, with their last output.
func (s *scene) explainExits() {
	count := 0
	for i, r := range s.run.Records {
		if how, words := s.exit(r.After); how != "" && count < most {
			if before, _ := s.exit(r.Before); before == "" {
				count++
				s.sayf("%s exits %s at %s%s.", s.name(r.Node), how, s.step(i+1), words)
			}
		}
	}
}

// exit returns the exit status of the program in a state, and its last lines of output; "" if it has not
// exited.
func (s *scene) exit(state model.Node) (how, words string) {
	if _, ok := state.(describe.Teller); !ok {
		return "", ""
	}
	var lines []string
	for _, f := range describe.Fields(state, s.name) {
		switch {
		case f.Name == wrapped.Exited:
			how = f.Is
		case strings.HasPrefix(f.Name, wrapped.Stderr+"["):
			lines = append(lines, f.Is)
		}
	}
	slices.Reverse(lines) // the last line is the first field
	if len(lines) > 0 {
		words = ", after it wrote to " + wrapped.Stderr + ": " + strings.Join(lines, " / ")
	}
	return how, words
}
