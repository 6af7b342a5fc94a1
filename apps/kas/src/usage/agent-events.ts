import type { AgentMeta } from "@binnacle/proto/modshared";

import type { Reported } from "./usage-reporter.ts";

/** Processes that are known; beyond this the oldest are removed, and may be reported twice. */
const MAX_KNOWN = 10_000;
/** Events that wait for a main application that does not answer; the oldest go first. */
const MAX_WAITING = 1_000;

/** One agentk process, as it registers itself. */
export interface RegisteredAgent {
  readonly agentId: bigint;
  readonly projectId: bigint;
  readonly podId: bigint;
  readonly meta: AgentMeta | undefined;
}

interface RegistrationEvent {
  readonly project_id: number;
  readonly agent_id: number;
  readonly agent_version: string;
  readonly kubernetes_version: string;
}

/** The body of a report. The shape around the list is assumed; its names are those of docs/design/contract.md. */
interface AgentEventsBody {
  readonly events: { readonly register_agent_at_kas: readonly RegistrationEvent[] };
}

/** Registered agents, for the main application: each process once, however often it registers. */
export class AgentEvents implements Reported<AgentEventsBody> {
  readonly #known = new Set<string>();
  #waiting: readonly RegistrationEvent[] = [];

  /** A process registers. */
  registered(agent: RegisteredAgent): void {
    const key = keyOf(agent);
    const isNew = !this.#known.delete(key);
    this.#known.add(key);
    for (const oldest of this.#known) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
    if (!isNew) return;
    const event: RegistrationEvent = {
      // Ids of the main application's database are far below 2^53.
      project_id: Number(agent.projectId),
      agent_id: Number(agent.agentId),
      agent_version: agent.meta?.version ?? "",
      kubernetes_version: agent.meta?.kubernetesVersion?.gitVersion ?? "",
    };
    this.#waiting = [...this.#waiting, event].slice(-MAX_WAITING);
  }

  /** A process disconnects: when it registers again, it is a new one. */
  unregistered(agent: Pick<RegisteredAgent, "agentId" | "podId">): void {
    this.#known.delete(keyOf(agent));
  }

  get now(): AgentEventsBody | undefined {
    return this.#waiting.length === 0 ? undefined : { events: { register_agent_at_kas: this.#waiting } };
  }

  accepted({ events }: AgentEventsBody): void {
    const accepted = new Set(events.register_agent_at_kas);
    this.#waiting = this.#waiting.filter((event) => !accepted.has(event));
  }
}

function keyOf({ agentId, podId }: Pick<RegisteredAgent, "agentId" | "podId">): string {
  return `${agentId}/${podId}`;
}
