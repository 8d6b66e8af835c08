package election

import (
	"testing"

	"contend/model"
)

// The initiators are consecutive. The first process follows the last process that is up.
func TestScript(t *testing.T) {
	for _, c := range []struct {
		n, down, initiator, initiators int
		elects                         string // a letter for each process
		err                            string
	}{
		{3, 0, 1, 1, "x--", ""},
		{3, 0, 3, 2, "x-x", ""},
		{3, 1, 2, 2, "xx-", ""},
		{3, 0, 1, 0, "---", ""},
		{3, 3, 1, 1, "", "down is 3, but must be less than n = 3"},
		{3, 1, 1, 3, "", "initiators is 3, but only 2 processes are up"},
		{3, 1, 3, 1, "", "initiator is 3, but only processes 1 to 2 are up"},
	} {
		config := model.Config{N: c.n}.With(Down.Is(c.down), Initiator.Is(c.initiator), Initiators.Is(c.initiators), model.Ops.Is(2))
		got := ""
		if err := Check(config); err != nil {
			got = err.Error()
		}
		if got != c.err {
			t.Errorf("%+v: %q", c, got)
		}
		for i, is := range c.elects {
			want := 0
			if is == 'x' {
				want = 2
			}
			if got := len(Script(config, i)); got != want {
				t.Errorf("%+v: process %d elects %d times, want %d", c, i+1, got, want)
			}
		}
	}
}

// watch records whether a monitor reports a violation or a witness.
type watch struct {
	model.Watch
	violated, witnessed bool
}

func (w *watch) Violate(string, ...any) { w.violated = true }
func (w *watch) Witness()               { w.witnessed = true }

// seen runs a claim's monitor on a run of three processes, of which some are down from the beginning.
func seen(c model.Claim, down int, run []model.Observation) (*watch, model.Monitor) {
	s := &model.System{Config: model.Config{N: 3}.With(Down.Is(down)), Nodes: make([]model.NodeSpec, 3)}
	m, w := c.Monitor(s), &watch{}
	for _, o := range run {
		m.Observe(w, o)
	}
	return w, m
}

func begins(p model.NodeID) model.Observation {
	return model.Observation{Kind: model.Noted, Node: p, Value: Begun{}}
}

func undecided(p model.NodeID) model.Observation {
	return model.Observation{Kind: model.Noted, Node: p, Value: Undecided{}}
}

func decides(p, on model.NodeID) model.Observation {
	return model.Observation{Kind: model.Noted, Node: p, Value: Decided{on}}
}

func crashes(p model.NodeID) model.Observation {
	return model.Observation{Kind: model.Crashed, Node: p}
}

func recovers(p model.NodeID) model.Observation {
	return model.Observation{Kind: model.Recovered, Node: p}
}

// The claims of safety check a process when it decides.
func TestSafety(t *testing.T) {
	for name, c := range map[string]struct {
		down                  int
		run                   []model.Observation
		unsafe, two, untested bool // safety, and one coordinator, are violated
	}{
		"the largest":               {0, []model.Observation{decides(0, 2), decides(2, 2)}, false, false, false},
		"not the largest":           {0, []model.Observation{decides(0, 1)}, true, false, false},
		"of those up":               {1, []model.Observation{decides(0, 1), decides(1, 1)}, false, false, false},
		"one that is down":          {1, []model.Observation{decides(0, 2)}, true, false, false},
		"after a crash":             {0, []model.Observation{decides(0, 2), crashes(2), decides(0, 1)}, false, false, false},
		"after a recovery":          {0, []model.Observation{crashes(2), recovers(2), decides(0, 1)}, true, false, false},
		"recovers afterwards":       {0, []model.Observation{crashes(2), decides(1, 1), recovers(2)}, false, false, false},
		"two that lead":             {0, []model.Observation{crashes(2), decides(1, 1), recovers(2), decides(2, 2)}, false, true, false},
		"one after the other":       {0, []model.Observation{decides(2, 2), crashes(2), decides(1, 1)}, false, false, false},
		"one gives up":              {0, []model.Observation{crashes(2), decides(1, 1), recovers(2), undecided(1), decides(2, 2)}, false, false, false},
		"nobody decides":            {0, []model.Observation{begins(0), undecided(0)}, false, false, true},
		"what a note of another is": {0, []model.Observation{{Kind: model.Noted, Value: 7}}, false, false, true},
	} {
		w, _ := seen(Safety("", ""), c.down, c.run)
		if w.violated != c.unsafe || w.witnessed == c.untested {
			t.Errorf("%s: safety is violated %v, tested %v", name, w.violated, w.witnessed)
		}
		if w, _ := seen(OneCoordinator("", ""), c.down, c.run); w.violated != c.two {
			t.Errorf("%s: one coordinator is violated %v", name, w.violated)
		}
	}
}

// The goals: all processes that are up have decided, on the same process, on the largest process.
func TestGoals(t *testing.T) {
	for name, c := range map[string]struct {
		down                    int
		run                     []model.Observation
		settled, agree, largest bool
	}{
		"nothing begins":   {0, nil, true, true, true},
		"one has decided":  {0, []model.Observation{begins(0), decides(0, 2)}, false, false, false},
		"all have":         {0, []model.Observation{begins(0), decides(0, 2), decides(1, 2), decides(2, 2)}, true, true, true},
		"all that are up":  {1, []model.Observation{begins(0), decides(0, 1), decides(1, 1)}, true, true, true},
		"the others crash": {0, []model.Observation{begins(0), decides(1, 1), crashes(0), crashes(2)}, true, true, true},
		"it comes back":    {0, []model.Observation{begins(0), decides(1, 1), decides(0, 1), crashes(2), recovers(2)}, false, false, false},
		"another election": {0, []model.Observation{begins(0), decides(0, 2), decides(1, 2), decides(2, 2), undecided(1)}, false, false, false},
		"on different":     {0, []model.Observation{begins(0), decides(0, 1), decides(1, 2), decides(2, 2)}, true, false, false},
		"on a small one":   {0, []model.Observation{begins(0), decides(0, 1), decides(1, 1), decides(2, 1)}, true, true, false},
		"on a crashed one": {0, []model.Observation{begins(0), decides(0, 2), decides(1, 2), decides(2, 2), crashes(2)}, true, true, false},
	} {
		for of, want := range map[*model.Claim]bool{
			ref(Liveness("", "")): c.settled, ref(Concludes("", "")): c.agree, ref(LargestInTheEnd("", "")): c.largest,
		} {
			if _, m := seen(*of, c.down, c.run); m.(model.Goal).Reached() != want {
				t.Errorf("%s: %s is reached %v", name, of.Name, !want)
			}
		}
	}
}

func ref(c model.Claim) *model.Claim { return &c }
