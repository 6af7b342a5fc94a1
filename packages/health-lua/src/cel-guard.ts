import { sizeOf, type CelBudget } from "./cel-budget.ts";

/** The evaluator of cel-js 8.0.0, as far as it is used here; its typings leave it out. */
export interface CelEvaluator {
  run(node: CelNode, context: unknown): unknown;
}

/** A node of cel-js's tree. The fields are set by its type checker, which runs before the first evaluation. */
export interface CelNode {
  readonly op: string;
  readonly args: unknown;
  readonly left?: CelNode;
  readonly right?: CelNode;
  readonly receiverWithArgs?: readonly CelNode[];
  readonly candidates?: unknown;
  readonly handle?: (...values: readonly unknown[]) => unknown;
  evaluate(evaluator: CelEvaluator, node: CelNode, context: unknown): unknown;
}

/** How much larger than its input the result of a method may be. */
const GROWTH: ReadonlyMap<unknown, number> = new Map([
  ["split", 8],
  ["json", 32],
]);

/** What takes the time of a product and cannot be interrupted, not even by ending the thread: a thousand comparisons are a step. */
const SEARCHES: ReadonlySet<unknown> = new Set(["contains", "indexOf", "lastIndexOf", "split"]);
const CONVERSIONS: ReadonlySet<unknown> = new Set(["int", "uint", "double", "duration", "timestamp"]);

const guarded = new WeakSet<CelEvaluator>();

/**
 * Makes an evaluator pay for every step and, before they are made, for texts, bytes and lists. Nothing but this stops a rule: cel-js has
 * limits for parsing only.
 */
export function guardEvaluator(evaluator: CelEvaluator, budget: CelBudget): void {
  if (guarded.has(evaluator)) return;
  guarded.add(evaluator);
  const run = (node: CelNode, context: unknown): unknown => {
    budget.step();
    const { handle } = node;
    if (handle !== undefined) {
      if (node.op === "+" && node.left !== undefined && node.right !== undefined) {
        const left = run(node.left, context);
        const right = run(node.right, context);
        budget.produce(sizeOf(left) + sizeOf(right));
        return handle(left, right, node, evaluator);
      }
      // Macros such as has() and cel.bind() have the same two names and neither of these fields.
      if (node.op === "rcall" && node.receiverWithArgs !== undefined && Array.isArray(node.args)) {
        const values = node.receiverWithArgs.map((part) => run(part, context));
        budget.produce(sizeOfCall(node.args[0], values));
        if (SEARCHES.has(node.args[0])) budget.step(sizeOf(values[0]) * sizeOf(values[1]) * 0.001);
        return handle(values, evaluator, node);
      }
      if (node.op === "call" && node.candidates !== undefined && Array.isArray(node.args)) {
        // Arguments of a call are nodes.
        const values = (node.args[1] as readonly CelNode[]).map((part) => run(part, context));
        budget.produce(sizeOfCall(node.args[0], values));
        if (CONVERSIONS.has(node.args[0])) budget.step(sizeOf(values[0]) ** 2 * 0.001);
        return handle(values, node, evaluator);
      }
    }
    if (node.op === "accuPush" || node.op === "list" || node.op === "map") budget.produce(8);
    return node.evaluate(evaluator, node, context);
  };
  evaluator.run = run;
}

function sizeOfCall(name: unknown, values: readonly unknown[]): number {
  let size = 0;
  for (const value of values) size += sizeOf(value);
  const [list, separator] = values;
  if (name === "join" && Array.isArray(list) && typeof separator === "string") size += list.length * separator.length;
  return size * (GROWTH.get(name) ?? 2);
}
