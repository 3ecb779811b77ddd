export { inspect, redact, redactMessages, redactValue } from './default-redactor.ts';
export type { Finding } from './finding.ts';
export { createRedactor, type RedactMode, type RedactOptions, type Redactor, type RedactorOptions } from './redact.ts';
export { defineRule, type Rule } from './rules/user-rule.ts';
