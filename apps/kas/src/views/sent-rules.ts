import type { ByteAccount, ByteLedger } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";

import type { HealthRuleSets } from "./canonical-spec.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";
import type { ViewsRequestInit } from "./views-call.ts";

/** What rules need of the connection to their agent. */
export interface SentRulesOptions {
  readonly agentId: bigint;
  readonly ledger: ByteLedger;
  readonly send: (request: ViewsRequestInit) => void;
  /** The limit of bytes is exceeded by these: topics that name them must end. */
  readonly cut: (name: string, fault: Fault) => void;
}

interface Held {
  readonly bytes: Uint8Array;
  readonly account: ByteAccount;
  users: number;
  /** The agent has them, in the current call. */
  isSent: boolean;
  /** There is no room for them. */
  fault: Fault | undefined;
}

/** Health rules that topics of one agent name: each is sent to the agent once, before the first topic that names it, and released after the last. */
export class SentRules {
  readonly #options: SentRulesOptions;
  readonly #held = new Map<string, Held>();
  #bytes = 0;

  constructor(options: SentRulesOptions) {
    this.#options = options;
  }

  /** A topic names these. @throws Fault `queue_full` when the agent would have too many, or why they exceed a limit of bytes */
  hold(sets: HealthRuleSets): void {
    const unknown = [...sets].filter(([name]) => !this.#held.has(name));
    const more = unknown.reduce((sum, [, bytes]) => sum + bytes.byteLength, 0);
    const { ruleSetsPerAgent, ruleBytesPerAgent } = VIEW_BOUNDS;
    if (this.#held.size + unknown.length > ruleSetsPerAgent || this.#bytes + more > ruleBytesPerAgent)
      throw new Fault("queue_full", "views of the agent are judged by too many health rules already", { retryAfterSeconds: 30 });
    for (const [name, bytes] of unknown) this.#begin(name, bytes);
    const held = [...sets.keys()].flatMap((name) => this.#held.get(name) ?? []);
    for (const each of held) each.users += 1;
    const fault = held.find((each) => each.fault)?.fault;
    if (fault === undefined) return;
    this.release(sets);
    throw fault;
  }

  /** Sends these unless the agent has them: a topic that names them is about to be subscribed. */
  tell(sets: HealthRuleSets): void {
    for (const name of sets.keys()) {
      const held = this.#held.get(name);
      if (held === undefined || held.isSent) continue;
      held.isSent = true;
      this.#options.send({ case: "healthRules", value: held.bytes });
    }
  }

  /** A topic that named these is no more. */
  release(sets: HealthRuleSets): void {
    for (const name of sets.keys()) {
      const held = this.#held.get(name);
      if (held === undefined || (held.users -= 1) > 0) continue;
      this.#held.delete(name);
      this.#bytes -= held.bytes.byteLength;
      held.account.close();
      if (held.isSent) this.#options.send({ case: "healthRulesDone", value: name });
    }
  }

  /** The call has ended: the agent of the next call has none of them. */
  down(): void {
    for (const held of this.#held.values()) held.isSent = false;
  }

  #begin(name: string, bytes: Uint8Array): void {
    const { agentId, ledger, cut } = this.#options;
    const account = ledger.open({ kind: "agent", id: String(agentId) }, (fault) => {
      held.fault = fault;
      cut(name, fault);
    });
    const held: Held = { bytes, account, users: 0, isSent: false, fault: undefined };
    this.#held.set(name, held);
    this.#bytes += bytes.byteLength;
    account.charge(bytes.byteLength);
  }
}
