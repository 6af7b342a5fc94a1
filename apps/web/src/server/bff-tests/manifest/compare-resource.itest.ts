import type { ServerResponse } from "node:http";

import { ManifestFieldState, ManifestSource, type CompareManifestResponse, type ResourceRef } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { systemClock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { renderEnglish } from "@binnacle/words/render-english";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { NAMES } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const SHA = "abcdef12";
const WHOLE = SHA.padEnd(40, "0");
const REFUSED = "9".repeat(40);
const PROJECT = "group/manifests";
const SYNC = {
  project: PROJECT,
  commitId: SHA,
  state: "GITOPS_SYNC_STATE_SYNCED",
  namespaces: ["prod"],
  objects: 1,
  inventoryId: "inventory-5-7",
};
const FILE = `# the shop
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  template: { spec: { containers: [{ name: web, image: "web:1" }] } }
---
apiVersion: v1
kind: Secret
metadata: { name: till }
stringData: { password: canary-5f2e }
`;
const DEPLOYMENT = { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: "prod", name: "web" };
const SECRET = { group: "", version: "v1", kind: "Secret", resource: "secrets", namespace: "prod", name: "till" };
const OF_SYNC = { "config.k8s.io/owning-inventory": "inventory-5-7" };

let world: DashboardWorld;
/** Where kas says that the manifests stand. */
let places: object[];
/** What kas says of the sync besides, to everybody and to readers. */
let state: object;
let full: object;

beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "guest"]);
  world.main.commits.set(`${PROJECT}@${SHA}`, {
    sha: WHOLE,
    title: "Scale",
    authorName: "Ann",
    webUrl: `http://app.localhost:8080/${PROJECT}/-/commit/${WHOLE}`,
  });
  world.main.commitReaders.add("maintainer");
  world.main.files.set(`${PROJECT}@${WHOLE} deploy/web.yaml`, FILE);
  places = [
    { group: "apps", kind: "Deployment", namespace: "prod", name: "web", source: "deploy/web.yaml", line: 3 },
    { kind: "Secret", namespace: "prod", name: "till", source: "deploy/web.yaml", line: 10 },
  ];
  state = {};
  full = { commitId: WHOLE };
  world.kas.gitops = (project, response) => {
    const sync = { ...SYNC, ...state };
    const isReader = world.kas.readerWords.some((assertion) => assertion.project === project);
    answer(response, project === undefined ? { syncs: [sync] } : isReader ? { sync: { ...sync, ...full }, objects: places } : { sync });
  };
  putDeployment(3);
  const secret = { file: "reader", content: new Secret(Buffer.alloc(32, 7).toString("base64")), digest: "" };
  world.start(systemClock, { kas: { ...world.config.kas, manifest_reader_secret_file: secret } });
});
afterEach(() => world.close());

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function putDeployment(replicas: number, manager = "agentk"): void {
  const managedFields = [{ manager, operation: "Update", fieldsV1: { "f:spec": { "f:replicas": {} } } }];
  const template = { spec: { containers: [{ name: "web", image: "web:1", imagePullPolicy: "Always" }] } };
  const metadata = { name: "web", annotations: OF_SYNC, managedFields };
  world.kas.put("deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas, template }, status: { replicas } });
}

const compare = (ref: Omit<ResourceRef, "$typeName">, cookie?: string): Promise<CompareManifestResponse> =>
  world.clientWith(...(cookie === undefined ? [] : [cookie])).compareManifest({ ...NAMES, ref });

const why = ({ words }: CompareManifestResponse): string => renderEnglish(words && fromWordsMessage(words));

test("an object that is as its manifest says has every field of that with its line, and no other", async () => {
  const answered = await compare(DEPLOYMENT);
  expect(answered).toMatchObject({
    project: PROJECT,
    sha: WHOLE,
    manifest: { path: "deploy/web.yaml", line: 3, url: `http://app.localhost:8080/${PROJECT}/-/blob/${WHOLE}/deploy/web.yaml#L3` },
    different: 0,
    compared: 3,
    cut: false,
    source: ManifestSource.GIT,
  });
  expect(answered.words).toBeUndefined();
  expect(answered.sourceWords).toBeUndefined();
  expect(answered.desiredYaml).toContain("\n  replicas: 3\n");
  expect(answered.liveYaml).toBe(answered.desiredYaml);
  expect(answered.fields.map(({ path, line, state }) => [path, line, state])).toEqual([
    ["spec.replicas", 7, ManifestFieldState.SAME],
    ["spec.template.spec.containers[web].name", 8, ManifestFieldState.SAME],
    ["spec.template.spec.containers[web].image", 8, ManifestFieldState.SAME],
  ]);
});

const MANIFEST = { path: "deploy/web.yaml", line: 3, url: `http://app.localhost:8080/${PROJECT}/-/blob/${WHOLE}/deploy/web.yaml#L3` };

test.each<[string, object, object]>([
  [
    "drift, with the line of the field beside",
    { state: "GITOPS_SYNC_STATE_OUT_OF_SYNC" },
    { outcome: "GITOPS_OUTCOME_DRIFTED", fieldLine: 7 },
  ],
  ["drift that an agent of an earlier release reports with the field's line", { state: "GITOPS_SYNC_STATE_FAILED" }, { line: 7 }],
  ["a partial application", { state: "GITOPS_SYNC_STATE_APPLYING" }, { outcome: "GITOPS_OUTCOME_UNSPECIFIED" }],
])("B4: in the middle of %s an object is compared, with its own line", async (_title, sync, object) => {
  places = [{ ...places[0], ...object }];
  state = sync;
  putDeployment(7, "kubectl-scale");
  const answered = await compare(DEPLOYMENT);
  expect(answered).toMatchObject({ sha: WHOLE, manifest: MANIFEST, different: 1 });
  expect(answered.liveYaml).toBe(answered.desiredYaml.replace("replicas: 3", "replicas: 7"));
});

test("B4: after a refused commit an object is compared with the manifest that it was applied from", async () => {
  state = { state: "GITOPS_SYNC_STATE_INVALID", commitId: REFUSED.slice(0, 8), appliedCommitId: SHA };
  full = { ...state, commitId: REFUSED, appliedCommitId: WHOLE, objectsCommitId: WHOLE };
  expect(await compare(DEPLOYMENT)).toMatchObject({ sha: WHOLE, manifest: MANIFEST, different: 0, compared: 3 });
});

test("a field that a user has changed is shown with both values and the user", async () => {
  putDeployment(7, "kubectl-scale");
  const { fields, different } = await compare(DEPLOYMENT);
  expect(different).toBe(1);
  expect(fields[0]).toMatchObject({
    path: "spec.replicas",
    line: 7,
    state: ManifestFieldState.DIFFERENT,
    desired: "3",
    live: "7",
    manager: "kubectl-scale",
  });
});

test("T35: no value of a Secret is sent, neither the manifest's nor the cluster's", async () => {
  const data = { password: btoa("canary-other") };
  world.kas.put("secrets", { apiVersion: "v1", kind: "Secret", metadata: { name: "till", annotations: OF_SYNC }, data });
  const answered = await compare(SECRET);
  expect(answered.fields).toMatchObject([
    { path: "stringData.password", line: 13, hidden: true, state: ManifestFieldState.DIFFERENT, desired: "", live: "" },
  ]);
  expect(answered.desiredYaml).toContain('password: "***** (1)"');
  expect(answered.liveYaml).toContain('password: "***** (2)"');
  const text = JSON.stringify({ ...answered, sha: "" });
  for (const value of ["canary", btoa("canary-other"), btoa("canary-5f2e")]) expect(text).not.toContain(value);
});

test("T35: a viewer who may not read the project is shown no file, and none is requested", async () => {
  const answered = await compare(DEPLOYMENT, "_gitlab_session=session-guest");
  expect(answered).toMatchObject({ fields: [], project: "", sha: "" });
  expect(answered.manifest).toBeUndefined();
  expect(why(answered)).toBe("its manifest is not known, or you may not read its project");
  expect(world.main.filesOfCommitsReadBy).toEqual([]);
});

test("T35: a viewer who may read commits but not files gets that reason, whatever another viewer has just been shown", async () => {
  await compare(DEPLOYMENT);
  world.main.commitReaders.add("guest");
  world.main.files.clear();
  const answered = await compare(DEPLOYMENT, "_gitlab_session=session-guest");
  expect(answered.fields).toEqual([]);
  expect(why(answered)).toBe(`deploy/web.yaml is not in ${PROJECT} at abcdef12`);
});

test("T35: who may not read the code any more is shown no other file of it", async () => {
  const inOther = { kind: "ConfigMap", namespace: "prod", name: "a", source: "deploy/other.yaml", line: 1 };
  places = [...places, inOther];
  world.kas.put("configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", annotations: OF_SYNC }, data: {} });
  await compare(DEPLOYMENT);
  world.main.commitReaders.clear();
  const answered = await compare({ ...DEPLOYMENT, group: "", kind: "ConfigMap", resource: "configmaps", name: "a" });
  expect(answered.fields).toEqual([]);
  expect(why(answered)).toBe(`the main application does not show you the code of ${PROJECT}`);
});

test("tabs of one viewer have a file read once", async () => {
  await Promise.all([compare(DEPLOYMENT), compare(DEPLOYMENT)]);
  await compare(DEPLOYMENT);
  expect(world.main.filesOfCommitsReadBy).toEqual(["maintainer"]);
});

test.each<[string, () => void, string]>([
  ["is not there", () => world.main.files.clear(), `deploy/web.yaml is not in ${PROJECT} at abcdef12`],
  ["is no text", () => void (world.main.repository = "binary"), "deploy/web.yaml is no text"],
  [
    "cannot be read now",
    () => void (world.main.repository = "broken"),
    "the main application does not answer: deploy/web.yaml could not be read",
  ],
  [
    "is too large",
    () => void world.main.files.set(`${PROJECT}@${WHOLE} deploy/web.yaml`, `${FILE}# ${"x".repeat(300_000)}`),
    "deploy/web.yaml is larger than 256 KiB: it is not compared",
  ],
  [
    "has something else at the line and nowhere this object",
    () => {
      places = [{ ...places[0], line: 10 }];
      world.main.files.set(`${PROJECT}@${WHOLE} deploy/web.yaml`, FILE.replace("name: web }\nspec", "name: other }\nspec"));
    },
    "at line 10 of deploy/web.yaml at abcdef12 there is no manifest of this object that can be read",
  ],
  [
    "cannot be parsed",
    () => void world.main.files.set(`${PROJECT}@${WHOLE} deploy/web.yaml`, "a\n---\na: [canary\n"),
    "at line 3 of deploy/web.yaml at abcdef12 there is no manifest of this object that can be read",
  ],
  [
    "is of a version that is not served",
    () => void world.main.files.set(`${PROJECT}@${WHOLE} deploy/web.yaml`, FILE.replace("apps/v1", "apps/v1beta9")),
    "the manifest is of apps/v1beta9, which the cluster does not serve for this object",
  ],
])("a file that %s cannot be compared, and the reason has the location", async (_title, spoil, sentence) => {
  spoil();
  const answered = await compare(DEPLOYMENT);
  expect(answered).toMatchObject({ fields: [], project: PROJECT, sha: WHOLE, manifest: { path: "deploy/web.yaml" } });
  expect(why(answered)).toBe(sentence);
});

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const CONFIG = { ...DEPLOYMENT, group: "", kind: "ConfigMap", resource: "configmaps", name: "settings" };
const appliedConfig = (namespace = "prod", apiVersion = "v1"): string =>
  JSON.stringify({ apiVersion, kind: "ConfigMap", metadata: { name: "settings", namespace }, data: { colour: "blue" } });

function putConfig(annotations: Record<string, string>, labels: Record<string, string> = {}): void {
  const managedFields = [{ manager: "kubectl-edit", operation: "Update", fieldsV1: { "f:data": { "f:colour": {} } } }];
  const metadata = { name: "settings", namespace: "prod", annotations, labels, managedFields };
  world.kas.put("configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata, data: { colour: "red" } });
}

describe("B4: an object that no agent applies is compared with the state that was applied last", () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ["kubectl", {}, /^Compared with the state applied last, as annotation kubectl.* has it; Git may have changed since$/],
    [
      "Argo CD",
      { "argocd.argoproj.io/tracking-id": "shop:/ConfigMap:prod/settings" },
      /^Compared with the state that Argo CD \(Application shop\) applied last/,
    ],
  ])("by %s, from its annotation, and the source is named", async (_tool, marks, source) => {
    putConfig({ [LAST_APPLIED]: appliedConfig(), ...marks });
    const answered = await compare(CONFIG);
    expect(answered).toMatchObject({ different: 1, compared: 1, source: ManifestSource.LAST_APPLIED, project: "", sha: "" });
    expect(answered.manifest).toBeUndefined();
    expect(answered.fields).toMatchObject([{ path: "data.colour", line: 0, desired: "blue", live: "red", manager: "kubectl-edit" }]);
    expect(answered.liveYaml).toBe(answered.desiredYaml.replace("blue", "red"));
    expect(renderEnglish(answered.sourceWords && fromWordsMessage(answered.sourceWords))).toMatch(source);
  });

  test("T35: without the values that a Secret's annotation holds", async () => {
    const applied = { apiVersion: "v1", kind: "Secret", metadata: { name: "till" }, stringData: { password: "canary-5f2e" } };
    const annotations = { [LAST_APPLIED]: JSON.stringify(applied) };
    const data = { password: btoa("canary-other") };
    world.kas.put("secrets", { apiVersion: "v1", kind: "Secret", metadata: { name: "till", annotations }, data });
    const answered = await compare(SECRET);
    expect(answered).toMatchObject({ different: 1, source: ManifestSource.LAST_APPLIED });
    const sent = JSON.stringify(answered);
    for (const value of ["canary", btoa("canary-other"), btoa("canary-5f2e")]) expect(sent).not.toContain(value);
  });

  const OF_FLUX = { "kustomize.toolkit.fluxcd.io/name": "shop", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" };
  const OF_HELM = { "helm.toolkit.fluxcd.io/name": "shop", "helm.toolkit.fluxcd.io/namespace": "flux-system" };
  const OF_ARGO = { "argocd.argoproj.io/tracking-id": "shop:/ConfigMap:prod/settings" };
  test.each<[string, () => void, RegExp]>([
    ["nothing holds it", () => putConfig({}), /^nothing in the cluster holds the values/],
    [
      "Flux applies on the server, whatever an earlier owner has left",
      () => putConfig({ [LAST_APPLIED]: appliedConfig() }, OF_FLUX),
      /^Flux \(Kustomization flux-system\/shop\).*not the values from Git$/,
    ],
    ["Helm keeps it elsewhere", () => putConfig({}, OF_HELM), /^Helm \(release flux-system\/shop\) .* Secret of the release/],
    ["Argo CD applies on the server", () => putConfig(OF_ARGO), /^Argo CD \(Application shop\) has left no last applied state/],
    ["the annotation is no JSON", () => putConfig({ [LAST_APPLIED]: "{canary" }), /^the annotation kubectl.* does not hold a manifest/],
    ["the annotation is that of another object", () => putConfig({ [LAST_APPLIED]: appliedConfig("other") }), /does not hold a manifest/],
    ["its version is not served", () => putConfig({ [LAST_APPLIED]: appliedConfig("prod", "v0") }), /^the manifest is of v0/],
  ])("and the reason is given when %s", async (_title, put, sentence) => {
    put();
    const answered = await compare(CONFIG);
    expect(answered).toMatchObject({ fields: [], desiredYaml: "", source: ManifestSource.UNSPECIFIED });
    expect(why(answered)).toMatch(sentence);
    expect(why(answered)).not.toContain("canary");
  });
});

test("an object that is not there, and one that is not named, are refused as everywhere", async () => {
  await expect(compare({ ...DEPLOYMENT, name: "none" })).rejects.toMatchObject({ code: Code.NotFound });
  await expect(compare({ ...DEPLOYMENT, name: "../x" })).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(compare({ ...DEPLOYMENT, namespace: "other" })).rejects.toMatchObject({ code: Code.NotFound });
});
