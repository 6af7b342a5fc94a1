import { create } from "@bufbuild/protobuf";
import { WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AtAddress } from "../address/testing/at-address.tsx";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { MadeView } from "../live/made-view.ts";
import { shownColumns } from "./column-choice.ts";
import { nameRooms } from "./name-rooms.ts";
import { ResourceRow } from "./resource-row.tsx";

const PODS = ["8x89f", "w5kzm"].map((end) => `aaaa-a-very-long-name-for-a-workload-7d9c5b8f6b-${end}`);

/** What the cell with the name says, as it is drawn, of Pods in a column so wide. */
function drawnIn(widths: readonly number[]): readonly string[] {
  const store = new EnvironmentStore((flush) => flush());
  const nodes = new MadeView().nodes(PODS.map((name) => ({ id: name, ref: { kind: "Pod", namespace: "prod", name } })));
  store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value: { nodes, complete: true } } }), 1);
  return [...store.nodes.keys()].map((id) => {
    const columns = shownColumns([], "", false);
    const looks = { style: {}, selected: "", chosen: true, isTabStop: true, columns, rooms: nameRooms(columns, widths) };
    const row = <ResourceRow id={id} index={2} {...looks} onChoose={() => {}} />;
    return renderToStaticMarkup(
      <AtAddress query="view=list">
        <StoreProvider store={store}>{row}</StoreProvider>
      </AtAddress>,
    );
  });
}

test("US12: Pods of one ReplicaSet look different in the narrowest column, and readers hear the whole name", () => {
  const rows = drawnIn([]);
  expect(rows.map((html) => /aria-hidden="true">([^<]*…[^<]*)</.exec(html)?.[1]?.slice(-8))).toEqual(["6b-8x89f", "6b-w5kzm"]);
  for (const [index, html] of rows.entries()) expect(html).toContain(`<span class="visually-hidden">${PODS[index]}</span>`);
});

test("US12: where the column has room, nothing is shortened", () => {
  for (const [index, html] of drawnIn([28, 168, 600, 110, 200, 120, 72, 72, 130, 150]).entries()) {
    expect(html).toContain(`>${PODS[index]}</a>`);
    expect(html).not.toContain("…");
  }
});

test("US13: a name is a link to the resource, and the row alone is the tab stop and says whether it is chosen", () => {
  const [html = ""] = drawnIn([]);
  expect(html).toContain(`&amp;sel=core/pod/prod/${PODS[0]}"`);
  expect(html.match(/tabindex="0"/g)).toHaveLength(1);
  expect(html).toMatch(/role="row"[^>]+aria-selected="true"[^>]+tabindex="0"/);
});
