import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http2";

import { callerStatusOf } from "@binnacle/rpc";

import { headersOfMetadata, NO_METADATA, type Metadata } from "./metadata.ts";

/** How a call ended: gRPC's number (0 is success) and a sentence. */
export interface GrpcStatus {
  readonly code: number;
  readonly message: string;
  /** The bytes of a google.rpc.Status with details (`grpc-status-details-bin`), as they came. */
  readonly details?: Uint8Array;
}

/** Numbers of gRPC codes that this package uses itself. */
export const GRPC_CODE = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** Success. */
export const STATUS_OK: GrpcStatus = { code: GRPC_CODE.ok, message: "" };

/** Percent-encodes a `grpc-message`: bytes outside of printable ASCII, and the percent sign. */
export function encodeGrpcMessage(message: string): string {
  let text = "";
  for (const byte of Buffer.from(message, "utf8")) {
    text +=
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}

/** Opposite of `encodeGrpcMessage`; a broken escape stays as it is. */
export function decodeGrpcMessage(text: string): string {
  if (!text.includes("%")) return text;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const hex = text[at] === "%" ? text.slice(at + 1, at + 3) : "";
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    } else {
      bytes.push(...Buffer.from(text[at] ?? "", "utf8"));
    }
  }
  return Buffer.from(bytes).toString("utf8");
}

/** Trailers that end a call. */
export function statusTrailers(status: GrpcStatus, metadata: Metadata = NO_METADATA): OutgoingHttpHeaders {
  const trailers = headersOfMetadata(metadata);
  trailers["grpc-status"] = String(status.code);
  if (status.message !== "") trailers["grpc-message"] = encodeGrpcMessage(status.message);
  if (status.details !== undefined) trailers["grpc-status-details-bin"] = Buffer.from(status.details).toString("base64");
  return trailers;
}

/** Response headers of a call that ends without any message; send them with `{ endStream: true }`. */
export function trailersOnlyHeaders(status: GrpcStatus, metadata: Metadata = NO_METADATA): OutgoingHttpHeaders {
  return { ":status": 200, "content-type": "application/grpc+proto", ...statusTrailers(status, metadata) };
}

/** Status in trailers (or in the headers of a trailers-only answer); undefined when they hold none. */
export function readStatus(headers: IncomingHttpHeaders): GrpcStatus | undefined {
  const code = headers["grpc-status"];
  if (typeof code !== "string") return undefined;
  const message = headers["grpc-message"];
  const number = /^\d{1,3}$/.test(code) ? Number(code) : GRPC_CODE.unknown;
  const details = headers["grpc-status-details-bin"];
  return {
    code: number,
    message: typeof message === "string" ? decodeGrpcMessage(message) : "",
    ...(typeof details === "string" ? { details: new Uint8Array(Buffer.from(details, "base64")) } : {}),
  };
}

/** Status of an answer that is not gRPC at all, by its HTTP status. */
export function statusOfHttp(httpStatus: number): GrpcStatus {
  const message = `the server answered HTTP ${httpStatus} instead of gRPC`;
  if (httpStatus === 401) return { code: GRPC_CODE.unauthenticated, message };
  if (httpStatus === 403) return { code: GRPC_CODE.permissionDenied, message };
  if (httpStatus === 404) return { code: GRPC_CODE.unimplemented, message };
  if (httpStatus === 429 || httpStatus === 502 || httpStatus === 503 || httpStatus === 504) return { code: GRPC_CODE.unavailable, message };
  return { code: GRPC_CODE.unknown, message };
}

/** Status of a stream that was reset, by the code of its RST_STREAM. */
export function statusOfReset(rstCode: number): GrpcStatus {
  const message = `the stream was reset with HTTP/2 code ${rstCode}`;
  switch (rstCode) {
    case constants.NGHTTP2_CANCEL:
      return { code: GRPC_CODE.cancelled, message };
    case constants.NGHTTP2_REFUSED_STREAM:
    case constants.NGHTTP2_NO_ERROR:
      return { code: GRPC_CODE.unavailable, message };
    case constants.NGHTTP2_ENHANCE_YOUR_CALM:
      return { code: GRPC_CODE.resourceExhausted, message };
    case constants.NGHTTP2_INADEQUATE_SECURITY:
      return { code: GRPC_CODE.permissionDenied, message };
    default:
      return { code: GRPC_CODE.internal, message };
  }
}

/** Any thrown value as the status a caller may see, a ConnectError too; the text of unexpected errors is kept back. */
export function statusOfThrown(thrown: unknown): GrpcStatus {
  return isConnectError(thrown) ? { code: thrown.code, message: thrown.rawMessage } : callerStatusOf(thrown);
}

/** By its name: an agent that throws none must not load the library for it. */
function isConnectError(thrown: unknown): thrown is Error & { readonly code: number; readonly rawMessage: string } {
  return thrown instanceof Error && thrown.name === "ConnectError" && "rawMessage" in thrown;
}
