package drive

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/suite"
	"contend/impl"
)

var full = flag.Bool("full", false, "drive every protocol of the suite and its mutants")

// The nodes of each protocol agree with it, and most of its mutants differ. docs/drive.md has the numbers.
func TestAllProtocols(t *testing.T) {
	if !*full {
		t.Skip("it takes minutes: -full")
	}
	opt := Options{Suite: suite.Options{MaxStates: 500}}
	caught, all := 0, 0
	for _, p := range impl.Suite {
		r := driven(t, p, "", p.Checks[0].Config, opt)
		assert.Nil(t, r.Difference, "%s: %s", p.Name, r)
		assert.Equal(t, r.Suite.Transitions, r.Taken, p.Name)
		for _, v := range p.Variants {
			page, err := p.System("", v.Show.Config)
			if v.Breaks == "" || err != nil {
				continue // an option, or beyond the bounds of the protocol
			}
			s, err := p.System(v.Name, v.Show.Config)
			require.NoError(t, err)
			r, err := Drive(p, "", v.Show.Config, Go(func() Adapter { return newHosted(t, page, s) }), opt)
			if err != nil {
				t.Logf("%s/%s has no counterpart: %v", p.Name, v.Name, err) // other nodes or types than the page
				continue
			}
			if all++; r.Difference != nil {
				caught++
			} else {
				t.Logf("%s/%s agrees: %s", p.Name, v.Name, r.Coverage())
			}
		}
	}
	t.Logf("%d of %d mutants differ", caught, all)
	assert.Greater(t, caught, 380)
}
