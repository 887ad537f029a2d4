package load

// Progress is told how a load goes: stages one after the other, bytes and rows within each. Add is called
// from several goroutines at once.
type Progress interface {
	// Begin starts a stage over so many bytes; 0 where that is not known.
	Begin(stage string, bytes int64)
	Add(bytes, rows int64)
	End()
}

// Silent tells nobody.
type Silent struct{}

// Begin implements Progress.
func (Silent) Begin(string, int64) {}

// Add implements Progress.
func (Silent) Add(int64, int64) {}

// End implements Progress.
func (Silent) End() {}
