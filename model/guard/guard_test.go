package guard_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/guard"
)

type described struct{}

func (described) Describe() string { return "a call" }

// A cell shows a call while it runs, and not after it has failed or was refused. The failure has its cause
// and place.
func TestCall(t *testing.T) {
	var none []int
	for want, do := range map[string]func(){
		"":                     func() {},
		"panic: on two lines":  func() { panic("on two\nlines") },
		"panic: an error":      func() { panic(errors.New("an error")) },
		"assertion: it is not": func() { model.Assert(false, "it is %s", "not") },
		"it may not":           func() { model.Misused("it may not") },
		"panic: runtime error: index out of range [0] with length 0": func() { none[0]++ },
	} {
		var c guard.Cell
		r := &guard.Running{Who: described{}}
		f := c.Call(r, func() {
			assert.Same(t, r, c.Now())
			do()
		})
		assert.Nil(t, c.Now())
		if want == "" {
			assert.Nil(t, f)
			continue
		}
		assert.Equal(t, want, f.How)
		assert.Regexp(t, `^guard/guard_test.go:\d+$`, f.At)
		assert.Equal(t, f.How+" ("+f.At+")", f.String())
	}
	var c guard.Cell
	assert.PanicsWithValue(t, model.Refused{Text: "it is refused"}, func() {
		c.Call(&guard.Running{}, func() { model.Refuse("it is refused") })
	})
	assert.Nil(t, c.Now(), "what is refused is over")
}
