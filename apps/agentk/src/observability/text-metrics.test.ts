import { expect, test } from "vitest";

import { PROCESS_METRICS } from "./metrics.ts";
import { LabelledCounter, TextMetrics } from "./text-metrics.ts";

test("a metric is its help, its type and a line for each of its samples", () => {
  const counter = new LabelledCounter("code");
  for (const code of ["2xx", "none", "2xx"]) counter.add(code);
  const metrics = new TextMetrics([
    { name: "a_total", help: "All", type: "counter", samples: () => counter.samples },
    { name: "b", help: "None yet", type: "gauge", samples: () => [] },
    { name: "c", help: "One", type: "gauge", samples: () => [{ value: 1.5 }] },
  ]);
  expect(metrics.metrics()).toBe(
    [
      "# HELP a_total All",
      "# TYPE a_total counter",
      'a_total{code="2xx"} 2',
      'a_total{code="none"} 1',
      "",
      "# HELP b None yet",
      "# TYPE b gauge",
      "",
      "# HELP c One",
      "# TYPE c gauge",
      "c 1.5",
      "",
    ].join("\n"),
  );
});

test("texts cannot break a line, and values that are no numbers have their names", () => {
  const text = new TextMetrics([
    {
      name: "a",
      help: "x\ny\\",
      type: "gauge",
      samples: () => [
        { labels: { v: 'q"\n\\', w: "1" }, value: Number.NaN },
        { value: Number.POSITIVE_INFINITY },
        { value: Number.NEGATIVE_INFINITY },
      ],
    },
  ]).metrics();
  expect(text).toBe('# HELP a x\\ny\\\\\n# TYPE a gauge\na{v="q\\"\\n\\\\",w="1"} NaN\na +Inf\na -Inf\n');
});

test("what the process costs has values", () => {
  // Not every system tells of open files.
  const always = PROCESS_METRICS.filter(({ name }) => name !== "process_open_fds");
  expect(always.filter(({ samples }) => !samples().every(({ value }) => value > 0))).toEqual([]);
});
