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

// Write writes a trace as [Read] reads it, each step on a line of its own.
func Write(w io.Writer, t *Trace) error {
	data, err := format(t)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// Save writes a trace to a file, which is either written as a whole or left as it
// was.
func Save(path string, t *Trace) error {
	data, err := format(t)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".trace-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // there is nothing to remove once it has its name
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
	raw, _ := encode(head) // texts, numbers and truth values
	var b bytes.Buffer
	_ = json.Indent(&b, raw, "", "  ")                  // it can only fail where there is no JSON
	b.Truncate(bytes.LastIndexByte(b.Bytes(), '[') + 1) // the steps come last
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

// encode is json.Marshal that leaves <, > and & as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
