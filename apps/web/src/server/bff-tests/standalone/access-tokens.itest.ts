import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { hashToken, type Organization } from "@binnacle/organization";
import { systemClock } from "@binnacle/rpc";
import { createLogger, Secret } from "@binnacle/telemetry";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";

import { createBff, type Bff } from "../../bff.ts";
import { ORIGIN, standInConfig } from "../../config/testing/stand-in-config.ts";
import { organizationOf, PASSWORD } from "../../standalone/testing/organization-of-test.ts";
import { StandInUserTokens, WEB_SECRET } from "../../standalone/testing/stand-in-user-tokens.ts";

let folder: string;
let state: string;
let files: { current: Organization };
let kas: StandInUserTokens;
let bff: Bff;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "binnacle-tokens-"));
  state = join(folder, "state.json");
  files = { current: await organizationOf(["alice", "bob"]) };
  kas = await StandInUserTokens.start(() => files.current);
  bff = begin(state);
});
afterEach(async () => {
  await bff.close();
  await kas.stop();
  await rm(folder, { recursive: true });
});

function begin(stateFile: string | undefined): Bff {
  const config = standInConfig({ mainApplication: kas.url, kas: kas.url });
  const secret = { file: "web-secret", content: new Secret(WEB_SECRET), digest: "" };
  const standalone = { provider: "standalone" as const, web_secret_file: secret, state_file: stateFile };
  return createBff({
    config: { ...config, main_application: { ...config.main_application, ...standalone } },
    clock: systemClock,
    log: createLogger("web", "silent"),
    organization: files,
    metrics: { refused: () => undefined },
  });
}

const OWN = { origin: ORIGIN, "sec-fetch-site": "same-origin", "content-type": "application/json" };

async function signIn(username: string): Promise<string> {
  const body = JSON.stringify({ username, password: PASSWORD });
  const answer = await bff.session(new Request(`${ORIGIN}/api/session/password`, { method: "POST", headers: OWN, body }));
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

/** What the page shows or gets. */
interface Body {
  readonly writable?: boolean;
  readonly token?: string;
  readonly yaml?: string;
  readonly tokens?: readonly { readonly id?: string; readonly name: string }[];
  readonly agents?: readonly { readonly id: number }[];
}

async function send(cookie: string, method: string, body?: object) {
  return sendWith({ ...OWN, cookie }, method, body);
}

async function sendWith(headers: Readonly<Record<string, string>>, method: string, body?: object) {
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await bff.session(new Request(`${ORIGIN}/api/session/access-tokens`, init));
  const text = await answer.text();
  return { status: answer.status, body: (text === "" ? {} : JSON.parse(text)) as Body };
}

test("a token is created, listed without its text, and deleted; the state file has its hash alone", async () => {
  const cookie = await signIn("alice");
  const { body } = await send(cookie, "POST", { name: "laptop", days: 30 });
  const token = body.token ?? "";
  const listed = await send(cookie, "GET");
  expect(listed.body).toMatchObject({ writable: true, tokens: [{ name: "laptop" }], agents: [{ id: 3 }] });
  expect(JSON.stringify(listed.body)).not.toContain(token);
  const stored = await readFile(state, "utf8");
  expect(stored).toContain(hashToken(token));
  expect(stored).not.toContain(token);
  expect((await send(cookie, "DELETE", { id: listed.body.tokens?.[0]?.id })).status).toBe(204);
  expect((await send(cookie, "GET")).body.tokens).toEqual([]);
});

test("T79: no user lists or deletes the token of another, and without a session there is nothing", async () => {
  const [alice, bob] = [await signIn("alice"), await signIn("bob")];
  await send(alice, "POST", { name: "laptop", days: 30 });
  const id = (await send(alice, "GET")).body.tokens?.[0]?.id;
  expect((await send(bob, "GET")).body.tokens).toEqual([]);
  expect((await send(bob, "DELETE", { id })).status).toBe(404);
  for (const method of ["GET", "POST", "DELETE"]) expect((await send("", method, method === "GET" ? undefined : { id })).status).toBe(401);
  const foreign = { ...OWN, cookie: alice, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  expect((await sendWith(foreign, "POST", { name: "theirs", days: 30 })).status).toBe(403);
  expect((await send(alice, "GET")).body.tokens).toHaveLength(1);
});

test.each([{ name: "", days: 30 }, { name: "x".repeat(101), days: 30 }, { name: "x", days: 0 }, { name: "x", days: 366 }, {}])(
  "T79: %j is no token",
  async (body) => {
    expect((await send(await signIn("alice"), "POST", body)).status).toBe(400);
  },
);

test("without a state file the page gets the lines for the organization's file, and nothing is written", async () => {
  await bff.close();
  bff = begin(undefined);
  const cookie = await signIn("alice");
  expect((await send(cookie, "GET")).body.writable).toBe(false);
  const { body } = await send(cookie, "POST", { name: "laptop", days: 30 });
  expect(parse(body.yaml ?? "")).toMatchObject({
    users: [{ name: "alice", tokens: [{ name: "laptop", hash: hashToken(body.token ?? "") }] }],
  });
  expect((await send(cookie, "DELETE", { id: "x" })).status).toBe(404);
});

test("T79: a state file that cannot be used is not overwritten, and nothing of it is shown", async () => {
  await writeFile(state, "canary");
  const cookie = await signIn("alice");
  const answers = [await send(cookie, "GET"), await send(cookie, "POST", { name: "laptop", days: 30 })];
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect(JSON.stringify(answers)).not.toContain("canary");
  expect(await readFile(state, "utf8")).toBe("canary");
});
