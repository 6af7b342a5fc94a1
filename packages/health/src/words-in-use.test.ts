import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { expect, test } from "vitest";

import { NOT_KNOWN } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";

import { ROWS } from "./why/rows.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ENGLISH_FOLDER = join(ROOT, "packages/words/src/en");

/** Text of every source file that may say something: of all programs and packages, without tests and without the catalogue itself. */
function sources(isOf: (file: string) => boolean = () => true): string[] {
  const folders = ["packages", "apps"].flatMap((group) =>
    globSync("*/src", { cwd: join(ROOT, group) }).map((folder) => join(ROOT, group, folder)),
  );
  folders.push(join(ROOT, "apps/web/app"));
  return folders.filter((folder) => folder !== join(ROOT, "packages/words/src")).flatMap((folder) => sourcesIn(folder, isOf));
}

function sourcesIn(folder: string, isOf: (file: string) => boolean): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.tsx?$/.test(file) && !/\.i?test\.tsx?$/.test(file) && isOf(file))
    .map((file) => readFileSync(join(folder, file), "utf8"));
}

/** Ids that are written out, and those that are put together within a family, such as `rule/${language}-steps`. */
function usesIn(text: string): (id: string) => boolean {
  const written = new Set(Array.from(text.matchAll(/["']([\w-]+(?:\/[\w-]+)+)["']/g), ([, id = ""]) => id));
  const joined = Array.from(text.matchAll(/`((?:[\w-]+\/)+[\w/-]*\$\{[^`]*)`/g), ([, id = ""]) => asPattern(id));
  return (id) => written.has(id) || joined.some((pattern) => pattern.test(id));
}

function asPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\$\{[^}]*\}/g, "[a-z\\d-]+")}$`);
}

test("every sentence of the catalogue is used", () => {
  const rows = Object.entries(ROWS).flatMap(([family, table]) => Object.keys(table).map((row) => `${family}/${row}`));
  const ofRows = new Set([NOT_KNOWN, ...rows.flatMap((id) => [id, `${id}/next`, `title/${id}`])]);
  const isUsed = usesIn(sources().join("\n"));
  expect(Object.keys(ENGLISH).filter((id) => !ofRows.has(id) && !isUsed(id))).toEqual([]);
});

test("no two files of the catalogue have a sentence of the same id, and each is part of it", () => {
  const files = readdirSync(ENGLISH_FOLDER, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && basename(file) !== "index.ts",
  );
  const ids = files.flatMap((file) =>
    Array.from(readFileSync(join(ENGLISH_FOLDER, file), "utf8").matchAll(/^ {2}"([^"]+)":/gm), ([, id = ""]) => id),
  );
  expect(ids.toSorted(inOrder)).toEqual(Object.keys(ENGLISH).toSorted(inOrder));
});

test("what is quoted is no English of this program", () => {
  const withBlanks = /\bquoted\((?:[^()"'`]|\([^()"'`]*\))*["'`][^"'`]* [^"'`]*["'`]/;
  expect(sources().filter((text) => withBlanks.test(text))).toEqual([]);
});

test("why a request failed is no English of this program, but for those that play a server", () => {
  const isNoFake = (file: string): boolean => !/fake|sample-cluster|testing|conformance/.test(file);
  const inEnglish = /\bnew KubeClientError\(\s*[^,()]+,\s*["'`][^)]*/g;
  expect(sources(isNoFake).flatMap((text) => text.match(inEnglish) ?? [])).toEqual([]);
});

function inOrder(left: string, right: string): number {
  return left < right ? -1 : 1;
}
