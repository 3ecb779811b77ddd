import type { RequestRecognizer } from '@palimpsest/core';
import type { ToolDescriptor } from '../exchange/tool-descriptor.ts';
import type { Gate } from './gate.ts';

/**
 * What is never pruned, in tokens: the newest `tokens` of tool output (two-phase style), or the newest `transcript`
 * tokens of everything (compressor style).
 */
export type Protection =
  | { readonly tokens: number }
  | {
      readonly transcript: number;
      /** The newest messages to protect whatever their size, 3 to 8. @default 8 */
      readonly messages?: number | undefined;
    };

/** A policy with all defaults filled in, as strategies see it. */
export interface PolicySettings {
  readonly protect: Protection;
  readonly minimum: number;
  readonly from: number;
  readonly keepTurns: number;
  readonly stepsForTurns: boolean;
  readonly protectTools: readonly string[];
  readonly redact: ((text: string) => string) | null;
  readonly strategies: readonly { readonly name: string }[];
  readonly tools: readonly ToolDescriptor[];
  readonly placeholder: 'stub' | 'plain';
  readonly gate: Gate | null;
  readonly isRequest: RequestRecognizer | null;
}
