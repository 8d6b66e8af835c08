package step

import (
	"slices"
	"testing"

	"contend/checker/zone"
	"contend/model"
)

// Which events may be the next, and after how long, in each reading of time: a bell that rings
// within a window, and a message that arrives within another. Untimed any event may be next; in
// dense time one that need not wait for another; on the grid at each tick within its window.
func TestNextEvents(t *testing.T) {
	in := model.Between
	either := []string{"timeout after 0", "deliver after 0"}
	for _, c := range []struct {
		name           string
		bell, message  model.Window
		grid, exact    []string
		dense, untimed []string
	}{
		{"both at any time within a tick", in(0, 1), in(0, 1),
			[]string{"timeout after 0", "deliver after 0", "timeout after 1", "deliver after 1"}, []string{"timeout after 0", "deliver after 0", "timeout after 1", "deliver after 1"}, either, either},
		{"the message must be first", in(1, 2), in(0, 0), []string{"deliver after 0"}, []string{"deliver after 0"}, either[1:], either},
		{"they may meet", in(1, 2), in(0, 1), []string{"deliver after 0", "timeout after 1", "deliver after 1"}, []string{"deliver after 0", "timeout after 1", "deliver after 1"}, either, either},
		{"they meet only if a bound is closed", in(1, 2), model.Window{Hi: model.Below(1)}, []string{"deliver after 0", "timeout after 1", "deliver after 1"},
			[]string{"deliver after 0"}, either[1:], either},
		{"the bell waits", in(2, 2), model.Anytime(), []string{"deliver after 0", "deliver after 1", "timeout after 2", "deliver after 2"},
			[]string{"deliver after 0", "deliver after 1", "timeout after 2", "deliver after 2"}, either, either},
	} {
		for _, r := range readings {
			w := working(t, system(model.Peer, c.message, node{begins: func(env model.Env) {
				env.After("bell", c.bell)
				env.Send(0, "hello")
			}}), r)
			want := map[string][]string{"untimed": c.untimed, "grid": c.grid, "exact grid": c.exact, "dense": c.dense}[r.name]
			if got := moves(next(w, first(t, w))); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
				t.Errorf("%s, %s: %q, want %q", c.name, r.name, got, want)
			}
		}
	}
}

// What a node may be told of its hold as a bell rings at its very end. Untimed it may be either;
// closing, too; read exactly it lasts through a closed end, and is over at an open one.
func TestAnswersAboutHolds(t *testing.T) {
	lasts, over := "timeout after 1, it lasts", "timeout after 1, it is over"
	for _, c := range []struct {
		hold  model.Bound
		r     reading
		moves []string
	}{
		{model.Through(1), untimed, []string{"timeout after 0, it lasts", "timeout after 0, it is over"}},
		{model.Through(1), grid, []string{lasts, over}}, {model.Below(1), grid, []string{lasts, over}},
		{model.Through(1), exact, []string{lasts}}, {model.Below(1), exact, []string{over}},
		{model.Through(1), dense, []string{"timeout after 0, it lasts"}}, {model.Below(1), dense, []string{"timeout after 0, it is over"}},
		{model.Through(2), grid, []string{lasts}}, {model.Through(0), grid, []string{over}},
	} {
		w := working(t, system(model.Peer, model.By(1), node{begins: func(env model.Env) {
			env.Hold("lock", c.hold)
			env.After("bell", model.Exactly(1))
		}, rings: func(n *node, env model.Env) {
			if env.Held("lock") {
				n.S++
			}
		}}), c.r)
		if got := moves(next(w, first(t, w))); !slices.Equal(got, c.moves) {
			t.Errorf("%+v, %s: %q, want %q", c.hold, c.r.name, got, c.moves)
		}
	}
}

// In dense time a successor's zone is what is left: where the bell rang first, at its soonest, the
// message has to arrive at once.
func TestZoneOfASuccessor(t *testing.T) {
	w := working(t, system(model.Peer, model.By(1), node{begins: func(env model.Env) {
		env.After("bell", model.Between(1, 2))
		env.Send(0, "hello")
	}}), dense)
	v, rung := first(t, w), 0
	w.Emit = func(next []uint32) {
		if w.Move.Kind == model.Timeout {
			rung++
			if z := w.Zones.Made; z.N != 2 || z.At(1, 0) != zone.Zero || z.At(0, 1) != zone.Zero {
				t.Errorf("the zone is %v", z)
			}
		}
	}
	w.Expand(v, w.PrintOfState(v))
	if rung != 1 {
		t.Errorf("it rings in %d successors", rung)
	}
}

// In dense time a successor keeps a hold which may last still; one that is over for sure is gone; and where it may last and may be over for
// longer than it lasted, so that its row would grow for ever, there is a successor of each kind. So there is where a run is taken again:
// its times do not tell whether the hold is there in the class.
func TestHoldsOfSuccessors(t *testing.T) {
	const kept, gone = "1 [hold lock]", "1 []"
	in := model.Between
	for _, c := range []struct {
		hold  model.Bound
		bell  model.Window
		again bool
		want  []string
	}{
		{model.Through(2), in(0, 2), false, []string{kept}},
		{model.Through(2), in(2, 2), false, []string{kept}},
		{model.Below(2), in(2, 2), false, []string{gone}},
		{model.Through(2), in(3, 3), false, []string{gone}},
		{model.Through(2), in(1, 3), false, []string{kept}},
		{model.Through(2), in(1, 4), false, []string{kept}},
		{model.Below(2), in(1, 4), false, []string{kept}},
		{model.Through(2), in(1, 5), false, []string{gone, kept}},
		{model.Through(2), model.Window{Lo: model.Through(1), Hi: model.Below(5)}, false, []string{gone, kept}},
		{model.Through(1), in(1, 2), false, []string{kept}},
		{model.Through(1), in(1, 3), false, []string{gone, kept}},
		{model.Through(2), in(1, 4), true, []string{gone, kept}},
		{model.Through(2), in(3, 3), true, []string{gone, kept}},
	} {
		w := working(t, system(model.Peer, model.Anytime(), node{begins: func(env model.Env) {
			env.Hold("lock", c.hold)
			env.After("bell", c.bell)
		}, rings: func(n *node, _ model.Env) { n.S = 1 }}), dense)
		v := first(t, w)
		w.Uses.Settles, w.Zones.Either = true, c.again
		var got []string
		for _, s := range next(w, v) {
			got = append(got, shown(w, s.v))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("a hold of %+v, and a bell within %+v, again %v: %q, and not %q", c.hold, c.bell, c.again, got, c.want)
		}
	}
}

// Which messages may arrive next: in a bag each, equal ones counting once; on FIFO the first of
// each channel; in a set equal ones are one.
func TestChannels(t *testing.T) {
	for _, c := range []struct {
		channel model.Channel
		sent    []any
		equals  bool
		want    []string
	}{
		{model.Bag, []any{1, 2}, true, []string{"1 [deliver 2]", "2 [deliver 1]"}},
		{model.Bag, []any{1, 1}, true, []string{"1 [deliver 1]"}},
		{model.Bag, []any{1, 1}, false, []string{"1 [deliver 1]", "1 [deliver 1]"}},
		{model.Set, []any{1, 1, 2}, true, []string{"1 [deliver 2]", "2 [deliver 1]"}},
		{model.FIFO, []any{2, 1}, true, []string{"2 [deliver 1]"}},
		{model.FIFO, []any{1, 1, 2}, true, []string{"1 [deliver 1 deliver 2]"}},
	} {
		s := system(model.Peer, model.Anytime(), node{begins: func(env model.Env) {
			for _, m := range c.sent {
				env.Send(0, m)
			}
		}, hears: func(n *node, _ model.Env, m any) { n.S += m.(int) }})
		s.Network.Channel = c.channel
		w := working(t, s, untimed)
		w.Uses.Equals = c.equals
		var got []string
		for _, n := range next(w, first(t, w)) {
			got = append(got, shown(w, n.v))
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%v, %v: %q, want %q", c.channel, c.sent, got, c.want)
		}
	}
}

// An engine knows which handlers of which nodes were called.
func TestWhichHandlersRan(t *testing.T) {
	s := system(model.Peer, model.Anytime(), node{begins: func(env model.Env) { env.Send(1, 5) }}, node{begins: func(env model.Env) { env.After("bell", model.Anytime()) }})
	w := working(t, s, untimed)
	next(w, first(t, w))
	for slot := range 2 {
		for _, kind := range []model.EventKind{model.Deliver, model.Timeout, model.Invoke, model.Return} {
			if got, want := w.Ran(slot, kind), slot == 1 && (kind == model.Deliver || kind == model.Timeout); got != want {
				t.Errorf("a handler of node %d ran on %v: %v", slot, kind, got)
			}
		}
	}
}
