package decide

import "contend/model"

// A Part is a part of the table that depends on some fields of a case. The first rule that covers a case
// applies. Parts after the first only weaken answers.
type Part struct {
	Title string
	Rules []Rule
}

// A Rule is a line of the table. An empty field covers all values.
type Rule struct {
	Kinds    []Kind
	Readings []Reading
	Bounds   Bounds
	Cut      bool // covers only cases with a cut
	Faults   []Fault
	Channels []model.Channel
	Entry
}

// A Bounds is the sort of bounds that a rule covers.
type Bounds int

// The sorts of bounds.
const (
	AnyBounds Bounds = iota
	ClosedBounds
	StrictBounds
)

// String returns the sort of bounds; "" for AnyBounds.
func (b Bounds) String() string { return [...]string{"", "closed", "strict"}[b] }

func (r Rule) covers(c Case) bool {
	return covers(r.Kinds, c.Kind) && covers(r.Readings, c.Reading) && covers(r.Faults, c.Fault) && covers(r.Channels, c.Channel) &&
		(r.Bounds == AnyBounds || (r.Bounds == StrictBounds) == c.Strict) && (!r.Cut || c.Cut)
}

func covers[T comparable](list []T, x T) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return len(list) == 0
}

var (
	universal   = []Kind{Always, AlwaysDone, Invariant, Linearizable, Refines}
	existential = []Kind{Sometimes, SometimesDone}
	timed       = []Reading{Closing, Exact}
)

func entry(holds, violated Answer, limit, why string) Entry {
	return Entry{Holds: holds, Violated: violated, Limit: limit, Why: []string{why}}
}

// cuts is the title of the part about cuts.
const cuts = "cuts"

// Parts is the table.
var Parts = []Part{
	{"claims and readings", []Rule{
		{Kinds: []Kind{AlmostSurely}, Readings: []Reading{Untimed}, Entry: Entry{Refused: true,
			Why: []string{"A claim of probability is searched on the grid only: its coins are drawn in time."}}},
		{Kinds: []Kind{Possible, Eventually, AlmostSurely}, Readings: []Reading{Dense}, Entry: entry(No, No, DenseTime,
			"A class of dense time holds moments from which different things can follow, so it says what happens in some run and not from where; read the claim on the grid.")},
		{Readings: []Reading{Untimed, Dense}, Entry: entry(Yes, Yes, "",
			"The search takes the runs of the reading and no others.")},

		{Kinds: universal, Readings: timed, Bounds: ClosedBounds, Entry: entry(Yes, Yes, "",
			"Every run can be moved to whole ticks, so the runs of the grid show whatever happens in any.")},
		{Kinds: existential, Readings: timed, Bounds: ClosedBounds, Entry: entry(Yes, Yes, "",
			"Every run can be moved to whole ticks, so what no run of the grid reaches none does.")},
		{Kinds: universal, Readings: []Reading{Closing}, Entry: entry(Yes, Confirmed, StrictBound,
			"Closing strict bounds adds runs and leaves none out: holds carries over, and a violation has to be a run in exact time, here or on a finer exact grid.")},
		{Kinds: existential, Readings: []Reading{Closing}, Entry: entry(Confirmed, Yes, StrictBound,
			"Closing strict bounds adds runs and leaves none out: what is never reached is unreachable, and a witness has to be a run in exact time, here or on a finer exact grid.")},
		{Kinds: universal, Readings: []Reading{Exact}, Entry: entry(No, Yes, StrictBound,
			"An exact grid leaves out runs between its steps: a violation is one, and that there is none shows nothing.")},
		{Kinds: existential, Readings: []Reading{Exact}, Entry: entry(Yes, No, StrictBound,
			"An exact grid leaves out runs between its steps: a witness is one, and that there is none shows nothing.")},

		{Kinds: []Kind{Possible}, Readings: timed, Bounds: ClosedBounds, Entry: entry(Yes, Yes, "",
			"It is decided of the states at whole ticks; states between them may differ.")},
		{Kinds: []Kind{Possible}, Readings: []Reading{Closing}, Entry: entry(Partly, Confirmed, StrictBound,
			"A state is doomed if even closing adds no way to the goal and the run to it is real at the times of the grid; it is none if a way to the goal rests on no closed bound, which is known only where holds alone are strict; finer grids are tried.")},
		{Kinds: []Kind{Possible}, Readings: []Reading{Exact}, Entry: entry(No, No, StrictBound,
			"An exact grid leaves out ways to the goal as well as states, so it shows neither.")},

		{Kinds: []Kind{Eventually}, Readings: timed, Bounds: ClosedBounds, Entry: entry(Yes, Partly, TimedRound,
			"A run that ends short of the goal refutes it; a round need not let time pass, and leaves it undecided.")},
		{Kinds: []Kind{Eventually}, Readings: []Reading{Closing}, Entry: entry(Yes, Partly, TimedRound,
			"Closing strict bounds only adds runs, so that none misses the goal carries over; a run that ends short of it is confirmed in exact time; a round need not let time pass, and leaves it undecided.")},
		{Kinds: []Kind{Eventually}, Readings: []Reading{Exact}, Entry: entry(No, Partly, StrictBound,
			"An exact grid leaves out runs between its steps: one that ends short of the goal refutes it, and that there is none shows nothing.")},

		{Kinds: []Kind{AlmostSurely}, Readings: timed, Bounds: ClosedBounds, Entry: entry(Yes, Yes, "",
			"It is decided of the positions at whole ticks, where coins fall; a round in which time does not go on is no run.")},
		{Kinds: []Kind{AlmostSurely}, Readings: []Reading{Closing}, Entry: entry(Partly, Confirmed, StrictBound,
			"Closing the end of a hold only adds answers that the adversary may pick, so that it cannot keep the run from the goal carries over; where windows are open nothing does. That it can is decided on the exact grid, and that it cannot too where each step is taken at a whole tick.")},
		{Kinds: []Kind{AlmostSurely}, Readings: []Reading{Exact}, Entry: entry(No, Partly, StrictBound,
			"What the adversary can do at whole ticks it can do; but where windows are open, one that is nonadaptive is not shown to be able to, since the grid leaves out some of what chance does.")},

		{Kinds: []Kind{Cost}, Readings: timed, Bounds: ClosedBounds, Entry: entry(Yes, Yes, "",
			"Every run can be moved to whole ticks, so the runs of the grid come to every number that any comes to.")},
		{Kinds: []Kind{Cost}, Readings: []Reading{Closing}, Entry: entry(Confirmed, Confirmed, StrictBound,
			"Closing strict bounds adds runs and leaves none out: no run comes to less than the least or to more than the most, and a run that comes to it has to be one in exact time.")},
		{Kinds: []Kind{Cost}, Readings: []Reading{Exact}, Entry: entry(No, No, StrictBound,
			"An exact grid leaves out runs between its steps, which may come to less or to more.")},
	}},
	{cuts, []Rule{
		{Kinds: []Kind{AlwaysDone}, Cut: true, Entry: entry(Yes, Partly, "", "The claim holds up to the cut, and where a cut keeps an event from firing no run stops.")},
		{Kinds: universal, Cut: true, Entry: entry(Yes, Yes, "", "The claim holds up to the cut.")},
		{Kinds: existential, Cut: true, Entry: entry(Yes, Partly, Cut, "A goal that was not reached may lie beyond the cut.")},
		{Kinds: []Kind{Cost}, Cut: true, Entry: entry(Partly, Partly, Cut, "A run that goes on beyond the cut may come to less or to more.")},
		{Kinds: []Kind{Possible}, Cut: true, Entry: entry(Partly, Partly, Cut, "The ways on from a state may all lead through the cut.")},
		{Cut: true, Entry: entry(Partly, Partly, Cut, "An event that a cut keeps from firing is owed all the same, so a run short of the goal may go on beyond the cut.")},
		{Entry: Entry{Holds: Yes, Violated: Yes}},
	}},
	{"faults", []Rule{
		{Readings: []Reading{Dense}, Faults: []Fault{Duplication, Restarts}, Entry: Entry{Refused: true,
			Why: []string{"A message that comes again is read untimed or on the grid, not in dense time."}}},
		{Kinds: []Kind{AlwaysDone}, Faults: []Fault{Restarts}, Entry: entry(Yes, Yes, "",
			"A message that may come once more after a restart keeps no run from stopping; a node that is down and may come back does.")},
		{Kinds: []Kind{Possible}, Faults: []Fault{Restarts}, Entry: entry(Yes, Yes, "",
			"The goal may wait for a node that is down to come back, and for no other move of the environment.")},
		{Kinds: []Kind{AlwaysDone}, Faults: []Fault{Partitions}, Entry: entry(Yes, Yes, "",
			"That a cut of the network heals is an event that is pending, and so no run stops before.")},
		{Kinds: []Kind{Possible}, Faults: []Fault{Partitions}, Entry: entry(Yes, Yes, "",
			"The goal may wait for a cut of the network to heal, which is pending, and for no other move of the environment.")},
		{Kinds: []Kind{Eventually}, Faults: []Fault{Partitions}, Entry: entry(Yes, Yes, "",
			"Fairness covers that a cut of the network heals, and not that it is made.")},
		{Kinds: []Kind{AlmostSurely}, Faults: []Fault{Partitions}, Entry: entry(Yes, Yes, "",
			"The cut is the adversary's move; when it heals, which it does some time, is decided as other delays are.")},
		{Kinds: []Kind{Possible}, Faults: []Fault{Loss, Duplication, Crashes, Suspicions, Lies}, Entry: entry(Yes, Yes, "",
			"The goal may wait for no move of the environment.")},
		{Kinds: []Kind{Eventually}, Faults: []Fault{Loss, Duplication, Crashes, Restarts, Suspicions, Lies}, Entry: entry(Yes, Yes, "",
			"Fairness covers no move of the environment, and nothing that may come once more; it does cover the reports of a failure detector.")},
		{Kinds: []Kind{AlmostSurely}, Faults: []Fault{Loss, Duplication, Crashes, Restarts, Suspicions, Lies}, Entry: entry(Yes, Yes, "",
			"The environment's moves are the adversary's.")},
		{Entry: Entry{Holds: Yes, Violated: Yes}},
	}},
	{"channels", []Rule{
		{Kinds: []Kind{AlwaysDone, Eventually, AlmostSurely}, Readings: timed, Channels: []model.Channel{model.FIFO}, Entry: entry(Yes, Yes, "",
			"Where time can neither go on nor stop, since a message must come that stands behind a slower one, no run is.")},
		{Kinds: []Kind{Eventually, AlmostSurely}, Channels: []model.Channel{model.Bag, model.FIFO}, Entry: entry(Yes, Yes, "",
			"Of equal messages the oldest is delivered.")},
		{Entry: Entry{Holds: Yes, Violated: Yes}},
	}},
}
