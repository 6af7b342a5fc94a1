import type { ServerHttp2Session } from "node:http2";

import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { IncomingStream } from "../http2-listener/http2-listener.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import { abilitiesOf } from "../agent-identity/agent-abilities.ts";

/** Agents of one connection that get lines of their own; more than one is a strange client already. */
const MAX_AGENTS = 4;

/** Says in the log which agents come and go: one line each per connection and agent. */
export class AgentArrivals {
  readonly #options: { readonly clock: Clock; readonly log: Logger };
  readonly #agents = new WeakMap<ServerHttp2Session, Set<bigint>>();

  constructor(options: { readonly clock: Clock; readonly log: Logger }) {
    this.#options = options;
  }

  /** An authenticated stream of an agent; only the first one of its connection is news. */
  note({ session, headers, peer }: IncomingStream, info: AgentInfo, replica: string): void {
    const known = this.#agents.get(session) ?? new Set();
    if (known.has(info.agentId) || known.size >= MAX_AGENTS) return;
    this.#agents.set(session, known.add(info.agentId));
    const { clock, log } = this.#options;
    const sinceMs = clock.now();
    const fields = {
      agent_id: String(info.agentId),
      agent_name: info.agentName,
      // Names and versions of Go agents and of ours alike.
      user_agent: headers["user-agent"]?.slice(0, 128),
      // As far as the headers of this stream say it: `AgentMeta` comes later.
      abilities: abilitiesOf({ headers }),
      replica,
      transport: peer.transport,
      peer: peer.address,
    };
    log.info(fields, "agent connected");
    session.once("close", () => log.info({ ...fields, duration_ms: clock.now() - sinceMs }, "agent disconnected"));
  }
}
