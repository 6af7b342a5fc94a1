import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { VIEW_ENGINE, type ChangesRequest, type ScopeRules, type ViewScope } from "@binnacle/environment-view";
import type { CustomEdgeRule } from "@binnacle/graph";
import {
  ViewSpecSchema,
  type EdgeRulesSchema,
  type EnvironmentViewSchema,
  type ScopeRulesSchema,
  type ViewScopeSchema,
  type ViewSpec,
} from "@binnacle/proto/kas-views";

import { sentRulesOf, type SentRules } from "./sent-rules.ts";

/** What an environment is judged by and drawn with, besides what stands in its scope. */
export interface SpecRules {
  readonly customEdges: readonly CustomEdgeRule[];
  /** Health rules of users for all of the cluster; absent: none. */
  readonly healthRules: SentRules | undefined;
}

/** The view of a scope that an agent is requested to send. */
export function environmentSpec(scope: ViewScope, rules: SpecRules): ViewSpec {
  return brought(scope, rules, { case: "environment", value: environmentView(scope, rules) });
}

/** Request to an agent for the changes in a scope. @param of in this resource alone */
export function changesSpec(scope: ViewScope, rules: SpecRules, of?: ChangesRequest["of"]): ViewSpec {
  return brought(scope, rules, { case: "changes", value: { environment: environmentView(scope, rules), ...(of && { of }) } });
}

/** The same of what is reported in it. */
export function eventsSpec(scope: ViewScope, rules: SpecRules): ViewSpec {
  return brought(scope, rules, { case: "events", value: { environment: environmentView(scope, rules) } });
}

/** The same of its summary. */
export function summarySpec(scope: ViewScope, rules: SpecRules): ViewSpec {
  return brought(scope, rules, { case: "summary", value: judged(scope, rules) });
}

/** What summaries and environments have in common. */
interface JudgedScope {
  scope: MessageInitShape<typeof ViewScopeSchema>;
  edges: MessageInitShape<typeof EdgeRulesSchema>;
  healthRules: string;
}

function brought(
  scope: ViewScope,
  { healthRules }: SpecRules,
  view: NonNullable<MessageInitShape<typeof ViewSpecSchema>["view"]>,
): ViewSpec {
  const sets = [healthRules, scope.rules && sentRulesOf(scope.rules)];
  return create(ViewSpecSchema, { view, healthRules: sets.flatMap((set) => set?.bytes ?? []) });
}

function environmentView(scope: ViewScope, rules: SpecRules): MessageInitShape<typeof EnvironmentViewSchema> {
  return { engine: VIEW_ENGINE, ...judged(scope, rules) };
}

function judged(scope: ViewScope, { customEdges, healthRules }: SpecRules): JudgedScope {
  return { scope: sentScope(scope), edges: sentEdges(customEdges), healthRules: healthRules?.name ?? "" };
}

function sentScope({ namespaces, labels, inventory, rules }: ViewScope): MessageInitShape<typeof ViewScopeSchema> {
  return {
    namespaces: [...namespaces],
    ...(labels && { labels: { requirements: labels.requirements.map((each) => ({ ...each, values: [...each.values] })) } }),
    ...(inventory && { inventory: { tool: inventory.tool, name: inventory.name } }),
    ...(rules && { rules: sentScopeRules(rules) }),
  };
}

function sentScopeRules(rules: ScopeRules): MessageInitShape<typeof ScopeRulesSchema> {
  const { id, edges, hidden, ignored } = rules;
  return { id, edges: edgesText(edges), hidden: [...hidden], ignored: [...ignored], healthRules: sentRulesOf(rules)?.name ?? "" };
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
