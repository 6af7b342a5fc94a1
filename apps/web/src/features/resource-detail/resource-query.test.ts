import {
  ChangeSchema,
  GetResourceResponseSchema,
  ResourceRefSchema,
  type Change,
  type GetResourceResponse,
} from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { environmentManager, QueryObserver, type QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createQueryClient } from "../queries/query-client.ts";
import { resourceQuery, type ResourceAsking } from "./resource-query.ts";

const REF = create(ResourceRefSchema, { kind: "Deployment", name: "web" });

let client: QueryClient;
/** How long a load takes; a server that has not heard of aborting when it does not matter. */
let takesMs: number;
let failing: ConnectError | undefined;
/** State of the object in the cluster. */
let version: number;
let [begun, running, mostRunning, aborted] = [0, 0, 0, 0];
let beginnings: number[];
let aheadMs: number;
let follower: Follower | undefined;
/** Changes of the object, as the server sends them. */
let changes: Change[];

beforeEach(() => {
  // A server repeats no query; this is a page.
  environmentManager.setIsServer(() => false);
  vi.useFakeTimers({ now: 1_000_000 });
  vi.spyOn(Math, "random").mockReturnValue(1);
  client = createQueryClient();
  [takesMs, failing, version, begun, running, mostRunning, aborted, aheadMs] = [50, undefined, 0, 0, 0, 0, 0, 0];
  beginnings = [];
  changes = [];
});

afterEach(() => {
  follower?.leave();
  follower = undefined;
  client.clear();
  vi.restoreAllMocks();
  environmentManager.setIsServer(() => true);
  vi.useRealTimers();
});

function load(name: string, signal: AbortSignal | undefined): Promise<GetResourceResponse> {
  const [read, failure] = [version, failing];
  begun += 1;
  beginnings.push(Date.now());
  running += 1;
  mostRunning = Math.max(mostRunning, running);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      running -= 1;
      if (failure) reject(failure);
      else resolve(create(GetResourceResponseSchema, { yaml: `${name} ${read}`, changes }));
    }, takesMs);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      running -= 1;
      aborted += 1;
      reject(new ConnectError("aborted", Code.Canceled));
    });
  });
}

const ASKING: ResourceAsking = {
  dashboard: () => ({ getResource: ({ ref }, options) => load(ref?.name ?? "", options?.signal) }),
  clock: { now: () => Date.now() + aheadMs, after: () => () => undefined },
};

/** A change of the object that was made on a page now. */
function changed(init: MessageInitShape<typeof ChangeSchema> = {}): Change {
  return create(ChangeSchema, { manager: "binnacle", at: toTimestamp(Date.now()), ...init });
}

/** What the hook does, without React: an observer that is given the options of every rendering. */
class Follower {
  readonly #observer: ReturnType<typeof observerOf>;
  readonly #leave: () => void;

  constructor(name = "web", enabled = true) {
    this.#observer = observerOf(name, enabled);
    this.#leave = this.#observer.subscribe(() => undefined);
  }

  show(name = "web", enabled = true): void {
    this.#observer.setOptions(optionsOf(name, enabled));
  }

  get now() {
    return this.#observer.getCurrentResult();
  }

  get yaml(): string | undefined {
    return this.now.data?.answer.yaml;
  }

  leave(): void {
    this.#leave();
  }
}

function observerOf(name: string, enabled: boolean) {
  return new QueryObserver(client, optionsOf(name, enabled));
}

function optionsOf(name: string, enabled: boolean) {
  const where = { projectPath: "group/app", environment: "production", id: name, life: 1 };
  return { ...resourceQuery({ ...where, ref: { ...REF, name }, revision: version }, ASKING), enabled };
}

function change(): void {
  version += 1;
  follower?.show();
}

/** Changes every so many milliseconds, so often; gives the longest time that a change was not on the screen. */
async function changeEvery(stepMs: number, times: number): Promise<number> {
  let worstMs = 0;
  const sinceMs = new Map<number, number>();
  for (let index = 0; index < times; index += 1) {
    change();
    sinceMs.set(version, Date.now());
    for (let passedMs = 0; passedMs < stepMs; passedMs += 10) {
      await vi.advanceTimersByTimeAsync(10);
      const shown = Number(follower?.yaml?.split(" ")[1] ?? -1);
      for (const [each, atMs] of sinceMs) {
        worstMs = Math.max(worstMs, Date.now() - atMs);
        if (each <= shown) sinceMs.delete(each);
      }
    }
  }
  return worstMs;
}

describe("details of a resource", () => {
  test("W8: what changes every 300 ms for 25 s is loaded all the while, and no change is older than a second", async () => {
    follower = new Follower();
    expect(await changeEvery(300, 83)).toBeLessThanOrEqual(1_000);
    expect(aborted).toBe(0);
    expect(begun).toBeLessThanOrEqual(52);
  });

  test("W8: fifty changes in 20 s with answers of 400 ms are current within a second", async () => {
    takesMs = 400;
    follower = new Follower();
    expect(await changeEvery(400, 50)).toBeLessThanOrEqual(1_000);
    expect(mostRunning).toBe(1);
  });

  test("W8: the first load is not given up for changes that come while it runs, and the last of them is loaded after it", async () => {
    takesMs = 3_000;
    follower = new Follower();
    await changeEvery(100, 25);
    expect([begun, follower.yaml]).toEqual([1, undefined]);
    await vi.advanceTimersByTimeAsync(600);
    expect(follower.yaml).toBe("web 0");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(follower.yaml).toBe("web 25");
    expect([aborted, mostRunning, begun]).toEqual([0, 1, 2]);
  });

  test("a hundred changes at once are one load, and one more", async () => {
    follower = new Follower();
    await vi.advanceTimersByTimeAsync(10);
    for (let index = 0; index < 100; index += 1) change();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([begun, follower.yaml]).toEqual([2, "web 100"]);
  });

  test("a change after a quiet time is loaded at once", async () => {
    follower = new Follower();
    await vi.advanceTimersByTimeAsync(5_000);
    change();
    await vi.advanceTimersByTimeAsync(1 + takesMs + 1);
    expect([begun, follower.yaml]).toEqual([2, "web 1"]);
  });

  test("what failed is tried again without a change, later each time, and not sooner because of one", async () => {
    failing = new ConnectError("the cluster does not answer", Code.Unavailable);
    follower = new Follower();
    for (let ms = 0; ms < 40_000; ms += 50) {
      await vi.advanceTimersByTimeAsync(50);
      change();
    }
    const gaps = beginnings.slice(1).map((ms, index) => ms - (beginnings[index] ?? 0));
    expect(gaps.slice(0, 6)).toEqual([550, 1_050, 2_050, 4_050, 8_050, 10_050]);
    failing = undefined;
    await vi.advanceTimersByTimeAsync(11_000);
    expect(follower.yaml).toBe(`web ${version}`);
  });

  test("W8: a failure keeps the last answer and is shown with it, until the next answer", async () => {
    follower = new Follower();
    await vi.advanceTimersByTimeAsync(1_000);
    failing = new ConnectError("the cluster does not answer", Code.Unavailable);
    change();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(follower.yaml).toBe("web 0");
    expect(follower.now.data?.answeredMs).toBe(1_000_050);
    expect(follower.now.failureReason?.message).toContain("the cluster does not answer");
    failing = undefined;
    await vi.advanceTimersByTimeAsync(20_000);
    expect([follower.yaml, follower.now.failureReason]).toEqual(["web 1", null]);
  });

  test("a denied query is not repeated all the time, but again after half a minute: rights may return", async () => {
    failing = new ConnectError("no", Code.PermissionDenied);
    follower = new Follower();
    await vi.advanceTimersByTimeAsync(25_000);
    expect([begun, follower.now.status]).toEqual([1, "error"]);
    failing = undefined;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([begun, follower.yaml]).toEqual([2, "web 0"]);
  });

  test("W8: a slow answer about one resource never shows as another's", async () => {
    takesMs = 1_000;
    follower = new Follower("a");
    await vi.advanceTimersByTimeAsync(10);
    takesMs = 5_000;
    follower.show("b");
    await vi.advanceTimersByTimeAsync(2_000);
    expect([follower.yaml, aborted]).toEqual([undefined, 1]);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(follower.yaml).toBe("b 0");
  });

  test("W8: and back: the answer of the first visit is not the second's", async () => {
    follower = new Follower("a");
    await vi.advanceTimersByTimeAsync(1_000);
    follower.show("b");
    await vi.advanceTimersByTimeAsync(1_000);
    version = 7;
    takesMs = 3_000;
    follower.show("a");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(follower.yaml).toBeUndefined();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(follower.yaml).toBe("a 7");
  });

  test("W8: a deleted resource is not queried any more, and its last result stays", async () => {
    follower = new Follower();
    await vi.advanceTimersByTimeAsync(1_000);
    version += 1;
    follower.show("web", false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([begun, follower.yaml]).toEqual([1, "web 0"]);
  });

  test("W8: closing it aborts the query under way, and nothing of it is cached", async () => {
    follower = new Follower();
    await vi.advanceTimersByTimeAsync(10);
    follower.leave();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([aborted, begun, client.getQueryCache().getAll().length]).toEqual([1, 1, 0]);
  });

  test("a notice that comes after its change names the viewer without another change", async () => {
    changes = [changed()];
    follower = new Follower();
    await vi.advanceTimersByTimeAsync(10_000);
    changes = [changed({ by: { name: "Ann", username: "ann" } })];
    await vi.advanceTimersByTimeAsync(3_100);
    expect(follower.now.data?.answer.changes.map(({ by }) => by?.username)).toEqual(["ann"]);
    const named = begun;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(begun).toBe(named);
  });

  test("a change by an unknown viewer is queried again for a minute, and one by another manager or of another time is not", async () => {
    changes = [changed()];
    follower = new Follower();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(begun).toBe(21);
    changes = [changed({ manager: "kubectl-edit" }), changed({ at: toTimestamp(Date.now() + 3_600_000) })];
    change();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(begun).toBe(22);
  });

  test("while a viewer may still be named, a change is loaded as fast as ever", async () => {
    changes = [changed()];
    follower = new Follower();
    expect(await changeEvery(300, 20)).toBeLessThanOrEqual(1_000);
  });

  test("a clock that is set back by an hour delays nothing", async () => {
    follower = new Follower();
    await vi.advanceTimersByTimeAsync(100);
    aheadMs = -3_600_000;
    change();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(follower.yaml).toBe("web 1");
  });
});
