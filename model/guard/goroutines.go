package guard

import (
	"bytes"
	"context"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
)

// labels are the labels of calls that were watched.
var labels atomic.Int64

// key is the key of those labels.
const key = "contend/model/guard"

// LeavesBehind calls a function, and reports whether a goroutine that it started outlives the call, and with which function that
// goroutine was started. It labels the goroutines that the call starts, so that those of others, such as the workers of a
// search, do not count. It costs a profile of all goroutines.
func LeavesBehind(do func()) (started string, left bool) {
	label := strconv.FormatInt(labels.Add(1), 10)
	pprof.Do(context.Background(), pprof.Labels(key, label), func(context.Context) { do() })
	return leftBehind(label)
}

// leftBehind finds a goroutine that has the label, and the function that it was started with.
func leftBehind(label string) (what string, left bool) {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return "", false // a buffer takes what it is given
	}
	for block := range strings.SplitSeq(b.String(), "\n\n") {
		if !strings.Contains(block, `"`+key+`":"`+label+`"`) {
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
