// Package board is where a campaign is kept on a server and what its workers do with it: who starts, stops and resumes
// one ([Board]), a worker that does its jobs ([Worker]), and the process in which it does them ([Serve]).
//
// For each campaign the server has a queue with the numbers of jobs, a bucket with an outcome for each job that is
// done, one with the deaths of processes, one with what workers are at, and a store of counterexamples and of what jobs learned. An outcome
// is created, never replaced: of two workers that did one job the first wins, and the second finds that its outcome is
// the same, or else tells of a dispute. A job's number leaves the queue only once its outcome is kept. Whoever dies
// in between leaves a number that is given to another worker; should the queue itself have lost some, a worker that
// finds it empty with jobs still open fills it again ([Campaign.Refill]). A job that goes on from what others found comes into the queue
// once their outcomes are kept: whoever keeps the last of these puts it there ([Campaign.release]). So a job is done once in effect.
package board

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"contend/checker/verify/tool"
	"contend/cluster/campaign"
	"contend/cluster/hub"
)

// A Board has the campaigns of a server.
type Board struct {
	hub       *hub.Hub
	campaigns jetstream.KeyValue
	replicas  int
}

// A Phase is whether jobs of a campaign are given to workers.
type Phase string

// The phases. That all jobs are done is no phase: it is counted.
const (
	Running Phase = "running"
	Stopped Phase = "stopped"
)

// State is what of a campaign changes. Whoever changes it compares its revision.
type State struct {
	Schema   int           `json:"schema"` // 1
	Phase    Phase         `json:"phase"`
	Why      string        `json:"why,omitempty"` // it is stopped
	Rounds   int           `json:"rounds"`        // that were put into the queue: see campaign.Work
	Filled   int           `json:"filled"`        // how often the queue was filled
	Silence  time.Duration `json:"silence"`       // after which a worker's job is given to another
	Replicas int           `json:"replicas"`
}

// Bounds on the state, and on what is kept beside results.
const (
	mostState  = 4 << 10
	mostRounds = 1 << 20
	// LeastSilence and MostSilence bound State.Silence.
	LeastSilence = time.Second
	MostSilence  = time.Hour
)

func readState(data []byte) (*State, error) {
	var s State
	if len(data) > mostState {
		return nil, fmt.Errorf("the state of the campaign has %d bytes, but at most %d are read", len(data), mostState)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("the state of the campaign: %w", err)
	}
	if s.Schema != 1 || s.Phase != Running && s.Phase != Stopped || s.Rounds < 1 || s.Rounds > mostRounds || s.Filled < 0 ||
		s.Silence < LeastSilence || s.Silence > MostSilence || s.Replicas < 1 || s.Replicas > 5 {
		return nil, errors.New("the state of the campaign is damaged, or of a later version")
	}
	return &s, nil
}

// Open opens the board of a server. Replicas is how many servers of a cluster keep what is made here.
func Open(ctx context.Context, h *hub.Hub, replicas int) (*Board, error) {
	kv, err := h.Bucket(ctx, hub.Kept{Name: "campaigns", MaxValue: campaign.MostSpec, Replicas: replicas})
	if err != nil {
		return nil, err
	}
	return &Board{h, kv, replicas}, nil
}

func specKey(name string) string  { return name + ".spec" }
func stateKey(name string) string { return name + ".state" }

// Start makes a campaign and puts its jobs into the queue. The error says if there is one of that name.
func (b *Board) Start(ctx context.Context, t *tool.Tool, spec *campaign.Spec, silence time.Duration) (*Campaign, error) {
	work, err := spec.Work(t)
	if err != nil {
		return nil, err
	}
	data, err := spec.Bytes()
	if err != nil {
		return nil, err
	}
	_, err = b.campaigns.Create(ctx, specKey(spec.Name), data)
	if errors.Is(err, jetstream.ErrKeyExists) {
		return nil, fmt.Errorf("there is a campaign %s already: resume goes on with it, and results prints what it came to", spec.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("the campaign cannot be kept: %w", b.hub.Why(err))
	}
	state := &State{Schema: 1, Phase: Running, Rounds: 1, Silence: silence, Replicas: max(b.replicas, 1)}
	c, err := b.stores(ctx, spec, work, state)
	if err != nil {
		return nil, err
	}
	return c, c.begin(ctx, state)
}

// begin writes the first state, so that workers see the campaign, and fills the queue.
func (c *Campaign) begin(ctx context.Context, state *State) error {
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if _, err := c.board.campaigns.Create(ctx, stateKey(c.Spec.Name), data); err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
		return fmt.Errorf("the campaign cannot be kept: %w", c.board.hub.Why(err))
	}
	return c.fill(ctx, state)
}

// Names lists the campaigns.
func (b *Board) Names(ctx context.Context) ([]string, error) {
	keys, err := b.hub.Keys(ctx, b.campaigns)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, key := range keys {
		if name, is := strings.CutSuffix(key, ".spec"); is && hub.Named(name) == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// Spec is the specification of a campaign.
func (b *Board) Spec(ctx context.Context, name string) (*campaign.Spec, error) {
	if err := hub.Named(name); err != nil {
		return nil, err
	}
	e, err := b.hub.Get(ctx, b.campaigns, specKey(name))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, fmt.Errorf("there is no campaign %s", name)
	}
	if err != nil {
		return nil, fmt.Errorf("campaign %s cannot be read: %w", name, err)
	}
	spec, err := campaign.ReadSpec(e.Value())
	if err == nil && spec.Name != name {
		err = fmt.Errorf("it is that of %s", spec.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("campaign %s: %w", name, err)
	}
	return spec, nil
}

// Campaign opens a campaign, for a tool of its build: that of any other is refused with both builds.
func (b *Board) Campaign(ctx context.Context, t *tool.Tool, name string) (*Campaign, error) {
	spec, err := b.Spec(ctx, name)
	if err != nil {
		return nil, err
	}
	own, err := hub.Own()
	if err != nil {
		return nil, err
	}
	if err := own.Refuse("campaign "+name, spec.Build); err != nil {
		return nil, err
	}
	work, err := spec.Work(t)
	if err != nil {
		return nil, fmt.Errorf("campaign %s: %w", name, err)
	}
	state, _, err := b.state(ctx, name)
	if errors.Is(err, errUnbegun) { // whoever started it died before it wrote the state
		state, err = &State{Schema: 1, Phase: Stopped, Why: "its start was cut short", Rounds: 1, Silence: 15 * time.Second, Replicas: max(b.replicas, 1)}, nil
	}
	if err != nil {
		return nil, err
	}
	return b.stores(ctx, spec, work, state)
}

// Busy reports whether a campaign's jobs are given to workers, and whether any was heard of within a time.
func (b *Board) Busy(ctx context.Context, name string, within time.Duration) (bool, error) {
	s, _, err := b.state(ctx, name)
	if errors.Is(err, errUnbegun) || err == nil && s.Phase != Running {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	workers, err := b.hub.JS.KeyValue(ctx, "contend-"+name+"-workers")
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return false, nil // its start was cut short
	}
	if err != nil {
		return false, err
	}
	all, err := reports(ctx, b.hub, workers)
	return slices.ContainsFunc(all, func(r *Report) bool { return !r.Left && time.Since(r.Heard) < within }), err
}

// errUnbegun is of a campaign that has no state yet.
var errUnbegun = errors.New("the campaign's start was cut short; resume goes on with it")

// state is that of a campaign, and its revision.
func (b *Board) state(ctx context.Context, name string) (*State, uint64, error) {
	e, err := b.hub.Get(ctx, b.campaigns, stateKey(name))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, errUnbegun
	}
	if err != nil {
		return nil, 0, fmt.Errorf("the state of campaign %s cannot be read: %w", name, err)
	}
	s, err := readState(e.Value())
	return s, e.Revision(), err
}

// A Campaign is one on the server.
type Campaign struct {
	Spec *campaign.Spec
	Work *campaign.Work

	board   *Board
	results jetstream.KeyValue
	deaths  jetstream.KeyValue
	workers jetstream.KeyValue
	runs    jetstream.ObjectStore
	queue   *hub.Queue
}

// stores opens all that a campaign keeps, and makes it where it is not there.
func (b *Board) stores(ctx context.Context, spec *campaign.Spec, work *campaign.Work, state *State) (c *Campaign, err error) {
	c = &Campaign{Spec: spec, Work: work, board: b}
	kept := func(name string, most int32) hub.Kept {
		return hub.Kept{Name: spec.Name + "-" + name, MaxValue: most, Replicas: state.Replicas}
	}
	if c.results, err = b.hub.Bucket(ctx, kept("results", campaign.MostOutcome)); err != nil {
		return nil, err
	}
	if c.deaths, err = b.hub.Bucket(ctx, kept("deaths", mostDeaths)); err != nil {
		return nil, err
	}
	if c.workers, err = b.hub.Bucket(ctx, kept("workers", mostReport)); err != nil {
		return nil, err
	}
	if c.runs, err = b.hub.Objects(ctx, kept("runs", 0)); err != nil {
		return nil, err
	}
	c.queue, err = b.hub.Queue(ctx, kept("jobs", 64), state.Silence)
	return c, err
}

// State is the campaign's.
func (c *Campaign) State(ctx context.Context) (*State, error) {
	s, _, err := c.board.state(ctx, c.Spec.Name)
	return s, err
}

// Jobs is how many there are in the rounds so far.
func (c *Campaign) Jobs(s *State) int { return c.Work.Round(s.Rounds) }

// change changes the state, and tries again when somebody else did meanwhile. It is not written if the change says no.
func (c *Campaign) change(ctx context.Context, change func(*State) bool) (*State, error) {
	for {
		s, revision, err := c.board.state(ctx, c.Spec.Name)
		if err != nil || !change(s) {
			return s, err
		}
		data, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		_, err = c.board.campaigns.Update(ctx, stateKey(c.Spec.Name), data, revision)
		var api *jetstream.APIError
		if err == nil || !(errors.Is(err, jetstream.ErrKeyExists) || errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence) {
			return s, err
		}
	}
}

// Stop takes the campaign's jobs from its workers. Outcomes stay.
func (c *Campaign) Stop(ctx context.Context, why string) error {
	_, err := c.change(ctx, func(s *State) bool {
		changed := s.Phase != Stopped
		s.Phase, s.Why = Stopped, why
		return changed
	})
	return err
}

// Resume gives jobs to workers again: those that are not done.
func (c *Campaign) Resume(ctx context.Context) error {
	if _, err := c.State(ctx); errors.Is(err, errUnbegun) {
		return c.begin(ctx, &State{Schema: 1, Phase: Running, Rounds: 1, Silence: 15 * time.Second, Replicas: max(c.board.replicas, 1)})
	}
	s, err := c.change(ctx, func(s *State) bool {
		changed := s.Phase != Running
		s.Phase, s.Why = Running, ""
		return changed
	})
	if err != nil {
		return err
	}
	return c.Refill(ctx, s)
}

// fill puts the jobs of all rounds that are not done into the queue, if all is done that they go on from.
func (c *Campaign) fill(ctx context.Context, s *State) error {
	done, err := c.doneNumbers(ctx)
	if err != nil {
		return err
	}
	var open []int
	for number := range c.Jobs(s) {
		if !done[number] && c.Work.Ready(c.Work.Job(number), func(n int) bool { return done[n] }) {
			open = append(open, number)
		}
	}
	return c.put(ctx, s, open)
}

// put puts jobs into the queue, each once until it is filled again.
func (c *Campaign) put(ctx context.Context, s *State, open []int) error {
	err := c.queue.PutAll(ctx, len(open), func(i int) (id string, data []byte) {
		return fmt.Sprintf("%d/%d", s.Filled, open[i]), []byte(strconv.Itoa(open[i]))
	})
	if err != nil {
		return fmt.Errorf("the jobs of campaign %s cannot all be queued, and resume goes on: %w", c.Spec.Name, c.board.hub.Why(err))
	}
	return nil
}

// doneNumbers are the numbers of the jobs that have outcomes.
func (c *Campaign) doneNumbers(ctx context.Context) (map[int]bool, error) {
	keys, err := c.board.hub.Keys(ctx, c.results)
	if err != nil {
		return nil, err
	}
	done := map[int]bool{}
	for _, key := range keys {
		if n, err := number([]byte(key)); err == nil {
			done[n] = true
		}
	}
	return done, nil
}

// number reads the number of a job, as a message has it.
func number(data []byte) (int, error) {
	n, err := strconv.ParseUint(string(data), 10, 31)
	if err != nil || strconv.FormatUint(n, 10) != string(data) {
		return 0, fmt.Errorf("%.40q is no number of a job", data)
	}
	return int(n), nil
}

// Refill sees to it that each job that is not done is in the queue, once the queue is empty and no worker has a job, and
// begins another round of a campaign that repeats.
func (c *Campaign) Refill(ctx context.Context, s *State) error {
	info, err := c.queue.Stream.Info(ctx)
	if err != nil || info.State.Msgs > 0 || s.Phase != Running {
		return err
	}
	done, err := c.Done(ctx)
	if err != nil || done >= c.Jobs(s) && !c.Spec.Repeat {
		return err
	}
	was := s.Filled
	s, err = c.change(ctx, func(s *State) bool {
		if s.Filled != was || s.Phase != Running {
			return false // somebody else does it
		}
		s.Filled++
		if done >= c.Jobs(s) && s.Rounds < mostRounds {
			s.Rounds++
		}
		return true
	})
	if err != nil || s.Filled != was+1 {
		return err
	}
	return c.fill(ctx, s)
}

// Done counts the jobs with an outcome.
func (c *Campaign) Done(ctx context.Context) (int, error) {
	st, err := c.results.Status(ctx)
	if err != nil {
		return 0, err
	}
	return int(st.Values()), nil
}

// Left counts the jobs that are still in the queue, with those that workers have.
func (c *Campaign) Left(ctx context.Context) (uint64, error) {
	info, err := c.queue.Stream.Info(ctx)
	if err != nil {
		return 0, err
	}
	return info.State.Msgs, nil
}
