import { createHash } from "node:crypto";

import { isPrincipalName, type EnvironmentEntry, type OrganizationAgent, type Principal, type ProjectEntry } from "@binnacle/organization";
import { Fault } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { words } from "@binnacle/words";
import { decodeJwt, type JWTPayload } from "jose";
import type { LRUCache } from "lru-cache";

import { MessageFault } from "../base/message-fault.ts";
import { sessionEnded } from "../base/session-ended.ts";
import { secretOf } from "../main-application/credential.ts";
import type { AgentName } from "../main-application/agents.ts";
import type { AccessOptions, KasDoor, ViewerAccess } from "../main-application/main-application.ts";
import type { ProjectEnvironments } from "../main-application/many-projects.ts";
import type { EnvironmentRecord, FileAnswer, MainViewer, ProjectRecord } from "../main-application/records.ts";
import type { EditableFile, SharedAgent, WriteResult } from "../main-application/settings-access.ts";
import type { StandaloneOptions } from "./standalone.ts";
import { agentOf, READ_ONLY, settingsOf, sharedAgentOf } from "./read-only.ts";
import type { UserToken } from "./user-tokens-client.ts";

interface StandaloneAccessOptions extends AccessOptions, StandaloneOptions {
  /** What kas issued last, by credential; shared by all accesses of the process. */
  readonly renewed: LRUCache<string, UserToken>;
}

/** A token is renewed so long before its end: a request that begins now is still accepted. */
const RENEW_BEFORE_MS = 60_000;

/**
 * A viewer of an organization without GitLab. The credential is an ID token: of a provider of identities, or the one that kas issued at the
 * sign-in with a password. It comes from a sealed session, so its claims are read here, and verified by kas with every request.
 */
export class StandaloneAccess implements ViewerAccess {
  readonly key: string;
  readonly session: string | undefined;
  readonly mainApplicationUrl: string;
  readonly #options: StandaloneAccessOptions;
  #renewing: Promise<UserToken> | undefined;

  constructor(options: StandaloneAccessOptions) {
    const { credential, names, session, url } = options;
    this.#options = options;
    this.session = session;
    this.mainApplicationUrl = url;
    // Tokens of a provider are renewed by the session that they belong to, and cannot be read meanwhile.
    this.key = `${credential.way}:${names.of(session === undefined ? secretOf(credential) : new Secret(session))}`;
  }

  async viewer(_signal: AbortSignal): Promise<MainViewer> {
    return this.#identify().viewer;
  }

  async projects(_signal: AbortSignal): ReturnType<ViewerAccess["projects"]> {
    const { viewer, principal } = this.#identify();
    const projects = this.#options.files.current.projectsOf(principal);
    return { viewer, projects: projects.map(projectRecordOf) };
  }

  /** The folders of the projects' paths. */
  async groups(_signal: AbortSignal): ReturnType<ViewerAccess["groups"]> {
    const { principal } = this.#identify();
    const paths = new Set(this.#options.files.current.projectsOf(principal).flatMap(({ path }) => foldersOf(path)));
    return { kind: "listed", groups: [...paths].toSorted().map((fullPath) => ({ name: lastOf(fullPath), fullPath })) };
  }

  async projectsOfGroup(group: string, _signal: AbortSignal): ReturnType<ViewerAccess["projectsOfGroup"]> {
    const { viewer, principal } = this.#identify();
    const projects = this.#options.files.current.projectsOf(principal).filter(({ path }) => path.startsWith(`${group}/`));
    if (projects.length === 0) throw new MessageFault("not_found", words("problem/no-project", { project: group }));
    return { viewer, projects: projects.map(projectRecordOf), more: false };
  }

  async environmentsOf(...[request, found]: Parameters<ViewerAccess["environmentsOf"]>): Promise<void> {
    const { principal } = this.#identify();
    found(
      request.projects.map(({ fullPath: projectPath }): ProjectEnvironments => {
        const project = this.#options.files.current.projectFor(projectPath, principal);
        if (project === undefined) return { projectPath, result: { kind: "not_found" } };
        const environments = project.environments.map((environment) => this.#recordOf(project, environment));
        return { projectPath, result: { kind: "read", environments, file: { kind: "absent" } } };
      }),
    );
  }

  /** There is no Git: no commits are compared. */
  async compare(): ReturnType<ViewerAccess["compare"]> {
    this.#identify();
    return { kind: "not-supported" };
  }

  async environment(
    { projectPath, environment: name }: { readonly projectPath: string; readonly environment: string },
    _signal: AbortSignal,
  ): ReturnType<ViewerAccess["environment"]> {
    const { viewer, principal } = this.#identify();
    const project = this.#options.files.current.projectFor(projectPath, principal);
    const environment = project?.environments.find((each) => each.name === name);
    if (project === undefined || environment === undefined)
      throw new MessageFault("not_found", words("problem/no-environment", { environment: name, project: projectPath }));
    return { viewer, environment: this.#recordOf(project, environment) };
  }

  async environments(projectPath: string, _signal: AbortSignal): ReturnType<ViewerAccess["environments"]> {
    const { viewer, project } = this.#projectOf(projectPath);
    return { viewer, environments: project.environments.map((environment) => this.#recordOf(project, environment)) };
  }

  /** There is no Git: no project has files. */
  async file(): Promise<FileAnswer> {
    this.#identify();
    return { kind: "absent" };
  }

  /** There is no Git: no commit is known. */
  async commit(): Promise<undefined> {
    this.#identify();
  }

  async agents(projectPath: string, _signal: AbortSignal): ReturnType<ViewerAccess["agents"]> {
    const { viewer, project } = this.#projectOf(projectPath);
    const agents = this.#agentsOf(project).map(agentOf);
    return { viewer, projectPath: project.path, agents, isTruncated: false, mayAdminister: false, inFiles: true };
  }

  async agent({ projectPath, name }: AgentName, _signal: AbortSignal): ReturnType<ViewerAccess["agent"]> {
    const { viewer, project } = this.#projectOf(projectPath);
    const agent = this.#agentsOf(project).find((each) => each.name === name);
    if (agent === undefined) throw new MessageFault("not_found", words("agents/no-agent", { agent: name, project: projectPath }));
    return { viewer, projectPath: project.path, agent: agentOf(agent), mayAdminister: false, inFiles: true };
  }

  async registerAgent(): Promise<never> {
    return this.#refuseAgents();
  }

  async createAgentToken(): Promise<never> {
    return this.#refuseAgents();
  }

  async revokeAgentToken(): Promise<never> {
    return this.#refuseAgents();
  }

  async deleteAgent(): Promise<never> {
    return this.#refuseAgents();
  }

  async settings(...[names]: Parameters<ViewerAccess["settings"]>): ReturnType<ViewerAccess["settings"]> {
    const { projectPath, environment: name } = names;
    const { viewer, principal, project } = this.#projectOf(projectPath);
    const found = project.environments.find((each) => each.name === name);
    if (name !== undefined && found === undefined)
      throw new MessageFault("not_found", words("problem/no-environment", { environment: name, project: projectPath }));
    const organization = this.#options.files.current;
    const agents = organization.agents.filter(({ id }) => organization.accessTo(id, principal) !== undefined);
    const shared = (agent: OrganizationAgent): SharedAgent => sharedAgentOf(organization, agent, principal);
    const used = found && organization.agentOfEnvironment(project.path, found);
    const environment = found && { ...settingsOf(this.#recordOf(project, found)), agent: used && shared(used) };
    return { viewer, projectPath: project.path, environment, agents: agents.map(shared), ...READ_ONLY };
  }

  async changeEnvironment(): Promise<WriteResult> {
    return this.#rejectSettings();
  }

  async createEnvironment(): Promise<WriteResult> {
    return this.#rejectSettings();
  }

  async stopEnvironment(): Promise<WriteResult> {
    return this.#rejectSettings();
  }

  async deleteEnvironment(): Promise<WriteResult> {
    return this.#rejectSettings();
  }

  /** There is no Git: no project has files. */
  async editableFile(): Promise<EditableFile> {
    return { answer: await this.file(), lastCommitId: "", branch: "" };
  }

  async commitFile(): Promise<WriteResult> {
    return this.#rejectSettings();
  }

  async kasHeaders(
    door: KasDoor,
    { renew, signal }: { readonly renew: boolean; readonly signal: AbortSignal },
  ): Promise<Record<string, string> | undefined> {
    this.#identify();
    const { users, clientAddress } = this.#options;
    if (users === undefined && renew) return undefined;
    const token = users === undefined ? secretOf(this.#options.credential) : (await this.#fresh(renew, signal)).idToken;
    const from = clientAddress === undefined || clientAddress === "" ? {} : { "x-forwarded-for": clientAddress };
    return { authorization: `Bearer oidc:${door.agentId}:${token.reveal()}`, ...from };
  }

  /** The project of a member. @throws Fault `session_ended`, `not_found` */
  #projectOf(path: string): { readonly viewer: MainViewer; readonly principal: Principal; readonly project: ProjectEntry } {
    const { viewer, principal } = this.#identify();
    const project = this.#options.files.current.projectFor(path, principal);
    if (project === undefined) throw new MessageFault("not_found", words("problem/no-project", { project: path }));
    return { viewer, principal, project };
  }

  #agentsOf({ path }: ProjectEntry): readonly OrganizationAgent[] {
    const agents = this.#options.files.current.agents.filter(({ project }) => project === path);
    return agents.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  #refuseAgents(): never {
    this.#identify();
    throw new MessageFault("invalid_request", words("agents/in-files"));
  }

  #rejectSettings(): WriteResult {
    this.#identify();
    return { kind: "rejected", why: "environments are entries of the organization's file" };
  }

  /** Whose credential it is, by the files of now. @throws Fault `session_ended` */
  #identify(): { readonly viewer: MainViewer; readonly principal: Principal } {
    const found = this.#find();
    if (found === undefined) {
      this.#options.over?.();
      throw sessionEnded();
    }
    this.#options.identified?.(found.viewer.username);
    return found;
  }

  #find(): { readonly viewer: MainViewer; readonly principal: Principal } | undefined {
    const { credential, users, files, claims, clock } = this.#options;
    if (credential.way !== "oidc") return undefined;
    const payload = claimsOf(credential.idToken);
    if (payload === undefined) return undefined;
    if (users !== undefined) {
      const user = files.current.userWithPassword(payload.sub ?? "", String(payload["mark"]));
      return user && { viewer: { username: user.name, name: user.display_name ?? user.name }, principal: user };
    }
    const username = payload[claims.username];
    const claimed = payload[claims.groups] ?? [];
    const groups = (Array.isArray(claimed) ? claimed : [claimed]).filter((group) => typeof group === "string" && isPrincipalName(group));
    if (typeof username !== "string" || !isPrincipalName(username) || (payload.exp ?? 0) * 1_000 <= clock.now()) return undefined;
    const name = typeof payload["name"] === "string" && payload["name"] !== "" ? payload["name"] : username;
    return { viewer: { username, name }, principal: { name: username, groups } };
  }

  /** A token of kas that is not about to end. One renewal at a time. */
  async #fresh(renew: boolean, signal: AbortSignal): Promise<UserToken> {
    const { credential, clock, renewed } = this.#options;
    const known = renewed.get(this.key) ?? tokenOf(secretOf(credential));
    if (!renew && known.expiresAtMs - clock.now() > RENEW_BEFORE_MS) return known;
    this.#renewing ??= this.#renew(known).finally(() => (this.#renewing = undefined));
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([this.#renewing, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Shared by all who wait: no caller's cancellation aborts it; the request has its own time limit. */
  async #renew(known: UserToken): Promise<UserToken> {
    const { users, renewed, clock, over } = this.#options;
    if (users === undefined) return known;
    try {
      const next = await users.renew(known.idToken, new AbortController().signal);
      renewed.set(this.key, next);
      return next;
    } catch (error) {
      const reason = error instanceof Fault ? error.reason : undefined;
      if (reason === "session_ended") over?.();
      // While kas cannot issue one, the present one may still be good for it.
      if (reason === "main_application_unavailable" && known.expiresAtMs > clock.now()) return known;
      throw error;
    }
  }

  #recordOf(project: ProjectEntry, environment: EnvironmentEntry): EnvironmentRecord {
    const agent = this.#options.files.current.agentOfEnvironment(project.path, environment);
    return {
      projectPath: project.path,
      number: numberOf(project, environment),
      name: environment.name,
      slug: environment.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
      tier: environment.tier,
      state: "available",
      externalUrl: environment.external_url ?? "",
      namespace: environment.namespace ?? "",
      deployment: { kind: "not-supported" },
      agent: agent && agentRecordOf(agent),
    };
  }
}

/** When an agent was connected is for kas to say. */
function agentRecordOf({ id, name, project }: OrganizationAgent): EnvironmentRecord["agent"] {
  return { id: BigInt(id), name, projectPath: project, connectedAt: undefined, lastSeenAt: "" };
}

function projectRecordOf({ id, name, path }: ProjectEntry): ProjectRecord {
  return { id: String(id), name: name ?? lastOf(path), fullPath: path };
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `a/b/c` → `a`, `a/b`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** The same as long as project and name are: the files number no environments. */
function numberOf({ id }: ProjectEntry, { name }: EnvironmentEntry): string {
  const digest = createHash("sha256").update(`${id}\0${name}`).digest();
  return String(digest.readUIntBE(0, 6));
}

function claimsOf(idToken: Secret): JWTPayload | undefined {
  try {
    return decodeJwt(idToken.reveal());
  } catch {
    return undefined;
  }
}

function tokenOf(idToken: Secret): UserToken {
  return { idToken, expiresAtMs: (claimsOf(idToken)?.exp ?? 0) * 1_000 };
}
