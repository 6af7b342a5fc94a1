import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { LayoutNote } from "./resource-graph.tsx";
import type { LayoutState } from "./picture/layout-runner.ts";

function noteOf(layout: LayoutState): string {
  return renderToStaticMarkup(<LayoutNote layout={layout} onTryAgain={() => undefined} />);
}

test("W13: a graph without a layout states so, and offers a retry when there is no automatic one", () => {
  expect(noteOf("answering")).toBe("");
  expect(noteOf("restarting")).toContain("is being restarted");
  expect(noteOf("restarting")).not.toContain("<button");
  expect(noteOf("stopped")).toContain("List and tree show the current state");
  expect(noteOf("stopped")).toContain("Try again</button>");
});
