package experiment

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// catch returns a catch of a mutant by a strategy, with the median only.
func catch(mutant, strategy string, median Bounds) Catch {
	c := Catch{Protocol: "p", Mutant: mutant, Strategy: strategy, Median: median, Tries: make([]Try, 2)}
	if median.Known() {
		c.Found = 1
	}
	return c
}

// Means and ratios are bounds, too, if a median was not found.
func TestStandings(t *testing.T) {
	all := []Catch{
		catch("a", "portfolio", exactly(8)), catch("a", "pos", exactly(4)), catch("a", "random", exactly(2)),
		catch("b", "portfolio", exactly(2)), catch("b", "pos", moreThan(99)), catch("b", "random", exactly(32)),
		catch("c", "portfolio", moreThan(99)), catch("c", "pos", exactly(20)), catch("c", "random", moreThan(99)),
		catch("d", "portfolio", moreThan(99)), catch("d", "pos", moreThan(99)), catch("d", "random", moreThan(99)),
	}
	standings := Standings(all)
	assert.Equal(t, Standing{Strategy: "portfolio", Mean: standings[0].Mean, Found: 2, Seeds: 8}, standings[0])
	assert.InDelta(t, math.Pow(8*2*100*100, 0.25), standings[0].Mean.AtLeast, 1e-9)
	assert.True(t, math.IsInf(standings[0].Mean.AtMost, 1))
	assert.Equal(t, []string{"p/d"}, Missed(all))
	ratio, n := Ratio(all, "portfolio") // 4, 1/16, and at least 5
	assert.Equal(t, exactly(4), ratio)
	assert.Equal(t, 3, n)
	all = append(all, catch("e", "portfolio", exactly(50)), catch("e", "pos", moreThan(99)), catch("e", "random", moreThan(99)))
	ratio, n = Ratio(all, "portfolio") // one more, at most 1/2
	assert.Equal(t, Bounds{1.0 / 16, 1.0 / 2}, ratio)
	assert.Equal(t, 4, n)
	_, n = Ratio(all[9:12], "portfolio")
	assert.Zero(t, n, "nothing is known")
	assert.InDelta(t, 2.0, geometric(draws([]float64{1, 4})).AtMost, 1e-12)
}
