package validating

import (
	"fmt"
	"os"

	"contend/checker/conform"
	"contend/checker/conform/tail"
	"contend/checker/verify/tool"
	"contend/model"
)

// follow validates logs while they grow. It returns when they end, when an entry is not explained, or when the user
// interrupts.
func follow(t *tool.Tool, p *model.Protocol, variant string, c model.Config, opt conform.Options, f *validateFlags, paths []string) (*conform.Result, error) {
	opt.Stop = nil // an interrupt ends the logs
	s, err := conform.NewStream(p, variant, c, opt, f.out != "")
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		s.Source(path)
	}
	in, err := tail.Open(paths, os.Stdin, f.idle)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-t.Interrupt:
			in.Stop()
		case <-done:
		}
	}()
	defer t.Status.Clear()
	for {
		b, err := in.Next(s.Waiting)
		switch {
		case err != nil:
			return nil, err
		case b == nil && t.Interrupted():
			return s.Stop()
		case b == nil:
			return s.End()
		}
		for i, line := range b.Lines {
			if err := s.Add(b.File, b.First+i, line); err != nil {
				return nil, err
			}
		}
		if r, err := s.Go(); r != nil || err != nil {
			return r, err
		}
		t.Status.Tell(func() string {
			return fmt.Sprintf("%s: %d entries were read, and %d are explained", p.Name, s.Read(), s.Explained())
		})
	}
}
