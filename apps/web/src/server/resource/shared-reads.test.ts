import { KubeClientError } from "@binnacle/environment-view";
import type { KubeObject } from "@binnacle/kube";
import { ResourceRefSchema } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { beforeEach, expect, test } from "vitest";

import { namedResource } from "./named-resource.ts";
import { SharedReads, type SharedRead } from "./shared-reads.ts";

/** A read that a cluster has begun. */
interface Begun extends PromiseWithResolvers<KubeObject> {
  readonly signal: AbortSignal;
}

let clock: ManualClock;
let reads: SharedReads;
let begun: Begun[];
beforeEach(() => {
  clock = new ManualClock();
  reads = new SharedReads(clock);
  begun = [];
});

const NEVER = new AbortController().signal;
const OBJECT: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "web", namespace: "shop" } };

interface Given {
  readonly credentialKey?: string;
  readonly agentId?: bigint;
  readonly environment?: string;
  readonly name?: string;
  readonly signal?: AbortSignal;
}

function read({ credentialKey = "ann", agentId = 3n, environment = "staging", name = "web", signal = NEVER }: Given = {}) {
  const get: SharedRead["opened"]["access"]["client"]["get"] = (_, own) => {
    const each = { ...Promise.withResolvers<KubeObject>(), signal: own };
    own.addEventListener("abort", () => each.reject(new KubeClientError("connection", words("request/api-silent"))));
    begun.push(each);
    return each.promise;
  };
  const ref = create(ResourceRefSchema, { version: "v1", kind: "ConfigMap", resource: "configmaps", namespace: "shop", name });
  const access = { credentialKey, agentId, client: { get } };
  return reads.get({ ...namedResource(ref), opened: { access, environment: { projectPath: "group/app", name: environment } }, signal });
}

test("calls at the same time share a read; one that comes after its answer reads by itself", async () => {
  const both = [read(), read()];
  expect(begun).toHaveLength(1);
  begun[0]?.resolve(OBJECT);
  expect(await Promise.all(both)).toEqual([OBJECT, OBJECT]);
  const later = read();
  expect(begun).toHaveLength(2);
  begun[1]?.resolve({ ...OBJECT, kind: "Later" });
  expect(await later).toMatchObject({ kind: "Later" });
});

test.each([{ credentialKey: "ben" }, { agentId: 4n }, { environment: "production" }, { name: "other" }])(
  "a read is not shared with %o",
  async (other) => {
    const both = [read(), read(other)];
    expect(begun).toHaveLength(2);
    for (const each of begun) each.resolve(OBJECT);
    await Promise.all(both);
  },
);

test("a read that began a second ago is not joined", async () => {
  const first = read();
  clock.advance(999);
  const joined = read();
  clock.advance(1);
  const own = read();
  const joinedToIt = read();
  expect(begun).toHaveLength(2);
  begun[0]?.resolve(OBJECT);
  begun[1]?.resolve({ ...OBJECT, kind: "Later" });
  expect((await Promise.all([first, joined, own, joinedToIt])).map(({ kind }) => kind)).toEqual([
    "ConfigMap",
    "ConfigMap",
    "Later",
    "Later",
  ]);
});

test("a failure is the answer of all, and is not kept", async () => {
  const both = [read(), read()];
  begun[0]?.reject(new KubeClientError("connection", words("answer/not-of-api")));
  for (const each of both) await expect(each).rejects.toThrow(KubeClientError);
  const later = read();
  begun[1]?.resolve(OBJECT);
  expect(await later).toBe(OBJECT);
});

test("a caller that leaves ends its own wait, and the read only as the last one", async () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const [leaving, staying] = [read({ signal: one.signal }), read({ signal: other.signal })];
  one.abort();
  await expect(leaving).rejects.toThrow(KubeClientError);
  expect(begun[0]?.signal.aborted).toBe(false);
  other.abort();
  await expect(staying).rejects.toThrow(KubeClientError);
  expect(begun[0]?.signal.aborted).toBe(true);
});

test("a caller after the last one has left reads by itself", async () => {
  const leave = new AbortController();
  const leaving = read({ signal: leave.signal });
  leave.abort();
  await expect(leaving).rejects.toThrow(KubeClientError);
  const next = read();
  begun[1]?.resolve(OBJECT);
  expect(await next).toBe(OBJECT);
});

test("a caller that has left before does not wait", async () => {
  await expect(read({ signal: AbortSignal.abort() })).rejects.toThrow(KubeClientError);
});
