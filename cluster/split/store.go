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

// A Store keeps the checkpoints of all parts of a search. What parts keep counts once the leader has committed it: until
// then the search goes on from the checkpoint before, of which nothing is removed.
type Store struct {
	objects jetstream.ObjectStore
	part    int
	epoch   string // what is kept by one beginning of the search is not mistaken for what another keeps

	mu   sync.Mutex
	kept map[string]bool // names of files that are there
}

// manifest is what the leader commits: of each part its files, and the objects that have them.
type manifest struct {
	Layer int                 `json:"layer"`
	Parts []map[string]string `json:"parts"`
}

const manifestName = "manifest"

// replaced is the name of the file that has another content each time.
const replaced = "checkpoint"

// OpenStore opens the store of a search by its name, and makes it if need be.
func OpenStore(ctx context.Context, h *hub.Hub, name string, part int, epoch string) (*Store, error) {
	o, err := h.Objects(ctx, hub.Kept{Name: name})
	if err != nil {
		return nil, err
	}
	return &Store{objects: o, part: part, epoch: epoch, kept: map[string]bool{}}, nil
}

// Keep puts files of a part into the store, and says which objects have them.
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
		if s.kept[object] {
			continue
		}
		if err := s.put(ctx, filepath.Join(dir, name), object); err != nil {
			return nil, fmt.Errorf("the checkpoint of layer %d cannot be kept on the server: %w", layer, err)
		}
		s.kept[object] = true
	}
	return json.Marshal(files)
}

func (s *Store) put(ctx context.Context, path, object string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = s.objects.Put(ctx, jetstream.ObjectMeta{Name: object}, f)
	return err
}

// Commit makes what all parts kept the checkpoint of the search, and removes what only the one before needed.
func (s *Store) Commit(layer int, kept [][]byte) error {
	m := manifest{Layer: layer}
	needed := map[string]bool{manifestName: true}
	for _, b := range kept {
		files := map[string]string{}
		if err := json.Unmarshal(b, &files); err != nil {
			return fmt.Errorf("what a part kept is not said: %w", err)
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
		return fmt.Errorf("the checkpoint of layer %d cannot be kept on the server: %w", layer, err)
	}
	all, err := s.objects.List(ctx)
	if err != nil {
		return nil // what is left does no harm: the next checkpoint removes it
	}
	for _, o := range all {
		if !needed[o.Name] {
			_ = s.objects.Delete(ctx, o.Name)
		}
	}
	return nil
}

// Fetch brings the files of the part's last checkpoint into a directory; false where there is none.
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
		return false, fmt.Errorf("the checkpoint on the server is none of this search")
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
