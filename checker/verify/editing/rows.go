package editing

import (
	"fmt"
	"slices"

	"contend/checker/mutate"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
)

// printChoices prints what each row catches, the rows that may go, and the rows to choose.
func printChoices(t *tool.Tool, r *mutate.Report) {
	if len(r.Choices) == 0 {
		return
	}
	listed, proposed := split(r.Choices)
	fmt.Fprint(t.Out, "\nRows: the edits that each row catches, alone if no other row does; states and seconds without an edit.\n")
	fmt.Fprintf(t.Out, "  %6s %6s %9s %8s  row\n", "caught", "alone", "states", "seconds")
	for _, c := range listed {
		printChoice(t, c)
	}
	if spare := only(listed, func(c *mutate.Choice) bool { return c.Spare }); len(spare) > 0 {
		fmt.Fprintf(t.Out, "\n%s can go together: the other rows catch all that they catch.\n", console.Counted(len(spare), "row", "rows"))
		for _, c := range spare {
			fmt.Fprintf(t.Out, "  %s\n", runnable(t, c.Row))
		}
	}
	if len(proposed) > 0 {
		fmt.Fprint(t.Out, "\nProposed rows, with the edits that no listed row catches:\n")
		fmt.Fprintf(t.Out, "  %6s %6s %9s %8s  row\n", "caught", "new", "states", "seconds")
		for _, c := range proposed {
			printChoice(t, c)
		}
	}
	chosen := only(r.Choices, func(c *mutate.Choice) bool { return c.Chosen })
	fmt.Fprintf(t.Out, "\nThese rows catch all that any row catches, in %.2f s in place of %.2f s:\n", t.PrintedSeconds(seconds(chosen)), t.PrintedSeconds(seconds(listed)))
	for _, c := range chosen {
		mark := ""
		if c.Listed == mutate.Proposed {
			mark = " (proposed)"
		}
		fmt.Fprintf(t.Out, "  %s%s\n", runnable(t, c.Row), mark)
	}
}

// printChoice prints a row, and below it what it catches alone.
func printChoice(t *tool.Tool, c *mutate.Choice) {
	fmt.Fprintf(t.Out, "  %6d %6d %9d %8.2f  %s\n", len(c.Kills), len(c.Alone), c.States, t.PrintedSeconds(c.Seconds), runnable(t, c.Row))
	for _, m := range c.Alone {
		fmt.Fprintf(t.Out, "  %6s %6s %9s %8s    %s\n", "", "", "", "", m.Name)
	}
}

// split returns the listed and the proposed rows.
func split(all []*mutate.Choice) (listed, proposed []*mutate.Choice) {
	is := func(c *mutate.Choice) bool { return c.Listed == mutate.Proposed }
	return only(all, func(c *mutate.Choice) bool { return !is(c) }), only(all, is)
}

// only returns the rows with a property.
func only(all []*mutate.Choice, has func(*mutate.Choice) bool) []*mutate.Choice {
	return slices.DeleteFunc(slices.Clone(all), func(c *mutate.Choice) bool { return !has(c) })
}

// seconds returns the time of rows.
func seconds(all []*mutate.Choice) (sum float64) {
	for _, c := range all {
		sum += c.Seconds
	}
	return sum
}

// choiceJSON is a row as mutate --rows --json prints it, a stable contract.
type choiceJSON struct {
	Schema int    `json:"schema"`
	Kind   string `json:"kind"` // "choice"
	mutate.Row
	Listed string   `json:"listed"`
	Kills  []string `json:"kills"`
	Alone  []string `json:"alone"`
	Spare  bool     `json:"spare"`
	Chosen bool     `json:"chosen"`
}

func printChoicesJSON(t *tool.Tool, r *mutate.Report) error {
	for _, c := range r.Choices {
		row := c.Row
		row.Seconds = t.PrintedSeconds(row.Seconds)
		if err := console.PrintJSON(t.Out, choiceJSON{1, "choice", row, c.Listed, names(c.Kills), names(c.Alone), c.Spare, c.Chosen}); err != nil {
			return err
		}
	}
	return nil
}

// names returns the names of edits.
func names(all []*mutate.Tried) []string {
	names := []string{}
	for _, m := range all {
		names = append(names, m.Name)
	}
	return names
}
