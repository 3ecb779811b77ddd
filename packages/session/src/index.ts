export { classifyFailure, classifyResponse } from './failure/classify-failure.ts';
export type { FailureAction, FailureClass, FailureContext, ProviderFailure } from './failure/provider-failure.ts';
