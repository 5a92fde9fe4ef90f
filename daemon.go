package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"waymark/analysis"
	"waymark/config"
	"waymark/embedding"
	"waymark/index"
	"waymark/ingest"
	"waymark/mcp"
	"waymark/search"
	"waymark/server"
	"waymark/store"
	"waymark/tool"
)

// daemon is everything that serve opens, in the order in which it is opened.
type daemon struct {
	log      *slog.Logger
	store    *store.Store
	activity *store.ActivityWriter
	index    *index.Manager
	writer   *ingest.Writer
	mcp      *mcp.Handler
	server   *server.Server
	socket   string
}

// shutdownPatience is how long calls under way may take when the daemon ends.
const shutdownPatience = 10 * time.Second

// retainEvery is how often old activity is deleted.
const retainEvery = time.Hour

func newLogger(w io.Writer, c config.Log) *slog.Logger {
	var level slog.Level
	// The configuration is validated: the level is one of slog's.
	_ = level.UnmarshalText([]byte(c.Level))
	options := &slog.HandlerOptions{Level: level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// runDaemon opens everything, says so to ready, and serves until the context
// ends. now is the clock.
func runDaemon(ctx context.Context, cfg *config.Config, settings any, log *slog.Logger, now func() time.Time, ready func()) (err error) {
	d := &daemon{log: log, socket: cfg.Socket}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.open(cfg, now); err != nil {
		return err
	}
	operators, err := server.NewOperators(os.Getuid(), cfg.Group)
	if err != nil {
		return err
	}
	if err := d.makeServer(cfg, settings, now, operators); err != nil {
		return err
	}
	// The database lock is held by now, so a socket that nobody answers is a
	// leftover of a daemon that was killed.
	listener, err := server.Listen(cfg.Socket, cfg.Group)
	if err != nil {
		return err
	}
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error { return d.server.Serve(listener) })
	group.Go(func() error {
		<-running.Done()
		patience, cancel := context.WithTimeout(context.Background(), shutdownPatience)
		defer cancel()
		d.mcp.Close()
		return d.server.Shutdown(patience)
	})
	group.Go(func() error { return d.keepActivity(running, cfg.Activity) })
	if err := d.warm(); err != nil {
		log.Error("a workspace could not be opened", slog.Any("error", err))
	}
	d.server.SetReady()
	notifySystemd("READY=1")
	ready()
	group.Go(func() error { return d.embedMissing(running) })
	err = group.Wait()
	notifySystemd("STOPPING=1")
	return err
}

func (d *daemon) open(cfg *config.Config, now func() time.Time) error {
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	var err error
	d.store, err = store.Open(store.Options{Path: filepath.Join(cfg.Data, "waymark.db"), Now: now, Holder: cfg.Socket})
	if err != nil {
		return err
	}
	d.activity = store.NewActivityWriter(d.store, 0, func(err error) { d.log.Error("activity could not be written", slog.Any("error", err)) })
	return nil
}

func openEmbedder(c config.Embedding) (*embedding.Encoder, error) {
	options := embedding.Options{Workers: c.Workers}
	if c.Model != "" {
		return embedding.Open(c.Model, options)
	}
	return embedding.New(options)
}

func (d *daemon) makeServer(cfg *config.Config, settings any, now func() time.Time, operators server.Operators) error {
	embedder, err := openEmbedder(cfg.Embedding)
	if err != nil {
		return err
	}
	bank, err := embedBank(embedder)
	if err != nil {
		return err
	}
	zone, err := cfg.Zone()
	if err != nil {
		return err
	}
	analyzer := analysis.New()
	d.index = index.Open(d.store, analyzer, index.Options{Directory: filepath.Join(cfg.Data, "index"), Model: embedder.ModelID(),
		Dimension: embedder.Dimension(), Bank: bank, GraphRows: cfg.Index.GraphRows, Split: ingest.RuleSplitter(embedder), Log: d.log})
	d.writer = ingest.NewWriter(ingest.Options{Store: d.store, Embedder: embedder, Conflicts: ingest.RuleChecker{},
		AfterCommit: func(_ context.Context, workspace string) error { return d.index.Refresh(workspace) }})
	service := search.NewService(search.Options{Index: d.index, Embedder: embedder, Analyzer: analyzer, Recorder: d.activity, Comparer: newConflicts(),
		Now: now, Zone: zone, ReviewDueAfterDays: cfg.KB.ReviewDueAfterDays})
	registry := tool.NewRegistry(service)
	if d.mcp, err = mcp.NewHandler(mcp.Options{Registry: registry, Store: d.store, Version: version, Now: now, Zone: zone, Log: d.log}); err != nil {
		return err
	}
	d.server = server.New(server.Options{Store: d.store, Registry: registry, Writer: d.writer, Index: d.index, Activity: d.activity,
		Operators: operators, Workspace: cfg.Workspace, Handlers: map[string]http.Handler{"/mcp": d.mcp}, Settings: settings,
		Import:  ingest.Request{ADRStatus: cfg.KB.ADRStatus, PEP: cfg.KB.PEPHeaders},
		Version: version, Model: embedder.ModelID(), Log: d.log, Now: now})
	return nil
}

// embedBank makes the vectors of the gate's everyday questions.
func embedBank(e embedding.Embedder) ([][]float32, error) {
	questions := search.Bank()
	vectors := make([][]float32, len(questions))
	var group errgroup.Group
	group.SetLimit(4)
	for i, q := range questions {
		group.Go(func() (err error) {
			vectors[i], err = e.EmbedQuery(context.Background(), q)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("embed the question bank: %w", err)
	}
	return vectors, nil
}

// warm opens the index of every workspace, so that the first search need not.
func (d *daemon) warm() error {
	all, err := d.store.Workspaces()
	if err != nil {
		return err
	}
	var errs []error
	for _, w := range all {
		snap, err := d.index.Acquire(w.ID)
		if err == nil {
			snap.Release()
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// embedMissing makes vectors that are not stored, after a change of model or a
// crash between two batches, and indexes them.
func (d *daemon) embedMissing(ctx context.Context) error {
	all, err := d.store.Workspaces()
	if err != nil {
		return err
	}
	for _, w := range all {
		made, err := d.writer.EnsureVectors(ctx, w.ID, func(ingest.Progress) {})
		if ctx.Err() != nil {
			return nil
		}
		if err == nil && made > 0 {
			d.log.Info("vectors were made anew", slog.String("workspace", w.ID), slog.Int("texts", made))
			err = d.index.Rebuild(w.ID)
		}
		if err != nil {
			d.log.Error("vectors are missing", slog.String("workspace", w.ID), slog.Any("error", err))
		}
	}
	return nil
}

// keepActivity deletes what the configured limits leave no room for.
func (d *daemon) keepActivity(ctx context.Context, limits config.Activity) error {
	age := time.Duration(limits.MaxAgeDays) * 24 * time.Hour
	tick := time.NewTicker(retainEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		all, err := d.store.Workspaces()
		for _, w := range all {
			if err == nil {
				_, err = d.store.Retain(w.ID, age, limits.MaxRecords)
			}
		}
		if err != nil {
			d.log.Error("old activity could not be deleted", slog.Any("error", err))
		}
	}
}

// close ends what open opened, in reverse order.
func (d *daemon) close() error {
	var errs []error
	if d.index != nil {
		errs = append(errs, d.index.Close())
	}
	if d.activity != nil {
		errs = append(errs, d.activity.Close())
	}
	if d.store != nil {
		errs = append(errs, d.store.Close())
	}
	return errors.Join(errs...)
}
