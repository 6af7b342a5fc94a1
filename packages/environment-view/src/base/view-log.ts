/** The part of a logger that a view uses. */
export interface ViewLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
