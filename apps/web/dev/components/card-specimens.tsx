import type { NodeProps } from "@xyflow/react";
import type { ReactNode } from "react";
import type { LiveNode } from "../../src/features/live/live-node.ts";
import { statusOf } from "../../src/features/live/health-status.ts";
import { COMFORTABLE, COMPACT, type Density } from "@binnacle/presentation/drawing/geometry";
import { GraphActionsProvider } from "../../src/features/resource-graph/cards/graph-context.tsx";
import type { Card } from "@binnacle/presentation/layout/card";
import { CardView, type CardNode } from "../../src/features/resource-graph/cards/node-card.tsx";
import { RovingFocus } from "../../src/features/resource-graph/keyboard/roving-focus.ts";
import type { SpecimenGroup } from "./specimen.ts";
import styles from "./specimen-sheet.module.css";
import { everyState, In, worldStore } from "./specimen-store.tsx";

const store = worldStore(everyState());
const nodes = [...store.nodes.values()];
const RELATED = {
  members: [],
  below: 0,
  superseded: false,
  worstBelow: 0,
  counts: [],
  owner: "",
  foldId: "",
  column: 0,
  parentId: "",
  block: "",
} as const;

function cardOf(node: LiveNode): Card {
  const { kind = "", name = "", group = "", namespace = "" } = node.ref ?? {};
  return { ...RELATED, id: node.id, type: "node", group, kind, namespace, name, presence: "present", status: statusOf(node) };
}

const FOLD: Card = {
  ...RELATED,
  id: "fold",
  type: "fold",
  group: "",
  kind: "Pod",
  namespace: "shop-prod",
  name: "",
  presence: "present",
  status: 5,
  members: Array.from({ length: 48 }, (_, index) => String(index)),
  below: 12,
  worstBelow: 5,
  counts: [
    [5, 3],
    [3, 2],
    [1, 43],
  ],
  fold: "replicas",
  owner: "ReplicaSet catalog-6d5b7f",
};

function cards(
  list: readonly Card[],
  density: Density,
  look: { readonly sel?: string; readonly hits?: ReadonlySet<string>; readonly hit?: string; readonly chosen?: ReadonlySet<string> } = {},
): ReactNode {
  const actions = {
    density,
    focus: new RovingFocus(),
    sel: look.sel ?? "",
    hits: look.hits,
    hit: look.hit ?? "",
    chosen: look.chosen ?? new Set<string>(),
    choose: () => undefined,
    activate: () => undefined,
  };
  return (
    <In store={store}>
      <GraphActionsProvider value={actions}>
        <div className={styles["wrap"]}>
          {list.map((card) => (
            <div key={card.id} style={{ position: "relative", width: density.width, height: density.height + density.strip }}>
              {/* A card reads nothing of React Flow but its data. */}
              <CardView {...({ data: { card } } as NodeProps<CardNode>)} />
            </div>
          ))}
        </div>
      </GraphActionsProvider>
    </In>
  );
}

const all = nodes.map(cardOf);

/** Cards of the graph. */
export const cardSpecimens: SpecimenGroup = {
  title: "Cards",
  specimens: [
    { title: "every state", body: cards(all, COMFORTABLE) },
    { title: "every state, compact", body: cards(all, COMPACT) },
    { title: "selected", body: cards(all.slice(0, 2), COMFORTABLE, { sel: "apps/deployments/shop-prod/healthy" }) },
    {
      title: "chosen",
      body: cards([...all.slice(0, 2), FOLD], COMFORTABLE, { chosen: new Set([all[0]?.id ?? "", ...FOLD.members.slice(0, 3)]) }),
    },
    {
      title: "dimmed by a search",
      body: cards(all.slice(0, 3), COMFORTABLE, { hits: new Set([all[0]?.id ?? ""]), hit: all[0]?.id ?? "" }),
    },
    { title: "fold", body: cards([FOLD, { ...FOLD, id: "well", status: 1, below: 0, counts: [[1, 48]] }], COMFORTABLE) },
    { title: "fold, compact", body: cards([FOLD], COMPACT) },
  ],
};
