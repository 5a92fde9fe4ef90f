package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// frame is one JSON value that was sent: a message, or a batch of them.
type frame struct {
	items []item
	batch bool
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// maxBatch is how many messages one batch may hold, as in the JSON route.
const maxBatch = 100

// readFrames reads all JSON values of a line or a body. What cannot be read
// gives an item with a parse error, after the values before it.
func readFrames(data []byte) []frame {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if !utf8.Valid(data) {
		return []frame{parseError("the message is not UTF-8")}
	}
	var frames []frame
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var value json.RawMessage
		switch err := d.Decode(&value); {
		case errors.Is(err, io.EOF):
			return frames
		case err != nil:
			return append(frames, parseError("the message is not JSON: "+err.Error()))
		}
		frames = append(frames, readFrame(value))
	}
}

func readFrame(value json.RawMessage) frame {
	if value[0] != '[' {
		return frame{items: []item{readMessage(value)}}
	}
	var members []json.RawMessage
	if err := json.Unmarshal(value, &members); err != nil {
		return parseError("the message is not JSON: " + err.Error())
	}
	switch {
	case len(members) == 0:
		return frame{items: []item{{err: refuse(jsonrpc.CodeInvalidRequest, "a batch holds at least one message")}}}
	case len(members) > maxBatch:
		return frame{items: []item{{err: refuse(jsonrpc.CodeInvalidRequest, "a batch holds at most 100 messages")}}}
	}
	f := frame{batch: true}
	for _, m := range members {
		i := readMessage(m)
		if i.err == nil && i.method == listenMethod {
			// It has no answer while it lasts, and the others would wait for it.
			i.err = refuse(jsonrpc.CodeInvalidRequest, listenMethod+" cannot stand in a batch")
		}
		f.items = append(f.items, i)
	}
	return f
}

// listenMethod asks for notifications until it is cancelled.
const listenMethod = "subscriptions/listen"

func parseError(text string) frame {
	return frame{items: []item{{err: refuse(jsonrpc.CodeParseError, text)}}}
}

// refuseBatch gives the frame that stands for a batch in a revision that has
// none: one error, for the batch as a whole.
func (f frame) refuseBatch(revision string) frame {
	if !f.batch || !withoutBatches(revision) {
		return f
	}
	return frame{items: []item{{err: refuse(jsonrpc.CodeInvalidRequest, "revision "+revision+" has no batches: send one message at a time")}}}
}
