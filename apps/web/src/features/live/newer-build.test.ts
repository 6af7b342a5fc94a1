import { afterEach, describe, expect, test, vi } from "vitest";
import { fetchNotingBuild, isNewerBuild, watchNewerBuild } from "./newer-build.ts";

const BUILDS = ["00mws2shp5-cea41449fdcc", "00mws2shp6-000000000000", "00mwt00000-aaaaaaaaaaaa"] as const;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe("which build is newer", () => {
  test("the one that was made later, whatever the rest of its name", () => {
    for (const [index, own] of BUILDS.entries())
      for (const [at, other] of BUILDS.entries()) expect(isNewerBuild(own, other)).toBe(at > index);
  });

  test.each(["", "x", "zzzzzzzzzz", `${BUILDS[2]}x`, "<b>"])("a server that names itself %j is none", (other) => {
    expect(isNewerBuild(BUILDS[0], other)).toBe(false);
    expect(isNewerBuild(other, BUILDS[0])).toBe(false);
  });
});

/** Answers of servers, in turn, as a page of the first build hears them. */
async function heardFrom(builds: readonly (string | undefined)[], own: string): Promise<readonly string[]> {
  vi.stubEnv("BINNACLE_BUILD", own);
  const heard: string[] = [];
  const left: (string | undefined)[] = [...builds];
  vi.stubGlobal("fetch", async () => {
    const build = left.shift();
    return new Response("", build === undefined ? {} : { headers: { "x-binnacle-build": build } });
  });
  const end = watchNewerBuild(own, (build) => heard.push(build));
  for (const _ of builds) await fetchNotingBuild("/api/rpc");
  // Channels tell in order: when this has come, all before it have.
  const last = new BroadcastChannel("binnacle build");
  const done = new Promise((resolve) => last.addEventListener("message", resolve));
  const mark = new BroadcastChannel("binnacle build");
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin but its own
  mark.postMessage("end");
  await done;
  for (const channel of [last, mark]) channel.close();
  end();
  return heard;
}

test("a page hears of a newer server", async () => {
  expect(await heardFrom([BUILDS[0], BUILDS[1]], BUILDS[0])).toEqual([BUILDS[1]]);
});

test("while an old and a new server answer by turns, pages of the new one hear nothing: no two pages send each other round", async () => {
  const byTurns = [BUILDS[0], BUILDS[1], BUILDS[0], BUILDS[1], undefined];
  expect(await heardFrom(byTurns, BUILDS[1])).toEqual([]);
  expect(new Set(await heardFrom(byTurns, BUILDS[0]))).toEqual(new Set([BUILDS[1]]));
});
