package experiment

import "math"

// A Standing is how one strategy did on all mutants.
type Standing struct {
	Strategy string
	Mean     Bounds // the geometric mean of its medians
	Found    int    // seeds that found a mutant
	Of       int    // seeds in all
}

// Standings sums up the catches of each strategy, in their order.
func Standings(catches []Catch) []Standing {
	var out []Standing
	for _, group := range byStrategy(catches) {
		s := Standing{Strategy: group[0].Strategy}
		var medians []Bounds
		for _, c := range group {
			medians = append(medians, c.Median)
			s.Found, s.Of = s.Found+c.Found, s.Of+len(c.Tries)
		}
		s.Mean = geometric(medians)
		out = append(out, s)
	}
	return out
}

// Ratio compares one strategy with the best other one on each mutant: how many times as many schedules it needs by the medians. It is the
// median over those mutants of which either is known, and their number; 0 if there are none.
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

// Missed lists the mutants that no seed of any strategy found.
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
	return grouped(catches, func(c Catch) string { return c.Protocol + "/" + c.Mutant })
}

func byStrategy(catches []Catch) [][]Catch {
	return grouped(catches, func(c Catch) string { return c.Strategy })
}

// grouped puts together those with equal keys, in the order in which keys come first.
func grouped(catches []Catch, key func(Catch) string) [][]Catch {
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
