package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/plan"
	"contend/impl"
	"contend/impl/naimithiare"
	"contend/impl/pbft"
	"contend/impl/twophase"
	"contend/model"
)

// countedBuilds returns a protocol that counts how often it is built.
func countedBuilds(of *model.Protocol) (*model.Protocol, *int) {
	p, built := *of, new(int)
	p.Build = func(c model.Config) (*model.System, error) { *built++; return of.Build(c) }
	return &p, built
}

// A listed check is planned with a system for each of its rows at most. A protocol without servers is built twice, to see that it
// does not read how many there are.
func TestPlannedWithFewBuilds(t *testing.T) {
	for _, of := range impl.Suite {
		p, built := countedBuilds(of)
		_, declares := p.Declared(model.N.Name)
		for i, c := range p.Checks {
			*built = 0
			pl, err := plan.New(p, c)
			require.NoError(t, err)
			most := len(pl.Rows)
			if !declares {
				most *= 2
			}
			assert.LessOrEqual(t, *built, most, "check %d of %s", i, p.Name)
		}
	}
}

// A row that is searched or sampled to its end takes two builds at most: the second is that of a kept run, for the claims that are findings.
func TestDecidedWithFewBuilds(t *testing.T) {
	for _, of := range []*model.Protocol{naimithiare.Protocol, pbft.Protocol, twophase.Protocol} {
		p, built := countedBuilds(of)
		for i, c := range p.Checks {
			*built = 0
			rows, err := checker.Check(p, c, checker.Options{NoMinimize: true, Seed: 1})
			require.NoError(t, err)
			assert.LessOrEqual(t, *built, 2*len(rows), "check %d of %s", i, p.Name)
		}
	}
}
