import type { ResourceHealth } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { shortenEnd } from "../../ui/shorten-end.ts";
import { decidedBy } from "../resource/decided-by.ts";
import { sayLater } from "../../ui/said.ts";

/** Longest text of it, in characters: a value may be a whole sentence, which stands above already. */
const MOST_CHARS = 160;

/** What decided on a status: a rule of the user's, or what was seen in the resource. Nothing where the verdict says so itself. */
export function DecidedByLine({ health }: { readonly health: Pick<ResourceHealth, "because" | "words" | "rule"> }): ReactNode {
  const seen = decidedBy(health);
  if (health.rule !== "")
    return (
      <p className="muted">
        {sayLater("resource-detail/judged-by-rule")} <span className="mono">{health.rule}</span>
      </p>
    );
  if (seen === "") return null;
  return (
    <p className="muted" title={seen.length > MOST_CHARS ? seen : undefined} data-decided-by="">
      {sayLater("resource-detail/decided-by", { shortenEnd: shortenEnd(seen, MOST_CHARS) })}
    </p>
  );
}
