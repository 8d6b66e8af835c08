// Package board stores campaigns on a server and does their jobs. A [Board] starts, stops and resumes
// campaigns. A [Worker] does jobs, in a child process that runs [Serve].
//
// For each campaign the server has a queue of job numbers, and a bucket with an outcome for each completed
// job. Two further buckets have deaths of processes and reports of workers. An object store has
// counterexamples and additions. An outcome is created and never replaced. If two workers do one job, the
// first outcome counts. The second must be equal, or it is a dispute.
//
// A job's number leaves the queue only after its outcome is stored. If a worker dies before, the queue
// delivers the number to another worker. If the queue loses numbers, a worker that finds it empty while jobs
// are open fills it again ([Campaign.Refill]). A job that depends on others is queued after their outcomes
// are stored, by the worker that stores the last of them ([Campaign.release]). So each job takes effect once.
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

// A Board is the set of campaigns on a server.
type Board struct {
	hub       *hub.Hub
	campaigns jetstream.KeyValue
	replicas  int
}

// A Phase determines whether workers get the jobs of a campaign.
type Phase string

// Phases. Completion is no phase: it is counted.
const (
	Running Phase = "running"
	Stopped Phase = "stopped"
)

// State is the mutable part of a campaign. Writers use its revision for compare-and-set.
type State struct {
	Schema   int           `json:"schema"` // 1
	Phase    Phase         `json:"phase"`
	Why      string        `json:"why,omitempty"` // reason of Stopped
	Rounds   int           `json:"rounds"`        // number of queued rounds: see campaign.Work
	Filled   int           `json:"filled"`        // number of times the queue was filled
	Silence  time.Duration `json:"silence"`       // time without a heartbeat after which a job is delivered again
	Replicas int           `json:"replicas"`
}

// Bounds on the state.
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

// Open opens the board of a server. Replicas is the number of servers of a cluster that store what the board
// creates.
func Open(ctx context.Context, h *hub.Hub, replicas int) (*Board, error) {
	kv, err := h.Bucket(ctx, hub.StoreConfig{Name: "campaigns", MaxValue: campaign.MostSpec, Replicas: replicas})
	if err != nil {
		return nil, err
	}
	return &Board{h, kv, replicas}, nil
}

func specKey(name string) string  { return name + ".spec" }
func stateKey(name string) string { return name + ".state" }

// Start creates a campaign and queues its jobs. It fails if the campaign exists.
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
		return nil, fmt.Errorf("the campaign cannot be stored: %w", b.hub.Explain(err))
	}
	state := &State{Schema: 1, Phase: Running, Rounds: 1, Silence: silence, Replicas: max(b.replicas, 1)}
	c, err := b.stores(ctx, spec, work, state)
	if err != nil {
		return nil, err
	}
	return c, c.begin(ctx, state)
}

// begin writes the first state and fills the queue. The state makes the campaign visible to workers.
func (c *Campaign) begin(ctx context.Context, state *State) error {
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if _, err := c.board.campaigns.Create(ctx, stateKey(c.Spec.Name), data); err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
		return fmt.Errorf("the campaign cannot be stored: %w", c.board.hub.Explain(err))
	}
	return c.fill(ctx, state)
}

// Names returns the names of the campaigns.
func (b *Board) Names(ctx context.Context) ([]string, error) {
	keys, err := b.hub.Keys(ctx, b.campaigns)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, key := range keys {
		if name, ok := strings.CutSuffix(key, ".spec"); ok && hub.CheckName(name) == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// Spec returns the specification of a campaign.
func (b *Board) Spec(ctx context.Context, name string) (*campaign.Spec, error) {
	if err := hub.CheckName(name); err != nil {
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
		err = fmt.Errorf("it belongs to campaign %s", spec.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("campaign %s: %w", name, err)
	}
	return spec, nil
}

// Campaign opens a campaign. The program must be of the campaign's build; otherwise the error names both
// builds.
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
	if errors.Is(err, errUnbegun) { // its creator died before it wrote the state
		state, err = &State{Schema: 1, Phase: Stopped, Why: "its start was cut short", Rounds: 1, Silence: 15 * time.Second, Replicas: max(b.replicas, 1)}, nil
	}
	if err != nil {
		return nil, err
	}
	return b.stores(ctx, spec, work, state)
}

// Busy reports whether a campaign is running, and some worker reported within a time.
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
	return slices.ContainsFunc(all, func(r *Report) bool { return !r.Ended && time.Since(r.Contact) < within }), err
}

// errUnbegun is the error of a campaign without a state.
var errUnbegun = errors.New("the campaign's start was cut short; resume goes on with it")

// state returns the state of a campaign and its revision.
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

// A Campaign is a campaign on the server.
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

// stores opens the stores of a campaign, and creates missing ones.
func (b *Board) stores(ctx context.Context, spec *campaign.Spec, work *campaign.Work, state *State) (c *Campaign, err error) {
	c = &Campaign{Spec: spec, Work: work, board: b}
	config := func(name string, most int32) hub.StoreConfig {
		return hub.StoreConfig{Name: spec.Name + "-" + name, MaxValue: most, Replicas: state.Replicas}
	}
	if c.results, err = b.hub.Bucket(ctx, config("results", campaign.MostOutcome)); err != nil {
		return nil, err
	}
	if c.deaths, err = b.hub.Bucket(ctx, config("deaths", mostDeaths)); err != nil {
		return nil, err
	}
	if c.workers, err = b.hub.Bucket(ctx, config("workers", mostReport)); err != nil {
		return nil, err
	}
	if c.runs, err = b.hub.Objects(ctx, config("runs", 0)); err != nil {
		return nil, err
	}
	c.queue, err = b.hub.Queue(ctx, config("jobs", 64), state.Silence)
	return c, err
}

// State returns the state of the campaign.
func (c *Campaign) State(ctx context.Context) (*State, error) {
	s, _, err := c.board.state(ctx, c.Spec.Name)
	return s, err
}

// Jobs returns the number of jobs in the rounds so far.
func (c *Campaign) Jobs(s *State) int { return c.Work.Round(s.Rounds) }

// change updates the state by compare-and-set. It calls change again after a conflict, and writes nothing if
// change returns false.
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

// Stop stops the campaign: workers abandon its jobs. Outcomes remain.
func (c *Campaign) Stop(ctx context.Context, why string) error {
	_, err := c.change(ctx, func(s *State) bool {
		changed := s.Phase != Stopped
		s.Phase, s.Why = Stopped, why
		return changed
	})
	return err
}

// Resume starts a stopped campaign again, with the open jobs.
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

// fill queues the open jobs of all rounds whose dependencies are done.
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
	return c.enqueue(ctx, s, open)
}

// enqueue queues jobs. A job is queued once for each filling.
func (c *Campaign) enqueue(ctx context.Context, s *State, open []int) error {
	err := c.queue.AddAll(ctx, len(open), func(i int) (id string, data []byte) {
		return fmt.Sprintf("%d/%d", s.Filled, open[i]), []byte(strconv.Itoa(open[i]))
	})
	if err != nil {
		return fmt.Errorf("the jobs of campaign %s cannot all be queued; resume continues: %w", c.Spec.Name, c.board.hub.Explain(err))
	}
	return nil
}

// doneNumbers returns the numbers of the jobs with outcomes.
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

// number parses the number of a job.
func number(data []byte) (int, error) {
	n, err := strconv.ParseUint(string(data), 10, 31)
	if err != nil || strconv.FormatUint(n, 10) != string(data) {
		return 0, fmt.Errorf("%.40q is no number of a job", data)
	}
	return int(n), nil
}

// Refill queues the open jobs again if the queue is empty and no worker has a job. It begins another round of
// a campaign that repeats.
func (c *Campaign) Refill(ctx context.Context, s *State) error {
	info, err := c.queue.Stream.Info(ctx)
	if err != nil || info.State.Msgs > 0 || s.Phase != Running {
		return err
	}
	done, err := c.Completed(ctx)
	if err != nil || done >= c.Jobs(s) && !c.Spec.Repeat {
		return err
	}
	filled := s.Filled
	s, err = c.change(ctx, func(s *State) bool {
		if s.Filled != filled || s.Phase != Running {
			return false // another worker does it
		}
		s.Filled++
		if done >= c.Jobs(s) && s.Rounds < mostRounds {
			s.Rounds++
		}
		return true
	})
	if err != nil || s.Filled != filled+1 {
		return err
	}
	return c.fill(ctx, s)
}

// Completed returns the number of jobs with an outcome.
func (c *Campaign) Completed(ctx context.Context) (int, error) {
	st, err := c.results.Status(ctx)
	if err != nil {
		return 0, err
	}
	return int(st.Values()), nil
}

// Queued returns the number of queued jobs, including the workers' jobs.
func (c *Campaign) Queued(ctx context.Context) (uint64, error) {
	info, err := c.queue.Stream.Info(ctx)
	if err != nil {
		return 0, err
	}
	return info.State.Msgs, nil
}
