package live

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"time"

	"contend/model"
	"contend/model/value"
	"contend/traces"
)

// Run runs a variant of a protocol, and judges the run. The faults of the configuration are those that happen; the
// budget of losses is exceeded by messages to nodes that are down, or across a partition. The error is one sentence on
// bad input, or on a process that failed.
func Run(p *model.Protocol, variant string, c model.Config, opt Options) (*Result, error) {
	if err := opt.validate(); err != nil {
		return nil, err
	}
	r, err := newRunning(p, variant, c, opt)
	if err != nil {
		return nil, err
	}
	err = r.run()
	r.end()
	if err != nil {
		return nil, err
	}
	return r.judge()
}

// A running is a run of processes.
type running struct {
	page    *model.Protocol // as it is checked
	variant string
	p       *model.Protocol // as it runs
	c       model.Config    // without faults
	faults  model.Faults    // that happen
	opt     Options
	system  *model.System
	codec   *value.Codec
	hub     *hub

	listener  net.Listener
	processes []*process // by node; nil for a liar, and while the node is down
	ended     chan exit
	done      chan struct{}  // is closed at the end of the run
	served    chan error     // gets the hub's error, or nil at its end
	killed    []model.NodeID // for good
	tally     Tally

	interrupted bool
}

func newRunning(p *model.Protocol, variant string, c model.Config, opt Options) (*running, error) {
	r := &running{page: p, variant: variant, faults: c.Faults, opt: opt, ended: make(chan exit, 1<<10), done: make(chan struct{}), served: make(chan error, 1)}
	var err error
	if r.p, err = lasting(p, variant); err != nil {
		return nil, err
	}
	if parts := c.Faults.Partitions; parts < 0 || parts > 255 {
		return nil, fmt.Errorf("faults: partitions is %d, but must be 0 to 255", parts)
	}
	c.Faults.Partitions = 0 // a search cuts only small networks
	if _, err = system(r.p, c); err != nil {
		return nil, err
	}
	c.Faults = model.Faults{}
	r.c = r.p.Filled(busy(r.p, c))
	if r.system, err = system(r.p, r.c); err != nil {
		return nil, err
	}
	if r.codec, err = value.For(r.system, nil); err != nil {
		return nil, err
	}
	r.processes = make([]*process, len(r.system.Nodes))
	return r, nil
}

// run starts the nodes, lets the faults happen, and waits for the end.
func (r *running) run() (err error) {
	if r.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	r.hub = newHub(r.system, r.codec, r.opt, rand.Text())
	go r.hub.accept(r.listener, r.done)
	nodes := r.correct()
	for _, id := range nodes {
		if err := r.start(id); err != nil {
			return err
		}
	}
	if err := r.hub.gather(len(nodes), r.opt.Stop, r.ended); err != nil {
		return err
	}
	go func() { r.served <- r.hub.serve(r.done) }()
	err = r.direct()
	close(r.done)
	if err == nil {
		err = <-r.served
	}
	return err
}

// correct returns the nodes that run.
func (r *running) correct() []model.NodeID {
	return r.system.IDs(func(n model.NodeSpec) bool { return !n.Byzantine })
}

// start starts the process of a node.
func (r *running) start(id model.NodeID) (err error) {
	header := traces.New(r.page, r.variant, r.c, false, "", "")
	spec := Spec{Protocol: r.page.Name, Variant: r.variant, Config: header.Config, Node: int(id), Hub: r.listener.Addr().String(), Token: r.hub.token,
		Log: r.log(id), Length: int64(r.opt.For), Tick: int64(r.opt.Tick), Pace: r.opt.Pace, Seed: r.opt.Seed + uint64(r.tally.Restarts)<<16}
	r.processes[id], err = startProcess(r.opt.Command(), spec, r.ended)
	return err
}

// log returns the file of a node's log.
func (r *running) log(id model.NodeID) string {
	return filepath.Join(r.opt.Dir, r.system.Nodes[id].Name+".log")
}

// A restart is a node that is to restart.
type restart struct {
	at   int64
	node model.NodeID
}

// direct lets the faults happen at their instants, until all nodes have ended.
func (r *running) direct() error {
	faults := schedule(r.system, r.faults, r.opt)
	var down []restart // in order
	wake := time.NewTimer(0)
	defer wake.Stop()
	for up := len(r.correct()); up > 0 || len(down) > 0; {
		now, until := r.hub.clock.now(), int64(r.opt.For+endTime)
		switch {
		case now > until: // the machine is too slow; the logs so far are judged
			r.interrupted = true
			return nil
		case len(faults) > 0 && faults[0].at <= now:
			if r.strike(faults[0]) {
				down = append(down, restart{faults[0].at + faults[0].length, faults[0].node})
				slices.SortFunc(down, func(a, b restart) int { return cmp.Compare(a.at, b.at) })
			}
			faults = faults[1:]
			continue
		case len(down) > 0 && down[0].at <= now:
			if down[0].at < int64(r.opt.For) {
				if err := r.start(down[0].node); err != nil {
					return err
				}
				up++
			}
			down = down[1:]
			continue
		}
		if len(faults) > 0 {
			until = min(until, faults[0].at)
		}
		if len(down) > 0 {
			until = min(until, down[0].at)
		}
		wake.Reset(time.Duration(until-now) + 1)
		select {
		case <-wake.C:
		case x := <-r.ended:
			if up--; x.err != nil && !x.struck {
				return fmt.Errorf("node %s: %w", r.system.Nodes[x.node].Name, x.failure())
			}
		case err := <-r.served:
			return cmp.Or(err, errStopped)
		case <-r.opt.Stop: // the logs so far are judged
			r.interrupted = true
			return nil
		}
	}
	return nil
}

// strike lets a fault happen. It reports whether a node is to restart.
func (r *running) strike(f fault) (restarts bool) {
	if f.kind == kill {
		p := r.processes[f.node]
		if p == nil || !p.running() {
			return false // it is down already
		}
		p.kill()
		if f.back {
			r.tally.Restarts++
		} else {
			r.tally.Kills++
			r.killed = append(r.killed, f.node)
		}
	}
	select {
	case r.hub.faults <- f:
	case err := <-r.served: // the hub has failed, and direct returns so
		r.served <- err
	}
	return f.kind == kill && f.back
}

// end ends what is left of a run.
func (r *running) end() {
	if r.listener != nil {
		r.listener.Close()
	}
	for _, p := range r.processes {
		if p != nil {
			p.kill()
		}
	}
}
