package exhaustive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"contend/checker/plan"
	"contend/checker/search/checkpoint"
	"contend/checker/search/storage"
	"contend/checker/verdict"
	"contend/model"
)

// Resumed says of each search from where it goes on, in a line each, and how many begin anew; nothing
// unless it is to go on. It is to be asked after [RefuseAll].
func Resumed(planned []*plan.Plan, opt verdict.Options) (lines []string, err error) {
	if !opt.Resume {
		return nil, nil
	}
	there, err := checkpointsIn(opt.Checkpoints)
	if err != nil {
		return nil, err
	}
	anew := 0
	for _, p := range planned {
		all, err := identities(p, opt)
		if err != nil {
			return nil, err
		}
		for _, identity := range all {
			i := slices.IndexFunc(there, func(k keptSearch) bool { return k.dir == checkpointDir(opt, identity) && k.header != nil })
			if i < 0 {
				anew++
				continue
			}
			lines = append(lines, fmt.Sprintf("goes on with %v and %v of searching", there[i].header, there[i].header.Spent.Round(time.Second)))
		}
	}
	if anew > 0 {
		lines = append(lines, fmt.Sprintf("begins anew with the searches that have no checkpoint there: %d", anew))
	}
	return lines, nil
}

// identities returns what the searches of a check are known by, if checkpoints are kept of them.
func identities(pl *plan.Plan, opt verdict.Options) (all [][]checkpoint.Field, err error) {
	if opt.Checkpoints == "" {
		return nil, nil
	}
	if err := noCheckpoints(pl.Check); err != nil {
		return nil, err
	}
	for _, of := range pl.Rows {
		met := of.Met()
		if len(met) == 0 {
			continue // nothing is searched
		}
		for _, c := range met {
			if slices.Contains([]model.Kind{model.PossibleFromEverywhere, model.Eventually, model.AlmostSurely}, c.Kind) {
				return nil, fmt.Errorf("checkpoint and resume: no checkpoints are kept of a search for %q, which is decided on the graph of all states; leave them out, or choose other claims with --claim", c.Name)
			}
		}
		all = append(all, identity(of, opt))
	}
	return all, nil
}

// identity tells the search of a row from others: what is searched, for what and how, but not
// its limits.
func identity(of *plan.Row, opt verdict.Options) []checkpoint.Field {
	name := of.Protocol.Name
	if of.Check.Variant != "" {
		name += "/" + of.Check.Variant
	}
	fields := []checkpoint.Field{{Name: "protocol", Value: name}}
	config := reflect.ValueOf(of.System.Config)
	for i := range config.NumField() {
		fields = append(fields, checkpoint.Field{Name: strings.ToLower(config.Type().Field(i).Name), Value: fmt.Sprintf("%+v", config.Field(i))})
	}
	var claims []string
	for _, c := range of.Met() {
		claims = append(claims, strconv.Quote(c.Name))
	}
	reductions := "all"
	if opt.Reduce != nil {
		reductions = strings.Join(append([]string{"only"}, slices.Sorted(slices.Values(opt.Reduce))...), " ")
	}
	fields = append(fields, fromIdentity(opt.From)...)
	return append(fields, checkpoint.Field{Name: "time", Value: of.Check.Reading.String()}, checkpoint.Field{Name: "claim", Value: strings.Join(claims, ", ")},
		checkpoint.Field{Name: "list of reductions", Value: reductions}, checkpoint.Field{Name: "width of fingerprints", Value: fmt.Sprint(max(opt.Fingerprints, 64))})
}

// checkpointDir is where checkpoints of a search are kept: each search of a command has a
// directory of its own, whose name follows from what it is known by.
func checkpointDir(opt verdict.Options, identity []checkpoint.Field) string {
	return filepath.Join(opt.Checkpoints, fmt.Sprintf("%016x", xxh3.HashString(fmt.Sprintf("%q", identity))))
}

// noCheckpoints says why no checkpoints can be kept of a check; nil when they can.
func noCheckpoints(c model.Check) error {
	switch {
	case c.Schedules > 0:
		return errors.New("checkpoint and resume: sampled schedules keep no checkpoints; search exhaustively, or leave them out")
	case c.Reading == model.Dense:
		return errors.New("checkpoint and resume: a search in dense time keeps no checkpoints; read time untimed or on the grid, or leave them out")
	}
	return nil
}

// A keptSearch is a directory with the files of a search, and what its checkpoint says; nil
// when it has none.
type keptSearch struct {
	dir    string
	header *checkpoint.Header
}

// ofSearch are the names that checkpointDir gives.
var ofSearch = regexp.MustCompile("^[0-9a-f]{16}$")

// checkpointsIn lists the searches whose files are in a directory.
func checkpointsIn(dir string) (all []keptSearch, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !ofSearch.MatchString(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		files, err := os.ReadDir(path)
		if err != nil || len(files) == 0 || len(files) == 1 && files[0].Name() == "lock" {
			continue // nothing of a search, or of one that has only begun
		}
		h, err := checkpoint.Look(storage.OS{}, path)
		if err != nil {
			return nil, fmt.Errorf("checkpoint and resume: %w", err)
		}
		all = append(all, keptSearch{path, h})
	}
	return all, nil
}

// refuseResume says why none of the searches can go on from what is there; nil when one can. Of
// the searches of a command some may have come to their ends, and others not have begun.
func refuseResume(searches [][]checkpoint.Field, there []keptSearch, opt verdict.Options) error {
	if len(there) == 0 {
		return fmt.Errorf("resume: there is no checkpoint in %s", opt.Checkpoints)
	}
	known := false
	for _, identity := range searches {
		i := slices.IndexFunc(there, func(k keptSearch) bool { return k.dir == checkpointDir(opt, identity) })
		if i >= 0 && there[i].header == nil {
			return unkept(there[i], there, opt)
		}
		known = known || i >= 0
	}
	if known {
		return nil
	}
	differs := ""
	for _, k := range there {
		for _, identity := range searches {
			if k.header == nil {
				continue
			}
			if d := k.header.Differs(identity); differs == "" || len(d) < len(differs) {
				differs = d
			}
		}
	}
	if differs == "" {
		return unkept(there[0], there, opt)
	}
	return fmt.Errorf("resume: the checkpoint in %s is of another check: %s", opt.Checkpoints, differs)
}

// unkept says what to do about the files of a search that has no checkpoint. They are not removed
// unasked: a checkpoint may have been lost.
func unkept(k keptSearch, there []keptSearch, opt verdict.Options) error {
	do := fmt.Sprintf("search anew with --checkpoint %s", opt.Checkpoints)
	if slices.ContainsFunc(there, func(k keptSearch) bool { return k.header != nil }) {
		do = "this search begins anew, and others go on"
	}
	return fmt.Errorf("resume: %s holds files of a search, but no checkpoint: it was stopped before its first one; remove the directory, and %s", k.dir, do)
}
