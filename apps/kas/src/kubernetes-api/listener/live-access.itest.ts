import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

import { settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { CI, COOKIE, JOB, PAT, PREFIX, ProxyUnderTest, USER, type SendOptions } from "./testing/proxy-under-test.ts";

const WATCH = `${PREFIX}api/v1/pods?watch=true`;
const JSON_TYPE = { "Content-Type": ["application/json"] };
const EVENT = `${JSON.stringify({ type: "ADDED", object: { kind: "Pod" } })}\n`;

let kas: ProxyUnderTest;
beforeEach(async () => {
  kas = await ProxyUnderTest.start();
  kas.router.onRequest = (call) => {
    call.respond(200, JSON_TYPE);
    call.data(EVENT);
  };
});
afterEach(() => kas.stop());

const as = (access: unknown): void => {
  kas.application.answer = () => ({ status: 200, body: { ...USER, access_as: access } });
};
const asJob = (access: unknown): void => {
  const agent = { id: 7, config_project: { id: 3 }, configuration: { access_as: access } };
  kas.application.answer = () => ({ status: 200, body: { ...JOB, allowed_agents: [agent] } });
};
const removed = (): void => {
  kas.application.answer = () => ({ status: 401, body: {} });
};
const roles = (...names: string[]) => ({ user: { projects: [{ id: 3, roles: names }], groups: [] } });

/** Opens a stream and moves the clock until its call has ended, or a minute is over. @returns what came, and when it was over, in seconds */
async function endOf(
  path: string,
  options: SendOptions,
  withdraw: () => void,
): Promise<{ body: string; afterSeconds: number | undefined }> {
  const { body } = await kas.send(path, options);
  const read = readOf(body);
  await until(() => read.text.length > 0);
  withdraw();
  for (let second = 1; second <= 60; second += 1) {
    await kas.clock.elapse(1_000);
    await kas.answers();
    if (!kas.call().cancelled) continue;
    await until(() => read.over);
    return { body: read.text, afterSeconds: second };
  }
  body.destroy();
  return { body: read.text, afterSeconds: undefined };
}

function readOf(body: IncomingMessage): { text: string; over: boolean } {
  const read = { text: "", over: false };
  body.on("data", (piece: Buffer) => (read.text += piece.toString()));
  body.on("error", () => undefined);
  body.once("close", () => (read.over = true));
  return read;
}

function lastEvent(body: string): unknown {
  return JSON.parse(body.trim().split("\n").at(-1) ?? "");
}

/** The credential of a watch, the change of its rights, and the code that the watch ends with. */
type Change = [options: SendOptions, withdraw: () => void, code: number];

describe("rights that end or change end the stream within a minute", () => {
  test.each([
    ["removal of a token's owner", { headers: PAT }, removed, 401],
    ["removal of a browser's session", { headers: COOKIE }, removed, 401],
    ["removal of a job", { headers: CI }, removed, 401],
    [
      "a job whose agent is taken away",
      { headers: CI },
      () => void (kas.application.answer = () => ({ status: 200, body: { ...JOB, allowed_agents: [] } })),
      403,
    ],
    ["demotion", { headers: PAT }, () => as(roles("reporter")), 403],
    ["promotion", { headers: PAT }, () => as(roles("reporter", "developer", "maintainer")), 403],
    [
      "another project's rights",
      { headers: PAT },
      () => as({ user: { projects: [{ id: 4, roles: ["reporter", "developer"] }], groups: [] } }),
      403,
    ],
    ["the agent's own rights", { headers: PAT }, () => as({ agent: {} }), 403],
    ["an access of a new kind", { headers: PAT }, () => as({ robot: {} }), 501],
    ["a job that becomes the agent", { headers: CI }, () => asJob({ agent: {} }), 403],
    ["a job that becomes a user", { headers: CI }, () => asJob({ impersonate: { username: "bot" } }), 403],
  ] as [string, ...Change][])("XS1, XS10, KS4, T23: %s", async (_name, ...[options, withdraw, code]) => {
    const { body, afterSeconds } = await endOf(WATCH, options, withdraw);
    expect(afterSeconds).toBeLessThanOrEqual(60);
    expect(lastEvent(body)).toMatchObject({ type: "ERROR", object: { kind: "Status", code } });
    expect(body.startsWith(EVENT)).toBe(true);
    expect(kas.call().cancelled).toBe(true);
  });

  test("XS1: from access_as agent to user, as it was found: the watch does not see what comes later", async () => {
    as({ agent: {} });
    const { body, afterSeconds } = await endOf(WATCH, { headers: { ...PAT, "Impersonate-Group": "system:masters" } }, () =>
      as(roles("developer")),
    );
    expect(afterSeconds).toBeLessThanOrEqual(60);
    kas.call().data(`${JSON.stringify({ type: "ADDED", object: { kind: "Secret" } })}\n`);
    expect(body).not.toContain("Secret");
    expect(lastEvent(body)).toMatchObject({ type: "ERROR", object: { code: 403 } });
  });

  test("KS4: a watch does not begin with an answer that is older than a proof may be", async () => {
    await text((await send200()).body);
    await kas.clock.elapse(21_000);
    removed();
    expect(await kas.refusal(WATCH)).toMatchObject({ status: 401 });
  });

  test("KS4: a request that bears Kas-Proof is not answered from an old answer either; others are", async () => {
    await text((await send200()).body);
    await kas.clock.elapse(21_000);
    removed();
    await text((await send200()).body);
    expect(await kas.refusal(`${PREFIX}api`, { headers: { ...PAT, "Kas-Proof": "true" } })).toMatchObject({ status: 401 });
  });

  test("T23: a watch goes on while its rights stay, also while the main application is unavailable", async () => {
    const { body } = await kas.send(WATCH);
    const read = readOf(body);
    await until(() => read.text.length > 0);
    for (const status of [200, 500, 429, 200]) {
      kas.application.answer = () => ({ status, body: USER });
      const before = kas.application.seen.length;
      await kas.clock.elapse(30_000);
      await until(() => kas.application.seen.length > before);
      await kas.answers();
    }
    expect(read.over).toBe(false);
    body.destroy();
  });
});

/** A request, and what the cluster has sent when the rights end. */
type CutResponse = [path: string, headers: Readonly<Record<string, readonly string[]>>, sent: string];

describe("how a stream ends", () => {
  const proofFails = async (): Promise<void> => {
    removed();
    await kas.clock.elapse(30_000);
    await kas.answers();
  };

  test.each([
    ["a list that is still coming", `${PREFIX}api/v1/pods`, JSON_TYPE, EVENT],
    ["a watch in protobuf", WATCH, { "Content-Type": ["application/vnd.kubernetes.protobuf;stream=watch"] }, "x"],
    ["a watch that is compressed", WATCH, { ...JSON_TYPE, "Content-Encoding": ["gzip"] }, "x\n"],
    ["a watch in the middle of an event", WATCH, JSON_TYPE, EVENT.slice(0, 10)],
    ["a followed log", `${PREFIX}api/v1/namespaces/a/pods/b/log?follow=true`, { "Content-Type": ["text/plain"] }, "line\n"],
  ] as [string, ...CutResponse][])(
    "XS10: %s is cut, without bytes that would be read as its own",
    async (_name, ...[path, headers, sent]) => {
      kas.router.onRequest = (call) => {
        call.respond(200, headers);
        call.data(sent);
      };
      const { body } = await kas.send(path);
      const ended = text(body);
      ended.catch(() => undefined);
      await settle();
      await proofFails();
      await expect(ended).rejects.toThrow(/aborted/);
      expect(kas.call().cancelled).toBe(true);
    },
  );

  test("XS10: a request without a response is rejected", async () => {
    kas.router.onRequest = () => undefined;
    const refused = kas.refusal(`${PREFIX}api`);
    await until(() => kas.router.calls.length === 1);
    await kas.answers();
    await proofFails();
    expect(await refused).toMatchObject({ status: 401, kind: "Status" });
  });

  test("when kas goes away, watches hear that they should come back", async () => {
    const watch = kas.send(WATCH);
    const read = readOf((await watch).body);
    await until(() => read.text.length > 0);
    kas.proxy.leave();
    await until(() => read.over);
    expect(lastEvent(read.text)).toMatchObject({ type: "ERROR", object: { code: 503 } });
  });
});

function send200() {
  kas.router.onRequest = (call) => {
    call.respond(200);
    call.finish();
  };
  return kas.send(`${PREFIX}api`);
}
