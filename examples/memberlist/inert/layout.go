package inert

//lint:file-ignore U1000 the library uses the fields that this package does not

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"contend/model"

	"github.com/hashicorp/go-metrics"
	"github.com/hashicorp/memberlist"
)

// The library's unexported types, field by field. layout_test.go compares them with the library's.

// A Kind is the type of a packet, its first byte.
type Kind uint8

// The kinds of packets that gossip has.
const (
	SuspectKind Kind = 3
	AliveKind   Kind = 4
	DeadKind    Kind = 5

	compoundKind Kind = 7
	crcKind      Kind = 12
)

// An Alive announces that a node is alive, in an incarnation of this node.
type Alive struct {
	Incarnation uint32
	Node        string
	Addr        []byte
	Port        uint16
	Meta        []byte
	Vsn         []uint8
}

// A Suspect announces that From suspects a node.
type Suspect struct {
	Incarnation uint32
	Node        string
	From        string
}

// A Dead announces that From considers a node dead. If From is the node itself, the node leaves.
type Dead struct {
	Incarnation uint32
	Node        string
	From        string
}

// A Pushed is the entry for a node in an exchange of whole lists.
type Pushed struct {
	Name        string
	Addr        []byte
	Port        uint16
	Meta        []byte
	Incarnation uint32
	State       memberlist.NodeStateType
	Vsn         []uint8
}

// header begins an exchange of whole lists.
type header struct {
	Nodes        int
	UserStateLen int
	Join         bool
}

// A nodeState is a list's entry for a node.
type nodeState struct {
	memberlist.Node
	Incarnation uint32
	State       memberlist.NodeStateType
	StateChange time.Time
}

// A suspicion is a timer that has a suspected node declared dead.
type suspicion struct {
	n             atomic.Int32
	k             int32
	min           time.Duration
	max           time.Duration
	start         time.Time
	timer         *time.Timer
	timeoutFn     func()
	confirmations map[string]struct{}
}

// awareness is a list's estimate of its own health.
type awareness struct {
	sync.RWMutex
	max          int
	score        int
	metricLabels []metrics.Label
}

// The fields of a list whose types are not exported.

func nodes(m *memberlist.Memberlist) []*nodeState {
	return *field[[]*nodeState](m, "nodes")
}

func nodeMap(m *memberlist.Memberlist) map[string]*nodeState {
	return *field[map[string]*nodeState](m, "nodeMap")
}

func nodeTimers(m *memberlist.Memberlist) map[string]*suspicion {
	return *field[map[string]*suspicion](m, "nodeTimers")
}

// field returns the address of a field. The field's type has the layout of F.
func field[F any](m *memberlist.Memberlist, name string) *F {
	f, has := fields.FieldByName(name)
	model.Assert(has, "a Memberlist has no field %s", name)
	return (*F)(unsafe.Add(unsafe.Pointer(m), f.Offset))
}
