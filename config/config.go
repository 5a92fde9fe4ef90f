// Package config reads Waymark's configuration: defaults, then a file, then the
// environment, then flags, each over the one before, into one validated Config
// that remembers where every value came from.
//
// Only main imports it; every other package is given plain options.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

// ErrInvalid is returned when a configuration names an unknown key or a value
// that the key does not take; its text says which, and where it came from.
var ErrInvalid = errors.New("bad configuration")

// Config is the whole configuration. None of it changes while the daemon runs.
type Config struct {
	Data      string    `koanf:"data"`      // directory of the database and the index
	Socket    string    `koanf:"socket"`    // path of the Unix socket
	Group     string    `koanf:"group"`     // group that may administer and connect; empty: the daemon's user only
	Workspace string    `koanf:"workspace"` // workspace of a call that names none
	Log       Log       `koanf:"log"`
	Embedding Embedding `koanf:"embedding"`
	Index     Index     `koanf:"index"`
	KB        KB        `koanf:"kb"`
	Activity  Activity  `koanf:"activity"`
}

// Log says what is written to stderr.
type Log struct {
	Level  string `koanf:"level"`  // debug, info, warn or error
	Format string `koanf:"format"` // text or json
}

// Embedding chooses the encoder.
type Embedding struct {
	Model   string `koanf:"model"`   // path of a .wmodel pack; empty: the one in the binary
	Workers int    `koanf:"workers"` // texts embedded at once; 0: one a processor
}

// Index tunes the derived data.
type Index struct {
	GraphRows int `koanf:"graph_rows"` // passages from which a graph answers nearest-neighbour look-ups
}

// KB is how the knowledge base judges documents.
type KB struct {
	TimeZone           string `koanf:"time_zone"`             // IANA zone whose calendar days count
	ReviewDueAfterDays int    `koanf:"review_due_after_days"` // 0: off
	ADRStatus          bool   `koanf:"adr_status"`            // read "## Status" sections
	PEPHeaders         bool   `koanf:"pep_headers"`           // read reStructuredText PEP headers
}

// Activity limits the record of searches.
type Activity struct {
	MaxAgeDays int `koanf:"max_age_days"` // 0: no limit
	MaxRecords int `koanf:"max_records"`  // of one Trail; 0: no limit
}

// Value is one setting with its origin: default, a file's path, the name of an
// environment variable, or a flag.
type Value struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"`
}

// Sources are where values come from, besides the defaults.
type Sources struct {
	File        string            // path of a YAML file; empty: none
	Environment map[string]string // of the process
	Flags       map[string]any    // key → value, only those that were given
	Paths       Paths             // default locations
}

// environment names the variables that are read and the keys they set.
var environment = []struct{ Name, Key string }{
	{"WAYMARK_DATA", "data"}, {"WAYMARK_SOCKET", "socket"}, {"WAYMARK_GROUP", "group"}, {"WAYMARK_WORKSPACE", "workspace"},
	{"WAYMARK_LOG_LEVEL", "log.level"}, {"WAYMARK_LOG_FORMAT", "log.format"},
	{"WAYMARK_EMBEDDING_MODEL", "embedding.model"}, {"WAYMARK_EMBEDDING_WORKERS", "embedding.workers"},
	{"WAYMARK_INDEX_GRAPH_ROWS", "index.graph_rows"},
	{"WAYMARK_KB_TIME_ZONE", "kb.time_zone"}, {"KB_REVIEW_DUE_AFTER_DAYS", "kb.review_due_after_days"},
	{"WAYMARK_KB_ADR_STATUS", "kb.adr_status"}, {"WAYMARK_KB_PEP_HEADERS", "kb.pep_headers"},
	{"WAYMARK_ACTIVITY_MAX_AGE_DAYS", "activity.max_age_days"}, {"WAYMARK_ACTIVITY_MAX_RECORDS", "activity.max_records"},
}

func defaults(p Paths) map[string]any {
	return map[string]any{
		"data": p.Data, "socket": p.Socket, "group": "", "workspace": "",
		"log.level": "info", "log.format": "text",
		"embedding.model": "", "embedding.workers": 0,
		"index.graph_rows": 150_000,
		"kb.time_zone":     "Local", "kb.review_due_after_days": 0, "kb.adr_status": false, "kb.pep_headers": false,
		"activity.max_age_days": 365, "activity.max_records": 100_000,
	}
}

// Load reads the configuration and the origin of each value, in key order.
func Load(s Sources) (*Config, []Value, error) {
	k := koanf.New(".")
	base := defaults(s.Paths)
	origin := map[string]string{}
	add := func(values map[string]any, from string) error {
		for key := range values {
			if _, known := base[key]; !known {
				return fmt.Errorf("%w: %s sets the unknown key %q; the keys are %s", ErrInvalid, from, key, strings.Join(keys(base), ", "))
			}
			origin[key] = from
		}
		return k.Load(confmap.Provider(values, "."), nil)
	}
	if err := add(base, "default"); err != nil {
		return nil, nil, err
	}
	if s.File != "" {
		read := koanf.New(".")
		if err := read.Load(file.Provider(s.File), yaml.Parser()); err != nil {
			return nil, nil, fmt.Errorf("%w: read the file %q: %w", ErrInvalid, s.File, err)
		}
		if err := add(read.All(), s.File); err != nil {
			return nil, nil, err
		}
	}
	for _, e := range environment {
		if text, given := s.Environment[e.Name]; given && text != "" {
			if err := add(map[string]any{e.Key: text}, e.Name); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, key := range keys(s.Flags) {
		if err := add(map[string]any{key: s.Flags[key]}, "flag"); err != nil {
			return nil, nil, err
		}
	}
	var c Config
	if err := k.Unmarshal("", &c); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if err := c.validate(origin); err != nil {
		return nil, nil, err
	}
	var values []Value
	for _, key := range keys(base) {
		values = append(values, Value{key, k.Get(key), origin[key]})
	}
	return &c, values, nil
}

func keys(m map[string]any) []string {
	var all []string
	for key := range m {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}

// Zone is the time zone of KB.TimeZone.
func (c *Config) Zone() (*time.Location, error) { return time.LoadLocation(c.KB.TimeZone) }

func (c *Config) validate(origin map[string]string) error {
	wrong := func(key, format string, args ...any) error {
		return fmt.Errorf("%w: %s (from %s) %s", ErrInvalid, key, origin[key], fmt.Sprintf(format, args...))
	}
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, c.Log.Level) {
		return wrong("log.level", "is %q; it takes debug, info, warn or error", c.Log.Level)
	}
	if !slices.Contains([]string{"text", "json"}, c.Log.Format) {
		return wrong("log.format", "is %q; it takes text or json", c.Log.Format)
	}
	if _, err := c.Zone(); err != nil {
		return wrong("kb.time_zone", "is %q; it takes an IANA name such as Europe/Vienna, UTC or Local", c.KB.TimeZone)
	}
	for _, n := range []struct {
		key   string
		value int
	}{{"embedding.workers", c.Embedding.Workers}, {"index.graph_rows", c.Index.GraphRows}, {"kb.review_due_after_days", c.KB.ReviewDueAfterDays},
		{"activity.max_age_days", c.Activity.MaxAgeDays}, {"activity.max_records", c.Activity.MaxRecords}} {
		if n.value < 0 {
			return wrong(n.key, "is %d; it takes 0 or more", n.value)
		}
	}
	for _, p := range []struct{ key, value string }{{"data", c.Data}, {"socket", c.Socket}} {
		if p.value == "" {
			return wrong(p.key, "is empty; it takes a path")
		}
	}
	return nil
}
