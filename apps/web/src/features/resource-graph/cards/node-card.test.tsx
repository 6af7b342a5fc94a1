import { create } from "@bufbuild/protobuf";
import { WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EnvironmentProvider, StoreProvider } from "../../live/environment-context.tsx";
import { EnvironmentStore } from "../../live/environment-store.ts";
import { MadeView } from "../../live/made-view.ts";
import { RovingFocus } from "../keyboard/roving-focus.ts";
import { foldGraph } from "@binnacle/presentation/layout/fold-graph";
import { byId } from "@binnacle/presentation/layout/testing";
import { inputNodeOf } from "@binnacle/presentation/layout/graph-input-of";
import { COMFORTABLE, COMPACT, type Density } from "@binnacle/presentation/drawing/geometry";
import { GraphActionsProvider } from "./graph-context.tsx";
import { CardView } from "./node-card.tsx";

const NAME = "payments-service-src-w5kzm-7d9c5b8f6b-8x89f";
const FLOW = { dragging: false, zIndex: 0, selectable: false, deletable: false, selected: false, draggable: false, isConnectable: false };

function cardOf(density: Density, chosen: ReadonlySet<string> = new Set()): string {
  const store = new EnvironmentStore((flush) => flush());
  const nodes = new MadeView().nodes([
    { id: "pod", ref: { kind: "Pod", namespace: "prod", name: NAME }, externalUrl: "https://a.example" },
  ]);
  store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value: { nodes, complete: true } } }), 1);
  const [card] = foldGraph(byId([...store.nodes.values()].map(inputNodeOf)), new Map()).cards.values();
  if (card === undefined) throw new Error("no card");
  const actions = { density, focus: new RovingFocus(), sel: "", hits: undefined, hit: "", chosen, choose: () => {}, activate: () => {} };
  return renderToStaticMarkup(
    <EnvironmentProvider projectPath="shop" environment="production">
      <StoreProvider store={store}>
        <GraphActionsProvider value={actions}>
          <CardView {...FLOW} id={card.id} type="card" data={{ card }} positionAbsoluteX={0} positionAbsoluteY={0} />
        </GraphActionsProvider>
      </StoreProvider>
    </EnvironmentProvider>,
  );
}

test("US12: a card keeps the end of a name, and has the whole of it for pointers and readers", () => {
  for (const density of [COMFORTABLE, COMPACT]) {
    const html = cardOf(density);
    expect(/>([^<>]*…[^<>]*)</.exec(html)?.[1]).toMatch(/^p.*6b-8x89f$/);
    expect(html).toContain(`title="${NAME}"`);
    expect(html).toContain(`<span class="visually-hidden">Pod ${NAME} in prod`);
  }
});

test("a card that is chosen has a mark, and a screen reader says so", () => {
  expect(cardOf(COMFORTABLE)).toContain('data-chosen="false"');
  const html = cardOf(COMFORTABLE, new Set([`/Pod/prod/${NAME}`]));
  expect(html).toContain('data-chosen="true"');
  expect(html).toMatch(/<span class="visually-hidden">Pod [^<]*, chosen<\/span>/);
});
