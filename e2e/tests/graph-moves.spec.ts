import { expect } from "@playwright/test";

import { test } from "../look/fixture-test.ts";
import { GraphPage } from "../look/graph-page.ts";

const pod = (name: string, owner: string) => ({ kind: "Pod", name, owner: `replicaset:${owner}`, fact: "0/1 ready", ready: 0, wanted: 1 });
const NEW_POD = pod("checkout-7c9f8d-n1", "checkout-7c9f8d");
/** Height of a row of cards with its gap, in pixels of the picture. */
const ROW = 92;

test("UB5: an update without new cards moves nothing; a new card moves the blocks below it in its columns, once, gliding", async ({
  browser,
  pages,
}) => {
  const graph = await GraphPage.open(browser, "glide", { baseURL: pages.address });
  const before = await graph.places();
  await graph.happens({ nodes: [{ kind: "ConfigMap", name: "checkout-config", fact: "7 keys" }] });
  await expect(graph.card("ConfigMap checkout-config")).toContainText("7 keys");
  expect(await graph.places()).toEqual(before);

  await graph.happens({ nodes: [NEW_POD] });
  await expect(graph.card("Pod checkout-7c9f8d-n1")).toBeVisible();
  const after = await graph.places();
  const grown = after.get((await graph.card("Pod checkout-7c9f8d-n1").getAttribute("data-id")) ?? "");
  const moved = [...before].filter(([id, { x, y }]) => after.get(id)?.x !== x || after.get(id)?.y !== y);
  expect(moved.length).toBeGreaterThan(5);
  const across = [...before.values()].filter(({ y }) => y === 0).map(({ x }) => x);
  expect(Math.max(...across)).toBeGreaterThan(Math.max(...moved.map(([, { x }]) => x)));
  for (const [id, { x, y }] of moved) {
    expect(after.get(id)?.x).toBe(x);
    // By the row that its block grew, and all that was below it.
    expect(after.get(id)?.y).toBe(y + ROW);
    expect(y).toBeGreaterThanOrEqual((grown?.y ?? Infinity) - ROW);
  }
  await expect.poll(() => graph.glides()).toEqual(new Map(moved.map(([id]) => [id, 1])));
  await graph.rests();
  await graph.page.close();
});

test("US14: with reduced motion nothing glides, and cards are where they belong at once", async ({ browser, pages }) => {
  const graph = await GraphPage.open(browser, "still", { baseURL: pages.address, reducedMotion: "reduce" });
  const below = graph.card("Deployment recommendations");
  const [before, view] = [await below.boundingBox(), await graph.view()];
  await graph.happens({ nodes: [NEW_POD] });
  await expect(graph.card("Pod checkout-7c9f8d-n1")).toBeVisible();
  const after = await below.boundingBox();
  expect(after?.y).toBeCloseTo((before?.y ?? 0) + ROW * view.zoom, 0);
  await graph.rests();
  expect((await graph.glides()).size).toBe(0);
  await graph.page.close();
});

for (const how of ["under the pointer", "chosen"] as const)
  test(`UB5: the card ${how} stays where it is on the screen while others make room`, async ({ browser, pages }) => {
    const query = how === "chosen" ? "&sel=apps/deployments/shop-prod/recommendations" : "";
    const graph = await GraphPage.open(browser, how === "chosen" ? "kept-chosen" : "kept-hovered", { baseURL: pages.address, query });
    const card = graph.card("Deployment recommendations");
    if (how === "chosen") await expect(graph.page.getByRole("complementary")).toBeVisible();
    else await card.hover();
    const [before, view] = [await card.boundingBox(), await graph.view()];
    await graph.happens({ nodes: [NEW_POD] });
    await expect.poll(async () => (await graph.view()).y).toBeCloseTo(view.y - ROW * view.zoom, 0);
    await graph.rests();
    const after = await card.boundingBox();
    expect(after?.x).toBeCloseTo(before?.x ?? 0, 0);
    expect(after?.y).toBeCloseTo(before?.y ?? 0, 0);
    await graph.page.close();
  });

test("UB5: a revision that is replaced gives its slots back: what replaces it moves no card", async ({ browser, pages }) => {
  const graph = await GraphPage.open(browser, "replaced", {
    baseURL: pages.address,
    query: "&sel=core/pods/shop-prod/checkout-5b6d4-kk2mv",
  });
  const old = ["x2lq4", "9hvdk", "m4t7z"].map((suffix) => `checkout-7c9f8d-${suffix}`);
  const free: { readonly x: number; readonly y: number }[] = [];
  const placeOf = async (name: string) => (await graph.places()).get((await graph.card(name).getAttribute("data-id")) ?? "");
  for (const name of old) free.push((await placeOf(`Pod ${name}`)) ?? { x: 0, y: 0 });
  await graph.happens({ gone: old.map((name) => `pod:${name}`) });
  for (const name of old) await expect(graph.card(`Pod ${name}`)).toHaveCount(0);
  const [before, view] = [await graph.places(), await graph.view()];
  const fresh = ["a", "b", "c"].map((suffix) => `checkout-7c9f8d-${suffix}`);
  await graph.happens({ nodes: fresh.map((name) => pod(name, "checkout-7c9f8d")) });
  for (const name of fresh) {
    await expect(graph.card(`Pod ${name}`)).toBeVisible();
    expect(free).toContainEqual(await placeOf(`Pod ${name}`));
  }
  const after = await graph.places();
  for (const [id, place] of before) expect(after.get(id)).toEqual(place);
  expect(await graph.view()).toEqual(view);
  await graph.page.close();
});
