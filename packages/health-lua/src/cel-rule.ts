import type { CelEngine, CelValue } from "./cel-engine.ts";
import type { RuleAnswer } from "./worker-message.ts";

/** Expressions of one kind in Flux's shape; `suspended` and `message` are ours. */
export interface CelExpressions {
  readonly suspended?: string;
  readonly inProgress?: string;
  readonly failed?: string;
  readonly current: string;
  /** Gives text, not a truth value. */
  readonly message?: string;
}

/** The fields of CelExpressions. */
export const EXPRESSION_NAMES = ["suspended", "inProgress", "failed", "current", "message"] as const;

const VERDICTS = [
  ["inProgress", "Progressing"],
  ["failed", "Degraded"],
  ["current", "Healthy"],
] as const;

type Failure = Exclude<CelValue, { readonly tag: "value" }>;

/**
 * Evaluates as Flux does: a status that speaks of another generation is Progressing; then inProgress, failed, current, and the first that
 * is true decides; none is Progressing; an error in one of them ends the evaluation. `suspended` comes before all of these, because a
 * suspended controller does not look at new generations. A message that fails never hides the verdict.
 *
 * @see fluxcd/pkg runtime/cel/status_evaluator.go (`StatusEvaluator.Evaluate`) and RFC-0009
 */
export function evaluateCelRule(engine: CelEngine, expressions: CelExpressions, json: string): RuleAnswer {
  engine.begin();
  let object: ReadonlyMap<string, unknown>;
  try {
    object = parseCelObject(json);
  } catch (error) {
    return { tag: "error", status: "", message: error instanceof Error ? error.message : "The resource cannot be read" };
  }
  const verdict = judge(engine, expressions, object);
  if ("tag" in verdict) return { tag: verdict.tag, status: "", message: verdict.message };
  const { message = "" } = expressions;
  return {
    tag: "ok",
    status: verdict.status,
    message: message === "" ? verdict.why : messageOr(verdict.why, engine.evaluate(message, object)),
  };
}

interface Verdict {
  readonly status: string;
  readonly why: string;
}

function judge(engine: CelEngine, expressions: CelExpressions, object: ReadonlyMap<string, unknown>): Verdict | Failure {
  const suspended = isTrue(engine, ["suspended", expressions.suspended], object);
  if (typeof suspended !== "boolean") return suspended;
  if (suspended) return { status: "Suspended", why: "The health expression suspended is true" };
  const stale = otherGeneration(object);
  if (stale !== undefined) return stale;
  for (const [name, status] of VERDICTS) {
    const holds = isTrue(engine, [name, expressions[name]], object);
    if (typeof holds !== "boolean") return holds;
    if (holds) return { status, why: `The health expression ${name} is true` };
  }
  return { status: "Progressing", why: "No health expression is true" };
}

function isTrue(
  engine: CelEngine,
  [name, expression = ""]: readonly [string, string | undefined],
  object: ReadonlyMap<string, unknown>,
): boolean | Failure {
  if (expression === "") return false;
  const result = engine.evaluate(expression, object);
  if (result.tag !== "value") return { tag: result.tag, message: `${name}: ${result.message}` };
  if (typeof result.value === "boolean") return result.value;
  return { tag: "error", message: `${name}: it gives neither true nor false` };
}

// As Flux: different, not older; and a field of another type is an error.
function otherGeneration(object: ReadonlyMap<string, unknown>): Verdict | Failure | undefined {
  const observed = fieldOf(object.get("status"), "observedGeneration");
  if (observed === undefined) return undefined;
  const generation = fieldOf(object.get("metadata"), "generation");
  if (typeof observed !== "bigint") return { tag: "error", message: "status.observedGeneration is not a whole number" };
  if (typeof generation !== "bigint" || observed === generation) return undefined;
  return { status: "Progressing", why: `Waiting for the controller to see generation ${generation}; it has seen ${observed}` };
}

function fieldOf(value: unknown, name: string): unknown {
  return value instanceof Map ? value.get(name) : undefined;
}

function messageOr(why: string, custom: CelValue): string {
  if (custom.tag !== "value") return `${why} (its message failed: ${custom.message === "" ? "over its limits" : custom.message})`;
  return typeof custom.value === "string" && custom.value !== "" ? custom.value.slice(0, 4096) : why;
}

/**
 * JSON text as CEL sees it: objects are Maps, so that a field named "constructor" is a field; whole numbers are int (bigint) as in Flux,
 * others double.
 *
 * @throws SyntaxError when the text is no JSON object
 */
function parseCelObject(json: string): ReadonlyMap<string, unknown> {
  const value = celValueOf(JSON.parse(json));
  if (!(value instanceof Map)) throw new SyntaxError("The resource is no JSON object");
  return value;
}

function celValueOf(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(celValueOf);
  const map = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) map.set(name, celValueOf(field));
  return map;
}
