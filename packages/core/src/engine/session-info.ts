import type { ModelInfo } from './model.ts';

export interface SessionInfo {
  readonly sessionId: string;
  readonly model?: ModelInfo | undefined;
}
