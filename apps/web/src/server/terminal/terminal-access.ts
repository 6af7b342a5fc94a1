import { TerminalEnd } from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import type { BffContext } from "../bff-context.ts";
import { openEnvironment, type OpenEnvironment } from "../resource/open-environment.ts";
import { SaidFault } from "../said-fault.ts";
import { sessionEnded } from "../session/session-ended.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";
import { missingExec, reviewExec } from "./exec-right.ts";
import { wordsOf, type Ended } from "./terminal-end.ts";
import type { TerminalClaims } from "./terminal-tickets.ts";

const REQUEST_MS = 60_000;
const CHECK_MS = 30_000;

/** The access of one terminal's viewer, as it is each time. */
export class TerminalAccess {
  readonly #context: BffContext;
  readonly #claims: TerminalClaims;
  readonly #viewerAccess: ViewerAccess;

  constructor(context: BffContext, { claims, viewerAccess }: { readonly claims: TerminalClaims; readonly viewerAccess: ViewerAccess }) {
    this.#context = context;
    this.#claims = claims;
    this.#viewerAccess = viewerAccess;
  }

  /** Why the viewer may no longer have the terminal; `undefined`: still allowed. */
  async check(signal: AbortSignal): Promise<Ended | "unknown" | undefined> {
    const { namespace, pod } = this.#claims;
    try {
      const { access } = await this.open(signal);
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]);
      const review = await reviewExec(access.client, { namespace, pod, purpose: "proof" }, inTime);
      if (review.right === "allowed") return undefined;
      if (review.right === "denied") return { end: TerminalEnd.WITHDRAWN, words: missingExec(namespace).words };
      // The main application has just answered as this viewer, and kas refuses access to the agent.
      return review.failure === "unauthorized" ? { end: TerminalEnd.WITHDRAWN, words: review.why } : "unknown";
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.reason === "session_ended") return { end: TerminalEnd.SIGNED_OUT };
      const isWithdrawn = error.reason === "not_found" || error.reason === "environment_forbidden" || error.reason === "agent_forbidden";
      return isWithdrawn ? { end: TerminalEnd.WITHDRAWN, words: wordsOf(error) } : "unknown";
    }
  }

  /** The environment as the viewer sees it now. @throws Fault as `openEnvironment`; `session_ended` for another viewer */
  async open(signal: AbortSignal): Promise<OpenEnvironment> {
    const [context, claims, viewerAccess] = [this.#context, this.#claims, this.#viewerAccess];
    const request = { projectPath: claims.projectPath, environment: claims.environment };
    const opened = await openEnvironment(context, {
      viewerAccess,
      request,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    const { namespaces } = opened.scope;
    if (opened.viewer.username !== claims.viewer) throw sessionEnded();
    if (namespaces.length > 0 && !namespaces.includes(claims.namespace)) throw new SaidFault("not_found", words("terminal/out-of-scope"));
    return opened;
  }
}
