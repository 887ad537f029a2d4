package command

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// The bounds of what answers may take together unless an operator says it.
const (
	leastForAnswers = 64 << 20
	mostForAnswers  = 1 << 30
)

// memoryForAnswers is a quarter of the memory of the server, in whole MB. Rows are estimated, and what is freed is collected later.
func memoryForAnswers() int64 {
	return min(max(memory("/")/4, leastForAnswers), mostForAnswers) >> 20 << 20
}

// The bounds of what is resident unless an operator says it.
const (
	leastResident = 64 << 20
	mostResident  = 2 << 30
)

// memoryForResident is a quarter of the memory of the server, in whole MB.
func memoryForResident() int64 {
	return min(max(memory("/")/4, leastResident), mostResident) >> 20 << 20
}

// bytesOfMember is about what a load holds of a member while it counts: its path and its labels by year.
const bytesOfMember = 2300

// membersInMemory is how many members a load may hold: those that half of the memory has room for.
func membersInMemory() int64 { return memory("/") / 2 / bytesOfMember }

// collectInTime lets the Go runtime collect garbage before it has half of the memory, for DuckDB and the system need theirs, unless GOMEMLIMIT
// says when.
func collectInTime() (undo func()) {
	before := debug.SetMemoryLimit(-1) // changes nothing
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory("/") / 2)
	}
	return func() { debug.SetMemoryLimit(before) }
}

const (
	leastGarbage = 16 << 20    // that may gather before it is collected
	heapInterval = time.Second // after which limitGarbage measures the heap again
)

// limitGarbage lets as much garbage gather as is live besides the resident cubes, until ctx ends. By default, the Go runtime lets as much
// gather again for these, too, which then take twice what --resident says; they are arrays of numbers, which cost a collection next to
// nothing. If GOGC is set, it applies instead.
func limitGarbage(ctx context.Context, resident func() int64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for set := 100; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(heapInterval):
		}
		metrics.Read(live)
		if percent := garbagePercent(int64(live[0].Value.Uint64()), resident()); percent < set*9/10 || percent > set*11/10 {
			set = percent
			debug.SetGCPercent(set)
		}
	}
}

// garbagePercent is how much garbage may gather, in percent of the live bytes, of which some are resident.
func garbagePercent(live, resident int64) int {
	return int(min(100, 100*max(live-resident, leastGarbage)/max(live, 1)))
}

// memory is how much memory this process may take: what the Go runtime is told, what its control group has, or the machine; a
// system that says none of it has much.
func memory(root string) int64 {
	least := debug.SetMemoryLimit(-1) // changes nothing
	group, legacy := "/", "/"
	groups, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(groups)) {
		if _, path, ok := strings.Cut(strings.TrimSpace(line), "::"); ok {
			group = path
		} else if _, path, ok := strings.Cut(strings.TrimSpace(line), ":memory:"); ok {
			legacy = path
		}
	}
	for ; ; group = filepath.Dir(group) { // the groups above bound it too
		least = min(least, numberIn(filepath.Join(root, "sys/fs/cgroup", group, "memory.max")))
		if group == "/" || group == "." {
			break
		}
	}
	for _, group := range []string{"/", legacy} { // a container sees its own group as the first
		least = min(least, numberIn(filepath.Join(root, "sys/fs/cgroup/memory", group, "memory.limit_in_bytes")))
	}
	text, _ := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	if fields := strings.Fields(string(text)); len(fields) > 1 && fields[0] == "MemTotal:" {
		if kb, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			least = min(least, kb<<10)
		}
	}
	return least
}

// numberIn reads a file of one number; what has none is no bound.
func numberIn(path string) int64 {
	text, _ := os.ReadFile(path)
	if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
		return n
	}
	return 1<<63 - 1
}
