// Package campaign is a list of jobs and what came of them, apart from where they are done and kept: what is asked
// for ([Spec]), the jobs that follow from it ([Spec.Work]), how one is done ([Work.Do]), how its outcome is written
// and read ([Outcome]), and what all outcomes come to ([Work.Union]).
//
// The jobs are a function of the specification and of the program, which is the same everywhere: see hub.Build. So
// what goes to a worker is the number of a job, and nothing that arrives is run. A job's outcome is a function of its
// number and, if it goes on from what others found ([Work.Learns]), of the outcomes of certain jobs before it; how long it took stands beside
// it. What a campaign comes to is a function of the outcomes in the order of
// their numbers. It depends on no worker and on no order in which they came.
package campaign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"contend/cluster/hub"
)

// Bounds on what a specification may ask for.
const (
	mostParts = 100
	mostWords = 1000 // of a part
	mostBytes = 4096 // of a word
	MostJobs  = 200_000
	// MostSpec bounds a specification as it is written, in bytes.
	MostSpec = 256 << 10
)

// A Spec is what a campaign is asked to do. It is written once, when the campaign starts.
type Spec struct {
	Schema int       `json:"schema"` // 1
	Name   string    `json:"name"`
	Build  hub.Build `json:"build"` // of whoever does it
	// Parts are command lines without the name of the tool: of check, run, mutants, fuzz or selftest.
	Parts [][]string `json:"parts"`
	// Each is how many schedules, inputs of fuzz, and systems of selftest a job has at most.
	Each int `json:"each"`
	// For is a budget: after that much CPU time of all workers together no further job begins. 0 is no budget.
	For time.Duration `json:"for"`
	// Repeat goes on with further seeds of what is sampled once all jobs are done.
	Repeat bool `json:"repeat"`
}

// DefaultEach is how many schedules a job has unless the user says otherwise: of most protocols a thousand take about
// a second.
const DefaultEach = 1000

// Valid says in a sentence what is wrong with a specification, or returns nil. Whether the parts can be done
// only [Spec.Work] finds.
func (s *Spec) Valid() error {
	if s.Schema != 1 {
		return fmt.Errorf("the schema of a campaign is %d, but this program reads 1", s.Schema)
	}
	if err := hub.Named(s.Name); err != nil {
		return err
	}
	if err := s.Build.Valid(); err != nil {
		return err
	}
	if len(s.Parts) < 1 || len(s.Parts) > mostParts {
		return fmt.Errorf("a campaign has %d parts, but must have 1 to %d", len(s.Parts), mostParts)
	}
	for _, part := range s.Parts {
		if len(part) < 1 || len(part) > mostWords {
			return fmt.Errorf("a part has %d words, but must have 1 to %d", len(part), mostWords)
		}
		for _, word := range part {
			if len(word) > mostBytes || strings.ContainsRune(word, 0) {
				return fmt.Errorf("a word of a part has %d bytes, of which none may be 0 and at most %d are read", len(word), mostBytes)
			}
		}
	}
	if s.Each < 1 || s.Each > 1_000_000 {
		return fmt.Errorf("--each is %d, but must be 1 to 1000000", s.Each)
	}
	if s.For < 0 {
		return fmt.Errorf("--for is %v, but must be more than 0", s.For)
	}
	return nil
}

// Bytes is the specification as it is kept.
func (s *Spec) Bytes() ([]byte, error) {
	if err := s.Valid(); err != nil {
		return nil, err
	}
	b, err := json.Marshal(s)
	if err == nil && len(b) > MostSpec {
		err = fmt.Errorf("the parts have %d bytes together, but at most %d are kept", len(b), MostSpec)
	}
	return b, err
}

// ReadSpec reads a specification that was kept, perhaps by a stranger.
func ReadSpec(data []byte) (*Spec, error) {
	var s Spec
	if err := strictly(data, MostSpec, &s); err != nil {
		return nil, fmt.Errorf("the campaign's specification: %w", err)
	}
	return &s, s.Valid()
}

// strictly reads one JSON value of at most so many bytes, with no field that is not known and nothing behind it.
func strictly(data []byte, most int, into any) error {
	if len(data) > most {
		return fmt.Errorf("it has %d bytes, but at most %d are read", len(data), most)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows it")
	}
	return nil
}
