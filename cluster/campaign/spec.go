// Package campaign defines the jobs of a campaign and their outcomes, independently of workers and stores.
// [Spec] is the specification, [Spec.Work] returns its jobs, [Work.Do] does one, [Outcome] is its result in
// stored form, and [Work.Union] combines all outcomes.
//
// The jobs are a function of the specification and the program, the same everywhere: see hub.Build. So a
// worker receives only the number of a job, and executes nothing that it receives. An outcome is a function
// of the job's number and, if the job learns ([Work.Learns]), of the outcomes of certain earlier jobs. Costs
// are stored beside it. A campaign's result is a function of the outcomes in the order of their numbers. It
// depends neither on workers nor on the order of completion.
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

// Bounds on a specification.
const (
	mostParts = 100
	mostWords = 1000 // in a part
	mostBytes = 4096 // in a word
	MostJobs  = 200_000
	// MostSpec is the maximum size of a specification in stored form, in bytes.
	MostSpec = 256 << 10
)

// A Spec is the specification of a campaign. It is written once, at the start.
type Spec struct {
	Schema int       `json:"schema"` // 1
	Name   string    `json:"name"`
	Build  hub.Build `json:"build"` // of the workers
	// Parts are command lines of check, run, mutants, fuzz or selftest, without the tool's name.
	Parts [][]string `json:"parts"`
	// Each is the maximum number of schedules, inputs, or systems of a job.
	Each int `json:"each"`
	// For is a budget: the total CPU time after which no further job begins. 0 is no budget.
	For time.Duration `json:"for"`
	// Repeat continues with further seeds of sampled parts after all jobs are done.
	Repeat bool `json:"repeat"`
}

// DefaultEach is the default number of schedules of a job. For most protocols a thousand take about a second.
const DefaultEach = 1000

// Valid returns one sentence about an invalid specification, or nil. It does not parse the parts; [Spec.Work]
// does.
func (s *Spec) Valid() error {
	if s.Schema != 1 {
		return fmt.Errorf("the schema of a campaign is %d, but this program reads 1", s.Schema)
	}
	if err := hub.CheckName(s.Name); err != nil {
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
				return fmt.Errorf("a word of a part has %d bytes, but at most %d are allowed, and none may be 0", len(word), mostBytes)
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

// Bytes returns the specification in stored form.
func (s *Spec) Bytes() ([]byte, error) {
	if err := s.Valid(); err != nil {
		return nil, err
	}
	b, err := json.Marshal(s)
	if err == nil && len(b) > MostSpec {
		err = fmt.Errorf("the parts have %d bytes together, but at most %d are allowed", len(b), MostSpec)
	}
	return b, err
}

// ReadSpec parses a stored specification. The data may be malicious.
func ReadSpec(data []byte) (*Spec, error) {
	var s Spec
	if err := strictly(data, MostSpec, &s); err != nil {
		return nil, fmt.Errorf("the campaign's specification: %w", err)
	}
	return &s, s.Valid()
}

// strictly decodes a single JSON value of at most most bytes. Unknown fields are errors.
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
