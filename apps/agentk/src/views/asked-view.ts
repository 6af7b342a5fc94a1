import { create, toBinary } from "@bufbuild/protobuf";
import { VIEW_ENGINE, type ViewScope } from "@binnacle/environment-view";
import type { CustomEdgeRule } from "@binnacle/graph";
import {
  ViewScopeSchema,
  ViewSpecSchema,
  type EdgeRules,
  type EnvironmentView,
  type ViewScope as SentScope,
  type ViewSpec,
} from "@binnacle/proto/kas-views";
import { Fault } from "@binnacle/rpc";

import { edgesOfSpec, scopeOfSpec } from "./scope-of-spec.ts";

/** What a view is described with; rules of a team are the largest part. */
const MOST_SPEC_BYTES = 256 * 1024;
const EVERYTHING = create(ViewScopeSchema);

/** Which part of the cluster a view is of, and how it is drawn. */
interface AskedPart {
  readonly scope: ViewScope;
  readonly edges: readonly CustomEdgeRule[];
}

/** What is asked for, when it makes sense. */
export interface AskedView {
  /** Names it: the same for all who ask for the same. */
  readonly key: string;
  readonly view: ViewSpec["view"];
  /** Absent: it is about the nodes. */
  readonly part: AskedPart | undefined;
}

/** Reads what kas asks for. @throws Fault `invalid_request`, `message_too_large`, and `not_implemented` for what is not made here */
export function askedView(spec: ViewSpec | undefined): AskedView {
  if (spec === undefined) throw new Fault("invalid_request", "no view is asked for");
  const bytes = toBinary(ViewSpecSchema, spec);
  if (bytes.byteLength > MOST_SPEC_BYTES)
    throw new Fault("message_too_large", `a view is described with more than ${MOST_SPEC_BYTES} bytes`);
  return { key: Buffer.from(bytes).toString("base64"), view: spec.view, part: partOf(spec) };
}

function partOf({ view }: ViewSpec): AskedPart | undefined {
  switch (view.case) {
    case "nodes":
      return undefined;
    case "summary":
      return part(view.value.scope, view.value.edges);
    case "environment":
      return environmentPart(view.value);
    case "changes":
    case "events":
      return environmentPart(view.value.environment);
    default:
      throw new Fault("invalid_request", "no view that is known here is asked for");
  }
}

function environmentPart(environment: EnvironmentView | undefined): AskedPart {
  if (environment?.engine !== VIEW_ENGINE)
    throw new Fault("not_implemented", "this agent makes views in another way than the one that is asked for");
  return part(environment.scope, environment.edges);
}

function part(scope: SentScope = EVERYTHING, edges: EdgeRules | undefined): AskedPart {
  return { scope: scopeOfSpec(scope), edges: edgesOfSpec(edges) };
}
