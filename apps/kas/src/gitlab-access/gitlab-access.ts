import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";

import type { ByteLedger } from "@binnacle/grpc-wire";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { GitlabAccess } from "@binnacle/proto/gitlab-access";
import { HttpResponseSchema, type HttpRequest, type HttpResponse } from "@binnacle/proto/grpctool";
import { Fault, httpStatusOf, type Clock } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";
import type { Logger } from "@binnacle/telemetry";

import { resetCall } from "../agent-identity/agent-context.ts";
import { RequestAudit, type AuditSink } from "../audit/request-audit.ts";
import type { MinuteCounter } from "../limits/minute-counter.ts";
import type { MainApplicationClient } from "../main-application/main-application-client.ts";
import { agentOf } from "../agent-identity/authenticated-agent.ts";
import { MAX_MODULE_BODY_BYTES, readModuleRequest } from "./module-request.ts";

/** What the service needs. */
export interface GitlabAccessOptions {
  readonly mainApplication: Pick<MainApplicationClient, "pass">;
  readonly ledger: ByteLedger;
  /** Counts requests of an agent, at all kas together. */
  readonly counter: MinuteCounter;
  readonly audit: AuditSink["log"];
  readonly clock: Clock;
  readonly log: Logger;
}

/** Requests of one agent in a minute, and at once. */
const MAX_PER_MINUTE = 100;
const MAX_AT_ONCE = 10;
const PIECE_BYTES = 32 * 1024;
const CLIENT_LEFT = 499;

/** Requests of modules of agents to the main application, with the agent's own token. Its handler needs `agentContextOf`. */
export function gitlabAccess(options: GitlabAccessOptions): (router: ConnectRouter) => void {
  const running = new Map<bigint, number>();
  return (router) => {
    router.service(GitlabAccess, {
      async *makeRequest(messages, context) {
        const { clock, audit: log } = options;
        const audit = new RequestAudit({ clock, log }, randomUUID());
        try {
          const { agentId } = agentOf(context);
          const atOnce = running.get(agentId) ?? 0;
          if (atOnce >= MAX_AT_ONCE)
            throw new Fault("queue_full", `an agent makes ${MAX_AT_ONCE} such requests at once`, { retryAfterSeconds: 1 });
          running.set(agentId, atOnce + 1);
          try {
            yield* answer(messages[Symbol.asyncIterator](), { agentId, context, audit }, options);
          } finally {
            const left = (running.get(agentId) ?? 1) - 1;
            if (left === 0) running.delete(agentId);
            else running.set(agentId, left);
          }
        } catch (error) {
          audit.finish(error instanceof Fault ? httpStatusOf(error.code) : 500);
          if (!(error instanceof Fault)) options.log.error({ error }, "a request of a module failed");
          throw toConnectError(error);
        } finally {
          audit.finish(CLIENT_LEFT);
        }
      },
    });
  };
}

async function* answer(
  messages: AsyncIterator<HttpRequest>,
  of: { readonly agentId: bigint; readonly context: HandlerContext; readonly audit: RequestAudit },
  { mainApplication, ledger, counter, clock }: GitlabAccessOptions,
): AsyncGenerator<HttpResponse> {
  const { agentId, context, audit } = of;
  const counted = { bytesIn: 0, bytesOut: 0 };
  const cut = new AbortController();
  const account = ledger.open({ kind: "agent", id: String(agentId) }, (fault) => {
    cut.abort(fault);
    resetCall(context);
  });
  account.probe(() => counted.bytesIn + counted.bytesOut);
  try {
    audit.counts(counted);
    const { method, path, headers, body } = await readModuleRequest(messages, {
      begun: (module, by) => {
        audit.accepted({ principal: { kind: "agent" }, agentId, action: { service: module, method: by }, isStream: false });
        audit.allowed(undefined);
      },
      held: (bytes) => (counted.bytesIn = bytes),
    });
    if ((await counter.add(`gitlab access ${agentId}`)) > MAX_PER_MINUTE) {
      const retryAfterSeconds = 60 - Math.floor((clock.now() / 1_000) % 60);
      throw new Fault("rate_limited", `an agent makes ${MAX_PER_MINUTE} such requests in a minute`, { retryAfterSeconds });
    }
    const bearer = (context.requestHeader.get("authorization") ?? "").replace(/^bearer +/i, "");
    const passed = await mainApplication.pass({
      method,
      path,
      headers,
      bearer,
      body,
      flow: String(agentId),
      maxBytes: MAX_MODULE_BODY_BYTES,
      signal: AbortSignal.any([context.signal, cut.signal]),
    });
    const header = Object.fromEntries(Object.entries(passed.headers).map(([name, value]) => [name, { value: [value] }]));
    const { status } = passed;
    yield messageOf({
      case: "header",
      value: { response: { statusCode: status, status: `${status} ${STATUS_CODES[status] ?? ""}`, header } },
    });
    for (let at = 0; at < passed.body.byteLength; at += PIECE_BYTES) {
      counted.bytesOut = Math.min(passed.body.byteLength, at + PIECE_BYTES);
      yield messageOf({ case: "data", value: { data: passed.body.subarray(at, at + PIECE_BYTES) } });
    }
    yield messageOf({ case: "trailer", value: {} });
    audit.finish(status);
  } finally {
    account.close();
  }
}

function messageOf(message: NonNullable<MessageInitShape<typeof HttpResponseSchema>["message"]>): HttpResponse {
  return create(HttpResponseSchema, { message });
}
