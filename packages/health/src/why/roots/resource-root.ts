import { conditionsOf, type Condition } from "../../condition.ts";
import { isOwnedBy } from "../../relatives.ts";
import type { HealthRef } from "../../health-result.ts";
import { ownRoot, type Root, type Subject } from "../root.ts";
import { say } from "../say.ts";
import type { World } from "../world.ts";
import { backendRoot } from "./backend-root.ts";
import { missingRoot } from "./reference-root.ts";
import { worstOfObjects } from "./worst-of.ts";

/** Any other resource, custom ones above all: something broken that it owns, something that it lacks, else its own condition. */
export function resourceRoot(subject: Subject, world: World): Root {
  const owned = (world.related ?? []).filter((object) => isOwnedBy(object, subject.input.object));
  const worst = worstOfObjects(owned, subject.status === "Degraded" ? "Degraded" : "Progressing", world);
  const below = worst === undefined ? null : world.follow(worst, world);
  if (below !== null) return below;
  const backend = backendRoot(subject, world);
  if (backend !== null) return backend;
  const missing = missingOf(subject, world);
  return missing === undefined ? ownWords(subject) : missingRoot(missing, subject);
}

/** What it lacks, when that is what it complains about, or when it only waits. */
function missingOf({ message, status }: Subject, { missing }: World): HealthRef | undefined {
  return missing.find(({ name }) => message.includes(name)) ?? (status === "Degraded" ? undefined : missing[0]);
}

function ownWords(subject: Subject): Root {
  const { input, ref, reason, message } = subject;
  const facts = { kind: ref.kind, name: ref.name, reason, said: message };
  if (reason === "NoStatus") return ownRoot(say("resource", "no-status", facts));
  const condition = conditionsOf(input.status).find((each) => isSaidBy(each, subject));
  if (condition === undefined) return ownRoot(say("resource", "own", facts));
  return ownRoot(say("resource", "condition", { ...facts, condition: condition.type }), [condition.changedAt]);
}

/** Whether the words of a verdict come from this condition. */
function isSaidBy({ type, reason, message }: Condition, subject: Subject): boolean {
  if (message !== "" && message === subject.message) return true;
  return (reason || type) === subject.reason && (message === "" || subject.message.includes(message));
}
