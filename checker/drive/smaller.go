package drive

import (
	"slices"
	"time"

	"contend/traces"
)

// Limits of smaller.
const (
	mostReplays = 500
	mostTime    = 30 * time.Second
)

// smaller returns a difference in the same step, after fewer steps. It leaves out groups of steps, and then single
// steps, from the last to the first, as long as the difference stays; a step that becomes impossible is left out with
// them. Each try is a replay on the implementation, so that their number and their time are bounded.
func (d *driver) smaller(found *Difference) *Difference {
	if found.Trace == nil {
		return found
	}
	if d.opt.Found != nil {
		d.opt.Found(found.Trace)
	}
	best := d.again(found, found.Trace)
	if best == nil {
		found.Unsteady = true
		return found
	}
	until, replays := time.Now().Add(mostTime), 0
	for size := (len(best.Trace.Steps) + 1) / 2; size > 0; size /= 2 {
		for end := len(best.Trace.Steps) - 1; end > 0; end -= size {
			if replays++; replays > mostReplays || time.Now().After(until) || d.over() != "" {
				break
			}
			steps := best.Trace.Steps
			if end = min(end, len(steps)-1); end <= 0 {
				break
			}
			shorter := *best.Trace
			shorter.Steps = slices.Concat(steps[:max(0, end-size)], steps[end:])
			if next := d.again(found, &shorter); next != nil && len(next.Trace.Steps) < len(steps) {
				best = next
			}
		}
	}
	best.Before = found.Before
	return best
}

// again replays a run, and returns its difference if it is in the same step and field. Errors count as none: the
// difference that was found stays.
func (d *driver) again(found *Difference, t *traces.Trace) *Difference {
	r, err := d.run(t)
	if now := r.difference; err == nil && now != nil && now.Trace != nil && now.Failed == found.Failed && now.Field == found.Field &&
		now.last.Kind == found.last.Kind && now.last.To == found.last.To && now.last.From == found.last.From && now.last.Type == found.last.Type {
		return now
	}
	return nil
}
