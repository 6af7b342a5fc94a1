import { Environment, EvaluationError, ParseError, TypeError as CelTypeError } from "@marcbachmann/cel-js";

import { CelBudget } from "./cel-budget.ts";
import { guardEvaluator, type CelEvaluator, type CelNode } from "./cel-guard.ts";

/** A value, or why there is none; "missing": a field that the object does not have. */
export type CelValue =
  { readonly tag: "value"; readonly value: unknown } | { readonly tag: "error" | "missing" | "steps" | "memory"; readonly message: string };

/** What an engine for CEL has to offer. An expression sees the fields of the object as variables. */
export interface CelEngine {
  /** Why the text is no expression; `undefined` when it is one. Bounded: safe outside a worker. */
  problemOf(expression: string): string | undefined;
  /** Evaluates within the limits of steps and memory, which one `begin` shares. Never throws. Regular expressions are not bounded. */
  evaluate(expression: string, object: ReadonlyMap<string, unknown>): CelValue;
  /** Starts a new budget. */
  begin(): void;
}

const MAX_EXPRESSION_LENGTH = 16 * 1024;
const MAX_COMPILED = 512;
const LIMITS = { maxAstNodes: 5000, maxDepth: 100, maxListElements: 1000, maxMapEntries: 1000, maxCallArguments: 16 };
const MISSING = new Set(["no_such_key", "unknown_variable", "index_out_of_bounds"]);

type Program = (object: ReadonlyMap<string, unknown>) => unknown;

/** cel-js with the options that Flux gives to cel-go (optional types, homogeneous literals) and a budget. */
export function createCelEngine(): CelEngine {
  const budget = new CelBudget();
  const options = { unlistedVariablesAreDyn: true, enableOptionalTypes: true, limits: LIMITS };
  const plain = new Environment(options);
  const bounded = boundedEnvironment(new Environment({ ...options, limits: { ...LIMITS, maxDepth: 101, maxAstNodes: 5001 } }), budget);
  const programs = new Map<string, Program>();

  function problemOf(expression: string): string | undefined {
    if (expression.length > MAX_EXPRESSION_LENGTH) return "it is longer than 16 KiB";
    try {
      plain.parse(expression);
      return undefined;
    } catch (error) {
      return sentenceOf(error);
    }
  }

  function programOf(expression: string): Program | string {
    const known = programs.get(expression);
    if (known !== undefined) return known;
    const problem = problemOf(expression);
    if (problem !== undefined) return problem;
    if (programs.size >= MAX_COMPILED) programs.clear();
    // The line break ends a comment at the end of the expression, which parses on its own, so that its parentheses are balanced.
    const parsed = bounded.parse(`${BOUNDED}(${expression}\n)`);
    const program: Program = (object) => parsed(object);
    programs.set(expression, program);
    return program;
  }

  return {
    problemOf,
    begin: () => budget.renew(),
    evaluate(expression, object) {
      try {
        const program = programOf(expression);
        if (typeof program === "string") return { tag: "error", message: program };
        const value = program(object);
        return budget.over === undefined ? { tag: "value", value } : { tag: budget.over, message: "" };
      } catch (error) {
        if (budget.over !== undefined) return { tag: budget.over, message: "" };
        const missing = error instanceof EvaluationError && MISSING.has(error.code);
        return { tag: missing ? "missing" : "error", message: sentenceOf(error) };
      }
    },
  };
}

const BOUNDED = "binnacleBounded";

// A macro is the one way to be handed the evaluator, and to be called before the expression's own root.
function boundedEnvironment(environment: Environment, budget: CelBudget): Environment {
  return environment.registerFunction(`${BOUNDED}(ast): dyn`, ({ args }: { readonly args: readonly CelNode[] }) => ({
    root: args[0],
    typeCheck: (checker: { check(node: unknown, context: unknown): unknown }, macro: { root: unknown }, context: unknown) =>
      checker.check(macro.root, context),
    evaluate(evaluator: CelEvaluator, macro: { root: CelNode }, context: unknown): unknown {
      guardEvaluator(evaluator, budget);
      return evaluator.run(macro.root, context);
    },
  }));
}

function sentenceOf(error: unknown): string {
  if (error instanceof EvaluationError || error instanceof ParseError || error instanceof CelTypeError) return error.summary;
  return error instanceof Error ? error.message : "it failed";
}
