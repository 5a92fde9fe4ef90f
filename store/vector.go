package store

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
)

// Hash is the SHA-256 of a text that was embedded. A vector is found by the
// model and the text that it was made from, so a text is embedded once however
// often it is moved, renamed or restored.
type Hash = [sha256.Size]byte

// HashText returns the hash under which the vector of a text is stored.
func HashText(text string) Hash { return sha256.Sum256([]byte(text)) }

// PutVectors stores one vector for each hash. All vectors of a model have the
// same number of finite dimensions; otherwise the error is an *InvalidError.
// Vectors are not content: they change no version.
func (s *Store) PutVectors(workspace, model string, hashes []Hash, vectors [][]float32) error {
	return s.Update(workspace, func(tx *Tx) error { return tx.PutVectors(model, hashes, vectors) })
}

// PutVectors is [Store.PutVectors] within the transaction, so that vectors can
// be stored together with what they belong to.
func (tx *Tx) PutVectors(model string, hashes []Hash, vectors [][]float32) error {
	err := tx.atomically(func() error {
		dimensions, err := tx.dimensions(model)
		if err != nil {
			return err
		}
		if err := checkVectors(model, dimensions, hashes, vectors); err != nil {
			return err
		}
		for i, hash := range hashes {
			key := vectorKey(model, hash)
			if err := tx.put(bucketVectors, key, encodeFloats(key, vectors[i])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("put vectors: %w", err)
	}
	return nil
}

// GetVectors returns the vector of each hash, nil where there is none.
func (s *Store) GetVectors(workspace, model string, hashes []Hash) ([][]float32, error) {
	return view(s, workspace, func(tx *ReadTx) ([][]float32, error) { return tx.GetVectors(model, hashes) })
}

// GetVectors is [Store.GetVectors] within the transaction.
func (tx *ReadTx) GetVectors(model string, hashes []Hash) ([][]float32, error) {
	vectors := make([][]float32, len(hashes))
	for i, hash := range hashes {
		key := vectorKey(model, hash)
		value, err := tx.get(bucketVectors, key)
		if err != nil {
			return nil, err
		}
		if value == nil {
			continue
		}
		if vectors[i], err = decodeFloats(key, value); err != nil {
			return nil, fmt.Errorf("vector %x of model %q: %w", hash, model, err)
		}
	}
	return vectors, nil
}

// MissingVectors returns the positions in hashes of those that have no vector,
// each hash once.
func (s *Store) MissingVectors(workspace, model string, hashes []Hash) ([]int, error) {
	return view(s, workspace, func(tx *ReadTx) ([]int, error) { return tx.MissingVectors(model, hashes) })
}

// MissingVectors is [Store.MissingVectors] within the transaction.
func (tx *ReadTx) MissingVectors(model string, hashes []Hash) ([]int, error) {
	var missing []int
	seen := make(map[Hash]bool, len(hashes))
	for i, hash := range hashes {
		if seen[hash] {
			continue
		}
		seen[hash] = true
		value, err := tx.get(bucketVectors, vectorKey(model, hash))
		if err != nil {
			return nil, err
		}
		if value == nil {
			missing = append(missing, i)
		}
	}
	return missing, nil
}

// VectorModels returns the ids of the models that have vectors, in order.
func (s *Store) VectorModels(workspace string) ([]string, error) {
	return view(s, workspace, (*ReadTx).VectorModels)
}

// VectorModels is [Store.VectorModels] within the transaction.
func (tx *ReadTx) VectorModels() ([]string, error) {
	vectors, err := tx.bucket(bucketVectors)
	if err != nil {
		return nil, err
	}
	var models []string
	cursor := vectors.Cursor()
	for key, _ := cursor.First(); key != nil; {
		model, _, ok := splitPrefixed(key)
		if !ok {
			return nil, corruptf("vectors: key %x", key)
		}
		models = append(models, model)
		// A model's last possible key is its prefix and a hash of ones.
		last := append(prefixKey(model), bytes.Repeat([]byte{0xff}, sha256.Size+1)...)
		key, _ = cursor.Seek(last)
	}
	slices.Sort(models)
	return models, nil
}

// DeleteModel deletes all vectors of a model.
func (s *Store) DeleteModel(workspace, model string) error {
	return s.Update(workspace, func(tx *Tx) error { return tx.DeleteModel(model) })
}

// DeleteModel is [Store.DeleteModel] within the transaction.
func (tx *Tx) DeleteModel(model string) error {
	return tx.atomically(func() error {
		keys, err := tx.keys(bucketVectors, prefixKey(model))
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := tx.delete(bucketVectors, key); err != nil {
				return err
			}
		}
		return nil
	})
}

// dimensions returns how many dimensions the vectors of a model have, 0 when
// there are none.
func (tx *ReadTx) dimensions(model string) (int, error) {
	for p, err := range tx.scan(bucketVectors, prefixKey(model)) {
		if err != nil {
			return 0, err
		}
		return (len(p.value) - headerSize) / 4, nil
	}
	return 0, nil
}

// checkVectors returns what is wrong with vectors to be stored beside others of
// so many dimensions, 0 when there are no others.
func checkVectors(model string, dimensions int, hashes []Hash, vectors [][]float32) error {
	check := &problems{kind: "vectors"}
	check.id("model", model)
	if len(hashes) != len(vectors) {
		check.add("vectors", "are %d for %d hashes", len(vectors), len(hashes))
		return check.err()
	}
	for i, vector := range vectors {
		if dimensions == 0 {
			dimensions = len(vector)
		}
		field := fmt.Sprintf("vectors[%d]", i)
		switch {
		case len(vector) == 0:
			check.add(field, "is empty")
		case len(vector) != dimensions:
			check.add(field, "has %d dimensions, others of model %q have %d", len(vector), model, dimensions)
		case slices.ContainsFunc(vector, notFinite):
			check.add(field, "has a component that is not a finite number")
		}
	}
	return check.err()
}

// notFinite reports whether a number is infinite or not a number.
func notFinite(x float32) bool {
	return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0)
}
