"use client";
import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { useRouter } from "next/navigation";
import { useMemo, type ReactNode } from "react";
import { environmentPath, indexPath } from "../address/route-path.ts";
import { PalettePanel } from "../palette/palette-panel.tsx";
import { useHeldResources } from "../palette/use-held-resources.ts";
import { environmentItems, namedEnvironment } from "./environment-items.ts";

/** The palette of the index: its environments, what the server holds of their resources, and what the page can do. */
export function EnvironmentsPalette(props: {
  readonly projectPath: string;
  readonly rows: ReadonlyMap<string, EnvironmentRow>;
  readonly onClose: () => void;
}): ReactNode {
  const { projectPath, rows, onClose } = props;
  const router = useRouter();
  const items = useMemo(
    () =>
      environmentItems([...rows.values()].map(namedEnvironment), (name) =>
        router.push(name === undefined ? indexPath(projectPath) : environmentPath(projectPath, name)),
      ),
    [rows, router, projectPath],
  );
  const held = useHeldResources(projectPath);
  const all = useMemo(() => [...items, ...held.items], [items, held]);
  return <PalettePanel items={all} note={held.note} onClose={onClose} />;
}
