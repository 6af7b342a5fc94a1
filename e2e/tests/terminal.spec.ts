// needs: control-plane
import type { Locator, Page } from "@playwright/test";

import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { logLines } from "../support/log-lines.ts";
import { signalProcess } from "../support/process-control.ts";
import type { Sandbox } from "../support/sandbox.ts";

const NAMESPACE = "production";

let sandbox: Sandbox;
let pod: string;
test.beforeAll(async ({ mutableSandbox }) => {
  sandbox = mutableSandbox;
  const names = await direct("get", "pods", "--field-selector", "status.phase=Running", "-o", "jsonpath={.items[*].metadata.name}");
  pod = names.split(" ").find((name) => name.startsWith("web-")) ?? "";
});
test.afterAll(() => direct("delete", "--ignore-not-found", "--now", "pod/bare", "role/only-exec", "role/binnacle-create-get-pods-exec"));

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);

interface ShownTerminal {
  readonly drawer: Locator;
  readonly screen: Locator;
  /** Violations of the content security policy, and errors of the page. */
  readonly errors: readonly string[];
}

async function openTab(page: Page, username: string, name = pod): Promise<ShownTerminal> {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.text().includes("Content Security Policy")) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, sandbox, { username, url: graphUrl(sandbox, NAMESPACE) });
  // Errors of the main application's pages are not ours.
  errors.length = 0;
  await page.goto(`${graphUrl(sandbox, NAMESPACE)}&sel=core/pods/${NAMESPACE}/${name}`);
  const drawer = page.locator("[data-drawer]");
  await expect(drawer.getByRole("heading", { name })).toBeFocused();
  const tab = drawer.getByRole("tab", { name: "Terminal" });
  // The key acts once the page knows that the environment has terminals.
  await expect(tab).toBeVisible();
  await page.keyboard.press("s");
  await expect(tab).toHaveAttribute("aria-selected", "true");
  await expect(tab).toBeInViewport({ ratio: 1 });
  return { drawer, screen: drawer.locator(".xterm-rows"), errors };
}

test("a maintainer opens a shell in a pod, types, resizes, and sees its exit code; no style violates the content security policy", async ({
  page,
}) => {
  const { drawer, screen, errors } = await openTab(page, "maintainer");
  await expect(drawer.getByText("Production: what you type here")).toBeVisible();
  await expect(drawer.getByLabel("Container", { exact: true })).toBeVisible();
  await drawer.getByRole("button", { name: "Start terminal" }).click();
  await expect(drawer.getByText("bash in ")).toBeVisible();
  await page.keyboard.type("echo hel''lo; stty size\n");
  await expect(screen).toContainText("hello");
  await expect(screen).toContainText(/\d+ \d+/);
  const sizes = async (): Promise<string[]> => (await screen.innerText()).match(/^\d+ \d+$/gm) ?? [];
  const [before] = await sizes();

  // It is the program's, not the page's.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+c");
  await expect(drawer).toBeVisible();

  const title = await page.title();
  const views = page.getByRole("navigation", { name: "Views" });
  await expect(views).toBeVisible();
  await drawer.getByRole("button", { name: "Fill the window" }).click();
  await expect(page).toHaveURL(/&tab=terminal&full=\w+$/);
  await expect(page).toHaveTitle(`Terminal of ${pod} · ${title}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(pod);
  await expect(views).toHaveCount(0);
  await drawer.locator(".xterm-screen").click();
  await page.keyboard.type("stty size\n");
  await expect.poll(async () => (await sizes()).at(-1)).not.toBe(before);

  const styles = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLStyleElement>(".xterm style")].map(({ sheet, textContent }) => [
      textContent !== "",
      sheet !== null && sheet.cssRules.length > 0,
    ]),
  );
  expect(styles.filter(([hasText]) => hasText).length).toBeGreaterThan(1);
  expect(styles.filter(([hasText, hasRules]) => hasText !== hasRules)).toEqual([]);
  await page.goBack();
  await expect(page).not.toHaveURL(/full=/);
  await expect(page).toHaveTitle(title);
  await expect(views).toBeVisible();
  await page.goForward();
  await drawer.getByRole("button", { name: "Back to the details" }).click();

  await drawer.getByRole("tab", { name: "YAML" }).click();
  await expect(drawer.getByRole("region", { name: /^YAML of/ })).toBeVisible();
  await expect(screen).toBeHidden();
  await drawer.getByRole("tab", { name: "Terminal" }).click();
  await drawer.locator(".xterm-screen").click();
  await page.keyboard.type("echo sti''ll\n");
  await expect(screen).toContainText("still");

  await page.keyboard.press("Control+Shift+ArrowUp");
  await expect(drawer.getByRole("button", { name: "End terminal" })).toBeFocused();
  await drawer.locator(".xterm-screen").click();
  await page.keyboard.type("exit 7\n");
  await expect(drawer.getByText("The shell ended with exit code 7.")).toBeVisible();
  expect(errors).toEqual([]);
  // What the policy does to a style element without its nonce.
  const bare = await page.evaluate(() => {
    const style = document.createElement("style");
    style.textContent = "body { --bare: 1 }";
    document.head.append(style);
    return style.sheet?.cssRules.length ?? 0;
  });
  expect(bare).toBe(0);
  const ended = () =>
    logLines(sandbox, "web").filter(({ audit, event, subresource }) => audit === true && event === "end" && subresource === "exec");
  await expect.poll(() => ended().length).toBe(1);
  expect(ended()).toMatchObject([
    { user: "maintainer", as: "gitlab:user:maintainer", name: pod, outcome: "exited", exit_code: 7, program: "bash" },
  ]);
  expect(JSON.stringify(logLines(sandbox, "web"))).not.toContain("stty");
});

test("a terminal has an address that fills the page and starts nothing, and says after a reload that its shell ended", async ({ page }) => {
  const { drawer, errors } = await openTab(page, "maintainer");
  const link = drawer.getByRole("link", { name: "Open as a page" });
  const [opened] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  const main = opened.locator("main");
  await expect(opened.getByRole("heading", { level: 1, name: pod })).toBeVisible();
  await expect(opened).toHaveTitle(new RegExp(`^Terminal of ${pod} · ${NAMESPACE}, `));
  await expect(main.getByRole("button", { name: "Start terminal" })).toBeVisible();
  await expect(opened.getByRole("navigation", { name: "Views" })).toHaveCount(0);
  await expect(main.getByRole("tab")).toHaveCount(0);
  await expect(main.locator(".xterm"), "a link starts no shell").toHaveCount(0);
  await main.getByRole("button", { name: "Start terminal" }).click();
  await expect(main.getByText("bash in ")).toBeVisible();

  await opened.reload();
  await expect(main.getByText("The shell ended when the page was reloaded.")).toBeVisible();
  await expect(main.locator(".xterm")).toHaveCount(0);
  await main.getByRole("button", { name: "Start again" }).click();
  await expect(main.getByText("bash in ")).toBeVisible();
  await main.locator(".xterm-screen").click();
  await opened.keyboard.type("exit\n");
  await expect(main.getByText("The shell ended with exit code 0.")).toBeVisible();
  await opened.reload();
  await expect(main.getByRole("button", { name: "Start terminal" }), "it had ended before").toBeVisible();
  await opened.close();
  expect(errors).toEqual([]);
});

test("T54: a developer without the right sees the missing Role, and has a shell after it was applied, until it is taken away", async ({
  page,
}) => {
  const { drawer, screen } = await openTab(page, "developer");
  await expect(drawer.getByText("You cannot open a terminal in this pod: you may not create, get pods/exec")).toBeVisible();
  const role = await drawer.getByLabel("Missing rule").innerText();
  await kubectl(sandbox.endpoints.kubeconfigs.cluster, ["apply", "-f", "-"], role);
  await direct("create", "rolebinding", "exec", "--role=binnacle-create-get-pods-exec", "--user=gitlab:user:developer");
  await expect(async () => {
    await drawer.getByRole("button", { name: "Check again" }).click();
    await expect(drawer.getByRole("button", { name: "Start terminal" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await drawer.getByRole("button", { name: "Start terminal" }).click();
  await expect(drawer.getByText("bash in ")).toBeVisible();
  await page.keyboard.type("echo hel''lo\n");
  await expect(screen).toContainText("hello");
  await direct("delete", "rolebinding", "exec");
  await expect(drawer.getByText(/Your access (ended|was withdrawn)/)).toBeVisible({ timeout: 70_000 });
});

test("a pod without a shell gets a debug container, named and confirmed before it is added; a viewer without the right sees the missing Role", async ({
  page,
  browser,
}) => {
  await direct("run", "bare", "--image=gcr.io/distroless/static", "--restart=Never");
  await direct("wait", "--for=condition=Ready", "pod/bare", "--timeout=60s");
  const { drawer, screen } = await openTab(page, "maintainer", "bare");
  const panel = drawer.getByRole("region", { name: "Add a debug container" });
  await drawer.getByRole("tab", { name: "Overview" }).click();
  await drawer.getByRole("group", { name: "Actions" }).getByRole("button", { name: "Debug container…" }).click();
  await expect(panel, "the action of the pod leads to the same confirmation").toBeFocused();
  await expect(panel.getByText(/Adds container debug-\w{5} with the image busybox:1\.37 to the pod/)).toBeVisible();
  await panel.getByRole("button", { name: "Cancel" }).click();
  await expect(panel).toHaveCount(0);
  await drawer.getByRole("button", { name: "Start terminal" }).click();
  await expect(drawer.getByText("The image of this container has no shell")).toBeVisible();
  await drawer.getByRole("tabpanel").getByRole("button", { name: "Debug container…" }).click();
  await expect(panel.getByText(/Adds container debug-\w{5} with the image busybox:1\.37 to the pod/)).toBeVisible();
  const add = panel.getByRole("button", { name: "Add and open a shell" });
  await expect(add).toBeDisabled();
  await panel.getByLabel("Production: type bare").fill("bare");
  await page.screenshot({ path: test.info().outputPath("debug-container.png") });
  await add.click();
  await expect(drawer.getByText(/ash in debug-\w{5}/)).toBeVisible();
  await page.keyboard.type("echo hel''lo\n");
  await expect(screen).toContainText("hello");
  const added = () =>
    logLines(sandbox, "web").filter(
      ({ audit, dry_run: dryRun, namespace, resource }) =>
        audit === true && dryRun === false && namespace === NAMESPACE && resource === "pods",
    );
  await expect.poll(added).toMatchObject([{ user: "maintainer", subresource: "ephemeralcontainers", name: "bare", outcome: "done" }]);

  await direct("create", "role", "only-exec", "--verb=create,get", "--resource=pods/exec");
  await direct("create", "rolebinding", "only-exec", "--role=only-exec", "--user=gitlab:user:developer");
  const other = await browser.newPage();
  const refused = await openTab(other, "developer", "bare");
  const begin = refused.drawer.getByRole("button", { name: /Check again|Start terminal/ });
  await expect(async () => {
    // It is gone when the answer takes longer than this waits for it.
    if (await begin.isVisible()) await begin.click();
    await expect(refused.drawer.getByText("The image of this container has no shell")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(refused.drawer.getByRole("button", { name: "Debug container, not allowed" })).toBeVisible();
  await refused.drawer.getByRole("tabpanel").getByRole("button", { name: "Debug container…" }).click();
  await expect(refused.drawer.getByText("A debug container cannot be added: you may not patch pods/ephemeralcontainers")).toBeVisible();
  await expect(refused.drawer.getByLabel("Missing rule")).toContainText("pods/ephemeralcontainers");
  await other.close();
  await direct("delete", "rolebinding", "only-exec");
});

test("a killed kas ends the shell with a notice, and another one can be started", async ({ page }) => {
  const { drawer, screen } = await openTab(page, "maintainer");
  await drawer.getByRole("button", { name: "Start terminal" }).click();
  await expect(drawer.getByText("bash in ")).toBeVisible();
  signalProcess(sandbox.endpoints.pids.kas[0], "SIGKILL");
  await expect(drawer.getByText("The connection to the container was lost")).toBeVisible();
  await expect(async () => {
    await drawer.getByRole("button", { name: "Start again" }).click();
    await expect(drawer.getByText("bash in ")).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await page.keyboard.type("echo hel''lo\n");
  await expect(screen).toContainText("hello");
});
