package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Get reads a route of the administrator into out.
func (c *Client) Get(ctx context.Context, path string, out any) error {
	return c.send(ctx, http.MethodGet, path, nil, out)
}

// Post sends in, which may be nil, to a route of the administrator and reads the
// answer into out, which may be nil.
func (c *Client) Post(ctx context.Context, path string, in, out any) error {
	return c.send(ctx, http.MethodPost, path, in, out)
}

// Patch changes what a route of the administrator names.
func (c *Client) Patch(ctx context.Context, path string, in, out any) error {
	return c.send(ctx, http.MethodPatch, path, in, out)
}

// Delete deletes what a route of the administrator names.
func (c *Client) Delete(ctx context.Context, path string) error {
	return c.send(ctx, http.MethodDelete, path, nil, nil)
}

// Path joins the parts of a route, each escaped.
func Path(parts ...string) string {
	path := "/v1"
	for _, p := range parts {
		path += "/" + url.PathEscape(p)
	}
	return path
}

// Import sends an import as JSON lines and hands each line of the answer to
// each, which may stop by returning an error.
func (c *Client) Import(ctx context.Context, lines func(*json.Encoder) error, each func(json.RawMessage) error) error {
	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(lines(json.NewEncoder(writer))) }()
	response, err := c.Do(ctx, http.MethodPost, "/v1/import", reader)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		answer, err := io.ReadAll(response.Body)
		if err != nil {
			return fmt.Errorf("read the answer of an import: %w", interrupted(err))
		}
		return readError("/v1/import", response.StatusCode, answer)
	}
	d := json.NewDecoder(response.Body)
	for {
		var line json.RawMessage
		if err := d.Decode(&line); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read the answer of an import: %w", interrupted(err))
		}
		if err := each(line); err != nil {
			return err
		}
	}
}
