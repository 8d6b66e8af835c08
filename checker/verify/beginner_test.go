package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker/verify/starter"
	"contend/model"
)

// A mistake is one that a beginner makes in a protocol.
type mistake struct {
	name string
	edit func(p *model.Protocol, s *model.System) // s is nil where the protocol itself is edited
	says string                                   // what the answer has to name
	code int
}

// inSystem makes a mistake in what Build returns.
func inSystem(name, says string, code int, edit func(s *model.System)) mistake {
	return mistake{name, func(_ *model.Protocol, s *model.System) {
		if s != nil {
			edit(s)
		}
	}, says, code}
}

// inProtocol makes a mistake in what a suite lists.
func inProtocol(name, says string, code int, edit func(p *model.Protocol)) mistake {
	return mistake{name, func(p *model.Protocol, s *model.System) {
		if s == nil {
			edit(p)
		}
	}, says, code}
}

func without[T any](types []any) []any {
	return slices.DeleteFunc(slices.Clone(types), func(v any) bool { _, is := v.(T); return is })
}

// mute does nothing.
type mute struct{}

// misshapen has a handler that nothing calls.
type misshapen struct{}

func (*misshapen) Receive(model.Env, model.NodeID, starter.Request) {}

// byValue is a node that is no pointer.
type byValue struct{}

// sized knows how many nodes there are.
type sized struct{ N int }

// after changes what Build returns.
func after(p *model.Protocol, edit func(c model.Config, s *model.System)) {
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		if s != nil {
			edit(c, s)
		}
		return s, err
	}
}

// hider keeps state where it cannot be seen.
type hider struct {
	starter.Client
	Lock chan int
}

var mistakes = []mistake{
	inSystem("no type of the operation", "Acquire", 2, func(s *model.System) { s.Types = without[starter.Acquire](s.Types) }),
	inSystem("no type of the release", "Release", 2, func(s *model.System) { s.Types = without[starter.Release](s.Types) }),
	inSystem("no type of a message", "Granted", 2, func(s *model.System) { s.Types = without[starter.Granted](s.Types) }),
	inSystem("no types", "Acquire", 2, func(s *model.System) { s.Types = nil }),
	inSystem("a type twice", "", 0, func(s *model.System) { s.Types = append(s.Types, starter.Request{}) }),
	inSystem("nil among the types", "nil", 2, func(s *model.System) { s.Types = append(s.Types, nil) }),
	inSystem("no nodes", "node", 2, func(s *model.System) { s.Nodes = nil }),
	inSystem("a node without a name", "name", 2, func(s *model.System) { s.Nodes[1].Name = "" }),
	inSystem("two nodes of one name", "c1", 2, func(s *model.System) { s.Nodes[2].Name = "c1" }),
	inSystem("no New", "New", 2, func(s *model.System) { s.Nodes[0].New = nil }),
	inSystem("New returns nil", "server", 2, func(s *model.System) { s.Nodes[0].New = func() model.Node { return nil } }),
	inSystem("New returns a nil pointer", "nil *starter.Server", 2, func(s *model.System) { s.Nodes[0].New = func() model.Node { return (*starter.Server)(nil) } }),
	inSystem("New returns a struct", "pointer", 2, func(s *model.System) { s.Nodes[0].New = func() model.Node { return byValue{} } }),
	inSystem("a server with a script", "server", 2, func(s *model.System) { s.Nodes[0].Script = s.Nodes[1].Script }),
	inSystem("a client without a script", "", 0, func(s *model.System) { s.Nodes[1].Script = nil }),
	inSystem("a client that cannot be invoked", "every request is granted is violated", 1, func(s *model.System) { s.Nodes[1].New = func() model.Node { return &mute{} } }),
	inSystem("a server that receives nothing", "every request is granted is violated", 1, func(s *model.System) { s.Nodes[0].New = func() model.Node { return &mute{} } }),
	inSystem("an operation that is nil", "every request is granted is violated", 1, func(s *model.System) { s.Nodes[1].Script = []model.Op{{}} }),
	inSystem("a channel in a node", "Lock", 2, func(s *model.System) { s.Nodes[1].New = func() model.Node { return &hider{} } }),
	inSystem("a window that ends before it begins", "script of c1, operation 1", 2, func(s *model.System) {
		s.Nodes[1].Script = []model.Op{{Call: starter.Acquire{}, After: model.Between(3, 1)}}
	}),
	inSystem("a negative window", "script of c1, operation 1", 2, func(s *model.System) {
		s.Nodes[1].Script = []model.Op{{Call: starter.Acquire{}, After: model.Between(-3, 1)}}
	}),
	inSystem("a delay that ends before it begins", "network", 2, func(s *model.System) { s.Network.Delay = model.Between(3, 1) }),
	inSystem("a role that there is not", "ole", 2, func(s *model.System) { s.Nodes[0].Role = 7 }),
	inSystem("a liar without an alphabet", "Forge", 2, func(s *model.System) { s.Nodes[0].Byzantine = true }),
	inSystem("a budget of faults in Build", "Faults", 2, func(s *model.System) { s.Faults.Loss = 1 }),
	inSystem("a handler of another form", "Receive(model.Env, model.NodeID, any)", 2, func(s *model.System) {
		s.Nodes[0].New = func() model.Node { return &misshapen{} }
	}),
	inSystem("a cut without a name", "cut", 2, func(s *model.System) { s.Cuts = append(s.Cuts, model.Cut{}) }),
	inSystem("too many nodes", "64", 2, func(s *model.System) {
		for i := range 70 {
			n := s.Nodes[1]
			n.Name = fmt.Sprint("x", i)
			s.Nodes = append(s.Nodes, n)
		}
	}),
	inProtocol("no name", "Name", 2, func(p *model.Protocol) { p.Name = "" }),
	inProtocol("a name with a blank", "name", 2, func(p *model.Protocol) { p.Name = "my lock" }),
	inProtocol("a name of a verb", "name", 2, func(p *model.Protocol) { p.Name = "check" }),
	inProtocol("no Build", "Build", 2, func(p *model.Protocol) { p.Build = nil }),
	inProtocol("Build returns nothing", "Build", 2, func(p *model.Protocol) { p.Build = func(model.Config) (*model.System, error) { return nil, nil } }),
	inProtocol("Build fails", "it rains", 2, func(p *model.Protocol) {
		p.Build = func(model.Config) (*model.System, error) { return nil, fmt.Errorf("it rains") }
	}),
	inProtocol("Build panics", "Build", 2, func(p *model.Protocol) { p.Build = func(model.Config) (*model.System, error) { panic("it rains") } }),
	inProtocol("a Setup from an N that is not declared", "list model.N", 2, func(p *model.Protocol) {
		after(p, func(c model.Config, s *model.System) { s.Setup.(*starter.Config).Grants = c.N/2 + 1 })
	}),
	inProtocol("as many nodes as an N that is not declared", "list model.N", 2, func(p *model.Protocol) {
		after(p, func(c model.Config, s *model.System) { s.Nodes = s.Nodes[:min(c.N, 1)] })
	}),
	inProtocol("a node with an N that is not declared", "list model.N", 2, func(p *model.Protocol) {
		after(p, func(c model.Config, s *model.System) { s.Nodes[1].New = func() model.Node { return &sized{c.N} } })
	}),
	inProtocol("a division by an N that is not declared", "list model.N", 2, func(p *model.Protocol) {
		after(p, func(c model.Config, s *model.System) { s.Setup.(*starter.Config).Grants = 7 / c.N })
	}),
	inProtocol("a New that fails for an N that is not declared", "list model.N", 2, func(p *model.Protocol) {
		after(p, func(c model.Config, s *model.System) { s.Nodes[1].New = func() model.Node { return &sized{7 / c.N} } })
	}),
	inProtocol("a budget below nothing", "loss", 2, func(p *model.Protocol) {
		p.Checks = []model.Check{{Config: model.Config{Faults: model.Faults{Loss: -1}}}}
	}),
	inProtocol("suspicions without a detector", "detector", 2, func(p *model.Protocol) {
		p.Checks = []model.Check{{Config: model.Config{Faults: model.Faults{Suspicions: 1}}}}
	}),
	inProtocol("no claims", "claim", 3, func(p *model.Protocol) { p.Claims, p.Variants = nil, nil }),
	inProtocol("a claim without a name", "name", 2, func(p *model.Protocol) { p.Claims[0].Name = "" }),
	inProtocol("a claim twice", "mutual exclusion", 2, func(p *model.Protocol) { p.Claims = append(p.Claims, p.Claims[0]) }),
	inProtocol("a claim of nothing", "mutual exclusion", 2, func(p *model.Protocol) { p.Claims[0].Monitor = nil }),
	inProtocol("a claim with two bodies", "mutual exclusion", 2, func(p *model.Protocol) {
		p.Claims[0].Invariant = func([]model.Node) error { return nil }
	}),
	inProtocol("a monitor that is nil", "mutual exclusion", 2, func(p *model.Protocol) {
		p.Claims[0].Monitor = func(*model.System) model.Monitor { return nil }
	}),
	inProtocol("a claim of a kind that there is not", "mutual exclusion", 2, func(p *model.Protocol) { p.Claims[0].Kind = 99 }),
	inProtocol("an eventually claim whose monitor has no goal", "mutual exclusion", 2, func(p *model.Protocol) { p.Claims[0].Kind = model.Eventually }),
	inProtocol("a linearizable claim without an object", "mutual exclusion", 2, func(p *model.Protocol) {
		p.Claims[0].Kind, p.Claims[0].Monitor = model.Linearizable, nil
	}),
	inProtocol("an assumption that there is not", "luck", 2, func(p *model.Protocol) {
		p.Claims[0].Assumes = append(p.Claims[0].Assumes, "luck")
	}),
	inProtocol("a variant without an edit", "grants-twice", 2, func(p *model.Protocol) { p.Variants[0].Edit, p.Variants[0].Breaks = nil, "" }),
	inProtocol("a mutant of a claim that there is not", "safety", 2, func(p *model.Protocol) { p.Variants[0].Breaks = "safety" }),
	inProtocol("a variant twice", "grants-twice", 2, func(p *model.Protocol) { p.Variants = append(p.Variants, p.Variants[0]) }),
	inProtocol("a check of a variant that there is not", "nobody", 2, func(p *model.Protocol) { p.Checks = append(p.Checks, model.Check{Variant: "nobody"}) }),
	inProtocol("a check of a claim that there is not", "safety", 2, func(p *model.Protocol) { p.Checks = append(p.Checks, model.Check{Claims: []string{"safety"}}) }),
	inProtocol("a check beyond the range", "clients", 2, func(p *model.Protocol) {
		p.Checks = append(p.Checks, model.Check{Config: model.Config{}.With(model.Clients.Is(99))})
	}),
	inProtocol("a check that sets what is not read", "b", 2, func(p *model.Protocol) { p.Checks = append(p.Checks, model.Check{Config: model.Config{B: 1}}) }),
	inProtocol("a parameter twice", "ops", 2, func(p *model.Protocol) { p.Params = append(p.Params, model.Ops) }),
	inProtocol("a parameter of the name of a flag", "json", 2, func(p *model.Protocol) { p.Params = append(p.Params, model.Param[int]{Name: "json", Most: 1}) }),
	inProtocol("a parameter with an empty range", "least", 2, func(p *model.Protocol) {
		p.Params = append(p.Params, model.Param[int]{Name: "least", Least: 3, Most: 1})
	}),
	inProtocol("a default out of range", "most", 2, func(p *model.Protocol) {
		p.Params = append(p.Params, model.Param[int]{Name: "most", Least: 1, Most: 2, Default: 5})
	}),
}

// made is the starter with the mistake.
func (m mistake) made() *model.Protocol {
	p := *starter.Protocol
	p.Claims, p.Variants, p.Checks = slices.Clone(p.Claims), slices.Clone(p.Variants), slices.Clone(p.Checks)
	p.Params = slices.Clone(p.Params)
	m.edit(&p, nil)
	if build := p.Build; build != nil {
		p.Build = func(c model.Config) (*model.System, error) {
			s, err := build(c)
			if s != nil {
				m.edit(&p, s)
			}
			return s, err
		}
	}
	return &p
}

// Each mistake of a beginner gets one sentence that names it, and no stack.
func TestMistakes(t *testing.T) {
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			var out, errors strings.Builder
			code := Run([]*model.Protocol{m.made()}, []string{"check", "--out", t.TempDir()}, &out, &errors)
			assert.Equal(t, m.code, code, "%s%s", errors.String(), out.String())
			if m.code == 2 {
				assert.Equal(t, 1, strings.Count(errors.String(), "\n"), errors.String())
			}
			assert.Contains(t, errors.String()+out.String(), m.says)
			assert.NotContains(t, errors.String()+out.String(), "goroutine")
		})
	}
}
