import { expect, test } from "vitest";

import { acceptedCodings, acceptsGzip } from "./accept-encoding.ts";

test.each<[header: string | undefined, accepted: readonly string[]]>([
  ["gzip", ["gzip"]],
  ["gzip, deflate, br, zstd", ["br", "gzip"]],
  ["br;q=1.0, GZIP;q=0.5", ["br", "gzip"]],
  ["*", ["br", "gzip"]],
  ["br, *;q=0.1", ["br", "gzip"]],
  ["gzip;q=0", []],
  ["br;q=0, gzip", ["gzip"]],
  ["gzip; q=0.000, *", ["br"]],
  ["identity", []],
  ["xgzip, brotli", []],
  ["gzip;q=miracle", []],
  ["", []],
  [undefined, []],
])("of our codings an Accept-Encoding of %j takes %j", (header, accepted) => {
  expect(acceptedCodings(header)).toEqual(accepted);
  expect(acceptsGzip(header)).toBe(accepted.includes("gzip"));
});
