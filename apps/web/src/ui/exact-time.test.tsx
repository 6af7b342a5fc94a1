import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ExactTime } from "./exact-time.tsx";

const AT_MS = Date.parse("2026-01-31T11:58:20Z");

function drawn(atMs: number, now: number): string {
  return renderToStaticMarkup(
    <ExactTime atMs={atMs} now={now}>
      a while ago
    </ExactTime>,
  );
}

test("a time is whole for machines, and for people with its day, its second and its zone", () => {
  const html = drawn(AT_MS, AT_MS);
  expect(html).toContain('<time dateTime="2026-01-31T11:58:20.000Z"');
  expect(html).toMatch(/title="\d{1,2} Jan 2026, \d\d:58:20 (?:UTC|GMT|[A-Z]{2,5}|GMT[+-][\d:]+)">a while ago</);
});

test("in HTML, where the zone of the reader is unknown, it is of UTC", () => {
  expect(drawn(AT_MS, 0)).toContain('title="2026-01-31 11:58:20 UTC"');
});

test("a time that no calendar has breaks nothing", () => {
  expect(drawn(8.64e15 + 1, AT_MS)).toBe("<time>a while ago</time>");
});
