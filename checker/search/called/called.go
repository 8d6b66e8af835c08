// Package called says which handlers of a system's nodes a search has called: what nobody calls is not put to the test,
// whatever holds.
package called

import (
	"fmt"
	"maps"
	"strings"

	"contend/checker/search/step"
	"contend/model"
	"contend/model/wrapped"
)

// Handlers gives the handlers that the system's nodes have, by the name of their type and their own, and whether
// any run calls them. Those that nothing could call are left out: the handlers for an application that does
// nothing, and for a failure detector that has nothing to tell. So are foreign nodes, which have all of them.
// Of a search that did not come to every state only those are given that ran.
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
