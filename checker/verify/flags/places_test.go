package flags

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What can be written is found out, and nothing is left or changed.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	require.NoError(t, os.WriteFile(at("file"), []byte("text"), 0o644))
	require.NoError(t, os.Mkdir(at("there"), 0o755))
	long := strings.Repeat("x", 300)

	for _, place := range []string{at("there"), at("new"), at("new", "deeper", "still"), at("there", "new")} {
		assert.NoError(t, WritableDirectory("out", place))
	}
	for _, place := range []string{at("new"), at("new", "deeper"), at("there", "new")} {
		assert.EqualError(t, WritableFile("html", filepath.Join(place, "page.html")), "--html is "+filepath.Join(place, "page.html")+", but there is no directory "+place)
	}
	assert.NoError(t, WritableFile("html", at("there", "page.html")))
	assert.NoError(t, WritableFile("html", at("file")))
	for _, place := range []string{"", at("file"), at("file", "new"), at("new", long)} {
		assert.ErrorContains(t, WritableDirectory("out", place), "--out is")
	}
	for _, place := range []string{"", at("there"), at("file", "new"), at("new", long), at(long)} {
		assert.ErrorContains(t, WritableFile("html", place), "--html is")
	}

	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2)
	inside, err := os.ReadDir(at("there"))
	require.NoError(t, err)
	assert.Empty(t, inside)
	text, err := os.ReadFile(at("file"))
	require.NoError(t, err)
	assert.Equal(t, "text", string(text))
}
