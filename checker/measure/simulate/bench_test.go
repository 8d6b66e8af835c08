package simulate

import (
	"fmt"
	"testing"

	"contend/impl/backoff"
	"contend/model"
)

// A run of Figure 1 with so many clients.
func BenchmarkBackoff(b *testing.B) {
	for _, clients := range []int{1, 16, 64, 256} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			s, err := backoff.Protocol.Crowd("", model.Config{N: 6, B: 1}.With(model.Clients.Is(clients), backoff.Section.Is(10)))
			if err != nil {
				b.Fatal(err)
			}
			setting, err := New(s, Uniform, Silent, 10_000_000)
			if err != nil {
				b.Fatal(err)
			}
			messages := 0
			for i := range b.N {
				r, err := setting.Run(1, uint64(i))
				if err != nil {
					b.Fatal(err)
				}
				messages += r.Messages
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(messages), "ns/message")
		})
	}
}
