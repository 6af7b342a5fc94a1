import type { Cause } from "@binnacle/proto/dashboard";
import { messageOfCause, nameOfRef, reasonOfCause } from "./why-words.ts";

/** Causes with the same root reason. */
export interface WhyGroup {
  /** Unique in the list. */
  readonly key: string;
  /** "Deployment web: ImagePullBackOff". */
  readonly title: string;
  /** Number of `HealthStatus`. */
  readonly status: number;
  /** The root reason in one sentence, when it is the same for all; else empty. */
  readonly message: string;
  /** What to do next, when it is the same for all; else empty. */
  readonly nextStep: string;
  /** At least one. */
  readonly members: readonly Cause[];
}

/** Puts causes with the same status and the same root reason together. Groups stand where their first member stood. */
export function whyGroups(causes: readonly Cause[]): readonly WhyGroup[] {
  const groups = new Map<string, Cause[]>();
  for (const cause of causes) {
    const key = `${cause.status} ${reasonOfCause(cause)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [cause]);
    else group.push(cause);
  }
  return [...groups].map(([key, members]) => ({
    key,
    title: titleOf(members),
    status: members[0]?.status ?? 0,
    message: same(members.map(messageOfCause)),
    nextStep: same(members.map((cause) => cause.why?.nextStep ?? "")),
    members,
  }));
}

const MOST_NAMES = 3;

function titleOf(members: readonly Cause[]): string {
  const [first] = members;
  if (first === undefined) return "";
  const reason = reasonOfCause(first);
  if (members.length === 1) return `${nameOfRef(first.ref)}: ${reason}`;
  const names = members.map((cause) => cause.ref?.name ?? "");
  const shown = names.slice(0, names.length > MOST_NAMES ? MOST_NAMES - 1 : MOST_NAMES);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : (shown.pop() ?? "");
  return `${shown.join(", ")} and ${last}: ${reason}`;
}

function same(texts: readonly string[]): string {
  const [first = ""] = texts;
  return texts.every((text) => text === first) ? first : "";
}
