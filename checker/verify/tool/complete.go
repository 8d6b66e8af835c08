package tool

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/verify/flags"
)

// Complete offers protocols to the shell, and variants once a protocol is named.
func (t *Tool) Complete(_ *cobra.Command, _ []string, typed string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	protocol, _, variant := strings.Cut(typed, "/")
	for _, p := range t.Suite {
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

// Claims offers the claims of the protocols that are named, or of all.
func (t *Tool) Claims(_ *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, p := range t.Suite {
		if len(args) == 0 || slices.ContainsFunc(args, func(arg string) bool { return strings.Split(arg, "/")[0] == p.Name }) {
			names = append(names, StatementNames(p)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
}

// CompleteTraces offers files that may be traces.
func CompleteTraces(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
}

// CompleteParams offers the defaults of parameters to the shell, with their meanings: of the named protocol, else
// of all that read the flag.
func (t *Tool) CompleteParams(c *cobra.Command, f *flags.Config) {
	if !t.Completes {
		return
	}
	for _, name := range f.Params() {
		err := c.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			protocol := ""
			if len(args) > 0 {
				protocol, _, _ = strings.Cut(args[0], "/")
			}
			var out []cobra.Completion
			for _, d := range f.Defaults(name, protocol) {
				out = append(out, cobra.CompletionWithDesc(d[0], d[1]))
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		})
		if err != nil {
			panic(err) // there is no such flag
		}
	}
}
