// Package judge decides whether histories are linearizable: within a search by a
// monitor that carries every way the history so far can be explained, and for a
// finished history by porcupine.
package judge

import (
	"contend/checker/refine"
	"contend/model"
)

// Watched returns the claims with a monitor put into each of kind Linearizable, and of kind Refines.
func Watched(claims []model.Claim) []model.Claim {
	out := make([]model.Claim, len(claims))
	for i, c := range claims {
		switch c.Kind {
		case model.Linearizable:
			object := c.Object
			c.Monitor = func(*model.System) model.Monitor { return newLinearizer(object) }
		case model.Refines:
			c.Monitor = refine.Monitor(c.Refinement)
		}
		out[i] = c
	}
	return out
}
