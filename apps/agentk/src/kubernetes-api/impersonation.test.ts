import { create } from "@bufbuild/protobuf";
import { valuesOfMetadata } from "@binnacle/grpc-wire";
import { ImpersonationConfigSchema } from "@binnacle/proto/kubernetes-api";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  identityOfConfig,
  impersonationHeaders,
  isImpersonationHeader,
  type ImpersonatedIdentity,
} from "../cluster-access/impersonation.ts";
import { requestHeadersOf } from "./request-headers.ts";

const identity = (username: string): ImpersonatedIdentity => ({ username, groups: ["g"], uid: "", extra: new Map() });
const client = [["Impersonate-User", "bob"]] as const;

describe("at most one of three may impersonate", () => {
  test.each([
    ["none of them", { own: undefined, kas: undefined, client: [] }, []],
    [
      "the kubeconfig",
      { own: identity("own"), kas: undefined, client: [] },
      [
        ["Impersonate-User", "own"],
        ["Impersonate-Group", "g"],
      ],
    ],
    [
      "kas",
      { own: undefined, kas: identity("kas"), client: [] },
      [
        ["Impersonate-User", "kas"],
        ["Impersonate-Group", "g"],
      ],
    ],
    ["the client", { own: undefined, kas: undefined, client }, [["Impersonate-User", "bob"]]],
  ])("%s alone is fine", (_name, sources, lines) => {
    expect(impersonationHeaders(sources)).toEqual(lines);
  });

  test.each([
    ["kubeconfig and kas", { own: identity("a"), kas: identity("b"), client: [] }],
    ["kubeconfig and client", { own: identity("a"), kas: undefined, client }],
    ["kas and client", { own: undefined, kas: identity("b"), client }],
    ["all three", { own: identity("a"), kas: identity("b"), client }],
  ])("%s is refused", (_name, sources) => {
    expect(() => impersonationHeaders(sources)).toThrow(expect.objectContaining({ reason: "invalid_request" }));
  });
});

test("an empty configuration requests no identity, one with any field requests an identity", () => {
  expect(identityOfConfig(undefined)).toBeUndefined();
  expect(identityOfConfig(create(ImpersonationConfigSchema))).toBeUndefined();
  expect(identityOfConfig(create(ImpersonationConfigSchema, { uid: "1" }))).toMatchObject({ username: "", uid: "1" });
});

test("values of one extra key that comes twice are kept together", () => {
  const config = create(ImpersonationConfigSchema, {
    username: "u",
    extra: [
      { key: "k", val: ["1"] },
      { key: "k", val: ["2"] },
    ],
  });
  expect(identityOfConfig(config)?.extra).toEqual(new Map([["k", ["1", "2"]]]));
});

test("any extra key becomes a legal header name that can be taken back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (key) => {
      const lines = impersonationHeaders({ own: undefined, kas: { ...identity("u"), extra: new Map([[key, ["v"]]]) }, client: [] });
      const name = lines.at(-1)?.[0] ?? "";
      expect(name).toMatch(/^Impersonate-Extra-[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/);
      expect(decodeURIComponent(name.slice("Impersonate-Extra-".length))).toBe(key);
    }),
  );
});

test("T5, T6: no spelling of an impersonation header goes unnoticed beside an identity of kas", () => {
  const name = fc.constantFrom("impersonate-user", "impersonate-group", "impersonate-uid", "impersonate-extra-x", "impersonate-new");
  const spelled = fc.tuple(name, fc.infiniteStream(fc.nat(2))).map(([text, choices]) =>
    text
      .split("")
      .map((letter) => [letter, letter.toUpperCase(), letter === "-" ? "_" : letter][choices.next().value ?? 0] ?? letter)
      .join(""),
  );
  fc.assert(
    fc.property(spelled, (header) => {
      expect(isImpersonationHeader(header)).toBe(true);
      const headers = valuesOfMetadata(
        new Map([
          [header, ["root"]],
          ["Connection", [header]],
        ]),
      );
      expect(() => requestHeadersOf(headers, { own: undefined, kas: identity("alice") })).toThrow(
        expect.objectContaining({ reason: "invalid_request" }),
      );
    }),
  );
});

test("a header name or value that would break the line is refused", () => {
  const refuse = (name: string, value: string): void =>
    expect(() => requestHeadersOf(valuesOfMetadata(new Map([[name, [value]]])), { own: undefined, kas: undefined })).toThrow(
      expect.objectContaining({ reason: "invalid_request" }),
    );
  refuse("X-A", "1\r\nImpersonate-User: root");
  refuse("X-A", "1\0");
  refuse("X A", "1");
  refuse("X-A:", "1");
  refuse("", "1");
});
