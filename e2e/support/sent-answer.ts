import { get, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** What Chromium says that it takes. */
export const BROWSER_CODINGS = "gzip, deflate, br, zstd";

/** An answer as it was sent, which `fetch` would have decoded. */
export interface SentAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** As it came. */
  readonly sent: Buffer;
  /** As its reader has it. */
  readonly content: Buffer;
}

/** Asks for something, and takes it as it comes. */
export function ask(url: string | URL, headers: OutgoingHttpHeaders): Promise<SentAnswer> {
  return new Promise((resolve, reject) => {
    const answered = (answer: IncomingMessage): void =>
      void buffer(answer).then((sent) => {
        const content = decoded(sent, answer.headers["content-encoding"]);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, sent, content });
      }, reject);
    get(url, { headers }, answered).on("error", reject);
  });
}

function decoded(sent: Buffer, coding: string | undefined): Buffer {
  // An answer that has no body, as that to who has it already.
  if (sent.length === 0) return sent;
  if (coding === "br") return brotliDecompressSync(sent);
  return coding === "gzip" ? gunzipSync(sent) : sent;
}
