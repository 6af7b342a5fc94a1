import { expect, test } from "vitest";

import { selectorTextOf } from "./selector-text.ts";

const workload = (selector: unknown) => ({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "w" }, spec: { selector } });

test.each([
  [{ matchLabels: { app: "web", tier: "a" } }, "app=web,tier=a"],
  [
    {
      matchExpressions: [
        { key: "a", operator: "In", values: ["x", "y"] },
        { key: "b", operator: "NotIn", values: ["z"] },
        { key: "c", operator: "Exists" },
        { key: "d", operator: "DoesNotExist" },
        { key: "e", operator: "Tomorrow" },
        "x",
      ],
    },
    "a in (x,y),b notin (z),c,!d",
  ],
  [{}, undefined],
  [undefined, undefined],
])("%j selects by %s", (selector, text) => {
  expect(selectorTextOf(workload(selector))).toBe(text);
});
