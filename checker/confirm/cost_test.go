package confirm

import (
	"testing"

	"contend/checker/search"
	"contend/model"
	"contend/model/costs"
	"contend/model/world"
)

// A run that does not come to the number that the search says is an error, with its last step or
// at its end.
func TestNumbersAreConfirmed(t *testing.T) {
	whole := costs.Messages()
	thrown := &model.Cost{Name: "thrown", Meter: func(*model.System) model.Monitor { return &thrown{} }}
	for _, c := range []struct {
		cost   *model.Cost
		number int
	}{{whole, 1}, {thrown, 6}} {
		s, claims := dice(), []model.Claim{c.cost.Claim()}
		sound := reading(t, s, claims)
		if sound.Number != c.number {
			t.Fatalf("%s: the search says %d, want %d", c.cost.Name, sound.Number, c.number)
		}
		if _, is, err := take(t, s, claims, false, sound); err != nil || is != search.Real {
			t.Fatal(is, err)
		}
		for name, tamper := range map[string]func(*search.Candidate){
			"another number": func(c *search.Candidate) { c.Number-- },
			"a step too few": func(c *search.Candidate) { c.Steps, c.Nodes = c.Steps[:1], nil },
		} {
			bad := reading(t, s, claims)
			tamper(&bad)
			if _, _, err := take(t, s, claims, false, bad); err == nil {
				t.Errorf("%s, %s: it is confirmed", c.cost.Name, name)
			}
		}
	}
}

// reading is the run to the most that a cost comes to.
func reading(t *testing.T, s *model.System, claims []model.Claim) (most search.Candidate) {
	_, err := search.Run(s, claims, search.Options{Confirm: func(c search.Candidate) (search.Confirmation, error) {
		most = c // the least comes before it
		return search.Real, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return most
}

// thrown measures what is noted.
type thrown struct{}

func (*thrown) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		w.Measure(o.Value.(int))
	}
}

// A number counts if it is the claim's own, and reported in the last step.
func TestOthersNumbersDoNotCount(t *testing.T) {
	claim, c := model.Claim{Name: "mine", Cost: &model.Cost{}}, search.Candidate{Number: 3}
	for m, comes := range map[world.Measurement]bool{
		{Claim: "mine", Number: 3, Step: 2}: true, {Claim: "another", Number: 3, Step: 2}: false,
		{Claim: "mine", Number: 4, Step: 2}: false, {Claim: "mine", Number: 3, Step: 1}: false,
	} {
		w := &world.World{Steps: 2, Measured: []world.Measurement{m}}
		if err := comesTo(w, claim, c); (err == nil) != comes {
			t.Errorf("%+v: %v", m, err)
		}
	}
}
