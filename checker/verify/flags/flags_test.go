package flags

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSuggestions: what is meant is near what was typed.
func TestSuggestions(t *testing.T) {
	assert.Equal(t, `; did you mean "tries"?`, DidYouMean("trys", []string{"ops", "tries"}))
	assert.Empty(t, DidYouMean("--nn", []string{"--f", "--b"}), "the dashes are alike in all flags")
	assert.Equal(t, `; did you mean "--n"?`, DidYouMean("--nn", []string{"--f", "--n"}))
	assert.Equal(t, "", DidYouMean("zebra", []string{"ops", "tries"}))
	assert.Equal(t, `; did you mean "lease-delta" or "lease-short" or "long-lease"?`, DidYouMean("Leas", []string{"lease-delta", "lease-short", "other", "long-lease", "lease-at-least"}))
	assert.Equal(t, "", DidYouMean("xy", []string{"has-xy-in-it"}), "two letters are in many names")
}

// TestMemory: amounts of memory as people write them.
func TestMemory(t *testing.T) {
	for text, want := range map[string]int64{"4GiB": 4 << 30, "512 MiB": 512 << 20, "1.5kB": 1500, "7": 7, "7B": 7, "0": -1, "-1GiB": -1, "GiB": -1, "1e99TiB": -1, "NaN": -1} {
		var m Memory
		if err := m.Set(text); err != nil {
			m = -1
		}
		assert.Equal(t, Memory(want), m, text)
	}
}
