import { expect, test } from "vitest";

import { dyingApi } from "./dying-api.ts";
import { commit, map, maps } from "./manifest-texts.ts";
import { bench } from "./sync-bench.ts";

test.each([true, false])("killed at any step, a second sync comes to the same end (the last request arrived: %s)", async (reaches) => {
  const wanted = `${maps("a", "b")}---\n${map("z", `  annotations: {config.kubernetes.io/depends-on: /namespaces/NS/ConfigMap/a}\n`)}`;
  let steps = 0;
  for (let alive = true; alive;) {
    steps += 1;
    await bench.enter(`killed-${String(reaches)}-${steps}`);
    const text = wanted.replace("NS", bench.namespace);
    await bench.sync(commit(maps("a", "old", "older")));
    alive = await bench.sync(commit(text, "c2"), {}, dyingApi(steps, reaches)).then(
      () => false,
      () => true,
    );
    // At no moment is there an object of ours that the inventory does not list.
    const between = await bench.seen();
    expect(between.listed).toEqual(expect.arrayContaining(bench.lines(...between.live)));
    expect(await bench.sync(commit(text, "c2"))).toMatchObject({ state: "synced", pruneHeld: "" });
    expect(await bench.seen()).toEqual({ live: ["a", "b", "z"], listed: bench.lines("a", "b", "z") });
  }
  expect(steps).toBeGreaterThan(15);
});
