export { AuditLog, openAudit, type AuditLogOptions } from "./audit-log.ts";
export { auditFile, auditStdout, type AuditOutput } from "./audit-output.ts";
export { linesOf, type AuditedAction, type AuditRecord, type Principal } from "./audit-record.ts";
