// Package about has the verbs that check nothing: they describe the suite and the tool, or create a package.
package about

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/sample/adversary"
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
		Short: "list protocols with their claims, options and mutants",
		Long: `List prints what can be checked: each protocol with its parameters, claims, costs, options and mutants,
and the strategies and adversaries that sample. --decides prints instead which verdicts a search can reach for each kind of claim and
reading of time, and why.`,
		Example:           "  verify list\n  verify list backoff --json\n  verify list --decides",
		ValidArgsFunction: t.Complete,
	}, func(args []string) (int, error) {
		if decides {
			if len(args) > 0 {
				return 0, fmt.Errorf("--decides is set, but its table is the same for every protocol, so none can be named")
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
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line, for each protocol or each cell of the table")
	c.Flags().BoolVar(&decides, "decides", false, "print what a search can decide, instead of protocols")
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
	// Adversaries are the adversaries of sampled schedules.
	Adversaries []string `json:"adversaries"`
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
	for _, k := range adversary.Kinds() {
		e.Adversaries = append(e.Adversaries, k.Name)
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
	for _, p := range protocols {
		e := newEntry(p)
		if asJSON {
			if err := console.PrintJSON(t.Out, e); err != nil {
				return err
			}
			continue
		}
		page{t.Out, console.Width(t.Out)}.protocol(e)
	}
	if !asJSON {
		p := page{t.Out, console.Width(t.Out)}
		p.section("", "strategies, chosen with --strategy", flags.Strategies)
		fmt.Fprintln(t.Out)
		p.section("", "adversaries of sampled schedules, chosen with --adversary", adversaryRows())
	}
	return nil
}

// A page prints the list for people.
type page struct {
	w     io.Writer
	width int
}

// section prints rows of names and meanings under a heading, if there are any.
func (p page) section(indent, heading string, rows [][2]string) {
	if len(rows) > 0 {
		fmt.Fprintf(p.w, "%s%s\n", indent, heading)
		console.Columns(p.w, indent+"  ", rows, p.width)
	}
}

func (p page) protocol(e entry) {
	console.Paragraph(p.w, "", strings.Fields(fmt.Sprintf("%s: %s (%s)", e.Protocol, e.Title, e.Source)), p.width)
	checks := console.Counted(e.Checks, "check", "checks")
	if e.Deep > 0 {
		checks += " and " + console.Counted(e.Deep, "deep check", "deep checks")
	}
	console.Paragraph(p.w, "  ", strings.Fields(fmt.Sprintf("reads %s; lists %s", strings.Join(e.Flags, ", "), checks)), p.width)
	p.section("  ", "parameters", parameterRows(e.Parameters))
	p.section("  ", "claims", claimRows(e.Claims))
	p.section("  ", "properties that it does not claim, decided with --claim", claimRows(e.Properties))
	var costs [][2]string
	for _, c := range e.Costs {
		costs = append(costs, [2]string{c.Name, c.Meaning})
	}
	p.section("  ", "costs, computed with --costs", costs)
	p.section("  ", "options", variantRows(e.Variants, false))
	p.section("  ", "mutants", variantRows(e.Variants, true))
	fmt.Fprintln(p.w)
}

func claimRows(claims []claimEntry) (rows [][2]string) {
	for _, c := range claims {
		text := c.Kind
		if c.Against != "" {
			text += ", adversary " + c.Against
		}
		if len(c.Assumes) > 0 {
			text += "; assumes " + strings.Join(c.Assumes, ", ")
		}
		if c.Source != "" {
			text += " (" + c.Source + ")"
		}
		rows = append(rows, [2]string{c.Name, text})
	}
	return rows
}

func adversaryRows() (rows [][2]string) {
	for _, k := range adversary.Kinds() {
		rows = append(rows, [2]string{k.Name, k.Does})
	}
	return rows
}

func parameterRows(params []paramEntry) (rows [][2]string) {
	for _, p := range params {
		d := model.Declaration{Name: p.Name, Least: p.Least, Most: p.Most, Default: -1}
		if p.Default != nil {
			d.Default = *p.Default
		}
		text := p.Meaning
		if p.Unit != "" {
			text += ", in " + p.Unit
		}
		rows = append(rows, [2]string{p.Name, text + ", " + d.Bounds()})
	}
	return rows
}

func variantRows(variants []variantEntry, mutants bool) (rows [][2]string) {
	for _, v := range variants {
		if (v.Breaks != "") != mutants {
			continue
		}
		text := v.Title
		if mutants {
			text += "; breaks " + v.Breaks
		}
		rows = append(rows, [2]string{v.Name, text})
	}
	return rows
}
