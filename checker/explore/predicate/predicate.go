// Package predicate is the language in which people say which state of the nodes they look for: the
// expressions of [github.com/expr-lang/expr] over the fields that a state is shown with.
//
//	c1.Waiting && len(s1.Queue) >= 2
//	any(servers, .Held == "c1")
//	count(clients, .Inside) > 1
//	p2 == nil                          p2 is down
//
// A node goes by its name: p1.Clock; one whose name is no word is node["p-1"]. The lists nodes, clients,
// servers and peers have those that are up, each with its name beside its fields. An id of a node is its
// name, in quotes; a value that is shown by a word is that word in quotes; an optional value is nil where
// it is missing; a map has the texts of its keys. A field that there is not is an error of the text, and
// not a state that is never found.
package predicate

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"contend/model"
)

// longest is how many bytes a predicate has at most, and most how many parts.
const (
	longest = 2000
	most    = 500
)

// A Predicate is a condition on the states of a system's nodes. It may be asked by several goroutines.
type Predicate struct {
	program *vm.Program
	system  *model.System
	uses    names // in its text
	views   views
}

// An Error says what is wrong with the text of a predicate, and where.
type Error struct {
	Column int // in letters from 1
	Text   string
}

func (e *Error) Error() string {
	return fmt.Sprintf("the predicate is wrong at column %d: %s", e.Column, e.Text)
}

// Parse reads a predicate on the states of a system's nodes. The error is an [*Error] where it has a
// place.
func Parse(s *model.System, text string) (*Predicate, error) {
	switch {
	case strings.TrimSpace(text) == "":
		return nil, fmt.Errorf("the predicate is empty, but must be a condition such as c1.Waiting")
	case len(text) > longest:
		return nil, fmt.Errorf("the predicate has %d bytes, but at most %d are allowed", len(text), longest)
	}
	text = strings.Join(strings.Fields(text), " ")
	options := []expr.Option{expr.Env(scope(s)), expr.AsBool(), expr.MaxNodes(most)}
	for _, clock := range []string{"now", "date", "duration", "timezone"} {
		options = append(options, expr.DisableBuiltin(clock)) // a state has no other time than its own
	}
	program, err := expr.Compile(text, options...)
	if err != nil {
		return nil, told(err)
	}
	p := &Predicate{program: program, system: s, uses: names{}}
	root := program.Node()
	ast.Walk(&root, p.uses)
	return p, nil
}

// told makes one sentence of what the compiler says.
func told(err error) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return fmt.Errorf("the predicate is wrong: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	return &Error{at.Column + 1, strings.Join(strings.Fields(at.Message), " ")}
}

// Holds reports whether the predicate holds of the nodes' states, by id; nil stands for a node that is
// down or Byzantine, and none may change afterwards: what was seen of one is remembered. The error says why
// that cannot be said, as where it asks for a field of a node that is down.
func (p *Predicate) Holds(nodes []model.Node) (bool, error) {
	is, err := expr.Run(p.program, p.view(nodes))
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			err = errors.New(at.Message)
		}
		return false, err
	}
	holds, ok := is.(bool)
	if !ok {
		return false, fmt.Errorf("it comes to %v, but must be true or false", is)
	}
	return holds, nil
}

// scope are the names that a predicate may use, with their types.
func scope(s *model.System) types.Map {
	all, named := types.Map{}, types.Map{}
	byRole := map[string][]types.Type{}
	for _, n := range s.Nodes {
		var t types.Type = types.Any
		if !n.Byzantine {
			t = typeOfNode(n.New())
		}
		all[n.Name], named[n.Name] = t, t
		for _, list := range lists(n) {
			byRole[list] = append(byRole[list], t)
		}
	}
	all["node"] = named
	for _, list := range everyList {
		all[list] = types.Array(common(byRole[list]))
	}
	return all
}

// common is a type that all have.
func common(all []types.Type) types.Type {
	for _, t := range all {
		if !t.Equal(all[0]) {
			return types.Any
		}
	}
	if len(all) == 0 {
		return types.Any
	}
	return all[0]
}

// everyList names the lists of nodes.
var everyList = []string{"nodes", "clients", "servers", "peers"}

// lists names those that a node is in.
func lists(n model.NodeSpec) []string { return []string{"nodes", n.Role.String() + "s"} }

// names are those that a predicate uses.
type names map[string]bool

// Visit notes a name. Fields are not names: they are members.
func (n names) Visit(node *ast.Node) {
	if is, ok := (*node).(*ast.IdentifierNode); ok {
		n[is.Value] = true
	}
}

// view is what a predicate sees of states: no more than it names, since a search asks of every state.
func (p *Predicate) view(nodes []model.Node) map[string]any {
	all, named := map[string]any{}, map[string]any{}
	for _, list := range everyList {
		if p.uses[list] {
			all[list] = []any{}
		}
	}
	for i, spec := range p.system.Nodes {
		var is any
		if nodes[i] != nil {
			is = p.views.of(p.system, i, nodes[i])
		}
		if p.uses[spec.Name] {
			all[spec.Name] = is
		}
		if p.uses["node"] {
			named[spec.Name] = is
		}
		for _, list := range lists(spec) {
			if p.uses[list] && is != nil {
				all[list] = append(all[list].([]any), is)
			}
		}
	}
	if p.uses["node"] {
		all["node"] = named
	}
	return all
}

// A Field is what a predicate may ask for, with a condition that shows how.
type Field struct {
	Name    string `json:"name"`    // such as s1.Queue
	Example string `json:"example"` // such as len(s1.Queue) > 0
}

// Fields lists the fields of the nodes of a system.
func Fields(s *model.System) []Field {
	all := []Field{}
	for _, n := range s.Nodes {
		if n.Byzantine {
			continue
		}
		who := n.Name
		if !word.MatchString(who) {
			who = fmt.Sprintf("node[%q]", who)
		}
		t := reflect.TypeOf(n.New()).Elem()
		for _, f := range fieldsOf(t) {
			if !f.Anonymous {
				name := who + "." + f.Name
				all = append(all, Field{name, fmt.Sprintf(example(f.Type), name)})
			}
		}
	}
	return all
}

// word is a name that stands for itself.
var word = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// example is a condition on a field of a type, with its name left open.
func example(t reflect.Type) string {
	switch is := typeOf(t, 0); {
	case is == types.Bool:
		return "%s"
	case is == types.Int:
		return "%s > 0"
	case is == types.String:
		return `%s != ""`
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map, t.Kind() == reflect.Array:
		return "len(%s) > 0"
	}
	return "%s != nil"
}
