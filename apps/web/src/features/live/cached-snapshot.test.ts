import {
  ConnectionState,
  SettledState,
  WatchEnvironmentResponseSchema,
  type WatchEnvironmentResponseSchema as ResponseSchema,
} from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { EnvironmentStore } from "./environment-store.ts";
import { freshnessOf, isGrey } from "@binnacle/presentation/view/freshness";
import { MadeView } from "./made-view.ts";

type Init = MessageInitShape<typeof ResponseSchema>;
type Content = NonNullable<Init["message"]>;

const SERVER = new MadeView();
const HOUR = 3_600_000;
const NOW = 100 * HOUR;
const OFFLINE = { state: ConnectionState.AGENT_OFFLINE };
const ONLINE = { state: ConnectionState.CONNECTED, since: timestampFromMs(NOW) };

const header = (clusterUsername: string): Content => ({
  case: "header",
  value: { environment: { name: "prod", agentId: 3n }, viewer: { username: "mara", clusterUsername } },
});

function kept(ids: readonly string[], asOfMs: number): Content {
  const value = { nodes: SERVER.nodes(ids.map((id) => ({ id }))), complete: true, connection: OFFLINE };
  return { case: "snapshot", value: { ...value, asOf: timestampFromMs(asOfMs) } };
}

function current(ids: readonly string[], complete = true): Content {
  const sources = [{ resource: "pods", settled: complete ? SettledState.LIVE : SettledState.UNSPECIFIED }];
  return { case: "snapshot", value: { nodes: SERVER.nodes(ids.map((id) => ({ id }))), complete, connection: ONLINE, sources } };
}

/** A page that was sent this, a second apart. */
function page(...messages: readonly Content[]): EnvironmentStore {
  const store = new EnvironmentStore((flush) => flush());
  messages.forEach((message, index) => send(store, message, NOW + index * 1_000));
  return store;
}

function send(store: EnvironmentStore, message: Content, atMs: number): void {
  store.apply(create(WatchEnvironmentResponseSchema, { message, sentAt: timestampFromMs(atMs) }), atMs);
}

const idsOf = (store: EnvironmentStore): string[] => [...store.nodes.values()].map(({ ref }) => ref?.name ?? "").toSorted();

test("US5: a picture that was kept is grey and of its own time, however long the page is open", () => {
  const store = page(header(""), header("mara"), kept(["a", "b"], NOW - 2 * HOUR));
  for (let beat = 0; beat < 20; beat += 1) send(store, { case: "heartbeat", value: {} }, NOW + 10_000 * beat);
  const freshness = freshnessOf(store.view(), NOW + 200_000);
  expect(freshness).toEqual({ kind: "agent-offline", sinceMs: undefined, asOfMs: NOW - 2 * HOUR });
  expect(isGrey(freshness)).toBe(true);
  expect(store.view()).toMatchObject({ kept: true, complete: true, blank: false });
});

test("US5: a picture of now takes its place only when it is whole", () => {
  const store = page(header(""), header("mara"), kept(["a", "b"], NOW - HOUR), header("mara"), current(["a"], false));
  expect(idsOf(store)).toEqual(["a", "b"]);
  expect(store.view()).toMatchObject({ kept: true, stale: true });
  expect(freshnessOf(store.view(), NOW + 5_000).kind).not.toBe("live");
  send(store, { case: "delta", value: { complete: true } }, NOW + 6_000);
  expect(idsOf(store)).toEqual(["a"]);
  expect(store.view()).toMatchObject({ kept: false, stale: false });
  expect(freshnessOf(store.view(), NOW + 6_000).kind).toBe("live");
});

test("US5, T23: a picture of now that is another identity's takes its place at once", () => {
  const store = page(header(""), header("mara"), kept(["a", "b"], NOW - HOUR), header("another viewer"), current(["x"], false));
  expect(idsOf(store)).toEqual(["x"]);
  expect(store.view().kept).toBe(false);
});

test("US5: what has gone since then is not called deleted now", () => {
  const ref = { group: "", kind: "Pod", resource: "pods", namespace: "ns", name: "a" };
  const pod: Content = kept([], NOW - HOUR);
  if (pod.case === "snapshot" && pod.value) pod.value.nodes = SERVER.nodes([{ id: "a", ref }]);
  const store = page(header("mara"), pod, header("mara"), current([]));
  expect(idsOf(store)).toEqual([]);
  expect(store.departed("core/pods/ns/a")).toBeUndefined();
});

test("T23: what was deleted before another identity's or another user's content is not shown to them", () => {
  const ref = { group: "", kind: "Pod", resource: "pods", namespace: "ns", name: "a" };
  const withPod: Content = current([]);
  if (withPod.case === "snapshot" && withPod.value) withPod.value.nodes = SERVER.nodes([{ id: "a", ref }]);
  const afterDeletion = [header("mara"), withPod, header("mara"), current([])];
  const selection = "core/pods/ns/a";
  expect(page(...afterDeletion).departed(selection)).toBeDefined();
  expect(page(...afterDeletion, header("mara"), current([])).departed(selection)).toBeDefined();
  expect(page(...afterDeletion, header("another identity"), current([])).departed(selection)).toBeUndefined();
  const another: Content = { case: "header", value: { environment: { name: "prod", agentId: 3n }, viewer: { username: "tom" } } };
  expect(page(...afterDeletion, another).departed(selection)).toBeUndefined();
});

test("US5: it takes nothing away that is newer", () => {
  const store = page(header("mara"), current(["a", "b", "c"]));
  store.lost("gone", NOW + 2_000);
  for (const [index, message] of [header(""), header("mara"), kept(["a"], NOW - HOUR)].entries()) send(store, message, NOW + 3_000 + index);
  expect(idsOf(store)).toEqual(["a", "b", "c"]);
  expect(store.view()).toMatchObject({ kept: false, contentAsOfMs: NOW + 1_000 });
  expect(freshnessOf(store.view(), NOW + 4_000)).toMatchObject({ kind: "agent-offline", asOfMs: NOW + 1_000 });
});
