import { LogLevel as ConfiguredLevel, type AgentConfiguration } from "@binnacle/proto/agentcfg";
import type { LogLevel } from "@binnacle/telemetry";

/** Level of `observability.logging.level`; undefined when the configuration does not say. */
export function logLevelOf(configuration: AgentConfiguration): LogLevel | undefined {
  const logging = configuration.observability?.logging;
  if (!logging) return undefined;
  switch (logging.level) {
    case ConfiguredLevel.debug:
      return "debug";
    case ConfiguredLevel.warn:
      return "warn";
    case ConfiguredLevel.error:
      return "error";
    default:
      return "info";
  }
}
