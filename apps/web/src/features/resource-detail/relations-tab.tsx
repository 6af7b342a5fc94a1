"use client";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { LiveEdge, LiveNode } from "../live/live-node.ts";
import { useMemo, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useEnvironmentStore, useGraphVersion } from "../live/environment-context.tsx";
import { lookOf, statusOf, wordOf } from "../live/health-status.ts";
import { nameOfEdge, notesOfEdge, type EdgeNote } from "@binnacle/presentation/graph/edge-words";
import { iconOfKind } from "@binnacle/presentation/health/kind-words";
import styles from "./drawer.module.css";
import { Notices } from "./notices.tsx";
import { NodeLink } from "../resource/node-link.tsx";
import { tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";

/** Notices about owner references that do not count: those have no line that could say it. */
const OWNER_NOTICES: ReadonlySet<string> = new Set(["OwnerRing", "OwnerInOtherNamespace"]);

interface Relation {
  readonly edge: LiveEdge;
  readonly other: LiveNode;
}

const LOOKS = {
  fault: { icon: <Icon name="x" size={12} />, look: "degraded" },
  idle: { icon: <Icon name="minus" size={12} />, look: "" },
  plain: { icon: null, look: "" },
} as const satisfies Record<EdgeNote["tone"], { readonly icon: ReactNode; readonly look: string }>;

/** What it refers to and what refers to it, with the place of the reference and what is special about it; what leads nowhere comes first. */
export function RelationsTab({ node }: { readonly node: LiveNode }): ReactNode {
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  const { refersTo, usedBy } = useMemo(() => {
    const out: Relation[] = [];
    const into: Relation[] = [];
    for (const edge of store.edges.values()) {
      const other = edge.from === node.id ? store.node(edge.to) : edge.to === node.id ? store.node(edge.from) : undefined;
      if (other !== undefined) (edge.from === node.id ? out : into).push({ edge, other });
    }
    return { refersTo: out.sort(missingFirst), usedBy: into.sort(missingFirst) };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  }, [store, version, node]);
  return (
    <>
      <Notices notices={node.notices.filter(({ reason }) => OWNER_NOTICES.has(reason))} />
      <Relations
        self={node}
        title={tLater("resource-detail/refers-to")}
        relations={refersTo}
        none={tLater("resource-detail/no-references")}
      />
      <Relations
        self={node}
        title={tLater("resource-detail/referred-to-by")}
        relations={usedBy}
        none={tLater("resource-detail/no-referrers")}
      />
    </>
  );
}

function Relations(props: {
  readonly self: LiveNode;
  readonly title: string;
  readonly relations: readonly Relation[];
  readonly none: string;
}): ReactNode {
  const { self, title, relations, none } = props;
  return (
    <section>
      <h3>
        {title} <span className="count num">{relations.length}</span>
      </h3>
      {relations.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <ul className={styles["relations"]}>
          {relations.map(({ edge, other }) => (
            <li key={edge.id}>
              <Icon name={iconOfKind(other.ref?.kind ?? "")} size={14} />
              <span>
                <span className="muted" translate="no">
                  {other.ref?.kind}{" "}
                </span>
                <NodeLink node={other} />
                <span className={styles["path"]}>
                  <EdgeName edge={edge} />
                  {edge.fieldPaths.length > 0 && (
                    <>
                      {": "}
                      <span className="mono" translate="no">
                        {edge.fieldPaths.join(", ")}
                      </span>
                    </>
                  )}
                </span>
                <EdgeNotes edge={edge} to={edge.to === other.id ? other : self} />
              </span>
              <State node={other} missing={edge.missing && !edge.optional} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function EdgeName({ edge }: Pick<Relation, "edge">): ReactNode {
  const name = <span translate="no">{nameOfEdge(edge)}</span>;
  return edge.optional ? tLaterElements("resource-detail/edge-optional", { edge: name }) : name;
}

function State({ node, missing }: { readonly node: LiveNode; readonly missing: boolean }): ReactNode {
  const look = node.presence === Presence.NOT_VISIBLE ? "locked" : lookOf(statusOf(node));
  if (look === "neutral") return null;
  return (
    <span className={`st ${missing ? "degraded" : look}`}>
      <StateGlyph look={look} size={14} />
      {node.presence === Presence.MISSING
        ? tLater("resource/does-not-exist")
        : look === "locked"
          ? tLater("resource-detail/not-visible")
          : wordOf(statusOf(node))}
    </span>
  );
}

function missingFirst(left: Relation, right: Relation): number {
  return (
    Number(leadsNowhere(right.edge)) - Number(leadsNowhere(left.edge)) ||
    statusOf(right.other) - statusOf(left.other) ||
    ((left.other.ref?.name ?? "") < (right.other.ref?.name ?? "") ? -1 : 1)
  );
}

function leadsNowhere({ missing, refused, portMissing }: LiveEdge): boolean {
  return missing || refused || portMissing;
}

/** What is special about where a reference leads, a line each. */
export function EdgeNotes({ edge, to }: { readonly edge: LiveEdge; readonly to: LiveNode }): ReactNode {
  return notesOfEdge(edge, to).map(({ text, tone }) => {
    const { icon, look } = LOOKS[tone];
    return (
      <span key={text} className={`${styles["note"]} ${look}`} data-note={tone}>
        {icon} {text}
      </span>
    );
  });
}
