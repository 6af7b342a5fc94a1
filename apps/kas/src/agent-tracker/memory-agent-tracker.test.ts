import { describeAgentTracker } from "./agent-tracker.conformance.ts";
import { MemoryAgentTracker } from "./memory-agent-tracker.ts";

describeAgentTracker("memory", async () => ({
  tracker: new MemoryAgentTracker(),
  settled: async () => undefined,
  close: async () => undefined,
}));
