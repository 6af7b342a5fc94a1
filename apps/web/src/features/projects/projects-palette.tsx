"use client";
import type { Project } from "@binnacle/proto/dashboard";
import { useRouter } from "next/navigation";
import { useMemo, type ReactNode } from "react";
import { indexPath } from "../address/route-path.ts";
import type { PaletteItem } from "../palette/palette-items.ts";
import { PalettePanel } from "../palette/palette-panel.tsx";
import { tLater } from "../../ui/messages.ts";

/** The palette of the viewer's projects, and of what the page can do. */
export function ProjectsPalette({ projects, onClose }: { readonly projects: readonly Project[]; readonly onClose: () => void }): ReactNode {
  const router = useRouter();
  const items = useMemo(
    () =>
      projects.map(({ fullPath }): PaletteItem => ({
        id: `project ${fullPath}`,
        group: "Projects",
        text: fullPath,
        detail: tLater("ui/project"),
        run: () => router.push(indexPath(fullPath)),
      })),
    [projects, router],
  );
  return <PalettePanel items={items} onClose={onClose} />;
}
