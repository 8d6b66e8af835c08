package verify

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker/verify/checking"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/model"
)

// verbGroups are the headings under which the verbs are listed.
var verbGroups = []group{
	{"Check a protocol", []string{"check", "run", "mutants", "mutate", "measure", "table"}},
	{"Look at a run", []string{"show", "replay", "minimize", "explore", "corpus"}},
	{"Check an implementation", []string{"validate", "drive", "live"}},
	{"Look things up, start a protocol", []string{"list", "explain", "new"}},
	elsewhere,
	{"Other", []string{"plant", "selftest", "version", "completion", "help"}},
}

// elsewhere are the verbs that module cluster adds: see [Verbs].
var elsewhere = group{"Use many machines", []string{"campaign", "worker"}}

// flagGroups are the groups in which flags are listed. A verb's other flags come first.
var flagGroups = []group{
	{"What is checked", []string{"claim", "time", "network", "drift", "assume-anyway", "beyond-bounds", "deep", "all", "costs", "from", "step"}},
	{"Faults, at most so many in a run", []string{"f", "loss", "duplication", "restarts", "suspicions", "partitions"}},
	{"Limits, and how to search", []string{"timeout", "max-states", "max-memory", "strategy", "schedules", "seed", "no-minimize", "workers", "reduce", "fingerprints", "checkpoint", "resume", "profile"}},
	{"Output", []string{"rows", "findings", "json", "out", "progress-file", "dot", "html", "svg", "itf", "shiviz", "porcupine", "mermaid", "heights"}},
}

// common are the flags that the help of the tool itself lists.
var common = []string{"claim", "time", "f", "loss", "schedules", "timeout", "max-memory", "all", "costs", "rows", "json", "out"}

// A group of a help is a heading and names.
type group struct {
	title string
	names []string
}

// furtherHelp ends the list of flags in the help of the tool.
const furtherHelp = `%[1]s check --help lists all flags. A protocol also has parameters, such as -n for the number of
nodes: %[1]s check PROTOCOL --help describes them.`

// help prints the help of a command. If a protocol is among the typed arguments, it describes the protocol's
// parameters.
func (t commandLine) help(c *cobra.Command, args []string) {
	width := console.Width(t.Out)
	fmt.Fprintf(t.Out, "%s\n\nUsage:\n  %s\n", console.Prose(strings.TrimSpace(c.Long), width), c.UseLine())
	if !c.HasParent() {
		fmt.Fprintf(t.Out, "  %s VERB --help\n", c.CommandPath())
	}
	if !c.HasParent() {
		t.printVerbs(c)
		t.printFlags("Common flags of check", c.Flags(), common, width)
		fmt.Fprintf(t.Out, "\n%s\n", console.Prose(fmt.Sprintf(furtherHelp, c.CommandPath()), width))
	}
	if c.Example != "" {
		fmt.Fprintf(t.Out, "\nExamples:\n%s\n", strings.Join(t.examples(c), "\n"))
	}
	if !c.HasParent() {
		fmt.Fprintf(t.Out, "\n%s\n", console.Prose(checking.ExitCodes, width))
		return
	}
	t.printSubcommands(c)
	t.printParameters(c, args, width)
	var placed []string
	for _, g := range flagGroups {
		placed = append(placed, g.names...)
	}
	var others []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(placed, f.Name) && !flags.IsParam(f) {
			others = append(others, f.Name)
		}
	})
	t.printFlags("Flags", c.Flags(), others, width)
	for _, g := range flagGroups {
		t.printFlags(g.title, c.Flags(), g.names, width)
	}
}

func (t commandLine) printVerbs(root *cobra.Command) {
	for _, g := range verbGroups {
		title := "\n" + g.title + ":\n" // of a group that the tool has no verb of nothing is printed
		for _, name := range g.names {
			if c, _, err := root.Find([]string{name}); err == nil && c != root {
				fmt.Fprintf(t.Out, "%s  %-10s  %s\n", title, c.Name(), c.Short)
				title = ""
			}
		}
	}
}

// printSubcommands lists the subcommands of a verb, such as the shells of completion.
func (t commandLine) printSubcommands(c *cobra.Command) {
	var rows [][2]string
	for _, below := range c.Commands() {
		rows = append(rows, [2]string{below.Name(), below.Short})
	}
	if len(rows) > 0 {
		fmt.Fprintf(t.Out, "\nOne of:\n")
		console.Columns(t.Out, "  ", rows, console.Width(t.Out))
	}
}

// printFlags prints the named flags that exist.
func (t commandLine) printFlags(title string, all *pflag.FlagSet, names []string, width int) {
	set := pflag.NewFlagSet(title, pflag.ContinueOnError)
	set.SortFlags = false
	for _, name := range names {
		if f := all.Lookup(name); f != nil {
			set.AddFlag(f)
		}
	}
	if set.HasFlags() {
		fmt.Fprintf(t.Out, "\n%s:\n%s", title, set.FlagUsagesWrapped(width))
	}
}

// printParameters describes the parameters of the named protocol, or lists the parameters of all.
func (t commandLine) printParameters(c *cobra.Command, args []string, width int) {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if flags.IsParam(f) {
			names = append(names, (model.Declaration{Name: f.Name}).Flag())
		}
	})
	if len(names) == 0 {
		return
	}
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "/")
		if p, err := t.Protocol(name); err == nil {
			t.parametersOf(p, width)
			return
		}
	}
	fmt.Fprintf(t.Out, "\nParameters of protocols (%s PROTOCOL --help describes them):\n", c.CommandPath())
	t.indented("  ", names, width)
}

func (t commandLine) parametersOf(p *model.Protocol, width int) {
	fmt.Fprintf(t.Out, "\nParameters of %s:\n", p.Name)
	var rows [][2]string
	for _, param := range p.Params {
		d := param.Declared()
		meaning := d.Meaning
		if d.Unit != "" {
			meaning += ", in " + d.Unit
		}
		rows = append(rows, [2]string{d.Flag(), meaning + ", " + d.Bounds()})
	}
	console.Columns(t.Out, "  ", rows, width)
}

// indented prints words in lines.
func (t commandLine) indented(by string, words []string, width int) {
	for _, line := range console.Wrapped(words, width-utf8.RuneCountInString(by)) {
		fmt.Fprintf(t.Out, "%s%s\n", by, line)
	}
}
