"use client";
import type { HeldEnvironment, HeldResource, ListHeldResourcesResponse } from "@binnacle/proto/dashboard";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { tLater } from "../../ui/messages.ts";
import { environmentPath } from "../address/route-path.ts";
import { selectionOf } from "../address/url-state.ts";
import { detailKeys } from "../queries/detail-keys.ts";
import { loadDashboard } from "../live/load-dashboard.ts";
import { lookOf, wordOf } from "../live/health-status.ts";
import type { PaletteItem } from "./palette-items.ts";

/** Environments that are named where they are not searched. */
const MAX_NAMED = 3;

/** What the palette finds of a project's environments. */
interface HeldItems {
  readonly items: readonly PaletteItem[];
  /** All environments of the project, with the status that the server knew last. */
  readonly environments: readonly HeldEnvironment[];
  /** Which environments are not searched; absent when all are, or while nothing is known. */
  readonly note: string | undefined;
}

const NOTHING: HeldItems = { items: [], environments: [], note: undefined };

/**
 * Resources of a project's environments as far as the server holds them, to go to. Queried once when the palette opens, without a read of a cluster.
 *
 * @param except an environment whose resources the page has itself
 */
export function useHeldResources(projectPath: string, except?: string): HeldItems {
  const router = useRouter();
  const { data } = useQuery({
    queryKey: detailKeys.heldResources(projectPath),
    queryFn: async ({ signal }) => (await loadDashboard()).listHeldResources({ projectPath }, { signal }),
  });
  return useMemo(() => {
    const go = (path: string): void => router.push(path);
    return data === undefined ? NOTHING : heldItems(data, { projectPath, except, go });
  }, [data, projectPath, except, router]);
}

/** Where the items are shown. */
interface Shown {
  readonly projectPath: string;
  readonly except: string | undefined;
  /** Opens an address of the dashboard. */
  readonly go: (path: string) => void;
}

/** The answer as items, in its order. */
export function heldItems(answer: ListHeldResourcesResponse, shown: Shown): HeldItems {
  const { resources, total, unlisted, unlistedTotal, environments } = answer;
  const others = resources.filter(({ environment }) => environment !== shown.except);
  const names = unlisted.filter((name) => name !== shown.except);
  const more = unlistedTotal - unlisted.length + Math.max(0, names.length - MAX_NAMED);
  const left = total - resources.length;
  const notes = [
    ...(names.length > 0 ? [tLater("palette/not-searched", { names: names.slice(0, MAX_NAMED), more: more || undefined })] : []),
    ...(left > 0 ? [tLater("palette/not-listed", { count: left })] : []),
  ];
  const items = others.flatMap((each) => itemOf(each, shown) ?? []);
  return { items, environments, note: notes.length === 0 ? undefined : notes.join(" ") };
}

function itemOf({ environment, ref, status }: HeldResource, { projectPath, go }: Shown): PaletteItem | undefined {
  if (ref === undefined) return undefined;
  const selection = selectionOf(ref);
  return {
    id: `${environment} ${selection}`,
    group: "Resources",
    text: ref.name,
    detail: tLater("palette/kind-in-environment", { kind: ref.kind, environment }),
    look: lookOf(status),
    state: status === 0 ? "" : wordOf(status),
    run: () => go(`${environmentPath(projectPath, environment)}?${new URLSearchParams({ sel: selection }).toString()}`),
  };
}
