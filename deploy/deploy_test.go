package deploy_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"

	"contend/checker/verify"
	"contend/cluster"
	"contend/impl"
)

// manifests are the documents of the files for Kubernetes, each decoded by the type of its kind; a field that
// the type does not have is an error.
func manifests(t *testing.T) map[string]any {
	t.Helper()
	files, err := filepath.Glob("kubernetes/*.yaml")
	if err != nil || len(files) < 3 {
		t.Fatalf("there are %v, %v", files, err)
	}
	all := map[string]any{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range regexp.MustCompile(`(?m)^---\n`).Split(string(text), -1) {
			var head struct {
				APIVersion string
				Kind       string
				Metadata   struct{ Name string }
			}
			if err := yaml.Unmarshal([]byte(doc), &head); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			into := map[string]any{
				"v1/Namespace": &corev1.Namespace{}, "v1/ConfigMap": &corev1.ConfigMap{}, "v1/Service": &corev1.Service{}, "v1/Secret": &corev1.Secret{},
				"policy/v1/PodDisruptionBudget": &policyv1.PodDisruptionBudget{}, "apps/v1/StatefulSet": &appsv1.StatefulSet{},
				"apps/v1/Deployment": &appsv1.Deployment{}, "batch/v1/Job": &batchv1.Job{},
			}[head.APIVersion+"/"+head.Kind]
			if into == nil {
				t.Fatalf("%s: the kind %s/%s is none that is decoded", file, head.APIVersion, head.Kind)
			}
			if err := yaml.UnmarshalStrict([]byte(doc), into); err != nil {
				t.Errorf("%s: %s: %v", file, head.Kind, err)
			}
			all[head.Kind+"/"+head.Metadata.Name] = into
		}
	}
	return all
}

// Every manifest is what Kubernetes reads, and its parts fit together.
func TestManifests(t *testing.T) {
	all := manifests(t)
	set := all["StatefulSet/nats"].(*appsv1.StatefulSet)
	budget := all["PodDisruptionBudget/nats"].(*policyv1.PodDisruptionBudget)
	service := all["Service/nats"].(*corev1.Service)
	labels := set.Spec.Template.Labels
	for name, value := range set.Spec.Selector.MatchLabels {
		if labels[name] != value || budget.Spec.Selector.MatchLabels[name] != value || service.Spec.Selector[name] != value {
			t.Errorf("the pods of the servers have the label %s=%s, and not all find them", name, labels[name])
		}
	}
	if set.Spec.ServiceName != service.Name || *set.Spec.Replicas != 3 || budget.Spec.MaxUnavailable.IntValue() != 1 {
		t.Errorf("of %d servers %v may be away", *set.Spec.Replicas, budget.Spec.MaxUnavailable)
	}
	for name, pod := range map[string]corev1.PodSpec{
		"nats": set.Spec.Template.Spec, "worker": all["Deployment/worker"].(*appsv1.Deployment).Spec.Template.Spec,
		"start": all["Job/nightly"].(*batchv1.Job).Spec.Template.Spec,
	} {
		sound(t, name, pod, all)
	}
}

// sound checks that a pod is bounded, has no more rights than it needs, and mounts what there is.
func sound(t *testing.T, name string, pod corev1.PodSpec, all map[string]any) {
	t.Helper()
	volumes := []string{"data"} // of the claim
	for _, v := range pod.Volumes {
		volumes = append(volumes, v.Name)
		if v.ConfigMap != nil && all["ConfigMap/"+v.ConfigMap.Name] == nil {
			t.Errorf("%s mounts the config map %s, which there is not", name, v.ConfigMap.Name)
		}
		if v.Secret != nil && all["Secret/"+v.Secret.SecretName] == nil && v.Secret.SecretName != "contend-tls" {
			t.Errorf("%s mounts the secret %s, which there is not", name, v.Secret.SecretName)
		}
	}
	if pod.SecurityContext == nil || pod.SecurityContext.RunAsNonRoot == nil || !*pod.SecurityContext.RunAsNonRoot {
		t.Errorf("%s may run as root", name)
	}
	for _, c := range pod.Containers {
		if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
			t.Errorf("%s has no bound on memory, or asks for no processor", name)
		}
		if c.SecurityContext == nil || c.SecurityContext.ReadOnlyRootFilesystem == nil || !*c.SecurityContext.ReadOnlyRootFilesystem {
			t.Errorf("%s writes into its image", name)
		}
		for _, m := range c.VolumeMounts {
			if !slices.Contains(volumes, m.Name) {
				t.Errorf("%s mounts %s, which there is not", name, m.Name)
			}
		}
	}
}

// The tool takes the arguments of each container as they stand: it gets as far as the file of the credentials, which is
// not here.
func TestArguments(t *testing.T) {
	all := manifests(t)
	commands := map[string][]string{
		"worker": all["Deployment/worker"].(*appsv1.Deployment).Spec.Template.Spec.Containers[0].Args,
		"start":  all["Job/nightly"].(*batchv1.Job).Spec.Template.Spec.Containers[0].Args,
	}
	for name, s := range composed(t).Services {
		if name != "nats" {
			commands["compose "+name] = s.Command
		}
	}
	for name, args := range commands {
		var out, errs bytes.Buffer
		code := verify.Run(impl.Suite, args, &out, &errs, cluster.Verbs)
		if code != 2 || !strings.Contains(errs.String(), "/ca.crt: no such file") {
			t.Errorf("%s: verify %s exits with %d: %s", name, strings.Join(args, " "), code, &errs)
		}
	}
}

// composed is the compose file, as its own library reads it.
func composed(t *testing.T) *types.Project {
	t.Helper()
	o, err := cli.NewProjectOptions([]string{"compose.yaml"}, cli.WithProfiles([]string{"*"}), cli.WithEnv([]string{"CONTEND_KEY=UABC"}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := o.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The compose file has its services, and each file that it mounts has a place.
func TestCompose(t *testing.T) {
	p := composed(t)
	for _, name := range []string{"nats", "worker", "start", "results"} {
		if _, err := p.GetService(name); err != nil {
			t.Error(err)
		}
	}
	for name, s := range p.Services {
		for _, v := range s.Volumes {
			if v.Type != types.VolumeTypeBind {
				continue
			}
			if _, err := os.Stat(v.Source); err != nil && filepath.Base(filepath.Dir(v.Source)) != "secrets" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// The server takes both of its configurations.
func TestServerConfig(t *testing.T) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	key, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"SERVER_NAME": "a", "POD_NAME": "a", "CONTEND_KEY": key} {
		t.Setenv(name, value)
	}
	alone, err := os.ReadFile("nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	many := manifests(t)["ConfigMap/nats"].(*corev1.ConfigMap).Data["nats.conf"]
	for _, text := range []string{string(alone), many} {
		text = regexp.MustCompile(`(?s)\n *tls \{.*?\}`).ReplaceAllString(text, "") // whose files are not here
		o := &server.Options{}
		if err := o.ProcessConfigString(text); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if !o.JetStream || o.MaxPayload != 8<<20 || len(o.Nkeys) != 1 || o.StoreDir != "/data" {
			t.Errorf("the server would be %+v", o)
		}
	}
}
