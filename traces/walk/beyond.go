package walk

import (
	"errors"

	"contend/model/world"
)

// mostTried is how many combinations of answers are tried before an offer counts as one that may be taken.
const mostTried = 64

// Beyond names the cut beyond which an offer leads at the earliest instant, whatever its handlers are
// answered; "" where it may be taken, or asks for so many answers that not all were tried.
func (w *Walk) Beyond(o Offer) string {
	if len(w.run.World.System.Cuts) == 0 {
		return ""
	}
	left := mostTried
	return w.beyond(o, nil, &left)
}

// beyond is Beyond with the first answers given; left is how many combinations may be tried still.
func (w *Walk) beyond(o Offer, answers []int, left *int) (cut string) {
	if *left--; *left < 0 {
		return ""
	}
	_, _, err := w.stepped(o, o.earliest, answers)
	var ask *Ask
	var beyond world.ErrCut
	switch {
	case errors.As(err, &beyond):
		return beyond.Name
	case !errors.As(err, &ask):
		return ""
	}
	for a := range ask.Of {
		if cut = w.beyond(o, append(answers[:len(answers):len(answers)], a), left); cut == "" {
			return ""
		}
	}
	return cut
}
