export { contextFunctionTools } from './context-function-tools.ts';
export { type ContextModelOptions, contextModel } from './context-model.ts';
export { type ContextModelProviderOptions, contextModelProvider } from './context-model-provider.ts';
