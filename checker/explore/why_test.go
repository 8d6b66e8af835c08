package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/centralized"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/traces"
	"contend/traces/walk"
)

// tracing is a visitor of the explorer of a trace that the repository keeps, and where that ends.
func tracing(t *testing.T, p *model.Protocol, name string) (*visitor, walk.Place) {
	t.Helper()
	tr, err := traces.Load("../../traces/testdata/" + name + ".json")
	require.NoError(t, err)
	v := exploringVariant(t, p, tr.Variant, tr.Config.Model(), model.Untimed)
	w, err := v.s.walkTrace(tr)
	require.NoError(t, err)
	return v, w.Place()
}

// Why a claim breaks begins with the step that made it inevitable, and with a run that avoids it; then come the
// sentences of verify show. It is the same behind the break.
func TestWhy(t *testing.T) {
	v, place := tracing(t, centralized.Protocol, "centralized-newest-first-bounded-overtaking")
	got := asks[reason](v, "why", placeRequest{place.String()})
	assert.Equal(t, "bounded overtaking", got.Claim)
	assert.Equal(t, 12, got.Step)
	assert.Equal(t, "Step 9 made it inevitable. After step 8 the run could still go on without breaking the claim.", got.Turning)
	assert.NotEmpty(t, got.Because)
	require.True(t, got.Avoids)
	other := v.at(got.Other)
	assert.Greater(t, other.Steps, 8)
	for _, c := range other.Claims {
		assert.NotEqual(t, "broken", c.Status, c.Name)
	}
	for _, o := range other.Offers {
		assert.NotEqual(t, "event", o.Kind, "the run has come to its end")
	}
	next := v.take(place.String(), v.at(place.String()).Offers[0].Choice)
	assert.Equal(t, got, asks[reason](v, "why", placeRequest{next.Place}))
	assert.Equal(t, "place breaks no claim, and there is nothing to explain", v.refused("why", `{"place":""}`))
}

func TestTurnings(t *testing.T) {
	v, place := tracing(t, ricartagrawala.Protocol, "ricartagrawala-no-tie-break-mutual-exclusion")
	assert.Equal(t, "Step 8 made it inevitable. After step 7 the run could still go on without breaking the claim.", asks[reason](v, "why", placeRequest{place.String()}).Turning)
	for want, at := range map[string]walk.Turning{
		"It is inevitable from the beginning: unless a fault prevents it, every run breaks the claim.":                   {Avoidable: -1},
		"Step 4 made it inevitable at the latest: no run that avoids it was found before, but not all were tried.":       {Avoidable: -1, Inevitable: 4},
		"One of the steps 3 to 4 made it inevitable. After step 2 the run could still go on without breaking the claim.": {Avoidable: 2, Inevitable: 4},
		"Step 3 made it inevitable. After step 2 the run could still go on without breaking the claim.":                  {Avoidable: 2, Inevitable: 3},
	} {
		assert.Equal(t, want, at.String())
	}
}
