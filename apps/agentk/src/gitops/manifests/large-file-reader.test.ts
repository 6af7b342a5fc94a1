import { manifestsIn, type ManifestProblem, type ManifestText } from "@binnacle/manifests";
import { afterEach, expect, test } from "vitest";

import { hasLargeDocument, LargeFileReader } from "./large-file-reader.ts";

const item = (name: string): string => `- {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {k: "1"}}\n`;
const listOf = (count: number): Buffer =>
  Buffer.from(`apiVersion: v1\nkind: List\nitems:\n${Array.from({ length: count }, (_, index) => item(`m${index}`)).join("")}`);

const readers: LargeFileReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close();
});

function readerOf(maxHeapMib?: number): LargeFileReader {
  const reader = new LargeFileReader(maxHeapMib);
  readers.push(reader);
  return reader;
}

async function all(read: AsyncIterable<ManifestText | ManifestProblem>): Promise<readonly (ManifestText | ManifestProblem)[]> {
  const found: (ManifestText | ManifestProblem)[] = [];
  for await (const one of read) found.push(one);
  return found;
}

test("security-3 A3, T41: a list in one document is read in a thread, and other work goes on meanwhile", async () => {
  const data = listOf(1_000);
  expect(hasLargeDocument(data)).toBe(true);
  let [turns, isRead] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  const read = await all(readerOf().read(data));
  isRead = true;
  expect(read).toEqual([...manifestsIn(data)]);
  // Were it read here there would be no turn at all.
  expect(turns).toBeGreaterThan(20);
});

test("files are read one after the other, with what is wrong in them", async () => {
  const reader = readerOf();
  const broken = Buffer.from(`${String(listOf(400))}- {kind: Pod}\n---\na: [\n`);
  expect(await all(reader.read(broken))).toEqual([...manifestsIn(broken)]);
  expect(await all(reader.read(listOf(3)))).toHaveLength(3);
});

test("a file that takes too much memory is a problem of that file, and the next one is read", async () => {
  const reader = readerOf(32);
  expect((await all(reader.read(listOf(20_000)))).at(-1)).toEqual({ line: 1, message: "the file takes too much memory to be read" });
  expect(await all(reader.read(listOf(3)))).toHaveLength(3);
});

test("many small documents are no large one", () => {
  expect(hasLargeDocument(Buffer.from("a: 1\n---\n".repeat(10_000)))).toBe(false);
});
