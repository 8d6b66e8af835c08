package impure

import (
	"slices"

	"contend/model"
)

var (
	calls  int
	limit  = 3
	shared = &Settings{}
	kept   model.Env
	tables = map[string]int{}
)

// SetLimit makes limit a variable that is no constant.
func SetLimit(n int) { limit = n }

// Counting counts in a package-level variable.
type Counting struct{ N int }

func (s *Counting) Receive(env model.Env, from model.NodeID, _ any) {
	calls++     // want `^Receive of Counting writes the package-level variable calls$`
	s.N = calls // reported once
	answer(env, from)
}

// Caching writes what package-level variables refer to.
type Caching struct{ N int }

func (s *Caching) Receive(env model.Env, from model.NodeID, _ any) {
	shared.Limit++ // want `writes the package-level variable shared`
	s.N = shared.Limit
	tables["x"] = 1     // want `writes the package-level variable tables`
	delete(tables, "x") // want `writes the package-level variable tables`
	answer(env, from)
}

// Limited reads a package-level variable that is written elsewhere.
type Limited struct{ N int }

func (s *Limited) Receive(env model.Env, from model.NodeID, _ any) {
	s.N = min(s.N+1, limit) // want `^Receive of Limited reads the package-level variable limit, which is not constant$`
	answer(env, from)
}

type tally struct{ n int }

func (t *tally) add() int { t.n++; return t.n }

var total tally

// Tallying counts by a method of a package-level variable.
type Tallying struct{ N int }

func (s *Tallying) Receive(env model.Env, from model.NodeID, _ any) {
	s.N = total.add() // want `^Receive of Tallying reads the package-level variable total, which is not constant$`
	answer(env, from)
}

// Reconfiguring keeps state in an unexported field.
type Reconfiguring struct{ count int }

func (s *Reconfiguring) Receive(env model.Env, from model.NodeID, _ any) {
	s.count++ // want `^Receive of Reconfiguring writes Reconfiguring\.count: unexported fields are configuration, which no handler may change$`
	answer(env, from)
}

// Resetting changes what its configuration points to.
type Resetting struct{ cfg *Settings }

// NewResetting makes one.
func NewResetting() *Resetting { return &Resetting{cfg: &Settings{}} }

func (s *Resetting) Receive(env model.Env, from model.NodeID, _ any) {
	s.raise()
	answer(env, from)
}

func (s *Resetting) raise() {
	cfg := s.cfg
	cfg.Limit++ // want `^raise of Resetting, which runs in Receive of Resetting, writes Settings\.Limit: `
}

// Embedding keeps state in an embedded struct that is not exported.
type Embedding struct{ base }

type base struct{ N int }

func (s *Embedding) Receive(env model.Env, from model.NodeID, _ any) {
	s.N++ // want `writes Embedding\.base: `
	answer(env, from)
}

// Scribbling changes the message.
type Scribbling struct{ N int }

func (s *Scribbling) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Ping:
		m.Names = m.Names[:1] // a copy of its own
		m.Names[0] = "x"      // want `^Receive of Scribbling changes the value that the handler was given$`
	}
	answer(env, from)
}

// Sorting sorts a list of the message in place.
type Sorting struct{ N int }

func (s *Sorting) Receive(env model.Env, from model.NodeID, m any) {
	names := m.(Ping).Names
	slices.Reverse(names) // want `changes the value that the handler was given`
	answer(env, from)
}

// Keeping uses the Env of an earlier handler.
type Keeping struct{ N int }

func (s *Keeping) Receive(env model.Env, from model.NodeID, _ any) {
	if kept != nil { // reported where it is written
		kept.Send(from, Pong{})
	}
	kept = env // want `writes the package-level variable kept` `^Receive of Keeping keeps an Env, which is valid until the handler returns$`
	answer(env, from)
}

// Fielding keeps its Env in a field.
type Fielding struct{ env model.Env }

func (s *Fielding) Receive(env model.Env, from model.NodeID, _ any) {
	s.env = env // want `writes Fielding\.env: ` `keeps an Env`
	answer(env, from)
}

// Postponing keeps closures.
type Postponing struct{ later []func() }

func (s *Postponing) Receive(env model.Env, from model.NodeID, m any) {
	again := func() { env.Send(from, Pong{}) }
	s.later = append(s.later, again)                 // want `writes Postponing\.later: ` `keeps a closure over its Env`
	s.later = append(s.later, func() { println(m) }) // want `writes Postponing\.later: ` `keeps a closure over what it was given`
	answer(env, from)
}
