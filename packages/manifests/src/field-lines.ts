import { splitFieldPath } from "@binnacle/kube";
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Node } from "yaml";

import type { YamlPlace } from "./yaml-documents.ts";
import { YAML_OPTIONS } from "./yaml-options.ts";

/** The lines of a file that the fields of one object stand at. The object is parsed once more for it. */
export class FieldLines {
  readonly #line: number;
  readonly #lines = new LineCounter();
  readonly #contents: unknown;

  constructor({ text, line }: YamlPlace) {
    this.#line = line;
    this.#contents = parseDocument(text, { ...YAML_OPTIONS, lineCounter: this.#lines }).contents;
  }

  /**
   * The line of a field, or of the field around it that is there; the object's own line when there is none.
   *
   * @param steps names of fields, and places of items from 0 or what they have: `name="web",port=80`
   */
  at(steps: readonly string[]): number {
    let node = this.#contents;
    let line = this.#line;
    for (const step of steps) {
      const next = stepInto(node, step);
      if (next === undefined) break;
      node = next.value;
      if (next.offset !== undefined) line = this.#line + this.#lines.linePos(next.offset).line - 1;
    }
    return line;
  }
}

/**
 * The line of a file that one field of an object stands at, or the field around it that is there; the object's own line when there is none.
 *
 * @param path as API servers write it: `spec.containers[0].image` in causes of a refusal, `.spec.containers[name="web"].image` in conflicts
 */
export function fieldLine(place: YamlPlace, path: string): number {
  return new FieldLines(place).at(splitFieldPath(path).filter(Boolean));
}

function stepInto(node: unknown, step: string): { readonly value: unknown; readonly offset: number | undefined } | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === step);
    return pair && { value: pair.value, offset: offsetOf(pair.key) };
  }
  if (!isSeq(node)) return undefined;
  const values = valuesIn(step);
  const item = /^\d+$/.test(step) ? node.items[Number(step)] : node.items.find((candidate) => hasValues(candidate, values));
  return item === undefined ? undefined : { value: item, offset: offsetOf(item) };
}

function hasValues(item: unknown, values: ReadonlyMap<string, string>): boolean {
  return isMap(item) && values.size > 0 && [...values].every(([key, value]) => String(item.get(key)) === value);
}

function offsetOf(node: unknown): number | undefined {
  // Only nodes have a range; of anything else the property is absent.
  return (node as Partial<Node> | null)?.range?.[0];
}

function valuesIn(step: string): ReadonlyMap<string, string> {
  const parts = step.split(",").filter((part) => part.includes("="));
  return new Map(
    parts.map((part): [string, string] => {
      const at = part.indexOf("=");
      return [part.slice(0, at), part.slice(at + 1).replaceAll('"', "")];
    }),
  );
}
