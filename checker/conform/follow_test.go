package conform

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/twophase"
	"contend/model"
)

// A failing is a test that stores its failures.
type failing struct {
	testing.TB
	mu      sync.Mutex
	texts   []string
	cleanup []func()
}

func (f *failing) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.texts = append(f.texts, fmt.Sprintf(format, args...))
}

func (f *failing) Cleanup(c func()) { f.cleanup = append(f.cleanup, c) }

func (f *failing) end() {
	for _, c := range f.cleanup {
		c()
	}
}

// byNode returns the lines of each node, without its name.
func byNode(log string) map[string][]string {
	all := map[string][]string{}
	for _, m := range lines(log) {
		var node string
		_ = json.Unmarshal(m["node"], &node)
		delete(m, "node")
		all[node] = append(all[node], unlines([]members{m}))
	}
	return all
}

// Nodes that write at once, in any order and in pieces, are followed.
func TestFollow(t *testing.T) {
	c := model.Config{N: 2}
	for name, x := range map[string]struct{ log, want string }{
		"explained":  {noted(), ""},
		"a send":     {strings.Replace(noted(), `"to":"rm2","type":"Commit"`, `"to":"rm2","type":"Abort"`, 1), "the page sends Commit{} to rm2 (field type differs)"},
		"a field":    {strings.Replace(noted(), `{"rm1":true,"rm2":true}`, `{"rm1":true}`, 1), "(field Prepared differs)"},
		"the end":    {strings.Replace(noted(), `{"node":"rm2","alarm"`, `{"node":"rm1","alarm"`, 1), "rm1: "},
		"unknown":    {strings.Replace(noted(), `"after"`, `"beyond"`, 1), "beyond: the field is not known"},
		"no entries": {"", "the logs have no entries"},
	} {
		inner := &failing{TB: t}
		f := Follow(inner, twophase.Protocol, c, Options{Silent: []string{"call", "result"}})
		var wg sync.WaitGroup
		for node, all := range byNode(x.log) {
			w := f.Node(node)
			wg.Go(func() {
				text := strings.TrimSuffix(strings.Join(all, ""), "\n")
				for len(text) > 0 {
					n := min(len(text), 7)
					if _, err := w.Write([]byte(text[:n])); err != nil {
						return
					}
					text = text[n:]
				}
			})
		}
		wg.Wait()
		inner.end()
		if x.want == "" {
			require.Empty(t, inner.texts, name)
			_, err := f.Node("tm").Write([]byte("x"))
			require.Equal(t, errOver, err)
			continue
		}
		require.Len(t, inner.texts, 1, name)
		assert.Contains(t, inner.texts[0], x.want, name)
		<-f.Failed()
	}
}

// The test fails at the entry, not at its end.
func TestFollowFailsAtOnce(t *testing.T) {
	inner := &failing{TB: t}
	f := Follow(inner, twophase.Protocol, model.Config{N: 2}, Options{Silent: []string{"call", "result", "note"}})
	tm, rm1 := slog.New(f.Handler("tm")), slog.New(f.Handler("rm1"))
	prepared := map[string]any{"from": "rm1", "type": "Prepared"}
	tm.Info("a message", "receive", prepared)
	rm1.Info("prepares", "alarm", map[string]any{"type": "rmPrepare"}, "send", map[string]any{"to": "tm", "type": "Prepared"})
	require.Empty(t, inner.texts)
	rm1.Info("a state", "after", map[string]any{"State": "committed"})
	require.Len(t, inner.texts, 1)
	assert.Contains(t, inner.texts[0], `rm1:2: rm1: {"after":{"State":"committed"},"node":"rm1"}`)
	assert.Contains(t, inner.texts[0], "State is \"committed\" in the log, and prepared on the page")
	<-f.Failed()
	inner.end()
	require.Len(t, inner.texts, 1)
}
