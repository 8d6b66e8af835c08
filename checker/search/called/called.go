// Package called reports which handlers of a system's nodes a search has called. A handler that is never called
// was not tested, whatever holds.
package called

import (
	"fmt"
	"maps"
	"strings"

	"contend/checker/search/step"
	"contend/model"
	"contend/model/wrapped"
)

// Handlers returns, for the handlers of the system's nodes by "type.method", whether some run calls them. It
// omits handlers that nothing can call: handlers for an application without operations, or for a failure
// detector without reports. It also omits foreign nodes, since they have all handlers. If everything is false,
// the search was incomplete, and only handlers that ran are returned.
func Handlers(e *step.Engine, everything bool) map[string]bool {
	f := e.Sys.Faults
	downs := f.Crashes+f.Restarts+f.Suspicions > 0
	all := map[string]bool{}
	for slot, spec := range e.Sys.Nodes {
		proto := e.Protos[slot]
		if _, foreign := proto.(wrapped.Splitter); proto == nil || foreign {
			continue
		}
		add := func(has bool, name string, kinds ...model.EventKind) {
			if !has {
				return
			}
			name = strings.TrimPrefix(fmt.Sprintf("%T.%s", proto, name), "*")
			for _, k := range kinds {
				all[name] = all[name] || e.Ran(slot, k)
			}
		}
		_, invokes := proto.(model.Invoker)
		_, receives := proto.(model.Receiver)
		_, times := proto.(model.Timeouter)
		_, suspects := proto.(model.Suspecter)
		add(invokes && len(spec.Script) > 0, "Invoke", model.Invoke, model.Release)
		add(receives, "Receive", model.Deliver)
		add(times, "Timeout", model.Timeout)
		add(suspects && downs, "Suspect", model.Suspect)
	}
	if !everything {
		maps.DeleteFunc(all, func(_ string, ran bool) bool { return !ran })
	}
	return all
}
