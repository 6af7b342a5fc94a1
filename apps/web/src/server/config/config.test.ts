import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { EDGE_PACKS } from "@binnacle/graph";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { edgeRulesOf, loadWebConfig } from "./config.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "web-config-"));
  writeFileSync(join(folder, "secret"), Buffer.alloc(32).toString("base64"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const MAIN_APPLICATION = "{ external_url: http://localhost:8080, troubleshooting_url: http://localhost:8080/help }";

function load(more: string, mainApplication = MAIN_APPLICATION) {
  const file = join(folder, "web.yaml");
  const base = `external_url: http://localhost:3000
main_application: ${mainApplication}
kas: { external_url: http://localhost:8154 }
session: { secret_file: ${join(folder, "secret")} }
`;
  writeFileSync(file, `${base}${more}`);
  return loadWebConfig(file, {});
}

describe("the proxy to the main application", () => {
  const nameWith = (mainApplication: string, env: Record<string, string>): string | undefined => {
    load("", mainApplication);
    return loadWebConfig(join(folder, "web.yaml"), env).main_application.proxy?.name;
  };
  const own = MAIN_APPLICATION.replace("{", "{ proxy: 'http://me:p4ss@own:3128',");

  test("is that of the file, else that of the environment for the address that is dialled", () => {
    expect(nameWith(own, { HTTP_PROXY: "http://env:1", NO_PROXY: "*" })).toBe("http://own:3128");
    expect(nameWith(MAIN_APPLICATION, { HTTP_PROXY: "http://env:1", HTTPS_PROXY: "http://other:1" })).toBe("http://env:1");
    expect(nameWith(MAIN_APPLICATION, { HTTP_PROXY: "http://env:1", NO_PROXY: "localhost:8080" })).toBeUndefined();
    const inner = MAIN_APPLICATION.replace("{", "{ internal_url: https://gitlab.internal,");
    expect(nameWith(inner, { HTTP_PROXY: "http://env:1", HTTPS_PROXY: "http://other:1" })).toBe("http://other:1");
  });

  test("T46: is not printed when it is none", () => {
    expect(() => nameWith(own.replace("http://me", "socks5://me"), {})).toThrow(/main_application\.proxy.*expected http/s);
    expect(() => nameWith(own.replace("http://me", "socks5://me"), {})).not.toThrow("p4ss");
  });
});

describe("health_rules", () => {
  test("by default the rules of Argo CD and Flux are read", () => {
    expect(load("").health_rules).toEqual({ argocd_namespace: "argocd", flux: true, poll_period: 60_000 });
  });

  test("the interval for reading a cluster's rules is at least one second", () => {
    expect(load("health_rules: { poll_period: 1s }\n").health_rules.poll_period).toBe(1_000);
    expect(() => load("health_rules: { poll_period: 999ms }\n")).toThrow(/health_rules\.poll_period.*at most once a second/s);
  });

  test("a file of rules is read at the start", () => {
    const file = join(folder, "rules.yaml");
    writeFileSync(file, "healthCheckExprs: [{ apiVersion: example.com/v1, kind: Till, current: \"status.phase == 'Up'\" }]\n");
    expect(load(`health_rules: { file: ${file} }\n`).health_rules.file?.rules).toMatchObject([
      { engine: "cel", pattern: "example.com/Till" },
    ]);
  });

  test("a rule that cannot run is named with its file before anything starts", () => {
    const file = join(folder, "rules.yaml");
    writeFileSync(file, 'healthCheckExprs: [{ apiVersion: example.com/v1, kind: Till, current: "status.(" }]\n');
    expect(() => load(`health_rules: { file: ${file} }\n`)).toThrow(/health_rules\.file.*rules\.yaml.*current is not an expression/s);
  });

  test("a file that is not there is named", () => {
    expect(() => load(`health_rules: { file: ${join(folder, "none.yaml")} }\n`)).toThrow(/health_rules\.file.*cannot be read/s);
  });
});

test("the interval for reading GitOps syncs is at least one second", () => {
  expect(load("").gitops.poll_period).toBe(10_000);
  expect(load("gitops: { poll_period: 1s }\n").gitops.poll_period).toBe(1_000);
  expect(() => load("gitops: { poll_period: 500ms }\n")).toThrow(/gitops\.poll_period.*once a second at the most/s);
});

test("actions are allowed unless they are switched off, and a tier that does not exist is named", () => {
  expect(load("").features.actions).toBe("safe");
  expect(load("features: { tiers: { production: { actions: off } } }\n").features).toMatchObject({ actions: "safe" });
  expect(() => load("features: { tiers: { prod: { actions: off } } }\n")).toThrow(/features\.tiers.*prod/s);
});

test("the interval for polling the main application is at least one second", () => {
  expect(load("").main_application.poll_period).toBe(30_000);
  const base = "external_url: http://localhost:8080, troubleshooting_url: http://localhost:8080/help";
  expect(() => load("", `{ ${base}, poll_period: 500ms }`)).toThrow(/main_application\.poll_period.*once a second at the most/s);
});

describe("W16: who may frame the dashboard, and whose word about clients counts", () => {
  test("W16: no proxy is trusted by default", () => {
    expect(load("")).toMatchObject({ frame_ancestors: [], trusted_proxies: [] });
  });

  test("T10: origins are taken as browsers write them", () => {
    expect(load("frame_ancestors: [https://gitlab.example, http://localhost:8080]\n").frame_ancestors).toHaveLength(2);
  });

  test.each([
    "'*'",
    "https://*.example",
    "https://a;script-src",
    "gitlab.example",
    "https://a.example/path",
    "\"https://a.example; script-src 'unsafe-inline'\"",
    "'https://a.example '",
  ])("T10: %s is no origin: it could open more than one page's frame, or another directive", (origin) => {
    expect(() => load(`frame_ancestors: [${origin}]\n`)).toThrow(/frame_ancestors/);
  });

  test("W16: proxies are addresses or ranges", () => {
    expect(load("trusted_proxies: [10.0.0.0/8, 192.0.2.1, 'fd00::/8']\n").trusted_proxies).toHaveLength(3);
    for (const range of ["proxy.example", "10.0.0.0/33", "10.0.0/8", "'::1/129'", "10.0.0.0/", "10.0.0.0/-1"])
      expect(() => load(`trusted_proxies: [${range}]\n`)).toThrow(/trusted_proxies/);
  });
});

describe("graph.custom_edges", () => {
  test("without them there are none", () => {
    expect(load("").graph.custom_edges).toEqual([]);
  });

  test("an edge of one's own is read", () => {
    const edge =
      "{ id: till-drawer, from: { group: example.com, kind: Till }, class: mount, path: $.spec.drawer, to: { group: '', kind: Secret } }";
    expect(load(`graph: { custom_edges: [${edge}] }\n`).graph.custom_edges).toMatchObject([{ id: "till-drawer", path: "$.spec.drawer" }]);
  });

  test("an edge that would read into Secrets is refused, one of their metadata is not", () => {
    const edge = (path: string): string =>
      `graph: { custom_edges: [{ id: by, from: { group: '', kind: Secret }, class: target, path: ${path}, to: { group: '', kind: Service } }] }\n`;
    expect(() => load(edge("$.data.host"))).toThrow(/by: path: of Secrets only the metadata is read/);
    expect(load(edge("$.metadata.annotations.service")).graph.custom_edges).toHaveLength(1);
  });

  test("every mistake in them is named with its rule and field", () => {
    const edge =
      "{ id: till-drawer, from: { group: example.com, kind: Till }, class: glue, path: spec.drawer, to: { group: '', kind: Secret } }";
    expect(() => load(`graph: { custom_edges: [${edge}] }\n`)).toThrow(/till-drawer: class.*till-drawer: path/s);
  });
});

describe("graph.packs", () => {
  const packsOf = (text: string): string[] => [...new Set(edgeRulesOf(load(text).graph).map(({ pack = "custom" }) => pack))];

  test("all are on, a switch turns one off, and a pack that does not exist is an error", () => {
    expect(packsOf("")).toEqual(EDGE_PACKS.map(({ name }) => name));
    expect(packsOf("graph: { packs: { argo_rollouts: false } }\n")).toEqual(
      EDGE_PACKS.map(({ name }) => name).filter((name) => name !== "argo-rollouts"),
    );
    expect(() => load("graph: { packs: { itsio: false } }\n")).toThrow(/graph\.packs.*itsio/s);
  });

  test("edges of one's own come beside them", () => {
    const edge = "{ id: a, from: { group: x.io, kind: A }, class: mount, path: $.spec.b, to: { group: '', kind: Secret } }";
    expect(packsOf(`graph: { packs: { istio: false }, custom_edges: [${edge}] }\n`)).toContain("custom");
  });
});

test("the dashboard's own URL may have a path, and nothing else after its host", () => {
  const at = (url: string) => loadWith(url).external_url;
  expect(at("https://a.example/tools/binnacle")).toBe("https://a.example/tools/binnacle");
  for (const url of ["https://a.example/?x", "https://a.example//x", "https://a.example/a%20b"])
    expect(() => at(url)).toThrow(/external_url.*plain path segments/s);
});

function loadWith(externalUrl: string) {
  const file = join(folder, "web.yaml");
  load("");
  writeFileSync(file, readFileSync(file, "utf8").replace("external_url: http://localhost:3000", `external_url: "${externalUrl}"`));
  return loadWebConfig(file, {});
}

describe("provider standalone", () => {
  const standalone = (more: string): string => MAIN_APPLICATION.replace("{", `{ provider: standalone, ${more}`);
  const secret = (): string => `web_secret_file: ${join(folder, "secret")},`;
  const OIDC = 'sign_in: { oidc: { issuer: "https://id.example.com", client_id: binnacle, scopes: [openid] } }\n';

  test("has users with passwords, or those of a provider", () => {
    expect(load("", standalone(`organization: /etc/o.yaml, ${secret()}`)).main_application.web_secret_file).toBeDefined();
    const { oidc } = load(OIDC, standalone("organization: /etc/o.yaml,")).sign_in;
    expect(oidc).toMatchObject({ username_claim: "sub", groups_claim: "groups" });
  });

  test("is refused without users, with both kinds, without an organization, and with a state file that no page writes", () => {
    const either = /standalone needs either main_application\.web_secret_file/;
    expect(() => load("", standalone("organization: /etc/o.yaml,"))).toThrow(either);
    expect(() => load(OIDC, standalone(`organization: /etc/o.yaml, ${secret()}`))).toThrow(either);
    expect(() => load("", standalone(secret()))).toThrow(/belong to provider standalone/);
    expect(() => load(OIDC, standalone("organization: /etc/o.yaml, state_file: /var/s.json,"))).toThrow(/state_file needs web_secret_file/);
    expect(() => load("", MAIN_APPLICATION.replace("{", `{ ${secret()}`))).toThrow(/belong to provider standalone/);
  });
});

describe("sign_in.oidc", () => {
  const oidc = (more: string): string => `sign_in: { oidc: { issuer: "https://id.example.com", client_id: binnacle, ${more} } }\n`;

  test("names issuer, client and scopes; the secret is read from its file and never printed", () => {
    writeFileSync(join(folder, "client-secret"), "s3cret-of-the-client\n");
    const config = load(oidc(`scopes: [openid, api], client_secret_file: ${join(folder, "client-secret")}`)).sign_in.oidc;
    expect(config).toMatchObject({
      issuer: "https://id.example.com",
      client_id: "binnacle",
      scopes: ["openid", "api"],
      username_claim: "sub",
      groups_claim: "groups",
    });
    expect(config?.client_secret_file?.content.reveal()).toBe("s3cret-of-the-client");
    expect(JSON.stringify(config)).not.toContain("s3cret");
  });

  test.each([
    ["no scopes", oidc(""), /sign_in\.oidc\.scopes/],
    ["scopes without openid", oidc("scopes: [api]"), /scopes.*must include "openid"/],
    ["two scopes in one", oidc('scopes: ["openid api"]'), /must be one scope/],
    ["a secret of two lines", oidc("scopes: [openid], client_secret_file: /dev/null"), /must hold one line of text/],
    ["plain http", oidc("scopes: [openid]").replace("https:", "http:"), /issuer.*must be an https URL/],
    ["an issuer with a query", oidc("scopes: [openid]").replace(".com", ".com?a=b"), /issuer.*must be an https URL/],
  ])("is refused in words: %s", (_name, text, problem) => {
    expect(() => load(text)).toThrow(problem);
  });

  test("takes plain http only on this machine", () => {
    for (const issuer of ["http://127.0.0.1:4000", "http://localhost:4000/a", "http://id.app.localhost", "http://[::1]:4000"])
      expect(load(oidc("scopes: [openid]").replace("https://id.example.com", issuer)).sign_in.oidc?.issuer).toBe(issuer);
    for (const issuer of ["http://127.0.0.1.evil.example", "http://localhost.evil.example", "http://user@localhost"])
      expect(() => load(oidc("scopes: [openid]").replace("https://id.example.com", issuer))).toThrow(/issuer/);
  });

  test("its proxy is that of the file, else that of the environment for the issuer", () => {
    const file = join(folder, "web.yaml");
    load(oidc("scopes: [openid]"));
    expect(loadWebConfig(file, { HTTPS_PROXY: "http://env:1" }).sign_in.oidc?.proxy?.name).toBe("http://env:1");
    load(oidc("scopes: [openid], proxy: 'http://own:3128'"));
    expect(loadWebConfig(file, { HTTPS_PROXY: "http://env:1" }).sign_in.oidc?.proxy?.name).toBe("http://own:3128");
    expect(() => load(oidc("scopes: [openid], proxy: 'socks5://me:p4ss@own'"))).toThrow(/sign_in\.oidc\.proxy/);
    expect(() => load(oidc("scopes: [openid], proxy: 'socks5://me:p4ss@own'"))).not.toThrow("p4ss");
  });
});
