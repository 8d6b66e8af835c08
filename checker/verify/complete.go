package verify

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker/exhaustive"
	"contend/checker/sample/adversary"
	"contend/checker/verify/checking"
	"contend/checker/verify/flags"
	"contend/model"
)

// completed makes the shell offer values for flags with few values, and for flags that name a file or a directory.
func (t commandLine) completed(c *cobra.Command) *cobra.Command {
	if !t.Completes { // cobra keeps what is registered, with its commands, for as long as the process runs
		return c
	}
	values := map[string][]string{
		"time": {model.Untimed.String(), model.Grid.String(), model.Dense.String()}, "fingerprints": {"64", "128"},
		"reduce": append([]string{"none"}, exhaustive.Reductions...), "delays": {"uniform", "slowest", "fastest"},
		"faulty": {"none", "silent", "random", "worst"}, "show": checking.GoodRuns(),
	}
	for _, s := range flags.Strategies {
		values["strategy"] = append(values["strategy"], s[0])
	}
	for _, k := range adversary.Kinds() {
		values["adversary"] = append(values["adversary"], k.Name)
	}
	for _, m := range model.NetworkModels {
		values["network"] = append(values["network"], string(m))
	}
	directories := []string{"out", "checkpoint", "resume", "svg"}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		var offer cobra.CompletionFunc = cobra.NoFileCompletions
		if _, has := c.GetFlagCompletionFunc(f.Name); has {
			return // that of a parameter
		}
		switch {
		case f.Name == "claim":
			offer = t.Claims
		case values[f.Name] != nil:
			offer = cobra.FixedCompletions(values[f.Name], cobra.ShellCompDirectiveNoFileComp)
		case slices.Contains(directories, f.Name):
			offer = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return nil, cobra.ShellCompDirectiveFilterDirs
			}
		case f.Name == "html":
			return // any file
		}
		if err := c.RegisterFlagCompletionFunc(f.Name, offer); err != nil {
			panic(err) // two functions for one flag
		}
	})
	return c
}

// unquoted removes the quotes around the names of values from flags' texts: a completing shell prints the texts as
// they are.
func unquoted(root *cobra.Command) {
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	}
}
