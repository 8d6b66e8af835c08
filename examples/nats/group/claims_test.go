package group

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
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

// The monitors judge histories of nodes 0 to 9: "0?" begins a call of node 0, "0!" is an exit, and all else is a note. Before a crash, "0#",
// the claims about durability say nothing.
func TestMonitors(t *testing.T) {
	for _, c := range []struct{ history, want string }{
		{"0keeps 1=a|0keeps x=b@1|0keeps y=|0#|0shows 1=a x=b@1", ""},
		{"0keeps 1=a|0#|0shows ", "what is acknowledged is durable"},
		{"0keeps 1=a|0#|0shows 1=damaged", "what is acknowledged is durable"},
		{"0keeps x=a@1|0#|0shows x=a@2", "what is acknowledged is durable"},
		{"0keeps 1=a|0forgets 1=a|0#|0shows ", ""},
		{"0keeps 1=a|0forgets 1=a|0keeps 1=|0#|0shows 11=b", ""},
		{"0keeps 1=a|0forgets 1=a|0keeps 1=|0#|0shows 1=a", "what was removed stays removed"},
		{"0keeps x=|0forgets x=|0#|0shows x=a@1", ""},
		{"0?publish a|0keeps 1=a|0?publish b|0keeps 2=b|0?put x c|0keeps x=c@1", ""},
		{"0?publish a|0keeps 2=a|1?publish b|1keeps 1=b", "sequences grow"},
		{"0?publish a|1?publish b|0keeps 2=a|1keeps 1=b", ""},
		{"0keeps 1=a|1has 1=a 2=b|2has 1=a|2has 1=a 2=b", ""},
		{"0keeps 1=a|1has 1=b", "replicas agree"},
		{"1has 1=a|2has 1=b", "replicas agree"},
		{"1has 1=a 3=b", "replicas agree"},
		{"0!", "no program ends"},
		{"0shows |0!", "no program ends, what was open opens"},
		{"0fails: get", "no call fails"},
	} {
		all := single
		if strings.Contains(c.history, "has ") {
			all = replicated
		}
		assert.Equal(t, c.want, violated(all, c.history, "-always"), c.history)
	}
}

// Unless the servers sync each write, the claims about replicas end with the first crash.
func TestFirstCrash(t *testing.T) {
	for _, c := range []struct{ history, always, lazy string }{
		{"0keeps 1=a|0#|1keeps 1=b|1has 1=b", "replicas agree", ""},
		{"0keeps 1=a|0#|0?publish b|0keeps 1=b", "sequences grow, replicas agree", ""},
		{"0#|1has 2=a", "replicas agree", ""},
		{"0keeps 1=a|1has 1=b|0#", "replicas agree", "replicas agree"},
	} {
		assert.Equal(t, c.always, violated(replicated, c.history, "-always"), c.history)
		assert.Equal(t, c.lazy, violated(replicated, c.history), c.history)
	}
}

// violated returns the names of the claims that a history violates, if the program has these flags.
func violated(all []model.Claim, history string, flags ...string) string {
	var names []string
	for _, claim := range all {
		if claim.Kind != model.Always {
			continue
		}
		m, l := claim.Monitor(&model.System{Setup: &Setup{Flags: flags}}), &log{}
		makeMaps(m)
		for _, line := range strings.Split(history, "|") {
			m.Observe(l, observed(line))
		}
		if l.violated != "" {
			names = append(names, claim.Name)
		}
	}
	return strings.Join(names, ", ")
}

// makeMaps makes the maps of a monitor and of the monitors within, as the checker does.
func makeMaps(m model.Monitor) {
	for _, field := range reflect.ValueOf(m).Elem().Fields() {
		if field.Kind() == reflect.Interface && field.CanInterface() {
			makeMaps(field.Interface().(model.Monitor))
		}
		if field.Kind() == reflect.Map && field.IsNil() {
			field.Set(reflect.MakeMap(field.Type()))
		}
	}
}

// observed returns the observation for a line.
func observed(line string) model.Observation {
	o := model.Observation{Node: model.NodeID(line[0] - '0'), Kind: model.Noted, Value: line[1:]}
	switch call, is := strings.CutPrefix(line[1:], "?"); {
	case is:
		o.Kind, o.Value = model.Invoked, call
	case line[1:] == "!":
		o.Value = program.Exited{Code: 1}
	case line[1:] == "#":
		o.Kind, o.Value = model.Crashed, nil
	}
	return o
}

// The specification judges sequential histories.
func TestObject(t *testing.T) {
	for _, c := range []struct {
		calls string
		want  judge.Verdict
	}{
		{"publish a|1|publish b|2|read 1|a|delete 1|ok|read 1|none|delete 1|none|publish c|3", judge.Linearizable},
		{"publish a|1|publish b|1", judge.Illegal},
		{"publish a|1|publish b|unknown|publish c|2", judge.Linearizable},
		{"publish a|1|publish b|unknown|publish c|3|read 2|b", judge.Linearizable},
		{"publish a|1|publish b|2|purge 2|ok|read 1|none|read 2|b", judge.Linearizable},
		{"publish a|1|publish b|2|purge 2|ok|read 1|a", judge.Illegal},
		{"publish a|1|purge all|ok|publish b|2|read 2|b", judge.Linearizable},
		{"publish a|1|purge all|ok|publish b|1", judge.Illegal},
		{"publish a|1|purge 5|ok|publish b|5", judge.Linearizable},
		{"put x a|1|put y b|2|read x|a@1|drop x|ok|read x|none|put x c|4", judge.Linearizable},
		{"put x a|1|put x b|2|read x|a@1", judge.Illegal},
	} {
		var history []model.Observation
		for i, text := range strings.Split(c.calls, "|") {
			history = append(history, model.Observation{Kind: []model.ObservationKind{model.Invoked, model.Returned}[i%2], Value: text})
		}
		is, err := judge.History(object, history, time.Minute)
		require.NoError(t, err)
		assert.Equal(t, c.want, is, c.calls)
	}
}
