package group

import (
	"strings"

	"contend/model"
)

// noted returns the words of a note, none of anything else.
func noted(o model.Observation) []string {
	text, is := o.Value.(string)
	if !is || o.Kind != model.Noted {
		return nil
	}
	return strings.SplitN(text, " ", 4)
}

// stands claims that only servers with a vote become candidates. The voters are the first servers.
type stands struct{ Voters int }

func (s *stands) Observe(w model.Watch, o model.Observation) {
	words := noted(o)
	if len(words) == 0 || words[0] != "candidate" && words[0] != "leader" {
		return
	}
	w.Witness()
	if int(o.Node) >= s.Voters {
		w.Violate("n%d has no vote, but is a %s", o.Node, words[0])
	}
}

// transfers claims that a leader takes words again once a transfer of its leadership has failed or succeeded.
type transfers struct{}

func (*transfers) Observe(w model.Watch, o model.Observation) {
	switch words := noted(o); {
	case len(words) == 0:
	case words[0] == "transfers":
		w.Witness()
	case words[0] == "refuses":
		w.Violate("n%d %s", o.Node, o.Value)
	}
}

// acknowledged is reached when a call of each server was answered.
type acknowledged struct{ By map[model.NodeID]bool }

func (a *acknowledged) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Returned && o.Value == "ok" {
		if a.By == nil {
			a.By = map[model.NodeID]bool{}
		}
		a.By[o.Node] = true
	}
}

// Reached implements [model.Goal].
func (a *acknowledged) Reached() bool { return len(a.By) >= 3 }
