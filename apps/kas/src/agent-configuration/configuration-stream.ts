import { parseYaml } from "@binnacle/config";
import { create, fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";
import { AgentConfigurationSchema, ConfigurationFileSchema, type ConfigurationFile } from "@binnacle/proto/agentcfg";
import { ConfigurationResponseSchema, type ConfigurationRequest, type ConfigurationResponse } from "@binnacle/proto/agent-configuration";
import type { AgentOptions } from "@binnacle/proto/agent-options";
import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { agentOptionsPath, parseAgentOptions } from "../config/agent-options.ts";
import type { GitalyClient } from "../gitaly/gitaly-client.ts";
import { openLongPoll } from "../gitaly/long-poll.ts";
import type { Follower, Look, RepositoryPoller } from "../gitaly/repository-poller.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import type { MainApplicationClient } from "../main-application/main-application-client.ts";
import { commitIdOf, notificationOf, type Notification } from "../notifications/notification.ts";
import type { ConfigurationErrors, ConfigurationState } from "./configuration-errors.ts";

/** What a configuration stream needs. */
export interface ConfigurationStreamOptions {
  readonly gitaly: GitalyClient;
  readonly mainApplication: MainApplicationClient;
  readonly errors: ConfigurationErrors;
  /** Shared by all streams. */
  readonly repositories: RepositoryPoller;
  readonly clock: Clock;
  readonly log: Logger;
  readonly maxFileBytes: number;
  /** The stream ends (cleanly) after this long; the agent comes back at once. */
  readonly maxAgeMs: number;
  readonly externalUrl: string;
  /** The manifest projects in the configuration that is in force, at each look, of an agent that reports all of them. */
  readonly onProjects?: (agentId: bigint, projects: readonly string[]) => void;
  /** A configuration was handed to the agent, or is broken. */
  readonly onConfiguration?: (notification: Notification) => void;
}

/** The agent whose configuration is streamed, and how to authenticate it again. */
export interface ConfigurationSubject {
  readonly request: ConfigurationRequest;
  /** Whether the agent reports each of its manifest projects, as ours do. */
  readonly reportsProjects: boolean;
  /** Asks (through the cache) who the agent is; throws when its token is revoked. */
  readonly authenticate: () => Promise<AgentInfo>;
  /** Aborted when the agent has left. */
  readonly signal: AbortSignal;
  /** Aborted after GOAWAY on the agent's connection: the stream ends cleanly, and the agent opens it on its next connection. */
  readonly draining: AbortSignal;
}

/** One reading of an agent's configuration. */
type Reading =
  | { readonly kind: "good"; readonly commit: string; readonly parsed: ParsedConfiguration; readonly options: AgentOptions | undefined }
  | { readonly kind: "broken"; readonly commit: string; readonly reason: string };

/** A configuration that was read. */
interface ParsedConfiguration {
  readonly file: ConfigurationFile;
  /** What is reported to the main application. */
  readonly json: JsonValue;
}

/**
 * Sends an agent its configuration, and again after each commit that changes it. While the newest one is broken the last good
 * one stays in force; the stream fails only when there has been none.
 *
 * @throws Fault `configuration_invalid` "Config: …", and those of `authenticate`
 */
export async function* streamConfiguration(
  subject: ConfigurationSubject,
  options: ConfigurationStreamOptions,
): AsyncGenerator<ConfigurationResponse> {
  const { clock, log } = options;
  const poll = openLongPoll({ ...subject, clock, maxAgeMs: options.maxAgeMs });
  let good = subject.request.commitId;
  let seen = good;
  let reported = false;
  let broken: ConfigurationState | undefined;
  let failing = false;
  let projects: readonly string[] | undefined;
  let follower: Follower | undefined;
  try {
    follower = options.repositories.follow(await subject.authenticate());
    for (;;) {
      const look = await follower.next(poll.ended);
      if (!look) return;
      const info = await subject.authenticate();
      follower.aim(info);
      let reading: Reading | undefined;
      try {
        reading = await readingOf(look, { info, options, known: reported ? seen : undefined });
        failing = false;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        // Once per failure, not once per look.
        if (!failing) log.warn({ agent_id: String(info.agentId), error }, "reading the configuration failed");
        failing = true;
        continue;
      }
      if (reading?.kind === "broken") {
        const { commit, reason } = reading;
        if (broken?.reason !== reason || seen !== commit) {
          log.warn({ agent_id: String(info.agentId), commit_id: commit, reason }, "agent configuration is broken");
          tell({ type: "configuration_refused", commit }, info, options);
        }
        seen = commit;
        broken = { reason, lastGoodCommit: good };
      }
      // Reported again at each poll: a report that is not repeated expires.
      if (broken !== undefined && reading?.kind !== "good") options.errors.set(info.agentId, broken);
      if (reading?.kind === "broken" && good === "") throw new Fault("configuration_invalid", `Config: ${reading.reason}`);
      if (reading?.kind === "good") projects = (reading.parsed.file.gitops?.manifestProjects ?? []).flatMap(({ id }) => id ?? []);
      if (subject.reportsProjects && projects !== undefined) options.onProjects?.(info.agentId, projects);
      if (reading?.kind === "good") {
        // The first time too: an earlier stream of this agent may have left a word.
        if (broken !== undefined || !reported) options.errors.clear(info.agentId);
        broken = undefined;
        reported = await report(info, reading.parsed, options);
        const isNew = reading.commit !== good;
        seen = reading.commit;
        good = reading.commit;
        if (!isNew) continue;
        yield responseOf(info, reading, options.externalUrl);
        tell({ type: "configuration_applied", commit: reading.commit }, info, options);
      }
    }
  } finally {
    follower?.close();
    poll.close();
  }
}

function tell(
  { type, commit }: { readonly type: "configuration_applied" | "configuration_refused"; readonly commit: string },
  { agentId, projectId }: AgentInfo,
  { onConfiguration, clock }: ConfigurationStreamOptions,
): void {
  const fact = { type, agent_id: Number(agentId), project_id: Number(projectId), commit_id: commitIdOf(commit) };
  onConfiguration?.(notificationOf(fact, clock.now(), [commit]));
}

/**
 * What stands at the commit that was seen; undefined when it is the one that is known.
 *
 * @param of.known until it has been reported once, the file is read even when the agent has the commit: the main application may not
 * @throws what the look or the reading failed with
 */
async function readingOf(
  look: Look,
  of: { readonly info: AgentInfo; readonly options: ConfigurationStreamOptions; readonly known: string | undefined },
): Promise<Reading | undefined> {
  if (look.kind === "failed") throw look.error;
  if (look.commit !== undefined && look.commit === of.known) return undefined;
  return readConfiguration(of.options.gitaly, of.info, { commit: look.commit, maxBytes: of.options.maxFileBytes });
}

/** @returns whether the main application took it; if not, the next poll tries again */
async function report(info: AgentInfo, parsed: ParsedConfiguration, options: ConfigurationStreamOptions): Promise<boolean> {
  try {
    await options.mainApplication.call({
      method: "POST",
      path: "/api/v4/internal/kubernetes/agent_configuration",
      flow: String(info.agentId),
      body: { agent_id: Number(info.agentId), agent_config: parsed.json },
    });
    return true;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    options.log.warn({ agent_id: String(info.agentId), error }, "reporting the configuration failed");
    return false;
  }
}

function responseOf(info: AgentInfo, reading: Extract<Reading, { kind: "good" }>, externalUrl: string): ConfigurationResponse {
  const { options } = reading;
  const { file } = reading.parsed;
  const configuration = create(AgentConfigurationSchema, {
    agentId: info.agentId,
    projectId: info.projectId,
    projectPath: info.repository.glProjectPath,
    gitlabExternalUrl: externalUrl,
    ...(file.gitops && { gitops: file.gitops }),
    ...(file.observability && { observability: file.observability }),
    ...(file.cilium && { cilium: file.cilium }),
    ...(file.ciAccess && { ciAccess: file.ciAccess }),
    ...(file.remoteDevelopment && { remoteDevelopment: file.remoteDevelopment }),
    ...(file.flux && { flux: file.flux }),
    ...(options && { binnacle: options }),
  });
  return create(ConfigurationResponseSchema, { configuration, commitId: reading.commit });
}

/**
 * Reads `.gitlab/agents/<name>/config.yaml` at a commit, and the `binnacle.yaml` beside it, if there is one.
 *
 * @param at no commit: the repository has none
 * @throws Fault `gitaly_unavailable`; what the user did wrong is `broken`, not a fault
 */
async function readConfiguration(
  gitaly: GitalyClient,
  info: AgentInfo,
  at: { readonly commit: string | undefined; readonly maxBytes: number },
): Promise<Reading> {
  const path = configurationPath(info.agentName);
  const { commit, maxBytes } = at;
  if (commit === undefined) return { kind: "broken", commit: "", reason: "the repository has no commit" };
  try {
    const read = async (file: string) => (await gitaly.file(info.gitaly, info.repository, { commit, path: file, maxBytes }))?.toString();
    const text = await read(path);
    if (text === undefined) return { kind: "broken", commit, reason: `${path} is missing` };
    const parsed = parseConfiguration(text, path);
    const optionsPath = agentOptionsPath(info.agentName);
    const optionsText = await read(optionsPath);
    const options = optionsText === undefined ? undefined : parseAgentOptions(optionsText, optionsPath, parsed.file);
    return { kind: "good", commit, parsed, options };
  } catch (error) {
    if (error instanceof Fault && error.reason === "configuration_invalid") return { kind: "broken", commit, reason: error.message };
    throw error;
  }
}

/** Where an agent's configuration is. */
function configurationPath(agentName: string): string {
  return `.gitlab/agents/${agentName}/config.yaml`;
}

/**
 * Reads the text strictly: one unknown key makes it invalid, as in the original. An empty file is an empty configuration.
 *
 * @throws Fault `configuration_invalid` with the key or the line
 */
export function parseConfiguration(text: string, path: string): ParsedConfiguration {
  let data: unknown;
  try {
    data = parseYaml(text, path) ?? {};
  } catch (error) {
    throw new Fault("configuration_invalid", error instanceof Error ? error.message.replaceAll("\n", " ") : String(error), {
      cause: error,
    });
  }
  try {
    // Data of YAML's JSON schema is JSON.
    const file = fromJson(ConfigurationFileSchema, data as JsonValue, { ignoreUnknownFields: false });
    return { file, json: toJson(ConfigurationFileSchema, file, { useProtoFieldName: true }) };
  } catch (error) {
    throw new Fault("configuration_invalid", `${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
