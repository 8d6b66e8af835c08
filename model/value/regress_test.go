package value_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/value"
)

// A node type that holds itself as a plain value is refused for its configuration.
type recur struct {
	//lint:ignore U1000 it is refused by name
	cfg  int
	Kids []recur
}

func (*recur) Start(model.Env) {}

func TestRecursiveNode(t *testing.T) { assert.Error(t, value.CheckNode(&recur{})) }

// A node within a message or within an element is a plain value, not a node.
type boxed struct{ C cell }
type withBoxes struct{ Boxes []boxed }

func (*withBoxes) Start(model.Env) {}

func TestNodeInMessage(t *testing.T) {
	_, err := value.New(&model.System{Types: []any{boxed{}}})
	assert.Error(t, err)
	assert.Error(t, value.CheckNode(&withBoxes{}))
}

// An interface with methods is refused: foreign JSON could not be read into it.
type named struct{ S fmt.Stringer }

func TestNonEmptyInterface(t *testing.T) {
	c, err := value.New(&model.System{Types: []any{named{}}})
	if err != nil {
		return
	}
	assert.NotPanics(t, func() { c.FromJSON([]byte(`{"type":"value_test.named","value":{"S":{"type":"int","value":1}}}`)) })
}

type kk struct{ A, B string }

func TestKeyOrder(t *testing.T) {
	c, _ := value.New(&model.System{Types: []any{map[kk]int{}}})
	first, _ := c.JSON(map[kk]int{{"x B:y", ""}: 1, {"x", "y B:"}: 2})
	for range 50 {
		again, _ := c.JSON(map[kk]int{{"x B:y", ""}: 1, {"x", "y B:"}: 2})
		if !assert.Equal(t, string(first), string(again)) {
			return
		}
	}
}

type mine string

func (m *mine) UnmarshalText(b []byte) error { *m = "other"; return nil }

func TestUnmarshaler(t *testing.T) {
	c, _ := value.New(&model.System{Types: []any{mine("")}})
	text, _ := c.JSON(mine("a"))
	v, _ := c.FromJSON(text)
	assert.Equal(t, mine("a"), v)
}

func TestExtraEnvelope(t *testing.T) {
	c := codec(t)
	_, err := c.FromJSON([]byte(`{"type":"int","value":1,"extra":2}`))
	assert.Error(t, err)
	_, err = c.FromJSON([]byte(`{"type":"map[string]int","value":[["a",1,2]]}`))
	assert.Error(t, err)
	_, err = c.FromJSON([]byte(`{"type":"map[string]int","value":[["a",1],["a",2]]}`))
	assert.Error(t, err)
}
