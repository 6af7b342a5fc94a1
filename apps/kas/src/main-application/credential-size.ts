/** A credential that is longer is none, and nobody is asked about it: servers refuse such headers with words of their own. */
export const MAX_CREDENTIAL_BYTES = 4 * 1024;
