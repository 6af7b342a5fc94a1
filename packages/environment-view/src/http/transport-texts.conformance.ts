import fc from "fast-check";
import { expect, test } from "vitest";

import { KubeClientError } from "../base/kube-client.ts";
import { answerOf, change, NEVER, type TransportScene } from "./transport-scene.ts";

/** Texts of a request: what could be read as something else on its way is refused before it is sent. */
export function describeTexts({ transportTo }: TransportScene): void {
  test.each([
    { path: "/api/v1/pods\r\nx-injected: 1" },
    { path: "/api/v1/../secrets" },
    { path: "/api/v1/%2e%2e/secrets" },
    { path: "/api/v1/%2E%2E/secrets" },
    { path: "/api/v1/a%2Fb" },
    { path: "/api/v1/a%252Fb" },
    { path: "/api/v1/a%FF" },
    { path: "//api/v1" },
    { path: "api/v1" },
    { path: "http://other/api" },
    { path: "/api/v1/pods#x" },
    { path: "/api v1" },
    { path: "/api/v1?a=\n" },
    { path: "" },
    { accept: "application/json\r\nx-injected: 1" },
    { accept: "" },
    { ifNoneMatch: '"1"\r\nx-injected: 1' },
    { contentType: "application/json\r\nx-injected: 1" },
    { contentType: "application/json, text/plain" },
    { contentType: "json" },
    { contentType: "" },
    { method: "GET" as const },
  ])("XM2, T25: %j is refused before it is sent", async (wrong) => {
    let arrived = 0;
    const transport = await transportTo((_request, response) => ((arrived += 1), void response.end()));
    const refused = transport.request({ ...change("{}"), ...wrong }, NEVER);
    await expect(refused).rejects.toMatchObject({ failure: "api", status: { code: 400 }, stage: "not_started" });
    expect(arrived).toBe(0);
  });

  test("XM2, T12, T25: whatever stands for path and types, it arrives as it is in one request, or not at all", async () => {
    const arrived: { readonly url: string; readonly type: unknown; readonly accept: unknown; readonly injected: unknown }[] = [];
    const transport = await transportTo((request, response) => {
      const { "content-type": type, accept, "x-injected": injected } = request.headers;
      arrived.push({ url: request.url ?? "", type, accept, injected });
      request.resume();
      request.on("end", () => response.end("{}"));
    });
    const tricks = fc.array(fc.constantFrom("\r\n", "\n", "x-injected: 1", "%0d%0a", "..", "/", "?", "#", " ", "ü", "\0", ";", ",", "a"), {
      maxLength: 6,
    });
    const hostile = fc.oneof(
      tricks.map((parts) => parts.join("")),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(hostile, fc.constantFrom("path", "contentType", "accept"), async (text, place) => {
        const given = place === "path" ? `/api/v1/${text}` : `application/${text}`;
        const request = { ...change("{}"), [place]: given };
        arrived.length = 0;
        const refusal: unknown = await answerOf(transport, request).then(
          () => undefined,
          (error: unknown) => error,
        );
        const { path: url, contentType: type, accept } = request;
        expect(arrived).toEqual(refusal === undefined ? [{ url, type, accept, injected: undefined }] : []);
        expect(refusal === undefined || refusal instanceof KubeClientError).toBe(true);
      }),
    );
  });
}
