import { inspect } from "node:util";

import { describe, expect, test } from "vitest";

import { OutgoingProxy, outgoingProxyFor, isExempt } from "./outgoing-proxy.ts";

const CANARY = "p4ss-canary";
const nameFor = (target: string, env: Record<string, string>, configured?: string): string | undefined =>
  outgoingProxyFor(new URL(target), { env, configured })?.name;

describe("which proxy is taken", () => {
  const both = { HTTPS_PROXY: "http://s:1", HTTP_PROXY: "http://p:2" };

  test.each([
    ["grpc://kas.example.com", "http://s:1"],
    ["grpcs://kas.example.com", "http://s:1"],
    ["wss://kas.example.com/x", "http://s:1"],
    ["https://gitlab.example.com", "http://s:1"],
    ["ws://kas.example.com/x", "http://p:2"],
    ["http://gitlab.example.com", "http://p:2"],
  ])("%s takes %s", (target, name) => expect(nameFor(target, both)).toBe(name));

  test("upper case comes before lower case, and an empty variable is none", () => {
    expect(nameFor("wss://k", { https_proxy: "http://lower:1" })).toBe("http://lower:1");
    expect(nameFor("wss://k", { https_proxy: "http://lower:1", HTTPS_PROXY: "http://upper:1" })).toBe("http://upper:1");
    expect(nameFor("wss://k", { https_proxy: "http://lower:1", HTTPS_PROXY: "" })).toBe("http://lower:1");
    expect(nameFor("wss://k", { HTTPS_PROXY: "http://p:1", NO_PROXY: "other", no_proxy: "k" })).toBe("http://p:1");
    expect(nameFor("wss://k", { HTTPS_PROXY: "http://p:1", no_proxy: "k" })).toBeUndefined();
  });

  test("no variable, no proxy; the other scheme's variable is not taken", () => {
    expect(nameFor("wss://k", {})).toBeUndefined();
    expect(nameFor("wss://k", { HTTP_PROXY: "http://p:1", ALL_PROXY: "http://p:1" })).toBeUndefined();
  });

  test("what is configured wins over all variables", () => {
    expect(nameFor("wss://k", { ...both, NO_PROXY: "*" }, "http://own:3")).toBe("http://own:3");
  });

  test("loopback is exempt only where NO_PROXY says so", () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) expect(nameFor(`grpc://${host}:1`, both)).toBe("http://s:1");
    expect(nameFor("grpc://127.0.0.1:1", { ...both, NO_PROXY: "127.0.0.0/8" })).toBeUndefined();
  });
});

describe("NO_PROXY", () => {
  test.each([
    ["kas.example.com", "kas.example.com", true],
    ["KAS.example.com.", "kas.Example.com", true],
    ["example.com", "kas.example.com", true],
    ["example.com", "badexample.com", false],
    [".example.com", "kas.example.com", true],
    [".example.com", "example.com", false],
    ["*.example.com", "a.b.example.com", true],
    ["*.example.com", "example.com", false],
    ["other, example.com", "example.com", true],
    ["other example.com", "example.com", true],
    ["*", "whatever", true],
    ["", "whatever", false],
    [" , ", "whatever", false],
    ["10.1.2.3", "10.1.2.3", true],
    ["10.1.2.3", "10.1.2.33", false],
    ["10.0.0.0/8", "10.200.3.4", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    ["192.168.1.128/25", "192.168.1.127", false],
    ["10.0.0.0/33", "10.0.0.1", false],
    ["0.0.0.0/0", "8.8.8.8", true],
    ["0.0.0.0/0", "kas.example.com", false],
    ["2001:db8::/32", "2001:db8:1::5", true],
    ["2001:db8::/32", "2001:db9::5", false],
    ["::1", "::1", true],
    ["[::1]", "0:0:0:0:0:0:0:1", true],
    ["example.com:443", "kas.example.com", true],
    ["example.com:444", "kas.example.com", false],
    ["10.0.0.1:443", "10.0.0.1", true],
    ["10.0.0.1:80", "10.0.0.1", false],
    ["[2001:db8::1]:443", "2001:db8::1", true],
    ["[2001:db8::1]:80", "2001:db8::1", false],
    ["*:443", "whatever", true],
    ["*:80", "whatever", false],
    ["not/a/range, http://x", "x", false],
  ])("%o for %s: %s", (noProxy, host, exempt) => expect(isExempt(noProxy, { host, port: 443 })).toBe(exempt));
});

describe("an address of a proxy", () => {
  test.each([
    ["http://proxy.example.com:3128", "http://proxy.example.com:3128", undefined],
    ["proxy.example.com:3128", "http://proxy.example.com:3128", undefined],
    ["https://proxy.example.com", "https://proxy.example.com:443", undefined],
    ["http://[::1]:3128/", "http://[::1]:3128", undefined],
    ["http://me:a%3Ab%40c@proxy", "http://proxy:80", "me:a:b@c"],
    ["http://me@proxy", "http://proxy:80", "me:"],
  ])("%s", (text, name, credentials) => {
    const proxy = OutgoingProxy.parse(text);
    expect(proxy?.name).toBe(name);
    const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`;
    expect(proxy?.authorization).toBe(expected);
  });

  test.each(["socks5://proxy:1080", "http://", "", "http://proxy/path", "http://me:%zz@proxy", "ftp://x"])("%o is none", (text) =>
    expect(OutgoingProxy.parse(text)).toBeUndefined(),
  );

  test("T46: its password is in no text that is made of it, nor in the error about one that is wrong", () => {
    const proxy = OutgoingProxy.parse(`http://me:${CANARY}@proxy:1`);
    const encoded = Buffer.from(`me:${CANARY}`).toString("base64");
    for (const text of [`${proxy}`, JSON.stringify({ proxy }), inspect(proxy, { depth: 9, showHidden: true })]) {
      expect(text).toContain("http://proxy:1");
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(encoded);
    }
    const wrong = (): unknown => outgoingProxyFor(new URL("wss://k"), { env: { HTTPS_PROXY: `socks5://me:${CANARY}@proxy` } });
    expect(wrong).toThrow("HTTPS_PROXY: expected http://[user:password@]host[:port] or https://…");
  });
});
