package sigma

import (
	"contend/impl/mutex"
	"contend/model"
)

// The notes of a client.
type (
	Tries   struct{ T int }                    // it has entered its trying section with a timestamp
	Heard   struct{ Server model.NodeID }      // line 9 has stored a response
	Asks    struct{}                           // line 18 has cleared the responses
	Yields  struct{ Server model.NodeID }      // line 15 sends YIELD to a server
	Granted struct{ By map[model.NodeID]bool } // line 12: crit, and which servers support it
	Rem     struct{}                           // line 23: rem
)

// The notes of a server.
type (
	Owns     struct{ Owner Request }   // (cowner, towner) has a new value
	Supports struct{ Request Request } // it sends a client the response that it supports its request
	Yielded  struct{ Request Request } // it has received a YIELD for the request that it supports
	Known    struct{ Request Request } // it has accepted a request, as its owner's or in its queue
)

// period is the alarm of lines 48 and 49.
type period struct{}

var types = []any{
	Message{}, Response{}, period{}, mutex.Acquire{}, mutex.Release{},
	Tries{}, Heard{}, Asks{}, Yields{}, Granted{}, Rem{}, Owns{}, Supports{}, Yielded{}, Known{},
}
