import { clientAddressOf, parseTrustedProxies } from "@binnacle/rpc";
import { expect, test } from "vitest";
import { parse } from "yaml";

import type { Addresses } from "./addresses.ts";
import { kasConfiguration } from "./kas-configuration.ts";
import { webConfiguration } from "./web-configuration.ts";

const PORTS = { agent: 1, api: 2, k8sProxy: 3, privateApi: 4, observability: 5 };
const KAS = { external: "https://kas.app.localhost:3", internal: "https://127.0.0.1:3" };
const APP = { external: "http://app.localhost:6", internal: "http://127.0.0.1:6", port: 6 };
const ADDRESSES: Addresses = {
  dashboard: APP,
  mainApplication: APP,
  k8sProxies: [KAS],
  kasPorts: [PORTS],
  agentkObservability: [7],
  webObservability: 8,
};
const TLS = { caFile: "/ca.pem", certificateFile: "/certificate.pem", keyFile: "/key.pem" };
const FLAGS = { actions: "safe", terminal: true } as const;
const SECRETS = { gitlab: "/gitlab", api: "/api", privateApi: "/private-api", manifestReader: "/manifest-reader" };

test("XB2: kas trusts the dashboard to report its users' addresses, and no other peer", () => {
  // Both texts are our own.
  const kas = parse(kasConfiguration({ addresses: ADDRESSES, secrets: SECRETS, redis: undefined, tls: TLS }, PORTS)) as {
    readonly trusted_proxies: readonly string[];
  };
  const web = parse(
    webConfiguration({ addresses: ADDRESSES, sessionSecretFile: "/session", secrets: SECRETS, tls: TLS, flags: FLAGS }),
  ) as {
    readonly kas: { readonly internal_url: string };
  };
  const trusted = parseTrustedProxies(kas.trusted_proxies);
  // A client that dials loopback has a loopback address.
  const dashboard = new URL(web.kas.internal_url).hostname;
  const browser = "198.51.100.7";
  expect(clientAddressOf({ peer: dashboard, forwardedFor: `203.0.113.9, ${browser}` }, trusted)).toBe(browser);
  expect(clientAddressOf({ peer: "192.0.2.1", forwardedFor: browser }, trusted)).toBe("192.0.2.1");
});
