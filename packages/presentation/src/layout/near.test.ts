import { expect, test } from "vitest";
import { near, type Ends } from "./near.ts";

const CHAIN: readonly Ends[] = [
  ["ingress", "service"],
  ["service", "pod"],
  ["deployment", "replicas"],
  ["replicas", "pod"],
  ["pod", "config"],
  ["other", "config"],
];

test("hops go along lines, whichever way they point", () => {
  expect([...near(CHAIN, "pod", 1)].sort()).toEqual(["config", "pod", "replicas", "service"]);
  expect([...near(CHAIN, "pod", 2)].sort()).toEqual(["config", "deployment", "ingress", "other", "pod", "replicas", "service"]);
  expect([...near(CHAIN, "pod", 0)]).toEqual(["pod"]);
});

test("circles end, and who has no lines is alone", () => {
  const circle: readonly Ends[] = [
    ["a", "b"],
    ["b", "c"],
    ["c", "a"],
    ["a", "a"],
  ];
  expect([...near(circle, "a", 9)].sort()).toEqual(["a", "b", "c"]);
  expect([...near(circle, "alone", 9)]).toEqual(["alone"]);
});
