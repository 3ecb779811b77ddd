export { type TraceOptions, traceSession } from './opentelemetry/trace-session.ts';
