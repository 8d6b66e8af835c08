// Package about has the verbs that check nothing: they tell of the suite and of the tool, and begin a package.
package about

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/model"
)

// List is the verb list.
func List(t *tool.Tool) *cobra.Command {
	var asJSON, decides bool
	c := t.Verb(cobra.Command{
		Use:   "list [PROTOCOL...]",
		Short: "protocols, variants, mutants, claims, strategies",
		Long: "List tells what can be checked: the protocols with their claims, options and mutants, and the strategies; and with\n" +
			"--decides what a search can decide: which verdicts, for each kind of claim and reading of time, and why.",
		Example:           "  verify list\n  verify list backoff --json\n  verify list --decides",
		ValidArgsFunction: t.Complete,
	}, func(args []string) (int, error) {
		if decides {
			if len(args) > 0 {
				return 0, fmt.Errorf("--decides: the table is the same for every protocol; name none")
			}
			return console.ExitHolds, printDecides(t.Out, asJSON)
		}
		protocols := t.Suite
		if len(args) > 0 {
			protocols = nil
		}
		for _, name := range args {
			p, err := t.Protocol(name)
			if err != nil {
				return 0, err
			}
			protocols = append(protocols, p)
		}
		return console.ExitHolds, printList(t, protocols, asJSON)
	})
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line, one for each protocol, or each cell of the table")
	c.Flags().BoolVar(&decides, "decides", false, "print the table of what is decided, and how, in place of protocols")
	return c
}

// entry is a protocol as list --json prints it.
type entry struct {
	Schema     int            `json:"schema"`
	Protocol   string         `json:"protocol"`
	Title      string         `json:"title"`
	Source     string         `json:"source"`
	Flags      []string       `json:"flags"`
	Parameters []paramEntry   `json:"parameters"`
	Checks     int            `json:"checks"`
	Deep       int            `json:"deep"` // checks of minutes
	Claims     []claimEntry   `json:"claims"`
	Properties []claimEntry   `json:"properties,omitempty"` // not claimed, decided where they are named
	Costs      []costEntry    `json:"costs"`
	Variants   []variantEntry `json:"variants"`
	Strategies []string       `json:"strategies"`
}

type paramEntry struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
	Unit    string `json:"unit"` // "ticks", or "" of what is counted
	Least   int64  `json:"least"`
	Most    int64  `json:"most"`
	Default *int64 `json:"default,omitempty"` // none: the protocol works it out
}

type claimEntry struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Against string   `json:"against,omitempty"` // the adversary of an almost-sure claim
	Source  string   `json:"source"`
	Proof   string   `json:"proof"`
	Assumes []string `json:"assumes"`
}

type costEntry struct {
	Name    string `json:"name"`
	Unit    string `json:"unit"` // what is counted
	Meaning string `json:"meaning"`
}

type variantEntry struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Breaks string `json:"breaks"` // the claim a mutant breaks; "" for an option
}

func newEntry(p *model.Protocol) entry {
	e := entry{
		Schema: 1, Protocol: p.Name, Title: p.Title, Source: p.Source, Flags: p.Reads(),
		Checks: len(p.Checks), Deep: len(p.Deep), Parameters: []paramEntry{}, Claims: []claimEntry{}, Costs: []costEntry{}, Variants: []variantEntry{},
	}
	for _, param := range p.Params {
		d := param.Declared()
		entry := paramEntry{Name: d.Name, Meaning: d.Meaning, Unit: d.Unit, Least: d.Least, Most: d.Most}
		if d.HasDefault() {
			entry.Default = &d.Default
		}
		e.Parameters = append(e.Parameters, entry)
	}
	e.Claims, e.Properties = append(e.Claims, claimEntries(p.Claims)...), claimEntries(p.Properties)
	for _, c := range p.Costs {
		e.Costs = append(e.Costs, costEntry{c.Name, c.Unit, c.Meaning})
	}
	for _, v := range p.Variants {
		e.Variants = append(e.Variants, variantEntry{v.Name, v.Title, v.Breaks})
	}
	for _, s := range flags.Strategies {
		e.Strategies = append(e.Strategies, s[0])
	}
	return e
}

func claimEntries(claims []model.Claim) (entries []claimEntry) {
	for _, c := range claims {
		assumes := []string{}
		for _, a := range c.Assumes {
			assumes = append(assumes, string(a))
		}
		against := ""
		if c.Kind == model.AlmostSurely {
			against = c.Against.String()
		}
		entries = append(entries, claimEntry{c.Name, c.Kind.String(), against, c.Source, c.Proof, assumes})
	}
	return entries
}

func printList(t *tool.Tool, protocols []*model.Protocol, asJSON bool) error {
	w := tabwriter.NewWriter(t.Out, 0, 8, 2, ' ', tabwriter.StripEscape)
	for _, p := range protocols {
		e := newEntry(p)
		if asJSON {
			if err := console.PrintJSON(t.Out, e); err != nil {
				return err
			}
			continue
		}
		e.print(w)
	}
	if asJSON {
		return nil
	}
	fmt.Fprintln(w, "strategies")
	for _, s := range flags.Strategies {
		fmt.Fprintf(w, "    %s\t%s\n", s[0], s[1])
	}
	return w.Flush()
}

func (e entry) print(w *tabwriter.Writer) {
	fmt.Fprintf(w, "%s: %s (%s)\n", e.Protocol, e.Title, e.Source)
	fmt.Fprintf(w, "  reads %s; lists %s", strings.Join(e.Flags, ", "), console.Counted(e.Checks, "check", "checks"))
	if e.Deep > 0 {
		fmt.Fprintf(w, " and %s", console.Counted(e.Deep, "deep check", "deep checks"))
	}
	fmt.Fprintln(w)
	e.printParameters(w)
	fmt.Fprintln(w, "  claims")
	printClaims(w, e.Claims)
	if len(e.Properties) > 0 {
		fmt.Fprintln(w, "  properties that it does not claim, decided by --claim")
		printClaims(w, e.Properties)
	}
	if len(e.Costs) > 0 {
		fmt.Fprintln(w, "  costs, by check --costs")
	}
	for _, c := range e.Costs {
		fmt.Fprintf(w, "    %s\t%s\n", c.Name, c.Meaning)
	}
	e.printVariants(w, "options", false)
	e.printVariants(w, "mutants", true)
	fmt.Fprintln(w)
}

func printClaims(w *tabwriter.Writer, claims []claimEntry) {
	for _, c := range claims {
		assumes, source := "", ""
		if c.Against != "" {
			assumes = ", adversary " + c.Against
		}
		if len(c.Assumes) > 0 {
			assumes += "; assumes " + strings.Join(c.Assumes, ", ")
		}
		if c.Source != "" {
			source = " (" + c.Source + ")"
		}
		fmt.Fprintf(w, "    %s\t%s%s%s\n", c.Name, c.Kind, assumes, source)
	}
}

func (e entry) printParameters(w *tabwriter.Writer) {
	if len(e.Parameters) > 0 {
		fmt.Fprintln(w, "  parameters")
	}
	for _, p := range e.Parameters {
		d := model.Declaration{Name: p.Name, Least: p.Least, Most: p.Most, Default: -1}
		if p.Default != nil {
			d.Default = *p.Default
		}
		unit := ""
		if p.Unit != "" {
			unit = ", in " + p.Unit
		}
		fmt.Fprintf(w, "    %s\t%s%s, %s\n", p.Name, p.Meaning, unit, d.Bounds())
	}
}

func (e entry) printVariants(w *tabwriter.Writer, heading string, mutants bool) {
	for _, v := range e.Variants {
		if (v.Breaks != "") != mutants {
			continue
		}
		if heading != "" {
			fmt.Fprintf(w, "  %s\n", heading)
			heading = ""
		}
		breaks := ""
		if mutants {
			breaks = "; breaks " + v.Breaks
		}
		fmt.Fprintf(w, "    %s\t%s%s\n", v.Name, v.Title, breaks)
	}
}
