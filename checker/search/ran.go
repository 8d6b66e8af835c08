package search

import (
	"fmt"
	"maps"
	"strings"

	"contend/model"
	"contend/model/wrapped"
)

// What nobody calls is not put to the test, whatever holds. So a search says of the handlers of each type of
// node whether any of the runs that it took calls them.

// handlers gives the handlers that the system's nodes have, by the name of their type and their own, and whether
// any run calls them. Those that nothing could call are left out: the handlers for an application that does
// nothing, and for a failure detector that has nothing to tell. So are foreign nodes, which have all of them.
// Of a search that is not complete only those are given that ran. It is nil where only a part of what ran is known here.
func (x *explorer) handlers() map[string]bool {
	if x.parts != nil || x.resumed || x.opt.From != nil {
		return nil
	}
	f := x.Sys.Faults
	downs := f.Crashes+f.Restarts+f.Suspicions > 0
	all := map[string]bool{}
	for slot, spec := range x.Sys.Nodes {
		proto := x.Protos[slot]
		if _, foreign := proto.(wrapped.Splitter); proto == nil || foreign {
			continue
		}
		add := func(has bool, name string, kinds ...model.EventKind) {
			if !has {
				return
			}
			name = strings.TrimPrefix(fmt.Sprintf("%T.%s", proto, name), "*")
			for _, k := range kinds {
				all[name] = all[name] || x.Ran(slot, k)
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
	if !x.res.Complete || x.failures { // what would come after a failure is not known
		maps.DeleteFunc(all, func(_ string, ran bool) bool { return !ran })
	}
	return all
}
