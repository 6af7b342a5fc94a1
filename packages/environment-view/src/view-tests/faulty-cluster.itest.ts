import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ACCEPT_DISCOVERY, createStatus, fieldsAt, fieldsOf, listAt, textAt } from "@binnacle/kube";
import { startKubeSandbox, type KubeSandbox } from "@binnacle/kube-sandbox";
import { FaultProxy, HurriedClock, settle, type FaultRule, type FaultyRequest, type ProxyFault } from "@binnacle/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { HttpKubeClient } from "../http/http-kube-client.ts";
import { createHttpsTransport, type HttpsTransport } from "../http/https-transport.ts";
import { ScreenOfView } from "./screen-of-view.ts";
import type { ViewSource } from "../stream/view-model.ts";

const NEVER = new AbortController().signal;
const KIND = "/configmaps/app";
const PATH = "/api/v1/namespaces/app/configmaps";

const dir = mkdtempSync(join(tmpdir(), "faulty-"));
const clock = new HurriedClock();
let cluster: KubeSandbox;
let admin: HttpKubeClient;
let direct: HttpsTransport;
let made = 0;

beforeAll(async () => {
  cluster = await startKubeSandbox({ dir, nodes: 1, clock });
  direct = createHttpsTransport({ baseUrl: cluster.server, ca: readFileSync(cluster.caFile, "utf8"), token: cluster.adminToken });
  admin = new HttpKubeClient(direct);
  await admin.json({ path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "app" } } }, NEVER);
  await make();
});
afterAll(async () => {
  direct.close();
  await cluster.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Another ConfigMap. @returns its name */
async function make(): Promise<string> {
  made += 1;
  const name = `made-${made}`;
  await admin.json({ path: PATH, body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "app" } } }, NEVER);
  return name;
}

const ofKind = ({ path }: FaultyRequest): boolean => path === PATH;
const isWatch = ({ query }: FaultyRequest): boolean => query.has("watch");
const isList = (request: FaultyRequest): boolean => !isWatch(request);
const isStream = ({ query }: FaultyRequest): boolean => query.has("sendInitialEvents");
const watchOfKind: FaultRule["match"] = (request) => ofKind(request) && isWatch(request);
const listOfKind: FaultRule["match"] = (request) => ofKind(request) && isList(request);

/** The API server's own words about it. */
function answer(
  code: number,
  message: string,
  extra: { headers?: Record<string, string>; details?: Record<string, unknown> } = {},
): ProxyFault {
  const { headers, details } = extra;
  const body = createStatus(code, message, details === undefined ? {} : { details });
  return { kind: "answer", status: code, body, ...(headers === undefined ? {} : { headers }) };
}

/** A page of the environment, over a proxy that does what networks and servers do. */
class Page {
  readonly proxy: FaultProxy;
  readonly screen: ScreenOfView;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  readonly #transport: HttpsTransport;

  private constructor(proxy: FaultProxy) {
    this.proxy = proxy;
    this.#transport = createHttpsTransport({ baseUrl: proxy.url, token: cluster.adminToken, clock });
    const client = new HttpKubeClient(this.#transport, { clock });
    const view = new EnvironmentView({ client, scope: { namespaces: ["app"] }, clock, random: () => 0.5 });
    this.#ended = view.run(this.#stop.signal);
    this.screen = new ScreenOfView(view);
  }

  static async open(before: (proxy: FaultProxy) => void = () => {}): Promise<Page> {
    const proxy = await FaultProxy.start({ target: cluster.server, ca: readFileSync(cluster.caFile, "utf8"), clock });
    before(proxy);
    return new Page(proxy);
  }

  get source(): ViewSource | undefined {
    return this.screen.sources.get(KIND);
  }

  /** Objects of the kind that are shown. */
  get names(): readonly string[] {
    return [...this.screen.nodes.values()].flatMap(({ ref }) =>
      ref.kind === "ConfigMap" && ref.name.startsWith("made-") ? [ref.name] : [],
    );
  }

  /** Every kind but this one is read, and nothing speaks against it. */
  get othersAreLive(): boolean {
    const others = [...this.screen.sources.values()].filter(({ id }) => id !== KIND);
    return (
      others.length > 20 && others.every(({ settled, stale }) => settled === "live" && (stale === undefined || stale.cause === "sampled"))
    );
  }

  get isLive(): boolean {
    return this.source?.settled === "live" && this.source.stale === undefined;
  }

  /** Lets time pass in steps, each once nothing is under way, until it holds. @throws after so much time */
  async until(holds: () => boolean, mostMs = 900_000): Promise<void> {
    for (let passedMs = 0; ; passedMs += STEP_MS) {
      await this.#idle();
      if (holds()) return;
      if (passedMs >= mostMs) throw new Error(`${String(holds)}: ${JSON.stringify([this.source, this.names])}`);
      clock.skip(STEP_MS);
    }
  }

  async elapse(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
      await this.#idle();
      clock.skip(STEP_MS);
    }
    await this.#idle();
  }

  async #idle(): Promise<void> {
    let quiet = 0;
    while (quiet < 5) {
      await settle();
      quiet = this.proxy.pending === 0 ? quiet + 1 : 0;
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#transport.close();
    await this.proxy.close();
    await this.#ended;
  }
}

const STEP_MS = 500;

let page: Page;
let heal: () => void = () => {};
afterEach(async () => {
  heal = () => {};
  await page.close();
});

/** What a page says of the kind while the fault lasts. */
interface Case {
  readonly name: string;
  readonly match: FaultRule["match"];
  readonly fault: ProxyFault;
  /** It says why. */
  readonly says: (source: ViewSource) => boolean;
}

const failsWith = (text: string) => (source: ViewSource) => source.settled === "error" && JSON.stringify(source.words).includes(text);

describe("a kind that cannot be read from the start says why, all others are live, and it heals by itself", () => {
  const cases: readonly Case[] = [
    { name: "400", match: ofKind, fault: answer(400, "no such thing"), says: failsWith("no such thing") },
    { name: "403", match: ofKind, fault: answer(403, "not for you"), says: ({ settled }) => settled === "forbidden" },
    { name: "404", match: ofKind, fault: answer(404, "not served"), says: ({ settled }) => settled === "unserved" },
    { name: "409", match: ofKind, fault: answer(409, "a conflict"), says: failsWith("a conflict") },
    { name: "500", match: ofKind, fault: answer(500, "etcdserver: request timed out"), says: failsWith("etcdserver") },
    { name: "502", match: ofKind, fault: answer(502, "bad gateway"), says: failsWith("bad gateway") },
    { name: "503", match: ofKind, fault: answer(503, "conversion webhook failed"), says: failsWith("conversion webhook") },
    {
      name: "429 with Retry-After",
      match: ofKind,
      fault: answer(429, "too many requests", { headers: { "retry-after": "20" } }),
      says: (source) => failsWith("too many")(source) && (source.retryAtMs ?? 0) > clock.now(),
    },
    {
      name: "Retry-After without end",
      match: ofKind,
      fault: answer(503, "come back later", { headers: { "retry-after": "999999999" } }),
      says: failsWith("come back later"),
    },
    {
      name: "too large resource version, by its Status alone",
      match: ofKind,
      fault: answer(504, "Timeout: Too large resource version: 900, current: 5", {
        details: { causes: [{ reason: "ResourceVersionTooLarge" }], retryAfterSeconds: 1 },
      }),
      says: failsWith("Too large resource version"),
    },
    {
      name: "pages that always expire",
      match: (request) => listOfKind(request) || (ofKind(request) && isStream(request)),
      fault: answer(410, "the provided continue parameter is too old"),
      says: failsWith("too old"),
    },
    {
      name: "no JSON",
      match: ofKind,
      fault: { kind: "answer", status: 500, body: "<html>oops</html>" },
      says: ({ settled }) => settled === "error",
    },
  ];

  test.each(cases)("$name", async ({ match, fault, says }) => {
    page = await Page.open((proxy) => (heal = proxy.add(match, fault)));
    await page.until(() => page.source !== undefined && says(page.source));
    await page.until(() => page.othersAreLive);
    expect(page.names).toEqual([]);
    heal();
    await page.until(() => page.isLive && page.names.length === made);
    await page.until(() => page.othersAreLive);
  });

  test("slow pages: the kind is loading, and comes", async () => {
    page = await Page.open((proxy) => proxy.add(ofKind, { kind: "delay", ms: 25_000 }));
    await page.until(() => page.othersAreLive, 20_000);
    expect(page.source?.settled).toBeUndefined();
    await page.until(() => page.isLive && page.names.length === made);
  });
});

describe("a kind that is live", () => {
  beforeEach(async () => {
    page = await Page.open();
    await page.until(() => page.isLive && page.othersAreLive && page.names.length === made);
  });

  test.each<Case>([
    { name: "500", match: ofKind, fault: answer(500, "etcdserver: leader changed"), says: ({ stale }) => stale?.cause === "error" },
    { name: "503", match: ofKind, fault: answer(503, "conversion webhook failed"), says: ({ stale }) => stale?.cause === "error" },
    {
      name: "429 with Retry-After",
      match: ofKind,
      fault: answer(429, "too many requests", { headers: { "retry-after": "5" } }),
      says: ({ stale }) => stale?.cause === "error",
    },
    { name: "403 to watches and lists", match: ofKind, fault: answer(403, "no more"), says: ({ settled }) => settled === "forbidden" },
    {
      name: "403 to watches alone",
      match: watchOfKind,
      fault: answer(403, "no watch"),
      says: ({ settled, stale }) => settled === "live" && stale?.cause === "sampled",
    },
    { name: "connections that break", match: ofKind, fault: { kind: "cut" }, says: ({ stale }) => stale?.cause === "way" },
  ])("whose watch breaks and is answered with $name: keeps what it has, says why, and heals by itself", async ({ match, fault, says }) => {
    heal = page.proxy.add(match, fault);
    page.proxy.end(watchOfKind, "rst");
    await page.until(() => page.source !== undefined && says(page.source));
    expect(page.names).toHaveLength(page.source?.settled === "live" ? made : 0);
    const name = await make();
    await page.until(() => page.othersAreLive);
    heal();
    await page.until(() => page.isLive && page.names.includes(name));
    expect(page.names).toHaveLength(made);
  });

  test.each(["answer", "fin", "rst"] as const)("whose watch ends (%s) goes on, and misses nothing", async (how) => {
    const lists = page.proxy.requests.filter((line) => line.includes(PATH)).length;
    page.proxy.end(watchOfKind, how);
    const name = await make();
    await page.until(() => page.names.includes(name), 30_000);
    expect(
      page.proxy.requests
        .filter((line) => line.includes(PATH))
        .slice(lists)
        .every((line) => line.includes("watch=1")),
    ).toBe(true);
    await page.until(() => page.isLive && page.othersAreLive);
  });

  test("R2: whose watch is half dead is opened anew within two minutes, and what happened meanwhile is shown", async () => {
    page.proxy.freeze(watchOfKind);
    const name = await make();
    await page.until(() => page.names.includes(name), 120_000);
    expect(page.isLive).toBe(true);
    expect(page.othersAreLive).toBe(true);
    // The silent one is left, and its connection with it.
    await page.until(() => page.proxy.watches(watchOfKind) === 1);
  });

  test("R2: all watches of the page half dead: every kind is opened anew", async () => {
    const before = page.proxy.watches();
    page.proxy.freeze(isWatch);
    const name = await make();
    await page.until(() => page.names.includes(name), 120_000);
    await page.elapse(120_000);
    expect(page.othersAreLive).toBe(true);
    expect(page.proxy.watches()).toBe(before);
  });

  test("whose history has expired (410) is read again, and nothing of it goes meanwhile", async () => {
    const expired = { type: "ERROR", object: createStatus(410, "too old resource version") };
    heal = page.proxy.add(watchOfKind, { kind: "answer", status: 200, body: `${JSON.stringify(expired)}\n` });
    page.proxy.end(watchOfKind, "rst");
    const name = await make();
    await page.until(() => page.names.includes(name));
    expect(page.screen.takeVanished()).toEqual([]);
    heal();
    await page.until(() => page.isLive);
    const other = await make();
    await page.until(() => page.names.includes(other), 5_000);
  });

  test("without bookmarks stays live for ten minutes, and its changes come at once", async () => {
    const without = (line: string): string | undefined =>
      line.startsWith('{"type":"BOOKMARK"') && !line.includes("initial-events-end") ? undefined : line;
    page.proxy.add(watchOfKind, { kind: "rewrite", line: without });
    page.proxy.end(watchOfKind, "rst");
    await page.until(() => page.isLive);
    for (let minute = 0; minute < 10; minute += 1) {
      await page.elapse(60_000);
      expect(page.isLive).toBe(true);
    }
    const name = await make();
    await page.until(() => page.names.includes(name), 2_000);
    expect(page.othersAreLive).toBe(true);
  });

  test("whose API server is restored to what it was: versions that go back are read again", async () => {
    page.proxy.freeze(watchOfKind);
    const old = (line: string): string => line.replace(/("kind":"[A-Za-z]*List".{0,200}?"resourceVersion":")\d+/, "$11");
    heal = page.proxy.add((request) => listOfKind(request) && request.query.get("limit") === "1", { kind: "rewrite", line: old });
    const before = page.proxy.requests.length;
    const name = await make();
    await page.until(() => page.names.includes(name), 120_000);
    const lines = page.proxy.requests.slice(before).filter((line) => line.includes(PATH));
    expect(lines.some((line) => line.includes("sendInitialEvents") || line.includes("limit=500"))).toBe(true);
    heal();
    await page.until(() => page.isLive && page.othersAreLive);
  });

  test("whose discovery is partly down stays, and so do all others", async () => {
    heal = page.proxy.add(({ path }) => path === "/apis", answer(503, "the aggregated discovery is down"));
    await page.elapse(60_000);
    expect(page.isLive && page.othersAreLive).toBe(true);
    const name = await make();
    await page.until(() => page.names.includes(name), 5_000);
  });
});

test.each([400, 422, 406])("a server that refuses streamed lists (%i) is read in pages", async (code) => {
  page = await Page.open((proxy) => proxy.add(isStream, answer(code, "sendInitialEvents is forbidden for watch")));
  await page.until(() => page.isLive && page.othersAreLive && page.names.length === made);
  const name = await make();
  await page.until(() => page.names.includes(name), 5_000);
  expect(page.isLive && page.othersAreLive).toBe(true);
});

/** Discovery while the server of a group is down (freshness of apidiscovery.k8s.io/v2). */
async function discoveryWithout(group: string): Promise<ProxyFault> {
  const document = await admin.json({ path: "/apis", accept: ACCEPT_DISCOVERY }, NEVER);
  const items = listAt(document, "items").map((item) => {
    if (textAt(fieldsAt(item, "metadata"), "name") !== group) return item;
    return { metadata: { name: group }, versions: [{ version: "v1", freshness: "Stale", resources: [] }] };
  });
  const headers = { "content-type": "application/json", etag: '"stale"' };
  return { kind: "answer", status: 200, headers, body: { ...fieldsOf(document), items } };
}

const isDiscovery = ({ path }: FaultyRequest): boolean => path === "/apis";

test("a group whose own server is down from the start hides no other, and comes with it", async () => {
  const fault = await discoveryWithout("batch");
  page = await Page.open((proxy) => (heal = proxy.add(isDiscovery, fault)));
  await page.until(() => page.isLive && page.names.length === made);
  expect([page.screen.sources.has("batch/jobs/app"), page.screen.sources.get("apps/deployments/app")?.settled]).toEqual([false, "live"]);
  heal();
  await page.until(() => page.screen.sources.get("batch/jobs/app")?.settled === "live");
});

test("a group whose own server goes down keeps its kinds, which are watched on", async () => {
  const fault = await discoveryWithout("batch");
  page = await Page.open();
  await page.until(() => page.screen.sources.get("batch/jobs/app")?.settled === "live" && page.othersAreLive);
  heal = page.proxy.add(isDiscovery, fault);
  await page.elapse(60_000);
  expect(page.screen.sources.get("batch/jobs/app")?.settled).toBe("live");
  expect(page.isLive && page.othersAreLive).toBe(true);
});
