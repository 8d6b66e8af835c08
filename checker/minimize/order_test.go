package minimize

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/impl/backoff"
	"contend/model"
	"contend/model/world"
)

// What counts first is the number of steps, then the configuration, what the environment does, how often it lies, what is watched, how late in their
// alphabets lies stand, answers, instants, parts of a tick, and how late steps are. What counts later does not weigh against what counts first.
func TestWhichRunIsSmaller(t *testing.T) {
	m := &minimizer{protocol: backoff.Protocol}
	is := func(v [10]int) *result {
		steps, servers, faults, lies, watched, places, answers, instants, parts, late := 5+v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]
		of := &result{stage: &stage{system: &model.System{Config: model.Config{N: servers}}, watched: make([]model.Claim, watched)}, parts: int64(parts),
			world: &world.World{Boot: []world.Booted{{Choice: world.Choice{Of: 9, Is: answers / 2}}}}, places: map[int]place{steps: {places, 9}}, honest: &honesty{lies: lies}}
		for i := range steps {
			r := world.Record{At: world.Time(min(i, instants-1))}
			if r.Move.Kind = model.Deliver; i < faults {
				r.Move.Kind = model.Crash
			}
			if i == 0 {
				r.Choices = []world.Choice{{Of: 9, Is: answers - answers/2}, {Of: 9}}
			}
			if i == steps-1 {
				r.At = world.Time((10 + late) * parts)
			}
			of.records = append(of.records, r)
		}
		return of
	}
	for first := range 10 {
		var less, more [10]int
		for i := range less {
			switch less[i], more[i] = 2, 2; {
			case i == first:
				less[i] = 1
			case i > first:
				less[i] = 3
			}
		}
		a, b := is(less), is(more)
		m.best = b
		assert.True(t, m.smaller(a), "number %d is less", first)
		m.best = a
		assert.False(t, m.smaller(b), "number %d is more", first)
		assert.False(t, m.smaller(a), "it is the same")
	}
}
