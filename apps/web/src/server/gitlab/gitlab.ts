import type { Clock } from "@binnacle/rpc";

import type { HttpDialer } from "../http/http-dialer.ts";
import { sessionEnded } from "../base/session-ended.ts";
import { WITH_GIT } from "../main-application/capabilities.ts";
import type { CredentialNames } from "../main-application/credential-names.ts";
import type { AccessOptions, KasDoor, MainApplication, ViewerAccess } from "../main-application/main-application.ts";
import type { FileQuestion } from "../main-application/records.ts";
import { queryEnvironment, queryEnvironments, queryProjects, queryViewer } from "./environment-query.ts";
import { GitlabClient } from "./gitlab-client.ts";
import { GraphqlAccess } from "./graphql-access.ts";
import { PageTokens } from "./page-tokens.ts";
import { queryBlob } from "./query-blob.ts";
import { queryCommit } from "./query-commit.ts";

/** A GitLab instance as the main application. All GraphQL of the product is in this folder. */
export class GitlabMainApplication implements MainApplication {
  readonly #client: GitlabClient;
  readonly #names: CredentialNames;
  readonly #clock: Clock;
  readonly #pageTokens: PageTokens;

  /** @param dialer of the instance @param shared.names also those of the sessions of this process */
  constructor(dialer: HttpDialer, { names, clock }: { readonly names: CredentialNames; readonly clock: Clock }) {
    this.#client = new GitlabClient(dialer, clock);
    this.#names = names;
    this.#clock = clock;
    this.#pageTokens = new PageTokens(clock);
  }

  get url(): string {
    return this.#client.url;
  }

  readonly capabilities = WITH_GIT;

  /** @throws Fault `session_ended` for an ID token, which its API does not accept */
  open({ credential, ...options }: AccessOptions): ViewerAccess {
    if (credential.way === "oidc") throw sessionEnded();
    const shared = { client: this.#client, names: this.#names, pageTokens: this.#pageTokens, clock: this.#clock };
    return new GitlabAccess(new GraphqlAccess({ ...options, credential, ...shared }));
  }
}

/** A viewer of a GitLab instance. */
class GitlabAccess implements ViewerAccess {
  readonly #access: GraphqlAccess;

  constructor(access: GraphqlAccess) {
    this.#access = access;
  }

  get key(): string {
    return this.#access.key;
  }

  get session(): string | undefined {
    return this.#access.session;
  }

  get mainApplicationUrl(): string {
    return this.#access.mainApplicationUrl;
  }

  viewer(signal: AbortSignal): ReturnType<ViewerAccess["viewer"]> {
    return queryViewer(this.#access, signal);
  }

  projects(signal: AbortSignal): ReturnType<ViewerAccess["projects"]> {
    return queryProjects(this.#access, signal);
  }

  environment(names: { projectPath: string; environment: string }, signal: AbortSignal): ReturnType<ViewerAccess["environment"]> {
    return queryEnvironment(this.#access, names, signal);
  }

  environments(projectPath: string, signal: AbortSignal): ReturnType<ViewerAccess["environments"]> {
    return queryEnvironments(this.#access, projectPath, signal);
  }

  file(question: FileQuestion, signal: AbortSignal): ReturnType<ViewerAccess["file"]> {
    return queryBlob(this.#access, question, signal);
  }

  commit(of: { project: string; sha: string }, signal: AbortSignal): ReturnType<ViewerAccess["commit"]> {
    return queryCommit(this.#access, of, signal);
  }

  kasHeaders(door: KasDoor, request: { renew: boolean; signal: AbortSignal }): ReturnType<ViewerAccess["kasHeaders"]> {
    return this.#access.kasHeaders(door, request);
  }
}
