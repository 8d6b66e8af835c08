package tables

import (
	"fmt"
	"slices"
	"strings"
)

// formulas returns the formulas of the least and the most numbers of a cell.
func (e *Entry) formulas() (least, most string) {
	var at, low, high []int
	var beyond []string // high numbers as text; some may exceed the cost's maximum
	more := 0
	for _, p := range e.Points {
		if p.Least == nil || p.Limit != "" && !p.Cut {
			continue
		}
		at, low, high = append(at, p.Size), append(low, *p.Least), append(high, *p.Most)
		if beyond = append(beyond, fmt.Sprint(*p.Most)); p.More {
			beyond[len(beyond)-1] = fmt.Sprintf("more than %d", *p.Most)
			more++
		}
	}
	if len(at) == 0 {
		return "", ""
	}
	least, most = formula(e.Size, at, low), formula(e.Size, at, high)
	if slices.ContainsFunc(e.Points, func(p Point) bool { return p.Cut }) {
		least, most = list(low), list(high)
	}
	if more > 0 {
		most = "unbounded"
	}
	if more > 0 && more < len(at) {
		most = strings.Join(beyond, ", ")
	}
	return least, most
}

// formula returns the simplest formula that fits numbers at several sizes: a constant, a multiple of the size
// or of one less, a line, or a square with integer coefficients. The number of sizes must exceed the number
// of coefficients. If no formula fits, it returns the list of numbers.
func formula(size string, at, numbers []int) string {
	n := len(slices.Compact(slices.Sorted(slices.Values(at))))
	if constant(numbers) && n >= 2 {
		return fmt.Sprint(numbers[0])
	}
	if a, ok := multiple(at, numbers, 0); ok && n >= 2 {
		return times(a, size)
	}
	if a, ok := multiple(at, numbers, 1); ok && n >= 2 {
		return times(a, fmt.Sprintf("(%s − 1)", size))
	}
	if a, b, ok := line(at, numbers); ok && n >= 3 {
		return times(a, size) + plus(b)
	}
	if a, b, c, ok := square(at, numbers); ok && n >= 4 {
		return times(a, size+"²") + plusTimes(b, size) + plus(c)
	}
	return list(numbers)
}

func constant(numbers []int) bool { return len(slices.Compact(slices.Clone(numbers))) == 1 }

// multiple returns a with numbers[i] = a·(at[i] − less).
func multiple(at, numbers []int, less int) (a int, ok bool) {
	for i, x := range at {
		d := x - less
		switch {
		case d == 0 && numbers[i] == 0:
		case d == 0 || numbers[i]%d != 0 || a != 0 && numbers[i] != a*d:
			return 0, false
		default:
			a = numbers[i] / d
		}
	}
	return a, a != 0
}

// line returns a and b with numbers[i] = a·at[i] + b.
func line(at, numbers []int) (a, b int, ok bool) {
	last := len(at) - 1
	dx, dy := at[last]-at[0], numbers[last]-numbers[0]
	if dx == 0 || dy%dx != 0 {
		return 0, 0, false
	}
	a = dy / dx
	b = numbers[0] - a*at[0]
	for i, x := range at {
		if numbers[i] != a*x+b {
			return 0, 0, false
		}
	}
	return a, b, true
}

// square returns a, b and c with numbers[i] = a·at[i]² + b·at[i] + c, computed from the first three and
// verified by the others. The sizes must ascend.
func square(at, numbers []int) (a, b, c int, ok bool) {
	if len(at) < 3 || at[0] == at[1] || at[1] == at[2] || at[0] == at[2] {
		return 0, 0, 0, false
	}
	x, y, z := at[0], at[1], at[2]
	over := (x - y) * (x - z) * (y - z)
	top := z*(numbers[1]-numbers[0]) + y*(numbers[0]-numbers[2]) + x*(numbers[2]-numbers[1])
	if top%over != 0 || (numbers[1]-numbers[0])%(y-x) != 0 {
		return 0, 0, 0, false
	}
	a = top / over
	b = (numbers[1]-numbers[0])/(y-x) - a*(x+y)
	c = numbers[0] - a*x*x - b*x
	for i, x := range at {
		if numbers[i] != a*x*x+b*x+c {
			return 0, 0, 0, false
		}
	}
	return a, b, c, true
}

// plusTimes formats a further term; "" if b is 0.
func plusTimes(b int, what string) string {
	switch {
	case b > 0:
		return " + " + times(b, what)
	case b < 0:
		return " − " + times(-b, what)
	}
	return ""
}

func times(a int, what string) string {
	switch a {
	case 1:
		return strings.Trim(what, "()")
	case -1:
		return "−" + what
	}
	return fmt.Sprintf("%d%s", a, what)
}

func plus(b int) string {
	switch {
	case b > 0:
		return fmt.Sprintf(" + %d", b)
	case b < 0:
		return fmt.Sprintf(" − %d", -b)
	}
	return ""
}

func list(numbers []int) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(numbers)), ", "), "[]")
}
