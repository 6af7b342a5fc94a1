import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ErrorBoundary, type BoundaryFailure } from "./error-boundary.tsx";
import { FailurePanel } from "./failure-panel.tsx";

test("W12: an error says what stopped, that the cluster is untouched, the words to report, and what to do", () => {
  const html = renderToStaticMarkup(<FailurePanel error={new Error("x is <b>undefined</b>")} what="The graph" retry={() => undefined} />);
  expect(html).toContain("The graph stopped: an error in Binnacle.");
  expect(html).toContain("This changes nothing in the cluster.");
  expect(html).toContain("x is &lt;b&gt;undefined&lt;/b&gt;");
  expect(html).toMatch(/Try again.*Load the page again/);
  expect(html).toContain('role="alert"');
});

test("W12: code that could not be loaded says first that the page is loaded again", () => {
  const html = renderToStaticMarkup(<FailurePanel error={missingCode()} what="The graph" retry={() => undefined} />);
  expect(html).toContain("Loading the page again.");
  expect(html).not.toContain("Try again");
});

test("W12: a boundary shows its fallback for whatever is thrown, and what it holds again after a retry or for another key", () => {
  for (const error of [new Error("broken"), undefined, "text"]) {
    let retries = 0;
    const fallback = (): undefined => undefined;
    const boundary = new ErrorBoundary({ children: "content", fallback, resetKey: "a", onRetry: () => void (retries += 1) });
    boundary.setState = (state) => {
      // The boundary sets its whole state.
      boundary.state = state as typeof boundary.state;
    };
    expect(boundary.render()).toBe("content");
    boundary.state = ErrorBoundary.getDerivedStateFromError(error);
    const shown = boundary.render();
    expect(shown).toMatchObject({ type: fallback, props: { error } });
    boundary.componentDidUpdate({ ...boundary.props, resetKey: "a" });
    expect(boundary.render()).not.toBe("content");
    boundary.componentDidUpdate({ ...boundary.props, resetKey: "b" });
    expect([boundary.render(), retries]).toEqual(["content", 0]);
    boundary.state = ErrorBoundary.getDerivedStateFromError(error);
    // What it renders is its fallback's element, as seen above.
    (shown as ReactElement<BoundaryFailure>).props.retry();
    expect([boundary.render(), retries]).toEqual(["content", 1]);
  }
});

function missingCode(): Error {
  return Object.assign(new Error("Failed to load chunk /_next/static/chunks/a.js from module 1"), { name: "ChunkLoadError" });
}
