package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A NetworkModel says which messages are timely: those that arrive within δ. It is a
// name, and of the stable models one that may end in who is slow to whom, as in
// "stable:0,1": see [NetworkModel.Slow]. "" is the first.
type NetworkModel string

// The network models. What stable means the paper says (Chockler–Malkhi–Reiter §3,
// line 59): for each correct client a quorum of correct servers is timely, both ways.
const (
	SynchronousNetwork      NetworkModel = "synchronous"       // every message between correct nodes is timely
	ConstantNetwork         NetworkModel = "constant"          // all messages between two nodes take equally long, none or δ: no scheduler is simpler
	StableNetwork           NetworkModel = "stable"            // stable from the start; other messages take as long as they like
	EventuallyStableNetwork NetworkModel = "eventually-stable" // stable from some instant on
	AsynchronousNetwork     NetworkModel = "asynchronous"      // no message is promised to be timely
)

// NetworkModels lists them.
var NetworkModels = []NetworkModel{SynchronousNetwork, ConstantNetwork, StableNetwork, EventuallyStableNetwork, AsynchronousNetwork}

// Model is the network model without who is slow to whom.
func (m NetworkModel) Model() NetworkModel {
	name, _, _ := strings.Cut(string(m), ":")
	if name == "" {
		return SynchronousNetwork
	}
	return NetworkModel(name)
}

// Faulty is the place of a client without a timely quorum: stability promises one to
// correct clients only.
const Faulty = -1

// Slow returns for each of the clients the place of the first server that is slow to
// it, or [Faulty]: "stable:0,2,x". Without places client i has place i·apart, so that the
// clients have as few slow servers in common as there can be.
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

// Validate says in a sentence what is wrong with the name of a network model, or nil.
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
