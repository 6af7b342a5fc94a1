import { HealthStatus, ListHeldResourcesResponseSchema } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { heldItems } from "./use-held-resources.ts";

const pod = (name: string) => ({ version: "v1", kind: "Pod", resource: "pods", namespace: "shop", name });

test("S12: resources of other environments are found, each leads to its own page, and what is not searched is named", () => {
  const answer = create(ListHeldResourcesResponseSchema, {
    resources: [
      { environment: "staging", ref: pod("web-1"), status: HealthStatus.DEGRADED },
      { environment: "production", ref: pod("web-2"), status: HealthStatus.HEALTHY },
    ],
    total: 5,
    unlisted: ["a", "b", "c", "d"],
    unlistedTotal: 6,
  });
  const went: string[] = [];
  const { items, note } = heldItems(answer, { projectPath: "group/app", except: "production", go: (path) => went.push(path) });
  expect(items.map(({ text, detail, state }) => [text, detail, state])).toEqual([["web-1", "Pod in staging", "Degraded"]]);
  items[0]?.run();
  expect(went).toEqual([expect.stringMatching(/staging\?sel=core%2Fpods%2Fshop%2Fweb-1$/)]);
  expect(note).toBe("Not searched, as the server holds no resources of them: a, b, c and 3 more. 3 more resources are not listed.");
});

test("an answer that is complete has no note", () => {
  expect(heldItems(create(ListHeldResourcesResponseSchema, {}), { projectPath: "g", except: undefined, go: () => undefined }).note).toBe(
    undefined,
  );
});
