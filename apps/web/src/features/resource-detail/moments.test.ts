import { ChangeSchema, ResourceEventSchema } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { momentsOf } from "./moments.ts";

const event = (reason: string, ms?: number) =>
  create(ResourceEventSchema, { reason, ...(ms === undefined ? {} : { lastAt: timestampFromMs(ms) }) });
const change = (manager: string, ms: number) => create(ChangeSchema, { manager, at: timestampFromMs(ms) });

function names(moments: ReturnType<typeof momentsOf>): string[] {
  return moments.map((moment) => ("event" in moment ? moment.event.reason : moment.change.manager));
}

test("W9: Events and changes stand in one order, newest first", () => {
  const events = [event("Pulled", 3_000), event("Created", 1_000)];
  const changes = [change("kubectl-edit", 4_000), change("helm", 2_000)];
  expect(names(momentsOf({ events, changes }))).toEqual(["kubectl-edit", "Pulled", "helm", "Created"]);
});

test("what has no time comes last, and of equals the change comes after the Event", () => {
  expect(names(momentsOf({ events: [event("Unknown"), event("Also"), event("Scaled", 1_000)], changes: [change("hpa", 1_000)] }))).toEqual([
    "Scaled",
    "hpa",
    "Unknown",
    "Also",
  ]);
});
