import fc from "fast-check";
import { expect, test } from "vitest";

import { DefaultBranchReader, type DefaultBranch } from "./default-branch-reader.ts";

const ID = (digit: string): string => digit.repeat(40);
const packet = (text: string): string => (Buffer.byteLength(text) + 4).toString(16).padStart(4, "0") + text;
const SERVICE = `${packet("# service=git-upload-pack\n")}0000`;

/** An advertisement as git writes it: capabilities behind the first ref, sorted by bytes. */
function advertisementOf(refs: Readonly<Record<string, string>>, capabilities = "multi_ack agent=git/2"): Buffer {
  const sorted = Object.entries(refs).toSorted(([a], [b]) => Buffer.from(a).compare(Buffer.from(b)));
  const lines = sorted.map(([name, id], at) => packet(`${id} ${name}${at === 0 ? `\0${capabilities}` : ""}\n`));
  if (lines.length === 0) lines.push(packet(`${ID("0")} capabilities^{}\0${capabilities}\n`));
  return Buffer.from(`${SERVICE}${lines.join("")}0000`);
}

/** Reads in chunks; also returns how many bytes were read before the answer was known. */
function read(bytes: Buffer, branch: string, chunkBytes = 1_000): DefaultBranch & { readonly bytes: number } {
  const reader = new DefaultBranchReader(branch);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const found = reader.push(bytes.subarray(at, at + chunkBytes));
    if (found) return { ...found, bytes: Math.min(bytes.length, at + chunkBytes) };
  }
  return { ...reader.end(), bytes: bytes.length };
}

/** They stand behind `refs/heads/main`. */
const MANY = Array.from({ length: 200_000 }, (_, at) => packet(`${ID("9")} refs/heads/topic/${String(at).padStart(7, "0")}\n`)).join("");
const withMany = (few: Buffer): Buffer => Buffer.from(`${few.toString().slice(0, -4)}${MANY}0000`);

test("KS6: of 200,000 refs the first line alone is read when HEAD is the default branch", () => {
  const bytes = withMany(advertisementOf({ HEAD: ID("1"), "refs/heads/main": ID("1") }, "symref=HEAD:refs/heads/main agent=git/2"));
  expect(bytes.length).toBeGreaterThan(14_000_000);
  for (const branch of ["", "main"]) expect(read(bytes, branch)).toEqual({ commit: ID("1"), bytes: 1_000 });
});

test("KS6: refs behind the wanted one are not read, nor are those behind the place where it would stand", () => {
  const bytes = withMany(advertisementOf({ HEAD: ID("1"), "refs/heads/main": ID("2") }));
  expect(read(bytes, "main")).toEqual({ commit: ID("2"), bytes: 1_000 });
  expect(read(bytes, "gone")).toEqual({ commit: ID("1"), bytes: 1_000 });
});

test("KS6: no more than one unfinished line is ever kept", () => {
  const reader = new DefaultBranchReader("x");
  reader.push(Buffer.from(packet(`${ID("1")} refs/heads/${"a".repeat(60_000)}\n`).slice(0, 60_000)));
  expect(() => new DefaultBranchReader("x").push(Buffer.from(`fff1${"a".repeat(100)}`))).toThrow("cannot be read");
  expect(() => new DefaultBranchReader("x").push(Buffer.from("<html>"))).toThrow("cannot be read");
});

test("KS6: what git says instead of refs is an error, not a repository without a commit", () => {
  expect(() => new DefaultBranchReader("").push(Buffer.from(SERVICE + packet(`ERR ${"no such repository ".repeat(100)}`)))).toThrow(
    /^git: no such/,
  );
});

test("a repository without a commit has no default branch", () => {
  expect(read(advertisementOf({}), "main").commit).toBeUndefined();
  expect(read(advertisementOf({}), "").commit).toBeUndefined();
});

test("without HEAD the branch decides, and master when none was named", () => {
  const bytes = advertisementOf({ "refs/heads/main": ID("1"), "refs/heads/master": ID("2"), "refs/tags/v1": ID("3") });
  expect(read(bytes, "main").commit).toBe(ID("1"));
  expect(read(bytes, "").commit).toBe(ID("2"));
  expect(read(bytes, "other").commit).toBeUndefined();
});

test("ids of SHA-256 repositories are read whole", () => {
  expect(read(advertisementOf({ HEAD: "a".repeat(64) }), "").commit).toBe("a".repeat(64));
});

test("however the bytes are cut and whatever refs there are, it finds what reading all of them would", () => {
  const name = fc.stringMatching(/^[a-zé\u{1f600}-]{1,6}$/u);
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.constantFrom("1", "2", "3")),
      fc.option(fc.constantFrom("7", "8"), { nil: undefined }),
      fc.record({ branch: fc.oneof(name, fc.constant("")), chunkBytes: fc.integer({ min: 1, max: 300 }), link: fc.boolean() }),
      (branches, head, { branch, chunkBytes, link }) => {
        const refs = new Map(Object.entries(branches).map(([each, digit]) => [`refs/heads/${each}`, ID(digit)]));
        if (head !== undefined) refs.set("HEAD", ID(head));
        const target = [...refs.keys()].at(0);
        if (head !== undefined && link && target !== undefined && target !== "HEAD") refs.set("HEAD", refs.get(target) ?? "");
        const capabilities = head !== undefined && link && target !== undefined ? `a symref=HEAD:${target} b` : "a b";
        const all = advertisementOf(Object.fromEntries(refs), capabilities);
        const expected =
          branch === "" ? (refs.get("HEAD") ?? refs.get("refs/heads/master")) : (refs.get(`refs/heads/${branch}`) ?? refs.get("HEAD"));
        expect(read(all, branch, chunkBytes).commit).toBe(expected);
      },
    ),
  );
});
