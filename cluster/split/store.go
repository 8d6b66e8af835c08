package split

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"contend/cluster/hub"
)

// A Store stores the checkpoints of a search's parts. A checkpoint takes effect when the leader commits it.
// Until then the previous one remains complete.
type Store struct {
	objects jetstream.ObjectStore
	part    int
	epoch   string // distinguishes the objects of different starts of the search

	mu     sync.Mutex
	stored map[string]bool // names of stored objects
}

// A manifest is a committed checkpoint: for each part, a map of files to objects.
type manifest struct {
	Layer int                 `json:"layer"`
	Parts []map[string]string `json:"parts"`
}

const manifestName = "manifest"

// replaced is the name of the file that changes in each checkpoint.
const replaced = "checkpoint"

// OpenStore opens the store of a search, and creates it if it does not exist.
func OpenStore(ctx context.Context, h *hub.Hub, name string, part int, epoch string) (*Store, error) {
	o, err := h.Objects(ctx, hub.StoreConfig{Name: name})
	if err != nil {
		return nil, err
	}
	return &Store{objects: o, part: part, epoch: epoch, stored: map[string]bool{}}, nil
}

// Keep stores files of a part. It returns a description for Commit.
func (s *Store) Keep(dir string, names []string, layer int) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx := context.Background()
	files := map[string]string{}
	for _, name := range names {
		object := fmt.Sprintf("%d.%s.%s", s.part, s.epoch, name)
		if name == replaced {
			object += fmt.Sprintf(".%d", layer)
		}
		files[name] = object
		if s.stored[object] {
			continue
		}
		if err := s.upload(ctx, filepath.Join(dir, name), object); err != nil {
			return nil, fmt.Errorf("the checkpoint of layer %d cannot be stored on the server: %w", layer, err)
		}
		s.stored[object] = true
	}
	return json.Marshal(files)
}

func (s *Store) upload(ctx context.Context, path, object string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = s.objects.Put(ctx, jetstream.ObjectMeta{Name: object}, f)
	return err
}

// Commit makes the stored files of all parts the checkpoint of the search. It removes objects that only the
// previous one needed.
func (s *Store) Commit(layer int, parts [][]byte) error {
	m := manifest{Layer: layer}
	needed := map[string]bool{manifestName: true}
	for _, b := range parts {
		files := map[string]string{}
		if err := json.Unmarshal(b, &files); err != nil {
			return fmt.Errorf("the report of a part's files is invalid: %w", err)
		}
		m.Parts = append(m.Parts, files)
		for _, object := range files {
			needed[object] = true
		}
	}
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, err := s.objects.PutBytes(ctx, manifestName, b); err != nil {
		return fmt.Errorf("the checkpoint of layer %d cannot be stored on the server: %w", layer, err)
	}
	all, err := s.objects.List(ctx)
	if err != nil {
		return nil // the next checkpoint removes the others
	}
	for _, o := range all {
		if !needed[o.Name] {
			_ = s.objects.Delete(ctx, o.Name)
		}
	}
	return nil
}

// Fetch copies the files of the part's last checkpoint into a directory. It returns false if there is none.
func (s *Store) Fetch(dir string) (bool, error) {
	ctx := context.Background()
	b, err := s.objects.GetBytes(ctx, manifestName)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var m manifest
	if err := json.Unmarshal(b, &m); err != nil || s.part >= len(m.Parts) {
		return false, fmt.Errorf("the checkpoint on the server belongs to another search")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return false, err
	}
	for name, object := range m.Parts[s.part] {
		if filepath.Base(name) != name {
			return false, fmt.Errorf("the checkpoint on the server names a file %q", name)
		}
		if err := s.objects.GetFile(ctx, object, filepath.Join(dir, name)); err != nil {
			return false, err
		}
	}
	return true, nil
}
