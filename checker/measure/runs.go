package measure

import (
	"sync"
	"sync/atomic"
	"time"

	"contend/checker/measure/simulate"
)

// runs makes independent runs, side by side. Each has its seed from its number, and the
// first error is that of the first run which has one, so that the number of workers
// changes nothing. Interrupted, it returns none.
func (m *measuring) runs(of Series, t int, s *simulate.Setting, n int) ([]simulate.Run, error) {
	seed := m.seed(of, "runs", t)
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
			next.Store(int64(n)) // the runs under way go on to their end
			<-done
			return nil, nil
		case <-tick.C:
			m.tell(of, t, min(int(next.Load()), n), n)
		}
	}
}

func (m *measuring) tell(of Series, t, runs, planned int) {
	if m.opt.Progress != nil {
		m.opt.Progress(Progress{of, t, runs, planned, len(m.report.Points), m.planned, time.Since(m.began)})
	}
}
