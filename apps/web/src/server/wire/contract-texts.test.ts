import { file_dashboard_v1_dashboard } from "@binnacle/proto/dashboard";
import { ScalarType } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

/**
 * Texts of dashboard.v1 that are the same in every language: names, paths, reasons as they are for machines, and what the cluster, kas or
 * another program has written itself, which is quoted. Whatever else is said to people is `Words`.
 */
const OF_NO_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  ResourceRef: ["group", "version", "kind", "resource", "namespace", "name"],
  Words: ["id"],
  Fact: ["name", "text"],
  WhyLink: ["container", "reason"],
  PrecedingChange: ["what"],
  Why: ["reason"],
  Notice: ["reason"],
  ManagedBy: ["tool", "name"],
  Cause: ["reason"],
  IssueGroup: ["key", "reason", "kinds"],
  ResourceHealth: ["reason", "rule"],
  EnvironmentHealth: ["reason", "hidden"],
  Node: ["images", "external_url"],
  Edge: ["kind", "edge_class", "field_paths", "missing_ports"],
  Source: ["group", "version", "resource", "kind", "namespace"],
  ConfigurationError: ["reason", "last_good_commit"],
  Deployment: ["sha", "ref", "title", "commit_url", "author", "by_username", "by_name", "job", "job_url", "tool_object", "repository"],
  GitopsFailure: ["group", "kind", "namespace", "name", "reason", "path"],
  GitopsSync: [
    "project",
    "sha",
    "commit_url",
    "title",
    "author",
    "reason",
    "prune_held",
    "inventory_id",
    "inventory_namespace",
    "inventory_name",
    "paths",
    "branch",
  ],
  ToolSync: [
    "namespace",
    "name",
    "reason",
    "message",
    "revision",
    "sha",
    "attempted",
    "source",
    "source_url",
    "source_problem",
    "path",
    "target",
  ],
  Environment: [
    "project_path",
    "name",
    "slug",
    "tier",
    "state",
    "external_url",
    "namespace",
    "agent_name",
    "agent_project_path",
    "scope_id",
  ],
  Viewer: ["username", "name", "cluster_username", "cluster_groups"],
  Problem: ["link"],
  PageLink: ["name", "query"],
  Delta: ["removed_sources"],
  ViewPosition: ["view"],
  WatchEnvironmentRequest: ["project_path", "environment"],
  SummarizeEnvironmentRequest: ["project_path", "environment"],
  RowsSeen: ["names"],
  WatchEnvironmentsRequest: ["project_path", "visible"],
  WatchEnvironmentsResponse: ["removed"],
  Project: ["full_path", "name"],
  GetResourceRequest: ["project_path", "environment"],
  Condition: ["type", "status", "reason", "message"],
  ResourceEvent: ["type", "reason", "message", "source"],
  FieldChange: ["path", "before", "after"],
  Change: ["manager", "subresource"],
  ManifestPlace: ["path", "url"],
  GetResourceResponse: ["yaml", "labels", "annotations"],
  CompareManifestRequest: ["project_path", "environment"],
  ManifestField: ["path", "desired", "live", "manager"],
  CompareManifestResponse: ["project", "sha"],
  GitopsTarget: ["project_path", "environment", "inventory_namespace", "inventory_name"],
  AskGitopsRequest: ["commit"],
  GetMetricsRequest: ["project_path", "environment"],
  MetricSeries: ["name", "queries"],
  GetMetricsResponse: ["service", "namespaces"],
};

test("no text of ours travels beside the catalogue: every text of the contract is known to be of no language", () => {
  const texts = file_dashboard_v1_dashboard.messages.flatMap(({ name, fields }) =>
    fields.filter(({ scalar, fieldKind }) => scalar === ScalarType.STRING || fieldKind === "map").map((field) => `${name}.${field.name}`),
  );
  const known = Object.entries(OF_NO_LANGUAGE).flatMap(([name, fields]) => fields.map((field) => `${name}.${field}`));
  expect(texts).toEqual(known);
});
