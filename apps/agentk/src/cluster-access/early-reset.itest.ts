import { PassThrough } from "node:stream";

import { afterEach, beforeEach, expect, test } from "vitest";

import { HastyServer } from "../testing/hasty-server.ts";
import { plainAccess } from "./testing/plain-access.ts";
import { ClusterClient } from "./cluster-client.ts";

let server: HastyServer;
let client: ClusterClient;

beforeEach(async () => {
  server = await HastyServer.listen();
  client = new ClusterClient(plainAccess(new URL(`http://127.0.0.1:${server.port}`)));
});

afterEach(async () => {
  await client.close();
  await server.close();
});

/** A change whose body goes on in the very turn in which the API server has answered and left. */
function post(end: "closes it" | "resets it"): Promise<string> {
  const body = new PassThrough();
  const more = (): void => {
    for (let count = 0; count < 4; count += 1) body.write(Buffer.alloc(64 * 1024, "x"));
  };
  server.answer = { status: 403, body: "no", end, onLeft: more };
  return new Promise((resolve) => {
    let heard = "";
    const headers = ["Content-Type", "text/plain"];
    client.request(
      { method: "POST", target: "/api/v1/pods", headers, contentLength: 700_000, body },
      {
        header: (code) => (heard += String(code)),
        data: (chunk) => (heard += ` ${chunk.toString()}`),
        end: () => resolve(`${heard} end`),
        error: (error) => resolve(`${heard} ${String(error)}`),
      },
    );
    body.write("x");
  });
}

test.each(["closes it", "resets it"] as const)("an answer is read although the API server %s and a write fails first", async (end) => {
  for (let count = 0; count < 30; count += 1) expect(await post(end), `change ${count}`).toBe("403 no end");
});
