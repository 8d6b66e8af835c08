package parts

// A Transfer is states that one part sends to another.
type Transfer struct {
	From, To int
	States   int64
}

// Even says who sends how many states to whom, so that all have about as many: those that have more than the
// mean send what they have beyond it. What is within an eighth of the mean stays, as do fewer than few states, which
// are not worth being sent.
func Even(states []int64, few int64) (all []Transfer) {
	sum := int64(0)
	for _, n := range states {
		sum += n
	}
	mean := sum / int64(len(states))
	slack := max(mean/8, few)
	to := 0
	lacks := func() int64 { return mean - states[to] }
	states = append([]int64(nil), states...)
	for from := range states {
		if states[from] <= mean+slack {
			continue
		}
		for to < len(states) && states[from] > mean {
			if lacks() < few {
				to++
				continue
			}
			n := min(states[from]-mean, lacks())
			all = append(all, Transfer{from, to, n})
			states[from] -= n
			states[to] += n
		}
	}
	return all
}
