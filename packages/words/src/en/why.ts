import type { Catalogue } from "../catalogue.ts";

/** Messages of issues and their causes, in the HTML of a page. */
export const PAGE_WHY = {
  "why/and": "{names} and {last}",
  "why/more-in-list": "and {count} more; {link}",
  "why/before": "{clock}, {age} before",
  "why/preceding-change": "Preceding change:",
  "why/event-of": "event of",
  "why/chain-to-root": "From the resource to the root cause",
  "why/more": "{rest} more",
  "why/next-step": "Next step:",
  "why/not-known-yet": "Not known yet: resources are still being read",
  "why/notice": "Notice",
  "why/open-list-filtered": "open the list filtered by {wordsOfFilter}",
  "why/resources": "{membersTotal, plural, one {{membersTotal} resource} other {{membersTotal} resources}}",
  "why/root-cause": "Root cause:",
  "why/show-in-graph": "Show in graph",
  "why/show-more-issues": "Show {more} more {more, plural, one {issue} other {issues}}",
  "why/since": "{has_what, select, no {} other {{what} }}since {at}",
  "why/why": "Why",
  "why/counted/at-least-pods": "at least {count, plural, one {{count} pod} other {{count} pods}}",
  "why/heading":
    "{issues}{state, select, partial { so far} other {}}{order, select, newest {, newest first} worst {, worst first} other {}}: {resources}",
  "why/title": "{who}: {reason}",
  "why/quoted-reason": "“{reason}”",
  "why/node-issue": "Node {node} is not ready: {extent}",
  "why/container": "container",
  "why/event": "event",
  "why/manager/argocd": "Argo CD application {name}",
  "why/manager/flux-kustomization": "Flux Kustomization {name}",
  "why/manager/flux-helmrelease": "Flux HelmRelease {name}",
  "why/manager/helm": "Helm release {name}",
  "why/manager/cli-utils": "inventory {name}",
  "why/manager/other": "{tool} {name}",
} as const satisfies Catalogue;

/** Messages of issues and their causes, loaded with the rest of the language. */
export const VIEW_WHY = {
  "why/find-issues": "Find issues",
  "why/issue": "Issue",
  "why/message": "Message",
  "why/named-resources": "Named resources",
  "why/column-next": "Next step",
  "why/not-counted": "Not counted",
  "why/of-shown": "{count} of {count2} shown",
  "why/not-counted-total": "{total} on purpose, or only worth knowing",
  "why/status": "Status",
  "why/order-worst": "Worst first",
} as const satisfies Catalogue;
