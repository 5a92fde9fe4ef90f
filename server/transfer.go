package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"

	"waymark/ingest"
	"waymark/search"
)

// An import is a stream of JSON lines: an ImportHeader, then an ImportFile for
// each file. The answer is a stream too: ImportEvents that say how far it is,
// each after what it counts is on disk, and last one with the report or the
// error.

// ImportHeader says how files are imported; see ingest.Request for each field.
type ImportHeader struct {
	Kind             ingest.Kind `json:"kind,omitempty"`
	Trail            string      `json:"trail,omitempty"`
	Plan             bool        `json:"plan,omitempty"`
	KeepStatus       bool        `json:"keep_status,omitempty"`
	ConfirmConflicts bool        `json:"confirm_conflicts,omitempty"`
	SkipBadRows      bool        `json:"skip_bad_rows,omitempty"`
	Prune            bool        `json:"prune,omitempty"`
	AllowMassLoss    bool        `json:"allow_mass_loss,omitempty"`
	DateFormat       string      `json:"date_format,omitempty"`
	ADRStatus        bool        `json:"adr_status,omitempty"`
	PEP              bool        `json:"pep,omitempty"`
}

// ImportFile is one file; Unread says why it could not be read, and then it has
// no data. Data is base64 in JSON.
type ImportFile struct {
	Path   string `json:"path"`
	Data   []byte `json:"data,omitempty"`
	Unread string `json:"unread,omitempty"`
}

// ImportEvent is one line of the answer.
type ImportEvent struct {
	Progress *ingest.Progress `json:"progress,omitempty"`
	Report   *ingest.Report   `json:"report,omitempty"`
	Error    *search.Error    `json:"error,omitempty"`
}

// maxImport is the most that one import may send, in bytes.
const maxImport = 2 << 30

func (s *Server) transferRoutes() []route {
	return []route{
		{method: "POST", pattern: "/v1/import", access: workspaces, about: "Imports files: JSON lines of a header and files in, JSON lines of progress and a report out.",
			in: ImportHeader{}, out: ImportEvent{}, stream: s.importFiles},
		{method: "GET", pattern: "/v1/export", access: workspaces, about: "Exports kind=trails or rules as format=jsonl, csv or xlsx, of one trail or all.",
			query: []queryParameter{{"kind", "rules, which is what is exported unless given, or trails."}, {"format", "jsonl unless given, csv or xlsx."}, {"trail", "The name or id of the one Trail."}}, stream: s.exportRows},
	}
}

func (s *Server) importFiles(w http.ResponseWriter, r *request) error {
	q, err := s.readImport(w, r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	flusher := http.NewResponseController(w)
	encoder := json.NewEncoder(w)
	send := func(e ImportEvent) {
		// A caller that went away ends its import; that is seen there.
		if encoder.Encode(e) == nil {
			_ = flusher.Flush()
		}
	}
	q.Progress = func(p ingest.Progress) { send(ImportEvent{Progress: &p}) }
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ending, cancel)()
	report, err := s.options.Writer.Import(ctx, q)
	event := ImportEvent{Report: &report}
	switch {
	case err != nil && s.ending.Err() != nil:
		event.Error = search.Errorf(search.CodeNotReady, "Import again when the daemon runs again: what is stored is left alone then.", "The daemon ended before the import was done.")
	case err != nil:
		event.Error = s.publicError(err)
	}
	send(event)
	return nil
}

func (s *Server) readImport(w http.ResponseWriter, r *request) (ingest.Request, error) {
	q := s.options.Import
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxImport))
	d.DisallowUnknownFields()
	var h ImportHeader
	if err := d.Decode(&h); err != nil {
		return q, badImport(err, h)
	}
	q.Workspace, q.By = r.caller.Workspace, "operator"
	q.Kind, q.Trail, q.Plan, q.KeepStatus, q.ConfirmConflicts = h.Kind, h.Trail, h.Plan, h.KeepStatus, h.ConfirmConflicts
	q.SkipBadRows, q.Prune, q.AllowMassLoss, q.DateFormat = h.SkipBadRows, h.Prune, h.AllowMassLoss, h.DateFormat
	q.ADRStatus, q.PEP = q.ADRStatus || h.ADRStatus, q.PEP || h.PEP
	for {
		var f ImportFile
		err := d.Decode(&f)
		switch {
		case errors.Is(err, io.EOF):
			return q, nil
		case err != nil:
			return q, badImport(err, f)
		case f.Unread != "":
			q.Unread = append(q.Unread, ingest.UnreadFile{Path: f.Path, Err: errors.New(f.Unread)})
		default:
			q.Files = append(q.Files, ingest.File{Path: f.Path, Data: f.Data})
		}
	}
}

// badImport says why a line of an import, which is to be like the given value,
// cannot be read.
func badImport(err error, line any) error {
	var tooLarge *http.MaxBytesError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &tooLarge):
		return search.Errorf(search.CodeTooLarge, "Import the folder in parts.", "The files are larger than %d bytes together.", tooLarge.Limit)
	case errors.As(err, &wrongType), strings.HasPrefix(err.Error(), unknownField):
		return badBody(err, reflect.TypeOf(line))
	}
	return search.Errorf(search.CodeInvalidArgument, "Send a header and then one object for each file.", "The import cannot be read: %v.", err)
}

func (s *Server) exportRows(w http.ResponseWriter, r *request) error {
	query := r.URL.Query()
	kind, format := ingest.Kind(query.Get("kind")), ingest.Format(query.Get("format"))
	if kind == "" {
		kind = ingest.KindRules
	}
	if format == "" {
		format = ingest.FormatJSONLines
	}
	types := map[ingest.Format]string{ingest.FormatJSONLines: "application/x-ndjson", ingest.FormatCSV: "text/csv; charset=utf-8",
		ingest.FormatXLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
	if types[format] == "" || kind != ingest.KindRules && kind != ingest.KindTrails {
		return search.Errorf(search.CodeInvalidArgument, "Send kind as rules or trails, and format as jsonl, csv or xlsx.", "There is no export of %q as %q.", kind, format)
	}
	trail := ""
	if name := query.Get("trail"); name != "" {
		t, err := s.trailNamed(r.caller.Workspace, name)
		if err != nil {
			return err
		}
		trail = t.ID
	}
	w.Header().Set("Content-Type", types[format])
	if err := ingest.Export(w, s.store, r.caller.Workspace, kind, format, trail); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}
