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

// searchRow searches one configuration exhaustively.
func Search(of *plan.Row, opt verdict.Options) (*verdict.Row, error) {
	row := verdict.New(of)
	row.Strategy = "exhaustive"
	row.Command += how(opt)
	if f := opt.From; f != nil {
		row.From = &verdict.FromJSON{Trace: f.File, Steps: f.Steps}
	}
	if len(of.Met()) == 0 {
		verdict.Conclude(row)
		return row, nil
	}
	x, err := newExhaustive(of, row, opt)
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
	verdict.AddUnmet(row, of)
	verdict.Conclude(row)
	return row, nil
}

// advise notes what may end where the search did not.
func (x *exhaustive) advise() {
	if smaller, system, found := x.plan.Smaller(); found {
		x.row.Notes = append(x.row.Notes, "a smaller configuration that is searched to its end: "+verdict.CommandOf(x.plan.Protocol, smaller, system))
	}
	if len(x.claims) > 1 {
		x.row.Notes = append(x.row.Notes, fmt.Sprintf("a search for one of these %d claims may have fewer states: --claim NAME", len(x.claims)))
	}
}

// how is the end of a command line: how a search is made, where it is not made as usual.
func how(opt verdict.Options) (flags string) {
	switch {
	case len(opt.Reduce) > 0:
		flags = " --reduce " + strings.Join(opt.Reduce, ",")
	case opt.Reduce != nil:
		flags = " --reduce none"
	}
	if opt.Fingerprints > 64 {
		flags += fmt.Sprintf(" --fingerprints %d", opt.Fingerprints)
	}
	return flags + fromFlags(opt.From)
}

// givenUp reports whether a limit ended the search of a row that searching apart may not meet.
func GivenUp(row *verdict.Row) bool {
	return slices.Contains([]string{search.States, search.Timeout, search.Memory}, row.Limit.Code)
}
