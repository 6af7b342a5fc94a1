import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { Organization } from "@binnacle/organization";
import { AgentAccessState } from "@binnacle/proto/dashboard-agents";
import { SettingsControl } from "@binnacle/proto/settings-enums";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { HurriedClock } from "@binnacle/testing";
import { createLogger, Secret } from "@binnacle/telemetry";
import { renderEnglish } from "@binnacle/words/render-english";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createBff, type Bff } from "../../bff.ts";
import { signInSchema } from "../../config/sign-in.ts";
import { heldFile } from "../../config/testing/held-file.ts";
import { ORIGIN, standInConfig } from "../../config/testing/stand-in-config.ts";
import { CLIENT_ID, CLIENT_SECRET, OidcServer } from "../../session/testing/oidc-server.ts";
import { WebBrowser } from "../../session/testing/web-browser.ts";
import { organizationOf } from "../../standalone/testing/organization-of-test.ts";
import { agentsClient, dashboardClient, NAMES, settingsClient } from "../../testing/dashboard-tab.ts";

const DEMO = { projectPath: "group/app", name: "demo" };

let files: { current: Organization };
let provider: OidcServer;
/** Stands in for kas: it has every `authorization` that it was sent, and no agent. */
let kas: Server;
let shown: string[];
let clock: HurriedClock;
let bff: Bff;
beforeEach(async () => {
  clock = new HurriedClock();
  shown = [];
  kas = createServer((request, response) => {
    shown.push(request.headers.authorization ?? "");
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => kas.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an AddressInfo.
  const url = `http://127.0.0.1:${(kas.address() as AddressInfo).port}`;
  provider = await OidcServer.start({ callback: `${ORIGIN}/api/session/callback`, signedOut: `${ORIGIN}/sign-in`, groups: ["team"] });
  files = { current: await organizationOf([], ["team"]) };
  const { oidc } = signInSchema.parse({
    oidc: { name: "Example ID", issuer: provider.issuer, client_id: CLIENT_ID, scopes: ["openid"], groups_claim: "groups" },
  });
  if (oidc === undefined) throw new Error("it was given");
  const config = standInConfig({ mainApplication: url, kas: url });
  bff = createBff({
    config: {
      ...config,
      main_application: { ...config.main_application, provider: "standalone" },
      sign_in: { oidc: { ...oidc, client_secret_file: heldFile(new Secret(CLIENT_SECRET)) } },
    },
    clock,
    log: createLogger("web", "silent"),
    organization: files,
    metrics: { refused: () => undefined },
  });
});
afterEach(async () => {
  await bff.close();
  await provider.close();
  kas.closeAllConnections();
  await new Promise((resolve) => kas.close(resolve));
});

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .filter((line) => !line.includes("Max-Age=0"))
    .map((line) => line.split(";", 1)[0])
    .join("; ");

/** Signs in by the provider. @returns where the callback leads, and the cookies of the session */
async function signIn(): Promise<{ readonly location: string; readonly cookie: string }> {
  const start = await bff.session(new Request(`${ORIGIN}/api/session/start?return_to=%2Fp%2Fgroup%2Fapp`));
  const at = await new WebBrowser(new Map()).open(start.headers.get("location") ?? "", (url) => url.startsWith(ORIGIN));
  const answer = await bff.session(new Request(at.url, { headers: { cookie: cookiesOf(start) } }));
  return { location: answer.headers.get("location") ?? "", cookie: cookiesOf(answer) };
}

const sessionOf = async (cookie: string): Promise<unknown> =>
  (await bff.session(new Request(`${ORIGIN}/api/session`, { headers: { cookie } }))).json();
const as = (cookie: string) => ({ origin: ORIGIN, cookie });

test("a viewer of the provider sees the projects of their groups, and kas gets their ID token", async () => {
  const { location, cookie } = await signIn();
  expect(location).toBe("/p/group/app");
  const { viewer, projects } = await dashboardClient(bff, as(cookie)).listProjects({});
  expect(viewer?.username).toBe("ann");
  expect(projects.map(({ fullPath }) => fullPath)).toEqual(["group/app"]);
  const access = await agentsClient(bff, as(cookie)).getAgentAccess(DEMO);
  expect(access.state).not.toBe(AgentAccessState.ALLOWED);
  const [way, agent, token = ""] = (shown[0] ?? "").replace("Bearer ", "").split(":");
  expect([way, agent]).toEqual(["oidc", "3"]);
  expect(decodeJwt(token)).toMatchObject({ iss: provider.issuer, aud: CLIENT_ID, sub: "ann", groups: ["team"] });
});

test("the sign-in page offers the provider alone: no password, and no token of a main application", async () => {
  expect(await sessionOf("")).toMatchObject({ way: null, signIn: { name: "Example ID", tokens: false } });
  expect(await sessionOf((await signIn()).cookie)).toMatchObject({ way: "provider", signIn: { name: "Example ID", tokens: false } });
  expect(bff.signInUrl("/p/group/app")).toBe(`${ORIGIN}/api/session/start?return_to=%2Fp%2Fgroup%2Fapp`);
  const password = await bff.session(
    new Request(`${ORIGIN}/api/session/password`, {
      method: "POST",
      headers: { origin: ORIGIN, "content-type": "application/json" },
      body: JSON.stringify({ username: "ann", password: "x" }),
    }),
  );
  expect(password.status).toBe(404);
});

test("after a renewal kas gets the next ID token, also from calls with the first cookie", async () => {
  const { cookie } = await signIn();
  clock.skip(3_600_000 - 60_000);
  provider.tamper = async (answer, sign) => {
    answer.id_token = await sign({ sub: "ann", groups: ["team"], exp: Math.floor(clock.now() / 1_000) + 3_600, renewed: true });
  };
  const renewed = await bff.session(
    new Request(`${ORIGIN}/api/session/renew`, {
      method: "POST",
      headers: { origin: ORIGIN, cookie, "content-type": "application/json" },
      body: "{}",
    }),
  );
  expect(renewed.status).toBe(200);
  await agentsClient(bff, as(cookie)).getAgentAccess(DEMO);
  expect(decodeJwt((shown[0] ?? "").split(":")[2] ?? "")).toMatchObject({ sub: "ann", renewed: true });
});

test("T80: a viewer whose group is removed from the files sees nothing more", async () => {
  const { cookie } = await signIn();
  files.current = await organizationOf([], ["others"]);
  const client = dashboardClient(bff, as(cookie));
  expect((await client.listProjects({})).projects).toEqual([]);
  await expect(agentsClient(bff, as(cookie)).listAgents({ projectPath: "group/app" })).rejects.toThrow(/group\/app/);
});

test("agents come from the files; a change of them is refused with a sentence", async () => {
  const client = agentsClient(bff, as((await signIn()).cookie));
  expect(await client.listAgents({ projectPath: "group/app" })).toMatchObject({
    agents: [{ name: "demo", id: 3n, environments: ["production"], connectionsUnknown: true }],
    mayAdminister: false,
    inFiles: true,
  });
  const one = await client.getAgent(DEMO);
  expect([one.inFiles, one.file]).toEqual([true, undefined]);
  await expect(client.registerAgent({ projectPath: "group/app", name: "second" })).rejects.toThrow(/organization's file/);
  await expect(client.deleteAgent(DEMO)).rejects.toThrow(/organization's file/);
});

test("settings are shown, and each control says that the file is the place to change them", async () => {
  const client = settingsClient(bff, as((await signIn()).cookie));
  const found = await client.getEnvironmentSettings(NAMES);
  expect(found).toMatchObject({ settings: { agentId: "3", namespaces: ["prod"] }, agentName: "demo", mainApplicationUrl: "" });
  const reasons = new Map(found.disabled.map(({ control, words }) => [control, words && renderEnglish(fromWordsMessage(words))]));
  for (const control of [SettingsControl.AGENT, SettingsControl.NAMESPACE, SettingsControl.FILE, SettingsControl.STOP])
    expect(reasons.get(control)).toMatch(/entries of the organization's file/);
  const fresh = await client.getEnvironmentSettings({ ...NAMES, environment: "" });
  expect(fresh.disabled.map(({ control }) => control)).toContain(SettingsControl.CREATE);
});
