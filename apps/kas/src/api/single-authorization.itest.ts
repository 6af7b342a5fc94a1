import { once } from "node:events";
import { constants, createServer } from "node:http2";
import { createConnection, type AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { showEveryAuthorization } from "./api-listener.ts";

/** HEADERS frame of a request, each name and value a literal that is not indexed. @see RFC 7541 §6.2.2 */
function requestFrame(headers: readonly (readonly [string, string])[]): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  const block = Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
  const head = Buffer.alloc(9);
  head.writeUIntBE(block.length, 0, 3);
  head.set([constants.NGHTTP2_FLAG_END_HEADERS | constants.NGHTTP2_FLAG_END_STREAM], 4);
  head.set([1], 3);
  head.writeUInt32BE(1, 5);
  return Buffer.concat([head, block]);
}

test.each([
  [["Bearer one"], "Bearer one"],
  [["Bearer one", "Bearer two"], "Bearer one, Bearer two"],
])("I10: of the authorizations %j the check sees %j", async (values, seen) => {
  const server = createServer();
  const shown = new Promise<string | undefined>((resolve) => {
    server.on("stream", (...[, headers, , rawHeaders]) => {
      showEveryAuthorization({ headers, rawHeaders });
      resolve(headers.authorization);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a listening TCP server is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const socket = createConnection(port, "127.0.0.1");
  const pseudo = [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", "/x.Y/Z"],
    [":authority", "kas"],
  ] as const;
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
  socket.write(requestFrame([...pseudo, ...values.map((value) => ["authorization", value] as const)]));
  expect(await shown).toBe(seen);
  socket.destroy();
  server.close();
});
