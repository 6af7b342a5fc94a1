import { send, type BearerTarget } from "../support/bearer-request.ts";

/** Lists one kind in pages of 500, as the view does. @returns how many there are */
async function listKind(target: BearerTarget, path: string): Promise<number> {
  let count = 0;
  let token = "";
  do {
    const answer = await send(target, `${path}?limit=500${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`);
    // A list of the API server.
    const page = (await answer.body.json()) as { items: unknown[]; metadata: { continue?: string } };
    count += page.items.length;
    token = page.metadata.continue ?? "";
  } while (token !== "");
  return count;
}

/** Time that it takes to list some kinds of a namespace, side by side. @param ways paths; `%` stands for the namespace */
export async function listMs(target: BearerTarget, ways: readonly string[], namespace: string): Promise<number> {
  const started = performance.now();
  await Promise.all(ways.map((way) => listKind(target, `/${way.replace("%", namespace)}`)));
  return performance.now() - started;
}
