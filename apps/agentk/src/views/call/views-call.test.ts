import { KubeClientError, VIEW_ENGINE } from "@binnacle/environment-view";
import { PublishedTable } from "@binnacle/replica";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, settle } from "@binnacle/testing";
import { beforeEach, expect, test, vi } from "vitest";

import type { Offer } from "../own-rights.ts";
import { EVERYTHING } from "../rights/proved-rights.ts";
import type { RightsProof } from "../rights/rights-book.ts";
import { KasSide } from "../testing/kas-side.ts";
import { ViewsCall } from "./views-call.ts";

const VIEW = { view: { case: "environment", value: { engine: VIEW_ENGINE } } } as const;
const away = new KubeClientError("api_down", "the API server is away");

let clock: ManualClock;
let kas: KasSide;
let prove: (signal: AbortSignal) => RightsProof | Promise<RightsProof>;
let logged: string[];
let tellOffer: (offer: Offer) => void;
let joined: number;

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  prove = () => ({ rights: EVERYTHING, requestedMs: clock.now() });
  joined = 0;
  logged = [];
  const log = createLogger("test", "silent");
  vi.spyOn(log, "error").mockImplementation((_fields: unknown, message?: string) => void logged.push(message ?? ""));
  const topics = {
    prove: async (_viewer: unknown, _view: unknown, signal: AbortSignal) => prove(signal),
    join() {
      joined += 1;
      return { table: new PublishedTable(), carry: () => {}, leave: () => void (joined -= 1) };
    },
  };
  const offer = { follow: (listener: typeof tellOffer) => ((tellOffer = listener), () => {}) };
  const rules = { load: () => expect.unreachable("no rules are sent") };
  const transportAs = () => ({ request: () => expect.unreachable("no request goes to a cluster") });
  kas = new KasSide((reply) => new ViewsCall({ topics, rules, transportAs, clock, log, reply, offer, ended: () => {} }));
  tellOffer({ engine: VIEW_ENGINE, lacking: [] });
});

test("T37: a topic whose rights cannot be found out for a minute ends, and not before", async () => {
  const topic = await kas.subscribe(VIEW);
  await clock.elapse(0);
  prove = () => {
    throw away;
  };
  await clock.elapse(59_999);
  expect([joined, kas.ends.get(topic)]).toEqual([1, undefined]);
  await clock.elapse(5_001);
  expect([joined, kas.ends.get(topic)]).toMatchObject([0, { reason: "cluster_unavailable", message: "the API server is away" }]);
  expect(clock.pending).toBe(0);
});

test("T37: how old an answer was counts", async () => {
  prove = () => ({ rights: EVERYTHING, requestedMs: clock.now() - 20_000 });
  const topic = await kas.subscribe(VIEW);
  await clock.elapse(0);
  prove = () => {
    throw away;
  };
  await clock.elapse(45_000);
  expect(kas.ends.get(topic)).toMatchObject({ reason: "cluster_unavailable" });
});

test("one question that fails ends nothing, and is soon retried", async () => {
  const topic = await kas.subscribe(VIEW);
  await clock.elapse(0);
  let questions = 0;
  prove = () => {
    questions += 1;
    if (questions === 1) throw away;
    return { rights: EVERYTHING, requestedMs: clock.now() };
  };
  await clock.elapse(120_000);
  expect([joined, kas.ends.get(topic), questions]).toEqual([1, undefined, 4]);
});

test("T37: rights that are others end the topic with the next proof", async () => {
  const topic = await kas.subscribe(VIEW);
  await clock.elapse(0);
  prove = () => ({ rights: { ...EVERYTHING, id: "fewer" }, requestedMs: clock.now() });
  await clock.elapse(30_000);
  expect([joined, kas.ends.get(topic)]).toMatchObject([0, { reason: "rights_changed" }]);
});

test("S13: a viewer that disconnects while its rights are checked is no error in the log", async () => {
  prove = (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  kas.say({ case: "prove", value: { id: 7n, view: VIEW } });
  await settle();
  kas.cancel();
  await settle();
  expect(logged).toEqual([]);
});

test("what is no known failure is logged", async () => {
  prove = () => {
    throw new TypeError("a bug");
  };
  expect(await kas.prove(VIEW)).toMatchObject({ reason: "internal", message: "a view failed" });
  expect(logged).toEqual(["a view failed"]);
});

test("a proof says how old it is", async () => {
  prove = () => ({ rights: EVERYTHING, requestedMs: clock.now() - 7_000 });
  expect(await kas.prove(VIEW)).toMatchObject({ rights: "everything", ageMs: 7_000 });
});

test("a changed offer is sent again", async () => {
  tellOffer({ engine: "", lacking: ["list pods in all namespaces"] });
  await settle();
  expect(kas.offer).toMatchObject({ engine: "", lacking: ["list pods in all namespaces"] });
});

test.each<[string, Parameters<KasSide["prove"]>[0], string]>([
  ["no view", undefined, "invalid_request"],
  ["a view that is not known", {}, "invalid_request"],
  ["a view of another engine", { view: { case: "environment", value: { engine: "another" } } }, "not_implemented"],
  [
    "a view that is described at length",
    { view: { case: "summary", value: { scope: { namespaces: ["x".repeat(300_000)] } } } },
    "message_too_large",
  ],
])("%s is refused with its reason", async (_, view, reason) => {
  expect(await kas.prove(view)).toMatchObject({ rights: "", reason });
});
