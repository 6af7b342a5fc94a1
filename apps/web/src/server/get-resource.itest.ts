import type { Dashboard } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { Code, type Client } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createBff, type Bff } from "./bff.ts";
import { dashboardClient, NAMES, ORIGIN } from "./testing/dashboard-tab.ts";
import { standInConfig } from "./testing/stand-in-config.ts";
import { StandInKas } from "./testing/stand-in-kas.ts";
import { StandInMainApplication } from "./testing/stand-in-main-application.ts";

const VALUE = "canary-5f2e";
const SECRET = { group: "", version: "v1", kind: "Secret", resource: "secrets", namespace: "prod", name: "till" };
let main: StandInMainApplication;
let kas: StandInKas;
let bff: Bff;
let client: Client<typeof Dashboard>;

beforeEach(async () => {
  main = new StandInMainApplication();
  kas = new StandInKas(main);
  main.sessions.set("session-maintainer", "maintainer");
  kas.allowed.add("maintainer");
  const config = standInConfig({ mainApplication: await main.listen(), kas: await kas.listen() });
  bff = createBff({ config, clock: systemClock, log: createLogger("web", "silent"), metrics: { refused: () => undefined } });
  client = dashboardClient(bff, { origin: ORIGIN, cookie: "_gitlab_session=session-maintainer" });
});

afterEach(async () => {
  await bff.close();
  await kas.close();
  await main.close();
});

function putSecret(kind: string): void {
  const copy = JSON.stringify({ kind: "Secret", data: { password: btoa(VALUE) } });
  const annotations = { "kapp.k14s.io/original": copy, "objectset.rio.cattle.io/applied": btoa(copy), note: `it is ${VALUE}` };
  const metadata = { name: "till", annotations };
  kas.put("secrets", { apiVersion: "v1", kind, metadata, data: { password: btoa(VALUE) } });
}

test.each(["Secret", "ConfigMap", "", "secret"])("XM1: a Secret that is asked for as a %j shows none of its values", async (kind) => {
  putSecret("Secret");
  const { yaml, annotations } = await client.getResource({ ...NAMES, ref: { ...SECRET, kind } });
  for (const form of [VALUE, btoa(VALUE).slice(0, -1)]) expect(yaml + JSON.stringify(annotations)).not.toContain(form);
  expect(yaml).toContain('password: "*****"');
});

test("XM1: a Secret that calls itself something else, in a cluster that lies, shows none of its values", async () => {
  putSecret("ConfigMap");
  const { yaml, annotations } = await client.getResource({ ...NAMES, ref: SECRET });
  expect(yaml + JSON.stringify(annotations)).not.toContain(btoa(VALUE).slice(0, -1));
});

test("XM1: what is asked for as something else and calls itself a Secret shows none of its values", async () => {
  kas.put("configmaps", { apiVersion: "v1", kind: "Secret", metadata: { name: "till" }, data: { password: btoa(VALUE) } });
  const { yaml } = await client.getResource({ ...NAMES, ref: { ...SECRET, kind: "ConfigMap", resource: "configmaps" } });
  expect(yaml).not.toContain(btoa(VALUE).slice(0, -1));
});

test.each([
  { version: "v1/namespaces/production/secrets/x?" },
  { group: "apps/v1/namespaces/production" },
  { resource: "secrets/../../production/secrets" },
  { name: "..%2F..%2Fproduction%2Fsecrets%2Fx" },
  { name: ".." },
])("XM2, T25: a reference that is no name is refused before anything is asked: %j", async (part) => {
  await expect(client.getResource({ ...NAMES, ref: { ...SECRET, ...part } })).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect(kas.requests).toEqual([]);
});
