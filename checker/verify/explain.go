package verify

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/verify/flags"
	"contend/checker/verify/glossary"
	"contend/checker/verify/report"
)

func (t *tool) explainCommand() *cobra.Command {
	return t.verb(cobra.Command{
		Use:     "explain [WORD]",
		Short:   "what a word in a table or a text means",
		Long:    "Explain says what a word means that the tool prints: a verdict, a limit, a column, a bound. Without a word it\nlists them.",
		Example: "  verify explain inconclusive\n  verify explain 'strict bound'",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return glossary.Words(), cobra.ShellCompDirectiveNoFileComp
		},
	}, func(args []string) (int, error) {
		if len(args) == 0 {
			for _, c := range glossary.Chapters {
				var words []string
				for _, e := range c.Entries {
					words = append(words, e.Word+",")
				}
				words[len(words)-1] = strings.TrimSuffix(words[len(words)-1], ",")
				fmt.Fprintf(t.out, "%s\n  %s\n", c.Title, strings.Join(report.Wrapped(words, 76), "\n  "))
			}
			return report.ExitHolds, nil
		}
		word := strings.Join(args, " ")
		e, ok := glossary.Find(word)
		if !ok {
			return 0, fmt.Errorf("there is no %q in the glossary%s; verify explain lists its words", word, flags.DidYouMean(word, glossary.Words()))
		}
		fmt.Fprintf(t.out, "%s\n  %s\n", e.Word, strings.Join(report.Wrapped(strings.Fields(e.Meaning), 76), "\n  "))
		if len(e.See) > 0 {
			fmt.Fprintf(t.out, "  See also: %s\n", strings.Join(e.See, ", "))
		}
		return report.ExitHolds, nil
	})
}
