import { expect, test } from "vitest";
import { sentencesOf } from "./health-card.tsx";

test("the sentence that explains comes before what the verdict says", () => {
  expect(sentencesOf("Container web exited with code 1", "back-off 5m0s restarting")).toEqual([
    "Container web exited with code 1",
    "back-off 5m0s restarting",
  ]);
});

test("a repeated sentence is shown once", () => {
  expect(sentencesOf("Pod web is starting", "pod web is  starting.")).toEqual(["pod web is  starting."]);
  expect(sentencesOf("Pod web is starting: pulling", "Pod web is starting")).toEqual(["Pod web is starting: pulling"]);
  expect(sentencesOf("", "")).toEqual([]);
  expect(sentencesOf("a", "")).toEqual(["a"]);
  expect(sentencesOf("", "b")).toEqual(["b"]);
});
