import { expect, test } from "vitest";

import { renderEnglish } from "@binnacle/words/render-english";

import { health } from "./health.ts";
import { maskCredentials } from "./mask-credentials.ts";

test.each([
  ["dial postgres://shop:hunter22@db:5432", "dial postgres://shop:*****@db:5432"],
  ["Authorization: Bearer eyJhbGciOi.J9", "Authorization: Bearer *****"],
  ["DB_PASSWORD=hunter22, retrying", "DB_PASSWORD=*****, retrying"],
  ['{"password": "hunter22", "token":"abcdef"}', '{"password": "*****", "token":"*****"}'],
  ["API_KEY='abc123' client-secret=xyz789", "API_KEY='*****' client-secret=*****"],
  ["apikey=abcdef api_key=abcdef api-key = abcdef", "apikey=***** api_key=***** api-key = *****"],
  ["AWS_SECRET_ACCESS_KEY=abc/def accesskey=abcdef ACCESS-KEY=abcdef", "AWS_SECRET_ACCESS_KEY=***** accesskey=***** ACCESS-KEY=*****"],
  ["my-token=abcdef\tnext", "my-token=*****\tnext"],
  ["{'client_secret' : 'abcdef'}", "{'client_secret' : '*****'}"],
  ["passphrase: abcdef; PASSWD=abcdef&x=1", "passphrase: *****; PASSWD=*****&x=1"],
  ["X-Api-Key: 0123456789abcdef", "X-Api-Key: *****"],
  ["denied for glpat-AbCdEfGh1234_x-y and ghp_0123456789abcdef", "denied for glpat-***** and ghp_*****"],
  ["xoxb-123456789012 github_pat_11ABCDEFG0123", "xoxb-***** github_pat_*****"],
])("%s is masked as %s", (text, masked) => expect(maskCredentials(text)).toBe(masked));

test.each([
  "failed to fetch anonymous token: unexpected status: 401 Unauthorized",
  "no basic authentication credentials",
  'secret "web-tls" not found',
  "references non-existent secret key: app.yaml",
  "https://registry.example/v2/shop/manifests/1.5",
  "API key: see the manual",
  "access key: required",
  "token = ab",
  "glue-job-0123456789 is late",
])("%s is unchanged", (text) => expect(maskCredentials(text)).toBe(text));

test("health quotes the termination message of a container without its credentials", () => {
  const terminated = { exitCode: 1, reason: "Error", message: "cannot open postgres://shop:hunter22@db" };
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    status: { phase: "Failed", containerStatuses: [{ state: { terminated } }] },
  };
  expect(renderEnglish(health(pod, { now: "2026-01-01T12:00:00Z" })?.message)).toBe(
    "Container ended with Error, exit code 1: cannot open postgres://shop:*****@db",
  );
});

test("T7: every form is known where it stands alone, in capitals where case does not matter", () => {
  const value = "hunter22hunter22";
  const words = [
    "password=",
    "passwd: ",
    "passphrase = ",
    "secret=",
    '"token": "',
    "api_key=",
    "apikey=",
    "api-key: ",
    "access_key=",
    "access-key: ",
  ];
  const anyCase = [...words, "bearer ", "basic "].flatMap((form) => [form, form.toUpperCase()]);
  const gitlab = ["pat", "oas", "dt", "rt", "rtr", "cbt", "ptt", "ft", "imt", "agent", "soat", "ffct"].map((kind) => `gl${kind}-`);
  const tokens = [...gitlab, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "xoxb-"];
  for (const form of [...anyCase, ...tokens]) expect(maskCredentials(`${form}${value}`), form).toBe(`${form}*****`);
  expect(maskCredentials(`x://:${value}@db`)).toBe("x://:*****@db");
});
