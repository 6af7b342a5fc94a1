import { randomUUID } from "node:crypto";

import type { ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentTracker } from "../agent-tracker/agent-tracker.ts";
import { SampledLog } from "../limits/sampled-log.ts";
import { notificationOf, type Notification } from "./notification.ts";
import type { PresenceStore } from "./presence-store.ts";

/** An agent that is said to be at another kas is looked for again. */
const LOOK_AGAIN_MS = 300_000;

/** What telling of agents that come and go needs. */
export interface AgentPresenceOptions {
  readonly tracker: AgentTracker;
  readonly store: PresenceStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** An agent that comes back within this time was never away. */
  readonly graceMs: number;
  readonly tell: (notification: Notification) => void;
}

/**
 * The tracker, and what receivers are told of it: an agent is connected while any replica of it has a configuration stream at any kas. It
 * compares what is with what was told, so a failed look is made up for by the next one.
 */
export class AgentPresence implements Pick<AgentTracker, "register" | "unregister"> {
  readonly #options: AgentPresenceOptions;
  readonly #here = new Map<bigint, number>();
  readonly #due = new Map<bigint, () => void>();
  readonly #turns = new Map<bigint, Promise<void>>();
  readonly #failures: SampledLog;

  constructor(options: AgentPresenceOptions) {
    this.#options = options;
    this.#failures = new SampledLog(options.clock);
  }

  /** @see AgentTracker.register */
  register(info: ConnectedAgentInfo): void {
    this.#options.tracker.register(info);
    this.#here.set(info.agentId, (this.#here.get(info.agentId) ?? 0) + 1);
    this.#lookIn(0, info);
  }

  /** @see AgentTracker.unregister */
  unregister(info: ConnectedAgentInfo): void {
    this.#options.tracker.unregister(info);
    const left = (this.#here.get(info.agentId) ?? 0) - 1;
    if (left > 0) this.#here.set(info.agentId, left);
    else {
      this.#here.delete(info.agentId);
      this.#lookIn(this.#options.graceMs, info);
    }
  }

  /** One look is due per agent, and looks of an agent follow each other. */
  #lookIn(delayMs: number, info: ConnectedAgentInfo): void {
    this.#due.get(info.agentId)?.();
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#due.delete(info.agentId);
      const turn = (this.#turns.get(info.agentId) ?? Promise.resolve()).then(() => this.#look(info));
      this.#turns.set(info.agentId, turn);
      void turn.then(() => this.#turns.get(info.agentId) === turn && this.#turns.delete(info.agentId));
    });
    this.#due.set(info.agentId, cancel);
  }

  async #look(info: ConnectedAgentInfo): Promise<void> {
    const { tracker, store, log, graceMs } = this.#options;
    const { agentId } = info;
    try {
      const told = await store.current(agentId);
      const connected = this.#here.has(agentId) || (await tracker.byAgent(agentId)).length > 0;
      if (connected && told === undefined) {
        const value = randomUUID();
        if (await store.enter(agentId, value)) this.#tell("agent_connected", info, value);
      } else if (!connected && told !== undefined) {
        // Told first: another kas that tells it too gives it the same id.
        this.#tell("agent_disconnected", info, told);
        await store.leave(agentId, told);
      } else if (connected && !this.#here.has(agentId) && !this.#due.has(agentId)) {
        // Another kas says that it has it: one that was killed says so too, until its record expires.
        this.#lookIn(LOOK_AGAIN_MS, info);
      }
    } catch (error) {
      this.#failures.event("presence", (count) => log.warn({ error, count }, "it is not known yet whether an agent's presence was told"));
      if (!this.#due.has(agentId)) this.#lookIn(graceMs, info);
    }
  }

  #tell(type: "agent_connected" | "agent_disconnected", { agentId, projectId }: ConnectedAgentInfo, value: string): void {
    const { tell, clock } = this.#options;
    tell(notificationOf({ type, agent_id: Number(agentId), project_id: Number(projectId) }, clock.now(), [value]));
  }
}
