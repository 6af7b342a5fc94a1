import { expect, test } from "vitest";

import { canImpersonate } from "./impersonation-ability.ts";

test.each([
  ["our agent says so", { "agentk-caps": "raw-target, impersonation", "user-agent": "agentk/v0.1.0/source" }, true],
  ["our agent without the word", { "agentk-caps": "raw-target", "user-agent": "agentk/v0.1.0/source" }, false],
  ["a Go agent before it", { "user-agent": "agentk/v14.1.1/cb8ad8f grpc-go/1.39.0" }, false],
  ["a Go agent since", { "user-agent": "agentk/v14.2.0/abc grpc-go/1.39.0" }, true],
  ["a newer Go agent", { "user-agent": "agentk/v16.5.0/abc grpc-go/1.58.0" }, true],
  ["nobody we know", { "user-agent": "curl/8" }, false],
  ["no word at all", {}, false],
])("%s", (_name, headers, able) => {
  expect(canImpersonate(headers)).toBe(able);
});
