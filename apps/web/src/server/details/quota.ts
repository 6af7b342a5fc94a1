import { fieldsAt, fieldsOf, listAt, quantityOf, textAt } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";

import type { Details, DetailInput, Item, Row } from "../detail-parts/details.ts";
import { plain, row, saying, scalarText, section } from "../detail-parts/rows.ts";

/** So much of a quota that it is worth a look. */
const NEAR = 0.9;

/** What is used of each resource, of how much. */
export function quotaDetails({ spec, status }: DetailInput): Partial<Details> {
  const [wanted, counted, used] = [fieldsAt(spec, "hard"), fieldsAt(status, "hard"), fieldsAt(status, "used")];
  const hard = { ...wanted, ...counted };
  const rows = Object.keys(hard).flatMap((name) => row(quoted(name), usedItem(used[name], hard[name])));
  return {
    facts: row("detail/quota-scopes", ...listAt(spec, "scopes").map((scope) => plain(scope))),
    sections: section("detail/used", { rows }),
  };
}

/** What each kind of thing gets when it asks for nothing, and may get at most. */
export function limitRangeDetails({ spec }: DetailInput): Partial<Details> {
  const parts = listAt(spec, "limits").map((each) => {
    const limit = fieldsOf(each);
    const names = new Set(
      ["min", "max", "default", "defaultRequest", "maxLimitRequestRatio"].flatMap((key) => Object.keys(fieldsAt(limit, key))),
    );
    const rows = [...names].flatMap((name): Row[] => {
      const of = (key: string): string => scalarText(fieldsAt(limit, key)[name]);
      return row(
        quoted(name),
        ...limitItems({
          min: of("min"),
          max: of("max"),
          fallback: of("default"),
          request: of("defaultRequest"),
          ratio: of("maxLimitRequestRatio"),
        }),
      );
    });
    return { name: textAt(limit, "type"), kind: words("detail/each"), rows };
  });
  return { sections: section("detail/limits", { parts }) };
}

function usedItem(used: unknown, hard: unknown): Item {
  const [now, most] = [quantityOf(used), quantityOf(hard)];
  const item = saying("detail/used-of", { used: scalarText(used) || "0", hard: scalarText(hard) });
  if (now === undefined || most === undefined) return item;
  const share = most === 0 ? (now > 0 ? 1 : 0) : now / most;
  const tone = now >= most ? "bad" : share >= NEAR ? "busy" : undefined;
  return { ...item, share, ...(tone && { tone }) };
}

function limitItems(of: Readonly<Record<"min" | "max" | "fallback" | "request" | "ratio", string>>): (Item | undefined)[] {
  const { min, max, fallback, request, ratio } = of;
  return [
    min === "" ? undefined : saying("detail/limit-min", { value: min }),
    max === "" ? undefined : saying("detail/limit-max", { value: max }),
    request === "" ? undefined : saying("detail/limit-request", { value: request }),
    fallback === "" ? undefined : saying("detail/limit-default", { value: fallback }),
    ratio === "" ? undefined : saying("detail/limit-ratio", { value: ratio }),
  ];
}
