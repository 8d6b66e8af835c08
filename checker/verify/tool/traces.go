package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"contend/checker/judge"
	"contend/model"
	"contend/traces"
	"contend/traces/picture"
)

// Read reads a trace, or the run of an input of a fuzz target, and finds its protocol. The error names the file.
func (t *Tool) Read(path string) (*model.Protocol, *traces.Trace, error) {
	tr, err := t.Load(path)
	if err != nil {
		return nil, nil, Unread(path, err)
	}
	p, err := t.Protocol(tr.Protocol)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, tr, nil
}

// Unread returns the error that a file cannot be read.
func Unread(path string, err error) error {
	var failed *fs.PathError
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: no such file", path)
	case errors.As(err, &failed):
		return fmt.Errorf("%s: cannot be read: %w", path, failed.Err)
	}
	return err
}

// Pictured returns a trace with the picture of its run, so that it can be shown without the protocol. If it does
// not replay, it returns the trace unchanged.
func (t *Tool) Pictured(tr *traces.Trace) *traces.Trace {
	p, err := t.Protocol(tr.Protocol)
	if err != nil {
		return tr
	}
	return picture.WithPicture(p, tr, Watched(p))
}

// Watched are the claims that a replay watches.
func Watched(p *model.Protocol) []model.Claim { return judge.Watched(p.Statements()) }
