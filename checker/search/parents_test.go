package search

import (
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
	"contend/checker/search/suspect"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/value"
)

// parented searches everything, with so many bytes for the table, and returns which of the
// parents of each state counts.
func parented(t *testing.T, table int64, workers int) map[fingerprint.Print]uint32 {
	t.Helper()
	s, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(2)), safety...)
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Exact: true, Workers: workers, MaxMemory: 1 << 40, table: table, chunks: 1 << 30}
	x := newExplorer(s, codec, claims, pure(opt).withDefaults(), component.Closing, newGuesses())
	x.traversal.open()
	files := storage.Temporary(storage.OS{})
	defer files.Close()
	x.set.SpillTo(files, table)
	defer x.traversal.close()
	x.workers[0].begin()
	all := map[fingerprint.Print]uint32{}
	for more := true; more; {
		x.discrete().endLayer()
		for _, w := range x.workers {
			w.each(func(key fingerprint.Print, _ []uint32) { all[key] = 0 })
		}
		if more = x.goesOn() && x.discrete().promote(); more {
			x.discrete().expandLayer()
		}
	}
	for key := range all {
		note, ok, err := x.set.NoteOf(key)
		if err != nil || !ok {
			t.Fatalf("%x is lost", key.A)
		}
		all[key] = note >> 1
	}
	if (table == 1) != x.set.Spilled() {
		t.Fatalf("%d bytes for the table, spilled %v", table, x.set.Spilled())
	}
	return all
}

// Of the parents of a state the least counts, however many workers there are, and however
// often the table is written out and emptied, in the midst of the layer too: whether the
// parent came before that or after.
func TestSpillingKeepsTheLeastParents(t *testing.T) {
	tuned(t, 1, 1<<40, func() {
		want := parented(t, 1<<40, 1)
		for _, workers := range []int{1, 3} {
			if workers == 1 && !*full {
				continue
			}
			got, other := parented(t, 1, workers), 0
			for key, parent := range want {
				if got[key] != parent {
					other++
				}
			}
			if other > 0 || len(got) != len(want) {
				t.Errorf("with files and %d workers %d of %d states have another parent", workers, other, len(want))
			}
		}
	})
}

// Parents are kept exactly for so many states; from then on only where they are asked for.
func TestExactParentsOfTheFirstStates(t *testing.T) {
	tuned(t, 1, 10, func() {
		for want, opt := range map[bool]Options{true: {Exact: true}, false: {}} {
			if x := explored(t, counting(30), nil, opt); x.notes.(*parentNotes).exact != want {
				t.Errorf("%+v: exact %v after %d states", opt, x.notes.(*parentNotes).exact, x.states)
			}
		}
		if x := explored(t, counting(4), nil, Options{}); !x.notes.(*parentNotes).exact {
			t.Errorf("they are not exact after %d states", x.states)
		}
	})
}

// What comes of a candidate does not depend on who met it first, unless it is a witness, which is not shown, that cannot be spurious.
func TestWhoseParentsAreExact(t *testing.T) {
	for _, kind := range []model.Kind{model.Always, model.Sometimes} {
		for _, timed := range []bool{false, true} {
			for _, strict := range []bool{false, true} {
				s, claims := counting(3), []model.Claim{reach(kind, 1)}
				codec, err := value.For(s, claims)
				if err != nil {
					t.Fatal(err)
				}
				x := newExplorer(s, codec, claims, pure(Options{Timed: timed}).withDefaults(), component.Closing, newGuesses())
				x.Strict.Windows = strict
				if got, want := x.wantsExactParents(suspect.Suspect{}), kind == model.Always || timed && strict; got != want {
					t.Errorf("%v, timed %v, strict bounds %v: %v", kind, timed, strict, got)
				}
			}
		}
	}
}

// positions is the monitor of a goal: that one of two nodes, of which each notes where it is, is at 11.
type positions struct{ At [2]int }

func (p *positions) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		p.At[o.Node] = o.Value.(mark).K
	}
}

func (p *positions) Reached() bool { return max(p.At[0], p.At[1]) == 11 }

// From where parents are not kept exactly, the first that met a state is its parent: one that met it in a later layer is not, so that ways
// are shortest.
func TestFirstParents(t *testing.T) {
	turn := scripted{
		start: func(_ *scripted, env model.Env) { env.Send(env.Self(), 1) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
			n.S = (n.S + 1) % 12
			env.Note(mark{n.S})
			env.Send(env.Self(), 1)
		},
	}
	s := system(server("a", turn), server("b", turn))
	s.Types = []any{mark{}, 0}
	both := model.Claim{Name: "both", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &positions{} }}
	for _, workers := range []int{1, 2} {
		tuned(t, 1, 10, func() {
			tried := 0
			r := explore(t, s, Options{Workers: workers, Confirm: func(c Candidate) (Confirmation, error) {
				turns := [2]int{}
				for _, step := range c.Steps {
					turns[step.Node]++
				}
				if tried++; max(turns[0], turns[1]) > 11 {
					t.Errorf("%d workers: on a way nodes turn %v times", workers, turns)
				}
				return Unknown, nil
			}}, both, never(99))
			if tried < 10 || r.Claims[0].Disputed != "" {
				t.Errorf("%d workers: %d ways; %s", workers, tried, r.Claims[0].Disputed)
			}
		})
	}
}
