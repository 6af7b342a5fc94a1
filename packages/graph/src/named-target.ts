import type { NamedAs } from "./custom-edge-rule.ts";

/** What a text names. */
export interface NamedTarget {
  /** Empty when the text does not say it. */
  readonly namespace: string;
  readonly name: string;
}

/** Longer texts name nothing that Kubernetes would accept. */
const MAX_TEXT = 512;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const END_OF_HOST = /[/:?#]/;

/** What a text names; `undefined` when it names nothing in the cluster, as an address outside of it. */
export function namedTarget(text: string, as: NamedAs): NamedTarget | undefined {
  if (text === "" || text.length > MAX_TEXT || text.includes("*")) return undefined;
  if (as === "host") return hostTarget(text);
  const parts = text.split("/");
  const [first = "", second] = parts;
  if (second === undefined) return { namespace: "", name: first };
  if (as === "name" || parts.length > 2 || first === "" || second === "") return undefined;
  return { namespace: first === "." ? "" : first, name: second };
}

/**
 * The Service that a DNS name leads to: a short name, or `name.namespace.svc` with or without the domain of the cluster. Anything else
 * with a dot may be outside of it. Of a URL the host counts.
 */
function hostTarget(text: string): NamedTarget | undefined {
  const scheme = text.indexOf("://");
  const [host = ""] = text.slice(scheme < 0 ? 0 : scheme + 3).split(END_OF_HOST, 1);
  const labels = (host.endsWith(".") ? host.slice(0, -1) : host).split(".");
  const [name = "", namespace = "", service] = labels;
  if (host === "localhost" || !labels.every((label) => LABEL.test(label))) return undefined;
  if (labels.length === 1) return { namespace: "", name };
  return service === "svc" ? { namespace, name } : undefined;
}
