import { EventEmitter, once } from "node:events";

import type { Step } from "./step.ts";

/** How long a step took, and on which lane. */
export interface StepTime {
  readonly title: string;
  readonly lane: number;
  readonly seconds: number;
}

/** The next step that may begin: the first whose predecessor, if it is among all, has ended. Nothing: one must end first, or none is left. */
export function nextOf(steps: readonly Step[], begun: ReadonlySet<Step>, ended: ReadonlySet<Step>): Step | undefined {
  const isReady = ({ after }: Step): boolean => steps.every((step) => step.title !== after || ended.has(step));
  return steps.find((step) => !begun.has(step) && isReady(step));
}

/**
 * Runs all steps on so many lanes, each step on the first lane that is free.
 *
 * @param run runs one step to its end; lanes are counted from 1
 * @returns the steps in the order in which they ended
 */
export async function runLanes(
  steps: readonly Step[],
  lanes: number,
  run: (step: Step, lane: number) => Promise<void>,
): Promise<readonly StepTime[]> {
  const times: StepTime[] = [];
  const [begun, ended] = [new Set<Step>(), new Set<Step>()];
  const ends = new EventEmitter();
  const runLane = async (lane: number): Promise<void> => {
    while (begun.size < steps.length) {
      const step = nextOf(steps, begun, ended);
      if (step === undefined) {
        await once(ends, "ended");
        continue;
      }
      begun.add(step);
      const started = performance.now();
      await run(step, lane);
      times.push({ title: step.title, lane, seconds: (performance.now() - started) / 1000 });
      ended.add(step);
      ends.emit("ended");
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, index) => runLane(index + 1)));
  return times;
}
