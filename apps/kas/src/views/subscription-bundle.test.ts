import { create } from "@bufbuild/protobuf";
import { ViewUpdateSchema, type ViewUpdate } from "@binnacle/proto/kas-views";
import { Fault } from "@binnacle/rpc";
import { beforeEach, expect, test } from "vitest";

import { SubscriptionBundle } from "./subscription-bundle.ts";
import type { SubscriptionEvents } from "./view-subscription.ts";

/** A view that says what the test gives it. */
class ScriptedView {
  readonly updates: ViewUpdate[] = [];
  events: SubscriptionEvents | undefined;
  closed = 0;

  say(key: string): void {
    this.updates.push(create(ViewUpdateSchema, { entries: [{ key, value: new Uint8Array(1) }] }));
    this.events?.ready();
  }

  take(): ViewUpdate | undefined {
    return this.updates.shift();
  }

  close(): void {
    this.closed += 1;
  }
}

let rings: number;
let bundle: SubscriptionBundle;
let views: ScriptedView[];

beforeEach(() => {
  rings = 0;
  bundle = new SubscriptionBundle(() => (rings += 1));
  views = Array.from({ length: 3 }, () => new ScriptedView());
});

const join = (refused: readonly number[] = []) =>
  bundle.join(3, async (index, events) => {
    if (refused.includes(index)) throw new Fault("over_budget", `no room for ${index}`);
    const view = views[index] as ScriptedView;
    view.events = events;
    return view;
  });

/** "topic:key", or "topic!reason". */
function taken(): string[] {
  const updates: string[] = [];
  for (let update = bundle.take(); update !== undefined; update = bundle.take())
    updates.push(update.end ? `${update.topic}!${update.end.reason}` : `${update.topic}:${update.entries[0]?.key}`);
  return updates;
}

test("views take turns, each under its own number", async () => {
  await join();
  for (const key of ["a", "b"]) for (const view of views) view.say(key);
  expect(taken()).toEqual(["1:a", "2:a", "3:a", "1:b", "2:b", "3:b"]);
  const before = rings;
  views[1]?.say("c");
  expect([rings, taken()]).toEqual([before + 1, ["2:c"]]);
});

test("one that cannot be joined, and one that ends, end alone", async () => {
  await join([1]);
  views[0]?.say("a");
  expect(taken()).toEqual(["2!over_budget", "1:a"]);
  views[2]?.events?.ended(new Fault("cluster_unavailable", "gone"));
  views[0]?.say("b");
  expect(taken()).toEqual(["3!cluster_unavailable", "1:b"]);
});

test("when none can be joined there is no answer", async () => {
  await expect(join([0, 1, 2])).rejects.toMatchObject({ message: "no room for 0" });
});

test("who leaves leaves all of them, also those that are still being joined", async () => {
  let open: ((view: ScriptedView) => void) | undefined;
  const late = new Promise<ScriptedView>((resolve) => (open = resolve));
  const joining = bundle.join(2, async (index) => (index === 0 ? (views[0] as ScriptedView) : late));
  await Promise.resolve();
  bundle.close();
  open?.(views[1] as ScriptedView);
  await joining;
  expect(views.map(({ closed }) => closed)).toEqual([1, 1, 0]);
  expect(bundle.take()).toBeUndefined();
});
