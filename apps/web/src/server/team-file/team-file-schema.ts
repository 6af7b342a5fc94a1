import { z } from "zod";

/** Bytes of the file that are read at most, as UTF-8. */
export const MAX_TEAM_FILE_BYTES = 64 * 1024;
/** Where the file is, on the default branch of the project. */
export const TEAM_FILE_PATH = ".gitlab/binnacle.yaml";
/** Entries of one section that are read at most. */
export const MAX_ENTRIES = 100;

const MAX_NAMESPACES = 20;
const MAX_LABELS = 20;
/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
const LABEL_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const DNS_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

const namespace = z
  .string({ error: 'must be the name of a namespace as text; write numbers in quotes, "123"' })
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "must be the name of one namespace: lower-case letters, digits and dashes, no patterns");
const labelValue = z
  .string({ error: 'must be text; write numbers, true and false in quotes, "1.0"' })
  .refine((value) => value === "" || LABEL_NAME.test(value), "is no value of a label: letters, digits, dashes, dots, at most 63");
const labels = z
  .record(
    z.string().refine(isLabelKey, "is no key of a label, such as app or app.kubernetes.io/name"),
    z.union([labelValue, z.array(labelValue).min(1, "name one value at least").max(MAX_LABELS)], {
      error: 'must be a value as text, or a list of values of which one fits; write numbers, true and false in quotes, "1.0"',
    }),
    { error: "must be a map from labels to values, app: web" },
  )
  .refine((map) => Object.keys(map).length > 0, "names no label; leave the key out to show everything")
  .refine((map) => Object.keys(map).length <= MAX_LABELS, `more than ${MAX_LABELS} labels are not looked at`);

/** What an environment is, where the main application cannot say it. */
export const environmentSchema = z
  .strictObject(
    {
      namespaces: z
        .array(namespace, { error: "must be a list of namespaces, [shop, shop-jobs]" })
        .min(1, "names no namespace; leave the key out to keep the environment's own")
        .max(MAX_NAMESPACES, `more than ${MAX_NAMESPACES} namespaces are no environment`)
        .optional()
        .meta({ description: "Namespaces that are shown instead of the environment's own, at most 20" }),
      labels: labels.optional().meta({
        description: "Only what bears all of these labels, and what that owns: a value each, or a list of which one must fit",
      }),
      inventoryId: z
        .string({ error: "must be the id of an inventory as text" })
        .min(1, "is empty; leave the key out to show everything")
        .max(253, "is longer than 253 characters")
        .optional()
        .meta({
          description: "Only what belongs to this inventory (`config.k8s.io/owning-inventory`, or listed by it), and what that owns",
        }),
    },
    { error: notAnObject("an environment must be a map with namespaces, labels or inventoryId") },
  )
  .refine((entry) => Object.values(entry).some((value) => value !== undefined), "says nothing; give it namespaces, labels or inventoryId");

/** A kind as one writes it: `Group/Kind`, of the core group the kind alone. */
export const kindSchema = z
  .string({ error: "must be a kind as text, apps/Deployment or ConfigMap" })
  .refine(isKind, "must be a kind with its group, apps/Deployment; of the core group the kind alone, ConfigMap");

/** How a kind counts in the roll-up of an environment. */
export const weightSchema = z.enum(["count", "ignore"], { error: "must be count or ignore" });

const ADDRESS = /^(?:[A-Za-z]+:|\/)/;

/** What the address of an environment's page may say (`features/address/url-state.ts`). */
export const PAGE_KEYS = [
  "view",
  "sel",
  "tab",
  "q",
  "ns",
  "kind",
  "health",
  "problems",
  "managed",
  "group",
  "sort",
  "cols",
  "edges",
  "open",
  "as",
] as const;

/** A link to a page of an environment. */
export const viewSchema = z.strictObject(
  {
    query: z
      .string({ error: "must be text: what follows the ? in the address of the page" })
      .max(1_000, "is longer than 1,000 characters")
      .refine((query) => !ADDRESS.test(query), "is an address; write only what follows the ? in it")
      .refine((query) => strangeKeysOf(query).length === 0, {
        error: ({ input }) =>
          `has ${strangeKeysOf(String(input)).join(", ")}, which the page does not know; known are ${PAGE_KEYS.join(", ")}`,
      })
      .meta({ description: "What follows the `?` in the address of the page that is to be opened" }),
  },
  { error: notAnObject("a view must be a map with query") },
);

/** A list of `healthCheckExprs` and a map of `resourceCustomizations`, as in the operator's file of rules. */
export const healthSchema = z.strictObject({
  healthCheckExprs: z.array(z.unknown()).optional().meta({ description: "Expressions in CEL, as in a Kustomization of Flux" }),
  resourceCustomizations: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "Scripts `health.lua` by kind, as in `resource.customizations` of Argo CD" }),
});

/** All of the file. The parser takes it section by section and entry by entry; the page and the JSON Schema are made of it as it is. */
export const teamFileSchema = z.strictObject({
  environments: z
    .record(z.string().min(1), environmentSchema)
    .optional()
    .meta({ description: "What an environment shows, by its name or by a pattern, `review/*`" }),
  edges: z.array(z.unknown()).optional().meta({
    description: "Edges of your own: a list of {id, from, class, path, to}, as `graph.custom_edges` of web's configuration",
  }),
  health: healthSchema.optional(),
  hidden: z.array(kindSchema).optional().meta({ description: "Kinds that are not shown, `Group/Kind`" }),
  weights: z
    .record(kindSchema, weightSchema)
    .optional()
    .meta({ description: "By kind: `ignore` leaves it, and what it owns, out of the roll-up; `count` is what holds anyway" }),
  views: z
    .record(z.string().min(1), viewSchema)
    .optional()
    .meta({ description: "Links to states of the page that the team looks at, by their name; the first 20" }),
});

/** What the file says of an environment. */
export type EnvironmentEntry = z.output<typeof environmentSchema>;

function strangeKeysOf(query: string): string[] {
  if (ADDRESS.test(query)) return [];
  const known: ReadonlySet<string> = new Set(PAGE_KEYS);
  return [...new Set(new URLSearchParams(query).keys())].filter((key) => !known.has(key)).slice(0, 3);
}

function isLabelKey(key: string): boolean {
  const slash = key.indexOf("/");
  return LABEL_NAME.test(key.slice(slash + 1)) && (slash < 0 || DNS_NAME.test(key.slice(0, slash)));
}

function isKind(text: string): boolean {
  const slash = text.lastIndexOf("/");
  return /^[A-Z][A-Za-z0-9]{0,62}$/.test(text.slice(slash + 1)) && (slash < 0 || DNS_NAME.test(text.slice(0, slash)));
}

/** Unknown keys keep zod's own issue: the parser says which was meant. */
function notAnObject(message: string): z.core.$ZodErrorMap {
  return (issue) => (issue.code === "invalid_type" ? message : undefined);
}
