/**
 * The page for a failure that left nothing to render with, in place of the one that Next makes with the build: all its scripts and styles
 * stand in it, and none has a nonce, without which our policy lets none run. This one needs none.
 *
 * @param made Next's page, whose files of styles are the build's own
 */
export function failedPage(made: string): string {
  const addresses = (made.match(/<link [^<>]*>/g) ?? []).map((link) => / href="([^"]*)"/.exec(link)?.[1] ?? "");
  const styles = addresses.filter((href) => href.endsWith(".css")).map((href) => `<link rel="stylesheet" href="${href}"/>`);
  const head = `<meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/><title>Error · Binnacle</title>`;
  return `<!DOCTYPE html><html lang="en"><head>${head}${[...new Set(styles)].join("")}</head><body>${BODY}</body></html>`;
}

const BODY = `<main id="content" class="page"><h1 class="visually-hidden">Error</h1><div class="state"><div role="alert">
<p class="say">Binnacle could not make this page.</p>
<div class="more"><p>This changes nothing in the cluster. Load the page again; if it happens again, tell who runs Binnacle: the reason is
in its log.</p></div>
<div class="acts"><a class="btn sm" href="">Load the page again</a></div>
</div></div></main>`;
