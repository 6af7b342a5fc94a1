import type { EnvironmentSettings, SettingsAgent } from "@binnacle/proto/dashboard-settings";

/** Settings as fields of a form have them. */
export interface SettingsFields {
  readonly agentId: string;
  /** Separated by commas or spaces. */
  readonly namespaces: string;
  readonly selector: string;
  readonly inventoryId: string;
  readonly fluxResourcePath: string;
}

/** What a viewer has changed in a form; a field that is absent has the value of the server. */
export type Draft = Partial<SettingsFields>;

const FIELDS = [
  "agentId",
  "namespaces",
  "selector",
  "inventoryId",
  "fluxResourcePath",
] as const satisfies readonly (keyof SettingsFields)[];

/**
 * What the address of the page for a new environment has chosen (`newEnvironmentPath`): an agent by its name, first of the project itself, and
 * namespaces. Another agent, or one that cannot be chosen, is no choice.
 */
export function draftOf(query: URLSearchParams, agents: readonly SettingsAgent[], projectPath: string): Draft {
  const [name, namespaces] = [query.get("agent"), query.get("namespace")];
  const named = agents.filter((agent) => agent.isSharedWithUsers && agent.name === name);
  const agent = named.find((each) => each.projectPath === projectPath) ?? named[0];
  return { ...(agent && { agentId: agent.id }), ...(namespaces !== null && { namespaces }) };
}

/** What the wire has of settings. */
export type SettingsMessage = Pick<EnvironmentSettings, "agentId" | "namespaces" | "selector" | "inventoryId" | "fluxResourcePath">;

/** Settings of the server as fields. */
export function fieldsOf(settings: SettingsMessage | undefined): SettingsFields {
  const { agentId = "", namespaces = [], selector = "", inventoryId = "", fluxResourcePath = "" } = settings ?? {};
  return { agentId, namespaces: namespaces.join(", "), selector, inventoryId, fluxResourcePath };
}

/** Fields as settings for the server. */
export function messageOf({ namespaces, ...fields }: SettingsFields): SettingsMessage {
  const names = namespaces.split(/[\s,]+/).filter((name) => name !== "");
  return {
    agentId: fields.agentId,
    namespaces: [...new Set(names)],
    selector: fields.selector.trim(),
    inventoryId: fields.inventoryId.trim(),
    fluxResourcePath: fields.fluxResourcePath.trim(),
  };
}

/** The form as it is shown. */
export function withDraft(fields: SettingsFields, draft: Draft): SettingsFields {
  return { ...fields, ...draft };
}

/** Fields that would change something, without those that were typed back or say the same in another form. */
export function changedFields(fields: SettingsFields, draft: Draft): readonly (keyof SettingsFields)[] {
  const [now, then] = [messageOf(fields), messageOf(withDraft(fields, draft))];
  return FIELDS.filter((name) => comparable(now[name]) !== comparable(then[name]));
}

/** The draft without what the server has now, too. */
export function remaining(fields: SettingsFields, draft: Draft): Draft {
  const changed = new Set<string>(changedFields(fields, draft));
  return Object.fromEntries(Object.entries(draft).filter(([name]) => changed.has(name)));
}

function comparable(value: string | readonly string[]): string {
  return typeof value === "string" ? value : value.toSorted().join(",");
}
