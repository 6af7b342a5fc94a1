import type { ClientHttp2Session } from "node:http2";

import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { GRPC_CODE } from "@binnacle/grpc-wire";
import { ConfigurationRequestSchema, ConfigurationResponseSchema, type ConfigurationResponse } from "@binnacle/proto/agent-configuration";
import { type AgentConfiguration, LogLevel as ConfiguredLevel } from "@binnacle/proto/agentcfg";
import type { AgentMetaSchema } from "@binnacle/proto/modshared";
import { Backoff, Fault, sleep, type BackoffOptions, type Clock, type Module } from "@binnacle/rpc";
import type { Logger, LogLevel } from "@binnacle/telemetry";

import type { CallMetadata } from "../kas-link/call-metadata.ts";
import { callKas, type KasAnswer } from "../kas-link/kas-call.ts";
import { RECONNECT_BACKOFF, type KasLink } from "../kas-link/kas-link.ts";
import { IdleCuts } from "../kas-link/idle-cuts.ts";
import { RefusalPace } from "../kas-link/refusal-pace.ts";
import type { AgentEvents } from "../agent-events/agent-events.ts";

const GET_CONFIGURATION = "/gitlab.agent.agent_configuration.rpc.AgentConfiguration/GetConfiguration";

/** A stream that is open for this long counts as accepted in the log: an agent that has the newest configuration is sent nothing. */
const ACCEPTED_AFTER_MS = 10_000;

/** What the stream needs. */
export interface ConfigurationStreamOptions {
  readonly link: KasLink;
  readonly metadata: CallMetadata;
  /** Describes this agent; called once, before the first stream opens. */
  readonly meta: (signal: AbortSignal) => Promise<MessageInitShape<typeof AgentMetaSchema>>;
  /** Called with every configuration that arrives. */
  readonly apply: (configuration: AgentConfiguration, commitId: string) => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** Records configurations that are applied, and rejections. */
  readonly agentEvents?: Pick<AgentEvents, "record">;
  readonly backoff?: BackoffOptions;
}

/** Keeps a `GetConfiguration` stream open; being open is also what makes kas count this agent as connected. A clean end reopens at once, an error waits. */
export class ConfigurationStream implements Module {
  readonly name = "agent-configuration";
  readonly #options: ConfigurationStreamOptions;
  readonly #pace: RefusalPace;
  #commitId = "";

  constructor(options: ConfigurationStreamOptions) {
    this.#options = options;
    this.#pace = new RefusalPace({
      clock: options.clock,
      log: options.log,
      backoff: options.backoff ?? RECONNECT_BACKOFF,
      words: { refused: "kas gives no configuration", accepted: "kas gives a configuration again" },
      refused: (code) => options.agentEvents?.record({ what: "configuration-refused", code }),
      accepted: () => options.agentEvents?.record({ what: "configuration-given" }),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, link, metadata } = this.#options;
    const backoff = new Backoff(this.#options.backoff ?? RECONNECT_BACKOFF);
    const cuts = new IdleCuts(this.#options.log, "configuration");
    const meta = await this.#options.meta(signal);
    while (!signal.aborted) {
      const session = await link.waitForSession(signal);
      if (!session) return this.#pace.close();
      const openedAt = clock.now();
      const cancelAccepted = clock.after(ACCEPTED_AFTER_MS, () => this.#pace.presumed());
      const { status, trailer, isCut } = await this.#stream({ session, meta }, signal);
      cancelAccepted();
      if (signal.aborted) return this.#pace.close();
      // The link reconnects, with a delay of its own.
      if (session.closed || session.destroyed) continue;
      const lifeMs = clock.now() - openedAt;
      if (cuts.isIdleCut({ session, isCut, lifeMs })) continue;
      // A server that ends every stream at once must not receive requests in a tight loop.
      const hasty = lifeMs < 1_000;
      if (status.code === GRPC_CODE.ok && !hasty) {
        backoff.reset();
        this.#pace.accepted();
        continue;
      }
      if (status.code === GRPC_CODE.unauthenticated) metadata.refused();
      await sleep(clock, status.code === GRPC_CODE.ok ? backoff.nextMs() : this.#pace.refused(status, trailer), signal);
    }
  }

  /** `run` has ended its stream. */
  async close(): Promise<void> {
    this.#commitId = "";
  }

  #stream(
    open: { readonly session: ClientHttp2Session; readonly meta: MessageInitShape<typeof AgentMetaSchema> },
    signal: AbortSignal,
  ): Promise<KasAnswer> {
    const { metadata } = this.#options;
    const request = create(ConfigurationRequestSchema, { commitId: this.#commitId, agentMeta: open.meta });
    return callKas({
      session: open.session,
      path: GET_CONFIGURATION,
      metadata: () => metadata.get(),
      messages: [toBinary(ConfigurationRequestSchema, request)],
      answered: (data) => this.#onMessage(data),
      signal,
    });
  }

  /** @throws Fault `invalid_request` for something that is no configuration; it ends the call */
  #onMessage(data: Uint8Array): void {
    const response = decode(data);
    this.#pace.accepted();
    const isNew = response.commitId !== this.#commitId;
    if (isNew) this.#options.log.info({ commit_id: response.commitId }, "configuration received");
    this.#commitId = response.commitId;
    if (response.configuration) this.#options.apply(response.configuration, response.commitId);
    if (isNew) this.#options.agentEvents?.record({ what: "configuration-applied", commit: response.commitId });
  }
}

function decode(data: Uint8Array): ConfigurationResponse {
  try {
    return fromBinary(ConfigurationResponseSchema, data);
  } catch (error) {
    throw new Fault("invalid_request", "the configuration that kas sent cannot be read", { cause: error });
  }
}

/** Level of `observability.logging.level`; undefined when the configuration does not say. */
export function logLevelOf(configuration: AgentConfiguration): LogLevel | undefined {
  const logging = configuration.observability?.logging;
  if (!logging) return undefined;
  switch (logging.level) {
    case ConfiguredLevel.debug:
      return "debug";
    case ConfiguredLevel.warn:
      return "warn";
    case ConfiguredLevel.error:
      return "error";
    default:
      return "info";
  }
}
