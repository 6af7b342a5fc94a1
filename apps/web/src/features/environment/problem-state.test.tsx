import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { LinkedSentence } from "./problem-state.tsx";

const LINK = "https://main.example.com/help?a=1";

test("the sentence stays word for word and only its link is linked", () => {
  const html = renderToStaticMarkup(<LinkedSentence sentence={`Do resources have Binnacle preserved labels? See ${LINK}`} link={LINK} />);
  expect(html).toContain(`>${LINK.replace("&", "&amp;")}</a>`);
  expect(html.replaceAll(/<[^>]+>/g, "")).toBe(`Do resources have Binnacle preserved labels? See ${LINK}`);
});

test("an address that is none of the web is not linked", () => {
  expect(renderToStaticMarkup(<LinkedSentence sentence="See javascript:alert(1)" link="javascript:alert(1)" />)).toBe(
    "See javascript:alert(1)",
  );
});
