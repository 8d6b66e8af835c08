package foreign_test

import (
	"errors"
	"fmt"
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/foreign"
)

// A holder gets words, each once, and has an action for each. It fails if bad is set. The other fields are for
// the cases below.
type holder struct {
	said map[string]bool
	bad  bool
	do   func(*holder, string)

	set   map[*item]bool
	cur   *item
	held  any
	a, b  []int
	box   item
	at    *int
	inner struct {
		count int
		order string
		armed bool
	}
	next func() int
}

type item struct{ n int }

// A crowd sends words, all at once.
type crowd struct{ words []string }

func (c *crowd) Start(env model.Env) {
	for _, word := range c.words {
		env.Send(0, word)
	}
}

func (c *crowd) Receive(model.Env, model.NodeID, any) {}

func (h *holder) Receive(_ model.Env, _ model.NodeID, m any) { h.do(h, m.(string)) }

// held searches a system of a holder and of crowds, in one order of the nodes.
func held(words []string, omit []string, do func(*holder, string)) (*checker.Row, error) {
	lib := &foreign.Library[*holder, bool]{
		New:  func() *holder { return &holder{said: map[string]bool{}, set: map[*item]bool{}, do: do} },
		View: func(h *holder) bool { return h.bad },
		Omit: omit,
	}
	p := &model.Protocol{Name: "holding", Title: "it holds things", Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Network: model.Network{Delay: model.Anytime()}, Types: []any{""},
			Nodes: []model.NodeSpec{{Name: "holder", Role: model.Server, New: lib.Node}}}
		for i, word := range words {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("says ", i, word), Role: model.Server, New: func() model.Node { return &crowd{strings.Fields(word)} }})
		}
		return s, nil
	}, Claims: []model.Claim{{Name: "it is right", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[0] != nil && nodes[0].(*foreign.Node[bool]).View {
			return errors.New("it is wrong")
		}
		return nil
	}}}}
	rows, err := checker.Check(p, model.Check{}, checker.Options{})
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

var sixOrders = [][]string{{"a", "b", "c"}, {"a", "c", "b"}, {"b", "a", "c"}, {"b", "c", "a"}, {"c", "a", "b"}, {"c", "b", "a"}}

// Values that a dump contains are distinguished, so that a run in which they make a difference is found.
func TestSeenByTheDump(t *testing.T) {
	local := func(signed bool) any {
		if signed {
			type local struct{ n int }
			return &local{n: 0}
		}
		type local struct{ n uint }
		return &local{n: 0}
	}
	for name, do := range map[string]func(*holder, string){
		"a pointer that is also the key of a map": func(h *holder, word string) {
			switch word {
			case "a":
				h.cur = &item{1}
				h.set[h.cur] = true
			case "b":
				h.cur = &item{1}
			case "c":
				h.bad = h.cur != nil && len(h.set) > 0 && !h.set[h.cur]
			}
		},
		"pointers to two types of one name": func(h *holder, word string) {
			switch word {
			case "a":
				h.held = &rand.Zipf{}
			case "b":
				h.held = &randv2.Zipf{}
			case "c":
				_, h.bad = h.held.(*randv2.Zipf)
			}
		},
		"types of one name in one function": func(h *holder, word string) {
			switch word {
			case "a", "b":
				h.held = local(word == "a")
			case "c":
				h.bad = h.held != nil && reflect.TypeOf(h.held) == reflect.TypeOf(local(false))
			}
		},
		"slices of one array": func(h *holder, word string) {
			switch word {
			case "a":
				h.a = []int{0}
			case "b":
				if h.b = h.a; h.a == nil {
					h.b = []int{0}
				}
			case "c":
				if h.a != nil && h.b != nil {
					h.a[0] = 1
					h.bad = h.b[0] == 1
				}
			}
		},
		"slices that grow into one another": func(h *holder, word string) {
			switch word {
			case "a":
				h.a = make([]int, 0, 8)[:1]
			case "b":
				if h.b = append([]int{}, 0); len(h.a) == 1 {
					h.b = h.a[:1:1]
				}
			case "c":
				if h.a != nil && h.b != nil {
					h.b = append(h.b[:0], 1)
					h.bad = h.a[0] == 1
				}
			}
		},
		"a pointer into the middle": func(h *holder, word string) {
			switch word {
			case "a":
				if h.at = &h.box.n; h.said["b"] {
					h.at = new(int)
				}
			case "c":
				if h.said["a"] && h.said["b"] {
					h.box.n = 1
					h.bad = *h.at == 1
				}
			}
			h.said[word] = true
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, order := range sixOrders {
				row, err := held(order, nil, do)
				require.NoError(t, err)
				assert.EqualValues(t, "violated", row.Verdict, "%v", order)
			}
		})
	}
}

// What a dump does not see is found by runs on objects that are not merged, when the search is over: the
// histories in which it makes a difference join late, or are one of many.
func TestNotSeenByTheDump(t *testing.T) {
	flips := []string{"f f f f f"}
	for name, c := range map[string]struct {
		words, omit []string
		do          func(*holder, string)
		says        string
	}{
		"a counter that is left out, to 3": {flips, []string{"inner.count"}, counted(3), "inner.count"},
		"a counter that is left out, to 4": {flips, []string{"inner.count"}, counted(4), "inner.count"},
		"a counter that is left out, to 5": {flips, []string{"inner.count"}, counted(5), "inner.count"},
		"a counter in a closure, to 3":     {flips, nil, captured(3), "a closure has captured"},
		"a counter in a closure, to 4":     {flips, nil, captured(4), "a closure has captured"},
		"one order of five": {[]string{"a", "b", "c", "d", "e", "z"}, []string{"inner"}, func(h *holder, word string) {
			if h.inner.order += word; h.inner.order == "dbeac" {
				h.inner.armed = true
			}
			h.said[word] = true
			h.bad = h.inner.armed && word == "z"
		}, "inner."},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := held(c.words, c.omit, c.do)
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.says)
		})
	}
}

// counted fails from a certain value of an omitted counter on.
func counted(most int) func(*holder, string) {
	return func(h *holder, word string) {
		h.said[word] = true
		h.inner.count++
		h.bad = h.inner.count >= most
	}
}

// captured fails at a certain value of a captured counter.
func captured(most int) func(*holder, string) {
	return func(h *holder, word string) {
		if h.next == nil {
			n := 0
			h.next = func() int { n++; return n }
		}
		h.said[word] = true
		h.bad = h.next() >= most
	}
}
