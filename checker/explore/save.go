package explore

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"contend/traces"
	"contend/traces/walk"
)

// A saveRequest is a request to save the run to a place.
type saveRequest struct {
	placeRequest
	Name string `json:"name"`
}

// names matches the valid names of a saved trace: no paths and no hidden files.
var names = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// A saveResult has the file of a saved trace.
type saveResult struct {
	File string `json:"file"`
}

// save writes the run to a place as a trace into the server's directory. It does not overwrite files.
func (s *Server) save(r *http.Request) (any, error) {
	var in saveRequest
	if err := read(r, &in); err != nil {
		return nil, err
	}
	if !names.MatchString(in.Name) {
		return nil, fmt.Errorf("name is %.40q, but must be letters, digits, dots, dashes and underscores, of which it begins with a letter or digit, at most 100", in.Name)
	}
	if !strings.HasSuffix(in.Name, ".json") {
		in.Name += ".json"
	}
	w, err := s.walk(in.Place)
	if err != nil {
		return nil, err
	}
	t, err := w.Trace()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.Out, 0o755); err != nil {
		return nil, fmt.Errorf("the directory %s cannot be made: %w", s.Out, err)
	}
	file := filepath.Join(s.Out, in.Name)
	if _, err := os.Lstat(file); err == nil {
		return nil, fmt.Errorf("%s is there already, and stays as it is", file)
	}
	return saveResult{file}, traces.Save(file, t)
}

// load handles a request for the place at the end of a trace. The trace must have the explored configuration.
func (s *Server) load(r *http.Request) (any, error) {
	t, err := traces.Read(r.Body)
	if err != nil {
		return nil, err
	}
	if err := s.compareConfiguration(t); err != nil {
		return nil, err
	}
	w, err := s.walkTrace(t)
	if err != nil {
		return nil, err
	}
	return s.view(w)
}

// walkTrace returns a walk along a trace of the explored configuration, and caches it.
func (s *Server) walkTrace(t *traces.Trace) (*walk.Walk, error) {
	w, err := walk.BeginAlong(s.Protocol, &s.Header, s.claims, t)
	if err != nil {
		return nil, err
	}
	s.walks.add(w)
	return w, nil
}

// compareConfiguration returns an error with the first difference between a trace and the explored
// configuration, or nil.
func (s *Server) compareConfiguration(t *traces.Trace) error {
	for _, f := range []struct{ field, value, want string }{
		{"protocol", t.Protocol, s.Header.Protocol}, {"variant", t.Variant, s.Header.Variant},
		{"config", t.Config.String(), s.Header.Config.String()}, {"time", t.Time, s.Header.Time},
	} {
		if f.value != f.want {
			return fmt.Errorf("%s of the trace is %q, but here %q is explored: begin with verify explore and the file", f.field, f.value, f.want)
		}
	}
	return nil
}
