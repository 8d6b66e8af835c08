package search

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/search/parts"
	"contend/checker/search/portable"
	"contend/checker/search/suspect"
	"contend/checker/search/visited"
	"contend/model"
)

// A stub is an exchange of two parts, of which the other one answers, or is lost, as a test says.
type stub struct {
	number int
	answer func(what parts.Kind, question []byte) ([]byte, error)
	by     func(from int, what parts.Kind, question []byte) []byte // who answers at this end
}

func (s *stub) Part() (int, int) { return s.number, 2 }

func (s *stub) Ask(_ int, what parts.Kind, question []byte) ([]byte, error) {
	return s.answer(what, question)
}

func (s *stub) Answer(by func(from int, what parts.Kind, question []byte) []byte) { s.by = by }

// What ends the search in a part is, for the part that asked it something, an error of the same kind with the same text,
// whether it is returned or a panic; and so is what ends it in a third one.
func TestErrorsReachWhoAsks(t *testing.T) {
	why := errors.New("the reason")
	for name, c := range map[string]struct {
		fails     error
		is        any // a pointer to a value of the type that the error has
		says      string
		panicking bool
	}{
		"its files":              {Storage{why}, new(Storage), "the search's files: part 2 of 2: the reason", true},
		"its checkpoint":         {badCheckpoint("%w", why), new(Storage), "the search's files: part 2 of 2: the reason", false},
		"a third part":           {parts.Lost{Err: why}, new(parts.Lost), "a part of the search is lost: part 2 of 2: the reason", true},
		"a refusal":              {model.Refused{Text: "the reason"}, new(model.Refused), "the reason", true},
		"a refusal, within":      {fmt.Errorf("about it: %w", model.Refused{Text: "the reason"}), new(model.Refused), "about it: the reason", false},
		"anything else":          {why, nil, "part 2 of 2: the reason", false},
		"its files, and refused": {errors.Join(Storage{why}, model.Refused{Text: "no"}), new(Storage), "the search's files: part 2 of 2: the reason", false},
	} {
		for _, panics := range []bool{false, true} {
			if panics && !c.panicking {
				continue
			}
			s := &stub{answer: func(parts.Kind, []byte) ([]byte, error) {
				return answering(func() ([]byte, error) {
					if panics {
						panic(c.fails)
					}
					return []byte("left out"), c.fails
				}), nil
			}}
			got, err := (&company{ex: s, of: 2}).ask(1, parts.Far, nil)
			if err == nil || err.Error() != c.says || got != nil || c.is != nil && !errors.As(err, c.is) {
				t.Errorf("%s, a panic %v: %q, %T %v; want %q", name, panics, got, err, err, c.says)
			}
			if lost := new(parts.Lost); c.is == nil && (errors.As(err, lost) || errors.As(err, new(Storage)) || isRefusal(err)) {
				t.Errorf("%s: it is a %T", name, err)
			}
		}
	}
}

// What another part says is what it was to say; that it says nothing, or that nothing comes from it, means that it is lost.
func TestAnswersReachWhoAsks(t *testing.T) {
	for name, c := range map[string]struct {
		answer []byte
		err    error
		got    string
		says   string
	}{
		"an answer":          {answer: answering(func() ([]byte, error) { return []byte("it is so"), nil }), got: "it is so"},
		"an empty one":       {answer: answering(func() ([]byte, error) { return nil, nil })},
		"nothing":            {says: "a part of the search is lost: its answer fits no question"},
		"no way to it":       {err: errors.New("cut"), says: "a part of the search is lost: part 2 of 2: cut"},
		"it says who is":     {err: parts.Lost{Err: errors.New("the third")}, says: "a part of the search is lost: the third"},
		"it says so, within": {err: fmt.Errorf("asked: %w", parts.Lost{Err: errors.New("the third")}), says: "a part of the search is lost: the third"},
	} {
		s := &stub{answer: func(parts.Kind, []byte) ([]byte, error) { return c.answer, c.err }}
		got, err := (&company{ex: s, of: 2}).ask(1, parts.Far, nil)
		lost := parts.Lost{}
		if string(got) != c.got || (err != nil) != (c.says != "") || err != nil && (err.Error() != c.says || !errors.As(err, &lost)) {
			t.Errorf("%s: %q, %v; want %q, %s", name, got, err, c.got, c.says)
		}
	}
}

// A panic that is no end of a search is not kept from who is to see it.
func TestOtherPanicsAreNoAnswers(t *testing.T) {
	defer func() {
		if p := recover(); p != "a mistake of the checker" {
			t.Errorf("%v", p)
		}
	}()
	answering(func() ([]byte, error) { panic("a mistake of the checker") })
}

// A question that cannot be read, or that comes before the search has begun, is answered by an error, and does nothing.
func TestQuestionsThatCannotBeRead(t *testing.T) {
	s := &stub{number: 1}
	sys := system(server("s", scripted{start: func(_ *scripted, env model.Env) { env.Send(0, 1) }}))
	f, err := Follow(sys, []model.Claim{never(1)}, pure(Options{}), s)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := []parts.Kind{parts.New, parts.Claim, parts.Take, parts.Expand, parts.Far, parts.Winnow, parts.Settle, parts.Send, parts.Next, parts.Keep,
		parts.Note, parts.Named, parts.Doubt, parts.Abandon + 1}
	for _, what := range all {
		if got := string(s.by(0, what, []byte{1})); got != string(rune(fails))+"it has not begun a search" {
			t.Errorf("kind %d before the search: %q", what, got)
		}
	}
	if got := s.by(0, parts.Begin, []byte("what is this")); got[0] != fails {
		t.Errorf("a beginning that cannot be read: %q", got)
	}
	if got := s.by(0, parts.Begin, written(beginning{})); got[0] != done {
		t.Fatalf("it does not begin: %q", got)
	}
	other := fingerprint.Print{}
	for other.A = 1; parts.Owner(other, 2) != 0; other.A++ {
	}
	wide := fingerprint.Print{A: 1, B: 1}
	for ; parts.Owner(wide, 2) != 1; wide.A++ {
	}
	add := func(p fingerprint.Print) []byte {
		q := parts.Ask(nil, p.B > 0, true)
		q.Add(p, 1)
		return q.Bytes()
	}
	garbage := []byte("\xffwhat is this")
	for name, c := range map[string]struct {
		what     parts.Kind
		question []byte
		says     string
	}{
		"an unknown kind":       {parts.Abandon + 1, nil, "nothing is known of questions of kind 16"},
		"what another owns":     {parts.New, add(other), "it was asked about 1 fingerprints that another part owns"},
		"what is not narrow":    {parts.New, add(wide), "it was asked about 1 fingerprints that another part owns"},
		"fingerprints":          {parts.New, garbage, ""},
		"claims":                {parts.Claim, garbage, ""},
		"claims without prints": {parts.Claim, written(claimed{stretch{0, 1}, []byte{1}}), ""},
		"states":                {parts.Take, garbage, ""},
		"an order":              {parts.Expand, garbage, ""},
		"whether to stop":       {parts.Far, garbage, ""},
		"what to winnow":        {parts.Winnow, garbage, ""},
		"what to send":          {parts.Send, garbage, ""},
		"a layer":               {parts.Next, garbage, ""},
		"no fingerprint":        {parts.Note, parts.Prints(nil, nil), "one fingerprint is asked about at a time"},
		"two fingerprints":      {parts.Note, parts.Prints(nil, make([]fingerprint.Print, 2)), "one fingerprint is asked about at a time"},
		"half a fingerprint":    {parts.Note, []byte{1, 2, 3}, "one fingerprint is asked about at a time"},
		"a tag":                 {parts.Named, garbage, ""},
		"whether it is whole":   {parts.End, garbage, ""},
	} {
		got := s.by(0, c.what, c.question)
		if got[0] != fails || c.says != "" && string(got[1:]) != c.says || len(got) == 1 {
			t.Errorf("%s: %d %q, want %q", name, got[0], got[1:], c.says)
		}
	}
	if f.x == nil || f.x.met() != 0 || f.x.layer.States != 0 || f.x.res.Depth != 0 || f.x.stop.Load() {
		t.Errorf("%d states were met, %d are to be expanded, at depth %d, stopped %v", f.x.met(), f.x.layer.States, f.x.res.Depth, f.x.stop.Load())
	}
}

// A part that has nothing to do with a search any more says that it left it.
func TestQuestionsAfterTheSearch(t *testing.T) {
	s := &stub{number: 1}
	sys := system(server("s", scripted{}))
	f, err := Follow(sys, []model.Claim{never(1)}, pure(Options{}), s)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := s.by(0, parts.Begin, written(beginning{})); got[0] != done {
		t.Fatalf("it does not begin: %q", got)
	}
	c := f.x.parts
	s.by(0, parts.Abandon, []byte("another failed"))
	if got := s.by(0, parts.Take, nil); got[0] != loses || string(got[1:]) != "another failed" {
		t.Errorf("when the search is abandoned: %q", got)
	}
	if got := s.by(0, parts.End, written(true)); len(got) != 1 || got[0] != done {
		t.Errorf("it ends: %q", got)
	}
	if got := s.by(0, parts.Far, written(false)); string(got[1:]) != "it has not begun a search" {
		t.Errorf("afterwards: %q", got)
	}
	if got := c.answer(0, parts.Take, nil); got[0] != loses || !strings.HasSuffix(string(got), "it left the search") {
		t.Errorf("of the search that ended: %q", got)
	}
	if got := (&company{}).answer(0, parts.Abandon+1, nil); got[0] != fails || string(got[1:]) != "nothing is known of questions of kind 16" {
		t.Errorf("of an unknown kind, where no search ended: %q", got)
	}
	if _, err := c.gather(0, stretch{}, nil); !reflect.DeepEqual(err, error(errLeft)) {
		t.Errorf("what is gathered then: %v", err)
	}
}

// What other parts ran, and what their sets take up, counts.
func TestPartsAddUp(t *testing.T) {
	c := &company{calls: []int64{0, 3, 30}, sums: []summary{{}, {Bytes: 5, Disk: 7}, {Bytes: 50, Disk: 70}}}
	r := &Result{HandlerCalls: 100, Bytes: 200, DiskBytes: 300}
	if c.addUp(r); r.HandlerCalls != 133 || r.Bytes != 255 || r.DiskBytes != 377 {
		t.Errorf("%d calls, %d bytes in memory, %d in files", r.HandlerCalls, r.Bytes, r.DiskBytes)
	}
}

// What other parts found to be guessed wrongly is learned: of each message the least reason, and every reason of a group.
func TestGuessesOfOtherPartsAreLearned(t *testing.T) {
	x := explored(t, unlikeAtFirst(), nil, Options{Stale: true, MaxStates: 1})
	other := explored(t, unlikeAtFirst(), nil, Options{Symmetry: true, MaxStates: 1})
	x.permute(other.sym)
	clear(x.sym.Unlike)
	c := &company{x: x, writer: portable.NewWriter(x.Engine)}
	facts := c.writer.Facts(nil, nil)
	for _, s := range []summary{
		{Facts: facts, Matter: map[string]string{"a": "2", "b": "2"}, Unlike: map[string][]string{"servers": {"one"}}},
		{Facts: facts, Matter: map[string]string{"a": "1", "b": "3", "c": "1"}, Unlike: map[string][]string{"servers": {"two"}, "clients": {"one"}}},
	} {
		c.learn(&s)
	}
	if got, want := fmt.Sprint(x.absorber.Matter), "map[a:1 b:2 c:1]"; got != want {
		t.Errorf("messages that matter: %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(x.sym.Unlike), "map[clients:[one] servers:[one two]]"; got != want {
		t.Errorf("groups that are told apart: %s, want %s", got, want)
	}
	if !x.refused() {
		t.Error("nothing is refused")
	}
}

// What other parts say of a layer is added to what this one found.
func TestLayersOfOtherPartsAreCollected(t *testing.T) {
	x := unsearched(t, never(1), never(2))
	x.generated.Store(100)
	x.locked, x.res.Cut["small"], x.res.Claims[0].Witnessed, x.tried = 1, 10, true, orders{2, 2}
	x.finals = []fingerprint.Print{{A: 1}}
	c := &company{x: x, of: 3, calls: make([]int64, 3), sums: []summary{
		{},
		{Generated: 20, Calls: 7, Locks: 2, Cut: []int64{3}, Witnessed: []bool{false, false}, Finals: [][2]uint64{{2, 0}}, Orders: orders{3, 1},
			Candidates: []suspect.Suspect{{Claim: 1, Text: "one"}}, Unfollowed: map[int]string{1: "b"}},
		{Generated: 3, Calls: 8, Locks: 4, Cut: []int64{40}, Witnessed: []bool{false, true}, Finals: [][2]uint64{{3, 0}, {4, 0}}, Orders: orders{1, 5},
			Candidates: []suspect.Suspect{{Claim: 0, Text: "two"}}, Unfollowed: map[int]string{1: "a"}, Windows: true, Holds: true, Absorbs: true},
	}}
	got := c.collect()
	for _, s := range []struct {
		what      string
		got, want any
	}{
		{"candidates", len(got), 2},
		{"steps", x.generated.Load(), int64(123)},
		{"handler calls", c.calls, []int64{0, 7, 8}},
		{"states in which time is over", x.locked, int64(7)},
		{"what a cut kept back", x.res.Cut, map[string]int64{"small": 53}},
		{"what was put to the test", x.res.witnessed(), map[int]bool{0: true, 1: true}},
		{"final states", x.finals, []fingerprint.Print{{A: 1}, {A: 2}, {A: 3}, {A: 4}}},
		{"orders that were tried", x.tried, orders{3, 5}},
		{"what is not followed", x.unfollowed, map[int]string{1: "a"}},
		{"strict windows", x.Strict.Windows, true},
		{"strict bounds", x.Strict.Any(), true},
		{"whether anything was absorbed", x.absorbs(), true},
	} {
		if !reflect.DeepEqual(s.got, s.want) {
			t.Errorf("%s: %v, want %v", s.what, s.got, s.want)
		}
	}
	for _, bad := range []summary{{Cut: []int64{1}}, {Witnessed: make([]bool, 2)}, {Cut: make([]int64, 2), Witnessed: make([]bool, 2)}, {Cut: make([]int64, 1), Witnessed: make([]bool, 2), Costs: make([]suspect.Extremes, 2)}} {
		func() {
			defer func() {
				if p := recover(); p != any(errAnswer) {
					t.Errorf("%+v: %v", bad, p)
				}
			}()
			(&company{x: x, of: 2, calls: make([]int64, 2), sums: []summary{{}, bad}}).collect()
		}()
	}
}

// The fingerprints of one name are in the order of one process, whatever part has them.
func TestNamesOfOtherPartsAreInOrder(t *testing.T) {
	want := []fingerprint.Print{{A: 1, B: 1}, {A: 1, B: 2}, {A: 2, B: 1}}
	s := &stub{answer: func(parts.Kind, []byte) ([]byte, error) {
		return answering(func() ([]byte, error) { return parts.Prints(nil, []fingerprint.Print{want[2], want[0], want[1]}), nil }), nil
	}}
	x := unsearched(t, never(1))
	x.set = visited.New(true, 1)
	defer x.set.Close()
	got, err := (&company{ex: s, of: 2, x: x}).named(1)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// Who waits for what the others found in a stretch is told why the search is abandoned.
func TestWhoWaitsIsToldWhy(t *testing.T) {
	c := &company{of: 2, claims: map[uint64]*gathering{}}
	why, came := errors.New("another failed"), make(chan error)
	go func() {
		_, err := c.gather(0, stretch{0, 1}, nil)
		came <- err
	}()
	for waits := false; !waits; {
		c.mu.Lock()
		waits = len(c.claims) == 1
		c.mu.Unlock()
	}
	c.abandon(why)
	if err := <-came; err != why {
		t.Error(err)
	}
}

// What each of several cuts kept back in another part counts.
func TestCutsOfOtherPartsAreCollected(t *testing.T) {
	s := cutAt(counting(1), 1)
	s.Cuts = append(s.Cuts, model.Cut{Name: "large", Beyond: func(model.Node) bool { return false }})
	x := explored(t, s, []model.Claim{never(1)}, Options{})
	if len(x.res.Cut) != 2 {
		t.Errorf("%v are named", x.res.Cut)
	}
	c := &company{x: x, of: 2, calls: make([]int64, 2), sums: []summary{{}, {Cut: []int64{3, 5}, Witnessed: []bool{false}}}}
	if c.collect(); x.res.Cut["small"] != 3 || x.res.Cut["large"] != 5 {
		t.Errorf("%v", x.res.Cut)
	}
}
