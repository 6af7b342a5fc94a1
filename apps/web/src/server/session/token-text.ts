/** Sealed it fits into three cookies, which leave room for others in what servers take as headers (16 KiB). */
export const MAX_TOKEN_CHARACTERS = 7_168;

/** A personal access token: letters, digits and a few signs; never a line break or a colon, which would end a header or a credential. */
const TOKEN = /^[\w.-]+$/;

/** Whether a text can be a personal access token. */
export function isToken(text: string): boolean {
  return text.length <= MAX_TOKEN_CHARACTERS && TOKEN.test(text);
}
