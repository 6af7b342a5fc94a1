import { quoted, words, type Words } from "@binnacle/words";

import type { Details, DetailInput } from "../detail-parts/details.ts";
import { plain, row, saying, section } from "../detail-parts/rows.ts";

const KI = 1_024;

/** The keys of a ConfigMap or a Secret with the sizes of their values, never the values. */
export function keysDetails({ object, sizes }: DetailInput): Partial<Details> {
  const rows = [...sizes].map(([key, bytes]) => ({ label: quoted(key), items: [{ words: sizeWords(bytes) }] }));
  const facts = [
    ...row("detail/type", plain(object["type"])),
    ...row("detail/immutable", object["immutable"] === true ? saying("detail/yes") : undefined),
  ];
  return { facts, sections: section("detail/keys-of", { rows }) };
}

function sizeWords(bytes: number): Words {
  if (bytes < KI) return words("detail/bytes", { size: bytes });
  return bytes < KI * KI
    ? words("detail/kibibytes", { size: oneDigit(bytes / KI) })
    : words("detail/mebibytes", { size: oneDigit(bytes / KI / KI) });
}

function oneDigit(value: number): number {
  return Math.round(value * 10) / 10;
}
