import { create } from "@bufbuild/protobuf";
import { AgentConfigurationSchema, LogLevel } from "@binnacle/proto/agentcfg";
import { expect, test } from "vitest";

import { logLevelOf } from "./configuration-stream.ts";

test.each([
  [LogLevel.debug, "debug"],
  [LogLevel.info, "info"],
  [LogLevel.warn, "warn"],
  [LogLevel.error, "error"],
] as const)("level %i of the configuration is %s", (level, name) => {
  expect(logLevelOf(create(AgentConfigurationSchema, { observability: { logging: { level } } }))).toBe(name);
});

test("a configuration without a level says nothing", () => {
  expect(logLevelOf(create(AgentConfigurationSchema, { observability: {} }))).toBeUndefined();
});
