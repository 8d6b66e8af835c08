package drive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"contend/checker/conform"
	"contend/model"
	"contend/traces"
)

// Limits of a process.
const (
	maxLine  = 1 << 20 // bytes of an answer
	mostSaid = 2 << 10 // bytes of the end of its standard error, for people
)

// Command returns the implementation behind a command: a process that reads a JSON object a line on its standard
// input, and answers each with a line on its standard output. docs/drive.md describes them.
func Command(command ...string) Target { return commandTarget(command) }

type commandTarget []string

func (t commandTarget) open(d *driver) implementation {
	return &process{command: t, vocabulary: d.vocabulary, system: d.system, header: d.header, timeout: d.opt.StepTimeout}
}

// A process is an implementation in a process of its own. It serves all runs, and is started again after a failure.
type process struct {
	command    []string
	vocabulary *conform.Vocabulary
	system     *model.System
	header     traces.Trace
	timeout    time.Duration

	running *exec.Cmd // nil before the start, and after a failure
	in      io.WriteCloser
	lines   chan line
	said    *tail
}

// A line is a line of a process, or the error that ends its output.
type line struct {
	text []byte
	err  error
}

// runLine begins a run.
type runLine struct {
	Run      int           `json:"run"`
	Protocol string        `json:"protocol"`
	Variant  string        `json:"variant"`
	Config   traces.Config `json:"config"`
	Nodes    []string      `json:"nodes"`
}

// stepLine is a step of a node.
type stepLine struct {
	Node    string       `json:"node"`
	Start   bool         `json:"start,omitempty"`
	Crash   bool         `json:"crash,omitempty"`
	Receive any          `json:"receive,omitempty"`
	Alarm   any          `json:"alarm,omitempty"`
	Call    any          `json:"call,omitempty"`
	Suspect string       `json:"suspect,omitempty"`
	Trust   string       `json:"trust,omitempty"`
	Choices []choiceLine `json:"choices,omitempty"`
}

// choiceLine is a choice of the page.
type choiceLine struct {
	What string `json:"what"`
	Of   int    `json:"of"`
	Is   int    `json:"is"`
}

func (p *process) begin(run int) (nodes []model.NodeID, err error) {
	if p.running == nil {
		if err := p.start(); err != nil {
			return nil, err
		}
	}
	l := runLine{Run: run, Protocol: p.header.Protocol, Variant: p.header.Variant, Config: p.header.Config}
	for _, n := range p.system.Nodes {
		l.Nodes = append(l.Nodes, n.Name)
	}
	members, err := p.ask(l)
	if err != nil {
		return nil, err
	}
	for name, raw := range members {
		if name != "nodes" {
			return nil, fmt.Errorf("the answer to a new run: field %.60q is not known: it may have nodes", name)
		}
		if nodes, err = p.nodes(raw); err != nil {
			return nil, fmt.Errorf("the answer to a new run: nodes: %w", err)
		}
	}
	return nodes, nil
}

// nodes reads the names of the implementation's nodes.
func (p *process) nodes(raw json.RawMessage) (nodes []model.NodeID, err error) {
	var names []string
	if json.Unmarshal(raw, &names) != nil || len(names) == 0 {
		return nil, fmt.Errorf("%.60s is not a list of names", raw)
	}
	for _, name := range names {
		id, ok := p.vocabulary.Node(name)
		if !ok {
			return nil, fmt.Errorf("%.60q is not a node of the protocol", name)
		}
		nodes = append(nodes, id)
	}
	return nodes, nil
}

func (p *process) step(in input) (*conform.Answer, error) {
	members, err := p.ask(p.line(in))
	if err != nil {
		return nil, err
	}
	if raw := members["impossible"]; raw != nil {
		var why string
		if json.Unmarshal(raw, &why) != nil || why == "" {
			return nil, fmt.Errorf("impossible: %.60s is not a sentence", raw)
		}
		return nil, &failure{text: fmt.Sprintf("%.200s", why), impossible: true}
	}
	return p.vocabulary.Read(in.node, members)
}

// line returns the line of a step.
func (p *process) line(in input) stepLine {
	l := stepLine{Node: p.system.Name(in.node)}
	switch in.kind {
	case start:
		l.Start = true
	case crash:
		l.Crash = true
	case deliver:
		id, _ := in.id.(json.RawMessage)
		l.Receive = p.vocabulary.Received(in.from, in.value, id)
	case fire:
		l.Alarm = given(p.vocabulary.Value(in.value))
	case call:
		l.Call = given(p.vocabulary.Value(in.value))
	case suspect:
		l.Suspect = p.system.Name(in.value.(model.NodeID))
	case trust:
		l.Trust = p.system.Name(in.value.(model.NodeID))
	}
	for _, c := range in.choices {
		l.Choices = append(l.Choices, choiceLine{c.What, c.Of, c.Is})
	}
	return l
}

// given returns a value that JSON does not leave out: null for nil.
func given(v any) any {
	if v == nil {
		return json.RawMessage("null")
	}
	return v
}

// ask sends a line, and returns the members of the answer. A process that does not answer is ended.
func (p *process) ask(l any) (members map[string]json.RawMessage, err error) {
	raw, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	select {
	case answer := <-p.lines:
		if answer.err == nil {
			return nil, fmt.Errorf("it writes %.60q without a question", answer.text)
		}
		return nil, p.ended()
	default:
	}
	in := p.in
	go func() { _, _ = in.Write(append(raw, '\n')) }() // a process that does not read is one that does not answer
	timer := time.NewTimer(p.timeout)
	defer timer.Stop()
	select {
	case answer := <-p.lines:
		if errors.Is(answer.err, bufio.ErrTooLong) {
			p.close()
			return nil, fmt.Errorf("it has more than %d bytes", maxLine)
		}
		if answer.err != nil {
			return nil, p.ended()
		}
		if json.Unmarshal(answer.text, &members) != nil || members == nil {
			return nil, fmt.Errorf("%.60q is not a JSON object", answer.text)
		}
		return members, nil
	case <-timer.C:
		_ = p.running.Process.Signal(os.Kill)
		p.close()
		return nil, &failure{text: fmt.Sprintf("the implementation does not answer within %v", p.timeout)}
	}
}

// start starts the process.
func (p *process) start() error {
	if len(p.command) == 0 {
		return errors.New("adapter: there is no command")
	}
	c := exec.Command(p.command[0], p.command[1:]...)
	p.said = &tail{}
	c.Stderr = p.said
	c.WaitDelay = time.Second / 10 // for children that hold its standard error
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("adapter: %w", err)
	}
	p.running, p.in, p.lines = c, in, make(chan line, 1)
	go read(out, p.lines)
	return nil
}

// read passes the lines of a process on, and the error that ends them.
func read(out io.Reader, lines chan<- line) {
	s := bufio.NewScanner(out)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		lines <- line{text: slices.Clone(s.Bytes())}
	}
	err := s.Err()
	if err == nil {
		err = io.EOF
	}
	lines <- line{err: err}
}

// ended returns the failure of a process that has ended, or closed its output.
func (p *process) ended() error {
	state := "closes its standard output"
	done := make(chan struct{})
	c := p.running
	go func() { _ = c.Wait(); close(done) }()
	select {
	case <-done:
		state = "ends: " + c.ProcessState.String()
	case <-time.After(time.Second):
		_ = c.Process.Kill()
	}
	p.running = nil
	_ = p.in.Close()
	text := "the process of the implementation " + state
	if said := p.said.last(); said != "" {
		text += "; it wrote last: " + said
	}
	return &failure{text: text}
}

// close ends the process: it closes the standard input, and kills the process a second later.
func (p *process) close() {
	if p.running == nil {
		return
	}
	_ = p.in.Close()
	c, lines := p.running, p.lines
	p.running = nil
	go func() { // the reader ends with the process
		for l := range lines {
			if l.err != nil {
				return
			}
		}
	}()
	grace := time.AfterFunc(time.Second, func() { _ = c.Process.Signal(os.Kill) })
	_ = c.Wait()
	grace.Stop()
}

// A tail stores the end of what is written to it.
type tail struct {
	lock sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.text = append(t.text, b...)
	if more := len(t.text) - mostSaid; more > 0 {
		t.text = slices.Clone(t.text[more:])
	}
	return len(b), nil
}

// last returns the last line that is not blank, at most 200 bytes of it.
func (t *tail) last() string {
	t.lock.Lock()
	defer t.lock.Unlock()
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(t.text), "\uFFFD")), "\n")
	return fmt.Sprintf("%.200s", strings.TrimSpace(lines[len(lines)-1]))
}
