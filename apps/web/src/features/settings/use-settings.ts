"use client";
import type { GetEnvironmentSettingsResponse, PreviewEnvironmentSettingsResponse } from "@binnacle/proto/dashboard-settings";
import { PreviewState } from "@binnacle/proto/settings-enums";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { loadSettings } from "./load-settings.ts";
import { messageOf, type SettingsFields } from "./draft.ts";

/** Which environment; without a name a new one. */
export interface SettingsNames {
  readonly projectPath: string;
  readonly environment: string;
}

/** A viewer has stopped typing. */
const PAUSE_MS = 400;
const PREVIEW_LIMIT_MS = 30_000;
/** The cluster changes, and so may the right to see it. */
const PREVIEW_AGAIN_MS = 30_000;
/** What was not counted yet may be now. */
const PARTIAL_AGAIN_MS = 2_000;

/**
 * Settings as they were when the page was opened, or loaded again on request: what is edited is compared with them, so they do not change by
 * themselves.
 */
export function useSettings(names: SettingsNames): UseQueryResult<GetEnvironmentSettingsResponse> {
  const { projectPath, environment } = names;
  return useQuery({
    queryKey: ["settings", projectPath, environment],
    queryFn: async ({ signal }) => (await loadSettings()).getEnvironmentSettings({ projectPath, environment }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}

/** What settings would show, once typing has paused, and again while the page is open. */
export function usePreview(
  names: SettingsNames,
  fields: SettingsFields,
): { readonly query: UseQueryResult<PreviewEnvironmentSettingsResponse>; readonly isOutdated: boolean } {
  const { projectPath, environment } = names;
  const wanted = JSON.stringify(messageOf(fields));
  const settled = useSettled(wanted);
  const query = useQuery({
    queryKey: ["settings-preview", projectPath, environment, settled],
    queryFn: async ({ signal }) => {
      // It is what was made of the fields above.
      const settings = JSON.parse(settled) as ReturnType<typeof messageOf>;
      const request = { projectPath, environment, settings };
      return (await loadSettings()).previewEnvironmentSettings(request, { signal, timeoutMs: PREVIEW_LIMIT_MS });
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.state === PreviewState.PARTIAL ? PARTIAL_AGAIN_MS : PREVIEW_AGAIN_MS),
    staleTime: 0,
    gcTime: 0,
  });
  return { query, isOutdated: wanted !== settled || query.isPlaceholderData };
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Whether the browser has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      addEventListener("online", changed);
      addEventListener("offline", changed);
      return () => {
        removeEventListener("online", changed);
        removeEventListener("offline", changed);
      };
    },
    () => navigator.onLine,
    () => true,
  );
}
