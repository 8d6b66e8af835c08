package search

import (
	"strings"
	"sync"
	"testing"
	"time"

	"contend/checker/sample"
	"contend/model"
	"contend/model/foreign"
	"contend/model/world"
)

// A tenant hears numbers from three others, and keeps what it should not.
type tenant struct {
	hears func(n *tenant, env model.Env, number int) // configuration, as far as nobody looks into it
	Sum   int
	Heard map[int]int
}

func (n *tenant) Receive(env model.Env, _ model.NodeID, m any) {
	n.Sum += m.(int)
	n.Heard[m.(int)]++
	n.hears(n, env, m.(int))
}

// renting is a system of a tenant and three who speak to it.
func renting(node func() model.Node) *model.System {
	s := system(server("s", scripted{}))
	s.Nodes[0].New = node
	for k := 1; k <= 3; k++ {
		s.Nodes = append(s.Nodes, server(string(rune('a'+k)), scripted{start: func(_ *scripted, env model.Env) { env.Send(0, k) }}))
	}
	return s
}

// How a tenant is run: by the search, or by the sampler live and in the interpreter, whose nodes it is or the object in it.
var tenancies = []struct {
	name string
	run  func(hears func(*tenant, model.Env, int)) error
}{
	{"search", func(hears func(*tenant, model.Env, int)) error {
		_, err := Run(renting(func() model.Node { return &tenant{hears: hears} }), []model.Claim{never(9)}, Options{})
		return err
	}},
	{"live", func(hears func(*tenant, model.Env, int)) error {
		_, err := sample.Sample(renting(func() model.Node { return &tenant{hears: hears} }), nil, sample.Options{Schedules: 200, Seed: 1, Workers: 1})
		return err
	}},
	{"interpreter", func(hears func(*tenant, model.Env, int)) error {
		seen := func(int, *world.World, world.Record) {}
		_, err := sample.Sample(renting(func() model.Node { return &tenant{hears: hears} }), nil, sample.Options{Schedules: 200, Seed: 1, Workers: 1, Taken: seen})
		return err
	}},
	{"foreign", func(hears func(*tenant, model.Env, int)) error {
		lib := foreign.Library[*tenant, struct{}]{New: func() *tenant { return &tenant{hears: hears, Heard: map[int]int{}} }}
		_, err := Run(renting(lib.Node), []model.Claim{never(9)}, Options{})
		return err
	}},
}

// What a handler leaves behind of its run is found in each run of each engine: an Env that it keeps, or that a goroutine uses, goroutines, and
// nodes that are written to in other states.
func TestLeftoversAreFoundOut(t *testing.T) {
	runs := 20
	if testing.Short() {
		runs = 2
	}
	var env model.Env
	var node *tenant
	var heard map[int]int
	var end chan bool
	var late sync.Mutex
	for _, c := range []struct {
		name  string
		hears func(n *tenant, env model.Env, number int)
		says  []string // one of them
	}{
		{"the Env of the handler before", func(_ *tenant, e model.Env, _ int) {
			if env != nil {
				env.Note(1)
			}
			env = e
		}, []string{"node s uses its Env after the handler that it was given to has returned (search/leftovers_test.go:"}},
		{"a goroutine that notes", func(_ *tenant, e model.Env, _ int) { go e.Note(1) },
			[]string{"leaves a goroutine behind (search/leftovers_test.go:", "uses its Env "}},
		{"a goroutine that notes, and is waited for", func(_ *tenant, e model.Env, _ int) {
			done := make(chan bool)
			go func() {
				defer close(done)
				e.Note(1)
			}()
			<-done
		}, []string{"node s uses its Env in another goroutine than the handler that it was given to (search/leftovers_test.go:"}},
		{"a goroutine that writes later", func(n *tenant, _ model.Env, _ int) {
			end := end
			go func() {
				<-end
				late.Lock() // another one may be of the same node
				n.Sum = 9
				late.Unlock()
			}()
		}, []string{"leaves a goroutine behind (search/leftovers_test.go:"}},
		{"a goroutine that sleeps", func(*tenant, model.Env, int) { go time.Sleep(time.Millisecond) }, []string{"leaves a goroutine behind (search/leftovers_test.go:"}},
		{"one that sleeps, seldom", func(n *tenant, _ model.Env, _ int) {
			if n.Sum == 6 {
				go time.Sleep(time.Millisecond)
			}
		}, []string{"leaves a goroutine behind (search/leftovers_test.go:"}},
		{"a node of another state", func(n *tenant, _ model.Env, _ int) {
			if node != nil && node != n {
				node.Sum = 77
			}
			node = n
		}, []string{"was written to after it had returned, in field Sum (", "two runs on the same state differ in field Sum (", "foreign: "}},
		{"a map of another state", func(n *tenant, _ model.Env, _ int) {
			if heard != nil {
				heard[99]++
			}
			heard = n.Heard
		}, []string{"was written to after it had returned, in field Heard (", "two runs on the same state differ in field Heard (", "differ in their state", "foreign: "}},
		{"the first node of all", func(n *tenant, _ model.Env, number int) {
			if node == nil {
				node = n
			} else if node != n {
				node.Sum = 1000
			}
		}, []string{"was written to after it had returned, in field Sum (", "two runs on the same state differ in field Sum (", "foreign: "}},
	} {
		for _, by := range tenancies {
			t.Run(c.name+"/"+by.name, func(t *testing.T) {
				for run := range runs {
					env, node, heard, end = nil, nil, nil, make(chan bool)
					err := by.run(c.hears)
					close(end)
					if err == nil {
						t.Fatalf("run %d: it is accepted", run)
					}
					found := false
					for _, says := range c.says {
						found = found || strings.Contains(err.Error(), says)
					}
					if !found {
						t.Fatalf("run %d: %v", run, err)
					}
				}
			})
		}
	}
}
