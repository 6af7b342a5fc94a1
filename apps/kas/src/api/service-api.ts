import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";

import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { ByteLedger } from "@binnacle/grpc-wire";
import type { ConnectRouter } from "@connectrpc/connect";
import type { HttpRequest, HttpRequest_Header, HttpResponse } from "@binnacle/proto/grpctool";
import { ServiceApi, ServiceApiHeaderExtraSchema, type ServiceApiHeaderExtra } from "@binnacle/proto/service-proxy";
import { Fault } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";
import type { Logger } from "@binnacle/telemetry";

import { callerKey } from "../agent-call/call-context.ts";
import type { Principal } from "@binnacle/telemetry/audit";
import { RequestAudit, type AuditSink } from "../audit/request-audit.ts";
import type { HttpExchange, HttpExchangeRequest, HttpExchangeVia } from "../http-exchange/http-exchange.ts";
import { openHttpExchange } from "../http-exchange/open-http-exchange.ts";
import { recheckAccess } from "../kubernetes-api/access/live-access.ts";
import { verifyAccess } from "../kubernetes-api/access/verify-access.ts";
import { authorize, type ProxyAccess } from "../kubernetes-api/access/proxy-access.ts";
import { authorizationCredential, type ProxyCredential } from "../kubernetes-api/access/proxy-credential.ts";
import { ProxyRefusal, refusalOf } from "../kubernetes-api/http/proxy-refusal.ts";
import { headersForAgent } from "../kubernetes-api/http/request-headers.ts";
import { serviceExtraOf } from "../kubernetes-api/services/service-endpoint.ts";
import type { CallerAuthorizer } from "../main-application/proxy-authorizer.ts";
import { AnswerQueue } from "./answer-queue.ts";

/** What the service needs. */
export interface ServiceApiOptions extends HttpExchangeVia {
  readonly authorizer: CallerAuthorizer;
  readonly log: Logger;
  readonly waitMs: number;
  /** Where requests are recorded. Default: nowhere. */
  readonly audit?: AuditSink["log"];
  /** Where bytes that the main application does not read are booked: on the caller it asks for. Default: nowhere. */
  readonly ledger?: ByteLedger;
}

/** A request as the main application sends it. */
interface ServiceRequest {
  readonly header: HttpRequest_Header;
  /** Which service, by which right, and for whom. */
  readonly extra: ServiceApiHeaderExtra;
  readonly body: Readable | undefined;
  readonly credential: ProxyCredential;
}

const CLIENT_LEFT = 499;
/** As long as a service's name may be. */
const MAX_SERVICE_NAME = 63;
const READ: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Services of clusters for the main application: it proves itself by its JWT, and the request bears the credential of the person or job that it is
 * for, which is held to everything that it would be held to on the k8s-proxy.
 */
export function serviceApi(options: ServiceApiOptions): (router: ConnectRouter) => void {
  return (router) => {
    router.service(ServiceApi, {
      async *makeRequest(messages, { signal }) {
        const traceId = randomUUID();
        const audit = new RequestAudit({ clock: options.clock, log: options.audit }, traceId);
        try {
          yield* answer(messages[Symbol.asyncIterator](), { signal, traceId, audit }, options);
        } catch (error) {
          audit.finish(refusalOf(error).code);
          if (!(error instanceof Fault) && !(error instanceof ProxyRefusal)) options.log.error({ error }, "a request to a service failed");
          throw toConnectError(error instanceof ProxyRefusal ? faultOf(error) : error);
        }
      },
    });
  };
}

async function* answer(
  messages: AsyncIterator<HttpRequest>,
  { signal, traceId, audit }: { readonly signal: AbortSignal; readonly traceId: string; readonly audit: RequestAudit },
  options: ServiceApiOptions,
): AsyncGenerator<HttpResponse> {
  const { authorizer, clock, log } = options;
  const request = await requestIn(messages);
  const rules = { authorizer, forbidImpersonation: "all" } as const;
  const { agentId } = request.credential;
  const action = { service: request.extra.service.slice(0, MAX_SERVICE_NAME), method: request.header.request?.method ?? "GET" };
  const onRecognized = (principal: Principal): void => audit.accepted({ principal, agentId, action, isStream: false });
  const access = await authorize({ ...rules, onRecognized }, request.credential, { signal });
  audit.allowed(access.identity?.username);
  const queue = new AnswerQueue();
  const account = options.ledger?.open({ kind: "user", id: callerKey(access.caller) }, (fault) => queue.break(fault));
  account?.probe(() => queue.bytes);
  // Neither of these two ends the answer by itself.
  const leave = (): void => queue.break(new Fault("cancelled", "the caller left"));
  request.body?.once("error", (error) => queue.break(error));
  signal.addEventListener("abort", leave, { once: true });
  let exchange: HttpExchange | undefined;
  let stopProving = (): void => undefined;
  try {
    exchange = await openHttpExchange(options, exchangeRequestOf(request, { access, traceId, signal, waitMs: options.waitMs }), queue);
    audit.counts(exchange);
    queue.attach(exchange);
    const prove = (): Promise<void> =>
      verifyAccess({ clock, log, began: access, authorize: (asking) => authorize(rules, request.credential, asking) });
    stopProving = recheckAccess(clock, prove, () => queue.break(new Fault("agent_forbidden", "the rights behind this request are gone")));
    yield* queue.messages();
  } finally {
    stopProving();
    signal.removeEventListener("abort", leave);
    exchange?.cancel();
    if (queue.status !== undefined || signal.aborted) audit.finish(queue.status ?? CLIENT_LEFT);
    account?.close();
  }
}

/** Reads until it is known whether there is a body. @throws Fault `invalid_request`, ProxyRefusal 401 */
async function requestIn(messages: AsyncIterator<HttpRequest>): Promise<ServiceRequest> {
  const first = await next(messages);
  if (first?.case !== "header") throw new Fault("invalid_request", "the first message must be a header");
  const extra = extraOf(first.value);
  const credential = authorizationCredential(extra.authorization);
  const second = await next(messages);
  const body = second?.case === "data" ? Readable.from(pieces(second.value.data, messages)) : undefined;
  if (body === undefined && second?.case !== "trailer") throw new Fault("frame_order", "data or the trailer must follow the header");
  return { header: first.value, extra, body, credential };
}

/** @throws Fault `invalid_request` */
function extraOf({ extra }: HttpRequest_Header): ServiceApiHeaderExtra {
  let unpacked: ServiceApiHeaderExtra | undefined;
  try {
    unpacked = extra && anyUnpack(extra, ServiceApiHeaderExtraSchema);
  } catch (error) {
    throw new Fault("invalid_request", "what goes with the request cannot be read", { cause: error });
  }
  if (unpacked === undefined) throw new Fault("invalid_request", "the header does not say which service the request is for, and from whom");
  return unpacked;
}

async function* pieces(first: Uint8Array, messages: AsyncIterator<HttpRequest>): AsyncGenerator<Uint8Array> {
  for (let data = first; ;) {
    yield data;
    const message = await next(messages);
    if (message?.case === "trailer") return;
    if (message?.case !== "data") throw new Fault("frame_order", "data or the trailer must follow data");
    ({ data } = message.value);
  }
}

async function next(messages: AsyncIterator<HttpRequest>): Promise<HttpRequest["message"] | undefined> {
  const { done, value } = await messages.next();
  return done === true ? undefined : value.message;
}

function exchangeRequestOf(
  { header, extra, body }: ServiceRequest,
  {
    access,
    traceId,
    signal,
    waitMs,
  }: { readonly access: ProxyAccess; readonly traceId: string; readonly signal: AbortSignal; readonly waitMs: number },
): HttpExchangeRequest {
  const { request, contentLength } = header;
  const { agentId, caller } = access;
  const { service, right } = extra;
  const { method = "GET", urlPath = "", query = {}, header: lines = {} } = request ?? {};
  const headersDistinct = Object.fromEntries(Object.entries(lines).map(([name, { value }]) => [name.toLowerCase(), value]));
  return {
    agentId,
    context: { caller, traceId, class: READ.has(method) ? "safe" : "mutation", waitMs },
    signal,
    method,
    path: urlPath,
    query: new URLSearchParams(Object.entries(query).flatMap(([key, { value }]) => value.map((one): [string, string] => [key, one]))),
    header: headersForAgent({ headersDistinct, httpVersion: "2.0" }, false),
    ...(contentLength === undefined ? {} : { contentLength }),
    ...(body && { body }),
    service: serviceExtraOf({ service, right, access }),
  };
}

/** The code of this listener for a status of the k8s-proxy. */
function faultOf({ code, reason, message }: ProxyRefusal): Fault {
  return new Fault(reason ?? (code === 401 ? "token_unknown" : "invalid_request"), message);
}
