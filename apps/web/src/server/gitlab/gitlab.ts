import type { Clock } from "@binnacle/rpc";

import type { HttpDialer } from "../http/http-dialer.ts";
import { sessionEnded } from "../base/session-ended.ts";
import { WITH_GIT } from "../main-application/capabilities.ts";
import type { CredentialNames } from "../main-application/credential-names.ts";
import type { AccessOptions, KasDoor, MainApplication, ViewerAccess } from "../main-application/main-application.ts";
import type { ManyEnvironmentsRequest, ProjectEnvironments } from "../main-application/many-projects.ts";
import type { FileQuestion } from "../main-application/records.ts";
import { createAgent, createAgentToken, deleteAgent, revokeAgentToken } from "./change-agents.ts";
import { queryEnvironment, queryEnvironments, queryProjects, queryViewer } from "./environment-query.ts";
import { GitlabClient } from "./gitlab-client.ts";
import { GraphqlAccess } from "./graphql-access.ts";
import { PageTokens } from "./page-tokens.ts";
import { queryAgent, queryAgents } from "./query-agents.ts";
import { GitlabProxyTokens } from "./proxy-tokens.ts";
import { queryBlob } from "./query-blob.ts";
import { queryCommit } from "./query-commit.ts";
import { querySettings } from "./query-settings.ts";
import { InstanceCapabilities } from "./settings-capabilities.ts";
import * as settings from "./write-settings.ts";
import { queryDistance } from "./query-distance.ts";
import { queryGroups, queryProjectsOfGroup } from "./query-groups.ts";
import { queryManyEnvironments } from "./query-many-environments.ts";

/** A GitLab instance as the main application. All GraphQL of the product is in this folder. */
export class GitlabMainApplication implements MainApplication {
  readonly #client: GitlabClient;
  readonly #names: CredentialNames;
  readonly #clock: Clock;
  readonly #pageTokens: PageTokens;
  readonly #capabilities: InstanceCapabilities;
  readonly signIn = "oauth";
  readonly proxyTokens: GitlabProxyTokens;

  /** @param dialer of the instance @param shared.names also those of the sessions of this process */
  constructor(dialer: HttpDialer, { names, clock }: { readonly names: CredentialNames; readonly clock: Clock }) {
    this.#client = new GitlabClient(dialer, clock);
    this.#names = names;
    this.#clock = clock;
    this.#pageTokens = new PageTokens(clock);
    this.#capabilities = new InstanceCapabilities(clock);
    this.proxyTokens = new GitlabProxyTokens(dialer, clock);
  }

  get url(): string {
    return this.#client.url;
  }

  readonly capabilities = WITH_GIT;

  /** @throws Fault `session_ended` for an ID token, which its API does not accept */
  open({ credential, ...options }: AccessOptions): ViewerAccess {
    if (credential.way === "oidc") throw sessionEnded();
    const shared = { client: this.#client, names: this.#names, pageTokens: this.#pageTokens, clock: this.#clock };
    return new GitlabAccess(new GraphqlAccess({ ...options, credential, ...shared }), this.#capabilities);
  }
}

/** A viewer of a GitLab instance. */
class GitlabAccess implements ViewerAccess {
  readonly #access: GraphqlAccess;
  readonly #capabilities: InstanceCapabilities;

  constructor(access: GraphqlAccess, capabilities: InstanceCapabilities) {
    this.#access = access;
    this.#capabilities = capabilities;
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

  get needsClusterToken(): boolean {
    return this.#access.needsClusterToken;
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

  groups(signal: AbortSignal): ReturnType<ViewerAccess["groups"]> {
    return queryGroups(this.#access, signal);
  }

  projectsOfGroup(group: string, signal: AbortSignal): ReturnType<ViewerAccess["projectsOfGroup"]> {
    return queryProjectsOfGroup(this.#access, group, signal);
  }

  environmentsOf(
    request: ManyEnvironmentsRequest,
    found: (projects: readonly ProjectEnvironments[]) => void,
    signal: AbortSignal,
  ): ReturnType<ViewerAccess["environmentsOf"]> {
    return queryManyEnvironments(this.#access, request, { found, signal });
  }

  compare(of: { project: string; base: string; head: string }, signal: AbortSignal): ReturnType<ViewerAccess["compare"]> {
    return queryDistance(this.#access, of, signal);
  }

  file(question: FileQuestion, signal: AbortSignal): ReturnType<ViewerAccess["file"]> {
    return queryBlob(this.#access, question, signal);
  }

  commit(of: { project: string; sha: string }, signal: AbortSignal): ReturnType<ViewerAccess["commit"]> {
    return queryCommit(this.#access, of, signal);
  }

  agents(projectPath: string, signal: AbortSignal): ReturnType<ViewerAccess["agents"]> {
    return queryAgents(this.#access, projectPath, signal);
  }

  agent(of: { projectPath: string; name: string }, signal: AbortSignal): ReturnType<ViewerAccess["agent"]> {
    return queryAgent(this.#access, of, signal);
  }

  registerAgent(of: { projectPath: string; name: string }, signal: AbortSignal): ReturnType<ViewerAccess["registerAgent"]> {
    return createAgent(this.#access, of, signal);
  }

  createAgentToken(
    of: { projectPath: string; agentId: bigint; tokenName: string },
    signal: AbortSignal,
  ): ReturnType<ViewerAccess["createAgentToken"]> {
    return createAgentToken(this.#access, of, signal);
  }

  revokeAgentToken(of: { projectPath: string; tokenId: string }, signal: AbortSignal): Promise<void> {
    return revokeAgentToken(this.#access, of, signal);
  }

  deleteAgent(of: { projectPath: string; agentId: bigint }, signal: AbortSignal): Promise<void> {
    return deleteAgent(this.#access, of, signal);
  }

  kasHeaders(door: KasDoor, request: { renew: boolean; signal: AbortSignal }): ReturnType<ViewerAccess["kasHeaders"]> {
    return this.#access.kasHeaders(door, request);
  }

  settings(...[names, signal]: Parameters<ViewerAccess["settings"]>): ReturnType<ViewerAccess["settings"]> {
    return querySettings(this.#access, this.#capabilities, { ...names, signal });
  }

  changeEnvironment(...[of, change, signal]: Parameters<ViewerAccess["changeEnvironment"]>): ReturnType<ViewerAccess["changeEnvironment"]> {
    return settings.updateEnvironment(this.#access, { ...of, signal }, change);
  }

  createEnvironment(
    ...[projectPath, created, signal]: Parameters<ViewerAccess["createEnvironment"]>
  ): ReturnType<ViewerAccess["createEnvironment"]> {
    return settings.createEnvironment(this.#access, { projectPath, signal }, created);
  }

  stopEnvironment(...[of, signal]: Parameters<ViewerAccess["stopEnvironment"]>): ReturnType<ViewerAccess["stopEnvironment"]> {
    return settings.stopEnvironment(this.#access, { ...of, signal });
  }

  deleteEnvironment(...[of, signal]: Parameters<ViewerAccess["deleteEnvironment"]>): ReturnType<ViewerAccess["deleteEnvironment"]> {
    return settings.deleteEnvironment(this.#access, { ...of, signal });
  }

  editableFile(...[of, signal]: Parameters<ViewerAccess["editableFile"]>): ReturnType<ViewerAccess["editableFile"]> {
    return settings.queryEditableFile(this.#access, of, signal);
  }

  commitFile(...[commit, signal]: Parameters<ViewerAccess["commitFile"]>): ReturnType<ViewerAccess["commitFile"]> {
    return settings.commitFile(this.#access, commit, signal);
  }
}
