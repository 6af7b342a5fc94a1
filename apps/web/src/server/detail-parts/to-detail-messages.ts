import { timestampOf } from "@binnacle/environment-view/timestamp";
import {
  DetailRowSchema,
  DetailSectionSchema,
  DetailTone,
  ResourceRefSchema,
  type DetailRow,
  type DetailSection,
} from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { quoted } from "@binnacle/words";

import { toSentWords } from "../base/sent-words.ts";
import type { Details, Item, Part, Row, Section, Tone } from "./details.ts";

/** More than a person reads; the YAML has all. */
const MAX_ROWS = 100;
const MAX_ITEMS = 40;
const MAX_PARTS = 50;
/** Longer names are names of nothing. */
const MAX_NAME_CHARS = 253;

const TONES: Readonly<Record<Tone, DetailTone>> = { good: DetailTone.GOOD, busy: DetailTone.BUSY, bad: DetailTone.BAD };

type RowInit = MessageInitShape<typeof DetailRowSchema>;

/** Details for the wire: bounded in number and in length, without credentials. */
export function toDetailMessages({ facts, sections }: Details): { readonly facts: DetailRow[]; readonly sections: DetailSection[] } {
  return {
    facts: facts.slice(0, MAX_ROWS).map((row) => create(DetailRowSchema, toRow(row))),
    sections: sections.map(toSection),
  };
}

function toSection({ title, rows = [], parts = [] }: Section): DetailSection {
  const more = Math.max(0, rows.length - MAX_ROWS) + Math.max(0, parts.length - MAX_PARTS);
  return create(DetailSectionSchema, {
    title: toSentWords(title),
    rows: rows.slice(0, MAX_ROWS).map(toRow),
    parts: parts.slice(0, MAX_PARTS).map(toPart),
    more,
  });
}

function toPart({ name, kind, state, rows, folded = false }: Part) {
  return {
    name: toSentWords(quoted(name)),
    ...(kind && { kind: toSentWords(kind) }),
    ...(state && { state: toItem(state) }),
    rows: rows.slice(0, MAX_ROWS).map(toRow),
    folded,
  };
}

function toRow({ label, items }: Row): RowInit {
  return { label: toSentWords(label), items: items.slice(0, MAX_ITEMS).map(toItem), more: Math.max(0, items.length - MAX_ITEMS) };
}

function toItem({ ref, words, at, share, tone }: Item) {
  const time = at === undefined ? undefined : timestampOf(at);
  return {
    ...(ref && { ref: create(ResourceRefSchema, { ...ref, name: ref.name.slice(0, MAX_NAME_CHARS) }) }),
    ...(words && { words: toSentWords(words) }),
    ...(time && { at: time }),
    ...(share !== undefined && Number.isFinite(share) && { share }),
    ...(tone && { tone: TONES[tone] }),
  };
}
