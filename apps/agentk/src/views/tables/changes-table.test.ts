import { create, fromBinary } from "@bufbuild/protobuf";
import type { ScopeChanges } from "@binnacle/environment-view";
import { ChangeSchema } from "@binnacle/proto/dashboard";
import { ScopeChangesSchema } from "@binnacle/proto/kas-views";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { openChangesTable } from "./changes-table.ts";

const WEB = { group: "apps", kind: "Deployment", namespace: "shop", name: "web" };

/** A scope with the changes that the test makes. */
function opened(of: typeof WEB | undefined) {
  const clock = new ManualClock();
  const managers: string[] = [];
  let ready = (): void => {};
  const scope = {
    open: (notify: () => void) => {
      ready = notify;
      return { take: () => ({ kind: "delta" }) as never, close: () => undefined };
    },
    changesOf: (): ScopeChanges => ({ changes: managers.map((manager) => create(ChangeSchema, { manager })), sinceMs: 0, isCut: false }),
  };
  const { table } = openChangesTable(scope, of, clock);
  return {
    clock,
    change: (manager: string): void => {
      managers.push(manager);
      ready();
    },
    published: () => fromBinary(ScopeChangesSchema, table.get("changes") ?? new Uint8Array()).changes.map(({ manager }) => manager),
  };
}

test("every change of an object is published with the change of its scope, however fast they follow each other", () => {
  const { change, published } = opened(WEB);
  const managers = ["kubectl-set", "kube-controller-manager", "binnacle", "kubelet", "other"];
  for (const manager of managers) {
    change(manager);
    expect(published().at(-1)).toBe(manager);
  }
});

test("changes of a whole environment are published once a second on average", () => {
  const { clock, change, published } = opened(undefined);
  const publishedAfter = (manager: string): number => {
    change(manager);
    clock.advance(50);
    return published().length;
  };
  expect(["a", "b", "c"].map(publishedAfter)).toEqual([1, 2, 2]);
  clock.advance(1_000);
  expect(published()).toEqual(["a", "b", "c"]);
});
