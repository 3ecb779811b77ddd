import type { RequestRecognizer } from '@palimpsest/core';
import type { Gate } from './gate.ts';
import type { ToolDescriptor } from './tool.ts';

/**
 * What stays untouched, in tokens: the newest `tokens` of tool output (prune-then-compact style), or the newest
 * `transcript` tokens of everything (compressor style).
 */
export type Protection =
  | { readonly tokens: number }
  | {
      readonly transcript: number;
      /** Messages that stay however large they are, 3 to 8. @default 8 */
      readonly messages?: number | undefined;
    };

/** A policy with every default filled in, as its strategies see it. */
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
