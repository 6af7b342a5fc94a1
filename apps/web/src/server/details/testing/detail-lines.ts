import { trimObject, type KubeObject } from "@binnacle/kube";
import { renderEnglish } from "@binnacle/words/render-english";

import { detailsOf, type DetailContext } from "../details-of.ts";
import type { Item, Row } from "../../detail-parts/details.ts";

/** Noon of the day that the tests are on. */
export const DETAILS_AT = "2026-01-31T12:00:00Z";

type Described = Omit<Partial<KubeObject>, "metadata"> & { readonly metadata?: object };

/** An object as a cluster would send it. @param kind "apps/v1 Deployment" */
export function madeObject(kind: string, fields: Described = {}): KubeObject {
  const [apiVersion = "", name = ""] = kind.split(" ");
  return { ...fields, apiVersion, kind: name, metadata: { name: "it", namespace: "shop", ...fields.metadata } };
}

/** Details of an object, a line each: facts as "Label: this | that", titles as "# Title", parts as "## name (kind): state". */
export function detailLines(object: KubeObject, context: Partial<DetailContext> = {}): string[] {
  const { facts, sections } = detailsOf(trimObject(object), object, { isSecret: false, nowMs: Date.parse(DETAILS_AT), ...context });
  const parts = sections.flatMap(({ title, rows = [], parts: all = [] }) => [
    `# ${renderEnglish(title)}`,
    ...rows.map(lineOf),
    ...all.flatMap(({ name, kind, state, rows: own, folded }) => [
      `## ${name}${kind ? ` (${renderEnglish(kind)})` : ""}${state ? `: ${itemText(state)}` : ""}${folded === true ? " …" : ""}`,
      ...own.map(lineOf),
    ]),
  ]);
  return [...facts.map(lineOf), ...parts];
}

function lineOf({ label, items }: Row): string {
  return `${renderEnglish(label)}: ${items.map(itemText).join(" | ")}`;
}

function itemText({ ref, words, at, share, tone }: Item): string {
  const name = ref && `→${[ref.group, ref.kind, ref.namespace, ref.name].join("/")}`;
  const parts = [
    name,
    words && renderEnglish(words),
    at,
    share === undefined ? undefined : `${Math.round(share * 100)}%`,
    tone && `!${tone}`,
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}
