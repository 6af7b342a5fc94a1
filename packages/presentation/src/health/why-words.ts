import type { ManagedBy, PrecedingChange, ResourceRef, Why, WhyLink } from "@binnacle/proto/dashboard";
import { HealthStatus, WhyLevel } from "@binnacle/proto/dashboard-enums";
import { formatAge, formatSecond, millisOf } from "../text/format-time.ts";
import { messageText, t } from "../text/messages.ts";
import { wordOf } from "./health-status.ts";
import { iconOfKind, type KindIcon } from "./kind-words.ts";
import type { PageWordsId } from "@binnacle/words/en/page";

/** What a link of a chain is called, in two parts: "Pod" and "web-0", "container" and "app". An event is called by its reason. */
export function nameOfLink(link: WhyLink, before?: WhyLink): { readonly what: string; readonly name: string } {
  if (link.level === WhyLevel.CONTAINER) return { what: t("why/container"), name: link.container };
  if (link.level === WhyLevel.EVENT) {
    const about = nameOfRef(link.ref);
    const isOfOther = about !== "" && about !== nameOfRef(before?.ref);
    if (link.reason !== "") return { what: link.reason, name: isOfOther ? about : "" };
    return isOfOther ? { what: t("why/event-of"), name: about } : { what: t("why/event"), name: "" };
  }
  return { what: link.ref?.kind ?? "", name: link.ref?.name ?? "" };
}

/** Icon of a link of a chain. */
export function iconOfLink(link: WhyLink): KindIcon {
  if (link.level === WhyLevel.CONTAINER) return "container";
  return link.level === WhyLevel.EVENT ? "event" : iconOfKind(link.ref?.kind ?? "");
}

/** When the change before it happened: "11:40:12, 2 min before"; without the distance when it is not known or less than a second. Empty without a time. */
export function changeWhen(why: Why, nowMs: number): string {
  const at = why.precededBy?.at;
  if (at === undefined) return "";
  const atMs = millisOf(at);
  const clock = formatSecond(atMs, nowMs);
  const badMs = why.firstBadAt === undefined ? undefined : millisOf(why.firstBadAt);
  return badMs === undefined || badMs - atMs < 1000 ? clock : t("why/before", { clock, age: formatAge(atMs, badMs) });
}

/** What a link says on its side: its reason, else the word of its status. A resource without opinion has no say. */
export function linkText(link: WhyLink): string {
  // The title of an event is its reason.
  if (link.level === WhyLevel.EVENT && link.reason !== "") return "";
  if (link.reason !== "") return link.reason;
  return link.status === HealthStatus.UNKNOWN || link.status === HealthStatus.UNSPECIFIED ? "" : wordOf(link.status);
}

/** A change's sentence, cut where it names what changed: the name is to be a link. `name` is empty when the sentence does not name it. */
export function changeParts(change: PrecedingChange): { readonly before: string; readonly name: string; readonly after: string } {
  const message = (messageText(change.words) || change.what).replace(/\.$/, "");
  const whole = nameOfRef(change.ref);
  const at = whole === "" ? -1 : message.indexOf(whole);
  if (at < 0) return { before: message, name: "", after: "" };
  const name = change.ref?.name ?? "";
  const end = at + whole.length;
  return { before: message.slice(0, end - name.length), name, after: message.slice(end) };
}

/** "Deployment web"; only the name when the kind is not known. */
export function nameOfRef(ref: ResourceRef | undefined): string {
  return [ref?.kind, ref?.name].filter((part) => part !== undefined && part !== "").join(" ");
}

const TOOLS: Readonly<Record<string, PageWordsId>> = {
  argocd: "why/manager/argocd",
  "flux-kustomization": "why/manager/flux-kustomization",
  "flux-helmrelease": "why/manager/flux-helmrelease",
  helm: "why/manager/helm",
  "cli-utils": "why/manager/cli-utils",
};

/** "Argo CD application shop", "Flux Kustomization flux-system/apps"; a tool of a newer server by its own word. */
export function managerWords(managedBy: ManagedBy): string {
  const { tool, name } = managedBy;
  return t(TOOLS[tool] ?? "why/manager/other", { tool, name });
}
