import { binnacle, expectSameSentences } from "../support/command-line.ts";
import { pick } from "../support/endpoints.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";

test("T91: the command line says of an environment what its page says, with a personal access token alone", async ({ page, sandbox }) => {
  test.setTimeout(240_000);
  const summaryOf = (name: string): string => graphUrl(sandbox, name).replace("view=graph", "view=summary");
  await signIn(page, sandbox, { username: "maintainer", url: summaryOf("production") });
  for (const name of ["production", "staging"]) await expectSameSentences(page, sandbox, { name, summary: summaryOf(name) });
  const { output } = await binnacle(sandbox, ["environments"]);
  for (const { name } of sandbox.endpoints.environments.filter(({ project }) => project === "group/app"))
    expect(output).toContain(`${name} `);
});

test("T91: a user who may not use the agent, and a wrong token, get 3 and no more than the page says", async ({ sandbox }) => {
  const { environments } = sandbox.endpoints;
  const { name } = pick(environments, (entry) => entry.name === "production");
  const outsider = await binnacle(sandbox, ["status", name], "outsider");
  expect(outsider.code).toBe(3);
  expect(outsider.output + outsider.notes).not.toContain("checked resources");
});

test("the graph of an environment is a drawing with its workloads", async ({ sandbox }) => {
  const { code, output } = await binnacle(sandbox, ["graph", "production", "-o", "svg"]);
  expect(code).toBe(0);
  expect(output).toMatch(/^<\?xml/);
  expect(output).toContain(">deploy</text>");
});
