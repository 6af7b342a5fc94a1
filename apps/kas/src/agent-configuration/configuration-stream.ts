import { create } from "@bufbuild/protobuf";
import { AgentConfigurationSchema } from "@binnacle/proto/agentcfg";
import { ConfigurationResponseSchema, type ConfigurationRequest, type ConfigurationResponse } from "@binnacle/proto/agent-configuration";
import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { openLongPoll } from "../gitaly/long-poll.ts";
import type { Look } from "../gitaly/repository-poller.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import { commitIdOf, notificationOf, type Notification } from "../notifications/notification.ts";
import type { ConfigurationErrors, ConfigurationState } from "./configuration-errors.ts";
import type { ConfigurationFollower, ConfigurationSource, Reading } from "./configuration-source.ts";

/** What a configuration stream needs. */
export interface ConfigurationStreamOptions {
  readonly configurations: ConfigurationSource;
  readonly errors: ConfigurationErrors;
  readonly clock: Clock;
  readonly log: Logger;
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
  let follower: ConfigurationFollower | undefined;
  try {
    follower = options.configurations.follow(await subject.authenticate());
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
        reported = await options.configurations.report(info, reading.parsed);
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
  return of.options.configurations.read(of.info, look.commit);
}

function responseOf(info: AgentInfo, reading: Extract<Reading, { kind: "good" }>, externalUrl: string): ConfigurationResponse {
  const { options } = reading;
  const { file } = reading.parsed;
  const configuration = create(AgentConfigurationSchema, {
    agentId: info.agentId,
    projectId: info.projectId,
    projectPath: info.projectPath,
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
