import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ActionKind, ActionOutcome, type Change } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { eventually } from "@binnacle/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { SealedClaims } from "../../session/sealed-claims.ts";
import { parseSessionKeys, SessionKeyRing } from "../../config/session-keys.ts";
import { workloadSpec } from "../../testing/action-bench.ts";
import { ClusterBehindKas } from "../../testing/cluster-behind-kas.ts";
import { NAMES } from "../../testing/dashboard-tab.ts";
import { keyLine, WebProcesses, type WebProcess } from "../../testing/web-processes.ts";
import type { ViewerAct } from "../../authors/viewer-act.ts";

/** A notice takes milliseconds, a change as long as a watch and a view. */
const NAMED_WITHIN_MS = 10_000;
const NAMESPACE = "prod";
const PATH = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;

const dir = mkdtempSync(join(tmpdir(), "authors-"));
let cluster: ClusterBehindKas;
let serial = 0;
beforeAll(async () => {
  cluster = await ClusterBehindKas.embedded(dir);
  await cluster.send("POST", "/api/v1/namespaces", { body: { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } } });
});
afterAll(async () => {
  await cluster.stop();
  rmSync(dir, { recursive: true, force: true });
});

let world: WebProcesses;
let keys: string;
let name: string;
beforeEach(async () => {
  world = await WebProcesses.open();
  world.kas.cluster = cluster.forward;
  world.main.tokens.set("glpat-ben", "ben");
  world.kas.allowed.add("ben");
  keys = keyLine();
  world.writeKeys(keys);
  serial += 1;
  name = `web-${serial}`;
  await cluster.send("POST", PATH, { body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name }, spec: workloadSpec() } });
});
afterEach(() => world.close());

const target = () => ({
  ...NAMES,
  ref: { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: NAMESPACE, name },
});

/** A viewer whose page shows the environment, so that it has a journal there. */
async function viewerAt({ address }: WebProcess, token?: string) {
  const cookie = await world.signIn(address, token);
  const client = world.client(address, cookie);
  const tab = world.tab(address, cookie);
  await tab.until((now) => now.isComplete() && now.named(name) !== undefined);
  const changes = async (): Promise<Change[]> => {
    const { ref, ...names } = target();
    return (await client.getResource({ ...names, ref })).changes.filter(({ manager }) => manager === "binnacle");
  };
  const perform = async (kind: ActionKind, parameters: { readonly replicas?: number } = {}): Promise<ActionOutcome> => {
    const action = { target: target(), kind, parameters };
    const { uid, requestedAt, field } = await client.previewAction(action);
    const expected = field?.before;
    const request = { ...action, uid, requestId: randomUUID(), ...(expected !== undefined && { expected }) };
    return (await client.act({ ...request, ...(requestedAt && { requestedAt }) })).outcome;
  };
  return { client, changes, perform };
}

/** Who the changes of our manager are by, newest first; "-" for no author. */
const authors = (changes: readonly Change[]): string => changes.map(({ by }) => (by ? `${by.name} @${by.username}` : "-")).join();

async function until(viewer: Awaited<ReturnType<typeof viewerAt>>, wanted: string): Promise<void> {
  await eventually(async () => {
    const named = authors(await viewer.changes());
    return named === wanted ? undefined : `the authors are ${named}`;
  }, NAMED_WITHIN_MS);
}

test("an action names its viewer at its process and at a peer, and no author at a process without a notice", async () => {
  const [peer, alone] = [await world.start(keys), await world.start(keys)];
  const one = await world.start(keys, { peers: [`http://${peer.address}`] });
  const [ann, ben, other] = [await viewerAt(one), await viewerAt(peer, "glpat-ben"), await viewerAt(alone, "glpat-ben")];
  await ann.client.previewAction({ target: target(), kind: ActionKind.SCALE, parameters: { replicas: 9 } });
  expect(await ann.perform(ActionKind.SCALE, { replicas: 3 })).toBe(ActionOutcome.DONE);
  await until(ann, "ann @ann");
  await until(ben, "ann @ann");
  await until(other, "-");
  const [change] = await ben.changes();
  expect(change).toMatchObject({ fields: [{ path: "spec.replicas", after: "3" }], uid: "", resourceVersions: [], by: { others: 0 } });
});

test("each change of one object names its own viewer", async () => {
  const one = await world.start(keys);
  const [ann, ben] = [await viewerAt(one), await viewerAt(one, "glpat-ben")];
  expect(await ann.perform(ActionKind.SCALE, { replicas: 3 })).toBe(ActionOutcome.DONE);
  await until(ben, "ann @ann");
  // Through the object itself: no change that goes on with the one through its scale.
  expect(await ben.perform(ActionKind.RESTART)).toBe(ActionOutcome.DONE);
  await until(ann, "ben @ben,ann @ann");
});

test("T64: a notice that is no act, or not sealed by a peer, names no author; neither does a change that matches two acts", async () => {
  const one = await world.start(keys);
  const ann = await viewerAt(one);
  expect(await ann.perform(ActionKind.SCALE, { replicas: 3 })).toBe(ActionOutcome.DONE);
  await until(ann, "ann @ann");
  const { metadata } = await cluster.send("GET", `${PATH}/${name}`);
  // Every object has one.
  const { uid } = metadata as { readonly uid: string };
  const nowMs = systemClock.now();
  const act: ViewerAct = {
    id: "i".repeat(22),
    projectPath: NAMES.projectPath,
    environment: NAMES.environment,
    uid,
    version: "",
    action: "scale",
    isRemoval: false,
    begunMs: nowMs,
    endedMs: nowMs,
    username: "mallory",
    name: "ann",
  };
  const sealed = (ring: string, claims: object) =>
    new SealedClaims(new SessionKeyRing(parseSessionKeys(ring)), systemClock, {
      audience: "binnacle-web-act",
      type: "binnacle-act-1",
    }).seal({ act: claims }, Math.ceil(nowMs / 1_000) + 60);
  const post = async (body: string): Promise<number> =>
    (await fetch(`http://${one.address}/api/session/ended`, { method: "POST", body })).status;
  for (const body of [await sealed(keyLine(), act), await sealed(keys, { ...act, name: "n".repeat(200) }), JSON.stringify(act)])
    expect(await post(body)).toBe(204);
  expect(authors(await ann.changes())).toBe("ann @ann");
  expect(await post(await sealed(keys, act))).toBe(204);
  expect(authors(await ann.changes())).toBe("-");
});
