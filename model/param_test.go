package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// A level is a type of number that a protocol has for itself.
type level int

var height = model.Param[level]{Name: "height", Meaning: "levels", Least: 1, Most: 9, Default: 3}

// A parameter is set and read with its type, whatever its earlier value.
func TestParam(t *testing.T) {
	c := model.Config{N: 3}
	assert.Equal(t, level(3), height.Of(c), "the default")
	assert.Equal(t, model.Ticks(2), stay.Of(c))
	set := c.With(height.Is(7), stay.Is(0), tries.Is(2))
	assert.Equal(t, level(7), height.Of(set))
	assert.Equal(t, model.Ticks(0), stay.Of(set), "a zero that is set is no default")
	assert.Equal(t, level(8), height.Of(set.With(height.Is(8))), "the last word stands")
	assert.Equal(t, level(7), height.Of(set), "a configuration is a value")
	assert.Equal(t, 2, tries.Of(set))
	assert.Equal(t, level(5), height.WithDefault(5).Of(c))
	assert.Equal(t, 4, model.N.Of(c.With(model.N.Is(4))), "n has a field of its own")
	assert.Equal(t, 1, c.With(model.B.Is(1)).B)
}

// Configurations with equal settings are equal, whatever the order of the settings.
func TestConfigIsComparable(t *testing.T) {
	a := model.Config{N: 3}.With(height.Is(7), tries.Is(2))
	b := model.Config{N: 3}.With(tries.Is(9)).With(tries.Is(2), height.Is(7))
	assert.True(t, a == b)
	assert.Equal(t, []model.Setting{{Name: "height", Value: 7}, {Name: "tries", Value: 2}}, a.Settings(), "by name")
	assert.False(t, a == a.With(height.Is(8)))
	assert.False(t, a == model.Config{N: 3}.With(height.Is(7)))
}

func TestSettingsNeedNames(t *testing.T) {
	for _, name := range []string{"", "a b", "a=b", "Tries", "1st", "né"} {
		assert.Panics(t, func() { model.Config{}.With(model.Setting{Name: name, Value: 1}) }, "%q", name)
	}
}

func TestDeclared(t *testing.T) {
	assert.Equal(t, model.Declaration{Name: "stay", Meaning: "how long it stays", Symbol: "σ", Unit: "ticks", Most: 1000, Default: 2}, stay.Declared())
	d := height.WithRange(2, 4).WithMeaning("storeys").Declared()
	assert.Equal(t, model.Declaration{Name: "height", Meaning: "storeys", Symbol: "height", Least: 2, Most: 4, Default: 3}, d)
	assert.True(t, d.HasDefault())
	assert.False(t, height.WithDefault(0).Declared().HasDefault(), "below the least there is none")
	assert.Equal(t, "--height", d.Flag())
	assert.Equal(t, "-b", model.B.Declared().Flag())
	assert.NoError(t, d.Check(4))
	assert.EqualError(t, d.Check(5), "height is 5, but must be 2 to 4")
	assert.EqualError(t, d.Check(1), "height is 1, but must be 2 to 4")
}

// Settings are in the protocol's order. A 0 that is the default is omitted.
func TestSettingsOfProtocol(t *testing.T) {
	p := protocol()
	p.Params = append(p.Params, other)
	told := p.Settings(p.Filled(model.Config{}.With(stay.Is(0), other.Is(0))))
	assert.Equal(t, []model.Setting{
		model.N.Is(3), model.Quorum.Is(5), model.Clients.Is(2), model.Ops.Is(1), tries.Is(4), model.Delay.Is(1), stay.Is(0),
	}, told)
}

// A declaration that cannot be a flag, or has no valid value, is refused.
func TestParamsValidate(t *testing.T) {
	for want, param := range map[string]model.Parameter{
		`parameter "Tries" needs a name of its own`:                     model.Param[int]{Name: "Tries", Meaning: "m", Most: 1},
		`parameter "tries" needs a name of its own`:                     tries,
		`parameter "loss" needs a name of its own`:                      model.Param[int]{Name: "loss", Meaning: "m", Most: 1},
		"parameter k needs a meaning, in one line without backquotes":   model.Param[int]{Name: "k", Most: 1},
		"parameter k has the range 2 to 1, but it must begin at 0":      model.Param[int]{Name: "k", Meaning: "m", Least: 2, Most: 1},
		"parameter k has the range -1 to 1, but it must begin at 0":     model.Param[int]{Name: "k", Meaning: "m", Least: -1, Most: 1},
		"parameter k has the default 2, which is not 0 to 1":            model.Param[int]{Name: "k", Meaning: "m", Most: 1, Default: 2},
		"parameter b has the default 1, but without a word of them the": model.B.WithDefault(1),
		"parameter n must be 1 or more":                                 model.N.WithRange(0, 3),
	} {
		p := &model.Protocol{Name: "p", Build: protocol().Build, Params: []model.Parameter{tries, param}}
		assert.ErrorContains(t, p.Validate(), want)
	}
}

// Protocols may share a parameter's name, each with its own meaning and range. But it must not be a count in
// one protocol and a number of ticks in another.
func TestValidateSuite(t *testing.T) {
	made := func(name string, params ...model.Parameter) *model.Protocol {
		return &model.Protocol{Name: name, Build: protocol().Build, Params: params}
	}
	a, b := made("a", tries, stay), made("b", tries.WithMeaning("another").WithRange(0, 99))
	assert.NoError(t, model.ValidateSuite([]*model.Protocol{a, b}))
	assert.EqualError(t, model.ValidateSuite([]*model.Protocol{a, b, made("a")}), "protocol a is listed twice")
	timed := made("c", model.Param[model.Ticks]{Name: "tries", Meaning: "m", Most: 1})
	assert.EqualError(t, model.ValidateSuite([]*model.Protocol{a, timed}),
		"parameter tries is in ticks in one of the protocols a and c, and a number in the other: one of them needs another name")
	assert.ErrorContains(t, model.ValidateSuite([]*model.Protocol{made("", tries)}), "a protocol needs a Name")
}
