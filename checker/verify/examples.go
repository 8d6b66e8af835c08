package verify

import (
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/verdict"
)

// examples returns the example lines of a command that this tool can run, as it was started. Of the lines with
// protocols that it lacks, one names its first protocol instead.
func (t commandLine) examples(c *cobra.Command) []string {
	var lines []string
	instead := len(t.Suite) > 0
	for line := range strings.SplitSeq(c.Example, "\n") {
		words, tool := strings.CutPrefix(line, "  verify")
		switch {
		case !tool: // a command of another program
			lines = append(lines, line)
		case !strings.Contains(c.Use, "PROTOCOL") || t.hasAll(words, c):
			lines = append(lines, "  "+verdict.Tool+words)
		case instead:
			instead = false
			lines = append(lines, "  "+c.CommandPath()+" "+t.Suite[0].Name)
		}
	}
	return lines
}

// hasAll reports whether the suite has the protocols that are named before the flags of an example.
func (t commandLine) hasAll(words string, c *cobra.Command) bool {
	for _, word := range strings.Fields(words) {
		if strings.HasPrefix(word, "-") {
			return true
		}
		name, _, _ := strings.Cut(word, "/")
		if _, err := t.Protocol(name); err != nil && word != c.Name() && !strings.Contains(word, ".") {
			verb, _, err := c.Root().Find([]string{word})
			if err != nil || verb == c.Root() {
				return false
			}
		}
	}
	return true
}
