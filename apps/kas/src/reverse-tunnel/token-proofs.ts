import { statusOfThrown } from "@binnacle/grpc-wire";
import { Fault, Slots, type Clock } from "@binnacle/rpc";

import type { AgentInfo } from "../main-application/agent-info.ts";
import { isRefusal, type SessionAuthenticator, type ShownToken } from "../main-application/session-authenticator.ts";
import type { Tunnel } from "./tunnel.ts";

/** One for all: an `AbortError` of its own would cost a stack trace each time. */
const GONE = new Fault("cancelled", "the tunnels are gone");

/** The tunnels that were opened with one token on one connection. */
interface Proof {
  readonly tunnels: Slots<Tunnel>;
  /** Of the question that runs. */
  asking: AbortController | undefined;
  cancel: () => void;
  /** Who comes from now on begins anew. */
  forget: () => void;
}

/**
 * Checks the tokens of open tunnels again and again: a revoked agent loses even the tunnels it never used. There is one timer for all
 * tunnels of a connection and a token, however many come and go.
 */
export class TokenProofs {
  readonly #sessions: SessionAuthenticator;
  readonly #clock: Clock;
  readonly #proofs = new WeakMap<object, Map<string, Proof>>();

  constructor(sessions: SessionAuthenticator, clock: Clock) {
    this.#sessions = sessions;
    this.#clock = clock;
  }

  /** The tunnel lives on this token, which was proved just now or a while ago. @returns takes it out again */
  watch(shown: ShownToken, info: AgentInfo, tunnel: Tunnel): () => void {
    const ofSession = this.#proofs.get(shown.session) ?? new Map<string, Proof>();
    this.#proofs.set(shown.session, ofSession);
    const token = shown.authorization ?? "";
    let proof = ofSession.get(token);
    if (proof === undefined) {
      const begun: Proof = {
        tunnels: new Slots(),
        asking: undefined,
        cancel: () => undefined,
        forget: () => ofSession.get(token) === begun && ofSession.delete(token),
      };
      proof = begun;
      ofSession.set(token, begun);
      this.#later(begun, shown, this.#sessions.proofLeftMs(info));
    }
    const joined = proof;
    const slot = joined.tunnels.add(tunnel);
    return () => {
      joined.tunnels.remove(slot);
      if (joined.tunnels.size > 0) return;
      joined.cancel();
      joined.asking?.abort(GONE);
      joined.forget();
    };
  }

  #later(proof: Proof, shown: ShownToken, delayMs: number): void {
    proof.cancel = this.#clock.after(delayMs, () => void this.#ask(proof, shown)); // never rejects
  }

  async #ask(proof: Proof, shown: ShownToken): Promise<void> {
    const asking = new AbortController();
    proof.asking = asking;
    let delayMs: number;
    try {
      const info = await this.#sessions.prove(shown, asking);
      for (const tunnel of proof.tunnels.values())
        if (info.agentId !== tunnel.agentId) tunnel.abort(statusOfThrown(new Fault("token_unknown", "unauthenticated")));
      delayMs = this.#sessions.proofLeftMs(info);
    } catch (error) {
      if (error instanceof Fault && isRefusal(error)) {
        proof.forget();
        for (const tunnel of proof.tunnels.values()) tunnel.abort(statusOfThrown(error));
        return;
      }
      // An unavailable main application has no answer about the token.
      delayMs = this.#sessions.retryMs(error);
    }
    if (proof.tunnels.size > 0) this.#later(proof, shown, delayMs);
  }
}
