package refine

import (
	"fmt"
	"strings"
	"sync"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// Limits of a set of states: number, and total canonical bytes. A page that sends more than it receives has
// few, but growing states.
const (
	mostStates = 1 << 13
	mostBytes  = 16 << 20
)

// A pages caches the pages of a refinement, by variant and configuration.
type pages struct {
	model.Refinement
	lock  sync.Mutex
	built map[pageKey]*page
}

type pageKey struct {
	variant string
	config  model.Config
}

func newPages(r model.Refinement) *pages { return &pages{Refinement: r, built: map[pageKey]*page{}} }

// get returns the page for a system.
func (all *pages) get(s *model.System) *page {
	stands := all.Where(s)
	key := pageKey{stands.Variant, stands.Config}
	all.lock.Lock()
	defer all.lock.Unlock()
	p := all.built[key]
	if p == nil {
		p = newPage(all.Refinement, key)
		all.built[key] = p
	}
	return p
}

// A page caches the steps of its states, and the successors of sets of states, for all monitors of one
// system. Its results do not depend on earlier calls.
type page struct {
	model.Refinement
	system  *model.System
	codec   *value.Codec
	setting *world.Setting

	lock    sync.Mutex
	initial answer            // before any observation
	known   map[string]*state // by canonical bytes
	follow  map[string]answer // by the canonical bytes of a set and of an input
}

// An answer is the successor of a set of states.
type answer struct {
	next  States
	cut   bool // a cut of the page prevented some states
	large bool // beyond a limit: next is empty, and cut is false
}

// mostAnswers is the maximum number of cached answers.
const mostAnswers = 1 << 16

// Opaque marks a page as a cache: it is no configuration of its monitor.
func (*page) Opaque() {}

// newPage builds a page. The page is a function of its refinement and its key, so that systems share it.
func newPage(r model.Refinement, stands pageKey) *page {
	p := &page{Refinement: r, known: map[string]*state{}, follow: map[string]answer{}}
	var err error
	if p.system, err = r.Page.System(stands.variant, stands.config); err == nil {
		if p.codec, err = value.New(p.system); err == nil {
			p.setting, err = world.Prepare(p.system, p.codec, nil)
		}
	}
	if err != nil {
		model.Refuse("page %s: %v", r.Page.Name, err)
	}
	p.initialize()
	return p
}

// after returns the possible states of the page after an input. It takes the steps of each state that show
// the input, and then any silent steps. Each state is expanded once, however many sets contain it. The result
// is a function of the set and the input, and cached by both.
func (p *page) after(may States, in input) answer {
	p.lock.Lock()
	defer p.lock.Unlock()
	key := value.Canonical(may) + value.Canonical(in)
	if a, known := p.follow[key]; known {
		return a
	}
	var all outcome
	for _, s := range may {
		one := p.state(s).successors(p, in)
		all.next, all.cut = append(all.next, one.next...), all.cut || one.cut
	}
	a := p.closure(all.next)
	a.cut = !a.large && (a.cut || all.cut)
	if len(p.follow) == mostAnswers {
		clear(p.follow)
	}
	p.follow[key] = a
	return a
}

// closure returns the given states and all states that silent steps reach from them. The search is
// breadth-first: the states of an endless path grow, and a limit ends the search before they are large.
func (p *page) closure(from []*state) (a answer) {
	met, bytes := map[*state]bool{}, 0
	for len(from) > 0 {
		s := from[0]
		from = from[1:]
		if met[s] {
			continue
		}
		if bytes += s.bytes; len(met) == mostStates || bytes > mostBytes {
			return answer{large: true} // a partial result would depend on the order of the set
		}
		met[s] = true
		a.next = append(a.next, s.State)
		s.expand(p)
		a.cut = a.cut || s.cut
		from = append(from, s.silent...)
	}
	return a
}

// state returns the cached steps of a state.
func (p *page) state(s State) *state {
	key := value.Canonical(s)
	if p.known[key] == nil {
		p.known[key] = &state{State: s, bytes: len(key), shows: map[string]outcome{}}
	}
	return p.known[key]
}

// refuse ends a check because of its page.
func (p *page) refuse(format string, args ...any) {
	model.Refuse("page %s: %s", p.Page.Name, strings.TrimSpace(fmt.Sprintf(format, args...)))
}
