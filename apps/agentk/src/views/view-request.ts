import { create, toBinary } from "@bufbuild/protobuf";
import { VIEW_ENGINE, type ViewScope } from "@binnacle/environment-view";
import type { CustomEdgeRule } from "@binnacle/graph";
import { ViewScopeSchema, ViewSpecSchema, type EnvironmentView, type ViewSpec } from "@binnacle/proto/kas-views";
import { Fault } from "@binnacle/rpc";

import type { NamedRules, ReceivedRules } from "./rules/received-rules.ts";
import { edgesOfSpec, scopeOfSpec } from "./scope-of-spec.ts";

/** What a view is described with; rules of a team are the largest part. */
const MAX_SPEC_BYTES = 256 * 1024;
const EVERYTHING = create(ViewScopeSchema);

/** Which part of the cluster a view is of, and how it is drawn. */
interface RequestedPart {
  readonly scope: ViewScope;
  readonly edges: readonly CustomEdgeRule[];
  /** Health rules of users, for all that this view may be a part of; absent: none. */
  readonly rules: NamedRules | undefined;
}

/** A request for a view that was validated. */
export interface ViewRequest {
  /** Names it: the same for all who ask for the same. */
  readonly key: string;
  readonly view: ViewSpec["view"];
  /** Absent: it is about the nodes. */
  readonly part: RequestedPart | undefined;
}

/**
 * Reads what kas asks for.
 *
 * @throws Fault `invalid_request`, `message_too_large`, and `not_implemented` for what is not made here
 */
export async function readViewRequest(spec: ViewSpec | undefined, received: Pick<ReceivedRules, "of">): Promise<ViewRequest> {
  if (spec === undefined) throw new Fault("invalid_request", "no view is requested");
  const bytes = toBinary(ViewSpecSchema, spec);
  if (bytes.byteLength > MAX_SPEC_BYTES) throw new Fault("message_too_large", `a view is described with more than ${MAX_SPEC_BYTES} bytes`);
  return { key: Buffer.from(bytes).toString("base64"), view: spec.view, part: await partOf(spec, received) };
}

async function partOf({ view }: ViewSpec, received: Pick<ReceivedRules, "of">): Promise<RequestedPart | undefined> {
  switch (view.case) {
    case "nodes":
      return undefined;
    case "summary":
      return part(view.value, received);
    case "environment":
      return part(ofThisEngine(view.value), received);
    case "changes":
    case "events":
      return part(ofThisEngine(view.value.environment), received);
    default:
      throw new Fault("invalid_request", "no view that is known here is requested");
  }
}

function ofThisEngine(environment: EnvironmentView | undefined): EnvironmentView {
  if (environment !== undefined && environment.engine === VIEW_ENGINE) return environment;
  throw new Fault("not_implemented", "this agent makes views in another way than the one that is requested");
}

async function part(
  { scope = EVERYTHING, edges, healthRules }: Pick<EnvironmentView, "scope" | "edges" | "healthRules">,
  received: Pick<ReceivedRules, "of">,
): Promise<RequestedPart> {
  const rulesOf = async (name: string): Promise<NamedRules | undefined> => (name === "" ? undefined : received.of(name));
  return {
    scope: scopeOfSpec(scope, await rulesOf(scope.rules?.healthRules ?? "")),
    edges: edgesOfSpec(edges),
    rules: await rulesOf(healthRules),
  };
}
