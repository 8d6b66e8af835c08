package measure

import (
	"sync"
	"sync/atomic"
	"time"

	"contend/checker/measure/simulate"
)

// runs simulates n independent runs concurrently. A run's seed follows from its index, and the error is that
// of the first failing run. So the result does not depend on the number of workers. If interrupted, it
// returns nil.
func (m *measuring) runs(series Series, t int, s *simulate.Setting, n int) ([]simulate.Run, error) {
	seed := m.seed(series, "runs", t)
	runs, errs := make([]simulate.Run, n), make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(m.opt.Workers, 1) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				runs[i], errs[i] = s.Run(seed, uint64(i))
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			for _, err := range errs {
				if err != nil {
					return nil, err
				}
			}
			return runs, nil
		case <-m.opt.Interrupt:
			m.report.Interrupted = true
			next.Store(int64(n)) // active runs finish
			<-done
			return nil, nil
		case <-tick.C:
			m.reportProgress(series, t, min(int(next.Load()), n), n)
		}
	}
}

func (m *measuring) reportProgress(series Series, t, runs, planned int) {
	if m.opt.Progress != nil {
		m.opt.Progress(Progress{series, t, runs, planned, len(m.report.Points), m.planned, time.Since(m.began)})
	}
}
