import { randomUUID } from "node:crypto";

import type { ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentTracker } from "../agent-tracker/agent-tracker.ts";
import { SampledLog } from "../limits/sampled-log.ts";
import { notificationOf, type Notification } from "./notification.ts";
import type { PresenceStore } from "./presence-store.ts";

/** An agent that another kas reports as connected is looked up again after this time. */
const LOOK_AGAIN_MS = 300_000;

/** Options of `AgentPresence`. */
export interface AgentPresenceOptions {
  readonly tracker: AgentTracker;
  readonly store: PresenceStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** An agent that reconnects within this time is not reported as disconnected. */
  readonly graceMs: number;
  readonly tell: (notification: Notification) => void;
}

/**
 * The tracker, with notifications of its changes: an agent is connected while any replica of it has a configuration stream at any kas. It
 * compares the present state with the last one that was sent, so the next comparison corrects a failed one.
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
      const sent = await store.current(agentId);
      const connected = this.#here.has(agentId) || (await tracker.byAgent(agentId)).length > 0;
      if (connected && sent === undefined) {
        const value = randomUUID();
        if (await store.enter(agentId, value)) this.#tell("agent_connected", info, value);
      } else if (!connected && sent !== undefined) {
        // It is sent first: another kas that sends it too gives it the same id.
        this.#tell("agent_disconnected", info, sent);
        await store.leave(agentId, sent);
      } else if (connected && !this.#here.has(agentId) && !this.#due.has(agentId)) {
        // The record is of another kas, which may have been killed; then the record expires.
        this.#lookIn(LOOK_AGAIN_MS, info);
      }
    } catch (error) {
      this.#failures.event("presence", (count) =>
        log.warn({ error, count }, "it is not known yet whether an agent's presence was reported"),
      );
      if (!this.#due.has(agentId)) this.#lookIn(graceMs, info);
    }
  }

  #tell(type: "agent_connected" | "agent_disconnected", { agentId, projectId }: ConnectedAgentInfo, value: string): void {
    const { tell, clock } = this.#options;
    tell(notificationOf({ type, agent_id: Number(agentId), project_id: Number(projectId) }, clock.now(), [value]));
  }
}
