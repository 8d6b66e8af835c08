package confirm

import (
	"testing"

	"contend/checker/search"
	"contend/model"
)

// A message that is sent in Start and absorbed at once arrives in time all the same:
// absorption does not turn a violation into a matter of strict bounds.
func TestAbsorbedAtBoot(t *testing.T) {
	s := system(model.Between(1, 2), actor{
		start:   func(_ *actor, env model.Env) { env.Send(1, 7); env.After("late", model.Exactly(5)) },
		timeout: func(_ *actor, env model.Env, _ any) { env.Note(1) },
	}, actor{})
	claims := about(model.Always, 1)
	for _, stale := range []bool{false, true} {
		r, err := search.Run(s, claims, search.Options{Timed: true, Stale: stale, Confirm: func(c search.Candidate) (search.Confirmation, error) {
			_, is, err := take(t, s, claims, true, c)
			return is, err
		}})
		if err != nil || len(r.Violated()) != 1 || len(spurious(r)) != 0 {
			t.Errorf("stale absorption %v: violated %v, spurious %v, %v", stale, r.Violated(), spurious(r), err)
		}
	}
}
