package checker

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/search/checkpoint"
	"contend/checker/search/parts"
	"contend/model"
	"contend/traces"
)

// Partitions split each search over processes. See docs/scale.md.
type Partitions struct {
	Of int // how many parts a search has, this process among them; 1 or less is one process
	// FewestSent is how many states of a layer a part sends to another at least; 0 is 128.
	FewestSent int64
	// Crew starts the other parts of a search. Its files, which may be needed to resume it, are in a directory, and go
	// by a name of [a-z0-9-]; done ends what was started, and removes the files if they are not needed any more.
	Crew func(job PartJob, dir, name string) (crew parts.Crew, done func(whole bool), err error)
}

// A PartJob says what a part searches for, so that another process of the same build can.
type PartJob struct {
	Protocol     string          `json:"protocol"`
	Variant      string          `json:"variant"`
	Config       json.RawMessage `json:"config"`
	Faults       model.Faults    `json:"faults"`
	Reading      model.Reading   `json:"reading"`
	AssumeAnyway bool            `json:"assumeAnyway"`
	Claims       []string        `json:"claims"`
	Cost         string          `json:"cost,omitempty"` // instead of claims
	Reduce       []string        `json:"reduce"`         // nil is all
	Fingerprints int             `json:"fingerprints"`
	Workers      int             `json:"workers"`
	Pure         bool            `json:"pure"`
	Identity     []checkpoint.Field
}

// splitSearch has a search of several parts started as its crew can, and returns what ends it.
func (x *exhaustive) splitSearch(o *search.Options) (done func(whole bool), err error) {
	p := x.opt.Partitions
	if p.Of <= 1 {
		return func(bool) {}, nil
	}
	config, err := json.Marshal(x.row.Config)
	if err != nil {
		return nil, err
	}
	if o.Identity == nil {
		o.Identity = identity(x.plan, x.opt)
	}
	of := x.plan
	job := PartJob{Protocol: of.Protocol.Name, Variant: of.Check.Variant, Config: config, Faults: x.sys.Faults, Reading: of.Check.Reading, AssumeAnyway: of.Check.AssumeAnyway,
		Reduce: x.opt.Reduce, Fingerprints: x.opt.Fingerprints, Workers: o.Workers, Pure: x.opt.Pure, Identity: o.Identity}
	for _, c := range x.claims {
		if c.Cost != nil {
			job.Cost = c.Name
		}
		job.Claims = append(job.Claims, c.Name)
	}
	dir, temporary := x.opt.Checkpoints, false
	if dir == "" {
		if dir, err = os.MkdirTemp("", "verify-parts-"); err != nil {
			return nil, fmt.Errorf("parts: %w", err)
		}
		temporary = true
		o.Checkpoint, o.Transient = checkpointDir(Options{Checkpoints: dir}, o.Identity), true
	}
	crew, end, err := p.Crew(job, dir, filepath.Base(o.Checkpoint))
	if err != nil {
		return nil, fmt.Errorf("parts: %w", err)
	}
	o.Crew, o.FewestSent = crew, p.FewestSent
	return func(whole bool) {
		if end(whole); temporary {
			_ = os.RemoveAll(dir) // it is in the directory for such files
		}
	}, nil
}

// Follow searches as a part of a search that another process leads, and returns when until does, which is called once the part can
// be asked; it keeps its files in a directory. The error is a [watch.Endless] if a handler does not return: the part cannot go on
// then, and its process has to end.
func Follow(suite []*model.Protocol, job PartJob, dir string, ex parts.Exchange, store parts.Store, until func() error) error {
	of, err := job.plan(suite)
	if err != nil {
		return err
	}
	x, err := newExhaustive(of, newRow(of), Options{Reduce: job.Reduce, Fingerprints: job.Fingerprints, Workers: job.Workers, Pure: job.Pure})
	if err != nil {
		return err
	}
	w := (&Options{}).watch(x.began)
	o := x.options(w)
	o.Checkpoint, o.Identity, o.Store = dir, job.Identity, store
	if _, err := search.Follow(x.sys, x.claims, o, ex); err != nil { // it is not closed: its files are removed by who made them
		return err
	}
	return w.Run(until)
}

// plan returns the row that the leader searches.
func (job PartJob) plan(suite []*model.Protocol) (*plan.Row, error) {
	i := slices.IndexFunc(suite, func(p *model.Protocol) bool { return p.Name == job.Protocol })
	if i < 0 {
		return nil, fmt.Errorf("there is no protocol %q", job.Protocol)
	}
	p := suite[i]
	var config traces.Config
	if err := config.UnmarshalJSON(job.Config); err != nil {
		return nil, err
	}
	c := model.Check{Variant: job.Variant, Config: config.Model(), Reading: job.Reading, AssumeAnyway: job.AssumeAnyway, Claims: job.Claims}
	c.Config.Faults = job.Faults
	claims, err := job.claims(p)
	if err != nil {
		return nil, err
	}
	return plan.Whole(p, c, claims)
}

// claims returns those that the leader searches for, or its cost.
func (job PartJob) claims(p *model.Protocol) ([]model.Claim, error) {
	if job.Cost == "" {
		return plan.Claims(p, job.Claims)
	}
	for _, cost := range p.Costs {
		if claim := cost.Claim(); claim.Name == job.Cost {
			return []model.Claim{claim}, nil
		}
	}
	return nil, fmt.Errorf("protocol %s has no cost %q", p.Name, job.Cost)
}
