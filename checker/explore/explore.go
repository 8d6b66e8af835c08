// Package explore serves a page for stepping through the states of a system. The page shows the possible
// events, faults and lies of each node, a picture of the run, the state, and the claims. It can search for
// the nearest state of a predicate, and search exhaustively.
//
// access.go admits only the page's own requests. api.go has the calls of the page, and view.go the view of a
// place. walks.go caches walks, so that a click takes one step and not the whole run. nearest.go and
// search.go run long searches, and stream.go reports their progress. The directory page has plain JavaScript
// modules, without external resources. The page keeps the tree of visited places. A place determines a run,
// so the server has no sessions: any server of the same configuration answers any request.
package explore

import (
	"crypto/rand"
	"embed"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"contend/checker/judge"
	"contend/model"
	"contend/traces"
	"contend/traces/walk"
)

//go:embed page
var files embed.FS

// Options configure a server.
type Options struct {
	Protocol *model.Protocol
	// Header is a trace without steps: variant, configuration, interpretation of time, and watched claims.
	Header traces.Trace
	// Check configures searches. It has the header's configuration; time is on the grid, or dense as in the
	// header.
	Check   model.Check
	Start   walk.Place // initial place of the page
	Command string     // command line of this exploration, without a place
	Out     string     // directory of saved traces
}

// A Server serves the page of one system.
type Server struct {
	Options
	system *model.System
	claims []model.Claim
	token  string
	walks  *walks
	steps  chan struct{} // a slot for each request that steps
	// patience and writing are the limits of the same name. Tests shorten them.
	patience, writing time.Duration
	seeks             sync.Mutex // held by the running search
}

// New returns a server that is not yet bound to a port. The error is one sentence about the configuration or
// the initial place.
func New(opt Options) (*Server, error) {
	s := &Server{Options: opt, claims: judge.Watched(opt.Protocol.Statements()), token: rand.Text(), steps: make(chan struct{}, maxConcurrent),
		patience: patience, writing: writing}
	var err error
	if s.system, err = opt.Protocol.System(opt.Header.Variant, opt.Header.Config.Model()); err != nil {
		return nil, err
	}
	s.walks = newWalks(opt.Protocol, &s.Header, s.claims)
	_, err = s.walks.get(opt.Start)
	return s, err
}

// Path returns the path of the page. It contains the secret token.
func (s *Server) Path() string { return "/" + s.token + "/" }

// Handler returns the server's HTTP handler. It accepts requests to the listed hosts, each with its port,
// such as 127.0.0.1:8080.
func (s *Server) Handler(hosts ...string) http.Handler {
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // it is embedded
	}
	inside := http.NewServeMux()
	inside.Handle("GET /", http.FileServerFS(page))
	for name, do := range map[string]call{
		"begin": s.begin, "at": s.viewPlace, "take": s.chooseStep, "save": s.save, "load": s.load, "why": s.explain,
	} {
		inside.Handle("POST /api/"+name, s.handler(do))
	}
	inside.HandleFunc("POST /api/nearest", s.nearest)
	inside.HandleFunc("POST /api/search", s.search)
	return &gate{hosts: hosts, path: s.Path(), inside: http.StripPrefix("/"+s.token, inside)}
}
