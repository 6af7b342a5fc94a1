import { ByteLedger } from "@binnacle/grpc-wire";
import type { ViewSpec } from "@binnacle/proto/kas-views";
import type { Fault } from "@binnacle/rpc";
import { ManualClock, settle } from "@binnacle/testing";

import { ViewHub } from "../view-hub.ts";
import { noViewsMetrics } from "../views-metrics.ts";
import { ViewReader } from "./view-reader.ts";
import { FakeViewsAgent } from "./views-agent.ts";
import { ViewsRouter } from "./views-router.ts";

const MIB = 1024 * 1024;

/** A hub with one agent of views behind it, and a clock that a test moves. */
export interface ViewsScene {
  readonly clock: ManualClock;
  readonly agent: FakeViewsAgent;
  readonly router: ViewsRouter;
  readonly ledger: ByteLedger;
  readonly hub: ViewHub;
  /** What the agent did that it must not. */
  readonly violations: Fault[];
  /** A subscriber that has received the first state. */
  readonly readerOf: (name: string, spec?: ViewSpec) => Promise<ViewReader>;
  /** Why a caller is rejected, after it has waited as long as it may. @throws Error when it is served */
  readonly refusalOf: (name?: string, spec?: ViewSpec) => Promise<Fault>;
}

/** @param agentBytes what views of the agent may hold */
export function openViewsScene(agentBytes = 64 * MIB): ViewsScene {
  const [clock, agent, violations] = [new ManualClock(), new FakeViewsAgent(), [] as Fault[]];
  const router = new ViewsRouter(agent);
  const ledger = new ByteLedger({ processBytes: 192 * MIB, agentBytes, userBytes: 32 * MIB });
  const hub = new ViewHub({
    router,
    clock,
    ledger,
    metrics: noViewsMetrics,
    waitMs: 20_000,
    onViolation: (_, fault) => violations.push(fault),
    random: () => 0.5,
  });
  return {
    clock,
    agent,
    router,
    ledger,
    hub,
    violations,
    async readerOf(name, spec) {
      const reader = await ViewReader.join(hub, name, spec);
      await settle();
      return reader;
    },
    async refusalOf(name = "ann", spec) {
      const refused = ViewReader.join(hub, name, spec).then(
        () => {
          throw new Error("he was served");
        },
        // Nothing else is thrown.
        (error: unknown) => error as Fault,
      );
      await clock.elapse(20_000);
      return refused;
    },
  };
}
