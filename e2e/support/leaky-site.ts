import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A site that gives a word away wherever a site can, one place per path. */
export interface LeakySite {
  readonly url: string;
  close(): void;
}

/** Starts it on a free loopback port. */
export async function startLeakySite(word: string): Promise<LeakySite> {
  const server = createServer((request, response) => answer(request, response, word));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an AddressInfo.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, word: string): void {
  request.resume();
  switch (new URL(request.url ?? "/", "http://site").pathname) {
    case "/":
      return void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Leaky</title>");
    case "/body":
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ word }));
    case "/stream":
      // As Connect streams: a flag and a length before each message, the word cut in two, and no end.
      response.writeHead(200, { "content-type": "application/connect+proto" });
      response.write(Buffer.from([0, 0, 0, 0, word.length]));
      response.write(word.slice(0, 10));
      setTimeout(() => response.write(word.slice(10)), 50);
      return;
    case "/header":
      return void response.writeHead(200, { "x-word": word }).end();
    case "/redirect":
      return void response.writeHead(302, { location: `/redirected?word=${word}` }).end();
    case "/set-cookie":
      return void response.writeHead(200, { "set-cookie": `session=${word}; HttpOnly` }).end();
    case "/metrics":
      return void response.writeHead(200, { "content-type": "text/plain" }).end(`made_up{word="${word}"} 1\n`);
    default:
      return void response.writeHead(200, { "content-type": "text/plain" }).end("nothing");
  }
}
