import { create } from "@bufbuild/protobuf";
import { AgentConfigurationSchema } from "@binnacle/proto/agentcfg";
import { ConfigurationResponseSchema, type ConfigurationRequest, type ConfigurationResponse } from "@binnacle/proto/agent-configuration";
import { Backoff, Fault, sleep, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { GitalyClient } from "../gitaly/gitaly-client.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import type { MainApplicationClient } from "../main-application/main-application-client.ts";
import type { ConfigurationErrors, ConfigurationState } from "./configuration-errors.ts";
import type { ParsedConfiguration } from "./configuration-file.ts";
import { readConfiguration, type Reading } from "./configuration-reader.ts";
import type { PushNotices } from "./push-notices.ts";

/** What a configuration stream needs. */
export interface ConfigurationStreamOptions {
  readonly gitaly: GitalyClient;
  readonly mainApplication: MainApplicationClient;
  readonly errors: ConfigurationErrors;
  readonly pushes: PushNotices;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pollMs: number;
  readonly maxFileBytes: number;
  /** The stream ends (cleanly) after this long; the agent comes back at once. */
  readonly maxAgeMs: number;
  readonly externalUrl: string;
}

/** Whose configuration is streamed, and how to find out again. */
export interface ConfigurationSubject {
  readonly request: ConfigurationRequest;
  /** Asks (through the cache) who the agent is; throws when its token is revoked. */
  readonly authenticate: () => Promise<AgentInfo>;
  /** Aborted when the agent has left. */
  readonly signal: AbortSignal;
  /** Aborted when the agent's connection was told to go away: the stream ends cleanly, and the agent asks on its next connection. */
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
  const age = new AbortController();
  const cancelAge = clock.after(options.maxAgeMs * (0.95 + Math.random() * 0.1), () => age.abort());
  const ended = AbortSignal.any([subject.signal, subject.draining, age.signal]);
  const backoff = new Backoff({ initialMs: 10_000, maxMs: 60_000 });
  let good = subject.request.commitId;
  let seen = good;
  let reported = false;
  let broken: ConfigurationState | undefined;
  try {
    while (!ended.aborted) {
      const info = await subject.authenticate();
      let reading: Reading;
      try {
        // Until it has been reported once, the file is read even when the agent knows the commit: the main application may not.
        reading = await readConfiguration(options.gitaly, info, { knownCommit: reported ? seen : "", maxBytes: options.maxFileBytes });
        backoff.reset();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        log.warn({ agent_id: String(info.agentId), error }, "reading the configuration failed");
        await waitFor(backoff.nextMs(), { info, options, signal: ended });
        continue;
      }
      if (reading.kind === "broken") {
        const { commit, reason } = reading;
        if (broken?.reason !== reason || seen !== commit)
          log.warn({ agent_id: String(info.agentId), commit_id: commit, reason }, "agent configuration is broken");
        seen = commit;
        broken = { reason, lastGoodCommit: good };
      }
      // Said again at each poll: what nobody says any more is forgotten.
      if (broken !== undefined && reading.kind !== "good") options.errors.set(info.agentId, broken);
      if (reading.kind === "broken" && good === "") throw new Fault("configuration_invalid", `Config: ${reading.reason}`);
      if (reading.kind === "good") {
        // The first time too: an earlier stream of this agent may have left a word.
        if (broken !== undefined || !reported) options.errors.clear(info.agentId);
        broken = undefined;
        reported = await report(info, reading.parsed, options);
        const isNew = reading.commit !== good;
        seen = reading.commit;
        good = reading.commit;
        if (isNew) yield responseOf(info, reading, options.externalUrl);
      }
      await waitFor(options.pollMs, { info, options, signal: ended });
    }
  } finally {
    cancelAge();
  }
}

/** A poll period, or less when somebody pushed to the agent's project. */
async function waitFor(
  delayMs: number,
  context: { readonly info: AgentInfo; readonly options: ConfigurationStreamOptions; readonly signal: AbortSignal },
): Promise<void> {
  const { info, options, signal } = context;
  const pushed = new AbortController();
  const forget = options.pushes.onPush(info.repository.glProjectPath, () => pushed.abort());
  await sleep(options.clock, delayMs, AbortSignal.any([signal, pushed.signal]));
  forget();
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
  });
  return create(ConfigurationResponseSchema, { configuration, commitId: reading.commit });
}
