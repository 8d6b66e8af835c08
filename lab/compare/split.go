package compare

import (
	"os"
	"path/filepath"
	"strconv"

	"contend/checker"
	"contend/checker/search/parts"
	"contend/lab/random"
	"contend/lab/together"
	"contend/model"
)

// split checks a case with each search split over parts. The parts exchange even single states. Each part has
// its own protocol, as separate processes do, so that they share nothing.
func (set setting) split(it random.Case) ([]*checker.Row, error) {
	opt := set.opt
	opt.Partitions = checker.Partitions{Of: set.parts, FewestSent: 1, Crew: func(job checker.PartJob, dir, name string) (parts.Crew, func(bool), error) {
		crew := &together.Crew{Parts: set.parts, Follow: func(part int, ex parts.Exchange, ready func() error) error {
			files := filepath.Join(dir, name+"-"+strconv.Itoa(part))
			defer os.RemoveAll(files)
			return checker.Follow([]*model.Protocol{protocol(it)}, job, files, ex, nil, ready)
		}}
		return crew, func(bool) { crew.Close() }, nil
	}}
	return Check(it, opt)
}
