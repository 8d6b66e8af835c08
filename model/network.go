package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A NetworkModel is the name of a condition on which messages are timely, that is, arrive within δ. A stable
// model may also list the slow servers, as in "stable:0,1": see [NetworkModel.Slow]. "" means synchronous.
type NetworkModel string

// The network models. A network is stable if for each correct client a quorum of correct servers is timely,
// both ways (Chockler–Malkhi–Reiter §3, line 59).
const (
	SynchronousNetwork      NetworkModel = "synchronous"       // every message between correct nodes is timely
	ConstantNetwork         NetworkModel = "constant"          // all messages between two nodes have one delay, 0 or δ: the simplest scheduler
	StableNetwork           NetworkModel = "stable"            // stable from the start; other messages take any time
	EventuallyStableNetwork NetworkModel = "eventually-stable" // stable from some instant on
	AsynchronousNetwork     NetworkModel = "asynchronous"      // no message needs to be timely
)

// NetworkModels has all network models.
var NetworkModels = []NetworkModel{SynchronousNetwork, ConstantNetwork, StableNetwork, EventuallyStableNetwork, AsynchronousNetwork}

// Model returns the network model without the list of slow servers.
func (m NetworkModel) Model() NetworkModel {
	name, _, _ := strings.Cut(string(m), ":")
	if name == "" {
		return SynchronousNetwork
	}
	return NetworkModel(name)
}

// Faulty is the position of a client without a timely quorum. Stability concerns correct clients only.
const Faulty = -1

// Slow returns, for each client, the position of the first server that is slow to it, or [Faulty]:
// "stable:0,2,x". The default position of client i is i·apart, so that clients share as few slow servers as
// possible. The error names the invalid position or number of positions.
func (m NetworkModel) Slow(clients, apart int) ([]int, error) {
	places := make([]int, clients)
	_, list, given := strings.Cut(string(m), ":")
	if !given {
		for i := range places {
			places[i] = i * apart
		}
		return places, nil
	}
	words := strings.Split(list, ",")
	if len(words) != clients {
		return nil, fmt.Errorf("network is %.40q, but must name a place for each of %d clients", m, clients)
	}
	for i, word := range words {
		place, err := strconv.ParseUint(word, 10, 5)
		switch {
		case word == "x":
			places[i] = Faulty
		case err != nil:
			return nil, fmt.Errorf("network is %.40q, but the place %.10q must be 0 to 31, or x", m, word)
		default:
			places[i] = int(place)
		}
	}
	return places, nil
}

// Validate returns an error unless the name is a network model.
func (m NetworkModel) Validate() error {
	if !slices.Contains(NetworkModels, m.Model()) {
		return fmt.Errorf("network is %.40q, but must be one of %s", m, networkNames())
	}
	if strings.Contains(string(m), ":") && m.Model() != StableNetwork && m.Model() != EventuallyStableNetwork {
		return fmt.Errorf("network is %.40q, but only %s and %s have places", m, StableNetwork, EventuallyStableNetwork)
	}
	return nil
}

func networkNames() string {
	var names []string
	for _, m := range NetworkModels {
		names = append(names, string(m))
	}
	return strings.Join(names, ", ")
}
