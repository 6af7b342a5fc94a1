import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { VIEW_ENGINE, type ViewScope } from "@binnacle/environment-view";
import type { CustomEdgeRule } from "@binnacle/graph";
import {
  EnvironmentViewSchema,
  ViewSpecSchema,
  type EdgeRulesSchema,
  type EnvironmentView,
  type ViewScopeSchema,
  type ViewSpec,
} from "@binnacle/proto/kas-views";

/** What an agent is asked to make of a scope. Its health rules must be none: agents run no scripts. */
export function environmentSpec(scope: ViewScope, customEdges: readonly CustomEdgeRule[]): EnvironmentView {
  return create(EnvironmentViewSchema, { engine: VIEW_ENGINE, scope: sentScope(scope), edges: sentEdges(customEdges) });
}

/** The same of its summary. */
export function summarySpec(scope: ViewScope, customEdges: readonly CustomEdgeRule[]): ViewSpec {
  return create(ViewSpecSchema, { view: { case: "summary", value: { scope: sentScope(scope), edges: sentEdges(customEdges) } } });
}

function sentScope({ namespaces, labels, inventory, rules }: ViewScope): MessageInitShape<typeof ViewScopeSchema> {
  return {
    namespaces: [...namespaces],
    ...(labels && { labels: { requirements: labels.requirements.map((each) => ({ ...each, values: [...each.values] })) } }),
    ...(inventory && { inventory: { tool: inventory.tool, name: inventory.name } }),
    ...(rules && { rules: { id: rules.id, edges: edgesText(rules.edges), hidden: [...rules.hidden], ignored: [...rules.ignored] } }),
  };
}

function sentEdges(customEdges: readonly CustomEdgeRule[]): MessageInitShape<typeof EdgeRulesSchema> {
  return {
    packs: [...new Set(customEdges.flatMap(({ pack }) => pack ?? []))],
    rules: edgesText(customEdges.filter(({ pack }) => pack === undefined)),
  };
}

function edgesText(edges: readonly CustomEdgeRule[]): string {
  return edges.length === 0 ? "" : JSON.stringify(edges);
}
