import type { ByteAccount, ByteLedger } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";

import type { HealthRuleSets } from "./canonical-spec.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";
import type { ViewsRequestInit } from "./views-call.ts";

/** What rules need of the way to their agent. */
export interface SentRulesOptions {
  readonly agentId: bigint;
  readonly ledger: ByteLedger;
  readonly send: (request: ViewsRequestInit) => void;
  /** There is no room for these any more: whoever names them has to end. */
  readonly cut: (name: string, fault: Fault) => void;
}

interface Held {
  readonly bytes: Uint8Array;
  readonly account: ByteAccount;
  users: number;
  /** The agent has them, in the call that stands. */
  isTold: boolean;
  /** There is no room for them. */
  fault: Fault | undefined;
}

/** Rules of health that topics of one agent name: the agent is told each once, before the first topic that names it, and when none does any more. */
export class SentRules {
  readonly #options: SentRulesOptions;
  readonly #held = new Map<string, Held>();
  #bytes = 0;

  constructor(options: SentRulesOptions) {
    this.#options = options;
  }

  /** A topic names these. @throws Fault `queue_full` when the agent would be told too many, or why there is no room for them */
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

  /** A topic that names these is about to be asked for. */
  tell(sets: HealthRuleSets): void {
    for (const name of sets.keys()) {
      const held = this.#held.get(name);
      if (held === undefined || held.isTold) continue;
      held.isTold = true;
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
      if (held.isTold) this.#options.send({ case: "healthRulesDone", value: name });
    }
  }

  /** The call is gone, and with it what was told in it. */
  down(): void {
    for (const held of this.#held.values()) held.isTold = false;
  }

  #begin(name: string, bytes: Uint8Array): void {
    const { agentId, ledger, cut } = this.#options;
    const account = ledger.open({ kind: "agent", id: String(agentId) }, (fault) => {
      held.fault = fault;
      cut(name, fault);
    });
    const held: Held = { bytes, account, users: 0, isTold: false, fault: undefined };
    this.#held.set(name, held);
    this.#bytes += bytes.byteLength;
    account.charge(bytes.byteLength);
  }
}
