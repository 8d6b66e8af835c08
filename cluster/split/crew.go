package split

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/nats-io/nuid"

	"contend/checker"
	"contend/checker/search/parts"
	"contend/cluster/hub"
)

// PartVerb is the verb by which a crew starts a part: see [Serve].
const PartVerb = "search-part"

// A task is the leader's request for a part. A process gets it on its standard input; a process that offers itself gets it over the server.
type task struct {
	Server string          `json:"server"` // Server, Creds and CA are not sent to a process that offers itself
	Creds  string          `json:"creds"`
	CA     string          `json:"ca"`
	Name   string          `json:"name"` // of the search
	Epoch  string          `json:"epoch"`
	Part   int             `json:"part"`
	Parts  int             `json:"of"`
	Dir    string          `json:"dir"`
	Job    checker.PartJob `json:"job"`
}

// A Crew starts the other parts of a search. They meet on a server, elsewhere or in this process. On a server
// elsewhere, processes that offer themselves come first: see [Offer]. The other parts are processes on this
// machine.
type Crew struct {
	RemotePart func(part int, where string) // unless nil, called for each remote part, from Gather

	job    checker.PartJob
	count  int
	name   string
	dir    string
	inside *hub.Server // nil if the server is elsewhere
	access hub.Access
	hub    *hub.Hub

	exchange *Exchange
	others   []*process
	away     *away // nil if the server is in this process
	called   bool  // some start of the search had a remote part
}

// A process is a process of another part.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser // its end shows that the leader is gone
	gone   chan struct{}
	output *last
}

// NewCrew connects to the server. If access names none, it starts one in a directory.
func NewCrew(job checker.PartJob, count int, dir, name string, access hub.Access) (*Crew, error) {
	c := &Crew{job: job, count: count, name: name, dir: dir, access: access}
	var err error
	if access.Server == "" {
		if c.inside, err = hub.Start(hub.Options{Dir: filepath.Join(dir, "server")}); err != nil {
			return nil, err
		}
		c.access = c.inside.Access()
	}
	if c.hub, err = c.access.Connect(context.Background(), "search "+name); err != nil {
		c.Close(false)
		return nil, err
	}
	return c, nil
}

// Gather starts the other parts, each in a directory of its own, and waits until they are ready.
func (c *Crew) Gather(lost error) (parts.Exchange, parts.Store, error) {
	c.dismiss(lost)
	epoch := nuid.Next()
	ex, err := Join(c.hub.Conn, epoch, 0, c.count)
	if err != nil {
		return nil, nil, err
	}
	c.exchange = ex
	store, err := OpenStore(context.Background(), c.hub, c.name, 0, epoch)
	if err != nil {
		return nil, nil, err
	}
	first := 1
	if c.inside == nil {
		if first, err = c.call(epoch); err != nil {
			return nil, nil, err
		}
	}
	ready := make(chan error, c.count)
	for part := first; part < c.count; part++ {
		p, err := c.start(part, epoch, ready)
		if err != nil {
			return nil, nil, err
		}
		c.others = append(c.others, p)
	}
	for range c.others {
		if err := <-ready; err != nil {
			c.dismiss(err)
			return nil, nil, err
		}
	}
	return ex, store, nil
}

// readyLine is a part's output when it accepts questions.
const readyLine = "ready\n"

// start starts a part. It sends nil to ready when the part is ready, or the reason why it is not.
func (c *Crew) start(part int, epoch string, ready chan<- error) (*process, error) {
	dir := c.partDir(part)
	if err := os.RemoveAll(dir); err != nil { // the part fetches what it needs
		return nil, err
	}
	ex := c.exchange
	t := task{c.access.Server, c.access.Creds, c.access.CA, c.name, epoch, part, c.count, dir, c.job}
	return launch(t, ready, func(died parts.Lost) { ex.Close(died) })
}

// launch starts a process for a part. It sends nil to ready when the part is ready, or the reason why it is
// not. It calls died once, after the process has ended, from a goroutine of its own.
func launch(t task, ready chan<- error, died func(parts.Lost)) (*process, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(path, PartVerb), gone: make(chan struct{}), output: &last{}}
	p.cmd.Args[0] = os.Args[0]
	p.cmd.Stderr = p.output
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_, err := fmt.Fprintf(p.in, "%s\n", text)
		if line, _ := bufio.NewReader(out).ReadString('\n'); err == nil && line != readyLine {
			err = errors.New("it does not start")
		}
		if err == nil {
			ready <- nil
		}
		_ = p.cmd.Wait() // the result is in ProcessState
		lost := parts.Lost{Err: fmt.Errorf("part %d of %d ended: %v%s", t.Part+1, t.Parts, p.cmd.ProcessState, p.output)}
		if err != nil {
			ready <- lost
		}
		died(lost)
		close(p.gone)
	}()
	return p, nil
}

func (c *Crew) partDir(part int) string {
	return filepath.Join(c.dir, fmt.Sprintf("%s-part-%d", c.name, part+1))
}

// dismiss ends the other parts.
func (c *Crew) dismiss(why error) {
	if c.exchange != nil {
		c.exchange.Close(why)
	}
	for _, p := range c.others {
		p.kill()
	}
	c.others = nil
	if c.away != nil {
		c.away.dismiss()
		c.away = nil
	}
}

// kill ends a process, and waits for its end.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.in.Close()
	<-p.gone
}

// Close ends everything that the crew started. Whole reports that the search is complete: then Close removes
// the checkpoint.
func (c *Crew) Close(whole bool) {
	c.dismiss(nil)
	if c.hub != nil {
		if whole {
			_ = c.hub.Drop(context.Background(), c.name)
		}
		c.hub.Close()
	}
	if c.inside != nil {
		_ = c.inside.Close()
	}
	for part := 1; part < c.count; part++ {
		_ = os.RemoveAll(c.partDir(part)) // their checkpoints are on the server
	}
	if c.inside != nil && whole {
		_ = os.RemoveAll(filepath.Join(c.dir, "server"))
	}
}

// A last stores the end of a process's output.
type last struct {
	mu   sync.Mutex
	text []byte
}

const mostSaid = 4 << 10

func (l *last) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, b...)
	l.text = l.text[max(len(l.text)-mostSaid, 0):]
	return len(b), nil
}

func (l *last) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.text) == 0 {
		return ""
	}
	return "; it printed: " + string(l.text)
}
