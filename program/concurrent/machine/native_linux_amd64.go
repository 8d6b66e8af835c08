//go:build !contend_native

package machine

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero/sys"

	"contend/program/guest"
	"contend/program/native"
	"contend/program/overlay"
)

// inProcess are tests that run in this process.
type inProcess struct {
	module *native.Module
	dir    string
}

// load takes the tests of a file, which may be removed then.
func load(file, dir string) (*inProcess, error) {
	m, err := native.Load(file)
	if err != nil {
		return nil, err
	}
	return &inProcess{m.(*native.Module), dir}, nil
}

func (p *inProcess) run(test, pattern string, d Driver) Exit {
	in := newInstance(d)
	k := &kernel{in: in, dir: p.dir}
	defer k.close()
	c := guest.Config{Args: arguments(pattern), Env: environment(p.dir, test), Wall: start * 1e9}
	err := p.module.Run(c, MostMemory, func(process *native.Process) native.Host {
		k.process, in.state = process, k
		return k
	})
	e := Exit{Output: in.output.String()}
	exit, exited := errors.AsType[*sys.ExitError](err)
	end, ended := errors.AsType[*native.Exited](err)
	switch {
	case exited:
		e.Code = exit.ExitCode()
	case ended && end.Stopped:
		e.Code, e.Err = Ended, errLoops
		if at := strings.LastIndex(e.Output, "SIGQUIT: quit"); at >= 0 {
			e.Err = fmt.Errorf("%w\n\n%s", errLoops, in.running(e.Output[at:]))
			e.Output = e.Output[:at]
		}
	case ended:
		e.Code = uint32(end.Code)
	default:
		e.Err = err
	}
	return e
}

// running is the goroutine that ran, in what the runtime says of a program that is stopped.
func (in *instance) running(text string) string {
	_, text, _ = strings.Cut(text, "\ngoroutine ")
	text, _, _ = strings.Cut(text, "\n\n")
	id, rest, _ := strings.Cut(text, " ")
	if n, err := strconv.ParseUint(id, 10, 64); err == nil && in.main != 0 && n >= in.main {
		id = fmt.Sprint(n - in.main)
	}
	return addresses.ReplaceAllString("goroutine "+id+" "+rest, "")
}

// addresses are what the runtime tells of places in memory.
var addresses = regexp.MustCompile(` (?:fp|sp|pc|gp|mp|m)=\w+`)

// kernel answers the calls of a program.
type kernel struct {
	in      *instance
	process *native.Process
	dir     string // the working directory
	files   []*file
	kept    kept
	args    [6]uint64
}

// kept is what is kept beside the memory.
type kept struct {
	dir   string
	files []*file
	at    []int64
}

// Call implements [native.Host].
func (k *kernel) Call(what uintptr, args [6]uintptr) (result uintptr, known bool, err error) {
	if n := int(what) - overlay.FirstQuestion; n >= 0 && n < len(questions) {
		result, err = k.asked(n, args)
		return result, true, err
	}
	return k.system(what, args)
}

// questions are the functions by number.
var questions = func() (all []func(in *instance, m memory, a []uint64) uint64) {
	for _, name := range overlay.Questions {
		f, is := functions[name]
		if !is {
			panic("machine: there is no question " + name)
		}
		all = append(all, f.do)
	}
	return all
}()

// asked answers a question. What ends the program is an error.
func (k *kernel) asked(n int, args [6]uintptr) (result uintptr, err error) {
	defer func() {
		if is := recover(); is != nil {
			exit, ends := is.(*sys.ExitError)
			if !ends {
				panic(is)
			}
			err = exit
		}
	}()
	for i, a := range args {
		k.args[i] = uint64(a)
	}
	now := k.in.now
	result = uintptr(questions[n](k.in, k, k.args[:]))
	if k.in.now != now {
		k.process.SetNow(k.in.now)
	}
	return result, nil
}

func (k *kernel) read(at, n uint64) []byte {
	b := k.process.Read(uintptr(at), uintptr(n))
	if b == nil && n > 0 {
		panic(fmt.Sprintf("the program asks about %d bytes at %#x, which are not its own", n, at))
	}
	return b
}

// Write implements [native.Host].
func (k *kernel) Write(b []byte) (int, error) { return k.in.output.Write(b) }

// keep implements [state].
func (k *kernel) keep() {
	k.process.Keep()
	k.kept = kept{dir: k.dir, files: append([]*file(nil), k.files...)}
	for _, f := range k.files {
		k.kept.at = append(k.kept.at, f.offset())
	}
}

// restore implements [state].
func (k *kernel) restore() {
	k.process.Restore()
	k.dir = k.kept.dir
	for _, f := range k.files {
		if !k.kept.has(f) {
			f.close()
		}
	}
	k.files = append(k.files[:0], k.kept.files...)
	for i, f := range k.files {
		f.seek(k.kept.at[i])
	}
}

func (k *kept) has(f *file) bool {
	for _, is := range k.files {
		if is == f {
			return true
		}
	}
	return false
}

// close closes all files.
func (k *kernel) close() {
	for _, f := range append(k.files, k.kept.files...) {
		f.close()
	}
}
