package verify

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker/verdict"
	"contend/checker/verify/about"
	"contend/checker/verify/checking"
	"contend/checker/verify/driving"
	"contend/checker/verify/editing"
	"contend/checker/verify/flags"
	"contend/checker/verify/living"
	"contend/checker/verify/measuring"
	"contend/checker/verify/minimizing"
	"contend/checker/verify/mutants"
	"contend/checker/verify/table"
	"contend/checker/verify/validating"
	"contend/checker/verify/viewing"
)

// root is the command without a verb: it checks.
func (t commandLine) root() *cobra.Command {
	root := checking.Check(t.Tool)
	root.PreRunE = func(_ *cobra.Command, args []string) error { return t.verbOrProtocol(root, args) }
	root.Use = "verify [PROTOCOL[/VARIANT]...]"
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: verdict.Tool}
	root.Short = "check claims of distributed protocols"
	root.Long = "Verify checks the claims of distributed protocols.\n\nWithout a verb it works as the verb check does; without any argument it checks every protocol of the suite."
	root.Example = "  verify\n  verify backoff -n 2 --tries 3\n  verify list"
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(t.Out)
	root.SetErr(t.Err)
	root.SetFlagErrorFunc(flagError)
	for _, c := range []*cobra.Command{checking.Check(t.Tool), about.List(t.Tool), checking.Run(t.Tool), mutants.Verb(t.Tool), editing.Mutate(t.Tool), viewing.Replay(t.Tool), minimizing.Verb(t.Tool),
		viewing.Show(t.Tool), measuring.Measure(t.Tool), table.Command(t.Tool), about.Selftest(t.Tool), about.New(t.Tool), editing.Plant(t.Tool), about.Version(t.Tool), about.Explain(t.Tool), viewing.Explore(t.Tool), viewing.Corpus(t.Tool), validating.Verb(t.Tool), driving.Verb(t.Tool), living.Verb(t.Tool), living.Node(t.Tool)} {
		root.AddCommand(t.completed(c))
	}
	for _, more := range t.Verbs {
		for _, c := range more(t.Tool) {
			root.AddCommand(t.completed(c))
		}
	}
	t.completed(root)
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Short = "print a completion script for a shell"
	}
	root.SetHelpCommand(helpCommand(root))
	root.SetHelpFunc(t.help)
	root.Version = about.Built()
	root.SetVersionTemplate("{{.Version}}\n")
	return root
}

// verbOrProtocol refuses a first argument that is neither.
func (t commandLine) verbOrProtocol(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name, _, _ := strings.Cut(args[0], "/")
	if _, err := t.Protocol(name); err != nil {
		if slices.Contains(elsewhere.names, name) {
			return fmt.Errorf("this binary works on one machine: %s is a verb of cluster/cmd/verify (docs/scale.md)", name)
		}
		return fmt.Errorf("there is no verb or protocol %q%s", name, flags.DidYouMean(name, append(verbs(root), t.ProtocolNames()...)))
	}
	return nil
}

func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [VERB]", Short: "describe a verb",
		RunE: func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("%q is not a verb%s", strings.Join(args, " "), flags.DidYouMean(strings.Join(args, " "), verbs(root)))
			}
			return found.Help()
		},
	}
}

func verbs(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.Hidden {
			continue
		}
		names = append(names, c.Name())
	}
	return names
}

// flagError returns a sentence on what is wrong with a flag.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("there is no flag -%s; %s --help lists all flags", name, c.CommandPath())
		}
		if name == "variant" || name == "mutant" || name == "option" {
			return fmt.Errorf("there is no flag --%s; write a variant behind its protocol: PROTOCOL/VARIANT", name)
		}
		return fmt.Errorf("there is no flag --%s%s %s --help lists all flags", name, cmp.Or(flags.DidYouMean("--"+name, flagNames(c)), ";"), c.CommandPath())
	case errors.As(err, &missing):
		return fmt.Errorf("--%s needs a value", missing.GetFlag().Name)
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s is %q, but must be %s", invalid.GetFlag().Name, invalid.GetValue(), kindOf(invalid.GetFlag().Value.Type()))
	}
	return err
}

// kindOf describes the values of a type of flag.
func kindOf(kind string) string {
	switch kind {
	case "int64":
		return "a whole number"
	case "uint64":
		return "a whole number, 0 or more, of at most 64 bits"
	case "duration":
		return "a duration such as 30s or 5m"
	case "bool":
		return "true or false"
	case "intSlice":
		return "a list of whole numbers such as 1,2,4"
	case "memory":
		return "an amount of memory such as 512MiB or 4GiB"
	}
	return "a " + kind
}

func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}
