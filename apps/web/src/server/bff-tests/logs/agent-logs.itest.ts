import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { LogsFrameSchema, type LogsQuery } from "@binnacle/proto/kas-logs";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { logsClient, NAMES } from "../../testing/dashboard-tab.ts";
import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

type Frame = NonNullable<MessageInitShape<typeof LogsFrameSchema>["frame"]>;

let world: DashboardWorld;

beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer"]);
  world.start(new ManualClock());
});
afterEach(() => world.close());

function framed(frame: Frame): Buffer {
  const message = toBinary(LogsFrameSchema, create(LogsFrameSchema, { frame }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.byteLength);
  return Buffer.concat([length, message]);
}

test("logs of an environment are read by the agent where it offers that, and nothing is read through the proxy", async () => {
  const requests: LogsQuery[] = [];
  world.kas.logs = (query, response) => {
    requests.push(query);
    response.writeHead(200, { "content-type": "application/vnd.binnacle.logs+proto" });
    const source = { id: 1, namespace: "prod", pod: "web-0", container: "web" };
    const frames: Frame[] = [
      { case: "response", value: {} },
      { case: "response", value: { message: { case: "sources", value: { sources: [source], isReadByAgent: true } } } },
      { case: "response", value: { message: { case: "lines", value: { lines: [{ source: 1, text: "one" }] } } } },
      { case: "end", value: {} },
    ];
    response.end(Buffer.concat(frames.map(framed)));
  };
  const seen: unknown[] = [];
  const client = logsClient(world.bff, { origin: ORIGIN, cookie: "_gitlab_session=session-maintainer" });
  for await (const { message } of client.readLogs({ ...NAMES, filter: { pattern: "one" }, tailLines: 3 })) seen.push(message);
  expect(seen).toMatchObject([
    { case: undefined },
    { case: "sources", value: { isReadByAgent: true, sources: [{ pod: "web-0" }] } },
    { case: "lines", value: { lines: [{ text: "one" }] } },
  ]);
  expect(requests).toMatchObject([{ targets: [{ namespace: "prod" }], filter: { pattern: "one" }, tailLines: 3 }]);
  expect(world.kas.requests.filter((request) => request.endsWith("/pods") || request.endsWith("/log"))).toEqual([]);
});
