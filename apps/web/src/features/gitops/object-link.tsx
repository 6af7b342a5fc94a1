import type { ReactNode } from "react";
import { StateLink } from "../address/state-link.tsx";
import { selectionOf } from "../address/url-state.ts";
import { useEnvironmentStore, useGraphVersion } from "../live/environment-context.tsx";
import { nodeIdOf } from "../live/live-node.ts";
import styles from "./gitops-card.module.css";

/** Names an object of a sync. */
interface NamedObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** An object of a sync, by kind and name; a link to its drawer where the view shows it. */
export function ObjectLink({ object }: { readonly object: NamedObject }): ReactNode {
  const store = useEnvironmentStore();
  useGraphVersion();
  const text = `${object.kind} ${object.namespace === "" ? "" : `${object.namespace}/`}${object.name}`;
  const ref = store.node(nodeIdOf(object))?.ref;
  if (ref === undefined) return <span translate="no">{text}</span>;
  return (
    <StateLink className={styles["failed"]} translate="no" change={{ sel: selectionOf(ref) }}>
      {text}
    </StateLink>
  );
}
