package verify

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker"
	"contend/checker/verify/flags"
	"contend/checker/verify/report"
	"contend/model"
)

// complete offers protocols to the shell, and variants once a protocol is named.
func (t *tool) complete(_ *cobra.Command, _ []string, typed string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	protocol, _, variant := strings.Cut(typed, "/")
	for _, p := range t.suite {
		if !variant {
			names = append(names, cobra.CompletionWithDesc(p.Name, p.Title))
		} else if p.Name == protocol {
			for _, v := range p.Variants {
				names = append(names, cobra.CompletionWithDesc(p.Name+"/"+v.Name, v.Title))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// claims offers the claims of the protocols that are named, or of all.
func (t *tool) claims(_ *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, p := range t.suite {
		if len(args) == 0 || slices.ContainsFunc(args, func(arg string) bool { return strings.Split(arg, "/")[0] == p.Name }) {
			names = append(names, report.StatementNames(p)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
}

// completeTraces offers files that may be traces.
func completeTraces(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
}

// completed makes the shell offer values for those flags of a command that have a few, or that name a file
// or a directory.
func (t *tool) completed(c *cobra.Command) *cobra.Command {
	values := map[string][]string{
		"time": {model.Untimed.String(), model.Grid.String(), model.Dense.String()}, "fingerprints": {"64", "128"},
		"reduce": append([]string{"none"}, checker.Reductions...), "delays": {"uniform", "slowest", "fastest"},
		"faulty": {"none", "silent", "random", "worst"},
	}
	for _, s := range flags.Strategies {
		values["strategy"] = append(values["strategy"], s[0])
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
			offer = t.claims
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

// unquoted takes out of the texts of flags the marks around the names of their values: a shell that
// completes prints the texts as they are.
func unquoted(root *cobra.Command) {
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	}
}
