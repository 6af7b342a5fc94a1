// needs: control-plane
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { fieldsAt, isFields, listAt, listOf, textAt } from "@binnacle/kube";
import { ActionKind, ActionOutcome } from "@binnacle/proto/dashboard";
import { eventually } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";

import { ActionBench } from "../../../testing/action-bench.ts";
import { ClusterBehindKas } from "../../../testing/cluster-behind-kas.ts";
import { ARGO_CD, ARGO_ROLLOUTS } from "../../../action-plans/tools/argo.ts";
import { FLUX } from "../../../action-plans/tools/flux.ts";
import { CERT_MANAGER, EXTERNAL_SECRETS, KEDA } from "../../../action-plans/tools/secrets-and-scaling.ts";
import type { ToolAction } from "../../../action-plans/tools/tool-action.ts";

/** An API server serves a new kind a moment after its definition. */
const SERVED_WITHIN_MS = 30_000;
const FIXTURES = new URL("../../../../../fixtures/tool-definitions/", import.meta.url);
const ACTIONS = [FLUX, ARGO_CD, ARGO_ROLLOUTS, CERT_MANAGER, KEDA, EXTERNAL_SECRETS].flatMap(({ actions }) => actions);

/** The least that each tool's own schema asks of an object, with a status in which all of its actions are offered. */
const OBJECTS: Readonly<Record<string, { readonly spec: object; readonly status?: object }>> = {
  "kustomize.toolkit.fluxcd.io/kustomizations": {
    spec: { interval: "5m", prune: true, sourceRef: { kind: "GitRepository", name: "shop" } },
  },
  "helm.toolkit.fluxcd.io/helmreleases": { spec: { interval: "5m", chartRef: { kind: "HelmChart", name: "shop" } } },
  "source.toolkit.fluxcd.io/gitrepositories": { spec: { interval: "5m", url: "https://git.example.com/shop" } },
  "source.toolkit.fluxcd.io/ocirepositories": { spec: { interval: "5m", url: "oci://registry.example.com/shop" } },
  "source.toolkit.fluxcd.io/helmrepositories": { spec: { interval: "5m", url: "https://charts.example.com" } },
  "source.toolkit.fluxcd.io/helmcharts": {
    spec: { interval: "5m", chart: "shop", sourceRef: { kind: "HelmRepository", name: "shop" } },
  },
  "source.toolkit.fluxcd.io/buckets": { spec: { interval: "5m", endpoint: "storage.example.com", bucketName: "shop" } },
  "argoproj.io/applications": {
    spec: { project: "default", destination: { namespace: "shop" }, source: { repoURL: "https://git.example.com/shop" } },
  },
  "argoproj.io/rollouts": {
    spec: {},
    status: {
      currentPodHash: "b",
      stableRS: "a",
      pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-01-01T00:00:00Z" }],
    },
  },
  "cert-manager.io/certificates": {
    spec: { secretName: "shop", issuerRef: { name: "shop" }, dnsNames: ["shop.example.com"] },
    status: { conditions: [{ type: "Ready", status: "True", reason: "Ready", lastTransitionTime: "2026-01-01T00:00:00Z" }] },
  },
  "keda.sh/scaledobjects": { spec: { scaleTargetRef: { name: "shop" }, triggers: [{ type: "cpu", metadata: { value: "50" } }] } },
  "keda.sh/scaledjobs": {
    spec: {
      jobTargetRef: { template: { spec: { containers: [{ name: "shop", image: "example/shop:1" }] } } },
      triggers: [{ type: "cron", metadata: { start: "0 1 * * *" } }],
    },
  },
  "external-secrets.io/externalsecrets": { spec: { secretStoreRef: { name: "shop" }, target: { name: "shop" } } },
  "external-secrets.io/pushsecrets": { spec: { secretStoreRefs: [{ name: "shop" }], selector: { secret: { name: "shop" } } } },
};
/** Their definitions are in no Go module that could be had; the fields are those of the other kinds of Flux. */
const WITHOUT_DEFINITION = ["image.toolkit.fluxcd.io/imagerepositories", "image.toolkit.fluxcd.io/imageupdateautomations"];

interface Definition {
  /** "apps/deployments" */
  readonly id: string;
  readonly kind: string;
  readonly version: string;
  /** As it is published, but for labels and annotations: one is a template of a chart. */
  readonly content: object;
}

function definitionIn(file: string): Definition {
  const published: unknown = parse(gunzipSync(readFileSync(new URL(file, FIXTURES))).toString());
  const spec = fieldsAt(published, "spec");
  const names = fieldsAt(spec, "names");
  const stored = listAt(spec, "versions").find((version) => isFields(version) && version["storage"] === true);
  const metadata = { name: textAt(fieldsAt(published, "metadata"), "name") };
  return {
    id: `${textAt(spec, "group")}/${textAt(names, "plural")}`,
    kind: textAt(names, "kind"),
    version: textAt(stored, "name"),
    content: { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec },
  };
}

const definitions = readdirSync(FIXTURES)
  .filter((file) => file.endsWith(".gz"))
  .map(definitionIn);

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.start((dir) => ClusterBehindKas.real(dir));
  await Promise.all(
    definitions.map(({ content }) =>
      bench.cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: content }),
    ),
  );
  for (const { id, version } of definitions) {
    const [group, plural] = id.split("/");
    const look = () => bench.cluster.send("GET", `/apis/${group}/${version}/${plural}`).then(() => undefined, String);
    await eventually(look, SERVED_WITHIN_MS);
  }
  await bench.open();
});
afterAll(async () => {
  await bench.close();
  await bench.stop();
});

test("every kind of every tool has its published definition here, but for those that are named", () => {
  const kinds = new Set(ACTIONS.flatMap((action) => action.kinds));
  const known = definitions.map(({ id }) => id);
  expect([...kinds].filter((kind) => !known.includes(kind)).toSorted()).toEqual(WITHOUT_DEFINITION);
  expect(known.toSorted()).toEqual(Object.keys(OBJECTS).toSorted());
});

/** What the API server has at the place that an action writes: of conditions the one. */
function writtenAt({ path, write }: ToolAction, object: Readonly<Record<string, unknown>>): unknown {
  const value = path.reduce<unknown>((inside, name) => (isFields(inside) ? inside[name] : undefined), object);
  return write.kind === "condition" ? listOf(value).find((condition) => textAt(condition, "type") === write.type) : value;
}

/** What must be there; undefined for nothing. */
function wanted({ write }: ToolAction, requestedAt: string): unknown {
  if (write.kind === "removal") return undefined;
  if (write.kind === "value") return write.value;
  if (write.kind === "time") return requestedAt;
  const { type, reason, message } = write;
  return { type, reason, message, status: "True", lastTransitionTime: `${requestedAt.slice(0, 19)}Z` };
}

test.each(definitions)(
  "$id: the published schema takes each action as it is sent, as a dry run and for real, and drops nothing of it",
  async (definition) => {
    const { id, kind, version } = definition;
    const { spec, status } = OBJECTS[id] ?? { spec: {} };
    const { path, target, read } = await bench.createOf({ resource: id, kind, version }, { spec });
    if (status !== undefined) await bench.cluster.merge(`${path}/status`, { status });
    const left = new Map(ACTIONS.filter(({ kinds }) => kinds.includes(id)).map((action) => [action.id, action]));
    expect(left.size).toBeGreaterThan(0);
    while (left.size > 0) {
      const { actions } = await bench.dashboard.reviewActions({ target });
      const action = actions.map(({ toolAction }) => left.get(toolAction)).find((each) => each !== undefined);
      if (action === undefined) throw new Error(`not offered: ${[...left.keys()].join(", ")}`);
      left.delete(action.id);
      const sent = { kind: ActionKind.TOOL, parameters: { toolAction: action.id } };
      const before = await read();
      const shown = await bench.preview(target, sent);
      expect(shown.refused, `the dry run of ${action.id}`).toBeUndefined();
      expect(await read(), "after the dry run").toEqual(before);
      const { requestedAt } = shown;
      const answer = await bench.perform(target, sent, shown);
      expect(answer, action.id).toMatchObject({ outcome: ActionOutcome.DONE });
      const atMs = requestedAt === undefined ? 0 : Number(requestedAt.seconds) * 1_000 + Math.floor(requestedAt.nanos / 1_000_000);
      const after = await read();
      expect(writtenAt(action, after), `${action.path.join(".")} as the API server has it`).toEqual(
        wanted(action, new Date(atMs).toISOString()),
      );
      expect(fieldsAt(after, "spec"), "the rest of its specification").toMatchObject(spec);
    }
  },
);
