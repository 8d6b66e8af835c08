package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"contend/checker/judge"
	"contend/model"
	"contend/traces"
)

// Read reads a trace, and finds its protocol. The error names the file.
func (t *Tool) Read(path string) (*model.Protocol, *traces.Trace, error) {
	tr, err := traces.Load(path)
	if err != nil {
		return nil, nil, unread(path, err)
	}
	p, err := t.Protocol(tr.Protocol)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, tr, nil
}

// unread says why a file cannot be read.
func unread(path string, err error) error {
	var failed *fs.PathError
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", path)
	case errors.As(err, &failed):
		return fmt.Errorf("%s: it cannot be read: %w", path, failed.Err)
	}
	return err
}

// Watched are the claims that a replay watches.
func Watched(p *model.Protocol) []model.Claim { return judge.Watched(p.Statements()) }
