package ingest

import "io/fs"

// File is one input that was read already.
type File struct {
	// Path is relative to the folder that is imported, or the name of a single
	// file.
	Path string
	Data []byte
}

// Request says what to import and how. The zero value of each option is what
// the command line does without flags.
type Request struct {
	// Workspace is the id of the workspace. Required.
	Workspace string

	// Files are the inputs.
	Files []File

	// Unread are files that could not be read, with the reason. They are
	// reported, and what is stored of them stays.
	Unread []UnreadFile

	// Kind says what the files hold. Default: it is seen from their names and
	// columns.
	Kind Kind

	// Trail is the name or id of the Trail of rules that name none.
	Trail string

	// By is who imports, for the history of rules.
	By string

	// Plan works everything out and stores nothing.
	Plan bool

	// KeepStatus keeps the statuses of rules as the file has them. Without it
	// new rules, and new versions of rules, are drafts.
	KeepStatus bool

	// ConfirmConflicts stores rules although they conflict with others of their
	// Trail.
	ConfirmConflicts bool

	// SkipBadRows stores the right rows of a file that has wrong ones.
	SkipBadRows bool

	// Prune removes the stored documents that are not among the files.
	Prune bool

	// AllowMassLoss lets Prune remove more than MaxLoss of the documents.
	AllowMassLoss bool

	// DateFormat is another way in which days are written, one of DayFormats.
	// Default: only ISO days are read.
	DateFormat string

	// ADRStatus and PEP are as in DocumentOptions.
	ADRStatus bool
	PEP       bool

	// Progress is called after each committed batch, on the goroutine of Import.
	// What it says is done is on disk.
	Progress func(Progress)
}

// UnreadFile is a file that could not be read.
type UnreadFile struct {
	Path string
	Err  error
}

// Progress says how far an import is.
type Progress struct {
	Phase Phase `json:"phase"`
	Done  int   `json:"done"`
	Total int   `json:"total"`
}

// Phase is a part of an import.
type Phase string

// The phases. Done and Total count texts while embedding what is stored already,
// and rows and documents while writing.
const (
	PhaseEmbed Phase = "embed"
	PhaseWrite Phase = "write"
)

// MaxLoss is the share of the stored documents that pruning may remove. A folder
// that is not mounted, or another folder by mistake, would remove all of them.
const MaxLoss = 0.30

// readFailure is the error of a file that could not be read.
func readFailure(u UnreadFile) *InputError {
	reason := u.Err.Error()
	if e, ok := u.Err.(*InputError); ok {
		return e
	}
	if e, ok := u.Err.(*fs.PathError); ok {
		reason = e.Err.Error()
	}
	return &InputError{File: u.Path, Err: ErrBadFile, Reason: "the file cannot be read: " + reason}
}
