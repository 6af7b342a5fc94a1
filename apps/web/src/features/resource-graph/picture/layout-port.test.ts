import { expect, test } from "vitest";
import { portOf } from "./layout-port.ts";

/** A worker that says what the test says. */
class FakeWorker extends EventTarget {
  readonly posted: unknown[] = [];
  terminated = false;
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
  terminate(): void {
    this.terminated = true;
  }
  say(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

function rig() {
  const worker = new FakeWorker();
  const heard: unknown[] = [];
  let deaths = 0;
  const port = portOf(worker, () => {
    deaths += 1;
  });
  return { worker, port, heard, deaths: () => deaths };
}

test("an answer goes to its request, in any order", () => {
  const { worker, port, heard } = rig();
  port.send({ tidy: true }, (answer) => heard.push(["first", answer]));
  port.send({ tidy: false }, (answer) => heard.push(["second", answer]));
  worker.say({ seq: 2, answer: "b" });
  worker.say({ seq: 1, answer: "a" });
  worker.say({ seq: 1, answer: "again" });
  worker.say({ seq: 9, answer: "without a request" });
  expect(heard).toEqual([
    ["second", "b"],
    ["first", "a"],
  ]);
});

test.each(["error", "messageerror"])("W13: the event %s of the worker is its death", (type) => {
  const { worker, deaths } = rig();
  worker.dispatchEvent(new Event(type));
  expect(deaths()).toBe(1);
});

test.each([undefined, null, "hello", 7, {}, { seq: 1 }])("W13: a message that is no answer (%j) is its death", (data) => {
  const { worker, port, heard, deaths } = rig();
  port.send({}, (answer) => heard.push(answer));
  worker.say(data);
  expect([heard, deaths()]).toEqual([[], 1]);
});

test("a closed port ends the worker", () => {
  const { worker, port } = rig();
  port.close();
  expect(worker.terminated).toBe(true);
});
