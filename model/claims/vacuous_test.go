package claims_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/claims"
)

// What a claim speaks of decides where it is vacuous: order in a script of two messages, and
// overtaking among two that ask.
func TestVacuous(t *testing.T) {
	scripts := func(lengths ...int) *model.System {
		s := &model.System{}
		for _, n := range lengths {
			s.Nodes = append(s.Nodes, model.NodeSpec{Script: make([]model.Op, n)})
		}
		return s
	}
	group := claims.Group{}
	for _, x := range []struct {
		claim   model.Claim
		lengths []int
		vacuous bool
	}{
		{group.FIFOOrder(), []int{1, 1}, true},
		{group.FIFOOrder(), []int{1, 2}, false},
		{claims.HappenedBefore(), []int{0, 3}, true},
		{claims.HappenedBefore(), []int{1, 1}, false},
	} {
		assert.Equal(t, x.vacuous, x.claim.Vacuous(scripts(x.lengths...)) != "", "%s with %v operations", x.claim.Name, x.lengths)
	}
	never := claims.Vacuous(claims.HappenedBefore(), func(*model.System) bool { return false }, "never")
	assert.NotEmpty(t, never.Vacuous(scripts(1)), "the first reason stays")
}
