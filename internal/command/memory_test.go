package command

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMemory_IsThatOfTheGroup(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		path, text string
		want       int64
	}{
		{"proc/meminfo", "MemTotal:        8000 kB\nMemFree: 1 kB\n", 8000 << 10},
		{"proc/self/cgroup", "0::/site/server\n", 8000 << 10},
		{"sys/fs/cgroup/site/server/memory.max", "max\n", 8000 << 10},
		{"sys/fs/cgroup/site/memory.max", "4096000\n", 4096000},
		{"sys/fs/cgroup/memory/memory.limit_in_bytes", "2048000\n", 2048000},
		{"proc/self/cgroup", "4:memory:/old\n0::/site/server\n", 2048000},
		{"sys/fs/cgroup/memory/old/memory.limit_in_bytes", "1024000\n", 1024000},
	} {
		write(step.path, step.text)
		if got := memory(root); got != step.want {
			t.Errorf("with %s: %d, want %d", step.path, got, step.want)
		}
	}
}

func TestGarbagePercent(t *testing.T) {
	const mb = 1 << 20
	for _, tt := range []struct {
		live, resident int64
		want           int
	}{
		{500 * mb, 0, 100}, {600 * mb, 500 * mb, 16}, {510 * mb, 500 * mb, 3}, {20 * mb, 0, 100}, {0, 0, 100},
		{500 * mb, 600 * mb, 3}, // what was made since the last collection is not live yet
	} {
		if got := garbagePercent(tt.live, tt.resident); got != tt.want {
			t.Errorf("of %d live bytes, %d of them resident, %d %% may be garbage, want %d %%", tt.live, tt.resident, got, tt.want)
		}
	}
}
