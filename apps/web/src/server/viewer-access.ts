import { parseJson } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import { Fault } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { z } from "zod";

import type { Credential } from "./credential.ts";
import { forwardedFor, type GraphqlProof, type MainApplication } from "./main-application.ts";
import type { SealedStore } from "./sealed-store.ts";
import { sessionEnded } from "./session-ended.ts";

/** docs/design/contract.md "Identity of a viewer": both tokens are renewed every 5 minutes and on 401. */
const RENEW_AFTER_MS = 5 * 60_000;

/** Where a `_gitlab_kas` cookie comes from, and for which agent it is used. */
export interface KasDoor {
  readonly projectPath: string;
  /** Number of the environment, from its gid. */
  readonly environmentNumber: string;
  readonly agentId: bigint;
}

/** What the cookie way keeps, sealed. */
const keptSchema = z.object({
  csrfToken: z.string(),
  csrfAtMs: z.number(),
  kas: z.object({ cookie: z.string(), csrfToken: z.string(), atMs: z.number() }).optional(),
});
type Kept = z.infer<typeof keptSchema>;

/** What an access works with. */
export interface ViewerAccessOptions {
  readonly credential: Credential;
  readonly mainApplication: MainApplication;
  readonly store: SealedStore;
  readonly clock: Clock;
  /** Where the viewer's request came from; kas and the main application are told. Absent: they see this process. */
  readonly clientAddress?: string | undefined;
  /** Called whenever the main application says whose credential it is. May throw a Fault, which the query then throws. */
  readonly identified?: ((username: string) => void) | undefined;
}

/**
 * One viewer's two doors, GraphQL and the k8s-proxy, in the cookie way or the token way. Everything it obtains is the
 * viewer's own; the BFF adds no right.
 */
export class ViewerAccess {
  /** Names the credential; equal for two tabs of one session. */
  readonly key: string;
  readonly #options: ViewerAccessOptions;
  #renewing: Promise<Kept> | undefined;

  constructor(options: ViewerAccessOptions) {
    this.#options = options;
    const { credential, store } = options;
    this.key = `${credential.way}:${store.nameOf(credential.way === "cookie" ? credential.sessionCookie : credential.token)}`;
  }

  /**
   * GraphQL as the viewer. `projectPath` is the page whose CSRF token is used, empty for the start page.
   *
   * @throws Fault `session_ended`, `main_application_unavailable`
   */
  async graphql(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    ask: { projectPath: string; signal: AbortSignal },
  ): Promise<unknown> {
    const { mainApplication, credential, clientAddress } = this.#options;
    const first = await this.#proof(ask, false);
    try {
      return await mainApplication.graphql(query, variables, { proof: first.proof, signal: ask.signal, clientAddress });
    } catch (error) {
      const worthAnother = credential.way === "cookie" && !first.fresh && error instanceof Fault && error.reason === "session_ended";
      if (!worthAnother) throw error;
      const second = await this.#proof(ask, true);
      return mainApplication.graphql(query, variables, { proof: second.proof, signal: ask.signal, clientAddress });
    }
  }

  /**
   * Headers that open the k8s-proxy for one agent.
   *
   * @param renew after a 401: do not use what is kept. The token way has nothing to renew and answers `undefined`
   * @throws Fault `session_ended`, `main_application_unavailable`
   */
  async kasHeaders(door: KasDoor, ask: { renew: boolean; signal: AbortSignal }): Promise<Record<string, string> | undefined> {
    const { credential, clientAddress } = this.#options;
    const from = forwardedFor(clientAddress);
    if (credential.way === "token") {
      return ask.renew ? undefined : { authorization: `Bearer pat:${door.agentId}:${credential.token.reveal()}`, ...from };
    }
    const kept = this.#kept();
    const fresh = kept?.kas !== undefined && this.#options.clock.now() - kept.kas.atMs < RENEW_AFTER_MS;
    const kas = !ask.renew && fresh ? kept.kas : (await this.#renewKas(door, credential.sessionCookie, kept)).kas;
    if (!kas) throw sessionEnded();
    return { cookie: `_gitlab_kas=${kas.cookie}`, "x-csrf-token": kas.csrfToken, "gitlab-agent-id": String(door.agentId), ...from };
  }

  /** The main application has said whose credential this is. @throws Fault when that viewer may not have one more call */
  identify(username: string): void {
    this.#options.identified?.(username);
  }

  async #proof(ask: { projectPath: string; signal: AbortSignal }, renew: boolean): Promise<{ proof: GraphqlProof; fresh: boolean }> {
    const { credential, mainApplication, clock, clientAddress } = this.#options;
    if (credential.way === "token") return { proof: { way: "token", token: credential.token }, fresh: true };
    const { sessionCookie } = credential;
    const kept = this.#kept();
    if (kept && !renew && clock.now() - kept.csrfAtMs < RENEW_AFTER_MS) {
      return { proof: { way: "cookie", sessionCookie, csrfToken: new Secret(kept.csrfToken) }, fresh: false };
    }
    const page = await mainApplication.page(`/${encodePath(ask.projectPath)}`, sessionCookie, { signal: ask.signal, clientAddress });
    this.#keep({ ...this.#kept(), csrfToken: page.csrfToken.reveal(), csrfAtMs: clock.now() });
    return { proof: { way: "cookie", sessionCookie, csrfToken: page.csrfToken }, fresh: true };
  }

  /** One renewal at a time: ten watches that get a 401 together load one page. */
  #renewKas(door: KasDoor, sessionCookie: Secret, before: Kept | undefined): Promise<Kept> {
    this.#renewing ??= this.#loadEnvironmentPage(door, sessionCookie)
      .catch((error: unknown) => {
        // What is kept may well be good for longer than five minutes; kas is the judge.
        if (before?.kas && error instanceof Fault && error.reason === "main_application_unavailable") return before;
        throw error;
      })
      .finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #loadEnvironmentPage(door: KasDoor, sessionCookie: Secret): Promise<Kept> {
    const { mainApplication, clock, clientAddress } = this.#options;
    const path = `/${encodePath(door.projectPath)}/-/environments/${encodeURIComponent(door.environmentNumber)}`;
    // Shared by all who wait for it: nobody's leaving may abort it; the request has its own time limit.
    const page = await mainApplication.page(path, sessionCookie, { signal: new AbortController().signal, clientAddress });
    const atMs = clock.now();
    const csrfToken = page.csrfToken.reveal();
    const kas = page.kasCookie && { cookie: page.kasCookie.reveal(), csrfToken, atMs };
    const kept: Kept = { csrfToken, csrfAtMs: atMs, ...(kas === undefined ? {} : { kas }) };
    this.#keep(kept);
    return kept;
  }

  #kept(): Kept | undefined {
    const text = this.#options.store.get(this.key);
    return text && keptSchema.safeParse(parseJson(text.reveal())).data;
  }

  #keep(kept: Kept): void {
    this.#options.store.put(this.key, new Secret(JSON.stringify(kept)));
  }
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
