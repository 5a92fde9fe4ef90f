package mcp

import (
	"encoding/json"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// revisions of the protocol that are answered, newest first.
var revisions = []string{stateless, "2025-11-25", "2025-06-18", assumed}

const (
	// stateless is the first revision without a handshake: every call says its
	// revision itself.
	stateless = "2026-07-28"
	// assumed is the revision of a call that says none, as the transport's
	// specification asks.
	assumed = "2025-03-26"
)

func known(revision string) bool { return slices.Contains(revisions, revision) }

// withoutBatches tells whether a revision has given up batches; the first to do
// so was 2025-06-18.
func withoutBatches(revision string) bool { return revision > assumed }

// namedRevision is the revision that a call names in its own parameters, or
// nothing.
func (m message) namedRevision() string {
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var revision string
	if m.params == nil || json.Unmarshal(m.params, &params) != nil || json.Unmarshal(params.Meta[sdk.MetaKeyProtocolVersion], &revision) != nil {
		return ""
	}
	return revision
}
