package backoff_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/model"
)

// A bedroom is an environment that records a client's sleeps.
type bedroom struct {
	model.Env
	slept model.Window
}

func (*bedroom) Broadcast([]model.NodeID, any) {}

func (b *bedroom) After(_ any, w model.Window) { b.slept = w }

// Sleeps grow by the law of the option, from D = Δ+4δ, up to the longest window.
func TestSleeps(t *testing.T) {
	const d = 3 + 4*2
	for variant, longest := range map[string][]model.Ticks{
		"": {2, 4, 8, 16}, "quadratic": {4, 9, 16, 25}, "cubic": {8, 27, 64, 125},
	} {
		s, err := backoff.Protocol.System(variant, model.Config{N: 1}.With(model.Delay.Is(2), backoff.Section.Is(3)))
		require.NoError(t, err)
		n, env := s.Nodes[1].New(), &bedroom{}
		client, edited := n.(*backoff.Client)
		if !edited {
			client = &n.(*backoff.EditedClient).Client
		}
		// denied returns the window of a client's sleep after a number of retries.
		denied := func(retries int) model.Window {
			client.Try, client.Waiting, client.Answers = backoff.Try{Contend: 1, Retry: retries}, true, map[model.NodeID]backoff.Status{}
			n.(model.Receiver).Receive(env, 0, backoff.Answer{Try: client.Try, Status: backoff.Locked})
			return env.slept
		}
		for i, l := range longest {
			assert.Equal(t, model.Uniform(d, l*d), denied(i), variant)
		}
		if variant != "" {
			assert.Equal(t, model.MaxTicks, denied(999_999).Hi.At)
		}
	}
}
