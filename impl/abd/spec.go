package abd

import (
	"maps"
	"slices"

	"contend/model"
)

// Definitions are the definitions that the handlers use. A variant overrides one. It embeds [Spec], and has one method
// of its own.
type Definitions interface {
	Quorum(cfg *Config, answers int) bool
	Enough(cfg *Config, acks int) bool
	Newer(a, b Tag) bool
	Queries(cfg *Config) bool
	Next(t Tag, writer model.NodeID) Tag
	Latest(answers map[model.NodeID]Version) Version
	Settled(cfg *Config, answers map[model.NodeID]Version) bool
}

// Spec has the definitions of the algorithm.
type Spec struct{}

// Quorum reports whether a majority of the replicas has answered a query.
func (Spec) Quorum(cfg *Config, answers int) bool { return 2*answers > len(cfg.Replicas) }

// Enough reports whether a majority of the replicas has acknowledged an update.
func (Spec) Enough(cfg *Config, acks int) bool { return 2*acks > len(cfg.Replicas) }

// Newer reports whether tag a is later than b.
func (Spec) Newer(a, b Tag) bool {
	return a.Number > b.Number || a.Number == b.Number && a.Writer > b.Writer
}

// Queries reports whether a write begins with a query. It does if there are several writers.
func (Spec) Queries(cfg *Config) bool { return cfg.Writers > 1 }

// Next returns the tag of a write that follows a tag.
func (Spec) Next(t Tag, writer model.NodeID) Tag { return Tag{t.Number + 1, writer} }

// Latest returns the version with the latest tag.
func (s Spec) Latest(answers map[model.NodeID]Version) (latest Version) {
	for _, id := range slices.Sorted(maps.Keys(answers)) {
		if s.Newer(answers[id].Tag, latest.Tag) {
			latest = answers[id]
		}
	}
	return latest
}

// Settled reports whether a read may return without writing back.
func (Spec) Settled(*Config, map[model.NodeID]Version) bool { return false }
