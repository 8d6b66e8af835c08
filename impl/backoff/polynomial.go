package backoff

import (
	"fmt"

	"contend/model"
)

// polynomial is an option whose backoffs grow with a power of s in place of 2ˢ: "in
// practice it may be preferable to experiment with other backoff strategies" (§4). The
// paper gives no formula; here d is from [D, (s+1)^power·D] with D = Δ+4δ, so that the
// first is of more than one length, as is that of Figure 1.
func polynomial(name string, power int) model.Variant {
	return model.Variant{
		Name:  name,
		Title: fmt.Sprintf("polynomial backoff: d is drawn from [Δ+4δ … (s+1)^%d·(Δ+4δ)]", power),
		Edit: func(s *model.System) {
			cfg := setup(s)
			first := cfg.Sleep(1).Lo.At // D
			cfg.Sleep = func(retry int) model.Window {
				longest := first
				for range power {
					longest = min(longest*model.Ticks(retry+1), model.MaxTicks)
				}
				return model.Uniform(first, longest)
			}
		},
	}
}
