import { createHash } from "node:crypto";

const MAX_CHARS = 24;
const SUFFIX_CHARS = 6;

/**
 * The slug of an environment, as GitLab makes it of the name: letters, digits and single dashes, beginning with a letter, at most 24 characters. A
 * name that had to be changed gets a suffix of its hash, so that two of them do not meet.
 *
 * @see GitLab, `lib/gitlab/slug/environment.rb`
 */
export function environmentSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "-");
  const slug = (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replaceAll(/-+/g, "-");
  if (slug.length <= MAX_CHARS && slug === name) return slug.replace(/-$/, "");
  const hash = BigInt(`0x${createHash("sha256").update(name).digest("hex")}`)
    .toString(36)
    .slice(-SUFFIX_CHARS);
  return `${slug.slice(0, MAX_CHARS - SUFFIX_CHARS - 1).replace(/-$/, "")}-${hash}`;
}
