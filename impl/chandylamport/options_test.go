package chandylamport_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/chandylamport"
	"contend/model"
)

// An option keeps every claim at the smallest sizes at which it differs from the protocol.
func TestOptions(t *testing.T) {
	for _, v := range chandylamport.Protocol.Variants {
		if v.Mutant() {
			continue
		}
		rows, err := checker.Check(chandylamport.Protocol, model.Check{Variant: v.Name, Config: model.Config{N: 2}}, checker.Options{})
		require.NoError(t, err)
		for _, row := range rows {
			for _, c := range row.Claims {
				assert.Equal(t, checker.Holds, c.Verdict, "%s, %s: %s", v.Name, c.Name, c.Text)
			}
		}
	}
}
