/** Longer credentials are rejected without a query: HTTP servers reject such headers with errors of their own. */
export const MAX_CREDENTIAL_BYTES = 4 * 1024;
