package group

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/model"
)

// A change has the next revision, and a read shows the newest. A change whose outcome is unknown takes effect later, once, or never.
func TestStore(t *testing.T) {
	for _, c := range []struct {
		calls []string
		want  judge.Verdict
	}{
		{[]string{"put x 1", "ok 2", "get x", "1@2 2", "compact", "ok", "del x", "ok 3", "get x", "none 3", "del x", "ok 3"}, judge.Linearizable},
		{[]string{"put x 1", "ok 2", "put y 1", "ok 2"}, judge.Illegal},
		{[]string{"put x 1", "ok 2", "get x", "none 2"}, judge.Illegal},
		{[]string{"put x 1", "ok 2", "get y", "failed", "get x", "1@3 3"}, judge.Illegal},
		{[]string{"put x 1", "unknown", "get x", "none 1", "get x", "1@2 2"}, judge.Linearizable},
		{[]string{"put x 1", "unknown", "get x", "1@2 2", "get x", "none 1"}, judge.Illegal},
	} {
		var history []model.Observation
		for i := 0; i < len(c.calls); i += 2 {
			history = append(history, model.Observation{Kind: model.Invoked, Value: c.calls[i]}, model.Observation{Kind: model.Returned, Value: c.calls[i+1]})
		}
		is, err := judge.History(store, history, time.Minute)
		require.NoError(t, err)
		assert.Equal(t, c.want, is, c.calls)
	}
}

// A watch stores the violations that a monitor reports.
type watch struct {
	model.Watch
	said string
}

func (*watch) Witness() {}

func (w *watch) Violate(format string, args ...any) { w.said = fmt.Sprintf(format, args...) }

// Stores at one revision have one hash, unless one is compacted further. The changes of holders have the order of their locks.
func TestMonitors(t *testing.T) {
	for _, c := range []struct {
		kind  model.ObservationKind
		notes []string
		want  string
	}{
		{model.Noted, []string{"hash 2 -1 7", "hash 3 -1 8", "hash 3 2 9", "hash 2 -1 7"}, ""},
		{model.Noted, []string{"hash 2 -1 7", "hash 2 -1 8"}, "its store at revision 2 has the hash 8, but there was one with 7"},
		{model.Returned, []string{"held lock 2 3", "held campaign 1 9", "held lock 5 6", "lost", "unknown", "held lock 2 4"}, ""},
		{model.Returned, []string{"held lock 5 6", "held lock 2 7"}, "the holder of lock 2 changes revision 7, that of 5 revision 6"},
	} {
		var w watch
		hashes, changes := &sameHash{}, &order{}
		for _, note := range c.notes {
			for _, m := range []model.Monitor{hashes, changes} {
				m.Observe(&w, model.Observation{Kind: c.kind, Value: note})
			}
		}
		assert.Equal(t, c.want, w.said, c.notes)
	}
}
