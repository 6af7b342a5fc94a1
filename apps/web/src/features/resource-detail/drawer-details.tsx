"use client";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import type { UrlState } from "../address/url-state.ts";
import { useView } from "../live/environment-context.tsx";
import type { LiveNode } from "../live/live-node.ts";
import { sayLater } from "../../ui/said.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { LogsTabProps } from "../logs/logs-tab.tsx";
import { useLazyCode } from "../../ui/lazy-code.ts";
import { LAZY_LOGS_TAB } from "./lazy-details.ts";
import { isClusterNode } from "../resource/cluster-node-link.tsx";
import { NodeOverview } from "./cluster-node/node-overview.tsx";
import { FamilyEventsTab } from "./family-events-tab.tsx";
import { ResourceMetrics } from "../metrics/resource-metrics.tsx";
import { ManifestTab } from "./manifest/manifest-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { RelationsTab } from "./relations-tab.tsx";
import { syncOf } from "./sync-of.ts";
import { useComparison } from "./manifest/use-comparison.ts";
import { useResource, type ShownResource } from "./use-resource.ts";
import { YamlTab } from "./yaml-tab.tsx";

/** What one tab of the drawer shows. */
export interface DrawerDetailsProps {
  readonly projectPath: string;
  readonly environment: string;
  readonly node: LiveNode;
  /** It has left: what was known last is shown. */
  readonly departed: boolean;
  readonly tab: UrlState["tab"];
}

/** The chosen tab of a resource. What is asked for it is asked whichever tab is shown. */
export function DrawerDetails({ node, departed, tab, ...where }: DrawerDetailsProps): ReactNode {
  const { kept } = useView();
  // Of a picture that was kept there is nothing more than the picture.
  const present = node.presence === Presence.PRESENT && !departed && !kept;
  const shown = { ...where, node, present };
  const resource = useResource(shown);
  switch (tab) {
    case "relations":
      return <RelationsTab node={node} />;
    case "yaml":
      return <YamlTab node={node} resource={resource} kept={kept} />;
    case "manifest":
      return <Manifest shown={shown} kept={kept} />;
    case "logs":
      return <Logs {...where} node={node} />;
    case "events":
      return <FamilyEventsTab node={node} resource={resource} kept={kept} />;
    default:
      return isClusterNode(node.ref) ? (
        <NodeOverview {...where} node={node} resource={resource} />
      ) : (
        <OverviewTab node={node} resource={resource} departed={departed} metrics={<ResourceMetrics node={node} present={present} />} />
      );
  }
}

/** Loaded only while it is looked at. */
function Logs(props: LogsTabProps): ReactNode {
  const { code: Loaded, failure } = useLazyCode(LAZY_LOGS_TAB, true);
  if (failure !== undefined) throw failure.error;
  return Loaded === undefined ? <Skeleton rows={6} label={sayLater("logs-page/loading")} /> : <Loaded {...props} />;
}

/** Compared only while it is looked at: nothing else needs it. */
function Manifest({ shown, kept }: { readonly shown: ShownResource; readonly kept: boolean }): ReactNode {
  const gitops = useView().environment?.delivery?.sync?.value;
  const sync = shown.node && syncOf(gitops, shown.node);
  return <ManifestTab comparison={useComparison(shown, sync)} kept={kept} />;
}
