package campaign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"contend/checker"
	"contend/traces"
)

// Bounds on an outcome, in bytes.
const (
	MostOutcome = 1 << 20
	MostTrace   = 64 << 20
	mostPrinted = 16 << 10 // of a dead process's output
)

// An Outcome is the result of a job.
type Outcome struct {
	Schema int `json:"schema"` // 1
	Job    int `json:"job"`
	// Rows are the rows of the check, as in check --json, without machine-dependent values.
	Rows []*checker.Row `json:"rows,omitempty"`
	// Runs has the counterexamples, by their names in the campaign's store.
	Runs []Run `json:"runs,omitempty"`
	// Tally is the tally of a selftest.
	Tally *Tally `json:"tally,omitempty"`
	// Fuzzed is the result of a fuzz target's runs.
	Fuzzed *Fuzzed `json:"fuzzed,omitempty"`
	// Learned is the name of the job's additions in the campaign's store; "" if there are none.
	Learned string `json:"learned,omitempty"`
	// Error is the reason why the check is impossible.
	Error string `json:"error,omitempty"`
	// Aside is the reason why the job was set aside.
	Aside *Aside `json:"aside,omitempty"`
	// By has the worker and the costs. The campaign's results do not depend on it.
	By By `json:"by"`

	traces map[string][]byte // new objects by name
}

// A Run is the counterexample of a claim.
type Run struct {
	Row    int    `json:"row"`   // index in Rows
	Claim  int    `json:"claim"` // index in the row's claims
	Object string `json:"object"`
}

// Aside has the deaths of the processes that did the job.
type Aside struct {
	Deaths []Death `json:"deaths"`
}

// A Death is the death of a process that did a job.
type Death struct {
	Worker  string `json:"worker"`
	How     string `json:"how"`     // such as "exit status 2" or "signal: killed"
	Printed string `json:"printed"` // end of its output
}

// By has the worker of a job, and the job's costs.
type By struct {
	Worker    string    `json:"worker"`
	Seconds   float64   `json:"seconds"`   // wall time
	CPU       float64   `json:"cpu"`       // CPU seconds
	Steps     int64     `json:"steps"`     // states or schedules
	RowsTook  []float64 `json:"rowsTook"`  // seconds of each row
	RowsBytes []float64 `json:"rowsBytes"` // bytes per state of each row
	Calls     []int64   `json:"calls"`     // handler calls of each row
}

// Bytes returns the outcome in stored form.
func (o *Outcome) Bytes() ([]byte, error) {
	b, err := json.Marshal(o)
	if err == nil && len(b) > MostOutcome {
		err = fmt.Errorf("what came of job %d has %d bytes, but at most %d are kept", o.Job, len(b), MostOutcome)
	}
	return b, err
}

// Sum returns the SHA-256 of the part of an outcome that depends only on the job.
func (o *Outcome) Sum() ([sha256.Size]byte, error) {
	bare := *o
	bare.By = By{}
	b, err := json.Marshal(&bare)
	return sha256.Sum256(b), err
}

// ReadOutcome parses the stored outcome of a job. The data may be malicious.
func (w *Work) ReadOutcome(job Job, data []byte) (*Outcome, error) {
	var o Outcome
	if err := strictly(data, MostOutcome, &o); err != nil {
		return nil, fmt.Errorf("what came of job %d: %w", job.Number, err)
	}
	if err := o.valid(w, job); err != nil {
		return nil, fmt.Errorf("what came of job %d: %w", job.Number, err)
	}
	return &o, nil
}

// valid returns an error if the outcome cannot be the job's, or nil.
func (o *Outcome) valid(w *Work, job Job) error {
	part := w.Parts[job.Part]
	kinds := 0
	for _, set := range []bool{len(o.Rows) > 0, o.Tally != nil, o.Fuzzed != nil, o.Error != "", o.Aside != nil} {
		if set {
			kinds++
		}
	}
	switch {
	case o.Schema != 1:
		return fmt.Errorf("its schema is %d, but this program reads 1", o.Schema)
	case o.Job != job.Number:
		return fmt.Errorf("it belongs to job %d", o.Job)
	case kinds != 1:
		return fmt.Errorf("it must have exactly one of rows, a tally, runs of a fuzz target, an error and a reason to set it aside")
	case o.Tally != nil && part.Test == nil || o.Fuzzed != nil && part.Fuzz == nil || len(o.Rows) > 0 && part.Plan == nil:
		return fmt.Errorf("its part has another verb")
	}
	if o.Learned != "" {
		if !w.Learns(job) || o.Error != "" || o.Aside != nil {
			return fmt.Errorf("it has additions, but its job has none")
		}
		if err := validObject(o.Learned); err != nil {
			return err
		}
	}
	if o.Tally != nil {
		return o.Tally.valid(job)
	}
	if o.Fuzzed != nil {
		return o.Fuzzed.valid(job)
	}
	for i, row := range o.Rows {
		if err := o.validRow(i, row, part.Plan.Jobs[job.Check].Protocol.Name, part.Plan.Jobs[job.Check].Check.Variant); err != nil {
			return err
		}
	}
	return o.validRuns()
}

// validRow checks the parts of a row that printing and adding depend on.
func (o *Outcome) validRow(i int, row *checker.Row, protocol, variant string) error {
	switch {
	case row == nil:
		return fmt.Errorf("row %d is null", i)
	case row.Protocol != protocol || row.Variant != variant:
		return fmt.Errorf("row %d is of %s/%s", i, row.Protocol, row.Variant)
	case row.States < 0 || row.Transitions < 0 || row.Schedules < 0 || row.Depth < 0 || row.HandlerCalls < 0:
		return fmt.Errorf("row %d has a negative count", i)
	case row.Seconds != 0 || row.BytesPer != 0 || row.HandlerCalls != 0:
		return fmt.Errorf("row %d has a value that depends on the machine", i)
	}
	for _, c := range row.Claims {
		if c.Verdict != checker.Holds && c.Verdict != checker.Violated && c.Verdict != checker.Inconclusive && c.Verdict != checker.NotClaimed {
			return fmt.Errorf("row %d has the verdict %q", i, c.Verdict)
		}
	}
	return nil
}

// validRuns checks that each run belongs to a claim, and that no claim has two.
func (o *Outcome) validRuns() error {
	has := map[[2]int]bool{}
	for _, r := range o.Runs {
		if r.Row < 0 || r.Row >= len(o.Rows) || r.Claim < 0 || r.Claim >= len(o.Rows[r.Row].Claims) || has[[2]int{r.Row, r.Claim}] {
			return fmt.Errorf("a run belongs to row %d, claim %d", r.Row, r.Claim)
		}
		if err := validObject(r.Object); err != nil {
			return err
		}
		has[[2]int{r.Row, r.Claim}] = true
	}
	return nil
}

// strip removes machine-dependent values and counterexamples from the rows.
func (o *Outcome) strip() error {
	o.traces = map[string][]byte{}
	for i, row := range o.Rows {
		o.By.RowsTook = append(o.By.RowsTook, row.Seconds)
		o.By.RowsBytes = append(o.By.RowsBytes, row.BytesPer)
		o.By.Calls = append(o.By.Calls, row.HandlerCalls)
		o.By.Steps += row.States + row.Schedules
		row.Seconds, row.BytesPer, row.HandlerCalls = 0, 0, 0
		for k := range row.Claims {
			t := row.Claims[k].Counterexample
			if t == nil {
				continue
			}
			name, err := o.addTrace(t)
			if err != nil {
				return err
			}
			o.Runs = append(o.Runs, Run{Row: i, Claim: k, Object: name})
		}
	}
	return nil
}

// addTrace adds a counterexample to the new objects, and returns its name.
func (o *Outcome) addTrace(t *traces.Trace) (object string, err error) {
	var b bytes.Buffer
	if err := traces.Write(&b, t); err != nil {
		return "", err
	}
	sum := sha256.Sum256(b.Bytes())
	object = hex.EncodeToString(sum[:])
	o.traces[object] = b.Bytes()
	return object, nil
}

// Traces returns the new objects, counterexamples and additions, by name.
func (o *Outcome) Traces() map[string][]byte { return o.traces }

// restore puts measured values back into the rows.
func (o *Outcome) restore() {
	for i, row := range o.Rows {
		if i < len(o.By.RowsTook) && i < len(o.By.RowsBytes) && i < len(o.By.Calls) {
			row.Seconds, row.BytesPer, row.HandlerCalls = o.By.RowsTook[i], o.By.RowsBytes[i], o.By.Calls[i]
		}
	}
}
