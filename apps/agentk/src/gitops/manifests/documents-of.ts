/** The documents of a YAML file as bytes, without reading them: lines that begin with three hyphens divide them. */
export function* documentsOf(data: Uint8Array): Generator<Buffer> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  let from = 0;
  for (let at = bytes.indexOf("\n---"); at !== -1; at = bytes.indexOf("\n---", at + 1)) {
    yield bytes.subarray(from, at);
    from = at + 4;
  }
  yield bytes.subarray(from);
}
