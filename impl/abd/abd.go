package abd

import "contend/model"

// A Tag orders writes: first by number, then by writer.
type Tag struct {
	Number int
	Writer model.NodeID
}

// A Version is a value with the tag of its write. The initial value of the register has the zero tag.
type Version struct {
	Tag   Tag
	Value int
}

// The messages. Phase is the number of the client's phase. An answer repeats it.
type (
	Query  struct{ Phase int }
	Answer struct {
		Phase   int
		Version Version
	}
	Update struct {
		Phase   int
		Version Version
	}
	Ack struct{ Phase int }
)

// A Replica stores the latest version that it has received.
type Replica struct {
	spec    Definitions
	Version Version `contend:"stable"`
}

// Receive handles a query or an update.
func (r *Replica) Receive(env model.Env, client model.NodeID, m any) {
	switch m := m.(type) {
	case Query:
		env.Send(client, Answer{m.Phase, r.Version})
	case Update:
		if r.spec.Newer(m.Version.Tag, r.Version.Tag) {
			r.Version = m.Version
			env.Note(Stored(m.Version))
		}
		env.Send(client, Ack{m.Phase})
	}
}

// The operations. A write returns nothing. A read returns a value.
type (
	Write struct{ Value int }
	Read  struct{}
)

// A Client reads and writes. An operation is a query to a quorum, an update of a quorum, or both in turn.
type Client struct {
	cfg     *Config
	spec    Definitions
	Phase   int                      // the number of the current phase
	Asked   bool                     // the current phase is a query
	Told    bool                     // the current phase is an update
	Answers map[model.NodeID]Version // to the query
	Acks    map[model.NodeID]bool    // of the update
	Op      Write                    // the value of the write
	Reads   bool                     // the operation is a read
	Last    int                      // the number of the last write, with one writer
}

// Invoke begins an operation.
func (c *Client) Invoke(env model.Env, op any) {
	switch op := op.(type) {
	case Read:
		c.Reads = true
		c.query(env)
	case Write:
		c.Reads, c.Op = false, op
		if c.spec.Queries(c.cfg) {
			c.query(env)
			return
		}
		c.Last++
		c.update(env, Version{Tag{c.Last, env.Self()}, op.Value})
	}
}

// query begins a phase that reads the versions of a quorum.
func (c *Client) query(env model.Env) {
	c.Phase++
	c.Asked, c.Answers = true, nil
	env.Broadcast(c.cfg.Replicas, Query{c.Phase})
}

// update begins a phase that sends a version to a quorum.
func (c *Client) update(env model.Env, v Version) {
	c.Phase++
	c.Told, c.Acks = true, nil
	c.Op.Value = v.Value
	env.Note(Updated(v))
	env.Broadcast(c.cfg.Replicas, Update{c.Phase, v})
}

// Receive handles an answer or an acknowledgement, and ends the phase after those of a quorum.
func (c *Client) Receive(env model.Env, replica model.NodeID, m any) {
	switch m := m.(type) {
	case Answer:
		if c.Asked && m.Phase == c.Phase {
			c.Answers[replica] = m.Version
			if c.spec.Quorum(c.cfg, len(c.Answers)) {
				c.finishQuery(env)
			}
		}
	case Ack:
		if c.Told && m.Phase == c.Phase {
			c.Acks[replica] = true
			if c.spec.Enough(c.cfg, len(c.Acks)) {
				c.finishUpdate(env)
			}
		}
	}
}

// finishQuery ends a query. A read writes the latest version back, and a write sends a later version.
func (c *Client) finishQuery(env model.Env) {
	latest, settled := c.spec.Latest(c.Answers), c.spec.Settled(c.cfg, c.Answers)
	c.Asked, c.Answers = false, nil
	switch {
	case !c.Reads:
		c.update(env, Version{c.spec.Next(latest.Tag, env.Self()), c.Op.Value})
	case settled:
		c.Op = Write{}
		env.Return(latest.Value)
	default:
		c.update(env, latest)
	}
}

// finishUpdate ends the operation.
func (c *Client) finishUpdate(env model.Env) {
	c.Told, c.Acks = false, nil
	value := c.Op.Value
	c.Op = Write{}
	if c.Reads {
		env.Return(value)
		return
	}
	env.Return(nil)
}
