import { createStatus, type WatchEvent } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { describe, expect, test } from "vitest";

import { kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { HttpKubeClient } from "./http-kube-client.ts";
import type { KubeRequest } from "./kube-transport.ts";
import { ScriptedTransport, type ScriptedAnswer } from "./scripted-transport.ts";

const NEVER = new AbortController().signal;
const PODS = kindOf("/v1/pods/Pod");

function resources(version: string, ...names: readonly string[]): object {
  const kinds = names.map((name) => ({ resource: name, responseKind: { kind: name }, scope: "Namespaced", verbs: ["list"] }));
  return { version, freshness: "Current", resources: kinds };
}

function aggregated(groups: Readonly<Record<string, object>>): object {
  return {
    kind: "APIGroupDiscoveryList",
    items: Object.entries(groups).map(([name, version]) => ({ metadata: { name }, versions: [version] })),
  };
}

function names(discovery: { readonly kinds: readonly { readonly group: string; readonly resource: string }[] } | undefined): string[] {
  return (discovery?.kinds ?? []).map(({ group, resource }) => `${group}/${resource}`);
}

describe("aggregated discovery", () => {
  test("asks with the tag it has, and keeps what it knows of what has not changed", async () => {
    const documents: Record<string, ScriptedAnswer> = {
      "/api": { headers: { etag: '"core"' }, body: aggregated({ "": resources("v1", "pods") }) },
      "/apis": { headers: { etag: '"one"' }, body: aggregated({ apps: resources("v1", "deployments") }) },
    };
    const transport = new ScriptedTransport(({ path, ifNoneMatch }) =>
      ifNoneMatch === documents[path]?.headers?.["etag"] ? { status: 304, body: "" } : (documents[path] ?? { status: 404 }),
    );
    const client = new HttpKubeClient(transport);
    const first = await client.discover(undefined, NEVER);
    expect(names(first)).toEqual(["/pods", "apps/deployments"]);
    expect(await client.discover(first?.etag, NEVER)).toBeUndefined();
    documents["/apis"] = { headers: { etag: '"two"' }, body: aggregated({ "x.io": resources("v1", "things") }) };
    expect(names(await client.discover(first?.etag, NEVER))).toEqual(["/pods", "x.io/things"]);
    expect(transport.requests.at(-1)).toMatchObject({ path: "/apis", ifNoneMatch: '"one"' });
    expect(transport.requests[0]?.accept).toMatch(/v=v2;.*v=v2beta1;.*application\/json$/);
  });

  test("a group whose server does not answer keeps its kinds until they are really gone", async () => {
    let version: object = resources("v1", "things");
    const transport = new ScriptedTransport(({ path }) => ({
      body: aggregated(path === "/api" ? { "": resources("v1", "pods") } : { "x.io": version }),
    }));
    const client = new HttpKubeClient(transport);
    await client.discover(undefined, NEVER);
    version = { version: "v1", freshness: "Stale", resources: [] };
    expect(names(await client.discover(undefined, NEVER))).toEqual(["/pods", "x.io/things"]);
    version = { version: "v1", freshness: "Current", resources: [] };
    expect(names(await client.discover(undefined, NEVER))).toEqual(["/pods"]);
  });
});

describe("plain discovery", () => {
  const list = (groupVersion: string, name: string): object => ({
    kind: "APIResourceList",
    groupVersion,
    resources: [{ name, kind: name, namespaced: true, verbs: ["list"] }],
  });
  const group = (name: string): object => ({ name, preferredVersion: { version: "v1" }, versions: [{ version: "v1" }] });
  const documents: Record<string, object> = {
    "/api": { kind: "APIVersions", versions: ["v1"] },
    "/api/v1": list("v1", "pods"),
    "/apis": { kind: "APIGroupList", groups: [group("apps"), group("metrics.k8s.io")] },
    "/apis/apps/v1": list("apps/v1", "deployments"),
    "/apis/metrics.k8s.io/v1": list("metrics.k8s.io/v1", "nodes"),
  };

  test("is the way with servers that know no aggregated documents, at most once a minute", async () => {
    const clock = new ManualClock();
    const transport = new ScriptedTransport(({ path }) => ({ body: documents[path] }));
    const client = new HttpKubeClient(transport, { clock });
    const first = await client.discover(undefined, NEVER);
    expect(names(first)).toEqual(["/pods", "apps/deployments", "metrics.k8s.io/nodes"]);
    const groupRequests = (): number => transport.requests.filter(({ path }) => path === "/apis/apps/v1").length;
    clock.advance(59_000);
    expect(await client.discover(first?.etag, NEVER)).toBeUndefined();
    expect(groupRequests()).toBe(1);
    clock.advance(1_000);
    expect(await client.discover(first?.etag, NEVER)).toBeUndefined();
    expect(groupRequests()).toBe(2);
  });

  test("US6: only what the API server answers by itself, and a proof, must be answered soon: a group's own server may take its time", async () => {
    const transport = new ScriptedTransport(({ path }) => ({ body: documents[path] ?? {} }));
    const client = new HttpKubeClient(transport, { clock: new ManualClock() });
    await client.discover(undefined, NEVER);
    await client.json({ path: "/apis/authentication.k8s.io/v1/selfsubjectreviews", body: {}, proof: true }, NEVER);
    await client.json({ path: "/api/v1/pods" }, NEVER);
    const soon = transport.requests.filter(({ answerWithinSeconds }) => answerWithinSeconds !== undefined).map(({ path }) => path);
    expect(new Set(soon)).toEqual(new Set(["/api", "/apis", "/apis/authentication.k8s.io/v1/selfsubjectreviews"]));
  });

  test("a broken aggregated API neither hides the others nor loses its own kinds", async () => {
    const clock = new ManualClock();
    let broken = true;
    const transport = new ScriptedTransport(({ path }) =>
      broken && path.includes("metrics") ? { status: 503, body: createStatus(503, "no endpoints") } : { body: documents[path] },
    );
    const client = new HttpKubeClient(transport, { clock });
    expect(names(await client.discover(undefined, NEVER))).toEqual(["/pods", "apps/deployments"]);
    broken = false;
    clock.advance(60_000);
    expect(names(await client.discover(undefined, NEVER))).toContain("metrics.k8s.io/nodes");
    broken = true;
    clock.advance(60_000);
    expect(names(await client.discover(undefined, NEVER))).toContain("metrics.k8s.io/nodes");
  });
});

function line(type: string, name: string): string {
  return `${JSON.stringify({ type, object: { apiVersion: "v1", kind: "Pod", metadata: { name, resourceVersion: "5" } } })}\n`;
}

const END = `${JSON.stringify({
  type: "BOOKMARK",
  object: { kind: "Pod", metadata: { resourceVersion: "9", annotations: { "k8s.io/initial-events-end": "true" } } },
})}\n`;

async function eventsOf(answer: ScriptedAnswer): Promise<{ events: WatchEvent[]; error: unknown; transport: ScriptedTransport }> {
  const transport = new ScriptedTransport(() => answer);
  const events: WatchEvent[] = [];
  let error: unknown;
  try {
    const stream = new HttpKubeClient(transport).stream({ kind: PODS, namespace: "app", metadataOnly: false }, NEVER);
    for await (const event of stream) events.push(event);
  } catch (caught) {
    error = caught;
  }
  return { events, error, transport };
}

describe("streamed lists", () => {
  test("ask for the initial events and give them as they come, however the bytes are cut", async () => {
    const text = line("ADDED", "ä") + line("ADDED", "b") + END;
    const { events, transport, error } = await eventsOf({ pieces: [text.slice(0, 50), text.slice(50, 51), text.slice(51)] });
    expect(error).toBeUndefined();
    expect(events).toMatchObject([
      { type: "ADDED", object: { metadata: { name: "ä" } } },
      { type: "ADDED", object: { metadata: { name: "b" } } },
      { type: "BOOKMARK", resourceVersion: "9", initialEventsEnd: true },
    ]);
    expect(transport.requests[0]?.path).toBe(
      "/api/v1/namespaces/app/pods?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
    );
    expect(transport.closed).toBe(1);
  });

  test.each([undefined, 300])("say how long a watch may last (%s)", async (timeoutSeconds) => {
    const transport = new ScriptedTransport(() => ({ pieces: [END] }));
    const client = new HttpKubeClient(transport);
    const request = { kind: PODS, namespace: "app", metadataOnly: false, ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) };
    for await (const _ of client.stream(request, NEVER));
    for await (const _ of client.watch({ ...request, resourceVersion: "7" }, NEVER));
    const timeouts = transport.requests.map(({ path }) => new URLSearchParams(path.split("?")[1]).get("timeoutSeconds"));
    expect(timeouts).toEqual(timeoutSeconds === undefined ? [null, null] : ["300", "300"]);
  });

  test.each([
    ["breaks off", [line("ADDED", "a"), new Error("reset")], "the watch broke off"],
    ["ends in a line", [line("ADDED", "a"), '{"type":'], "the watch broke off in a line"],
    ["is not JSON", [line("ADDED", "a"), "<html>\n"], "a line of the watch cannot be read"],
  ])("a stream that %s is a broken connection, after what came before", async (_how, pieces, message) => {
    const { events, error } = await eventsOf({ pieces });
    expect(events).toHaveLength(1);
    expect(error).toMatchObject({ name: "KubeClientError", failure: "connection", message });
  });

  test("once the API server has rejected one, no further one is requested; the rejection of another server is its own", async () => {
    const answerTo = (request: KubeRequest): ScriptedAnswer => ({ status: 422, body: createStatus(422, `no ${request.path}`) });
    const transport = new ScriptedTransport(answerTo);
    const client = new HttpKubeClient(transport);
    const ask = async (kind: string): Promise<void> => {
      const stream = client.stream({ kind: kindOf(kind), namespace: "", metadataOnly: false }, NEVER);
      await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ failure: "api", status: { code: 422 } });
    };
    await ask("metrics.k8s.io/v1/pods/PodMetrics");
    await ask("metrics.k8s.io/v1/nodes/NodeMetrics");
    expect(transport.requests).toHaveLength(1);
    await ask("/v1/pods/Pod");
    await ask("apps/v1/deployments/Deployment");
    await ask("x.io/v1/things/Thing");
    expect(transport.requests).toHaveLength(2);
  });

  test("a refusal of the identity is not remembered: rights may come", async () => {
    let answer: ScriptedAnswer = { status: 403, body: createStatus(403, "no") };
    const client = new HttpKubeClient(new ScriptedTransport(() => answer));
    const next = (): Promise<IteratorResult<WatchEvent>> =>
      client.stream({ kind: PODS, namespace: "", metadataOnly: false }, NEVER)[Symbol.asyncIterator]().next();
    await expect(next()).rejects.toMatchObject({ status: { code: 403 } });
    answer = { body: END };
    expect((await next()).value).toMatchObject({ type: "BOOKMARK" });
  });
});

test("a refusal tells the server's Status and when to come again", async () => {
  const body = { ...createStatus(429, "slow down"), code: 0 };
  const client = new HttpKubeClient(new ScriptedTransport(() => ({ status: 429, headers: { "retry-after": "8" }, body })));
  const failure = client.get({ kind: PODS, namespace: "app", name: "a" }, NEVER);
  await expect(failure).rejects.toMatchObject({ failure: "api", message: "slow down", retryAfterSeconds: 8, status: { code: 429 } });
});

test("what a transport says of the way stays; anything else it throws is a broken connection", async () => {
  const failing = (why: Error): HttpKubeClient => new HttpKubeClient({ request: () => Promise.reject(why) });
  const busy = new KubeClientError("busy", "no tunnel is free");
  await expect(failing(busy).discover(undefined, NEVER)).rejects.toBe(busy);
  await expect(failing(new Error("reset")).discover(undefined, NEVER)).rejects.toMatchObject({ failure: "connection" });
});
