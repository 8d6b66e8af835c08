package sigma

import (
	"fmt"
	"slices"

	"contend/impl/mutex"
	"contend/model"
)

// A Request is a pair (c, t) of a client and a timestamp. With timestamp 0 it is (nil, nil). (§4.1)
type Request struct {
	Client model.NodeID
	T      int
}

// A Tag is the kind of a message.
type Tag int

// The tags of Figure 1.
const (
	REQUEST Tag = iota
	YIELD
	RELEASE
	INQUIRY
	CHECK
)

func (t Tag) String() string {
	if t < 0 || t > CHECK {
		return fmt.Sprintf("Tag(%d)", int(t))
	}
	return [...]string{"REQUEST", "YIELD", "RELEASE", "INQUIRY", "CHECK"}[t]
}

// A Message is (tag, t), from a client to a server, or (CHECK, t) back.
type Message struct {
	Tag Tag
	T   int
}

// A Response is (RESPONSE, owner, t): the request that a server supports.
type Response struct{ Owner Request }

// A Client enters its critical section when enough servers support its request.
type Client struct {
	cfg       *Config
	Timestamp int                      // "always maintained by ci, initially nil": 0
	Trying    bool                     // it is in the loop of lines 6 to 18
	Resp      map[model.NodeID]Request // "resp[1..n]"; nil where there is no entry
}

// Invoke implements try and exit.
func (c *Client) Invoke(env model.Env, op any) {
	if _, leaving := op.(mutex.Release); leaving {
		c.exit(env)
		return
	}
	c.Timestamp++                // 2: "timestamp := GetTimeStamp()"
	c.Trying, c.Resp = true, nil // 3, 4: "resp[j] := (nil, nil)"
	env.Note(Tries{c.Timestamp})
	env.Broadcast(c.cfg.Servers, Message{REQUEST, c.Timestamp}) // 5: "send (REQUEST, timestamp) to rj"
}

// Receive handles a server's response, or its CHECK.
func (c *Client) Receive(env model.Env, j model.NodeID, m any) {
	switch m := m.(type) {
	case Response:
		if c.Trying { // 7: "wait until [received (RESPONSE, owner, t) from some rj]"
			c.respond(env, j, m.Owner)
		}
	case Message: // 24: "upon receive (CHECK, t) from rj", always
		if c.cfg.spec.Obsolete(c.Timestamp, m.T) { // 25: "if timestamp ≠ t"
			env.Send(j, Message{RELEASE, m.T}) // "then send (RELEASE, t) to rj"
		}
	}
}

func (c *Client) respond(env model.Env, j model.NodeID, owner Request) {
	mine := Request{env.Self(), c.Timestamp}
	if !c.cfg.spec.Keeps(mine, c.Resp[j], owner) { // 8: "resp[j] ≠ (ci, timestamp) and (ci ≠ owner or timestamp = t)"
		return
	}
	c.Resp[j] = owner // 9: "resp[j].owner := owner; resp[j].timestamp := t"
	env.Note(Heard{j})
	if len(c.Resp) < c.cfg.Enough { // 10: "at least m of them are not (nil, nil)"
		return
	}
	if by := c.supporters(mine); len(by) >= c.cfg.Support { // 11: "at least m elements in resp[] are (ci, ti)"
		c.Trying, c.Resp = false, nil
		env.Note(Granted{by})
		env.Return(nil) // 12: "return crit"
		return
	}
	c.ask(env, mine) // 13: "else"
}

// supporters returns the servers whose responses support a client.
func (c *Client) supporters(mine Request) map[model.NodeID]bool {
	by := map[model.NodeID]bool{}
	for j, owner := range c.Resp {
		if c.cfg.spec.Supports(mine, owner) {
			by[j] = true
		}
	}
	return by
}

// ask makes the servers that have responded respond again.
func (c *Client) ask(env model.Env, mine Request) {
	for _, k := range c.cfg.Servers { // 14: "for all rk ∈ Π such that resp[k] ≠ (nil, nil)"
		kept, responded := c.Resp[k]
		if !responded {
			continue
		}
		tag := c.cfg.spec.Again(c.cfg, mine, kept) // 15 to 17
		if tag == YIELD {
			env.Note(Yields{k})
		}
		env.Send(k, Message{tag, c.Timestamp})
		delete(c.Resp, k) // 18: "resp[k] := (nil, nil)"
	}
	env.Note(Asks{})
}

func (c *Client) exit(env model.Env) {
	oldtimestamp := c.Timestamp                                  // 20
	c.Timestamp = c.cfg.spec.End(c.Timestamp)                    // 21: "timestamp := GetTimeStamp()"
	env.Broadcast(c.cfg.Servers, Message{RELEASE, oldtimestamp}) // 22: "send (RELEASE, oldtimestamp) to rj"
	env.Note(Rem{})                                              // 23: "return rem"
}

// A Server supports one request at a time, and queues others. It has no stable storage.
type Server struct {
	cfg       *Config
	Owner     Request               // cowner and towner, "initially nil"
	ReqQ      []Request             // "initially empty"; the earliest request first
	Suspected map[model.NodeID]bool // the clients that the failure detector suspects
}

// Start begins the period of lines 48 and 49.
func (s *Server) Start(env model.Env) {
	if s.cfg.Periodically {
		env.After(period{}, model.Anytime())
	}
}

// Timeout ends a period.
func (s *Server) Timeout(env model.Env, _ any) {
	if s.Owner.T != 0 { // 49: "if cowner ≠ nil"
		env.Send(s.Owner.Client, Message{CHECK, s.Owner.T}) // "then send (CHECK, towner) to cowner"
	}
	env.After(period{}, model.Anytime()) // 48: "periodically"
}

// Receive handles "(tag, t) from ci". (26)
func (s *Server) Receive(env model.Env, c model.NodeID, m any) {
	tag, r := m.(Message).Tag, Request{c, m.(Message).T}
	if old := s.find(c); old.T != 0 { // 27: "if (ci, t') appears in (cowner, towner) or ReqQ"
		if s.cfg.spec.Older(r.T, old.T) { // 28: "if t < t' then skip the rest"
			return
		}
		if s.cfg.spec.Newer(r.T, old.T) { // 29: "if t > t' then Delete(ci, t', …)"
			s.delete(env, old)
		}
	}
	switch tag {
	case REQUEST: // 30
		s.request(env, r)
	case YIELD: // 36
		s.yield(env, r)
	case RELEASE: // 42
		s.delete(env, r) // 43: "Delete(ci, t, …)"
	case INQUIRY: // 44
		if s.Owner.Client != c && s.Owner.T != 0 { // 45: "if cowner ≠ ci and cowner ≠ nil"
			s.respond(env, c)
		}
	}
	s.suspect(env)
}

func (s *Server) request(env model.Env, r Request) {
	if s.Owner.T != 0 && s.Owner.Client == r.Client { // 31: "if cowner ≠ ci then", else nothing
		return
	}
	if s.Owner.T == 0 { // 32: "if cowner = nil then (cowner, towner) := (ci, t)"
		s.own(env, r)
	} else if s.find(r.Client).T == 0 { // 33: "else if cowner ≠ ci and (ci, -) not in ReqQ then"
		s.insert(r) // 34
	}
	env.Note(Known{r})
	s.respond(env, r.Client) // 35
}

func (s *Server) yield(env model.Env, r Request) {
	if s.Owner != r { // 37: "if (cowner, towner) = (ci, t) then"
		return
	}
	env.Note(Yielded{r})
	s.insert(r)                     // 38
	s.own(env, s.dequeue())         // 39
	s.respond(env, s.Owner.Client)  // 40
	if s.Owner.Client != r.Client { // 41: "if cowner ≠ ci"
		s.respond(env, r.Client)
	}
}

// Suspect handles "upon suspected that ci has crashed". The failure detector calls it when it suspects a client. (46)
func (s *Server) Suspect(env model.Env, c model.NodeID) {
	s.Suspected[c] = true
	s.suspect(env)
}

// Trust does nothing. It is not called for clients, because they do not restart.
func (s *Server) Trust(model.Env, model.NodeID) {}

// suspect handles "upon suspected that cowner has crashed when cowner ≠ nil". (46)
func (s *Server) suspect(env model.Env) {
	for s.Owner.T != 0 && s.Suspected[s.Owner.Client] {
		s.delete(env, s.Owner) // 47: "Delete(cowner, towner, …)"
	}
}

// delete implements "Delete(c, t, ReqQ, cowner, towner)". (50)
func (s *Server) delete(env model.Env, r Request) {
	if s.Owner == r { // 51: "if (cowner, towner) = (c, t) then"
		if len(s.ReqQ) > 0 { // 52: "if not Empty(ReqQ) then"
			s.own(env, s.dequeue())        // 53
			s.respond(env, s.Owner.Client) // 54
		} else {
			s.own(env, Request{}) // 55: "else (cowner, towner) := (nil, nil)"
		}
	} else if i := slices.Index(s.ReqQ, r); i >= 0 { // 56: "else if ReqQ contains (c, t) then remove (c, t)"
		s.ReqQ = slices.Delete(s.ReqQ, i, i+1)
	}
}

// own sets the request that the server supports.
func (s *Server) own(env model.Env, r Request) {
	s.Owner = r
	env.Note(Owns{r})
}

// respond implements "send (RESPONSE, cowner, towner)" to a client.
func (s *Server) respond(env model.Env, c model.NodeID) {
	if s.Owner.Client == c {
		env.Note(Supports{s.Owner})
	}
	env.Send(c, Response{s.Owner})
}

// find returns the request of a client that the server supports or has in its queue.
func (s *Server) find(c model.NodeID) Request {
	for _, r := range append([]Request{s.Owner}, s.ReqQ...) {
		if r.T != 0 && r.Client == c {
			return r
		}
	}
	return Request{}
}

// insert implements "insert (ci, t) into ReqQ, by predetermined order".
func (s *Server) insert(r Request) {
	at := slices.IndexFunc(s.ReqQ, func(q Request) bool { return s.cfg.spec.Ahead(s.cfg, r, q) })
	if at < 0 {
		at = len(s.ReqQ)
	}
	s.ReqQ = slices.Insert(s.ReqQ, at, r)
}

// dequeue implements "dequeue(ReqQ)". The queue must not be empty.
func (s *Server) dequeue() Request {
	first := s.ReqQ[0]
	s.ReqQ = slices.Delete(s.ReqQ, 0, 1)
	return first
}
