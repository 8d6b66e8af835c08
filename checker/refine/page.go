package refine

import (
	"fmt"
	"strings"
	"sync"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// In how many states a page may be before it is no longer followed, and how many bytes their canonical forms may have together: a page
// that sends more than it receives has few states, each larger than the one before.
const (
	mostStates = 1 << 13
	mostBytes  = 16 << 20
)

// pages are the pages of a refinement that were needed, by how they are built.
type pages struct {
	model.Refinement
	lock  sync.Mutex
	built map[at]*page
}

type at struct {
	variant string
	config  model.Config
}

func newPages(r model.Refinement) *pages { return &pages{Refinement: r, built: map[at]*page{}} }

// beside is the page as it stands beside a system.
func (all *pages) beside(s *model.System) *page {
	stands := all.Where(s)
	key := at{stands.Variant, stands.Config}
	all.lock.Lock()
	defer all.lock.Unlock()
	p := all.built[key]
	if p == nil {
		p = newPage(all.Refinement, key)
		all.built[key] = p
	}
	return p
}

// A page remembers the steps of its states, and which sets follow which, for all who watch runs of
// one system. Nothing that it answers depends on what it was asked before.
type page struct {
	model.Refinement
	system  *model.System
	codec   *value.Codec
	setting *world.Setting

	lock   sync.Mutex
	begins answer            // where it may be before anything is seen
	known  map[string]*state // by canonical bytes
	follow map[string]answer // by the bytes of a set and of an input
}

// An answer is the set that follows another.
type answer struct {
	next  States
	cut   bool // a cut of the page left some out
	large bool // the set is beyond a limit: next is empty, and cut is false
}

// mostAnswers is how many are remembered at a time.
const mostAnswers = 1 << 16

// Opaque says that a page is a memory of answers, and no configuration that a monitor may change.
func (*page) Opaque() {}

// newPage builds a page that is a function of its refinement and its key: every system beside which it stands so shares it.
func newPage(r model.Refinement, stands at) *page {
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
	p.begin()
	return p
}

// after returns the states in which the page may be after an input. It takes each state of the set by the steps that show
// the input, and closes the result under silent steps: a search over states that are each expanded once, however many
// sets contain them. The answer is a function of the set and of the whole input, and is remembered by both.
func (p *page) after(may States, in input) answer {
	p.lock.Lock()
	defer p.lock.Unlock()
	key := value.Canonical(may) + value.Canonical(in)
	if a, known := p.follow[key]; known {
		return a
	}
	var all outcome
	for _, s := range may {
		one := p.state(s).by(p, in)
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

// closure returns the states that silent steps lead to from some, these included. It goes breadth first: a way that never ends leads
// to larger and larger states, and a limit is met before they are large.
func (p *page) closure(from []*state) (a answer) {
	met, bytes := map[*state]bool{}, 0
	for len(from) > 0 {
		s := from[0]
		from = from[1:]
		if met[s] {
			continue
		}
		if bytes += s.bytes; len(met) == mostStates || bytes > mostBytes {
			return answer{large: true} // what was met so far depends on the order of the set
		}
		met[s] = true
		a.next = append(a.next, s.State)
		s.expand(p)
		a.cut = a.cut || s.cut
		from = append(from, s.silent...)
	}
	return a
}

// state is what is known of a state.
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
