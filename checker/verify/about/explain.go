package about

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/glossary"
	"contend/checker/verify/tool"
)

// Explain is the verb explain.
func Explain(t *tool.Tool) *cobra.Command {
	return t.Verb(cobra.Command{
		Use:     "explain [WORD]",
		Short:   "explain a word that the tool prints",
		Long:    "Explain says what a word means that the tool prints: a verdict, a limit, a column, a bound. Without a word it\nlists all words.",
		Example: "  verify explain inconclusive\n  verify explain 'strict bound'",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return glossary.Words(), cobra.ShellCompDirectiveNoFileComp
		},
	}, func(args []string) (int, error) {
		width := console.Width(t.Out)
		if len(args) == 0 {
			for _, c := range glossary.Chapters {
				var words []string
				for _, e := range c.Entries {
					words = append(words, e.Word+",")
				}
				words[len(words)-1] = strings.TrimSuffix(words[len(words)-1], ",")
				fmt.Fprintf(t.Out, "%s\n  %s\n", c.Title, strings.Join(console.Wrapped(words, width-2), "\n  "))
			}
			return console.ExitHolds, nil
		}
		word := strings.Join(args, " ")
		e, ok := glossary.Find(word)
		if !ok {
			return 0, fmt.Errorf("%q is not in the glossary%s %s explain lists all words", word, cmp.Or(flags.DidYouMean(word, glossary.Words()), ";"), verdict.Tool)
		}
		fmt.Fprintf(t.Out, "%s\n  %s\n", e.Word, strings.Join(console.Wrapped(strings.Fields(e.Meaning), width-2), "\n  "))
		if len(e.See) > 0 {
			fmt.Fprintf(t.Out, "  See also: %s\n", strings.Join(e.See, ", "))
		}
		return console.ExitHolds, nil
	})
}
