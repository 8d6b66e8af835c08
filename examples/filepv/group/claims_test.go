package group

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/program"
)

// A log records what a monitor says.
type log struct {
	model.Watch
	violated string
}

func (l *log) Witness()                      {}
func (l *log) Violate(how string, of ...any) { l.violated = fmt.Sprintf(how, of...) }

// The claims of a signer judge histories: "?" begins a request, "!" an exit of the program, and all else is a note.
func TestSigning(t *testing.T) {
	for _, c := range []struct{ history, want string }{
		{"?propose 1 0 A|signs propose 1 0 A a|?propose 1 0 B|refuses propose 1 0 B|?propose 1 0 A|signs propose 1 0 A a", ""},
		{"signs prevote 1 0 A a|signs precommit 1 0 B b|signs prevote 1 1 B c|signs propose 2 0 C d", ""},
		{"signs prevote 1 0 A a|signs prevote 1 0 B b", "no double sign, a repeated signature is the same"},
		{"signs prevote 1 0 A a|signs prevote 1 0 A b", "a repeated signature is the same"},
		{"signs prevote 1 1 A a|signs precommit 1 0 A b", "steps never go back"},
		{"signs prevote 1 0 A a|signs propose 1 0 A b", "steps never go back"},
		{"signs prevote 2 0 A a|signs prevote 1 1 A b", "steps never go back"},
		{"?prevote 1 0 A|signs prevote 1 0 A a|?prevote 1 1 A|refuses prevote 1 1 A", "a new step is signed"},
		{"?prevote 1 0 A|signs prevote 1 0 A a|?prevote 1 0 A|refuses prevote 1 0 A", "a new step is signed"},
		{"?prevote 1 1 A|?prevote 1 0 A|refuses prevote 1 0 A", ""},
		{"?prevote 1 1 A|?prevote 1 1 B|refuses prevote 1 1 B", ""},
		{"invalid prevote 1 0 A", "signatures are valid"},
		{"!", "no program ends"},
		{"opens|!", "no program ends, what was open opens"},
	} {
		var violated []string
		for _, claim := range signing {
			m, l := claim.Monitor(nil), &log{}
			for _, line := range strings.Split(c.history, "|") {
				o := model.Observation{Kind: model.Noted, Value: line}
				if request, is := strings.CutPrefix(line, "?"); is {
					o = model.Observation{Kind: model.Invoked, Value: request}
				} else if line == "!" {
					o.Value = program.Exited{Code: 1}
				}
				m.Observe(l, o)
			}
			if l.violated != "" {
				violated = append(violated, claim.Name)
			}
		}
		assert.Equal(t, c.want, strings.Join(violated, ", "), c.history)
	}
}
