import { until } from "@binnacle/testing";
import { describe, expect, test } from "vitest";

import type { KubeBody } from "./kube-transport.ts";
import {
  answerOf,
  arrivalOf,
  change,
  CHANGES,
  NEVER,
  PATH,
  Source,
  streamOf,
  type Arrival,
  type TransportScene,
} from "./transport-scene.ts";

/** A change is sent once, whatever breaks; a change that was not sent is reported as without effect. */
export function describeOnce({ transportTo, leave }: TransportScene): void {
  test("what was aborted before it began did nothing", async () => {
    let arrived = 0;
    const transport = await transportTo((_request, response) => ((arrived += 1), void response.end()));
    const source = new Source(() => Promise.resolve(Buffer.from("x")));
    for (const body of ["{}", source]) {
      const failure = transport.request(change(body), AbortSignal.abort());
      await expect(failure).rejects.toMatchObject({ failure: "connection", stage: "not_started" });
    }
    expect([arrived, source.pulled]).toEqual([0, 0]);
  });

  describe.each(["fresh", "kept"])("on a %s connection that closes when the request was read", (which) => {
    const bodies: readonly (readonly [string, () => KubeBody])[] = [
      ["text", () => '{"spec":{}}'],
      ["stream", () => streamOf(["{", "}"])],
    ];
    test.each(CHANGES.flatMap(([method, type]) => bodies.map(([kind, body]) => ({ method, type, kind, body }))))(
      "$method with $type as $kind arrives once and is not reported as without effect",
      async ({ method, type, body }) => {
        const arrived: Arrival[] = [];
        const transport = await transportTo((request, response) => {
          void arrivalOf(request).then((arrival) => {
            if (request.method === "GET") return response.end("{}");
            arrived.push(arrival);
            return request.socket.destroy();
          });
        });
        if (which === "kept") await answerOf(transport, { method: "GET", path: PATH, accept: "*/*" });
        const failure = transport.request({ ...change(body()), method, contentType: type }, NEVER);
        await expect(failure).rejects.toMatchObject({ failure: "connection", stage: "started" });
        // A client that sends again does so before this one's turn.
        await answerOf(transport, { method: "GET", path: PATH, accept: "*/*" });
        expect(arrived).toMatchObject([{ method, isWhole: true }]);
      },
    );
  });

  test("a hundred changes at a time, whose connections all close, arrive once each", async () => {
    const arrived: string[] = [];
    const transport = await transportTo((request) => {
      void arrivalOf(request).then(({ text }) => {
        arrived.push(text);
        request.socket.destroy();
      });
    });
    const names = Array.from({ length: 100 }, (_, index) => `${index}`);
    const outcomes = await Promise.allSettled(names.map((body) => transport.request(change(body), NEVER)));
    expect(outcomes.map(({ status }) => status)).toEqual(names.map(() => "rejected"));
    expect(arrived.toSorted()).toEqual(names.toSorted());
  });

  test("an unreachable server receives no request", async () => {
    const transport = await transportTo((_request, response) => void response.end("{}"));
    await leave();
    const source = new Source(() => Promise.resolve(Buffer.from("x")));
    for (const body of ["{}", source]) {
      // Where kas is in between, it is kas that is not reached.
      const failure = expect.stringMatching(/^(connection|kas_unreachable)$/);
      await expect(transport.request(change(body), NEVER)).rejects.toMatchObject({ failure, stage: "not_started" });
    }
    await until(() => source.returned === 1);
  });
}
