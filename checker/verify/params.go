package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker/verify/flags"
	"contend/model"
)

// valid says what is wrong with the suite, or nil. A parameter is a flag, and cannot have
// the name of one that is there without it.
func (t *tool) valid() error {
	if err := model.ValidateSuite(t.suite); err != nil {
		return err
	}
	for _, row := range t.tables {
		if err := row.Validate(); err != nil {
			return err
		}
	}
	taken := map[string]bool{"help": true, "h": true}
	bare := (&tool{out: t.out, err: t.err}).root()
	for _, c := range bare.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) { taken[f.Name], taken[f.Shorthand] = true, true })
	}
	for _, p := range t.suite {
		if slices.Contains(verbs(bare), p.Name) {
			return fmt.Errorf("protocol %s has the name of a verb, and needs one of its own", p.Name)
		}
		for _, param := range p.Params {
			if name := param.Declared().Name; taken[name] {
				return fmt.Errorf("protocol %s: parameter %s has the name of another flag, and needs one of its own", p.Name, name)
			}
		}
	}
	return nil
}

// completeParams offers the defaults of parameters to the shell, with what they mean: of
// the protocol that is named, else of all that read the flag.
func completeParams(c *cobra.Command, f *flags.Config) {
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
