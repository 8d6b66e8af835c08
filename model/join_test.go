package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

// Joined options are applied in order. Their unclaimed claims and waived assumptions are united.
func TestJoinedOptions(t *testing.T) {
	named := func(as string) func(*model.System) {
		return func(s *model.System) { s.Nodes[0].Name += as }
	}
	p := protocol()
	p.Variants = append(p.Variants,
		model.Variant{Name: "a", Title: "first", Edit: named("a"), Joins: true, Unclaimed: []string{"Theorem 2"}},
		model.Variant{Name: "b", Title: "second", Edit: named("b"), Joins: true, Waives: map[string][]model.Assumption{"Lemma 1": {model.NoLoss}}},
	)
	s, err := p.System("b+a", model.Config{})
	require.NoError(t, err)
	assert.Equal(t, "c1ba", s.Name(0))
	v, err := p.Variant("a+b")
	require.NoError(t, err)
	assert.Equal(t, "first; second", v.Title)
	assert.Equal(t, []string{"Theorem 2"}, v.Unclaimed)
	assert.False(t, v.Mutant())
	claim := model.Claim{Name: "Lemma 1", Assumes: []model.Assumption{model.NoLoss, model.NoCrash}}
	assert.Equal(t, []model.Assumption{model.NoCrash}, v.Made(claim).Assumes)
	assert.Equal(t, []model.Assumption{model.NoLoss, model.NoCrash}, claim.Assumes, "the claim itself stays")
	claim.Name = "Theorem 2"
	assert.Equal(t, claim, v.Made(claim))
	for name, want := range map[string]string{
		"a+named":  `variant "a+named" of protocol p cannot be: named is not joined with others, or is there twice`,
		"broken+a": `variant "broken+a" of protocol p cannot be: broken is not joined with others, or is there twice`,
		"a+b+a":    `variant "a+b+a" of protocol p cannot be: a is not joined with others, or is there twice`,
		"a+":       `protocol p has no variant ""; the verb list names them`,
	} {
		_, err := p.Variant(name)
		assert.EqualError(t, err, want)
	}
}
