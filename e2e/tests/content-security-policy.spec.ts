import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { pick } from "../support/endpoints.ts";
import { expect, test } from "../support/fixtures.ts";
import type { Sandbox } from "../support/sandbox.ts";

/** All that our policy allows beyond our own files and what bears the nonce: style attributes, which style their own element only, and images that a page made itself. */
const EXCEPTIONS = [
  ["style-src-attr", "'unsafe-inline'"],
  ["img-src", "'self' blob:"],
];

/** What the build has for browsers. */
const BUILT = join(import.meta.dirname, "..", "..", "apps", "web", ".next", "static");

/** An address of each route that the build has; `undefined` for what is no page. A new route has to be written down here. */
const ROUTES: Readonly<Record<string, readonly string[] | undefined>> = {
  "/": ["/"],
  "/sign-in": ["/sign-in", "/sign-in?return_to=%22%3E%3Cscript%3E"],
  "/access-tokens": ["/access-tokens"],
  "/g/[...path]": ["/g/acme", "/g/none?view=list"],
  "/p/[...path]": [
    "/p/harbor/storefront/environments",
    "/p/harbor/storefront/environments/production?view=list",
    "/p/harbor/storefront/environments/production/-/settings",
    "/p/harbor/storefront/environments/-/new",
    "/p/harbor/storefront/-/agents",
    "/p/harbor/storefront/-/agents/demo",
    "/p/a/environments/none",
  ],
  "/_not-found": ["/nowhere", "/p/x", "/p/%ff"],
  // A page that was made before any answer.
  "/_global-error": ["/_global-error"],
  "/icon.svg": undefined,
};

interface Policy {
  readonly directives: readonly (readonly [string, string])[];
  readonly nonce: string;
}

function policyOf(answer: Response): Policy {
  const text = answer.headers.get("content-security-policy") ?? "";
  const directives = text.split("; ").map((directive): readonly [string, string] => {
    const [name = "", ...values] = directive.split(" ");
    return [name, values.join(" ")];
  });
  return { directives, nonce: /'nonce-([^']+)'/.exec(text)?.[1] ?? "" };
}

/** What a policy allows that is neither ours nor bears the nonce. */
function exceptionsOf({ directives }: Policy): unknown {
  const plain = /^(?:'self'|'none'|'self' 'nonce-[\w+/=]{24}')$/;
  return directives.filter(([, value]) => !plain.test(value));
}

/** Everything of a page that a browser would run or style by, and that bears no nonce of its answer. */
function inlineWithoutNonce(html: string, nonce: string): readonly string[] {
  const tags = html.match(/<(?:script|style)\b[^>]*>/g) ?? [];
  const handlers = html.match(/<[a-z][^>]*\son[a-z]+=/gi) ?? [];
  const addresses = html.match(/(?:href|src|action)="\s*(?:javascript|data):/gi) ?? [];
  return [...tags.filter((tag) => !tag.includes(`nonce="${nonce}"`)), ...handlers, ...addresses];
}

async function cookieOf(sandbox: Sandbox): Promise<string> {
  const { dashboard, users } = sandbox.endpoints;
  const { personalAccessToken: token } = pick(users, ({ username }) => username === "maintainer");
  const body = JSON.stringify({ token });
  const answer = await fetch(`${dashboard}/api/session/token`, { method: "POST", headers: { "content-type": "application/json" }, body });
  return (answer.headers.getSetCookie()[0] ?? "").split(";", 1)[0] ?? "";
}

test("XS7, T10: every page of every route has a nonce of its own and nothing inline without it; two exceptions are known", async ({
  sandbox,
}) => {
  const manifest = join(import.meta.dirname, "../../apps/web/.next/app-path-routes-manifest.json");
  // Next has written it: routes by the file they are of.
  const routes = Object.values(JSON.parse(readFileSync(manifest, "utf8")) as Record<string, string>);
  expect(routes.toSorted()).toEqual(Object.keys(ROUTES).toSorted());
  const cookie = await cookieOf(sandbox);
  const nonces = new Set<string>();
  const addresses = Object.values(ROUTES).flatMap((of) => of ?? []);
  // Each once with a session and once without.
  for (const headers of [{ cookie }, {}]) {
    for (const address of addresses) {
      const answer = await fetch(sandbox.endpoints.dashboard + address, { headers });
      const policy = policyOf(answer);
      if (address === "/_global-error") expect(await answer.clone().text()).toContain("Binnacle could not make this page.");
      expect(answer.headers.get("content-type"), address).toContain("text/html");
      expect(exceptionsOf(policy), address).toEqual(EXCEPTIONS);
      expect(inlineWithoutNonce(await answer.text(), policy.nonce), address).toEqual([]);
      nonces.add(policy.nonce);
    }
  }
  expect(nonces.size).toBe(addresses.length * 2);
});

test("XS7, T10: what is no page has the same policy: files, calls, sessions, probes, refusals and redirects", async ({ sandbox }) => {
  const { dashboard } = sandbox.endpoints;
  const html = await (await fetch(`${dashboard}/sign-in`)).text();
  const file = /\/_next\/static\/[^"]+\.js/.exec(html)?.[0] ?? "";
  const requests: readonly (readonly [string, RequestInit, number])[] = [
    [file, {}, 200],
    ["/icon.svg", {}, 200],
    ["/_next/static/none.js", {}, 404],
    ["/api/session", {}, 200],
    ["/api/session/token", { method: "POST", body: "{}" }, 400],
    ["/api/session", { method: "DELETE", headers: { origin: "https://evil.example" } }, 403],
    ["/api/rpc/dashboard.v1.Dashboard/ListProjects", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }, 401],
    ["/healthz", {}, 200],
    ["/readyz", {}, 200],
    ["/", { headers: { accept: "text/html" }, redirect: "manual" }, 302],
    ["/sign-in", { method: "PUT" }, 405],
  ];
  for (const [path, init, status] of requests) {
    const answer = await fetch(dashboard + path, { redirect: "manual", ...init });
    expect([path, answer.status]).toEqual([path, status]);
    expect(exceptionsOf(policyOf(answer)), path).toEqual(EXCEPTIONS);
    expect(policyOf(answer).directives).toContainEqual(["frame-ancestors", "'none'"]);
  }
});

test("a build knows nothing of the page of components, and its policy nothing of fast refresh", async ({ sandbox }) => {
  const answer = await fetch(`${sandbox.endpoints.dashboard}/dev/components`);
  expect(answer.status).toBe(404);
  expect(answer.headers.get("content-security-policy")).not.toContain("unsafe-eval");
  const files = readdirSync(BUILT, { recursive: true, encoding: "utf8" }).filter((name) => /\.(js|css)$/.test(name));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((name) => readFileSync(join(BUILT, name), "utf8").includes("data-specimen"))).toEqual([]);
});
