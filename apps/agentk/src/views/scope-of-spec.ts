import { hash } from "node:crypto";

import type { ViewScope } from "@binnacle/environment-view";
import { EDGE_PACKS, parseCustomEdges, type CustomEdgeRule, type InventoryTool, type LabelRequirement } from "@binnacle/graph";
import type { EdgeRules, LabelRequirements, ScopeInventory, ScopeRules, ViewScope as SentScope } from "@binnacle/proto/kas-views";
import { Fault } from "@binnacle/rpc";

import type { NamedRules } from "./rules/received-rules.ts";

const TOOLS: ReadonlySet<string> = new Set<InventoryTool>(["cli-utils", "flux-kustomization", "flux-helmrelease", "argocd", "helm"]);
const OPERATORS: ReadonlySet<string> = new Set<LabelRequirement["operator"]>(["In", "NotIn", "Exists", "DoesNotExist"]);

/** The scope that kas asks for. @param health what its own rules name; absent: none @throws Fault `invalid_request` */
export function scopeOfSpec(sent: SentScope | undefined, health?: NamedRules): ViewScope {
  const labels = sent?.labels && labelsOf(sent.labels);
  const inventory = sent?.inventory && inventoryOf(sent.inventory);
  const rules = sent?.rules && rulesOf(sent.rules, health);
  return {
    namespaces: sent?.namespaces ?? [],
    ...(labels && { labels }),
    ...(inventory && { inventory }),
    ...(rules && { rules }),
  };
}

/** Edges beside the built-in ones. @throws Fault `invalid_request` */
export function edgesOfSpec(sent: EdgeRules | undefined): readonly CustomEdgeRule[] {
  if (sent === undefined) return EDGE_PACKS.flatMap(({ rules }) => rules);
  const packs = sent.packs.flatMap((name) => EDGE_PACKS.find((pack) => pack.name === name)?.rules ?? unknown(`a pack of edges "${name}"`));
  return [...edgesIn(sent.rules), ...packs];
}

function labelsOf({ requirements }: LabelRequirements): ViewScope["labels"] {
  return {
    requirements: requirements.map(({ key, operator, values }) => ({
      key,
      operator: isOperator(operator) ? operator : unknown(`an operator "${operator}"`),
      values,
    })),
  };
}

function inventoryOf({ tool, name }: ScopeInventory): NonNullable<ViewScope["inventory"]> {
  return { tool: isTool(tool) ? tool : unknown(`a tool "${tool}"`), name };
}

/** Their name is derived here: a name from the client could replace the rules of another team. */
function rulesOf({ edges, hidden, ignored }: ScopeRules, named: NamedRules | undefined): NonNullable<ViewScope["rules"]> {
  const id = hash("sha256", JSON.stringify([edges, hidden, ignored, named?.name]), "base64");
  const health = [...(named?.origins.values() ?? [])].flatMap(({ rules }) => rules);
  return { id, edges: edgesIn(edges), health, hidden, ignored };
}

function edgesIn(text: string): readonly CustomEdgeRule[] {
  if (text === "") return [];
  const { rules, problems } = parseCustomEdges(decoded(text));
  const [problem] = problems;
  if (problem) throw new Fault("invalid_request", `an edge is not valid: ${problem.rule} ${problem.field}: ${problem.message}`);
  return rules;
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault("invalid_request", "edges are no JSON", { cause: error });
  }
}

function isOperator(text: string): text is LabelRequirement["operator"] {
  return OPERATORS.has(text);
}

function isTool(text: string): text is InventoryTool {
  return TOOLS.has(text);
}

function unknown(what: string): never {
  throw new Fault("invalid_request", `${what} is not known here`);
}
