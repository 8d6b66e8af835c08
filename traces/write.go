package traces

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write writes a trace in the form that [Read] reads, with one step a line.
func Write(w io.Writer, t *Trace) error {
	data, err := format(t)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// Save writes a trace to a file. If it fails, a file that was there before is unchanged.
func Save(path string, t *Trace) error {
	data, err := format(t)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".trace-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename, as it should
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func format(t *Trace) ([]byte, error) {
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	head := *t
	head.Steps, head.Picture = []Step{}, nil
	raw, _ := encode(head) // cannot fail: strings, numbers and bools
	var b bytes.Buffer
	_ = json.Indent(&b, raw, "", "  ")                  // cannot fail: raw is valid JSON
	b.Truncate(bytes.LastIndexByte(b.Bytes(), '[') + 1) // Steps is the last field
	for i, s := range t.Steps {
		line, err := encode(s)
		if err != nil {
			return nil, fmt.Errorf("trace: step %d: %w", i+1, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		b.Write(line)
	}
	b.WriteString("\n  ]")
	if t.Picture != nil {
		b.WriteString(",\n  \"picture\": ")
		b.Write(t.Picture)
	}
	b.WriteString("\n}\n")
	if b.Len() > maxBytes {
		return nil, fmt.Errorf("trace: it is larger than %d MiB", maxBytes>>20)
	}
	return b.Bytes(), nil
}

// encode is json.Marshal without the escapes of <, > and &.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
