"use client";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatSecond, millisOf } from "../../ui/format-time.ts";
import { tLater } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import { selectionOf } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import type { LiveNode } from "../live/live-node.ts";
import styles from "./drawer.module.css";
import { tLaterElements } from "../../ui/message-elements.ts";

/** The part of a view that is needed to find the successor of a deleted resource. */
interface SuccessorView {
  readonly nodes: ReadonlyMap<string, LiveNode>;
}

/** When a resource was deleted, and a way to what took its place. */
export function DepartedLine({ node, atMs }: { readonly node: LiveNode; readonly atMs: number }): ReactNode {
  const now = useNow(60_000);
  const [, setUrl] = useUrlState();
  const successor = successorOf(node, useEnvironmentStore());
  const ref = successor?.ref;
  return (
    <output className={styles["gone"]}>
      {tLaterElements("resource-detail/deleted-last-known", {
        at: (
          <ExactTime atMs={atMs} now={now}>
            {formatSecond(atMs, now === 0 ? atMs : now)}
          </ExactTime>
        ),
      })}
      {ref !== undefined && (
        <>
          {" "}
          <button type="button" className="linkish" title={`${ref.kind} ${ref.name}`} onClick={() => setUrl({ sel: selectionOf(ref) })}>
            {tLater("drawer/open-successor")}
          </button>
        </>
      )}
    </output>
  );
}

/**
 * What took the place of a resource that has left: the newest present one of its kind with the same owner, or else with the owner's owner, as a
 * pod of the next ReplicaSet has. Nothing for a resource without an owner: its name is all that it had.
 */
export function successorOf(left: LiveNode, { nodes }: SuccessorView): LiveNode | undefined {
  const owners = [left.ownerId, nodes.get(left.ownerId)?.ownerId ?? ""];
  for (const [generations, owner] of owners.entries()) {
    if (owner === "") continue;
    let newest: LiveNode | undefined;
    for (const each of nodes.values()) {
      if (!isAlike(each, left)) continue;
      const of = generations === 0 ? each.ownerId : nodes.get(each.ownerId)?.ownerId;
      if (of === owner && (newest === undefined || createdMs(each) > createdMs(newest))) newest = each;
    }
    if (newest !== undefined) return newest;
  }
  return undefined;
}

function isAlike(node: LiveNode, left: LiveNode): boolean {
  const [one, other] = [node.ref, left.ref];
  return (
    node.presence === Presence.PRESENT &&
    one !== undefined &&
    other !== undefined &&
    one.group === other.group &&
    one.kind === other.kind &&
    one.namespace === other.namespace &&
    one.name !== other.name
  );
}

function createdMs({ createdAt }: LiveNode): number {
  return createdAt === undefined ? 0 : millisOf(createdAt);
}
