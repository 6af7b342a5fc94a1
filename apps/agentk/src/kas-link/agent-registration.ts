import type { ClientHttp2Session } from "node:http2";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { GRPC_CODE } from "@binnacle/grpc-wire";
import { RegisterRequestSchema, UnregisterRequestSchema } from "@binnacle/proto/agent-registrar";
import type { AgentMetaSchema } from "@binnacle/proto/modshared";
import { Backoff, sleep, type BackoffOptions, type Clock, type Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { CallMetadata } from "./call-metadata.ts";
import { callKas } from "./kas-call.ts";
import { RECONNECT_BACKOFF, type KasLink } from "./kas-link.ts";

const SERVICE = "/gitlab.agent.agent_registrar.rpc.AgentRegistrar";
/** As the GitLab agent does. */
const AGAIN_MS = 5 * 60_000;
/** A call that takes longer is given up; nothing waits for it. */
const DEADLINE_MS = 20_000;
/** How long a shutdown waits for an answer of kas. */
const LAST_MS = 1_000;

/** What registration needs. */
export interface AgentRegistrationOptions {
  readonly link: Pick<KasLink, "waitForSession" | "onSession" | "session">;
  readonly metadata: Pick<CallMetadata, "get" | "refused" | "podId">;
  /** Describes this agent. */
  readonly meta: (signal: AbortSignal) => Promise<MessageInitShape<typeof AgentMetaSchema>>;
  readonly clock: Clock;
  readonly log: Pick<Logger, "debug">;
  readonly backoff?: BackoffOptions;
}

/**
 * Registers this process with kas: with each connection and every five minutes; unregisters it at shutdown. Nothing depends on it: a kas that does
 * not implement the call receives no more on that connection, and any other rejection is logged at debug level.
 */
export class AgentRegistration implements Module {
  readonly name = "agent-registration";
  readonly #options: AgentRegistrationOptions;
  readonly #backoff: Backoff;
  /** The connection on which we are registered, as far as we know. */
  #registered: ClientHttp2Session | undefined;

  constructor(options: AgentRegistrationOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.backoff ?? RECONNECT_BACKOFF);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { link, clock } = this.#options;
    while (!signal.aborted) {
      const session = await link.waitForSession(signal);
      if (!session) return;
      const pauseMs = await this.#register(session, signal);
      // Another connection ends the pause: it may lead to another kas.
      const replaced = new AbortController();
      const off = link.onSession((current) => {
        if (current !== session) replaced.abort();
      });
      await sleep(clock, pauseMs, AbortSignal.any([signal, replaced.signal]));
      off();
    }
  }

  async drain(deadline: AbortSignal): Promise<void> {
    const { link } = this.#options;
    const session = this.#registered;
    if (session === undefined || session !== link.session) return;
    const late = new AbortController();
    const cancel = this.#options.clock.after(LAST_MS, () => late.abort());
    const message = toBinary(UnregisterRequestSchema, create(UnregisterRequestSchema, await this.#body(deadline)));
    await this.#call({ session, method: "Unregister", message }, AbortSignal.any([deadline, late.signal]));
    cancel();
  }

  async close(): Promise<void> {
    this.#registered = undefined;
  }

  /** @returns when to say it again */
  async #register(session: ClientHttp2Session, signal: AbortSignal): Promise<number> {
    const { clock, log } = this.#options;
    const message = toBinary(RegisterRequestSchema, create(RegisterRequestSchema, await this.#body(signal)));
    const late = new AbortController();
    const cancel = clock.after(DEADLINE_MS, () => late.abort());
    // An agent that stops before the response arrives may be registered.
    this.#registered = session;
    const { code, message: reason } = await this.#call({ session, method: "Register", message }, AbortSignal.any([signal, late.signal]));
    cancel();
    if (signal.aborted) return 0;
    if (code === GRPC_CODE.ok) {
      this.#backoff.reset();
      return AGAIN_MS;
    }
    this.#registered = undefined;
    log.debug({ code, reason: reason.slice(0, 300) }, "kas registers no agents");
    return code === GRPC_CODE.unimplemented ? AGAIN_MS : this.#backoff.nextMs();
  }

  async #body(signal: AbortSignal): Promise<{ agentMeta: MessageInitShape<typeof AgentMetaSchema>; podId: bigint }> {
    return { agentMeta: await this.#options.meta(signal), podId: this.#options.metadata.podId };
  }

  async #call(
    { session, method, message }: { readonly session: ClientHttp2Session; readonly method: string; readonly message: Uint8Array },
    signal: AbortSignal,
  ): Promise<{ readonly code: number; readonly message: string }> {
    const { metadata } = this.#options;
    const { status } = await callKas({
      session,
      path: `${SERVICE}/${method}`,
      metadata: () => metadata.get(),
      messages: [message],
      signal,
    });
    if (status.code === GRPC_CODE.unauthenticated) metadata.refused();
    return status;
  }
}
