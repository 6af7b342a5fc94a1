/** Lines of a pkt-line text; flush packets are left out. @see gitprotocol-common(5) */
function* packets(bytes: Buffer): Generator<string> {
  let offset = 0;
  while (offset + 4 <= bytes.length) {
    const length = Number.parseInt(bytes.toString("latin1", offset, offset + 4), 16);
    if (Number.isNaN(length)) return;
    if (length < 4) {
      offset += 4;
      continue;
    }
    yield bytes.toString("utf8", offset + 4, Math.min(bytes.length, offset + length));
    offset += length;
  }
}

/**
 * Commit of the default branch in the advertisement of `git-upload-pack`.
 *
 * @param branch its name; empty: HEAD, else `refs/heads/master`
 * @returns undefined when the repository has none
 */
export function headOf(advertisement: Buffer, branch: string): string | undefined {
  const refs = new Map<string, string>();
  for (const packet of packets(advertisement)) {
    const match = /^([0-9a-f]{40,64}) ([^\0\n]+)/.exec(packet);
    if (match?.[1] !== undefined && match[2] !== undefined) refs.set(match[2], match[1]);
  }
  if (branch !== "") return refs.get(`refs/heads/${branch}`) ?? refs.get("HEAD");
  return refs.get("HEAD") ?? refs.get("refs/heads/master");
}
