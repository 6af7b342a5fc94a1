import { fromBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { HttpRequestSchema, type HttpRequest, type HttpRequest_Header } from "@binnacle/proto/grpctool";
import type { Metadata } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";

const METHOD = /^[A-Z]{1,20}$/;

/** One message of a request, as it came through a tunnel. @throws Fault `invalid_request` */
export function decodeHttpRequest(data: Uint8Array): HttpRequest {
  try {
    return fromBinary(HttpRequestSchema, data);
  } catch (error) {
    throw new Fault("invalid_request", "a message of the request cannot be read", { cause: error });
  }
}

/** kas' client waits to be told to send its body (`Expect: 100-continue`), and kas passes a 100 on. */
export function wantsContinue(metadata: Metadata): boolean {
  return (metadata.get("kas-caps") ?? []).some((value) => value.split(",").some((name) => name.trim() === "continue"));
}

/** Start line and headers of a request. @throws Fault `invalid_request` without a legal method */
export function startOf({ request }: HttpRequest_Header): NonNullable<HttpRequest_Header["request"]> {
  if (!request || !METHOD.test(request.method)) throw new Fault("invalid_request", "the request has no legal method");
  return request;
}

/**
 * What goes with a request beside it; undefined when nothing does. An unknown kind of extra may ask for an identity that would not be applied:
 * to go on as the agent would be an escalation.
 *
 * @throws Fault `invalid_request` for another kind than `schema`, and for what cannot be read
 */
export function extraOf<Desc extends DescMessage>({ extra }: HttpRequest_Header, schema: Desc): MessageShape<Desc> | undefined {
  if (extra === undefined || extra.typeUrl === "") return undefined;
  if (!extra.typeUrl.endsWith(`/${schema.typeName}`)) throw new Fault("invalid_request", `extra of unknown type ${extra.typeUrl}`);
  try {
    return anyUnpack(extra, schema);
  } catch (error) {
    throw new Fault("invalid_request", "what goes with the request cannot be read", { cause: error });
  }
}
