import type { EnvironmentScope, ViewMessage } from "@binnacle/environment-view";
import { expect, test } from "vitest";

import type { ShownSync } from "./agent-syncs.ts";
import { FollowedDrift } from "./follow-drift.ts";

const EMPTY: ViewMessage = {
  kind: "snapshot",
  position: { epoch: "1", version: 1 },
  nodes: [],
  edges: [],
  sources: [],
  connection: { state: "connected", sinceMs: 0 },
  complete: true,
} as unknown as ViewMessage;

const sync = (isDriftIgnored: boolean): ShownSync => ({ project: "group/app", isDriftIgnored }) as unknown as ShownSync;

/** An empty view, and how many subscriptions of it are open. */
function emptyView(): { readonly view: Pick<EnvironmentScope, "open" | "scope">; readonly open: () => number } {
  let open = 0;
  const view: Pick<EnvironmentScope, "open" | "scope"> = {
    scope: { namespaces: [] },
    open(ready) {
      open += 1;
      queueMicrotask(ready);
      return { take: () => EMPTY, close: () => (open -= 1) };
    },
  };
  return { view, open: () => open };
}

test("the view is read only while a sync is compared with it", async () => {
  const { view, open } = emptyView();
  const drift = new FollowedDrift({
    gitops: { appliedObjects: async () => [] },
    access: {} as never,
    view,
  });
  let changes = 0;
  await drift.read([sync(false)]);
  expect(open()).toBe(0);
  drift.follow(() => (changes += 1));
  await drift.read([]);
  await drift.read([sync(true)]);
  expect(open()).toBe(0);
  expect(drift.now({ state: "known", value: [sync(true)] })).toMatchObject({ state: "known", value: [{ isIgnored: true }] });
  expect(drift.now({ state: "known", value: [sync(false)] })).toMatchObject({ state: "unknown" });
  await drift.read([sync(true), sync(false)]);
  await drift.read([sync(false)]);
  expect(open()).toBe(1);
  expect(changes).toBe(1);
  drift.close();
  expect(open()).toBe(0);
  await drift.read([sync(false)]);
  expect(open()).toBe(0);
});
