import { fromBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import type { Metadata } from "@binnacle/grpc-wire";
import { HttpRequestSchema, type HttpRequest } from "@binnacle/proto/grpctool";
import type { Values } from "@binnacle/proto/prototool";
import { Fault } from "@binnacle/rpc";

import { UPGRADE_PROTOCOLS, type UpgradeProtocol } from "../cluster-access/upgraded-socket.ts";

/** Headers or query as a protobuf map. */
export type ValuesByName = Readonly<Record<string, Pick<Values, "value">>>;

/** Start of a request as an `HttpRequest.Header` has it. */
export interface RequestHeader {
  readonly request?:
    { readonly method: string; readonly urlPath: string; readonly header: ValuesByName; readonly query: ValuesByName } | undefined;
  readonly extra?: Pick<Any, "typeUrl" | "value"> | undefined;
  readonly contentLength?: bigint | undefined;
  /** Path and query as the client encoded them; empty when kas did not send them. */
  readonly rawTarget: string;
}

const METHOD = /^[A-Z]{1,20}$/;
const UPGRADE = "upgrade";

/** One message of a request, as it came through a tunnel. @throws Fault `invalid_request` */
export function decodeHttpRequest(data: Uint8Array): HttpRequest {
  try {
    return fromBinary(HttpRequestSchema, data);
  } catch (error) {
    throw new Fault("invalid_request", "a message of the request cannot be read", { cause: error });
  }
}

/**
 * What kas passes on of a request or its answer: `continue`, its client waits for a 100 before it sends its body (`Expect: 100-continue`); `trailers`, its client has
 * announced trailers; `informational`, any 1xx.
 */
export function isRelayed(metadata: Metadata, part: "continue" | "trailers" | "informational"): boolean {
  const capabilities = metadata.get("kas-caps") ?? [];
  return (
    capabilities.includes(part) ||
    capabilities.some((value) => value.includes(part) && value.split(",").some((name) => name.trim() === part))
  );
}

/** Start line and headers of a request. @throws Fault `invalid_request` without a legal method */
export function startOf({ request }: RequestHeader): NonNullable<RequestHeader["request"]> {
  if (!request || !METHOD.test(request.method)) throw new Fault("invalid_request", "the request has no legal method");
  return request;
}

/** The protocol that a request asks to change to, as kas has it from its client; any other is not heard. */
export function upgradeOf({ request }: RequestHeader): UpgradeProtocol | undefined {
  if (request?.method !== "GET" && request?.method !== "POST") return undefined;
  for (const name in request.header) {
    if (name.length !== UPGRADE.length || name.toLowerCase() !== UPGRADE) continue;
    const [only, ...others] = request.header[name]?.value ?? [];
    return others.length > 0 ? undefined : UPGRADE_PROTOCOLS.find((protocol) => protocol.toLowerCase() === only?.toLowerCase());
  }
  return undefined;
}

/**
 * What goes with a request beside it; undefined when nothing does. An unknown kind of extra may ask for an identity that would not be applied:
 * to go on as the agent would be an escalation.
 *
 * @throws Fault `invalid_request` for another kind than `schema`, and for what cannot be read
 */
export function extraOf<Desc extends DescMessage>({ extra }: RequestHeader, schema: Desc): MessageShape<Desc> | undefined {
  if (extra === undefined || extra.typeUrl === "") return undefined;
  if (!extra.typeUrl.endsWith(`/${schema.typeName}`)) throw new Fault("invalid_request", `extra of unknown type ${extra.typeUrl}`);
  try {
    return fromBinary(schema, extra.value);
  } catch (error) {
    throw new Fault("invalid_request", "what goes with the request cannot be read", { cause: error });
  }
}
