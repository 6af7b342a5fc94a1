import { readFileSync } from "node:fs";

import { GITOPS_FIELD_MANAGER, isKubeObject, objectPath, type KubeObject } from "@binnacle/kube";
import { compareManifest, manifestsIn, type ManifestComparison, type ManifestText } from "@binnacle/manifests";
import { describe, expect, test } from "vitest";

import { ServedKinds } from "../../cluster/served-kinds.ts";
import { commit, failures } from "./manifest-texts.ts";
import { bench, never } from "./sync-bench.ts";

/** The manifests of a text beside what the cluster has of them. */
async function compareAll(text: string): Promise<readonly ManifestComparison[]> {
  const kinds = new ServedKinds(bench.api);
  const manifests = [...manifestsIn(text)].filter((each): each is ManifestText => "object" in each);
  return Promise.all(
    manifests.map(async (manifest) => {
      const live = await liveOf(manifest.object, kinds);
      return compareManifest({ manifest, live, applier: GITOPS_FIELD_MANAGER, isSecret: false });
    }),
  );
}

async function liveOf({ apiVersion, kind, metadata }: KubeObject, kinds: ServedKinds): Promise<KubeObject> {
  const served = await kinds.find({ apiVersion, kind }, never);
  if (served === undefined) throw new Error(`${kind} is not served`);
  const namespace = served.namespaced ? (metadata.namespace ?? bench.namespace) : "";
  const answer = await bench.call("GET", objectPath(served, { namespace, name: metadata.name }));
  const value = "value" in answer ? answer.value : undefined;
  if (!isKubeObject(value)) throw new Error(`${kind} ${metadata.name} is not there`);
  return value;
}

const different = (comparisons: readonly ManifestComparison[]): readonly string[] =>
  comparisons.flatMap(({ fields }) =>
    fields
      .filter(({ state }) => state !== "same")
      .map(({ line, path, state, desired, live, manager }) => `${line} ${path} ${state} ${desired} | ${live} ${manager}`.trim()),
  );

/** Whatever an API server writes in a form of its own. */
const AWKWARD = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, creationTimestamp: null, labels: { app: web } }
spec:
  replicas: 0
  paused: false
  revisionHistoryLimit: 0
  selector: { matchLabels: { app: web } }
  strategy: {}
  template:
    metadata: { labels: { app: web }, creationTimestamp: null }
    spec:
      hostNetwork: false
      terminationGracePeriodSeconds: 0
      tolerations: [{ key: spot, operator: Exists }]
      securityContext: { runAsUser: 0, runAsNonRoot: false }
      containers:
      - name: web
        image: registry.example.test/web:1
        args: []
        env: [{ name: A, value: "" }, { name: B, value: "1" }]
        resources: { requests: { cpu: 1000m, memory: 0.5Gi }, limits: { cpu: 2.0, memory: 1024Mi } }
        ports: [{ containerPort: 80 }, { containerPort: 80, protocol: UDP }]
        volumeMounts: [{ name: tmp, mountPath: /tmp, readOnly: false }]
      volumes:
      - name: tmp
        emptyDir: { sizeLimit: 1000Mi }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  selector: { app: web }
  ports: [{ name: http, port: 80, targetPort: 8080 }, { name: dns, port: 53, protocol: UDP }]
---
apiVersion: v1
kind: Secret
metadata: { name: till }
type: Opaque
data: { a: aGVsbG8= }
stringData: { b: "hé\\n", c: "" }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 1
  maxReplicas: 3
  metrics: [{ type: Resource, resource: { name: memory, target: { type: AverageValue, averageValue: 512000Ki } } }]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: web }
spec:
  podSelector: {}
  ingress: [{ from: [{ podSelector: { matchLabels: { a: b } } }, { namespaceSelector: {} }], ports: [{ port: 80 }] }]
  egress: [{}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: "50%", selector: { matchLabels: { app: web } } }
`;

describe("comparing manifests with the cluster", () => {
  test.each([
    ["ingress-controller", 54],
    ["certificates", 29],
    ["database", 47],
  ])("nothing of a chart that was applied differs (%s)", async (chart, count) => {
    const text = readFileSync(new URL(`../../fixtures/charts/${chart}.yaml`, import.meta.url), "utf8").replaceAll("NS", bench.namespace);
    expect(failures(await bench.sync(commit(text)))).toEqual([]);
    const comparisons = await compareAll(text);
    expect(different(comparisons)).toEqual([]);
    expect(comparisons.reduce((sum, { compared }) => sum + compared, 0)).toBe(count);
  });

  test("nothing differs of what the API server writes in another form, drops or fills in", async () => {
    expect(failures(await bench.sync(commit(AWKWARD)))).toEqual([]);
    expect(different(await compareAll(AWKWARD))).toEqual([]);
  });

  test("what others changed, took away and added differs, with its line and by whom", async () => {
    await bench.sync(commit(AWKWARD));
    const path = (resource: string): string => `/${resource}`.replace("NS", bench.namespace);
    const merge = (target: string, body: unknown) => bench.patch(path(target), body, "application/merge-patch+json");
    await merge("apis/apps/v1/namespaces/NS/deployments/web", {
      metadata: { labels: { app: null, theirs: "x" } },
      spec: {
        replicas: 4,
        template: {
          spec: {
            tolerations: [
              { key: "spot", operator: "Exists" },
              { key: "gpu", operator: "Exists" },
            ],
          },
        },
      },
    });
    await merge("api/v1/namespaces/NS/services/web", { spec: { selector: { app: "web", by: "hand" }, type: "NodePort" } });
    await merge("api/v1/namespaces/NS/secrets/till", { data: { a: Buffer.from("canary").toString("base64") } });
    const found = different(await compareAll(AWKWARD));
    expect(found).toEqual([
      expect.stringMatching(/^3 metadata.labels.app absent web \|$/),
      expect.stringMatching(/^5 spec.replicas different 0 \| 4 \S+$/),
      expect.stringMatching(/^15 spec.template.spec.tolerations\[gpu\] extra {2}\| \{"key":"gpu"/),
      expect.stringMatching(/^33 spec.selector.by extra {2}\| hand/),
      expect.stringMatching(/^40 data.a different {2}\|/),
    ]);
    expect(found.join()).not.toContain("canary");
  });

  test("fields of an earlier commit are reported until they are gone", async () => {
    const before = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, labels: { old: x } }\ndata: { k: v, gone: v }\n";
    const now = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { k: v }\n";
    await bench.sync(commit(before));
    expect(different(await compareAll(now))).toEqual(["4 data.gone extra  | v", "3 metadata.labels.old extra  | x"]);
    await bench.sync(commit(now, "c2"));
    expect(different(await compareAll(now))).toEqual([]);
  });
});
