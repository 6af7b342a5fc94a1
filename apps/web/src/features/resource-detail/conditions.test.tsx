import { ConditionSchema } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Conditions } from "./conditions.tsx";

function text(condition: { readonly reason: string; readonly status?: string; readonly message?: string }): string {
  const { reason, status = "True", message = "" } = condition;
  const made = create(ConditionSchema, { type: "Ready", status, reason, message, since: timestampFromMs(0) });
  return renderToStaticMarkup(<Conditions conditions={[made]} />)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

test("a condition without a reason has no comma before its time", () => {
  expect(text({ reason: "" })).toContain("Ready True 1970-01-01 00:00:00 UTC");
  expect(text({ reason: "Done" })).toContain("Ready True Done, 1970-01-01 00:00:00 UTC");
});

test("of a condition that is not as it should be its message is shown, of a long one the beginning", () => {
  expect(text({ reason: "", status: "False", message: "m".repeat(100_000) }).length).toBeLessThan(1_000);
  expect(text({ reason: "", message: "all well" })).not.toContain("all well");
});
