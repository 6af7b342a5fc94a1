import type { IncomingMessage } from "node:http";

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { featuresSchema } from "../../config/features.ts";
import { ActionBench, CLUSTERS, type BenchObject } from "../../testing/action-bench.ts";

let bench: ActionBench;
/** An object of the namespace whose drawer is never opened. */
let other: BenchObject;
beforeAll(async () => {
  const [embedded] = CLUSTERS;
  if (embedded === undefined) throw new Error("there is no embedded cluster");
  bench = await ActionBench.start(embedded[1]);
});
afterAll(() => bench.stop());
beforeEach(async () => {
  await bench.open({ features: featuresSchema.parse({ actions: "all" }) });
  other = await configMap();
});
afterEach(() => bench.close());

const configMap = (): Promise<BenchObject> => bench.create("/configmaps", "ConfigMap", {});
const nameOf = ({ target }: BenchObject): string => target.ref.name;
/** Each of the two calls reads the object after it was requested: a read that began before could be older than what the page has. */
const reads = (object: BenchObject): readonly string[] => [`GET ${nameOf(object)}`, `GET ${nameOf(object)}`];

/**
 * Opens the drawers of objects, which request details and actions at once, as the page does. Reads of the objects are answered once all of these calls wait.
 *
 * @returns the requests that the API server received
 */
async function openDrawers(...objects: readonly BenchObject[]): Promise<readonly string[]> {
  const sent: string[] = [];
  const held: (() => void)[] = [];
  const released = new Set<IncomingMessage>();
  bench.cluster.intercept = (request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://cluster");
    const name = pathname.slice(pathname.lastIndexOf("/") + 1);
    if (released.has(request) || name === nameOf(other)) return undefined;
    sent.push(`${request.method} ${name}`);
    if (!objects.some((object) => nameOf(object) === name)) return undefined;
    held.push(() => {
      released.add(request);
      bench.cluster.forward(request, response);
    });
    return "handled";
  };
  const calls = objects.flatMap(({ target }) => [bench.dashboard.getResource(target), bench.dashboard.reviewActions({ target })]);
  // Whole calls after these: by then each of them has come as far as its read.
  for (let round = 0; round < 3; round += 1) await bench.dashboard.reviewActions({ target: other.target });
  for (const release of held) release();
  await Promise.all(calls);
  return sent.toSorted();
}

test("a drawer costs two reads of its object, its Events, and once for its namespace who the viewer is and what they may do", async () => {
  const [one, another] = [await configMap(), await configMap()];
  const first = await openDrawers(one);
  expect(first).toEqual(["GET events", ...reads(one), "POST selfsubjectreviews", "POST selfsubjectrulesreviews"]);
  expect(await openDrawers(another), "another drawer in the namespace").toEqual(["GET events", ...reads(another)]);
  expect(await openDrawers(one), "the same one again").toEqual(["GET events", ...reads(one)]);
});

test("many drawers that open at once need no further review", async () => {
  const objects = await Promise.all(Array.from({ length: 5 }, configMap));
  const sent = await openDrawers(...objects);
  expect(sent.filter((each) => each.startsWith("POST"))).toEqual(["POST selfsubjectreviews", "POST selfsubjectrulesreviews"]);
  expect(sent.filter((each) => each.startsWith("GET"))).toHaveLength(3 * objects.length);
});
