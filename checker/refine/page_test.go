package refine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/pages"
	"contend/model"
	"contend/model/claims"
)

// A believer notes what arrives.
type believer struct{}

func (believer) Receive(env model.Env, _ model.NodeID, m any) { env.Note(m) }

// What a liar of the page makes up is a step of the page.
func TestPageWithALiar(t *testing.T) {
	page := &model.Protocol{Name: "lied to", Title: "lied to", Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Types: []any{""}, Nodes: []model.NodeSpec{
			{Name: "p", Role: model.Peer, New: func() model.Node { return &believer{} }},
			{Name: "liar", Role: model.Server, Byzantine: true, New: func() model.Node { return &believer{} }},
		}, Forge: func(model.Node, model.NodeID, model.NodeID) []any { return []any{"lie"} }}, nil
	}}
	assert.Equal(t, checker.Holds, decide(t, speaking("p", note, "lie", "lie"), noted(page)).Verdict)
	assert.Equal(t, checker.Violated, decide(t, speaking("p", note, "truth"), noted(page)).Verdict)
}

// It matters which node shows something, and as what.
func TestWhoShowsItAndHow(t *testing.T) {
	two := func(name string, north, south func(env model.Env, word any)) *model.Protocol {
		return &model.Protocol{Name: name, Title: name, Build: func(c model.Config) (*model.System, error) {
			s := &model.System{Config: c}
			for i, says := range []func(env model.Env, word any){north, south} {
				s.Nodes = append(s.Nodes, model.NodeSpec{Name: []string{"north", "south"}[i], Role: model.Peer,
					Script: []model.Op{{Call: "a", After: model.Anytime()}}, New: func() model.Node { return &speaker{says} }})
			}
			return s, nil
		}}
	}
	silent := func(model.Env, any) {}
	deliver := func(env model.Env, word any) { env.Deliver(word) }
	shown := func(page *model.Protocol) model.Claim {
		only := func(o model.Observation) bool { return o.Kind == model.Noted || o.Kind == model.Delivered }
		c := claims.Refines(page, func(o model.Observation) (model.Observation, bool) { return o, only(o) })
		c.Refinement.Hides = func(o model.Observation) bool { return !only(o) }
		return c
	}
	page := shown(two("page", note, silent))
	assert.Equal(t, checker.Holds, decide(t, two("same", note, silent), page).Verdict)
	assert.Equal(t, checker.Violated, decide(t, two("another node", silent, note), page).Verdict)
	assert.Equal(t, checker.Violated, decide(t, two("another kind", deliver, silent), page).Verdict)
}

// A chooser chooses as it starts, and notes what.
type chooser struct{ Chosen int }

func (c *chooser) Start(env model.Env) { c.Chosen = 3*env.Choose(2) + env.Choose(3) }

func (c *chooser) Invoke(env model.Env, _ any) {
	env.Note(c.Chosen)
	env.Return(nil)
}

// A page may begin in every way to answer what its nodes choose as they start.
func TestPageBeginsInEveryWay(t *testing.T) {
	page := of("chooser", words("what?"), func() model.Node { return &chooser{} })
	for chosen := range 7 {
		want := map[bool]checker.Verdict{true: checker.Holds, false: checker.Violated}[chosen < 6]
		assert.Equal(t, want, decide(t, speaking("p", note, chosen), noted(page)).Verdict, chosen)
	}
}

// A page with a handler that fails shows nothing that could be held to it: it is refused, in whatever step it fails.
func TestPageThatFails(t *testing.T) {
	fails := func(model.Env, any) { panic("no page") }
	for name, page := range map[string]*model.Protocol{
		"as it starts":         of("failing", nil, func() model.Node { return &startled{} }),
		"in a step":            speaking("failing", fails, "a"),
		"in one that is shown": speaking("failing", fails),
	} {
		own := *speaking("p", note, "a")
		own.Claims = []model.Claim{claims.Refines(page, func(o model.Observation) (model.Observation, bool) { return o, true })}
		_, err := checker.Check(&own, model.Check{}, checker.Options{Workers: 1})
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), "page failing: a handler fails: ", name)
	}
}

// A page that is not for a system says so, and one that cannot say where it stands is bad input as well.
func TestPageThatIsNotForTheSystem(t *testing.T) {
	for want, at := range map[string]func(*model.System) model.Check{
		"page words: nobody speaks twice": func(*model.System) model.Check { model.Misused("nobody speaks twice"); return model.Check{} },
		"page words: At panics: no place": func(*model.System) model.Check { panic("no place") },
	} {
		own := *speaking("p", note, "a")
		claim := noted(speaking("words", note, "a"))
		claim.Refinement.At = at
		own.Claims = []model.Claim{claim}
		_, err := checker.Check(&own, model.Check{}, checker.Options{Workers: 1})
		assert.ErrorContains(t, err, want)
	}
}

// Nobody is seen to leave a lock in a system whose scripts have no release.
func TestLockThatNobodyLeaves(t *testing.T) {
	own := *speaking("p", note, "a")
	own.Claims = []model.Claim{pages.RefinesLock()}
	_, err := checker.Check(&own, model.Check{}, checker.Options{Workers: 1})
	assert.ErrorContains(t, err, "page lock: no operation of the system has a release, so nobody is seen to leave the lock")
}

// startled fails as it starts.
type startled struct{}

func (startled) Start(model.Env) { panic("no page") }

// What the page may show is told with the names of its nodes where it has several, and in few words where it may show a lot.
func TestWhatThePageAllowsInWords(t *testing.T) {
	several := &model.Protocol{Name: "several", Title: "several", Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c}
		for _, name := range []string{"north", "south"} {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Peer, New: func() model.Node { return &speaker{says: note} }})
		}
		return s, nil
	}}
	c := claims.Refines(several, func(o model.Observation) (model.Observation, bool) { return o, o.Kind == model.Noted })
	got := decide(t, speaking("p", note, "a"), c)
	assert.Equal(t, `p: the page several does not show "a" at north here, but an invocation at north, or an invocation at south`, got.Text)

	for n, want := range map[int]string{6: ", or 5", 7: ", or 5, or 6", 8: ", or 5, or 2 other things"} {
		page := speaking("many", func(env model.Env, _ any) { env.Note(env.Choose(n)) }, "a")
		text := decide(t, speaking("p", note, "a"), noted(page)).Text
		assert.Equal(t, `p: the page many does not show "a" here, but 0, or 1, or 2, or 3, or 4`+want, text, fmt.Sprint(n))
	}
}

// A toggler turns itself on and off without end, unseen.
type toggler struct{ On bool }

func (*toggler) Start(env model.Env) { env.After("turn", model.Anytime()) }

func (n *toggler) Timeout(env model.Env, _ any) {
	n.On = !n.On
	env.After("turn", model.Anytime())
}

func (n *toggler) Invoke(env model.Env, word any) {
	env.Note(n.On)
	env.Return(nil)
}

// A page whose silent steps go round is in each of its states once.
func TestSilentStepsThatGoRound(t *testing.T) {
	page := of("toggler", words("a", "b"), func() model.Node { return &toggler{} })
	assert.Equal(t, checker.Holds, decide(t, speaking("p", note, true, false), noted(page)).Verdict)
	assert.Equal(t, checker.Violated, decide(t, speaking("p", note, true, false, true), noted(page)).Verdict)
}

// A page takes no part in what is seen of a node that it does not have.
func TestNodesThatThePageHasNot(t *testing.T) {
	two := &model.Protocol{Name: "two", Title: "two", Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c}
		for _, name := range []string{"north", "south"} {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Peer, Script: []model.Op{{Call: "a", After: model.Anytime()}},
				New: func() model.Node { return &speaker{says: note} }})
		}
		return s, nil
	}}
	page := of("one", nil, func() model.Node { return &speaker{says: note} })
	got := decide(t, two, claims.Refines(page, func(o model.Observation) (model.Observation, bool) { return o, true }))
	assert.Equal(t, checker.Violated, got.Verdict)
	assert.Contains(t, got.Text, `the page one does not show invoked "a" here`)
}

// A node that is noted is told by its name, and one that there is not by its number.
func TestNamesOfNodes(t *testing.T) {
	page := speaking("page", note)
	for id, want := range map[model.NodeID]string{0: "p", 1: "node 1", -1: "node -1"} {
		text := decide(t, speaking("p", func(env model.Env, _ any) { env.Note(id) }, "a"), noted(page)).Text
		assert.Contains(t, text, "the page page does not show "+want+" here")
	}
}

// An invocation that is mapped to no node of the page is one that the page does not show.
func TestInvocationsAtNodesThatThePageHasNot(t *testing.T) {
	page := speaking("page", note)
	for _, at := range []model.NodeID{-1, 1} {
		c := claims.Refines(page, func(o model.Observation) (model.Observation, bool) {
			o.Node = at
			return o, o.Kind == model.Invoked
		})
		assert.Equal(t, checker.Violated, decide(t, speaking("p", note, "a"), c).Verdict, "node %d", at)
	}
}
