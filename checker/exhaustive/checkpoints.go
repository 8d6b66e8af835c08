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

// Resumed returns a line for each search that continues from a checkpoint, and a line with the number of other
// searches. It returns nothing without Resume. Call it after [RefuseAll].
func Resumed(planned []*plan.Plan, opt verdict.Options) (lines []string, err error) {
	if !opt.Resume {
		return nil, nil
	}
	there, err := storedSearches(opt.Checkpoints)
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
			i := slices.IndexFunc(there, func(k storedSearch) bool { return k.dir == checkpointDir(opt, identity) && k.header != nil })
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

// identities returns the identities of the searches of a check, if the options have checkpoints. The error is the
// reason why a search has no checkpoints.
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
			continue // no search
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

// identity returns the identity of the search of a row: the system, the claims and the options except limits.
func identity(planned *plan.Row, opt verdict.Options) []checkpoint.Field {
	name := planned.Protocol.Name
	if planned.Check.Variant != "" {
		name += "/" + planned.Check.Variant
	}
	fields := []checkpoint.Field{{Name: "protocol", Value: name}}
	config := reflect.ValueOf(planned.System.Config)
	for i := range config.NumField() {
		fields = append(fields, checkpoint.Field{Name: strings.ToLower(config.Type().Field(i).Name), Value: fmt.Sprintf("%+v", config.Field(i))})
	}
	var claims []string
	for _, c := range planned.Met() {
		claims = append(claims, strconv.Quote(c.Name))
	}
	reductions := "all"
	if opt.Reduce != nil {
		reductions = strings.Join(append([]string{"only"}, slices.Sorted(slices.Values(opt.Reduce))...), " ")
	}
	fields = append(fields, fromIdentity(opt.From)...)
	return append(fields, checkpoint.Field{Name: "time", Value: planned.Check.Reading.String()}, checkpoint.Field{Name: "claim", Value: strings.Join(claims, ", ")},
		checkpoint.Field{Name: "list of reductions", Value: reductions}, checkpoint.Field{Name: "width of fingerprints", Value: fmt.Sprint(max(opt.Fingerprints, 64))})
}

// checkpointDir returns the directory for the checkpoints of a search. Its name is a hash of the search's identity.
func checkpointDir(opt verdict.Options, identity []checkpoint.Field) string {
	return filepath.Join(opt.Checkpoints, fmt.Sprintf("%016x", xxh3.HashString(fmt.Sprintf("%q", identity))))
}

// noCheckpoints returns the reason why a check has no checkpoints, or nil.
func noCheckpoints(c model.Check) error {
	switch {
	case c.Schedules > 0:
		return errors.New("checkpoint and resume: sampled schedules keep no checkpoints; search exhaustively, or leave them out")
	case c.Reading == model.Dense:
		return errors.New("checkpoint and resume: a search in dense time keeps no checkpoints; read time untimed or on the grid, or leave them out")
	}
	return nil
}

// A storedSearch is a directory with the files of a search.
type storedSearch struct {
	dir    string
	header *checkpoint.Header // nil if there is no checkpoint
}

// searchDir matches the names of checkpointDir.
var searchDir = regexp.MustCompile("^[0-9a-f]{16}$")

// storedSearches returns the searches with files in a directory.
func storedSearches(dir string) (all []storedSearch, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !searchDir.MatchString(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		files, err := os.ReadDir(path)
		if err != nil || len(files) == 0 || len(files) == 1 && files[0].Name() == "lock" {
			continue // no files of a search, or only its lock
		}
		h, err := checkpoint.Look(storage.OS{}, path)
		if err != nil {
			return nil, fmt.Errorf("checkpoint and resume: %w", err)
		}
		all = append(all, storedSearch{path, h})
	}
	return all, nil
}

// refuseResume returns the reason why no search can continue from the stored searches, or nil. Some searches of a
// command may have ended, and others may not have begun.
func refuseResume(searches [][]checkpoint.Field, there []storedSearch, opt verdict.Options) error {
	if len(there) == 0 {
		return fmt.Errorf("resume: there is no checkpoint in %s", opt.Checkpoints)
	}
	known := false
	for _, identity := range searches {
		i := slices.IndexFunc(there, func(k storedSearch) bool { return k.dir == checkpointDir(opt, identity) })
		if i >= 0 && there[i].header == nil {
			return noCheckpoint(there[i], there, opt)
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
		return noCheckpoint(there[0], there, opt)
	}
	return fmt.Errorf("resume: the checkpoint in %s is of another check: %s", opt.Checkpoints, differs)
}

// noCheckpoint returns an error with advice for the files of a search without a checkpoint. The user must remove
// them: a checkpoint may have been lost.
func noCheckpoint(k storedSearch, there []storedSearch, opt verdict.Options) error {
	do := fmt.Sprintf("search anew with --checkpoint %s", opt.Checkpoints)
	if slices.ContainsFunc(there, func(k storedSearch) bool { return k.header != nil }) {
		do = "this search begins anew, and others go on"
	}
	return fmt.Errorf("resume: %s holds files of a search, but no checkpoint: it was stopped before its first one; remove the directory, and %s", k.dir, do)
}
