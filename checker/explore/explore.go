// Package explore serves a page on which one walks through the states of a system: what may happen next,
// node by node, with faults and lies; a picture of the run so far; the state; which claims hold; the
// nearest state of which a predicate holds; and an exhaustive search as it goes.
//
// door.go lets nobody in but the page itself; api.go has what the page asks for, view.go what it is
// told of a place; walks.go keeps walks, so that a click takes one step and not all before it; seek.go and
// search.go run what takes its time, and stream.go tells of it meanwhile. The page is in the directory page:
// plain modules of JavaScript, with nothing fetched from elsewhere. It keeps the tree of where one
// has been; a place is its whole memory of a run, so that the server has no sessions: what is asked for is
// answered from the place alone, by whichever server explores the same configuration.
package explore

import (
	"crypto/rand"
	"embed"
	"io/fs"
	"net/http"
	"sync"

	"contend/checker/judge"
	"contend/model"
	"contend/traces"
	"contend/traces/walk"
)

//go:embed page
var files embed.FS

// Options say what is explored.
type Options struct {
	Protocol *model.Protocol
	// Header is a trace without steps: the variant, the configuration, the reading of time and the
	// claims that are watched.
	Header traces.Trace
	// Check is what searches search: the same, with time on the grid or dense where the header keeps it.
	Check   model.Check
	Start   walk.Place // where the page opens, unless its address says
	Command string     // the command line that explores the same, without a place
	Out     string     // the directory in which traces are saved, and nothing else anywhere
}

// A Server serves the page of one system.
type Server struct {
	Options
	system *model.System
	claims []model.Claim
	token  string
	walks  *walks
	steps  chan struct{} // what computes steps at a time
	seeks  sync.Mutex    // held by the one search at a time
}

// New makes a server, which has yet to be bound to a port. The error is bad input: a sentence about the
// configuration, or about the place where it is to start.
func New(opt Options) (*Server, error) {
	s := &Server{Options: opt, claims: judge.Watched(opt.Protocol.Statements()), token: rand.Text(), steps: make(chan struct{}, mostAtOnce)}
	var err error
	if s.system, err = opt.Protocol.System(opt.Header.Variant, opt.Header.Config.Model()); err != nil {
		return nil, err
	}
	s.walks = newWalks(opt.Protocol, &s.Header, s.claims)
	_, err = s.walks.at(opt.Start)
	return s, err
}

// Path is where the page is on its host: it has the token, which only who is told of it knows.
func (s *Server) Path() string { return "/" + s.token + "/" }

// Handler answers requests to the hosts that are named, each with its port, such as 127.0.0.1:8080.
func (s *Server) Handler(hosts ...string) http.Handler {
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // it is embedded
	}
	inside := http.NewServeMux()
	inside.Handle("GET /", http.FileServerFS(page))
	for name, do := range map[string]call{
		"begin": s.begin, "at": s.at, "take": s.take, "save": s.save, "load": s.load, "why": s.why,
	} {
		inside.Handle("POST /api/"+name, s.answers(do))
	}
	inside.HandleFunc("POST /api/nearest", s.nearest)
	inside.HandleFunc("POST /api/search", s.search)
	return &door{hosts: hosts, path: s.Path(), inside: http.StripPrefix("/"+s.token, inside)}
}
