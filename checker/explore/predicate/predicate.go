// Package predicate is a language of conditions on the states of a system's nodes: expressions of
// [github.com/expr-lang/expr] over the displayed fields.
//
//	c1.Waiting && len(s1.Queue) >= 2
//	any(servers, .Held == "c1")
//	count(clients, .Inside) > 1
//	p2 == nil                          p2 is down
//
// A node is an identifier, as in p1.Clock; a name that is no identifier is written node["p-1"]. The lists
// nodes, clients, servers and peers contain the nodes that are up, with the name beside the fields. A node's
// id is its quoted name. A value that is displayed as a word is that word in quotes. A missing optional value
// is nil. Keys of maps are texts. An unknown field is an error of the text.
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

// longest is the maximum length of a predicate in bytes, and most its maximum number of syntax nodes.
const (
	longest = 2000
	most    = 500
)

// A Predicate is a condition on the states of a system's nodes. It is safe for concurrent use.
type Predicate struct {
	program *vm.Program
	system  *model.System
	uses    names // names in the text
	views   views
}

// An Error is an error in the text of a predicate.
type Error struct {
	Column int // column in letters, from 1
	Text   string
}

func (e *Error) Error() string {
	return fmt.Sprintf("the predicate is wrong at column %d: %s", e.Column, e.Text)
}

// Parse parses a predicate on the states of a system's nodes. The error is an [*Error] if it has a column.
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
		return nil, compileError(err)
	}
	p := &Predicate{program: program, system: s, uses: names{}}
	root := program.Node()
	ast.Walk(&root, p.uses)
	return p, nil
}

// compileError converts a compiler's error to one sentence.
func compileError(err error) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return fmt.Errorf("the predicate is wrong: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	return &Error{at.Column + 1, strings.Join(strings.Fields(at.Message), " ")}
}

// Holds reports whether the predicate holds for the nodes' states, by id. Nil stands for a node that is down
// or Byzantine. The caller must not modify the nodes afterwards: their views are cached. The error is a
// failed evaluation, such as a field of a node that is down.
func (p *Predicate) Holds(nodes []model.Node) (bool, error) {
	result, err := expr.Run(p.program, p.view(nodes))
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			err = errors.New(at.Message)
		}
		return false, err
	}
	holds, ok := result.(bool)
	if !ok {
		return false, fmt.Errorf("the value is %v, but must be true or false", result)
	}
	return holds, nil
}

// scope returns the names that a predicate may use, with their types.
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

// common returns the common type of all, or any.
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

// everyList has the names of the lists of nodes.
var everyList = []string{"nodes", "clients", "servers", "peers"}

// lists returns the names of the lists that contain a node.
func lists(n model.NodeSpec) []string { return []string{"nodes", n.Role.String() + "s"} }

// A names is the set of names in a predicate.
type names map[string]bool

// Visit adds a name. Fields are members, not names.
func (n names) Visit(node *ast.Node) {
	if id, ok := (*node).(*ast.IdentifierNode); ok {
		n[id.Value] = true
	}
}

// view returns the environment of an evaluation. It contains only the names that the predicate uses, since a
// search evaluates every state.
func (p *Predicate) view(nodes []model.Node) map[string]any {
	all, named := map[string]any{}, map[string]any{}
	for _, list := range everyList {
		if p.uses[list] {
			all[list] = []any{}
		}
	}
	for i, spec := range p.system.Nodes {
		var value any
		if nodes[i] != nil {
			value = p.views.get(p.system, i, nodes[i])
		}
		if p.uses[spec.Name] {
			all[spec.Name] = value
		}
		if p.uses["node"] {
			named[spec.Name] = value
		}
		for _, list := range lists(spec) {
			if p.uses[list] && value != nil {
				all[list] = append(all[list].([]any), value)
			}
		}
	}
	if p.uses["node"] {
		all["node"] = named
	}
	return all
}

// A Field is a field with an example condition.
type Field struct {
	Name    string `json:"name"`    // such as s1.Queue
	Example string `json:"example"` // such as len(s1.Queue) > 0
}

// Fields returns the fields of a system's nodes.
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

// word matches an identifier.
var word = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// example returns a condition on a field of a type, with %s for the field.
func example(t reflect.Type) string {
	switch typ := typeOf(t, 0); {
	case typ == types.Bool:
		return "%s"
	case typ == types.Int:
		return "%s > 0"
	case typ == types.String:
		return `%s != ""`
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map, t.Kind() == reflect.Array:
		return "len(%s) > 0"
	}
	return "%s != nil"
}
