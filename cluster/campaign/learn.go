package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/bits"
	"slices"

	"contend/checker/fuzzing"
	"contend/checker/sample/strategy"
)

// The jobs of a check with a guided strategy depend on each other. They form generations of 1, 1, 2, 4, ...
// up to 64 jobs, in the order of their seeds. A job begins with the additions of all jobs of earlier
// generations, in the order of their numbers. So its outcome does not depend on workers and times.

// mostAbreast is the maximum size of a generation.
const mostAbreast = 64

// generation returns the range of the generation of the nth job of a check: its first job, and the first of
// the next generation.
func generation(n int) (first, next int) {
	switch {
	case n == 0:
		return 0, 1
	case n < mostAbreast:
		first = 1 << (bits.Len(uint(n)) - 1)
		return first, 2 * first
	}
	first = n / mostAbreast * mostAbreast
	return first, first + mostAbreast
}

// A Learned has the findings of a check's jobs. Other jobs begin with these findings.
type Learned interface {
	// Add adds the additions of jobs of one generation. It skips damaged ones, and returns an error if there
	// are any.
	Add(all ...[]byte) error
	// Fresh returns the additions of the job that used it; nil if there are none.
	Fresh() []byte
}

// Bounds in bytes on a job's additions, and on all additions that a job begins with. Later ones are omitted.
const (
	MostAdded   = max(strategy.MostAdditions, fuzzing.MostCorpus)
	MostLearned = 16 << 20
)

// Learns reports whether a job depends on the additions of others.
func (w *Work) Learns(j Job) bool {
	part := w.Parts[j.Part]
	return part.Fuzz != nil || part.Plan != nil && j.Count > 0 && strategy.Guided(part.Plan.Options.Strategy)
}

// EmptyLearned returns an empty Learned for a check.
func (w *Work) EmptyLearned(j Job) Learned {
	if w.Parts[j.Part].Fuzz != nil {
		return &fuzzing.Corpus{}
	}
	return &strategy.Cover{}
}

// nth returns the index of a job among all jobs of its check.
func (w *Work) nth(j Job) int {
	part := w.Parts[j.Part]
	if part.Fuzz != nil {
		return int(j.Seed - part.Fuzz.Seed)
	}
	return int(j.Seed - part.Plan.Options.Seed)
}

// number returns the number of the nth job of a job's check.
func (w *Work) number(j Job, n int) int {
	part := w.Parts[j.Part]
	seeds := int(part.seeds)
	number := part.first[j.Check] + n%seeds
	if round := n / seeds; round > 0 {
		at, _ := slices.BinarySearch(w.again, number)
		number = w.Round(round) + at
	}
	return number
}

func (w *Work) numbers(j Job, from, to int) (all []int) {
	for n := from; n < to; n++ {
		all = append(all, w.number(j, n))
	}
	return all
}

// Dependencies returns the numbers of the jobs that a job depends on, by generation.
func (w *Work) Dependencies(j Job) (all [][]int) {
	if !w.Learns(j) {
		return nil
	}
	own, _ := generation(w.nth(j))
	for first, next := generation(0); first < own; first, next = generation(next) {
		all = append(all, w.numbers(j, first, next))
	}
	return all
}

// Ready reports whether all dependencies of a job are done.
func (w *Work) Ready(j Job, done func(number int) bool) bool {
	if !w.Learns(j) {
		return true
	}
	first, _ := generation(w.nth(j))
	if first == 0 {
		return true
	}
	before, _ := generation(first - 1)
	for _, number := range slices.Backward(w.numbers(j, before, first)) {
		if !done(number) {
			return false
		}
	}
	return true
}

// NextGeneration returns the numbers of the jobs of the generation after a job's.
func (w *Work) NextGeneration(j Job) []int {
	if !w.Learns(j) {
		return nil
	}
	_, next := generation(w.nth(j))
	_, behind := generation(next)
	return w.numbers(j, next, behind)
}

// addLearned stores a job's additions.
func (o *Outcome) addLearned(l Learned) {
	added := l.Fresh()
	if added == nil || o.Error != "" {
		return
	}
	sum := sha256.Sum256(added)
	o.Learned = hex.EncodeToString(sum[:])
	o.traces[o.Learned] = added
}

// Unchanged returns an error if data does not have the hash in the object's name, or nil.
func Unchanged(object string, data []byte) error {
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != object {
		return errors.New("its bytes are not those that were kept")
	}
	return nil
}
