import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";

import { eventually, KasReplicas, startAgentkProcess, type KasProcess } from "@binnacle/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** A stand-in for an API server that says whatever a test wants. */
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let kas: Readonly<Record<"near" | "far", KasProcess>>;
const closers: (() => Promise<unknown> | void)[] = [];
const PATH = "/k8s-proxy/api/v1/namespaces/default/pods";
const AUTHORIZATION = { authorization: "Bearer pat:7:user-1" };

beforeAll(async () => {
  server = createServer((...exchange) => answer(...exchange)).listen(0, "127.0.0.1");
  closers.push(
    () => server.closeAllConnections(),
    () => void server.close(),
  );
  await once(server, "listening");
  answer = (_request, response) => response.end("{}");
  const replicas = await KasReplicas.start();
  closers.push(() => replicas.stop());
  kas = { near: await replicas.startKas(), far: await replicas.startKas() };
  // A TCP server that listens has an address.
  const { port } = server.address() as AddressInfo;
  const kasAddress = `grpc://${kas.near.addresses.agent}`;
  const agentk = await startAgentkProcess({ kasAddress, token: "glagent-7", server: `http://127.0.0.1:${port}` });
  closers.push(() => agentk.stop());
  await eventually(async () => ((await send("far", {})).status === 200 ? undefined : "the agent is not there"), 30_000);
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

interface Answered {
  readonly status: number | undefined;
  readonly body: string;
  readonly trailers: IncomingMessage["trailers"];
  readonly informational: readonly (readonly [number, object])[];
}

/** Sends a request; with trailers its body goes in chunks. */
function send(
  through: keyof typeof kas,
  { headers = {}, trailers }: { readonly headers?: Record<string, string>; readonly trailers?: [string, string][] },
): Promise<Answered> {
  const url = `http://${kas[through].addresses.k8sProxy}${PATH}`;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: trailers ? "POST" : "GET", agent: false, headers: { ...AUTHORIZATION, ...headers } });
    const informational: [number, object][] = [];
    outgoing.on("information", ({ statusCode, headers: fields }) => informational.push([statusCode, fields]));
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => void (body += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode, body, trailers: response.trailers, informational }));
    });
    if (trailers !== undefined) {
      outgoing.write("a body ");
      outgoing.write("in chunks");
      outgoing.addTrailers(trailers);
    }
    outgoing.end();
  });
}

describe.each(["near", "far"] as const)("through the %s kas", (through) => {
  test("trailers of a request reach the API server, those that could be mistaken for headers do not", async () => {
    const heard = new Promise<object>((resolve) => {
      answer = (incoming, response) => {
        let body = "";
        incoming.on("data", (chunk: Buffer) => void (body += chunk.toString()));
        incoming.on("end", () => {
          resolve({ body, announced: incoming.headers.trailer, trailers: incoming.trailers });
          response.end("{}");
        });
      };
    });
    const trailers: [string, string][] = [
      ["X-Checksum", "abc"],
      ["Impersonate-User", "admin"],
      ["Set-Cookie", "a=b"],
    ];
    const headers = { trailer: "X-Checksum, Impersonate-User", "transfer-encoding": "chunked" };
    expect((await send(through, { headers, trailers })).status).toBe(200);
    expect(await heard).toEqual({ body: "a body in chunks", announced: "X-Checksum", trailers: { "x-checksum": "abc" } });
  });

  test("trailers of a response reach a client that takes them, and no other", async () => {
    answer = (incoming, response) => {
      response.writeHead(200, { trailer: "X-Checksum", "content-type": "application/json" });
      response.write("{}");
      response.addTrailers({ "X-Checksum": String(incoming.headers["te"]), Location: "https://elsewhere.test/" });
      response.end();
    };
    expect(await send(through, { headers: { te: "trailers" } })).toMatchObject({ body: "{}", trailers: { "x-checksum": "trailers" } });
    expect(await send(through, {})).toMatchObject({ body: "{}", trailers: {} });
  });

  test("informational responses come before the response, with the headers that a response may have", async () => {
    answer = (_incoming, response) => {
      response.writeEarlyHints({ link: "</a.css>; rel=preload", "x-kubernetes-pf-flowschema-uid": "u1", "x-other": "x" }, () => {
        response.writeProcessing();
        response.end("{}");
      });
    };
    const { status, informational } = await send(through, {});
    expect([status, informational]).toEqual([
      200,
      [
        [103, { "x-kubernetes-pf-flowschema-uid": "u1" }],
        [102, {}],
      ],
    ]);
  });
});

test("a client of HTTP/1.0 gets no informational response", async () => {
  answer = (_incoming, response) => response.writeEarlyHints({ link: "</a.css>; rel=preload" }, () => response.end("{}"));
  const [host, port] = kas.near.addresses.k8sProxy.split(":");
  const socket = connect(Number(port), host);
  socket.write(`GET ${PATH} HTTP/1.0\r\nAuthorization: ${AUTHORIZATION.authorization}\r\n\r\n`);
  let text = "";
  socket.on("data", (chunk: Buffer) => void (text += chunk.toString()));
  await once(socket, "close");
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});
