package viewing

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/traces"
	"contend/traces/show"
	"contend/traces/walk"
)

const walkHelp = `  3             take step 3 of the list, as early as possible
  3 at 5/2      take it at that time, in ticks, if time is kept
  3 with 0 1    take it with these answers to the choices of its handler
  back, back 4  undo one step, or that many
  state         print the whole state
  run           print the run so far
  place         print the current place, for --at
  save FILE     save the run so far as a trace
  help, quit    print this list, or quit`

// explorer talks to who walks.
type explorer struct {
	t      *tool.Tool
	w      *walk.Walk
	offers []walk.Offer
}

// errQuit ends the walk.
var errQuit = errors.New("quit")

// run takes commands until there are no more, or Ctrl-C.
func (x *explorer) run(in io.Reader) error {
	x.look()
	commands := bufio.NewScanner(in)
	lines := make(chan string)
	go func() { // reading a terminal cannot be interrupted; the goroutine ends with the tool
		defer close(lines)
		for commands.Scan() {
			lines <- commands.Text()
		}
	}()
	for {
		x.printf("> ")
		select {
		case <-x.t.Interrupt:
			x.printf("\n")
			return nil
		case line, more := <-lines:
			if !more {
				x.printf("\n")
				return unreadable(commands.Err())
			}
			err := x.command(strings.Fields(line))
			if errors.Is(err, errQuit) {
				return nil
			}
			if err != nil {
				x.printf("%v\n", err)
			}
		}
	}
}

func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the commands cannot be read: %w", err)
}

func (x *explorer) printf(format string, args ...any) { fmt.Fprintf(x.t.Out, format, args...) }

// command executes a line.
func (x *explorer) command(words []string) error {
	if len(words) == 0 {
		x.look()
		return nil
	}
	switch rest := words[1:]; {
	case words[0] == "quit" && len(rest) == 0, words[0] == "q" && len(rest) == 0:
		return errQuit
	case words[0] == "help" && len(rest) == 0:
		x.printf("%s\n", walkHelp)
		return nil
	case words[0] == "state" && len(rest) == 0:
		return show.State(x.t.Out, x.w.Run(), x.t.Style())
	case words[0] == "run" && len(rest) == 0:
		return show.Text(x.t.Out, x.w.Run(), x.t.Style())
	case words[0] == "place" && len(rest) == 0:
		x.printf("--at '%v'\n", x.w.Place())
		return nil
	case words[0] == "save" && len(rest) == 1:
		return x.save(rest[0])
	case words[0] == "back" && len(rest) <= 1:
		return x.back(rest)
	}
	return x.take(words)
}

func (x *explorer) save(file string) error {
	tr, err := x.w.Trace()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s exists already, and is not overwritten", file)
	}
	if err := traces.Save(file, tr); err != nil {
		return err
	}
	x.printf("saved: %s show %s\n", verdict.Tool, console.Quoted([]string{file}))
	return nil
}

func (x *explorer) back(words []string) error {
	steps := 1
	if len(words) == 1 {
		n, err := strconv.ParseUint(words[0], 10, 20)
		if err != nil || n == 0 {
			return fmt.Errorf("back takes a number of steps, 1 or more, not %.40q", words[0])
		}
		steps = int(n)
	}
	if err := x.w.Back(steps); err != nil {
		return err
	}
	x.look()
	return nil
}

// take takes an offer: its number, an instant, and answers.
func (x *explorer) take(words []string) error {
	n, err := strconv.ParseUint(words[0], 10, 20)
	switch {
	case err != nil && slices.Contains([]string{"back", "state", "run", "place", "save", "help", "quit"}, words[0]):
		return fmt.Errorf("wrong arguments for %s; help lists the commands", words[0])
	case err != nil:
		return fmt.Errorf("%.40q is not a command; help lists the commands", words[0])
	}
	if n < 1 || int(n) > len(x.offers) {
		return fmt.Errorf("there is no step %d; the steps are 1 to %d", n, len(x.offers))
	}
	at, answers, err := how(words[1:])
	if err != nil {
		return err
	}
	if err := x.w.Take(x.offers[n-1], at, answers); err != nil {
		return err
	}
	x.look()
	return nil
}

// how reads "at INSTANT" and "with ANSWERS".
func how(words []string) (at string, answers []int, err error) {
	if len(words) >= 2 && words[0] == "at" {
		at, words = words[1], words[2:]
	}
	if len(words) == 0 {
		return at, nil, nil
	}
	if words[0] != "with" || len(words) == 1 {
		return "", nil, fmt.Errorf("only at TIME and with ANSWERS can follow the number, not %.40q", strings.Join(words, " "))
	}
	for _, word := range words[1:] {
		a, err := strconv.ParseUint(word, 10, 31)
		if err != nil {
			return "", nil, fmt.Errorf("answer is %.40q, but must be a number, 0 or more", word)
		}
		answers = append(answers, int(a))
	}
	return at, answers, nil
}

// look prints the position of the walk, the last step, and the possible next steps.
func (x *explorer) look() {
	run := x.w.Run()
	lines := show.Lines(run)
	x.printf("\n")
	if len(lines) > 0 && lines[len(lines)-1].Step == x.w.Steps() {
		last := lines[len(lines)-1]
		x.printf("step %d  %s\n", last.Step, strings.Join(append([]string{last.Who + ": " + last.What}, last.Details...), "; "))
	}
	for _, v := range run.World.Violations {
		if v.Step == x.w.Steps() {
			x.printf("        ✗ %s is violated: %s\n", v.Claim, v.Text)
		}
	}
	x.offers = x.w.Offers()
	where := ""
	for i, o := range x.offers {
		heading := "next" + x.at()
		if o.Fault {
			heading = "faults"
		}
		if heading != where {
			where = heading
			x.printf("%s\n", heading)
		}
		x.printf("  %3d  %s: %s%s\n", i+1, o.Where, o.Text, x.window(o))
	}
	if len(x.offers) == 0 {
		x.printf("nothing can happen next\n")
	}
}

func (x *explorer) at() string {
	if now := x.w.Now(); now != "" {
		return ", at " + now
	}
	return ""
}

// window returns when an offer may be taken, unless it may be taken at once or at any time.
func (x *explorer) window(o walk.Offer) string {
	if x.w.Now() == "" || o.Fault {
		return ""
	}
	return fmt.Sprintf("  [%s, %s]", o.Earliest, cmp.Or(o.Latest, "∞"))
}
