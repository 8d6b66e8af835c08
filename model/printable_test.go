package model_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain, ✗ and ∞\n\ttoo":     "plain, ✗ and ∞\n\ttoo",
		"\x1b[2J":                   `\x1b[2J`,
		"a\u202eb\u2066c\u200bd":    `a\u202eb\u2066c\u200bd`,
		"not UTF-8: \xff\xfe":       `not UTF-8: \xff\xfe`,
		strings.Repeat("x", 1000):   strings.Repeat("x", 1000),
		strings.Repeat("x", 12_000): strings.Repeat("x", 1001) + "…",
	} {
		assert.Equal(t, want, model.Printable(text))
	}
}

// Names that could not be shown, or written to a trace, are refused before a search.
func TestNamesArePrintable(t *testing.T) {
	build := func(name string) func(model.Config) (*model.System, error) {
		return func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Nodes: []model.NodeSpec{{Name: name, New: func() model.Node { return &locker{} }}}}, nil
		}
	}
	claim := func(name string) []model.Claim { return []model.Claim{{Name: name, Kind: model.Always, Done: true}} }
	long := strings.Repeat("x", 201)
	for _, c := range []struct {
		p    model.Protocol
		want string
	}{
		{model.Protocol{Name: "a\u202eb", Build: build("n")}, `the name of a protocol is "a\u202eb", but must be printable and at most 200 bytes long`},
		{model.Protocol{Name: "p", Build: build("n"), Claims: claim("\x1b[2J")}, `the name of a claim is "\x1b[2J"`},
		{model.Protocol{Name: "p", Build: build("n"), Claims: claim(long)}, `the name of a claim is "xxxx`},
		{model.Protocol{Name: "p", Build: build("n"), Claims: claim(model.NoHandlerFails)}, `claim "no handler fails" is one that every protocol makes`},
		{model.Protocol{Name: "p", Build: build("n\n")}, `the name of a node is "n\n"`},
		{model.Protocol{Name: "p", Build: func(model.Config) (*model.System, error) { panic("no") }}, `protocol p: Build panics: no`},
	} {
		err := c.p.Validate()
		if err == nil {
			_, err = c.p.System("", model.Config{})
		}
		assert.ErrorContains(t, err, c.want)
	}
}
