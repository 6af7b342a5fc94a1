import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { formatAbsolute, formatClock, formatSecond } from "./format-time.ts";
import { WithTimes } from "./with-times.tsx";

const AT_MS = Date.parse("2026-01-31T11:58:20Z");
const OTHER_MS = Date.parse("2026-01-31T10:01:07Z");

function drawn(text: string, times: readonly (number | undefined)[]): string {
  return renderToStaticMarkup(<WithTimes text={text} times={times} now={AT_MS} />).replaceAll(/ title="[^"]+"/g, "");
}

test("each time that a sentence names is a time, to the minute, to the second or with its day, in whatever order", () => {
  const whole = formatAbsolute(AT_MS, AT_MS);
  expect(drawn(`As of ${whole}.`, [AT_MS])).toBe(`As of <time dateTime="2026-01-31T11:58:20.000Z">${whole}</time>.`);
  const [clock, second] = [formatClock(AT_MS, AT_MS), formatSecond(OTHER_MS, AT_MS)];
  expect(drawn(`Offline since ${clock}, shown as of ${second}.`, [OTHER_MS, undefined, AT_MS])).toBe(
    `Offline since <time dateTime="2026-01-31T11:58:20.000Z">${clock}</time>, shown as of <time dateTime="2026-01-31T10:01:07.000Z">${second}</time>.`,
  );
});

test("a sentence that names none of them stays as it is, and a time that no calendar has breaks nothing", () => {
  expect(drawn("Agent <demo> is away.", [AT_MS, 8.64e15 + 1])).toBe("Agent &lt;demo&gt; is away.");
});
