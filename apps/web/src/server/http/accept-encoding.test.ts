import { expect, test } from "vitest";

import { acceptsGzip } from "./accept-encoding.ts";

test.each([
  ["gzip", true],
  ["gzip, deflate, br, zstd", true],
  ["br;q=1.0, GZIP;q=0.5", true],
  ["*", true],
  ["br, *;q=0.1", true],
  ["gzip;q=0", false],
  ["gzip; q=0.000, *", false],
  ["identity", false],
  ["xgzip", false],
  ["gzip;q=miracle", false],
  ["", false],
  [undefined, false],
])("an Accept-Encoding of %j takes gzip: %s", (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted);
});
