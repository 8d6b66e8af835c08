package verify

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"contend/checker/verify/tool"
	"contend/impl"
)

// Each verb stands under one heading of the help, and no heading has one that there is not, here or in module cluster.
func TestVerbGroups(t *testing.T) {
	var listed []string
	for _, g := range verbGroups {
		listed = append(listed, g.names...)
	}
	all := append(verbs(commandLine{&tool.Tool{Out: io.Discard, Err: io.Discard}}.root()), "help", "campaign", "worker")
	slices.Sort(all)
	slices.Sort(listed)
	assert.Equal(t, slices.Compact(all), listed)
}

// The help of every verb, and the list of every protocol, fit the width of the terminal.
func TestHelpFits(t *testing.T) {
	var commands [][]string
	for _, g := range verbGroups {
		for _, verb := range g.names {
			commands = append(commands, []string{verb, "--help"})
		}
	}
	commands = append(commands, []string{"--help"}, []string{"list"}, []string{"explain"}, []string{"check", "backoff", "--help"})
	for _, width := range []int{80, 100} {
		t.Setenv("COLUMNS", fmt.Sprint(width))
		for _, args := range commands {
			var out strings.Builder
			assert.Zero(t, Run(impl.Suite, args, &out, io.Discard), args)
			assert.NotEmpty(t, out.String(), args)
			for line := range strings.Lines(out.String()) {
				assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), width, "%v: %s", args, line)
			}
		}
	}
}
