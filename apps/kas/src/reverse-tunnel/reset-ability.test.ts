import { expect, test } from "vitest";

import { stopsWhenReset } from "./reset-ability.ts";

test.each([
  ["our agent", { "agentk-caps": "raw-target", "user-agent": "agentk/v0.1.0/source" }, true],
  ["a Go agent before 14.5", { "user-agent": "agentk/v14.1.1/cb8ad8f grpc-go/1.39.0" }, false],
  ["the last Go agent before 14.5", { "user-agent": "agentk/v14.4.99/abc grpc-go/1.39.0" }, false],
  ["a Go agent of an older major version", { "user-agent": "agentk/v13.12.0/abc grpc-go/1.37.0" }, false],
  ["a Go agent since", { "user-agent": "agentk/v14.5.0/abc grpc-go/1.41.0" }, true],
  ["a newer Go agent", { "user-agent": "agentk/v16.0.0/abc grpc-go/1.58.0" }, true],
  ["nobody we know", { "user-agent": "curl/8" }, true],
  ["no word at all", {}, true],
])("KS8: %s stops, or not, when its tunnel is reset", (_name, headers, stops) => {
  expect(stopsWhenReset(headers)).toBe(stops);
});
