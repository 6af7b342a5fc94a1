import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { headersOfMetadata, metadataOfHeaders, metadataOfRawHeaders, metadataOfValues, valuesOfMetadata } from "./metadata.ts";

describe("metadata", () => {
  test("survives the protobuf map", () => {
    const key = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.array(fc.string(), { minLength: 1, maxLength: 3 })), { maxLength: 6 }), (entries) => {
        const metadata = new Map(entries);
        expect(metadataOfValues(valuesOfMetadata(metadata))).toEqual(metadata);
      }),
    );
  });

  test("keys of the map that differ only in case are one key", () => {
    const a = valuesOfMetadata(
      new Map([
        ["X-A", ["1"]],
        ["x-a", ["2"]],
      ]),
    );
    expect(metadataOfValues(a)).toEqual(new Map([["x-a", ["1", "2"]]]));
  });

  test("repeated headers stay apart, pseudo headers and gRPC's own are left out", () => {
    const raw = [":status", "200", "X-A", "1", "x-a", "2", "content-type", "application/grpc", "grpc-status", "0"];
    expect(metadataOfRawHeaders(raw)).toEqual(new Map([["x-a", ["1", "2"]]]));
    expect(metadataOfHeaders({ ":path": "/x", te: "trailers", "x-b": "1", "set-cookie": ["a", "b"] })).toEqual(
      new Map([
        ["x-b", ["1"]],
        ["set-cookie", ["a", "b"]],
      ]),
    );
  });

  test("as headers it cannot set what belongs to the transport", () => {
    expect(
      headersOfMetadata(
        new Map([
          [":path", ["/evil"]],
          ["te", ["x"]],
          ["x-a", ["1"]],
          ["x-b", ["1", "2"]],
          ["x-c", []],
        ]),
      ),
    ).toEqual({ "x-a": "1", "x-b": ["1", "2"] });
  });
});
