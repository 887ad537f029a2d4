package files

// Mistake is a mistake in a file.
type Mistake struct {
	Code, Message string // of the finding that it becomes
	Line          int64  // 0 where it has no line
}

// Error implements error.
func (e *Mistake) Error() string { return e.Message }

// The codes of findings of files that cannot be read.
const (
	CodeMissingFile   = "missing-file"
	CodeLFSPointer    = "lfs-pointer"
	CodeNotUTF8       = "not-utf8"
	CodeNulCharacter  = "nul-character"
	CodeHeaderDiffers = "header-differs"
	CodeCellCount     = "cell-count"
	CodeRowTooLong    = "row-too-long"
	CodeBadQuote      = "bad-quote"
)

// CodeFetchFailed is the finding of a resource at a URL that could not be fetched.
const CodeFetchFailed = "fetch-failed"
