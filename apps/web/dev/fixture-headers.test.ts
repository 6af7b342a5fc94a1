import { expect, test } from "vitest";

import { createSecurityHeaders } from "../src/server/http/security-headers.ts";
import { createFixtureHeaders } from "./fixture-headers.ts";

/** The policy with one nonce for all. */
function policyOf(headers: Readonly<Record<string, string>>): string {
  return (headers["content-security-policy"] ?? "").replaceAll(/'nonce-[^']+'/g, "'nonce'");
}

const production = policyOf(createSecurityHeaders({ frameAncestors: [], https: false })());

test("pages of a build are shown under the policy of production", () => {
  expect(policyOf(createFixtureHeaders({ fastRefresh: false })())).toBe(production);
});

test("fast refresh is allowed three things more than production, and nothing else", () => {
  const refreshed = policyOf(createFixtureHeaders({ fastRefresh: true })()).split("; ");
  expect(refreshed.filter((directive) => !production.split("; ").includes(directive))).toEqual([
    "script-src 'self' 'unsafe-eval' 'nonce'",
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self' ws:",
  ]);
  expect(production).not.toMatch(/unsafe-eval|ws:/);
});
