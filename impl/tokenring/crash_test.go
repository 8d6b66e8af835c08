package tokenring

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

// That nobody sends a lost token again is seen: then nobody enters after a crash inside.
func TestCrashSurvived(t *testing.T) {
	for _, resends := range []bool{true, false} {
		p := *Protocol
		v, err := p.Variant("crash-tolerant")
		require.NoError(t, err)
		v.Edit = counted(resends)
		p.Variants = []model.Variant{v}
		c := model.Check{Variant: v.Name, Config: variant.Faulty(mutex.Of(2, 1), model.Faults{Crashes: 1}), Claims: []string{"a crash inside is survived"}}
		rows, err := checker.Check(&p, c, checker.Options{})
		require.NoError(t, err)
		assert.Equal(t, resends, rows[0].Claims[0].Verdict == checker.Holds, rows[0].Claims[0].Text)
	}
}
