import type { Application } from "./application.ts";
import type { Session } from "./sessions.ts";
import type { User } from "./world.ts";

/** The user a session belongs to; `undefined` before sign-in. */
export function signedInUser(app: Application, session: Session | undefined): User | undefined {
  return session?.userId === undefined ? undefined : app.world.users.find((user) => user.id === session.userId);
}
