package store

import "hash/maphash"

// log checks that versions and their parts are numbered without gaps, and that
// replaying the change log gives the content. It keeps two hashes for each key,
// not the content.
func (c *check) log() error {
	seed := maphash.MakeSeed()
	slot := func(b bucket, key []byte) uint64 {
		return maphash.Bytes(seed, append([]byte{byte(b)}, key...))
	}
	content := map[uint64]uint64{}
	version, part, last := uint64(0), 0, true
	err := c.each(bucketChanges, nil, func(key, value []byte) error {
		record, err := decodeRecord[logPart](key, value)
		if err != nil {
			return err
		}
		if last {
			version, part = version+1, 0
		} else {
			part++
		}
		last = record.Last
		if v, p, ok := splitChange(key); !ok || v != version || p != part {
			c.report("change log: key %x, want version %d, part %d", key, version, part)
		}
		for _, entry := range record.Entries {
			if !entry.Bucket.logged() {
				c.report("change %d is about %s", version, entry.Bucket)
			}
			if entry.Value == nil {
				delete(content, slot(entry.Bucket, entry.Key))
			} else {
				content[slot(entry.Bucket, entry.Key)] = maphash.Bytes(seed, entry.Value)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !last {
		c.report("change %d is not complete", version)
	}
	for b := bucketTrails; b <= lastLogged; b++ {
		err := c.each(b, nil, func(key, value []byte) error {
			logged, ok := content[slot(b, key)]
			if !ok || logged != maphash.Bytes(seed, value) {
				c.report("%s: key %q is not as the change log says", b, key)
			}
			delete(content, slot(b, key))
			return nil
		})
		if err != nil {
			return err
		}
	}
	if len(content) > 0 {
		c.report("%d keys of the change log are missing", len(content))
	}
	return nil
}
