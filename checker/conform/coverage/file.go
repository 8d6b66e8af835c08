package coverage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// mostTaken is the largest number in a file. JSON numbers are exact up to there.
const mostTaken = 1 << 53

// Load adds the numbers of earlier logs in a file, if there is one. The error is a sentence that names the field and the
// rule.
func (r *Report) Load(path string) error {
	file, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	if err := r.read(file); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// read adds the numbers of a report as its file has it.
func (r *Report) read(file []byte) error {
	var from Report
	d := json.NewDecoder(bytes.NewReader(file))
	d.DisallowUnknownFields()
	if err := d.Decode(&from); err != nil {
		return fmt.Errorf("it is no coverage of logs: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("there is something after the object")
	}
	switch {
	case from.Schema != r.Schema:
		return fmt.Errorf("schema is %d, but must be %d", from.Schema, r.Schema)
	case from.Protocol != r.Protocol:
		return fmt.Errorf("protocol is %.60q, but must be %q", from.Protocol, r.Protocol)
	case from.Variant != r.Variant:
		return fmt.Errorf("variant is %.60q, but must be %q", from.Variant, r.Variant)
	case from.Logs < 0 || from.Logs > mostTaken:
		return fmt.Errorf("logs is %d, but must be 0 to %d", from.Logs, mostTaken)
	}
	seen := map[string]bool{}
	for i, k := range from.Kinds {
		switch {
		case k == nil || k.Node == "" || k.Step == "":
			return fmt.Errorf("kinds: number %d needs a node and a step", i+1)
		case k.Taken < 0 || k.Taken > mostTaken:
			return fmt.Errorf("kinds: number %d: taken is %d, but must be 0 to %d", i+1, k.Taken, mostTaken)
		case seen[k.key()]:
			return fmt.Errorf("kinds: number %d is there before", i+1)
		}
		seen[k.key()] = true
	}
	r.Logs += from.Logs
	for _, k := range from.Kinds {
		known := r.add(&Kind{Node: k.Node, Step: k.Step, Shows: append([]string{}, k.Shows...)})
		known.Taken += k.Taken
	}
	return nil
}

// Save writes the report to a file, in place of what is there.
func (r *Report) Save(path string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".coverage-*")
	if err != nil {
		return fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	defer os.Remove(f.Name()) // fails after the rename, as it should
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
