package group

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/program"
)

// A watch records a violation. Its lease lasts until over.
type watch struct {
	model.Watch
	over     bool
	violated string
}

func (w *watch) Hold(any, model.Bound) { w.over = false }
func (w *watch) Held(any) bool         { return !w.over }
func (w *watch) Witness()              {}
func (w *watch) Violate(format string, args ...any) {
	w.violated = fmt.Sprintf(format, args...)
}

// notes shows notes of nodes to a monitor. The note "over" ends the lease, and a SIGTERM ends the program at the note "ends".
func notes(m model.Monitor, all ...string) bool {
	w := &watch{}
	for i, note := range all {
		if note == "over" {
			w.over = true
			continue
		}
		o := model.Observation{Kind: model.Noted, Node: model.NodeID(i % 2), Value: note}
		if note == "ends" {
			o.Value = program.Terminated{Code: 143}
		}
		m.Observe(w, o)
	}
	return w.violated != ""
}

func TestLeaders(t *testing.T) {
	assert.False(t, notes(&leaders{}, "leads", "stands", "stops", "leads"))
	assert.False(t, notes(&leaders{}, "leads", "stands", "ends", "leads"))
	assert.True(t, notes(&leaders{}, "leads", "leads"))
}

func TestTakes(t *testing.T) {
	assert.False(t, notes(&takes{}, "writes a 15 a", "writes a 15 a", "over", "writes b 15 b"))
	assert.False(t, notes(&takes{}, "writes a 15 a", "writes a 1 ", "writes b 15 b"))
	assert.True(t, notes(&takes{}, "writes a 15 a", "writes b 15 b"))
	assert.False(t, notes(&takes{drifts: true}, "writes a 15 a", "writes b 15 b"))
}

func TestReleases(t *testing.T) {
	assert.False(t, notes(&releases{}, "writes a 15 a", "writes a 1 "))
	assert.True(t, notes(&releases{}, "writes a 15 a", "writes b 15 b", "writes a 1 "))
}
