// Package judge decides linearizability: during a search by a monitor, and for a complete history by
// porcupine. The monitor stores every way to explain the history so far.
package judge

import (
	"contend/checker/refine"
	"contend/model"
)

// Watched returns the claims, with monitors for the kinds Linearizable and Refines.
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
