import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { afterEach, beforeEach, expect, test } from "vitest";

import { compressFolder } from "./compress-files.ts";
import { PATH_PLACEHOLDER } from "./path-placeholder.ts";
import { stampBuild } from "./stamp-build.ts";

const MANIFEST = {
  version: 3,
  basePath: PATH_PLACEHOLDER,
  redirects: [
    { source: `${PATH_PLACEHOLDER}/`, destination: PATH_PLACEHOLDER, internal: true, regex: `^${PATH_PLACEHOLDER}/$` },
    { source: "/:path+/", destination: "/:path+" },
  ],
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stamp-build-"));
  put("routes-manifest.json", JSON.stringify(MANIFEST));
  put("BUILD_ID", "a-build");
  put("static/chunks/a.js", `const base="${PATH_PLACEHOLDER}/_next/",home="${PATH_PLACEHOLDER}";`);
  put("static/media/a.woff2", Buffer.from([0, 255, 254, 1]));
  put("server/app/page.js.map", "{}");
  put("server/app/page.js.nft.json", "{}");
  put("cache/x", "x");
  put("types/x.d.ts", "x");
  put("dev/types/x.d.ts", "x");
  put("trace", "x");
});

afterEach(() => rmSync(folder, { recursive: true }));

function put(file: string, content: string | Buffer): void {
  const path = join(folder, "build", file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

async function stamp(prefix: string): Promise<(file: string) => Buffer> {
  const into = join(folder, `copy${prefix}`);
  await stampBuild({ build: join(folder, "build"), into, prefix });
  return (file) => readFileSync(join(into, file));
}

test.each(["", "/binnacle", "/a/b"])("a build serves under %j, and no placeholder is left", async (prefix) => {
  const read = await stamp(prefix);
  expect(read("static/chunks/a.js").toString()).toBe(`const base="${prefix}/_next/",home="${prefix}";`);
  expect(JSON.parse(read("routes-manifest.json").toString())).toMatchObject({ version: 3, basePath: prefix });
});

test("what stands compressed beside a file is the file as it is served, at the root and below a path", async () => {
  const long = `${"const a=1;".repeat(200)}"${PATH_PLACEHOLDER}"`;
  put("static/chunks/long.js", long);
  put("static/chunks/same.js", "const b=2;".repeat(200));
  await compressFolder(join(folder, "build/static"), (text) => text.replaceAll(PATH_PLACEHOLDER, ""));
  for (const prefix of ["", "/binnacle"]) {
    const read = await stamp(prefix);
    for (const file of ["static/chunks/long.js", "static/chunks/same.js"]) {
      const served = read(file).toString();
      expect(served).not.toContain(PATH_PLACEHOLDER);
      expect(brotliDecompressSync(read(`${file}.br`)).toString()).toBe(served);
      expect(gunzipSync(read(`${file}.gz`)).toString()).toBe(served);
    }
    // What is one packet anyway has no other form, nor what is compressed already.
    for (const file of ["static/chunks/a.js.br", "static/media/a.woff2.br"]) expect(() => read(file)).toThrow("ENOENT");
  }
});

test("what is no text is copied byte by byte", async () => {
  const read = await stamp("/binnacle");
  expect(read("static/media/a.woff2")).toEqual(Buffer.from([0, 255, 254, 1]));
  expect(read("BUILD_ID").toString()).toBe("a-build");
});

test("without a prefix no redirect leads from the root to nothing; the others stay", async () => {
  const sourcesOf = (text: Buffer): readonly string[] =>
    // The test has written it.
    (JSON.parse(text.toString()) as typeof MANIFEST).redirects.map(({ source }) => source);
  expect(sourcesOf((await stamp(""))("routes-manifest.json"))).toEqual(["/:path+/"]);
  expect(sourcesOf((await stamp("/x"))("routes-manifest.json"))).toEqual(["/x/", "/:path+/"]);
});

test("caches, types, traces and maps of sources stay behind", async () => {
  await stamp("");
  const files = readdirSync(join(folder, "copy"), { recursive: true }).map(String);
  expect(files.toSorted((a, b) => a.localeCompare(b, "en"))).toEqual([
    "BUILD_ID",
    "routes-manifest.json",
    "static",
    "static/chunks",
    "static/chunks/a.js",
    "static/media",
    "static/media/a.woff2",
  ]);
});

test("XS7: the page of a failure, which has no nonce, is our own: nothing in it would need one", async () => {
  const script = '<script src="/_next/a.js" async=""></script><script>self.__next_f.push([1,"\\u003c"])</script><style>a{}</style>';
  const link = `<link rel="preload" as="style" href="${PATH_PLACEHOLDER}/_next/static/a.css"/>`;
  put("server/pages/500.html", `<html><head><link rel="preload" as="script" href="a.js"/>${link}${script}</head></html>`);
  const html = (await stamp("/x"))("server/pages/500.html").toString();
  expect(html).not.toMatch(/<script|<style|style=|a\.js/);
  expect(html).toContain('<link rel="stylesheet" href="/x/_next/static/a.css"/>');
  expect(html).toContain("Binnacle could not make this page.");
});

test("the original is as it was, for another server with another prefix", async () => {
  await Promise.all([stamp("/a"), stamp("/b")]);
  expect(readFileSync(join(folder, "build/static/chunks/a.js"), "utf8")).toContain(PATH_PLACEHOLDER);
  expect(readFileSync(join(folder, "copy/a/static/chunks/a.js"), "utf8")).not.toContain("/b/");
});
