"use client";
import type { LiveNode } from "../live/live-node.ts";
import type { ReactNode } from "react";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { managerWords } from "../why/why-words.ts";
import { NodeLink } from "../resource/node-link.tsx";
import { generatorOf } from "./generator-of.ts";
import { sayLater } from "../../ui/said.ts";
import { sayLaterWith } from "../../ui/say-with.ts";

/** Who applied it, or what it was generated from; only for nodes that say so. */
export function Origin({ node }: { readonly node: LiveNode }): ReactNode {
  const store = useEnvironmentStore();
  const { managedBy } = node;
  if (managedBy === undefined) return null;
  const manager = managerWords(managedBy);
  if (managedBy.direct) return <>{sayLater("resource-detail/managed-directly-by", { manager })}</>;
  const generator = generatorOf(node, (id) => store.node(id));
  return (
    <>
      {sayLaterWith("resource-detail/generated-from-managed", {
        what:
          generator === undefined ? (
            sayLater("resource-detail/a-resource")
          ) : (
            <>
              {generator.ref?.kind} <NodeLink node={generator} />
            </>
          ),
        manager,
      })}
    </>
  );
}
