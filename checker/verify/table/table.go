// Package table has the verb table, which computes printed tables of protocols.
package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/lab/tables"
	"contend/model/printed"
)

// tableFlags are the flags of table.
type tableFlags struct {
	limits   flags.Limits
	output   flags.Output
	more     bool
	markdown bool
}

// Command is the verb table.
func Command(t *tool.Tool) *cobra.Command {
	var f tableFlags
	c := t.Verb(cobra.Command{
		Use:   "table [ROW|TABLE...]",
		Short: "compute the tables that texts print about protocols",
		Long: `Table computes what a text prints about protocols, and says of each cell whether the text agrees. It
computes all rows, or those that are named, by their own name or by the name of their table.

A number is the least and the most of a cost over all runs, at several sizes, with the formula that fits
them. A property is a verdict on claims. A problem is a run that shows it. If a cell differs, the run that
shows the difference is written, and the known reason is printed. Rows that have only properties, under
several conditions, are printed as matrices: yes, or no with the number of steps of the run that shows it.

--more also computes numbers and properties at larger sizes, which takes minutes. --markdown prints the
page of the documentation.

Exit codes:
  0   each cell agrees, or differs as recorded
  1   a cell differs but no difference is recorded, or agrees but one is recorded, or a problem does not show
  2   bad usage or bad input
  3   a limit was hit, or a cut bounds a cell
  70  an internal error`,
		Example: `  verify table
  verify table ricartagrawala --more --timeout 5m
  verify table elections
  verify table --json
  verify table --markdown > docs/tables.md`,
		ValidArgsFunction: completeRows(t),
	}, func(args []string) (int, error) { return compute(t, args, &f) })
	c.Flags().SortFlags = false
	f.limits.Bind(c.Flags())
	f.output.Bind(c.Flags())
	c.Flags().BoolVar(&f.more, "more", false, "also compute larger sizes, which take longer")
	c.Flags().BoolVar(&f.markdown, "markdown", false, "print the table as a Markdown page; no traces are written")
	return c
}

// errInterrupted stops a table between two cells.
var errInterrupted = errors.New("interrupted")

// table computes rows.
func compute(t *tool.Tool, args []string, f *tableFlags) (int, error) {
	rows, err := rows(t, args)
	if err != nil {
		return 0, err
	}
	opt, err := f.options()
	if err != nil {
		return 0, err
	}
	if f.markdown {
		f.output.Dir = ""
	} else if err := flags.AllWritable(&f.output); err != nil {
		return 0, err
	}
	opt.Interrupt, opt.Progress, opt.Stuck = t.Interrupt, t.Status.Update, t.Status.Stuck
	p := newPrinter(t, f.output, f.markdown)
	for _, row := range rows {
		err := tables.Entries(row, opt, func(e *tables.Entry) error {
			if err := p.Add(e); err != nil {
				return err
			}
			if t.Interrupted() {
				return errInterrupted
			}
			return nil
		})
		if errors.Is(err, errInterrupted) {
			t.Status.Clear()
			console.Say(t.Err, "interrupted; the rest of the table was not computed")
			return max(p.Code(), console.ExitLimit), p.Close()
		}
		if err != nil {
			return 0, err
		}
	}
	return p.Code(), p.Close()
}

func (f *tableFlags) options() (tables.Options, error) {
	opt, err := f.limits.Options()
	switch {
	case err != nil:
	case f.markdown && f.output.JSON:
		err = fmt.Errorf("--markdown and --json are both set, but only one can be printed")
	case opt.Checkpoints != "":
		err = fmt.Errorf("--checkpoint and --resume have no effect: the searches for a table keep no checkpoints")
	case opt.Profile:
		err = fmt.Errorf("--profile has no effect: the searches for a table make no profile")
	}
	return tables.Options{Options: opt, More: f.more}, err
}

// rows finds rows by their name or that of their table; no names are all.
func rows(t *tool.Tool, names []string) ([]*printed.Comparison, error) {
	all := t.Rows()
	if len(all) == 0 {
		return nil, errors.New("this program has no tables")
	}
	for _, row := range all {
		if err := row.Validate(); err != nil {
			return nil, err
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	var rows []*printed.Comparison
	for _, name := range names {
		found := slices.DeleteFunc(slices.Clone(all), func(c *printed.Comparison) bool {
			return c.Name != name && tableOf(c) != name
		})
		if len(found) == 0 {
			return nil, fmt.Errorf("there is no row %q%s; the rows are %s", name, flags.DidYouMean(name, rowNames(all)), strings.Join(rowNames(all), ", "))
		}
		rows = append(rows, found...)
	}
	return rows, nil
}

// tableOf is the name of the table that a row belongs to, or "".
func tableOf(c *printed.Comparison) string {
	if c.Table == nil {
		return ""
	}
	return c.Table.Name
}

// rowNames returns the names of tables, each before its rows.
func rowNames(rows []*printed.Comparison) []string {
	var names []string
	for _, c := range rows {
		if table := tableOf(c); table != "" && !slices.Contains(names, table) {
			names = append(names, table)
		}
		names = append(names, c.Name)
	}
	return names
}

// completeRows offers rows to the shell.
func completeRows(t *tool.Tool) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
		named := map[string]bool{}
		for _, c := range t.Rows() {
			if table := tableOf(c); table != "" && !named[table] {
				named[table] = true
				names = append(names, cobra.CompletionWithDesc(table, "all rows of the table"))
			}
			names = append(names, cobra.CompletionWithDesc(c.Name, c.Title))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
