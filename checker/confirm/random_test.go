package confirm

import (
	"math/rand/v2"
	"testing"

	"contend/checker/search"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
)

// never is a claim that most systems break sooner or later: that no two notes of one
// label come within two ticks.
type never struct{ Noted map[int]bool }

func (n *never) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Noted {
		return
	}
	label := o.Value.(int)
	if n.Noted[label] && w.Held(label) {
		w.Violate("label %d is noted twice", label)
	}
	n.Noted[label] = true
	w.Hold(label, model.Through(2))
}

var claims = []model.Claim{
	{Name: "never", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &never{} }},
	{Name: "stops", Kind: model.Always, Done: true},
	{Name: "can stop", Kind: model.PossibleFromEverywhere, Done: true},
}

// Whatever the search reports on a random system, the interpreter confirms or finds
// to be made by a closed bound; and the reductions change no verdict.
func TestRandomSystems(t *testing.T) {
	found, closed, compared := 0, 0, 0
	for seed := range few(400) {
		timed := seed%2 == 0
		make := func() *model.System { return random.System(rand.New(rand.NewPCG(seed, 2)), true) }
		var verdicts [2]map[int]bool
		complete := true
		for i, reduced := range []bool{false, true} {
			s := make()
			codec, err := value.New(s)
			if err != nil {
				t.Fatal(err)
			}
			res, err := search.Run(s, claims, search.Options{
				Timed: timed, Symmetry: reduced, Stale: reduced, MaxStates: 5000, Pure: true,
				Confirm: func(c search.Candidate) (search.Confirmation, error) {
					_, is, err := Take(s, codec, claims, timed, c)
					return is, err
				},
			})
			if err != nil {
				t.Fatalf("seed %d, timed %v, reduced %v: %v", seed, timed, reduced, err)
			}
			verdicts[i] = map[int]bool{}
			for claim := range claims {
				verdicts[i][claim] = res.Claims[claim].Violated != nil
			}
			found += len(res.Violated())
			closed += len(spurious(res))
			complete = complete && res.Limit.None() && len(spurious(res)) == 0
		}
		if !complete {
			continue // stopped somewhere, or by chance on a run that no times allow
		}
		compared++
		for claim, c := range claims {
			if verdicts[0][claim] != verdicts[1][claim] {
				t.Errorf("seed %d, timed %v: %s is violated: %v, with reductions: %v", seed, timed, c.Name, verdicts[0][claim], verdicts[1][claim])
			}
		}
	}
	t.Logf("%d violations confirmed, %d claims with spurious ones, %d systems compared", found, closed, compared)
	if uint64(found) < few(100) || uint64(compared) < few(100) {
		t.Error("too little was found for the test to mean much")
	}
}
