package shape_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/shape"
)

type base struct{ On bool }

func (*base) Timeout(model.Env, any) {}

type embeds struct{ base }

// misspelt has a method that looks like a handler.
type misspelt struct{ base }

func (*misspelt) Receive(model.Env, any) {}

// A struct is a node when a pointer to it has a handler.
func TestIsNode(t *testing.T) {
	assert.True(t, shape.IsNode(reflect.TypeFor[base]()))
	assert.True(t, shape.IsNode(reflect.TypeFor[embeds]()), "by a promoted handler")
	assert.False(t, shape.IsNode(reflect.TypeFor[struct{ In base }]()))
}

// A method of a handler's name that is none would never be called.
func TestMisnamed(t *testing.T) {
	assert.NoError(t, shape.Misnamed(reflect.TypeFor[*embeds]()))
	assert.EqualError(t, shape.Misnamed(reflect.TypeFor[*misspelt]()),
		"its method Receive is not called: a handler has the form Receive(model.Env, model.NodeID, any)")
}

// A type is optional exactly if it is a [model.Optional].
func TestIsOptional(t *testing.T) {
	assert.True(t, shape.IsOptional(reflect.TypeFor[model.Optional[int]]()))
	assert.False(t, shape.IsOptional(reflect.TypeFor[model.Inner]()))
	assert.False(t, shape.IsOptional(reflect.TypeFor[int]()))
}
