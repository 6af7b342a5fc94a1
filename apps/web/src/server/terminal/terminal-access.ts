import type { Actor } from "@binnacle/environment-view";
import { TerminalEnd } from "@binnacle/proto/dashboard";
import { Fault, sleep, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { hasTerminal, type Features } from "../config/features.ts";
import { openEnvironment, type OpenEnvironment, type OpeningContext } from "../environment/open-environment.ts";
import { MessageFault } from "../base/message-fault.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { actorOf } from "../authors/act-as-viewer.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import { PODS } from "./exec.ts";
import { missingExec, reviewExec } from "./exec-right.ts";
import { wordsOf, type Ended } from "./terminal-end.ts";
import type { TerminalClaims } from "./terminal-tickets.ts";
import type { IdentitiesContext } from "../kas/proved-identities.ts";

/** What the right to a terminal is checked with. */
export interface TerminalAccessContext extends OpeningContext, IdentitiesContext {
  readonly clock: Clock;
  /** What the operator allows viewers to do. */
  readonly features: Features;
}

const REQUEST_MS = 60_000;
/** As often as the rights of a stream are proved, and the limit of each check. */
const CHECK_MS = 30_000;
/** Of checks without an answer in a row; with the next one access ends within the minute that the contract allows. */
const MAX_UNKNOWN_CHECKS = 2;

/** The access of one terminal's viewer: authorized again at each check, from nothing that was cached. */
export class TerminalAccess {
  readonly #context: TerminalAccessContext;
  readonly #claims: TerminalClaims;
  readonly #viewerAccess: ViewerAccess;

  constructor(
    context: TerminalAccessContext,
    { claims, viewerAccess }: { readonly claims: TerminalClaims; readonly viewerAccess: ViewerAccess },
  ) {
    this.#context = context;
    this.#claims = claims;
    this.#viewerAccess = viewerAccess;
  }

  /**
   * What a terminal begins with, where the environment has terminals and the pod is still the one that its ticket names.
   *
   * @throws Fault as `#open`; KubeClientError
   */
  async begin(signal: AbortSignal): Promise<{ readonly access: KasAccess; readonly actor: Actor }> {
    const { namespace, pod: name, uid } = this.#claims;
    const opened = await this.#open(signal);
    const { access, environment } = opened;
    if (!hasTerminal(this.#context.features, environment.tier))
      throw new MessageFault("environment_forbidden", words("terminal/off", { environment: environment.name }));
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    const pod = await access.client.get({ kind: PODS, namespace, name }, inTime);
    if (pod.metadata.uid !== uid) throw new MessageFault("not_found", words("action/replaced"));
    return { access, actor: await actorOf(this.#context, opened, inTime) };
  }

  /**
   * Checks the access until it has ended, and settles with why, or with `undefined` when `signal` aborts: what the cluster decided when the
   * terminal began holds for no longer than a minute.
   */
  async untilWithdrawn(signal: AbortSignal): Promise<Ended | undefined> {
    let unknown = 0;
    for (;;) {
      await sleep(this.#context.clock, CHECK_MS, signal);
      if (signal.aborted) return undefined;
      const ended = await this.#check(signal);
      unknown = ended === "unknown" ? unknown + 1 : 0;
      if (unknown >= MAX_UNKNOWN_CHECKS) return { end: TerminalEnd.WITHDRAWN, words: words("terminal/not-checked") };
      if (ended !== undefined && ended !== "unknown") return ended;
    }
  }

  /** Why a connection broke: kas cuts it when it finds that the access was withdrawn, and has no message for that. */
  async whyLost(signal: AbortSignal): Promise<Ended> {
    const ended = await this.#check(signal);
    return ended === undefined || ended === "unknown" ? { end: TerminalEnd.LOST } : ended;
  }

  /** Why the viewer may no longer have the terminal; `undefined`: still allowed. */
  async #check(signal: AbortSignal): Promise<Ended | "unknown" | undefined> {
    const { namespace, pod } = this.#claims;
    try {
      const { access } = await this.#open(signal);
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
  async #open(signal: AbortSignal): Promise<OpenEnvironment> {
    const [context, claims, viewerAccess] = [this.#context, this.#claims, this.#viewerAccess];
    const request = { projectPath: claims.projectPath, environment: claims.environment };
    const opened = await openEnvironment(context, {
      viewerAccess,
      request,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    const { namespaces } = opened.scope;
    if (opened.viewer.username !== claims.viewer) throw sessionEnded();
    if (namespaces.length > 0 && !namespaces.includes(claims.namespace))
      throw new MessageFault("not_found", words("terminal/out-of-scope"));
    return opened;
  }
}
