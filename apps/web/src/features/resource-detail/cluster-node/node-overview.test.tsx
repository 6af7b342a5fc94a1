import { GetResourceResponseSchema, type GetResourceResponse } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoreProvider } from "../../live/environment-context.tsx";
import { EnvironmentStore } from "../../live/environment-store.ts";
import type { ResourceState } from "../use-resource.ts";
import { clusterNode } from "./cluster-node.ts";
import { NodeOverview } from "./node-overview.tsx";

const SINCE = timestampFromMs(Date.parse("2026-01-01T11:42:00Z"));

function shown(resource: ResourceState): string {
  const page = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <StoreProvider store={new EnvironmentStore((flush) => flush())}>
        <NodeOverview projectPath="group/app" environment="shop" node={clusterNode("n-1", 1)} resource={resource} />
      </StoreProvider>
    </QueryClientProvider>,
  );
  return page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

function answer(init: MessageInitShape<typeof GetResourceResponseSchema>): GetResourceResponse {
  return create(GetResourceResponseSchema, init);
}

const ready = (status: string) => ({
  type: "Ready",
  status,
  reason: "NodeStatusUnknown",
  message: "Kubelet stopped posting.",
  since: SINCE,
});

test.each([
  ["Unknown", /Not ready since .*Kubelet stopped posting/],
  ["False", /Not ready since .*Kubelet stopped posting/],
  ["True", /^(?!.*Not ready).* Ready since /],
])("S2: a node whose condition Ready is %s says so, with since", (status, expected) => {
  expect(shown({ answer: answer({ conditions: [ready(status)] }), loading: false })).toMatch(expected);
});

test("S2: a node without a reported condition is not shown as ready", () => {
  const text = shown({ answer: answer({}), loading: false });
  expect(text).toContain("Not known: its status is not reported");
});

test("S2: a node that is cordoned or runs short of something says so, however ready it is", () => {
  const facts = [{ label: toWordsMessage(quoted("Takes new pods")), items: [{ words: toWordsMessage(words("detail/cordoned")) }] }];
  const conditions = [ready("True"), { type: "DiskPressure", status: "True" }, { type: "PIDPressure", status: "False" }];
  const text = shown({ answer: answer({ conditions, facts }), loading: false });
  expect(text).toMatch(/It reports DiskPressure\. .*It is cordoned and takes no new pods\./);
});

test("S2: a viewer who may not read nodes sees which rule is missing, and nothing that was read before", () => {
  const text = shown({ answer: answer({ conditions: [ready("False")] }), problem: "forbidden", isDenied: true, loading: false });
  expect(text).toMatch(
    /Pods of this environment on it: not known yet\..*Missing rule: get, list, watch on nodes in the cluster\..*Copy request/,
  );
  expect(text).not.toMatch(/Kubelet stopped|NodeStatusUnknown|could not be loaded/);
});

test("S2: a node that could not be read says why, and nothing of its state", () => {
  const text = shown({ problem: "The agent is offline.", willRetry: true, loading: false });
  expect(text).toContain("could not be loaded: The agent is offline.");
  expect(text).not.toMatch(/Not ready|Ready|Missing rule/);
});
