"use client";
import { useRouter } from "next/navigation";
import { useMemo, type ReactNode } from "react";
import { indexPath, environmentPath } from "../address/route-path.ts";
import { selectionOf } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { environmentItems } from "../environments/environment-items.ts";
import { NO_FILTERS } from "../filter/node-filter.ts";
import { useEnvironmentStore, useGraphVersion, useView } from "../live/environment-context.tsx";
import { lookOf, statusOf, wordOf } from "../live/health-status.ts";
import type { PaletteItem } from "../palette/palette-items.ts";
import { PalettePanel } from "../palette/palette-panel.tsx";
import { useHeldResources } from "../palette/use-held-resources.ts";
import { tLater } from "../../ui/messages.ts";

/** The palette of an environment: its resources and their kinds, other environments and what the server holds of them, and what the page can do. */
export function EnvironmentPalette({ projectPath, onClose }: { readonly projectPath: string; readonly onClose: () => void }): ReactNode {
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  const [, setUrl] = useUrlState();
  const router = useRouter();
  const items = useMemo(() => {
    const kinds = new Map<string, number>();
    const resources: PaletteItem[] = [];
    // What is not well is what people come for.
    for (const node of [...store.nodes.values()].toSorted((one, two) => statusOf(two) - statusOf(one))) {
      const { ref } = node;
      if (ref === undefined) continue;
      kinds.set(ref.kind, (kinds.get(ref.kind) ?? 0) + 1);
      const status = statusOf(node);
      resources.push({
        id: selectionOf(ref),
        group: "Resources",
        text: ref.name,
        detail: ref.namespace === "" ? ref.kind : tLater("environment/kind-in", { kind: ref.kind, namespace: ref.namespace }),
        look: lookOf(status),
        state: status === 0 ? "" : wordOf(status),
        run: () => setUrl({ sel: selectionOf(ref), tab: "overview" }),
      });
    }
    const ofKinds = [...kinds]
      .toSorted(([one], [two]) => (one < two ? -1 : 1))
      .map(([kind, count]): PaletteItem => ({
        id: `kind ${kind}`,
        group: "Kinds",
        text: kind,
        detail: tLater("ui/resource-count", { count }),
        run: () => setUrl({ ...NO_FILTERS, view: "list", kinds: [kind] }),
      }));
    return [...resources, ...ofKinds];
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  }, [store, version, setUrl]);
  const { environment } = useView();
  const held = useHeldResources(projectPath, environment?.name);
  const others = useMemo(
    () =>
      environmentItems(held.environments, (name) =>
        router.push(name === undefined ? indexPath(projectPath) : environmentPath(projectPath, name)),
      ),
    [held.environments, router, projectPath],
  );
  const all = useMemo(() => [...items, ...held.items, ...others], [items, held, others]);
  return <PalettePanel items={all} note={held.note} onClose={onClose} />;
}
