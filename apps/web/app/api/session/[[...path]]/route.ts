import { answerSession } from "../../../../src/server/routes.ts";

export const dynamic = "force-dynamic";

/** What the sign-in page asks, and the way to the main application's sign-in. */
export function GET(request: Request): Promise<Response> {
  return answerSession(request);
}

/** Signs in with a personal access token. */
export function POST(request: Request): Promise<Response> {
  return answerSession(request);
}

/** Signs out. */
export function DELETE(request: Request): Promise<Response> {
  return answerSession(request);
}
