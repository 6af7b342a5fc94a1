import { expect, test } from "vitest";
import { sourceLabels, type ShownSource } from "./log-sources.ts";

const source = (id: number, name: string, restarts?: number): ShownSource => {
  const [namespace = "", pod = "", container = ""] = name.split("/");
  return {
    id,
    namespace,
    pod,
    container,
    kind: 0,
    containerId: String(id),
    restarts,
    state: 2,
    words: undefined,
    roleYaml: "",
    hasLeft: false,
    colour: 0,
    progress: undefined,
  };
};

test.each([
  [["shop/web-1/app"], ["app"]],
  [
    ["shop/web-1/app", "shop/web-1/proxy"],
    ["app", "proxy"],
  ],
  [
    ["shop/web-1/app", "shop/web-2/app"],
    ["web-1", "web-2"],
  ],
  [
    ["shop/web-1/app", "shop/web-2/proxy"],
    ["web-1/app", "web-2/proxy"],
  ],
  [
    ["shop/web-1/app", "db/web-1/app"],
    ["shop/web-1", "db/web-1"],
  ],
])("%j are called %j", (names, labels) => {
  expect([...sourceLabels(names.map((name, index) => source(index, name))).values()]).toEqual(labels);
});

test("runs of one container differ by their restarts", () => {
  const runs = [source(1, "shop/web-1/app", 3), source(2, "shop/web-1/app", 4), source(3, "shop/web-1/proxy", 0)];
  expect([...sourceLabels(runs).values()]).toEqual(["app #3", "app #4", "proxy"]);
});
