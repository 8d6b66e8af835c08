package minimize_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/minimize"
	"contend/model"
	"contend/traces"
)

// opened is a protocol of a door with three alarms that come when they like, of which some shut it for a time. It is claimed to be shut when it is
// looked at, once two of the alarms came; but what came when it was shut does not count of the last.
var opened = &model.Protocol{Name: "opened",
	Claims: []model.Claim{{Name: "shut", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[0].(*door).Open {
			return errors.New("it is open")
		}
		return nil
	}}},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Types: []any{""}, Nodes: []model.NodeSpec{{Name: "d", Role: model.Server, New: func() model.Node { return &door{} }}}}, nil
	}}

type door struct {
	Came int
	Open bool
}

func (*door) Start(env model.Env) {
	for _, key := range []string{"three", "one", "beyond", "nothing", "free", "look"} {
		env.After(key, model.Between(0, 20))
	}
}

func (d *door) Timeout(env model.Env, key any) {
	free := !env.Held("three") && !env.Held("one") && !env.Held("beyond")
	switch key {
	case "three":
		env.Hold("three", model.Below(3))
	case "one":
		env.Hold("one", model.Below(1))
	case "beyond":
		env.Hold("beyond", model.Through(1))
	case "free":
		if !free {
			return
		}
	case "look":
		d.Open = d.Came == 2 && free
		return
	}
	d.Came++
}

// Steps are moved to the instant before, the later ones as much earlier where that goes, and alone where it does not, as is the last. They are at
// whole ticks, if only at the next ones.
func TestTimesOfSteps(t *testing.T) {
	type step struct{ key, at string }
	for name, c := range map[string]struct {
		was  []step
		want []string
	}{
		"all that come later":      {[]step{{"nothing", "0"}, {"one", "2"}, {"look", "3"}}, []string{"0", "0", "1"}},
		"one alone":                {[]step{{"three", "0"}, {"one", "2"}, {"look", "3"}}, []string{"0", "0", "3"}},
		"the last":                 {[]step{{"three", "0"}, {"free", "3"}, {"look", "5"}}, []string{"0", "3", "3"}},
		"rounded down":             {[]step{{"nothing", "1/4"}, {"one", "3/4"}, {"look", "7/4"}}, []string{"0", "0", "1"}},
		"rounded up":               {[]step{{"nothing", "0"}, {"beyond", "0"}, {"look", "5/4"}}, []string{"0", "0", "2"}},
		"rounded up one by one":    {[]step{{"nothing", "1/2"}, {"beyond", "3/4"}, {"look", "9/4"}}, []string{"0", "0", "2"}},
		"rounded, in a long while": {[]step{{"three", "1/4"}, {"beyond", "9/4"}, {"look", "19/4"}}, []string{"0", "0", "4"}},
	} {
		tr := traces.New(opened, "", model.Config{}, true, "shut", "")
		tr.Watched = []string{"shut"}
		keys := map[string]int{"three": 1, "one": 2, "beyond": 3, "nothing": 4, "free": 5, "look": 6}
		for _, s := range c.was {
			tr.Steps = append(tr.Steps, traces.Step{At: s.at, Kind: "timeout", To: "d", Type: "string", Occurrence: keys[s.key], Value: []byte(`"` + s.key + `"`)})
		}
		is, _, err := minimize.Minimize(opened, &tr, minimize.Options{})
		require.NoError(t, err, name)
		var at []string
		for _, s := range is.Steps {
			at = append(at, s.At)
		}
		assert.Equal(t, c.want, at, name)
	}
}
