package goker

import (
	"errors"
	"sync"
	"testing"
	"time"
)

// moby17176 returns from a function without unlocking (https://github.com/moby/moby/issues/17176). The
// clean-up of deleted devices locks the set of devices, and returns at once if none is deleted. The next call
// waits for ever.
func moby17176(_ testing.TB, fixed bool) {
	var set sync.Mutex
	deleted := 0
	cleanUp := func() {
		set.Lock()
		if deleted == 0 {
			if fixed {
				set.Unlock()
			}
			return
		}
		deleted = 0
		set.Unlock()
	}
	cleanUp()
	cleanUp()
}

// moby36114 locks twice (https://github.com/moby/moby/issues/36114). A service virtual machine adds disks under its lock. If one of
// them fails it removes the others, by a function that takes the same lock.
func moby36114(_ testing.TB, fixed bool) {
	var mu sync.Mutex
	attached := map[string]bool{}
	attach := func(disk string) error {
		if disk == "" {
			return errors.New("no such disk")
		}
		attached[disk] = true
		return nil
	}
	removeLocked := func(disk string) { delete(attached, disk) }
	remove := func(disk string) {
		mu.Lock()
		defer mu.Unlock()
		removeLocked(disk)
	}
	add := func(disks ...string) {
		mu.Lock()
		defer mu.Unlock()
		for i, disk := range disks {
			if attach(disk) == nil {
				continue
			}
			for _, before := range disks[:i] {
				if fixed {
					removeLocked(before)
				} else {
					remove(before)
				}
			}
			return
		}
	}
	add("one", "")
}

// etcd5509 returns from a function without unlocking (https://github.com/etcd-io/etcd/issues/5509). A client
// that is closed returns an error while it holds the read lock. A goroutine that needs the write lock waits
// for ever.
func etcd5509(t testing.TB, fixed bool) {
	var mu sync.RWMutex
	open := true
	acquire := func() error {
		mu.RLock()
		if !open {
			if fixed {
				mu.RUnlock()
			}
			return errors.New("the client is closed")
		}
		mu.RUnlock()
		return nil
	}
	shut := func() {
		mu.Lock()
		defer mu.Unlock()
		open = false
	}
	shut()
	if acquire() == nil {
		t.Error("a closed client is used")
	}
	shut()
}

// moby4951 acquires two locks in two orders (https://github.com/moby/moby/issues/4951). Removing a device
// acquires the lock of the set, then the lock of the device. While the device is busy it releases the lock of
// the set. It then acquires this lock again while it holds the lock of the device.
func moby4951(_ testing.TB, fixed bool) {
	var set, device sync.Mutex
	both := func() {
		if fixed { // always the device's first
			device.Lock()
			set.Lock()
			return
		}
		set.Lock()
		device.Lock()
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			both()
			set.Unlock()
			time.Sleep(time.Microsecond)
			set.Lock()
			device.Unlock()
			set.Unlock()
		})
	}
	wg.Wait()
}

// cockroach7504 acquires two locks in two orders (https://github.com/cockroachdb/cockroach/issues/7504). The
// release of a lease removes the lease from the cache of names under the lock of its table. A look-up locks
// the cache first and then the table.
func cockroach7504(_ testing.TB, fixed bool) {
	var cache, table sync.Mutex
	names, references := map[string]int{"t": 1}, 1
	release := func() {
		table.Lock()
		references--
		last := references == 0
		if fixed {
			table.Unlock()
		}
		if last {
			cache.Lock()
			delete(names, "t")
			cache.Unlock()
		}
		if !fixed {
			table.Unlock()
		}
	}
	acquire := func() {
		cache.Lock()
		defer cache.Unlock()
		if _, is := names["t"]; is {
			table.Lock()
			references++
			table.Unlock()
		}
	}
	var wg sync.WaitGroup
	wg.Go(release)
	wg.Go(acquire)
	wg.Wait()
}

// hugo3251 waits for one lock under another (https://github.com/gohugoio/hugo/issues/3251). Each URL has a
// lock, and another lock guards the map of these locks. A goroutine holds the map's lock while it waits for
// the lock of a URL. The goroutine that has the URL's lock needs the map to unlock it.
func hugo3251(_ testing.TB, fixed bool) {
	var mu sync.Mutex
	of := map[string]*sync.Mutex{}
	lock := func(url string) {
		mu.Lock()
		if of[url] == nil {
			of[url] = &sync.Mutex{}
		}
		l := of[url]
		if fixed {
			mu.Unlock()
			l.Lock()
			return
		}
		l.Lock()
		mu.Unlock()
	}
	unlock := func(url string) {
		mu.Lock()
		defer mu.Unlock()
		of[url].Unlock()
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			lock("u")
			unlock("u")
		})
	}
	wg.Wait()
}

// kubernetes62464 acquires a read lock twice (https://github.com/kubernetes/kubernetes/issues/62464). A
// container without its own set of CPUs has the default set. The method that reads the default set acquires
// the read lock again. A writer between the two read locks waits for the first lock and blocks the second.
func kubernetes62464(_ testing.TB, fixed bool) {
	var mu sync.RWMutex
	sets, usual := map[string]string{}, "0-3"
	usualSet := func() string {
		mu.RLock()
		defer mu.RUnlock()
		return usual
	}
	set := func(container string) string {
		mu.RLock()
		defer mu.RUnlock()
		if s, is := sets[container]; is {
			return s
		}
		if fixed {
			return usual
		}
		return usualSet()
	}
	var wg sync.WaitGroup
	wg.Go(func() { set("c") })
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		usual = "1-3"
	})
	wg.Wait()
}

// kubernetes58107 waits under a read lock (https://github.com/kubernetes/kubernetes/issues/58107). Workers of
// the quota controller acquire the read lock before they wait for work. The goroutine that brings work
// acquires the write lock first.
func kubernetes58107(_ testing.TB, fixed bool) {
	var mu sync.RWMutex
	queue := make(chan string, 1)
	worker := func() {
		if fixed {
			<-queue
			mu.RLock()
			defer mu.RUnlock()
			return
		}
		mu.RLock()
		defer mu.RUnlock()
		<-queue
	}
	resync := func() {
		mu.Lock() // no worker uses the replaced value
		mu.Unlock()
		queue <- "pods"
	}
	var wg sync.WaitGroup
	wg.Go(worker)
	wg.Go(resync)
	wg.Wait()
}
