package about

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"contend/checker/search/decide"
	"contend/checker/verify/console"
)

// decidesCell is a cell of the table of decided claims, as printed by list --decides --json.
type decidesCell struct {
	Schema   int    `json:"schema"`
	Kind     string `json:"kind"`
	Reading  string `json:"reading"`
	Strict   bool   `json:"strict"` // some bound is strict
	Cut      bool   `json:"cut"`    // a cut keeps some step from being taken
	Fault    string `json:"fault"`
	Channel  string `json:"channel"`
	How      string `json:"how"`
	Holds    string `json:"holds"`
	Violated string `json:"violated"`
	Limit    string `json:"limit"`
	Why      string `json:"why"`
}

// printDecides prints the table: as JSON each of its cells, as text its rules.
func printDecides(out io.Writer, asJSON bool) error {
	if asJSON {
		for _, c := range decide.Cases() {
			e := decide.Of(c)
			if err := console.PrintJSON(out, decidesCell{1, c.Kind.String(), c.Reading.String(), c.Strict, c.Cut, c.Fault.String(), c.Channel.String(),
				e.How(), e.Holds.String(), e.Violated.String(), e.Limit, e.Text()}); err != nil {
				return err
			}
		}
		return nil
	}
	for i, p := range decide.Parts {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, p.Title)
		w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
		for _, r := range p.Rules {
			if len(r.Why) > 0 {
				printRule(w, r, i == 0, console.Width(out))
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// printRule prints a line of the table and the sentence that it rests on.
func printRule(w io.Writer, r decide.Rule, first bool, width int) {
	of := []string{orAll(r.Kinds, "every claim"), orAll(r.Readings, "every reading")}
	if first {
		if b := r.Bounds.String(); b != "" {
			of = append(of, b+" bounds")
		}
		fmt.Fprintf(w, "  %s\t%s\n", strings.Join(of, "; "), r.How())
	} else {
		fmt.Fprintf(w, "  %s\n", strings.Join(append(of, append(names(r.Faults), names(r.Channels)...)...), "; "))
	}
	console.Paragraph(w, "    ", strings.Fields(strings.Join(r.Why, " ")), width)
}

func orAll[T fmt.Stringer](items []T, all string) string {
	if len(items) == 0 {
		return all
	}
	return strings.Join(names(items), ", ")
}

func names[T fmt.Stringer](items []T) []string {
	var out []string
	for _, x := range items {
		out = append(out, x.String())
	}
	return out
}
