import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Sparkline } from "./sparkline.tsx";

test("a line is one picture with a name", () => {
  const html = renderToStaticMarkup(<Sparkline label="CPU: 0.2 cores" values={[0.1, 0.2]} requested={[0.3, 0.3]} />);
  expect(html).toMatch(/^<svg [^>]*role="img" aria-label="CPU: 0.2 cores">/);
  expect(html.match(/d="M[^"]*L[^"]*"/g)).toHaveLength(3);
});

test("one value is a bar beside what it is compared with, and with nothing to compare only its name", () => {
  const bar = renderToStaticMarkup(<Sparkline label="Memory: 64 MiB" values={[64]} requested={[32]} limit={[128]} />);
  expect(bar).toMatch(/role="img" aria-label="Memory: 64 MiB"/);
  // Half of the limit.
  expect(bar).toContain('width="60"');
  expect(renderToStaticMarkup(<Sparkline label="Memory: 64 MiB" values={[64]} />)).not.toContain("svg");
});
