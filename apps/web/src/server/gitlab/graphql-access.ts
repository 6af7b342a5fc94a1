import type { Clock } from "@binnacle/rpc";
import { Fault } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { words } from "@binnacle/words";

import type { Credential } from "../main-application/credential.ts";
import type { CredentialNames } from "../main-application/credential-names.ts";
import type { AccessOptions, KasDoor } from "../main-application/main-application.ts";
import { forwardedFor, type GitlabClient, type GraphqlProof, type RequestContext } from "./gitlab-client.ts";
import type { PageTokens, SessionTokens } from "./page-tokens.ts";
import { MessageFault } from "../base/message-fault.ts";
import { sessionEnded } from "../base/session-ended.ts";

/** docs/design/contract.md "Identity of a viewer": both tokens are renewed every 5 minutes and on 401. */
const RENEW_AFTER_MS = 5 * 60_000;

/** What an access works with. */
interface GraphqlAccessOptions extends AccessOptions {
  readonly credential: Exclude<Credential, { readonly way: "oidc" }>;
  readonly client: GitlabClient;
  readonly names: CredentialNames;
  readonly pageTokens: PageTokens;
  readonly clock: Clock;
}

/**
 * One viewer's two doors, GraphQL and the k8s-proxy, by cookie, by token, or by an access token and one for the k8s-proxy. Everything it obtains is the
 * viewer's own; the BFF adds no right.
 */
export class GraphqlAccess {
  /** Names the credential; equal for two tabs of one session. */
  readonly key: string;
  /** Names the session that signing out here ends; `undefined` for one of the main application. */
  readonly session: string | undefined;
  readonly #options: GraphqlAccessOptions;
  #renewing: Promise<SessionTokens> | undefined;

  constructor(options: GraphqlAccessOptions) {
    this.#options = options;
    const { credential, names } = options;
    this.session = options.session;
    this.key = `${credential.way}:${names.of(namedBy(options))}`;
  }

  /** Where people find the main application. */
  get mainApplicationUrl(): string {
    return this.#options.client.url;
  }

  /** What the instance was found not to answer. */
  get instance(): GitlabClient["instance"] {
    return this.#options.client.instance;
  }

  /** An access token of OAuth opens no cluster, and there is none beside it that does. */
  get needsClusterToken(): boolean {
    const { credential } = this.#options;
    return credential.way === "oauth" && credential.proxyToken === undefined;
  }

  /**
   * GraphQL as the viewer. `projectPath` is the page whose CSRF token is used, empty for the start page. `mostBytes` and
   * `failed` as of `RequestContext`.
   *
   * @throws Fault `session_ended`, `main_application_unavailable`, `message_too_large`
   */
  async graphql(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    ask: { projectPath: string } & Pick<RequestContext, "signal" | "mostBytes" | "failed">,
  ): Promise<unknown> {
    try {
      return await this.#graphql(query, variables, ask);
    } catch (error) {
      if (error instanceof Fault && error.reason === "session_ended") this.#options.over?.();
      throw error;
    }
  }

  async #graphql(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    ask: { projectPath: string } & Pick<RequestContext, "signal" | "mostBytes" | "failed">,
  ): Promise<unknown> {
    const { client, credential, clientAddress } = this.#options;
    const { signal, mostBytes, failed } = ask;
    const options = { signal, clientAddress, mostBytes, failed, credential: this.key };
    const first = await this.#proof(ask, false);
    try {
      return await client.graphql(query, variables, { proof: first.proof, ...options });
    } catch (error) {
      const worthAnother = credential.way === "cookie" && !first.fresh && error instanceof Fault && error.reason === "session_ended";
      if (!worthAnother) throw error;
      const second = await this.#proof(ask, true);
      return client.graphql(query, variables, { proof: second.proof, ...options });
    }
  }

  /** Reads something over REST as the viewer. @throws Fault as `GitlabClient.rest` */
  async rest(path: string, ask: Pick<RequestContext, "signal" | "mostBytes">): ReturnType<GitlabClient["rest"]> {
    const { client, clientAddress } = this.#options;
    const { proof } = await this.#proof({ projectPath: "", signal: ask.signal }, false);
    return client.rest(path, { ...ask, proof, clientAddress, credential: this.key });
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
    if (credential.way === "oauth") {
      if (ask.renew) return undefined;
      const { proxyToken } = credential;
      if (proxyToken === undefined) throw new MessageFault("cluster_unavailable", words("request/no-cluster-token"));
      return { authorization: `Bearer pat:${door.agentId}:${proxyToken.reveal()}`, ...from };
    }
    if (credential.way === "token") {
      return ask.renew ? undefined : { authorization: `Bearer pat:${door.agentId}:${credential.token.reveal()}`, ...from };
    }
    const kept = this.#kept();
    const fresh = kept?.kas !== undefined && this.#options.clock.now() - kept.kas.atMs < RENEW_AFTER_MS;
    const kas = !ask.renew && fresh ? kept.kas : (await this.#renewKas(door, credential.sessionCookie, kept)).kas;
    if (!kas) throw sessionEnded();
    return {
      cookie: `_gitlab_kas=${kas.cookie.reveal()}`,
      "x-csrf-token": kas.csrfToken.reveal(),
      "gitlab-agent-id": String(door.agentId),
      ...from,
    };
  }

  /** The main application has reported whose credential this is. @throws Fault when that viewer may not have one more call */
  identify(username: string): void {
    this.#options.identified?.(username);
  }

  async #proof(ask: { projectPath: string; signal: AbortSignal }, renew: boolean): Promise<{ proof: GraphqlProof; fresh: boolean }> {
    const { credential, client, clock, clientAddress } = this.#options;
    if (credential.way === "token") return { proof: { way: "token", token: credential.token }, fresh: true };
    if (credential.way === "oauth") return { proof: { way: "token", token: credential.accessToken }, fresh: true };
    const { sessionCookie } = credential;
    const kept = this.#kept();
    if (kept && !renew && clock.now() - kept.csrfAtMs < RENEW_AFTER_MS) {
      return { proof: { way: "cookie", sessionCookie, csrfToken: kept.csrfToken }, fresh: false };
    }
    const page = await client.page(`/${encodePath(ask.projectPath)}`, sessionCookie, {
      signal: ask.signal,
      clientAddress,
      credential: this.key,
    });
    this.#keep({ kas: this.#kept()?.kas, csrfToken: page.csrfToken, csrfAtMs: clock.now() });
    return { proof: { way: "cookie", sessionCookie, csrfToken: page.csrfToken }, fresh: true };
  }

  /** One renewal at a time: ten watches that get a 401 together load one page. */
  #renewKas(door: KasDoor, sessionCookie: Secret, before: SessionTokens | undefined): Promise<SessionTokens> {
    this.#renewing ??= this.#loadEnvironmentPage(door, sessionCookie)
      .catch((error: unknown) => {
        // What is kept may well be good for longer than five minutes; kas is the judge.
        if (before?.kas && error instanceof Fault && error.reason === "main_application_unavailable") return before;
        throw error;
      })
      .finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #loadEnvironmentPage(door: KasDoor, sessionCookie: Secret): Promise<SessionTokens> {
    const { client, clock, clientAddress } = this.#options;
    const path = `/${encodePath(door.projectPath)}/-/environments/${encodeURIComponent(door.environmentNumber)}`;
    // Shared by all waiting callers: no caller's cancellation may abort it; the request has its own time limit.
    const page = await client.page(path, sessionCookie, { signal: new AbortController().signal, clientAddress, credential: this.key });
    const atMs = clock.now();
    const { csrfToken, kasCookie } = page;
    const kept = { csrfToken, csrfAtMs: atMs, kas: kasCookie && { cookie: kasCookie, csrfToken, atMs } };
    this.#keep(kept);
    return kept;
  }

  #kept(): SessionTokens | undefined {
    return this.#options.pageTokens.get(this.key);
  }

  #keep(kept: SessionTokens): void {
    this.#options.pageTokens.set(this.key, kept);
  }
}

/** By what a credential is named: tokens that are renewed by the session that they belong to. */
function namedBy({ credential, session = "" }: AccessOptions): Secret {
  if (credential.way === "cookie") return credential.sessionCookie;
  return credential.way === "token" ? credential.token : new Secret(session);
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
