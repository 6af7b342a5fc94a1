import { words } from "@binnacle/words";

import { changedAt } from "../../age.ts";
import { quotedOr } from "../../quoted-or.ts";
import type { RuleInput } from "../../verdict.ts";
import type { Evidence } from "../evidence.ts";
import { fieldIs, type Opinion } from "../opinion.ts";
import type { ErrorReading } from "../readings.ts";

/** A field for errors that is not empty. */
export function errorFields({ readings, input }: Evidence): Opinion | null {
  return firstError(readings.errors, input);
}

/** A text of an error that may be over, where nothing else in the status is understood. */
export function lastErrors({ readings, input }: Evidence): Opinion | null {
  return firstError(readings.lastErrors, input);
}

function firstError(errors: readonly ErrorReading[], input: RuleInput): Opinion | null {
  const [first, ...others] = errors;
  if (first === undefined) return null;
  const { path, text } = others.reduce((one, other) => (other.path < one.path ? other : one), first);
  const because = text === "" ? words("because/error", { path }) : fieldIs(path, text);
  return {
    status: "Degraded",
    reason: "Error",
    message: quotedOr(text, "because/error", { path }),
    since: changedAt(undefined, input),
    because,
  };
}
