import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { EnvironmentSchema } from "@binnacle/proto/dashboard";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoppedClock } from "../../../ui/use-now.ts";
import { Lifetime } from "./lifetime.tsx";

const NOW_MS = Date.parse("2026-01-01T10:00:00Z");

function shown(state: string, inMs?: number): string {
  const autoStopAt = inMs === undefined ? {} : { autoStopAt: timestampFromMs(NOW_MS + inMs) };
  const environment = create(EnvironmentSchema, { state, ...autoStopAt });
  const html = renderToStaticMarkup(
    <StoppedClock value={NOW_MS}>
      <Lifetime environment={environment} />
    </StoppedClock>,
  );
  return html.replaceAll(/<[^>]+>/g, "");
}

test("when an environment is stopped by itself, that it is being stopped, and nothing of one that stays or was stopped", () => {
  expect(shown("available", 5.5 * 3_600_000)).toMatch(/^stops (?:in 5 h|2026-01-01 15:30 UTC)$/);
  expect(shown("stopping", 60_000)).toBe("stopping");
  expect([shown("available"), shown("stopped", 60_000)]).toEqual(["", ""]);
});
