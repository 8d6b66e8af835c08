package verify

import (
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker/verify/tool"
)

// Each verb stands under one heading of the help, and no heading has one that there is not.
func TestVerbGroups(t *testing.T) {
	var listed []string
	for _, g := range verbGroups {
		listed = append(listed, g.names...)
	}
	all := append(verbs(commandLine{&tool.Tool{Out: io.Discard, Err: io.Discard}}.root()), "help")
	slices.Sort(all)
	slices.Sort(listed)
	assert.Equal(t, slices.Compact(all), listed)
}
