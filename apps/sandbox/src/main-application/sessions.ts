import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

import { createCsrfSecret, createCsrfToken, isCsrfToken } from "./csrf-token.ts";

/** A browser's session, signed in or not. */
export interface Session {
  /** Value of the session cookie. */
  readonly id: string;
  /** Names the session to others (inside `_gitlab_kas`); never the cookie itself. */
  readonly publicId: string;
  readonly csrfSecret: Buffer;
  /** `undefined` before sign-in. */
  readonly userId: number | undefined;
}

const MAX_SESSIONS = 10_000;

/** Sessions in memory. The oldest is dropped when there are too many. Every method is synchronous. */
export class Sessions {
  readonly #byId = new Map<string, Session>();
  readonly #byPublicId = new Map<string, Session>();
  readonly #key = randomBytes(32);

  /** A new session with a new id; at sign-in too, so that an id known before is worth nothing afterwards. */
  create(userId?: number): Session {
    const session: Session = {
      id: randomBytes(24).toString("hex"),
      publicId: randomBytes(16).toString("hex"),
      csrfSecret: createCsrfSecret(),
      userId,
    };
    this.#byId.set(session.id, session);
    this.#byPublicId.set(session.publicId, session);
    const oldest = this.#byId.values().next().value;
    if (this.#byId.size > MAX_SESSIONS && oldest) this.destroy(oldest);
    return session;
  }

  find(id: string | undefined): Session | undefined {
    return id === undefined ? undefined : this.#byId.get(id);
  }

  destroy(session: Session): void {
    this.#byId.delete(session.id);
    this.#byPublicId.delete(session.publicId);
  }

  /** A token for one page of this session. */
  csrfToken(session: Session): string {
    return createCsrfToken(session.csrfSecret);
  }

  isCsrfToken(session: Session, token: string | undefined): boolean {
    return token !== undefined && isCsrfToken(session.csrfSecret, token);
  }

  /** The value of `_gitlab_kas`: the encrypted public id. It must be URL-escaped in the cookie. */
  kasCookie(session: Session): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#key, iv);
    const text = Buffer.concat([cipher.update(session.publicId, "utf8"), cipher.final()]);
    return [text, iv, cipher.getAuthTag()].map((part) => part.toString("base64")).join("--");
  }

  /** The session behind a value of `_gitlab_kas`; `undefined` when it is forged, or the session has ended. */
  findByKasCookie(value: string): Session | undefined {
    const [text, iv, tag] = value.split("--").map((part) => Buffer.from(part, "base64"));
    if (!text || iv?.length !== 12 || tag?.length !== 16) return undefined;
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, iv);
      decipher.setAuthTag(tag);
      const publicId = Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
      return this.#byPublicId.get(publicId);
    } catch {
      return undefined;
    }
  }
}
