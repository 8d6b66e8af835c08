package traces

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// wire is a trace whose steps are not decoded yet.
type wire struct {
	plain
	Steps json.RawMessage `json:"steps"`
}

type plain Trace

// Read reads one trace, and refuses data after it. The error names the field and the rule that the field
// breaks.
func Read(r io.Reader) (*Trace, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	t, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return t, nil
}

// Load reads a trace from the named file.
func Load(path string) (*Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func parse(data []byte) (*Trace, error) {
	if len(data) > maxBytes {
		return nil, fmt.Errorf("it is larger than %d MiB", maxBytes>>20)
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")) {
		return nil, fmt.Errorf("it is a page for a browser; the trace is the .json file beside it")
	}
	if err := checkVersion(data); err != nil {
		return nil, err
	}
	var w wire
	if err := strictly(data, &w); err != nil {
		return nil, err
	}
	t := Trace(w.plain)
	if len(t.Watched) == 0 {
		t.Watched = nil
	}
	t.Picture = compacted(t.Picture)
	var err error
	if t.Steps, err = readSteps(w.Steps); err != nil {
		return nil, err
	}
	return &t, t.Validate()
}

// checkVersion returns an error if the version is not [Version]. It runs first: a later version may have fields
// that are unknown here.
func checkVersion(data []byte) error {
	var v struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return sentence(err)
	}
	if v.Version == nil {
		return fmt.Errorf("version is missing")
	}
	if *v.Version != Version {
		return fmt.Errorf("version is %d, but this tool reads version %d", *v.Version, Version)
	}
	return nil
}

// strictly decodes one JSON value, and refuses unknown fields.
func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return sentence(d.Decode(into))
}

// readSteps decodes the steps one by one, so that it stops at maxSteps and never allocates more than the
// largest trace needs.
func readSteps(raw json.RawMessage) ([]Step, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if open, _ := d.Token(); open != json.Delim('[') { // no error: raw is valid JSON
		return nil, fmt.Errorf("steps is missing or not a list")
	}
	steps := []Step{}
	for d.More() {
		if len(steps) == maxSteps {
			return nil, fmt.Errorf("steps: there are more than %d", maxSteps)
		}
		var s Step
		if err := sentence(d.Decode(&s)); err != nil {
			return nil, fmt.Errorf("step %d: %w", len(steps)+1, err)
		}
		s.Value = compacted(s.Value)
		if len(s.Choices) == 0 {
			s.Choices = nil
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// compacted returns the value without insignificant space, or nil for null. The value must be valid JSON.
func compacted(value json.RawMessage) json.RawMessage {
	if value == nil || isNull(value) {
		return nil
	}
	var b bytes.Buffer
	_ = json.Compact(&b, value) // cannot fail: value is valid JSON
	return b.Bytes()
}

// sentence turns an error of encoding/json into a sentence for people.
func sentence(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax) && strings.Contains(err.Error(), "unexpected end"):
		return fmt.Errorf("the JSON ends too early: it is empty or truncated")
	case errors.As(err, &syntax):
		return fmt.Errorf("the JSON is broken at byte %d: %v", syntax.Offset, err)
	case errors.As(err, &kind):
		field := kind.Field[strings.LastIndex(kind.Field, ".")+1:]
		if field == "" {
			return fmt.Errorf("a JSON %s stands where an object must", kind.Value)
		}
		return fmt.Errorf("%s is a JSON %s, but must be of type %s", field, kind.Value, kind.Type)
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if name, ok := strings.CutPrefix(text, "unknown field "); ok {
		return fmt.Errorf("field %.60s is not known", name)
	}
	return errors.New(text)
}
