package experiment

import "math"

// A Standing is the result of one strategy on all mutants.
type Standing struct {
	Strategy string
	Mean     Bounds // geometric mean of the medians
	Found    int    // number of successful seeds
	Seeds    int    // number of seeds
}

// Standings summarizes the catches of each strategy, in their order.
func Standings(catches []Catch) []Standing {
	var out []Standing
	for _, group := range byStrategy(catches) {
		s := Standing{Strategy: group[0].Strategy}
		var medians []Bounds
		for _, c := range group {
			medians = append(medians, c.Median)
			s.Found, s.Seeds = s.Found+c.Found, s.Seeds+len(c.Tries)
		}
		s.Mean = geometric(medians)
		out = append(out, s)
	}
	return out
}

// Ratio compares a strategy with the best other strategy. For each mutant with a known median it divides the
// medians. It returns the median of these ratios, and their number.
func Ratio(catches []Catch, strategy string) (Bounds, int) {
	var ratios []Bounds
	for _, group := range byMutant(catches) {
		own, best := Bounds{}, Bounds{math.Inf(1), math.Inf(1)}
		for _, c := range group {
			if c.Strategy == strategy {
				own = c.Median
				continue
			}
			best = Bounds{min(best.AtLeast, c.Median.AtLeast), min(best.AtMost, c.Median.AtMost)}
		}
		if own.AtLeast > 0 && !math.IsInf(best.AtLeast, 1) && min(own.AtMost, best.AtMost) < math.Inf(1) {
			ratios = append(ratios, Bounds{own.AtLeast / best.AtMost, own.AtMost / best.AtLeast})
		}
	}
	if len(ratios) == 0 {
		return Bounds{}, 0
	}
	return median(ratios), len(ratios)
}

// Missed returns the mutants that no seed of any strategy found.
func Missed(catches []Catch) (names []string) {
	for _, group := range byMutant(catches) {
		found := 0
		for _, c := range group {
			found += c.Found
		}
		if found == 0 {
			names = append(names, group[0].Protocol+"/"+group[0].Mutant)
		}
	}
	return names
}

func byMutant(catches []Catch) [][]Catch {
	return group(catches, func(c Catch) string { return c.Protocol + "/" + c.Mutant })
}

func byStrategy(catches []Catch) [][]Catch {
	return group(catches, func(c Catch) string { return c.Strategy })
}

// group groups catches by a key, in order of first occurrence.
func group(catches []Catch, key func(Catch) string) [][]Catch {
	var out [][]Catch
	at := map[string]int{}
	for _, c := range catches {
		i, ok := at[key(c)]
		if !ok {
			i = len(out)
			at[key(c)] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}
