import { once } from "node:events";
import { connect } from "node:http2";

import { systemClock } from "@binnacle/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";

import { HopTokens } from "../kas-routing/hop-token.ts";
import { INTERNAL_SECRET, startTestKas } from "../kas-routing/testing/kas-bench.ts";
import { startWholeKas, type WholeKas } from "./whole-kas.ts";
import { createTypedHandler } from "../http2-listener/typed-handler.ts";

let kas: WholeKas;
beforeAll(async () => {
  kas = await startWholeKas();
});
afterAll(() => kas.stop());

const UNKNOWN = ["/gitlab.agent.autoflow.rpc.AutoFlow/CloudEvent", "/grpc.health.v1.Health/Check", "/", "/a"];

/** Headers of the answer, which are all there is of it. */
async function ask(address: string, headers: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const session = connect(`http://${address}`);
  const stream = session.request({ ":method": "POST", "content-type": "application/grpc", te: "trailers", ...headers });
  stream.end(Buffer.alloc(5));
  const [answer] = await once(stream, "response");
  session.destroy();
  return answer;
}

const UNIMPLEMENTED = { ":status": 200, "content-type": "application/grpc+proto", "grpc-status": "12" };

test.each(UNKNOWN)("I11, M15: %s is UNIMPLEMENTED in gRPC's own words on the agent and the API listener", async (path) => {
  expect(await ask(kas.bound.agent, { ":path": path, authorization: "Bearer agent-1" })).toMatchObject(UNIMPLEMENTED);
  expect(await ask(kas.bound.api ?? "", { ":path": path, authorization: await kas.jwt() })).toMatchObject(UNIMPLEMENTED);
});

test.each(UNKNOWN)("I11, M15: %s is UNIMPLEMENTED in gRPC's own words on the internal listener", async (path) => {
  const target = await startTestKas({ connectHandler: createTypedHandler({ readMaxBytes: 1_000, routes: () => undefined }) });
  const tokens = new HopTokens({ secrets: [INTERNAL_SECRET], kasId: "caller", clock: systemClock });
  const authorization = tokens.sign(target.kasId, 1n);
  expect(await ask(target.internalUrl.replace("grpc://", ""), { ":path": path, authorization })).toMatchObject(UNIMPLEMENTED);
  await target.stop();
});

test.each([
  ["application/json", 404],
  ["application/grpc-web+proto", 404],
])("I11: who speaks %s gets HTTP status %i", async (type, status) => {
  expect(await ask(kas.bound.agent, { ":path": "/a", "content-type": type, authorization: "Bearer agent-1" })).toMatchObject({
    ":status": status,
  });
});

test("I11: a known method with an unsupported content type is 415", async () => {
  const path = "/gitlab.agent.agent_registrar.rpc.AgentRegistrar/Register";
  expect(await ask(kas.bound.agent, { ":path": path, "content-type": "text/plain", authorization: "Bearer agent-1" })).toMatchObject({
    ":status": 415,
  });
});

test("KB2: without a credential a client that speaks JSON gets 401 and Connect's words", async () => {
  const session = connect(`http://${kas.bound.api ?? ""}`);
  const stream = session.request({ ":method": "POST", ":path": "/kas.v1.KasApi/GetPods", "content-type": "application/json" });
  stream.end("{}");
  const [headers] = await once(stream, "response");
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  session.destroy();
  expect(headers[":status"]).toBe(401);
  expect(JSON.parse(Buffer.concat(parts).toString())).toMatchObject({ code: "unauthenticated" });
});
