import { ByteLedger } from "@binnacle/grpc-wire";
import { ManualClock, propertyRuns, settle } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { ViewReader } from "./testing/view-reader.ts";
import { FakeViewsAgent } from "./testing/views-agent.ts";
import { ViewsRouter } from "./testing/views-router.ts";
import { ViewHub } from "./view-hub.ts";
import { noViewsMetrics } from "./views-metrics.ts";

const MIB = 1024 * 1024;
/** Three letters each, with which their entries begin. */
const RIGHTS = ["all", "few"] as const;
const NAMES = ["ann", "bob", "eve"] as const;

/** One thing that happens. */
type Step =
  | { readonly kind: "put"; readonly rights: (typeof RIGHTS)[number]; readonly key: string; readonly value: string }
  | { readonly kind: "remove"; readonly rights: (typeof RIGHTS)[number]; readonly key: string }
  | { readonly kind: "join"; readonly name: (typeof NAMES)[number] }
  | { readonly kind: "leave" | "stall"; readonly at: number }
  | { readonly kind: "rights"; readonly name: (typeof NAMES)[number]; readonly rights: (typeof RIGHTS)[number]; readonly notified: boolean }
  | { readonly kind: "half" | "break" | "replace" | "offline" | "silent" }
  | { readonly kind: "wait"; readonly ms: number };

const oneOf = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const key = oneOf(["a", "b", "c", "d", "e"]);
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant("put"), rights: oneOf(RIGHTS), key, value: fc.string({ maxLength: 3 }) }), weight: 5 },
  { arbitrary: fc.record({ kind: fc.constant("remove"), rights: oneOf(RIGHTS), key }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant("join"), name: oneOf(NAMES) }), weight: 3 },
  { arbitrary: fc.record({ kind: oneOf(["leave", "stall"] as const), at: fc.nat(10) }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant("rights"), name: oneOf(NAMES), rights: oneOf(RIGHTS), notified: fc.boolean() }), weight: 2 },
  { arbitrary: fc.record({ kind: oneOf(["half", "break", "replace", "offline", "silent", "silent"] as const) }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant("wait"), ms: oneOf([10, 500, 5_000, 31_000, 61_000]) }), weight: 4 },
);

/** Everything that a run has: agents come and go, what a viewer may read stays. */
class World {
  readonly clock = new ManualClock();
  readonly router = new ViewsRouter();
  readonly ledger = new ByteLedger({ processBytes: 192 * MIB, agentBytes: 64 * MIB, userBytes: 32 * MIB });
  readonly readers: { readonly name: string; readonly reader: ViewReader }[] = [];
  readonly hub: ViewHub;
  /** Which viewer received an entry of which rights, and when. */
  readonly received: { readonly name: string; readonly rights: string; readonly atMs: number }[] = [];
  /** When the rights of a viewer changed, and to what. */
  readonly granted: { readonly name: string; readonly rights: string; readonly sinceMs: number }[] = [];
  /** A run ends with all readers served: those that joined while the agent was unavailable were rejected. */
  refused = 0;
  agent = new FakeViewsAgent();

  constructor() {
    this.router.agent = this.agent;
    const onViolation = (_: bigint, fault: Error): never => expect.unreachable(fault.message);
    this.hub = new ViewHub({
      router: this.router,
      clock: this.clock,
      ledger: this.ledger,
      metrics: noViewsMetrics,
      waitMs: 20_000,
      onViolation,
      random: () => 0.5,
    });
  }

  async run(what: Step): Promise<void> {
    const { agent, router, readers } = this;
    if (what.kind === "rights") this.granted.push({ name: what.name, rights: what.rights, sinceMs: this.clock.now() });
    if (what.kind === "put") agent.put(what.rights, { [what.key]: `${what.rights} ${what.value}` });
    else if (what.kind === "remove") agent.remove(what.rights, what.key);
    else if (what.kind === "join") this.#join(what.name);
    else if (what.kind === "leave") readers.splice(what.at, 1)[0]?.reader.leave();
    else if (what.kind === "stall") this.#stall(what.at);
    else if (what.kind === "rights" && what.notified) agent.change(what.name, what.rights);
    else if (what.kind === "rights") agent.rights.set(what.name, what.rights);
    else if (what.kind === "wait") await this.clock.elapse(what.ms);
    else if (what.kind === "silent") agent.silent = !agent.silent;
    else if (what.kind === "half") this.#half();
    else {
      router.breakAll();
      if (what.kind === "replace") this.#replace();
      router.agent = what.kind === "offline" ? undefined : this.agent;
    }
    // Some steps come at once after the one before.
    if (what.kind !== "half") await settle();
  }

  /** The agent is connected, and all readers read. */
  async end(): Promise<void> {
    this.agent.silent = false;
    this.router.agent = this.agent;
    for (const { reader } of this.readers) {
      reader.stalled = false;
      reader.read();
    }
    await this.clock.elapse(120_000);
  }

  /** Whether a viewer had rights (by their first letters) at any time of the minute before. */
  had(name: string, rights: string, atMs: number): boolean {
    const all = [{ name, rights: "all", sinceMs: 0 }, ...this.granted.filter((grant) => grant.name === name)];
    return all.some(
      (grant, index) => grant.rights.startsWith(rights) && grant.sinceMs <= atMs && (all[index + 1]?.sinceMs ?? Infinity) >= atMs - 60_000,
    );
  }

  #join(name: string): void {
    const reader = new ViewReader();
    const entry = { name, reader };
    reader.onTake = ({ entries }) => {
      for (const { value } of entries)
        this.received.push({ name, rights: Buffer.from(value).toString().slice(0, 3), atMs: this.clock.now() });
    };
    this.readers.push(entry);
    reader.join(this.hub, name).catch(() => {
      this.refused += 1;
      const at = this.readers.indexOf(entry);
      if (at >= 0) this.readers.splice(at, 1);
    });
  }

  #stall(at: number): void {
    const reader = this.readers[at]?.reader;
    if (reader) reader.stalled = !reader.stalled;
  }

  /** A change begins, and the stream breaks in it. */
  #half(): void {
    for (const conversation of this.agent.conversations) {
      for (const { id } of this.agent.topics) {
        const entries = [{ key: "half", value: Buffer.from("half of a change") }];
        conversation.say({ case: "update", value: { topic: id, reset: true, entries, more: true } });
      }
    }
    this.router.breakAll();
  }

  #replace(): void {
    const next = new FakeViewsAgent();
    for (const [name, rights] of this.agent.rights) next.rights.set(name, rights);
    next.put("all", { z: "all new" });
    next.put("few", { z: "few new" });
    this.agent = next;
  }
}

test("T37: after any sequence of events each viewer ends with the agent's state for its rights, and receives nothing that it could not read within the last minute", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
      const world = new World();
      for (const what of steps) await world.run(what);
      await world.end();
      const { agent, readers, hub, ledger, clock } = world;
      for (const { name, reader } of readers) {
        const table = agent.table(agent.rights.get(name) ?? "all");
        const fresh = await ViewReader.join(hub, name);
        await settle();
        expect(reader.shown).toEqual(fresh.shown);
        expect(Object.keys(fresh.shown)).toHaveLength(table.size);
        for (const [shown, value] of Object.entries(fresh.shown)) expect(value).toBe(Buffer.from(table.get(shown) ?? []).toString());
        fresh.leave();
      }
      for (const { name, rights, atMs } of world.received) expect([rights, world.had(name, rights, atMs)]).toEqual([rights, true]);
      expect(agent.topics.length).toBeLessThanOrEqual(RIGHTS.length);
      for (const { reader } of readers) reader.leave();
      await clock.elapse(30_000);
      expect([world.router.running.size, ledger.held()]).toEqual([0, 0]);
    }),
    { numRuns: propertyRuns(400) },
  );
});
