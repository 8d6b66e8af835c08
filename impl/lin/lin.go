package lin

import (
	"slices"

	"contend/impl/clocks"
	"contend/impl/mutex"
	"contend/model"
)

// Config is shared by the processes and the coordinators of one system.
type Config struct {
	Coordinators []model.NodeID
	Majority     int          // M
	Period       model.Window // OPTION A: the "random period"
}

// The messages of a process, each with the time of its request.
type (
	Request struct{ Time clocks.Lamport } // step a: a request is named by "its current Lamport's clock and its process ID", a [clocks.Stamp]
	Yield   struct{ Time clocks.Lamport } // step c.3, OPTION B: "(release+request)"
	Release struct{ Time clocks.Lamport } // step e, and step c.3, OPTION A
)

// A Response is a coordinator's answer, "includ[ing] its current vote". (steps b, d, e)
type Response struct{ Vote clocks.Stamp }

// A Client is a process that requests the critical section.
type Client struct {
	cfg     *Config
	Clock   clocks.Lamport                // "Lamport's clock"
	Request clocks.Lamport                // the time of its request; 0 if it has none
	Inside  bool                          // it has entered
	Votes   map[model.NodeID]clocks.Stamp // while it waits: the last response of each coordinator
}

// Invoke requests the section, or leaves it.
func (c *Client) Invoke(env model.Env, op any) {
	if _, leaving := op.(mutex.Release); leaving {
		c.exit(env)
		return
	}
	c.Clock = c.Clock.Tick()
	c.request(env, c.Clock)
}

func (c *Client) request(env model.Env, time clocks.Lamport) {
	c.Request, c.Votes = time, map[model.NodeID]clocks.Stamp{}
	env.Broadcast(c.cfg.Coordinators, Request{time}) // "a) Process sends Request to each coordinator"
}

// Receive handles a response.
func (c *Client) Receive(env model.Env, from model.NodeID, m any) {
	vote := m.(Response).Vote
	c.Clock = c.Clock.Merge(vote.Time)
	if c.Request == 0 || c.Inside {
		return // it waits for none
	}
	if vote.ID == env.Self() && !c.isMine(env, vote) {
		return // a vote for a request of before
	}
	c.Votes[from] = vote
	c.analyze(env)
}

// analyze implements step c: "Requester analyzes the votes in the responses".
func (c *Client) analyze(env model.Env) {
	mine, theirs := c.count(env)
	switch {
	case mine >= c.cfg.Majority:
		c.Votes, c.Inside = nil, true
		env.Return(nil) // "1. If the requester obtains a majority vote …, it can enter the critical section"
	case c.open():
	case theirs >= c.cfg.Majority:
		// "2. If someone else gets majority, the requester does nothing"
	default:
		c.Yield(env) // "3. If nobody gets majority, the requester …"
	}
}

// open reports whether some votes are unknown, so that the majority is undecided.
func (c *Client) open() bool { return len(c.Votes) < len(c.cfg.Coordinators) }

// count returns the number of the process's votes, and the largest number of another process's votes.
func (c *Client) count(env model.Env) (mine, theirs int) {
	others := map[model.NodeID]int{}
	for _, k := range c.cfg.Coordinators {
		vote, voted := c.Votes[k]
		switch {
		case !voted:
		case c.isMine(env, vote):
			mine++
		default:
			others[vote.ID]++
			theirs = max(theirs, others[vote.ID])
		}
	}
	return mine, theirs
}

// isMine reports whether a vote is for the process's own request.
func (c *Client) isMine(env model.Env, vote clocks.Stamp) bool { return vote == c.own(env) }

// own returns the process's own request.
func (c *Client) own(env model.Env) clocks.Stamp { return c.Request.At(env.Self()) }

// Yield implements OPTION B: "sends a Yield message (release+request) to all the coordinators that voted for him".
func (c *Client) Yield(env model.Env) {
	for _, k := range c.cfg.Coordinators {
		if c.isMine(env, c.Votes[k]) {
			env.Send(k, Yield{c.Request})
			delete(c.Votes, k)
		}
	}
}

type retry struct{ Time clocks.Lamport } // the alarm that ends the random period after a request with this time

// Release implements OPTION A: "releases its votes (to avoid deadlocks), backs off and retries after a random period".
func (c *Client) Release(env model.Env) {
	env.Broadcast(c.cfg.Coordinators, Release{c.Request})
	env.After(retry{c.Request}, c.cfg.Period)
	c.Request, c.Votes = 0, nil
}

// Timeout retries after the random period.
func (c *Client) Timeout(env model.Env, key any) {
	time := c.Clock.Tick()
	c.Clock = c.Clock.Merge(time)
	c.request(env, time)
}

// exit leaves the section: "e) To exit the critical section, requester sends a Release message to all the
// coordinators".
func (c *Client) exit(env model.Env) {
	env.Broadcast(c.cfg.Coordinators, Release{c.Request})
	c.Request, c.Inside = 0, false
}

// A Coordinator votes for one request at a time.
type Coordinator struct {
	cfg   *Config
	Vote  model.Optional[clocks.Stamp]
	Queue []clocks.Stamp // ordered by time, the oldest first
}

// Receive handles a request, a yield or a release.
func (k *Coordinator) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Request:
		k.request(env, m.Time.At(from))
	case Yield:
		k.yield(env, m.Time.At(from))
	case Release:
		k.release(env, m.Time.At(from))
	}
}

func (k *Coordinator) request(env model.Env, r clocks.Stamp) {
	if !k.Vote.Known {
		k.Vote = model.Some(r) // "b) Coordinator grants vote if it has not voted yet"
	} else {
		k.enqueue(r) // "Otherwise, it queues request (ordering by logical time)"
	}
	env.Send(r.ID, Response{k.Vote.Value}) // "In any case, it sends a Response … including its current vote"
}

func (k *Coordinator) yield(env model.Env, r clocks.Stamp) {
	if !k.votedFor(r) {
		return // it has no vote to remove
	}
	k.enqueue(r)        // "Removes its vote. Queues the request (keeping the same time)"
	k.voteNext(env)     // "Gets the head of queue and votes for him. Sends a Response message to the voted process"
	if !k.votedFor(r) { // "If vote has changed, it notifies also the former process"
		env.Send(r.ID, Response{k.Vote.Value})
	}
}

func (k *Coordinator) release(env model.Env, r clocks.Stamp) {
	if !k.votedFor(r) { // "The rest of coordinators simply dequeue the process"
		k.Queue = slices.DeleteFunc(k.Queue, func(q clocks.Stamp) bool { return q == r })
		return
	}
	k.Vote = model.Optional[clocks.Stamp]{} // "Each coordinator that voted for him … Removes its vote"
	if len(k.Queue) > 0 {
		k.voteNext(env) // "Gets the head of queue (if any) and votes for him. Sends Response message …"
	}
}

func (k *Coordinator) votedFor(r clocks.Stamp) bool { return k.Vote == model.Some(r) }

func (k *Coordinator) enqueue(r clocks.Stamp) {
	at := slices.IndexFunc(k.Queue, func(q clocks.Stamp) bool { return r.Before(q) })
	if at < 0 {
		at = len(k.Queue)
	}
	k.Queue = slices.Insert(k.Queue, at, r)
}

func (k *Coordinator) voteNext(env model.Env) {
	head := k.Queue[0]
	k.Vote, k.Queue = model.Some(head), slices.Delete(k.Queue, 0, 1)
	env.Send(head.ID, Response{head})
}
