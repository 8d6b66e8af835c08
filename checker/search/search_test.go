package search

import (
	"testing"
	"time"

	"contend/checker/judge"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
)

func count(t *testing.T, p *model.Protocol, c model.Config, opt Options, claims ...string) *Result {
	t.Helper()
	s, err := p.System("", c)
	if err != nil {
		t.Fatal(err)
	}
	var list []model.Claim
	for _, name := range claims {
		c, err := p.Claim(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	start := time.Now()
	r, err := Run(s, judge.Watched(list), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d states %d transitions depth %d calls %d %v %v %v %v", r.States, r.Transitions, r.Depth, r.HandlerCalls, time.Since(start), r.Violated, r.Notes, r.Reductions)
	return r
}

func TestRA(t *testing.T) {
	for k := 2; k <= 4; k++ {
		count(t, ricartagrawala.Protocol, model.Config{N: 3, Ops: k}, Options{}, "mutual exclusion", "lock", "deadlock freedom")
	}
}

func TestBackoff(t *testing.T) {
	for n := 1; n <= 3; n++ {
		for tries := 1; tries <= 2; tries++ {
			t.Log(n, tries)
			for _, red := range []bool{false, true} {
				if n == 3 && tries == 2 && !red {
					continue
				}
				count(t, backoff.Protocol, model.Config{N: n, Tries: tries}, Options{Timed: true, Symmetry: red, Stale: red, MaxSpurious: 1, MaxStates: 5e6}, "Lemma 1")
			}
		}
	}
}
