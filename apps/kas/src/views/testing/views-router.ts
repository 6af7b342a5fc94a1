import { Fault, type FaultReason } from "@binnacle/rpc";

import type { AgentCall, AgentCallListener, AgentCallRequest, AgentRouter } from "../../agent-call/agent-call.ts";
import type { FakeViewsAgent, ViewsConversation } from "./views-agent.ts";

/** A stand-in for the router with one agent of views behind it; messages arrive a turn of microtasks later, as over a tunnel. */
export class ViewsRouter implements AgentRouter {
  /** Who answers the next call. */
  agent: FakeViewsAgent | undefined;
  /** Why there is no answer when there is no agent. */
  missing: FaultReason = "agent_not_connected";
  readonly requests: AgentCallRequest[] = [];
  /** Who hears what the agent says, oldest first. */
  readonly listeners: AgentCallListener[] = [];
  /** Calls that are open. */
  readonly running = new Set<() => void>();

  constructor(agent?: FakeViewsAgent) {
    this.agent = agent;
  }

  async open(request: AgentCallRequest, listener: AgentCallListener): Promise<AgentCall> {
    this.requests.push(request);
    const { agent } = this;
    if (agent === undefined) throw new Fault(this.missing, `agent ${request.agentId} is not there`);
    this.listeners.push(listener);
    let isOpen = true;
    const conversation: ViewsConversation = agent.converse((bytes) => {
      const copy = bytes.slice();
      queueMicrotask(() => isOpen && listener.message(copy));
    });
    const end = (): void => {
      isOpen = false;
      this.running.delete(breakOff);
      conversation.close();
    };
    const breakOff = (): void => {
      if (!isOpen) return;
      end();
      listener.end({ code: 14, message: "the tunnel broke", trailer: new Map(), stage: "answered" });
    };
    this.running.add(breakOff);
    return {
      hops: 0,
      write: (pieces) => {
        const data = Buffer.concat(pieces);
        queueMicrotask(() => isOpen && conversation.hear(data));
        return true;
      },
      onDrain: () => undefined,
      closeSend: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
      cancel: end,
    };
  }

  /** Every tunnel breaks. */
  breakAll(): void {
    for (const breakOff of this.running) breakOff();
  }
}
