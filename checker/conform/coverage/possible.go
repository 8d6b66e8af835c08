package coverage

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/checker/conform"
	"contend/model"
	"contend/model/world"
)

// The random runs, and the largest number of their steps. Steps are faults once in strikes times at most.
const (
	Runs    = 100
	most    = 200
	strikes = 8
)

// Possible adds the kinds of steps that random runs of the page take. The runs are the same each time. There may be more
// kinds: the runs are no search. Their cost does not depend on the logs.
func (r *Report) Possible(s *model.System) error {
	for seed := range uint64(Runs) {
		if err := r.draw(s, rand.New(rand.NewPCG(seed, 0))); err != nil {
			return err
		}
	}
	r.Unused = []string{}
	used := map[string]bool{}
	for _, k := range r.Kinds {
		for _, what := range append([]string{k.Step}, k.Shows...) {
			_, name, _ := strings.Cut(what, " ")
			used[name] = true
		}
	}
	for _, v := range s.Types {
		if name := typeName(v); !used[name] && !slices.Contains(r.Unused, name) {
			r.Unused = append(r.Unused, name)
		}
	}
	slices.Sort(r.Unused)
	r.sort()
	return nil
}

// draw adds the kinds of steps of a random run.
func (r *Report) draw(s *model.System, random *rand.Rand) error {
	var sent []conform.Sent
	choose := func(n int, _ string) int { return random.IntN(n) }
	w, err := world.New(s, nil, world.Options{Boot: choose, Sending: func(_, to model.NodeID, m any) {
		sent = append(sent, conform.Sent{To: to, Value: m})
	}})
	if err != nil {
		return err
	}
	for range most {
		moves := slices.DeleteFunc(w.Moves(), func(m world.Move) bool { return m.Kind == model.Forge || m.Kind == model.Mistake })
		if natural := slices.DeleteFunc(slices.Clone(moves), func(m world.Move) bool { return m.Kind.Adversarial() }); len(natural) > 0 && random.IntN(strikes) > 0 {
			moves = natural
		}
		if len(moves) == 0 {
			return nil
		}
		sent = nil
		x, err := w.Step(moves[random.IntN(len(moves))], 0, choose)
		var cut world.ErrCut
		switch {
		case errors.As(err, &cut):
			continue
		case err != nil:
			return fmt.Errorf("a random run: %w", err)
		case w.Failed():
			return nil
		}
		r.kind(x, sent)
	}
	return nil
}
