import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";

// The sandbox's certificate is its own.
test.use({ ignoreHTTPSErrors: true });

/** More than a browser opens connections to one host over HTTP/1.1. */
const TABS = 8;

test("W3: over https eight tabs of one browser are live on HTTP/2, and the drawer of the first still answers", async ({
  page,
  startSandbox,
}) => {
  const sandbox = await startSandbox(["--tls"]);
  const url = graphUrl(sandbox, "production");
  expect(url).toMatch(/^https:/);
  await signIn(page, sandbox, { username: "maintainer", url });
  const first = new EnvironmentPage(page);
  await expect(first.node("Deployment", "web")).toBeVisible();
  for (let tab = 1; tab < TABS; tab += 1) {
    const another = await page.context().newPage();
    await another.goto(url);
    await expect(new EnvironmentPage(another).node("Deployment", "web")).toBeVisible();
  }
  await page.bringToFront();
  await first.node("Deployment", "web").click();
  await page.getByRole("tab", { name: "YAML" }).click();
  await expect(page.getByText("apiVersion: apps/v1")).toBeVisible();
  const protocols = await page.evaluate(() =>
    // Both kinds of entry are resource timings; a page of its own list of types says only what all entries have.
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      // What was given up before an answer came has no protocol.
      .filter((entry) => Reflect.get(entry, "responseStatus") !== 0)
      .map((entry) => String(Reflect.get(entry, "nextHopProtocol"))),
  );
  expect([...new Set(protocols)]).toEqual(["h2"]);
});
