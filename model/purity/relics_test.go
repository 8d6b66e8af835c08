package purity_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model/purity"
)

// The first two nodes of each handler are stored for good, and the last few of the others. Each of the others
// is checked once, when it is replaced, and each of the first again and again.
func TestRelics(t *testing.T) {
	var r purity.Relics
	looked := map[any]int{}
	look := func(x purity.Relic) { looked[x.Node]++ }
	const runs = 100
	for k := range runs {
		r.Keep(purity.Relic{Node: k, Handler: fmt.Sprint(k % 2), Slot: k / 50}, look)
	}
	first := []int{0, 1, 2, 3, 50, 51, 52, 53}
	for k := range runs {
		switch {
		case slices.Contains(first, k):
			assert.GreaterOrEqual(t, looked[k], 4, "of the first, number %d", k)
		case k >= runs-8:
			assert.Zero(t, looked[k], "of the last, number %d", k)
		default:
			assert.Equal(t, 1, looked[k], "number %d", k)
		}
	}
	clear(looked)
	r.Each(look)
	want := map[any]int{}
	for _, k := range append(first, 92, 93, 94, 95, 96, 97, 98, 99) {
		want[k] = 1
	}
	assert.Equal(t, want, looked)
	var none purity.Relics
	none.Each(func(purity.Relic) { t.Error("there is none") })
}
