package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker/mutate/driver"
	"contend/checker/mutate/schemata"
)

// matrix returns rows, listed then proposed, and mutants that they catch. A row is its seconds and a letter for each
// mutant.
func matrix(listed, proposed []string, seconds map[string]float64) (rows, more []*baseline, mutants []*Tried) {
	of := map[rune]*Tried{}
	for _, letter := range "abcdef" {
		of[letter] = &Tried{Mutant: &schemata.Mutant{Name: string(letter)}, killers: map[*baseline]bool{}}
		mutants = append(mutants, of[letter])
	}
	add := func(names []string) (all []*baseline) {
		for _, name := range names {
			row := &baseline{Answer: driver.Answer{Name: name, Bounds: name, Seconds: seconds[name]}}
			for _, letter := range name {
				of[letter].killers[row] = true
			}
			all = append(all, row)
		}
		return all
	}
	return add(listed), add(proposed), mutants
}

// chosenFrom returns the names of rows: those that are spare, those that are chosen, those that are left, and what each
// left one catches alone.
func chosenFrom(all []*Choice) (spare, chosen, left, alone []string) {
	for _, c := range all {
		left = append(left, c.Name)
		if c.Spare {
			spare = append(spare, c.Name)
		}
		if c.Chosen {
			chosen = append(chosen, c.Name)
		}
		text := ""
		for _, m := range c.Alone {
			text += m.Name
		}
		alone = append(alone, text)
	}
	return spare, chosen, left, alone
}

// Rows are compared by what they catch, and the cheapest of equal ones stays.
func TestChoices(t *testing.T) {
	for _, c := range []struct {
		listed, proposed           []string
		seconds                    map[string]float64
		spare, chosen, left, alone []string
	}{
		// The slowest row that the others make needless goes first, so abc stays for a and c.
		{[]string{"abc", "bc", "ab"}, nil, map[string]float64{"abc": 1, "bc": 2, "ab": 3},
			[]string{"bc", "ab"}, []string{"abc"}, []string{"abc", "bc", "ab"}, []string{"", "", ""}},
		// What one row alone catches keeps it, however slow.
		{[]string{"ab", "abc"}, nil, map[string]float64{"ab": 0.1, "abc": 60},
			[]string{"ab"}, []string{"abc"}, []string{"ab", "abc"}, []string{"", "c"}},
		// Two quick rows are better than a slow one.
		{[]string{"abc", "a", "bc"}, nil, map[string]float64{"abc": 9, "a": 1, "bc": 1},
			[]string{"abc"}, []string{"a", "bc"}, []string{"abc", "a", "bc"}, []string{"", "", ""}},
		// A proposed row may take the place of a listed one; one that catches nothing new is left out.
		{[]string{"ab"}, []string{"abc", "c", "b"}, map[string]float64{"ab": 1, "abc": 1, "c": 1, "b": 1},
			nil, []string{"abc"}, []string{"ab", "abc"}, []string{"ab", "c"}},
		// A row that catches nothing is spare.
		{[]string{"", "a"}, nil, nil, []string{""}, []string{"a"}, []string{"", "a"}, []string{"", "a"}},
		// Times below the least are equal.
		{[]string{"ab", "a", "b"}, nil, map[string]float64{"ab": 0.04, "a": 0.001, "b": 0.001},
			[]string{"ab"}, []string{"ab"}, []string{"ab", "a", "b"}, []string{"", "", ""}},
	} {
		rows, more, mutants := matrix(c.listed, c.proposed, c.seconds)
		spare, chosen, left, alone := chosenFrom(choices(rows, more, mutants))
		assert.Equal(t, c.spare, spare, "%v: spare", c.listed)
		assert.Equal(t, c.chosen, chosen, "%v: chosen", c.listed)
		assert.Equal(t, c.left, left, "%v: left", c.listed)
		assert.Equal(t, c.alone, alone, "%v: alone", c.listed)
	}
}

// A candidate is checked with the claims that it decides.
func TestDecided(t *testing.T) {
	claim := func(name, kind, verdict, finding, limit string, tested bool) driver.Claim {
		return driver.Claim{Name: name, Kind: kind, Verdict: verdict, Finding: finding, Limit: limit, Tested: tested}
	}
	claims, violated := decided(driver.Answer{Claims: []driver.Claim{
		claim("holds", "always", "holds", "", "", true),
		claim("never in question", "always", "holds", "", "", false),
		claim("too small for it", "sometimes", "violated", "", "", true),
		claim("known", "always", "violated", "a finding", "", true),
		claim("open", "eventually", "inconclusive", "", "strict bound", true),
		claim("not made", "always", "not claimed", "", "", true),
	}})
	assert.Equal(t, []string{"holds", "known"}, claims)
	assert.Empty(t, violated)
	lost := claim("lost", "always", "violated", "a finding", "", true)
	lost.Lost = true
	for _, c := range []driver.Claim{lost, claim("new", "always", "violated", "", "", true)} {
		_, violated = decided(driver.Answer{Claims: []driver.Claim{c}})
		assert.Equal(t, c.Name, violated)
	}
}
