import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AgentMetaSchema } from "@binnacle/proto/modshared";
import { expect, test } from "vitest";

import { boundedMeta } from "./agent-services.ts";

test("XM4: what an agent says about itself is cut to what a true one can say", () => {
  const long = "<script>".repeat(1_000_000);
  const kubernetesVersion = { major: long, minor: long, gitVersion: long, platform: long };
  const bounded = boundedMeta(
    create(AgentMetaSchema, { version: long, commitId: long, podNamespace: long, podName: long, kubernetesVersion }),
  );
  expect([bounded.version, bounded.commitId, bounded.podNamespace, bounded.podName].map((text) => text.length)).toEqual([
    128, 64, 253, 253,
  ]);
  expect(toBinary(AgentMetaSchema, bounded).length).toBeLessThan(1_100);
});

test("XM4: unknown fields are not stored", () => {
  const foreign = Buffer.concat([Buffer.from([0xfa, 0x3e, 0xe8, 0x07]), Buffer.alloc(1_000, 0x61)]);
  const meta = fromBinary(AgentMetaSchema, foreign);
  expect(toBinary(AgentMetaSchema, meta).length).toBe(foreign.length);
  expect(toBinary(AgentMetaSchema, boundedMeta(meta)).length).toBe(0);
});

test("what a true agent says stays as it is", () => {
  const meta = create(AgentMetaSchema, {
    version: "v14.1.1",
    commitId: "abcdef",
    podNamespace: "gitlab-agent",
    podName: "agentk-7c5d-x2x",
    kubernetesVersion: { major: "1", minor: "36", gitVersion: "v1.36.3", platform: "linux/amd64" },
  });
  expect(boundedMeta(meta)).toEqual(meta);
});
