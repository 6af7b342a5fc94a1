import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";

import { AnswerStream, trailersOnlyHeaders } from "@binnacle/grpc-wire";
import { httpStatusOf } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";
import { Code, type ConnectError } from "@connectrpc/connect";

/** Content types of gRPC: its own, not those of gRPC-Web, which has no trailers. */
const GRPC = /^application\/grpc(?:$|[+;])/i;

/** Whether the client speaks gRPC, and so looks for a status in trailers. */
export function isGrpc(headers: IncomingHttpHeaders): boolean {
  return GRPC.test(headers["content-type"] ?? "");
}

/** A stream as it came. */
type Refused = { readonly stream: ServerHttp2Stream; readonly headers: IncomingHttpHeaders };

/**
 * Answers a request that has no answer yet with its error, and reads nothing of its body. A gRPC client gets the status in
 * trailers alone, any other client an HTTP status and Connect's JSON. Never throws, whatever has become of the stream.
 */
export function refuseStream({ stream, headers }: Refused, error: unknown): void {
  const answer = new AnswerStream(stream);
  if (answer.headersSent) return answer.reset(constants.NGHTTP2_INTERNAL_ERROR);
  const refusal = toConnectError(error);
  if (isGrpc(headers)) {
    const metadata = new Map([...refusal.metadata].map(([key, value]) => [key, [value]] as const));
    answer.respond(trailersOnlyHeaders({ code: refusal.code, message: refusal.rawMessage }, metadata), { endStream: true });
  } else respondInJson(answer, refusal);
  // After the answer, or the client would not see it; without it the client would go on sending.
  setImmediate(() => answer.reset(constants.NGHTTP2_NO_ERROR));
}

function respondInJson(answer: AnswerStream, { code, rawMessage, metadata }: ConnectError): void {
  answer.respond({ ":status": httpStatusOf(code), "content-type": "application/json", ...Object.fromEntries(metadata) });
  // Connect writes codes in words: Unauthenticated is "unauthenticated", NotFound "not_found".
  const word = Code[code].replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();
  answer.write([Buffer.from(JSON.stringify({ code: word, message: rawMessage }))]);
  answer.end();
}
