package search

import (
	"context"
	"errors"
	"time"

	"waymark/analysis"
	"waymark/embedding"
	"waymark/index"
	"waymark/store"
)

// Index is what a search reads: the current snapshot of a workspace, pinned until
// it is released.
type Index interface {
	Acquire(workspace string) (*index.Snapshot, error)
}

// Recorder takes the record of a search, one for each Trail that returned rules.
// It must not block.
type Recorder interface {
	Add(workspace string, activities ...store.Activity) error
}

// Options are what a Service is made of. The zero values of Fusion and Gate stand
// for the defaults.
type Options struct {
	Index    Index
	Embedder embedding.Embedder
	Analyzer *analysis.Analyzer
	Recorder Recorder // nil: searches are not recorded
	Comparer Comparer // nil: conflicts are not looked for
	Now      func() time.Time
	// Zone is where calendar days begin.
	Zone *time.Location
	// ReviewDueAfterDays is the age in days from which a verification is old; 0:
	// never.
	ReviewDueAfterDays int
	Fusion             Fusion
	Gate               Gate
}

// Service answers the read tools. It is safe for concurrent use.
type Service struct {
	options   Options
	vectors   *vectorCache
	signals   *signalCache
	standings derived[*governance]
	catalogs  derived[*rulesCatalog]
}

// NewService makes a service.
func NewService(o Options) *Service {
	if o.Fusion == (Fusion{}) {
		o.Fusion = DefaultFusion
	}
	if o.Gate == (Gate{}) {
		o.Gate = DefaultGate
	}
	return &Service{options: o, vectors: newVectorCache(), signals: newSignalCache(o.Analyzer)}
}

// snapshot pins the state that an answer is computed from; the caller releases
// it.
func (s *Service) snapshot(workspace string) (*index.Snapshot, error) {
	snap, err := s.options.Index.Acquire(workspace)
	if errors.Is(err, store.ErrNotFound) {
		return nil, Errorf(CodeUnknownWorkspace, "Name a workspace that exists.", "There is no workspace %q.", workspace)
	}
	return snap, err
}

// today is the calendar day in the configured zone.
func (s *Service) today() Day { return DayOf(s.options.Now(), s.options.Zone) }

// day reads as_of; today when it is not given.
func (s *Service) day(asOf string) (Day, error) {
	d, ok := ParseDay(asOf)
	if !ok {
		return 0, Errorf(CodeInvalidArgument, "Send as_of as a day such as 2026-12-31.", "The argument \"as_of\" is not a day: %q.", asOf)
	}
	if d == NoDay {
		return s.today(), nil
	}
	return d, nil
}

// pageStart is where a page begins and on which day its answer stands: from the
// cursor when there is one.
func pageStart(text string, scope []byte, version uint64, today Day) (cursor, error) {
	if text == "" {
		return cursor{version: version, day: today}, nil
	}
	return openCursor(text, scope, version)
}

// clampLimit applies the default and the limits of the contract.
func clampLimit(limit, otherwise int) int {
	if limit == 0 {
		return otherwise
	}
	return min(max(limit, 1), MaxLimit)
}

func (s *Service) embed(ctx context.Context, workspace, text string) ([]float32, error) {
	return s.vectors.get(ctx, askedText{workspace, text}, s.options.Embedder.EmbedQuery)
}
