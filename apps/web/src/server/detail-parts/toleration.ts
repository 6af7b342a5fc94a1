import { numberAt, textAt } from "@binnacle/kube";
import { quoted } from "@binnacle/words";

import type { Item } from "./details.ts";
import { saying } from "./rows.ts";

/** A taint that is put up with, as kubectl writes it, and for how long. */
export function tolerationItem(toleration: unknown): Item {
  const [key, value, effect] = ["key", "value", "effect"].map((name) => textAt(toleration, name));
  const exists = textAt(toleration, "operator") === "Exists";
  if (!key) return effect ? saying("detail/tolerates-all-of", { effect }) : saying("detail/tolerates-all");
  const taint = `${key}${exists ? "" : `=${value ?? ""}`}${effect ? `:${effect}` : ""}`;
  const seconds = numberAt(toleration, "tolerationSeconds");
  return seconds === undefined ? { words: quoted(taint) } : saying("detail/tolerates-for", { taint, seconds });
}
