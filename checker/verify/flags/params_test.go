package flags

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
)

var (
	tries    = model.Param[int]{Name: "tries", Meaning: "broadcasts", Least: 1, Most: 20, Default: 2}
	attempts = model.Param[int]{Name: "attempts", Meaning: "attempts", Most: 9}
	first    = &model.Protocol{Name: "first", Params: []model.Parameter{model.N, model.Quorum, tries, model.Delay}, Networks: model.NetworkModels}
	second   = &model.Protocol{Name: "second", Params: []model.Parameter{model.N.WithMeaning("processes"), tries.WithDefault(3), attempts, model.Delay}}
)

// Each parameter has one flag, which stands behind the one that its protocol lists before.
func TestOneFlagForEachParameter(t *testing.T) {
	var c Config
	c.BindParams(pflag.NewFlagSet("", pflag.ContinueOnError), []*model.Protocol{first, second})
	assert.Equal(t, []string{"n", "quorum", "tries", "attempts", "delay"}, c.Params())
	c.BindParams(pflag.NewFlagSet("", pflag.ContinueOnError), []*model.Protocol{first, second}, tries, model.N)
	assert.ElementsMatch(t, []string{"quorum", "attempts", "delay"}, c.Params())
}

// A flag's help is said once for all protocols that agree.
func TestUsage(t *testing.T) {
	x := newParams([]*model.Protocol{first, second}, nil)
	for name, want := range map[string]string{
		"n":        "`N` servers, 1 to 32 (first); processes, 1 to 32 (second)",
		"quorum":   "`N` size of a quorum, 1 to 32 (first)",
		"tries":    "`N` broadcasts, 1 to 20, default 2 (first); 1 to 20, default 3 (second)",
		"attempts": "`N` attempts, 0 to 9, default 0 (second)",
		"delay":    "`TICKS` for δ, the bound on message delay, 1 to 1000, default 1",
	} {
		assert.Equal(t, want, x.usage(name))
	}
}

// What flags give stands in place of what was there, a zero too; the rest stays.
func TestConfigure(t *testing.T) {
	from := model.Config{N: 5, B: 1, Drift: 3, Beyond: true}.With(attempts.Is(4), model.Delay.Is(7))
	for _, c := range []struct {
		args []string
		want model.Config
		err  string
	}{
		{nil, from, ""},
		{[]string{"--attempts", "0", "-n", "4"}, model.Config{N: 4, B: 1, Drift: 3, Beyond: true}.With(attempts.Is(0), model.Delay.Is(7)), ""},
		{[]string{"--drift", "0"}, model.Config{N: 5, B: 1, Beyond: true}.With(attempts.Is(4), model.Delay.Is(7)), ""},
		{[]string{"--drift", "-1"}, from, "drift is -1, but must be 0 or more"},
		{[]string{"--attempts", "10"}, from, "attempts is 10, but must be 0 to 9"},
		{[]string{"--quorum", "3"}, from, "--quorum is set, but this protocol does not read it; it reads n, tries, attempts and delay"},
		{[]string{"--network", "stable"}, from, "--network is set, but this protocol does not read it; it reads n, tries, attempts and delay"},
	} {
		var f Config
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		f.Bind(set, []*model.Protocol{first, second})
		require.NoError(t, set.Parse(c.args))
		got, err := f.Configure(second, from)
		if c.err != "" {
			assert.EqualError(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%v", c.args)
		assert.Equal(t, len(c.args) > 0, f.Changed())
	}
}
