import type { ViewSource } from "@binnacle/environment-view";
import { SourceSchema } from "@binnacle/proto/dashboard";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { toSource } from "./to-proto.ts";

const PODS: ViewSource = {
  id: "/pods/app",
  group: "",
  version: "v1",
  resource: "pods",
  kind: "Pod",
  namespace: "app",
  settled: "truncated",
  shown: 10,
  total: 10,
  countsForHealth: true,
};

test.each([
  [1e12, 2 ** 32 - 1],
  [Number.POSITIVE_INFINITY, 2 ** 32 - 1],
  [-5, 0],
  [Number.NaN, 0],
  [10.5, 10],
])("T14: a cluster that claims %d objects of a kind ends no stream", (total, sent) => {
  expect(fromBinary(SourceSchema, toBinary(SourceSchema, toSource({ ...PODS, total }))).total).toBe(sent);
});
