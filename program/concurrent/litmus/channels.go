package litmus

// selecting reports whether a goroutine is at a select statement.
func (p *Program) selecting(s *state, g int) bool {
	return p.Bodies[g][s.of[g].at].Op == Select
}

// leavesQueues takes a goroutine out of all queues of channels.
func (s *state) leavesQueues(g int) {
	for i := range s.channels {
		s.channels[i].senders.remove(g)
		s.channels[i].receivers.remove(g)
	}
}

// exchanges has a goroutine know what was known by who used a slot of a buffer last, and the slot what the goroutine knew.
func (s *state) exchanges(c *channel, slot uint8, g int) {
	was := c.slots[slot]
	c.slots[slot] = s.of[g].knows
	s.of[g].knows |= was
}

// meet orders a sender and a receiver of a channel without a buffer.
func (s *state) meet(a, b int) {
	both := s.of[a].knows | s.of[b].knows
	s.of[a].knows, s.of[b].knows = both, both
}

// readySend reports whether a send does not wait.
func (p *Program) readySend(s *state, on int) bool {
	c := &s.channels[on]
	return c.closed || c.receivers.n > 0 || int(c.n) < p.Rooms[on]
}

func (s *state) readyReceive(on int) bool {
	c := &s.channels[on]
	return c.closed || c.senders.n > 0 || c.n > 0
}

// sends sends a value where that does not wait. It reports whether the channel is closed instead.
func (p *Program) sends(s *state, g, on, value int) (closed bool) {
	c := &s.channels[on]
	room := uint8(p.Rooms[on])
	switch {
	case c.closed:
		return true
	case c.receivers.n > 0:
		r := int(c.receivers.of[0])
		s.leavesQueues(r)
		s.of[r].got = uint8(value)
		if room == 0 {
			s.meet(g, r)
		} else {
			s.exchanges(c, c.receiveAt, g)
			s.exchanges(c, c.receiveAt, r)
			c.receiveAt = (c.receiveAt + 1) % room
			c.sendAt = c.receiveAt
		}
		s.wakes(r)
	default:
		c.buffer[c.sendAt] = uint8(value)
		s.exchanges(c, c.sendAt, g)
		c.sendAt = (c.sendAt + 1) % room
		c.n++
	}
	return false
}

// receives receives a value where that does not wait.
func (p *Program) receives(s *state, g, on int) int {
	c := &s.channels[on]
	room := uint8(p.Rooms[on])
	if c.closed && c.n == 0 {
		s.of[g].knows |= c.closedWith
		return Closed
	}
	if c.n == 0 {
		from := int(c.senders.of[0])
		s.sent(p, from, on)
		s.meet(g, from)
		return message(from, int(s.of[from].at))
	}
	value := c.buffer[c.receiveAt]
	s.exchanges(c, c.receiveAt, g)
	c.buffer[c.receiveAt] = 0
	c.n--
	if c.senders.n > 0 {
		from := int(c.senders.of[0])
		s.sent(p, from, on)
		s.exchanges(c, c.receiveAt, from)
		c.buffer[c.receiveAt] = uint8(message(from, int(s.of[from].at)))
		c.n++
		c.sendAt = (c.receiveAt + 1) % room
	}
	c.receiveAt = (c.receiveAt + 1) % room
	return int(value)
}

// sent wakes a goroutine whose value is taken.
func (s *state) sent(p *Program, from, on int) {
	s.leavesQueues(from)
	s.of[from].got = Nothing
	if p.selecting(s, from) {
		s.of[from].got = uint8(Sent + on)
	}
	s.wakes(from)
}

func (p *Program) channel(s *state, in Instruction, g int) {
	me, c := &s.of[g], &s.channels[in.On]
	if me.phase > 0 { // it was woken
		me.free = in.Op == Send && me.got != Panicked
		s.done(g, int(me.got))
		return
	}
	switch in.Op {
	case Send:
		switch {
		case !p.readySend(s, in.On):
			c.senders.push(g)
			me.phase = 1
			s.parks(g)
		case p.sends(s, g, in.On, message(g, int(me.at))):
			s.done(g, Panicked)
		default:
			me.free = true
			s.done(g, Nothing)
		}
	case Receive:
		if !s.readyReceive(in.On) {
			c.receivers.push(g)
			me.phase = 1
			s.parks(g)
			return
		}
		s.done(g, p.receives(s, g, in.On))
	case Close:
		if c.closed {
			s.done(g, Panicked)
			return
		}
		s.closes(c, me.knows)
		me.free = true
		s.done(g, Nothing)
	}
}

// closes closes a channel, and wakes all.
func (s *state) closes(c *channel, with set) {
	c.closed, c.closedWith = true, with
	for c.receivers.n > 0 {
		r := int(c.receivers.of[0])
		s.leavesQueues(r)
		s.of[r].got = Closed
		s.of[r].knows |= with
		s.wakes(r)
	}
	for c.senders.n > 0 {
		r := int(c.senders.of[0])
		s.leavesQueues(r)
		s.of[r].got = Panicked
		s.of[r].knows |= with
		s.wakes(r)
	}
}

// selects does a select statement, whose ready case is chosen where there are several.
func (p *Program) selects(s *state, in Instruction, g int, choose func(int) int) {
	me := &s.of[g]
	if me.phase == 0 && in.Cases.After > 0 { // the timer is set before the point
		s.sets(sends, g, in.Cases.After)
		me.got = Nothing
	}
	switch me.phase {
	case 0:
		me.phase = 1
		return
	case 2:
		s.done(g, int(me.got))
		return
	}
	var can []int // receives from 0 on, then sends, then the timer, then the context
	for i := range Objects {
		if in.Cases.Receives[i] && s.readyReceive(i) {
			can = append(can, i)
		}
		if in.Cases.Sends[i] && p.readySend(s, i) {
			can = append(can, Objects+i)
		}
	}
	if in.Cases.After > 0 && me.got == Timed {
		can = append(can, 2*Objects)
	}
	if in.Cases.Context && s.ended {
		can = append(can, 2*Objects+1)
	}
	if len(can) == 0 {
		if in.Cases.Default {
			s.done(g, Defaulted)
			return
		}
		for i := range Objects {
			if in.Cases.Receives[i] {
				s.channels[i].receivers.push(g)
			}
			if in.Cases.Sends[i] {
				s.channels[i].senders.push(g)
			}
		}
		me.phase = 2
		s.parks(g)
		return
	}
	way := 0
	if len(can) > 1 {
		way = choose(len(can))
	}
	switch is := can[way]; {
	case is < Objects:
		s.done(g, p.receives(s, g, is))
	case is < 2*Objects:
		if p.sends(s, g, is-Objects, message(g, int(me.at))) {
			s.done(g, Panicked)
		} else {
			s.done(g, Sent+is-Objects)
		}
	case is == 2*Objects:
		s.done(g, Timed)
	default:
		s.done(g, Ended)
	}
}
