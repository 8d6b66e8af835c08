package experiment

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A line that is no result is an error of one sentence with its number.
func TestResultsThatAreNone(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"[]\n", "line 1 is no JSON object"},
		{"{}\n", `line 1 has an object of kind "", but must have a catch or a reach`},
		{`{"kind":"catch"}` + "\n", "line 1 has no catch that can be read: it has no tries"},
		{`{"kind":"catch","tries":[{}],"median":{}}` + "\n", "line 1 has no catch that can be read: atLeast is missing"},
		{`{"kind":"catch","tries":[{}]}` + "\n" + `{"kind":"reach"}` + "\n", "line 2 has no reach that can be read: it has no points"},
	} {
		_, _, err := ReadResults(strings.NewReader(c.text))
		assert.EqualError(t, err, c.says)
	}
}

// A line without its end is ignored.
func TestResultsCutOff(t *testing.T) {
	line := `{"kind":"catch","mutant":"m","tries":[{}],"median":{"atLeast":4}}` + "\n"
	r, whole, err := ReadResults(strings.NewReader(line + line[:20]))
	assert.NoError(t, err)
	assert.EqualValues(t, len(line), whole)
	assert.Equal(t, moreThan(3), r.catches[[3]string{"", "m", ""}].Median)
}

// Any file is either results or an error. The next result is appended after the results that were read.
func FuzzReadResults(f *testing.F) {
	f.Add(`{"kind":"catch","cap":3,"tries":[{"seed":"1"}],"median":{"atLeast":4}}` + "\n{")
	f.Add(`{"kind":"reach","points":[{"schedules":3,"states":1}]}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, whole, err := ReadResults(strings.NewReader(text))
		if err != nil {
			assert.NotContains(t, err.Error(), "\n")
			return
		}
		assert.True(t, whole == 0 || text[whole-1] == '\n')
		assert.NotContains(t, text[whole:], "\n")
		_ = r.Fit(Options{Schedules: 3, Seeds: 1, Seed: 1})
	})
}
