import { ProxyRefusal } from "../http/proxy-refusal.ts";

/** What of a request goes to the cluster. */
export interface ProxyTarget {
  /** Decoded path, begins with a slash. */
  readonly path: string;
  /** Query as the client sent it, without credentials and our own keys, in order. */
  readonly query: URLSearchParams;
  /** Path and query as the client sent them, without the same keys; absent when encoding `path` gives the same. */
  readonly raw?: string;
  /** Our own keys, for browsers that cannot set headers on WebSockets. */
  readonly agentIds: readonly string[];
  readonly csrfTokens: readonly string[];
}

const AGENT_ID = "gitlab-agent-id";
const CSRF_TOKEN = "gitlab-csrf-token";
/** Never for the cluster: our own keys, and the tokens the main application takes in a query. */
const FOR_US: ReadonlySet<string> = new Set([AGENT_ID, CSRF_TOKEN, "private-token", "job-token"]);
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;
const NONE: readonly string[] = [];
/** Characters that parsers of URLs read differently unless they are encoded: backslash, controls, the sign of a fragment. */
// oxlint-disable-next-line no-control-regex -- controls are exactly what is looked for
const TO_BE_ENCODED = /[\\#\u0000-\u001f\u007f]/;

/**
 * Takes a request target apart. The prefix is compared byte by byte, before anything is decoded.
 *
 * @param prefix begins and ends with a slash
 * @throws ProxyRefusal 400
 */
export function parseTarget(url: string, prefix: string): ProxyTarget {
  const cut = url.indexOf("?");
  const rawPath = cut < 0 ? url : url.slice(0, cut);
  if (!rawPath.startsWith(prefix)) throw new ProxyRefusal(400, `the path must begin with ${prefix}`);
  const sentPath = `/${rawPath.slice(prefix.length)}`;
  let path: string;
  try {
    path = decodeURIComponent(sentPath);
  } catch {
    throw new ProxyRefusal(400, "the path is not properly encoded");
  }
  // Encoded they are part of a name: a Role may have any but a slash and a percent sign in its name.
  if (path.startsWith("//") || TO_BE_ENCODED.test(rawPath)) throw new ProxyRefusal(400, "the path has characters that are not allowed");
  if (DOT_SEGMENT.test(path)) throw new ProxyRefusal(400, "the path has dot segments");
  if (cut < 0) {
    const raw = encodeURI(path) === sentPath ? undefined : sentPath;
    return { path, query: new URLSearchParams(), ...(raw !== undefined && { raw }), agentIds: NONE, csrfTokens: NONE };
  }
  const sentQuery = url.slice(cut + 1);
  const query = new URLSearchParams(sentQuery);
  const agentIds = query.getAll(AGENT_ID);
  const csrfTokens = query.getAll(CSRF_TOKEN);
  // In any spelling: a credential that we do not take is one all the same (T7).
  const forUs = [...new Set(query.keys())].filter((key) => FOR_US.has(key.toLowerCase().replaceAll("_", "-")));
  for (const key of forUs) query.delete(key);
  const raw = forUs.length === 0 ? `${sentPath}?${sentQuery}` : `${sentPath}${withoutKeys(sentQuery, forUs)}`;
  return { path, query, raw, agentIds, csrfTokens };
}

/** A query without some of its parameters; empty when none is left. */
function withoutKeys(query: string, keys: readonly string[]): string {
  const rest = query.split("&").filter((parameter) => [...new URLSearchParams(parameter).keys()].every((key) => !keys.includes(key)));
  return rest.length === 0 ? "" : `?${rest.join("&")}`;
}
