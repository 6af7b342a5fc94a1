import { describe, expect, test } from "vitest";

import { createSecurityHeaders } from "./security-headers.ts";

function policyOf(options: { frameAncestors?: readonly string[]; https?: boolean } = {}): ReadonlyMap<string, string> {
  const headers = createSecurityHeaders({ frameAncestors: [], https: false, ...options })();
  const directives = (headers["content-security-policy"] ?? "").split("; ").map((directive) => directive.split(/ (.*)/s, 2));
  return new Map(directives.map(([name = "", value = ""]) => [name, value]));
}

describe("XS7, T10: the headers of an answer", () => {
  test("XS7: the policy allows our own things and nothing else", () => {
    const policy = policyOf();
    expect(Object.fromEntries(policy)).toEqual({
      "default-src": "'self'",
      "script-src": expect.stringMatching(/^'self' 'nonce-[\w+/=]{24}'$/) as string,
      "style-src": expect.stringMatching(/^'self' 'nonce-[\w+/=]{24}'$/) as string,
      "style-src-attr": "'unsafe-inline'",
      "img-src": "'self' blob:",
      "object-src": "'none'",
      "base-uri": "'none'",
      "form-action": "'self'",
      "frame-ancestors": "'none'",
    });
  });

  test("XS7: style attributes, and images that a page made itself, are the only exceptions from the rule that all is ours or bears the nonce", () => {
    const unsafe = [...policyOf()].filter(([, value]) => /unsafe|data:|blob:|\*|http/.test(value));
    expect(unsafe).toEqual([
      ["style-src-attr", "'unsafe-inline'"],
      ["img-src", "'self' blob:"],
    ]);
  });

  test("XS7: no two answers have one nonce", () => {
    const headers = createSecurityHeaders({ frameAncestors: [], https: false });
    const policies = Array.from({ length: 1_000 }, () => headers()["content-security-policy"]);
    expect(new Set(policies).size).toBe(1_000);
  });

  test("T10: only the configured origins may frame a page", () => {
    const frameAncestors = ["https://gitlab.example", "https://portal.example:8443"];
    expect(policyOf({ frameAncestors }).get("frame-ancestors")).toBe("https://gitlab.example https://portal.example:8443");
  });

  test("XS7: Strict-Transport-Security is sent only to browsers that come by https", () => {
    const of = (https: boolean) => createSecurityHeaders({ frameAncestors: [], https })();
    expect(of(true)["strict-transport-security"]).toBe("max-age=63072000");
    expect(of(false)).not.toHaveProperty("strict-transport-security");
    expect(of(false)).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
  });
});
