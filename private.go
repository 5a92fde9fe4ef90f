package main

import (
	"context"
	"io"
	"time"

	"waymark/config"
)

// startPrivate runs a daemon inside this process, for the demo and for
// measurements; they talk to it over its socket like anybody else. The function
// that it returns ends the daemon and waits for it.
func startPrivate(ctx context.Context, cfg *config.Config, log io.Writer, now func() time.Time) (stop func() error, err error) {
	ctx, cancel := context.WithCancel(ctx)
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- runDaemon(ctx, cfg, nil, newLogger(log, cfg.Log), now, func() { close(ready) })
	}()
	stop = func() error {
		cancel()
		return <-ended
	}
	select {
	case <-ready:
		return stop, nil
	case err := <-ended:
		cancel()
		return nil, err
	}
}
