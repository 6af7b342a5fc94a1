export { AnswerStream } from "./answer-stream.ts";
export { ByteLedger, unlimitedAccount, type ByteAccount, type LedgerLimits, type LedgerOwner } from "./byte-ledger.ts";
export { copyWithBudget, sinkOf, TURN_BYTES, type ByteSink } from "./copy-with-budget.ts";
export { dialHttp2, type DialOptions } from "./dial/dial.ts";
export { bytesOf, encodeFrame, frameHeader, FRAME_PREFIX_BYTES } from "./frame.ts";
export { DEFAULT_MAX_MESSAGE_BYTES, FrameReader, type FrameEvents, type FrameReaderOptions } from "./frame-reader.ts";
export { GrpcClientStream, openGrpcStream, type GrpcCallListener, type GrpcCallOptions } from "./grpc-client-stream.ts";
export { GrpcServerStream, type GrpcRequestListener, type GrpcServerRequest } from "./grpc-server-stream.ts";
export {
  decodeGrpcMessage,
  encodeGrpcMessage,
  GRPC_CODE,
  readStatus,
  STATUS_OK,
  statusOfHttp,
  statusOfReset,
  statusOfThrown,
  statusTrailers,
  trailersOnlyHeaders,
  type GrpcStatus,
} from "./grpc-status.ts";
export { AuthorityRewriter, CONSTANT_AUTHORITY } from "./hpack/authority-rewriter.ts";
export { HeaderDecoder, type DecodedField } from "./hpack/header-decoder.ts";
export { HpackError } from "./hpack/hpack-error.ts";
export {
  encodeHttpRequestHead,
  encodeHttpResponseHead,
  readHttpRequestHead,
  readHttpResponseHead,
  readRequestInfo,
  requestInfoFrameOf,
  type HttpRequestHead,
  type HttpResponseHead,
} from "./hot-headers.ts";
export { TurnBatch, writeInTurn } from "./turn-batch.ts";
export { HOP_HEADERS } from "./hop-headers.ts";
export { allowedTrailers, fieldsOfLines, isTrailerName } from "./trailers.ts";
export {
  CONNECT_REQUEST_MESSAGE,
  CONNECT_RESPONSE_MESSAGE,
  GATEWAY_MESSAGE,
  HTTP_REQUEST_DATA,
  HTTP_REQUEST_UPGRADE_DATA,
  HTTP_RESPONSE_DATA,
  HTTP_RESPONSE_UPGRADE_DATA,
  peekField,
  TUNNELLED_REQUEST_DATA,
  TUNNELLED_REQUEST_UPGRADE_DATA,
  TUNNELLED_RESPONSE_DATA,
  TUNNELLED_RESPONSE_UPGRADE_DATA,
  unwrapBytes,
  wrapBytes,
  wrapFrame,
  type BytesPath,
} from "./hot-messages.ts";
export { keepAlive, type KeepAliveOptions } from "./keep-alive.ts";
export { SessionProbe } from "./session-probe.ts";
export { type ValuesMap } from "./message-writer.ts";
export {
  headersOfMetadata,
  metadataOfHeaders,
  metadataOfRawHeaders,
  metadataOfValues,
  NO_METADATA,
  valuesOfMetadata,
  type Metadata,
} from "./metadata.ts";
export {
  clientSessionOptions,
  MAX_HEADER_LIST_BYTES,
  serverSessionOptions,
  SESSION_WINDOW_BYTES,
  STREAM_WINDOW_BYTES,
  widenSession,
} from "./session-options.ts";
export { resetStream } from "./reset-stream.ts";
export { automatonOf, StreamAutomaton, unreachableFields, type AutomatonTable } from "./stream-automaton.ts";
export { MAX_WEBSOCKET_MESSAGE_BYTES, TUNNEL_SUBPROTOCOL, WebSocketDuplex, type InboundRewriter } from "./websocket-duplex.ts";
export { WRITE_BUDGET_BYTES, WriteBudget } from "./write-budget.ts";
