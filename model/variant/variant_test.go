package variant_test

import (
	"fmt"
	"strings"
	"testing"

	"contend/model"
	"contend/model/variant"
)

// A process is a node of the page. No edit changes a server.
type process struct{ Sent int }

type server struct{}

// An edited process is a process as a generated file would contain it.
type edited struct {
	process
	edits variant.Edits
}

func (e *edited) edit(number int) bool {
	e.edits = e.edits.With(number, changes)
	return true
}

// A counter has its own state, and may run edits.
type counter struct {
	edited
	Count int
}

var changes = [][]string{{"process.send"}, {"process.receive"}, {"process.send", "process.receive"}}

var page = variant.NewPage(func(n model.Node, edit int) model.Node {
	switch n := n.(type) {
	case *process:
		return &edited{*n, variant.Edits(0).With(edit, changes)}
	case interface{ edit(int) bool }:
		if n.edit(edit) {
			return n
		}
	}
	return nil
}, []string{"a", "b"}, []string{"a", "c"}, []string{"a", "b", "c", "d"})

// built returns a protocol with the variants. Its system has the nodes.
func built(variants []model.Variant, nodes ...model.Node) *model.Protocol {
	return &model.Protocol{Name: "toy", Variants: variants, Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Setup: &[]int{0}}
		for i, n := range nodes {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("n", i), Crash: model.CrashStopRecovery, New: func() model.Node { return n }})
		}
		return s, nil
	}}
}

func TestEdit(t *testing.T) {
	variants := []model.Variant{
		{Name: "first", Edit: page.Edit("a", "b"), Joins: true},
		{Name: "second", Edit: page.Edit("a", "c"), Joins: true},
		{Name: "third", Edit: page.Edit("a", "b", "c", "d"), Joins: true},
	}
	for _, c := range []struct {
		variant string
		has     []int
		err     string
	}{
		{"first", []int{0}, ""},
		{"third", []int{2}, ""},
		{"first+second", []int{0, 1}, ""},
		{"first+third", nil, "the variant joins two edits of process.send"},
		{"third+second", nil, "the variant joins two edits of process.receive"},
	} {
		t.Run(c.variant, func(t *testing.T) {
			s, err := built(variants, &server{}, &process{3}).System(c.variant, model.Config{})
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatal(err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, is := s.Nodes[0].New().(*server); !is {
				t.Error("the server is replaced")
			}
			n := s.Nodes[1].New().(*edited)
			if n.Sent != 3 {
				t.Error("the edited node has lost its state")
			}
			want := variant.Edits(0)
			for _, number := range c.has {
				want |= 1 << number
				if !n.edits.Has(number) {
					t.Errorf("it has not edit %d", number)
				}
			}
			if n.edits != want {
				t.Errorf("edits %b, want %b", n.edits, want)
			}
		})
	}
}

// A node with its own state runs the edits that are joined before and after it.
func TestEditedNodes(t *testing.T) {
	counts := variant.EditedNodes(func(p process) edited { return edited{process: p} }, func(e edited) model.Node { return &counter{edited: e} })
	variants := []model.Variant{
		{Name: "first", Edit: page.Edit("a", "b"), Joins: true},
		{Name: "second", Edit: page.Edit("a", "c"), Joins: true},
		{Name: "counts", Edit: counts, Joins: true},
	}
	for _, c := range []struct {
		variant string
		want    variant.Edits
	}{
		{"counts", 0}, {"counts+first", 1}, {"first+counts", 1}, {"second+counts+first", 3},
	} {
		t.Run(c.variant, func(t *testing.T) {
			s, err := built(variants, &server{}, &process{3}).System(c.variant, model.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if n, is := s.Nodes[1].New().(*counter); !is || n.Sent != 3 || n.edits != c.want {
				t.Errorf("%+v", s.Nodes[1].New())
			}
		})
	}
}

// An edit that the generated file does not have is said at once.
func TestUnknownEdit(t *testing.T) {
	defer func() {
		if failed := recover(); failed == nil || !strings.Contains(failed.(string), "go generate") {
			t.Error(failed)
		}
	}()
	page.Edit("a", "d")
}

// Edits of missing nodes are bad input.
func TestNoSuchNodes(t *testing.T) {
	for name, edit := range map[string]func(*model.System){
		"page":  page.Edit("a", "b"),
		"nodes": variant.Nodes(func(process) model.Node { return &server{} }),
	} {
		_, err := built([]model.Variant{{Name: "v", Edit: edit}}, &server{}).System("v", model.Config{})
		if err == nil || !strings.Contains(err.Error(), "nodes that the system does not have") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEditsOfSystems(t *testing.T) {
	all := variant.All(
		variant.Setup(func(c *[]int) { (*c)[0] = 7 }),
		variant.Nodes(func(p process) model.Node { p.Sent++; return &p }),
		variant.Channel(model.FIFO),
		variant.Types("a", 1),
		variant.MayCrash(1),
	)
	s, err := built([]model.Variant{{Name: "v", Edit: all}}, &process{1}, &server{}).System("v", model.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := (*s.Setup.(*[]int))[0]; got != 7 {
		t.Error("the setup is as it was:", got)
	}
	for range 2 { // each node is created again
		if got := s.Nodes[0].New().(*process).Sent; got != 2 {
			t.Error("Sent is", got)
		}
	}
	if s.Nodes[0].Crash != model.NoCrashes || s.Nodes[1].Crash != model.CrashStopRecovery {
		t.Error("other nodes than the second may crash")
	}
	if s.Network.Channel != model.FIFO || len(s.Types) != 2 {
		t.Errorf("%v, %v", s.Network.Channel, s.Types)
	}
}

func TestBeyond(t *testing.T) {
	for reading, c := range map[model.Reading]model.Check{
		model.Untimed: variant.Beyond(model.Config{N: 3}, model.Faults{Loss: 1}),
		model.Grid:    variant.BeyondInTime(model.Config{N: 3}, model.Faults{Loss: 1}),
	} {
		if c.Config.N != 3 || c.Config.Faults != (model.Faults{Loss: 1}) || !c.AssumeAnyway || c.Reading != reading {
			t.Errorf("%+v", c)
		}
	}
}
