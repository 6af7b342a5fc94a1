import { textsOf, type Words } from "@binnacle/words";

import { conditionsOf, type Condition } from "../../condition.ts";
import type { HealthRef } from "../../health-result.ts";
import { isOwnedBy } from "../../relatives.ts";
import { ownRoot, type Root, type Subject } from "../root.ts";
import { explanationOf } from "../explanation.ts";
import type { MissingRef } from "../why.ts";
import type { World } from "../world.ts";
import { backendRoot } from "./network-root.ts";
import { missingRoot } from "./reference-root.ts";
import { worstOfObjects } from "./worst-of.ts";

/** Who writes the status of custom kinds that many clusters have, by group, else by group and kind. It names only, and judges nothing. */
const CONTROLLERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "helm.toolkit.fluxcd.io": "helm-controller",
    "kustomize.toolkit.fluxcd.io": "kustomize-controller",
    "source.toolkit.fluxcd.io": "source-controller",
    "notification.toolkit.fluxcd.io": "notification-controller",
    "image.toolkit.fluxcd.io/ImageUpdateAutomation": "image-automation-controller",
    "image.toolkit.fluxcd.io/ImageRepository": "image-reflector-controller",
    "image.toolkit.fluxcd.io/ImagePolicy": "image-reflector-controller",
    "argoproj.io/Application": "argocd-application-controller",
    "argoproj.io/ApplicationSet": "argocd-applicationset-controller",
    "argoproj.io/Rollout": "argo-rollouts",
    "argoproj.io/Workflow": "workflow-controller",
    "cert-manager.io": "cert-manager",
    "acme.cert-manager.io": "cert-manager",
    "external-secrets.io": "external-secrets",
    "keda.sh": "keda-operator",
    "monitoring.coreos.com": "prometheus-operator",
    "postgresql.cnpg.io": "cloudnative-pg",
  }),
);

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
function missingOf({ message, status }: Subject, { missing }: World): MissingRef | undefined {
  return missing.find(({ name }) => textsOf(message).includes(name)) ?? (status === "Degraded" ? undefined : missing[0]);
}

function ownWords(subject: Subject): Root {
  const { input, ref, reason, message, because } = subject;
  const facts = { kind: ref.kind, name: ref.name, reason, said: message, controller: controllerOf(ref) };
  if (reason === "NoStatus") return ownRoot(explanationOf("resource", "no-status", facts));
  const path = because?.facts["path"];
  // A condition of the object itself has no path; what it says is worded below.
  if (because !== undefined && path !== undefined && path !== "")
    return ownRoot(explanationOf("resource", "field", { ...facts, path, because: beside(because, message) }));
  const condition = conditionsOf(input.status).find((each) => isReportedBy(each, subject));
  if (condition === undefined) return ownRoot(explanationOf("resource", "own", facts));
  return ownRoot(explanationOf("resource", "condition", { ...facts, condition: condition.type }), [condition.changedAt]);
}

/** What a witness has seen, unless the words of the verdict say just that. */
function beside(because: Words, message: Words): Words | undefined {
  return because.id === message.id ? undefined : because;
}

/** Whether the words of a verdict come from this condition. */
function isReportedBy({ type, reason, message }: Condition, subject: Subject): boolean {
  const text = textsOf(subject.message);
  if (message !== "" && message === text) return true;
  return (reason || type) === subject.reason && (message === "" || text.includes(message));
}

/** Name of the controller that writes the status of a kind; absent = unknown. */
function controllerOf({ group, kind }: Pick<HealthRef, "group" | "kind">): string | undefined {
  return CONTROLLERS.get(`${group}/${kind}`) ?? CONTROLLERS.get(group);
}
