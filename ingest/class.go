package ingest

import "waymark/store"

func DeriveClass(text string) store.Class { return store.ClassObligation }
