package experiment

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// Results are the results of earlier experiments. They do not record the build.
type Results struct {
	catches map[[3]string]Catch // by protocol, mutant and strategy
	reaches map[[2]string]Reach // by protocol and strategy
}

// ReadResults reads JSON objects, one a line. It omits an incomplete last line, and returns the number of
// bytes before it. The error is one sentence.
func ReadResults(from io.Reader) (r *Results, whole int64, err error) {
	r = &Results{map[[3]string]Catch{}, map[[2]string]Reach{}}
	lines := bufio.NewReader(from)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return r, whole, nil
		}
		if err != nil {
			return nil, 0, err
		}
		if err := r.read(line); err != nil {
			return nil, 0, fmt.Errorf("line %d %w", n, err)
		}
		whole += int64(len(line))
	}
}

// read adds a line.
func (r *Results) read(line []byte) error {
	var object struct{ Kind string }
	if err := json.Unmarshal(line, &object); err != nil {
		return fmt.Errorf("is no JSON object")
	}
	var err error
	switch object.Kind {
	case "catch":
		var c Catch
		if err = json.Unmarshal(line, &c); err == nil && len(c.Tries) == 0 {
			err = fmt.Errorf("it has no tries")
		}
		r.catches[[3]string{c.Protocol, c.Mutant, c.Strategy}] = c
	case "reach":
		var x Reach
		if err = json.Unmarshal(line, &x); err == nil && len(x.Points) == 0 {
			err = fmt.Errorf("it has no points")
		}
		r.reaches[[2]string{x.Protocol, x.Strategy}] = x
	default:
		return fmt.Errorf("has an object of kind %q, but must have a catch or a reach", object.Kind)
	}
	if err != nil {
		return fmt.Errorf("has no %s that can be read: %w", object.Kind, err)
	}
	return nil
}

// Fit returns an error if the results have other options, or nil.
func (r *Results) Fit(opt Options) error {
	for _, c := range r.catches {
		switch first := fmt.Sprint(opt.Seed); {
		case c.Cap != opt.Schedules:
			return fmt.Errorf("it has results of %d schedules a seed, but --schedules is %d", c.Cap, opt.Schedules)
		case len(c.Tries) != opt.Seeds:
			return fmt.Errorf("it has results of %d seeds, but --seeds is %d", len(c.Tries), opt.Seeds)
		case c.Tries[0].Seed != first:
			return fmt.Errorf("it has results of seeds from %s on, but --seed is %s", c.Tries[0].Seed, first)
		}
	}
	for _, x := range r.reaches {
		if most := x.Points[len(x.Points)-1].Schedules; most != int64(opt.Schedules) {
			return fmt.Errorf("it has states of %d schedules, but --schedules is %d", most, opt.Schedules)
		}
	}
	return nil
}

// Caught returns the results for a mutant by strategy, and the strategies without a result.
func (r *Results) Caught(m Mutant, strategies []string) (known map[string]Catch, open []string) {
	known = map[string]Catch{}
	for _, name := range strategies {
		c, has := r.catches[[3]string{m.Protocol.Name, m.Check.Variant, name}]
		if has && c.Claim == m.Check.Claims[0] && c.Time == m.Check.Reading.String() {
			known[name] = c
		} else {
			open = append(open, name)
		}
	}
	return known, open
}

// Reaches returns the states of a protocol for each strategy; nil if some strategy has none, since states are
// counted jointly.
func (r *Results) Reaches(protocol string, strategies []string) (all []Reach) {
	for _, name := range strategies {
		x, has := r.reaches[[2]string{protocol, name}]
		if !has || len(all) > 0 && x.States != all[0].States {
			return nil
		}
		all = append(all, x)
	}
	return all
}

// UnmarshalJSON reads the output of MarshalJSON.
func (b *Bounds) UnmarshalJSON(data []byte) error {
	var from struct{ AtLeast, AtMost *float64 }
	if err := json.Unmarshal(data, &from); err != nil {
		return err
	}
	if from.AtLeast == nil {
		return fmt.Errorf("atLeast is missing")
	}
	*b = Bounds{*from.AtLeast, math.Inf(1)}
	if from.AtMost != nil {
		b.AtMost = *from.AtMost
	}
	return nil
}
