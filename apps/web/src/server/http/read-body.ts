import type { IncomingMessage } from "node:http";

/** The client has left in the middle of its request. */
export class ClientLeft extends Error {
  override readonly name = "ClientLeft";
}

/** Whether a request says that it has a body (RFC 9112 §6.3). */
export function hasBody(request: Pick<IncomingMessage, "headers">): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && !/^0+$/.test(length));
}

/**
 * Reads a body that may have `mostBytes`. Nothing is read of one that announces more, and one that lies is dropped at the byte
 * that is too many.
 *
 * @returns `undefined` when there is more
 * @throws ClientLeft when the client leaves before the end
 */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const settle = (body: Buffer | undefined): void => {
      request.off("data", take).pause();
      resolve(body);
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > mostBytes) settle(undefined);
      else chunks.push(chunk);
    };
    request.on("data", take);
    request.once("end", () => settle(Buffer.concat(chunks)));
    request.once("error", (error) => reject(new ClientLeft(error.message, { cause: error })));
    // Over HTTP/2 the end follows, as if this had been all.
    request.once("aborted", () => reject(new ClientLeft("the client took its request back")));
    request.once("close", () => reject(new ClientLeft("the client left in the middle of its request")));
  });
}
