"use client";
import type { ReactNode } from "react";
import { StoppedClock, useNow } from "../../../ui/use-now.ts";
import { useUrlState } from "../../address/use-url-state.ts";
import { drawGraphNow } from "@binnacle/presentation/drawing/svg-writer";
import { exportScopeOf } from "../../export/export-scope.ts";
import { useEnvironmentStore, useView } from "../../live/environment-context.tsx";
import { freshnessOf } from "@binnacle/presentation/view/freshness";
import styles from "../../print/print.module.css";
import { usePrinting } from "../../../ui/use-printing.ts";
import type { Room } from "@binnacle/presentation/layout/lanes";
import { shownStyles } from "@binnacle/presentation/drawing/edge-presets";
import type { GraphSession } from "../picture/graph-session.ts";
import { exportPicture, pictureGaps } from "@binnacle/presentation/drawing/export-picture";
import type { CardEdge } from "@binnacle/presentation/layout/card";
import type { PlacedCard } from "@binnacle/presentation/layout/graph-engine";
import { CardLayout } from "@binnacle/presentation/layout/layout-cards";
import { routeEdges } from "@binnacle/presentation/layout/routes";

/** What a sheet of A4 has for the drawing, in pixels: an inch is 96 (CSS), 10 mm at each side are the browser's, and a head stands above. */
const SHEET: Room = { width: 718, height: 900 };

/** The graph on paper: the drawing that can be exported, all of it, laid out as large as the sheet allows, instead of the part that is in sight. */
export function PrintedGraph({ session }: { readonly session: GraphSession }): ReactNode {
  const isPrinting = usePrinting();
  return (
    isPrinting && (
      <StoppedClock value={undefined}>
        <Drawing session={session} />
      </StoppedClock>
    )
  );
}

function Drawing({ session }: { readonly session: GraphSession }): ReactNode {
  const store = useEnvironmentStore();
  const view = useView();
  const [url] = useUrlState();
  const picture = layOutFor(SHEET, session.picture());
  const nowMs = useNow();
  const freshness = freshnessOf(view, nowMs);
  const scope = exportScopeOf({ subject: "graph", view, freshness, url, nowMs, gaps: pictureGaps(picture) });
  const { svg } = drawGraphNow(exportPicture(picture, store, shownStyles(url.edges)), scope);
  // Made by our writer, through which no name becomes markup (writers.test.ts).
  return (
    <div className={styles["drawing"]} data-printed="graph" dangerouslySetInnerHTML={{ __html: svg.replace(/^<\?xml[^>]*>\s*/, "") }} />
  );
}

/** What stands somewhere. */
interface Placed {
  readonly cards: ReadonlyMap<string, PlacedCard>;
  readonly edges: ReadonlyMap<string, CardEdge>;
}

/** The same cards and lines, none more or less, laid out from nothing for another room. */
export function layOutFor<Picture extends Placed>(room: Room, picture: Picture): Picture {
  const layout = new CardLayout();
  layout.tidy(new Map([...picture.cards].map(([id, { card }]) => [id, card])), { room });
  const cards = new Map<string, PlacedCard>();
  for (const [id, { card, slot }] of picture.cards) cards.set(id, { card, slot: layout.slots.get(id) ?? slot });
  return { ...picture, cards, edges: routeEdges(picture.edges, layout.slots) };
}
