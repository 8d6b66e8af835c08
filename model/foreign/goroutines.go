package foreign

import (
	"bytes"
	"context"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"

	"contend/model"
)

// What goroutines do is out of a search's sight: it comes at any time, and nobody can replay it.
// That a handler leaves one behind is found out in its first runs, by a label that the goroutines
// which it starts inherit, so that those of others, such as the workers of a search, do not count.

// looks is how many runs of a handler of a library are watched so.
const looks = 4

var labels atomic.Int64

// watched runs a handler, and refuses it if it leaves a goroutine behind.
func (c *core) watched(k kind, do func()) {
	if c.looked[k].Add(1) > looks {
		do()
		return
	}
	label := strconv.FormatInt(labels.Add(1), 10)
	pprof.Do(context.Background(), pprof.Labels("contend/model/foreign", label), func(context.Context) { do() })
	if what, left := leftBehind(label); left {
		model.Refuse("foreign: %v leaves a goroutine behind, %s: what goroutines do is out of a search's sight; "+
			"drive the part of the library that works without them", k, what)
	}
}

// leftBehind finds a goroutine that has the label, and the function that it was started with.
func leftBehind(label string) (what string, left bool) {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return "", false // a buffer takes what it is given
	}
	for block := range strings.SplitSeq(b.String(), "\n\n") {
		if !strings.Contains(block, `"contend/model/foreign":"`+label+`"`) {
			continue
		}
		for l := range strings.Lines(block) {
			if f := strings.Split(strings.TrimSpace(l), "\t"); len(f) > 2 {
				what, _, _ = strings.Cut(f[2], "+0x")
			}
		}
		return what, true
	}
	return "", false
}
