import { createDeflate, createInflate, constants, type Deflate, type Inflate } from "node:zlib";

/** Headers of a stream by name in lower case. A name that comes several times has its values joined by a zero byte. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** The peer broke the protocol; the connection ends. */
export class SpdyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SpdyError";
  }
}

const MAX_HEADER_BYTES = 64 * 1024;
const MAX_HEADERS = 64;

const WORDS =
  "options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization cache-control connection content-base content-encoding content-language content-length content-location content-md5 content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie keep-alive origin";
const TAIL =
  "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505" +
  "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found" +
  "500 Internal Server Error501 Not Implemented503 Service Unavailable" +
  "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT" +
  "chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,public" +
  "privatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

/** The dictionary of SPDY/3, section 2.6.10.1: words with their length in 32 bits, then fragments of common values. */
export const SPDY_DICTIONARY: Buffer = Buffer.concat([
  ...WORDS.split(" ").flatMap((word) => [lengthOf(word.length), Buffer.from(word.replace("_", " "))]),
  Buffer.from(TAIL),
]);

function lengthOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Compresses the header blocks of one direction of one connection, in the order in which they are sent. */
export class HeaderCompressor {
  readonly #deflate: Deflate = createDeflate({ dictionary: SPDY_DICTIONARY, level: 1 });
  #chunks: Buffer[] = [];

  constructor() {
    this.#deflate.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
  }

  /** Calls must not overlap. */
  async compress(headers: SpdyHeaders): Promise<Buffer> {
    const pairs = [...headers].flatMap(([name, value]) =>
      [name.toLowerCase(), value].flatMap((text) => [lengthOf(Buffer.byteLength(text)), Buffer.from(text)]),
    );
    this.#deflate.write(Buffer.concat([lengthOf(headers.size), ...pairs]));
    await new Promise<void>((resolve) => this.#deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    const block = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return block;
  }

  close(): void {
    this.#deflate.destroy();
  }
}

/** Decompresses the header blocks of one direction of one connection, in the order in which they arrived. */
export class HeaderDecompressor {
  readonly #inflate: Inflate = createInflate({ dictionary: SPDY_DICTIONARY, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 4096 });
  #chunks: Buffer[] = [];
  #size = 0;
  #failed: Error | undefined;

  constructor() {
    this.#inflate.on("data", (chunk: Buffer) => {
      this.#size += chunk.length;
      if (this.#size > MAX_HEADER_BYTES) this.#inflate.destroy(new SpdyError("header block too large"));
      else this.#chunks.push(chunk);
    });
    this.#inflate.on("error", (error) => (this.#failed = error));
  }

  /** Calls must not overlap. @throws SpdyError for a block that is broken or expands beyond 64 KiB */
  async decompress(block: Buffer): Promise<SpdyHeaders> {
    await new Promise<void>((resolve) => {
      this.#inflate.once("close", resolve);
      this.#inflate.write(block, () => {
        this.#inflate.off("close", resolve);
        resolve();
      });
    });
    if (this.#failed !== undefined || this.#inflate.destroyed) throw new SpdyError("broken header block");
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    return parseHeaders(bytes);
  }

  close(): void {
    this.#inflate.destroy();
  }
}

function parseHeaders(bytes: Buffer): SpdyHeaders {
  let at = 0;
  const number = (): number => {
    if (at + 4 > bytes.length) throw new SpdyError("short header block");
    at += 4;
    return bytes.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const size = number();
    if (at + size > bytes.length) throw new SpdyError("short header block");
    at += size;
    return bytes.toString("utf8", at - size, at);
  };
  const count = number();
  if (count > MAX_HEADERS) throw new SpdyError("too many headers");
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index += 1) {
    const name = text().toLowerCase();
    if (name === "" || headers.has(name)) throw new SpdyError("header name empty or twice");
    headers.set(name, text());
  }
  return headers;
}
