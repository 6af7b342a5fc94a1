import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ConfigError, loadConfig, referenceRows, undescribedKeys } from "@binnacle/config";
import { AGENT_WAIT_MS } from "@binnacle/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";

import { agentOptionsSchema } from "./agent-options.ts";
import { ignoredKeys } from "./ignored-keys.ts";
import { agentOptionsReferenceFile, agentOptionsReferencePage, kasReferenceFile, kasReferencePage } from "./reference.ts";
import { kasConfigSchema, type KasConfig } from "./schema.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kas-config-"));
  for (const name of ["gitlab-secret", "api-secret", "private-api-secret"])
    writeFileSync(join(folder, name), Buffer.alloc(32, 7).toString("base64"));
  writeFileSync(join(folder, "short-secret"), Buffer.alloc(8, 7).toString("base64"));
  writeFileSync(join(folder, "no-pem"), "hello");
});
afterAll(() => rmSync(folder, { recursive: true }));

function load(yaml: string, env: Record<string, string> = {}): KasConfig {
  const file = join(folder, "kas.yaml");
  writeFileSync(file, yaml.replaceAll("/etc/kas/", `${folder}/`));
  return loadConfig({ schema: kasConfigSchema, file, env, envPrefix: "KAS" });
}

function problemPaths(yaml: string): string[] {
  try {
    load(yaml);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ path }) => path).toSorted();
    throw error;
  }
  return [];
}

const GITLAB = "gitlab: {address: 'http://127.0.0.1:1', authentication_secret_file: /etc/kas/gitlab-secret}\n";
const example = (): string => readFileSync(join(import.meta.dirname, "../../config.example.yaml"), "utf8");

test("the reference that is committed says what the schema says (npm run reference writes it)", () => {
  expect(readFileSync(kasReferenceFile, "utf8")).toBe(kasReferencePage());
  expect(readFileSync(agentOptionsReferenceFile, "utf8")).toBe(agentOptionsReferencePage());
});

test("every key is described", () => {
  expect([...undescribedKeys(kasConfigSchema), ...undescribedKeys(agentOptionsSchema)]).toEqual([]);
});

test("the example states the defaults", () => {
  const required =
    `${GITLAB}agent: {kubernetes_api: {}}\nredis: {server: {address: '127.0.0.1:6379'}}\n` +
    "api: {listen: {authentication_secret_file: /etc/kas/api-secret}}\nprivate_api: {listen: {authentication_secret_file: /etc/kas/private-api-secret}}";
  const least = load(required);
  expect(load(example())).toEqual({ ...least, gitlab: { ...least.gitlab, address: "http://127.0.0.1:8080" } });
});

test("T46: a proxy to the main application is kept by its name, and one that is none is refused without being printed", () => {
  const withProxy = (address: string): string => GITLAB.replace("{", `{proxy: '${address}', `);
  expect(String(load(withProxy("https://me:p4ss@proxy")).gitlab?.proxy)).toBe("https://proxy:443");
  expect(() => load(withProxy("socks5://me:p4ss@proxy"))).toThrow("expected http://[user:password@]host[:port]");
  expect(() => load(withProxy("socks5://me:p4ss@proxy"))).not.toThrow("p4ss");
});

test("only the main application is required", () => {
  const config = load(GITLAB);
  expect(config.agent.listen).toMatchObject({ network: "tcp", address: "127.0.0.1:8150", max_connection_age: 7_200_000 });
  expect([config.redis, config.api, config.private_api, config.agent.kubernetes_api]).toEqual([undefined, undefined, undefined, undefined]);
  expect(
    referenceRows(kasConfigSchema)
      .filter(({ path, fallback }) => fallback === "required" && !/^(main_application|notifications|redis|api|private_api)\b/.test(path))
      .map(({ path }) => path),
  ).toEqual(["gitlab.address", "gitlab.authentication_secret_file"]);
});

test("every mistake is named at once: types, unknown keys, addresses, secrets, certificates and groups", () => {
  const yaml = `
gitlab: {address: nowhere, authentication_secret_file: /etc/kas/short-secret, ca_certificate_file: /etc/kas/no-pem}
agent:
  listen: {address: localhost, max_connection_age: soon, certificate_file: /etc/kas/absent.pem}
  kubernetes_api: {url_path_prefix: k8s}
observability: {listen: {address: "127.0.0.1:99999"}, loging: {}}
api: {listen: {authentication_secret_file: /etc/kas/absent}}
private_api: {listen: {}}
redis: {pool_size: none}
`;
  expect(problemPaths(yaml)).toEqual([
    "agent.kubernetes_api.url_path_prefix",
    "agent.listen.address",
    "agent.listen.certificate_file",
    "agent.listen.key_file",
    "agent.listen.max_connection_age",
    "api.listen.authentication_secret_file",
    "gitlab.address",
    "gitlab.authentication_secret_file",
    "gitlab.ca_certificate_file",
    "observability.listen.address",
    "observability.loging",
    "private_api.listen.authentication_secret_file",
    "redis",
    "redis.pool_size",
  ]);
});

test.each([
  ["127.0.0.1:0", "tcp"],
  ["[::1]:8150", "tcp"],
  [":8150", "tcp"],
  ["/run/kas.sock", "unix"],
])("an agent listener may have the address %s with network %s", (address, network) => {
  expect(problemPaths(`${GITLAB}agent: {listen: {address: "${address}", network: ${network}}}`)).toEqual([]);
});

test.each(["8150", "127.0.0.1", "127.0.0.1:65536", "::1:8150", "http://127.0.0.1:1"])("%s is no address", (address) => {
  expect(problemPaths(`${GITLAB}agent: {listen: {address: "${address}"}}`)).toEqual(["agent.listen.address"]);
});

test("redis is one server or sentinels, not both", () => {
  const both = "redis: {server: {address: 'a:1'}, sentinel: {master_name: m, addresses: ['b:2']}}";
  expect(problemPaths(GITLAB + both)).toEqual(["redis"]);
});

test.each([
  ["{server: {address: localhost}}", ["redis.server.address"]],
  ["{server: {address: /run/redis.sock}}", ["redis.server.address"]],
  ["{server: {address: /run/redis.sock}, network: unix}", []],
  ["{server: {address: '[::1]:6379'}}", []],
  ["{sentinel: {master_name: m, addresses: ['a:1', b]}}", ["redis.sentinel.addresses.1"]],
])("the addresses of redis %s have the mistakes %j", (yaml, paths) => {
  expect(problemPaths(`${GITLAB}redis: ${yaml}`)).toEqual(paths);
});

test("a variable of the environment wins over the file", () => {
  expect(load(GITLAB, { KAS__AGENT__LISTEN__ADDRESS: "127.0.0.1:0" }).agent.listen.address).toBe("127.0.0.1:0");
});

test("XB2: trusted proxies are networks, and one that is none is named", () => {
  expect(load(`${GITLAB}trusted_proxies: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1', 'unix:']`).trusted_proxies).toHaveLength(4);
  expect(problemPaths(`${GITLAB}trusted_proxies: ['10.0.0.0/8', 'proxy.example', '10.0.0.0/40']`)).toEqual([
    "trusted_proxies.1",
    "trusted_proxies.2",
  ]);
});

test("I7: a request waits for its agent no longer than dashboards wait for the word that it is not there", () => {
  const most = load(`${GITLAB}limits: {agent_wait: 20s}`).limits.agent_wait;
  expect(most).toBe(AGENT_WAIT_MS);
  expect(load(GITLAB).limits.agent_wait).toBe(most);
  expect(load(`${GITLAB}limits: {agent_wait: 2s}`).limits.agent_wait).toBe(2_000);
  expect(problemPaths(`${GITLAB}limits: {agent_wait: 21s}`)).toEqual(["limits.agent_wait"]);
});

test("I9: our own example sets nothing in vain", () => {
  expect(ignoredKeys(kasConfigSchema, load(example()))).toEqual([]);
});

test("I9: a typo beside an ignored key is still a mistake", () => {
  expect(problemPaths(`${GITLAB}observability: {sentry: {dsn: x}, sentri: {}}`)).toEqual(["observability.sentri"]);
});
