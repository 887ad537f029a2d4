package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// What was opened for a package that cannot be read is closed.
func TestAPackageThatCannotBeReadIsClosed(t *testing.T) {
	for name, test := range map[string]struct {
		descriptor string
		err        error
		sound      bool
	}{
		"not found": {"", fs.ErrNotExist, false},
		"broken":    {"{", nil, false},
		"sound":     {smallDescriptor("a.csv"), nil, true},
	} {
		closed := false
		_, err := open(t.Context(), "", Options{}, func(s *Source) ([]byte, error) {
			s.files.files = fstest.MapFS{}
			s.close = append(s.close, func() error { closed = true; return nil })
			return []byte(test.descriptor), test.err
		})
		if closed == test.sound || (err == nil) != test.sound {
			t.Errorf("%s: closed %t, error %v", name, closed, err)
		}
	}
}

func TestOpeningFilesEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	files := fstest.MapFS{DescriptorName: {Data: []byte(smallDescriptor("https://127.0.0.1:1/a.csv"))}}
	if _, err := OpenFS(ctx, files, Options{AllowPrivate: true, AllowMissing: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// The limits are those of the readers, which say more of a text just below.
func TestDescriptorsAndOverlaysAreBounded(t *testing.T) {
	descriptor, overlay := smallDescriptor("a.csv"), "levels: {}\n"
	pad := func(text string, size int) string { return text + strings.Repeat("\n", size-len(text)) }
	for name, test := range map[string]struct{ descriptor, overlay, want string }{
		"as long as can be":   {pad(descriptor, fdp.MostDescriptorBytes), pad(overlay, fdp.MostOverlayBytes), ""},
		"a longer descriptor": {pad(descriptor, fdp.MostDescriptorBytes+1), overlay, DescriptorName + " has more than 16777216 bytes, the most that are read of it"},
		"a longer overlay":    {descriptor, pad(overlay, fdp.MostOverlayBytes+1), OverlayName + " has more than 262144 bytes, the most that are read of it"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := writeFolder(t, map[string]string{DescriptorName: test.descriptor, OverlayName: test.overlay})
			_, err := openWith(t, folder, Options{})
			if test.want == "" && err != nil || test.want != "" && (cube.CodeOf(err) != cube.CodeBadPackage || err.Error() != folder+": "+test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

// An overlay that was named stands once in what is said of it.
func TestOverlaysThatCannotBeRead(t *testing.T) {
	folder := writeFolder(t, map[string]string{
		DescriptorName: smallDescriptor("a.csv"), "long.yaml": strings.Repeat("#", fdp.MostOverlayBytes+1), "a/folder": "",
	})
	for name, want := range map[string]string{
		"long.yaml": "has more than 262144 bytes, the most that are read of it",
		"a":         "cannot be read: is a directory",
		"none.yaml": "cannot be read: no such file or directory",
	} {
		path := filepath.Join(folder, name)
		_, err := openWith(t, folder, Options{OverlayFile: path})
		if cube.CodeOf(err) != cube.CodeBadPackage || fmt.Sprint(err) != folder+": "+path+" "+want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
