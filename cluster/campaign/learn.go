package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/bits"
	"slices"

	"contend/checker"
	"contend/checker/sample/strategy"
)

// Jobs of one check that are guided by what was covered go on from what others found. They are done in generations, of 1, 1, 2, 4 and so
// on up to 64 jobs, in the order of their seeds. A job begins with what all jobs of the generations before it added, in the order of their
// numbers, and with nothing of its own generation. So what it comes to does not depend on who does which job, nor when.

// mostAbreast bounds a generation.
const mostAbreast = 64

// generation is that of the nth job of a check: from its first job to the one behind its last.
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

// A Learned is what jobs of a check found, with which others begin.
type Learned interface {
	// Add adds what jobs of one generation told. The error says that some of it is damaged, which is left out.
	Add(all ...[]byte) error
	// Fresh is what the job that was done with it adds; nil is nothing.
	Fresh() []byte
}

// Bounds in bytes on what a job adds, and on what one begins with: later additions are then left out.
const (
	MostAdded   = max(strategy.MostAdditions, checker.MostCorpus)
	MostLearned = 16 << 20
)

// Learns reports whether a job goes on from what others found.
func (w *Work) Learns(j Job) bool {
	part := w.Parts[j.Part]
	return part.Fuzz != nil || part.Plan != nil && j.Count > 0 && strategy.Guided(part.Plan.Options.Strategy)
}

// Nothing is what the first job of a check begins with that learns.
func (w *Work) Nothing(j Job) Learned {
	if w.Parts[j.Part].Fuzz != nil {
		return &checker.Corpus{}
	}
	return &strategy.Cover{}
}

// nth is the place of a job among all of its check.
func (w *Work) nth(j Job) int {
	part := w.Parts[j.Part]
	if part.Fuzz != nil {
		return int(j.Seed - part.Fuzz.Seed)
	}
	return int(j.Seed - part.Plan.Options.Seed)
}

// number is that of the nth job of a job's check.
func (w *Work) number(j Job, n int) int {
	part := w.Parts[j.Part]
	of := int(part.seeds)
	number := part.first[j.Check] + n%of
	if round := n / of; round > 0 {
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

// Before are the numbers of the jobs that a job goes on from, generation by generation.
func (w *Work) Before(j Job) (all [][]int) {
	if !w.Learns(j) {
		return nil
	}
	own, _ := generation(w.nth(j))
	for first, next := generation(0); first < own; first, next = generation(next) {
		all = append(all, w.numbers(j, first, next))
	}
	return all
}

// Ready reports whether a job may be done: all that it goes on from was.
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

// After are the numbers of the jobs that may be done once a job's generation was.
func (w *Work) After(j Job) []int {
	if !w.Learns(j) {
		return nil
	}
	_, next := generation(w.nth(j))
	_, behind := generation(next)
	return w.numbers(j, next, behind)
}

// adds keeps what a job found, for others to begin with.
func (o *Outcome) adds(l Learned) {
	added := l.Fresh()
	if added == nil || o.Error != "" {
		return
	}
	sum := sha256.Sum256(added)
	o.Learned = hex.EncodeToString(sum[:])
	o.traces[o.Learned] = added
}

// Unchanged says in a sentence why bytes are not those that an object has by its name, or returns nil.
func Unchanged(object string, data []byte) error {
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != object {
		return errors.New("its bytes are not those that were kept")
	}
	return nil
}
