import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Name } from "./name.tsx";

const POD = "payments-service-7d9c5b8f6b-8x89f";

test("US12: a name that has room is nothing but its text", () => {
  expect(renderToStaticMarkup(<Name name={POD} room={40} />)).toBe(POD);
});

test("US12: a shortened name keeps its end, and is whole for readers and in its title", () => {
  const html = renderToStaticMarkup(<Name name={POD} room={16} />);
  expect(html).toMatch(new RegExp(`title="${POD}"><span aria-hidden="true">payment…6b-8x89f</span><span class="visually-hidden">${POD}<`));
});

test("XM14: what turns words round is not drawn, nor read", () => {
  expect(renderToStaticMarkup(<Name name={"a\u202Eb"} room={40} />)).toBe("a\uFFFDb");
});
