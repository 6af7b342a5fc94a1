import { createServer, type Http2Stream, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { constants } from "node:http2";
import type { AddressInfo } from "node:net";

import { dialHttp2, resetStream, serverSessionOptions, widenSession } from "@binnacle/grpc-wire";

/** Between an agentk and kas. */
export interface GoSizedLink {
  /** Where agentk connects: `grpc://127.0.0.1:port`. */
  readonly url: string;
  /** The most tunnels that kas has had at a time. */
  readonly mostTunnels: number;
  close(): void;
}

const CONNECT = "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect";
/** A Go agent's pool. */
const TUNNELS = 10;
/** Of a recorded Go agent that impersonates and that stops a request when its tunnel is reset. Tunnels alone have it, or the version in our agentk's `AgentMeta` would count for them. */
const USER_AGENT = "gitlab-agent/v16.5.0/8daa08cc grpc-go/1.58.3";
/** What only ours say, up and down. */
const OURS = new Set(["agentk-caps", "agentk-max-tunnels", "agentk-instance", "kas-caps"]);

/**
 * Makes of our agentk an agent as kas knows those of Go: it says none of our capabilities, learns none of kas', and has ten tunnels; the
 * others that it opens wait here until one of the ten has ended.
 *
 * @param kasUrl `grpc://host:port` of kas' agent listener
 */
export async function startGoSizedLink(kasUrl: string): Promise<GoSizedLink> {
  const waiting: (() => void)[] = [];
  let open = 0;
  let most = 0;
  const server = createServer(serverSessionOptions());
  const sessions = new Set<{ destroy(): void }>();
  const enter = (start: () => void): void => {
    open += 1;
    most = Math.max(most, open);
    start();
  };
  const leave = (): void => {
    open -= 1;
    const next = waiting.shift();
    if (next !== undefined) enter(next);
  };
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined);
    widenSession(session);
    const upstream = dialHttp2(kasUrl);
    upstream.then(
      (up) => {
        sessions.add(up);
        up.on("close", () => session.destroy());
        session.on("close", () => up.destroy());
      },
      () => session.destroy(),
    );
    session.on("stream", (down: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      down.on("error", () => undefined);
      const pass = (): void => {
        upstream.then(
          (up) => join(down, up.request(upHeaders(headers))),
          () => down.close(constants.NGHTTP2_REFUSED_STREAM),
        );
      };
      if (headers[":path"] !== CONNECT) return pass();
      const begin = (): void => {
        if (down.destroyed || down.closed) return leave();
        down.once("close", leave);
        pass();
      };
      if (open < TUNNELS) enter(begin);
      else waiting.push(begin);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // A TCP server has an address object once it listens.
    url: `grpc://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get mostTunnels() {
      return most;
    },
    close() {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}

function upHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !OURS.has(name) && name !== ":authority" && name !== ":scheme");
  return { ...Object.fromEntries(kept), ...(headers[":path"] === CONNECT && { "user-agent": USER_AGENT }) };
}

function downHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OURS.has(name)));
}

/** Everything that one side says, the other side hears: bytes, ends, trailers and resets. */
function join(down: ServerHttp2Stream, up: Http2Stream): void {
  let trailers: OutgoingHttpHeaders = {};
  up.on("error", () => undefined);
  up.on("response", (headers: IncomingHttpHeaders, flags: number) => {
    if (down.destroyed) return;
    const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    down.respond(downHeaders(headers), endStream ? { endStream } : { waitForTrailers: true });
    if (!endStream) up.pipe(down);
  });
  up.on("trailers", (received: IncomingHttpHeaders) => (trailers = downHeaders(received)));
  down.on("wantTrailers", () => down.sendTrailers(trailers));
  up.on("close", () => {
    const code = up.rstCode ?? constants.NGHTTP2_NO_ERROR;
    if (code !== constants.NGHTTP2_NO_ERROR) resetStream(down, code);
  });
  down.on("close", () => {
    const code = down.rstCode ?? constants.NGHTTP2_NO_ERROR;
    if (!up.closed) resetStream(up, code === constants.NGHTTP2_NO_ERROR ? constants.NGHTTP2_CANCEL : code);
  });
  down.pipe(up);
}
