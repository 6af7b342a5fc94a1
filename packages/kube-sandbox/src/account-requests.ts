import { ApiError, notFound } from "./api-error.ts";
import { timestampOf } from "./api-object.ts";
import { readValue } from "./decode-object.ts";
import { isDryRun, type Answer, type Exchange } from "./exchange.ts";
import { listIn, numberIn, textIn, treeIn, valueIn } from "./json-tree.ts";
import { matcherOf } from "./label-selector.ts";
import type { ObjectWriter } from "./object-writer.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import type { Tokens } from "./tokens.ts";

/** POST `serviceaccounts/<name>/token`: a token for an hour, or `spec.expirationSeconds`. @throws ApiError 404 */
export async function answerTokenRequest(
  exchange: Exchange,
  of: ResourceDefinition,
  parts: { readonly writer: ObjectWriter; readonly tokens: Tokens },
): Promise<Answer> {
  const body = await readValue(exchange);
  const { name = "", namespace } = exchange.target;
  const account = parts.writer.store.get(of.storage, namespace, name);
  if (!account) throw notFound(of, name);
  const seconds = numberIn(body, "spec", "expirationSeconds") ?? 3_600;
  const audiences = listIn(body, "spec", "audiences").filter((one): one is string => typeof one === "string");
  const { token, expires } = parts.tokens.issue(account, { seconds: Math.max(seconds, 600), audiences });
  const now = timestampOf(parts.writer.clock.now());
  const answer = {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name, namespace, creationTimestamp: now },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: null },
    status: { token, expirationTimestamp: timestampOf(expires) },
  };
  return { code: 201, body: JSON.stringify(answer) };
}

/** POST `pods/<name>/eviction`: deletes the pod unless a disruption budget forbids it. @throws ApiError 404, 429 */
export async function answerEviction(exchange: Exchange, of: ResourceDefinition, writer: ObjectWriter): Promise<Answer> {
  const body = await readValue(exchange);
  const { name = "", namespace } = exchange.target;
  const pod = writer.store.get(of.storage, namespace, name);
  if (!pod) throw notFound(of, name);
  const budgets = writer.store.list("policy/poddisruptionbudgets", namespace);
  const full = budgets.find(
    (one) => matcherOf(valueIn(one, "spec", "selector"))(pod.metadata.labels) && (numberIn(one, "status", "disruptionsAllowed") ?? 0) < 1,
  );
  if (full)
    throw new ApiError(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [
        {
          reason: "DisruptionBudget",
          message: `The disruption budget ${full.metadata.name} does not allow evicting pods currently`,
          field: "",
        },
      ],
    });
  const options = treeIn(body, "deleteOptions");
  const grace = numberIn(options, "gracePeriodSeconds");
  const propagation = textIn(options, "propagationPolicy");
  const uid = textIn(options, "preconditions", "uid");
  writer.delete(of, pod, {
    dryRun: isDryRun(exchange.query) || listIn(options, "dryRun").includes("All"),
    ...(uid === undefined ? {} : { uid }),
    ...(grace === undefined ? {} : { graceSeconds: grace }),
    ...(propagation === undefined ? {} : { propagation }),
  });
  return { code: 201, body: JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 }) };
}
