import { join } from "node:path";

import { referencePage } from "@binnacle/config";

import { webConfigSchema } from "./config.ts";

/** Where the page about web's configuration is kept. */
export const webReferenceFile = join(import.meta.dirname, "../../../../../docs/reference/web-config.md");

const NOTES = `Bytes are plain numbers, durations a number with a unit (\`ms\`, \`s\`, \`m\`, \`h\`). Each key may stand in the environment instead, with its
path in capitals: \`WEB__LOG__LEVEL=debug\`.

## Files that change while it runs

Files are read again every 10 s, by their content: a link that is laid anew, as Kubernetes does with a Secret, is a change too. What cannot be
used changes nothing; one error line names the key, the file and what is wrong. web warns of a secret that others may read or its group may
write (\`chmod 0600\`, in Kubernetes \`defaultMode: 0400\`).

- \`session.secret_file\`: the first key seals sessions, both open them; the same file for every process. To replace a key (1) add the new one as
  second line, (2) when every process has read it, as its log says, make it the first, (3) 12 h later take the old line away. A key that is taken
  away ends its sessions, live streams among them within 60 s: two new keys at once sign everybody out. \`openssl rand -base64 32\` makes a key.
- \`listen.certificate_file\` and \`listen.key_file\`: new connections are shown the new certificate; they are replaced together.
- \`ca_certificate_file\`: new connections to the main application and to kas are held against it.
- \`health_rules.file\` and this configuration itself are read at the start only.

- \`kas.manifest_reader_secret_file\` is read at the start only. \`openssl rand -base64 32\` makes it; kas has the same file. By it web says, for a
  viewer to whom the main application has shown a commit of a manifest project, that kas may tell him files and lines of it.
- \`main_application.organization\` is read every 5 s; what cannot be used changes nothing, and one error line names each mistake with file, line
  and column. \`main_application.web_secret_file\` is read at the start only: by it kas takes passwords from web, which keeps none and signs no
  ID token. See docs/how-to/standalone.md.

- \`sign_in.oidc.client_secret_file\` is read at the start only (docs/design/sign-in.md).

web has no other secret: requests to kas and the main application carry the viewer's own credential.

## Several processes

Any number of processes may stand behind a balancer that knows nothing of sessions, given the same configuration and the same session keys.
Each counts for itself: the limit on sign-ins (20 tokens a minute from one client, 20 a second in all), the limits on calls and streams, and
\`views.*\`. What an environment showed last, for when its agent is away, is each process's own. A stream that comes back to another process is
given a whole snapshot. A viewer without an open stream costs a process nothing, but for about 1 KiB until ten minutes after the last request
when it is the main application's session that signs in.

A sign-out takes the cookie from the browser, which ends its streams in all tabs, whichever process has them. The process that hears of it ends
the session's streams at once and refuses its cookie from then on. It tells the processes of \`session.peers\`, sealed with the session key, in up
to four tries; give the name of a headless Service there, with the port of \`listen.address\`: \`http://binnacle-web-headless:3000\`. A process that
did not receive it, or was restarted, accepts a copy of the cookie until it expires, 12 h after the sign-in. It notifies them of actions in the same way,
so that their journals say by whom a change was made (docs/design/journal.md).`;

/** The page as the schema says it now. */
export function webReferencePage(): string {
  return referencePage(webConfigSchema, "Configuration of web", NOTES);
}
