package conform

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/impl/twophase"
	"contend/model"
)

// A log without some entries of a kind is explained exactly if the protocol declares their type.
func TestUnlogged(t *testing.T) {
	log := noted()
	last := `"receive":{"from":"tm","type":"Commit"},`
	for name, x := range map[string]struct {
		missing  string
		declared model.Unlogged
	}{
		"sends":    {`,"send":[{"to":"rm1","type":"Commit"},{"to":"rm2","type":"Commit"}]`, model.Unlogged{Sends: []any{twophase.Commit{}}}},
		"receives": {last, model.Unlogged{Receives: []any{twophase.Commit{}}}},
		"notes":    {`,"note":{"type":"Became","value":{"State":"prepared"}}`, model.Unlogged{Notes: []any{twophase.Became{}}}},
	} {
		t.Run(name, func(t *testing.T) {
			log := strings.Replace(log, x.missing, "", 1)
			require.NotEqual(t, noted(), log)
			p := *twophase.Protocol
			require.Equal(t, NotExplained, check(t, &p, "", model.Config{N: 2}, Options{}, log).Verdict)
			p.Unlogged = x.declared
			r := check(t, &p, "", model.Config{N: 2}, Options{}, log)
			require.Equal(t, Explained, r.Verdict, reasons(r))
		})
	}
}
