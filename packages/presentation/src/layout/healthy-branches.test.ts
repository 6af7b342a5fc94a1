import { describe, expect, test } from "vitest";
import { GraphEngine, type EngineRequest } from "./graph-engine.ts";
import type { InputEdge, InputNode } from "./graph-input.ts";
import { STATUS } from "./graph-input.ts";
import { HEALTHY_FOLD, SHOWN_WHOLE } from "./healthy-branches.ts";
import { application, edge, node } from "./testing.ts";

const FOLD = `${HEALTHY_FOLD}shop`;

/** So many applications; those of the numbers are degraded. */
function applications(count: number, bad: readonly number[] = []): { readonly nodes: InputNode[]; readonly edges: InputEdge[] } {
  const apps = Array.from({ length: count }, (_, index) => application(`app-${index}`, 3));
  const nodes = apps.flatMap((app, index) =>
    app.nodes.map((each) => (bad.includes(index) && each.kind === "Deployment" ? { ...each, status: STATUS.degraded } : each)),
  );
  return { nodes, edges: apps.flatMap((app) => app.edges) };
}

function drawing(): {
  readonly ask: (request: EngineRequest) => void;
  readonly shown: Set<string>;
  readonly members: () => readonly string[];
} {
  const engine = new GraphEngine();
  const shown = new Set<string>();
  let members: readonly string[] = [];
  return {
    shown,
    members: () => members,
    ask(request) {
      const { cards, removedCards } = engine.answer(request);
      for (const id of removedCards) shown.delete(id);
      for (const { card } of cards) {
        shown.add(card.id);
        if (card.id === FOLD) ({ members } = card);
      }
    },
  };
}

describe("US11: healthy branches", () => {
  test("are one card of a large graph, opened by its count; what is wrong is never folded", () => {
    const { ask, shown, members } = drawing();
    ask({ ...applications(40, [3, 17]), tidy: true });
    expect(shown.has(FOLD)).toBe(true);
    expect(members()).toHaveLength(38);
    expect([...shown].filter((id) => id.startsWith("Deployment/"))).toEqual(["Deployment/app-3", "Deployment/app-17"]);
    expect(shown.has("Pod/app-3-1-0")).toBe(true);
    ask({ open: [FOLD] });
    expect([...shown].filter((id) => id.startsWith("Deployment/"))).toHaveLength(40);
    ask({ open: [] });
    expect([...shown].filter((id) => id.startsWith("Deployment/"))).toHaveLength(2);
  });

  test("are shown while the graph is small", () => {
    const { ask, shown } = drawing();
    const small = applications(20);
    expect(small.nodes.length).toBeLessThanOrEqual(SHOWN_WHOLE);
    ask({ ...small, tidy: true });
    expect(shown.has(FOLD)).toBe(false);
  });

  test("that become unwell come out, and stay when they are well again until the next tidy layout", () => {
    const { ask, shown } = drawing();
    ask({ ...applications(40), tidy: true });
    expect(shown.has("Deployment/app-5")).toBe(false);
    ask({ nodes: [node("Deployment", "app-5", { status: STATUS.degraded })] });
    expect(shown.has("Pod/app-5-1-0")).toBe(true);
    ask({ nodes: [node("Deployment", "app-5")] });
    expect(shown.has("Deployment/app-5")).toBe(true);
    ask({ tidy: true });
    expect(shown.has("Deployment/app-5")).toBe(false);
  });

  test("are shown one by one while one of their resources is selected", () => {
    const { ask, shown, members } = drawing();
    ask({ ...applications(40), tidy: true });
    ask({ wanted: ["Pod/app-7-1-0"] });
    expect(shown.has("Pod/app-7-1-0")).toBe(true);
    expect(members()).toHaveLength(39);
  });

  test("leave what a branch that is shown uses as well", () => {
    const { ask, shown } = drawing();
    const { nodes, edges } = applications(40, [9]);
    ask({ nodes, edges: [...edges, edge("Deployment/app-9", "ConfigMap/app-0-config", "uses")], tidy: true });
    expect(shown.has("ConfigMap/app-0-config")).toBe(true);
    expect(shown.has("ConfigMap/app-1-config")).toBe(false);
  });

  test("of which a line dangles are shown", () => {
    const { ask, shown } = drawing();
    const { nodes, edges } = applications(40);
    ask({
      nodes: [...nodes, node("Secret", "gone", { presence: "missing" })],
      edges: [...edges, edge("Deployment/app-2", "Secret/gone", "dangling")],
      tidy: true,
    });
    expect(shown.has("Deployment/app-2")).toBe(true);
    expect(shown.has("Secret/gone")).toBe(true);
  });
});
