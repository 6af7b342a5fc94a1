import type { Environment } from "@binnacle/proto/dashboard";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { PageWordsId } from "@binnacle/words/en/page";
import { DRAWER_TABS, type DrawerTab } from "../address/url-state.ts";
import type { LiveNode } from "../live/live-node.ts";
import { isClusterNode } from "../resource/cluster-node-link.tsx";
import { hasLogs } from "../resource/has-logs.ts";
import { syncOf } from "./sync-of.ts";

/** What decides which tabs a resource has. */
export interface TabContext {
  readonly node: LiveNode;
  /** Whether the view has the resource; the page of a cluster's Node is there without. */
  readonly inView: boolean;
  readonly environment: Environment | undefined;
}

interface TabDefinition {
  readonly title: PageWordsId;
  readonly isShown: (context: TabContext) => boolean;
}

const always = (): boolean => true;

/**
 * Titles and conditions of all tabs. What each shows is PARTS of drawer-details.tsx, which is loaded after the first HTML; both tables have
 * every `DrawerTab` or do not compile.
 */
export const TABS: Readonly<Record<DrawerTab, TabDefinition>> = {
  overview: { title: "resource-detail/overview", isShown: always },
  relations: { title: "resource-detail/relations", isShown: ({ inView }) => inView },
  manifest: { title: "resource-detail/manifest", isShown: hasManifest },
  yaml: { title: "resource-detail/tab/yaml", isShown: always },
  events: { title: "ui/events", isShown: always },
  logs: { title: "ui/logs", isShown: ({ node }) => node.ref !== undefined && hasLogs(node.ref) },
  terminal: {
    title: "resource-detail/tab-terminal",
    isShown: ({ node, environment }) => environment?.terminal === true && node.ref?.group === "" && node.ref.resource === "pods",
  },
};

/** The tabs of a resource, in their order; the overview is always among them. */
export function shownTabs(context: TabContext): readonly DrawerTab[] {
  return DRAWER_TABS.filter((tab) => TABS[tab].isShown(context));
}

/** Whether it may have a manifest: a controller creates what another resource owns, and a kubelet its Node. */
function hasManifest({ node, environment }: TabContext): boolean {
  if (isClusterNode(node.ref)) return false;
  if (syncOf(environment?.delivery?.sync?.value, node) !== undefined || node.managedBy?.direct === true) return true;
  return node.presence === Presence.PRESENT && node.ownerId === "";
}
