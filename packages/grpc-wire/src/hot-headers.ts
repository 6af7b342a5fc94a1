import { MessageWriter, type ValuesMap } from "./message-writer.ts";
import type { Metadata } from "./metadata.ts";

/** Start of a request: a `grpctool.HttpRequest` with its header set. */
export interface HttpRequestHead {
  readonly method: string;
  readonly path: string;
  readonly query: ValuesMap;
  readonly header: ValuesMap;
  readonly contentLength?: bigint | undefined;
  /** `google.protobuf.Any` whose value is already encoded. */
  readonly extra?: { readonly typeUrl: string; readonly value: Uint8Array } | undefined;
  /** Path and query as the client encoded them. */
  readonly rawTarget?: string | undefined;
}

/** Start of an answer: a `grpctool.HttpResponse` with its header set. */
export interface HttpResponseHead {
  readonly statusCode: number;
  readonly header: Readonly<Record<string, { readonly value: string[] }>>;
}

const writer = new MessageWriter();

/** First message of a call to an agent, `ConnectResponse.request_info`, as a gRPC frame. */
export function requestInfoFrameOf(method: string, metadata: Metadata): Uint8Array {
  // The order of a map's entries means nothing to protobuf.
  for (const [name, values] of metadata) writer.valuesEntry(2, name, values);
  writer.string(1, method);
  writer.nest(1, 0);
  return writer.finishFrame();
}

/** The first message of a request. */
export function encodeHttpRequestHead({ method, path, query, header, contentLength, extra, rawTarget = "" }: HttpRequestHead): Uint8Array {
  if (rawTarget !== "") writer.string(15, rawTarget);
  // `optional`: written when it is there, even as 0.
  if (contentLength !== undefined) writer.varint(3, contentLength);
  if (extra) {
    const any = writer.mark;
    writer.bytes(2, extra.value);
    writer.string(1, extra.typeUrl);
    writer.nest(2, any);
  }
  const request = writer.mark;
  writer.valuesMap(4, query);
  writer.string(3, path);
  writer.valuesMap(2, header);
  writer.string(1, method);
  writer.nest(1, request);
  writer.nest(1, 0);
  return writer.finish();
}

/** The first message of an answer. @param status the status line, for example "200 OK" */
export function encodeHttpResponseHead(statusCode: number, status: string, header: ValuesMap): Uint8Array {
  writer.valuesMap(3, header);
  writer.string(2, status);
  writer.varint(1, BigInt(statusCode));
  writer.nest(1, 0);
  writer.nest(1, 0);
  return writer.finish();
}

const LENGTH_DELIMITED = 2;
const FIRST = (1 << 3) | LENGTH_DELIMITED;
const SECOND = (2 << 3) | LENGTH_DELIMITED;
const THIRD = (3 << 3) | LENGTH_DELIMITED;
const FOURTH = (4 << 3) | LENGTH_DELIMITED;
const RAW_TARGET = (15 << 3) | LENGTH_DELIMITED;
const STATUS_CODE = 1 << 3;
const CONTENT_LENGTH = 3 << 3;
const PRINTABLE = /^[\x20-\x7e]*$/;

/**
 * The header of an answer as agents usually write it.
 *
 * @returns undefined for anything unusual (another order, unknown fields, text beyond printable ASCII, a name twice, broken bytes):
 *   then decode it with protobuf-es
 */
export function readHttpResponseHead(message: Uint8Array): HttpResponseHead | undefined {
  const cursor = new Cursor(message);
  if (!cursor.enters(FIRST) || !cursor.isLast || !cursor.enters(FIRST) || !cursor.isLast) return undefined;
  const header: ReadValues = {};
  let statusCode = 0;
  if (cursor.takes(STATUS_CODE)) statusCode = cursor.number();
  if (cursor.takes(SECOND) && cursor.text() === undefined) return undefined;
  while (!cursor.atEnd) if (!cursor.readsEntry(THIRD, header)) return undefined;
  return cursor.broken ? undefined : { statusCode, header };
}

/** A header map as it was read. */
type ReadValues = Record<string, { readonly value: string[] }>;

/** Start of a request as it was read. */
export interface ReadRequestHead {
  readonly request: { readonly method: string; readonly urlPath: string; readonly header: ReadValues; readonly query: ReadValues };
  readonly contentLength: bigint | undefined;
  /** `google.protobuf.Any`; its value is a view. */
  readonly extra: { readonly typeUrl: string; readonly value: Uint8Array } | undefined;
  /** Path and query as the client encoded them; empty when the decoded form is all there is. */
  readonly rawTarget: string;
}

/** The start of a request as kas usually writes it. @returns undefined for anything unusual, as `readHttpResponseHead` */
export function readHttpRequestHead(message: Uint8Array): ReadRequestHead | undefined {
  const cursor = new Cursor(message);
  if (!cursor.enters(FIRST) || !cursor.isLast) return undefined;
  const request = cursor.readsRequest();
  if (request === undefined) return undefined;
  let extra: ReadRequestHead["extra"];
  let contentLength: bigint | undefined;
  const end = cursor.afterEntry(SECOND);
  if (end !== undefined) {
    const typeUrl = cursor.takes(FIRST) ? cursor.text() : "";
    const value = cursor.takes(SECOND) ? cursor.bytes() : new Uint8Array();
    if (typeUrl === undefined || value === undefined || cursor.at !== end) return undefined;
    extra = { typeUrl, value };
  }
  if (cursor.takes(CONTENT_LENGTH)) contentLength = BigInt(cursor.number());
  const rawTarget = cursor.takes(RAW_TARGET) ? cursor.text() : "";
  return cursor.broken || !cursor.isAtEnd || rawTarget === undefined ? undefined : { request, contentLength, extra, rawTarget };
}

/** A `ConnectResponse` that begins a call, as kas usually writes it. @returns undefined for anything unusual */
export function readRequestInfo(message: Uint8Array): { readonly method: string; readonly metadata: Metadata } | undefined {
  const cursor = new Cursor(message);
  if (!cursor.enters(FIRST) || !cursor.isLast) return undefined;
  const method = cursor.takes(FIRST) ? cursor.text() : "";
  if (method === undefined) return undefined;
  const values: ReadValues = {};
  while (!cursor.atEnd) if (!cursor.readsEntry(SECOND, values)) return undefined;
  if (cursor.broken) return undefined;
  const metadata = new Map<string, readonly string[]>();
  for (const name in values) {
    // Two spellings of one key are joined by the full decoder.
    if (name !== name.toLowerCase()) return undefined;
    metadata.set(name, values[name]?.value ?? []);
  }
  return { method, metadata };
}

/** A place in a message. Whatever it cannot read makes it `broken`. */
class Cursor {
  readonly #bytes: Buffer;
  #end: number;
  at = 0;
  broken = false;

  constructor(message: Uint8Array) {
    this.#bytes = Buffer.isBuffer(message) ? message : Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    this.#end = message.byteLength;
  }

  get atEnd(): boolean {
    return this.at >= this.#end;
  }

  /** The message that was entered last fills all of the one around it. */
  get isLast(): boolean {
    return this.#end === this.#bytes.length && !this.broken;
  }

  /** Goes behind this tag if it stands here. */
  takes(tag: number): boolean {
    if (this.at >= this.#end || this.#bytes[this.at] !== tag) return false;
    this.at += 1;
    return true;
  }

  /** Goes into the message with this tag; its end is the end from now on. */
  enters(tag: number): boolean {
    const end = this.afterEntry(tag);
    if (end === undefined) return false;
    this.#end = end;
    return true;
  }

  /** Goes behind tag and length of the message with this tag. @returns where it ends */
  afterEntry(tag: number): number | undefined {
    if (!this.takes(tag)) return undefined;
    const end = this.number() + this.at;
    return end > this.#end || this.broken ? undefined : end;
  }

  /** Nothing is left, and nothing was broken. */
  get isAtEnd(): boolean {
    return this.at === this.#end && !this.broken;
  }

  /** Reads one entry of a map of header values. @returns whether it is an ordinary one */
  readsEntry(tag: number, into: ReadValues): boolean {
    const next = this.afterEntry(tag);
    if (next === undefined || !this.takes(FIRST)) return false;
    const name = this.text();
    if (name === undefined || name === "__proto__" || Object.hasOwn(into, name) || this.afterEntry(SECOND) !== next) return false;
    const value: string[] = [];
    while (this.at < next) {
      const text = this.takes(FIRST) ? this.text() : undefined;
      if (text === undefined || this.at > next) return false;
      value.push(text);
    }
    into[name] = { value };
    return true;
  }

  /** The nested message of method, headers, path and query. */
  readsRequest(): ReadRequestHead["request"] | undefined {
    const end = this.afterEntry(FIRST);
    if (end === undefined) return undefined;
    const header: ReadValues = {};
    const query: ReadValues = {};
    const method = this.takes(FIRST) ? this.text() : "";
    while (this.at < end && this.stands(SECOND)) if (!this.readsEntry(SECOND, header)) return undefined;
    const urlPath = this.takes(THIRD) ? this.text() : "";
    while (this.at < end && this.stands(FOURTH)) if (!this.readsEntry(FOURTH, query)) return undefined;
    if (this.broken || this.at !== end || method === undefined || urlPath === undefined) return undefined;
    return { method, urlPath, header, query };
  }

  /** Whether this tag stands here. */
  stands(tag: number): boolean {
    return this.at < this.#end && this.#bytes[this.at] === tag;
  }

  /** A view of the bytes of a field. */
  bytes(): Uint8Array | undefined {
    const length = this.number();
    const start = this.at;
    this.at += length;
    return this.broken || this.at > this.#end ? undefined : this.#bytes.subarray(start, this.at);
  }

  /** A varint below 2^28. */
  number(): number {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#bytes[this.at] ?? 0x80;
      this.at += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    this.broken = true;
    return 0;
  }

  /** A string of printable ASCII. */
  text(): string | undefined {
    const length = this.number();
    const start = this.at;
    this.at += length;
    if (this.broken || this.at > this.#end) return undefined;
    const text = this.#bytes.toString("latin1", start, this.at);
    return PRINTABLE.test(text) ? text : undefined;
  }
}
