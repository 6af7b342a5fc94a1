import type { IncomingMessage, ServerResponse } from "node:http";

import { createStatus, fieldsAt, INVENTORY_LABEL, textAt } from "@binnacle/kube";
import { GitopsAskOutcome, GitopsRight, GitopsWish, type Dashboard } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { HurriedClock } from "@binnacle/testing";
import { Code, type Client } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test } from "vitest";

import { NAMES } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const SHA = "abcdef12";
const WHOLE = SHA.padEnd(40, "0");
const MAPS = "/api/v1/namespaces/prod/configmaps/";
const INVENTORY = { inventoryId: "inventory-3-9", inventoryNamespace: "prod", inventoryName: "inventory-3-9" };
const HELD = {
  project: "group/manifests",
  commitId: SHA,
  state: "GITOPS_SYNC_STATE_SYNCED",
  pruneHeld: "all 3 objects of the inventory would be pruned",
  objects: 3,
  namespaces: ["prod"],
  ...INVENTORY,
};
const TARGET = { ...NAMES, inventoryNamespace: "prod", inventoryName: "inventory-3-9" };

interface Patch {
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
}

let world: DashboardWorld;
/** Labels of the inventory's ConfigMap. */
let labels: Record<string, string>;
/** Annotations of it, and its lines. */
let annotations: Record<string, string>;
const LINES = { prod_web_apps_Deployment: "" };
/** What the cluster lets everybody do. */
let verbs: Set<string>;
let patches: Patch[];
/** Answers a PATCH instead. */
let answerPatch: ((response: ServerResponse) => void) | undefined;

beforeEach(async () => {
  labels = { [INVENTORY_LABEL]: "inventory-3-9" };
  annotations = {};
  verbs = new Set(["get", "patch"]);
  patches = [];
  answerPatch = undefined;
  world = await DashboardWorld.open(["maintainer", "outsider"]);
  world.kas.cluster = (request, response) => void answer(request, response);
  kasSays([HELD]);
  world.start();
});
afterEach(() => world.close());

function kasSays(syncs: readonly object[]): void {
  world.kas.gitops = (_project, response) => send(response, 200, { syncs });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await textOf(request);
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  const { pathname } = new URL(request.url ?? "/", "http://cluster.invalid");
  if (pathname.endsWith("/selfsubjectreviews"))
    return send(response, 201, { status: { userInfo: { username: "gitlab:user:maintainer" } } });
  if (pathname.endsWith("/selfsubjectaccessreviews")) {
    const { verb } = (body as { spec: { resourceAttributes: { verb: string } } }).spec.resourceAttributes;
    return send(response, 201, { status: { allowed: verbs.has(verb) } });
  }
  if (!pathname.startsWith(MAPS)) return send(response, 404, createStatus(404, "not found"));
  if (request.method === "PATCH") patches.push({ path: pathname, type: String(request.headers["content-type"]), body });
  if (request.method === "PATCH" && answerPatch) return answerPatch(response);
  if (!verbs.has(request.method === "PATCH" ? "patch" : "get")) return send(response, 403, createStatus(403, "configmaps is forbidden"));
  const name = pathname.slice(MAPS.length);
  send(response, 200, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "prod", uid: "uid-1", resourceVersion: "7", labels, annotations },
    data: LINES,
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  // A request without an encoding yields Buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const dashboard = (): Client<typeof Dashboard> => world.clientWith();
const ask = (kind: GitopsWish, commit = "") => dashboard().askGitops({ target: TARGET, wish: kind, commit });
const sentence = (message: Parameters<typeof fromWordsMessage>[0] | undefined): string =>
  message ? renderEnglish(fromWordsMessage(message)) : "";

test.each([
  [GitopsWish.PAUSE, "", { "gitops.binnacle/paused": "true", "gitops.binnacle/paused-reason": null }],
  [GitopsWish.RESUME, "", { "gitops.binnacle/paused": null, "gitops.binnacle/paused-reason": null }],
  [GitopsWish.CONSENT, WHOLE, { "gitops.binnacle/prune-consent": WHOLE }],
  [GitopsWish.SYNC, "", { "gitops.binnacle/sync-requested": expect.stringMatching(/^\d{4}-.*Z$/) }],
])("request %i changes its annotations of the inventory that it was read from, and nothing else", async (kind, commit, annotations) => {
  const { outcome, askedAt, words } = await ask(kind, commit);
  expect([outcome, askedAt, words]).toEqual([GitopsAskOutcome.WRITTEN, expect.anything(), undefined]);
  expect(patches).toEqual([
    { path: `${MAPS}inventory-3-9`, type: "application/merge-patch+json", body: { metadata: { uid: "uid-1", annotations } } },
  ]);
});

test.each([
  [{ inventoryName: "web-settings" }],
  [{ inventoryNamespace: "elsewhere" }],
  [{ inventoryNamespace: "prod/configmaps/x/../.." }],
  [{ inventoryName: "../secrets/inventory-3-9" }],
])("T33: an inventory that is none of the environment's is refused before anything reaches the cluster: %j", async (forged) => {
  // One of the same agent, in another environment.
  kasSays([HELD, { ...HELD, project: "group/other", namespaces: ["elsewhere"], inventoryNamespace: "elsewhere" }]);
  const target = { ...TARGET, ...forged };
  const before = world.kas.requests.length;
  await expect(dashboard().askGitops({ target, wish: GitopsWish.PAUSE })).rejects.toMatchObject({ code: Code.NotFound });
  await expect(dashboard().reviewGitops({ target })).rejects.toMatchObject({ code: Code.NotFound });
  expect(world.kas.requests.slice(before).filter((line) => !line.endsWith("/binnacle/v1/gitops/syncs"))).toEqual([]);
});

test("T33: an inventory is none of an environment's, also while its agent has not reported all of its projects", async () => {
  kasSays([{ ...HELD, namespaces: ["elsewhere"] }]);
  await expect(dashboard().askGitops({ target: TARGET, wish: GitopsWish.PAUSE })).rejects.toMatchObject({ code: Code.NotFound });
});

test.each([{}, { [INVENTORY_LABEL]: "inventory-of-others" }])(
  "T33: a ConfigMap that the agent reports and that does not bear its mark is left alone: %j",
  async (other) => {
    labels = other;
    await expect(ask(GitopsWish.PAUSE)).rejects.toMatchObject({ code: Code.Aborted });
    expect(patches).toEqual([]);
  },
);

test.each([
  ["", Code.InvalidArgument],
  [SHA, Code.InvalidArgument],
  ["1".repeat(40), Code.Aborted],
])("consent to commit '%s' is none", async (commit, code) => {
  await expect(ask(GitopsWish.CONSENT, commit)).rejects.toMatchObject({ code });
  expect(patches).toEqual([]);
});

test("a consent to an object that is no longer held is rejected, and so is an unknown request", async () => {
  kasSays([{ ...HELD, pruneHeld: "" }]);
  await expect(ask(GitopsWish.CONSENT, WHOLE)).rejects.toMatchObject({ code: Code.Aborted });
  await expect(ask(GitopsWish.UNSPECIFIED)).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(ask(GitopsWish.PAUSE, WHOLE)).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect(patches).toEqual([]);
});

test("who may not patch is refused by the cluster, in its words, whatever his page offers", async () => {
  verbs = new Set(["get"]);
  const { outcome, words } = await ask(GitopsWish.PAUSE);
  expect(outcome).toBe(GitopsAskOutcome.REFUSED);
  expect(sentence(words)).toContain("configmaps is forbidden");
  expect(patches).toHaveLength(1);
});

test.each([
  [404, GitopsAskOutcome.REFUSED, "gone"],
  [409, GitopsAskOutcome.REFUSED, "the uid is another"],
  [500, GitopsAskOutcome.UNKNOWN, "etcd is away"],
  [504, GitopsAskOutcome.UNKNOWN, "the request timed out"],
])("an answer with %i is reported with the message of the API server", async (status, expected, message) => {
  answerPatch = (response) => send(response, status, createStatus(status, message));
  const { outcome, words } = await ask(GitopsWish.PAUSE);
  expect([outcome, sentence(words)]).toEqual([expected, expect.stringContaining(message)]);
  // A change is sent once.
  expect(patches).toHaveLength(1);
});

test("the outcome of a change whose answer never came is unknown", async () => {
  answerPatch = (response) => response.destroy();
  expect((await ask(GitopsWish.PAUSE)).outcome).toBe(GitopsAskOutcome.UNKNOWN);
  expect(patches).toHaveLength(1);
});

test("nothing is changed while the agent is unavailable, and the answer says so", async () => {
  const clock = new HurriedClock();
  await world.restart(clock);
  await dashboard().reviewGitops({ target: TARGET });
  world.kas.offline = true;
  const { outcome, words } = await ask(GitopsWish.PAUSE);
  expect(outcome).toBe(GitopsAskOutcome.REFUSED);
  expect(sentence(words)).toContain("not connected");
  // An answer of before is used for 30 s.
  clock.skip(31_000);
  expect(await dashboard().reviewGitops({ target: TARGET })).toMatchObject({ right: GitopsRight.UNSPECIFIED, words: expect.anything() });
});

test.each([
  [["get", "patch"], GitopsRight.ALLOWED, ""],
  [["get"], GitopsRight.DENIED, "the cluster does not let you patch ConfigMap prod/inventory-3-9"],
  [["patch"], GitopsRight.DENIED, "the cluster does not let you get ConfigMap prod/inventory-3-9"],
])("of one who may %j the review says so", async (may, right, why) => {
  verbs = new Set(may);
  const review = await dashboard().reviewGitops({ target: TARGET });
  expect([review.right, sentence(review.words)]).toEqual([right, why]);
});

test("a page of another origin, one without a session and one who may not use the agent ask nothing", async () => {
  const request = { target: TARGET, wish: GitopsWish.PAUSE };
  const foreign = world.clientWith("_gitlab_session=session-maintainer", { origin: "http://evil.example" });
  const withoutOrigin = world.clientWith("_gitlab_session=session-maintainer", {});
  await expect(withoutOrigin.askGitops(request)).rejects.toMatchObject({ code: Code.PermissionDenied });
  await expect(foreign.askGitops(request)).rejects.toMatchObject({ code: Code.PermissionDenied });
  await expect(world.clientWith("_gitlab_session=nobody").askGitops(request)).rejects.toMatchObject({ code: Code.Unauthenticated });
  await expect(world.clientWith("_gitlab_session=session-outsider").askGitops(request)).rejects.toMatchObject({ code: Code.NotFound });
  expect(patches).toEqual([]);
});

const OBJECT = { group: "apps", kind: "Deployment", namespace: "prod", name: "web" };
const askFor = (kind: GitopsWish, object: object) => dashboard().askGitops({ target: TARGET, wish: kind, object });

test("T50: an object of the inventory is taken over by its line, in the version that was read", async () => {
  expect((await askFor(GitopsWish.TAKE_OVER, OBJECT)).outcome).toBe(GitopsAskOutcome.WRITTEN);
  const metadata = { uid: "uid-1", resourceVersion: "7", annotations: { "gitops.binnacle/take-over": "prod_web_apps_Deployment" } };
  expect(patches).toMatchObject([{ body: { metadata } }]);
});

test("T51: a field is kept in the name of the viewer, with a proof, beside the others, and taken out again", async () => {
  const other = { object: "prod_web_apps_Deployment", field: "spec.paused", user: "mara", at: "2026-11-26T10:00:00.000Z" };
  annotations = { "gitops.binnacle/kept-fields": JSON.stringify([other]) };
  await askFor(GitopsWish.KEEP, { ...OBJECT, field: "spec.replicas" });
  const { metadata } = fieldsAt(patches[0], "body");
  const written = textAt(fieldsAt(metadata, "annotations"), "gitops.binnacle/kept-fields");
  const entry = {
    object: "prod_web_apps_Deployment",
    field: "spec.replicas",
    user: "maintainer",
    at: expect.stringMatching(/^\d{4}-.*Z$/),
  };
  expect(JSON.parse(written)).toEqual([other, expect.objectContaining(entry)]);
  annotations = { "gitops.binnacle/kept-fields": written };
  await askFor(GitopsWish.UNDO_KEEP, { ...OBJECT, field: "spec.replicas" });
  expect(patches[1]).toMatchObject({ body: { metadata: { annotations: { "gitops.binnacle/kept-fields": JSON.stringify([other]) } } } });
});

test.each([
  [GitopsWish.TAKE_OVER, { ...OBJECT, name: "api" }, Code.NotFound],
  [GitopsWish.KEEP, { ...OBJECT, namespace: "kube-system", field: "spec.replicas" }, Code.NotFound],
  [GitopsWish.KEEP, OBJECT, Code.InvalidArgument],
  [GitopsWish.TAKE_OVER, { ...OBJECT, name: "a_b" }, Code.InvalidArgument],
  [GitopsWish.SYNC, OBJECT, Code.InvalidArgument],
])("T50: request %i for %j is rejected before anything is written", async (kind, object, code) => {
  await expect(askFor(kind, object)).rejects.toMatchObject({ code });
  expect(patches).toEqual([]);
});
