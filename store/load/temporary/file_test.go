package temporary_test

import (
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	"fiscube/store/load/temporary"
)

func TestFile_GivesBlocksBack(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	f, err := temporary.New()
	if err != nil {
		t.Fatal(err)
	}
	blocks := make([]temporary.Block, 50)
	var all sync.WaitGroup
	for i := range blocks {
		all.Go(func() {
			b, err := f.Append([]byte(fmt.Sprintf("%03d", i)))
			if err != nil {
				t.Error(err)
			}
			blocks[i] = b
		})
	}
	all.Wait()
	var buffer []byte
	for i, b := range blocks {
		if buffer, err = f.Read(b, buffer); err != nil || string(buffer) != fmt.Sprintf("%03d", i) {
			t.Errorf("block %d is %q, %v", i, buffer, err)
		}
	}
	if whole, err := io.ReadAll(f.Whole()); err != nil || len(whole) != 150 {
		t.Errorf("the whole is %q, %v", whole, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}
