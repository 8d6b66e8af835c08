package refine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/claims"
)

// A speaker notes what its script says, each word in a step of its own.
type speaker struct{ says func(env model.Env, word any) }

func (s *speaker) Invoke(env model.Env, word any) {
	s.says(env, word)
	env.Return(nil)
}

// speaking is a protocol of one node that is invoked with words.
func speaking(name string, says func(env model.Env, word any), words ...any) *model.Protocol {
	var script []model.Op
	for _, w := range words {
		script = append(script, model.Op{Call: w, After: model.Anytime()})
	}
	return of(name, script, func() model.Node { return &speaker{says} })
}

func of(name string, script []model.Op, node func() model.Node) *model.Protocol {
	return &model.Protocol{Name: name, Title: name, Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Types: []any{tick{}}, Nodes: []model.NodeSpec{{Name: "p", Role: model.Peer, Script: script, New: node}}}, nil
	}}
}

func note(env model.Env, word any) { env.Note(word) }

// noted sees what is noted, and hides all else.
func noted(page *model.Protocol) model.Claim {
	c := claims.Refines(page, func(o model.Observation) (model.Observation, bool) { return o, o.Kind == model.Noted })
	c.Refinement.Hides = func(o model.Observation) bool { return o.Kind != model.Noted }
	return c
}

// decide checks whether a protocol refines a page.
func decide(t *testing.T, p *model.Protocol, c model.Claim) checker.ClaimResult {
	t.Helper()
	own := *p
	own.Claims = []model.Claim{c}
	rows, err := checker.Check(&own, model.Check{}, checker.Options{Workers: 1})
	require.NoError(t, err)
	require.Len(t, rows[0].Claims, 1, "no handler fails")
	return rows[0].Claims[0]
}

// What a run shows has to be the beginning of what some run of the page shows.
func TestTraceInclusion(t *testing.T) {
	either := speaking("either", func(env model.Env, word any) {
		if env.Choose(2) == 0 {
			env.Note(word)
		} else {
			env.Note("other")
		}
	}, "a", "b")
	both := speaking("both", func(env model.Env, word any) { env.Note(word); env.Note("and") }, "a")
	late := speaking("late", func(env model.Env, word any) { // what comes first is decided by a silent step
		if word == "skip" {
			return
		}
		env.Note(word)
	}, "skip", "a", "skip", "b")
	owing := speaking("owing", func(env model.Env, word any) {
		if word != "skip" {
			env.Note(word)
		}
		if word == "a" {
			env.Note("and")
		}
	}, "a", "skip", "b")
	three := speaking("three", func(env model.Env, word any) { env.Note(word); env.Note("and"); env.Note("end") }, "a", "b")
	for name, x := range map[string]struct {
		page *model.Protocol
		says []any
		want checker.Verdict
	}{
		"the page itself":                  {either, []any{"a", "b"}, checker.Holds},
		"another choice":                   {either, []any{"other", "other"}, checker.Holds},
		"a beginning":                      {either, []any{"a"}, checker.Holds},
		"what no choice shows":             {either, []any{"b"}, checker.Violated},
		"more than the page":               {either, []any{"a", "b", "b"}, checker.Violated},
		"the order":                        {either, []any{"b", "a"}, checker.Violated},
		"silent steps before and between":  {late, []any{"a", "b"}, checker.Holds},
		"silent steps leave nothing out":   {late, []any{"b"}, checker.Violated},
		"a step that shows two things":     {both, []any{"a", "and"}, checker.Holds},
		"what a step has still to show":    {both, []any{"a", "a"}, checker.Violated},
		"half of a step that shows two":    {both, []any{"a"}, checker.Holds},
		"a silent step comes after it":     {owing, []any{"a", "and", "b"}, checker.Holds},
		"and not in its place":             {owing, []any{"a", "b"}, checker.Violated},
		"the second of a step comes first": {both, []any{"and"}, checker.Violated},
		"two steps that show three things": {three, []any{"a", "and", "end", "b", "and", "end"}, checker.Holds},
		"the third thing is left out":      {three, []any{"a", "and", "b"}, checker.Violated},
		"the third thing is another":       {three, []any{"a", "and", "and"}, checker.Violated},
		"a fourth thing":                   {three, []any{"a", "and", "end", "end"}, checker.Violated},
	} {
		got := decide(t, speaking("speaker", note, x.says...), noted(x.page))
		assert.Equal(t, x.want, got.Verdict, "%s: %s", name, got.Text)
	}
}

// What is not seen is a step of its own that the page does not take part in.
func TestStuttering(t *testing.T) {
	c := noted(speaking("page", note, "a"))
	see := c.Refinement.See
	c.Refinement.See = func(o model.Observation) (model.Observation, bool) {
		if o.Value == "private" {
			return o, false
		}
		return see(o)
	}
	assert.Equal(t, checker.Holds, decide(t, speaking("p", note, "private", "a", "private"), c).Verdict)
}

// A node without a script is invoked by what is seen, with what was seen; one with a script is not.
func TestDrivenByWhatIsSeen(t *testing.T) {
	echo := func(env model.Env, word any) { env.Note(word) }
	for name, x := range map[string]struct {
		script []any
		want   checker.Verdict
	}{"driven": {nil, checker.Holds}, "as its script says": {[]any{"a", "b"}, checker.Holds}, "another script": {[]any{"b", "a"}, checker.Violated}} {
		page := speaking("echo", echo, x.script...)
		c := claims.Refines(page, func(o model.Observation) (model.Observation, bool) { return o, true })
		assert.Equal(t, x.want, decide(t, speaking("p", note, "a", "b"), c).Verdict, name)
	}
}

// answering is a protocol of two nodes that are each invoked once, and note something. To the page both are its one
// node: an invocation of the first node is operation 0, an invocation of the second is operation 1.
func answering(name string, calls, notes [2]any) *model.Protocol {
	return &model.Protocol{Name: name, Title: name, Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c}
		for i, call := range calls {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: []string{"p", "q"}[i], Role: model.Peer, Script: words(call), New: func() model.Node {
				return &speaker{func(env model.Env, _ any) { env.Note(notes[i]) }}
			}})
		}
		return s, nil
	}}
}

// asOne maps both nodes of a system to the one node of its page, and shows what some kinds of observations show.
func asOne(page *model.Protocol, hides func(o model.Observation) bool, kinds ...model.ObservationKind) model.Claim {
	c := claims.Refines(page, func(o model.Observation) (model.Observation, bool) {
		shown := slices.Contains(kinds, o.Kind)
		o.Op, o.Node = int(o.Node), 0
		return o, shown
	})
	c.Refinement.Hides = hides
	return c
}

// What a page shows after an invocation may depend on the number of its operation, which Hides may read: the answer for
// one number is no answer for another. This page shows the invocation of one operation only.
func TestAnswersByTheNumberOfTheOperation(t *testing.T) {
	page := of("echo", nil, func() model.Node { return &speaker{func(model.Env, any) {}} })
	for hidden := range 2 {
		c := asOne(page, func(o model.Observation) bool { return o.Kind == model.Returned || o.Op == hidden }, model.Invoked)
		got := decide(t, answering("system", [2]any{"a", "a"}, [2]any{0, 0}), c)
		assert.Equal(t, checker.Violated, got.Verdict)
		assert.Equal(t, 1, got.Steps, "operation %d is invoked first", hidden)
	}
}

// A picker notes, in a step of its own, one of the numbers that its invocation allows.
type picker struct{ Picked int }

func (n *picker) Invoke(env model.Env, call any) {
	allowed := map[any][]int{"a": {0, 1, 2}, "b": {0, 1, 3}}[call]
	n.Picked = allowed[env.Choose(len(allowed))]
	env.After(tick{}, model.Anytime())
	env.Return(nil)
}

func (n *picker) Timeout(env model.Env, _ any) { env.Note(n.Picked) }

// Answers are told apart by all states in which the page may be: after a and after b two of three states are the same.
func TestAnswersByTheWholeSet(t *testing.T) {
	page := of("picker", nil, func() model.Node { return &picker{} })
	for _, x := range []struct {
		notes [2]any
		want  checker.Verdict
	}{{[2]any{2, 3}, checker.Holds}, {[2]any{1, 0}, checker.Holds}, {[2]any{2, 2}, checker.Violated}, {[2]any{3, 3}, checker.Violated}} {
		c := asOne(page, func(o model.Observation) bool { return o.Kind == model.Returned }, model.Invoked, model.Noted)
		assert.Equal(t, x.want, decide(t, answering("system", [2]any{"a", "b"}, x.notes), c).Verdict, x.notes)
	}
}

// A violation says what was seen and what the page would have shown.
func TestViolationSaysWhatThePageAllows(t *testing.T) {
	got := decide(t, speaking("p", note, "a", "c"), noted(speaking("page", note, "a", "b")))
	assert.Equal(t, `p: the page page does not show "c" here, but "b"`, got.Text)
}

// counter counts for ever, silently.
type counter struct{ N int }

type tick struct{}

func (c *counter) Start(env model.Env) { env.After(tick{}, model.Anytime()) }

func (c *counter) Timeout(env model.Env, _ any) {
	c.N++
	env.After(tick{}, model.Anytime())
}

func (c *counter) Invoke(env model.Env, word any) {
	env.Note(word)
	env.Return(nil)
}

// A page whose silent steps do not end is refused before anything is seen, and one whose steps do not
// end afterwards leaves the claim open: never is it a pass, though nothing is violated.
func TestEndlessPage(t *testing.T) {
	page := of("endless", nil, func() model.Node { return &counter{} })
	own := *speaking("p", note, "a")
	own.Claims = []model.Claim{noted(page)}
	_, err := checker.Check(&own, model.Check{}, checker.Options{Workers: 1})
	require.Error(t, err)
	assert.Contains(t, err.Error(), "page endless: it comes to more than")

	got := decide(t, speaking("p", note, "a", "b"), noted(of("endless", words("a", "b"), func() model.Node { return &waiting{} })))
	assert.Equal(t, checker.Inconclusive, got.Verdict, got.Text)
	assert.Equal(t, "page states", got.Limit.String())
}

// hoarder keeps more and more, silently.
type hoarder struct{ Kept []string }

func (h *hoarder) Start(env model.Env) { env.After(tick{}, model.Anytime()) }

func (h *hoarder) Timeout(env model.Env, _ any) {
	h.Kept = append(h.Kept, strings.Repeat("x", 1<<20))
	env.After(tick{}, model.Anytime())
}

// A page of few states that grow without end is refused while they are small.
func TestGrowingPage(t *testing.T) {
	own := *speaking("p", note, "a")
	own.Claims = []model.Claim{noted(of("growing", nil, func() model.Node { return &hoarder{} }))}
	_, err := checker.Check(&own, model.Check{}, checker.Options{Workers: 1})
	require.Error(t, err)
	assert.Contains(t, err.Error(), "16 MiB of them, before it shows anything")
}

func words(all ...any) (script []model.Op) {
	for _, w := range all {
		script = append(script, model.Op{Call: w, After: model.Anytime()})
	}
	return script
}

// waiting begins to count when it is invoked.
type waiting struct{ N int }

func (w *waiting) Timeout(env model.Env, _ any) {
	w.N++
	env.After(tick{}, model.Anytime())
}

func (w *waiting) Invoke(env model.Env, word any) {
	env.After(tick{}, model.Anytime())
	env.Note(word)
	env.Return(nil)
}

// A leaper counts words, may leap far at the first, and is silent.
type leaper struct{ N, Words int }

func (l *leaper) Invoke(env model.Env, word any) {
	l.Words++
	if word == "a" && env.Choose(2) == 1 {
		l.N = 4
	}
	env.Return(nil)
}

// A page that is cut is not said to have shown all that it may: what it does not show leaves the
// claim open.
func TestCutPage(t *testing.T) {
	cut := func(name string, node func() model.Node, size func(n model.Node) int, says ...any) *model.Protocol {
		page := *of(name, words(says...), node)
		build := page.Build
		page.Build = func(c model.Config) (*model.System, error) {
			s, err := build(c)
			s.Cuts = []model.Cut{{Name: "three", Beyond: func(n model.Node) bool { return size(n) > 3 }}}
			return s, err
		}
		return &page
	}
	counts := cut("counts", func() model.Node { return &waiting{} }, func(n model.Node) int { return n.(*waiting).N }, "a", "b")
	leaps := cut("leaps", func() model.Node { return &leaper{} }, func(n model.Node) int { return n.(*leaper).N }, "a", "b") // the cut is before its last steps
	// A node without a script is invoked by what is seen, and the cut keeps it from that.
	driven := cut("driven", func() model.Node { return &leaper{} }, func(n model.Node) int { return n.(*leaper).N + 4*n.(*leaper).Words })
	invoked := claims.Refines(driven, func(o model.Observation) (model.Observation, bool) { return o, o.Kind == model.Invoked })
	for _, x := range []struct {
		page  model.Claim
		words []any
		want  checker.Verdict
	}{{noted(counts), []any{"a", "b"}, checker.Holds}, {noted(counts), []any{"a", "c"}, checker.Inconclusive}, {noted(leaps), []any{"a"}, checker.Inconclusive},
		{invoked, []any{"b"}, checker.Inconclusive}} {
		got := decide(t, speaking("p", note, x.words...), x.page)
		assert.Equal(t, x.want, got.Verdict, got.Text)
		if x.want == checker.Inconclusive {
			assert.Equal(t, "page cut", got.Limit.String())
		}
	}
}

// A step that an invocation drives shows all that it shows, in order, however much that is.
func TestDrivenStepsThatShowSeveralThings(t *testing.T) {
	counts := func(most int) func(env model.Env, _ any) {
		return func(env model.Env, _ any) {
			for i := range most {
				env.Note(i)
			}
		}
	}
	for most := 1; most < 6; most++ {
		for shows, want := range map[int]checker.Verdict{most: checker.Holds, most + 1: checker.Violated} {
			c := claims.Refines(speaking("page", counts(most)), func(o model.Observation) (model.Observation, bool) { return o, true })
			assert.Equal(t, want, decide(t, speaking("p", counts(shows), "a"), c).Verdict, "%d of %d things", shows, most)
		}
		less := claims.Refines(speaking("page", counts(most+1)), func(o model.Observation) (model.Observation, bool) { return o, true })
		assert.Equal(t, checker.Violated, decide(t, speaking("p", counts(most), "a"), less).Verdict, "the last of %d things is left out", most+1)
	}
}

// Two steps that show the same first may show different things afterwards. Both are taken.
func TestStepsThatBeginAlike(t *testing.T) {
	page := speaking("fork", func(env model.Env, word any) { env.Note(word); env.Note(env.Choose(3)) }, "a")
	for end := range 4 {
		want := map[bool]checker.Verdict{true: checker.Holds, false: checker.Violated}[end < 3]
		assert.Equal(t, want, decide(t, speaking("p", note, "a", end), noted(page)).Verdict, "%d", end)
	}
}

// A node without a script releases when that is seen, and what it shows then is held to it.
func TestReleasesDriveANode(t *testing.T) {
	leaving := func(name string, script []model.Op, word any) *model.Protocol {
		return of(name, script, func() model.Node {
			return &leaver{func(env model.Env, call any) {
				if call == "leave" {
					env.Note(word)
				} else {
					env.Return(nil)
				}
			}}
		})
	}
	script := []model.Op{{Call: "a", After: model.Anytime(), Release: "leave", Stay: model.Anytime()}}
	page := leaving("page", nil, "left")
	c := claims.Refines(page, func(o model.Observation) (model.Observation, bool) { return o, true })
	assert.Equal(t, checker.Holds, decide(t, leaving("p", script, "left"), c).Verdict)
	assert.Equal(t, checker.Violated, decide(t, leaving("p", script, "stays"), c).Verdict)
}

// A leaver does as it says.
type leaver struct{ says func(env model.Env, call any) }

func (l *leaver) Invoke(env model.Env, call any) { l.says(env, call) }
