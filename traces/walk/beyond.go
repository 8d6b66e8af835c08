package walk

import (
	"errors"

	"contend/model/world"
)

// mostTried is the number of combinations of answers that Beyond tries.
const mostTried = 64

// Beyond returns the name of the cut that an offer leads to at its earliest instant, with any answers. It
// returns "" if some answers avoid the cut, or if mostTried combinations did not decide it.
func (w *Walk) Beyond(o Offer) string {
	if len(w.run.World.System.Cuts) == 0 {
		return ""
	}
	left := mostTried
	return w.beyondWith(o, nil, &left)
}

// beyondWith is Beyond with the given first answers. It decrements left for each combination.
func (w *Walk) beyondWith(o Offer, answers []int, left *int) (cut string) {
	if *left--; *left < 0 {
		return ""
	}
	_, _, err := w.step(o, o.earliest, answers)
	var ask *Ask
	var beyond world.ErrCut
	switch {
	case errors.As(err, &beyond):
		return beyond.Name
	case !errors.As(err, &ask):
		return ""
	}
	for a := range ask.Of {
		if cut = w.beyondWith(o, append(answers[:len(answers):len(answers)], a), left); cut == "" {
			return ""
		}
	}
	return cut
}
