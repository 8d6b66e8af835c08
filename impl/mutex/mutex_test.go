package mutex

import (
	"testing"

	"contend/model"
)

// The first processes request the section, by default all. Their number is at most the number of processes.
func TestAsking(t *testing.T) {
	for _, c := range []struct {
		asking, n int
		ask       []bool
		err       string
	}{
		{0, 3, []bool{true, true, true}, ""},
		{1, 3, []bool{true, false, false}, ""},
		{3, 3, []bool{true, true, true}, ""},
		{4, 3, nil, "asking is 4, but must be at most n = 3"},
	} {
		config := model.Config{N: c.n}.With(Asking.Is(c.asking), model.Ops.Is(2))
		err := CheckAsking(config)
		if got := message(err); got != c.err {
			t.Errorf("asking %d of %d: %q, want %q", c.asking, c.n, got, c.err)
		}
		for i, asks := range c.ask {
			want := 0
			if asks {
				want = 2
			}
			if got := len(Script(config, i)); got != want {
				t.Errorf("asking %d of %d: process %d enters %d times, want %d", c.asking, c.n, i, got, want)
			}
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A lock has one holder at a time. Only the holder releases it.
func TestLock(t *testing.T) {
	free, held := Holder{}, Holder{true, 1}
	for _, c := range []struct {
		state  Holder
		client model.NodeID
		op     any
		next   []model.Effect
	}{
		{free, 1, Acquire{}, []model.Effect{{State: held}}},
		{free, 1, Release{}, nil},
		{held, 1, Acquire{}, nil},
		{held, 2, Acquire{}, nil},
		{held, 2, Release{}, nil},
		{held, 1, Release{}, []model.Effect{{State: free}}},
	} {
		got := Lock.Step(c.state, c.client, c.op)
		if len(got) != len(c.next) || len(got) > 0 && got[0] != c.next[0] {
			t.Errorf("%+v, %d %T: %v, want %v", c.state, c.client, c.op, got, c.next)
		}
	}
}
