package ingest

import (
	"context"
	"fmt"
	"iter"

	"waymark/index"
	"waymark/store"
)

// embedded are texts with their vectors, ready to be stored with what they
// belong to.
type embedded struct {
	hashes  []store.Hash
	vectors [][]float32
}

// embed makes the vectors of those texts that have none in the store yet, each
// once.
func (w *Writer) embed(ctx context.Context, workspace string, texts []string) (embedded, error) {
	hashes := make([]store.Hash, len(texts))
	for i, text := range texts {
		hashes[i] = store.HashText(text)
	}
	missing, err := w.options.Store.MissingVectors(workspace, w.options.Embedder.ModelID(), hashes)
	if err != nil || len(missing) == 0 {
		return embedded{}, err
	}
	var out embedded
	wanted := make([]string, len(missing))
	for i, at := range missing {
		wanted[i] = texts[at]
		out.hashes = append(out.hashes, hashes[at])
	}
	out.vectors, err = w.options.Embedder.EmbedPassages(ctx, wanted)
	return out, err
}

// put stores the vectors within a transaction.
func (e embedded) put(tx *store.Tx, model string) error {
	if len(e.hashes) == 0 {
		return nil
	}
	return tx.PutVectors(model, e.hashes, e.vectors)
}

// documentTexts are the texts of a document that have vectors.
func documentTexts(d store.Document) []string {
	texts := make([]string, len(d.Passages))
	for i, p := range d.Passages {
		texts[i] = index.PassageEmbeddingText(d, p)
	}
	return texts
}

// ruleTexts are the texts of a rule that have vectors.
func (w *Writer) ruleTexts(trailName string, r store.Rule) []string {
	return index.RuleEmbeddingTexts(trailName, r, w.split)
}

// ruleText is the first of them, whose vector stands for the rule when rules are
// compared.
func (w *Writer) ruleText(trailName string, r store.Rule) string {
	return w.ruleTexts(trailName, r)[0]
}

// EnsureVectors makes the vectors of the current model that a workspace lacks,
// as it does after a change of model, and returns how many it made. It works in
// batches, each stored before the next one is begun, so it can be stopped and
// called again. progress may be nil.
func (w *Writer) EnsureVectors(ctx context.Context, workspace string, progress func(Progress)) (int, error) {
	missing, err := w.missingTexts(workspace)
	if err != nil {
		return 0, err
	}
	made, err := w.store(ctx, workspace, missing, progress)
	if err != nil {
		return made, fmt.Errorf("make the vectors of workspace %q: %w", workspace, err)
	}
	if made > 0 {
		err = w.committed(ctx, workspace)
	}
	return made, err
}

// store makes and stores the vectors of texts, which are no part of the content,
// batch by batch.
func (w *Writer) store(ctx context.Context, workspace string, texts []string, progress func(Progress)) (int, error) {
	made := 0
	for len(texts) > 0 {
		n := min(w.options.BatchSize, len(texts))
		batch, err := w.embed(ctx, workspace, texts[:n])
		if err != nil {
			return made, err
		}
		if err := w.options.Store.Update(workspace, func(tx *store.Tx) error {
			return batch.put(tx, w.options.Embedder.ModelID())
		}); err != nil {
			return made, err
		}
		made += len(batch.hashes)
		texts = texts[n:]
		if progress != nil {
			progress(Progress{Phase: PhaseEmbed, Done: made, Total: made + len(texts)})
		}
	}
	return made, nil
}

// missingTexts returns the texts of a workspace that have no vector.
func (w *Writer) missingTexts(workspace string) ([]string, error) {
	var missing []string
	err := w.options.Store.View(workspace, func(tx *store.ReadTx) error {
		for text, err := range w.storedTexts(tx) {
			if err != nil {
				return err
			}
			absent, err := tx.MissingVectors(w.options.Embedder.ModelID(), []store.Hash{store.HashText(text)})
			if err != nil {
				return err
			}
			if len(absent) > 0 {
				missing = append(missing, text)
			}
		}
		return nil
	})
	return missing, err
}

// storedTexts yields every text of a workspace that should have a vector: the
// drafts and the rules in force, and the passages of all documents.
func (w *Writer) storedTexts(tx *store.ReadTx) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		trails, err := tx.Trails()
		if err != nil {
			yield("", err)
			return
		}
		for _, t := range trails {
			for r, err := range liveVersions(tx, t.ID) {
				if err != nil {
					yield("", err)
					return
				}
				for _, text := range w.ruleTexts(t.Name, r) {
					if !yield(text, nil) {
						return
					}
				}
			}
		}
		for d, err := range tx.Documents(store.WithPassages) {
			if err != nil {
				yield("", err)
				return
			}
			for _, text := range documentTexts(d) {
				if !yield(text, nil) {
					return
				}
			}
		}
	}
}

// liveVersions yields, of each rule of a Trail, the version in force and the
// draft. It ends after the first error.
func liveVersions(tx *store.ReadTx, trail string) iter.Seq2[store.Rule, error] {
	return func(yield func(store.Rule, error) bool) {
		for head, err := range tx.RuleHeads(trail) {
			if err != nil {
				yield(store.Rule{}, err)
				return
			}
			for _, version := range []int{head.InForce, head.Draft} {
				if version == 0 {
					continue
				}
				r, err := tx.RuleVersion(head.ID, version)
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}
