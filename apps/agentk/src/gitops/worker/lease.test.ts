import { fieldsOf, textAt } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { FakeLeaseApi } from "../testing/fake-lease-api.ts";
import { Lease, runHolding, type LeaseNotes } from "./lease.ts";

let clock: ManualClock;
let api: FakeLeaseApi;
/** Who acts now. */
let acting: string[];
let most: number;

beforeEach(() => {
  clock = new ManualClock();
  api = new FakeLeaseApi();
  acting = [];
  most = 0;
});

interface Replica {
  stop(): Promise<void>;
  /** The process is gone: it says nothing more. */
  kill(): void;
}

function start(holder: string, notes?: LeaseNotes): Replica {
  const lease = new Lease({ api: api.for(holder), clock, namespace: "ns", name: "lease", holder, ...(notes && { notes: [notes] }) });
  const stop = new AbortController();
  const running = lease.run(async (signal) => {
    acting.push(holder);
    most = Math.max(most, acting.length);
    await new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener("abort", resolve, { once: true });
    });
    acting = acting.filter((one) => one !== holder);
  }, stop.signal);
  return {
    async stop() {
      stop.abort();
      await running;
    },
    kill: () => api.trouble.set(holder, "hang"),
  };
}

test("one of two acts, for as long as it renews, and the other one at once when it leaves", async () => {
  const [a, b] = [start("a"), start("b")];
  await clock.elapse(120_000);
  const [first] = acting;
  expect(acting).toHaveLength(1);
  await (first === "a" ? a : b).stop();
  expect(api.holder).toBe("");
  await clock.elapse(2_500);
  expect(acting).toEqual([first === "a" ? "b" : "a"]);
  await (first === "a" ? b : a).stop();
  expect(most).toBe(1);
  clock.assertIdle();
});

test.each(["down", "hang"] as const)(
  "a holder that cannot renew (%s) stops before another one begins, and comes back behind it",
  async (trouble) => {
    const a = start("a");
    await clock.elapse(1_000);
    const b = start("b");
    await clock.elapse(20_000);
    expect(acting).toEqual(["a"]);
    api.trouble.set("a", trouble);
    await clock.elapse(10_000);
    expect(acting).toEqual([]);
    await clock.elapse(15_000);
    expect(acting).toEqual(["b"]);
    api.trouble.delete("a");
    await clock.elapse(60_000);
    expect(acting).toEqual(["b"]);
    expect(most).toBe(1);
    await Promise.all([a.stop(), b.stop()]);
  },
);

test("a lease whose holder is dead is taken when it has not changed for fifteen seconds of our own clock", async () => {
  const a = start("a");
  await clock.elapse(1_000);
  const b = start("b");
  await clock.elapse(3_000);
  a.kill();
  await clock.elapse(8_000);
  expect(api.holder).toBe("a");
  await clock.elapse(15_000);
  expect(api.holder).toBe("b");
  await b.stop();
});

test("a lease that another holder has taken is lost with the next renewal", async () => {
  const a = start("a");
  await clock.elapse(1_000);
  const { value } = await api.call({ method: "GET", target: "", signal: new AbortController().signal });
  const lease = value as { readonly metadata: object };
  await api.call({
    method: "PUT",
    target: "",
    body: { ...lease, spec: { holderIdentity: "thief" } },
    signal: new AbortController().signal,
  });
  await clock.elapse(5_000);
  expect(acting).toEqual([]);
  await a.stop();
  expect(api.holder).toBe("thief");
});

test("no replica acts while the cluster is unreachable", async () => {
  api.trouble.set("a", "down");
  const a = start("a");
  await clock.elapse(60_000);
  expect(most).toBe(0);
  await a.stop();
});

test("what a holder notes the next one reads, also when it was killed behind its last renewal", async () => {
  const notesOf = (text: string): LeaseNotes & { text: string } => ({
    text,
    load(annotations) {
      this.text = textAt(annotations, "note");
    },
    toAnnotations() {
      return { note: this.text };
    },
  });
  const [first, second] = [notesOf("first"), notesOf("unread")];
  const a = start("a", first);
  await clock.elapse(1_000);
  first.text = "changed";
  await clock.elapse(6_000);
  a.kill();
  first.text = "lost";
  const b = start("b", second);
  await clock.elapse(20_000);
  expect(acting).toEqual(["b"]);
  expect(second.text).toBe("changed");
  await b.stop();
});

describe("interop-3 finding 4: two leases", () => {
  /** As GitLab's agent and our earlier releases hold one each. */
  async function hold(of: FakeLeaseApi, holder: string): Promise<void> {
    const signal = new AbortController().signal;
    const lease = fieldsOf((await of.call({ method: "GET", target: "", signal })).value);
    const method = "metadata" in lease ? "PUT" : "POST";
    await of.call({ method, target: "", body: { ...lease, spec: { holderIdentity: holder } }, signal });
  }

  test.each(["first", "second"] as const)("no replica acts while another agent holds the %s, or after it takes it", async (which) => {
    const apis = { first: api, second: new FakeLeaseApi() };
    await hold(apis[which], "other");
    const stop = new AbortController();
    const leases = [apis.first, apis.second].map(
      (one, at) => new Lease({ api: one, clock, namespace: "ns", name: `lease-${at}`, holder: "a" }),
    );
    let isActing = false;
    const running = runHolding(
      leases,
      async (signal) => {
        isActing = true;
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        isActing = false;
      },
      stop.signal,
    );
    await clock.elapse(12_000);
    expect(isActing).toBe(false);
    // The second one is not taken before the first.
    expect(apis.second.holder).toBe(which === "first" ? "" : "other");
    await clock.elapse(10_000);
    expect(isActing).toBe(true);
    expect([apis.first.holder, apis.second.holder]).toEqual(["a", "a"]);
    await hold(apis[which], "other");
    await clock.elapse(6_000);
    expect(isActing).toBe(false);
    await clock.elapse(30_000);
    expect(isActing).toBe(true);
    stop.abort();
    await running;
    expect([apis.first.holder, apis.second.holder]).toEqual(["", ""]);
    clock.assertIdle();
  });
});
