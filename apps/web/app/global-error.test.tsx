import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import GlobalError from "./global-error.tsx";

test("W12: an error in the frame brings a whole page of its own that says what happened and what to do", () => {
  const html = renderToStaticMarkup(<GlobalError error={new Error("no frame")} />);
  expect(html).toMatch(/^<html lang="en">.*<title>Error · Binnacle<\/title>.*<main id="content"/);
  expect(html).toContain("The dashboard stopped: an error in Binnacle.");
  expect(html).toMatch(/no frame.*<a [^>]*href="">Load the page again<\/a>/);
  expect(html).not.toContain("<button");
});
