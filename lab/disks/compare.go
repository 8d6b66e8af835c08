package disks

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/model/disk"
)

// A Result is the result of comparing one disk with the model.
type Result struct {
	About    string // options and operations, in one line
	Images   int    // number of states after crashes
	Problems []string
}

// mostCrashes is the maximum number of crashes for which a disk is examined. Most sequences end long before;
// if the last operation exceeds it, crashes are not examined.
const mostCrashes = 3000

// A duel is a disk and its model.
type duel struct {
	r       *rand.Rand
	opt     disk.Options
	disk    *disk.Disk
	tree    *tree
	files   map[*object]disk.File
	open    []*object // one for each handle
	syncing []sync
	steps   []string
	result  Result
}

// A sync is a sync in progress.
type sync struct {
	object *object
	mark   disk.Mark
	began  int
}

// problems maps the disk's errors to the model's.
var problems = map[error]string{nil: "", disk.ErrNotExist: "no such file", disk.ErrExist: "exists", disk.ErrNotDir: "not a directory",
	disk.ErrIsDir: "is a directory", disk.ErrNotEmpty: "not empty", disk.ErrInvalid: "invalid", disk.ErrBusy: "busy", disk.ErrFull: "full", disk.ErrIO: "broken"}

// Compare draws a disk's options and a sequence of operations. It compares their results, the files, and the
// set of states that a crash at the end may leave. The sets must be equal.
func Compare(seed uint64) Result {
	r := rand.New(rand.NewPCG(seed, 47))
	c := &duel{r: r, opt: disk.Options{StrictNames: r.IntN(2) == 0, Torn: r.IntN(3) == 0, Reordered: r.IntN(3) == 0, Size: int64(r.IntN(2) * (4 + r.IntN(12)))}}
	c.disk, c.tree = disk.New(c.opt), newTree(int(c.opt.Size))
	c.files = map[*object]disk.File{c.tree.root: disk.Root}
	for i := range 8 + r.IntN(32) {
		c.act()
		c.expectEqual("files", c.tree.show(), live(c.disk))
		if len(c.result.Problems) > 0 || len(c.tree.renames) > 9 || i > 6 && c.crashes() > mostCrashes/30 {
			break
		}
	}
	if len(c.result.Problems) == 0 && c.crashes() < mostCrashes {
		c.crash()
	}
	c.result.About = fmt.Sprintf("%+v: %s", c.opt, strings.Join(c.steps, "; "))
	return c.result
}

func (c *duel) expectEqual(what string, model, disk any) {
	if model != disk {
		c.result.Problems = append(c.result.Problems, fmt.Sprintf("%s: %s, but the model has %v, and the disk %v", strings.Join(c.steps, "; "), what, model, disk))
	}
}

func (t *tree) show() string {
	return show(t.root.objects(""), func(o *object) string { return o.text })
}

var names = []string{"a", "b", "a", "b", "c", "a", "b", "a/a", "a/b", "b/a", "b/b", "a/b/a", "a/..", ".", "../b", "a/./b"}

func (c *duel) name() string { return names[c.r.IntN(len(names))] }

// drawBase draws a base directory of paths, mostly the root.
func (c *duel) drawBase() *object {
	for _, o := range c.open {
		if o.dir && c.tree.named(o) && c.r.IntN(4) == 0 {
			return o
		}
	}
	return c.tree.root
}

// draw draws an object with a name or a handle.
func (c *duel) draw(file bool) *object {
	at := c.tree.root.objects("")
	var all []*object
	for _, path := range slices.Sorted(maps.Keys(at)) {
		all = append(all, at[path])
	}
	all = append(all, c.open...)
	all = slices.DeleteFunc(all, func(o *object) bool { return file && o.dir })
	if !file {
		all = append(all, c.tree.root)
	}
	if len(all) == 0 {
		return nil
	}
	return all[c.r.IntN(len(all))]
}

func (c *duel) log(format string, args ...any) {
	c.steps = append(c.steps, fmt.Sprintf(format, args...))
}

// act draws an operation and applies it to both.
func (c *duel) act() {
	switch c.r.IntN(16) {
	case 0, 1, 2, 3:
		c.make(c.r.IntN(3) == 0)
	case 4:
		dir, name, from := c.r.IntN(3) == 0, c.name(), c.drawBase()
		c.log("remove %s (directory %v, from %d)", name, dir, c.files[from])
		c.expectEqual("error", c.tree.remove(from, name, dir), problems[c.disk.Remove(c.files[from], name, dir)])
	case 5, 6, 7:
		from, a, to, b := c.drawBase(), c.name(), c.drawBase(), c.name()
		if strings.HasSuffix(a, ".") || strings.HasSuffix(b, ".") {
			return // the error is undefined
		}
		c.log("rename %s %s (from %d, %d)", a, b, c.files[from], c.files[to])
		c.expectEqual("error", c.tree.rename(from, a, to, b), problems[c.disk.Rename(c.files[from], a, c.files[to], b)])
	case 8, 9, 10, 11, 12:
		c.write()
	case 13:
		c.handle()
	default:
		c.sync()
	}
}

func (c *duel) make(dir bool) {
	name, from := c.name(), c.drawBase()
	c.log("make %s (directory %v, from %d)", name, dir, c.files[from])
	o, problem := c.tree.make(from, name, dir)
	f, err := c.disk.Make(c.files[from], name, dir)
	c.expectEqual("error", problem, problems[err])
	if o != nil {
		c.files[o] = f
	}
}

func (c *duel) write() {
	o := c.draw(true)
	if o == nil {
		return
	}
	at, text := c.r.IntN(4), "vwxyz"[c.r.IntN(3):][:c.r.IntN(4)%3]
	if c.r.IntN(4) == 0 {
		c.log("truncate %d to %d", c.files[o], at)
		c.expectEqual("space", c.tree.cut(o, at, c.open), c.disk.Truncate(c.files[o], int64(at)) == nil)
		return
	}
	c.log("write %q to %d at %d", text, c.files[o], at)
	n, err := c.disk.WriteAt(c.files[o], []byte(text), int64(at))
	if err != nil {
		n = -1
	}
	c.expectEqual("bytes written", c.tree.write(o, at, text, c.open), n)
}

// handle opens or closes an object.
func (c *duel) handle() {
	if i := len(c.open) - 1; i >= 0 && c.r.IntN(2) == 0 && !c.syncs(c.open[i]) {
		c.log("close %d", c.files[c.open[i]])
		c.close(i)
		return
	}
	o := c.draw(false)
	c.log("open %d", c.files[o])
	c.hold(o)
}

func (c *duel) syncs(o *object) bool {
	return slices.ContainsFunc(c.syncing, func(s sync) bool { return s.object == o })
}

func (c *duel) hold(o *object) {
	c.disk.Open(c.files[o])
	c.open = append(c.open, o)
}

func (c *duel) close(i int) {
	c.disk.Close(c.files[c.open[i]])
	c.open = slices.Delete(slices.Clone(c.open), i, i+1)
}

// sync begins or ends a sync, with a separate handle.
func (c *duel) sync() {
	if len(c.syncing) == 0 || c.r.IntN(3) == 0 {
		o := c.draw(false)
		c.log("begin to sync %d", c.files[o])
		c.hold(o)
		c.syncing = append(c.syncing, sync{o, c.disk.Begin(), c.tree.time})
	}
	if c.r.IntN(3) == 0 {
		return
	}
	i := c.r.IntN(len(c.syncing))
	s := c.syncing[i]
	c.syncing = slices.Delete(c.syncing, i, i+1)
	end, want := syncEnd{s.object, s.began, c.r.IntN(5) == 0}, ""
	if end.fails {
		c.disk.Fail()
		want = "broken"
	}
	c.log("end to sync %d (fails: %v)", c.files[s.object], end.fails)
	c.expectEqual("error", want, problems[c.disk.Sync(c.files[s.object], s.mark)])
	c.tree.syncs = append(c.tree.syncs, end)
	c.close(slices.Index(c.open, s.object))
}

// crash examines all crashes. A state after a crash must be durable, and have the expected free space.
func (c *duel) crash() {
	model, left := c.tree.images(c.opt), map[string]bool{}
	all(c.disk, mostCrashes, func(after *disk.Disk) {
		image := live(after)
		if left[image] {
			return
		}
		left[image] = true
		again := after.Clone()
		again.Crash(func(n int) int { return n - 1 })
		c.expectEqual("a second crash", image, live(again))
		c.space(after)
	})
	c.result.Images = len(left)
	if !maps.Equal(model, left) {
		c.expectEqual("a crash leaves", list(model), list(left))
	}
}

func list(images map[string]bool) string {
	return fmt.Sprintf("%q", slices.Sorted(maps.Keys(images)))
}

// space compares the free space after a crash.
func (c *duel) space(d *disk.Disk) {
	if c.opt.Size == 0 {
		return
	}
	free := c.opt.Size
	walk(d, disk.Root, "", func(_ string, f disk.File) { free -= d.Len(f) })
	f, err := d.Make(disk.Root, "new", false)
	if err != nil {
		c.expectEqual("a new file", nil, err)
		return
	}
	n, _ := d.WriteAt(f, make([]byte, 100), 0)
	c.expectEqual("free space after a crash", int(max(0, free)), n)
}

// crashes counts the crashes, up to a limit.
func (c *duel) crashes() (n int) {
	all(c.disk, mostCrashes, func(*disk.Disk) { n++ })
	return n
}

// all calls do with the disk after each of its crashes, at most most.
func all(d *disk.Disk, most int, do func(*disk.Disk)) {
	for answers := []int{}; most > 0 && answers != nil; most-- {
		after, options := d.Clone(), []int(nil)
		after.Crash(func(n int) int {
			if options = append(options, n); len(options) <= len(answers) {
				return answers[len(options)-1]
			}
			return 0
		})
		do(after)
		answers = nextAnswers(answers, options)
	}
}

// nextAnswers returns the lexicographically next answers, without trailing zeros; nil after the last.
func nextAnswers(answers, options []int) []int {
	next := make([]int, len(options))
	copy(next, answers)
	for i := len(options) - 1; i >= 0; i-- {
		if next[i]+1 < options[i] {
			next[i]++
			return next[:i+1]
		}
	}
	return nil
}

// walk calls do for each file and directory below dir, with its path.
func walk(d *disk.Disk, dir disk.File, path string, do func(path string, f disk.File)) {
	for _, name := range d.List(dir) {
		f, err := d.Lookup(dir, name)
		if err != nil {
			continue
		}
		do(path+name, f)
		if d.IsDir(f) {
			walk(d, f, path+name+"/", do)
		}
	}
}

// live returns the files of a disk as one line, in the format of show.
func live(d *disk.Disk) string {
	var lines []string
	walk(d, disk.Root, "", func(path string, f disk.File) {
		b := make([]byte, d.Len(f))
		if d.IsDir(f) {
			lines = append(lines, path+"/")
		} else {
			lines = append(lines, fmt.Sprintf("%s=%q", path, b[:d.ReadAt(f, b, 0)]))
		}
	})
	slices.Sort(lines)
	return strings.Join(lines, " ")
}
