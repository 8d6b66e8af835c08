package abd

import "contend/model"

// A Tag orders writes: by number, and by writer where several writers choose one number.
type Tag struct {
	Number int
	Writer model.NodeID
}

// A Version is a value with the tag of its write. The value of the register at first has the zero tag.
type Version struct {
	Tag   Tag
	Value int
}

// The messages. Phase is the client's, which the answer names.
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

// A Replica keeps the latest version that it has been told.
type Replica struct {
	spec    Definitions
	Version Version `contend:"stable"`
}

// Receive answers a query or an update.
func (r *Replica) Receive(env model.Env, client model.NodeID, m any) {
	switch m := m.(type) {
	case Query:
		env.Send(client, Answer{m.Phase, r.Version})
	case Update:
		if r.spec.Newer(m.Version.Tag, r.Version.Tag) {
			r.Version = m.Version
		}
		env.Send(client, Ack{m.Phase})
	}
}

// The operations. A write returns nothing, and a read a value.
type (
	Write struct{ Value int }
	Read  struct{}
)

// A Client reads and writes. Each operation is a query to a quorum, an update of a quorum, or both.
type Client struct {
	cfg     *Config
	spec    Definitions
	Phase   int                      // how many phases have begun
	Asked   bool                     // it queries
	Told    bool                     // it updates
	Answers map[model.NodeID]Version // to the query
	Acks    map[model.NodeID]bool    // of the update
	Op      Write                    // what a write is to write
	Reads   bool                     // the operation is a read
	Last    int                      // the number of the last write, of an only writer
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

// query asks a quorum for its versions.
func (c *Client) query(env model.Env) {
	c.Phase++
	c.Asked, c.Answers = true, nil
	env.Broadcast(c.cfg.Replicas, Query{c.Phase})
}

// update tells a quorum of a version.
func (c *Client) update(env model.Env, v Version) {
	c.Phase++
	c.Told, c.Acks = true, nil
	c.Op.Value = v.Value
	env.Broadcast(c.cfg.Replicas, Update{c.Phase, v})
}

// Receive takes an answer or an acknowledgement, until those of a quorum have come.
func (c *Client) Receive(env model.Env, replica model.NodeID, m any) {
	switch m := m.(type) {
	case Answer:
		if c.Asked && m.Phase == c.Phase {
			c.Answers[replica] = m.Version
			if c.spec.Quorum(c.cfg, len(c.Answers)) {
				c.queried(env)
			}
		}
	case Ack:
		if c.Told && m.Phase == c.Phase {
			c.Acks[replica] = true
			if c.spec.Enough(c.cfg, len(c.Acks)) {
				c.updated(env)
			}
		}
	}
}

// queried goes on with the latest version: a read writes it back, and a write passes it.
func (c *Client) queried(env model.Env) {
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

// updated ends the operation.
func (c *Client) updated(env model.Env) {
	c.Told, c.Acks = false, nil
	value := c.Op.Value
	c.Op = Write{}
	if c.Reads {
		env.Return(value)
		return
	}
	env.Return(nil)
}
