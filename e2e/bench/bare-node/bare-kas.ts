/**
 * What a request through a tunnel costs Node itself: an HTTP/1 server that hands each request to an HTTP/2 stream an agent has opened
 * before, and passes its 4 KiB back. No routing, no checks, no messages: nothing that does the same work on Node's own HTTP can cost less.
 */
import { createServer } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";

const ANSWER_BYTES = 4096;
const free: ServerHttp2Stream[] = [];
const waiting: ((stream: ServerHttp2Stream) => void)[] = [];

const tunnels = createHttp2Server({ settings: { maxConcurrentStreams: 1_000 } });
tunnels.on("stream", (stream) => {
  stream.on("error", () => undefined);
  stream.respond({ ":status": 200, "content-type": "application/grpc+proto" }, { waitForTrailers: true });
  stream.once("data", () => {
    const next = waiting.shift();
    if (next) next(stream);
    else free.push(stream);
  });
});

const clients = createServer((_request, response) => {
  const carry = (stream: ServerHttp2Stream): void => {
    const body: Buffer[] = [];
    stream.write(Buffer.alloc(600));
    stream.on("data", (chunk: Buffer) => body.push(chunk));
    stream.on("end", () => {
      stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end();
      response.writeHead(200, { "content-type": "application/json", "content-length": ANSWER_BYTES });
      response.end(Buffer.concat(body).subarray(-ANSWER_BYTES));
    });
  };
  const stream = free.shift();
  if (stream) carry(stream);
  else waiting.push(carry);
});

tunnels.listen(0, "127.0.0.1", () => {
  clients.listen(0, "127.0.0.1", () => {
    // Both listen on TCP.
    const port = (address: ReturnType<typeof clients.address>): number => (address as AddressInfo).port;
    process.send?.({ tunnels: port(tunnels.address()), clients: port(clients.address()) });
  });
});
process.once("disconnect", () => process.exit(0));
