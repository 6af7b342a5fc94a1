import { KubeClientError, readText, type ByteBudget, type KubeTransport } from "@binnacle/environment-view";
import { AgentStatusSchema, type AgentStatus } from "@binnacle/proto/kas-agents";
import { fromJsonString } from "@bufbuild/protobuf";

const PATH = "/binnacle/v1/agent";
/** 200 connections and 100 replicas with long names weigh less. */
const MAX_BYTES = 1024 * 1024;

/** What kas answers about an agent. */
export type StatusResponse =
  | {
      readonly kind: "status";
      readonly status: AgentStatus;
      /** Names this state; absent: kas cannot be waited for. */ readonly etag: string | undefined;
    }
  /** The status is what `etag` of the request names. */
  | { readonly kind: "unchanged" }
  /** kas does not tell this viewer, or does not know the request. */
  | { readonly kind: "forbidden" | "unsupported" };

/**
 * Requests the status of an agent from kas.
 *
 * @param known.etag state that is known already: kas waits `known.waitSeconds` for another
 * @throws KubeClientError when kas is unreachable, sends more than is read, or what does not follow the contract
 */
export async function queryStatus(
  route: { readonly kas: KubeTransport; readonly reading: ByteBudget },
  known: { readonly etag: string | undefined; readonly waitSeconds: number },
  signal: AbortSignal,
): Promise<StatusResponse> {
  const { etag, waitSeconds } = known;
  const condition = etag === undefined ? {} : { ifNoneMatch: etag };
  const path = etag === undefined ? PATH : `${PATH}?wait=${waitSeconds}`;
  let response: Awaited<ReturnType<KubeTransport["request"]>>;
  try {
    response = await route.kas.request({ method: "GET", path, accept: "application/json", ...condition }, signal);
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    const kind = error.failure === "unauthorized" ? "forbidden" : kindOf(error.status?.code);
    if (kind === undefined) throw error;
    return { kind };
  }
  try {
    const kind = kindOf(response.status);
    if (kind !== undefined) return { kind };
    if (response.status !== 200) throw new KubeClientError("connection", `kas answers with status ${response.status}`);
    const text = Buffer.from(await readText(response, { mostBytes: MAX_BYTES, budget: route.reading })).toString();
    return { kind: "status", status: read(text), etag: response.header("etag") };
  } finally {
    response.close();
  }
}

/** @throws KubeClientError */
function read(text: string): AgentStatus {
  try {
    return fromJsonString(AgentStatusSchema, text, { ignoreUnknownFields: true });
  } catch (cause) {
    throw new KubeClientError("connection", "the answer of kas about the agent cannot be read", { cause });
  }
}

/** An older kas sends the request on to the cluster, which answers 404. */
function kindOf(status: number | undefined): "unchanged" | "forbidden" | "unsupported" | undefined {
  if (status === 304) return "unchanged";
  if (status === 401 || status === 403 || status === 400) return "forbidden";
  return status === 404 || status === 503 || status === 504 ? "unsupported" : undefined;
}
