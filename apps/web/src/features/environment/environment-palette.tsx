"use client";
import { useRouter } from "next/navigation";
import { useMemo, type ReactNode } from "react";
import { indexPath, environmentPath } from "../address/route-path.ts";
import { selectionOf } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { environmentItems } from "../environments/environment-items.ts";
import { useEnvironments } from "../environments/use-environments.ts";
import { NO_FILTERS } from "../filter/node-filter.ts";
import { useEnvironmentStore, useGraphVersion } from "../live/environment-context.tsx";
import { lookOf, statusOf, wordOf } from "../live/health-status.ts";
import type { PaletteItem } from "../palette/palette-items.ts";
import { PalettePanel } from "../palette/palette-panel.tsx";
import { sayLater } from "../../ui/said.ts";

const NOBODY: readonly string[] = [];

/** The palette of an environment: its resources and their kinds, the project's other environments, and what the page can do. */
export function EnvironmentPalette({ projectPath, onClose }: { readonly projectPath: string; readonly onClose: () => void }): ReactNode {
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  const [, setUrl] = useUrlState();
  const router = useRouter();
  const { rows } = useEnvironments(projectPath, { visible: NOBODY, issues: false, sent: undefined });
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
        detail: ref.namespace === "" ? ref.kind : sayLater("environment/kind-in", { kind: ref.kind, namespace: ref.namespace }),
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
        detail: count === 1 ? sayLater("environment/1-resource") : sayLater("environment/resource-count", { count }),
        run: () => setUrl({ ...NO_FILTERS, view: "list", kinds: [kind] }),
      }));
    return [...resources, ...ofKinds];
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  }, [store, version, setUrl]);
  const others = useMemo(
    () =>
      environmentItems(rows.values(), (name) =>
        router.push(name === undefined ? indexPath(projectPath) : environmentPath(projectPath, name)),
      ),
    [rows, router, projectPath],
  );
  const all = useMemo(() => [...items, ...others], [items, others]);
  return <PalettePanel items={all} onClose={onClose} />;
}
