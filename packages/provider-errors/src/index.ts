export { classifyProviderError } from './classify.ts';
export type { ProviderError, ProviderErrorKind, ProviderErrorSubject, RequestSize } from './provider-error.ts';
