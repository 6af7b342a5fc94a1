import { hashToken, type OrganizationFiles } from "@binnacle/organization";
import { Fault } from "@binnacle/rpc";
import { ManualClock, settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { AgentInfo } from "../main-application/agent-info.ts";
import { noRefusals } from "../main-application/refused-credentials.ts";
import type { VerifiedUser } from "./id-token-verifier.ts";
import { OrganizationAgents } from "./organization-agents.ts";
import { OrganizationAuthorizer } from "./organization-authorizer.ts";
import { OrganizationConfigurations } from "./organization-configurations.ts";
import { OrganizationFile } from "./testing/organization-file.ts";

const NEVER = new AbortController().signal;
const POLL_MS = 20_000;

/** An agent of the file. */
const agent = (changes: object = {}): object => ({
  id: 7,
  name: "prod",
  project: "shop/infra",
  tokens: [hashToken("glagent-1"), hashToken("glagent-2")],
  user_access: { access_as: "user", groups: ["backend"] },
  ...changes,
});
const organization = (...agents: readonly object[]): object => ({ projects: [{ id: 3, path: "shop/infra" }], agents });

let clock: ManualClock;
let file: OrganizationFile;
let files: OrganizationFiles;
beforeEach(async () => {
  clock = new ManualClock();
  file = new OrganizationFile(
    organization(agent(), agent({ id: 8, name: "own", tokens: [], user_access: { access_as: "agent", users: ["alice"] } })),
  );
  files = await file.open(clock);
});
afterEach(() => {
  files.close();
  file.remove();
});

/** Writes the file, and has it read. */
async function change(content: object): Promise<void> {
  const before = files.current;
  file.write(content);
  clock.advance(5_000);
  await until(() => files.current !== before);
}

async function reasonOf(asking: Promise<unknown>): Promise<string> {
  try {
    await asking;
  } catch (error) {
    if (error instanceof Fault) return error.reason;
    throw error;
  }
  return "accepted";
}

test("an agent is authenticated by each of its tokens, and by nothing else", async () => {
  const agents = new OrganizationAgents({ files, clock, refusals: noRefusals });
  const info = { agentId: 7n, agentName: "prod", projectId: 3n, projectPath: "shop/infra", provedAtMs: clock.now() };
  expect(await agents.authenticate("Bearer glagent-1", NEVER)).toEqual(info);
  expect(await agents.authenticate("bearer  glagent-2", NEVER)).toEqual(info);
  expect(await reasonOf(agents.authenticate("Bearer glagent-3", NEVER))).toBe("token_unknown");
  expect(await reasonOf(agents.authenticate(`Bearer ${hashToken("glagent-1")}`, NEVER))).toBe("token_unknown");
  expect(await reasonOf(agents.authenticate(`Bearer ${"x".repeat(5_000)}`, NEVER))).toBe("token_unknown");
  expect(await reasonOf(agents.authenticate(undefined, NEVER))).toBe("token_missing");
});

test("a token that is removed from the file is refused, and listeners receive its agent", async () => {
  const agents = new OrganizationAgents({ files, clock, refusals: noRefusals });
  const withdrawn: bigint[] = [];
  agents.onWithdrawn(({ agentId }) => withdrawn.push(agentId));
  await change(organization(agent({ tokens: [hashToken("glagent-1")] })));
  expect(await reasonOf(agents.authenticate("Bearer glagent-2", NEVER))).toBe("token_unknown");
  expect(await reasonOf(agents.authenticate("Bearer glagent-1", NEVER))).toBe("accepted");
  await change(organization());
  expect(withdrawn).toEqual([7n, 7n]);
});

/** An authorizer for whom a token is the user's name and groups. */
function authorizer(verified: string[] = []): OrganizationAuthorizer {
  const verify = async (token: string): Promise<VerifiedUser> => {
    verified.push(token);
    const [name = "", ...groups] = token.split(" ");
    if (name === "bad") throw new Fault("token_unknown", "unauthenticated");
    return { name, groups, expiresAtMs: clock.now() + 300_000 };
  };
  const prefixes = { usernamePrefix: "oidc:user:", groupsPrefix: "oidc:group:" };
  return new OrganizationAuthorizer({ files, verifier: { verify }, clock, refusals: noRefusals, ...prefixes });
}

const idToken = (accessKey: string) => ({ kind: "id_token", accessKey }) as const;

test("a listed user is impersonated with prefixes; where the agent acts there is no identity", async () => {
  const users = authorizer();
  const listed = await users.user(7n, idToken("bob backend oncall"), { signal: NEVER });
  expect(listed).toMatchObject({ agent: { id: 7, config_project: { id: 3 } }, username: "bob" });
  expect(listed.identity).toMatchObject({
    username: "oidc:user:bob",
    groups: ["oidc:group:backend", "oidc:group:oncall"],
    extra: [
      { key: "agent.gitlab.com/id", val: ["7"] },
      { key: "agent.gitlab.com/username", val: ["bob"] },
      { key: "agent.gitlab.com/access_type", val: ["id_token"] },
      { key: "agent.gitlab.com/config_project_id", val: ["3"] },
    ],
  });
  expect((await users.user(8n, idToken("alice"), { signal: NEVER })).identity).toBeUndefined();
});

test("T67: a user who is not listed, an agent that does not exist and other credentials are refused", async () => {
  const users = authorizer();
  for (const id of [7n, 9n, 2n ** 63n - 1n])
    expect(await reasonOf(users.user(id, idToken("alice"), { signal: NEVER }))).toBe("agent_forbidden");
  expect(await reasonOf(users.user(7n, idToken("backend alice"), { signal: NEVER }))).toBe("agent_forbidden");
  expect(await reasonOf(users.user(7n, idToken("bad backend"), { signal: NEVER }))).toBe("token_unknown");
  expect(await reasonOf(users.user(7n, { kind: "personal_access_token", accessKey: "bob backend" }, { signal: NEVER }))).toBe(
    "token_unknown",
  );
  expect(await reasonOf(users.user(7n, idToken("x".repeat(13_000)), { signal: NEVER }))).toBe("token_unknown");
  expect(await reasonOf(users.job("token", { signal: NEVER }))).toBe("token_unknown");
});

test("a token is verified once a minute, and is not good after its end", async () => {
  const verified: string[] = [];
  const users = authorizer(verified);
  const ask = () => users.user(7n, idToken("bob backend"), { signal: NEVER });
  const first = await ask();
  expect(await ask()).toBe(first);
  expect(users.knownUser(7n, idToken("bob backend"), { signal: NEVER })).toBe(first);
  expect(verified).toHaveLength(1);
  clock.advance(60_000);
  expect(users.knownUser(7n, idToken("bob backend"), { signal: NEVER })).toBeUndefined();
  await ask();
  expect(verified).toHaveLength(2);
});

test("T67: an ended token is refused although its verification is cached", async () => {
  const prefixes = { usernamePrefix: "oidc:user:", groupsPrefix: "oidc:group:" };
  const verifier = { verify: async (): Promise<VerifiedUser> => ({ name: "bob", groups: ["backend"], expiresAtMs: clock.now() + 10_000 }) };
  const users = new OrganizationAuthorizer({ files, verifier, clock, refusals: noRefusals, ...prefixes });
  await users.user(7n, idToken("t"), { signal: NEVER });
  clock.advance(10_000);
  expect(users.knownUser(7n, idToken("t"), { signal: NEVER })).toBeUndefined();
  expect(await reasonOf(users.user(7n, idToken("t"), { signal: NEVER }))).toBe("token_unknown");
});

test("T67: a user who is removed from the file is refused at the next request", async () => {
  const users = authorizer();
  await users.user(7n, idToken("bob backend"), { signal: NEVER });
  await change(organization(agent({ user_access: { access_as: "user", groups: ["frontend"] } })));
  expect(users.knownUser(7n, idToken("bob backend"), { signal: NEVER })).toBeUndefined();
  expect(await reasonOf(users.user(7n, idToken("bob backend"), { signal: NEVER }))).toBe("agent_forbidden");
});

const INFO: AgentInfo = { agentId: 7n, agentName: "prod", projectId: 3n, projectPath: "shop/infra" };
const configurations = (): OrganizationConfigurations => new OrganizationConfigurations({ files, clock, pollMs: POLL_MS });

test("a follower gets the configuration at once, after each change of the file, and at each poll", async () => {
  const follower = configurations().follow(INFO);
  const first = await follower.next(NEVER);
  const looks: unknown[] = [];
  void follower.next(NEVER).then((look) => looks.push(look));
  await settle();
  expect(looks).toEqual([]);
  await change(organization(agent({ configuration: { observability: { logging: { level: "debug" } } } })));
  await until(() => looks.length === 1);
  expect(looks[0]).not.toEqual(first);
  void follower.next(NEVER).then((look) => looks.push(look));
  clock.advance(POLL_MS);
  await until(() => looks.length === 2);
  expect(looks[1]).toEqual(looks[0]);
  follower.close();
});

test("a follower whose stream ends gets nothing, and leaves no timer", async () => {
  const follower = configurations().follow(INFO);
  const ended = new AbortController();
  await follower.next(ended.signal);
  const next = follower.next(ended.signal);
  ended.abort();
  expect(await next).toBeUndefined();
  const { pending } = clock;
  follower.close();
  expect(clock.pending).toBe(pending - 1);
});

/** What is read of agent 7 with this content. */
async function readingOf(content: object): Promise<unknown> {
  await change(organization(agent(content)));
  return configurations().read(INFO, "c");
}

test("configuration and options of the file are read as those of a repository", async () => {
  const service = { name: "prometheus", namespace: "monitoring", service: "prometheus", port: "web", metrics: true };
  expect(
    await readingOf({ configuration: { observability: { logging: { level: "warn" } } }, options: { services: [service] } }),
  ).toMatchObject({
    kind: "good",
    commit: "c",
    parsed: { json: { observability: { logging: { level: "warn" } } } },
    options: { services: [{ name: "prometheus" }] },
  });
});

test.each([
  [{ configuration: { colour: "red" } }, /^agent prod: configuration: .*colour/],
  [{ configuration: { gitops: {} } }, /^agent prod: configuration\.gitops needs manifests in Git, and there is no Gitaly$/],
  [
    { configuration: { user_access: {} } },
    /^agent prod: configuration\.user_access belongs to the agent itself: write it beside `configuration`$/,
  ],
  [{ options: { colour: "red" } }, /^agent prod: options cannot be used: colour: /],
])("the configuration of %j is broken", async (content, reason) => {
  expect(await readingOf(content)).toMatchObject({
    kind: "broken",
    reason: expect.stringMatching(reason),
  });
});
