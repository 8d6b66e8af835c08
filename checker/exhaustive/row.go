package exhaustive

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/verdict"
	"contend/checker/watch"
)

// Search searches all states of a planned row.
func Search(planned *plan.Row, opt verdict.Options) (*verdict.Row, error) {
	row := verdict.New(planned)
	row.Strategy = "exhaustive"
	row.Command += flags(opt)
	if f := opt.From; f != nil {
		row.From = &verdict.FromJSON{Trace: f.File, Steps: f.Steps}
	}
	if len(planned.Met()) == 0 {
		verdict.Conclude(row)
		return row, nil
	}
	x, err := newExhaustive(planned, row, opt)
	if err != nil {
		return nil, err
	}
	res, err := x.search()
	switch stuck, ok := err.(watch.Endless); {
	case ok:
		x.giveUp(stuck)
	case err != nil:
		return nil, err
	default:
		x.fill(res)
		if err := x.draw(res); err != nil {
			return nil, err
		}
	}
	if GivenUp(row) {
		x.advise()
	}
	row.Seconds = time.Since(x.began).Seconds()
	verdict.AddUnmet(row, planned)
	verdict.Conclude(row)
	return row, nil
}

// advise adds notes about smaller searches after a search that stopped at a limit.
func (x *exhaustive) advise() {
	if smaller, system, found := x.plan.Smaller(); found {
		x.row.Notes = append(x.row.Notes, "a smaller configuration that is searched to its end: "+verdict.CommandLine(x.plan.Protocol, smaller, system))
	}
	if len(x.claims) > 1 {
		x.row.Notes = append(x.row.Notes, fmt.Sprintf("a search for one of these %d claims may have fewer states: --claim NAME", len(x.claims)))
	}
}

// flags returns the flags of a command line for options that change a search. They begin with a space.
func flags(opt verdict.Options) string {
	text := ""
	switch {
	case len(opt.Reduce) > 0:
		text = " --reduce " + strings.Join(opt.Reduce, ",")
	case opt.Reduce != nil:
		text = " --reduce none"
	}
	if opt.Fingerprints > 64 {
		text += fmt.Sprintf(" --fingerprints %d", opt.Fingerprints)
	}
	return text + fromFlags(opt.From)
}

// GivenUp reports whether the search of a row stopped at a limit that smaller searches may not reach.
func GivenUp(row *verdict.Row) bool {
	return slices.Contains([]string{search.States, search.Timeout, search.Memory}, row.Limit.Code)
}
